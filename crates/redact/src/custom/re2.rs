//! Translation of patterns in the syntax of Go's `regexp` to that of the `regex` crate.
//!
//! Both descend from RE2 and differ in what they forgive: Go takes a brace that starts no
//! repetition, a bracket inside a class and every escaped punctuation mark as literal, has octal
//! escapes and `\Q…\E`, and gives no meaning to `&&`, `--` and `~~` in a class (documentation of
//! Go's package regexp/syntax, "Syntax"). The result is read with Unicode off, where `\w`, `\d`,
//! `\s` and `\b` are ASCII as in Go; what is beyond ASCII is wrapped in `(?u:…)`.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// Translates a pattern. The error is a problem to print.
pub(super) fn translate(source: &str) -> Result<String, String> {
    let mut input = Input {
        chars: source.chars().peekable(),
        length: source.chars().count(),
    };
    let mut out = String::with_capacity(source.len() + 16);
    while let Some(c) = input.chars.next() {
        match c {
            '\\' => escape(&mut input, &mut out)?,
            '[' => class(&mut input, &mut out)?,
            '{' => repetition(&mut input, &mut out),
            '(' => group(&mut input, &mut out)?,
            '}' => out.push_str("\\}"),
            _ => literal_or_operator(c, &mut out),
        }
    }
    Ok(out)
}

struct Input<'s> {
    chars: Peekable<Chars<'s>>,
    length: usize,
}

impl Input<'_> {
    fn error(&self, what: &str) -> String {
        let at = self.length - self.chars.clone().count();
        format!("{what} before character {at}; correct it there")
    }

    /// Takes the text when the input begins with it.
    fn take(&mut self, text: &str) -> bool {
        let mut ahead = self.chars.clone();
        let found = text.chars().all(|c| ahead.next() == Some(c));
        if found {
            self.chars = ahead;
        }
        found
    }

    /// Takes up to `most` digits of the radix and returns their value.
    fn number(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.chars.peek().and_then(|c| c.to_digit(radix)) else {
                break;
            };
            self.chars.next();
            value = Some(value.unwrap_or(0) * radix + digit);
        }
        value
    }
}

fn literal_or_operator(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c);
    } else {
        push_literal(c, out);
    }
}

fn push_literal(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push_str(&regex_syntax::escape(c.encode_utf8(&mut [0; 4])));
    } else {
        out.push_str("(?u:");
        out.push(c);
        out.push(')');
    }
}

/// Translates an escape outside a class.
fn escape(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    match input.chars.peek() {
        Some('Q') => {
            input.chars.next();
            while !input.take("\\E") {
                let Some(c) = input.chars.next() else { break };
                push_literal(c, out);
            }
        }
        Some(c @ ('A' | 'b' | 'B' | 'z' | 'd' | 'D' | 's' | 'S' | 'w' | 'W')) => {
            out.push('\\');
            out.push(*c);
            input.chars.next();
        }
        Some('p' | 'P') => {
            out.push_str("(?u:");
            property(input, out)?;
            out.push(')');
        }
        _ => push_literal(escaped_char(input)?, out),
    }
    Ok(())
}

/// Copies `\pX` or `\p{…}`, whose backslash was taken.
fn property(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    out.push('\\');
    out.extend(input.chars.next());
    let first = input.chars.next();
    out.extend(first);
    if first == Some('{') {
        loop {
            let c = input.chars.next();
            out.extend(c);
            match c {
                Some('}') => break,
                Some(_) => {}
                None => return Err(input.error("a property without its end")),
            }
        }
    }
    Ok(())
}

/// Reads an escape that stands for one character, whose backslash was taken.
fn escaped_char(input: &mut Input<'_>) -> Result<char, String> {
    let Some(c) = input.chars.next() else {
        return Err(input.error("a backslash without its character"));
    };
    let code = match c {
        'a' => Some(7),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        'x' if input.take("{") => {
            let code = input.number(16, 6);
            code.filter(|_| input.take("}"))
        }
        'x' => input.number(16, 2),
        '0' => Some(input.number(8, 2).unwrap_or(0)),
        // One digit alone would be a backreference, which no linear engine has.
        '1'..='7' => {
            let first = c.to_digit(8);
            first
                .zip(input.number(8, 2))
                .map(|(first, rest)| first * 8 + rest)
        }
        _ if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
        _ => None,
    };
    code.and_then(char::from_u32)
        .ok_or_else(|| input.error("an escape that Go does not know"))
}

/// Translates what begins with a brace: a repetition, or else a literal.
fn repetition(input: &mut Input<'_>, out: &mut String) {
    let before = input.chars.clone();
    let least = input.number(10, 4);
    let comma = input.take(",");
    let most = if comma { input.number(10, 4) } else { None };
    match least {
        Some(least) if input.take("}") => {
            let comma = if comma { "," } else { "" };
            let most = most.map(|most| most.to_string()).unwrap_or_default();
            let written = write!(out, "{{{least}{comma}{most}}}");
            debug_assert!(written.is_ok(), "text takes every write");
        }
        _ => {
            input.chars = before;
            out.push_str("\\{");
        }
    }
}

/// Translates what begins with a parenthesis; only Go's flags are let through.
fn group(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    out.push('(');
    if !input.take("?") {
        return Ok(());
    }
    out.push('?');
    if input.take("P<") || input.take("<") {
        out.push_str("P<");
        return Ok(());
    }
    loop {
        let c = input.chars.next();
        out.extend(c);
        match c {
            Some(':' | ')') => return Ok(()),
            Some('i' | 'm' | 's' | 'U' | '-') => {}
            _ => return Err(input.error("a group that Go does not know")),
        }
    }
}

/// Translates a class item by item, whose bracket was taken.
fn class(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    let negated = input.take("^");
    let mut items = String::new();
    let mut unicode = false;
    let mut first = true;
    loop {
        if !first && input.take("]") {
            break;
        }
        first = false;
        if posix(input, &mut items) || perl(input, &mut items) {
            continue;
        }
        if input.take("\\p") {
            unicode = true;
            unicode_property('p', input, &mut items)?;
        } else if input.take("\\P") {
            unicode = true;
            unicode_property('P', input, &mut items)?;
        } else {
            let low = class_char(input)?;
            let high = range_end(input)?;
            unicode |= !low.is_ascii() || high.is_some_and(|high| !high.is_ascii());
            push_member(low, &mut items);
            if let Some(high) = high {
                items.push('-');
                push_member(high, &mut items);
            }
        }
    }
    out.push_str(if unicode { "(?u:[" } else { "[" });
    out.push_str(if negated { "^" } else { "" });
    out.push_str(&items);
    out.push_str(if unicode { "])" } else { "]" });
    Ok(())
}

fn unicode_property(kind: char, input: &mut Input<'_>, items: &mut String) -> Result<(), String> {
    items.push('\\');
    items.push(kind);
    let first = input.chars.next();
    items.extend(first);
    if first == Some('{') {
        while !input.take("}") {
            let Some(c) = input.chars.next() else {
                return Err(input.error("a property without its end"));
            };
            items.push(c);
        }
        items.push('}');
    }
    Ok(())
}

/// Copies a class such as `[:alpha:]`, if one stands here.
fn posix(input: &mut Input<'_>, items: &mut String) -> bool {
    let mut ahead = input.chars.clone();
    if ahead.next() != Some('[') || ahead.next() != Some(':') {
        return false;
    }
    let name: String = ahead.by_ref().take_while(|c| *c != ':').collect();
    let letters = name.strip_prefix('^').unwrap_or(&name);
    let plain = !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_lowercase());
    if !plain || ahead.next() != Some(']') {
        return false;
    }
    input.chars = ahead;
    items.push_str("[:");
    items.push_str(&name);
    items.push_str(":]");
    true
}

/// Translates `\d`, `\s` and `\w` to classes that stay ASCII wherever they stand.
fn perl(input: &mut Input<'_>, items: &mut String) -> bool {
    let classes = [
        ("\\d", "[:digit:]"),
        ("\\D", "[:^digit:]"),
        ("\\s", "\\t\\n\\x0C\\r\\x20"),
        ("\\S", "[^\\t\\n\\x0C\\r\\x20]"),
        ("\\w", "[:word:]"),
        ("\\W", "[:^word:]"),
    ];
    let found = classes.iter().find(|(escape, _)| input.take(escape));
    items.extend(found.map(|(_, class)| *class));
    found.is_some()
}

/// Reads the end of a range, if one stands here.
fn range_end(input: &mut Input<'_>) -> Result<Option<char>, String> {
    let mut ahead = input.chars.clone();
    if ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']') {
        input.take("-");
        return class_char(input).map(Some);
    }
    Ok(None)
}

fn class_char(input: &mut Input<'_>) -> Result<char, String> {
    match input.chars.next() {
        Some('\\') => escaped_char(input),
        Some(c) => Ok(c),
        None => Err(input.error("a class without its end")),
    }
}

/// Writes one character so that it has no meaning in a class.
fn push_member(c: char, items: &mut String) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        items.push(c);
    } else {
        let written = write!(items, "\\x{:02X}", u32::from(c));
        debug_assert!(written.is_ok(), "text takes every write");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::custom::pattern;

    fn matches(source: &str, text: &str) -> bool {
        let translated = translate(source).unwrap();
        let hir =
            pattern::parse(&translated).unwrap_or_else(|error| panic!("{translated}: {error}"));
        pattern::compile(&hir).unwrap().is_match(text)
    }

    // The expected results follow the table "Syntax" of Go's package regexp/syntax.
    #[test]
    fn matches_are_those_of_go() {
        for (source, yes, no) in [
            (r"^\${\w+}$", "${HOME}", "$HOME"),
            (r"^{{[^}]+}}$", "{{ x }}", "{ x }"),
            (r"^a{,2}$", "a{,2}", "aa"),
            (r"^a{ 2}$", "a{ 2}", "aa"),
            (r"^a{2,}b{1,2}c{3}$", "aaabbccc", "abccc"),
            (r"^[[]$", "[", "x"),
            (r"^[]]$", "]", "["),
            (r"^[^]]$", "x", "]"),
            (r"^[a&&b]+$", "a&b", "c"),
            (r"^[\w-.]+$", "a-b.c", "a+b"),
            (r"^[--/]+$", "-./", "0"),
            (r"^[a\-z]+$", "a-z", "b"),
            (r"^[a~~b]$", "~", "c"),
            (r"^\%\S\<\>\_\'$", "%x<>_'", "%x"),
            (r"^\x60[\x60'\x{22}]$", "`\"", "``x"),
            (r"^\052\0$", "*\0", "*"),
            (r"^\Qa.b[\E.$", "a.b[x", "axb[x"),
            (r"^[[:alpha:]]+[[:^alpha:]]$", "ab1", "abc"),
            (r"^[^\s]\S$", "ab", "a "),
            (r"^[é-ü]+$", "éü", "a"),
            ("^é+$", "éé", "ée"),
            (r"^(?P<a>x)(?<b>y)(?i:Z)(?s:.)$", "xyz\n", "xyy\n"),
            (r"^\x{e9}$", "é", "e"),
        ] {
            assert!(matches(source, yes), "{source} should match {yes}");
            assert!(!matches(source, no), "{source} should not match {no}");
        }
    }

    #[test]
    fn ascii_classes_stay_ascii() {
        for class in [r"^\w$", r"^[\w]$", r"^[\wä]$"] {
            assert!(!matches(class, "é"), "{class}");
        }
        assert!(matches(r"\bkey\b", "日key本"));
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for source in [
            r"\1",
            r"\y",
            "(?x)a",
            "(?=a)",
            "[a",
            "[",
            "\\",
            r"[\y]",
            r"\p{Greek",
            "(?",
        ] {
            assert!(translate(source).is_err(), "{source}");
        }
        assert_eq!(
            translate(r"ab\y").unwrap_err(),
            "an escape that Go does not know before character 4; correct it there"
        );
    }

    proptest! {
        #[test]
        fn every_input_is_translated_or_refused(source in "[\\[\\]\\\\{}(),?:^a-z0-9é-]{0,24}") {
            if let Ok(translated) = translate(&source) {
                drop(pattern::parse(&translated));
            }
        }

        #[test]
        fn escaped_text_matches_itself(text in "[ -~é]{1,12}") {
            let quoted = format!("^\\Q{}\\E$", text.replace('\\', "/"));
            prop_assert!(matches(&quoted, &text.replace('\\', "/")));
        }
    }
}
