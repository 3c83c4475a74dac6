//! What is not granted looks like what does not exist, in every method of the handle; a method
//! that this test does not know fails it.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene fails")]

use std::collections::BTreeSet;
use std::path::Path;

use futures_executor::block_on;
use precedent::{
    Action, CertificateQuery, ContradictionQuery, Ending, EntityKey, EntityQuery, Error, ErrorKind,
    EventKey, EventQuery, Grant, MaintainTask, Memory, MemoryId, MemoryQuery, Outcome,
    RememberItem, Ruling, StoreErrorKind, Trust,
};

/// Methods that give nothing of the store away: they concern the handle itself.
const OF_THE_HANDLE: [&str; 10] = [
    "builder",
    "principal",
    "acting_for",
    "restricted_to",
    "in_namespace",
    "for_agent",
    "clean",
    "redactor",
    "request",
    "recall_request",
];
/// Methods that answer the same whatever is granted, with the reason.
const FOR_ALL: [(&str, &str); 4] = [
    (
        "understood",
        "it reads the text that it is given, not the store",
    ),
    ("certificate_key_pem", "a public key is for everybody"),
    (
        "before",
        "a guard that could be refused would guard nothing",
    ),
    (
        "verify_audit",
        "it reads through `audit_log`, `certificates` and `status`",
    ),
];

/// Methods that exist for tests only.
const OF_TESTKIT: [&str; 2] = ["tamper", "break_lane"];

/// Asks something of a handle and tells whether it gets nothing.
type Denied = fn(&Memory, MemoryId) -> bool;

fn failed() -> Ending {
    Ending {
        error: Some("no kettle".to_owned()),
        ..Ending::new(Outcome::Failed)
    }
}

fn missing<T>(answer: Result<T, Error>) -> bool {
    answer.is_err_and(|error| error.kind == ErrorKind::Store(StoreErrorKind::NotFound))
}

fn empty<T>(answer: Result<Vec<T>, Error>) -> bool {
    answer.is_ok_and(|found| found.is_empty())
}

/// Every method that reaches the store: what has to be granted, and what it is to be denied.
fn methods() -> Vec<(&'static str, Grant, Denied)> {
    vec![
        ("recall", Grant::Read, |memory, _| {
            block_on(memory.recall("kettle")).hits.is_empty()
        }),
        ("recall_with", Grant::Read, |memory, _| {
            let request = memory.recall_request("kettle");
            block_on(memory.recall_with(&request)).hits.is_empty()
        }),
        ("memories", Grant::Read, |memory, id| {
            empty(block_on(memory.memories(&[id])))
        }),
        ("find", Grant::Read, |memory, _| {
            let query = MemoryQuery::all(memory.principal().scope(), 9);
            empty(block_on(memory.find(query)))
        }),
        ("history", Grant::Read, |memory, _| {
            empty(block_on(memory.history(None, "kettle")))
        }),
        ("revisions", Grant::Read, |memory, id| {
            empty(block_on(memory.revisions(id)))
        }),
        ("contradictions", Grant::Read, |memory, _| {
            let query = ContradictionQuery {
                scope: memory.principal().scope(),
                memory: None,
                open: true,
                after: None,
                limit: 9,
            };
            empty(block_on(memory.contradictions(query)))
        }),
        ("entities", Grant::Read, |memory, _| {
            let query = EntityQuery {
                scope: memory.principal().scope(),
                key: EntityKey::Any,
                after: None,
                limit: 9,
            };
            empty(block_on(memory.entities(query)))
        }),
        ("namespaces", Grant::Maintain, |memory, _| {
            empty(block_on(memory.namespaces()))
        }),
        ("events", Grant::Read, |memory, _| {
            let query = EventQuery {
                scope: memory.principal().scope(),
                key: EventKey::Any,
                outcomes: vec![],
                since: None,
                limit: 9,
            };
            empty(block_on(memory.events(query)))
        }),
        ("rules", Grant::Read, |memory, _| {
            empty(block_on(memory.rules(9)))
        }),
        ("open_receipt", Grant::Read, |memory, _| {
            block_on(memory.open_receipt("use-1")).is_ok_and(|found| found.is_none())
        }),
        ("capsule", Grant::Read, |memory, _| {
            missing(block_on(memory.capsule("boil", 500)))
        }),
        ("after", Grant::Write, |memory, _| {
            let ending = failed();
            missing(block_on(memory.after(
                &Action::shell("false"),
                &ending,
                None,
            )))
        }),
        ("remember", Grant::Write, |memory, _| {
            missing(block_on(memory.remember("another kettle")))
        }),
        ("remember_all", Grant::Write, |memory, _| {
            missing(block_on(
                memory.remember_all(vec!["one more kettle".into()], None),
            ))
        }),
        ("remember_with", Grant::Write, |memory, _| {
            let request = memory.request(vec!["a last kettle".into()]);
            missing(block_on(memory.remember_with(request)))
        }),
        ("retire", Grant::Correct, |memory, id| {
            missing(block_on(memory.retire(id)))
        }),
        ("restore", Grant::Correct, |memory, id| {
            missing(block_on(memory.restore(id)))
        }),
        ("quarantine", Grant::Correct, |memory, id| {
            missing(block_on(memory.quarantine(id)))
        }),
        ("promote", Grant::Vouch, |memory, id| {
            missing(block_on(memory.promote(id)))
        }),
        ("dispute", Grant::Correct, |memory, id| {
            missing(block_on(memory.dispute(id, id.offset(1))))
        }),
        ("resolve", Grant::Correct, |memory, _| {
            let id = precedent::ContradictionId::from_bytes([1; 16]);
            missing(block_on(memory.resolve(id, Ruling::Both)))
        }),
        ("revert", Grant::Correct, |memory, _| {
            let at = "2026-01-01T00:00:00.000Z".parse().unwrap();
            missing(block_on(memory.revert(None, "kettle", at)))
        }),
        ("forget", Grant::Forget, |memory, id| {
            missing(block_on(memory.forget(id, None)))
        }),
        ("export", Grant::Transfer, |memory, _| {
            missing(block_on(memory.export(None, 9)))
        }),
        ("import", Grant::Transfer, |memory, _| {
            missing(block_on(
                memory.import(vec!["a kettle from afar".into()], "k"),
            ))
        }),
        ("certificates", Grant::Audit, |memory, _| {
            empty(block_on(memory.certificates(&CertificateQuery::All)))
        }),
        ("audit_log", Grant::Audit, |memory, _| {
            missing(block_on(memory.audit_log(0, 9)))
        }),
        ("maintain", Grant::Maintain, |memory, _| {
            missing(block_on(memory.maintain(MaintainTask::Reindex)))
        }),
        ("status", Grant::Maintain, |memory, _| {
            missing(block_on(memory.status()))
        }),
    ]
}

/// A store with something of everything, and a memory in it.
fn furnished() -> (Memory, MemoryId) {
    let memory = precedent::open("mem:").unwrap();
    let item = RememberItem {
        trust: Trust::User,
        entities: vec!["Kettle Works".to_owned()],
        ..RememberItem::new("never boil the kettle dry").stating(None, "kettle", Some("red"))
    };
    let first = block_on(memory.remember(item)).unwrap().stored[0].id;
    let gone = block_on(memory.remember("a kettle to be forgotten"))
        .unwrap()
        .stored[0]
        .id;
    block_on(memory.forget(gone, None)).unwrap();
    block_on(memory.after(&Action::shell("false"), &failed(), None)).unwrap();
    (memory, first)
}

#[test]
fn a_method_is_denied_without_its_grant_and_not_with_it() {
    for (name, grant, denied) in methods() {
        let (memory, id) = furnished();
        let others: Vec<Grant> = Grant::ALL
            .iter()
            .copied()
            .filter(|it| *it != grant)
            .collect();
        assert!(
            denied(&memory.restricted_to(&others), id),
            "{name} without {grant}"
        );
    }
}

#[test]
fn reads_answer_whom_they_are_granted() {
    let (memory, id) = furnished();
    let alone = [
        "recall",
        "recall_with",
        "memories",
        "find",
        "history",
        "revisions",
        "entities",
        "events",
        "namespaces",
        "certificates",
        "audit_log",
        "status",
        "export",
    ];
    for (name, _, denied) in methods()
        .into_iter()
        .filter(|(name, ..)| alone.contains(name))
    {
        assert!(!denied(&memory, id), "{name} answers its owner");
    }
}

/// Nobody who may not delegate becomes somebody else.
#[test]
fn a_handle_without_delegation_stays_who_it_is() {
    let (memory, id) = furnished();
    let others: Vec<Grant> = Grant::ALL
        .iter()
        .copied()
        .filter(|it| *it != Grant::Delegate)
        .collect();
    let bound = memory.restricted_to(&others);
    assert!(bound.in_namespace("default/below").is_ok());
    assert!(missing(bound.in_namespace("elsewhere").map(|_| ())));
    assert!(missing(bound.for_agent("planner").map(|_| ())));
    let usurped = bound.acting_for(memory.principal().clone());
    assert!(block_on(usurped.memories(&[id])).unwrap().is_empty());
    assert!(missing(block_on(usurped.remember("a usurper's kettle"))));
}

/// Trust and lanes are granted, not claimed.
#[test]
fn nobody_vouches_without_the_grant() {
    let (memory, _) = furnished();
    let bound = memory.restricted_to(&[Grant::Read, Grant::Write]);
    let item = RememberItem {
        trust: Trust::User,
        ..RememberItem::new("always deploy on fridays")
    };
    let error = block_on(bound.remember(item)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidInput);
    let found = block_on(memory.recall("deploy on fridays")).hits;
    assert!(found.iter().all(|hit| !hit.memory.text.contains("fridays")));
}

#[test]
fn every_method_of_the_handle_is_known_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        found.extend(public_methods(&text));
    }
    let known: BTreeSet<String> = methods()
        .iter()
        .map(|(name, ..)| *name)
        .chain(OF_THE_HANDLE)
        .chain(FOR_ALL.map(|(name, _)| name))
        .chain(OF_TESTKIT)
        .map(str::to_owned)
        .collect();
    assert_eq!(found, known);
}

/// Returns the public methods of the `impl Memory` blocks of a file.
fn public_methods(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        match line {
            "impl Memory {" => inside = true,
            "}" => inside = false,
            _ => {}
        }
        let method = line
            .strip_prefix("    pub fn ")
            .or_else(|| line.strip_prefix("    pub async fn "))
            .filter(|_| inside);
        let name = method.and_then(|rest| rest.split(['(', '<']).next());
        found.extend(name.map(str::to_owned));
    }
    found
}
