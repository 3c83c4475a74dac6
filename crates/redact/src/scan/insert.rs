//! Secrets in the rows of SQL `INSERT` statements, whose columns name them.

use std::ops::Range;

use memchr::memmem;

use super::calls::argument;
use crate::class::PASSWORD;
use crate::gate::{Entry, Families};
use crate::key::{self, Sensitivity};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::is_secret;

/// Most columns that are looked at.
const MAX_COLUMNS: usize = 32;
/// Longest list of columns, in bytes.
const MAX_HEADING: usize = 1024;
/// Most rows of one statement that are looked at.
const MAX_ROWS: usize = 256;

const HEAD: &str = "insert into ";
const RULE: &str = "sql-insert";

/// Lists what such statements begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    std::iter::once(Entry::any_case(HEAD, Families::CLI))
}

/// Lists the rule.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    std::iter::once(Rule {
        id: RULE,
        class: PASSWORD,
        source: "ISO/IEC 9075-2, insert statement",
    })
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for head in ["INSERT INTO ", HEAD] {
        for at in memmem::find_iter(text.as_bytes(), head) {
            rows(text, at + head.len(), spans);
        }
    }
}

/// Masks the values of sensitive columns in each row.
fn rows(text: &str, from: usize, spans: &mut Vec<Span>) -> Option<()> {
    let limit = text.floor_char_boundary((from + MAX_HEADING).min(text.len()));
    let head = &text[from..limit];
    let open = head.find(['(', ';', '\n'])?;
    let close = head[open..].strip_prefix('(')?.find(')')? + open + 1;
    let columns = &head[open + 1..close];
    let sensitive = || {
        columns
            .split(',')
            .take(MAX_COLUMNS)
            .enumerate()
            .filter_map(|(at, name)| {
                let name = name.trim().trim_matches(['`', '"', '[', ']']);
                let sensitivity = key::classify(name);
                (sensitivity >= Sensitivity::Medium).then_some((at, sensitivity))
            })
    };
    sensitive().next()?;
    let rest = head.get(close + 1..)?.trim_start();
    let values = rest.get(..6)?.eq_ignore_ascii_case("values");
    let mut at = text.len() - text[from + close + 1..].trim_start().len() + 6;
    if !values {
        return None;
    }
    for _ in 0..MAX_ROWS {
        let gap = text[at..]
            .bytes()
            .take(16)
            .take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t' | b','));
        at += gap.count();
        if !text[at..].starts_with('(') {
            return None;
        }
        let mut end = at + 1;
        for (place, sensitivity) in sensitive() {
            let (read, value) = argument(text, at + 1, place);
            end = end.max(read);
            if let Some(value) = value.filter(|v| is_secret(&text[v.clone()], sensitivity, true)) {
                push(value, spans);
            }
        }
        at = end + memchr::memchr2(b')', b'\n', &text.as_bytes()[end..])? + 1;
    }
    None
}

fn push(range: Range<usize>, spans: &mut Vec<Span>) {
    spans.push(Span::new(range, PASSWORD, Stage::KeyValue).by(RULE));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn values_of_sensitive_columns() {
        let text =
            "INSERT INTO u (name, password) VALUES ('ann', 'falcon-28'), ('bob', 'raven-31');";
        assert_eq!(masked_by(find, text), ["falcon-28", "raven-31"]);
        for text in [
            "INSERT INTO u (name, password) VALUES (?, ?)",
            "INSERT INTO u (name, age) VALUES ('ann', '42')",
            "INSERT INTO u (name, password) VALUES ('ann', NULL)",
            "INSERT INTO u (name, password) SELECT name, pw FROM v",
            "INSERT INTO u VALUES ('a')",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
