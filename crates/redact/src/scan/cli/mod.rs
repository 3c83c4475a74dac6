//! Passwords in the arguments of programs, where neither a key nor a form gives them away.

mod hash;
mod input;
mod programs;
mod taking;
mod words;

use std::ops::Range;
use std::sync::OnceLock;

use crate::class::PASSWORD;
use crate::gate::{Entry, Families, Follow};
use crate::key::{self, Sensitivity};
use crate::lexicon::{Case, Lexicon};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{is_dense, looks_random, stands_for_another};
pub(crate) use hash::starts_hash;
use programs::{Demand, LISTED_WORDS, Opt, PLAIN_WORDS, Program};
use taking::Taking;
use words::{Quotes, Word, Words};

/// Among how many words after the program its sub-command is looked for.
const MAX_SUB: usize = 10;
/// How many words after a program are looked at for its options.
const MAX_ARGUMENTS: usize = 48;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    hash::find(text, spans);
    let mut command = None;
    // Commands inside quoted arguments are read again; this bounds how often.
    let mut budget = text.len().saturating_mul(4) + 4096;
    let mut quotes = Quotes::default();
    for (name, program) in by_name().find_iter(text, Case::Matters) {
        if !is_program(text, name.start, name.end) {
            continue;
        }
        let known = command
            .as_ref()
            .filter(|words: &&Words| name.start < words.end)
            .and_then(|words| position(words, name.end).map(|at| (words, at)));
        if let Some((words, at)) = known {
            arguments(text, program, words, at, spans);
            continue;
        }
        let enclosed = quotes.enclose(text.as_bytes(), name.start);
        let words = Words::of_command(text, name.start, enclosed);
        let Some(left) = budget.checked_sub(words.end - name.start) else {
            return;
        };
        budget = left;
        arguments(text, program, &words, 0, spans);
        command = Some(words);
    }
}

/// Tells whether the name stands alone, or at the end of a path.
fn is_program(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let rest = &bytes[end..];
    let rest = rest.strip_prefix(b".exe").unwrap_or(rest);
    let ends = matches!(
        rest.first(),
        None | Some(b' ' | b'\t' | b'\n' | b'\r' | b';' | b'"' | b'\'' | b'\\')
    );
    let within = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    ends && (start == 0 || !within(bytes[start - 1]))
        || ends
            && super::bytes::starts_token(bytes, start)
            && !matches!(bytes[start - 1], b'_' | b'-' | b'.')
}

/// Finds the word that ends with the name.
fn position(words: &Words, name_end: usize) -> Option<usize> {
    let of = |word: &Word| word.range().start < name_end && name_end <= word.range().end;
    let at = words.as_slice().iter().position(of)?;
    let word = words.as_slice()[at].range();
    (word.end - name_end <= ".exe".len()).then_some(at)
}

/// Returns the programs by name.
fn by_name() -> &'static Lexicon<&'static Program> {
    static PROGRAMS: OnceLock<Lexicon<&'static Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| Lexicon::new(names()))
}

fn names() -> impl Iterator<Item = (&'static str, &'static Program)> {
    programs::all().flat_map(|program| {
        program
            .names
            .split_whitespace()
            .map(move |name| (name, program))
    })
}

/// Lists the literals that commands begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    let plain = |name: &str| PLAIN_WORDS.iter().any(|word| word.trim_end() == name);
    let whole = |name| Entry {
        whole: true,
        ..Entry::exact(name, Families::CLI)
    };
    let named = names()
        .map(|(name, _)| name)
        .filter(move |name| !plain(name));
    let words = PLAIN_WORDS.iter().map(move |name| match name.trim_end() {
        short if short.len() < 3 => Entry::exact(name, Families::CLI),
        name => whole(name).with(Follow::Argument),
    });
    let listed = LISTED_WORDS
        .iter()
        .map(|name| Entry::exact(name, Families::CLI));
    named.map(whole).chain(words).chain(listed)
}

/// Lists the rules: one for each option, and the password hashes.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let options = programs::all().flat_map(|program| {
        program.options.iter().map(|option| Rule {
            id: option.id,
            class: PASSWORD,
            source: program.source,
        })
    });
    options.chain(hash::rules())
}

/// Masks the secrets among the arguments of the program that is this word of the command.
fn arguments(text: &str, program: &Program, words: &Words, at: usize, spans: &mut Vec<Span>) {
    let all = words.as_slice();
    let name = all[at].text(text);
    let rest = &all[at + 1..all.len().min(at + 1 + MAX_ARGUMENTS)];
    // A program among its own arguments is another command.
    let length = rest.iter().position(|word| word.text(text) == name);
    let rest = &rest[..length.unwrap_or(rest.len())];
    for option in program.options {
        let Some(arguments) = after_sub(text, option, rest) else {
            continue;
        };
        if option.demand == Demand::Line && !starts_line(text, all[at].range().start) {
            continue;
        }
        match option.taking {
            Taking::Input(word) => input::find(text, words, at, (word, false), option.id, spans),
            Taking::InputPair(word) => input::find(text, words, at, (word, true), option.id, spans),
            taking => taking.find(text, arguments, &mut |range, quoted| {
                if option.demand == Demand::Nothing || is_telling(&text[range.clone()]) {
                    push(text, range, quoted, option.id, spans);
                }
            }),
        }
    }
}

/// Returns the arguments after the sub-command, if this is it.
fn after_sub<'a>(text: &str, option: &Opt, arguments: &'a [Word]) -> Option<&'a [Word]> {
    let mut rest = arguments;
    for word in option.sub.split_whitespace() {
        let at = rest
            .iter()
            .take(MAX_SUB)
            .position(|candidate| candidate.text(text).eq_ignore_ascii_case(word))?;
        rest = &rest[at + 1..];
    }
    Some(rest)
}

/// Tells whether a here-document begins on this line (POSIX.1-2024, XCU 2.7.4).
pub(crate) fn opens_here_document(line: &str) -> bool {
    input::here_document(line).is_some()
}

/// Tells whether nothing but blanks or a prompt precedes this place on its line.
fn starts_line(text: &str, place: usize) -> bool {
    let floor = text.floor_char_boundary(place.saturating_sub(64));
    let head = text[floor..place].trim_end_matches([' ', '\t']);
    head.is_empty() || head.ends_with(['\n', '#', '>', '/'])
}

/// Tells whether an argument is no word of prose and no name of a mechanism (RFC 4422).
fn is_telling(content: &str) -> bool {
    const MECHANISMS: &[&str] = &["CRAM-", "SCRAM-", "DIGEST-", "XOAUTH"];
    let mechanism = MECHANISMS.iter().any(|head| content.starts_with(head));
    let address = content.contains("://")
        || content
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'/' | b':'));
    !mechanism && !address && content.len() >= 6 && (is_dense(content) || looks_random(content, 8))
}

/// Masks an argument, unless it only stands for a secret.
fn push(text: &str, range: Range<usize>, quoted: bool, rule: &'static str, spans: &mut Vec<Span>) {
    let content = &text[range.clone()];
    let numeric = content.len() < 6 && content.bytes().all(|b| b.is_ascii_digit());
    let option = content.starts_with('-') && !quoted;
    if content.len() >= 4
        && !numeric
        && !option
        && !is_name_of_one(content)
        && !stands_for_another(content, true)
    {
        spans.push(Span::new(range, PASSWORD, Stage::Cli).by(rule));
    }
}

/// Tells whether the word says what belongs here, as in a synopsis: `PASSWORD`, `[options]`.
fn is_name_of_one(content: &str) -> bool {
    let shouted = content
        .bytes()
        .all(|b| b.is_ascii_uppercase() || matches!(b, b'_' | b'-'));
    content.starts_with(['[', '$']) && !content.bytes().any(|b| b.is_ascii_digit())
        || content.starts_with("$(")
        || shouted && key::classify(content) >= Sensitivity::Weak
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn options_of_programs() {
        for (text, secret) in [
            ("sshpass -p 'Falcon 28' ssh root@h", "Falcon 28"),
            ("mysql -u root -pFalcon28 db", "Falcon28"),
            ("mysql -u root -p'Falcon 28' db", "Falcon 28"),
            ("/usr/bin/mysqldump -pFalcon28 db", "Falcon28"),
            ("curl -u svc:Falcon28 https://x", "Falcon28"),
            ("curl -usvc:Falcon28 https://x", "Falcon28"),
            ("docker login -u a -p Falcon28 r", "Falcon28"),
            ("docker exec db mysql -pFalcon28", "Falcon28"),
            ("ssh h \"mysql -pFalcon28\" && echo \"x\"", "Falcon28"),
            ("[\"mysql\", \"-u\", \"root\", \"-pFalcon28\"]", "Falcon28"),
            ("htpasswd -bc /etc/x admin falcon_28", "falcon_28"),
            ("openssl pkcs12 -passin pass:falcon-28 -out a", "falcon-28"),
            ("openssl enc -aes-256-cbc -k falcon-28 -out f", "falcon-28"),
            ("useradd -p \"$(openssl passwd -6 'tcSLSFk')\" d", "tcSLSFk"),
            ("rabbitmqctl change_password app 'falcon-28'", "falcon-28"),
            ("expdp system/Falcon28@PROD schemas=APP", "Falcon28"),
            ("net user ann Falcon28 /add", "Falcon28"),
            (" key 7 0F4A1B2C3D", "0F4A1B2C3D"),
            ("NickServ :IDENTIFY Falcon28", "Falcon28"),
            ("curl -F 'password=a b28' x", "a b28"),
            ("addauth digest ann:Falcon28", "Falcon28"),
            ("su - ann <<EOF\nFalcon28\nls -la\nEOF", "Falcon28"),
            ("chpasswd <<'E'\nann:Falcon28\nE", "Falcon28"),
            ("$p = \"Falcon28\" | ConvertTo-SecureString", "Falcon28"),
            (
                "argc=3 a0=\"sshpass\" a1=\"-p\" a2=\"Falcon28\"",
                "Falcon28",
            ),
            ("cmdkey /add:h /user:u /pass:Falcon28", "Falcon28"),
            ("skopeo copy --src-creds ci:falcon-28 a b", "falcon-28"),
            (
                "kubectl create secret generic a --from-literal=b=falcon-28",
                "falcon-28",
            ),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn other_options_and_references_stay() {
        for text in [
            "mkdir -p a/b && ssh -p 2222 h",
            "mysql -u root -p db",
            "sshpass -p \"$PW\" ssh h",
            "docker run -p 8080:80 x",
            "docker compose -p falcon28 up",
            "vault login [options]",
            "vault login -method=oidc",
            "zip -r out.zip dir",
            "the mysql server",
            "htpasswd -c /etc/nginx/.htpasswd admin",
            "net user ann",
            "press the key 7 falcon28",
            "the key exchange of tls13",
            "AUTH SCRAM-SHA-256",
            "su - ann <<EOF\nls -la\nEOF",
            "connect to the server",
            "openssl passwd -6",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn ids_are_unique_and_programs_reach_the_gate() {
        let mut ids: Vec<_> = rules().map(|rule| rule.id).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
        let mut all: Vec<_> = names().map(|(name, _)| name).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|two| two[0] != two[1]));
        for name in all {
            let reached = |entry: Entry| format!("{name} ").starts_with(entry.text);
            assert!(
                entries().any(|entry| reached(entry) && entry.text.len() >= 3),
                "{name}"
            );
        }
    }
}
