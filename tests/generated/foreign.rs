//! The foreign functions of generated programs: in scope in a crate of them, and in a library for programs at run time.
#![allow(unsafe_code)]

use std::sync::Once;

use crate::library;

/// The functions, which are in scope of kernels and make a library, too.
pub(crate) const SOURCE: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn weldment_half(x: &f64, half: &mut f64) { *half = x / 2.0; }
#[unsafe(no_mangle)]
pub extern "C" fn weldment_blend(c: &bool, a: &i64, b: &f32, blended: &mut f32) {
    *blended = if *c { *a as f32 } else { *b };
}
"#;

/// Makes the functions known to programs at run time.
pub(crate) fn load() {
    static LOADED: Once = Once::new();
    // SAFETY: the library runs nothing when it is loaded, and generated programs call its functions by their types.
    LOADED.call_once(|| unsafe { library::load("generated_foreign", SOURCE) });
}
