//! Floats of 16 bits in kernels: in Rust they are types of another crate, which the facade has by the feature `half`. What of them goes in and out of
//! a kernel, or is a field of a struct, is refused without it; programs compute with them in any case.

use proc_macro2::Span;
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::ir;
use weldment_core::lower::Lowered;
use weldment_core::syntax::{ast, names};
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::Type;

/// Whether the facade has the types.
pub(crate) const HAS_TYPES: bool = cfg!(feature = "half");

/// What is said of `half`, which Rust has no type for.
pub(crate) fn message(half: Half) -> [String; 2] {
    let name = half.name();
    [
        format!("kernels have `{name}`s by the feature `half` of weldment, which is off"),
        format!(
            "turn it on in Cargo.toml, `weldment = {{ …, features = [\"half\"] }}`; in Rust the type is `weldment::{name}`, that of the crate `half`"
        ),
    ]
}

/// Refuses a program that takes or gives one, if Rust has no type for it.
pub(crate) fn check(closure: &ast::Closure, lowered: &Lowered) -> Result<(), Vec<Diagnostic>> {
    if HAS_TYPES {
        return Ok(());
    }
    let program = &lowered.program;
    let entry = &program.bodies[program.entry.expect("a lowered program has an entry")];
    let written = closure.params.iter().filter_map(|param| param.ty.as_ref()).find_map(place);
    let inside = |values: &[ir::Value]| values.iter().find_map(|&value| half_in(program.ty(value)));
    let error = |half: Half, span: Span| {
        let [message, help] = message(half);
        Err(vec![Diagnostic::new(Code::NoFeature, span, message).help(help)])
    };
    match (written, inside(&entry.params), inside(&entry.results)) {
        (Some((half, span)), ..) => error(half, span),
        (None, Some(half), _) | (None, None, Some(half)) => error(half, closure.body.span),
        (None, None, None) => Ok(()),
    }
}

/// Which one is written in `ty`, and where.
fn place(ty: &ast::Type) -> Option<(Half, Span)> {
    match &ty.kind {
        ast::TypeKind::Name(named) if let Some(half) = names::half(&named.name.name) => Some((half, ty.span)),
        _ => ty.parts().find_map(place),
    }
}

/// The first of them inside `ty`.
fn half_in(ty: &Type) -> Option<Half> {
    ty.as_half().or_else(|| ty.parts().find_map(half_in))
}

#[cfg(all(test, not(feature = "half")))]
mod tests {
    use proc_macro2::TokenStream;

    use crate::{derive, expand};

    const REFUSED: &str = "by the feature `half` of weldment, which is off [W0516]";

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn what_goes_in_or_out_needs_the_feature() {
        let kernel = |program: &str| expand::weld(tokens(&format!("::weldment; {program}"))).to_string();
        for program in [
            "|v: &[f16]| v.map(|x| x as f32)",
            "|v: &[(i64, half::bf16)]| len(v)",
            "|x: f32| x as f16",
            "|v: &[f64]| v.map(|x| Some(x as bf16))",
        ] {
            assert!(kernel(program).contains(REFUSED), "{program}");
        }
        let inside = kernel("|v: &[f64]| v.map(|x| x as f16).map(|x| x as f64 + 0.5)");
        assert!(inside.contains("f64_to_f16") && !inside.contains("compile_error"), "{inside}");
    }

    #[test]
    fn a_field_needs_the_feature() {
        let structure =
            derive::expand(tokens("struct Pixel { red: f16, rest: Vec<half::bf16> }")).to_string();
        assert_eq!(structure.matches(REFUSED).count(), 2, "{structure}");
    }
}
