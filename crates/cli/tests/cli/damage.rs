//! Stores and keys that are damaged, foreign, newer or exposed: told as what they are, left as
//! they are.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Place;

/// Where SQLite keeps `user_version`, big-endian: <https://www.sqlite.org/fileformat.html>, 1.3.
const USER_VERSION: std::ops::Range<usize> = 60..64;

/// A place with a store whose file holds everything, nothing waits in the log.
fn settled() -> (Place, PathBuf) {
    let place = Place::new();
    for n in 0..20 {
        place.remember(&format!("Batch {n} of the kiln was fired."));
    }
    place.json(&["maintain", "purge"]);
    let file = place.store().join("store.db");
    (place, file)
}

/// Asserts that a command fails with a kind and a next step, not by a panic or a signal.
#[track_caller]
fn assert_fails(place: &Place, args: &[&str], kind: &str, said: &str) {
    let error = place.run(&[args, &["--json"]].concat()).ended(1).error();
    assert_eq!(error["kind"], kind, "{error}");
    assert!(error["message"].as_str().unwrap().contains(said), "{error}");
}

/// Every command that opens the store says the same.
#[track_caller]
fn assert_all_fail(place: &Place, kind: &str, said: &str) {
    for args in [
        &["remember", "Another."][..],
        &["recall", "kiln"],
        &["guard", "--command", "ls"],
        &["status"],
        &["audit", "verify"],
        &["maintain", "purge"],
    ] {
        assert_fails(place, args, kind, said);
    }
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let (place, file) = settled();
    let mut bytes = fs::read(&file).unwrap();
    assert_eq!(bytes[USER_VERSION], 2u32.to_be_bytes());
    bytes[USER_VERSION].copy_from_slice(&3u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    assert_all_fail(&place, "newer-schema", "install the newer precedent");
    assert_eq!(fs::read(&file).unwrap(), bytes);
    bytes[USER_VERSION].copy_from_slice(&2u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    place.json(&["audit", "verify"]);
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let noise = |seed: u32| -> Vec<u8> {
        let step = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let states = std::iter::successors(Some(seed), step);
        states
            .take(40_000)
            .map(|state| state.to_be_bytes()[0])
            .collect()
    };
    for content in [
        noise(7),
        b"just a text file\n".to_vec(),
        vec![0; 8192],
        vec![b'x'],
    ] {
        let place = Place::new();
        let file = place.store().join("store.db");
        fs::create_dir(place.store()).unwrap();
        fs::write(&file, &content).unwrap();
        assert_all_fail(&place, "corrupt", "not a precedent store");
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

/// A store that lost its end may still open; then it says so, and no command panics.
#[test]
fn a_truncated_store_is_told_as_damaged() {
    let (place, file) = settled();
    let whole = fs::read(&file).unwrap();
    for keep in [
        100,
        4096,
        8192,
        whole.len() / 3,
        whole.len() / 2,
        whole.len() - 8192,
    ] {
        fs::write(&file, &whole[..keep]).unwrap();
        let verified = place.run(&["audit", "verify", "--json"]);
        let status = place.run(&["status", "--json"]);
        let recalled = place.run(&["recall", "kiln batch", "--json"]);
        for done in [&verified, &status, &recalled] {
            assert!([0, 1].contains(&done.code), "{keep}: {done:?}");
            assert!(!done.stderr.contains("panicked"), "{keep}: {done:?}");
        }
        // What was cut off is missed by one of them.
        let degraded = recalled.code == 0 && recalled.json()["errors"] != Value::Array(vec![]);
        assert!(verified.code == 1 || status.code == 1 || degraded, "{keep}");
        let error = place.run(&["guard", "--command", "ls", "--json"]);
        assert!([0, 1, 2].contains(&error.code), "{keep}: {error:?}");
    }
    fs::write(&file, &whole).unwrap();
    place.json(&["audit", "verify"]);
    place.json(&["status"]);
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn keys_of_another_store_write_nothing() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let head = place.head();
    let stranger = Place::new();
    stranger.remember("Theirs.");
    let keys = place.store().join("keys");
    let ours = place.home().join("keys-of-ours");
    fs::rename(&keys, &ours).unwrap();
    let mismatch = |place: &Place| {
        let said = "bring the key folder that belongs to this store";
        assert_fails(place, &["remember", "Another."], "key-mismatch", said);
    };
    copy_folder(&stranger.store().join("keys"), &keys);
    mismatch(&place);
    // Nor do they read: their digests would not compare, and a verdict would rest on them.
    let said = "bring the key folder that belongs to this store";
    assert_fails(&place, &["guard", "--command", "ls"], "key-mismatch", said);
    // Without keys, none are made beside a store that has its own.
    fs::remove_dir_all(&keys).unwrap();
    assert_fails(
        &place,
        &["remember", "Another."],
        "keys",
        "restore it from its backup",
    );
    assert!(!keys.exists());
    fs::rename(&ours, &keys).unwrap();
    assert_eq!(place.head(), head);
    place.remember("Another.");
}

#[cfg(unix)]
#[test]
fn keys_that_others_can_read_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let keys = place.store().join("keys");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&place.store()), mode(&keys)), (0o700, 0o700));
    assert_eq!(mode(&place.store().join("store.db")), 0o600);
    for name in ["certificate.pem", "hmac.hex"] {
        let file = keys.join(name);
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_fails(&place, &["remember", "Another."], "keys", "chmod 600");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    place.remember("Another.");
}

#[test]
fn damaged_keys_are_told_by_their_file() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let file = place.store().join("keys/hmac.hex");
    fs::write(&file, "not a key").unwrap();
    assert_fails(&place, &["remember", "Another."], "keys", "hmac.hex");
}

#[test]
fn a_path_below_a_file_is_no_place_for_a_store() {
    let place = Place::new();
    let file = place.home().join("occupied");
    fs::write(&file, "a file").unwrap();
    let below = file.join("store");
    let done = place
        .run_in(&below, &["remember", "x", "--json"], b"")
        .ended(1);
    assert!(done.error()["message"].is_string());
    assert!(done.stderr.contains("occupied"), "{}", done.stderr);
    assert_eq!(fs::read(&file).unwrap(), b"a file");
}
