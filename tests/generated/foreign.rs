//! The foreign functions of generated programs: in scope in a crate of them, and in a table for programs at run time.
#![allow(unsafe_code)]

use weldment::{Foreign, ForeignFunctions, Type};

/// The functions, as they are in scope of kernels.
pub(crate) const SOURCE: &str = r#"
fn weldment_half(x: &f64, half: &mut f64) { *half = x / 2.0; }
mod by_value { pub fn half(x: f64) -> f64 { x / 2.0 } }
fn weldment_blend(c: &bool, a: &i64, b: &f32, blended: &mut f32) { *blended = if *c { *a as f32 } else { *b }; }
"#;

extern "C" fn blend(c: &bool, a: &i64, b: &f32, blended: &mut f32) {
    *blended = if *c { *a as f32 } else { *b };
}

/// The same for programs at run time: a function of Rust, and one of C.
pub(crate) fn foreign() -> Foreign {
    let half: fn(f64) -> f64 = |x| x / 2.0;
    let functions = ForeignFunctions::new().function("weldment_half", half);
    let params = [Type::BOOL, Type::I64, Type::F32];
    // SAFETY: the function has these types, and writes its result alone.
    unsafe { functions.symbol("weldment_blend", &params, Type::F32, blend as *const ()) }.into()
}
