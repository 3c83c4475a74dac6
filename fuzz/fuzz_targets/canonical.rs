//! Canonical JSON and audit entries: what is accepted has exactly one spelling.

#![no_main]

use libfuzzer_sys::fuzz_target;
use precedent_audit::canonical::Entry;
use precedent_audit::json;

fuzz_target!(|data: &[u8]| {
    if let Ok(entry) = Entry::parse(data) {
        assert_eq!(
            entry.canonical().as_deref(),
            Ok(data),
            "an entry has two spellings"
        );
    }
    if let Ok(value) = json::parse(data) {
        assert_eq!(
            json::canonical(&value).as_deref(),
            Ok(data),
            "a value has two spellings"
        );
    }
    // Whatever another parser reads is written so that ours reads it back, or refused.
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(data)
        && let Ok(bytes) = json::canonical(&value)
    {
        assert_eq!(
            json::parse(&bytes).as_ref(),
            Ok(&value),
            "a value is not read back"
        );
    }
});
