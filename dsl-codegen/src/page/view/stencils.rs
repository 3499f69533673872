//! What loops read around their points, as grids: a cell for each offset, the point itself marked, and the same in words.

use maud::{Markup, html};
use weldment_core::report::Stencil;

use super::place;
use crate::page::Subject;
use crate::page::links::{self, Links};

/// The width of a cell, and what is left around the cells for the numbers of the axes.
const CELL: i64 = 16;
const MARGIN: i64 = 22;

/// The most cells that are drawn along an axis: of what is further away there are words alone.
const MOST_CELLS: i64 = 33;

/// The most planes that are drawn of three axes.
const MOST_PLANES: usize = 9;

/// The stencils of the program; nothing where there are none.
pub(super) fn stencils(subject: &Subject<'_>, links: &Links) -> Markup {
    let stencils = &subject.history.report.stencils;
    html! {
        @if !stencils.is_empty() {
            section #stencils {
                h2 { "What stencils read" }
                div.stencils {
                    @for stencil in stencils {
                        div.stencil data-at=(links::key(stencil.at)) {
                            h3 { code { (stencil.array) } " " (place(subject.source, links, stencil.at)) }
                            (grids(stencil))
                            p.offsets { (words(stencil)) }
                        }
                    }
                }
            }
        }
    }
}

/// The offsets as they are read: `u[-1, 0], u[1, 0]`.
fn words(stencil: &Stencil) -> String {
    let Stencil { array, offsets, .. } = stencil;
    offsets.iter().map(|offset| format!("{array}{offset:?}")).collect::<Vec<_>>().join(", ")
}

/// A grid of the last two axes, for each offset along the first of three.
fn grids(stencil: &Stencil) -> Markup {
    let Some(axes) = stencil.offsets.first().map(Vec::len) else { return html! {} };
    let mut planes: Vec<Option<i64>> = match axes {
        1 | 2 => vec![None],
        3 => stencil.offsets.iter().map(|offset| Some(offset[0])).collect(),
        _ => Vec::new(),
    };
    planes.dedup();
    // From the least to the greatest along each axis, with the point among them.
    let range = |axis: usize| {
        let along = || stencil.offsets.iter().map(|offset| offset[axis]).chain([0]);
        (along().min().unwrap_or(0), along().max().unwrap_or(0))
    };
    let columns = range(axes - 1);
    let rows = if axes == 1 { (0, 0) } else { range(axes - 2) };
    let is_small = |(low, high): (i64, i64)| high - low < MOST_CELLS;
    if !is_small(columns) || !is_small(rows) || planes.len() > MOST_PLANES {
        return html! {};
    }
    html! {
        div.planes {
            @for plane in planes {
                figure.plane {
                    @if let Some(plane) = plane { figcaption { "axis 0: " (signed(plane)) } }
                    (grid(stencil, plane, rows, columns))
                }
            }
        }
    }
}

/// The cells of one plane.
fn grid(stencil: &Stencil, plane: Option<i64>, rows: (i64, i64), columns: (i64, i64)) -> Markup {
    let axes = stencil.offsets[0].len();
    let (width, height) = (columns.1 - columns.0 + 1, rows.1 - rows.0 + 1);
    let (across, down) = (width * CELL + MARGIN, height * CELL + MARGIN);
    let reads = |row: i64, column: i64| {
        let own = match (axes, plane) {
            (1, _) => vec![column],
            (_, Some(plane)) => vec![plane, row, column],
            _ => vec![row, column],
        };
        stencil.offsets.contains(&own)
    };
    let plane_title = plane.map(|plane| format!(", {} along axis 0", signed(plane))).unwrap_or_default();
    let title = format!("offsets at which {} is read{plane_title}", stencil.array);
    html! {
        svg.grid viewBox=(format!("0 0 {across} {down}")) width=(across) height=(down) role="img" aria-label=(title) {
            @for row in rows.0..=rows.1 {
                @for column in columns.0..=columns.1 {
                    @let (x, y) = (MARGIN + (column - columns.0) * CELL, MARGIN + (row - rows.0) * CELL);
                    rect class=(if reads(row, column) { "cell read" } else { "cell" })
                        x=(x + 1) y=(y + 1) width=(CELL - 2) height=(CELL - 2) rx="2" {}
                    @if row == 0 && column == 0 && plane.unwrap_or(0) == 0 {
                        circle.point cx=(x + CELL / 2) cy=(y + CELL / 2) r="3" {}
                    }
                }
            }
            @for column in columns.0..=columns.1 {
                text x=(MARGIN + (column - columns.0) * CELL + CELL / 2) y="16" text-anchor="middle" { (signed(column)) }
            }
            @if axes > 1 {
                @for row in rows.0..=rows.1 {
                    text x=(MARGIN - 4) y=(MARGIN + (row - rows.0) * CELL + CELL / 2 + 3) text-anchor="end" {
                        (signed(row))
                    }
                }
            }
            text.axis x=(across) y="7" text-anchor="end" { "axis " (axes - 1) }
            @if axes > 1 { text.axis x="0" y="7" { "axis " (axes - 2) } }
        }
    }
}

/// A number with the minus that is as wide as a plus.
fn signed(number: i64) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { number.to_string() }
}
