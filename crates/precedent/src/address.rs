//! Store addresses: the scheme chooses the backend.

use std::path::PathBuf;

use crate::error::{Error, ErrorKind};

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// In this process, gone with it: `mem:`.
    Mem,
    /// In a file: `sqlite:PATH`, or a bare directory, in which the file is `store.db`.
    Sqlite(PathBuf),
}

/// Schemes of backends that exist in other builds.
const OTHER_BACKENDS: [(&str, &str); 3] = [
    ("postgres", "postgres"),
    ("postgresql", "postgres"),
    ("lance", "lance"),
];

impl Address {
    /// Parses a URL, or the path of a directory.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidAddress`], naming the schemes of this build.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |next_step: String| {
            Err(Error::new(
                ErrorKind::InvalidAddress,
                "reading the store's address",
                next_step,
            ))
        };
        if text.is_empty() {
            return refuse("the address is empty; give a folder, sqlite:PATH or mem:".to_owned());
        }
        if text == "mem:" {
            return Ok(Self::Mem);
        }
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => refuse("sqlite: needs a path, such as sqlite:memory/store.db".to_owned()),
                path if cfg!(feature = "sqlite") => Ok(Self::Sqlite(path.into())),
                _ => refuse(
                    "this build has no SQLite store; rebuild with the feature sqlite".to_owned(),
                ),
            };
        }
        match scheme(text) {
            None => Self::parse(&format!(
                "sqlite:{}",
                PathBuf::from(text).join("store.db").display()
            )),
            Some(scheme) => {
                let known = OTHER_BACKENDS.iter().find(|(name, _)| *name == scheme);
                refuse(known.map_or_else(
                    || format!("unknown scheme {scheme}:; use a folder, sqlite:PATH or mem:"),
                    |(_, feature)| {
                        format!("this build has no {feature} store; use one built with the feature {feature}")
                    },
                ))
            }
        }
    }
}

/// Returns the scheme; one letter is a drive, and what has a slash before the colon is a path.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let well_formed = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    well_formed.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "sqlite")]
    fn addresses() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                Address::parse(text).unwrap(),
                Address::Sqlite(expected.into()),
                "{text}"
            );
        };
        check("sqlite:a/b.db", "a/b.db");
        check("sqlite:///var/x.db", "/var/x.db");
        check("data", "data/store.db");
        check("./odd:name", "./odd:name/store.db");
        assert_eq!(Address::parse("mem:").unwrap(), Address::Mem);
    }

    #[test]
    fn unknown_and_absent_backends_are_told_apart() {
        let step = |text: &str| Address::parse(text).unwrap_err().next_step;
        assert!(step("postgres://h/db").contains("feature postgres"));
        assert!(step("redis://h").starts_with("unknown scheme redis:"));
        assert!(step("").contains("empty"));
    }
}
