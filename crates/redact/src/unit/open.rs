//! Whether a unit takes the next line too.

use crate::gate::Families;
use crate::key::{self, Sensitivity};
use crate::scan::{cli, joined, output, private_key, recovery};

/// Most lines after a key that are looked at for its value.
const MAX_VALUE_LINES: u32 = 2;
/// Most lines of a here-document that are looked at with its command.
const MAX_HERE_LINES: u32 = 8;
/// Most lines between a name and its value.
const MAX_PAIR_LINES: u32 = 3;

/// Follows the lines of a unit.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// A private key began and has not ended.
    key: bool,
    /// A private key ended; a full line of its alphabet would show that end a decoy.
    key_ended: bool,
    why: Why,
    /// How many more lines the present reason allows.
    left: u32,
}

/// What the next line is awaited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    Nothing,
    /// The line ends in a backslash.
    Continuation,
    /// A private key's body.
    Key,
    /// A key's value.
    Value,
    /// The value of a name.
    Pair,
    /// The lines of a here-document.
    Here,
    /// Recovery codes.
    Codes,
    /// Lines of base64 that may end in the end of a private key.
    Tail,
    /// The second half of a literal.
    Joint,
    /// What a command prints.
    Output,
    /// The rest of a block whose name is sensitive.
    Block,
}

impl Open {
    pub(super) fn new(in_key: bool) -> Self {
        Self {
            key: in_key,
            key_ended: false,
            why: Why::Nothing,
            left: 0,
        }
    }

    pub(super) fn in_key(&self) -> bool {
        self.key
    }

    /// Notes that what follows is no part of a private key.
    pub(super) fn close_key(&mut self) {
        self.key = false;
    }

    /// Tells whether another line may belong, now that the unit ends with this one.
    pub(super) fn after(&mut self, line: &str, families: Families) -> bool {
        self.follow_key(line, families);
        let (why, left) = self.reason(line, families);
        let same = why == self.why;
        self.left = if same {
            self.left.saturating_sub(1)
        } else {
            left
        };
        self.why = why;
        why != Why::Nothing && self.left > 0
    }

    fn follow_key(&mut self, line: &str, families: Families) {
        if self.key || families.has(Families::ARMOUR) {
            let before = self.key || self.key_ended;
            self.key = private_key::is_open_after(line, before);
            self.key_ended = before && !self.key;
        } else {
            self.key_ended = false;
        }
    }

    fn reason(&self, line: &str, families: Families) -> (Why, u32) {
        let text = line.trim_end();
        if self.key {
            return (Why::Key, u32::MAX);
        }
        if text.ends_with('\\') {
            return (Why::Continuation, 64);
        }
        if self.key_ended {
            return (Why::Key, u32::MAX);
        }
        if self.why == Why::Here && self.left > 1
            || families.has(Families::CLI) && cli::opens_here_document(line)
        {
            return (Why::Here, MAX_HERE_LINES);
        }
        if families.has(Families::RECOVERY)
            && (self.why == Why::Codes || recovery::has_heading(line))
        {
            return (Why::Codes, 64);
        }
        if families.has(Families::RUN | Families::ARMOUR)
            && (self.why == Why::Tail && private_key::is_tail(line, 1)
                || private_key::starts_tail(line))
        {
            return (Why::Tail, u32::MAX);
        }
        if families.has(Families::KEY) {
            if self.why == Why::Value && text.is_empty() || awaits_value(text) {
                return (Why::Value, MAX_VALUE_LINES);
            }
            if output::is_expected(text) {
                return (Why::Output, 2);
            }
            if output::opens_block(text) {
                return (Why::Block, 12);
            }
            if self.why == Why::Pair && !holds_value(text) || names_secret(text) {
                return (Why::Pair, MAX_PAIR_LINES);
            }
        }
        if self.why == Why::Block && !output::closes_block(text) {
            return (Why::Block, 12);
        }
        if families.has(Families::VENDOR) && joined::awaits_half(text) {
            return (Why::Joint, 8);
        }
        (Why::Nothing, 0)
    }

    /// Tells whether this line belongs to the unit.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        match self.why {
            Why::Nothing => false,
            Why::Continuation | Why::Value | Why::Pair | Why::Here | Why::Block => true,
            Why::Output => output::is_output(line),
            Why::Key if self.key => private_key::is_body_or_end(line),
            Why::Key => private_key::is_tail(line, 60),
            Why::Codes => recovery::is_item(line),
            Why::Tail => private_key::is_tail(line, 1) || private_key::is_end(line),
            Why::Joint => joined::is_half(line),
        }
    }
}

/// Tells whether a line ends in a sensitive key and a sign, so that the value is on the next.
fn awaits_value(line: &str) -> bool {
    let line = line
        .strip_suffix("</key>")
        .map_or(line, |body| &line[..body.len() + 1]);
    let line = line.strip_suffix("Some(").map_or(line, str::trim_end);
    if line.ends_with(':') && line.split(' ').take(24).any(key::is_keyword) {
        return true;
    }
    // What PHP's `var_dump` writes of a member.
    let line = [":protected]=>", ":private]=>"]
        .iter()
        .find_map(|tail| line.strip_suffix(tail))
        .map_or(line, |body| &line[..body.len() + 1]);
    if let Some(open) = line.strip_suffix('>') {
        let name = last_word(open);
        if open[..open.len() - name.len()].ends_with(['<', ':']) {
            return key::classify(name) >= Sensitivity::Strong;
        }
    }
    let body = line.trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ']' | '<' | ':' | '=' | '|' | '>' | '-' | '+' | '(' | '"' | '\'' | '`' | '*' | '：'
            )
    });
    let signs = &line[body.len()..];
    signs.contains([':', '=', '：', '<'])
        && key::classify(last_word(body.strip_suffix(" is").unwrap_or(body))) >= Sensitivity::Medium
}

/// Tells whether a line is a member `name: KEY` with a sensitive key.
fn names_secret(line: &str) -> bool {
    let body = line.trim_end_matches([',', '"', '\'', ' ', '\\']);
    let word = last_word(body);
    let head = body[..body.len() - word.len()].trim_end_matches(['"', '\'', ' ', '\\']);
    let Some(head) = head.strip_suffix([':', '=']) else {
        return false;
    };
    let name = last_word(head.trim_end_matches(['"', '\'', ' ', '\\']));
    is_name(name) && key::classify(word) >= Sensitivity::Weak
}

/// Tells whether a member of this name names a value.
fn is_name(word: &str) -> bool {
    [
        "name",
        "key",
        "header",
        "variable",
        "field",
        "parameter",
        "option",
    ]
    .iter()
    .any(|name| name.eq_ignore_ascii_case(word))
}

fn holds_value(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '"', '\'', '-', '{', '\\']);
    line.get(..5)
        .is_some_and(|head| head.eq_ignore_ascii_case("value"))
}

/// Returns the letters, digits and joining signs that end a line.
fn last_word(line: &str) -> &str {
    let floor = line.ceil_char_boundary(line.len().saturating_sub(80));
    let tail = &line[floor..];
    let start = tail
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .map_or(0, |at| tail.ceil_char_boundary(at + 1));
    &tail[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_await_more_are_told() {
        for line in [
            "password:",
            "  \"db_password\": ",
            "api_key: >-",
            "The password is:",
            "密码：",
            "PASSWORD =(",
        ] {
            assert!(awaits_value(line), "{line}");
        }
        for line in ["password", "name:", "public_key:", "password: x", "key:"] {
            assert!(!awaits_value(line), "{line}");
        }
        for line in [
            "- name: DB_PASSWORD",
            "\"name\": \"API_KEY\",",
            "Key = client_secret",
        ] {
            assert!(names_secret(line), "{line}");
        }
        for line in ["- name: web", "password: x", "name"] {
            assert!(!names_secret(line), "{line}");
        }
    }
}
