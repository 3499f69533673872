//! What stands between the compiler and who calls it: room on the stack, and an error in place of a panic.
//!
//! The compiler never panics on a program, whatever the program; where it does all the same, that is a mistake of the
//! compiler, and who meets it is somebody else's build, or server.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// Enough for the deepest program that the limits of parsing and inference let through, without optimisation. What is not
/// used of it is never memory.
pub const STACK: usize = 512 << 20;

/// What `work` gives.
///
/// # Errors
/// `work` panicked: the text of an internal error.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(&*panic))
}

/// What `work` gives, done on a thread with a stack of [`STACK`] bytes; where there is no such stack to be had, on the caller's. A panic
/// goes on in the caller.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut take = || work.take().expect("the work is done once")();
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().name("weldment".into()).stack_size(STACK);
        thread.spawn_scoped(scope, &mut take).map(|thread| thread.join())
    });
    match done {
        Ok(joined) => joined.unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => take(),
    }
}

fn internal_error(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic");
    format!(
        "internal error: {text}\nnote: this is a mistake of the compiler; please report it with the program"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error_on_either_stack() {
        let bug = || -> u8 { panic!("no {}", "sink") };
        let expected = "internal error: no sink\nnote: this is a mistake of the compiler; please report it with the program";
        assert_eq!(catch(bug), Err(expected.to_string()));
        assert_eq!(catch(|| on_large_stack(bug)), Err(expected.to_string()));
    }

    #[test]
    fn the_large_stack_is_large() {
        /// Takes at least 64 bytes a level.
        fn deep(levels: u64) -> u64 {
            let here = std::hint::black_box([levels; 8]);
            if levels == 0 { 0 } else { 1 + deep(here[7] - 1) }
        }
        assert_eq!(on_large_stack(|| deep(500_000)), 500_000);
    }
}
