//! What running weldment programs need: types and values, faults, scalar arithmetic, dictionaries, builders, and
//! the driver that runs a loop over chunks on all cores.
//!
//! This crate knows nothing of the compiler. Applications meet it through the facade `weldment`: [`api::kernel::Kernel`],
//! [`exec::options::Options`], [`lang::fault::Fault`] and [`store::dict::Dict`].
//!
//! # What emitted code calls
//!
//! Emitted Rust holds no `unsafe`, and little else than loops and calls to the following. `at` stands for the line
//! and column of the user's token, two `u32`s.
//!
//! A kernel is one constant expression:
//!
//! ```text
//! Signature::<(Ref<[f64]>, Own<f64>), R>::kernel(call, run, &INFO) -> Kernel<fn(&[f64], f64) -> R>     kernel
//!     fn run(cx: &Context, x: &[f64], k: f64) -> Result<R, Fault>
//!     fn call(x: &[f64], k: f64) -> R { api::kernel::unwrap(run(Context::ambient(), x, k)) }
//!     static INFO: KernelInfo = KernelInfo::new(source, explain)
//! ```
//!
//! A loop is one call of the driver; its `update` dispatches on the CPU and calls the hot function:
//!
//! ```text
//! exec::drive::run(cx, n: i64, Plan { chunk, task }, total: A,                                               drive
//!     init:   |task: Range<usize>| -> S,
//!     update: |&mut S, chunk: Range<usize>| -> Result<P, Fault>,
//!     add:    |&mut A, P| -> Result<(), Fault>,             in order of chunks
//!     merge:  |&mut A, S| -> Result<(), Fault>) -> Result<A, Fault>            in order of tasks
//! exec::drive::totals(cx, n, plan, total, update, add)            no state
//! exec::drive::states(cx, n, plan, total, init, update, merge)    no totals
//! exec::drive::open(cx, n, chunk, total, || -> S, update, add, goes_on: |&S| -> bool, merge)    tables: tasks as long as they become
//! exec::cpu::dispatch(cx.level(), #[inline(always)] |fma: bool| hot(…)) -> R                                 cpu
//! cx.poll() -> Result<(), Fault>                            in long inner loops                        context
//! ```
//!
//! What the sinks of a loop need, in the total (A), in the state of a task (S) and in the hot function:
//!
//! ```text
//! reduce           A: T       P: T       store::reduce::lanes::lanes(Add, [T; L]) -> T, Add.neutral(), Add.apply(a, b),   fold
//!                                        at the end store::reduce::lanes::finish(Add, Option<T>, total) -> T
//! collect, exact   Exact::new(memory, len: i64)? around the loop; S: exact.part(task); A: part.done();
//!                  exact.finish() -> Vec<T>;        hot: let mut out = part.cursor();                  places
//!                                                   out.push(x) | out.push_block([T; L])
//! collect, ≤ 1     AtMost::new(memory, len)?, .part(task), .merge(part), .finish(cx);
//!                                                   hot: out.push(x) | out.push_kept([T; L], [bool; L])
//! collect, any     S: Vec<T>; A: Vec<Vec<T>>; collect::concat(memory, A)? -> Vec<T>;                       collect
//!                                                   hot: collect::push(cx, out, x)?
//!                                                   or collect::keep(cx, out, [T; L], [bool; L])?
//! bucket reduce    A, S: Table::new(neutral: V); a.merge(cx, s, |&mut V, V| Ok(()))?; a.into_dict();   table
//!                                                   hot: let v: &mut V = table.entry(cx, &key)?; v.0 += x;
//! bucket, last     A, S: LastWins::new(); a.merge(cx, s)?; a.into_dict(cx)?;                                   latest
//!                                                   hot: latest.add(cx, key, x)?
//! bucket collect   A: Tasks::new(), S: Groups::new(); a.merge(cx, s)?; a.into_dict(memory)?;                 group
//!                                                   hot: groups.push(cx, &key, x)?
//! scatter          Scatter::new(Add, Vec<T>, Rounding) around the loop; S: scatter.part(cx, task);
//!                  A: scatter.merge(cx, part); scatter.finish() -> Vec<T>                                  scatter
//!                                                   hot: let v: &mut T = part.at(cx, index, at)?; *v += x;
//! ```
//!
//! `memory` is `cx`, `&cx.results()` for what is part of the result, or `&cx.temporaries()` for what `cx.recycle(v)` gets in      memory
//! the end.
//!
//! A loop whose sinks include a table or scatter with an operator that rounds has `task: Task::Segment(None)`; every
//! other has `Task::Any`, or `Task::Short` where it only collects, at most once an iteration.
//!
//! Operations that can fault, on slices and of any integer type:
//!
//! ```text
//! ops::checked::div(x, y, at)? · rem(x, y, at)? · lookup(&[T], i, at)? -> &T · slice(&[T], start, size, at)? -> &[T]
//! ops::checked::zip_len(&[i64], at)? -> i64 · iter_len(len, s, e, t, at)? -> i64 · range_len(s, e, t, at)? -> i64 · units(i128, digits, at)? -> i64
//! ops::checked::value(&Dict<K, V>, &key, at)? -> &V · found(Option<&V>, &Dict<K, V>, at)? -> &V
//! ops::checked::assert(bool, at)? -> bool · not_empty(Option<T>, at)? -> T
//! ops::sort::sort(cx, &[T], |&T, &T| -> Result<i32, Fault>)? -> Vec<T>
//! api::serialize::serialize(cx, &T)? -> Vec<u8> · api::serialize::deserialize::<T>(cx, &[u8], at)? -> T
//! ops::copy::value(cx, &T)? -> T · slice(cx, &[T])? -> Vec<T> · vector(cx, [T; N])? -> Vec<T> · pairs(cx, &Dict<K, V>)?
//! ```
//!
//! And those that cannot: the methods of [`lang::num::Number`], [`lang::num::Integer`] and [`lang::num::Float`] on scalars,
//! [`lang::order::holds`] and [`lang::order::compare`] on vectors and structs, [`store::dict::Dict::get`] and its like.

pub mod api;
pub mod exec;
pub mod key;
pub mod lang;
pub mod math;
pub mod mem;
pub mod ops;
pub mod store;
