//! A vendor's token that the end of the text cuts off.

use super::bytes::starts_token;
use super::vendor_shapes::{Demand, Part, SHAPES, Set, Shape};
use crate::entropy::is_hex;
use crate::span::{Span, Stage};
use crate::value::looks_random;

/// Least part of a token's body that is recognised after its prefix.
const MIN_BODY: usize = 6;
/// Shortest prefix that tells a token without its whole body.
const MIN_PREFIX: usize = 4;
/// How much of the end is looked at, in bytes.
const MAX_TAIL: usize = 512;

/// Finds the start of a token at the end of a text that is no whole line: a distinctive prefix
/// and some of the body, too little for the rule itself.
pub(crate) fn find(text: &str) -> Option<Span> {
    let content = text.trim_end_matches(['.', '\u{2026}']);
    let floor = content.ceil_char_boundary(content.len().saturating_sub(MAX_TAIL));
    let start = content[floor..]
        .rfind(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | '`' | '(' | '<' | '['))
        .map_or(floor, |at| content.ceil_char_boundary(floor + at + 1));
    SHAPES
        .iter()
        .filter(|shape| shape.lead.is_none() && shape.prefix.len() >= MIN_PREFIX)
        .find_map(|shape| begun(shape, content, start))
}

fn begun(shape: &Shape, content: &str, start: usize) -> Option<Span> {
    let at = start + content[start..].rfind(shape.prefix)?;
    let body = &content[at + shape.prefix.len()..];
    let (set, least) = match shape.parts.first()? {
        Part::Run(set, least) | Part::Exactly(set, least) => (*set, *least),
        Part::Text(_) => return None,
    };
    // A body of full length is for the rule itself to judge, and digests follow many a word.
    let plain = matches!(shape.demand, Demand::Nothing | Demand::Mixed);
    let of_body = |b: u8| set.has(b) || matches!(b, b'_' | b'-' | b'.') && set.has_separators();
    let cut = plain
        && body.len() < least
        && starts_token(content.as_bytes(), at)
        && body.bytes().all(of_body)
        && !is_hex(body)
        && looks_random(body, MIN_BODY);
    cut.then(|| Span::new(at..content.len(), shape.class, Stage::Vendor).by(shape.id))
}

impl Set {
    /// Tells whether bodies of this alphabet hold separators anyway.
    fn has_separators(self) -> bool {
        self.has(b'-') && self.has(b'_')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_token_is_found() {
        let found = |text: &str| find(text).map(|span| text[span.range].to_owned());
        for token in [
            "ghp_x1Y2z3",
            "AKIA7QX2M9",
            "sk-ant-api03-Zx8K2p",
            "glpat-x9Q_b2",
        ] {
            assert_eq!(found(&format!("push {token}")).as_deref(), Some(token));
            assert_eq!(
                found(&format!("\"t\": \"{token}...")).as_deref(),
                Some(token)
            );
        }
        for text in [
            "ghp_",
            "ghp_abc",
            "see npm_config",
            "ghp_x1Y2z3 and",
            "ghp_x1Y2z3\n",
            "xxghp_x1Y2z3",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
