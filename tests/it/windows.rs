//! Rows that are computed where they are read, at any offsets, of any shape, cut anywhere.

use proptest::prelude::*;
use weldment::{Array, Element, Program, Value};

use crate::executors::as_plain;

/// What is dear to compute of `x`.
const DEAR: [&str; 4] = [
    "exp(x * 0.01) / 3.0 + x",
    "sqrt(abs(x)) / (1.0 + x * x)",
    "if x > 0.0 { sqrt(x) / x } else { sqrt(-x) / 7.0 }",
    "(sin(x), x / 3.0)",
];

/// Reads, of which one is in a branch.
#[derive(Clone, Debug)]
struct Reader {
    axes: usize,
    dear: usize,
    policy: &'static str,
    /// Whether what is dear is itself computed around each point.
    is_row: bool,
    offsets: [[i64; 3]; 3],
}

impl Reader {
    fn text(&self) -> String {
        let field = |number: usize| match self.dear {
            3 => format!(".{number}"),
            _ => String::new(),
        };
        let [a, b, c] = self.offsets.map(|offsets| {
            let offsets: Vec<String> = offsets[..self.axes].iter().map(i64::to_string).collect();
            format!("c[{}]", offsets.join(", "))
        });
        let [x, y, z] = [format!("{a}{}", field(0)), format!("{b}{}", field(1)), format!("{c}{}", field(0))];
        let Reader { axes, policy, .. } = self;
        let dear = DEAR[self.dear];
        let made = match self.is_row {
            true => {
                format!("p.map(|x| x * exp(x * 0.01)).stencil(clamp, |c| {{ let x = {a} - {c}; {dear} }})")
            }
            false => format!("p.map(|x| {dear})"),
        };
        format!(
            "|p: array[f64, {axes}]| {{ let r = {made}; r.stencil({policy}|c| if {x} > 0.25 {{ {y} }} else {{ {z} - {x} * 0.5 }}) }}",
        )
    }
}

fn readers() -> impl Strategy<Value = Reader> {
    let offsets = prop::array::uniform3(prop::array::uniform3(-3i64..=3));
    (2usize..=3, 0..DEAR.len(), prop::sample::select(vec!["", "clamp, "]), any::<bool>(), offsets)
        .prop_map(|(axes, dear, policy, is_row, offsets)| Reader { axes, dear, policy, is_row, offsets })
}

/// A small array of so many axes.
fn argument(axes: usize, shape: [usize; 3]) -> Value {
    let element = |at: &[i64]| at.iter().fold(1, |sum, index| sum * 31 + index) % 41 - 20;
    match axes {
        2 => Array::from_fn([shape[0], shape[1]], |at| element(&at) as f64 * 0.75)
            .map(|array| array.to_value()),
        _ => Array::from_fn(shape, |at| element(&at) as f64 * 0.75).map(|array| array.to_value()),
    }
    .expect("a small array")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn readers_compute_the_rows_that_they_read(
        reader in readers(),
        shapes in prop::collection::vec([0usize..14, 0usize..9, 0usize..6], 3),
        chunk in 1u64..40,
    ) {
        let calls: Vec<Vec<Value>> =
            shapes.into_iter().map(|shape| vec![argument(reader.axes, shape)]).collect();
        as_plain(&reader.text(), &calls, chunk)?;
    }
}

#[test]
fn readers_have_windows() {
    let reader = |dear, policy| Reader {
        axes: 2,
        dear,
        policy,
        is_row: false,
        offsets: [[-1, 0, 0], [2, 1, 0], [0, -1, 0]],
    };
    for (dear, policy) in (0..DEAR.len()).flat_map(|dear| ["", "clamp, "].map(|policy| (dear, policy))) {
        let text = reader(dear, policy).text();
        let report = Program::parse(&text).expect("a program").explain().expect("sound passes").report;
        let windows: Vec<_> = report.windows.iter().map(|window| (window.behind, window.ahead)).collect();
        let expected = if policy.is_empty() { (0, 3) } else { (1, 2) };
        assert_eq!(windows, [expected], "{text}");
    }
}
