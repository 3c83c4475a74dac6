//! Inputs that broke a law once: found by `cargo xtask fuzz redact`, then made as small as they get.

use precedent_redact::Redactor;

/// A run that looks random, in parts that do not.
fn random_run() -> String {
    ["q4Zt8KxW2pLm9RvB", "3nYs7DcF1gHj6QeA", "5uTo0IiPkXzCwVyN"].concat()
}

#[track_caller]
fn again_changes_nothing(text: &str) {
    let redactor = Redactor::new();
    let once = redactor.redact(text).text.into_owned();
    assert_eq!(redactor.redact(&once).text, once);
}

/// The head of a private key lacks a hyphen, and its label a line of body.
#[test]
fn a_broken_key_block_is_stable() {
    let body = [
        "Y8VUwSoPR18hGjaH",
        "jD2IAf3N4qHeNwps",
        "5L+livernNrZQ9qr",
        "uLPqrLVE9lNV",
    ]
    .concat();
    again_changes_nothing(&format!(
        "-----BEGIN PRIVATE KEY----\n:/parser/ind\0\0\0\0\0\0\u{1}\u{fffd}H5\n{body}"
    ));
}

/// A line of exactly 24 bytes, as far as the rule looks back, is read as the path that leads to
/// the run below it while the three lines are one unit; the run alone is masked.
#[test]
fn a_line_before_a_run_is_no_path_to_it() {
    let run = random_run();
    again_changes_nothing(&format!("{run}\n/srv/data/some/fileNbin\n{run}"));
}

/// A head with four hyphens is passed over before a random run, and found before its marker.
#[test]
fn a_short_head_before_a_run_is_stable() {
    let run = ["qMd9xzu6Rsive_q1", "0KEOGP+mNGPIIxMC", "htJqo/K3"].concat();
    again_changes_nothing(&format!("----BEGIN PRIVATE KEY----s9lNVy\n{run}"));
}

/// The hyphens of a first head are masked as part of the run before them; a second head follows.
#[test]
fn a_head_behind_a_broken_head_is_found_at_once() {
    let run = ["JgqHQjf42reJc6P5", "aQLAFgIJc/92m7"].concat();
    again_changes_nothing(&format!(
        "{run}-----BEGIN ----BEGIN PRIVATE KEY----\nVuVsfq"
    ));
}

/// A run of as many digits as a disk's recovery password has characters.
#[test]
fn a_long_number_is_no_recovery_password() {
    again_changes_nothing(&"1".repeat(55));
}

/// A line that is part of a key only once what it holds is masked.
#[test]
fn a_marker_is_no_part_of_a_key() {
    let text = "-----BEGIN RSA PRIVATE KEY-----\nVuVsfq\"anthropicKey\": \"<sk-ant<gr4nite-b1shop-77<<\
                <\0\0\", 4qHeNwps5L+aMtqrnNrZQ9qruLPqrLVE9lNVy\n7q";
    again_changes_nothing(text);
}

/// A line that reads like a command's output only once what it holds is masked.
#[test]
fn a_marker_is_no_output() {
    let token = ["xsk-ant-A0A00A0A0aaa0", "BbBLEbce1bC0Dd"].concat();
    again_changes_nothing(&format!("echo password\n@db.internal:5432/{token}"));
}

/// A key whose value shows only once the token that the text's end cuts off is masked.
#[test]
fn a_token_cut_off_hides_nothing() {
    let token = ["AKIA", "6V4OOMS"].concat();
    let run = "<".repeat(28);
    again_changes_nothing(&format!(
        "[{{\"key{{\"kepLm9R{run}\"}},[1,-0.5e3,null,truee9A\u{fffd}\u{fffd}ESS_KID={token}"
    ));
}

/// A line that is a JSON document only once the secret that makes it invalid is masked.
#[test]
fn a_masked_line_is_no_new_document() {
    let run = ["cK46UE2pm_8d\u{7f}xCSGGyBDRB4\0\0O4CDVlRc", "ecgQDruQrEgc"].concat();
    again_changes_nothing(&format!(
        "{{\"client_secret\":\"{run}\",\"n-t\u{fffd}password\u{fffd}OOgrant\":\"code\"}}"
    ));
    let text = concat!(
        "{\"client_secret\":\"gr4nite\0b1shop\",",
        "\"grant password\":\"code\"}"
    );
    again_changes_nothing(text);
}
