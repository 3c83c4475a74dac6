//! Taking memories out of a store and bringing them in: one JSON object a line.

use std::collections::BTreeMap;

use precedent_core::audit::Reason;
use precedent_core::{
    Classification, Grant, Kind, MemoryId, MemoryQuery, Salience, Source, State, Timestamp,
};
use precedent_engine::{ClaimDraft, Destination, Outcome, Record, RememberItem};
use serde::Deserialize;

use crate::error::{Error, ErrorKind};
use crate::memory::Memory;

/// The schema of a line, where it names one.
const SCHEMA: &str = "precedent.memory/1";
/// How far in the future an imported record may say that it was made, in milliseconds: clocks
/// differ, years do not.
const CLOCK_SKEW_MS: i64 = 5 * 60 * 1000;

/// A line of an import, as it was written; only `text` is needed. What an export writes is read
/// back, but for what a file cannot grant: trust, and the log's own instants.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    text: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    context: BTreeMap<String, String>,
    #[serde(default)]
    salience: Option<f64>,
    #[serde(default)]
    private: bool,
    #[serde(default)]
    readers: Vec<String>,
    #[serde(default)]
    classification: Option<String>,
    #[serde(default)]
    claim: Option<LineClaim>,
    #[serde(default)]
    entities: Vec<String>,
    #[serde(default)]
    mentions: Vec<LineMention>,
    #[serde(default)]
    derived_from: Vec<String>,
    #[serde(default)]
    valid_from: Option<String>,
    #[serde(default)]
    valid_to: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    supersedes: Option<String>,
    #[serde(default)]
    superseded_by: Option<String>,
    #[serde(default)]
    recorded_at: Option<String>,
    #[serde(default)]
    retired_at: Option<String>,
    #[serde(default)]
    schema: Option<String>,
    #[serde(default, rename = "namespace")]
    _namespace: Option<String>,
    #[serde(default, rename = "agent")]
    _agent: Option<String>,
    #[serde(default, rename = "actor")]
    _actor: Option<String>,
    #[serde(default, rename = "trust")]
    _trust: Option<String>,
    #[serde(default, rename = "version")]
    _version: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineClaim {
    #[serde(default)]
    subject: Option<String>,
    key: String,
    #[serde(default)]
    value: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineMention {
    #[serde(default, rename = "entity")]
    _entity: Option<String>,
    name: String,
}

/// What is wrong with a line of an import; it quotes nothing of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It is no JSON object with the fields of a memory.
    #[error(
        "not a JSON object with the fields of a memory (column {column}); `text` is needed, unknown fields are refused"
    )]
    Malformed {
        /// Where the line stops making sense, from 1.
        column: usize,
    },
    /// A field has a value that is none of its kind.
    #[error("`{0}` is malformed; {1}")]
    Field(&'static str, String),
    /// It says that it was made in the future.
    #[error("`{0}` lies in the future; correct the clock or the line")]
    Future(&'static str),
}

/// Reads a line of an import. Nothing of it is redacted yet.
///
/// # Errors
/// [`LineFault`]; the line is to be left out.
pub fn parse_line(line: &str, now: Timestamp) -> Result<RememberItem, LineFault> {
    let line: Line = serde_json::from_str(line).map_err(|error| LineFault::Malformed {
        column: error.column(),
    })?;
    for (name, at) in [
        ("recorded_at", &line.recorded_at),
        ("retired_at", &line.retired_at),
    ] {
        let at: Option<Timestamp> = field(name, at.as_deref())?;
        if at.is_some_and(|at| at.as_millis() > now.as_millis().saturating_add(CLOCK_SKEW_MS)) {
            return Err(LineFault::Future(name));
        }
    }
    let mut item = RememberItem::new(line.text);
    item.kind = field("kind", line.kind.as_deref())?.unwrap_or(Kind::Episodic);
    item.source = field("source", line.source.as_deref())?.unwrap_or(Source::ToldByUser);
    item.salience = salience(line.salience)?;
    item.classification = field("classification", line.classification.as_deref())?
        .unwrap_or(Classification::Internal);
    item.valid_from = field("valid_from", line.valid_from.as_deref())?;
    item.valid_to = field("valid_to", line.valid_to.as_deref())?;
    item.supersedes = field("supersedes", line.supersedes.as_deref())?;
    if line.schema.is_some_and(|schema| schema != SCHEMA) {
        let told = format!("this version reads {SCHEMA}");
        return Err(LineFault::Field("schema", told));
    }
    if line.id.is_none() && (line.state.is_some() || line.superseded_by.is_some()) {
        let told = "only a record with an id has a state and a successor".to_owned();
        return Err(LineFault::Field("state", told));
    }
    if line.id.is_some() && (line.id == line.supersedes || line.id == line.superseded_by) {
        let told = "a memory does not replace itself".to_owned();
        return Err(LineFault::Field("supersedes", told));
    }
    item.record = record(
        line.id.as_deref(),
        line.state.as_deref(),
        line.superseded_by.as_deref(),
    )?;
    let sources = line.derived_from.iter();
    let sources = sources.map(|id| id.parse().map_err(|error| of_field("derived_from", &error)));
    item.derived_from = sources.collect::<Result<_, _>>()?;
    item.claim = line.claim.map(|claim| ClaimDraft {
        subject: claim.subject,
        key: claim.key,
        value: claim.value,
    });
    item.entities = line.entities;
    item.entities
        .extend(line.mentions.into_iter().map(|mention| mention.name));
    (item.tags, item.context) = (line.tags, line.context);
    (item.private, item.readers) = (line.private, line.readers);
    Ok(item)
}

fn field<T: std::str::FromStr>(
    name: &'static str,
    text: Option<&str>,
) -> Result<Option<T>, LineFault>
where
    T::Err: std::fmt::Display,
{
    text.map(|text| text.parse().map_err(|error| of_field(name, &error)))
        .transpose()
}

fn of_field(name: &'static str, error: &dyn std::fmt::Display) -> LineFault {
    LineFault::Field(name, error.to_string())
}

fn salience(share: Option<f64>) -> Result<Salience, LineFault> {
    match share {
        None => Ok(Salience::DEFAULT),
        Some(share) if (0.0..=1.0).contains(&share) => Ok(Salience::from_share(share)),
        Some(_) => Err(LineFault::Field(
            "salience",
            "use a number from 0 to 1".to_owned(),
        )),
    }
}

/// A line with an id is a record that was exported.
fn record(
    id: Option<&str>,
    state: Option<&str>,
    superseded_by: Option<&str>,
) -> Result<Option<Record>, LineFault> {
    let id: Option<MemoryId> = field("id", id)?;
    let state: Option<State> = field("state", state)?;
    let superseded_by = field("superseded_by", superseded_by)?;
    Ok(id.map(|id| Record {
        id,
        state: state.unwrap_or(State::Active),
        superseded_by,
    }))
}

impl Memory {
    /// Returns memories of this namespace to be exported, by id, at most `limit` above `after`.
    ///
    /// # Errors
    /// [`Error`] of kind not-found without the grant `transfer`; invalid-input when one of them is
    /// too confidential for an export, of which nothing is returned then.
    pub async fn export(
        &self,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<precedent_core::Memory>, Error> {
        self.require(Grant::Transfer, "exporting")?;
        let mut page = Vec::new();
        let mut after = after;
        while page.len() < limit {
            let query = MemoryQuery {
                after,
                ..MemoryQuery::all(self.by.scope(), limit)
            };
            let found = self.find(query).await?;
            let Some(last) = found.last() else {
                break;
            };
            after = Some(last.id);
            page.extend(
                found
                    .into_iter()
                    .filter(|memory| memory.namespace == self.by.namespace),
            );
        }
        page.truncate(limit);
        let policy = &self.parts.engine.policy;
        for memory in &page {
            policy
                .check(Destination::Export, memory.classification)
                .map_err(|egress| {
                    Error::new(ErrorKind::InvalidInput, "exporting", egress.to_string())
                })?;
        }
        Ok(page)
    }

    /// Brings in memories, in one commit: an exported record as it stood, anything else as if it
    /// were remembered now. Trust is never brought in. The same `key` means the same request.
    ///
    /// Returns what became of each, in order. Should one of them be at fault, the others are
    /// brought in one by one.
    ///
    /// # Errors
    /// [`Error`] of kind not-found without the grants `transfer` and `write`, or the store's.
    pub async fn import(
        &self,
        items: Vec<RememberItem>,
        key: &str,
    ) -> Result<Vec<Result<Outcome, Error>>, Error> {
        self.require(Grant::Transfer, "importing")?;
        match self.import_together(items.clone(), key.to_owned()).await {
            Err(error)
                if items.len() == 1
                    && (error.kind == ErrorKind::InvalidInput || is_of_one(&error)) =>
            {
                Ok(vec![Err(error)])
            }
            Err(error)
                if error.kind == ErrorKind::InvalidInput
                    || items.len() > 1 && is_of_one(&error) =>
            {
                let mut outcomes = Vec::with_capacity(items.len());
                for (place, item) in items.into_iter().enumerate() {
                    let one = self
                        .import_together(vec![item], format!("{key}/{place}"))
                        .await;
                    outcomes.extend(one.unwrap_or_else(|error| vec![Err(error)]));
                }
                Ok(outcomes)
            }
            together => together,
        }
    }

    async fn import_together(
        &self,
        items: Vec<RememberItem>,
        key: String,
    ) -> Result<Vec<Result<Outcome, Error>>, Error> {
        let mut request = self.request(items);
        request.idempotency_key = Some(key);
        request.compare_meaning = false;
        let result = self.remember_with(request).await?;
        let erased = |id: &MemoryId| result.stored.iter().any(|it| it.id == *id && it.erased);
        let now = |outcome: &Outcome| match outcome {
            Outcome::Stored { id } if erased(id) => Outcome::Rejected {
                reason: Reason::Erased,
            },
            // It was brought in before.
            Outcome::Stored { id } if result.replayed => Outcome::Deduplicated { of: *id },
            outcome => *outcome,
        };
        Ok(result.outcomes.iter().map(now).map(Ok).collect())
    }
}

/// Tells whether a store's refusal can be the fault of one record among several.
fn is_of_one(error: &Error) -> bool {
    use precedent_core::StoreErrorKind as K;
    matches!(
        error.kind,
        ErrorKind::Store(K::NotFound | K::Conflict | K::Seal)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-06-01T00:00:00.000Z".parse().expect("an instant")
    }

    fn fault(line: &str) -> LineFault {
        parse_line(line, now()).expect_err("the line is at fault")
    }

    #[test]
    fn a_line_needs_its_text_only() {
        let item = parse_line(r#"{"text":"the kettle is red"}"#, now()).expect("a good line");
        assert_eq!(item.text, "the kettle is red");
        assert!(item.record.is_none());
        let line = r#"{"text":"x y z","id":"01K1BZ3Y9H5V0000000000000A","state":"superseded",
            "trust":"user","claim":{"key":"name","value":"Ann"},"valid_from":"2026-03-01T00:30:00+14:00"}"#;
        let item = parse_line(line, now()).expect("a good line");
        assert_eq!(
            item.record.map(|record| record.state),
            Some(State::Superseded)
        );
        assert_eq!(item.trust, precedent_core::Trust::Unverified);
        let instant = item.valid_from.map(|at| at.to_string());
        assert_eq!(instant.as_deref(), Some("2026-02-28T10:30:00.000Z"));
    }

    #[test]
    fn faults_name_the_field_and_quote_nothing() {
        assert!(matches!(fault("{\"text\":"), LineFault::Malformed { .. }));
        assert!(matches!(fault("[1]"), LineFault::Malformed { .. }));
        assert!(matches!(
            fault(r#"{"text":"a","color":"red"}"#),
            LineFault::Malformed { .. }
        ));
        let naive = fault(r#"{"text":"a","valid_from":"2026-03-01T00:30:00"}"#);
        assert!(
            matches!(&naive, LineFault::Field("valid_from", _)),
            "{naive}"
        );
        assert!(!naive.to_string().contains("2026-03-01T00:30"), "{naive}");
        assert!(matches!(
            fault(r#"{"text":"a","salience":7}"#),
            LineFault::Field("salience", _)
        ));
        let later = fault(r#"{"text":"a","recorded_at":"2027-01-01T00:00:00Z"}"#);
        assert_eq!(later, LineFault::Future("recorded_at"));
    }
}
