//! Reads a shell command line into simple commands, words and redirections.
//!
//! The grammar is tree-sitter-bash's; only its tree is used and nothing is
//! ever run or expanded. Input beyond the bounds below, and text that the
//! grammar rejects, is kept literally and marked unparsed.

mod walk;
mod word;

/// Longest command line that is parsed, in bytes; longer ones stay unparsed.
pub const MAX_BYTES: usize = 64 * 1024;

/// Deepest nesting of the syntax tree that is read.
pub const MAX_DEPTH: usize = 64;

/// One word of a command after quote removal (POSIX.1-2024, XCU 2.6.7).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The word without the quotes that change nothing.
    pub text: String,
    /// Whether its value is known only when it runs (`$x`, `` `…` ``, `$(…)`).
    pub dynamic: bool,
    /// Whether any part of it was quoted.
    pub quoted: bool,
}

/// An assignment in front of a command, or made by `export` and its like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// What it is set to.
    pub value: Word,
}

/// A redirection; a here-document carries its body as the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The file descriptor in front of the operator, when one is written.
    pub descriptor: Option<String>,
    /// The operator as written: `>`, `>>`, `<`, `<<`, `<<<`, `>&`, …
    pub operator: String,
    /// The file, descriptor or text.
    pub target: Word,
}

impl Redirect {
    /// Tells whether this redirection writes to a file other than `/dev/null`.
    #[must_use]
    pub fn writes_file(&self) -> bool {
        let writes = matches!(
            self.operator.as_str(),
            ">" | ">>" | ">|" | "&>" | "&>>" | "<>"
        ) || self.operator == ">&" && !is_descriptor(&self.target.text);
        writes
            && !matches!(
                self.target.text.as_str(),
                "/dev/null" | "/dev/stdout" | "/dev/stderr"
            )
    }

    /// Tells whether this redirection feeds standard input.
    #[must_use]
    pub fn reads(&self) -> bool {
        matches!(self.operator.as_str(), "<" | "<<" | "<<-" | "<<<")
    }
}

fn is_descriptor(text: &str) -> bool {
    text == "-" || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
}

/// How a command follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Connector {
    /// First of its list.
    #[default]
    Start,
    /// After `&&`.
    And,
    /// After `||`.
    Or,
    /// After `;` or a newline.
    Sequence,
    /// After `|` or `|&`.
    Pipe,
    /// After `&`.
    Background,
}

/// Where a command stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// In the command line itself.
    #[default]
    Top,
    /// In a subshell, group or control structure.
    Group,
    /// In a command or process substitution.
    Substitution,
}

/// A simple command (POSIX.1-2024, XCU 2.9.1).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SimpleCommand {
    /// Assignments in front of the program, or made by a declaration.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments; empty for bare assignments.
    pub words: Vec<Word>,
    /// Redirections in the order written.
    pub redirects: Vec<Redirect>,
    /// How it follows the command before it.
    pub connector: Connector,
    /// Where it stands.
    pub place: Place,
    /// Whether its status is turned round by `!`.
    pub negated: bool,
    /// Whether it stands in a condition, loop, case or function, which may not
    /// run it.
    pub conditional: bool,
    /// Whether nothing waits for it, since `&` follows.
    pub detached: bool,
}

/// A parsed command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// Every simple command in order, those of substitutions first.
    pub commands: Vec<SimpleCommand>,
    /// Literal texts of control structures (`if`, `for`, functions, …), whose
    /// flow the list of commands does not show.
    pub control: Vec<String>,
    /// Literal texts that could not be parsed or lie beyond the bounds.
    pub unparsed: Vec<String>,
}

/// Parses a command line.
///
/// Never fails: what is not understood is in [`Script::unparsed`].
#[must_use]
pub fn parse(source: &str) -> Script {
    if source.len() > MAX_BYTES {
        return Script {
            unparsed: vec![source.to_owned()],
            ..Script::default()
        };
    }
    match tree(source) {
        Some(tree) => walk::script(source, &tree),
        None => Script {
            unparsed: vec![source.to_owned()],
            ..Script::default()
        },
    }
}

/// Returns the text of a node, widened to whole characters: a position in the masked text may lie
/// within one.
fn text_of<'a>(source: &'a str, node: tree_sitter::Node<'_>) -> &'a str {
    let range = node.byte_range();
    &source[source.floor_char_boundary(range.start)..source.ceil_char_boundary(range.end)]
}

/// Parses the text with every byte beyond ASCII replaced by a letter.
///
/// The grammar's scanner asks C's character tables about code points that these do not hold, and
/// crashes the process. The replacement has the same length, so that positions stay true, and for
/// the shell every such character is part of a word.
fn tree(source: &str) -> Option<tree_sitter::Tree> {
    let letters = |byte: u8| if byte.is_ascii() { byte } else { b'x' };
    let masked: Vec<u8> = source.bytes().map(letters).collect();
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .ok()?;
    parser.parse(&masked, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(source: &str) -> Vec<Vec<String>> {
        let words = |c: SimpleCommand| c.words.into_iter().map(|w| w.text).collect();
        parse(source).commands.into_iter().map(words).collect()
    }

    #[test]
    fn characters_beyond_ascii_are_parts_of_words() {
        // The grammar's scanner crashed on characters such as these.
        for text in [
            "\u{1e145}{\u{1fff}",
            "$\u{1e38c}%\u{10cd3}D",
            "a<<\u{1e639} \u{10f3c}",
            "\u{f1}() { x; }",
        ] {
            assert!(
                !parse(text).unparsed.is_empty() || !parse(text).commands.is_empty(),
                "{text}"
            );
        }
        assert_eq!(
            texts("make \u{fc}bung 'gr\u{fc}n'"),
            [["make", "\u{fc}bung", "gr\u{fc}n"]]
        );
    }

    #[test]
    fn quotes_and_continuations_vanish() {
        assert_eq!(texts(r#"npm "run" 'de'ploy"#), [["npm", "run", "deploy"]]);
        assert_eq!(
            texts("npm run \\\n  deploy # later"),
            [["npm", "run", "deploy"]]
        );
        assert_eq!(texts(r"cat a\ b"), [["cat", "a b"]]);
        assert_eq!(texts(r"printf $'a\tb'"), [["printf", "a\tb"]]);
        assert_eq!(texts(r#"echo "a \"b\" \n""#), [["echo", "a \"b\" \\n"]]);
    }

    #[test]
    fn single_quotes_are_static_and_double_quotes_expand() {
        let script = parse(r#"echo '$HOME' "$HOME" $(date)"#);
        assert_eq!(script.commands.len(), 2);
        assert_eq!(script.commands[0].place, Place::Substitution);
        let dynamic: Vec<bool> = script.commands[1].words.iter().map(|w| w.dynamic).collect();
        assert_eq!(dynamic, [false, false, true, true]);
    }

    #[test]
    fn connectors_are_kept() {
        let script = parse("a && b || c; d | e & f\ng");
        let connectors: Vec<Connector> = script.commands.iter().map(|c| c.connector).collect();
        use Connector::{And, Background, Or, Pipe, Sequence, Start};
        assert_eq!(
            connectors,
            [Start, And, Or, Sequence, Pipe, Background, Sequence]
        );
    }

    #[test]
    fn redirections_and_assignments_have_their_place() {
        let script = parse("A=1 B='x y' make all > out.log 2>&1 < in");
        let command = &script.commands[0];
        assert_eq!(command.assignments[1].value.text, "x y");
        let operators: Vec<&str> = command
            .redirects
            .iter()
            .map(|r| r.operator.as_str())
            .collect();
        assert_eq!(operators, [">", ">&", "<"]);
        assert_eq!(command.redirects[1].descriptor.as_deref(), Some("2"));
        assert!(command.redirects[0].writes_file() && !command.redirects[1].writes_file());
    }

    #[test]
    fn a_long_list_is_not_deep() {
        let script = parse(&vec!["a b"; 3000].join(" && "));
        assert_eq!(script.commands.len(), 3000);
        assert!(script.unparsed.is_empty());
        assert!(
            script.commands[1..]
                .iter()
                .all(|c| c.connector == Connector::And)
        );
    }

    #[test]
    fn heredoc_bodies_are_targets() {
        let script = parse("cat <<'EOF' > f.txt\nnpm run deploy\nEOF\nls");
        assert_eq!(script.commands.len(), 2, "{script:?}");
        let body = script.commands[0]
            .redirects
            .iter()
            .find(|r| r.operator == "<<");
        assert_eq!(
            body.map(|r| r.target.text.as_str()),
            Some("npm run deploy\n")
        );
        assert!(
            script.commands[0]
                .redirects
                .iter()
                .any(Redirect::writes_file)
        );
        assert_eq!(script.commands[1].words[0].text, "ls");
    }

    #[test]
    fn heredoc_pipes_keep_the_reader() {
        let script = parse("cat <<EOF | bash\nrm -rf x\nEOF\n");
        let names: Vec<&str> = script
            .commands
            .iter()
            .map(|c| c.words[0].text.as_str())
            .collect();
        assert_eq!(names, ["cat", "bash"]);
        assert_eq!(script.commands[1].connector, Connector::Pipe);
    }

    #[test]
    fn control_structures_keep_their_text() {
        let script = parse("if test -f a; then rm a; fi");
        assert_eq!(script.control, ["if test -f a; then rm a; fi"]);
        assert_eq!(script.commands.len(), 2);
        assert_eq!(script.commands[1].place, Place::Group);
    }

    #[test]
    fn what_is_broken_is_unparsed() {
        assert!(!parse("echo 'open").unparsed.is_empty());
        assert!(!parse(&"a".repeat(MAX_BYTES + 1)).unparsed.is_empty());
        let deep = format!("{}ls{}", "$(".repeat(300), ")".repeat(300));
        assert!(!parse(&format!("echo {deep}")).unparsed.is_empty());
    }

    proptest! {
        #[test]
        fn no_input_panics(source in "[a-z$(){}|&;<>'\"\\\\ \n=`#*-]{0,60}") {
            let _script = parse(&source);
        }

        #[test]
        fn plain_words_come_back(words in proptest::collection::vec("[a-z][a-z0-9_./:-]{0,8}", 1..6)) {
            prop_assume!(!["if", "for", "while", "case", "do", "done", "then", "fi", "esac", "select", "until", "function", "export", "unset", "local", "time", "declare", "readonly", "typeset", "elif", "else", "in", "coproc", "unsetenv"].contains(&words[0].as_str()));
            prop_assert_eq!(texts(&words.join(" ")), [words]);
        }
    }
}
