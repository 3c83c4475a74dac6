//! Typed reading of TOML tables whose errors repeat no value.

use std::borrow::Cow;

use toml::{Table, Value};

use super::error::RuleError;

/// Longest file that is read, in bytes.
pub(crate) const MAX_FILE: usize = 1024 * 1024;

/// Parses a file. A parser's own message may quote the file, so only the line is told.
pub(crate) fn parse(text: &str) -> Result<Table, RuleError> {
    if text.len() > MAX_FILE {
        return Err(RuleError::of_file(
            "longer than 1 MiB; split it into several files",
        ));
    }
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at]
            .iter()
            .filter(|b| **b == b'\n')
            .count()
            + 1;
        RuleError::of_file(format!(
            "not valid TOML at line {line}; check quotes, brackets and doubled keys there"
        ))
    })
}

/// One table of a file, with the name of the rule that it belongs to.
pub(crate) struct Fields<'t> {
    table: &'t Table,
    rule: Option<String>,
}

impl<'t> Fields<'t> {
    pub(crate) fn new(table: &'t Table, rule: Option<&str>) -> Self {
        Self {
            table,
            rule: rule.map(str::to_owned),
        }
    }

    pub(crate) fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    pub(crate) fn error(&self, field: &str, problem: impl Into<Cow<'static, str>>) -> RuleError {
        RuleError::new(self.rule(), field, problem)
    }

    /// Refuses every field that is not named.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), RuleError> {
        self.unknown(known).next().map_or(Ok(()), |field| {
            Err(self.error(field, format!("not a field here; use {}", known.join(", "))))
        })
    }

    /// Returns the fields that are not named.
    pub(crate) fn unknown(&self, known: &[&str]) -> impl Iterator<Item = &'t str> {
        let keys = self.table.keys().map(String::as_str);
        keys.filter(move |key| !known.contains(key))
    }

    pub(crate) fn value(&self, field: &str) -> Option<&'t Value> {
        self.table.get(field)
    }

    pub(crate) fn string(&self, field: &str) -> Result<Option<&'t str>, RuleError> {
        self.read(field, Value::as_str, "give one string")
    }

    pub(crate) fn strings(&self, field: &str) -> Result<Vec<&'t str>, RuleError> {
        let list = |value: &'t Value| value.as_array()?.iter().map(Value::as_str).collect();
        let strings = self.read(field, list, "give a list of strings")?;
        Ok(strings.unwrap_or_default())
    }

    pub(crate) fn flag(&self, field: &str) -> Result<bool, RuleError> {
        let flag = self.read(field, Value::as_bool, "give true or false")?;
        Ok(flag.unwrap_or(false))
    }

    pub(crate) fn integer(&self, field: &str) -> Result<Option<i64>, RuleError> {
        self.read(field, Value::as_integer, "give a whole number")
    }

    /// Reads an entropy in bits per byte; whole numbers count as well.
    pub(crate) fn bits(&self, field: &str) -> Result<Option<f64>, RuleError> {
        let problem = "give bits per byte, from 0 to 8";
        let number = |value: &Value| {
            let whole = || Some(f64::from(i32::try_from(value.as_integer()?).ok()?));
            value.as_float().or_else(whole)
        };
        self.read(field, number, problem)?
            .map(|bits| match bits {
                0.0..=8.0 => Ok(bits),
                _ => Err(self.error(field, problem)),
            })
            .transpose()
    }

    pub(crate) fn table(&self, field: &str) -> Result<Option<&'t Table>, RuleError> {
        self.read(field, Value::as_table, "give one table")
    }

    pub(crate) fn tables(&self, field: &str) -> Result<Vec<&'t Table>, RuleError> {
        let list = |value: &'t Value| value.as_array()?.iter().map(Value::as_table).collect();
        let tables = self.read(field, list, "give a list of tables, [[…]]")?;
        Ok(tables.unwrap_or_default())
    }

    fn read<T>(
        &self,
        field: &str,
        convert: impl FnOnce(&'t Value) -> Option<T>,
        problem: &'static str,
    ) -> Result<Option<T>, RuleError> {
        self.table
            .get(field)
            .map(|value| convert(value).ok_or_else(|| self.error(field, problem)))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_errors_tell_the_line_and_no_value() {
        let error = parse("a = 1\nb = \"tr0ub4dor\nc = 2\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "not valid TOML at line 2; check quotes, brackets and doubled keys there"
        );
    }

    #[test]
    fn long_files_are_refused() {
        let error = parse(&"#".repeat(MAX_FILE + 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "longer than 1 MiB; split it into several files"
        );
        assert!(parse(&"#".repeat(MAX_FILE)).is_ok());
    }

    #[test]
    fn wrong_types_tell_the_field_and_no_value() {
        let table =
            parse("hit = \"tr0ub4dor\"\nbits = 9\n\"a key of a strange form\" = 1").unwrap();
        let fields = Fields::new(&table, Some("acme-token"));
        let message = |error: RuleError| error.to_string();
        assert_eq!(
            fields.strings("hit").map_err(message).unwrap_err(),
            "rule `acme-token`, field `hit`: give a list of strings"
        );
        assert_eq!(
            fields.bits("bits").map_err(message).unwrap_err(),
            "rule `acme-token`, field `bits`: give bits per byte, from 0 to 8"
        );
        assert_eq!(
            fields.only(&["hit", "bits"]).map_err(message).unwrap_err(),
            "rule `acme-token`, field `(unprintable)`: not a field here; use hit, bits"
        );
    }
}
