//! A language model on the write path: asked for what it is for, believed only where it confirms,
//! and never in the way of what was stored before it failed.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene fails")]

use std::sync::{Arc, Mutex};

use futures_executor::block_on;
use precedent::crates::core::{
    Answer, Completion, LanguageModel, ModelError, ModelErrorKind, RawText,
};
use precedent::{Classification, ErrorKind, Memory, Redactor, RememberItem};

/// A model that gives prepared answers, one a call, and then fails.
struct Scripted {
    answers: Mutex<Vec<&'static str>>,
    asked: Mutex<Vec<&'static str>>,
}

#[async_trait::async_trait]
impl LanguageModel for Scripted {
    async fn complete(&self, question: &Completion) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap().push(question.purpose);
        let mut answers = self.answers.lock().unwrap();
        if answers.is_empty() {
            return Err(ModelError::new(ModelErrorKind::Timeout, "asking"));
        }
        Ok(Answer {
            text: RawText::new(answers.remove(0).to_owned()),
            usage: None,
            micro_dollars: None,
            model: Redactor::new().clean("scripted"),
        })
    }
}

fn opened(answers: &[&'static str]) -> (Memory, Arc<Scripted>) {
    let model = Arc::new(Scripted {
        answers: Mutex::new(answers.to_vec()),
        asked: Mutex::default(),
    });
    let memory = Memory::builder("mem:")
        .language_model(model.clone())
        .open()
        .unwrap();
    (memory, model)
}

const FACTS: &str = r#"{"facts":[
    {"text":"Ann's editor is vim","subject":"Ann","key":"editor","value":"vim","entities":["Ann"]},
    {"text":"The office has a kettle","subject":null,"key":null,"value":null,"entities":[]},
    {"text":"Ann dislikes tea","subject":null,"key":null,"value":null,"entities":[]}]}"#;

#[test]
fn facts_are_stored_where_the_verifier_confirms_them() {
    // Of the third candidate the answer says nothing, which is a no.
    let verdicts =
        r#"{"verdicts":[{"candidate":1,"supported":true},{"candidate":2,"supported":false}]}"#;
    let (memory, model) = opened(&[FACTS, verdicts]);
    let mut request = memory.request(vec!["Ann uses vim in the office.".into()]);
    request.extract = true;
    let done = block_on(memory.remember_with(request)).unwrap();
    assert_eq!(done.stored.len(), 1);
    let reasons: Vec<_> = done
        .rejected
        .iter()
        .map(|it| (it.candidate, it.reason.as_str()))
        .collect();
    assert_eq!(
        reasons,
        [(1, "failed-verification"), (2, "failed-verification")]
    );
    let stored = block_on(memory.memories(&[done.stored[0].id])).unwrap();
    assert_eq!(&*stored[0].text, "Ann's editor is vim");
    assert_eq!(
        stored[0].claim.as_ref().map(|claim| &*claim.key),
        Some("editor")
    );
    assert_eq!(
        model.asked.lock().unwrap().len(),
        2,
        "one call for all candidates"
    );
}

#[test]
fn an_outage_before_anything_is_stored_is_the_request_s_error() {
    for answers in [&[][..], &[FACTS][..]] {
        let (memory, _) = opened(answers);
        let mut request = memory.request(vec!["Ann uses vim in the office.".into()]);
        request.extract = true;
        let error = block_on(memory.remember_with(request)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Model);
        assert_eq!(block_on(memory.status()).unwrap().kinds[0].memories, 0);
    }
}

/// The caller may then store the words as they are, without any model.
#[test]
fn the_verbatim_lane_asks_nobody() {
    let (memory, model) = opened(&[]);
    let text = "Ann uses vim in the office. She likes it.";
    let mut request = memory.request(vec![text.into()]);
    request.extract = true;
    request.lane = precedent::WriteLane::Verbatim;
    let done = block_on(memory.remember_with(request)).unwrap();
    let stored = block_on(memory.memories(&[done.stored[0].id])).unwrap();
    assert_eq!(&*stored[0].text, text, "as it was said");
    assert!(model.asked.lock().unwrap().is_empty());
}

#[test]
fn what_may_not_travel_is_not_sent() {
    let (memory, model) = opened(&[FACTS]);
    let item = RememberItem {
        classification: Classification::Restricted,
        ..RememberItem::new("Ann uses vim in the office.")
    };
    let mut request = memory.request(vec![item]);
    request.extract = true;
    let error = block_on(memory.remember_with(request)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidInput);
    assert!(error.to_string().contains("llm-extraction"), "{error}");
    assert!(model.asked.lock().unwrap().is_empty());
}
