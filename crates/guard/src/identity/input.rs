//! Inputs of tools other than the shell: which fields carry meaning.

use serde_json::Value;

use super::redact::Fields;
use super::{ActionInput, CanonicalAction, Mask, fold, path};

/// The one name for every host's shell tool.
pub(super) const SHELL: &str = "Bash";

/// Tells whether a tool runs shell commands, whatever its host calls it.
#[must_use]
pub fn is_shell_tool(tool: &str) -> bool {
    let tool = tool.trim().to_ascii_lowercase();
    // A foreign tool is named `mcp__server__tool`.
    let name = match tool.strip_prefix("mcp__") {
        Some(foreign) => foreign.rsplit("__").next().unwrap_or(foreign),
        None => tool.as_str(),
    };
    let foreign = name.len() < tool.len();
    let speaks = |part: &str| matches!(part, "shell" | "bash" | "terminal");
    if foreign && name.split(['_', '-']).any(speaks) {
        return true;
    }
    matches!(
        name,
        "bash"
            | "shell"
            | "sh"
            | "local_shell"
            | "run_shell_command"
            | "exec_command"
            | "terminal"
            | "run_terminal_cmd"
            | "run_in_terminal"
            | "execute_command"
            | "unified_exec"
            | "powershell"
            | "exec"
            | "run_command"
            | "run_shell"
            | "shell_exec"
            | "execute_shell"
            | "execute_bash"
            | "run_bash"
            | "start_process"
            | "run_process"
    )
}

/// Tells whether a tool changes the files it names.
#[must_use]
pub fn is_file_writer(tool: &str) -> bool {
    matches!(
        tool.to_ascii_lowercase().as_str(),
        "edit"
            | "write"
            | "multiedit"
            | "notebookedit"
            | "apply_patch"
            | "create_file"
            | "str_replace_editor"
            | "str_replace_based_edit_tool"
            | "replace"
            | "write_file"
            | "edit_file"
            | "delete_file"
            | "write_to_file"
            | "insert"
            | "patch"
            | "move_file"
    )
}

/// Returns the command line of a shell action, from text or JSON.
pub(super) fn shell_command(tool: &str, input: &str) -> Option<String> {
    if !is_shell_tool(tool) {
        return None;
    }
    let object = serde_json::from_str::<Value>(input).ok();
    let field = object
        .as_ref()
        .and_then(|o| o.get("command").or_else(|| o.get("cmd")));
    Some(match field {
        Some(Value::String(command)) => command.clone(),
        Some(Value::Array(words)) => {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(quote).collect();
            words.join(" ")
        }
        _ if tool.starts_with("mcp__") => return None,
        _ => input.to_owned(),
    })
}

fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Fields that carry meaning, for tools whose inputs are known (the hosts'
/// tool documentation); `None` stands for all but remarks and time limits.
fn meaningful(tool: &str) -> Option<&'static [&'static str]> {
    Some(match tool {
        "Edit" => &["file_path", "old_string", "new_string", "replace_all"],
        "MultiEdit" => &["file_path", "edits"],
        "Write" => &["file_path", "content"],
        "NotebookEdit" => &[
            "notebook_path",
            "cell_id",
            "new_source",
            "cell_type",
            "edit_mode",
        ],
        "Read" => &["file_path", "offset", "limit", "pages"],
        "Glob" => &["pattern", "path"],
        "Grep" => &[
            "pattern",
            "path",
            "glob",
            "type",
            "output_mode",
            "multiline",
            "-i",
        ],
        "WebFetch" => &["url", "prompt"],
        "WebSearch" => &["query", "allowed_domains", "blocked_domains"],
        _ => return None,
    })
}

/// Fields that never change what a host's own tool does.
const REMARKS: &[&str] = &["description", "timeout", "explanation", "run_in_background"];

const PATH_FIELDS: &[&str] = &[
    "file_path",
    "notebook_path",
    "path",
    "target_file",
    "filePath",
    "filename",
    "relative_path",
    "old_path",
    "new_path",
    "source",
    "destination",
];

const TARGET_FIELDS: &[&str] = &[
    "to",
    "url",
    "id",
    "repo",
    "repository",
    "owner",
    "name",
    "query",
    "pattern",
    "channel",
];

/// Brings the input of a tool other than the shell to canonical form.
///
/// `fields` are those of the input, where it is a JSON object.
pub(super) fn tool_action(
    action: &ActionInput<'_>,
    fields: Option<Fields>,
    mask: &dyn Mask,
) -> CanonicalAction {
    let mut out = CanonicalAction {
        tool: action.tool.to_owned(),
        ..CanonicalAction::default()
    };
    let raw = fields.as_ref().map(|fields| &fields.raw);
    let patch = patch_of(action.tool, action.input, raw);
    if let Some(patch) = patch {
        let patch = mask.mask(patch.trim());
        let paths = patch_paths(&patch);
        out.files = paths.iter().map(|p| place(action, p)).collect();
        out.input = Some(fold::fold(&patch));
        return out;
    }
    let Some(Value::Object(fields)) = fields.map(|fields| fields.masked) else {
        let masked = mask.mask(action.input);
        let words: Vec<&str> = masked.split_whitespace().collect();
        let text = fold::fold(&words.join(" "));
        out.targets = text.split(' ').map(str::to_owned).collect();
        out.input = Some(text);
        return out;
    };
    let known = meaningful(action.tool);
    let foreign = action.tool.starts_with("mcp__");
    let keep = |name: &str| match known {
        Some(names) => names.contains(&name),
        None => foreign || !REMARKS.contains(&name),
    };
    let mut pairs: Vec<(&String, &Value)> = fields.iter().filter(|(n, _)| keep(n)).collect();
    pairs.sort_by_key(|(name, _)| name.as_str());
    let mut written = Vec::new();
    for (name, value) in pairs {
        let is_path = PATH_FIELDS.contains(&name.as_str());
        let value = match value {
            Value::String(file) if is_path => Value::String(place(action, file)),
            other => folded(other),
        };
        note_target(name, &value, is_path, &mut out);
        written.push(format!(
            "{}:{}",
            Value::String(fold::fold(name)),
            canonical(&value)
        ));
    }
    out.input = Some(format!("{{{}}}", written.join(",")));
    out
}

fn note_target(name: &str, value: &Value, is_path: bool, out: &mut CanonicalAction) {
    let Value::String(text) = value else { return };
    if is_path {
        out.files.push(text.clone());
    } else if TARGET_FIELDS.contains(&name) {
        out.targets.push(text.clone());
    }
}

fn place(action: &ActionInput<'_>, file: &str) -> String {
    fold::fold(&path::relative(action.project, action.directory, file))
}

fn folded(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(fold::fold(text)),
        Value::Array(items) => items.iter().map(folded).collect(),
        Value::Object(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, value)| (fold::fold(name), folded(value)));
            Value::Object(pairs.collect())
        }
        other => other.clone(),
    }
}

/// Writes JSON with sorted keys and no blanks, in the manner of RFC 8785.
fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let mut pairs: Vec<_> = fields.iter().collect();
            pairs.sort_by_key(|(name, _)| name.as_str());
            let write = |(name, value): (&String, &Value)| {
                format!("{}:{}", Value::String(name.clone()), canonical(value))
            };
            let pairs: Vec<String> = pairs.into_iter().map(write).collect();
            format!("{{{}}}", pairs.join(","))
        }
        other => other.to_string(),
    }
}

fn patch_of(tool: &str, input: &str, value: Option<&Value>) -> Option<String> {
    if !matches!(tool, "apply_patch" | "patch") {
        return None;
    }
    let field = ["command", "input", "patch"]
        .iter()
        .find_map(|name| value?.get(*name));
    match field {
        Some(Value::String(patch)) => Some(patch.clone()),
        Some(Value::Array(words)) => words.last().and_then(Value::as_str).map(str::to_owned),
        _ => Some(input.to_owned()),
    }
}

/// Returns the paths that a patch changes: the `*** … File:` headers of the
/// apply_patch format, or the `---`/`+++` headers of a unified diff.
#[must_use]
pub fn patch_paths(patch: &str) -> Vec<String> {
    const HEADERS: [&str; 4] = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    let mut paths = Vec::new();
    for line in patch.lines() {
        let header = HEADERS.iter().find_map(|header| line.strip_prefix(header));
        let diff = line
            .strip_prefix("+++ ")
            .or_else(|| line.strip_prefix("--- "));
        let diff = diff.and_then(|p| p.strip_prefix("a/").or_else(|| p.strip_prefix("b/")));
        if let Some(name) = header.or(diff).map(str::trim).filter(|p| !p.is_empty()) {
            paths.push(path::normalise(None, name));
        }
    }
    paths.sort();
    paths.dedup();
    paths
}
