//! `guardbench --stdio`: the subject side of the benchmark's protocol `guardbench-jsonl/1`.
//!
//! One JSON object a line with an integer `id`, one reply a line with the same `id`. Faults break
//! the real index.

use std::io::BufRead;

use precedent::{
    Action, Ending, Kind, Lane, LaneBreak, Memory, Outcome, RememberItem, Salience, Source, Trust,
    Verdict,
};
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::exit::{Exit, Failure};
use crate::output::{Line, print};

/// The protocol's name.
const PROTOCOL: &str = "guardbench-jsonl/1";
/// Where the host's marker of trust stands in a seeded memory's context, and what it says.
const TRUST_MARKER: (&str, &str) = ("precedent_trust", "user-verified");

pub(super) fn run() -> Ended {
    let mut subject = Subject { memory: None };
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Io("reading a request", error))?;
        if line.trim().is_empty() {
            continue;
        }
        print(&Line::json(&subject.reply(&line)))?;
    }
    Ok(Exit::Success)
}

/// The memory of the scenario that is being played.
struct Subject {
    memory: Option<Memory>,
}

type Reply = Result<Value, String>;

impl Subject {
    fn reply(&mut self, line: &str) -> Value {
        let request: Value = match serde_json::from_str(line) {
            Ok(request) => request,
            Err(_) => return json!({ "id": null, "ok": false, "error": "the request is not JSON" }),
        };
        // An id is a number; anything else could be what must not be said back.
        let id = request.get("id").filter(|id| id.is_i64() || id.is_u64());
        match self.handle(&request) {
            Ok(result) => json!({ "id": id, "ok": true, "result": result }),
            Err(error) => json!({ "id": id, "ok": false, "error": error }),
        }
    }

    fn handle(&mut self, request: &Value) -> Reply {
        match request
            .get("op")
            .and_then(Value::as_str)
            .unwrap_or_default()
        {
            "hello" => Ok(json!({
                "name": "Precedent",
                "version": env!("CARGO_PKG_VERSION"),
                "protocol": PROTOCOL,
                "capabilities": ["namespaces", "agents", "private", "faults"],
            })),
            "reset" => self.reset(request),
            "seed" => self.seed(field(request, "item")),
            "fault" => self.fault(request),
            "settle" | "ping" => Ok(json!({})),
            "act" => self.act(field(request, "action")),
            "close" => {
                self.memory = None;
                Ok(json!({}))
            }
            _ => Err(format!("unknown op; this is {PROTOCOL}")),
        }
    }

    fn reset(&mut self, request: &Value) -> Reply {
        // The store of the scenario before must be closed before its folder is reused.
        self.memory = None;
        let folder = text(request, "store_dir").ok_or("reset needs store_dir")?;
        let mut builder = Memory::builder(&folder).testkit();
        if let Some(agent) = text(request, "agent") {
            builder = builder.agent(agent);
        }
        self.memory = Some(builder.open().map_err(say)?);
        Ok(json!({}))
    }

    /// Returns the memory as the item's or the action's agent and namespace see it.
    fn memory(&self, item: &Value) -> Result<Memory, String> {
        let mut memory = self.memory.clone().ok_or("reset comes first")?;
        if let Some(namespace) = text(item, "namespace") {
            memory = memory.in_namespace(&namespace).map_err(say)?;
        }
        if let Some(agent) = text(item, "agent") {
            memory = memory.for_agent(&agent).map_err(say)?;
        }
        Ok(memory)
    }

    fn seed(&self, item: &Value) -> Reply {
        let memory = self.memory(item)?;
        match text(item, "kind").as_deref() {
            Some("memory") => remember(&memory, &[item]),
            Some("tool_event") => observe(&memory, item),
            Some("noise") => {
                let items: Vec<&Value> = item
                    .get("memories")
                    .and_then(Value::as_array)
                    .map_or(Vec::new(), |list| list.iter().collect());
                remember(&memory, &items)
            }
            _ => Err("unknown seed kind; use memory, tool_event or noise".to_owned()),
        }
    }

    fn fault(&self, request: &Value) -> Reply {
        let memory = self.memory(&Value::Null)?;
        let kind = text(request, "memory_type").unwrap_or_else(|| "episodic".to_owned());
        let kind: Kind = kind.parse().map_err(say)?;
        let (lane, how) = match text(request, "kind").as_deref() {
            Some("vector_index_missing") => (Lane::Vector, LaneBreak::Drop),
            Some("vector_index_emptied") => (Lane::Vector, LaneBreak::Empty),
            Some("lexical_index_missing") => (Lane::Lexical, LaneBreak::Drop),
            Some("lexical_index_emptied") => (Lane::Lexical, LaneBreak::Empty),
            _ => {
                return Err(
                    "unknown fault; use vector_index_missing, vector_index_emptied, \
                     lexical_index_missing or lexical_index_emptied"
                        .to_owned(),
                );
            }
        };
        memory.break_lane(kind, lane, how).map_err(say)?;
        Ok(json!({}))
    }

    fn act(&self, item: &Value) -> Reply {
        let memory = self.memory(item)?;
        let action = action(item);
        Ok(decision(&wait(memory.before(&action))))
    }
}

fn say(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn texts(value: &Value, name: &str) -> Vec<String> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// Stores memories in one commit.
fn remember(memory: &Memory, items: &[&Value]) -> Reply {
    if items.is_empty() {
        return Ok(json!({ "ids": [] }));
    }
    let items = items
        .iter()
        .map(|item| memory_item(item))
        .collect::<Result<Vec<_>, _>>()?;
    let written = wait(memory.remember_all(items, None)).map_err(say)?;
    let ids: Vec<String> = written
        .stored
        .iter()
        .map(|stored| stored.id.to_string())
        .chain(written.deduplicated.iter().map(ToString::to_string))
        .collect();
    Ok(json!({ "ids": ids }))
}

fn memory_item(item: &Value) -> Result<RememberItem, String> {
    let mut made = RememberItem::new(text(item, "content").ok_or("a memory needs content")?);
    if let Some(source) = text(item, "source") {
        made.source = source.parse::<Source>().map_err(say)?;
    }
    if let Some(salience) = item.get("salience").and_then(Value::as_f64) {
        made.salience = Salience::from_share(salience);
    }
    made.tags = texts(item, "tags");
    made.private = flag(item, "private");
    let (name, marker) = TRUST_MARKER;
    if text(field(item, "context"), name).as_deref() == Some(marker) {
        made.trust = Trust::User;
    }
    Ok(made)
}

fn observe(memory: &Memory, item: &Value) -> Reply {
    let outcome = text(item, "outcome").unwrap_or_else(|| "unknown".to_owned());
    let ending = Ending {
        error: text(item, "error_summary"),
        output: text(item, "output"),
        private: flag(item, "private"),
        ..Ending::new(outcome.parse::<Outcome>().map_err(say)?)
    };
    let observed = wait(memory.after(&action(item), &ending, None)).map_err(say)?;
    let ids: Vec<String> = std::iter::once(observed.event.to_string())
        .chain(observed.learned.map(|id| id.to_string()))
        .collect();
    Ok(json!({ "ids": ids }))
}

fn action(item: &Value) -> Action {
    let command = text(item, "command");
    Action {
        tool: text(item, "tool").unwrap_or_else(|| "Bash".to_owned()),
        action: text(item, "action")
            .or_else(|| command.clone())
            .unwrap_or_default(),
        command,
        cwd: text(item, "cwd"),
        files: texts(item, "files"),
        session: text(item, "session_id"),
        ..Action::default()
    }
}

fn decision(verdict: &Verdict) -> Value {
    let evidence: Vec<&str> = verdict.evidence_ids().map(|id| &**id).collect();
    json!({
        "decision": verdict.decision,
        "riskScore": verdict.risk_score,
        "evidenceIds": evidence,
        "recommendedActions": verdict.recommendations,
        "summary": verdict.summary,
        "recallErrors": verdict.recall_errors,
        "extensions": {
            "rationale": verdict.rationale,
            "reflexes": verdict.reflexes,
            "latency_us": verdict.latency_us,
        },
    })
}
