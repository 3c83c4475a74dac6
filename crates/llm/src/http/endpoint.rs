//! The address of a service.

use std::fmt;
use std::net::IpAddr;

use hyper::Uri;

use super::settings::SettingsError;

/// The base address of a service, such as `https://api.example.com/v1`.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The path, without a slash at its end.
    path: String,
    tls: bool,
    /// Host and port as they were given.
    authority: String,
    /// A name, or an address without brackets.
    host: String,
    port: u16,
}

/// Where requests go.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) authority: String,
    pub(crate) path: Uri,
}

impl Endpoint {
    /// Takes an `https` address, or an `http` address of this machine (`localhost`, 127.0.0.0/8,
    /// `::1`).
    ///
    /// # Errors
    /// [`SettingsError::Address`] for anything but scheme, host, port and path;
    /// [`SettingsError::Plaintext`] for `http` to another machine.
    pub fn new(base: &str) -> Result<Self, SettingsError> {
        let endpoint = Self::plaintext(base)?;
        if endpoint.tls || is_loopback(&endpoint.host) {
            Ok(endpoint)
        } else {
            Err(SettingsError::Plaintext)
        }
    }

    /// Takes an address as [`new`](Self::new) does, `http` to any machine included: key and content
    /// are then readable by everyone on the way.
    ///
    /// # Errors
    /// [`SettingsError::Address`] for anything but scheme, host, port and path.
    pub fn plaintext(base: &str) -> Result<Self, SettingsError> {
        let uri: Uri = base.parse().map_err(|_| SettingsError::Address)?;
        let tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(SettingsError::Address),
        };
        let authority = uri.authority().ok_or(SettingsError::Address)?.as_str();
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        // A fragment is dropped by the parser, so it is looked for in the text.
        if host.is_empty() || authority.contains('@') || base.contains(['?', '#']) {
            return Err(SettingsError::Address);
        }
        let default_port = if tls { 443 } else { 80 };
        Ok(Self {
            path: uri.path().trim_end_matches('/').to_owned(),
            tls,
            authority: authority.to_owned(),
            host: host.to_owned(),
            port: uri.port_u16().unwrap_or(default_port),
        })
    }

    /// Returns the address of `path`, which begins with a slash.
    pub(crate) fn join(&self, path: &str) -> Result<Target, SettingsError> {
        let path = format!("{}{path}", self.path);
        Ok(Target {
            host: self.host.clone(),
            port: self.port,
            authority: self.authority.clone(),
            path: path.parse().map_err(|_| SettingsError::Address)?,
        })
    }

    pub(crate) const fn is_tls(&self) -> bool {
        self.tls
    }
}

/// Prints no path: some services put a secret into it.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        write!(f, "Endpoint({scheme}://{})", self.host)
    }
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_https_or_local() {
        for (base, host, port, path) in [
            (
                "https://api.example.com/v1",
                "api.example.com",
                443,
                "/v1/x",
            ),
            (
                "https://api.example.com/v1/",
                "api.example.com",
                443,
                "/v1/x",
            ),
            (
                "https://api.example.com:8443",
                "api.example.com",
                8443,
                "/x",
            ),
            ("http://localhost:11434/v1", "localhost", 11434, "/v1/x"),
            ("http://127.0.0.1", "127.0.0.1", 80, "/x"),
            ("http://[::1]:8080", "::1", 8080, "/x"),
        ] {
            let target = Endpoint::new(base).and_then(|endpoint| endpoint.join("/x"));
            let target = target.expect(base);
            assert_eq!((target.host.as_str(), target.port), (host, port), "{base}");
            assert_eq!(target.path.to_string(), path, "{base}");
            assert!(base.contains(&format!("://{}", target.authority)), "{base}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for base in [
            "",
            "api.example.com",
            "/v1",
            "ftp://example.com",
            "https://",
            "https://user:quokkas@example.com",
            "https://example.com/v1?key=quokkas",
            "https://example.com/v1#x",
            "https://exa mple.com",
        ] {
            assert_eq!(Endpoint::new(base), Err(SettingsError::Address), "{base}");
        }
        for base in [
            "http://example.com",
            "http://10.0.0.1:8080",
            "http://localhost.example.com",
        ] {
            assert_eq!(Endpoint::new(base), Err(SettingsError::Plaintext), "{base}");
            assert!(Endpoint::plaintext(base).is_ok(), "{base}");
        }
    }

    #[test]
    fn the_path_is_not_printed() {
        let endpoint = Endpoint::new("https://example.com/quokkas/v1").expect("an address");
        assert_eq!(format!("{endpoint:?}"), "Endpoint(https://example.com)");
    }
}
