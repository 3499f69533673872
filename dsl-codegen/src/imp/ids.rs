//! What functions, registers and stores are called.

weldment_core::entity! {
    /// A register. Prints as `a7`.
    RegId, "a"
}
weldment_core::entity! {
    /// A store. Prints as `#7`.
    StoreId, "#"
}
weldment_core::entity! {
    /// A function. Prints as `f7`.
    FuncId, "f"
}
