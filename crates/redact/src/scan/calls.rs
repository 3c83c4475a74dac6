//! Secrets that are plain literals at a known place of a call or a statement.

mod table;

use std::ops::Range;
use std::sync::OnceLock;

use crate::class::PASSWORD;
use crate::gate::{Entry, Families};
use crate::lexicon::{Case, Lexicon};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{is_dense, looks_random, stands_for_another};
use table::{CALLS, Call, FIRST_SENT, SECRET, STATEMENTS};

/// Longest list of arguments that is read, in bytes.
const MAX_ARGUMENTS: usize = 512;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for (head, rule) in heads().find_iter(text, Case::Any) {
        if head.start < done {
            continue;
        }
        let call = match rule {
            Begun::Call(call) => call,
            Begun::Statement(which) => {
                statement(text, head.end, *which, spans);
                continue;
            }
        };
        // A head that holds a quote begins in the first argument.
        let inside = call.head.rfind('"').map_or(0, |at| call.head.len() - at);
        let (end, range) = argument(text, head.end - inside, call.place);
        done = end;
        if let Some(range) = range {
            push(text, range, call.id, spans);
        }
    }
}

/// What begins with a head: a call, or the statement of this place in the table.
enum Begun {
    Call(&'static Call),
    Statement(usize),
}

fn heads() -> &'static Lexicon<Begun> {
    static HEADS: OnceLock<Lexicon<Begun>> = OnceLock::new();
    HEADS.get_or_init(|| {
        let calls = CALLS.iter().map(|call| (call.head, Begun::Call(call)));
        let statements = STATEMENTS.iter().enumerate();
        let statements = statements.map(|(at, (_, head))| (*head, Begun::Statement(at)));
        Lexicon::new(calls.chain(statements))
    })
}

/// Lists the literals that calls and statements begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    let calls = CALLS.iter().map(|call| call.head);
    calls
        .chain(STATEMENTS.iter().map(|(_, head)| *head))
        .map(|head| Entry::any_case(head, Families::CLI))
}

/// Lists the rules: one for each call and statement.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let calls = CALLS.iter().map(|call| (call.id, call.source));
    let repeated = |at: usize| at > 0 && STATEMENTS[at - 1].0 == STATEMENTS[at].0;
    let statements = STATEMENTS.iter().enumerate();
    let statements = statements.filter(move |(at, _)| !repeated(*at));
    let statements = statements.map(|(_, (id, _))| {
        (
            *id,
            "CREATE USER in the SQL references of MySQL and Oracle; expect(1), send; \
             OpenVPN, management interface notes; BIND 9 reference, key",
        )
    });
    calls.chain(statements).map(|(id, source)| Rule {
        id,
        class: PASSWORD,
        source,
    })
}

/// Reads the arguments from here; returns where reading ended, and the literal at this place.
pub(super) fn argument(text: &str, from: usize, place: usize) -> (usize, Option<Range<usize>>) {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_ARGUMENTS);
    let (mut at, mut count, mut depth) = (from, 0, 0_u32);
    // Whether the innermost bracket is the round one of a wrapping call, as in `Some("x")`.
    let mut wrapped = false;
    while at < limit {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(close) = close_of(bytes, at + 1, quote, limit) else {
                    return (at + 1, None);
                };
                if count == place && (depth == 0 || depth == 1 && wrapped) {
                    return (close, Some(at + 1..close));
                }
                at = close;
            }
            open @ (b'(' | b'[' | b'{') => {
                depth += 1;
                wrapped = open == b'(';
            }
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => count += 1,
            b';' => break,
            _ => {}
        }
        if count > place {
            break;
        }
        at += 1;
    }
    (at, None)
}

fn close_of(bytes: &[u8], from: usize, quote: u8, limit: usize) -> Option<usize> {
    let mut at = from;
    while at < limit {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return None,
            b if b == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn statement(text: &str, from: usize, which: usize, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = from;
    if which == 1 {
        // `IDENTIFIED WITH plugin BY 'secret'`, or `AS 'hash'`.
        let limit = bytes.len().min(from + 64);
        let window = &bytes[from..limit];
        let by = [" BY ", " by ", " AS ", " as "]
            .iter()
            .find_map(|word| memchr::memmem::find(window, word.as_bytes()));
        let Some(by) = by else {
            return;
        };
        at = from + by + 4;
    }
    let rule = STATEMENTS[which].0;
    if which >= FIRST_SENT {
        return sent(text, from, rule, spans);
    }
    let quote = bytes.get(at).copied();
    if let Some(quote @ (b'"' | b'\'')) = quote {
        let close = close_of(bytes, at + 1, quote, bytes.len().min(at + MAX_ARGUMENTS));
        let drawn = |close: &usize| which != SECRET || looks_random(&text[at + 1..*close], 16);
        if let Some(close) = close.filter(drawn) {
            push(text, at + 1..close, rule, spans);
        }
        return;
    }
    if which >= 2 {
        return;
    }
    let end = super::bytes::run_end(bytes, at, 128, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'!')
    });
    if is_dense(&text[at..end]) {
        push(text, at..end, rule, spans);
    }
}

/// Masks a word that a script types and ends with the return key (expect(1), `send`).
fn sent(text: &str, from: usize, rule: &'static str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_ARGUMENTS);
    let closer = match bytes[from - 1] {
        b'{' => b'}',
        quote => quote,
    };
    let Some(close) = memchr::memchr(closer, &bytes[from..limit]) else {
        return;
    };
    let content = &text[from..from + close];
    // In braces an escape is itself, and a line is sent with its end.
    let whole = closer == b'}' || rule.starts_with("pexpect");
    let word = content
        .strip_suffix("\\r")
        .or_else(|| content.strip_suffix("\\n"))
        .or(whole.then_some(content));
    let typed = |word: &&str| !word.contains([' ', '/', '=']) && looks_random(word, 8);
    if let Some(word) = word.filter(typed) {
        push(text, from..from + word.len(), rule, spans);
    }
}

fn push(text: &str, range: Range<usize>, rule: &'static str, spans: &mut Vec<Span>) {
    let content = &text[range.clone()];
    let written = content.contains(' ') && !content.bytes().any(|b| b.is_ascii_digit());
    let telling = is_dense(content) || looks_random(content, 8) || content.len() >= 6 && !written;
    if telling && !stands_for_another(content, true) {
        spans.push(Span::new(range, PASSWORD, Stage::Cli).by(rule));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn literals_at_their_places() {
        for (text, secret) in [
            ("auth=('ann', 'falcon-28')", "falcon-28"),
            ("HTTPBasicAuth(\"ann\", \"falcon-28\")", "falcon-28"),
            (
                "new PDO('mysql:host=x;dbname=y', 'app', 'falcon-28');",
                "falcon-28",
            ),
            (".basic_auth(\"ann\", Some(\"falcon-28\"))", "falcon-28"),
            ("req.SetBasicAuth(\"ann\", \"falcon-28\")", "falcon-28"),
            ("pyotp.TOTP('VJEYU4DBAXFUSD4Z')", "VJEYU4DBAXFUSD4Z"),
            (
                "PDO->__construct('mysql:host=x', 'app', 'falcon-28')",
                "falcon-28",
            ),
            ("c.Open \"DSN=app\", \"sa\", \"falcon28\"", "falcon28"),
            ("password \"Private Key\" \"falcon-28\"", "falcon-28"),
            ("send -- {F4lc0n28x}", "F4lc0n28x"),
            ("CREATE USER a IDENTIFIED BY 'falcon 28'", "falcon 28"),
            ("create user a identified by falcon28", "falcon28"),
            (
                "IDENTIFIED WITH caching_sha2_password BY 'falcon-28'",
                "falcon-28",
            ),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn variables_and_placeholders_stay() {
        for text in [
            "HTTPBasicAuth(user, password)",
            "HTTPBasicAuth('ann', os.environ['PW'])",
            "auth=('user', 'password')",
            "login(user, '#main')",
            "jwt.sign(payload, process.env.KEY, { a: 'HS256' })",
            "the secret 'sauce' of it",
            "IDENTIFIED BY ?",
            "IDENTIFIED BY PASSWORD",
            "new PDO($dsn, $user, $password)",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
