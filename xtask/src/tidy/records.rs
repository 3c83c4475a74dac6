//! Records hold clean text: a field of raw text would be a way past the redactor.

use super::{SourceFile, scan};
use crate::report::Outcome;

/// Where the types are that are stored or given back.
const RECORDS: &[&str] = &[
    "crates/core/src/",
    "crates/guard/src/capsule.rs",
    "crates/guard/src/evidence.rs",
    "crates/guard/src/verdict.rs",
];

/// Types of raw text.
const RAW: &[&str] = &["String", "Value", "PathBuf", "OsString"];

/// Fields that are neither stored nor told, or that are made of clean text alone: file, field, why.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "crates/core/src/analyze.rs",
        "terms",
        "pieces of a clean text on the way into an index",
    ),
    (
        "crates/core/src/near.rs",
        "terms",
        "pieces of a clean text, compared and dropped",
    ),
    (
        "crates/core/src/recall.rs",
        "terms",
        "pieces of a clean query, which is not kept",
    ),
    (
        "crates/core/src/audit.rs",
        "namespace",
        "a projection of the sealed bytes, made of a Namespace",
    ),
    (
        "crates/core/src/audit.rs",
        "actor",
        "a projection of the sealed bytes, a keyed pseudonym",
    ),
    ("crates/core/src/mem/state.rs", "key_ids", "digests of keys"),
];

/// Checks one file.
pub(super) fn check(file: &SourceFile, outcome: &mut Outcome) {
    let SourceFile { path, text } = file;
    if !RECORDS.iter().any(|records| path.starts_with(records)) {
        return;
    }
    let code = scan::mask(text).code;
    let tests = scan::test_lines(&code);
    for (index, line) in code.lines().enumerate() {
        let test = tests.get(index).copied().unwrap_or(false);
        let Some(name) = raw_field(line).filter(|_| !test) else {
            continue;
        };
        let allowed = |(file, field, _): &(&str, &str, &str)| file == path && *field == name;
        if !ALLOWED.iter().any(allowed) {
            outcome.complaints.push(format!(
                "{path}:{}: `{name}` holds raw text; make it a CleanText, or say in \
                 xtask/src/tidy/records.rs why it needs none",
                index + 1
            ));
        }
    }
}

/// Returns the name of a field on a line of its own whose type owns raw text.
fn raw_field(line: &str) -> Option<&str> {
    let field = line.trim().strip_suffix(',')?;
    let field = field.strip_prefix("pub(super) ").unwrap_or(field);
    let field = field.strip_prefix("pub(crate) ").unwrap_or(field);
    let field = field.strip_prefix("pub ").unwrap_or(field);
    let (name, kind) = field.split_once(": ")?;
    let plain = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut words = kind.split(|c: char| !c.is_alphanumeric() && c != '&');
    let raw = words.any(|word| RAW.contains(&word));
    // A call or a path is an expression: `name: String::new(),`.
    (plain && raw && !kind.contains("::") && !kind.contains('.')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn complaints(path: &str, text: &str) -> usize {
        let mut outcome = Outcome::default();
        check(&file(path, text), &mut outcome);
        outcome.complaints.len()
    }

    #[test]
    fn a_field_of_raw_text_is_refused_in_records_only() {
        let text = "struct A {\n    pub text: Option<String>,\n    tags: Vec<String>,\n}\n";
        assert_eq!(complaints("crates/core/src/memory.rs", text), 2);
        assert_eq!(complaints("crates/guard/src/verdict.rs", text), 2);
        assert_eq!(complaints("crates/guard/src/action.rs", text), 0);
    }

    #[test]
    fn what_is_clean_borrowed_or_made_elsewhere_passes() {
        for field in [
            "pub text: CleanText,",
            "value: Option<&Value>,",
            "text: String::new(),",
            "name: text.to_owned(),",
        ] {
            let text = format!("struct A {{\n    {field}\n}}\n");
            assert_eq!(complaints("crates/core/src/memory.rs", &text), 0, "{field}");
        }
        let test = "#[cfg(test)]\nmod tests {\n    struct A {\n        text: String,\n    }\n}\n";
        assert_eq!(complaints("crates/core/src/memory.rs", test), 0);
    }
}
