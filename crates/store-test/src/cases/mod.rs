//! The cases, one module for each area of the contract.

mod capability;
mod commit;
mod concurrent;
mod correct;
mod crash;
mod degraded;
mod differential;
mod dispute;
mod durable;
mod erase;
mod expect;
mod isolation;
mod machine;
mod names;
mod query;
mod read;
mod recall;
mod refuse;
mod replay;

use crate::Case;

/// The cases by area.
pub static AREAS: &[&[Case]] = &[
    commit::atomic::CASES,
    commit::answer::CASES,
    commit::records::CASES,
    expect::CASES,
    replay::CASES,
    refuse::CASES,
    durable::CASES,
    crash::CASES,
    read::memories::CASES,
    read::events::CASES,
    read::guard::CASES,
    read::log::CASES,
    recall::lanes::CASES,
    recall::score::CASES,
    query::STORIES,
    query::LAWS,
    isolation::sight::CASES,
    isolation::reach::CASES,
    isolation::lists::CASES,
    degraded::CASES,
    correct::life::CASES,
    correct::clocks::CASES,
    correct::holding::CASES,
    names::CASES,
    dispute::CASES,
    erase::CASES,
    concurrent::CASES,
    capability::CASES,
    differential::CASES,
    machine::CASES,
];

/// Returns all cases.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    AREAS.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_cases_share_a_name() {
        let names: BTreeSet<_> = cases().map(|case| (case.area, case.name)).collect();
        assert_eq!(names.len(), cases().count());
    }
}
