//! The audit entry and its canonical bytes, which are what is hashed and what is stored.
//!
//! The form is RFC 8785 (JCS) over twelve members that are always present. Every rule is enforced
//! before hashing, so that no two entries share bytes and no entry has two spellings.

mod read;

use serde_json::{Map, Value};

use crate::hash;
use crate::json::{self, JsonFault};
use precedent_core::{Digest, Timestamp};

/// The entry format's version, the member `v`.
pub const ENTRY_VERSION: u64 = 1;

/// Largest canonical entry in bytes. A tlog-tiles bundle (C2SP) could carry 65,535.
pub const MAX_ENTRY_BYTES: usize = 16 * 1024;

/// The members in canonical order.
const MEMBERS: [&str; 12] = [
    "actor",
    "agent_id",
    "detail",
    "memory_id",
    "namespace",
    "op",
    "prev",
    "purpose",
    "result",
    "seq",
    "ts",
    "v",
];

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who asked: a keyed pseudonym, or `system`.
    pub actor: String,
    /// The agent that acted.
    pub agent_id: String,
    /// The operation's particulars: no free text, no content, no unkeyed content hash.
    pub detail: Option<Map<String, Value>>,
    /// The memory acted on, where there is one.
    pub memory_id: Option<String>,
    /// The namespace acted in.
    pub namespace: String,
    /// The operation, such as `write` or `forget`.
    pub op: String,
    /// The previous entry's hash; absent in entry 0 only.
    pub prev: Option<Digest>,
    /// The purpose that the caller declared.
    pub purpose: String,
    /// The outcome, such as `ok` or `denied`.
    pub result: String,
    /// The position in the log, from 0 without gaps.
    pub seq: u64,
    /// When; written as RFC 3339 UTC with exactly three fractional digits and `Z`.
    pub ts: Timestamp,
}

/// Says which rule an entry breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalFault {
    /// The JSON is not canonical or outside the admitted subset.
    #[error(transparent)]
    Json(#[from] JsonFault),
    /// A member is absent.
    #[error("member {0} is missing: write all twelve members, null where there is no value")]
    MissingMember(&'static str),
    /// A member occurs twice.
    #[error("member {0} occurs twice: keep one")]
    DuplicateMember(&'static str),
    /// A member is out of order.
    #[error("member {0} is out of order: sort the members")]
    MemberOrder(&'static str),
    /// A member that this version does not know.
    #[error("unknown member: this version has exactly twelve members")]
    UnknownMember,
    /// A member has a value of another type than its own.
    #[error("member {0} has the wrong type: see the entry format")]
    WrongType(&'static str),
    /// `ts` is not RFC 3339 UTC with three fractional digits and `Z`.
    #[error("ts is not an rfc 3339 utc time with milliseconds and z: reformat it")]
    Timestamp,
    /// An identifier holds U+0000.
    #[error("member {0} holds u+0000: remove it")]
    NulCharacter(&'static str),
    /// `prev` is not 64 lowercase hexadecimal digits.
    #[error("prev is not 64 lowercase hexadecimal digits: give the previous entry's hash")]
    Prev,
    /// `v` is not 1.
    #[error("entry version is not 1: use a verifier that knows it")]
    Version,
    /// The entry is larger than [`MAX_ENTRY_BYTES`].
    #[error("entry of {0} bytes is over 16384: shorten its detail")]
    TooLarge(usize),
}

impl Entry {
    /// Writes the canonical bytes.
    ///
    /// # Errors
    /// Names the first rule of the format that the entry breaks.
    pub fn canonical(&self) -> Result<Vec<u8>, CanonicalFault> {
        self.check()?;
        let mut out = Vec::with_capacity(512);
        let mut member = Members::new(&mut out);
        member.text("actor", &self.actor);
        member.text("agent_id", &self.agent_id);
        member.detail(self.detail.as_ref())?;
        member.optional("memory_id", self.memory_id.as_deref());
        member.text("namespace", &self.namespace);
        member.text("op", &self.op);
        member.optional("prev", self.prev.map(|hash| hash.to_string()).as_deref());
        member.text("purpose", &self.purpose);
        member.text("result", &self.result);
        member.integer("seq", self.seq)?;
        member.text("ts", &self.ts.to_string());
        member.integer("v", ENTRY_VERSION)?;
        out.push(b'}');
        within_limit(out.len())?;
        Ok(out)
    }

    /// Parses bytes that must already be canonical; `canonical` of the result gives them back.
    ///
    /// # Errors
    /// Names the first deviation.
    pub fn parse(bytes: &[u8]) -> Result<Self, CanonicalFault> {
        within_limit(bytes.len())?;
        let parsed = read::entry(bytes)?;
        parsed.check()?;
        Ok(parsed)
    }

    /// Hashes the canonical bytes with the leaf prefix of RFC 6962.
    ///
    /// # Errors
    /// As [`Entry::canonical`].
    pub fn hash(&self) -> Result<Digest, CanonicalFault> {
        self.canonical().map(|bytes| hash::leaf(&bytes))
    }

    /// Checks the rules on values, which the types do not carry.
    fn check(&self) -> Result<(), CanonicalFault> {
        let identifiers = [
            ("actor", Some(&self.actor)),
            ("agent_id", Some(&self.agent_id)),
            ("memory_id", self.memory_id.as_ref()),
            ("namespace", Some(&self.namespace)),
            ("op", Some(&self.op)),
            ("purpose", Some(&self.purpose)),
            ("result", Some(&self.result)),
        ];
        for (name, value) in identifiers {
            if value.is_some_and(|value| value.contains('\0')) {
                return Err(CanonicalFault::NulCharacter(name));
            }
        }
        Ok(())
    }
}

fn within_limit(bytes: usize) -> Result<(), CanonicalFault> {
    if bytes > MAX_ENTRY_BYTES {
        Err(CanonicalFault::TooLarge(bytes))
    } else {
        Ok(())
    }
}

/// Writes members in the order in which they are given.
struct Members<'a> {
    out: &'a mut Vec<u8>,
    separator: u8,
}

impl<'a> Members<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        Self {
            out,
            separator: b'{',
        }
    }

    fn name(&mut self, name: &str) {
        self.out.push(self.separator);
        self.separator = b',';
        json::write_string(name, self.out);
        self.out.push(b':');
    }

    fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        json::write_string(value, self.out);
    }

    fn optional(&mut self, name: &str, value: Option<&str>) {
        self.name(name);
        match value {
            Some(value) => json::write_string(value, self.out),
            None => self.out.extend_from_slice(b"null"),
        }
    }

    fn integer(&mut self, name: &str, value: u64) -> Result<(), JsonFault> {
        self.name(name);
        let value = i64::try_from(value).map_err(|_| JsonFault::IntegerRange)?;
        json::write_integer(value, self.out)
    }

    fn detail(&mut self, detail: Option<&Map<String, Value>>) -> Result<(), JsonFault> {
        self.name("detail");
        match detail {
            Some(members) => json::write_object(members, self.out, 1),
            None => {
                self.out.extend_from_slice(b"null");
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
