//! A program means the same in Weld's spelling, in Rust's, and in a mixture.

use weldment_core::front;
use weldment_core::ir::print::{Locations, print};

use crate::LIMITS;
use crate::cases::for_each_tape;
use crate::program::{Generated, Limits, Spelling, generate};

/// The IR of a program, without what says where in the text it comes from.
fn ir(generated: &Generated) -> Result<String, String> {
    let text = generated.text();
    let lowered = front::from_text(&text)
        .map_err(|errors| format!("{}: {}\n{text}", errors[0].position(), errors[0].message))?;
    Ok(print(&lowered.program, Locations::Hidden))
}

fn check(tape: &[u16], limits: Limits) -> Result<(), String> {
    let spelt = |spelling| generate(tape, Limits { spelling: Some(spelling), ..limits });
    let weld = spelt(Spelling::Weld);
    let expected = ir(&weld)?;
    for spelling in [Spelling::Rust, Spelling::Mixed(1), Spelling::Mixed(2)] {
        let other = spelt(spelling);
        let got = ir(&other)?;
        if got != expected {
            return Err(format!("{}\nmeans\n{got}\nand\n{}\nmeans\n{expected}", other.text(), weld.text()));
        }
    }
    Ok(())
}

#[test]
fn generated_programs_lower_to_the_same_ir_in_every_spelling() {
    for_each_tape(300, None, LIMITS, check);
}
