//! Secrets that a program reads from its standard input.

use std::ops::Range;

use super::taking::pair;
use super::words::Words;
use crate::span::Span;

/// How far before a pipe its left side is looked for, in bytes.
const MAX_LEFT: usize = 512;

/// Masks what `echo` or `printf` sends to the program that is this word of the command, or what
/// follows `<<<`, if the command holds the option that makes the program read it.
///
/// `reading` is that option, empty for none, and whether the input is `user:secret`.
pub(super) fn find(
    text: &str,
    words: &Words,
    at: usize,
    reading: (&str, bool),
    rule: &'static str,
    spans: &mut Vec<Span>,
) {
    let (option, pairs) = reading;
    let all = words.as_slice();
    let rest = &all[at + 1..];
    // Options of one letter stand together: `-kS`.
    let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
    let has = |word: &&super::Word| {
        let word = word.text(text);
        word == option
            || !word.starts_with("--")
                && word.starts_with('-')
                && letter.is_some_and(|letter| word.contains(letter))
            || option == "0" && word.ends_with('0')
    };
    let option_at = rest.iter().position(|word| has(&word));
    if !option.is_empty() && option_at.is_none() {
        return;
    }
    let here = rest.iter().position(|word| word.text(text) == "<<<");
    if let Some(delimiter) = rest.iter().find_map(|word| delimiter(word.text(text))) {
        document(text, words.end, delimiter, pairs, rule, spans);
        return;
    }
    let given = match here {
        Some(here) => rest.get(here + 1).map(|word| word.range()),
        None => left_of_pipe(text, all[0].range().start),
    };
    let Some(range) = given else {
        return;
    };
    let range = if pairs {
        pair(text, range.clone(), ':').unwrap_or(range)
    } else {
        range
    };
    if let Some(former) = repeated(text, &range) {
        super::push(text, former, true, rule, spans);
    }
    super::push(text, range, true, rule, spans);
}

/// Finds the same answer in the command before: `echo x; echo x`.
fn repeated(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let quote = |c: char| matches!(c, '\'' | '"');
    let head = text[..range.start].trim_end_matches(quote);
    let head = head
        .strip_suffix("echo ")
        .or_else(|| head.strip_suffix("printf "))?;
    let head = head
        .trim_end_matches([' ', ';', '&'])
        .trim_end_matches(quote);
    let former = head.strip_suffix(&text[range.clone()])?;
    Some(former.len()..head.len())
}

/// Returns the rest of the line after the sign of a here-document.
pub(super) fn here_document(line: &str) -> Option<&str> {
    let sign = memchr::memmem::find(line.as_bytes(), b"<<")?;
    let rest = line[sign + 2..].trim_start_matches(['-', '~']);
    let named = rest.trim_start().trim_start_matches(['\'', '"', '\\']);
    named
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        .then_some(rest)
}

/// Returns the word that ends the here-document, if this word begins one: `<<EOF`, `<<-'EOF'`.
fn delimiter(word: &str) -> Option<&str> {
    let rest = word.starts_with("<<").then(|| here_document(word))??;
    Some(rest.trim_matches(['\'', '"', '\\']))
}

/// Masks the first line of a here-document and its repetition, or the secrets of all its pairs.
fn document(
    text: &str,
    from: usize,
    delimiter: &str,
    pairs: bool,
    rule: &'static str,
    spans: &mut Vec<Span>,
) {
    let Some(newline) = memchr::memchr(b'\n', &text.as_bytes()[from..]) else {
        return;
    };
    let mut first = "";
    for line in text[from + newline + 1..].lines().take(8) {
        let content = line.trim();
        if content == delimiter || !first.is_empty() && !pairs && content != first {
            return;
        }
        let start = content.as_ptr().addr() - text.as_ptr().addr();
        let range = start..start + content.len();
        let secret = if pairs {
            pair(text, range, ':')
        } else {
            Some(range)
        };
        // Commands stand there too, as in `su - ann <<EOF`.
        let single = |range: &Range<usize>| {
            let content = &text[range.clone()];
            !content.contains([' ', '\t']) && super::is_telling(content)
        };
        if let Some(range) = secret.filter(single) {
            super::push(text, range, true, rule, spans);
        }
        first = content;
    }
}

/// Finds the string that ends the left side of a pipe and is all of it, as PowerShell allows.
fn literal_at_end(left: &str) -> Option<Range<usize>> {
    let trimmed = left.trim_end();
    let quote = trimmed
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))?;
    let inner = &trimmed[..trimmed.len() - 1];
    let open = inner.rfind(quote)?;
    let before = inner[..open].trim_end();
    let whole = before.is_empty() || before.ends_with(['=', '(', '\n', ';', '{', '>']);
    whole.then_some(open + 1..inner.len())
}

/// Returns what `echo` or `printf` writes on the left of the pipe that the command follows.
fn left_of_pipe(text: &str, command: usize) -> Option<Range<usize>> {
    let floor = text.floor_char_boundary(command.saturating_sub(MAX_LEFT));
    let head = text[floor..command].trim_end_matches(|c: char| {
        c.is_ascii_alphanumeric() || matches!(c, ' ' | '/' | '-' | '_' | '=' | '"' | '$')
    });
    let left = head.strip_suffix('|')?;
    if let Some(literal) = literal_at_end(left) {
        return Some(floor + literal.start..floor + literal.end);
    }
    // Two answers in a row are written in a sub-shell: `(echo x; echo x)`.
    let left = left.trim_end().strip_suffix(')').unwrap_or(left);
    let line = left.rfind(['|', '\n', ';']).map_or(0, |at| at + 1);
    let command = &left[line..];
    let (at, name) = ["echo ", "printf ", "yes "]
        .iter()
        .filter_map(|name| command.rfind(name).map(|at| (at, *name)))
        .max()?;
    let words = Words::of_command(text, floor + line + at, false);
    let mut arguments = words.as_slice().iter().skip(1).filter(|word| {
        let content = word.text(text);
        !(content.is_empty() || content.starts_with('-') && content.len() <= 3)
    });
    let first = arguments.next()?;
    // The first argument of `printf` may be a format for the next.
    let format = name == "printf " && first.text(text).starts_with('%');
    let word = if format { arguments.next()? } else { first };
    let content = word.text(text);
    let content = content.strip_suffix("\\n").unwrap_or(content);
    let start = word.range().start;
    // The bracket that closes a sub-shell is no part of its last word.
    let closed = left.len() < head.len() - 1;
    let content = match text[..start].chars().next_back() {
        Some(quote @ ('\'' | '"')) if closed => content.split(quote).next()?,
        _ if closed => content.trim_end_matches(')'),
        _ => content,
    };
    Some(start..start + content.len())
}
