//! Splits a command line into its words, as shells do (POSIX.1-2024, XCU 2.2 and 2.3), and the
//! argument lists of programs.

use std::ops::Range;

/// Most words of one command that are looked at.
const MAX_WORDS: usize = 96;

/// One word of a command.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Word {
    start: usize,
    end: usize,
    /// Whether quotes enclose all of it; they are not part of the range.
    pub(super) quoted: bool,
}

impl Word {
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn text(self, text: &str) -> &str {
        &text[self.range()]
    }
}

/// The words of one command, without allocation.
pub(super) struct Words {
    words: [Word; MAX_WORDS],
    count: usize,
    /// Where the command ends: before a pipe, a sign that ends it, the line or the text.
    pub(super) end: usize,
}

impl Words {
    pub(super) fn as_slice(&self) -> &[Word] {
        &self.words[..self.count]
    }

    /// Reads the command whose program's name starts here, inside double quotes or not.
    pub(super) fn of_command(text: &str, from: usize, enclosed: bool) -> Self {
        let before = from.checked_sub(1).map(|at| text.as_bytes()[at]);
        let mut words = Self {
            words: [Word::default(); MAX_WORDS],
            count: 0,
            end: from,
        };
        match before {
            Some(b'"') if is_record(text.as_bytes(), from) => words.read_list(text, from, b'"'),
            Some(quote @ (b'"' | b'\'')) if is_list(text.as_bytes(), from, quote) => {
                words.read_list(text, from, quote);
            }
            Some(b'(') => words.read_line(text, from, Some(b')')),
            Some(quote @ (b'"' | b'\'' | b'`')) => words.read_line(text, from, Some(quote)),
            _ => words.read_line(text, from, enclosed.then_some(b'"')),
        }
        words
    }

    fn push(&mut self, range: Range<usize>, quoted: bool) {
        if let Some(place) = self.words.get_mut(self.count) {
            *place = Word {
                start: range.start,
                end: range.end,
                quoted,
            };
            self.count += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.count == MAX_WORDS
    }

    fn read_line(&mut self, text: &str, from: usize, closer: Option<u8>) {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            at = skip_blanks(bytes, at);
            self.end = at;
            if self.is_full() || at >= bytes.len() || ends_command(bytes, at, closer) {
                return;
            }
            let end = word_end(bytes, at, closer);
            self.push_word(bytes, at..end);
            at = end.max(at + 1);
        }
    }

    fn push_word(&mut self, bytes: &[u8], word: Range<usize>) {
        let slashed = usize::from(bytes[word.start] == b'\\');
        let quote = bytes.get(word.start + slashed).copied();
        let Some(quote) = quote.filter(|quote| matches!(quote, b'"' | b'\'')) else {
            return self.push(word, false);
        };
        let inner = word.start + slashed + 1;
        let close = (inner..word.end).rfind(|at| bytes[*at] == quote);
        match close {
            Some(close) if close + 1 == word.end && close >= inner + slashed => {
                self.push(inner..close - slashed, true);
            }
            _ => self.push(inner..word.end, true),
        }
    }

    /// Reads `"program", "argument", ...`, as in JSON, Python and Dockerfiles, and
    /// `a0="program" a1="argument" ...`, as in records of the kernel's audit.
    fn read_list(&mut self, text: &str, from: usize, quote: u8) {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            let close = close_of(bytes, at, quote).unwrap_or(bytes.len());
            self.push(at..close, true);
            self.end = (close + 1).min(bytes.len());
            let next = bytes[self.end..]
                .iter()
                .take(64)
                .position(|b| !matches!(b, b' ' | b',' | b'\n' | b'\r' | b'\t'))
                .map(|skipped| self.end + skipped)
                .map(|next| next + name_of_argument(&bytes[next..]));
            match next {
                Some(next) if bytes.get(next) == Some(&quote) && !self.is_full() => at = next + 1,
                _ => return,
            }
        }
    }
}

/// Follows the double quotes of a text, to tell what stands inside a string.
#[derive(Default)]
pub(super) struct Quotes {
    at: usize,
    odd: bool,
}

impl Quotes {
    /// Tells whether an odd number of quotes precedes this place on its line; places only ascend.
    pub(super) fn enclose(&mut self, bytes: &[u8], place: usize) -> bool {
        let from = self.at.min(place);
        for at in memchr::memchr2_iter(b'"', b'\n', &bytes[from..place]) {
            let at = from + at;
            let escaped = at > 0 && bytes[at - 1] == b'\\';
            self.odd = bytes[at] == b'"' && self.odd == escaped;
        }
        self.at = place;
        self.odd
    }
}

/// Tells whether `a0="` precedes, which begins the arguments in a record of the kernel's audit.
fn is_record(bytes: &[u8], from: usize) -> bool {
    bytes[..from].ends_with(b" a0=\"")
}

/// Returns the length of `a1=`, or nought.
fn name_of_argument(bytes: &[u8]) -> usize {
    let digits = bytes.iter().skip(1).take(3);
    let digits = digits.take_while(|b| b.is_ascii_digit()).count();
    let named = bytes.first() == Some(&b'a') && digits > 0 && bytes.get(digits + 1) == Some(&b'=');
    if named { digits + 2 } else { 0 }
}

/// Tells whether a quote closes right after the name, and a comma follows.
fn is_list(bytes: &[u8], from: usize, quote: u8) -> bool {
    let Some(close) = close_of(&bytes[..bytes.len().min(from + 64)], from, quote) else {
        return false;
    };
    let mut rest = bytes[close + 1..].iter().take(16);
    !bytes[from..close].contains(&b' ') && rest.find(|b| **b != b' ') == Some(&b',')
}

/// Finds the quote that closes on this line.
fn close_of(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    while let Some(b) = bytes.get(at) {
        match *b {
            b'\n' => return None,
            b'\\' if quote != b'\'' => at += 1,
            b if b == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Skips blanks, and line ends that a shell joins (`\`, PowerShell's backtick, `cmd.exe`'s `^`).
fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(b) = bytes.get(at) {
        let joint = if matches!(b, b'\\' | b'^' | b'`') {
            let rest = &bytes[at + 1..];
            ["\n", "\r\n"]
                .iter()
                .find(|end| rest.starts_with(end.as_bytes()))
        } else {
            None
        };
        match joint {
            Some(end) => at += end.len(),
            None if !matches!(b, b' ' | b'\t') => break,
            None => {}
        }
        at += 1;
    }
    at
}

/// Tells whether a sign that ends a command stands here.
fn ends_command(bytes: &[u8], at: usize, closer: Option<u8>) -> bool {
    let b = bytes[at];
    matches!(b, b'\n' | b'\r' | b'|' | b';')
        || closer == Some(b)
        || b == b'&' && !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        || b == b'\\' && matches!(bytes.get(at + 1), Some(b'n' | b'r'))
}

/// Finds the end of the word that starts here: quotes and `$(...)` hold it together.
fn word_end(bytes: &[u8], start: usize, closer: Option<u8>) -> usize {
    let mut at = start;
    while let Some(b) = bytes.get(at).copied() {
        if matches!(b, b' ' | b'\t') || at > start && ends_word(bytes, at, closer) {
            return at;
        }
        at = match b {
            b'"' | b'\'' if closer != Some(b) => match close_of(bytes, at + 1, b) {
                Some(close) => close + 1,
                None => at + 1,
            },
            b'\\' => match bytes.get(at + 1) {
                Some(b'"') => escaped_close(bytes, at + 2),
                Some(_) => at + 2,
                None => at + 1,
            },
            b'$' if bytes.get(at + 1) == Some(&b'(') => {
                super::super::bytes::run_end(bytes, at, 256, |b| !matches!(b, b')' | b'\n')) + 1
            }
            _ => at + 1,
        };
    }
    at.min(bytes.len())
}

fn ends_word(bytes: &[u8], at: usize, closer: Option<u8>) -> bool {
    let b = bytes[at];
    matches!(b, b'\n' | b'\r' | b'|' | b';')
        || closer == Some(b)
        || b == b'\\' && bytes.get(at + 1) == Some(&b'n')
}

/// Finds the end of a string in escaped quotes, which stands in a quoted command line.
fn escaped_close(bytes: &[u8], from: usize) -> usize {
    let line = memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |at| from + at);
    memchr::memmem::find(&bytes[from..line], b"\\\"").map_or(from, |at| from + at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, from: usize) -> Vec<&str> {
        let enclosed = Quotes::default().enclose(text.as_bytes(), from);
        let words = Words::of_command(text, from, enclosed);
        words
            .as_slice()
            .iter()
            .map(|word| word.text(text))
            .collect()
    }

    #[test]
    fn words_follow_the_shell() {
        assert_eq!(
            split("a -p 'b c' \"d\" e|f", 0),
            ["a", "-p", "b c", "d", "e"]
        );
        assert_eq!(
            split("a -p'b c' --x=\"d e\"; f", 0),
            ["a", "-p'b c'", "--x=\"d e\""]
        );
        assert_eq!(split("sh -c \"a -pX\" b", 7), ["a", "-pX"]);
        assert_eq!(split("$(a 'b') c", 2), ["a", "b"]);
        assert_eq!(split("[\"x a -p\",\"b\"]", 4), ["a", "-p"]);
        assert_eq!(split("a \\\n  b && c", 0), ["a", "b"]);
        assert_eq!(split("a -p \\\"b c\\\" d", 0), ["a", "-p", "b c", "d"]);
        assert_eq!(split("a $(b c) d", 0), ["a", "$(b c)", "d"]);
        assert_eq!(split("a it's b", 0), ["a", "it's", "b"]);
    }

    #[test]
    fn argument_lists_are_words() {
        assert_eq!(split("[\"a\", \"-p\", \"b c\"] d", 2), ["a", "-p", "b c"]);
        assert_eq!(split("('a','-pX') d", 2), ["a", "-pX"]);
        assert_eq!(split("\"a\" d", 1), ["a"]);
        assert_eq!(
            split(" a0=\"p\" a1=\"-x\" a2=\"y z\"", 5),
            ["p", "-x", "y z"]
        );
        assert_eq!(split(" a0=\"p\" a1=", 5), ["p"]);
    }
}
