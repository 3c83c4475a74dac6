//! How programs take their secrets, and where in the words of a command they are.

use std::ops::Range;

use super::words::Word;
use crate::key::{self, Sensitivity};
use crate::value::looks_random;

/// How a program takes its secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taking {
    /// As the argument after the word, or behind a `=` or `:` in it.
    Next(&'static str),
    /// Glued to the option or after it, as `getopt` reads options of one letter.
    Short(&'static str),
    /// Glued to the option only.
    Joined(&'static str),
    /// As `user:secret`, by this sign, after the option or glued to it.
    Pair(&'static str, char),
    /// As the argument of this place that is no option, counted from nought after the
    /// sub-command.
    Nth(usize),
    /// As the last argument that is no option.
    Last,
    /// As the argument of this place, if a cluster of options holds the letter.
    Bundled(char, usize),
    /// As the argument that is no option, drive or share (`net use`).
    BesideShare,
    /// As `user/secret@place` in the first argument that is no option (Oracle's logon string).
    Logon,
    /// As `user:secret@host` in the first argument that is no option.
    Target,
    /// As the values of all `name=value` arguments.
    Members,
    /// As the argument after the word, or the first one if that is empty, behind words that say
    /// how the secret is written: `key 7 SECRET`, `ascii 0 SECRET`.
    Setting(&'static str),
    /// As `user:secret` in the argument of this place that is no option, by this sign.
    PairAt(usize, char),
    /// As the value of `name=value` after the option, to the argument's end, if the name is that
    /// of a secret.
    Field(&'static str),
    /// From the standard input: `echo SECRET | program word`, or `<<< SECRET`.
    Input(&'static str),
    /// As [`Taking::Input`], as `user:secret`.
    InputPair(&'static str),
}

/// Options with a value that is no secret and that may come before the secret argument.
const VALUED: &[&str] = &[
    "-m",
    "-salt",
    "-in",
    "-Source",
    "-out",
    "-n",
    "-C",
    "-g",
    "-H",
    "-h",
    "-u",
    "-U",
    "--user",
    "-W",
    "--host",
    "--method",
    "--namespace",
    "--env",
    "--app",
    "-a",
    "-e",
    "--name",
    "-N",
    "-address",
    "--region",
];

impl Taking {
    /// Returns the secrets among the arguments, which follow the program and its sub-command.
    ///
    /// `call` gets each with whether it is quoted.
    pub(super) fn find(
        self,
        text: &str,
        arguments: &[Word],
        call: &mut impl FnMut(Range<usize>, bool),
    ) {
        let plain = || plain(text, arguments);
        let mut of = |word: Option<Word>| {
            if let Some(word) = word {
                call(word.range(), word.quoted);
            }
        };
        match self {
            Self::Nth(place) => of(plain().nth(place)),
            Self::Last => of(plain().last()),
            Self::BesideShare => of(plain().find(|word| {
                let word = word.text(text);
                !word.starts_with(['\\', '/', '*']) && !word.ends_with(':')
            })),
            Self::Bundled(letter, place) => {
                let bundled = |word: &Word| {
                    let word = word.text(text);
                    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
                };
                if arguments.iter().any(bundled) {
                    of(plain().nth(place));
                }
            }
            Self::Logon => {
                if let Some(range) = plain().find_map(|word| logon(text, word)) {
                    call(range, true);
                }
            }
            Self::Target => {
                if let Some(range) = plain().find_map(|word| target(text, word)) {
                    call(range, true);
                }
            }
            Self::Members => {
                for word in arguments {
                    let equals = word.text(text).find('=').filter(|at| *at > 0);
                    if let Some(equals) = equals.filter(|_| !word.text(text).starts_with('-')) {
                        call(
                            unquoted(text, word.range().start + equals + 1..word.range().end),
                            true,
                        );
                    }
                }
            }
            Self::Setting(word) => of(setting(text, arguments, word)),
            Self::PairAt(place, sign) => {
                let word = plain().nth(place);
                if let Some(range) = word.and_then(|word| secret_of(text, word.range(), sign)) {
                    call(range, true);
                }
            }
            Self::Input(_) | Self::InputPair(_) => {}
            _ => self.find_options(text, arguments, call),
        }
    }

    fn find_options(
        self,
        text: &str,
        arguments: &[Word],
        call: &mut impl FnMut(Range<usize>, bool),
    ) {
        for (at, word) in arguments.iter().enumerate() {
            let (flag, glue) = match self {
                Self::Next(flag) => (flag, Glue::Sign),
                Self::Short(flag) => (flag, Glue::Any),
                Self::Joined(flag) => (flag, Glue::Only),
                Self::Pair(flag, _) | Self::Field(flag) => (flag, Glue::Any),
                _ => return,
            };
            let Some((range, quoted)) = argument(text, *word, arguments.get(at + 1), flag, glue)
            else {
                continue;
            };
            match self {
                Self::Pair(_, sign) => {
                    if let Some(range) = pair(text, range, sign) {
                        call(range, true);
                    }
                }
                Self::Field(_) => {
                    if let Some(range) = field(text, range) {
                        call(range, true);
                    }
                }
                _ => call(range, quoted),
            }
        }
    }
}

/// Words of network devices between a directive and its secret: the number of an encoding, or how
/// the secret is written.
const FORMS: &[&str] = &[
    "text",
    "ascii",
    "ascii-text",
    "hex",
    "clear",
    "clear-text",
    "cipher",
    "simple",
    "encrypted",
    "plain",
    "ENC",
    "md5",
    "key",
    "key-string",
    "set-key",
    "psk",
    "level",
    "irreversible-cipher",
    "hash",
    "sha256",
];

fn setting(text: &str, arguments: &[Word], word: &str) -> Option<Word> {
    let start = if word.is_empty() {
        0
    } else {
        let same = |candidate: &Word| candidate.text(text).eq_ignore_ascii_case(word);
        arguments.iter().position(same)? + 1
    };
    let form = |word: &&Word| {
        let content = word.text(text);
        !word.quoted
            && (FORMS.contains(&content)
                || content.len() <= 2 && content.bytes().all(|b| b.is_ascii_digit()))
    };
    arguments[start..].iter().find(|word| !form(word)).copied()
}

/// Returns what follows the first of these signs.
fn secret_of(text: &str, word: Range<usize>, sign: char) -> Option<Range<usize>> {
    let at = text[word.clone()].find(sign)?;
    let start = word.start + at + sign.len_utf8();
    (at > 0 && start < word.end).then_some(start..word.end)
}

/// Returns the value of a field whose name is that of a secret.
fn field(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let value = secret_of(text, word.clone(), '=')?;
    let name = &text[word.start..value.start - 1];
    (key::classify(name) >= Sensitivity::Medium).then_some(value)
}

/// What may stand between an option and its argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    /// A blank or a sign.
    Sign,
    /// A blank, a sign or nothing.
    Any,
    /// Nothing.
    Only,
}

/// Returns the argument of an option, if the word is that option.
fn argument(
    text: &str,
    word: Word,
    next: Option<&Word>,
    flag: &str,
    glue: Glue,
) -> Option<(Range<usize>, bool)> {
    let content = word.text(text);
    let head = content.get(..flag.len())?;
    // Options of Windows programs begin with a slash and have no case.
    let same = head == flag || flag.starts_with('/') && head.eq_ignore_ascii_case(flag);
    if !same {
        return None;
    }
    let rest = &content[flag.len()..];
    let at = word.range().start + flag.len();
    if rest.is_empty() {
        let next = next.filter(|_| glue != Glue::Only)?;
        return Some((next.range(), next.quoted));
    }
    let sign = rest.starts_with(['=', ':']) && glue != Glue::Only;
    let sign = sign && !flag.ends_with(['=', ':']);
    if sign || glue != Glue::Sign {
        let range = at + usize::from(sign)..word.range().end;
        let inner = unquoted(text, range.clone());
        let quoted = word.quoted || inner != range;
        return Some((inner, quoted));
    }
    None
}

/// Returns the range without the quotes around it.
fn unquoted(text: &str, range: Range<usize>) -> Range<usize> {
    let content = &text[range.clone()];
    for quote in ["\"", "'"] {
        let inner = content
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if inner.is_some() {
            return range.start + 1..range.end - 1;
        }
    }
    range
}

/// Returns the arguments that are no options.
fn plain<'a>(text: &'a str, arguments: &'a [Word]) -> impl Iterator<Item = Word> + 'a {
    let mut valued = false;
    arguments.iter().copied().filter(move |word| {
        let content = word.text(text);
        let option = content.starts_with('-') && !word.quoted && content != "-";
        // `username=ann` is an argument by name.
        let named = content
            .split_once('=')
            .is_some_and(|(name, value)| !value.is_empty() && is_name(name));
        let skipped = option || named || std::mem::take(&mut valued);
        valued = VALUED.contains(&content);
        !skipped && content != "<<<"
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

/// Returns the secret of `user:secret`, or the user's if it is a token and no secret follows.
pub(super) fn pair(text: &str, word: Range<usize>, sign: char) -> Option<Range<usize>> {
    let content = &text[word.clone()];
    let (user, at) = match content.find(sign) {
        Some(at) => (&content[..at], word.start + at + sign.len_utf8()),
        None => (content, word.end),
    };
    if at < word.end {
        return Some(at..word.end);
    }
    looks_random(user, 16).then(|| word.start..word.start + user.len())
}

/// Returns the secret of `user/secret@place`, or of `user/secret` (SQL*Plus User's Guide, 3.1).
fn logon(text: &str, word: Word) -> Option<Range<usize>> {
    let content = word.text(text);
    let slash = content.find('/').filter(|at| *at > 0)?;
    let end = content.rfind('@').filter(|at| *at > slash);
    let start = word.range().start;
    let range = start + slash + 1..start + end.unwrap_or(content.len());
    let path = content[slash + 1..].contains(['/', '.']) && end.is_none();
    (!path).then(|| unquoted_double(text, range))
}

/// Returns the secret of `domain/user:secret@host`.
fn target(text: &str, word: Word) -> Option<Range<usize>> {
    let content = word.text(text);
    let colon = content.find(':')?;
    let at = content.rfind('@').filter(|at| *at > colon)?;
    let start = word.range().start;
    Some(unquoted(text, start + colon + 1..start + at))
}

fn unquoted_double(text: &str, range: Range<usize>) -> Range<usize> {
    let content = &text[range.clone()];
    if content.len() > 2 && content.starts_with('"') && content.ends_with('"') {
        range.start + 1..range.end - 1
    } else {
        range
    }
}
