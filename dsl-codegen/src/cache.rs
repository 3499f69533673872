//! What was made before in this process, of programs.
//!
//! The key is a program's text itself with all that decides what becomes of it, so equal keys are equal programs and
//! nothing has to be proved about a hash.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many programs are kept.
const CAPACITY: usize = 256;

/// Keeps up to [`CAPACITY`] items, and forgets first what was used longest ago.
#[derive(Debug)]
struct Cache<T> {
    entries: HashMap<String, Entry<T>>,
    clock: u64,
}

#[derive(Debug)]
struct Entry<T> {
    item: Arc<T>,
    used: u64,
}

impl<T> Cache<T> {
    fn new() -> Cache<T> {
        Cache { entries: HashMap::new(), clock: 0 }
    }

    fn get(&mut self, key: &str) -> Option<Arc<T>> {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(entry.item.clone())
    }

    /// Keeps `item`, unless another thread was first; gives the one that is kept.
    fn insert(&mut self, key: String, item: Arc<T>) -> Arc<T> {
        if let Some(earlier) = self.get(&key) {
            return earlier;
        }
        if self.entries.len() == CAPACITY {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            if let Some(oldest) = oldest {
                self.entries.remove(&oldest);
            }
        }
        self.entries.insert(key, Entry { item: item.clone(), used: self.clock });
        item
    }
}

/// A cache of up to 256 items that lives as long as the process, and forgets first what was used longest ago. The lock is
/// not held while something is made.
#[derive(Debug)]
pub struct Shared<T>(OnceLock<Mutex<Cache<T>>>);

impl<T> Shared<T> {
    /// An empty cache.
    #[expect(clippy::new_without_default, reason = "a cache is a static")]
    pub const fn new() -> Shared<T> {
        Shared(OnceLock::new())
    }

    /// The item of `key`, made by `make` if it is not there.
    ///
    /// # Errors
    /// That of `make`; it is not kept.
    pub fn get_or_make<E>(&self, key: String, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let cache = self.0.get_or_init(|| Mutex::new(Cache::new()));
        let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(item) = lock().get(&key) {
            return Ok(item);
        }
        let item = Arc::new(make()?);
        Ok(lock().insert(key, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_once_and_forgets_what_was_used_longest_ago() {
        let cache = Shared::new();
        let make = |x: usize| cache.get_or_make(x.to_string(), || Ok::<_, ()>(x)).unwrap();
        let first = make(0);
        for x in 1..CAPACITY {
            make(x);
        }
        assert!(Arc::ptr_eq(&first, &make(0)));
        make(CAPACITY);
        assert!(Arc::ptr_eq(&first, &make(0)), "used a moment ago");
        let made_again = cache.get_or_make("1".into(), || Ok::<_, ()>(77)).unwrap();
        assert_eq!(*made_again, 77, "the oldest was forgotten");
    }

    #[test]
    fn failures_are_not_kept() {
        let cache = Shared::<u8>::new();
        assert!(cache.get_or_make("k".into(), || Err("no")).is_err());
        assert_eq!(*cache.get_or_make("k".into(), || Ok::<_, ()>(1)).unwrap(), 1);
    }
}
