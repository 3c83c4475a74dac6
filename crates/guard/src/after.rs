//! After an action: its record, and what is learned from it.

use std::fmt;

use precedent_core::{CleanText, EventId, Outcome, Principal, ReceiptId, Timestamp, ToolEvent};

use crate::action::{Action, Prepared, clean_and_cut};
use crate::guard::Guard;
use crate::read_only::is_probe;
use crate::remedy::named_files;

/// Longest stored error, in characters.
const ERROR_CHARS: usize = 2000;
/// Longest stored end of the output, in characters.
const OUTPUT_CHARS: usize = 2000;
/// Longest error in a learned memory, in characters.
const LEARNED_CHARS: usize = 400;

/// How an action ended, as the host reports it; nothing of it is redacted yet, but `Debug` prints no
/// text of it.
#[derive(Clone)]
pub struct Ending {
    /// The true outcome; unknown stays unknown.
    pub outcome: Outcome,
    /// What it said when it failed.
    pub error: Option<String>,
    /// What it printed.
    pub output: Option<String>,
    /// Exit status, where the tool has one.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Whether only the acting agent may see the record.
    pub private: bool,
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ending")
            .field("outcome", &self.outcome)
            .field("exit_code", &self.exit_code)
            .field("duration_ms", &self.duration_ms)
            .field("private", &self.private)
            .finish_non_exhaustive()
    }
}

impl Ending {
    /// Makes an ending that says nothing but the outcome.
    pub fn new(outcome: Outcome) -> Self {
        Self {
            outcome,
            error: None,
            output: None,
            exit_code: None,
            duration_ms: None,
            private: false,
        }
    }
}

/// Something worth remembering, for the write path to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// What was learned.
    pub text: CleanText,
    /// Its labels.
    pub tags: Vec<CleanText>,
}

/// The record of an action.
#[derive(Clone, Debug)]
pub struct After {
    /// The event to record; it closes its receipt.
    pub event: ToolEvent,
    /// What is learned from it, if anything.
    pub learned: Option<Learned>,
}

impl Guard {
    /// Makes the record of an action that ended; the caller stores it.
    pub fn after(
        &self,
        by: &Principal,
        action: &Action,
        ending: &Ending,
        receipt: Option<ReceiptId>,
        event: EventId,
        now: Timestamp,
    ) -> After {
        let prepared = self.prepare(action);
        let event = self.event(by, action, &prepared, ending, receipt, event, now);
        let learned = self.learn(&event, &prepared);
        After { event, learned }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call, from `after`; each is a part of the record"
    )]
    fn event(
        &self,
        by: &Principal,
        action: &Action,
        prepared: &Prepared,
        ending: &Ending,
        receipt: Option<ReceiptId>,
        id: EventId,
        at: Timestamp,
    ) -> ToolEvent {
        let clean = |text: &Option<String>| text.as_deref().map(|text| self.redactor.clean(text));
        let cut = |text: &Option<String>, chars: usize| {
            text.as_deref()
                .filter(|text| !text.trim().is_empty())
                .map(|text| clean_and_cut(text, chars, &self.redactor))
        };
        let raw = |domain: &[u8], text: &Option<String>| {
            text.as_deref()
                .map(|text| self.key.mac(domain, &[text.as_bytes()]))
        };
        let mut files = prepared.files.clone();
        if ending.outcome == Outcome::Failed {
            let mut said = ending.error.clone().unwrap_or_default();
            said.push('\n');
            said.push_str(ending.output.as_deref().unwrap_or_default());
            // A word by itself no longer shows what the sentence around it made a secret.
            let said = self.redactor.clean(&said);
            files.extend(
                named_files(&said)
                    .iter()
                    .map(|path| {
                        prepared.file_state(
                            path,
                            true,
                            &self.redactor,
                            &self.key,
                            self.workspace.as_ref(),
                        )
                    })
                    .filter(|file| prepared.files.iter().all(|known| known.path != file.path)),
            );
        }
        ToolEvent {
            id,
            namespace: by.namespace.clone(),
            agent: by.agent.clone(),
            private: ending.private,
            session: clean(&action.session),
            host: action.host.clone(),
            tool: prepared.tool.clone(),
            keys: prepared.keys,
            credential: prepared.credential,
            lookup: prepared.lookup.clone(),
            command: prepared.command.clone(),
            cwd: prepared.cwd.clone(),
            project: prepared.project.clone(),
            files,
            outcome: ending.outcome,
            error: cut(&ending.error, ERROR_CHARS),
            output: cut(&ending.output, OUTPUT_CHARS),
            input_digest: raw(b"precedent/input/v1", &Some(action.input().to_owned())),
            output_digest: raw(b"precedent/output/v1", &ending.output),
            exit_code: ending.exit_code,
            duration_ms: ending.duration_ms,
            receipt,
            at,
        }
    }

    /// Learns from a failure with an error; a probe that found nothing teaches nothing. The text
    /// is the same for the same failure, so that repeats are stored once.
    fn learn(&self, event: &ToolEvent, prepared: &Prepared) -> Option<Learned> {
        let error = event.error.as_deref()?;
        if event.outcome != Outcome::Failed || is_probe(&prepared.canonical) {
            return None;
        }
        let error = self.redactor.clean_truncated(error, LEARNED_CHARS);
        let text = format!("{}\n{error}", what_failed(event));
        Some(Learned {
            text: self.redactor.clean(&text),
            tags: vec![self.redactor.clean("tool-failure")],
        })
    }
}

/// Says which action failed: how a learned failure begins.
pub(crate) fn what_failed(event: &ToolEvent) -> String {
    format!("{} failed: {}", event.tool, event.command)
}
