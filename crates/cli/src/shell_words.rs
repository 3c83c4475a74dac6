//! Writing an argument list as the shell command that it is.

/// Joins arguments into a command that a POSIX shell splits into the same arguments.
pub fn join(arguments: &[String]) -> String {
    arguments
        .iter()
        .map(|argument| quote(argument))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Quotes an argument where the shell would take it apart or expand it.
fn quote(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_gets_them() {
        let join = |words: &[&str]| {
            join(
                &words
                    .iter()
                    .map(|word| (*word).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(join(&["npm", "run", "deploy"]), "npm run deploy");
        assert_eq!(
            join(&["echo", "a b", "it's", ""]),
            r"echo 'a b' 'it'\''s' ''"
        );
    }
}
