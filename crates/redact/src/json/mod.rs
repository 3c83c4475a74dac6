//! JSON: keys and strings by the catalogue, and what a sensitive key governs.

mod escapes;
pub(crate) mod source;
mod stack;
mod syntax;
pub(crate) mod value;

use std::borrow::Cow;
use std::cell::Cell;

use crate::class::{Class, PASSWORD};
use crate::context::Context;
use crate::gate::{self, Families};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::span::Span;
use crate::{text, value as judged};

/// Fewer digits are only a secret under a telling key.
const MIN_DIGITS: usize = 9;
/// Nesting beyond which a value is masked as a whole.
pub(crate) const MAX_DEPTH: usize = 128;

/// What the surroundings of a value say about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Governed(pub(crate) Sensitivity);

impl Governed {
    pub(crate) const FREE: Self = Self(Sensitivity::None);

    /// Derives what governs the value under a key.
    ///
    /// A strong key governs everything below it; a container of credentials makes every string
    /// below it suspect.
    ///
    /// The key is given as it reads after redaction and judged without markers, so that a masked
    /// key governs the same as before.
    pub(crate) fn under(self, key: &str) -> Self {
        let key = &*marker::strip(key);
        let own = key::classify(key);
        let inherited = if self.0 == Sensitivity::Strong {
            Sensitivity::Strong
        } else {
            self.0.min(Sensitivity::Medium)
        };
        let container = if key::is_container(key) {
            Sensitivity::Medium
        } else {
            Sensitivity::None
        };
        Self(own.max(inherited).max(container))
    }

    /// Derives what governs the value beside a name, if that is a name and not a sentence.
    pub(crate) fn named(self, name: &str, context: &Context<'_>) -> Self {
        let of_name =
            |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '[' | ']' | ':');
        // A JSON pointer's last segment names the value (RFC 6901).
        let name = match name.strip_prefix('/') {
            Some(pointer) => pointer.rsplit('/').next().unwrap_or(pointer),
            None => name,
        };
        if name.len() <= 64 && name.chars().all(of_name) {
            self.under(&text::redact(name, context))
        } else {
            self
        }
    }

    /// Tells as what a number in this place is masked, if it is.
    pub(crate) fn masks_number(
        self,
        label: &Label<'_>,
        digits: &str,
        context: &Context<'_>,
    ) -> Option<Class> {
        let class = if self.0 == Sensitivity::Strong {
            Some(PASSWORD)
        } else {
            class_of_number(label, digits, context)
        };
        class.filter(|class| !context.allows(digits, &label.text, *class))
    }

    /// Tells whether this string is masked as a whole; markers alone never are.
    pub(crate) fn masks(self, text: &str) -> bool {
        judged::is_secret(text, self.0, true)
            && !marker::only_markers(text, &(0..text.len()), &marker::find(text))
    }
}

thread_local! {
    /// The last labelled value, whose memory the next one takes.
    static SPARE: Cell<String> = const { Cell::new(String::new()) };
}

/// The name of a value as it reads after redaction, empty in a list.
#[derive(Clone, Default)]
pub(crate) struct Label<'a> {
    pub(crate) text: Cow<'a, str>,
    /// What the name by itself could concern.
    families: Families,
}

impl<'a> Label<'a> {
    pub(crate) fn new(text: Cow<'a, str>) -> Self {
        let families = gate::families(&text);
        Self { text, families }
    }

    /// Writes the name before a value, and calls back with both and with where the value starts.
    fn before<R>(&self, value: &str, call: impl FnOnce(&str, usize) -> R) -> R {
        let mut labelled = SPARE.take();
        labelled.clear();
        labelled.push_str(&self.text);
        labelled.push_str(": ");
        let from = labelled.len();
        labelled.push_str(value);
        let result = call(&labelled, from);
        SPARE.set(labelled);
        result
    }

    /// Tells whether it says what a value is that would else be ordinary text.
    pub(crate) fn is_telling(&self) -> bool {
        const TELLING: Families = Families::HTTP
            .or(Families::NUMBER)
            .or(Families::RECOVERY)
            .or(Families::PHRASE)
            .or(Families::LINES);
        self.families.has(TELLING)
            || key::last_word(&self.text).is_some_and(|word| word.eq_ignore_ascii_case("cookie"))
    }
}

/// Judges digits with their key beside them, since a key tells an order from a card.
pub(crate) fn class_of_number(
    label: &Label<'_>,
    digits: &str,
    context: &Context<'_>,
) -> Option<Class> {
    if digits.len() < MIN_DIGITS && label.families == Families::NONE {
        return None;
    }
    label.before(digits, |labelled, from| {
        let found = text::find_all(labelled, context);
        let own = found.into_iter().find(|span| span.range.start >= from);
        own.map(|span| span.class)
    })
}

/// Finds what a string holds with the label before it that its place gives: a cookie, a number of
/// some kind, a phrase.
pub(crate) fn find_labelled(label: &Label<'_>, content: &str, context: &Context<'_>) -> Vec<Span> {
    label.before(content, |labelled, from| {
        text::find_all(labelled, context)
            .into_iter()
            .filter(|span| span.range.end > from)
            .map(|span| span.moved_back(from))
            .collect()
    })
}

/// Tells whether a string is a number in its usual groups.
pub(crate) fn is_number(text: &str) -> bool {
    (3..=32).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'-'))
}

impl Governed {
    /// Tells whether any value here is secret.
    pub(crate) fn is_strong(self) -> bool {
        self.0 == Sensitivity::Strong
    }

    /// Returns the stricter of two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

/// Derives what governs an element after a name: a `[header, value]` pair or a flag's argument.
pub(crate) fn beside(
    name: &str,
    governed: Governed,
    siblings: usize,
    context: &Context<'_>,
) -> Governed {
    if siblings == 2 || name.starts_with('-') {
        governed.named(name, context)
    } else {
        governed
    }
}

/// Tells whether this member is the name of a `{name, value}` pair, as `name`, `ParameterKey` or
/// `header`.
pub(crate) fn is_name_key(key: &str) -> bool {
    const NAMES: &[&str] = &[
        "name", "key", "header", "variable", "field", "param", "option",
    ];
    key::last_word(key).is_some_and(|word| NAMES.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// Tells whether this member is the JSON pointer to a value (RFC 6902, section 4).
pub(crate) fn is_pointer(key: &str, content: &str) -> bool {
    key == "path" && content.starts_with('/')
}

/// Returns the name in a `{name, value}` pair, or else the pointer.
pub(crate) fn pair_name<'a>(
    members: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) -> Option<&'a str> {
    let mut pointer = None;
    for (key, value) in members {
        match value {
            Some(value) if is_name_key(key) => return Some(value),
            Some(value) if is_pointer(key, value) => pointer = pointer.or(Some(value)),
            _ => {}
        }
    }
    pointer
}

/// Tells what an object of this type holds (Terraform state, the `random` and `tls` providers).
pub(crate) fn is_generated_secret(key: &str, content: &str) -> bool {
    key == "type" && matches!(content, "random_password" | "tls_private_key")
}

/// Tells whether this member is the value of a `{name, value}` pair.
pub(crate) fn is_value_key(key: &str) -> bool {
    const VALUES: &[&str] = &["value", "val", "content", "data"];
    key::last_word(key)
        .is_some_and(|word| VALUES.iter().any(|value| value.eq_ignore_ascii_case(word)))
}
