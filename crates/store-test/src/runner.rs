//! Runs the suite as a test binary in which every case is a test of its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{Case, Harness, Need, cases};

/// Runs the suite on one backend, as the command line of a test binary says.
///
/// Cases that the backend lacks something for show as ignored, with the reason beside the
/// backend's name.
pub fn run(harness: Arc<dyn Harness>) -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = cases().map(|case| trial(case, &harness)).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(case: &'static Case, harness: &Arc<dyn Harness>) -> Trial {
    let harness = Arc::clone(harness);
    let lack = lack(harness.as_ref(), case.need);
    let kind = lack.map_or_else(
        || harness.backend().to_owned(),
        |why| format!("{}, {why}", harness.backend()),
    );
    Trial::test(label(case), move || {
        outcome(case, harness.as_ref()).map_err(Failed::from)
    })
    .with_kind(kind)
    .with_ignored_flag(lack.is_some())
}

/// Returns why cases with this need cannot run on a backend, or nothing if they can.
fn lack(harness: &dyn Harness, need: Need) -> Option<&'static str> {
    let without = need == Need::FailPoints && harness.fail_points().is_none();
    harness
        .lacks(need)
        .or_else(|| without.then_some("offers no fail points"))
}

fn label(case: &Case) -> String {
    format!("{}::{}", case.area, case.name)
}

/// Runs a case; a failure names the backend and the case.
fn outcome(case: &Case, harness: &dyn Harness) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| case.run(harness))).map_err(|panic| {
        let message = message(panic.as_ref());
        format!("{}: {}: {message}", harness.backend(), label(case))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panicked without a message")
}

/// Makes the `main` of a test binary that runs the suite on the backend of a [`Harness`].
///
/// The binary is declared with `harness = false` in the backend's manifest.
#[macro_export]
macro_rules! conformance {
    ($harness:expr) => {
        fn main() -> std::process::ExitCode {
            $crate::run(std::sync::Arc::new($harness))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, MemHarness};

    #[test]
    fn a_failure_names_the_backend_and_the_case() {
        let broken = Case {
            area: "area",
            name: "name",
            need: Need::Nothing,
            body: Body::Law(|_| assert_eq!(1, 2, "why")),
        };
        let failure = outcome(&broken, &MemHarness::default()).unwrap_err();
        assert!(failure.starts_with("mem: area::name: "), "{failure}");
        assert!(failure.contains("why"), "{failure}");
    }

    #[test]
    fn what_a_backend_lacks_is_ignored() {
        let harness: Arc<dyn Harness> = Arc::new(MemHarness::default());
        for case in cases() {
            let ignored = trial(case, &harness).has_ignored_flag();
            let lacking = [Need::Reopen, Need::FailPoints].contains(&case.need);
            assert_eq!(ignored, lacking, "{}", label(case));
        }
    }
}
