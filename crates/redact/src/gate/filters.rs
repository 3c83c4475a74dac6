//! Second looks at places that are common in harmless text, each cheap and on one line.

use super::families::Families;
use crate::scan::bytes::is_base64;
use crate::scan::{cli, national, payment, phrase, recovery};
use crate::view;

/// Looks at a place that a mask found; [`Families::NONE`] passes it by.
pub(super) type Filter = fn(&[u8], usize) -> Families;

/// How much of a run of digits is looked at.
const MAX_GROUPED: usize = 48;
/// How much of a run is looked at to tell what it is made of.
const SAMPLE: usize = 256;
/// Longest user information that is searched for its `@`.
const MAX_AUTHORITY: usize = 2048;

/// Looks at a base64 run of at least 23 bytes: tokens and encodings mix letters and digits.
pub(super) fn run(bytes: &[u8], at: usize) -> Families {
    let start = at - 22;
    let sample = &bytes[start..bytes.len().min(start + SAMPLE)];
    let (mut kinds, mut length) = (0, 0);
    for b in sample {
        let kind = RUN_KINDS[usize::from(*b)];
        if kind == 0 {
            break;
        }
        kinds |= kind;
        length += 1;
    }
    let sample = &sample[..length];
    let concerned = match kinds & !SIGN {
        7 => true,
        1 | 3 | 5 => length >= 32 && !is_digest(sample),
        _ => false,
    };
    if concerned {
        Families::RUN | Families::VENDOR
    } else {
        Families::NONE
    }
}

/// A sign of the base64 alphabets.
const SIGN: u8 = 8;

/// What each byte of the base64 alphabets says about a run; other bytes say nothing.
const RUN_KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut b = 0u8;
    while b < 0x80 {
        kinds[b as usize] = match b {
            b'0'..=b'9' => 1,
            b'a'..=b'z' => 2,
            b'A'..=b'Z' => 4,
            b if is_base64(b) => SIGN,
            _ => 0,
        };
        b += 1;
    }
    kinds
};

/// Tells whether the run is hexadecimal, with hyphens as a UUID or not, and does not begin with the codes of letters, as it
/// would if it held text.
fn is_digest(sample: &[u8]) -> bool {
    let dashed = sample.contains(&b'-');
    sample.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-')
        && (dashed
            || !sample
                .chunks_exact(2)
                .take(6)
                .all(|pair| matches!(pair[0], b'2'..=b'7')))
}

/// Looks at nine or more digits in groups.
pub(super) fn number(bytes: &[u8], at: usize) -> Families {
    let run = payment::digits_from(bytes, at - 8);
    if recovery::is_disk_password(&bytes[run.clone()]) {
        return Families::RECOVERY;
    }
    let digits = bytes[run.clone()].iter().filter(|b| b.is_ascii_digit());
    let starts_group = |at: &usize| *at == run.start || !bytes[at - 1].is_ascii_digit();
    let bare = || {
        let starts = run.clone().take(MAX_GROUPED).filter(starts_group);
        starts.into_iter().any(|at| national::is_bare_at(bytes, at))
    };
    let concerned = match digits.count() {
        9..13 => bare(),
        13.. => bare() || payment::has_card(bytes, &run),
        _ => false,
    };
    if concerned {
        Families::NUMBER
    } else {
        Families::NONE
    }
}

/// Looks for user information after `://`: an `@` before the path.
pub(super) fn address(bytes: &[u8], at: usize) -> Families {
    let from = at + 1;
    let limit = bytes.len().min(from + MAX_AUTHORITY);
    let mut colon = None;
    for (at, b) in bytes[from..limit].iter().enumerate() {
        match *b {
            b'@' => return Families::URL,
            b':' => colon = colon.or(Some(at)),
            // A raw slash may be part of a password, but not after a bare host or port.
            b'/' | b'?' | b'#' => match colon {
                Some(colon) if !is_port(&bytes[from + colon + 1..from + at]) => {}
                _ => return Families::NONE,
            },
            b'"' | b'\'' | b'<' | b'>' | b'`' | 0..=b' ' => return Families::NONE,
            _ => {}
        }
    }
    Families::NONE
}

fn is_port(text: &[u8]) -> bool {
    text.len() <= 5 && text.iter().all(u8::is_ascii_digit)
}

/// Looks for the labels of armoured text after four hyphens.
pub(super) fn dashes(bytes: &[u8], at: usize) -> Families {
    let rest = &bytes[at + 1..bytes.len().min(at + 12)];
    let label = rest
        .iter()
        .position(|b| !matches!(b, b'-' | b' '))
        .map_or(&[][..], |at| &rest[at..]);
    if label.starts_with(b"BEGIN") || label.starts_with(b"END") {
        Families::ARMOUR
    } else {
        Families::NONE
    }
}

/// Looks at bytes that few rules begin with.
pub(super) fn rare(bytes: &[u8], at: usize) -> Families {
    let before = at.checked_sub(1).map(|at| bytes[at]);
    match bytes[at] {
        b'$' if cli::starts_hash(&bytes[at..]) => Families::CLI,
        b'~' if before == Some(b'Q') => Families::VENDOR,
        b'*' if before == Some(b':') => Families::LINES,
        b':' if bytes.get(at + 1) == Some(&b'A') => Families::VENDOR,
        b'0'..=b'9' if is_byte_list(&bytes[at..]) => Families::LINES,
        _ => Families::NONE,
    }
}

/// Looks whether an escape begins here that stands for something else, or hides that what is on
/// its sides belongs together. A colour beside a blank or the end of a line hides nothing.
pub(super) fn escape(bytes: &[u8], at: usize) -> Families {
    let Some((length, is_control)) = view::escape_at(&bytes[at..]) else {
        return Families::NONE;
    };
    if !is_control {
        return Families::VIEW;
    }
    let (before, after) = bytes.split_at(at);
    if ends_blank(before) || starts_blank(&after[length..]) {
        Families::NONE
    } else {
        Families::VIEW
    }
}

/// Tells whether a blank or an end of a line precedes, be it written as an escape.
fn ends_blank(before: &[u8]) -> bool {
    matches!(
        before,
        [] | [.., b' ' | b'\t' | b'\n' | b'\r'] | [.., b'\\', b't' | b'n' | b'r']
    )
}

/// Tells whether a blank or an end of a line follows, be it written as an escape.
fn starts_blank(after: &[u8]) -> bool {
    matches!(
        after,
        [] | [b' ' | b'\t' | b'\n' | b'\r', ..] | [b'\\', b't' | b'n' | b'r', ..]
    )
}

/// Tells whether a list could begin with this number.
fn is_number_list(rest: &[u8]) -> bool {
    let of_number = |b: &&u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+');
    let length = rest.iter().take_while(of_number).count();
    let next = rest[length..].trim_ascii_start().first();
    matches!(next, None | Some(b',' | b']'))
}

/// Tells whether a list of bytes could begin with this number.
fn is_byte_list(rest: &[u8]) -> bool {
    let digits = rest
        .iter()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    digits <= 3 && rest[digits..].trim_ascii_start().first() == Some(&b',')
}

/// Looks whether a bracket at the start of a line could open a JSON document.
pub(super) fn json(bytes: &[u8], at: usize) -> Families {
    let rest = &bytes[at + 1..];
    let next = rest.iter().find(|b| !b.is_ascii_whitespace());
    let opens = match (bytes[at], next) {
        (b'{', Some(next)) => matches!(next, b'"' | b'}'),
        (_, Some(b'0'..=b'9')) => is_number_list(rest.trim_ascii_start()),
        (_, Some(next)) => matches!(
            next,
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
        ),
        // The next line decides.
        (_, None) => true,
    };
    if opens {
        Families::JSON
    } else {
        Families::NONE
    }
}

/// Looks for words of a seed phrase in a long run of small letters and blanks.
pub(super) fn phrase(bytes: &[u8], at: usize) -> Families {
    if phrase::find_from(bytes, at - 46).is_some() {
        Families::PHRASE
    } else {
        Families::NONE
    }
}

/// Looks whether a country's letters begin an account number, or a name's letters an identity
/// number.
pub(super) fn iban(bytes: &[u8], at: usize) -> Families {
    // Four or six letters, of which two are known here, precede the two digits of the year.
    let person = |letters: usize| {
        let start = (at + 1).checked_sub(letters + 2);
        start.is_some_and(|start| {
            bytes[start].is_ascii_uppercase() && national::is_bare_at(bytes, start)
        })
    };
    if payment::iban_at(bytes, at - 3).is_some() || person(4) || person(6) {
        Families::NUMBER
    } else {
        Families::NONE
    }
}
