//! What goes out, what comes back, what it costs.

use futures_executor::block_on;
use precedent_core::{Clock, ModelErrorKind, Usage};
use precedent_llm::tasks::{Extract, SameEntity, Verdict, Verify};
use precedent_llm::{CostRow, Endpoint, OpenAi, OpenAiOptions};
use precedent_redact::Redactor;

use crate::fixtures::{
    Hand, KEY, Rows, anthropic, anthropic_with, ask, chat, fails, messages, openai, openai_with,
    settings, surroundings,
};
use crate::server::{Server, json};

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[test]
fn chat_completions_ask_answer_and_account() {
    let server = Server::start(vec![json(&chat("four"))]);
    let (clock, rows) = (Hand::new(), Rows::default());
    let url = format!("{}/v1/", server.url());
    let model = openai_with(&url, settings(), clock.clone(), &rows);
    let answer = ask(&model).expect("an answer");
    assert_eq!(answer.text.as_raw(), "four");
    let usage = Usage {
        input_tokens: 100,
        output_tokens: 10,
    };
    assert_eq!(answer.usage, Some(usage));
    // 100 tokens at 2 and 10 at 8 dollars for a million.
    assert_eq!(answer.micro_dollars, Some(280));
    assert_eq!(answer.model.as_str(), "m-2026");
    let row = CostRow {
        purpose: "test",
        model: answer.model,
        input_tokens: Some(100),
        output_tokens: Some(10),
        micro_dollars: Some(280),
        at: clock.now(),
    };
    assert_eq!(*rows.lock().expect("no panic"), [row]);

    let requests = server.requests();
    let [request] = requests.as_slice() else {
        panic!("one request, not {}", requests.len());
    };
    assert!(
        request
            .head
            .starts_with("POST /v1/chat/completions HTTP/1.1\r\n")
    );
    let bearer = format!("Bearer {KEY}");
    assert_eq!(
        header(&request.head, "authorization"),
        Some(bearer.as_str())
    );
    assert_eq!(
        header(&request.head, "content-type"),
        Some("application/json")
    );
    assert_eq!(header(&request.head, "accept-encoding"), None);
    let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["messages"][1]["content"], "How many wombats?");
}

#[test]
fn messages_ask_answer_and_account() {
    let server = Server::start(vec![json(&messages("four"))]);
    let rows = Rows::default();
    let model = anthropic_with(&server.url(), settings(), Hand::new(), &rows);
    let answer = ask(&model).expect("an answer");
    assert_eq!(
        (answer.text.as_raw(), answer.micro_dollars),
        ("four", Some(280))
    );
    assert_eq!(rows.lock().expect("no panic").len(), 1);
    let request = server.requests().remove(0);
    assert!(request.head.starts_with("POST /v1/messages HTTP/1.1\r\n"));
    assert_eq!(header(&request.head, "x-api-key"), Some(KEY));
    assert_eq!(
        header(&request.head, "anthropic-version"),
        Some("2023-06-01")
    );
    assert_eq!(header(&request.head, "authorization"), None);
}

#[test]
fn a_service_without_a_key_is_sent_none() {
    let server = Server::start(vec![json(&chat("four"))]);
    let model = OpenAi::new(
        &Endpoint::new(&server.url()).expect("an address"),
        None,
        "m",
        OpenAiOptions::default(),
        settings(),
        surroundings(Hand::new(), &Rows::default()),
    )
    .expect("a client");
    assert!(ask(&model).is_ok());
    assert_eq!(header(&server.requests()[0].head, "authorization"), None);
}

#[test]
fn an_answer_without_a_count_has_no_cost() {
    let body = r#"{"choices":[{"message":{"content":"four"},"finish_reason":null}]}"#;
    let server = Server::start(vec![json(body)]);
    let rows = Rows::default();
    let model = openai_with(&server.url(), settings(), Hand::new(), &rows);
    let answer = ask(&model).expect("an answer");
    assert_eq!((answer.usage, answer.micro_dollars), (None, None));
    assert_eq!(answer.model.as_str(), "m");
    let rows = rows.lock().expect("no panic");
    assert_eq!((rows[0].input_tokens, rows[0].micro_dollars), (None, None));
}

#[test]
fn an_answer_that_ran_out_of_tokens_is_paid_for_and_not_repeated() {
    let body = chat("fo").replace("\"stop\"", "\"length\"");
    let server = Server::start(vec![json(&body)]);
    let rows = Rows::default();
    let model = openai_with(&server.url(), settings(), Hand::new(), &rows);
    fails(&model, ModelErrorKind::CutOff);
    assert_eq!(server.count(), 1);
    assert_eq!(rows.lock().expect("no panic")[0].micro_dollars, Some(280));
}

#[test]
fn the_three_questions_go_through_a_client() {
    let redactor = Redactor::new();
    let content = redactor.clean("Ada uses port 5433. It rains in Ghent.");
    let facts =
        ["Ada uses port 5433.", "It rains in Ghent.", "It snows."].map(|text| redactor.clean(text));
    let candidates: Vec<_> = facts.iter().collect();
    let max_tokens = 200;

    let found = r#"{"facts":[{"text":"Ada uses port 5433.","subject":"Ada","key":"port",
        "value":"5433","entities":["Ada"]}]}"#;
    let half =
        r#"{"verdicts":[{"candidate":2,"supported":true},{"candidate":7,"supported":true}]}"#;
    let server = Server::start(
        [found, half, r#"{"same_as":3}"#]
            .map(|text| json(&chat(text)))
            .to_vec(),
    );
    let model = openai(&server, settings());
    let extract = Extract {
        content: &content,
        max_facts: 5,
        max_tokens,
    };
    let extraction = block_on(extract.ask(&model, &redactor)).expect("facts");
    assert_eq!(extraction.facts[0].value.as_deref(), Some("5433"));
    let verify = Verify {
        content: &content,
        candidates: &candidates,
        max_tokens,
    };
    let verdicts = block_on(verify.ask(&model, &redactor)).expect("verdicts");
    use Verdict::{Missing, Supported};
    assert_eq!(verdicts, [Missing, Supported, Missing]);
    let same = SameEntity {
        mention: &facts[0],
        context: &content,
        candidates: &candidates,
        max_tokens,
    };
    assert_eq!(
        block_on(same.ask(&model, &redactor)).expect("a choice"),
        Some(2)
    );
    assert_eq!(server.count(), 3);
    let names: Vec<_> = server
        .requests()
        .iter()
        .map(|request| {
            let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
            body["response_format"]["json_schema"]["name"].clone()
        })
        .collect();
    assert_eq!(names, ["facts", "verdicts", "same_entity"]);

    // Without candidates nothing is asked.
    let nothing = Verify {
        candidates: &[],
        ..verify
    };
    assert_eq!(block_on(nothing.ask(&model, &redactor)).expect("none"), []);
    assert_eq!(server.count(), 3);
}

#[test]
fn a_tool_carries_the_answer_of_messages() {
    let redactor = Redactor::new();
    let fact = redactor.clean("It rains.");
    let body = r#"{"content":[{"type":"tool_use","id":"t","name":"verdicts",
        "input":{"verdicts":[{"candidate":1,"supported":true}]}}],"stop_reason":"tool_use"}"#;
    let server = Server::start(vec![json(body)]);
    let model = anthropic(&server, settings());
    let verify = Verify {
        content: &fact,
        candidates: &[&fact],
        max_tokens: 50,
    };
    let verdicts = block_on(verify.ask(&model, &redactor)).expect("verdicts");
    assert_eq!(verdicts, [Verdict::Supported]);
}
