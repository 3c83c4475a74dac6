//! Passwords in the arguments of programs, where neither a key nor a form gives them away.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::bytes::starts_token;
use crate::class::{HASH, PASSWORD};
use crate::gate::{Entry, Families};
use crate::span::{Span, Stage};
use crate::value::stands_for_another;

/// How a program takes its secret.
enum Taking {
    /// As the argument after the flag.
    Next(&'static str),
    /// Glued to the flag.
    Joined(&'static str),
    /// Before a pipe: `echo SECRET | program`.
    Piped,
    /// As `user:secret` after the flag, or glued to it.
    Pair(&'static str),
    /// As the first argument that is no flag.
    First,
    /// As the first argument, which is quoted.
    Literal,
    /// As the second argument that is no flag.
    Second,
    /// As `user/secret@place` in the first argument that is no flag.
    Logon,
}
use Taking::{First, Joined, Literal, Logon, Next, Pair, Piped, Second};

/// Programs with the options that their manuals give for passwords.
const PROGRAMS: &[(&str, Taking)] = &[
    ("sshpass ", Next("-p")),
    ("sshpass ", Joined("-p")),
    ("mysql ", Joined("-p")),
    ("mysqldump ", Joined("-p")),
    ("mysqladmin ", Joined("-p")),
    ("mariadb ", Joined("-p")),
    ("mongo ", Next("-p")),
    ("mongosh ", Next("-p")),
    ("mongodump ", Next("-p")),
    ("docker login ", Next("-p")),
    ("podman login ", Next("-p")),
    ("helm registry login ", Next("-p")),
    ("oc login ", Next("-p")),
    ("az login ", Next("-p")),
    ("zip ", Next("-P")),
    ("unzip ", Next("-P")),
    ("7z ", Joined("-p")),
    ("sqlcmd ", Next("-P")),
    ("bcp ", Next("-P")),
    ("redis-cli ", Next("-a")),
    ("ldapsearch ", Next("-w")),
    ("ldapmodify ", Next("-w")),
    ("ldapadd ", Next("-w")),
    ("smbclient ", Pair("-U")),
    ("curl ", Pair("-u")),
    ("curl ", Pair("--user")),
    ("curl ", Pair("--user=")),
    ("curl ", Pair("--proxy-user")),
    ("net user ", Second),
    ("vault login ", First),
    ("ConvertTo-SecureString ", First),
    ("IDENTIFIED BY ", Literal),
    ("identified by ", Literal),
    ("sudo -S <<< ", First),
    ("--with-token <<< ", First),
    ("--password-stdin <<< ", First),
    ("sqlplus ", Logon),
    ("oracle:thin:", Logon),
    ("wget ", Pair("--user")),
    ("psexec ", Next("-p")),
    ("mosquitto_pub ", Next("-P")),
    ("mosquitto_sub ", Next("-P")),
    ("snmpwalk ", Next("-A")),
    ("snmpwalk ", Next("-X")),
    ("snmpget ", Next("-A")),
    ("snmpget ", Next("-X")),
    ("xfreerdp ", Joined("/p:")),
    ("cmdkey ", Joined("/pass:")),
    ("htpasswd ", Next("-b")),
    ("| sudo -S", Piped),
    ("| passwd --stdin", Piped),
    ("| chpasswd", Piped),
    ("| sudo chpasswd", Piped),
    ("| gh auth login", Piped),
    ("--password-stdin", Piped),
];

/// Longest command line that is read, in bytes.
const MAX_LINE: usize = 512;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for hit in gate().find_iter(text) {
        let name = hit.pattern().as_usize();
        let Some(program) = PROGRAMS.get(name) else {
            hashes(text, hit.start(), spans);
            continue;
        };
        if matches!(program.1, Piped) {
            piped(text, hit.start(), spans);
        } else if starts_token(text.as_bytes(), hit.start()) {
            arguments(text, program.0, hit.end(), spans);
        }
    }
}

/// Prefixes of the modular crypt format (crypt(5)).
const HASHES: &[&str] = &[
    "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$1$", "$apr1$", "$argon2", "$y$", "$scrypt$", "$pbkdf2",
];

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        AhoCorasick::new(
            PROGRAMS
                .iter()
                .map(|program| program.0)
                .chain(HASHES.iter().copied()),
        )
        .expect("the list of programs is small and fixed")
    })
}

/// Tells whether a password hash starts here.
pub(crate) fn starts_hash(rest: &[u8]) -> bool {
    HASHES.iter().any(|head| rest.starts_with(head.as_bytes()))
}

/// Lists the literals that commands begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    PROGRAMS.iter().map(|(name, _)| {
        let name = name.trim_start_matches(['|', ' ', '-']);
        Entry::exact(name, Families::CLI)
    })
}

/// Masks a password hash: several `$`-separated parts of its alphabet.
fn hashes(text: &str, start: usize, spans: &mut Vec<Span>) {
    if spans
        .last()
        .is_some_and(|last| last.class == HASH && start < last.range.end)
    {
        return;
    }
    let of_hash = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(b, b'$' | b'.' | b'/' | b'+' | b'=' | b',' | b'-' | b'_')
    };
    let end = super::bytes::run_end(text.as_bytes(), start, 512, of_hash);
    let hash = &text[start..end];
    if hash.len() >= 28 && hash.matches('$').count() >= 3 {
        spans.push(Span::new(start..end, HASH, Stage::Cli));
    }
}

fn arguments(text: &str, name: &str, from: usize, spans: &mut Vec<Span>) {
    let words = words(text, from);
    let flagged = |word: &Range<usize>| text[word.clone()].starts_with('-');
    let first = words.iter().take_while(|word| flagged(word)).count();
    for (_, taking) in PROGRAMS.iter().filter(|program| program.0 == name) {
        for (at, word) in words.iter().enumerate() {
            let content = &text[word.clone()];
            let found = match taking {
                Next(flag) if content == *flag => words.get(at + 1).cloned(),
                Joined(flag) if content.len() > flag.len() && content.starts_with(flag) => {
                    Some(word.start + flag.len()..word.end)
                }
                Pair(flag) if content == *flag => words.get(at + 1).and_then(|w| pair(text, w)),
                Pair(flag) if content.starts_with(flag) => pair(text, word),
                Literal if at == first && text[..word.start].ends_with(['\'', '"']) => {
                    Some(word.clone())
                }
                First if at == first => Some(word.clone()),
                Second if at == first + 1 => Some(word.clone()),
                Logon if at == first => logon(text, word),
                _ => None,
            };
            if let Some(range) = found {
                push(text, range, spans);
            }
        }
    }
}

/// Returns the secret of `user:secret`.
fn pair(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let colon = text[word.clone()].find([':', '%'])?;
    Some(word.start + colon + 1..word.end)
}

/// Returns the secret of `user/secret@place` (Oracle's connect descriptor).
fn logon(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let content = &text[word.clone()];
    let slash = content.find('/')?;
    let at = content[slash..].rfind('@').map(|at| slash + at)?;
    Some(word.start + slash + 1..word.start + at)
}

/// Splits a command line into words without their quotes, up to its end or a pipe.
fn words(text: &str, from: usize) -> Vec<Range<usize>> {
    let limit = text.floor_char_boundary((from + MAX_LINE).min(text.len()));
    let mut words = Vec::new();
    let mut at = from;
    while at < limit {
        let rest = &text[at..limit];
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            '\n' | '\r' | '|' | ';' | '`' => break,
            ' ' | '\t' => at += 1,
            '\'' | '"' => {
                let close = rest[1..].find(first).map_or(limit, |close| at + 1 + close);
                words.push(at + 1..close);
                at = close + 1;
            }
            _ => {
                let length = rest
                    .find([' ', '\t', '\n', '\r', '|', ';', '`'])
                    .unwrap_or(rest.len());
                words.push(at..at + length);
                at += length.max(1);
            }
        }
    }
    words
}

/// Masks what `echo` or `printf` sends through the pipe that ends here.
fn piped(text: &str, pipe: usize, spans: &mut Vec<Span>) {
    let floor = text.floor_char_boundary(pipe.saturating_sub(MAX_LINE));
    let line = &text[floor..pipe];
    let Some(start) = line
        .rfind("echo ")
        .map(|at| at + 5)
        .or_else(|| line.rfind("printf ").map(|at| at + 7))
    else {
        return;
    };
    let words = words(text, floor + start);
    let argument = words
        .into_iter()
        .find(|word| !text[word.clone()].starts_with('-') && text[word.clone()].len() > 1);
    if let Some(range) = argument {
        let range = if text[pipe..].starts_with("| sudo chp") || text[pipe..].starts_with("| chp") {
            pair(text, &range).unwrap_or(range)
        } else {
            range
        };
        push(text, range, spans);
    }
}

fn push(text: &str, range: Range<usize>, spans: &mut Vec<Span>) {
    let content = &text[range.clone()];
    let numeric = content.bytes().all(|b| b.is_ascii_digit()) && content.len() < 6;
    if content.len() >= 4
        && !numeric
        && !content.starts_with('-')
        && !stands_for_another(content, true)
    {
        spans.push(Span::new(range, PASSWORD, Stage::Cli));
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
    fn options_of_programs() {
        assert_eq!(masked("sshpass -p 'Falcon 28' ssh root@h"), ["Falcon 28"]);
        assert_eq!(masked("mysql -u root -pFalcon28 db"), ["Falcon28"]);
        assert_eq!(masked("curl -u svc:Falcon28 https://x"), ["Falcon28"]);
        assert_eq!(masked("echo Falcon28 | sudo -S ls"), ["Falcon28"]);
    }

    #[test]
    fn other_options_and_references_stay() {
        for text in [
            "mkdir -p a/b && ssh -p 2222 h",
            "mysql -u root -p db",
            "sshpass -p \"$PW\" ssh h",
            "echo $T | docker login --password-stdin",
            "docker run -p 8080:80 x",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
