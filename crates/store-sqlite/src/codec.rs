//! Rows to values and back; every text that is read is cleaned again.

use std::collections::BTreeMap;
use std::str::FromStr;

use precedent_core::audit::{SealedCertificate, SealedEntry};
use precedent_core::{
    ActionKeys, Alias, Claim, CleanText, Contradiction, ContradictionId, Control, Digest, Entity,
    EntityId, FileState, Memory, MemoryId, Mention, Name, Namespace, Receipt, Redactor, Resolution,
    Revision, Rule, Salience, Standing, Timestamp, ToolEvent, Verdict, clean_pair,
};
use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};
use serde_json::Value;

use crate::error::{Failure, Fallible};

/// Columns of a [`Memory`], in the order in which [`Reader::memory`] reads them.
pub(crate) const MEMORY: &str = "id, kind, namespace, owner, agent, actor, text, tags, source, \
     trust, context, salience, valid_from, valid_to, recorded_at, retired_at, state, supersedes, \
     superseded_by, version, readers, classification, claim, mentions, derived_from";
/// Columns of a [`Contradiction`].
pub(crate) const CONTRADICTION: &str =
    "id, older, younger, basis, opened_at, kept, verdict, resolved_at";
/// Columns of an [`Entity`], but for its names.
pub(crate) const ENTITY: &str = "id, namespace, agent, owner, readers, recorded_at";
/// Columns of a [`ToolEvent`].
pub(crate) const EVENT: &str = "id, namespace, agent, owner, session, host, tool, exact, shape, \
     family, credential, lookup, command, cwd, project, files, outcome, error, output, \
     input_digest, output_digest, exit_code, duration_ms, receipt, at";
/// Columns of a [`Rule`].
pub(crate) const RULE: &str = "id, memory, namespace, agent, owner, project, severity, control, \
     keys, recorded_at";
/// Columns of a [`Receipt`].
pub(crate) const RECEIPT: &str = "id, namespace, agent, session, tool_use, tool, exact, shape, \
     family, decision, risk, evidence, at, closed_by";
/// Columns of a [`SealedCertificate`].
pub(crate) const CERTIFICATE: &str = "id, stage, payload_sha256, envelope, seq";
/// Columns of a [`SealedEntry`].
pub(crate) const ENTRY: &str = "seq, entry, leaf, op, result, memory, namespace, actor, at";

/// Reads columns one after the other.
pub(crate) struct Reader<'a> {
    row: &'a Row<'a>,
    redactor: &'a Redactor,
    next: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first column.
    pub(crate) fn new(row: &'a Row<'a>, redactor: &'a Redactor) -> Self {
        Self {
            row,
            redactor,
            next: 0,
        }
    }

    fn column(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn raw<T: FromSql>(&mut self) -> Fallible<T> {
        let column = self.column();
        Ok(self.row.get(column)?)
    }

    fn str(&mut self) -> Fallible<&'a str> {
        let column = self.column();
        text_of(self.row, column)
    }

    fn parsed<T: FromStr>(&mut self) -> Fallible<T> {
        self.str()?.parse().map_err(|_| Failure::Unreadable)
    }

    fn id<T>(&mut self, wrap: impl FnOnce([u8; 16]) -> T) -> Fallible<T> {
        self.raw().map(wrap)
    }

    fn maybe_id<T>(&mut self, wrap: impl FnOnce([u8; 16]) -> T) -> Fallible<Option<T>> {
        Ok(self.raw::<Option<[u8; 16]>>()?.map(wrap))
    }

    fn digest(&mut self) -> Fallible<Digest> {
        self.raw().map(Digest::from_bytes)
    }

    fn maybe_digest(&mut self) -> Fallible<Option<Digest>> {
        Ok(self.raw::<Option<[u8; 32]>>()?.map(Digest::from_bytes))
    }

    fn at(&mut self) -> Fallible<Timestamp> {
        let ms = self.raw()?;
        Timestamp::from_millis(ms).map_err(|_| Failure::Unreadable)
    }

    fn maybe_at(&mut self) -> Fallible<Option<Timestamp>> {
        let ms: Option<i64> = self.raw()?;
        ms.map(|ms| Timestamp::from_millis(ms).map_err(|_| Failure::Unreadable))
            .transpose()
    }

    fn count(&mut self) -> Fallible<u64> {
        let number: i64 = self.raw()?;
        u64::try_from(number).map_err(|_| Failure::Unreadable)
    }

    fn text(&mut self) -> Fallible<CleanText> {
        let text = self.str()?;
        Ok(self.redactor.clean(text))
    }

    fn maybe_text(&mut self) -> Fallible<Option<CleanText>> {
        let column = self.column();
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            _ => text_of(self.row, column).map(|text| Some(self.redactor.clean(text))),
        }
    }

    fn texts(&mut self) -> Fallible<Vec<CleanText>> {
        let list: Vec<String> =
            serde_json::from_str(self.str()?).map_err(|_| Failure::Unreadable)?;
        Ok(list.iter().map(|text| self.redactor.clean(text)).collect())
    }

    fn namespace(&mut self) -> Fallible<Namespace> {
        Namespace::parse(self.text()?).map_err(|_| Failure::Unreadable)
    }

    fn name(&mut self) -> Fallible<Name> {
        Name::parse(self.text()?).map_err(|_| Failure::Unreadable)
    }

    fn maybe_name(&mut self) -> Fallible<Option<Name>> {
        self.maybe_text()?
            .map(|text| Name::parse(text).map_err(|_| Failure::Unreadable))
            .transpose()
    }

    fn context(&mut self) -> Fallible<BTreeMap<CleanText, CleanText>> {
        let map: BTreeMap<String, String> =
            serde_json::from_str(self.str()?).map_err(|_| Failure::Unreadable)?;
        Ok(map
            .iter()
            .map(|(name, value)| clean_pair(name, value, self.redactor))
            .collect())
    }

    fn keys(&mut self) -> Fallible<ActionKeys> {
        Ok(ActionKeys {
            exact: self.digest()?,
            shape: self.digest()?,
            family: self.digest()?,
        })
    }

    fn files(&mut self) -> Fallible<Vec<FileState>> {
        let list: Vec<Value> =
            serde_json::from_str(self.str()?).map_err(|_| Failure::Unreadable)?;
        list.iter().map(|item| self.file(item)).collect()
    }

    fn file(&self, item: &Value) -> Fallible<FileState> {
        let path = item.get("path").and_then(Value::as_str);
        let content = match item.get("content") {
            Some(Value::String(hex)) => Some(hex.parse().map_err(|_| Failure::Unreadable)?),
            Some(Value::Null) | None => None,
            Some(_) => return Err(Failure::Unreadable),
        };
        Ok(FileState {
            path: self.redactor.clean(path.ok_or(Failure::Unreadable)?),
            content,
            named_by_error: item
                .get("named_by_error")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        })
    }

    /// Reads the columns of [`MEMORY`].
    pub(crate) fn memory(&mut self) -> Fallible<Memory> {
        Ok(Memory {
            id: self.id(MemoryId::from_bytes)?,
            kind: self.parsed()?,
            namespace: self.namespace()?,
            private: !self.str()?.is_empty(),
            agent: self.name()?,
            actor: self.name()?,
            text: self.text()?,
            tags: self.texts()?,
            source: self.parsed()?,
            trust: self.parsed()?,
            context: self.context()?,
            salience: Salience::from_permille(self.raw()?),
            valid_from: self.maybe_at()?,
            valid_to: self.maybe_at()?,
            recorded_at: self.at()?,
            retired_at: self.maybe_at()?,
            state: self.parsed()?,
            supersedes: self.maybe_id(MemoryId::from_bytes)?,
            superseded_by: self.maybe_id(MemoryId::from_bytes)?,
            version: self.count()?,
            readers: self.readers()?,
            classification: self.parsed()?,
            claim: self.claim()?,
            mentions: self.mentions()?,
            derived_from: self.memory_ids()?,
        })
    }

    fn readers(&mut self) -> Fallible<Vec<Name>> {
        read_readers(self.str()?, self.redactor)
    }

    fn claim(&mut self) -> Fallible<Option<Claim>> {
        let column = self.column();
        if let ValueRef::Null = self.row.get_ref(column)? {
            return Ok(None);
        }
        let parts: (String, String, Option<String>) =
            serde_json::from_str(text_of(self.row, column)?).map_err(|_| Failure::Unreadable)?;
        let (subject, key, value) = parts;
        let value = value.map(|value| clean_pair(&key, &value, self.redactor).1);
        Ok(Some(Claim {
            subject: self.redactor.clean(&subject),
            key: self.redactor.clean(&key),
            value,
        }))
    }

    fn mentions(&mut self) -> Fallible<Vec<Mention>> {
        let list: Vec<(String, String)> =
            serde_json::from_str(self.str()?).map_err(|_| Failure::Unreadable)?;
        let mention = |(entity, name): &(String, String)| {
            Ok(Mention {
                entity: entity.parse().map_err(|_| Failure::Unreadable)?,
                name: self.redactor.clean(name),
            })
        };
        list.iter().map(mention).collect()
    }

    fn memory_ids(&mut self) -> Fallible<Vec<MemoryId>> {
        let list: Vec<String> =
            serde_json::from_str(self.str()?).map_err(|_| Failure::Unreadable)?;
        let ids = list
            .iter()
            .map(|id| id.parse().map_err(|_| Failure::Unreadable));
        ids.collect()
    }

    /// Reads a revision: version, since, state, valid_to, superseded_by.
    pub(crate) fn revision(&mut self) -> Fallible<Revision> {
        Ok(Revision {
            version: self.count()?,
            since: self.at()?,
            standing: Standing {
                state: self.parsed()?,
                valid_to: self.maybe_at()?,
                superseded_by: self.maybe_id(MemoryId::from_bytes)?,
            },
        })
    }

    /// Reads the columns of [`CONTRADICTION`].
    pub(crate) fn contradiction(&mut self) -> Fallible<Contradiction> {
        let id = self.id(ContradictionId::from_bytes)?;
        let between = [
            self.id(MemoryId::from_bytes)?,
            self.id(MemoryId::from_bytes)?,
        ];
        let (basis, opened_at) = (self.parsed()?, self.at()?);
        let kept = self.maybe_id(MemoryId::from_bytes)?;
        let verdict: Option<String> = self.raw()?;
        let at = self.maybe_at()?;
        let verdict: Option<Verdict> = verdict
            .map(|verdict| verdict.parse().map_err(|_| Failure::Unreadable))
            .transpose()?;
        Ok(Contradiction {
            id,
            between,
            basis,
            opened_at,
            resolution: verdict
                .zip(at)
                .map(|(verdict, at)| Resolution { kept, verdict, at }),
        })
    }

    /// Reads the columns of [`ENTITY`]; the names are the caller's.
    pub(crate) fn entity(&mut self) -> Fallible<Entity> {
        Ok(Entity {
            id: self.id(EntityId::from_bytes)?,
            namespace: self.namespace()?,
            agent: self.name()?,
            private: !self.str()?.is_empty(),
            readers: self.readers()?,
            names: Vec::new(),
            recorded_at: self.at()?,
        })
    }

    /// Reads an alias: its spelling and whether it is registered.
    pub(crate) fn alias(&mut self) -> Fallible<Alias> {
        Ok(Alias {
            name: self.text()?,
            registered: self.raw()?,
        })
    }

    /// Reads the columns of [`EVENT`].
    pub(crate) fn event(&mut self) -> Fallible<ToolEvent> {
        Ok(ToolEvent {
            id: self.id(precedent_core::EventId::from_bytes)?,
            namespace: self.namespace()?,
            agent: self.name()?,
            private: !self.str()?.is_empty(),
            session: self.maybe_text()?,
            host: self.maybe_name()?,
            tool: self.text()?,
            keys: self.keys()?,
            credential: self.maybe_digest()?,
            lookup: self.texts()?,
            command: self.text()?,
            cwd: self.maybe_text()?,
            project: self.maybe_text()?,
            files: self.files()?,
            outcome: self.parsed()?,
            error: self.maybe_text()?,
            output: self.maybe_text()?,
            input_digest: self.maybe_digest()?,
            output_digest: self.maybe_digest()?,
            exit_code: self.raw()?,
            duration_ms: self.maybe_duration()?,
            receipt: self.maybe_id(precedent_core::ReceiptId::from_bytes)?,
            at: self.at()?,
        })
    }

    /// Durations are stored by their bits, so that every u64 has a place.
    fn maybe_duration(&mut self) -> Fallible<Option<u64>> {
        let bits: Option<i64> = self.raw()?;
        Ok(bits.map(i64::cast_unsigned))
    }

    /// Reads the columns of [`RULE`].
    pub(crate) fn rule(&mut self) -> Fallible<Rule> {
        Ok(Rule {
            id: self.id(precedent_core::RuleId::from_bytes)?,
            memory: self.id(MemoryId::from_bytes)?,
            namespace: self.namespace()?,
            agent: self.name()?,
            private: !self.str()?.is_empty(),
            project: self.maybe_text()?,
            severity: self.parsed()?,
            control: Control::from_json(self.str()?, self.redactor)
                .map_err(|_| Failure::Unreadable)?,
            keys: self.texts()?,
            recorded_at: self.at()?,
        })
    }

    /// Reads the columns of [`RECEIPT`].
    pub(crate) fn receipt(&mut self) -> Fallible<Receipt> {
        Ok(Receipt {
            id: self.id(precedent_core::ReceiptId::from_bytes)?,
            namespace: self.namespace()?,
            agent: self.name()?,
            session: self.maybe_text()?,
            tool_use: self.maybe_text()?,
            tool: self.text()?,
            keys: self.keys()?,
            decision: self.parsed()?,
            risk_permille: self.raw()?,
            evidence: self.texts()?,
            at: self.at()?,
            closed_by: self.maybe_id(precedent_core::EventId::from_bytes)?,
        })
    }

    /// Reads the columns of [`CERTIFICATE`].
    pub(crate) fn certificate(&mut self) -> Fallible<SealedCertificate> {
        Ok(SealedCertificate {
            id: self.id(precedent_core::CertificateId::from_bytes)?,
            stage: self.parsed()?,
            payload_sha256: self.digest()?,
            envelope: self.raw()?,
            seq: self.count()?,
        })
    }

    /// Reads the columns of [`ENTRY`].
    pub(crate) fn entry(&mut self) -> Fallible<SealedEntry> {
        Ok(SealedEntry {
            seq: self.count()?,
            bytes: self.raw()?,
            leaf: self.digest()?,
            op: self.parsed()?,
            result: self.parsed()?,
            memory: self.maybe_id(MemoryId::from_bytes)?,
            namespace: self.raw()?,
            actor: self.raw()?,
            at: self.at()?,
        })
    }
}

/// Borrows a text column.
pub(crate) fn text_of<'a>(row: &'a Row<'_>, column: usize) -> Fallible<&'a str> {
    row.get_ref(column)?
        .as_str()
        .map_err(|_| Failure::Unreadable)
}

/// Writes a list of texts as a JSON array.
pub(crate) fn json_list(texts: &[CleanText]) -> String {
    serde_json::to_string(texts).expect("a list of strings always serialises")
}

/// Writes an access list: its names in order, one a line.
pub(crate) fn readers_column(readers: &[Name]) -> String {
    let names: Vec<&str> = readers.iter().map(Name::as_str).collect();
    names.join("\n")
}

/// Reads what [`readers_column`] wrote.
pub(crate) fn read_readers(text: &str, redactor: &Redactor) -> Fallible<Vec<Name>> {
    let name = |line: &str| Name::parse(redactor.clean(line)).map_err(|_| Failure::Unreadable);
    text.lines().map(name).collect()
}

/// Writes a claim as a JSON array of its parts.
pub(crate) fn json_claim(claim: &Claim) -> String {
    serde_json::to_string(&(&claim.subject, &claim.key, &claim.value))
        .expect("a list of strings always serialises")
}

/// Writes mentions as JSON arrays of entity and name.
pub(crate) fn json_mentions(mentions: &[Mention]) -> String {
    let pairs: Vec<_> = mentions.iter().map(|it| (it.entity, &it.name)).collect();
    serde_json::to_string(&pairs).expect("a list of strings always serialises")
}

/// Writes ids as a JSON array.
pub(crate) fn json_ids(ids: &[MemoryId]) -> String {
    serde_json::to_string(ids).expect("a list of ids always serialises")
}

/// Writes a map of texts as a JSON object.
pub(crate) fn json_map(map: &BTreeMap<CleanText, CleanText>) -> String {
    serde_json::to_string(map).expect("a map of strings always serialises")
}

/// Writes file states as JSON, digests as hexadecimal.
pub(crate) fn json_files(files: &[FileState]) -> String {
    serde_json::to_string(files).expect("strings and digests always serialise")
}

/// Gives a count the type that the engine has; counts stay far below its limit.
pub(crate) fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Gives a limit the type that the engine has.
pub(crate) fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Names the owner column of a record that is private to `agent`, or to nobody.
pub(crate) fn owner_column(private: bool, agent: &Name) -> &str {
    if private { agent.as_str() } else { "" }
}
