//! Values in sentences: after a verb, after a few words and a sign, after whom they are for.

use std::ops::Range;

use super::literal::{line_break, skip_whitespace};
use super::read::read;
use super::{Evidence, Value, skip_blanks};
use crate::openings::Openings;
use crate::scan::bytes::Needle;
use crate::value::{is_dense, is_phrase, looks_random};

/// Words that join a key and its value in prose.
static VERBS: Openings<87> = Openings::new([
    "is ",
    "was ",
    "to ",
    "ist ",
    "est ",
    "es ",
    "è ",
    "é ",
    "är ",
    "er ",
    "je ",
    "este ",
    "sünt ",
    "là ",
    "adalah ",
    "ialah ",
    "είναι ",
    "היא ",
    "הוא ",
    "هي ",
    "هو ",
    "jest ",
    "c'est ",
    "are ",
    "sind ",
    "son ",
    "sono ",
    "sont ",
    "lautet ",
    "heißt ",
    "wurde auf ",
    "będzie ",
    "is now ",
    "is still ",
    "is currently ",
    "is just ",
    "is always ",
    "is set to ",
    "was set to ",
    "set to ",
    "was changed to ",
    "changed to ",
    "has been changed to ",
    "has been set to ",
    "has been reset to ",
    "was reset to ",
    "reset to ",
    "should be ",
    "will be ",
    "would be ",
    "must be ",
    "is: ",
    "was: ",
    "of ",
    "-> ",
    "→ ",
    "– ",
    "— ",
    "- ",
    "на ",
    "теперь ",
    "є ",
    "は",
    "を",
    "が",
    "是",
    "为",
    "為",
    "就是",
    "现在是",
    "目前是",
    "改成",
    "改成了",
    "改为",
    "已改为",
    "改为了",
    "设为",
    "设置为",
    "重置为",
    "更新为",
    "는 ",
    "은 ",
    "를 ",
    "을 ",
    "가 ",
    "이 ",
    "это ",
]);

/// Verbs that may stand a few words after the key.
static COPULAS: Openings<31> = Openings::new([
    "is ",
    "is: ",
    "is now ",
    "is still ",
    "est ",
    "est : ",
    "es ",
    "ist ",
    "lautet ",
    "è ",
    "é ",
    "är ",
    "er ",
    "je ",
    "este ",
    "jest ",
    "to ",
    "là ",
    "adalah ",
    "είναι ",
    "это ",
    "— ",
    "– ",
    "-> ",
    "→ ",
    "är: ",
    "est: ",
    "es: ",
    "ist: ",
    "è: ",
    "é: ",
]);

/// Returns where the value starts after a verb.
fn after_verb(text: &str, from: usize) -> Option<usize> {
    let rest = &text[from..];
    let verb = VERBS.of(rest).max_by_key(|verb| verb.len())?;
    Some(skip_blanks(text, from + verb.len()))
}

/// Reads `the password is x`, and `password for the database: x`.
pub(super) fn spoken(text: &str, key: &Range<usize>, spaced: usize) -> Option<Value> {
    if line_break(&text[spaced..]) > 0 {
        return below(text, key, spaced);
    }
    let near = after_verb(text, spaced).and_then(|start| read(text, start, key, Evidence::Spoken));
    let telling = |value: &Value| value.quoted || is_dense(&text[value.range.clone()]);
    let far = if near.as_ref().is_some_and(telling) {
        None
    } else {
        after_qualifier(text, key, spaced)
    };
    let (mut value, far) = match far {
        Some(start) => (read(text, start, key, Evidence::Spoken)?, true),
        None => match near {
            Some(near) if super::joints::second_of_pair(text, key, &near).is_some() => {
                return super::joints::second_of_pair(text, key, &near);
            }
            Some(near) if telling(&near) => (near, false),
            Some(near) => match below(text, key, spaced) {
                Some(value) => return Some(value),
                None => (near, false),
            },
            None => {
                return addressed(text, key, spaced)
                    .or_else(|| set_later(text, key, spaced))
                    .or_else(|| below(text, key, spaced));
            }
        },
    };
    let content = &text[value.range.clone()];
    value.range.end -= content.len() - content.trim_end_matches(['.', ',', '!', '?', ';']).len();
    let content = &text[value.range.clone()];
    let telling = is_dense(content) || is_phrase(content);
    if far && text[value.range.start..].starts_with(['\n', '\r']) {
        return below(text, key, spaced);
    }
    (!far || telling && !content.contains(['(', '{', '='])).then_some(value)
}

/// Most words between a key and its sign in prose.
const MAX_QUALIFIERS: usize = 7;

/// Measures the word that starts here, as prose writes it.
fn word(rest: &[u8]) -> usize {
    let of_word = |b: &&u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-' | b'.' | b'@' | b'\'' | b'(' | b')' | b'"' | b'/' | 0x80..
            )
    };
    rest.iter().take_while(of_word).count()
}

/// Returns where the value starts after a few words and a colon or verb, as in `password for the
/// database: `.
fn after_qualifier(text: &str, key: &Range<usize>, spaced: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let limit = text.floor_char_boundary(bytes.len().min(spaced + 72));
    if bytes.get(spaced) == Some(&b'\n') {
        return None;
    }
    if let Some(start) = after_wide_colon(&text[spaced..limit]) {
        return Some(skip_blanks(text, spaced + start));
    }
    if spaced == key.end {
        return None;
    }
    let ends = |word: &str| !text[spaced + word.len()..].starts_with(char::is_alphanumeric);
    if ABOUT.of(&text[spaced..]).any(ends) {
        return None;
    }
    let mut at = spaced;
    for words in 0..MAX_QUALIFIERS {
        if words > 0
            && let Some(verb) = COPULAS.of(&text[at..]).next()
            && (verb != "to " || text[spaced..at].contains("from "))
        {
            return after_verb(text, at).or(Some(at + verb.len()));
        }
        let length = word(&bytes[at..limit]);
        if length == 0 {
            return None;
        }
        at += length;
        let rest = bytes.get(at..limit)?;
        if rest.starts_with(b": ") || rest.starts_with(b" : ") || rest.starts_with(b" = ") {
            let sign = rest
                .iter()
                .take_while(|b| matches!(b, b' ' | b':' | b'='))
                .count();
            return Some(at + sign);
        }
        if rest.first() != Some(&b' ') {
            return None;
        }
        at += 1;
    }
    None
}

/// Words after which a sentence tells something about the secret, not the secret.
static ABOUT: Openings<37> = Openings::new([
    "policy",
    "manager",
    "hint",
    "length",
    "field",
    "type",
    "strength",
    "rotation",
    "file",
    "path",
    "method",
    "store",
    "provider",
    "name",
    "url",
    "algorithm",
    "age",
    "complexity",
    "grant",
    "flow",
    "column",
    "input",
    "prompt",
    "hashing",
    "encoder",
    "validator",
    "reset",
    "rules",
    "primaria",
    "foránea",
    "chiave",
    "authentication",
    "expiry",
    "count",
    "format",
    "scanning",
    "version",
]);

/// Returns what follows a fullwidth colon in the same run of characters: `（テスト）：x`.
fn after_wide_colon(rest: &str) -> Option<usize> {
    let word = rest.split([' ', '\n', '。', '，', ':', '=']).next()?;
    let at = word.find('：')?;
    Some(at + '：'.len_utf8())
}

/// Prepositions that tell whom or what a password is for.
static FOR: Openings<30> = Openings::new([
    "for ", "от ", "для ", "к ", "на ", "в ", "de ", "del ", "du ", "des ", "da ", "do ", "di ",
    "pour ", "para ", "per ", "für ", "zum ", "zur ", "zu ", "vom ", "van ", "voor ", "till ",
    "til ", "до ", "від ", "pro ", "k ", "of ",
]);

/// Reads `password for the panel X`, where only its looks tell the value from a name.
fn addressed(text: &str, key: &Range<usize>, spaced: usize) -> Option<Value> {
    if spaced == key.end {
        return None;
    }
    let first = FOR.of(&text[spaced..]).next()?;
    let mut at = spaced + first.len();
    for _ in 0..3 {
        let rest = &text[at..text.floor_char_boundary((at + 48).min(text.len()))];
        let length = rest.find(' ')?;
        let plain = rest[..length]
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if length == 0 || !plain {
            return None;
        }
        at += length + 1;
        let mut value = read(text, at, key, Evidence::Spoken)?;
        let content = &text[value.range.clone()];
        value.range.end -= content.len() - content.trim_end_matches(['.', ',', ';']).len();
        if is_password_like(&text[value.range.clone()]) {
            let content = &text[value.range.clone()];
            value.range.end -= usize::from(content.ends_with('!') && content.len() > 12);
            return Some(value);
        }
    }
    None
}

/// What a sentence says when it comes back to the password that it spoke of.
const LATER: &[&str] = &[
    " set it to ",
    " changed it to ",
    " reset it to ",
    " it to ",
    " it is ",
    " it's ",
];

/// Part of all of them.
static IT: Needle = Needle::new(" it");

/// Reads `password for the panel, I set it to X`, where the value looks like no word.
fn set_later(text: &str, key: &Range<usize>, spaced: usize) -> Option<Value> {
    if spaced == key.end {
        return None;
    }
    let limit = text.floor_char_boundary((spaced + 72).min(text.len()));
    let line = text[spaced..limit].split(['\n', '"', '{', '=']).next()?;
    IT.find(line.as_bytes())?;
    let (at, said) = LATER
        .iter()
        .filter_map(|said| line.find(said).map(|at| (at, said)))
        .min()?;
    let mut value = read(text, spaced + at + said.len(), key, Evidence::Spoken)?;
    let content = &text[value.range.clone()];
    value.range.end -= content.len() - content.trim_end_matches(['.', ',', ';']).len();
    is_password_like(&text[value.range.clone()]).then_some(value)
}

/// Reads the one word on a line of its own below a sentence that ends in a colon.
pub(super) fn below(text: &str, key: &Range<usize>, from: usize) -> Option<Value> {
    let limit = text.floor_char_boundary((from + 96).min(text.len()));
    let line = text[from..limit].find(['\n', '\\'])?;
    if line_break(text[from + line..].trim_start_matches('\r')) == 0 {
        return None;
    }
    let rest = text[from..from + line].trim_end();
    let mut words = rest.split(' ').filter(|word| !word.is_empty());
    let of_words = |word: &str| {
        word.chars()
            .all(|c| c.is_alphabetic() || matches!(c, ',' | '\'' | '-' | ':'))
    };
    if !(rest.is_empty() || rest.ends_with([':', '：']) && words.all(of_words)) {
        return None;
    }
    let start = skip_whitespace(text, from + line);
    let value = read(text, start, key, Evidence::Spoken)?;
    let content = &text[value.range.clone()];
    let after = &text[(value.range.end + usize::from(value.quoted)).min(text.len())..];
    let alone = after.is_empty() || after.starts_with(['\r', '"']) || line_break(after) > 0;
    let telling =
        is_dense(content) && looks_random(content, 8) && !content.contains(['(', '/', '=']);
    (alone && telling).then_some(value)
}

/// Tells whether a word can hardly be a name: letters and digits with a sign that names lack, or
/// capitals among them.
fn is_password_like(content: &str) -> bool {
    let has = |test: fn(&u8) -> bool| content.as_bytes().iter().any(test);
    let signs = has(|b| matches!(b, b'!' | b'*' | b'?' | b'$' | b'#' | b'%' | b'^' | b'~'));
    let cases = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    content.len() >= 8
        && is_dense(content)
        && !content.contains(['/', '(', ':', '=', ')'])
        && (signs || cases && looks_random(content, 8))
}

/// Reads the value that was replaced, in `password from x to y`.
pub(in crate::scan) fn former(text: &str, key: &Range<usize>, value: &Value) -> Option<Value> {
    let between = text.get(key.end..value.range.start)?;
    if between.len() > 96 {
        return None;
    }
    let Some(place) = between.find(" from ") else {
        return latter(text, key, value);
    };
    let at = key.end + place + " from ".len();
    let former = read(text, at, key, Evidence::Spoken)?;
    let joint = &text[(former.range.end + usize::from(former.quoted)).min(text.len())..];
    (joint.starts_with(" to ") && former.range.end < value.range.start).then_some(former)
}

/// Reads the value that replaces one, as plans show it: `"x" -> "y"`.
fn latter(text: &str, key: &Range<usize>, value: &Value) -> Option<Value> {
    let rest = text.get(value.range.end + 1..).filter(|_| value.quoted)?;
    let joint = [" -> \"", " => \"", " -> '"]
        .iter()
        .find(|joint| rest.starts_with(**joint))?;
    let start = value.range.end + joint.len();
    read(text, start, key, value.evidence)
}

#[cfg(test)]
mod tests {
    use crate::scan::{assignment, masked_by};

    fn masked(text: &str) -> Vec<&str> {
        masked_by(assignment::find, text)
    }

    #[test]
    fn sentences_in_many_languages() {
        for (text, secret) in [
            (
                "Le mot de passe du serveur de sauvegarde est “birch_fennel48”.",
                "birch_fennel48",
            ),
            (
                "la contraseña del panel es S4lm0n_l4dd3r, no la compartas",
                "S4lm0n_l4dd3r",
            ),
            (
                "a sua senha provisória é Rabbit282_. Altere-a hoje.",
                "Rabbit282_",
            ),
            ("пароль от админки Zinnia35!, никому", "Zinnia35!"),
            ("Şifre: J00AacPF*iU", "J00AacPF*iU"),
            ("Lösenordet till servern är kQ8_zebra1", "kQ8_zebra1"),
            (
                "Das Passwort für den Server lautet kQ8_zebra1.",
                "kQ8_zebra1",
            ),
            ("数据库密码（测试环境）：kQ8_zebra1", "kQ8_zebra1"),
            ("비밀번호는 kQ8_zebra1 입니다", "kQ8_zebra1"),
            ("mật khẩu là kQ8_zebra1", "kQ8_zebra1"),
            ("kata sandi server adalah kQ8_zebra1", "kQ8_zebra1"),
            (
                "The passphrase for the signing key is bramble-zinnia-heron-mango.",
                "bramble-zinnia-heron-mango",
            ),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn the_replaced_value_too() {
        let text = "Changed the postgres password from Mango440_ to W0mb4th3r0n18 at 14:02.";
        assert_eq!(masked(text), ["Mango440_", "W0mb4th3r0n18"]);
    }

    #[test]
    fn sentences_without_a_value_stay() {
        for text in [
            "the password for host web01 was rotated",
            "the password for user admin42 has expired",
            "password for db-server01 is missing",
            "the password must be end-to-end encrypted",
            "le mot de passe du serveur est obligatoire",
            "the password for the account is case-sensitive",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
