//! Reads the twelve members of an entry in their canonical order.

use precedent_core::{Digest, Timestamp};
use serde_json::{Map, Value};

use super::{CanonicalFault, ENTRY_VERSION, Entry, MEMBERS};
use crate::json::{JsonFault, Reader};
use crate::time::parse_timestamp;

/// Reads an entry; the rules on its values are the caller's to check.
pub(super) fn entry(bytes: &[u8]) -> Result<Entry, CanonicalFault> {
    let mut entry = EntryReader {
        reader: Reader::new(bytes)?,
        next: 0,
    };
    entry.reader.expect(b'{')?;
    let parsed = Entry {
        actor: entry.text()?,
        agent_id: entry.text()?,
        detail: entry.detail()?,
        memory_id: entry.optional()?,
        namespace: entry.text()?,
        op: entry.text()?,
        prev: entry.prev()?,
        purpose: entry.text()?,
        result: entry.text()?,
        seq: entry.unsigned()?,
        ts: entry.timestamp()?,
    };
    if entry.unsigned()? != ENTRY_VERSION {
        return Err(CanonicalFault::Version);
    }
    entry.finish()?;
    Ok(parsed)
}

/// Reads the twelve members in order.
struct EntryReader<'a> {
    reader: Reader<'a>,
    next: usize,
}

impl EntryReader<'_> {
    /// Reads the next member's name and returns the one that it must be.
    fn name(&mut self) -> Result<&'static str, CanonicalFault> {
        let expected = MEMBERS[self.next];
        if self.next > 0 && !self.reader.more(b'}')? {
            return Err(CanonicalFault::MissingMember(expected));
        }
        if self.next == 0 && self.reader.peek()? == b'}' {
            return Err(CanonicalFault::MissingMember(expected));
        }
        let found = self.reader.member_name()?;
        if found != expected {
            return Err(self.misplaced(&found));
        }
        self.next += 1;
        Ok(expected)
    }

    /// Says what is wrong with a name that is not the next one.
    fn misplaced(&self, found: &str) -> CanonicalFault {
        match MEMBERS.iter().position(|name| *name == found) {
            None => CanonicalFault::UnknownMember,
            Some(at) if at + 1 == self.next => CanonicalFault::DuplicateMember(MEMBERS[at]),
            Some(at) if at < self.next => CanonicalFault::MemberOrder(MEMBERS[at]),
            Some(_) => CanonicalFault::MissingMember(MEMBERS[self.next]),
        }
    }

    fn text(&mut self) -> Result<String, CanonicalFault> {
        let name = self.name()?;
        self.text_value(name)
    }

    fn text_value(&mut self, name: &'static str) -> Result<String, CanonicalFault> {
        if self.reader.peek()? != b'"' {
            return Err(self.wrong_type(name));
        }
        Ok(self.reader.string()?)
    }

    fn optional(&mut self) -> Result<Option<String>, CanonicalFault> {
        let name = self.name()?;
        if self.reader.null()? {
            Ok(None)
        } else {
            self.text_value(name).map(Some)
        }
    }

    fn prev(&mut self) -> Result<Option<Digest>, CanonicalFault> {
        match self.optional()? {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| CanonicalFault::Prev),
        }
    }

    fn timestamp(&mut self) -> Result<Timestamp, CanonicalFault> {
        parse_timestamp(&self.text()?).ok_or(CanonicalFault::Timestamp)
    }

    fn detail(&mut self) -> Result<Option<Map<String, Value>>, CanonicalFault> {
        let name = self.name()?;
        if self.reader.null()? {
            return Ok(None);
        }
        if self.reader.peek()? != b'{' {
            return Err(self.wrong_type(name));
        }
        Ok(Some(self.reader.object(1)?))
    }

    fn unsigned(&mut self) -> Result<u64, CanonicalFault> {
        let name = self.name()?;
        if !matches!(self.reader.peek()?, b'-' | b'0'..=b'9') {
            return Err(self.wrong_type(name));
        }
        let value = self.reader.integer()?;
        u64::try_from(value).map_err(|_| CanonicalFault::WrongType(name))
    }

    /// Tells a value of another type from bytes that start no value at all.
    fn wrong_type(&self, name: &'static str) -> CanonicalFault {
        match self.reader.peek() {
            Ok(b'"' | b'[' | b'{' | b'-' | b'0'..=b'9' | b'n' | b't' | b'f') => {
                CanonicalFault::WrongType(name)
            }
            Ok(_) => JsonFault::UnexpectedByte(self.reader.offset()).into(),
            Err(fault) => fault.into(),
        }
    }

    fn finish(mut self) -> Result<(), CanonicalFault> {
        if self.reader.more(b'}')? {
            let found = self.reader.member_name()?;
            return Err(self.misplaced(&found));
        }
        Ok(self.reader.end()?)
    }
}
