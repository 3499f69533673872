//! Where the vectors of a run get their memory: anew, from what the caller gave for the result, or from what earlier
//! vectors have left.

use std::mem::replace;

use crate::api::element::Element;
use crate::exec::context::Context;
use crate::exec::options::Options;
use crate::lang::fault::Fault;
use crate::mem::pool::Pool;
use crate::store::vector::growable::{self, room};

/// Where memory for a vector comes from, counted by the run: a [`Context`], which allocates, or one of its
/// [`Reused`].
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::exec::allocate::Memory;
/// let cx = Context::ambient();
/// assert!(cx.vector::<f64>(10)?.capacity() >= 10);
/// assert!(cx.results().vector::<f64>(10)?.capacity() >= 10);
/// assert!(cx.temporaries().vector::<f64>(1 << 60).is_err());
/// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
/// ```
pub trait Memory {
    /// The run.
    fn context(&self) -> &Context;

    /// An empty vector with room for `len` elements.
    ///
    /// # Errors
    /// MemoryLimit, if there is no such room and none can be had.
    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault>;

    /// An empty vector whose length is not known yet, with whatever room there is for it.
    fn any_length<T>(&self) -> Vec<T>;

    /// Whether a vector keeps room that it does not need, for the next one that is made of its memory.
    fn keeps_room(&self) -> bool;
}

/// Memory that was used before, and new memory where that does not suffice: what [`Context::results`] and
/// [`Context::temporaries`] give.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::exec::allocate::Memory;
/// use weldment_runtime::exec::options::Options;
/// let cx = Context::new(&Options::new());
/// cx.recycle(vec![0.0; 100]);
/// assert_eq!(cx.temporaries().vector::<i64>(50)?.capacity(), 100);
/// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
/// ```
#[derive(Debug)]
pub struct Reused<'c> {
    context: &'c Context,
    pool: Option<&'c Pool>,
    keeps_room: bool,
}

impl Memory for Context {
    fn context(&self) -> &Context {
        self
    }

    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        let mut vector = Vec::new();
        growable::reserve_anew(self, &mut vector, len)?;
        Ok(vector)
    }

    fn any_length<T>(&self) -> Vec<T> {
        Vec::new()
    }

    fn keeps_room(&self) -> bool {
        false
    }
}

impl Reused<'_> {
    /// `released`, if the run may hold so much.
    fn counted<T>(&self, released: Option<Vec<T>>) -> Option<Vec<T>> {
        released.filter(|released| self.context.charge(room(released)).is_ok())
    }
}

impl Memory for Reused<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        match self.counted(self.pool.and_then(|pool| pool.take(len))) {
            Some(released) => Ok(released),
            None => self.context.vector(len),
        }
    }

    fn any_length<T>(&self) -> Vec<T> {
        self.counted(self.pool.and_then(Pool::take_largest)).unwrap_or_default()
    }

    fn keeps_room(&self) -> bool {
        self.keeps_room
    }
}

impl Context {
    /// The context of a run with `options` whose result takes the place of `out`, and the memory of its vectors. Until
    /// then `out` is what [`Element::zero`] gives.
    ///
    /// ```
    /// use weldment_runtime::exec::context::Context;
    /// use weldment_runtime::exec::allocate::Memory;
    /// use weldment_runtime::exec::options::Options;
    /// let mut out = (1.5, vec![1, 2, 3]);
    /// let place = out.1.as_ptr();
    /// let cx = Context::filling(&Options::new(), &mut out);
    /// assert_eq!(out, (0.0, vec![]));
    /// assert_eq!(cx.results().vector::<i32>(2)?.as_ptr(), place);
    /// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
    /// ```
    pub fn filling<R: Element>(options: &Options, out: &mut R) -> Context {
        let pool = Pool::new(usize::MAX);
        pool.put_all(replace(out, R::zero()));
        let mut context = Context::new(options);
        context.results = Some(pool);
        context
    }

    /// Memory for the vectors of the result.
    ///
    /// ```
    /// use weldment_runtime::exec::context::Context;
    /// use weldment_runtime::exec::allocate::Memory;
    /// let results = Context::ambient().results();
    /// assert_eq!((results.any_length::<f64>().capacity(), results.keeps_room()), (0, false));
    /// ```
    pub fn results(&self) -> Reused<'_> {
        Reused { context: self, pool: self.results.as_ref(), keeps_room: self.results.is_some() }
    }

    /// Memory for vectors that the program is done with before it ends, and then [recycles](Context::recycle).
    ///
    /// ```
    /// use weldment_runtime::exec::context::Context;
    /// use weldment_runtime::exec::allocate::Memory;
    /// use weldment_runtime::exec::options::Options;
    /// let cx = Context::new(&Options::new());
    /// cx.recycle(vec![0u8; 64]);
    /// assert_eq!((cx.temporaries().any_length::<u8>().capacity(), cx.temporaries().any_length::<u8>().capacity()), (64, 0));
    /// ```
    pub fn temporaries(&self) -> Reused<'_> {
        Reused { context: self, pool: self.left(), keeps_room: self.left().is_some() }
    }

    /// Leaves the memory of `vector` to the temporaries that come, in this run or, with
    /// [`Options::buffers`], in later ones.
    ///
    /// ```
    /// use weldment_runtime::exec::context::Context;
    /// Context::ambient().recycle(vec![1.5]); // which keeps nothing
    /// ```
    pub fn recycle<T>(&self, vector: Vec<T>) {
        self.discharge(room(&vector));
        if let Some(pool) = self.left() {
            pool.put(vector);
        }
    }

    /// A context for this run that keeps what is recycled, where this one, of a plain call, does not.
    ///
    /// ```
    /// use weldment_runtime::exec::context::Context;
    /// use weldment_runtime::exec::options::Options;
    /// assert!(Context::ambient().own().is_some() && Context::new(&Options::new()).own().is_none());
    /// ```
    pub fn own(&self) -> Option<Context> {
        std::ptr::eq(self, Context::ambient()).then(|| Context::new(&self.options))
    }

    /// Where what is recycled is kept. A run whose memory is limited keeps none of its own: what it is done with is freed.
    pub(crate) fn left(&self) -> Option<&Pool> {
        match (&self.options.buffers, self.options.memory_limit) {
            (Some(buffers), _) => Some(buffers.pool()),
            (None, Some(_)) => None,
            (None, None) => self.left.as_ref(),
        }
    }
}
