//! A server of one thread that plays what it was told, one act a connection, and keeps what it was
//! sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What the server does with a connection.
#[derive(Clone, Debug)]
pub enum Act {
    /// Reads the request and sends these bytes.
    Send(Vec<u8>),
    /// Reads the request, sends these bytes and then nothing, without closing for a while.
    Stall(Vec<u8>),
    /// Reads the request, sends these bytes and then a byte now and then.
    Drip(Vec<u8>),
    /// Reads the request, sends these bytes and then zeros without an end.
    Flood(Vec<u8>),
    /// Sends these bytes before it reads anything.
    Greet(Vec<u8>),
    /// Closes without reading.
    Close,
}

/// How long a stalling server holds a connection: longer than any client of the tests waits.
pub const STALL: Duration = Duration::from_secs(2);

/// A response with a length that is true.
pub fn response(status: u16, headers: &[&str], body: &str) -> Act {
    Act::Send(bytes(status, headers, body.len(), body))
}

/// The bytes of a response whose length may be a lie.
pub fn bytes(status: u16, headers: &[&str], length: usize, body: &str) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} Told\r\nContent-Length: {length}\r\n");
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// JSON of status 200.
pub fn json(body: &str) -> Act {
    response(
        200,
        &["Content-Type: application/json; charset=utf-8"],
        body,
    )
}

/// A request as it arrived.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub head: String,
    pub body: String,
}

pub struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Plays the acts in turn, the last one for ever.
    pub fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        thread::spawn(move || {
            for (at, stream) in listener.incoming().enumerate() {
                let (Ok(stream), Some(last)) = (stream, acts.len().checked_sub(1)) else {
                    continue;
                };
                let act = acts[at.min(last)].clone();
                let kept = Arc::clone(&kept);
                thread::spawn(move || play(&act, stream, &kept));
            }
        });
        Self { address, requests }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// What arrived so far; a connection that was closed unread counts, with nothing in it.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }

    pub fn count(&self) -> usize {
        self.requests().len()
    }

    /// Expects exactly so many requests of a client that did not wait for the server.
    pub fn expect_count(&self, expected: usize) {
        let began = Instant::now();
        while self.count() < expected && began.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(self.count(), expected);
    }
}

fn play(act: &Act, mut stream: TcpStream, kept: &Mutex<Vec<Request>>) {
    let request = match act {
        Act::Close | Act::Greet(_) => Request::default(),
        _ => read_request(&stream),
    };
    kept.lock().expect("no panic").push(request);
    // The client may be gone before the end; that is a part of the play.
    drop(match act {
        Act::Close => Ok(()),
        Act::Send(bytes) => stream.write_all(bytes),
        Act::Greet(bytes) => stream
            .write_all(bytes)
            .and_then(|()| stream.read_to_end(&mut Vec::new()).map(drop)),
        Act::Stall(bytes) => stream.write_all(bytes).map(|()| thread::sleep(STALL)),
        Act::Drip(bytes) => stream.write_all(bytes).and_then(|()| {
            for _ in 0..200 {
                stream.write_all(b" ")?;
                thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        }),
        Act::Flood(bytes) => stream.write_all(bytes).and_then(|()| {
            loop {
                stream.write_all(&[b'0'; 4_096])?;
            }
        }),
    });
}

pub fn read_request(stream: impl Read) -> Request {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a whole request");
    Request {
        head,
        body: String::from_utf8(body).expect("UTF-8"),
    }
}
