//! The front end in one call: from source to plain IR.
//!
//! It recurses as deep as programs nest. The callers, the macro and `Program::parse`, see to a stack that is large enough, see
//! [`crate::guard`].

use proc_macro2::TokenStream;

use crate::diagnostic::Diagnostic;
use crate::infer::{infer, linear};
pub use crate::infer::{is_function, is_word};
use crate::lower::{Lowered, lower};
use crate::syntax::names::{self, Undefined};
use crate::syntax::{self, ast};
use crate::versions;

/// Lowers a program that is text, as `Program::parse` takes it.
///
/// # Errors
/// The mistakes of the program, each with its place.
pub fn from_text(text: &str) -> Result<Lowered, Vec<Diagnostic>> {
    from_ast(&syntax::parse_text(text)?)
}

/// Lowers a program that is tokens, as `weld!` takes it.
///
/// # Errors
/// The mistakes of the program, each with its place.
pub fn from_tokens(tokens: TokenStream) -> Result<Lowered, Vec<Diagnostic>> {
    from_ast(&syntax::parse_tokens(tokens)?)
}

/// Lowers a parsed program.
///
/// # Errors
/// The mistakes of the program, each with its place.
pub fn from_ast(program: &ast::Program) -> Result<Lowered, Vec<Diagnostic>> {
    let typed = infer(program)?;
    linear::check(&typed)?;
    let mut lowered = lower(&typed);
    lowered.versions = versions::of(program, &mut lowered)?;
    Ok(Lowered { positions: lowered.positions.with_excerpts(program.excerpts.clone()), ..lowered })
}

/// What `program` names and finds neither in itself nor in the language: what `weld!` asks for its tokens.
pub fn undefined(program: &ast::Program) -> Vec<Undefined> {
    names::undefined(program, &is_word)
}

/// The same of an item that stands alone.
pub fn undefined_of_item(item: &ast::Welded) -> Vec<Undefined> {
    names::undefined_of_item(item, &is_word)
}

/// The constants of the Rust around it that `program` reads, which knows what was told.
pub fn constants(program: &ast::Program) -> Vec<ast::Ident> {
    names::constants(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::optimise;
    use crate::passes::{Cx, run_pass, simplify};

    /// A program of as many `let`s in a row, of the body's own variables `x` and `v`.
    fn lets(count: usize, of: &str, result: &str) -> String {
        format!("|x: f64, v: &[f64]| {{ {}{result} }}", of.repeat(count))
    }

    /// On the stack of a test, which is smaller than that of rustc, and without optimisation.
    #[test]
    fn any_number_of_lets_may_follow_each_other() {
        for (count, of) in [
            (10_000, "let x = x * 0.5 + 1.0; "),
            (2_000, "let (x, _) = (x + v[0], v); "),
            (2_000, "let y: f64 = x; let x = if y > 1.0 { y } else { x }; "),
        ] {
            let mut lowered = from_text(&lets(count, of, "x")).expect(of);
            optimise(&mut lowered.program, &lowered.positions).expect("sound passes");
        }
        let merges = lets(10_000, "let b = merge(b, x); ", "result(b)");
        let merges = merges.replacen('{', "{ let b = merger[f64,+]; ", 1);
        assert_eq!(from_text(&merges).expect("merges").program.sinks, 1);
    }

    #[test]
    fn vectors_of_any_number_of_lets_have_lengths() {
        let Lowered { mut program, .. } =
            from_text(&lets(2_000, "let v = v.map(|x| x + 1.0); ", "v")).expect("maps");
        run_pass(&simplify::PASS, &mut program, &mut Cx::default()).expect("a sound pass");
        let entry = &program.bodies[program.entry.expect("an entry")];
        let lengths = entry.stmts.iter().filter(|stmt| matches!(stmt.op, crate::ir::Op::Len(_)));
        assert_eq!(lengths.filter(|stmt| stmt.op.reads(entry.params[1])).count(), 2_000);
    }

    #[test]
    fn a_mistake_in_a_long_row_of_lets_is_told_once() {
        let text = lets(10_000, "let x = x + 1.0; ", "y");
        let Err(errors) = from_text(&text) else { panic!("`y` is not known") };
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
}
