//! Which fields of structs are read.

use std::collections::{BTreeSet, HashMap};

use crate::ir::{BodyId, Entity, Op, Program, Value};

/// The fields of `values` that `body` reads, if it reads nothing else of them.
pub(in crate::passes) fn fields_read(
    program: &Program,
    body: BodyId,
    values: &[Value],
) -> Option<BTreeSet<u32>> {
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

/// What is read of every value of a program, for many questions.
pub(super) struct Survey {
    /// How often each value is read, and how often as a vector, for its elements, its length or a slice.
    reads: Vec<u32>,
    reads_as_vector: Vec<u32>,
    /// How often a field of a value is read, and which fields are.
    by_field: HashMap<Value, (u32, BTreeSet<u32>)>,
    /// Its slices, and those of its elements that are structs.
    slices: HashMap<Value, Vec<Value>>,
    elements: HashMap<Value, Vec<Value>>,
}

impl Survey {
    /// What is read anywhere in `program`.
    pub(super) fn of(program: &Program) -> Survey {
        let nothing = vec![0; program.values.len()];
        let mut survey = Survey {
            reads: nothing.clone(),
            reads_as_vector: nothing,
            by_field: HashMap::new(),
            slices: HashMap::new(),
            elements: HashMap::new(),
        };
        let Some(entry) = program.entry else { return survey };
        program.for_each_read(entry, &mut |value| survey.reads[value.index()] += 1);
        program.for_each_stmt(entry, &mut |stmt| match stmt.op {
            Op::Field(of, field) => {
                let (reads, fields) = survey.by_field.entry(of).or_default();
                *reads += 1;
                fields.insert(field);
            }
            Op::At(of, _) | Op::Len(of) | Op::Slice(of, ..) => {
                survey.reads_as_vector[of.index()] += 1;
                let result = stmt.results[0];
                match stmt.op {
                    Op::Slice(..) => survey.slices.entry(of).or_default().push(result),
                    Op::At(..) if program.ty(result).fields().is_some() => {
                        survey.elements.entry(of).or_default().push(result);
                    }
                    _ => {}
                }
            }
            _ => {}
        });
        survey
    }

    /// The fields that are read of `values`, if nothing else of them is.
    pub(super) fn fields(&self, values: &[Value]) -> Option<BTreeSet<u32>> {
        let mut all = BTreeSet::new();
        for value in values {
            let reads = self.reads[value.index()];
            match self.by_field.get(value) {
                Some((by_field, fields)) if *by_field == reads => all.extend(fields),
                None if reads == 0 => {}
                _ => return None,
            }
        }
        Some(all)
    }

    /// `vector`, and all slices of it.
    pub(super) fn with_slices(&self, vector: Value) -> Vec<Value> {
        let mut all = vec![vector];
        let mut next = 0;
        while let Some(of) = all.get(next) {
            all.extend(self.slices.get(of).into_iter().flatten());
            next += 1;
        }
        all
    }

    /// The elements read of `vectors`, which are structs.
    pub(super) fn elements(&self, vectors: &[Value]) -> Vec<Value> {
        vectors.iter().filter_map(|vector| self.elements.get(vector)).flatten().copied().collect()
    }

    /// Whether `vector` is more than its elements, its length and slices to anybody.
    pub(super) fn is_kept(&self, vector: Value) -> bool {
        self.reads[vector.index()] > self.reads_as_vector[vector.index()]
    }
}
