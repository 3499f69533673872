//! The vectors of numbers that kernels write, which are compiled here (`store/partition/common.rs` says how): a kernel brings the loop that fills a part.

use std::ops::Range;

use super::exact::{AtMost, Exact, Part};
use crate::exec::context::Context;
use crate::lang::fault::Fault;

/// What is called of a vector that is being filled, but not for each element.
#[expect(dead_code, reason = "who calls them names them; here they are made")]
struct Instances<T: 'static> {
    exact: fn(&Context, i64) -> Result<Exact<T>, Fault>,
    exact_part: fn(&Exact<T>, Range<usize>) -> Part<'_, T>,
    done: fn(Part<'static, T>),
    finish_exact: fn(Exact<T>) -> Vec<T>,
    at_most: fn(&Context, i64) -> Result<AtMost<T>, Fault>,
    part: for<'p> fn(&'p AtMost<T>, &Context, Range<usize>) -> Part<'p, T>,
    merge: fn(&AtMost<T>, Part<'_, T>),
    finish: fn(AtMost<T>, &Context) -> Vec<T>,
}

impl<T> Instances<T> {
    const fn new() -> Instances<T> {
        Instances {
            exact: Exact::new,
            exact_part: Exact::part,
            done: Part::done,
            finish_exact: Exact::finish,
            at_most: AtMost::new,
            part: AtMost::part,
            merge: AtMost::merge,
            finish: AtMost::finish,
        }
    }
}

#[used]
static I32S: Instances<i32> = Instances::new();

#[used]
static I64S: Instances<i64> = Instances::new();

#[used]
static F32S: Instances<f32> = Instances::new();

#[used]
static F64S: Instances<f64> = Instances::new();

#[used]
static BYTES: Instances<u8> = Instances::new();
