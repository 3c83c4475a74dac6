//! The private members of JSON Web Keys and the ciphertext of key stores, which stand in an object
//! beside public ones.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::bytes::{Needle, is_base64, run_end};
use crate::class::{PRIVATE_KEY, WALLET};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Shortest private member: 128 bits in base64url.
const MIN_MEMBER: usize = 16;
/// Longest object that is looked at around its type.
const MAX_OBJECT: usize = 8 * 1024;

const MEMBER: &str = "json-web-key-private-member";
const KEYSTORE: &str = "ethereum-keystore-ciphertext";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: MEMBER,
        class: PRIVATE_KEY,
        source: "RFC 7518, sections 6.2.2, 6.3.2 and 6.4; RFC 8037, section 2",
    },
    Rule {
        id: KEYSTORE,
        class: WALLET,
        source: "Ethereum, Web3 secret storage definition, version 3",
    },
];

/// Lists the members that tell the objects.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["kty", "kdfparams"]
        .into_iter()
        .map(|text| Entry::exact(text, Families::ARMOUR))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    static KEY_TYPE: Needle = Needle::new("kty");
    for at in KEY_TYPE.find_iter(bytes) {
        if at < done {
            continue;
        }
        let object = around(bytes, at, done);
        done = object.end;
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] {
            if let Some(member) = member(bytes, &object, name, is_base64) {
                spans.push(Span::new(member, PRIVATE_KEY, Stage::Structure).by(MEMBER));
            }
        }
    }
    static PARAMETERS: Needle = Needle::new("kdfparams");
    if PARAMETERS.find(bytes).is_some() {
        let all = 0..bytes.len();
        if let Some(member) = member(bytes, &all, "ciphertext", |b| b.is_ascii_hexdigit()) {
            spans.push(Span::new(member, WALLET, Stage::Structure).by(KEYSTORE));
        }
    }
}

/// Returns the flat object around this place.
fn around(bytes: &[u8], at: usize, floor: usize) -> Range<usize> {
    let floor = floor.max(at.saturating_sub(MAX_OBJECT));
    let start = memrchr(b'{', &bytes[floor..at]).map_or(floor, |open| floor + open);
    let limit = bytes.len().min(at + MAX_OBJECT);
    let end = memchr(b'}', &bytes[at..limit]).map_or(limit, |close| at + close);
    start..end
}

/// Finds the value of a string member: `"name": "value"`, with quotes of either kind, escaped or
/// not.
fn member(
    bytes: &[u8],
    object: &Range<usize>,
    name: &str,
    accept: fn(u8) -> bool,
) -> Option<Range<usize>> {
    let within = &bytes[object.clone()];
    memmem::find_iter(within, name).find_map(|at| {
        let quote = within[..at].last().filter(|b| matches!(b, b'"' | b'\''))?;
        let after = at + name.len();
        let signs = within[after..].iter().take(24);
        let signs = signs.take_while(|b| matches!(b, b'"' | b'\'' | b'\\' | b':' | b' ' | b'\n'));
        let start = after + signs.count();
        let colon = memchr(b':', &within[after..start]);
        let quoted = within[after..start].last() == Some(quote);
        let end = run_end(within, start, MAX_OBJECT, accept);
        (colon.is_some() && quoted && end - start >= MIN_MEMBER)
            .then(|| object.start + start..object.start + end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn private_members_only() {
        // The example of RFC 8037, appendix A.1.
        let d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        for text in [
            format!("{{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"{d}\",\"x\":\"{x}\"}}"),
            format!(
                "key: {{\\\"kty\\\": \\\"OKP\\\", \\\"x\\\": \\\"{x}\\\", \\\"d\\\": \\\"{d}\\\"}}"
            ),
            format!("{{'d': '{d}', 'kty': 'EC'}}"),
            format!("{{\"k\":\"{d}\",\"kty\":\"oct\"}}"),
        ] {
            assert_eq!(masked(&text), [d], "{text}");
        }
        assert_eq!(
            masked(&format!("{{\"kty\":\"OKP\",\"x\":\"{x}\"}}")),
            Vec::<&str>::new()
        );
        let cipher = "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46";
        let store = format!("{{\"crypto\":{{\"ciphertext\":\"{cipher}\",\"kdfparams\":{{}}}}}}");
        assert_eq!(masked(&store), [cipher]);
    }
}
