//! Every way to misbehave, with the kind of the error and the exact number of requests.

use std::thread;
use std::time::{Duration, Instant};

use precedent_core::{ModelErrorKind as K, Retry};
use precedent_llm::Settings;

use crate::fixtures::{anthropic, ask, chat, fails, messages, openai, settings};
use crate::server::{Act, STALL, Server, bytes, json, response};

const JSON: &str = "Content-Type: application/json";

/// Plays the act for ever, expects the kind after exactly so many requests, of both clients.
fn check(act: Act, kind: K, requests: usize) {
    for which in 0..2 {
        let server = Server::start(vec![act.clone()]);
        let error = if which == 0 {
            fails(&openai(&server, settings()), kind)
        } else {
            fails(&anthropic(&server, settings()), kind)
        };
        assert_eq!(server.count(), requests, "{error}");
        assert_eq!(error.retry == Retry::Later, requests > 1, "{error}");
    }
}

#[test]
fn refusals_are_told_apart() {
    check(response(401, &[JSON], "{}"), K::Auth, 1);
    check(response(403, &[], ""), K::Auth, 1);
    check(response(400, &[JSON], "{}"), K::Rejected, 1);
    check(
        response(404, &["Content-Type: text/html"], "<html>"),
        K::Rejected,
        1,
    );
    check(response(413, &[], ""), K::TooLarge, 1);
    let quota = r#"{"error":{"code":"insufficient_quota"}}"#;
    check(response(429, &[JSON], quota), K::RateLimited, 1);
}

#[test]
fn what_may_pass_is_repeated() {
    check(response(429, &[], ""), K::RateLimited, 3);
    check(response(500, &[], "oops"), K::Unavailable, 3);
    check(response(503, &[], ""), K::Overloaded, 3);
    check(response(529, &[], ""), K::Overloaded, 3);
    check(Act::Close, K::Unavailable, 3);
    check(Act::Send(Vec::new()), K::Unavailable, 3);
}

#[test]
fn a_body_that_is_cut_is_asked_for_again() {
    let whole = chat("four");
    let half = &whole[..whole.len() / 2];
    check(
        Act::Send(bytes(200, &[JSON], whole.len(), half)),
        K::CutOff,
        3,
    );
    // Without a length only the JSON tells.
    let untold = format!("HTTP/1.1 200 OK\r\n{JSON}\r\n\r\n{half}");
    check(Act::Send(untold.into_bytes()), K::CutOff, 3);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\n{JSON}\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{half}",
        whole.len()
    );
    check(Act::Send(chunked.into_bytes()), K::CutOff, 3);
}

#[test]
fn what_is_no_answer_is_not_asked_for_again() {
    check(json(r#"{"choices": 1, "content": 1}"#), K::Malformed, 1);
    check(json("[]"), K::Malformed, 1);
    check(json("{\"choices\": [], \"content\": []}"), K::Malformed, 1);
    check(json("\u{0}\u{1}"), K::Malformed, 1);
    let page = &["Content-Type: text/html"];
    check(response(200, page, &chat("four")), K::Malformed, 1);
    check(response(200, &[], &messages("four")), K::Malformed, 1);
    check(response(204, &[], ""), K::Malformed, 1);
    check(Act::Send(b"SSH-2.0-x\r\n\r\n".to_vec()), K::Malformed, 1);
}

#[test]
fn a_huge_body_is_not_read() {
    let small = Settings {
        max_answer_bytes: 10_000,
        ..settings()
    };
    let endless = format!("HTTP/1.1 200 OK\r\n{JSON}\r\n\r\n").into_bytes();
    for act in [
        Act::Flood(bytes(200, &[JSON], 4_000_000_000, "")),
        Act::Flood(endless),
    ] {
        let server = Server::start(vec![act]);
        fails(&openai(&server, small.clone()), K::TooLarge);
        assert_eq!(server.count(), 1);
    }
    // Of a refusal the status counts, whatever follows it.
    check(
        Act::Flood(bytes(500, &[JSON], 4_000_000_000, "")),
        K::Unavailable,
        3,
    );
    check(Act::Send(bytes(401, &[JSON], 100, "{")), K::Auth, 1);
    // A head without an end is no better.
    let server = Server::start(vec![Act::Flood(b"HTTP/1.1 200 OK\r\nx: ".to_vec())]);
    fails(&openai(&server, small), K::Malformed);
    assert_eq!(server.count(), 1);
}

#[test]
fn slow_answers_run_out_of_time() {
    let mut impatient = settings();
    impatient.attempt_timeout = Duration::from_millis(120);
    impatient.retries.max_attempts = 2;
    let acts = [
        Act::Stall(Vec::new()),
        Act::Stall(bytes(200, &[JSON], 100, "{")),
        Act::Drip(bytes(200, &[JSON], 100_000, "{")),
    ];
    thread::scope(|scope| {
        for act in acts {
            let settings = impatient.clone();
            scope.spawn(move || {
                let server = Server::start(vec![act]);
                let began = Instant::now();
                fails(&openai(&server, settings), K::Timeout);
                assert!(began.elapsed() < STALL, "the client waits for nobody");
                server.expect_count(2);
            });
        }
    });
}

#[test]
fn the_time_for_a_question_bounds_all_its_requests() {
    let mut short = settings();
    short.total_timeout = Duration::from_millis(150);
    let server = Server::start(vec![Act::Stall(Vec::new())]);
    let began = Instant::now();
    fails(&openai(&server, short), K::Timeout);
    assert!(began.elapsed() < STALL);
    server.expect_count(1);
}

#[test]
fn a_pause_that_is_asked_for_is_kept_up_to_a_limit() {
    let busy = response(429, &["retry-after-ms: 40"], "");
    let server = Server::start(vec![busy, json(&chat("four"))]);
    let began = Instant::now();
    assert!(ask(&openai(&server, settings())).is_ok());
    assert!(began.elapsed() >= Duration::from_millis(40));
    assert_eq!(server.count(), 2);

    for retry_after in [
        "Retry-After: 60",
        "Retry-After: Tue, 14 Nov 2023 22:14:20 GMT",
    ] {
        let server = Server::start(vec![response(429, &[retry_after], "")]);
        let error = fails(&openai(&server, settings()), K::RateLimited);
        // The clock of the tests stands at 22:13:20 of that day.
        assert_eq!(error.retry_after, Some(Duration::from_secs(60)));
        assert_eq!(server.count(), 1, "no request before the pause is over");
    }
}

#[test]
fn each_limit_of_a_pause_holds_alone() {
    let busy = response(429, &["retry-after-ms: 30000"], "");
    let mut patient = settings();
    patient.retries.max_retry_after = Duration::from_secs(60);
    // The second has the time, but is not to wait so long.
    let mut hurried = settings();
    hurried.total_timeout = Duration::from_secs(60);
    for settings in [patient, hurried] {
        let server = Server::start(vec![busy.clone()]);
        let began = Instant::now();
        fails(&openai(&server, settings), K::RateLimited);
        assert!(began.elapsed() < STALL);
        assert_eq!(server.count(), 1);
    }
}

#[test]
fn failures_that_pass_end_in_an_answer() {
    let failed = response(500, &[], "");
    let server = Server::start(vec![failed, Act::Close, json(&messages("four"))]);
    assert!(ask(&anthropic(&server, settings())).is_ok());
    assert_eq!(server.count(), 3);
}

#[test]
fn redirects_are_not_followed() {
    let target = Server::start(vec![json(&chat("four"))]);
    for status in [301, 302, 303, 307, 308] {
        let location = format!("Location: {}/chat/completions", target.url());
        let server = Server::start(vec![response(status, &[&location], "")]);
        let error = fails(&openai(&server, settings()), K::Rejected);
        assert_eq!((server.count(), error.status), (1, Some(status)));
    }
    assert_eq!(target.count(), 0);
}

#[test]
fn nobody_there_is_unavailable_and_says_why() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let model = crate::fixtures::openai_with(
        &format!("http://{address}"),
        settings(),
        crate::fixtures::Hand::new(),
        &crate::fixtures::Rows::default(),
    );
    let error = fails(&model, K::Unavailable);
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    assert!(cause.is_some_and(|cause| cause.contains("refused")));
}

#[test]
fn a_question_that_is_too_long_is_not_sent() {
    let server = Server::start(vec![json(&chat("four"))]);
    let small = Settings {
        max_question_bytes: 60,
        ..settings()
    };
    fails(&openai(&server, small), K::TooLarge);
    assert_eq!(server.count(), 0);
}
