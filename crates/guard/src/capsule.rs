//! The capsule: what an agent should have in mind, in sections, within a budget.

use std::fmt;

use precedent_core::{
    CleanText, EventKey, EventQuery, Hit, Kind, MemoryId, Outcome, Principal, RecallRequest,
    RuleQuery, Source, State, StoreError, Timestamp, ToolEvent, recall,
};
use serde::Serialize;

use crate::after::what_failed;
use crate::guard::Guard;

/// Least budget, in characters: enough for one shortened rule.
pub const LEAST_CHARS: usize = 200;
/// Usual budget, in characters.
pub const USUAL_CHARS: usize = 4000;
/// Characters that a shortened rule keeps.
const SHORT_CHARS: usize = 80;
/// How many failures a capsule tells of.
const RECENT_FAILURES: usize = 5;
/// Most rules and memories that are looked at.
const MOST: usize = 64;

/// What a section is about, in the order in which the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// Rules that control.
    MustFollow,
    /// Failures and warnings.
    Risks,
    /// How things are done.
    Procedures,
    /// What holds, what happened.
    ProjectFacts,
    /// What nobody vouches for, or somebody disputes.
    Uncertain,
}

impl Section {
    /// Returns the section's one spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MustFollow => "must_follow",
            Self::Risks => "risks",
            Self::Procedures => "procedures",
            Self::ProjectFacts => "project_facts",
            Self::Uncertain => "uncertain",
        }
    }
}

/// One line of the capsule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Where it belongs.
    pub section: Section,
    /// The id of the memory or the event.
    pub id: CleanText,
    /// What it says, perhaps shortened.
    pub text: CleanText,
    /// Whether it was shortened to fit.
    pub shortened: bool,
}

/// A bounded extract of memory for one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Capsule {
    /// The budget, in characters.
    pub budget_chars: usize,
    /// How much of it the entries use.
    pub used_chars: usize,
    /// Whether something was shortened or left out.
    pub truncated: bool,
    /// The entries, by section.
    pub entries: Vec<Entry>,
    /// Ids of everything relevant, what was left out included.
    pub evidence: Vec<CleanText>,
    /// Lanes that could not answer.
    pub recall_errors: Vec<CleanText>,
}

impl Guard {
    /// Collects what an agent should know for a task described by `query`.
    ///
    /// # Errors
    /// [`StoreError`] when rules or history cannot be read; a failed recall lane is in the capsule.
    pub async fn capsule(
        &self,
        by: &Principal,
        query: CleanText,
        budget_chars: usize,
        now: Timestamp,
    ) -> Result<Capsule, StoreError> {
        let mut lines = self.rule_lines(by, now).await?;
        let failures = self.failures(by, now).await?;
        lines.extend(failures.iter().map(|event| self.failure_line(event)));
        let mut request = RecallRequest::new(by.scope(), query);
        request.limit = MOST;
        request.filter.valid_at = Some(now);
        let recalled = recall(self.store.as_ref(), self.embedder.as_deref(), &request).await;
        let known: Vec<CleanText> = lines.iter().map(|(_, id, _)| id.clone()).collect();
        lines.extend(
            recalled
                .hits
                .iter()
                .map(|hit| self.hit_line(hit))
                .filter(|line| !known.contains(&line.1))
                // What was learned from a failure that is listed would say it twice.
                .filter(|line| {
                    !failures
                        .iter()
                        .any(|event| line.2.starts_with(&what_failed(event)))
                }),
        );
        let errors = recalled
            .errors
            .iter()
            .map(|error| self.redactor.clean(&error.to_string()));
        let mut capsule = self.fit(lines, budget_chars.max(LEAST_CHARS));
        capsule.recall_errors = errors.collect();
        Ok(capsule)
    }

    async fn rule_lines(&self, by: &Principal, now: Timestamp) -> Result<Vec<Line>, StoreError> {
        let query = RuleQuery {
            scope: by.scope(),
            keys: None,
            limit: MOST,
        };
        let mut ids: Vec<MemoryId> = self
            .store
            .rules(&query)
            .await?
            .iter()
            .map(|rule| rule.memory)
            .collect();
        ids.dedup();
        let memories = self.store.memories(&by.scope(), &ids).await?;
        Ok(memories
            .into_iter()
            .filter(|memory| memory.holds_at(now))
            .map(|memory| {
                (
                    Section::MustFollow,
                    self.redactor.clean(&memory.id.to_string()),
                    memory.text,
                )
            })
            .collect())
    }

    async fn failures(&self, by: &Principal, now: Timestamp) -> Result<Vec<ToolEvent>, StoreError> {
        let query = EventQuery {
            scope: by.scope(),
            key: EventKey::Any,
            outcomes: vec![Outcome::Failed],
            since: Some(now.minus_millis(self.policy.failure_decay_ms)),
            limit: RECENT_FAILURES,
        };
        self.store.events(&query).await
    }

    fn failure_line(&self, event: &ToolEvent) -> Line {
        let error = event.error.as_deref().unwrap_or("no message");
        let text = format!("{}: {error}", what_failed(event));
        let text = self.redactor.clean_truncated(&text, 240);
        (
            Section::Risks,
            self.redactor.clean(&event.id.to_string()),
            text,
        )
    }

    fn hit_line(&self, hit: &Hit) -> Line {
        let memory = &hit.memory;
        let section = if memory.state != State::Active {
            Section::Uncertain
        } else if memory
            .tags
            .iter()
            .any(|tag| matches!(&**tag, "risk" | "warning" | "tool-failure"))
        {
            if memory.may_control() || memory.source.as_str() == "tool-result" {
                Section::Risks
            } else {
                Section::Uncertain
            }
        } else if memory.kind == Kind::Procedural {
            Section::Procedures
        } else if matches!(memory.source, Source::ModelGenerated | Source::Inference) {
            Section::Uncertain
        } else {
            Section::ProjectFacts
        };
        (
            section,
            self.redactor.clean(&memory.id.to_string()),
            memory.text.clone(),
        )
    }

    /// Spends the budget section by section. Rules are shortened to two thirds of it, never left
    /// out; what else does not fit is left out, and smaller entries may still follow.
    fn fit(&self, mut lines: Vec<Line>, budget_chars: usize) -> Capsule {
        lines.sort_by_key(|line| line.0);
        let rules = lines
            .iter()
            .filter(|line| line.0 == Section::MustFollow)
            .count();
        let for_rules = if rules < lines.len() {
            budget_chars * 2 / 3
        } else {
            budget_chars
        };
        let share = for_rules / rules.max(1);
        let mut capsule = Capsule {
            budget_chars,
            used_chars: 0,
            truncated: false,
            evidence: lines.iter().map(|line| line.1.clone()).collect(),
            entries: Vec::new(),
            recall_errors: Vec::new(),
        };
        for (section, id, text) in lines {
            let room = budget_chars.saturating_sub(capsule.used_chars);
            let length = text.chars().count();
            let keep = match section {
                Section::MustFollow => length.min(room.min(share).max(SHORT_CHARS)),
                _ => length,
            };
            capsule.truncated |= keep < length;
            if section != Section::MustFollow && length > room {
                capsule.truncated = true;
                continue;
            }
            capsule.used_chars += keep;
            let shortened = keep < length;
            let text = if shortened {
                self.redactor.clean_truncated(&text, keep)
            } else {
                text
            };
            capsule.entries.push(Entry {
                section,
                id,
                text,
                shortened,
            });
        }
        capsule
    }
}

type Line = (Section, CleanText, CleanText);

impl fmt::Display for Capsule {
    /// Renders the capsule as data: one JSON string a line behind its id, so that nothing in a
    /// memory can pass for an instruction or close the fence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<precedent-memory used=\"{}\" truncated=\"{}\">",
            self.used_chars, self.truncated
        )?;
        let mut section = None;
        for entry in &self.entries {
            if section.replace(entry.section) != Some(entry.section) {
                writeln!(f, "{}:", entry.section.as_str())?;
            }
            let text = serde_json::Value::from(&*entry.text).to_string();
            writeln!(
                f,
                "- [{}] {}",
                entry.id,
                text.replace('<', "\\u003c").replace('>', "\\u003e")
            )?;
        }
        for error in &self.recall_errors {
            writeln!(f, "degraded: {error}")?;
        }
        f.write_str("</precedent-memory>")
    }
}
