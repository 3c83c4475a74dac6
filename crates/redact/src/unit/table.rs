//! Tables whose heading names a secret column.

use std::ops::Range;

use crate::key::{self, Sensitivity};

/// Most columns of a table that is followed.
const MAX_COLUMNS: usize = 64;
/// Longest line that can be a heading, in bytes.
const MAX_HEADING: usize = 1024;
/// Longest name of a column, in bytes.
const MAX_NAME: usize = 40;

/// The columns of a table, one line a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    delimiter: u8,
    /// How much each column's name says about its values.
    columns: Vec<Sensitivity>,
}

impl Table {
    /// Reads a heading: names and nothing else, one of them sensitive.
    pub(crate) fn heading(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.len() > MAX_HEADING || line.contains(['=', '{', '(', '$', '\\']) {
            return None;
        }
        let found = b"\t|,;"
            .iter()
            .find(|delimiter| line.as_bytes().contains(delimiter));
        let delimiter = match found {
            Some(delimiter) => *delimiter,
            // Columns of blanks, whose names are in capitals as tools print them.
            None if line.contains("  ") && !line.bytes().any(|b| b.is_ascii_lowercase()) => b' ',
            None => return None,
        };
        let names = || fields(line, delimiter).map(|field| content(&line[field]));
        let judged = || names().map(key::classify);
        let count = names().take(MAX_COLUMNS + 1).count();
        if !(2..=MAX_COLUMNS).contains(&count) || !names().all(|name| is_name(name, delimiter)) {
            return None;
        }
        // Nothing is allocated for a line that is no heading.
        judged()
            .any(|column| column >= Sensitivity::Medium)
            .then(|| Self {
                delimiter,
                columns: judged().collect(),
            })
    }

    /// Tells whether the line is a row, or a rule between rows.
    pub(crate) fn has_row(&self, line: &str) -> bool {
        let line = line.trim();
        !line.is_empty()
            && (is_rule(line) || fields(line, self.delimiter).count() == self.columns.len())
    }

    /// Returns the contents of the sensitive columns with what their names say.
    pub(crate) fn cells<'a>(
        &'a self,
        line: &'a str,
    ) -> impl Iterator<Item = (Range<usize>, Sensitivity)> + 'a {
        let lead = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        fields(trimmed, self.delimiter)
            .zip(&self.columns)
            .filter(|(_, column)| **column >= Sensitivity::Medium)
            .map(move |(field, column)| {
                let text = &trimmed[field.clone()];
                let inner = content(text);
                let start = lead + field.start + (inner.as_ptr() as usize - text.as_ptr() as usize);
                (start..start + inner.len(), *column)
            })
    }
}

/// Splits a line at the delimiter, not inside double quotes; a frame of `|` is no column.
fn fields(line: &str, delimiter: u8) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = line.as_bytes();
    let framed = delimiter == b'|' && bytes.first() == Some(&b'|') && bytes.last() == Some(&b'|');
    let framed = framed && bytes.len() > 1;
    let (mut at, end) = if framed {
        (1, bytes.len() - 1)
    } else {
        (0, bytes.len())
    };
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let start = at;
        let mut quoted = false;
        let divides = |at: usize| {
            bytes[at] == delimiter && (delimiter != b' ' || bytes.get(at + 1) == Some(&b' '))
        };
        while at < end && (quoted || !divides(at)) {
            quoted ^= bytes[at] == b'"';
            at += 1;
        }
        done = at >= end;
        let field = start..at;
        at += 1;
        while delimiter == b' ' && at < end && bytes[at] == b' ' {
            at += 1;
        }
        Some(field)
    })
}

/// Returns a field without blanks and quotes around it.
fn content(field: &str) -> &str {
    field
        .trim()
        .trim_matches(|c| matches!(c, '"' | '\'' | '*' | '`'))
        .trim()
}

fn is_name(name: &str, delimiter: u8) -> bool {
    let spaced = matches!(delimiter, b'|' | b'\t');
    let of_name =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.') || spaced && c == ' ';
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name.chars().all(of_name)
        && name.split(' ').count() <= 3
        && name.starts_with(char::is_alphabetic)
}

fn is_rule(line: &str) -> bool {
    line.bytes()
        .all(|b| matches!(b, b'-' | b'+' | b'|' | b'=' | b':' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<'a>(heading: &str, row: &'a str) -> Vec<&'a str> {
        let table = Table::heading(heading).expect("the heading names a secret");
        assert!(table.has_row(row), "{row}");
        table.cells(row).map(|(range, _)| &row[range]).collect()
    }

    #[test]
    fn cells_of_sensitive_columns() {
        assert_eq!(
            cells("user,password,role\n", "ann,Zk3!x,admin\n"),
            ["Zk3!x"]
        );
        assert_eq!(
            cells("| name | password |\n", "| ann  | Zk3 x    |\n"),
            ["Zk3 x"]
        );
        assert_eq!(cells("id\tapi_key", "7\tq9Zk3x"), ["q9Zk3x"]);
        assert_eq!(cells("\"user\";\"Passwort\"", "\"a;b\";\"Zk3\""), ["Zk3"]);
        assert_eq!(cells("| a | password |", "|---|---|"), ["---"]);
        assert_eq!(cells("USER     PASSWORD", "ann a    Zk3"), ["Zk3"]);
    }

    #[test]
    fn other_lines_are_no_headings() {
        for line in [
            "user,name",
            "password",
            "a, b and password",
            "x=1, password",
            "1,password",
            "",
        ] {
            assert_eq!(Table::heading(line), None, "{line}");
        }
        let table = Table::heading("user,password").expect("a heading");
        assert!(!table.has_row("ann") && !table.has_row("") && !table.has_row("a,b,c"));
    }
}
