//! Decodes the words of a syntax tree: quote removal and escapes.

use tree_sitter::Node;

use super::{Word, text_of};

/// Reads the word at `node`; expansions keep their source text.
pub(super) fn decode(source: &str, node: Node<'_>) -> Word {
    let text = text_of(source, node);
    match node.kind() {
        "raw_string" => Word {
            text: inner(text, "'", "'"),
            dynamic: false,
            quoted: true,
        },
        "ansi_c_string" => Word {
            text: ansi_c(&inner(text, "$'", "'")),
            dynamic: false,
            quoted: true,
        },
        "string" | "translated_string" => double_quoted(text, node),
        "concatenation" | "command_name" | "array" => joined(source, node),
        "word" | "number" | "brace_expression" | "variable_name" | "special_character" => Word {
            text: unescape(text, |_| true),
            dynamic: false,
            quoted: false,
        },
        "simple_expansion"
        | "expansion"
        | "command_substitution"
        | "process_substitution"
        | "arithmetic_expansion" => Word {
            text: text.to_owned(),
            dynamic: true,
            quoted: false,
        },
        _ => Word {
            text: text.to_owned(),
            dynamic: has_expansion(text),
            quoted: false,
        },
    }
}

fn inner(text: &str, open: &str, close: &str) -> String {
    let text = text.strip_prefix(open).unwrap_or(text);
    text.strip_suffix(close).unwrap_or(text).to_owned()
}

fn double_quoted(text: &str, node: Node<'_>) -> Word {
    let text = text.strip_prefix('$').unwrap_or(text);
    let body = inner(text, "\"", "\"");
    let mut cursor = node.walk();
    let dynamic = node
        .named_children(&mut cursor)
        .any(|child| !matches!(child.kind(), "string_content" | "string"))
        || (node.kind() == "translated_string" && has_expansion(&body));
    // Inside double quotes the backslash escapes these alone (XCU 2.2.3).
    let text = unescape(&body, |c| matches!(c, '$' | '`' | '"' | '\\'));
    Word {
        text,
        dynamic,
        quoted: true,
    }
}

fn joined(source: &str, node: Node<'_>) -> Word {
    let mut whole = Word::default();
    let mut end = node.start_byte();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        whole
            .text
            .push_str(source.get(end..child.start_byte()).unwrap_or(""));
        let part = decode(source, child);
        whole.text.push_str(&part.text);
        whole.dynamic |= part.dynamic;
        whole.quoted |= part.quoted;
        end = child.end_byte();
    }
    whole
}

fn has_expansion(text: &str) -> bool {
    text.contains(['$', '`'])
}

fn unescape(text: &str, escapable: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('\\', Some(next)) if escapable(next) => {
                chars.next();
                out.push(next);
            }
            _ => out.push(c),
        }
    }
    out
}

fn ansi_c(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('e' | 'E') => out.push('\u{1b}'),
            Some('x') => out.push(numeric(&mut chars, 16, 2)),
            Some('u') => out.push(numeric(&mut chars, 16, 4)),
            Some('U') => out.push(numeric(&mut chars, 16, 8)),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

fn numeric(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: u32) -> char {
    let mut value = 0_u32;
    let mut count = 0;
    while let Some(digit) = chars
        .peek()
        .and_then(|c| c.to_digit(radix))
        .filter(|_| count < most)
    {
        value = value.saturating_mul(radix).saturating_add(digit);
        count += 1;
        chars.next();
    }
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}
