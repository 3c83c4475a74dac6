//! Test data: deterministic ids, instants, vectors, and records with every field set.

mod correction;
mod ids;

use std::sync::OnceLock;

use precedent_core::{
    ActionKeys, ActionPattern, Change, CleanText, Control, Decision, Digest, EmbeddingSpace,
    Erasure, Memory, MemoryId, Name, Namespace, Outcome, Place, PutMemory, Receipt, Redactor, Rule,
    Scope, Severity, Timestamp, ToolEvent, Trust,
};
use sha2::{Digest as _, Sha256};

pub use self::correction::{
    add_alias, alias, all_contradictions, all_entities, claim, contradict, contradiction_ids,
    entity, entity_ids, mention, name_entity, readers, resolve, restore, retire, revive, standing,
    topic, transition,
};
pub use self::ids::{
    certificate_id, commit_id, contradiction_id, entity_id, event_id, memory_id, receipt_id,
    rule_id,
};

/// Components of the suite's vectors.
pub const DIMENSION: usize = 8;
/// The instant from which the suite counts: 2026-01-01T00:00:00Z.
const START_MS: i64 = 1_767_225_600_000;
/// The namespace in which records are by default.
pub const HOME: &str = "team/app";
/// The agent that writes by default.
pub const AGENT: &str = "a1";
/// On whose behalf; a single term of two letters, so that lengths are easy to count by hand.
pub const ACTOR: &str = "u1";

/// Cleans a text.
pub fn clean(text: &str) -> CleanText {
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    REDACTOR.get_or_init(Redactor::new).clean(text)
}

/// Parses a namespace.
pub fn namespace(text: &str) -> Namespace {
    Namespace::parse(clean(text)).expect("the suite's namespaces are well formed")
}

/// Parses a name.
pub fn name(text: &str) -> Name {
    Name::parse(clean(text)).expect("the suite's names are well formed")
}

/// A reader.
pub fn scope(path: &str, agent: &str) -> Scope {
    Scope {
        namespace: namespace(path),
        agent: name(agent),
        names: vec![name(ACTOR)],
    }
}

/// The reader that sees what the defaults write.
pub fn home() -> Scope {
    scope(HOME, AGENT)
}

/// The instant `ms` milliseconds after the suite's start.
pub fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(START_MS + ms).expect("the suite's instants are of this century")
}

/// The SHA-256 of a text, where the contract wants any digest.
pub fn digest(text: &str) -> Digest {
    Digest::from_bytes(Sha256::digest(text.as_bytes()).into())
}

/// The space of the suite's vectors.
pub fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        fingerprint: digest("space"),
        model: precedent_core::Redactor::new().clean("suite"),
        dimension: DIMENSION,
        floor: 0.5,
    }
}

/// The unit vector along one axis.
pub fn axis(n: usize) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    vector[n % DIMENSION] = 1.0;
    vector
}

/// The unit vector (0.6, 0.8) in the plane of two axes: its cosines with them are 0.6 and 0.8.
pub fn slanted(first: usize, second: usize) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    vector[first % DIMENSION] = 0.6;
    vector[second % DIMENSION] = 0.8;
    vector
}

/// An active, shared, episodic memory that its user vouches for; the fields that the store sets are
/// left at their start.
pub fn memory(n: u64, text: &str) -> Memory {
    let (agent, actor) = (name(AGENT), name(ACTOR));
    Memory {
        trust: Trust::User,
        ..Memory::new(memory_id(n), namespace(HOME), agent, actor, clean(text))
    }
}

/// The place of records of a namespace, private to an agent or to nobody.
pub fn place(path: &str, owner: Option<&str>) -> Place {
    Place {
        namespace: namespace(path),
        owner: owner.map(name),
        readers: Vec::new(),
    }
}

/// The reader that stands where the defaults write, whom access lists know by these names.
pub fn listed(names: &[&str]) -> Scope {
    Scope {
        names: names.iter().copied().map(name).collect(),
        ..home()
    }
}

/// Replaces one memory by another, from the suite's start on.
pub fn supersede(old: MemoryId, new: MemoryId) -> Change {
    Change::Supersede {
        old,
        new,
        ends: at(0),
    }
}

/// Writes a memory that has no vector.
pub fn put(memory: Memory) -> Change {
    put_with(memory, None)
}

/// Writes a memory with a vector.
pub fn put_with(memory: Memory, vector: Option<Vec<f32>>) -> Change {
    let (digest, echo) = (
        digest(&memory.text),
        digest(&format!("echo {}", memory.text)),
    );
    Change::Put(Box::new(PutMemory {
        memory,
        vector,
        digest,
        echo,
    }))
}

/// The identities of action number `n`; two neighbours share a shape, four share a family.
pub fn keys(n: u64) -> ActionKeys {
    ActionKeys {
        exact: digest(&format!("exact {n}")),
        shape: digest(&format!("shape {}", n / 2)),
        family: digest(&format!("family {}", n / 4)),
    }
}

/// A succeeded use of a tool, with every optional field set but the receipt.
pub fn event(n: u64, when: Timestamp) -> ToolEvent {
    ToolEvent {
        id: event_id(n),
        namespace: namespace(HOME),
        agent: name(AGENT),
        private: false,
        session: Some(clean("s1")),
        host: Some(name("host")),
        tool: clean("Bash"),
        keys: keys(n),
        credential: Some(digest("credential")),
        lookup: vec![clean("tool:Bash"), clean(&format!("number:{n}"))],
        command: clean(&format!("make target{n}")),
        cwd: Some(clean("/srv/app")),
        project: Some(clean("/srv/app")),
        files: vec![precedent_core::FileState {
            path: clean("src/main.rs"),
            content: Some(digest("content")),
            named_by_error: true,
        }],
        outcome: Outcome::Succeeded,
        error: Some(clean("no error")),
        output: Some(clean("done")),
        input_digest: Some(digest("input")),
        output_digest: Some(digest("output")),
        exit_code: Some(0),
        duration_ms: Some(12),
        receipt: None,
        at: when,
    }
}

/// A rule of a memory that prohibits a command.
pub fn rule(n: u64, memory: MemoryId) -> Rule {
    Rule {
        id: rule_id(n),
        memory,
        namespace: namespace(HOME),
        agent: name(AGENT),
        private: false,
        project: Some(clean("/srv/app")),
        severity: Severity::Block,
        control: Control::Prohibits {
            trigger: ActionPattern {
                program: Some(clean("rm")),
                words: vec![clean("build")],
                flags: vec![clean("-r")],
                ..ActionPattern::default()
            },
            unless: Vec::new(),
        },
        keys: vec![clean("program:rm"), clean(&format!("number:{n}"))],
        recorded_at: Timestamp::EPOCH,
    }
}

/// An open guard decision that warned.
pub fn receipt(n: u64) -> Receipt {
    Receipt {
        id: receipt_id(n),
        namespace: namespace(HOME),
        agent: name(AGENT),
        session: Some(clean("s1")),
        tool_use: Some(clean(&format!("use-{n}"))),
        tool: clean("Bash"),
        keys: keys(n),
        decision: Decision::Warn,
        risk_permille: 300,
        evidence: vec![clean("memory")],
        at: Timestamp::EPOCH,
        closed_by: None,
    }
}

/// Erases memories at or below a namespace, under certificate number `n`.
pub fn erase(n: u64, within: &str, memories: &[MemoryId]) -> Change {
    Change::Erase(Erasure {
        certificate: certificate_id(n),
        memories: memories.to_vec(),
        within: namespace(within),
        reason: Some(clean("gdpr.art17.1.b")),
    })
}

/// Writes an event.
pub fn observe(event: ToolEvent) -> Change {
    Change::Event(Box::new(event))
}

/// Writes a rule.
pub fn rule_change(rule: Rule) -> Change {
    Change::Rule(Box::new(rule))
}

/// Writes a receipt.
pub fn decide(receipt: Receipt) -> Change {
    Change::Receipt(Box::new(receipt))
}
