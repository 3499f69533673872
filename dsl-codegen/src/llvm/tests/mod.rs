//! The compiled programs against the interpreter.
