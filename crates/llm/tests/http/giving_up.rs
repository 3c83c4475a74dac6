//! The circuit breaker, cancellation and the limit on what runs at once.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use precedent_core::{LanguageModel, ModelErrorKind as K};

use crate::fixtures::{Hand, Rows, ask, chat, fails, openai, openai_with, question, settings};
use crate::server::{Act, Server, json, response};

fn until(mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(5), "waited too long");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_breaker_opens_probes_and_recovers() {
    let failed = response(500, &[], "");
    let server = Server::start(vec![
        failed.clone(),
        failed.clone(),
        failed,
        json(&chat("four")),
    ]);
    let clock = Hand::new();
    let mut settings = settings();
    settings.retries.max_attempts = 9;
    settings.breaker.failures = 2;
    let model = openai_with(&server.url(), settings, clock.clone(), &Rows::default());

    // It opens within a question, which ends with what went wrong.
    fails(&model, K::Unavailable);
    assert_eq!(server.count(), 2);
    let error = fails(&model, K::CircuitOpen);
    assert_eq!(error.retry_after, Some(Duration::from_secs(60)));
    clock.forward(59_999);
    let error = fails(&model, K::CircuitOpen);
    assert_eq!(error.retry_after, Some(Duration::from_millis(1)));
    assert_eq!(server.count(), 2, "an open breaker sends nothing");

    // One probe fails and opens it again, the next one closes it.
    clock.forward(1);
    fails(&model, K::Unavailable);
    fails(&model, K::CircuitOpen);
    assert_eq!(server.count(), 3);
    clock.forward(60_000);
    assert!(ask(&model).is_ok());
    assert!(ask(&model).is_ok());
    assert_eq!(server.count(), 5);
}

#[test]
fn refusals_do_not_open_the_breaker() {
    let server = Server::start(vec![response(401, &[], "")]);
    let mut settings = settings();
    settings.breaker.failures = 1;
    let model = openai(&server, settings);
    for _ in 0..3 {
        fails(&model, K::Auth);
    }
    assert_eq!(server.count(), 3);
}

#[test]
fn a_dropped_question_is_not_repeated() {
    let server = Server::start(vec![response(500, &[], "")]);
    let mut settings = settings();
    settings.retries.first_pause = Duration::from_millis(60);
    settings.retries.max_pause = Duration::from_millis(60);
    let model = openai(&server, settings);
    {
        let question = question();
        let mut answer = pin!(model.complete(&question));
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(answer.as_mut().poll(&mut context), Poll::Pending));
        until(|| server.count() == 1);
    }
    thread::sleep(Duration::from_millis(100));
    assert_eq!(server.count(), 1);
}

#[test]
fn closing_ends_what_is_on_its_way() {
    let server = Server::start(vec![Act::Stall(Vec::new())]);
    let model = Arc::new(openai(&server, settings()));
    let asking = Arc::clone(&model);
    let waiting = thread::spawn(move || fails(&*asking, K::Cancelled));
    until(|| server.count() == 1);
    let began = Instant::now();
    model.close();
    waiting.join().expect("the right kind");
    assert!(began.elapsed() < Duration::from_secs(1));
    fails(&*model, K::Cancelled);
    assert_eq!(server.count(), 1);
}

#[test]
fn more_than_may_run_is_refused_unsent() {
    let server = Server::start(vec![Act::Stall(Vec::new()), json(&chat("four"))]);
    let mut settings = settings();
    settings.max_concurrent = 1;
    settings.attempt_timeout = Duration::from_millis(150);
    settings.retries.max_attempts = 1;
    let model = Arc::new(openai(&server, settings));
    let asking = Arc::clone(&model);
    let waiting = thread::spawn(move || fails(&*asking, K::Timeout));
    until(|| server.count() == 1);
    fails(&*model, K::Overloaded);
    waiting.join().expect("the right kind");
    assert!(ask(&*model).is_ok());
    assert_eq!(server.count(), 2);
}
