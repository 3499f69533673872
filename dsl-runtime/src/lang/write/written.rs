//! What is known of a text before it is written: how long it will be.

/// A text that is about to be written.
pub trait Written {
    /// How many bytes it has.
    fn size(&self) -> usize;

    /// Hands over its bytes, part by part.
    fn write(&self, to: &mut impl FnMut(&[u8]));

    /// Its bytes.
    ///
    /// ```
    /// use weldment_runtime::lang::write::{Written, shown_i64};
    /// assert_eq!(shown_i64(-7).bytes(), b"-7");
    /// ```
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size());
        self.write(&mut |part| bytes.extend_from_slice(part));
        bytes
    }
}
