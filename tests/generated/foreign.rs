//! The foreign functions of generated programs: in scope in a crate of them, and in a library for programs at run time.
#![allow(unsafe_code)]

use std::path::Path;
use std::process::Command;
use std::sync::Once;

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
    LOADED.call_once(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (source, library) = (folder.join("generated_foreign.rs"), folder.join("libgenerated_foreign.so"));
        std::fs::write(&source, SOURCE).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).args([&library, &source]);
        let built = rustc.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        // SAFETY: the library runs nothing when it is loaded, and generated programs call its functions by their types.
        unsafe { weldment::load_library(&library) }.unwrap();
    });
}
