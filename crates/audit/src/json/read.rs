//! Reads canonical JSON and nothing else: any other spelling of the same value is refused.

use serde_json::{Map, Value};

use super::{JsonFault, MAX_DEPTH, MAX_INTEGER, is_member_name};

/// Parses bytes that must already be in canonical form.
///
/// For every accepted input, [`super::canonical`] of the result gives the input back.
///
/// # Errors
/// Names the first deviation from the canonical form.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonFault> {
    let mut reader = Reader::new(bytes)?;
    let value = reader.value(0)?;
    reader.end()?;
    Ok(value)
}

/// A cursor over canonical bytes.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte; refuses bytes that are not UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        let text = std::str::from_utf8(bytes).map_err(|_| JsonFault::NotUtf8)?;
        Ok(Self { text, at: 0 })
    }

    /// The current byte offset.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Looks at the next byte without consuming it.
    pub(crate) fn peek(&self) -> Result<u8, JsonFault> {
        self.text
            .as_bytes()
            .get(self.at)
            .copied()
            .ok_or(JsonFault::Truncated)
    }

    /// Consumes one byte that must be `byte`.
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), JsonFault> {
        if self.peek()? != byte {
            return Err(JsonFault::UnexpectedByte(self.at));
        }
        self.at += 1;
        Ok(())
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), JsonFault> {
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(JsonFault::TrailingBytes(self.at))
        }
    }

    fn take(&mut self) -> Result<u8, JsonFault> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn word(&mut self, word: &str) -> Result<(), JsonFault> {
        word.bytes().try_for_each(|byte| self.expect(byte))
    }

    /// Consumes `null` when it is next and says whether it was.
    pub(crate) fn null(&mut self) -> Result<bool, JsonFault> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.word("null")?;
        Ok(true)
    }

    /// Reads any value standing at nesting level `depth`.
    pub(crate) fn value(&mut self, depth: usize) -> Result<Value, JsonFault> {
        match self.peek()? {
            b'n' => self.word("null").map(|()| Value::Null),
            b't' => self.word("true").map(|()| Value::Bool(true)),
            b'f' => self.word("false").map(|()| Value::Bool(false)),
            b'"' => self.string().map(Value::String),
            b'[' => self.array(depth).map(Value::Array),
            b'{' => self.object(depth).map(Value::Object),
            _ => self.integer().map(Value::from),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Value>, JsonFault> {
        if depth >= MAX_DEPTH {
            return Err(JsonFault::Depth);
        }
        self.expect(b'[')?;
        let mut items = Vec::new();
        if self.peek()? == b']' {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            if !self.more(b']')? {
                return Ok(items);
            }
        }
    }

    /// Reads an object whose names ascend strictly.
    pub(crate) fn object(&mut self, depth: usize) -> Result<Map<String, Value>, JsonFault> {
        if depth >= MAX_DEPTH {
            return Err(JsonFault::Depth);
        }
        self.expect(b'{')?;
        let mut members = Map::new();
        if self.peek()? == b'}' {
            self.at += 1;
            return Ok(members);
        }
        let mut last: Option<String> = None;
        loop {
            let at = self.at;
            let name = self.member_name()?;
            match last.as_deref() {
                Some(_) if members.contains_key(&name) => {
                    return Err(JsonFault::DuplicateMember(at));
                }
                Some(previous) if *previous >= *name => return Err(JsonFault::MemberOrder(at)),
                _ => {}
            }
            let value = self.value(depth + 1)?;
            last = Some(name.clone());
            members.insert(name, value);
            if !self.more(b'}')? {
                return Ok(members);
            }
        }
    }

    /// Reads a member name and the colon behind it.
    pub(crate) fn member_name(&mut self) -> Result<String, JsonFault> {
        let name = self.string()?;
        if !is_member_name(&name) {
            return Err(JsonFault::MemberName);
        }
        self.expect(b':')?;
        Ok(name)
    }

    /// Reads a comma (true) or `close` (false).
    pub(crate) fn more(&mut self, close: u8) -> Result<bool, JsonFault> {
        let at = self.at;
        match self.take()? {
            b',' => Ok(true),
            byte if byte == close => Ok(false),
            _ => Err(JsonFault::UnexpectedByte(at)),
        }
    }

    /// Reads an integer within ±(2^53 − 1).
    pub(crate) fn integer(&mut self) -> Result<i64, JsonFault> {
        let start = self.at;
        let negative = self.peek()? == b'-';
        if negative {
            self.at += 1;
        }
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.not_a_digit());
        }
        let digits = &self.text[self.at..self.at + count];
        self.at += count;
        if matches!(self.text.as_bytes().get(self.at), Some(b'.' | b'e' | b'E')) {
            return Err(JsonFault::Float);
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(JsonFault::LeadingZero(start));
        }
        if negative && digits == "0" {
            return Err(JsonFault::Float);
        }
        let magnitude: i64 = digits.parse().map_err(|_| JsonFault::IntegerRange)?;
        if magnitude.unsigned_abs() > MAX_INTEGER {
            return Err(JsonFault::IntegerRange);
        }
        Ok(if negative { -magnitude } else { magnitude })
    }

    fn not_a_digit(&self) -> JsonFault {
        if self.at == self.text.len() {
            JsonFault::Truncated
        } else {
            JsonFault::UnexpectedByte(self.at)
        }
    }

    /// Reads a string in its one canonical spelling.
    pub(crate) fn string(&mut self) -> Result<String, JsonFault> {
        self.expect(b'"')?;
        let mut text = String::new();
        let mut start = self.at;
        loop {
            let at = self.at;
            match self.take()? {
                b'"' => {
                    text.push_str(&self.text[start..at]);
                    return Ok(text);
                }
                b'\\' => {
                    text.push_str(&self.text[start..at]);
                    text.push(self.escape(at)?);
                    start = self.at;
                }
                0x00..=0x1f => return Err(JsonFault::ControlCharacter(at)),
                _ => {}
            }
        }
    }

    /// Reads what follows a backslash at offset `at`.
    fn escape(&mut self, at: usize) -> Result<char, JsonFault> {
        match self.take()? {
            b'"' => Ok('"'),
            b'\\' => Ok('\\'),
            b'b' => Ok('\u{8}'),
            b't' => Ok('\t'),
            b'n' => Ok('\n'),
            b'f' => Ok('\u{c}'),
            b'r' => Ok('\r'),
            b'u' => self.unicode_escape(at),
            _ => Err(JsonFault::Escape(at)),
        }
    }

    /// Reads `XXXX` of `\uXXXX`: only control characters without a short form are canonical.
    fn unicode_escape(&mut self, at: usize) -> Result<char, JsonFault> {
        let (unit, lowercase) = self.code_unit(at)?;
        match unit {
            0xd800..=0xdbff if !self.low_surrogate_follows() => Err(JsonFault::LoneSurrogate(at)),
            0xdc00..=0xdfff => Err(JsonFault::LoneSurrogate(at)),
            0x08 | 0x09 | 0x0a | 0x0c | 0x0d => Err(JsonFault::Escape(at)),
            0x00..=0x1f if lowercase => {
                char::from_u32(u32::from(unit)).ok_or(JsonFault::Escape(at))
            }
            _ => Err(JsonFault::Escape(at)),
        }
    }

    fn code_unit(&mut self, at: usize) -> Result<(u16, bool), JsonFault> {
        let mut unit = 0_u16;
        let mut lowercase = true;
        for _ in 0..4 {
            let digit = self.take()?;
            lowercase &= !digit.is_ascii_uppercase();
            let value = char::from(digit)
                .to_digit(16)
                .and_then(|value| u16::try_from(value).ok());
            unit = (unit << 4) | value.ok_or(JsonFault::Escape(at))?;
        }
        Ok((unit, lowercase))
    }

    /// Tells whether a `\uDC00..DFFF` escape comes next, which makes a well-formed pair.
    fn low_surrogate_follows(&self) -> bool {
        let next = self.text.as_bytes().get(self.at..self.at + 6);
        matches!(
            next,
            Some([b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', x, y])
                if x.is_ascii_hexdigit() && y.is_ascii_hexdigit()
        )
    }
}
