//! Import of configurations in the format of gitleaks 8 (its README, "Configuration").

use std::collections::BTreeMap;
use std::sync::Arc;

use aho_corasick::AhoCorasick;
use regex_syntax::hir::Hir;
use toml::{Table, Value};

use super::allowance::{Allowance, Target};
use super::budget::Budget;
use super::error::RuleError;
use super::fields::{self, Fields};
use super::notes::{ImportLoss, ImportNotes};
use super::own::{DEFAULT_LEN, MAX_KEYWORD, MAX_LEN};
use super::rule::{Rule, Secret};
use super::{pattern, re2};

const TOP_FIELDS: &[&str] = &[
    "title",
    "description",
    "minversion",
    "extend",
    "rules",
    "allowlist",
    "allowlists",
];
const RULE_FIELDS: &[&str] = &[
    "id",
    "description",
    "regex",
    "secretgroup",
    "entropy",
    "keywords",
    "path",
    "tags",
    "allowlist",
    "allowlists",
    "required",
    "skipreport",
];
const ALLOW_FIELDS: &[&str] = &[
    "description",
    "condition",
    "commits",
    "paths",
    "regextarget",
    "regexes",
    "stopwords",
    "targetrules",
];

/// Longest id of a rule that is repeated in notes and errors, in bytes.
const MAX_ID: usize = 128;

type Allowances = Vec<Arc<Allowance>>;

/// What grows while a file is read.
#[derive(Default)]
struct Import {
    notes: ImportNotes,
    budget: Budget,
}

/// Reads a configuration; what has no counterpart here goes to the notes.
pub(super) fn read(text: &str) -> Result<(Vec<Rule>, ImportNotes), RuleError> {
    let file = lower_keys(fields::parse(text)?);
    let top = Fields::new(&file, None);
    let mut import = Import::default();
    note_unknown(&top, TOP_FIELDS, &mut import);
    let extends = note_extension(&top, &mut import)?;
    let tables = top.tables("rules")?;
    super::bound_count(tables.len())?;
    let (shared, mut targeted) = shared_allowances(&top, &mut import)?;
    let mut rules = Vec::new();
    for (at, table) in tables.into_iter().enumerate() {
        let id = table
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| is_id(id));
        let numbered = format!("number {}", at + 1);
        let fields = Fields::new(table, Some(id.unwrap_or(&numbered)));
        let Some(id) = id else {
            return Err(fields.error("id", "give an id of at most 128 printable ASCII bytes"));
        };
        if let Some(mut rule) = read_rule(&fields, id, extends, &mut import)? {
            rule.allowances
                .extend(targeted.remove(id).into_iter().flatten());
            rule.allowances.extend(shared.iter().cloned());
            rules.push(rule);
        }
    }
    for target in targeted.keys() {
        import.notes.add(Some(target), ImportLoss::UnknownTarget);
    }
    Ok((rules, import.notes))
}

/// The format's reader takes keys in any case.
fn lower_keys(table: Table) -> Table {
    let lower = |value| match value {
        Value::Table(table) => Value::Table(lower_keys(table)),
        Value::Array(list) => Value::Array(
            list.into_iter()
                .map(|value| match value {
                    Value::Table(table) => Value::Table(lower_keys(table)),
                    other => other,
                })
                .collect(),
        ),
        other => other,
    };
    table
        .into_iter()
        .map(|(key, value)| (key.to_ascii_lowercase(), lower(value)))
        .collect()
}

fn is_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|b| (b' '..=b'~').contains(&b))
}

fn note_unknown(fields: &Fields<'_>, known: &[&str], import: &mut Import) {
    for field in fields.unknown(known) {
        import
            .notes
            .add(fields.rule(), ImportLoss::UnknownField(field.to_owned()));
    }
}

/// Notes what the file takes from others; tells whether it does.
fn note_extension(top: &Fields<'_>, import: &mut Import) -> Result<bool, RuleError> {
    let Some(table) = top.table("extend")? else {
        return Ok(false);
    };
    let extend = Fields::new(table, None);
    note_unknown(
        &extend,
        &["path", "url", "usedefault", "disabledrules"],
        import,
    );
    let extends = extend.string("path")?.is_some()
        || extend.string("url")?.is_some()
        || extend.flag("usedefault")?;
    if extends {
        import.notes.add(None, ImportLoss::Extends);
    }
    if !extend.strings("disabledrules")?.is_empty() {
        import.notes.add(None, ImportLoss::DisabledRules);
    }
    Ok(extends)
}

/// Reads the file's own allowlists: those for all rules, and those for named ones.
fn shared_allowances(
    top: &Fields<'_>,
    import: &mut Import,
) -> Result<(Allowances, BTreeMap<String, Allowances>), RuleError> {
    let mut shared = Vec::new();
    let mut targeted: BTreeMap<String, Allowances> = BTreeMap::new();
    for table in allowlist_tables(top)? {
        let fields = Fields::new(table, None);
        let Some(allowance) = read_allowance(&fields, import)?.map(Arc::new) else {
            continue;
        };
        let targets = fields.strings("targetrules")?;
        if targets.is_empty() {
            shared.push(Arc::clone(&allowance));
        }
        for target in targets {
            let list = targeted.entry(target.to_owned()).or_default();
            list.push(Arc::clone(&allowance));
        }
    }
    Ok((shared, targeted))
}

fn allowlist_tables<'t>(fields: &Fields<'t>) -> Result<Vec<&'t Table>, RuleError> {
    let mut tables = fields.tables("allowlists")?;
    // The older name holds one table in the format, though several are written by mistake.
    match fields.value("allowlist") {
        Some(Value::Array(_)) => tables.extend(fields.tables("allowlist")?),
        _ => tables.extend(fields.table("allowlist")?),
    }
    Ok(tables)
}

fn read_rule(
    fields: &Fields<'_>,
    id: &str,
    extends: bool,
    import: &mut Import,
) -> Result<Option<Rule>, RuleError> {
    note_unknown(fields, RULE_FIELDS, import);
    let has_path = fields.string("path")?.is_some_and(|path| !path.is_empty());
    let source = fields.string("regex")?.filter(|source| !source.is_empty());
    let Some(source) = source else {
        let loss = match (has_path, extends) {
            (true, _) => ImportLoss::PathOnlyRule,
            (false, true) => ImportLoss::ChangesExtended,
            (false, false) => return Err(fields.error("regex", "give a pattern")),
        };
        import.notes.add(Some(id), loss);
        return Ok(None);
    };
    if fields.flag("skipreport")? {
        import.notes.add(Some(id), ImportLoss::SkipReport);
        return Ok(None);
    }
    if has_path {
        import.notes.add(Some(id), ImportLoss::PathFilter);
    }
    if !fields.tables("required")?.is_empty() {
        import.notes.add(Some(id), ImportLoss::RequiredRules);
    }
    let class = super::formed_class(id);
    if class != id.replace('-', "_") {
        import.notes.add(Some(id), ImportLoss::ClassFormed);
    }
    let hir = parse(fields, "regex", source)?;
    let regex = pattern::compile(&hir).map_err(|problem| fields.error("regex", problem))?;
    import.budget.take(regex.memory_usage())?;
    Ok(Some(Rule {
        id: id.into(),
        class: class.into(),
        secret: secret(fields, &hir)?,
        regex,
        min_entropy: fields.bits("entropy")?.unwrap_or(0.0),
        max_len: hir
            .properties()
            .maximum_len()
            .unwrap_or(MAX_LEN)
            .clamp(DEFAULT_LEN, MAX_LEN),
        keywords: keywords(fields)?,
        allowances: allowances(fields, import)?,
    }))
}

fn parse(fields: &Fields<'_>, field: &str, source: &str) -> Result<Hir, RuleError> {
    re2::translate(source)
        .and_then(|translated| pattern::parse(&translated))
        .map_err(|problem| fields.error(field, problem))
}

fn secret(fields: &Fields<'_>, hir: &Hir) -> Result<Secret, RuleError> {
    let group = fields.integer("secretgroup")?.unwrap_or(0);
    match usize::try_from(group) {
        Ok(0) => Ok(Secret::FirstGroup),
        Ok(group) if group <= hir.properties().explicit_captures_len() => Ok(Secret::Group(group)),
        _ => Err(fields.error("secretGroup", "give the number of a group in the pattern")),
    }
}

/// Keywords may be short in this format, or absent, and then the rule runs on all text.
fn keywords(fields: &Fields<'_>) -> Result<Vec<String>, RuleError> {
    let given = fields.strings("keywords")?;
    if given.iter().any(|word| word.len() > MAX_KEYWORD) {
        return Err(fields.error("keywords", "give words of at most 128 bytes"));
    }
    // An empty word is in every text, so it says what no words say.
    if given.iter().any(|word| word.is_empty()) {
        return Ok(Vec::new());
    }
    Ok(given.iter().map(|word| word.to_ascii_lowercase()).collect())
}

fn allowances(fields: &Fields<'_>, import: &mut Import) -> Result<Allowances, RuleError> {
    let mut allowances = Vec::new();
    for table in allowlist_tables(fields)? {
        let list = Fields::new(table, fields.rule());
        allowances.extend(read_allowance(&list, import)?.map(Arc::new));
    }
    Ok(allowances)
}

/// Reads one allowlist; nothing where it cannot apply to text without path and commit.
fn read_allowance(
    fields: &Fields<'_>,
    import: &mut Import,
) -> Result<Option<Allowance>, RuleError> {
    note_unknown(fields, ALLOW_FIELDS, import);
    let both = match fields
        .string("condition")?
        .map(str::to_ascii_lowercase)
        .as_deref()
    {
        Some("and" | "&&") => true,
        None | Some("" | "or" | "||") => false,
        Some(_) => return Err(fields.error("condition", "give AND or OR")),
    };
    let target = match fields.string("regextarget")? {
        None | Some("" | "secret") => Target::Secret,
        Some("match") => Target::Match,
        Some("line") => Target::Line,
        Some(_) => return Err(fields.error("regexTarget", "give match, line or secret")),
    };
    let (paths, commits) = (fields.strings("paths")?, fields.strings("commits")?);
    let (regexes, words) = (fields.strings("regexes")?, fields.strings("stopwords")?);
    if both && !(paths.is_empty() && commits.is_empty()) {
        import
            .notes
            .add(fields.rule(), ImportLoss::UnreachableAllowlist);
        return Ok(None);
    }
    if !paths.is_empty() {
        import.notes.add(fields.rule(), ImportLoss::AllowedPaths);
    }
    if !commits.is_empty() {
        import.notes.add(fields.rule(), ImportLoss::AllowedCommits);
    }
    if regexes.is_empty() && words.is_empty() {
        let any = !paths.is_empty() || !commits.is_empty();
        let empty = || fields.error("allowlists", "give regexes, stopwords, paths or commits");
        return if any { Ok(None) } else { Err(empty()) };
    }
    let allowance = Allowance {
        target,
        both,
        patterns: patterns(fields, &regexes)?,
        stopwords: stopwords(fields, &words)?,
    };
    import.budget.take(allowance.memory())?;
    Ok(Some(allowance))
}

fn patterns(
    fields: &Fields<'_>,
    sources: &[&str],
) -> Result<Option<regex_automata::meta::Regex>, RuleError> {
    if sources.is_empty() {
        return Ok(None);
    }
    let hirs: Result<Vec<Hir>, RuleError> = sources
        .iter()
        .map(|source| parse(fields, "regexes", source))
        .collect();
    let compiled = pattern::compile_any(&hirs?);
    compiled
        .map(Some)
        .map_err(|problem| fields.error("regexes", problem))
}

fn stopwords(fields: &Fields<'_>, words: &[&str]) -> Result<Option<AhoCorasick>, RuleError> {
    if words.iter().any(|word| word.is_empty()) {
        return Err(fields.error(
            "stopwords",
            "leave out the empty word, it allows everything",
        ));
    }
    (!words.is_empty())
        .then(|| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(words)
        })
        .transpose()
        .map_err(|_| fields.error("stopwords", "too many; leave some out"))
}
