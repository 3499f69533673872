//! Comments, lines and what cannot be lexed.

use super::{check_errors, check_programs};

#[test]
fn comments_are_blanked() {
    check_programs(&[
        ("# first\n|x: i64| # then\n x # last", "(fn (x:i64) x)"),
        ("#\n|| 1#", "(fn () 1)"),
        ("# don't ( \" /* `\n|| 1", "(fn () 1)"),
        ("# [a]\n|| 1", "(fn () 1)"),
        ("## a\n#\"b\n|| 1", "(fn () 1)"),
        ("// don't ( \"\n|| 1 // é", "(fn () 1)"),
        ("/// doc\n|| 1", "(fn () 1)"),
        ("//! doc\n|| 1", "(fn () 1)"),
        ("/** doc ( */ || /* a /* b */ # c */ 1 /**/", "(fn () 1)"),
        ("/*/ a */ || 1", "(fn () 1)"),
        ("|| 6 / 2 /* a */ / 3", "(fn () (/ (/ 6 2) 3))"),
        (
            "|| {\"#\", b'#', b\"#\", '#'.f()} # c",
            "1:22 parse: there are no characters\nhelp: write `b'x'` for a byte (u8), or `\"x\"` for a text",
        ),
        ("|| \"a # b\n c\" # \"", "(fn () a # b\\n c:i8)"),
        ("|| \"a\\\"# b\" # c", "(fn () a\\\"# b:i8)"),
        ("|| r#\"# \"#\n # c", "(fn () # :i8)"),
        ("|| r #comment\n", "(fn () r)"),
        ("|r#type| r#type // a\n", "(fn (type) type)"),
        ("|| b'\"' # \"", "(fn () 34u8)"),
        ("|| b'\\\\' # c", "(fn () 92u8)"),
        ("# a\r\n|| 1 # b\r\n + 2", "(fn () (+ 1 2))"),
        ("\u{feff}|| 1", "(fn () 1)"),
        ("|| x#a\n.0#b\n.$1", "(fn () (.1 (.0 x)))"),
    ]);
}

#[test]
fn places_count_characters_and_lines() {
    check_errors(&[
        ("# é\n|| /* é */ 1 )", "2:14 parse: this `)` closes nothing"),
        ("|| \"é\" 3", "1:8 parse: expected the end of the program, found `3`"),
        ("|| \"a\nb\" 3", "2:4 parse: expected the end of the program, found `3`"),
        ("||\r\n\t1 2", "2:4 parse: expected the end of the program, found `2`"),
        ("|| 1 # a\n # b\n  /* c\n d */ 2", "4:7 parse: expected the end of the program, found `2`"),
        ("\u{feff}|| 1 2", "1:6 parse: expected the end of the program, found `2`"),
    ]);
}

#[test]
fn what_cannot_be_lexed() {
    check_errors(&[
        ("|| (1", "1:4 parse: this `(` is not closed"),
        ("|| (1, [2, {3)", "1:14 parse: this `)` does not close the `{` that is open"),
        ("|| ([1, 2]", "1:4 parse: this `(` is not closed"),
        ("||\n \"(\" + [1)", "2:10 parse: this `)` does not close the `[` that is open"),
        ("|| 1}", "1:5 parse: this `}` closes nothing"),
        ("|| \"abc", "1:4 parse: this literal does not end, or has an escape that does not exist"),
        ("|| \"a\\q\"", "1:4 parse: this literal does not end, or has an escape that does not exist"),
        ("|| b\"é\"", "1:4 parse: this literal does not end, or has an escape that does not exist"),
        ("||\n /* a /* b */ #", "2:2 parse: this comment does not end"),
        ("|| 1 \\ 2", "1:6 parse: `\\` has no meaning here"),
        ("|| 1\n  § 2", "2:3 parse: `§` has no meaning here"),
        ("|| don't", "1:7 parse: lifetimes are not written here"),
    ]);
}
