//! Pages of small programs: that every link leads somewhere, that nothing of the user's becomes markup, and that the parts
//! are there.

use std::collections::HashSet;

use weldment_core::explain::Stage;
use weldment_core::front::from_text;
use weldment_core::history::follow;
use weldment_core::passes::Options;

use super::*;
use crate::loops;

fn page(title: &str, source: &str) -> String {
    let mut lowered = from_text(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
    let positions = &lowered.positions;
    let mut history = follow(&mut lowered.program, positions, &Options::default()).expect("sound passes");
    let program = loops::build_and_follow(&lowered.program, positions, &mut history);
    let lines = loops::print_lines(&program);
    let loops = lines.iter().map(|line| line.map(|loc| positions.get(loc))).collect();
    let code = vec![Stage { name: "rust", text: "fn run() -> Vec<&'static str> {}".to_owned() }];
    render(&Subject { title, source, history: &history, loops, code })
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().expect("a value")).collect()
}

const PROGRAMS: &[&str] = &[
    "|| 1",
    "|x: i64| x + 1",
    "|v: &[f64]| v.filter(|x| x > 0.5).map(|x| x * x).sum()",
    "|rows: &[Vec<f64>], w: &[f64]|\n  rows.map(|r| zip(r, w).map(|(x, y)| x * y).sum()).sort_by_key(|x| -x)",
    "|v: &[(i64, f64)]| v.group_by(|x| x.0).tovec().map(|(k, g)| (k, g.map(|x| x.1).sum()))",
    "|v: &[i64]| let w = v.filter(|x| x > 0); w.map(|x| x - w[0])",
    "|v: &[i64]| result(for(v, vecmerger[i64, +]([0L, 0L]), |b, i, x| merge(b, {x % 2L, x})))",
    "|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)",
    "|u: &Array<f64, 2>| u.stencil(|c| c[-1, 0] + c[0, 2])",
];

#[test]
fn every_link_leads_to_one_element() {
    for source in PROGRAMS {
        let page = page("p", source);
        let ids = values(&page, "id");
        let known: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), known.len(), "an id is there twice: {source}");
        for link in values(&page, "href") {
            assert!(known.contains(link.trim_start_matches('#')), "{link}: {source}");
        }
    }
}

#[test]
fn a_page_asks_nobody_for_anything() {
    for source in PROGRAMS {
        let page = page("p", source);
        for word in ["http:", "https:", "url(", "@import", "src=", "<link", "<img", "<iframe"] {
            assert!(!page.contains(word), "{word}: {source}");
        }
    }
}

#[test]
fn tokens_lead_to_the_loop_they_became() {
    let page = page("p", "|v: &[f64]| v.map(|x| x * x).sum()");
    let has = |start: &str, parts: &[&str]| {
        let tags = page.split(start).skip(1).map(|rest| rest.split('>').next().expect("a tag"));
        tags.into_iter().any(|tag| parts.iter().all(|part| tag.contains(part)))
    };
    let map =
        ["id=\"t1-15\"", "class=\"loop k-collect\"", "href=\"#loop-0\"", "title=\"became part of loop 1\""];
    assert!(has("<a ", &map));
    assert!(has("<li ", &["id=\"loop-0\"", "class=\"k-reduce\"", "data-at=\"1-30 1-15\""]));
    assert!(page.contains("href=\"#t1-30\""));
}

#[test]
fn an_intermediate_is_drawn_before_and_gone_after() {
    let page = page("p", "|v: &[f64]| v.map(|x| x * x).sum()");
    let drawings: Vec<&str> =
        page.split("<svg").skip(1).map(|rest| rest.split("</svg>").next().unwrap()).collect();
    let count = |drawing: &str, class: &str| drawing.matches(&format!("class=\"node {class}")).count();
    let counts = |drawing| ["input", "loop", "stored", "result"].map(|class| count(drawing, class));
    assert_eq!(drawings.len(), 2);
    assert_eq!(counts(drawings[0]), [1, 2, 1, 1]);
    assert_eq!(counts(drawings[1]), [1, 1, 0, 1]);
}

#[test]
fn nothing_of_the_users_becomes_markup() {
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\"'";
    let source = format!("|v: &[f64]| /* {hostile} */ v.filter(|x| x<1.0&&x>0.5).sum() // {hostile}");
    let page = page(hostile, &source);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    assert!(!page.contains("<img"));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(page.contains("&amp;amp;"));
    let foreign = self::page("p", "|x: f64| cudf[f__script__, f64](x)");
    assert!(foreign.contains("f__script__"));
}

#[test]
fn each_pass_that_changed_something_has_a_tab() {
    let page = page("p", "|v: &[f64]| v.map(|x| x * 1.0).sum()");
    let steps = page.matches("href=\"#step-").count();
    assert!(steps >= 2 && page.matches("class=\"panel\" id=\"step-").count() == steps);
    assert!(page.contains(">fuse-vertical</span>"));
    assert!(page.contains("class=\"del\"") && page.contains("class=\"add\""));
}

#[test]
fn a_stencil_is_a_grid_of_what_it_reads() {
    let page = page("p", "|u: &Array<f64, 2>| u.stencil(|c| c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])");
    assert!(page.contains("u[-1, 0], u[0, -1], u[0, 1], u[1, 0]"), "{page}");
    assert_eq!(page.matches("class=\"cell read\"").count(), 4);
    assert_eq!(page.matches("class=\"cell\"").count(), 5);
    assert_eq!(page.matches("class=\"point\"").count(), 1);
}

#[test]
fn a_stencil_of_three_axes_has_a_grid_for_each_plane() {
    let page = page("p", "|u: &Array<f64, 3>| u.stencil(|c| c[-1, 0, 0] + c[1, 0, 0] - c[0, 1, -1])");
    let planes: Vec<&str> =
        page.split("axis 0: ").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(planes, ["−1", "0", "1"]);
    assert_eq!(page.matches("class=\"cell read\"").count(), 3);
}

#[test]
fn a_program_without_a_stencil_has_no_grid() {
    assert!(!page("p", "|v: &[f64]| v.map(|x| x * x)").contains("id=\"stencils\""));
}
