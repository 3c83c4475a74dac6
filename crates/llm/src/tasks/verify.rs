//! Content and candidate facts in, one verdict for each candidate out.

use precedent_core::{AnswerSchema, Completion, LanguageModel, ModelError, RawText};
use precedent_redact::{CleanText, Redactor};
use serde::Deserialize;

use super::answer::{self, Object};
use super::prompt::{self, Block, Instructions, numbered};

const INSTRUCTIONS: Instructions = Instructions {
    purpose: "verify",
    system: "You check statements against a piece of content. For each statement of the block \
        `statements`, numbered from 1, say whether the block `content` states it or implies it \
        beyond doubt. A statement that is plausible but not stated, that goes beyond the content, \
        changes a name, a number or a date, or leaves out a condition is not supported. What a \
        statement says of itself, and what you know from elsewhere, does not count. Give exactly \
        one verdict for each number. Answer with JSON only: {\"verdicts\": [{\"candidate\": 1, \
        \"supported\": false}]}",
    schema: AnswerSchema {
        name: "verdicts",
        json: r#"{"type":"object","properties":{"verdicts":{"type":"array","items":{
            "type":"object","properties":{"candidate":{"type":"integer"},
            "supported":{"type":"boolean"}},"required":["candidate","supported"],
            "additionalProperties":false}}},"required":["verdicts"],
            "additionalProperties":false}"#,
    },
};

/// Asks which candidates a content supports: one call for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Verify<'a> {
    /// What is read.
    pub content: &'a CleanText,
    /// What is checked against it.
    pub candidates: &'a [&'a CleanText],
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
}

/// What a model says of a candidate. Only `Supported` is a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The content states it.
    Supported,
    /// The content does not, or the answer contradicts itself.
    Unsupported,
    /// The answer does not speak of it.
    Missing,
}

#[derive(Deserialize)]
struct Verdicts {
    verdicts: Vec<Object<Numbered>>,
}

#[derive(Deserialize)]
struct Numbered {
    candidate: i64,
    supported: bool,
}

impl Verify<'_> {
    /// Builds the request.
    ///
    /// # Errors
    /// `rejected` if the content cannot be told from the instructions.
    pub fn request(&self, redactor: &Redactor) -> Result<Completion, ModelError> {
        let statements = numbered(self.candidates);
        let blocks = [
            Block {
                name: "content",
                text: self.content,
            },
            Block {
                name: "statements",
                text: &statements,
            },
        ];
        prompt::build(&INSTRUCTIONS, &blocks, self.max_tokens, redactor)
    }

    /// Reads an answer: one verdict for each candidate, in order. Verdicts for other numbers are
    /// ignored, and of two that differ the no holds.
    ///
    /// # Errors
    /// `cut-off`, `malformed` or `too-large`; then no part of the answer is used.
    pub fn read(&self, text: &RawText) -> Result<Vec<Verdict>, ModelError> {
        let Verdicts { verdicts } = answer::read(text, INSTRUCTIONS.purpose)?;
        let mut read = vec![Verdict::Missing; self.candidates.len()];
        for Object(Numbered {
            candidate,
            supported,
        }) in verdicts
        {
            let index = candidate
                .checked_sub(1)
                .and_then(|at| usize::try_from(at).ok());
            let Some(verdict) = index.and_then(|at| read.get_mut(at)) else {
                continue;
            };
            *verdict = match (supported, *verdict) {
                (true, Verdict::Missing | Verdict::Supported) => Verdict::Supported,
                _ => Verdict::Unsupported,
            };
        }
        Ok(read)
    }

    /// Asks a model, once; not at all without candidates.
    ///
    /// # Errors
    /// Those of [`request`](Self::request), of the model and of [`read`](Self::read).
    pub async fn ask(
        &self,
        model: &dyn LanguageModel,
        redactor: &Redactor,
    ) -> Result<Vec<Verdict>, ModelError> {
        if self.candidates.is_empty() {
            return Ok(Vec::new());
        }
        let answer = model.complete(&self.request(redactor)?).await?;
        self.read(&answer.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Missing, Supported, Unsupported};
    use precedent_core::ModelErrorKind;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Vec<Verdict>, ModelErrorKind> {
        let redactor = Redactor::new();
        let content = redactor.clean("irrelevant");
        let facts = ["a", "b", "c"].map(|fact| redactor.clean(fact));
        let task = Verify {
            content: &content,
            candidates: &facts.iter().collect::<Vec<_>>(),
            max_tokens: 100,
        };
        task.read(&RawText::new(text.to_owned()))
            .map_err(|error| error.kind)
    }

    #[test]
    fn each_candidate_has_the_verdict_of_its_number() {
        let all = r#"{"verdicts":[{"candidate":3,"supported":true},
            {"candidate":1,"supported":true},{"candidate":2,"supported":false}]}"#;
        assert_eq!(read(all), Ok(vec![Supported, Unsupported, Supported]));
    }

    #[test]
    fn half_the_answers_are_exactly_the_answers_that_are_there() {
        let half = r#"{"verdicts":[{"candidate":2,"supported":true}]}"#;
        assert_eq!(read(half), Ok(vec![Missing, Supported, Missing]));
        assert_eq!(read(r#"{"verdicts":[]}"#), Ok(vec![Missing; 3]));
    }

    #[test]
    fn unknown_numbers_are_ignored_and_of_two_verdicts_the_no_holds() {
        let odd = r#"{"verdicts":[{"candidate":0,"supported":true},
            {"candidate":-1,"supported":true},{"candidate":4,"supported":true},
            {"candidate":9223372036854775807,"supported":true},
            {"candidate":-9223372036854775808,"supported":true},
            {"candidate":1,"supported":true},{"candidate":1,"supported":false},
            {"candidate":2,"supported":false},{"candidate":2,"supported":true},
            {"candidate":3,"supported":true},{"candidate":3,"supported":true}]}"#;
        assert_eq!(read(odd), Ok(vec![Unsupported, Unsupported, Supported]));
    }

    #[test]
    fn a_broken_answer_is_an_error_as_a_whole() {
        use ModelErrorKind as K;
        let cut = r#"{"verdicts":[{"candidate":1,"supported":true},{"cand"#;
        assert_eq!(read(cut), Err(K::CutOff));
        for broken in [
            r#"{"verdicts":[{"candidate":1,"supported":"yes"}]}"#,
            r#"{"verdicts":[{"candidate":1.5,"supported":true}]}"#,
            r#"{"verdicts":[{"candidate":1}]}"#,
            r#"{"verdicts":{"1":true}}"#,
            r#"{"verdicts":[[1,true]]}"#,
            "yes to all",
        ] {
            assert_eq!(read(broken), Err(K::Malformed), "{broken}");
        }
    }

    #[test]
    fn every_part_of_an_answer_is_cut_off() {
        let whole = r#"{"verdicts":[{"candidate":1,"supported":true}],"why":"é"}"#;
        assert!(read(whole).is_ok());
        for (end, _) in whole.char_indices().skip(1) {
            assert_eq!(read(&whole[..end]), Err(ModelErrorKind::CutOff), "{end}");
        }
    }

    #[test]
    fn all_candidates_are_in_one_request() {
        let redactor = Redactor::new();
        let content = redactor.clean("the content");
        let facts = ["a", "b"].map(|fact| redactor.clean(fact));
        let task = Verify {
            content: &content,
            candidates: &facts.iter().collect::<Vec<_>>(),
            max_tokens: 100,
        };
        let request = task.request(&redactor).expect("a mark stands");
        assert!(request.prompt.contains("\n\n1: \"a\"\n2: \"b\"\n\n"));
        assert!(request.system.starts_with(INSTRUCTIONS.system));
        assert!(serde_json::from_str::<serde_json::Value>(INSTRUCTIONS.schema.json).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn each_candidate_has_one_verdict_and_a_yes_needs_a_yes(
            given in prop::collection::vec((-2_i64..6, any::<bool>()), 0..12),
        ) {
            let verdicts: Vec<_> = given
                .iter()
                .map(|(candidate, supported)| {
                    serde_json::json!({ "candidate": candidate, "supported": supported })
                })
                .collect();
            let text = serde_json::json!({ "verdicts": verdicts }).to_string();
            let read = read(&text).expect("a whole answer");
            for (number, verdict) in (1..).zip(&read) {
                let said = |yes| given.contains(&(number, yes));
                let expected = match (said(true), said(false)) {
                    (_, true) => Unsupported,
                    (true, false) => Supported,
                    (false, false) => Missing,
                };
                prop_assert_eq!(*verdict, expected);
            }
            prop_assert_eq!(read.len(), 3);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(?s)[{}\\[\\]\",:a-z0-9 `\n]{0,60}") {
            drop(read(&text));
        }
    }
}
