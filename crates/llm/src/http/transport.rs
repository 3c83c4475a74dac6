//! One HTTP request and its whole response, or the one reason why there is none.
//!
//! No redirect is followed, no proxy is used, no connection is kept (a question lasts seconds, a
//! stale connection would cost a repetition), nothing is decompressed, nothing is logged.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{
    ACCEPT, CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;

use super::endpoint::{Endpoint, Target};
use super::settings::{Settings, SettingsError};

/// The longest head of a response, in bytes.
const HEAD_BYTES: usize = 1 << 16;

/// The longest body of a refusal that is read, in bytes; a name is looked for in it.
const REFUSAL_BYTES: usize = 1 << 16;

/// Sends requests to one address.
pub(crate) struct Transport {
    target: Target,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    headers: HeaderMap,
    connect_timeout: Duration,
    max_answer_bytes: usize,
}

/// A whole response.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why there is no whole response.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Out of time.
    Timeout,
    /// No connection.
    Unreachable(io::Error),
    /// The connection ends before a response begins.
    Closed,
    /// The other side is not who it should be, or does not speak TLS.
    Tls(io::Error),
    /// The response ends before its end.
    Cut,
    /// The response is longer than allowed.
    TooLarge,
    /// The response is not HTTP.
    NotHttp,
}

impl Transport {
    /// Prepares requests to `path` below an endpoint.
    pub(crate) fn new(
        endpoint: &Endpoint,
        path: &str,
        own_headers: Vec<(HeaderName, HeaderValue)>,
        settings: &Settings,
    ) -> Result<Self, SettingsError> {
        let target = endpoint.join(path)?;
        let tls = if endpoint.is_tls() {
            let name = ServerName::try_from(target.host.clone());
            let name = name.map_err(|_| SettingsError::Address)?;
            Some((connector(settings)?, name))
        } else {
            None
        };
        let json = HeaderValue::from_static("application/json");
        let agent = concat!("precedent/", env!("CARGO_PKG_VERSION"));
        let host = HeaderValue::from_str(&target.authority);
        let mut headers = HeaderMap::from_iter([
            (HOST, host.map_err(|_| SettingsError::Address)?),
            (ACCEPT, json.clone()),
            (CONTENT_TYPE, json),
            (USER_AGENT, HeaderValue::from_static(agent)),
            (CONNECTION, HeaderValue::from_static("close")),
        ]);
        headers.extend(own_headers);
        Ok(Self {
            target,
            tls,
            headers,
            connect_timeout: settings.connect_timeout,
            max_answer_bytes: settings.max_answer_bytes,
        })
    }

    /// Sends a body and reads the response, both within `limit`.
    pub(crate) async fn post(&self, body: Bytes, limit: Duration) -> Result<Reply, Failure> {
        let exchange = async {
            let connected_by = Instant::now() + self.connect_timeout;
            let stream = timeout_at(connected_by, self.connect())
                .await
                .map_err(|_| Failure::Timeout)??;
            match &self.tls {
                None => self.exchange(stream, body).await,
                Some((connector, name)) => {
                    let handshake = connector.connect(name.clone(), stream);
                    let stream = timeout_at(connected_by, handshake)
                        .await
                        .map_err(|_| Failure::Timeout)?
                        .map_err(handshake_failure)?;
                    self.exchange(stream, body).await
                }
            }
        };
        timeout(limit, exchange)
            .await
            .unwrap_or(Err(Failure::Timeout))
    }

    /// Connects to the first address that accepts.
    async fn connect(&self) -> Result<TcpStream, Failure> {
        let target = (self.target.host.as_str(), self.target.port);
        let stream = TcpStream::connect(target)
            .await
            .map_err(Failure::Unreachable)?;
        // A request is one write; waiting to fill a packet would only delay it.
        stream.set_nodelay(true).map_err(Failure::Unreachable)?;
        Ok(stream)
    }

    async fn exchange<S>(&self, stream: S, body: Bytes) -> Result<Reply, Failure>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (mut sender, connection) = http1::Builder::new()
            .max_buf_size(HEAD_BYTES)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| before_response(&error))?;
        // The connection moves the bytes; it ends with this runtime at the latest.
        let connection = tokio::spawn(connection);
        let mut request = Request::post(&self.target.path)
            .body(Full::new(body))
            .map_err(|_| Failure::NotHttp)?;
        request.headers_mut().clone_from(&self.headers);
        let response = sender.send_request(request).await;
        let (head, body) = response
            .map_err(|error| before_response(&error))?
            .into_parts();
        let reply = self.reply(head.status.as_u16(), head.headers, body).await;
        connection.abort();
        reply
    }

    async fn reply(
        &self,
        status: u16,
        headers: HeaderMap,
        body: Incoming,
    ) -> Result<Reply, Failure> {
        let answers = status == 200;
        let most = if answers {
            self.max_answer_bytes
        } else {
            REFUSAL_BYTES.min(self.max_answer_bytes)
        };
        let body = match read(body, most).await {
            Ok(body) => body,
            Err(failure) if answers => return Err(failure),
            // Of a refusal the status is what counts.
            Err(_) => Vec::new(),
        };
        Ok(Reply {
            status,
            headers,
            body,
        })
    }
}

/// Reads a body of at most so many bytes.
async fn read(mut body: Incoming, most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            if error.is_parse() {
                Failure::NotHttp
            } else {
                Failure::Cut
            }
        })?;
        let Some(data) = frame.data_ref() else {
            continue;
        };
        if data.len() > most - bytes.len() {
            return Err(Failure::TooLarge);
        }
        bytes.extend_from_slice(data);
    }
    Ok(bytes)
}

fn connector(settings: &Settings) -> Result<TlsConnector, SettingsError> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|_| SettingsError::BadRoots)?
        .with_root_certificates(settings.roots.load()?)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Sorts a failure of the handshake: what TLS finds wrong arrives as invalid data.
fn handshake_failure(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::InvalidData {
        Failure::Tls(error)
    } else {
        Failure::Unreachable(error)
    }
}

/// Sorts a failure that comes before the head of a response is read; a head without an end counts
/// as one that is none.
fn before_response(error: &hyper::Error) -> Failure {
    if error.is_parse() {
        Failure::NotHttp
    } else {
        Failure::Closed
    }
}
