//! What of Rust refers to something that lies elsewhere.

/// By what of Rust something is found that lies elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pointer {
    /// `&T`
    Ref,
    /// `Box<T>`
    Box,
    /// `Arc<T>`
    Arc,
}

impl Pointer {
    /// The one of this name; none is that of references.
    ///
    /// ```
    /// # use weldment_runtime::lang::pointer::Pointer;
    /// assert_eq!((Pointer::from_name("Arc"), Pointer::from_name("Rc")), (Some(Pointer::Arc), None));
    /// ```
    pub fn from_name(name: &str) -> Option<Pointer> {
        match name {
            "Box" => Some(Pointer::Box),
            "Arc" => Some(Pointer::Arc),
            _ => None,
        }
    }
}
