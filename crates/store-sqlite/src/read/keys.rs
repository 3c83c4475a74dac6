//! The keys that events are found by: a letter for the sort of key, then the key.

use precedent_core::{EventKey, ToolEvent};

/// Returns every key of an event.
pub(crate) fn of_event(event: &ToolEvent) -> Vec<Vec<u8>> {
    let mut keys = vec![
        of_query(&EventKey::Exact(event.keys.exact)),
        of_query(&EventKey::Shape(event.keys.shape)),
        of_query(&EventKey::Family(event.keys.family)),
        of_query(&EventKey::Any),
    ];
    keys.extend(
        event
            .lookup
            .iter()
            .map(|key| of_query(&EventKey::Lookup(key.clone()))),
    );
    keys
}

/// Returns the key that a query looks for.
pub(crate) fn of_query(key: &EventKey) -> Vec<u8> {
    let (sort, rest): (u8, &[u8]) = match key {
        EventKey::Exact(digest) => (b'e', digest.as_bytes()),
        EventKey::Shape(digest) => (b's', digest.as_bytes()),
        EventKey::Family(digest) => (b'f', digest.as_bytes()),
        EventKey::Lookup(text) => (b'l', text.as_bytes()),
        EventKey::Any => (b'a', &[]),
    };
    [&[sort], rest].concat()
}
