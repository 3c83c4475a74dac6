//! A scanner that tells Rust code from comments and literals, and product
//! code from test code.
//!
//! It follows the token rules of the Rust Reference ("Comments", "Tokens")
//! closely enough to count braces; it does not parse.

/// A file's text split in two, each as long as the text: what is not code
/// (or not comment) is blank, and line breaks stay.
#[derive(Debug)]
pub(super) struct Masked {
    /// Code without comments and without the content of literals.
    pub(super) code: String,
    /// Comments alone.
    pub(super) comments: String,
}

/// Which of the two halves a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// Splits a text.
pub(super) fn mask(text: &str) -> Masked {
    let chars: Vec<char> = text.chars().collect();
    let mut masked = Masked {
        code: String::with_capacity(text.len()),
        comments: String::with_capacity(text.len()),
    };
    let mut at = 0;
    while at < chars.len() {
        let (part, length) = token(&chars, at);
        for &c in &chars[at..at + length] {
            let blank = if c == '\n' { '\n' } else { ' ' };
            masked.code.push(if part == Part::Code { c } else { blank });
            masked
                .comments
                .push(if part == Part::Comment { c } else { blank });
        }
        at += length;
    }
    masked
}

/// The part and the length, at least 1, of what starts at `at`.
fn token(chars: &[char], at: usize) -> (Part, usize) {
    let rest = &chars[at..];
    match rest {
        ['/', '/', ..] => {
            let end = rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
            (Part::Comment, end)
        }
        ['/', '*', ..] => (Part::Comment, block_comment(rest)),
        ['"', ..] => (Part::Literal, quoted(rest, '"')),
        ['\'', ..] => match char_literal(rest) {
            Some(length) => (Part::Literal, length),
            None => (Part::Code, 1),
        },
        ['r', ..] if !within_word(chars, at) => match raw_string(&rest[1..]) {
            Some(length) => (Part::Literal, length + 1),
            None => (Part::Code, 1),
        },
        // The `r` of `br"…"` and `cr"…"` is inside a word as seen from here.
        ['b' | 'c', 'r', ..] if !within_word(chars, at) => match raw_string(&rest[2..]) {
            Some(length) => (Part::Literal, length + 2),
            None => (Part::Code, 1),
        },
        _ => (Part::Code, 1),
    }
}

fn within_word(chars: &[char], at: usize) -> bool {
    at > 0 && is_word(chars[at - 1])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a block comment; they nest.
fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// The length of a literal with backslash escapes, both quotes included.
fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a character literal, or `None` for a lifetime.
fn char_literal(rest: &[char]) -> Option<usize> {
    match rest {
        ['\'', '\\', ..] => Some(quoted(rest, '\'')),
        ['\'', c, '\'', ..] if *c != '\'' => Some(3),
        _ => None,
    }
}

/// The length of `#…"…"#…` after a raw string's prefix, or `None`.
fn raw_string(rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|c| **c == '#').count();
    if rest.get(hashes) != Some(&'"') {
        return None;
    }
    let body = hashes + 1;
    let end = (body..rest.len()).find(|&at| {
        rest[at] == '"'
            && rest
                .get(at + 1..at + 1 + hashes)
                .is_some_and(|tail| tail.iter().all(|c| *c == '#'))
    });
    Some(end.map_or(rest.len(), |end| end + 1 + hashes))
}

/// For each line of masked code, whether it belongs to an item that only
/// tests compile.
pub(super) fn test_lines(code: &str) -> Vec<bool> {
    let mut marks = vec![false; code.lines().count()];
    for attribute in [
        "#[cfg(test)]",
        "#[cfg(all(test,",
        "#[test]",
        "#[tokio::test",
    ] {
        for (start, _) in code.match_indices(attribute) {
            let end = item_end(code, start);
            let (first, last) = (line_index(code, start), line_index(code, end));
            for mark in marks.iter_mut().take(last + 1).skip(first) {
                *mark = true;
            }
        }
    }
    if code.trim_start().starts_with("#![cfg(test)]") {
        marks.fill(true);
    }
    marks
}

/// The byte offset of the brace or semicolon that ends the item at `start`.
pub(super) fn item_end(code: &str, start: usize) -> usize {
    let mut nested = 0_i32;
    let mut braces = 0_i32;
    for (at, c) in code[start..].char_indices() {
        match c {
            '(' | '[' => nested += 1,
            ')' | ']' => nested -= 1,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces <= 0 && nested <= 0 {
                    return start + at;
                }
            }
            ';' if braces == 0 && nested == 0 => return start + at,
            _ => {}
        }
    }
    code.len()
}

/// The index, from 0, of the line that holds a byte offset.
pub(super) fn line_index(code: &str, offset: usize) -> usize {
    code.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
}

/// The functions of masked code: name, first and last line, from 0.
pub(super) fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].chars().next_back().is_some_and(is_word) {
            continue;
        }
        let name: String = code[at + 3..]
            .chars()
            .take_while(|c| is_word(*c) || *c == '$')
            .collect();
        if !name.is_empty() {
            let end = item_end(code, at);
            found.push((name, line_index(code, at), line_index(code, end)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        mask(text).code
    }

    #[test]
    fn comments_are_blanked() {
        assert_eq!(code("a // b\nc"), "a     \nc");
        assert_eq!(
            code("a /* b /* c */ d */ e"),
            format!("a {} e", " ".repeat(17))
        );
        assert_eq!(mask("a // b\nc").comments, "  // b\n ");
        assert_eq!(code("/* never closed"), " ".repeat(15));
    }

    #[test]
    fn literals_are_blanked() {
        assert_eq!(code(r#"f("{ // x", y)"#), "f(        , y)");
        assert_eq!(
            code(r#"("a\"{", '{', '\'', b'{')"#),
            "(      ,    ,     , b   )"
        );
        assert_eq!(code("r\"\\\" {"), "     {");
        assert_eq!(code("r#\"a\"{\"# }"), "         }");
        assert_eq!(code("br##\"\"#{\"## }"), "            }");
        assert_eq!(code("\"open {"), "       ");
    }

    #[test]
    fn lifetimes_and_words_stay_code() {
        for text in [
            "fn f<'a>(x: &'a str) {}",
            "for r in b {}",
            "r#type = 1",
            "bar(cr, br)",
        ] {
            assert_eq!(code(text), text);
        }
        assert_eq!(code("&'a str, 'x'"), "&'a str,    ");
    }

    #[test]
    fn text_of_other_alphabets_keeps_its_lines() {
        let masked = mask("let a = \"é日\"; // ü\nlet b = 1;\n");
        assert_eq!(masked.code, "let a =     ;     \nlet b = 1;\n");
    }

    #[test]
    fn test_items_are_marked() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n";
        assert_eq!(
            test_lines(&code(text)),
            [false, true, true, true, true, false]
        );
        let text = "#[cfg(test)]\nmod tests;\nfn c() {}\n";
        assert_eq!(test_lines(&code(text)), [true, true, false]);
        let text = "#[cfg(test)]\nuse a::{b, c};\nfn c() {}\n";
        assert_eq!(test_lines(&code(text)), [true, true, false]);
        assert_eq!(
            test_lines(&code("#![cfg(test)]\nfn a() {}\n")),
            [true, true]
        );
        assert_eq!(
            test_lines(&code("#[cfg(not(test))]\nfn a() {}\n")),
            [false, false]
        );
    }

    #[test]
    fn functions_have_their_lines() {
        let text = "fn a() {\n    b(\"}\");\n}\n\ntrait T {\n    fn c(&self) -> [u8; 4];\n}\n";
        assert_eq!(
            functions(&code(text)),
            [("a".into(), 0, 2), ("c".into(), 5, 5)]
        );
        assert_eq!(functions("type F = fn (u8) -> u8;"), []);
        assert_eq!(functions("let often = 1;\nlet fn_name = 2;"), []);
    }

    proptest::proptest! {
        /// Whatever the text, both halves keep its lines and no character is
        /// in both; the rest of the scanner copes with what comes out.
        #[test]
        fn halves_are_disjoint(text in "([a-z '\"\\\\#/*{}();é\n]|fn |r#|#\\[cfg\\(test\\)\\]){0,60}") {
            let masked = mask(&text);
            let lengths = [&masked.code, &masked.comments].map(|half| half.chars().count());
            assert_eq!(lengths, [text.chars().count(); 2]);
            for ((whole, code), comment) in
                text.chars().zip(masked.code.chars()).zip(masked.comments.chars())
            {
                assert_eq!(whole == '\n', code == '\n' && comment == '\n');
                assert!(code.is_whitespace() || comment.is_whitespace());
                assert!([whole, ' '].contains(&code) && [whole, ' '].contains(&comment));
            }
            assert_eq!(test_lines(&masked.code).len(), masked.code.lines().count());
            for (_, first, last) in functions(&masked.code) {
                assert!(first <= last && last <= masked.code.lines().count());
            }
        }
    }
}
