//! Keys, addresses and proxies of the environment change nothing.

use std::process::Command;

use crate::fixtures::{
    Hand, KEY, Rows, anthropic, ask, chat, messages, openai, settings, surroundings,
};
use crate::server::{Act, Server, json};
use precedent_llm::{Endpoint, OpenAi, OpenAiOptions};

/// Variables by which other programs choose a provider, a key, a proxy or whom to trust.
const VARIABLES: &[&str] = &[
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORG_ID",
    "OPENAI_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
];

#[test]
#[ignore = "run by the next test, in an environment full of traps"]
fn inside_an_environment() {
    let chat_server = Server::start(vec![json(&chat("four"))]);
    let message_server = Server::start(vec![json(&messages("four"))]);
    assert!(ask(&openai(&chat_server, settings())).is_ok());
    assert!(ask(&anthropic(&message_server, settings())).is_ok());
    let keyless = OpenAi::new(
        &Endpoint::new(&chat_server.url()).expect("an address"),
        None,
        "m",
        OpenAiOptions::default(),
        settings(),
        surroundings(Hand::new(), &Rows::default()),
    );
    assert!(ask(&keyless.expect("a client")).is_ok());
    let mut requests = chat_server.requests();
    requests.extend(message_server.requests());
    assert_eq!(requests.len(), 3);
    let keys = requests.iter().filter(|request| request.head.contains(KEY));
    assert_eq!(keys.count(), 2);
    for request in requests {
        let sent = format!("{}{}", request.head, request.body);
        assert!(!sent.contains("ambient"), "{sent}");
    }
}

#[test]
fn nothing_is_read_from_the_environment() {
    let trap = Server::start(vec![Act::Close]);
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", "environment::inside_an_environment", "--ignored"]);
    for variable in VARIABLES {
        // An address that is taken for one leads into the trap.
        command.env(
            variable,
            format!("http://ambient@127.0.0.1:{}", trap.port()),
        );
    }
    command.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
    assert_eq!(trap.count(), 0);
}
