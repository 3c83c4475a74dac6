//! Lines, and the pieces of lines that are longer than a unit.

use super::Mode;
use crate::gate::{self, Families};
use crate::marker;

/// Returns how far back from the limit a place to cut is looked for, in bytes.
pub(super) fn max_back(mode: Mode) -> usize {
    mode.max / 4
}

/// Most places that are tried.
const MAX_TRIES: usize = 64;
/// How much text before a cut must concern no rule.
const QUIET: usize = 64;

/// A line with its end, or a piece of a longer one.
pub(super) struct Piece {
    pub(super) end: usize,
    /// Where a run begins that had to be cut; it reaches to the piece's end.
    pub(super) forced: Option<usize>,
}

/// Returns how far the text from `at` on can be searched at once: to the last line end within
/// reach, or to the end of the piece.
pub(super) fn window(text: &str, at: usize, mode: Mode) -> Option<usize> {
    let reach = text.len().min(at + mode.max);
    if mode.last && reach == text.len() && at < reach {
        return Some(reach);
    }
    match memchr::memrchr(b'\n', &text.as_bytes()[at..reach]) {
        Some(newline) => Some(at + newline + 1),
        None => piece(text, at, mode).map(|piece| piece.end),
    }
}

/// Returns the line or piece that starts here, unless its end is not known yet.
pub(super) fn piece(text: &str, start: usize, mode: Mode) -> Option<Piece> {
    let reach = text.len().min(start + mode.max);
    let whole = |end| Some(Piece { end, forced: None });
    if let Some(newline) = memchr::memchr(b'\n', &text.as_bytes()[start..reach]) {
        return whole(start + newline + 1);
    }
    if reach - start < mode.max {
        return if mode.last && reach > start {
            whole(reach)
        } else {
            None
        };
    }
    if text.len() - reach < marker::MAX_LENGTH && !mode.last {
        return None;
    }
    let limit = marker::before(text, text.floor_char_boundary(reach));
    if let Some(end) = quiet_place(&text[start..limit], max_back(mode)) {
        return whole(start + end);
    }
    let run = text[start..limit]
        .rfind(|c: char| !is_run(c))
        .map_or(start, |at| start + at);
    let run = text[run..limit]
        .chars()
        .next()
        .filter(|c| !is_run(*c))
        .map_or(run, |c| run + c.len_utf8());
    Some(Piece {
        end: limit,
        forced: Some(run),
    })
}

/// Tells whether a character belongs to a run that a cut must not divide.
pub(super) fn is_run(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(
            c,
            '=' | ':' | ',' | ';' | '{' | '}' | '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\''
        )
}

/// Finds the last place to cut, best after a blank, where nothing before concerns any rule.
fn quiet_place(text: &str, back: usize) -> Option<usize> {
    let floor = text.floor_char_boundary(text.len() - back.min(text.len()));
    let tail = &text[floor..];
    let after = |of: fn(char) -> bool| {
        let places = tail.char_indices().rev().filter(move |(_, c)| of(*c));
        places.map(move |(at, c)| floor + at + c.len_utf8())
    };
    let blanks = after(char::is_whitespace).take(MAX_TRIES);
    let closing = |c| matches!(c, ',' | ';' | '}' | ')' | ']' | '>');
    let signs = after(closing).take(MAX_TRIES);
    let any = after(|c| !is_run(c)).take(MAX_TRIES);
    blanks
        .chain(signs)
        .find(|at| !joins(&text[..*at]) && is_quiet(&text[..*at]))
        .or_else(|| any.into_iter().find(|at| is_quiet(&text[..*at])))
}

/// Tells whether what follows belongs to the last word: groups of digits, a value after its sign,
/// an argument after its option.
fn joins(before: &str) -> bool {
    let floor = before.ceil_char_boundary(before.len().saturating_sub(QUIET));
    let head = before[floor..].trim_end();
    let last = head.bytes().last();
    let option = head
        .split_ascii_whitespace()
        .next_back()
        .is_some_and(|word| word.starts_with('-'));
    option || last.is_some_and(|b| b.is_ascii_digit() || matches!(b, b':' | b'=' | b'\\'))
}

fn is_quiet(before: &str) -> bool {
    let floor = before.ceil_char_boundary(before.len().saturating_sub(QUIET));
    let head = &before[floor..];
    marker::ends(head) || gate::families(head) == Families::NONE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::MAX_UNIT;

    const OPEN: Mode = Mode {
        max: MAX_UNIT,
        last: false,
        documents: true,
    };
    const LAST: Mode = Mode { last: true, ..OPEN };

    #[test]
    fn lines_are_pieces() {
        let piece = piece("ab\ncd", 0, OPEN).expect("the line has ended");
        assert_eq!((piece.end, piece.forced), (3, None));
        assert!(super::piece("ab\ncd", 3, OPEN).is_none());
        assert_eq!(super::piece("ab\ncd", 3, LAST).map(|p| p.end), Some(5));
        assert_eq!(window("ab\ncd\nef", 0, OPEN), Some(6));
    }

    #[test]
    fn long_lines_are_cut_where_nothing_is_near() {
        let text = format!("{} password: x{}", "word ".repeat(3270), "y".repeat(3000));
        let end = piece(&text, 0, LAST).map(|p| (p.end, p.forced));
        let (end, forced) = end.expect("the text is longer than a unit");
        assert_eq!(forced, None);
        assert!(text[..end].ends_with("word  "), "{}", &text[end - 20..end]);
    }

    #[test]
    fn an_endless_run_is_cut_by_force() {
        let text = format!("see {}", "Zz9é".repeat(8000));
        let piece = piece(&text, 0, OPEN).expect("the text is longer than a unit");
        assert_eq!(piece.forced, Some(4));
        assert!(piece.end <= MAX_UNIT && text.is_char_boundary(piece.end));
    }
}
