//! Programs compiled by LLVM.

use weldment::Program;

use crate::cases::for_each_program;
use crate::executors::{as_written, compiled, interpreted, same};
use crate::program::Generated;
use crate::{CUT, LIMITS};

fn check(generated: &Generated) -> Result<(), String> {
    let program = Program::parse(&generated.text()).map_err(|error| error.to_string())?;
    let expected = interpreted(&program, CUT, &generated.args);
    let mut difference = None;
    compiled(&program, CUT, &generated.args, |way, got| {
        if !same(&got, &expected) {
            difference = Some(format!("{way:?}: {got:?}\ninstead of {expected:?}"));
        }
    });
    // What nobody needs takes long to compile: one program in four is enough.
    if generated.source.len().is_multiple_of(4) {
        as_written(&program, CUT, &generated.args, |way, got, expected| {
            if !same(&got, expected) {
                difference = Some(format!("as written, {way:?}: {got:?}\ninstead of {expected:?}"));
            }
        });
    }
    match difference {
        None => Ok(()),
        Some(difference) => {
            let optimised = program.explain().map_err(|error| error.to_string())?;
            Err(format!("{difference}\n{optimised}"))
        }
    }
}

#[test]
fn generated_programs_give_the_same_bits_compiled_by_llvm() {
    for_each_program(60, LIMITS, check);
}
