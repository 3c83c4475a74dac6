//! Gathering evidence: what the store knows about an action, one question a file.
//!
//! Nothing here fails: what cannot be read becomes evidence of its own.

mod history;
mod memories;
mod rules;

use precedent_audit::key::HmacKey;
use precedent_core::{Backend, Embedder, Redactor, Scope, Timestamp, ToolEvent};

use crate::action::Prepared;
use crate::evidence::Evidence;
use crate::identity::{ActionInput, AlreadyMasked, CanonicalAction, canonicalise};
use crate::policy::Policy;
use crate::read_only::read_only;
use crate::workspace::Workspace;

/// What gathering works with.
pub(crate) struct Sources<'a> {
    pub(crate) store: &'a dyn Backend,
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) redactor: &'a Redactor,
    pub(crate) key: &'a HmacKey,
    pub(crate) workspace: &'a dyn Workspace,
    pub(crate) policy: &'a Policy,
    pub(crate) scope: &'a Scope,
    pub(crate) now: Timestamp,
}

/// The program whose commands repair the memory, and so may run when it is degraded.
const OWN_PROGRAM: &str = "precedent";

/// Collects everything that is known about an action.
pub(crate) async fn gather(sources: &Sources<'_>, action: &Prepared) -> Evidence {
    let mut evidence = Evidence {
        read_only: read_only(&action.canonical),
        repairs: !action.canonical.commands.is_empty()
            && action
                .canonical
                .commands
                .iter()
                .all(|command| command.program == OWN_PROGRAM),
        ..Evidence::default()
    };
    history::gather(sources, action, &mut evidence).await;
    rules::gather(sources, action, &mut evidence).await;
    memories::gather(sources, action, &mut evidence).await;
    evidence
}

/// Reads a recorded action back; its text was masked when it was recorded.
fn recorded(event: &ToolEvent) -> CanonicalAction {
    let input = ActionInput {
        tool: &event.tool,
        input: &event.command,
        directory: event.cwd.as_deref(),
        project: event.project.as_deref(),
        ..ActionInput::default()
    };
    canonicalise(&input, &AlreadyMasked, &|_| [0; 32])
}

/// Tells whether a record of `project` concerns an action in `ours`; an unknown project may be any.
fn same_project(project: Option<&str>, ours: Option<&str>) -> bool {
    match (project, ours) {
        (Some(project), Some(ours)) => project == ours,
        _ => true,
    }
}
