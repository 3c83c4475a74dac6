//! The project's own rule format.

use regex_syntax::hir::Hir;
use toml::Table;

use super::budget::Budget;
use super::error::RuleError;
use super::fields::{self, Fields};
use super::gate::Gate;
use super::pattern;
use super::rule::{Rule, Secret};

const FIELDS: &[&str] = &[
    "id",
    "class",
    "regex",
    "keywords",
    "always",
    "group",
    "min_entropy",
    "max_len",
    "hit",
    "miss",
];

/// Longest secret in bytes, unless the rule says otherwise.
pub(super) const DEFAULT_LEN: usize = 512;
/// Longest secret that a rule may ask for, in bytes.
pub(super) const MAX_LEN: usize = 4096;
/// Shortest keyword in bytes: shorter ones open windows everywhere.
const MIN_KEYWORD: usize = 3;
/// Longest keyword in bytes.
pub(super) const MAX_KEYWORD: usize = 128;
/// Longest id in bytes.
const MAX_ID: usize = 64;

/// Reads the rules of a file and holds each to its examples.
pub(super) fn read(text: &str) -> Result<Vec<Rule>, RuleError> {
    let file = fields::parse(text)?;
    let top = Fields::new(&file, None);
    top.only(&["rules"])?;
    let tables = top.tables("rules")?;
    super::bound_count(tables.len())?;
    let mut budget = Budget::default();
    let mut rules = Vec::with_capacity(tables.len());
    for (at, table) in tables.into_iter().enumerate() {
        let rule = read_rule(table, at + 1)?;
        budget.take(rule.regex.memory_usage())?;
        rules.push(rule);
    }
    Ok(rules)
}

fn read_rule(table: &Table, number: usize) -> Result<Rule, RuleError> {
    let id = table.get("id").and_then(|value| value.as_str());
    let id = id.filter(|id| is_kebab(id) && id.len() <= MAX_ID);
    let numbered = format!("number {number}");
    let fields = Fields::new(table, Some(id.unwrap_or(&numbered)));
    let Some(id) = id else {
        let problem = "give an id of a-z, 0-9 and single dashes, at most 64 bytes";
        return Err(fields.error("id", problem));
    };
    fields.only(FIELDS)?;
    let source = fields
        .string("regex")?
        .ok_or_else(|| fields.error("regex", "give the pattern of the secret"))?;
    let hir = pattern::parse(source).map_err(|problem| fields.error("regex", problem))?;
    if hir
        .properties()
        .minimum_len()
        .is_none_or(|shortest| shortest == 0)
    {
        let problem = "matches empty text; ask for at least one byte";
        return Err(fields.error("regex", problem));
    }
    let rule = Rule {
        id: id.into(),
        class: class(&fields, id)?.into(),
        secret: group(&fields, &hir)?,
        regex: pattern::compile(&hir).map_err(|problem| fields.error("regex", problem))?,
        min_entropy: fields.bits("min_entropy")?.unwrap_or(0.0),
        max_len: max_len(&fields)?,
        keywords: keywords(&fields)?,
        allowances: Vec::new(),
    };
    hold_to_examples(&rule, &fields)?;
    Ok(rule)
}

fn is_kebab(id: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    id.split('-')
        .all(|word| !word.is_empty() && word.bytes().all(plain))
}

fn class(fields: &Fields<'_>, id: &str) -> Result<String, RuleError> {
    let given = fields.string("class")?;
    let class = given.map_or_else(|| id.replace('-', "_"), str::to_owned);
    if super::is_class(&class) {
        return Ok(class);
    }
    Err(fields.error("class", "give a class of 2 to 40 of a-z, 0-9 and _"))
}

fn group(fields: &Fields<'_>, hir: &Hir) -> Result<Secret, RuleError> {
    let Some(value) = fields.value("group") else {
        return Ok(Secret::FirstGroup);
    };
    let named = |name: &str| group_index(hir, name);
    let group = match value.as_str() {
        Some(name) => named(name),
        None => value
            .as_integer()
            .and_then(|group| usize::try_from(group).ok()),
    };
    group
        .filter(|group| *group <= hir.properties().explicit_captures_len())
        .map(Secret::Group)
        .ok_or_else(|| fields.error("group", "give the number or name of a group in the pattern"))
}

/// Finds the number of a named group.
fn group_index(hir: &Hir, name: &str) -> Option<usize> {
    use regex_syntax::hir::HirKind;
    match hir.kind() {
        HirKind::Capture(capture) if capture.name.as_deref() == Some(name) => {
            usize::try_from(capture.index).ok()
        }
        HirKind::Capture(capture) => group_index(&capture.sub, name),
        HirKind::Repetition(repetition) => group_index(&repetition.sub, name),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().find_map(|part| group_index(part, name))
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => None,
    }
}

fn max_len(fields: &Fields<'_>) -> Result<usize, RuleError> {
    let Some(given) = fields.integer("max_len")? else {
        return Ok(DEFAULT_LEN);
    };
    usize::try_from(given)
        .ok()
        .filter(|bytes| (1..=MAX_LEN).contains(bytes))
        .ok_or_else(|| fields.error("max_len", "give bytes, from 1 to 4096"))
}

fn keywords(fields: &Fields<'_>) -> Result<Vec<String>, RuleError> {
    let given = fields.strings("keywords")?;
    match (fields.flag("always")?, given.is_empty()) {
        (false, true) => {
            let problem = "give words that stand near every secret, or set always = true";
            return Err(fields.error("keywords", problem));
        }
        (true, false) => {
            return Err(fields.error("always", "leave out the keywords, or this"));
        }
        _ => {}
    }
    if given
        .iter()
        .any(|word| !(MIN_KEYWORD..=MAX_KEYWORD).contains(&word.len()))
    {
        return Err(fields.error("keywords", "give words of 3 to 128 bytes"));
    }
    Ok(given.iter().map(|word| word.to_ascii_lowercase()).collect())
}

fn hold_to_examples(rule: &Rule, fields: &Fields<'_>) -> Result<(), RuleError> {
    let gate = Gate::new(std::slice::from_ref(rule))?;
    for (field, expected) in [("hit", true), ("miss", false)] {
        let examples = fields.strings(field)?;
        if examples.is_empty() {
            let problem = match expected {
                true => "give at least one text with a secret of this kind, made up",
                false => "give at least one text that resembles the secret and is none",
            };
            return Err(fields.error(field, problem));
        }
        for (at, example) in examples.into_iter().enumerate() {
            if finds(rule, &gate, example) != expected {
                let outcome = if expected {
                    "finds nothing"
                } else {
                    "finds something"
                };
                let problem = format!("{outcome} in example {}; correct the rule or it", at + 1);
                return Err(fields.error(field, problem));
            }
        }
    }
    Ok(())
}

fn finds(rule: &Rule, gate: &Gate, text: &str) -> bool {
    let mut found = false;
    let windows = gate.windows(text).into_iter().map(|window| window.range);
    rule.search(text, windows, &mut |_| found = true);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[[rules]]
id = "acme-token"
regex = 'acme_(?P<body>[a-z0-9]{8})'
keywords = ["ACME_"]
hit = ["x acme_0a1b2c3d"]
miss = ["acme_short"]
"#;

    fn message(text: &str) -> String {
        read(text)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    /// Replaces a line of the good rule, named by how it begins.
    fn with(line: &str, new: &str) -> String {
        let replace = |old: &str| if old.starts_with(line) { new } else { old }.to_owned();
        GOOD.lines().map(replace).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn defaults_are_as_documented() {
        let rules = read(GOOD).unwrap();
        assert_eq!(&*rules[0].class, "acme_token");
        assert_eq!(rules[0].secret, Secret::FirstGroup);
        assert_eq!(rules[0].max_len, 512);
        assert_eq!(rules[0].keywords, ["acme_"]);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn groups_are_numbers_or_names() {
        let group = |given: &str| {
            let text = format!("{GOOD}group = {given}\n");
            read(&text)
                .map(|rules| rules[0].secret)
                .map_err(|error| error.to_string())
        };
        assert_eq!(group("0"), Ok(Secret::Group(0)));
        assert_eq!(group("1"), Ok(Secret::Group(1)));
        assert_eq!(group("\"body\""), Ok(Secret::Group(1)));
        let refused = "rule `acme-token`, field `group`: give the number or name of a group in \
                       the pattern";
        for wrong in ["2", "-1", "\"tail\"", "true"] {
            assert_eq!(group(wrong), Err(refused.to_owned()), "{wrong}");
        }
    }

    #[test]
    fn errors_name_rule_field_and_remedy() {
        for (text, expected) in [
            (
                with("id", "id = 'Acme'"),
                "rule `number 1`, field `id`: give an id of a-z, 0-9 and single dashes, at most 64 bytes",
            ),
            (
                with("id", "id = 'a'"),
                "rule `a`, field `class`: give a class of 2 to 40 of a-z, 0-9 and _",
            ),
            (
                with("regex", ""),
                "rule `acme-token`, field `regex`: give the pattern of the secret",
            ),
            (
                with("regex", "regex = 'a('"),
                "rule `acme-token`, field `regex`: unclosed group at byte 1; correct it there",
            ),
            (
                with("regex", "regex = 'a*'"),
                "rule `acme-token`, field `regex`: matches empty text; ask for at least one byte",
            ),
            (
                with("keywords", ""),
                "rule `acme-token`, field `keywords`: give words that stand near every secret, or set always = true",
            ),
            (
                with("keywords", "keywords = ['ac']"),
                "rule `acme-token`, field `keywords`: give words of 3 to 128 bytes",
            ),
            (
                with("keywords", "always = true\nkeywords = ['acme']"),
                "rule `acme-token`, field `always`: leave out the keywords, or this",
            ),
            (
                with("hit", "hit = []"),
                "rule `acme-token`, field `hit`: give at least one text with a secret of this kind, made up",
            ),
            (
                with("hit", "hit = ['acme_0a1b2c3d', 'acme_']"),
                "rule `acme-token`, field `hit`: finds nothing in example 2; correct the rule or it",
            ),
            (
                with("miss", ""),
                "rule `acme-token`, field `miss`: give at least one text that resembles the secret and is none",
            ),
            (
                with("miss", "miss = ['acme_0a1b2c3d']"),
                "rule `acme-token`, field `miss`: finds something in example 1; correct the rule or it",
            ),
            (
                format!("{GOOD}max_len = 4097"),
                "rule `acme-token`, field `max_len`: give bytes, from 1 to 4096",
            ),
            (
                format!("{GOOD}keyword = 'a'"),
                "rule `acme-token`, field `keyword`: not a field here; use id, class, regex, keywords, always, group, min_entropy, max_len, hit, miss",
            ),
            (
                format!("title = 'x'\n{GOOD}"),
                "field `title`: not a field here; use rules",
            ),
        ] {
            assert_eq!(message(&text), expected, "{text}");
        }
    }

    #[test]
    fn entropy_is_part_of_the_examples() {
        let low = with("hit", "hit = ['acme_aaaaaaaa']");
        assert_eq!(message(&low), "");
        let floor = format!("{low}\nmin_entropy = 1");
        assert!(message(&floor).contains("field `hit`: finds nothing in example 1"));
    }

    #[test]
    fn a_hit_needs_its_keyword() {
        let text = with("keywords", "keywords = ['other']");
        assert!(message(&text).contains("field `hit`: finds nothing in example 1"));
    }
}
