//! A panic tells where it happened and never what it was about: its payload may quote a memory.

use std::panic::{self, AssertUnwindSafe, Location};

use precedent::Redactor;

use crate::exit::Failure;
use crate::output::{Line, note};

/// Replaces the standard hook, which prints the payload.
pub fn silence() {
    panic::set_hook(Box::new(|info| note(&told(info.location()))));
}

/// Runs `action`; a panic in it becomes a failure, so that the exit status stays one of ours.
pub fn contain<T>(action: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What was unwound is not used again: the process ends.
    panic::catch_unwind(AssertUnwindSafe(action)).unwrap_or_else(|_payload| {
        let said = "an internal error ended the command; what it had not confirmed is not stored";
        Err(Failure::Internal(Redactor::new().clean(said)))
    })
}

/// Says where a panic happened; it is not given the payload, so it cannot say it.
fn told(at: Option<&Location<'_>>) -> Line {
    let place = at.map_or_else(String::new, |at| {
        // A path of the build machine is nobody's business.
        let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!(" at {file}:{}", at.line())
    });
    Line::words(&format!(
        "precedent: internal error{place}; please report this"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_where_and_not_what() {
        let here = told(Some(Location::caller())).to_string();
        assert!(here.starts_with("precedent: internal error at panics.rs:"));
        assert!(here.ends_with("; please report this"));
    }

    #[test]
    fn a_contained_panic_says_nothing_of_its_payload() {
        let failed = contain::<()>(|| panic!("{}", "Tr0ub4dor")).unwrap_err();
        assert_eq!(failed.kind(), "internal");
        assert!(!failed.told().contains("Tr0ub4dor"));
    }
}
