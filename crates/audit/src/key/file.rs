//! Key files: the only place of this crate with files and randomness.
//!
//! A key is created by writing a temporary file that only its owner can read, then hard-linking
//! it to its name: who loses a race reads the winner's key, and nobody sees half a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::{CertificateKey, HmacKey, KeySet, MalformedKey};
use crate::hash::hex;

/// Name of the certificate key's file: PKCS#8 PEM.
pub const CERTIFICATE_KEY_FILE: &str = "certificate.pem";
/// Name of the HMAC key's file: 64 hexadecimal digits.
pub const HMAC_KEY_FILE: &str = "hmac.hex";

/// Largest key file in bytes; a key takes a few hundred.
const MAX_FILE_BYTES: u64 = 16 * 1024;

/// Says why a key file cannot be used. Names the file, never its content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The file or its folder cannot be read or written.
    #[error(
        "key file {path} is unreachable: check that its folder exists, can be written and has room"
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file can be read or written by others than its owner.
    #[error("key file {path} has mode {mode:o}: take it from others with chmod 600")]
    ExposedMode {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The name belongs to something that is not a file.
    #[error("key file {path} is not a regular file: move it away")]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The store is there, and its key is not.
    #[error("key file {path} is missing beside its store: restore it from its backup")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file does not hold a key.
    #[error("key file {path} holds no key of its kind: restore it from its backup")]
    Malformed {
        /// The file.
        path: PathBuf,
    },
    /// The system gives no randomness.
    #[error("no randomness for a new key: try again when the system's source is ready")]
    Randomness,
}

impl KeySet {
    /// Opens the keys in `dir`, creating the folder (mode 0700) and each key that is missing.
    ///
    /// # Errors
    /// When a file cannot be read or written, is open to others, or holds no key.
    pub fn open_or_create(dir: &Path) -> Result<Self, KeyFileError> {
        create_folder(dir)?;
        let certificate = open_or_create(
            &dir.join(CERTIFICATE_KEY_FILE),
            |secret| CertificateKey::from_bytes(secret).to_pkcs8_pem(),
            CertificateKey::from_pkcs8_pem,
        )?;
        let hmac = open_or_create(
            &dir.join(HMAC_KEY_FILE),
            |secret| {
                let digits = HmacKey::from_bytes(secret).to_hex();
                Ok(Zeroizing::new(format!("{}\n", *digits)))
            },
            HmacKey::from_hex,
        )?;
        Ok(Self { certificate, hmac })
    }

    /// Opens the keys in `dir` and creates none: for a store that has been written already.
    ///
    /// # Errors
    /// As [`KeySet::open_or_create`], and [`KeyFileError::Missing`] when a key is not there.
    pub fn open_existing(dir: &Path) -> Result<Self, KeyFileError> {
        let open = |name: &str| -> Result<(PathBuf, Zeroizing<String>), KeyFileError> {
            let path = dir.join(name);
            let text = read(&path)?.ok_or_else(|| KeyFileError::Missing { path: path.clone() })?;
            Ok((path, text))
        };
        let (path, text) = open(CERTIFICATE_KEY_FILE)?;
        let certificate = CertificateKey::from_pkcs8_pem(&text)
            .map_err(|MalformedKey| KeyFileError::Malformed { path })?;
        let (path, text) = open(HMAC_KEY_FILE)?;
        let hmac =
            HmacKey::from_hex(&text).map_err(|MalformedKey| KeyFileError::Malformed { path })?;
        Ok(Self { certificate, hmac })
    }

    /// Makes fresh keys that live as long as this process: for a store that does the same.
    ///
    /// # Errors
    /// [`KeyFileError::Randomness`] when the system gives none.
    pub fn ephemeral() -> Result<Self, KeyFileError> {
        let certificate = CertificateKey::from_bytes(&*random_secret()?);
        let hmac = HmacKey::from_bytes(&*random_secret()?);
        Ok(Self { certificate, hmac })
    }
}

fn random_secret() -> Result<Zeroizing<[u8; 32]>, KeyFileError> {
    let mut secret = Zeroizing::new([0_u8; 32]);
    getrandom::fill(secret.as_mut_slice()).map_err(|_| KeyFileError::Randomness)?;
    Ok(secret)
}

fn open_or_create<K>(
    path: &Path,
    encode: impl FnOnce(&[u8; 32]) -> Result<Zeroizing<String>, MalformedKey>,
    decode: impl Fn(&str) -> Result<K, MalformedKey>,
) -> Result<K, KeyFileError> {
    let text = match read(path)? {
        Some(text) => text,
        None => {
            let secret = random_secret()?;
            let text = encode(&secret).map_err(|MalformedKey| KeyFileError::Malformed {
                path: path.to_owned(),
            })?;
            create(path, &text)?;
            // Reading back gives the winner's key when another process linked first.
            read(path)?.ok_or_else(|| fault(path)(io::ErrorKind::NotFound.into()))?
        }
    };
    decode(&text).map_err(|MalformedKey| KeyFileError::Malformed {
        path: path.to_owned(),
    })
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> KeyFileError {
    let path = path.to_owned();
    move |source| KeyFileError::Io { path, source }
}

/// Reads a key file; `None` when there is none.
fn read(path: &Path) -> Result<Option<Zeroizing<String>>, KeyFileError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(path)(error)),
    };
    // The open file is what gets checked, so that no exchange behind the check matters.
    let metadata = file.metadata().map_err(fault(path))?;
    if !metadata.is_file() {
        return Err(KeyFileError::NotAFile {
            path: path.to_owned(),
        });
    }
    refuse_exposed(path, &metadata)?;
    let mut text = Zeroizing::new(String::with_capacity(512));
    match file.take(MAX_FILE_BYTES).read_to_string(&mut text) {
        Ok(_) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(KeyFileError::Malformed {
            path: path.to_owned(),
        }),
        Err(error) => Err(fault(path)(error)),
    }
}

/// Creates a key file unless its name is taken by the time it is linked.
fn create(path: &Path, text: &str) -> Result<(), KeyFileError> {
    let mut suffix = [0_u8; 8];
    getrandom::fill(&mut suffix).map_err(|_| KeyFileError::Randomness)?;
    let temporary = path.with_extension(format!("{}.tmp", hex(&suffix)));
    let written = write_new(&temporary, text).and_then(|()| fs::hard_link(&temporary, path));
    let removed = fs::remove_file(&temporary);
    match written {
        Ok(()) => removed
            .and_then(|()| sync_folder(path))
            .map_err(fault(path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(fault(path)(error)),
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    owner_only(&mut options);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(unix)]
fn owner_only(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn owner_only(_: &mut OpenOptions) {
    // The folder's access list, inherited from the user's profile, is the protection here.
}

#[cfg(unix)]
fn refuse_exposed(path: &Path, metadata: &fs::Metadata) -> Result<(), KeyFileError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(KeyFileError::ExposedMode {
        path: path.to_owned(),
        mode,
    })
}

#[cfg(not(unix))]
fn refuse_exposed(_: &Path, _: &fs::Metadata) -> Result<(), KeyFileError> {
    Ok(())
}

#[cfg(unix)]
fn create_folder(dir: &Path) -> Result<(), KeyFileError> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(fault(dir))
}

#[cfg(not(unix))]
fn create_folder(dir: &Path) -> Result<(), KeyFileError> {
    fs::create_dir_all(dir).map_err(fault(dir))
}

/// Makes the new name survive a power cut.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn creates_once_and_reopens() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a/keys");
        let first = KeySet::open_or_create(&dir).unwrap();
        let second = KeySet::open_or_create(&dir).unwrap();
        assert_eq!(first.certificate.public(), second.certificate.public());
        assert_eq!(first.hmac.key_id(), second.hmac.key_id());
        assert_eq!(names(&dir), [CERTIFICATE_KEY_FILE, HMAC_KEY_FILE]);
        assert_eq!(mode(&dir), 0o700);
        for name in names(&dir) {
            assert_eq!(mode(&dir.join(name)), 0o600);
        }
    }

    #[test]
    fn new_keys_differ() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let one = KeySet::open_or_create(one.path()).unwrap();
        let two = KeySet::open_or_create(two.path()).unwrap();
        assert_ne!(one.certificate.public(), two.certificate.public());
        assert_ne!(one.hmac.key_id(), two.hmac.key_id());
    }

    #[test]
    fn racing_openers_agree() {
        let root = tempfile::tempdir().unwrap();
        let open = || {
            let keys = KeySet::open_or_create(root.path()).unwrap();
            (keys.certificate.public().key_id(), keys.hmac.key_id())
        };
        let ids: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(names(root.path()), [CERTIFICATE_KEY_FILE, HMAC_KEY_FILE]);
    }

    #[test]
    fn refuses_files_open_to_others() {
        let root = tempfile::tempdir().unwrap();
        KeySet::open_or_create(root.path()).unwrap();
        let path = root.path().join(HMAC_KEY_FILE);
        for exposed in [0o640, 0o604, 0o620, 0o644] {
            fs::set_permissions(&path, fs::Permissions::from_mode(exposed)).unwrap();
            let error = KeySet::open_or_create(root.path()).unwrap_err();
            assert!(
                matches!(error, KeyFileError::ExposedMode { mode, .. } if mode == exposed),
                "{error}"
            );
            assert!(error.to_string().contains("chmod 600"));
        }
    }

    #[test]
    fn refuses_files_without_a_key_and_tells_nothing_of_them() {
        let root = tempfile::tempdir().unwrap();
        KeySet::open_or_create(root.path()).unwrap();
        let path = root.path().join(CERTIFICATE_KEY_FILE);
        for content in [&b"sesame"[..], b"", b"\xff\xfe"] {
            fs::write(&path, content).unwrap();
            let error = KeySet::open_or_create(root.path()).unwrap_err();
            assert!(matches!(error, KeyFileError::Malformed { .. }), "{error}");
            assert!(!format!("{error} {error:?}").contains("sesame"));
        }
    }

    #[test]
    fn refuses_a_folder_in_a_key_files_place() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(HMAC_KEY_FILE)).unwrap();
        let error = KeySet::open_or_create(root.path()).unwrap_err();
        assert!(matches!(error, KeyFileError::NotAFile { .. }), "{error}");
    }
}
