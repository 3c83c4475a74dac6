//! Earlier attempts: the very same action, and similar ones.

use precedent_core::{CleanText, Digest, EventKey, EventQuery, Outcome, StoreError, ToolEvent};

use super::{Sources, recorded, same_project};
use crate::action::Prepared;
use crate::evidence::{Degraded, Evidence, Near, Repeat, Standing};
use crate::identity::{CanonicalAction, canonicalise_command, is_file_writer};
use crate::read_only::is_probe;
use crate::remedy::{cause, is_transient, remedies};

/// Most successes since a failure that are searched for an edit.
const SINCE: usize = 256;
/// Most commands of one line that are looked at by themselves.
const STEPS: usize = 16;

pub(super) async fn gather(sources: &Sources<'_>, action: &Prepared, evidence: &mut Evidence) {
    // A probe that finds nothing has given its answer; asking again repeats no failure.
    if is_probe(&action.canonical) {
        return;
    }
    let Ok(repeat) = any_repeat(sources, action).await else {
        evidence.degraded.push(Degraded::Store("history"));
        return;
    };
    evidence.repeat = repeat;
    if evidence.read_only {
        return;
    }
    match near(sources, action).await {
        Ok(near) => evidence.near = near,
        Err(_) => evidence.degraded.push(Degraded::Store("history")),
    }
}

/// Judges the action as a whole, then each command of the line by itself: a failure does not hide
/// behind another step.
async fn any_repeat(
    sources: &Sources<'_>,
    action: &Prepared,
) -> Result<Option<Repeat>, StoreError> {
    let exact = attempts(sources, action, EventKey::Exact(action.keys.exact)).await?;
    let mut found = repeat(sources, action, &action.canonical, &exact).await;
    if found.is_some() || action.canonical.commands.len() < 2 {
        return Ok(found);
    }
    for step in action.steps().take(STEPS) {
        let key = EventKey::Exact(Digest::from_bytes(step.keys().exact));
        let events = attempts(sources, action, key).await?;
        let repeat = repeat(sources, action, &step, &events).await;
        if repeat
            .as_ref()
            .is_some_and(|repeat| repeat.standing == Standing::Stands)
        {
            return Ok(repeat);
        }
        found = found.or(repeat);
    }
    Ok(found)
}

/// Returns finished attempts under a key in the same project, newest first.
async fn attempts(
    sources: &Sources<'_>,
    action: &Prepared,
    key: EventKey,
) -> Result<Vec<ToolEvent>, StoreError> {
    let query = EventQuery {
        scope: sources.scope.clone(),
        key,
        outcomes: vec![Outcome::Failed, Outcome::Succeeded],
        since: None,
        limit: sources.policy.history_limit,
    };
    let mut events = sources.store.events(&query).await?;
    events.retain(|event| same_project(event.project.as_deref(), action.project.as_deref()));
    Ok(events)
}

/// Judges the failures of the very same action.
async fn repeat(
    sources: &Sources<'_>,
    action: &Prepared,
    canonical: &CanonicalAction,
    exact: &[ToolEvent],
) -> Option<Repeat> {
    let newest = exact
        .iter()
        .find(|event| event.outcome == Outcome::Failed)?;
    let success = exact
        .iter()
        .take_while(|event| event.id != newest.id)
        .next();
    let failures: Vec<&ToolEvent> = match success {
        Some(_) => vec![newest],
        None => exact
            .iter()
            .take_while(|event| event.outcome == Outcome::Failed)
            .collect(),
    };
    let standing = match success {
        Some(success) => Standing::SucceededSince(success.id),
        None => standing(sources, action, canonical, newest).await,
    };
    Some(Repeat {
        failures: failures.iter().map(|event| event.id).collect(),
        error: newest.error.clone(),
        standing,
    })
}

/// Finds what, if anything, has changed since a failure.
async fn standing(
    sources: &Sources<'_>,
    action: &Prepared,
    canonical: &CanonicalAction,
    failure: &ToolEvent,
) -> Standing {
    let earlier = recorded(failure);
    if action.credential != failure.credential {
        return Standing::CredentialChanged;
    }
    if canonical.environment_changed(&earlier) {
        return Standing::EnvironmentChanged;
    }
    if scope_changed(action, failure) {
        return Standing::ScopeChanged;
    }
    if let Some(path) = changed_file(sources, action, failure) {
        return Standing::FileChanged(path);
    }
    if let Some(event) = remedy_succeeded(sources, action, failure).await {
        return Standing::RemedySucceeded(event.id);
    }
    let age = sources.now.as_millis() - failure.at.as_millis();
    if age > sources.policy.failure_decay_ms {
        return Standing::Decayed;
    }
    if failure.error.as_deref().is_some_and(is_transient) {
        return Standing::Transient;
    }
    match edited_since(sources, action, failure).await {
        Some(event) => Standing::EditedSince(event.id),
        None => Standing::Stands,
    }
}

/// Looks for a successful edit of some file of the project since the failure: the fix is often not
/// in the file that the error names.
async fn edited_since(
    sources: &Sources<'_>,
    action: &Prepared,
    failure: &ToolEvent,
) -> Option<ToolEvent> {
    let query = EventQuery {
        scope: sources.scope.clone(),
        key: EventKey::Any,
        outcomes: vec![Outcome::Succeeded],
        since: Some(failure.at),
        limit: SINCE,
    };
    let found = sources.store.events(&query).await.ok()?;
    found
        .into_iter()
        .find(|event| is_file_writer(&event.tool) && follows(event, failure, action))
}

/// Tells whether an event of the action's project came after a failure.
fn follows(event: &ToolEvent, failure: &ToolEvent, action: &Prepared) -> bool {
    (event.at, event.id) > (failure.at, failure.id)
        && same_project(event.project.as_deref(), action.project.as_deref())
}

fn scope_changed(action: &Prepared, failure: &ToolEvent) -> bool {
    let then: Vec<&CleanText> = failure
        .files
        .iter()
        .filter(|file| !file.named_by_error)
        .map(|file| &file.path)
        .collect();
    let now: Vec<&CleanText> = action.files.iter().map(|file| &file.path).collect();
    !then.is_empty() && !now.is_empty() && then != now
}

/// Returns the first file in the failure's scope, or named in its error, whose content differs.
fn changed_file(
    sources: &Sources<'_>,
    action: &Prepared,
    failure: &ToolEvent,
) -> Option<CleanText> {
    let now =
        |path: &str| -> Option<Digest> { action.content(path, sources.key, sources.workspace) };
    failure
        .files
        .iter()
        .find(|file| now(&file.path) != file.content)
        .map(|file| file.path.clone())
}

/// Looks for a success, since the failure, of a command that the error names as the remedy.
async fn remedy_succeeded(
    sources: &Sources<'_>,
    action: &Prepared,
    failure: &ToolEvent,
) -> Option<ToolEvent> {
    for remedy in remedies(failure.error.as_deref()?) {
        let shape = Digest::from_bytes(canonicalise_command(&remedy).keys().shape);
        // An error that quotes what failed names no remedy by it.
        if shape == failure.keys.shape {
            continue;
        }
        let query = EventQuery {
            scope: sources.scope.clone(),
            key: EventKey::Shape(shape),
            outcomes: vec![Outcome::Succeeded],
            since: Some(failure.at),
            limit: sources.policy.history_limit,
        };
        let found = sources.store.events(&query).await.ok()?;
        let success = found
            .into_iter()
            .find(|event| follows(event, failure, action));
        if success.is_some() {
            return success;
        }
    }
    None
}

/// Tells whether an event's own files are known, not only those that its error names.
fn has_scope(event: &ToolEvent) -> bool {
    event.files.iter().any(|file| !file.named_by_error)
}

/// Returns the failures of similar actions since the last success among them: of the same shape, or
/// of the same program and sub-command on other files. Any other use of a program is unrelated.
async fn near(sources: &Sources<'_>, action: &Prepared) -> Result<Vec<Near>, StoreError> {
    let oldest = sources.now.minus_millis(sources.policy.failure_decay_ms);
    let mut found: Vec<Near> = Vec::new();
    let mut keys = vec![(EventKey::Shape(action.keys.shape), true)];
    if !action.files.is_empty() {
        keys.push((EventKey::Family(action.keys.family), false));
    }
    for (key, same_shape) in keys {
        let events = attempts(sources, action, key).await?;
        let failed = events
            .iter()
            .take_while(|event| event.outcome == Outcome::Failed && event.at >= oldest)
            .filter(|event| event.keys.exact != action.keys.exact)
            .filter(|event| same_shape || has_scope(event));
        for event in failed {
            if found.iter().all(|near| near.event != event.id) {
                found.push(Near {
                    event: event.id,
                    command: event.command.clone(),
                    error: event.error.clone(),
                    same_shape,
                    cause: (sources.redactor)
                        .clean(&cause(event.error.as_deref().unwrap_or_default())),
                });
            }
        }
    }
    Ok(found)
}
