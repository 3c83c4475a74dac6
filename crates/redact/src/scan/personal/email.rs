//! Addresses of mail (RFC 5321, section 4.1.2; RFC 6531 for letters beyond ASCII).

use crate::class::EMAIL;
use crate::rule::Rule;
use crate::span::Span;

const ID: &str = "email-address";
/// Longest parts before and after the `@` (RFC 5321, section 4.5.3.1).
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 255;

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: EMAIL,
    source: "RFC 5321, section 4.1.2; RFC 6531",
}];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for at in memchr::memchr_iter(b'@', text.as_bytes()) {
        let floor = text.ceil_char_boundary(at.saturating_sub(MAX_LOCAL));
        let head = text[floor..at].chars().rev();
        let local: usize = head
            .take_while(|c| c.is_alphanumeric() || "._%+-'!#$&*=?^~".contains(*c))
            .map(char::len_utf8)
            .sum();
        let local = text[at - local..at].trim_start_matches(['.', '\'', '=', '?', '&', '-', '#']);
        // In `a=ann@…` and `to:ann@…` the name before the sign is no part of it.
        let local = local.rsplit(['=', '&', '?']).next().unwrap_or(local);
        let limit = text.floor_char_boundary(text.len().min(at + 1 + MAX_DOMAIN));
        let rest = &text[at + 1..limit];
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-')))
            .unwrap_or(rest.len());
        let domain = rest[..length].trim_end_matches(['.', '-']);
        if !local.is_empty() && !local.ends_with('.') && is_domain(domain) {
            let range = at - local.len()..at + 1 + domain.len();
            spans.push(super::span(range, EMAIL, ID));
        }
    }
}

/// Tells whether this is a name of at least two labels, the last of letters.
fn is_domain(domain: &str) -> bool {
    let mut labels = domain.split('.');
    let last = labels.next_back().unwrap_or("");
    let letters = last.chars().count() >= 2 && last.chars().all(char::is_alphabetic);
    let asset = matches!(
        last,
        "png" | "jpg" | "jpeg" | "svg" | "webp" | "gif" | "js" | "css"
    );
    letters && !asset && labels.clone().count() > 0 && labels.all(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn addresses_and_what_resembles_them() {
        for (text, address) in [
            (
                "write to ann.lee+x@mail.example.com.",
                "ann.lee+x@mail.example.com",
            ),
            ("<ann@example.org>", "ann@example.org"),
            ("mailto:ann@example.org?subject=x", "ann@example.org"),
            ("?email=ann@example.org&x=1", "ann@example.org"),
            ("用户jörg@例子.公司", "用户jörg@例子.公司"),
        ] {
            assert_eq!(masked_by(find, text), [address], "{text}");
        }
        for text in [
            "npm i @types/node",
            "logo@2x.png",
            "user@host",
            "a@b.1",
            "@media",
            "x @ y.com",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
