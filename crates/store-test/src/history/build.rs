//! From numbers to requests.

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    Change, Commit, Decision, Durability, Expect, Header, Kind, Memory, Mention, Outcome, Place,
    Standing, State,
};

use super::{AGENTS, Bonds, Deed, Demand, Draft, LISTS, Move, PLACES, Step};
use crate::data::{
    ACTOR, add_alias, alias, at, axis, claim, clean, commit_id, contradict, decide, digest, entity,
    entity_id, erase, event, memory, memory_id, name, name_entity, namespace, observe, put_with,
    readers, receipt, receipt_id, resolve, rule, rule_change, slanted, topic, transition,
};

/// What memories say.
pub(crate) const TEXTS: [&str; 5] = [
    "red fox",
    "red red cat parseURL",
    "dog owl hen emu",
    "deploying \u{6570}\u{636e}",
    "",
];
/// What they state something about, each in two spellings of one subject and key.
pub(crate) const TOPICS: [[(&str, &str); 2]; 2] = [
    [("user", "name"), (" User", "NAME")],
    [("user", "city"), ("user", "city ")],
];
/// Names of entities; the last one is another spelling of the first.
pub(crate) const NAMES: [&str; 4] = ["ann", "bea", "cem", " ANN"];

/// The name that entity `n` has from the start.
pub(super) fn own_name(n: u64) -> usize {
    usize::try_from(n).map_or(0, |n| (n + 2) % 3)
}

/// Builds the request of a step that stands at `place`, from 1.
pub(crate) fn request(place: u64, step: &Step, last: Option<&Commit>) -> Commit {
    match (step, last) {
        (Step::Again, Some(last)) => last.clone(),
        (Step::Reuse(deeds), Some(last)) => build(last.header.clone(), place, deeds, None),
        (Step::New(deeds, ms, demand), _) => {
            build(header(place, *ms), place, deeds, demand.as_ref())
        }
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

fn build(header: Header, place: u64, deeds: &[Deed], demand: Option<&Demand>) -> Commit {
    let expects: Vec<Expect> = demand.map(expect).into_iter().collect();
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

fn expect(demand: &Demand) -> Expect {
    match demand {
        Demand::Absent(id) => Expect::Absent(memory_id(*id)),
        Demand::Version(id, version) => Expect::Version(memory_id(*id), *version),
        Demand::ReceiptOpen(id) => Expect::ReceiptOpen(receipt_id(*id), name(AGENTS[0])),
        Demand::NoDuplicate(draft) => Expect::NoDuplicate {
            place: place(draft),
            digest: digest(TEXTS[draft.choice % TEXTS.len()]),
        },
        Demand::Holding(draft, about, ids) => {
            let (subject, key) = TOPICS[*about][draft.choice % 2];
            Expect::Holding {
                place: place(draft),
                topic: topic(subject, key),
                memories: ids.iter().copied().map(memory_id).collect(),
            }
        }
    }
}

fn place(draft: &Draft) -> Place {
    Place {
        namespace: namespace(PLACES[draft.place]),
        owner: draft.private.then(|| name(AGENTS[draft.agent])),
        readers: readers(LISTS[draft.list]),
    }
}

/// Builds the changes of one deed; certificates are numbered apart, since nothing says what a
/// reused one would mean.
fn changes(deed: &Deed, header: &Header, certificate: u64) -> Vec<Change> {
    match deed {
        Deed::Put(draft, bonds) => vec![put(written(draft, bonds, None), draft)],
        Deed::Supersede(old, draft, bonds, _) if *old == draft.id => {
            vec![put(written(draft, bonds, None), draft)]
        }
        Deed::Supersede(old, draft, bonds, ends) => vec![
            put(written(draft, bonds, Some(*old)), draft),
            Change::Supersede {
                old: memory_id(*old),
                new: memory_id(draft.id),
                ends: at(*ends),
            },
        ],
        Deed::Move(movement) => vec![moved(movement)],
        Deed::Entity(draft, also) => vec![named(draft.id, draft, *also)],
        Deed::Alias(n, name, registered) => vec![add_alias(*n, NAMES[*name], *registered)],
        Deed::Meet(n, draft) => {
            let bonds = Bonds {
                mention: Some((*n, own_name(*n))),
                ..Bonds::default()
            };
            let memory = written(draft, &bonds, None);
            vec![named(*n, draft, None), put(memory, draft)]
        }
        Deed::Contradict(n, a, b) => vec![contradict(*n, *a, *b)],
        Deed::Resolve(n, kept) => vec![resolve(*n, *kept)],
        Deed::Settle(n, a, b, older) => {
            vec![contradict(*n, *a, *b), resolve(*n, older.then_some(*a))]
        }
        Deed::Event(draft, closes) => vec![observed(draft, *closes, header)],
        Deed::Rule(draft, memory) => vec![ruled(draft, *memory)],
        Deed::Receipt(draft) => vec![decided(draft)],
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

fn moved(movement: &Move) -> Change {
    let (op, state) = movement.change;
    let to = Standing {
        state,
        valid_to: movement.end.map(at),
        superseded_by: movement.by.map(memory_id),
    };
    transition(memory_id(movement.memory), op, to)
}

fn named(n: u64, draft: &Draft, also: Option<usize>) -> Change {
    let mut entity = entity(n, &[NAMES[own_name(n)]]);
    entity.namespace = namespace(PLACES[draft.place]);
    (entity.agent, entity.private) = (name(AGENTS[draft.agent]), draft.private);
    entity.readers = readers(LISTS[draft.list]);
    let registered = draft.choice.is_multiple_of(3);
    entity
        .names
        .extend(also.map(|name| alias(NAMES[name], registered)));
    name_entity(entity)
}

fn observed(draft: &Draft, closes: Option<u64>, header: &Header) -> Change {
    let mut event = event(draft.id, header.at);
    event.namespace = namespace(PLACES[draft.place]);
    event.agent = name(AGENTS[draft.agent]);
    event.private = draft.private;
    event.outcome = Outcome::ALL[draft.choice % Outcome::ALL.len()];
    event.receipt = closes.map(receipt_id);
    observe(event)
}

fn ruled(draft: &Draft, memory: u64) -> Change {
    let mut rule = rule(draft.id, memory_id(memory));
    rule.namespace = namespace(PLACES[draft.place]);
    rule.agent = name(AGENTS[draft.agent]);
    rule.private = draft.private;
    rule_change(rule)
}

fn decided(draft: &Draft) -> Change {
    let mut receipt = receipt(draft.id);
    receipt.namespace = namespace(PLACES[draft.place]);
    receipt.agent = name(AGENTS[draft.agent]);
    receipt.decision = Decision::ALL[draft.choice % Decision::ALL.len()];
    decide(receipt)
}

fn written(draft: &Draft, bonds: &Bonds, supersedes: Option<u64>) -> Memory {
    let choice = draft.choice;
    let mut memory = memory(draft.id, TEXTS[choice % TEXTS.len()]);
    memory.namespace = namespace(PLACES[draft.place]);
    (memory.agent, memory.private) = (name(AGENTS[draft.agent]), draft.private);
    memory.readers = readers(LISTS[draft.list]);
    memory.kind = Kind::ALL[choice % Kind::ALL.len()];
    memory.supersedes = supersedes.map(memory_id);
    memory.claim = bonds.topic.map(|about| {
        let (subject, key) = TOPICS[about][choice % 2];
        claim(subject, key, TEXTS[choice % TEXTS.len()])
    });
    memory.mentions = bonds
        .mention
        .map(|(entity, name)| Mention {
            entity: entity_id(entity),
            name: clean(NAMES[name]),
        })
        .into_iter()
        .collect();
    memory.derived_from = bonds.origin.map(memory_id).into_iter().collect();
    if choice % 9 == 7 {
        memory.state = State::ALL[choice % State::ALL.len()];
    }
    if choice.is_multiple_of(2) {
        memory.tags = vec![clean("tagged")];
        memory.valid_from = Some(at(-1000));
    }
    if choice % 7 == 3 {
        memory.valid_to = Some(at(3000));
    }
    memory
}

fn put(memory: Memory, draft: &Draft) -> Change {
    let choice = draft.choice;
    let vector = match choice % 4 {
        0 => None,
        1 => Some(axis(choice)),
        2 => Some(slanted(choice, choice + 1)),
        _ => Some(vec![0.0; 3]),
    };
    put_with(memory, vector)
}
