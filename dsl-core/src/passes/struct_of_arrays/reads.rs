//! Which fields of structs are read.

use std::collections::BTreeSet;

use crate::ir::{BodyId, Op, Program, Value};

/// The fields of `values` that `body` reads, if it reads nothing else of them.
pub(super) fn fields_read(program: &Program, body: BodyId, values: &[Value]) -> Option<BTreeSet<u32>> {
    let mut fields = BTreeSet::new();
    let (mut reads, mut read_by_field) = (0, 0);
    program.for_each_read(body, &mut |value| reads += usize::from(values.contains(&value)));
    program.for_each_stmt(body, &mut |stmt| {
        if let Op::Field(of, field) = stmt.op
            && values.contains(&of)
        {
            fields.insert(field);
            read_by_field += 1;
        }
    });
    (reads == read_by_field).then_some(fields)
}
