//! Keys and content appear in no error, no debug line and no log.

use std::error::Error;
use std::sync::Mutex;

use precedent_core::LanguageModel;

use crate::fixtures::{
    Hand, KEY, Rows, anthropic, ask, chat, key, messages, openai, settings, surroundings,
};
use crate::server::{Act, Server, json, response};

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Listener;

impl log::Log for Listener {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let line = format!("{} {}", record.target(), record.args());
        LOG.lock().expect("no panic").push(line);
    }

    fn flush(&self) {}
}

/// Asks, and returns everything that can be printed afterwards.
fn told(model: &dyn LanguageModel) -> String {
    match ask(model) {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => {
            let mut told = format!("{error} {error:?} {error:#?}");
            let mut cause = error.source();
            while let Some(next) = cause {
                told.push_str(&format!("\n{next} {next:?}"));
                cause = next.source();
            }
            told
        }
    }
}

#[test]
fn neither_key_nor_content_is_told() {
    log::set_logger(&Listener).expect("the only logger");
    log::set_max_level(log::LevelFilter::Trace);
    log::trace!("listening");
    // A provider quotes the key and the content when it refuses.
    let quoting =
        format!(r#"{{"error":{{"message":"wrong key {KEY} for wombats","code":"wombats"}}}}"#);
    let broken = format!(r#"{{"choices":"{KEY} wombats","content":"wombats"}}"#);
    let acts = [
        json(&chat("the wombats are four")),
        json(&messages("the wombats are four")),
        json(&broken),
        response(401, &["Content-Type: application/json"], &quoting),
        response(500, &[&format!("x-key: {KEY}")], &quoting),
        response(302, &[&format!("Location: http://127.0.0.1:1/{KEY}")], ""),
        response(200, &["Content-Type: text/plain"], &quoting),
        Act::Send(format!("{KEY} wombats\r\n\r\n").into_bytes()),
        Act::Close,
    ];
    let mut all = String::new();
    for act in acts {
        for second in [false, true] {
            let server = Server::start(vec![act.clone()]);
            all.push_str(&if second {
                let model = anthropic(&server, settings());
                format!("{model:?} {}\n", told(&model))
            } else {
                let model = openai(&server, settings());
                format!("{model:?} {}\n", told(&model))
            });
        }
    }
    let given = surroundings(Hand::new(), &Rows::default());
    all.push_str(&format!("{:?} {:?} {given:?}", key(), settings()));
    let log = LOG.lock().expect("no panic").join("\n");
    assert!(log.contains("listening"), "{log}");
    // Some clients log the bytes of a connection, in rows that cut a word in two.
    assert!(!log.contains("platyp") && !log.contains("womb"), "{log}");
    for (what, text) in [("printed", &all), ("logged", &log)] {
        for secret in [KEY, "wombats"] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{what}");
        }
    }
}
