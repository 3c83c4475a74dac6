//! Finds what a sentence refers to: commands, paths, flags, places, SQL.

use super::markers::{self, Found, Mark};
use super::place::{
    branch, folder, is_branch, is_place_noun, is_preposition, is_stage, place_of, plain_place,
};
use super::sketch::{Sketch, is_tool, wildcards};
use super::sql::{sql, sql_words, table_after};
use super::token::Token;

/// Something a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// A command, or a statement of SQL.
    Command(Sketch),
    /// A path or glob.
    Path(String),
    /// A flag by itself.
    Flag(String),
    /// A branch, cluster, host or stage.
    Place(String),
}

/// A sentence as a sequence of references, marks and other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// What the sentence refers to.
    Ref(Reference),
    /// What it says about it.
    Mark(Mark),
    /// Another word, in lower case.
    Word(String),
}

/// Programs whose names, in plain text, begin a command.
const PROGRAMS: &str = "npm npx pnpm yarn bun deno git gh docker docker-compose podman kubectl helm terraform \
    tofu cargo rustup pip pip3 poetry uv python python3 pytest php composer rails rake \
    gradle mvn sbt zig psql mysql sqlite3 redis-cli mongosh aws gcloud az flyctl heroku \
    nomad ansible-playbook systemctl apt apt-get brew rm chmod chown curl wget ssh scp \
    rsync sudo prettier eslint jest vitest tsc alembic artisan dotnet pulumi vercel \
    wrangler netlify supabase prisma sed dd mkfs shutdown reboot killall pkill \
    golangci-lint phpunit rspec tox nox conda mamba xcodebuild fastlane bazel ninja cmake";

/// Programs whose names are also English words; a verb must stand before.
const AMBIGUOUS: &str = "make go just task fly node bundle mix swift dart flutter vault ruby java kill touch \
    cat firebase packer serverless salt";

/// Words at which a plain-text command ends.
const STOPS: &str = "before after without unless until and or on in at from to with when while if because \
    first then ever again directly must should is are be not never for instead rather as \
    by since requires require needs during always only you it the a an this that runs has \
    have please here there against commands command every each any outside inside under \
    except manually may can will yourself so but over ausführen und oder ohne nicht immer \
    sans jamais sin nunca et y ou o statt zuerst do anything everything things anywhere";

fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|name| name == word)
}

/// Reads tokens into items.
pub(super) fn items(tokens: &[Token]) -> Vec<Item> {
    let lower: Vec<String> = tokens
        .iter()
        .map(|t| match t {
            Token::Word(word) => word.to_lowercase(),
            _ => String::new(),
        })
        .collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at += match &tokens[at] {
            Token::Code(text) => {
                let next = match tokens.get(at + 1) {
                    Some(Token::Cjk(text)) if speaks_of_branch(text) => "branch",
                    _ => lower.get(at + 1).map_or("", String::as_str),
                };
                let item = code(text, &out, next);
                let (item, taken) = with_table(item, &tokens[at + 1..]);
                out.push(item);
                1 + taken
            }
            Token::Cjk(text) => {
                out.extend(markers::cjk(text).into_iter().map(|found| match found {
                    Found::Mark(mark) => Item::Mark(mark),
                    Found::Verb(verb) => Item::Word(verb.to_owned()),
                    Found::Restriction => Item::Word("when".to_owned()),
                    Found::Production => Item::Ref(Reference::Place("production".to_owned())),
                }));
                1
            }
            Token::Break => {
                out.push(Item::Mark(Mark::Comma));
                1
            }
            Token::Word(word) => plain(word, &tokens[at..], &lower[at..], &mut out),
        };
    }
    out
}

fn code(text: &str, before: &[Item], next: &str) -> Item {
    let single = !text.contains(char::is_whitespace);
    let last = before.iter().rev().find_map(|item| match item {
        Item::Word(word) => Some(word.as_str()),
        _ => None,
    });
    let direct = matches!(before.last(), Some(Item::Word(_)));
    let noun = if is_place_noun(next) {
        next
    } else {
        last.filter(|_| direct).unwrap_or("")
    };
    if text.starts_with('-') && text.split_whitespace().count() < 3 {
        let flag: Vec<&str> = text.split_whitespace().collect();
        return Item::Ref(Reference::Flag(flag.join("=")));
    }
    if single && is_place_noun(noun) {
        return Item::Ref(Reference::Place(place_of(noun, text)));
    }
    let about_branches = before.contains(&Item::Mark(Mark::Branch)) || next.starts_with("branch");
    if single && let Some(folder) = folder(text, next, before) {
        return Item::Ref(folder);
    }
    if single && (about_branches || direct && is_preposition(noun) && is_branch(text)) {
        return Item::Ref(Reference::Place(branch(text)));
    }
    if single && is_thing(next) {
        return Item::Word(text.to_lowercase());
    }
    if let Some(sql) = sql(text) {
        return Item::Ref(Reference::Command(sql));
    }
    if single && direct && is_preposition(noun) && is_stage(text) {
        return Item::Ref(Reference::Place(text.to_owned()));
    }
    let runs = matches!(before.last(), Some(Item::Mark(Mark::Run)));
    if single && is_path(text) && (!runs || text.ends_with('/')) && !text.starts_with("./") {
        return Item::Ref(Reference::Path(wildcards(text)));
    }
    if single && text.starts_with("./") && (text.ends_with('/') || text.contains('*')) {
        return Item::Ref(Reference::Path(wildcards(text)));
    }
    match Sketch::command(text) {
        Some(sketch) => Item::Ref(Reference::Command(named(sketch, text))),
        None => Item::Word(text.to_lowercase()),
    }
}

/// Adds the table that stands behind a statement: `DROP TABLE` on the users table.
fn with_table(item: Item, rest: &[Token]) -> (Item, usize) {
    let Item::Ref(Reference::Command(mut sketch)) = item else {
        return (item, 0);
    };
    let statement = sketch.program.is_none() && !sketch.words.is_empty();
    let table = table_after(rest).filter(|_| statement);
    let taken = table.map_or(0, |(name, taken)| {
        sketch.words.push(name.to_uppercase());
        taken
    });
    (Item::Ref(Reference::Command(sketch)), taken)
}

/// Nouns that say that the code before them is no command.
fn is_thing(word: &str) -> bool {
    listed(
        "table column field class method function variable endpoint package library module crate \
         type struct trait component schema bucket topic queue user role label tag",
        word,
    )
}

fn speaks_of_branch(text: &str) -> bool {
    text.contains("分支") || text.contains("ブランチ")
}

/// A name such as `db:generate` is a task of some runner, not a program.
fn named(sketch: Sketch, text: &str) -> Sketch {
    let task = text.contains(':') && !text.contains(['/', ' ']) && sketch.words.is_empty();
    if task {
        return Sketch {
            words: vec![text.to_owned()],
            ..Sketch::default()
        };
    }
    sketch
}

/// Reads a plain word and what belongs to it; returns how many tokens it took.
fn plain(word: &str, tokens: &[Token], lower: &[String], out: &mut Vec<Item>) -> usize {
    if let Some((reference, taken)) = sql_words(tokens) {
        out.push(Item::Ref(Reference::Command(reference)));
        return taken;
    }
    if is_tool(word) {
        out.extend(Sketch::command(word).map(|tool| Item::Ref(Reference::Command(tool))));
        return 1;
    }
    let next = lower.get(1).map_or("", String::as_str);
    if (&*lower[0], next) == ("as", "root") || (&*lower[0], next) == ("with", "sudo") {
        out.push(Item::Ref(Reference::Place("user:root".to_owned())));
        return 2;
    }
    if let Some(folder) = folder(word, next, out) {
        out.push(Item::Ref(folder));
        return 2;
    }
    if let Some((text, taken)) = bare_command(word, tokens, lower, out) {
        let sketch = Sketch::command(&text).map(|s| named(s, &text));
        if let Some(sketch) = sketch {
            out.push(Item::Ref(Reference::Command(sketch)));
            return taken;
        }
    }
    if word.starts_with("--") {
        out.push(Item::Ref(Reference::Flag(word.to_owned())));
        return 1;
    }
    if let Some(place) = plain_place(word, lower, out) {
        out.push(Item::Ref(Reference::Place(place)));
        return 1;
    }
    let about_branches = out.contains(&Item::Mark(Mark::Branch));
    if about_branches && word.contains('/') {
        out.push(Item::Ref(Reference::Place(branch(word))));
        return 1;
    }
    if is_path(word) && plain_path(word, out) {
        out.push(Item::Ref(Reference::Path(wildcards(word))));
        return 1;
    }
    let ahead: Vec<&str> = lower.iter().take(4).map(String::as_str).collect();
    if let Some((mark, taken)) = markers::phrase(&ahead) {
        out.push(Item::Mark(mark));
        if mark == Mark::KeepOut {
            out.push(Item::Mark(Mark::Not));
        }
        return taken;
    }
    let word = markers::verb(&lower[0]).map_or_else(|| lower[0].clone(), str::to_owned);
    out.push(Item::Word(word));
    1
}

fn bare_command(
    word: &str,
    tokens: &[Token],
    lower: &[String],
    before: &[Item],
) -> Option<(String, usize)> {
    let verb = matches!(before.last(), Some(Item::Mark(Mark::Run | Mark::Use)))
        || matches!(before.last(), Some(Item::Word(w))
            if matches!(w.as_str(), "running" | "executing" | "calling" | "invoking"));
    let next = lower.get(1).map_or("", String::as_str);
    if lower.iter().take(8).any(|w| w == "|") {
        return None;
    }
    let known = listed(PROGRAMS, word) || (listed(AMBIGUOUS, word) && verb && next != "sure");
    let script = word.starts_with("./") && !word.ends_with('/') && !word.contains('*');
    let odd = verb
        && word.contains(['-', '_', ':', '/'])
        && word.is_ascii()
        && !word.ends_with('/')
        && !word.starts_with('-');
    if !known && !script && !odd {
        return None;
    }
    let mut words = vec![word.to_owned()];
    for (token, lower) in tokens.iter().zip(lower).skip(1).take(8) {
        let Token::Word(text) = token else { break };
        let starts_other = listed(PROGRAMS, text.as_str()) && word != "sudo";
        if listed(STOPS, lower.as_str()) || starts_other || !text.is_ascii() {
            break;
        }
        words.push(text.clone());
    }
    let taken = words.len();
    Some((words.join(" "), taken))
}

fn plain_path(word: &str, before: &[Item]) -> bool {
    let parts: Vec<&str> = word.split('/').collect();
    let certain =
        word.ends_with('/') || word.contains(['*', '.']) || parts.len() > 2 || !word.contains('/');
    let led = match before.last() {
        Some(Item::Word(w)) => matches!(
            w.as_str(),
            "under"
                | "in"
                | "inside"
                | "into"
                | "below"
                | "file"
                | "files"
                | "folder"
                | "directory"
                | "edit"
                | "modify"
                | "touch"
                | "change"
                | "within"
                | "unter"
                | "dossier"
                | "carpeta"
        ),
        Some(Item::Mark(mark)) => matches!(mark, Mark::Not | Mark::Read),
        _ => false,
    };
    (certain || led)
        && !matches!(
            word.to_lowercase().as_str(),
            "and/or" | "read/write" | "ci/cd" | "n/a"
        )
}

/// Tells whether a word is written like a path or file name.
fn is_path(word: &str) -> bool {
    if word.contains("://") || word.starts_with('-') || word.starts_with('@') {
        return false;
    }
    let name = word
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(word);
    let special = matches!(
        name,
        "Dockerfile" | "Makefile" | "Jenkinsfile" | "Procfile" | "CODEOWNERS"
    );
    let dotted = name
        .strip_prefix('.')
        .is_some_and(|rest| rest.len() > 1 && rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let extension = name.rsplit_once('.').is_some_and(|(stem, ext)| {
        (1..=8).contains(&ext.len())
            && ext.bytes().all(|b| b.is_ascii_alphanumeric())
            && ext.bytes().any(|b| b.is_ascii_alphabetic())
            && stem.chars().any(|c| c.is_alphabetic() || c == '*')
            && stem.len() > 1
            || stem == "*"
    });
    word.contains('/') || special || dotted || extension || (word.contains('*') && word.len() > 1)
}
