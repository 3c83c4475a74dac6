//! Generated histories: commits over few ids, so that they meet, conflict and replay.

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{Change, Commit, Decision, Durability, Expect, Header, Kind, Outcome, State};
use proptest::prelude::*;

use crate::data::{
    ACTOR, at, axis, clean, commit_id, decide, digest, erase, event, memory, memory_id, name,
    namespace, observe, put_with, receipt, receipt_id, rule, rule_change, slanted, supersede,
};

/// Where generated records are.
const PLACES: [&str; 4] = ["team", "team/app", "team/app/sub", "team/app2"];
/// By whom.
const AGENTS: [&str; 2] = ["a1", "a2"];
/// What they say.
const TEXTS: [&str; 5] = [
    "red fox",
    "red red cat parseURL",
    "dog owl hen emu",
    "deploying \u{6570}\u{636e}",
    "",
];
/// How many ids there are of each sort of record.
const IDS: u64 = 6;

/// Where a record is, whose it is, and which of the texts and vectors it has.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    id: u64,
    place: usize,
    agent: usize,
    private: bool,
    choice: usize,
}

/// One change, in terms of few numbers.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Put(Draft),
    Supersede(u64, Draft),
    Event(Draft, Option<u64>),
    Rule(Draft, u64),
    Receipt(Draft),
    Erase(Vec<u64>, usize),
    Note(u64),
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A new one, so many milliseconds after the start, with a precondition now and then.
    New(Vec<Deed>, i64, Option<u64>),
    /// The last one again.
    Again,
    /// Another one under the id of the last.
    Reuse(Vec<Deed>),
}

fn draft() -> impl Strategy<Value = Draft> {
    (
        1..=IDS,
        0..PLACES.len(),
        0..AGENTS.len(),
        any::<bool>(),
        0..30usize,
    )
        .prop_map(|(id, place, agent, private, choice)| Draft {
            id,
            place,
            agent,
            private,
            choice,
        })
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => draft().prop_map(Deed::Put),
        3 => (1..=IDS, draft()).prop_map(|(old, new)| Deed::Supersede(old, new)),
        3 => (draft(), prop::option::of(1..=IDS)).prop_map(|(event, receipt)| {
            Deed::Event(event, receipt)
        }),
        2 => (draft(), 1..=IDS).prop_map(|(rule, memory)| Deed::Rule(rule, memory)),
        2 => draft().prop_map(Deed::Receipt),
        2 => (prop::collection::vec(1..=IDS, 1..4), 0..PLACES.len()).prop_map(|(ids, place)| {
            Deed::Erase(ids, place)
        }),
        1 => (1..=IDS).prop_map(Deed::Note),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let deeds = || prop::collection::vec(deed(), 1..4);
    prop_oneof![
        12 => (deeds(), 0..5000i64, prop::option::weighted(0.2, 1..=IDS))
            .prop_map(|(deeds, ms, expect)| Step::New(deeds, ms, expect)),
        2 => Just(Step::Again),
        1 => deeds().prop_map(Step::Reuse),
    ]
}

/// Histories of up to thirty requests.
pub(crate) fn histories() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..30)
}

/// Builds the request of a step that stands at `place`, from 1.
pub(crate) fn request(place: u64, step: &Step, last: Option<&Commit>) -> Commit {
    match (step, last) {
        (Step::Again, Some(last)) => last.clone(),
        (Step::Reuse(deeds), Some(last)) => build(last.header.clone(), place, deeds, None),
        (Step::New(deeds, ms, expect), _) => build(header(place, *ms), place, deeds, *expect),
        (Step::Again, None) => build(header(place, 0), place, &[], None),
        (Step::Reuse(deeds), None) => build(header(place, 0), place, deeds, None),
    }
}

fn header(place: u64, ms: i64) -> Header {
    Header {
        id: commit_id(place),
        at: at(ms),
        actor: name(ACTOR),
        agent: name(AGENTS[0]),
        namespace: namespace(PLACES[1]),
        purpose: name("assist"),
    }
}

fn build(header: Header, place: u64, deeds: &[Deed], expect: Option<u64>) -> Commit {
    let expects: Vec<Expect> = expect
        .map(|id| match id {
            1 | 2 => Expect::Absent(memory_id(id)),
            3 | 4 => Expect::Version(memory_id(id), 1),
            5 => Expect::ReceiptOpen(receipt_id(id), name(AGENTS[0])),
            _ => Expect::NoDuplicate {
                place: crate::data::place(PLACES[1], None),
                digest: digest(TEXTS[0]),
            },
        })
        .into_iter()
        .collect();
    let changes: Vec<Change> = (0..)
        .zip(deeds)
        .flat_map(|(n, deed)| changes(deed, &header, place * 10 + n))
        .collect();
    Commit {
        durability: Durability::Full,
        request: digest(&format!("{header:?} {expects:?} {changes:?}")),
        header,
        expects,
        changes,
    }
}

/// Builds the changes of one deed; certificates are numbered apart, since nothing says what a
/// reused one would mean.
fn changes(deed: &Deed, header: &Header, certificate: u64) -> Vec<Change> {
    match deed {
        Deed::Put(draft) => vec![put(draft, None)],
        Deed::Supersede(old, draft) if *old == draft.id => vec![put(draft, None)],
        Deed::Supersede(old, draft) => vec![
            put(draft, Some(*old)),
            supersede(memory_id(*old), memory_id(draft.id)),
        ],
        Deed::Event(draft, closes) => {
            let mut event = event(draft.id, header.at);
            event.namespace = namespace(PLACES[draft.place]);
            event.agent = name(AGENTS[draft.agent]);
            event.private = draft.private;
            event.outcome = Outcome::ALL[draft.choice % Outcome::ALL.len()];
            event.receipt = closes.map(receipt_id);
            vec![observe(event)]
        }
        Deed::Rule(draft, memory) => {
            let mut rule = rule(draft.id, memory_id(*memory));
            rule.namespace = namespace(PLACES[draft.place]);
            rule.agent = name(AGENTS[draft.agent]);
            rule.private = draft.private;
            vec![rule_change(rule)]
        }
        Deed::Receipt(draft) => {
            let mut receipt = receipt(draft.id);
            receipt.namespace = namespace(PLACES[draft.place]);
            receipt.agent = name(AGENTS[draft.agent]);
            receipt.decision = Decision::ALL[draft.choice % Decision::ALL.len()];
            vec![decide(receipt)]
        }
        Deed::Erase(memories, place) => {
            let memories: Vec<_> = memories.iter().copied().map(memory_id).collect();
            vec![erase(certificate, PLACES[*place], &memories)]
        }
        Deed::Note(memory) => vec![Change::Note(Fact {
            op: Op::Deduplicate,
            result: FactResult::Ok,
            namespace: header.namespace.clone(),
            memory: Some(memory_id(*memory)),
            detail: Detail::Reason(Reason::ExactRepeat, Some(memory_id(*memory))),
        })],
    }
}

fn put(draft: &Draft, supersedes: Option<u64>) -> Change {
    let choice = draft.choice;
    let mut memory = memory(draft.id, TEXTS[choice % TEXTS.len()]);
    memory.namespace = namespace(PLACES[draft.place]);
    memory.agent = name(AGENTS[draft.agent]);
    memory.private = draft.private;
    memory.kind = Kind::ALL[choice % Kind::ALL.len()];
    memory.supersedes = supersedes.map(memory_id);
    if choice == 7 {
        memory.state = State::Dormant;
    }
    if choice.is_multiple_of(2) {
        memory.tags = vec![clean("tagged")];
        memory.valid_from = Some(at(-1000));
    }
    let vector = match choice % 4 {
        0 => None,
        1 => Some(axis(choice)),
        2 => Some(slanted(choice, choice + 1)),
        _ => Some(vec![0.0; 3]),
    };
    put_with(memory, vector)
}
