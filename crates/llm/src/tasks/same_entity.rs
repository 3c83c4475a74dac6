//! A mention and candidates in, the one that it means or none out.

use precedent_core::{AnswerSchema, Completion, LanguageModel, ModelError, RawText};
use precedent_redact::{CleanText, Redactor};
use serde::Deserialize;

use super::answer;
use super::prompt::{self, Block, Instructions, numbered};

const INSTRUCTIONS: Instructions = Instructions {
    purpose: "same-entity",
    system: "You decide whether a mention names something that is already known. The block \
        `mention` is the name, the block `context` the text that it stands in, and the block \
        `candidates` what is known, numbered from 1. Answer with the number of the one candidate \
        that the mention surely names, or with 0 if it names none of them, if two would do, or if \
        you are not sure. Names that look alike are not enough. Answer with JSON only: \
        {\"same_as\": 0}",
    schema: AnswerSchema {
        name: "same_entity",
        json: r#"{"type":"object","properties":{"same_as":{"type":"integer"}},
            "required":["same_as"],"additionalProperties":false}"#,
    },
};

/// Asks which of some known entities a mention names, where names alone do not decide.
#[derive(Clone, Copy, Debug)]
pub struct SameEntity<'a> {
    /// The name as it was found.
    pub mention: &'a CleanText,
    /// The text that it was found in.
    pub context: &'a CleanText,
    /// What is known, each with as many of its names and properties as help.
    pub candidates: &'a [&'a CleanText],
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
}

#[derive(Deserialize)]
struct Choice {
    same_as: i64,
}

impl SameEntity<'_> {
    /// Builds the request.
    ///
    /// # Errors
    /// `rejected` if the data cannot be told from the instructions.
    pub fn request(&self, redactor: &Redactor) -> Result<Completion, ModelError> {
        let candidates = numbered(self.candidates);
        let blocks = [
            Block {
                name: "mention",
                text: self.mention,
            },
            Block {
                name: "context",
                text: self.context,
            },
            Block {
                name: "candidates",
                text: &candidates,
            },
        ];
        prompt::build(&INSTRUCTIONS, &blocks, self.max_tokens, redactor)
    }

    /// Reads an answer: the index of the candidate, `None` for zero and for any other number.
    ///
    /// # Errors
    /// `cut-off`, `malformed` or `too-large`.
    pub fn read(&self, text: &RawText) -> Result<Option<usize>, ModelError> {
        let Choice { same_as } = answer::read(text, INSTRUCTIONS.purpose)?;
        let index = same_as
            .checked_sub(1)
            .and_then(|at| usize::try_from(at).ok());
        Ok(index.filter(|at| *at < self.candidates.len()))
    }

    /// Asks a model, once; not at all without candidates.
    ///
    /// # Errors
    /// Those of [`request`](Self::request), of the model and of [`read`](Self::read).
    pub async fn ask(
        &self,
        model: &dyn LanguageModel,
        redactor: &Redactor,
    ) -> Result<Option<usize>, ModelError> {
        if self.candidates.is_empty() {
            return Ok(None);
        }
        let answer = model.complete(&self.request(redactor)?).await?;
        self.read(&answer.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::ModelErrorKind;

    fn with_task<T>(run: impl FnOnce(SameEntity<'_>, &Redactor) -> T) -> T {
        let redactor = Redactor::new();
        let [mention, context, one, two] =
            ["Ada", "Ada wrote it.", "Ada Lovelace", "Ada, Ohio"].map(|text| redactor.clean(text));
        let task = SameEntity {
            mention: &mention,
            context: &context,
            candidates: &[&one, &two],
            max_tokens: 100,
        };
        run(task, &redactor)
    }

    fn read(text: &str) -> Result<Option<usize>, ModelErrorKind> {
        with_task(|task, _| {
            task.read(&RawText::new(text.to_owned()))
                .map_err(|error| error.kind)
        })
    }

    #[test]
    fn one_of_the_candidates_or_none() {
        use ModelErrorKind as K;
        assert_eq!(read(r#"{"same_as":1}"#), Ok(Some(0)));
        assert_eq!(read(r#"{"same_as":2}"#), Ok(Some(1)));
        for none in [
            "0",
            "3",
            "-1",
            "9223372036854775807",
            "-9223372036854775808",
        ] {
            assert_eq!(read(&format!("{{\"same_as\":{none}}}")), Ok(None), "{none}");
        }
        for broken in [
            "{}",
            r#"{"same_as":null}"#,
            r#"{"same_as":"1"}"#,
            r#"{"same_as":[1]}"#,
        ] {
            assert_eq!(read(broken), Err(K::Malformed), "{broken}");
        }
        assert_eq!(read(r#"{"same_as":1"#), Err(K::CutOff));
    }

    #[test]
    fn the_request_holds_mention_context_and_candidates() {
        let request = with_task(|task, redactor| task.request(redactor)).expect("a mark stands");
        for part in [
            "\n\nAda\n\n",
            "\n\nAda wrote it.\n\n",
            "\n2: \"Ada, Ohio\"\n",
        ] {
            assert!(request.prompt.contains(part), "{part}");
        }
        assert!(request.system.starts_with(INSTRUCTIONS.system));
        assert!(serde_json::from_str::<serde_json::Value>(INSTRUCTIONS.schema.json).is_ok());
    }
}
