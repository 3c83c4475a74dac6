//! The names of what can be found.

use std::collections::HashSet;
use std::fmt;
use std::sync::{OnceLock, PoisonError, RwLock};

use serde::Serialize;

use crate::scan::vendor_shapes::SHAPES;

/// Names a kind of secret or personal data, as it appears in a marker.
///
/// The name consists of `[a-z0-9_]` and has 2 to 40 characters. Only names of the catalogue
/// and of loaded rules exist, so a marker with any other name is ordinary text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Class(&'static str);

impl Class {
    /// Returns the name as used in markers and reports.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Returns the catalogue's class of this name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        let general = GENERAL.iter().find(|class| class.0 == name).copied();
        let vendor = || {
            let mut classes = SHAPES.iter().map(|shape| shape.class);
            classes.find(|class| class.0 == name)
        };
        general.or_else(vendor).or_else(|| {
            let names = interned().read().unwrap_or_else(PoisonError::into_inner);
            names.get(name).copied().map(Self)
        })
    }

    /// Makes the class of a user's rule. Its name is kept for the life of the process, once, so
    /// that markers with it are recognised.
    pub(crate) fn intern(name: &str) -> Self {
        if let Some(class) = Self::parse(name) {
            return class;
        }
        let mut names = interned().write().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(name) {
            return Self(name);
        }
        let name: &'static str = Box::leak(name.into());
        names.insert(name);
        Self(name)
    }

    /// Makes the class of a vendor's token; only the table of shapes calls this.
    pub(crate) const fn vendor(name: &'static str) -> Self {
        Self(name)
    }
}

fn interned() -> &'static RwLock<HashSet<&'static str>> {
    static NAMES: OnceLock<RwLock<HashSet<&'static str>>> = OnceLock::new();
    NAMES.get_or_init(RwLock::default)
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

pub(crate) const PRIVATE_KEY: Class = Class("private_key_block");
pub(crate) const URL_CREDENTIALS: Class = Class("url_credentials");
pub(crate) const WEBHOOK: Class = Class("webhook_url");
pub(crate) const BEARER: Class = Class("generic_bearer");
pub(crate) const BASIC: Class = Class("basic_auth");
pub(crate) const COOKIE: Class = Class("session_cookie");
pub(crate) const SIGNATURE: Class = Class("signed_url_signature");
pub(crate) const PASSWORD: Class = Class("password_assignment");
pub(crate) const HASH: Class = Class("password_hash");
pub(crate) const RECOVERY: Class = Class("recovery_code");
pub(crate) const CARD: Class = Class("credit_card");
pub(crate) const CVV: Class = Class("cvv");
pub(crate) const IBAN: Class = Class("iban");
pub(crate) const SSN: Class = Class("us_ssn");
pub(crate) const SIN: Class = Class("ca_sin");
pub(crate) const NATIONAL_ID: Class = Class("national_id");
pub(crate) const EMAIL: Class = Class("email_address");
pub(crate) const PHONE: Class = Class("phone_number");
pub(crate) const IP_ADDRESS: Class = Class("ip_address");
pub(crate) const DATE_OF_BIRTH: Class = Class("date_of_birth");
pub(crate) const POSTAL_ADDRESS: Class = Class("postal_address");
pub(crate) const WALLET: Class = Class("wallet_key");
pub(crate) const VENDOR_TOKEN: Class = Class("vendor_token");
pub(crate) const LITERAL: Class = Class("registered_literal");
pub(crate) const ENCODED: Class = Class("encoded_secret");
pub(crate) const ENTROPY: Class = Class("high_entropy_secret");

/// Every class that is not a vendor's token.
const GENERAL: &[Class] = &[
    PRIVATE_KEY,
    URL_CREDENTIALS,
    WEBHOOK,
    BEARER,
    BASIC,
    COOKIE,
    SIGNATURE,
    PASSWORD,
    HASH,
    RECOVERY,
    CARD,
    CVV,
    IBAN,
    SSN,
    SIN,
    NATIONAL_ID,
    EMAIL,
    PHONE,
    IP_ADDRESS,
    DATE_OF_BIRTH,
    POSTAL_ADDRESS,
    WALLET,
    ENCODED,
    LITERAL,
    VENDOR_TOKEN,
    ENTROPY,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_well_formed_and_parse_back() {
        let vendor = SHAPES.iter().map(|shape| shape.class);
        for class in GENERAL.iter().copied().chain(vendor) {
            let name = class.as_str();
            assert!((2..=40).contains(&name.len()), "{name}");
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            assert!(name.bytes().all(plain), "{name}");
            assert_eq!(Class::parse(name), Some(class));
        }
        assert_eq!(Class::parse("nothing_of_ours"), None);
    }
}
