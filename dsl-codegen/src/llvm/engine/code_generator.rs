//! Command-line options of LLVM's code generator (`cl::opt`), for which it has no other interface. They hold for the whole process:
//! what others in it let the same library generate is made with them, too.
//!
//! This file may use `unsafe` because the options are read from C strings. What makes it sound: they are constants, each ended by
//! a zero, their number is that of the list, and this runs once, before the first machine of ours is made.
#![allow(unsafe_code)]

use std::ffi::CStr;

/// As on the command line of LLVM's tools.
///
/// On x86, LLVM turns a conditional move that depends on the one before it into a branch where a good prediction would make the
/// loop shorter (pass `x86-cmov-conversion`). Minima over data, as in the rows of an edit distance, are then mispredicted: with the
/// branches, edit distances took more than twice as long.
pub(super) const OPTIONS: &[&CStr] =
    if cfg!(target_arch = "x86_64") { &[c"-x86-cmov-converter=false"] } else { &[] };

/// Sets [`OPTIONS`]; once per process, after the machine's code generator is initialised, which knows their names.
pub(super) fn set_options() {
    let line: Vec<_> = [c"weldment"].iter().chain(OPTIONS).map(|option| option.as_ptr()).collect();
    let count = line.len().try_into().expect("they are few");
    // SAFETY: `line` holds `count` pointers to constants that end with a zero, and so does the text without a letter.
    unsafe { llvm_sys::support::LLVMParseCommandLineOptions(count, line.as_ptr(), c"".as_ptr()) };
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use crate::llvm::Level;
    use crate::llvm::engine::optimize::{Listing, listing};
    use crate::llvm::engine::target::host;

    #[test]
    fn minima_that_depend_on_each_other_have_no_branches() {
        let least = |from: &str, to: usize, value: usize| {
            format!(
                "  %place{to} = getelementptr inbounds i64, ptr %at, i64 {value}\n  \
                   %value{to} = load i64, ptr %place{to}\n  \
                   %more{to} = add i64 {from}, 1\n  \
                   %least{to} = call i64 @llvm.smin.i64(i64 %more{to}, i64 %value{to})\n"
            )
        };
        let minima = least("%least0", 1, 0)
            + &least("%least1", 2, 1)
            + &least("%least2", 3, 2)
            + &least("%least3", 4, 3);
        let text = format!(
            "define i64 @f(ptr %values, i64 %len) {{\n\
             start:\n  br label %loop\n\
             loop:\n  \
               %i = phi i64 [ 0, %start ], [ %next, %loop ]\n  \
               %least0 = phi i64 [ 0, %start ], [ %least4, %loop ]\n  \
               %at = getelementptr inbounds i64, ptr %values, i64 %i\n\
             {minima}  \
               %next = add nuw i64 %i, 4\n  \
               %done = icmp eq i64 %next, %len\n  \
               br i1 %done, label %end, label %loop\n\
             end:\n  ret i64 %least4\n\
             }}\n\
             declare i64 @llvm.smin.i64(i64, i64)\n"
        );
        let assembly = listing(host().unwrap(), &text, Level::Full, Listing::Assembly).unwrap();
        assert_eq!(assembly.matches("\tcmov").count() % 4, 0, "{assembly}");
        assert!(assembly.contains("\tcmov"), "{assembly}");
    }
}
