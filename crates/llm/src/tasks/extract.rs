//! Content in, candidate facts out.

use precedent_core::{
    AnswerSchema, Completion, LanguageModel, ModelError, RawText, clean_pair, mask_json,
};
use precedent_redact::{CleanText, Redactor};
use serde::Deserialize;

use super::answer::{self, Object};
use super::prompt::{self, Block, Instructions};

const INSTRUCTIONS: Instructions = Instructions {
    purpose: "extract",
    system: "You write down what a piece of content states, for a memory that is read later \
        without the content. List every separate fact once, the most important first, and at most \
        as many as the block `limit` says.\n\
        - `text`: one sentence that stands alone: names instead of pronouns, dates instead of \
        relative times where the content gives them. Only what the content states; nothing \
        guessed, nothing of your own knowledge.\n\
        - `subject`: what the fact is about, or null.\n\
        - `key` and `value`: the property that the fact sets and what it is set to, both short, \
        or null where the fact sets none.\n\
        - `entities`: the names of people, organisations, places, products, files and programs \
        in the fact, spelled as in the content.\n\
        Leave out greetings, opinions about yourself, and text that only asks for something to be \
        done. An empty list is a good answer. Answer with JSON only: {\"facts\": [{\"text\": \
        \"...\", \"subject\": null, \"key\": null, \"value\": null, \"entities\": []}]}",
    schema: AnswerSchema {
        name: "facts",
        json: r#"{"type":"object","properties":{"facts":{"type":"array","items":{"type":"object",
            "properties":{"text":{"type":"string"},"subject":{"type":["string","null"]},
            "key":{"type":["string","null"]},"value":{"type":["string","null"]},
            "entities":{"type":"array","items":{"type":"string"}}},
            "required":["text","subject","key","value","entities"],
            "additionalProperties":false}}},"required":["facts"],"additionalProperties":false}"#,
    },
};

/// Asks which facts a content states.
#[derive(Clone, Copy, Debug)]
pub struct Extract<'a> {
    /// What is read.
    pub content: &'a CleanText,
    /// How many facts are taken.
    pub max_facts: usize,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
}

/// A fact that a model found in a content; nothing vouches for it yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateFact {
    /// The fact, one sentence.
    pub text: CleanText,
    /// What it is about.
    pub subject: Option<CleanText>,
    /// The property that it sets.
    pub key: Option<CleanText>,
    /// What the property is set to.
    pub value: Option<CleanText>,
    /// The names in it, each once, in the order of the answer.
    pub entities: Vec<CleanText>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// The first facts, at most as many as asked for.
    pub facts: Vec<CandidateFact>,
    /// What the model found beyond that.
    pub beyond_cap: Vec<CandidateFact>,
}

#[derive(Deserialize)]
struct Facts {
    facts: Vec<Object<Fact>>,
}

#[derive(Deserialize)]
struct Fact {
    text: String,
    subject: Option<String>,
    key: Option<String>,
    value: Option<String>,
    #[serde(default)]
    entities: Vec<String>,
}

impl Extract<'_> {
    /// Builds the request.
    ///
    /// # Errors
    /// `rejected` if the content cannot be told from the instructions.
    pub fn request(&self, redactor: &Redactor) -> Result<Completion, ModelError> {
        let limit = self.max_facts.to_string();
        let blocks = [
            Block {
                name: "limit",
                text: &limit,
            },
            Block {
                name: "content",
                text: self.content,
            },
        ];
        prompt::build(&INSTRUCTIONS, &blocks, self.max_tokens, redactor)
    }

    /// Reads an answer and redacts what it says. Blank fields count as absent, a fact without
    /// text is kept for the caller to refuse.
    ///
    /// # Errors
    /// `cut-off`, `malformed` or `too-large`; then no part of the answer is used.
    pub fn read(&self, text: &RawText, redactor: &Redactor) -> Result<Extraction, ModelError> {
        let Facts { facts } = answer::read(text, INSTRUCTIONS.purpose)?;
        let mut facts: Vec<CandidateFact> = facts
            .iter()
            .map(|Object(fact)| clean_fact(fact, redactor))
            .collect();
        let beyond_cap = facts.split_off(self.max_facts.min(facts.len()));
        Ok(Extraction { facts, beyond_cap })
    }

    /// Asks a model, once.
    ///
    /// # Errors
    /// Those of [`request`](Self::request), of the model and of [`read`](Self::read).
    pub async fn ask(
        &self,
        model: &dyn LanguageModel,
        redactor: &Redactor,
    ) -> Result<Extraction, ModelError> {
        let answer = model.complete(&self.request(redactor)?).await?;
        self.read(&answer.text, redactor)
    }
}

fn clean_fact(fact: &Fact, redactor: &Redactor) -> CandidateFact {
    let clean = |text: &str| redactor.clean(&mask_json(text.trim(), redactor));
    let given = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default().trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    let (key, value) = match (given(&fact.key), given(&fact.value)) {
        (Some(key), Some(value)) => {
            let (key, value) = clean_pair(&key, &value, redactor);
            (Some(key), Some(value))
        }
        (key, value) => (key.map(|key| clean(&key)), value.map(|value| clean(&value))),
    };
    let mut entities: Vec<CleanText> = Vec::new();
    for name in fact.entities.iter().map(|name| clean(name)) {
        if !name.is_empty() && !entities.contains(&name) {
            entities.push(name);
        }
    }
    CandidateFact {
        text: clean(&fact.text),
        subject: given(&fact.subject).map(|subject| clean(&subject)),
        key,
        value,
        entities,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::ModelErrorKind;

    fn read(max_facts: usize, text: &str) -> Result<Extraction, ModelErrorKind> {
        let redactor = Redactor::new();
        let content = redactor.clean("irrelevant");
        let task = Extract {
            content: &content,
            max_facts,
            max_tokens: 100,
        };
        task.read(&RawText::new(text.to_owned()), &redactor)
            .map_err(|error| error.kind)
    }

    fn texts(facts: &[CandidateFact]) -> Vec<&str> {
        facts.iter().map(|fact| fact.text.as_str()).collect()
    }

    #[test]
    fn facts_are_read_up_to_the_cap() {
        let answer = r#"{"facts":[
            {"text":" Ada uses port 5433. ","subject":"Ada","key":"port","value":"5433",
             "entities":["Ada",""," Ada ","Postgres"]},
            {"text":"It rains.","subject":null,"key":" ","value":null,"entities":[]},
            {"text":"third","entities":[]}]}"#;
        let found = read(2, answer).expect("a whole answer");
        assert_eq!(texts(&found.facts), ["Ada uses port 5433.", "It rains."]);
        assert_eq!(texts(&found.beyond_cap), ["third"]);
        let first = &found.facts[0];
        assert_eq!(first.subject.as_deref(), Some("Ada"));
        assert_eq!(first.key.as_deref(), Some("port"));
        assert_eq!(first.value.as_deref(), Some("5433"));
        let names: Vec<&str> = first.entities.iter().map(CleanText::as_str).collect();
        assert_eq!(names, ["Ada", "Postgres"]);
        assert_eq!(found.facts[1].key, None);
        assert_eq!(read(0, answer).map(|found| found.beyond_cap.len()), Ok(3));
        assert_eq!(read(2, r#"{"facts":[]}"#), Ok(Extraction::default()));
    }

    #[test]
    fn a_part_of_an_answer_is_no_answer() {
        use ModelErrorKind as K;
        let cut = r#"{"facts":[{"text":"one","entities":[]},{"text":"tw"#;
        assert_eq!(read(9, cut), Err(K::CutOff));
        for broken in [
            r#"{}"#,
            r#"{"facts":null}"#,
            r#"{"facts":[{"subject":"x"}]}"#,
            r#"{"facts":[{"text":1}]}"#,
            r#"{"facts":[{"text":"x","entities":"x"}]}"#,
            r#"{"facts":["x"]}"#,
            r#"{"facts":[["x",null,null,null,[]]]}"#,
        ] {
            assert_eq!(read(9, broken), Err(K::Malformed), "{broken}");
        }
    }

    #[test]
    fn what_a_model_says_is_redacted() {
        let answer = r#"{"facts":[{"text":"The DB_PASSWORD=quokkas77 works.","subject":null,
            "key":"db_password","value":"quokkas77","entities":["password=quokkas77"]}]}"#;
        let found = read(9, answer).expect("a whole answer");
        assert!(!format!("{found:?}").contains("quokkas77"), "{found:?}");
        assert_eq!(found.facts[0].key.as_deref(), Some("db_password"));
    }

    #[test]
    fn the_request_says_how_many() {
        let redactor = Redactor::new();
        let content = redactor.clean("Ada uses port 5433.");
        let task = Extract {
            content: &content,
            max_facts: 12,
            max_tokens: 100,
        };
        let request = task.request(&redactor).expect("a mark stands");
        assert!(request.prompt.contains("\n\n12\n\n"));
        assert!(request.prompt.contains("\n\nAda uses port 5433.\n\n"));
        assert!(request.system.starts_with(INSTRUCTIONS.system));
        assert_eq!(request.max_tokens, 100);
    }

    #[test]
    fn the_schema_is_json() {
        let schema: serde_json::Value =
            serde_json::from_str(INSTRUCTIONS.schema.json).expect("JSON");
        let item = &schema["properties"]["facts"]["items"];
        assert_eq!(item["required"].as_array().map(Vec::len), Some(5));
    }
}
