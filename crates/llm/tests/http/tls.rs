//! Over TLS, and only with who is trusted.

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use precedent_core::{ModelErrorKind as K, Retry};
use precedent_llm::{Endpoint, OpenAi, OpenAiOptions, Roots, Settings};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::fixtures::{Hand, Rows, ask, chat, fails, settings, surroundings};
use crate::server::{Act, Server, bytes, read_request};

/// Made for these tests: valid for `localhost` from 2020 to 2120, each its own authority.
const SERVER: &[u8] = include_bytes!("data/server.pem");
const SERVER_KEY: &[u8] = include_bytes!("data/server-key.der");
const OTHER: &[u8] = include_bytes!("data/other.pem");

/// Answers over TLS; returns its port.
fn serve() -> u16 {
    let certificate = CertificateDer::from_pem_slice(SERVER).expect("a certificate");
    let key = PrivatePkcs8KeyDer::from(SERVER_KEY);
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .expect("a key that fits");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = StreamOwned::new(connection, stream);
            // A client that does not trust this server leaves within the handshake.
            if stream.conn.complete_io(&mut stream.sock).is_err() {
                continue;
            }
            read_request(&mut stream);
            let body = chat("four");
            let told = bytes(200, &["Content-Type: application/json"], body.len(), &body);
            drop(stream.write_all(&told));
            stream.conn.send_close_notify();
            drop(stream.flush());
        }
    });
    port
}

fn model(url: &str, trusted: &[u8]) -> OpenAi {
    OpenAi::new(
        &Endpoint::new(url).expect("an address"),
        None,
        "m",
        OpenAiOptions::default(),
        Settings {
            roots: Roots::Pem(trusted.to_vec()),
            ..settings()
        },
        surroundings(Hand::new(), &Rows::default()),
    )
    .expect("a client")
}

#[test]
fn only_a_trusted_server_of_the_right_name_is_asked() {
    let port = serve();
    let url = format!("https://localhost:{port}");
    assert!(ask(&model(&url, SERVER)).is_ok());
    let another = format!("https://127.0.0.1:{port}");
    for stranger in [model(&url, OTHER), model(&another, SERVER)] {
        let error = fails(&stranger, K::Unavailable);
        assert_eq!(error.retry, Retry::Never);
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        assert!(cause.is_some_and(|cause| cause.contains("certificate")));
    }
}

#[test]
fn a_server_without_tls_is_sent_nothing() {
    let server = Server::start(vec![Act::Greet(b"HTTP/1.1 200 OK\r\n\r\n".to_vec())]);
    let url = format!("https://localhost:{}", server.port());
    let error = fails(&model(&url, SERVER), K::Unavailable);
    assert_eq!(error.retry, Retry::Never);
    assert_eq!(server.count(), 1);
}
