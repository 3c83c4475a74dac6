//! Canonical JSON (RFC 8785) over the subset that the log admits: no floats, integers within
//! ±(2^53 − 1), member names in `[a-z0-9_]`.
//!
//! The subset makes every implementation agree: byte order of names equals UTF-16 order, and no
//! number can be rounded. Values outside it are refused before anything is hashed.

mod read;
mod write;

pub(crate) use read::Reader;
pub use read::parse;
pub use write::canonical;
pub(crate) use write::{write_integer, write_object, write_string};

/// Largest magnitude that every JSON reader represents exactly (RFC 7493 section 2.2).
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Deepest nesting admitted; bounds the recursion of reader and writer.
pub const MAX_DEPTH: usize = 32;

/// Says why bytes or a value are not canonical JSON of the admitted subset.
///
/// Positions are byte offsets; no variant carries content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// The bytes are not UTF-8.
    #[error("not utf-8: store the canonical bytes unchanged")]
    NotUtf8,
    /// The bytes end inside a value.
    #[error("ends early: restore the complete entry")]
    Truncated,
    /// A byte that JSON or the canonical form does not allow here, white space included.
    #[error("unexpected byte at offset {0}: write the canonical form without white space")]
    UnexpectedByte(usize),
    /// Bytes follow the value.
    #[error("trailing bytes at offset {0}: keep one value only")]
    TrailingBytes(usize),
    /// A float, an exponent or a negative zero.
    #[error("float refused: carry the number as a string or a scaled integer")]
    Float,
    /// An integer beyond ±(2^53 − 1).
    #[error("integer beyond 2^53-1 refused: carry the number as a string")]
    IntegerRange,
    /// An integer with leading zeros.
    #[error("integer with a leading zero at offset {0}: write it without")]
    LeadingZero(usize),
    /// An escape that RFC 8785 writes in another way.
    #[error("non-canonical escape at offset {0}: write the character as rfc 8785 does")]
    Escape(usize),
    /// A `\u` escape of a surrogate without its partner.
    #[error("lone surrogate at offset {0}: strings hold unicode scalar values only")]
    LoneSurrogate(usize),
    /// A control character that is not escaped.
    #[error("raw control character at offset {0}: escape it")]
    ControlCharacter(usize),
    /// A member name outside `[a-z0-9_]`, or an empty one.
    #[error("member name outside [a-z0-9_]: rename the member")]
    MemberName,
    /// A member name that occurs twice in one object.
    #[error("duplicate member at offset {0}: keep one")]
    DuplicateMember(usize),
    /// Member names that are not in ascending order.
    #[error("members out of order at offset {0}: sort them")]
    MemberOrder(usize),
    /// Nesting beyond [`MAX_DEPTH`].
    #[error("nesting deeper than 32 levels: flatten the value")]
    Depth,
}

/// Tells whether a member name is one that the log admits.
pub(crate) fn is_member_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
pub(crate) mod tests;
