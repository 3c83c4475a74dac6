//! The decision: from evidence to a verdict, pure and table-tested.

use precedent_core::{CleanText, Decision, Redactor};

use crate::evidence::{Degraded, Evidence, Near, Repeat, RuleFinding, RuleStanding, Standing};
use crate::policy::Policy;
use crate::reflex;
use crate::verdict::{EvidenceClass, EvidenceRef, Verdict, Warning, Weight};

/// Longest quotation of an error or a rule in a message, in characters.
const QUOTE_CHARS: usize = 320;

/// Decides on an action; the receipt and the latency are filled in by who asks.
pub fn decide(evidence: &Evidence, policy: &Policy, redactor: &Redactor) -> Verdict {
    let judge = Judge { policy, redactor };
    let mut warnings = judge.warnings(evidence);
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.weight));
    let heaviest = warnings
        .first()
        .map_or(Weight::Info, |warning| warning.weight);
    let decision = match heaviest {
        Weight::Info => Decision::Allow,
        Weight::Medium => Decision::Warn,
        Weight::High => Decision::Block,
    };
    let recall_errors = evidence
        .degraded
        .iter()
        .map(|degraded| judge.clean(&name(degraded)))
        .collect();
    let mut recommendations: Vec<CleanText> = Vec::new();
    for recommendation in warnings
        .iter()
        .filter_map(|warning| warning.recommendation.clone())
    {
        if !recommendations.contains(&recommendation) {
            recommendations.push(recommendation);
        }
    }
    Verdict {
        decision,
        risk_score: risk(heaviest, warnings.len()),
        summary: warnings.first().map_or_else(
            || judge.clean("nothing is known against this action"),
            |w| w.message.clone(),
        ),
        rationale: warnings
            .iter()
            .map(|warning| warning.message.clone())
            .collect(),
        evidence: cited(&warnings),
        recommendations,
        reflexes: reflex::reflexes(&warnings, redactor),
        warnings,
        recall_errors,
        receipt: None,
        latency_us: 0,
    }
}

/// Scores a verdict: the heaviest warning decides, further ones add a little.
fn risk(heaviest: Weight, warnings: usize) -> f64 {
    let base = match heaviest {
        Weight::Info => 0.1,
        Weight::Medium => 0.55,
        Weight::High => 0.9,
    };
    let further = u32::try_from(warnings.saturating_sub(1))
        .unwrap_or(u32::MAX)
        .min(9);
    base + f64::from(further) * 0.01
}

/// Lists the evidence, each id once, under the heaviest warning that rests on it.
fn cited(warnings: &[Warning]) -> Vec<EvidenceRef> {
    let mut cited: Vec<EvidenceRef> = Vec::new();
    for warning in warnings {
        for id in &warning.evidence {
            if cited.iter().all(|known| known.id != *id) {
                cited.push(EvidenceRef {
                    id: id.clone(),
                    class: warning.class,
                    reason: warning.message.clone(),
                });
            }
        }
    }
    cited
}

/// Returns the name under which something that could not be looked at is cited.
fn name(degraded: &Degraded) -> String {
    match degraded {
        Degraded::Lane(error) => error.to_string(),
        Degraded::Store(what) => format!("recall:{what}:store-unavailable"),
    }
}

/// Says how an earlier failure stands: what it weighs, in what words, and what to do.
fn tell(standing: &Standing, failed: String) -> (Weight, String, &'static str) {
    use Weight::{High, Info, Medium};
    let (weight, since, advice) = match standing {
        Standing::Stands => return (High, failed, "fix the cause or change the action first"),
        Standing::SucceededSince(_) => {
            let message = "this action failed before and has succeeded since".to_owned();
            return (Info, message, "");
        }
        Standing::FileChanged(path) => {
            return (Info, format!("{failed}; `{path}` has changed since"), "");
        }
        Standing::RemedySucceeded(_) => (Info, "the remedy it names has succeeded since", ""),
        Standing::Decayed => (
            Medium,
            "that was a while ago",
            "check whether the cause is gone",
        ),
        Standing::EditedSince(_) => (
            Medium,
            "files were edited since, none that it names",
            "make sure that the edit is the fix",
        ),
        Standing::Transient => (
            Medium,
            "it looked like the network, which may be back",
            "try again once; if it fails again, look for another cause",
        ),
        Standing::CredentialChanged => (
            Medium,
            "it carries another credential now",
            "make sure the new credential is the fix",
        ),
        Standing::EnvironmentChanged => (
            Medium,
            "its environment differs now",
            "make sure the changed environment is the fix",
        ),
        Standing::ScopeChanged => (
            Medium,
            "its files differ now",
            "check that they do not share the cause",
        ),
    };
    (weight, format!("{failed}; {since}"), advice)
}

struct Judge<'a> {
    policy: &'a Policy,
    redactor: &'a Redactor,
}

impl Judge<'_> {
    fn clean(&self, text: &str) -> CleanText {
        self.redactor.clean(text)
    }

    fn warning(
        &self,
        class: EvidenceClass,
        weight: Weight,
        message: &str,
        recommendation: &str,
        evidence: Vec<String>,
    ) -> Warning {
        Warning {
            class,
            weight,
            message: self.clean(message),
            recommendation: (!recommendation.is_empty()).then(|| self.clean(recommendation)),
            evidence: evidence.iter().map(|id| self.clean(id)).collect(),
        }
    }

    /// Quotes a text on one line, shortened.
    fn quote(&self, text: &CleanText) -> CleanText {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.redactor.clean_truncated(&line, QUOTE_CHARS)
    }

    fn warnings(&self, evidence: &Evidence) -> Vec<Warning> {
        let mut warnings = Vec::new();
        warnings.extend(evidence.conflicts.iter().map(|conflict| {
            self.warning(
                EvidenceClass::Conflict,
                Weight::High,
                "conflict: two must-follow rules about this action contradict each other",
                "ask which of the two rules holds, and retire the other",
                vec![conflict.one.to_string(), conflict.other.to_string()],
            )
        }));
        warnings.extend(
            evidence
                .rules
                .iter()
                .filter_map(|finding| self.rule(finding)),
        );
        warnings.extend(evidence.repeat.iter().map(|repeat| self.repeat(repeat)));
        if !evidence.read_only {
            warnings.extend(self.near(&evidence.near));
            warnings.extend(evidence.risks.iter().map(|relevant| {
                self.warning(
                    EvidenceClass::Risk,
                    Weight::Medium,
                    &format!("a known risk may apply: {}", self.quote(&relevant.text)),
                    "read the cited memory before acting",
                    vec![relevant.memory.to_string()],
                )
            }));
        }
        warnings.extend(
            evidence
                .degraded
                .iter()
                .map(|degraded| self.degraded(degraded, evidence)),
        );
        warnings
    }

    fn rule(&self, finding: &RuleFinding) -> Option<Warning> {
        let text = self.quote(&finding.text);
        let id = vec![finding.memory.to_string()];
        match &finding.standing {
            RuleStanding::Forbidden => Some(self.warning(
                EvidenceClass::MustFollow,
                Weight::High,
                &format!("a must-follow rule forbids this: {text}"),
                "do not run it; ask if it has to be done",
                id,
            )),
            RuleStanding::Missing(prerequisites) => {
                let steps: Vec<&str> = prerequisites.iter().map(|step| &**step).collect();
                Some(self.warning(
                    EvidenceClass::MustFollow,
                    Weight::High,
                    &format!("a must-follow rule is not met yet: {text}"),
                    &format!("run {} first", steps.join(" and ")),
                    id,
                ))
            }
            RuleStanding::Discouraged(preferred) => Some(self.warning(
                EvidenceClass::Preference,
                Weight::Medium,
                &format!("a rule prefers another action: {text}"),
                &format!("use {preferred} instead"),
                id,
            )),
            RuleStanding::Satisfied(events) => {
                let evidence = events.iter().map(ToString::to_string).collect();
                let message = format!("a must-follow rule is met: {text}");
                Some(self.warning(EvidenceClass::Success, Weight::Info, &message, "", evidence))
            }
        }
    }

    fn repeat(&self, repeat: &Repeat) -> Warning {
        let times = repeat.failures.len();
        let said = repeat
            .error
            .as_ref()
            .map_or_else(String::new, |error| format!(": {}", self.quote(error)));
        let failed = format!("this exact action failed before ({times} recorded){said}");
        let (weight, message, advice) = match &repeat.standing {
            Standing::ScopeChanged => (
                Weight::Medium,
                format!("the same command had a failure on other files{said}"),
                "check that these files do not share the cause",
            ),
            standing => tell(standing, failed),
        };
        let class = match (&repeat.standing, weight) {
            (_, Weight::Info) => EvidenceClass::Success,
            (
                Standing::CredentialChanged | Standing::EnvironmentChanged | Standing::ScopeChanged,
                _,
            ) => EvidenceClass::NearFailure,
            _ => EvidenceClass::PriorFailure,
        };
        let since = repeat.standing.event().into_iter();
        let ids = since
            .chain(repeat.failures.iter().copied())
            .map(|id| id.to_string());
        self.warning(class, weight, &message, advice, ids.collect())
    }

    /// Similar failures warn together; many variants of one shape weigh as much as a repeat.
    fn near(&self, near: &[Near]) -> Option<Warning> {
        let newest = near.first()?;
        // Variants that fail for different causes are different attempts, not the same one again.
        let alike = |failure: &&Near| failure.same_shape && failure.cause == newest.cause;
        let variants = near.iter().filter(alike).count();
        let said = newest
            .error
            .as_ref()
            .map_or_else(String::new, |error| format!(": {}", self.quote(error)));
        let ids = near
            .iter()
            .map(|failure| failure.event.to_string())
            .collect();
        if variants >= self.policy.retry_limit {
            let message =
                format!("{variants} variants of this action failed, each a failure{said}");
            let advice = "change the strategy or ask; another variant will not help";
            return Some(self.warning(
                EvidenceClass::NearFailure,
                Weight::High,
                &message,
                advice,
                ids,
            ));
        }
        let message = format!("a similar action had a failure, `{}`{said}", newest.command);
        let advice = "check what is different this time";
        Some(self.warning(
            EvidenceClass::NearFailure,
            Weight::Medium,
            &message,
            advice,
            ids,
        ))
    }

    /// A lost lane blocks, except an action that only reads or that repairs the memory.
    fn degraded(&self, degraded: &Degraded, evidence: &Evidence) -> Warning {
        let harmless = evidence.read_only || evidence.repairs;
        let weight = if harmless { Weight::Info } else { Weight::High };
        let repair = match degraded {
            Degraded::Lane(error) => error.repair,
            Degraded::Store(_) => "run `precedent status`",
        };
        let name = name(degraded);
        self.warning(
            EvidenceClass::RecallDegraded,
            weight,
            &format!("recall degraded: {name}"),
            &format!("repair the degraded recall path: {repair}"),
            vec![name],
        )
    }
}

#[cfg(test)]
mod tests {
    use precedent_core::{EventId, Kind, Lane, MemoryId, RecallCode, RecallError, RuleId};

    use super::*;
    use crate::evidence::{Conflict, Relevant};

    fn clean(text: &str) -> CleanText {
        Redactor::new().clean(text)
    }

    fn event(n: u8) -> EventId {
        EventId::from_bytes([n; 16])
    }

    fn repeat(standing: Standing) -> Evidence {
        let repeat = Repeat {
            failures: vec![event(1)],
            error: Some(clean("boom")),
            standing,
        };
        Evidence {
            repeat: Some(repeat),
            ..Evidence::default()
        }
    }

    fn rule(standing: RuleStanding) -> Evidence {
        let finding = RuleFinding {
            rule: RuleId::from_bytes([2; 16]),
            memory: MemoryId::from_bytes([3; 16]),
            text: clean("before X run Y"),
            standing,
        };
        Evidence {
            rules: vec![finding],
            ..Evidence::default()
        }
    }

    fn near(variants: u8) -> Evidence {
        let near = (0..variants).map(|n| Near {
            event: event(n),
            command: clean("./ingest --batch 10"),
            error: None,
            same_shape: true,
            cause: CleanText::default(),
        });
        Evidence {
            near: near.collect(),
            ..Evidence::default()
        }
    }

    fn degraded() -> Evidence {
        let error = RecallError::new(Kind::Episodic, Lane::Lexical, RecallCode::Stale);
        Evidence {
            degraded: vec![Degraded::Lane(error)],
            ..Evidence::default()
        }
    }

    fn risk() -> Evidence {
        let relevant = Relevant {
            memory: MemoryId::from_bytes([4; 16]),
            text: clean("the mirror is flaky"),
            actor: precedent_core::Name::parse(clean("local")).unwrap(),
        };
        Evidence {
            risks: vec![relevant],
            ..Evidence::default()
        }
    }

    fn conflict() -> Evidence {
        let [one, other] = [5, 6].map(|n| MemoryId::from_bytes([n; 16]));
        Evidence {
            conflicts: vec![Conflict { one, other }],
            ..Evidence::default()
        }
    }

    fn check(evidence: &Evidence, decision: Decision, says: &str) {
        let verdict = decide(evidence, &Policy::default(), &Redactor::new());
        assert_eq!(verdict.decision, decision, "{evidence:?}");
        assert!(
            verdict.summary.contains(says),
            "{} does not say {says}",
            verdict.summary
        );
        assert!((0.0..=1.0).contains(&verdict.risk_score));
        assert_eq!(verdict.warnings.len(), verdict.reflexes.len());
    }

    #[test]
    fn the_table_of_decisions() {
        use Decision::{Allow, Block, Warn};
        check(&Evidence::default(), Allow, "nothing is known");
        check(&repeat(Standing::Stands), Block, "failed before");
        check(&repeat(Standing::Decayed), Warn, "failed before");
        check(
            &repeat(Standing::EditedSince(event(9))),
            Warn,
            "edited since",
        );
        check(&repeat(Standing::Transient), Warn, "network");
        check(
            &repeat(Standing::SucceededSince(event(9))),
            Allow,
            "succeeded since",
        );
        check(
            &repeat(Standing::RemedySucceeded(event(9))),
            Allow,
            "succeeded since",
        );
        check(
            &repeat(Standing::FileChanged(clean("a.ts"))),
            Allow,
            "changed since",
        );
        check(&repeat(Standing::CredentialChanged), Warn, "credential");
        check(&repeat(Standing::EnvironmentChanged), Warn, "environment");
        check(&repeat(Standing::ScopeChanged), Warn, "failure");
        check(&rule(RuleStanding::Forbidden), Block, "must-follow");
        check(
            &rule(RuleStanding::Missing(vec![clean("Y")])),
            Block,
            "must-follow",
        );
        check(&rule(RuleStanding::Satisfied(vec![event(9)])), Allow, "met");
        check(
            &rule(RuleStanding::Discouraged(clean("Y"))),
            Warn,
            "prefers",
        );
        check(&near(1), Warn, "failure");
        check(&near(5), Block, "variants");
        check(&degraded(), Block, "recall degraded");
        check(&conflict(), Block, "conflict");
        check(&risk(), Warn, "risk");
    }

    #[test]
    fn reading_and_repairing_are_not_held_back_by_similarity_or_degradation() {
        for evidence in [near(5), degraded(), risk()] {
            check(
                &Evidence {
                    read_only: true,
                    ..evidence
                },
                Decision::Allow,
                "",
            );
        }
        check(
            &Evidence {
                repairs: true,
                ..degraded()
            },
            Decision::Allow,
            "recall degraded",
        );
    }

    #[test]
    fn evidence_is_cited_once_and_degradation_says_how_to_repair_it() {
        let evidence = Evidence {
            degraded: degraded().degraded,
            ..conflict()
        };
        let verdict = decide(&evidence, &Policy::default(), &Redactor::new());
        let ids: Vec<&str> = verdict.evidence_ids().map(|id| &**id).collect();
        let expected = [MemoryId::from_bytes([5; 16]), MemoryId::from_bytes([6; 16])];
        assert_eq!(ids[..2], expected.map(|id| id.to_string()));
        assert_eq!(ids[2], "recall:episodic:lexical:index-stale");
        let advice = "repair the degraded recall path: run `precedent maintain reindex`";
        assert!(verdict.recommendations.iter().any(|said| &**said == advice));
    }
}
