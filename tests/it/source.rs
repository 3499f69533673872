//! A kernel's program at run time is the one that the macro compiled.

use weldment::{CompileOptions, Executor, ToProgram, Value, weld};

#[test]
fn fragments_of_macros_stay_together() {
    macro_rules! times {
        ($ty:ty, $e:expr) => {
            weld!(|x: $ty| $e * x)
        };
    }
    let kernel = times!(i64, 1 + 2);
    let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
    let again = kernel.program().compile(&options).expect("it compiles").run(&[Value::I64(2)]);
    assert_eq!(kernel(2), 6);
    assert!(again.expect("it cannot fault").same_bits(&Value::I64(6)), "{}", kernel.source());
}
