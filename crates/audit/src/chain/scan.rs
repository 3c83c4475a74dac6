//! Finds an entry's links in its stored bytes without parsing the rest.

use precedent_core::Digest;

/// The members that the fast verification needs.
pub(super) struct Links<'a> {
    pub(super) prev: Option<Digest>,
    pub(super) seq: u64,
    pub(super) ts: &'a str,
}

/// Reads `prev`, `seq` and `ts`; `None` when the bytes do not have them where the form puts them.
///
/// Searching from the end is sound for canonical bytes: behind `prev` only strings and integers
/// follow, and inside a string the quotes of the needle would be escaped.
pub(super) fn links(bytes: &[u8]) -> Option<Links<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (_, tail) = text.rsplit_once(",\"prev\":")?;
    let prev = if tail.starts_with("null,\"purpose\":") {
        None
    } else {
        let (hex, rest) = tail.strip_prefix('"')?.split_at_checked(64)?;
        if !rest.starts_with("\",\"purpose\":") {
            return None;
        }
        Some(hex.parse().ok()?)
    };
    let (_, tail) = tail.rsplit_once(",\"seq\":")?;
    let (digits, tail) = tail.split_once(",\"ts\":\"")?;
    let (ts, _) = tail.split_once('"')?;
    Some(Links {
        prev,
        seq: digits.parse().ok()?,
        ts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::Entry;

    #[test]
    fn agrees_with_the_parser_on_the_vectors() {
        for line in include_str!("../../tests/vectors/entries.jsonl").lines() {
            let entry = Entry::parse(line.as_bytes()).unwrap();
            let found = links(line.as_bytes()).unwrap();
            assert_eq!(
                (found.prev, found.seq, found.ts),
                (entry.prev, entry.seq, &*entry.ts.to_string())
            );
        }
    }

    #[test]
    fn is_not_misled_by_detail_or_purpose() {
        let line = include_str!("../../tests/vectors/entries.jsonl")
            .lines()
            .nth(1)
            .unwrap();
        let mut entry = Entry::parse(line.as_bytes()).unwrap();
        let decoy = serde_json::json!({"prev": null, "purpose": "x", "seq": 9, "ts": 1});
        entry.detail = decoy.as_object().cloned();
        entry.purpose = r#"x","prev":null,"purpose":"y","seq":9,"ts":"#.to_owned();
        let bytes = entry.canonical().unwrap();
        let found = links(&bytes).unwrap();
        assert_eq!(
            (found.prev, found.seq, found.ts),
            (entry.prev, entry.seq, &*entry.ts.to_string())
        );
    }

    #[test]
    fn bytes_without_links_have_none() {
        for bytes in [
            &b""[..],
            b"{}",
            b"\xff",
            br#"{"a":1,"prev":nul,"purpose":"","seq":1,"ts":1"#,
        ] {
            assert!(links(bytes).is_none());
        }
    }
}
