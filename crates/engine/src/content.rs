//! From what the caller said to what may be stored: checked, redacted, normalised.

use std::collections::BTreeMap;

use precedent_core::{
    CleanText, Digest, Memory, MemoryId, Principal, State, Timestamp, clean_pair, mask_json,
};
use unicode_normalization::UnicodeNormalization;

use crate::{Engine, InputFault, RememberItem};

/// The text under which two contents count as the same: NFKC, lower case, single spaces.
pub(crate) fn normalise(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Engine {
    /// Checks an item and makes a memory of it, everything redacted.
    pub(crate) fn admit(
        &self,
        item: &RememberItem,
        by: &Principal,
        now: Timestamp,
    ) -> Result<Memory, InputFault> {
        self.check(item)?;
        let clean = |text: &String| self.redactor.clean(text);
        let context: BTreeMap<CleanText, CleanText> = item
            .context
            .iter()
            .map(|(name, value)| clean_pair(name, value, &self.redactor))
            .collect();
        let mut tags: Vec<CleanText> = item.tags.iter().map(clean).collect();
        tags.sort();
        tags.dedup();
        Ok(Memory {
            id: MemoryId::from_bytes(self.fresh_id(now)),
            kind: item.kind,
            namespace: by.namespace.clone(),
            agent: by.agent.clone(),
            actor: by.actor.clone(),
            private: item.private,
            text: self.redactor.clean(&mask_json(&item.text, &self.redactor)),
            tags,
            source: item.source,
            trust: item.trust,
            context,
            salience: item.salience,
            valid_from: Some(item.valid_from.unwrap_or(now)),
            valid_to: item.valid_to,
            recorded_at: now,
            retired_at: None,
            state: State::Active,
            supersedes: item.supersedes,
            superseded_by: None,
            version: 1,
        })
    }

    fn check(&self, item: &RememberItem) -> Result<(), InputFault> {
        let limits = &self.limits;
        if item.text.trim().is_empty() {
            return Err(InputFault::EmptyText);
        }
        if item.text.len() > limits.text_bytes {
            let bytes = item.text.len();
            return Err(InputFault::TextTooLong {
                bytes,
                limit: limits.text_bytes,
            });
        }
        at_most("tags", item.tags.len(), limits.tags)?;
        at_most("context entries", item.context.len(), limits.context)?;
        let fields = (item.tags.iter().map(|tag| ("tag", tag)))
            .chain(item.context.keys().map(|name| ("context name", name)))
            .chain(item.context.values().map(|value| ("context value", value)));
        for (what, field) in fields {
            check_field(what, field, limits.field_bytes)?;
        }
        no_nul("text", &item.text)?;
        match (item.valid_from, item.valid_to) {
            (Some(from), Some(to)) if to <= from => Err(InputFault::EmptyValidity),
            _ => Ok(()),
        }
    }

    /// Returns the keyed digest under which an exact repeat is found: what was said, of what kind
    /// and with what standing; who said it is the namespace's and the owner's matter.
    pub(crate) fn content_digest(&self, memory: &Memory) -> Digest {
        let text = normalise(&memory.text);
        let tags: Vec<&str> = memory.tags.iter().map(|tag| &**tag).collect();
        let tags = tags.join("\0");
        let parts: [&[u8]; 5] = [
            memory.kind.as_str().as_bytes(),
            memory.source.as_str().as_bytes(),
            memory.trust.as_str().as_bytes(),
            text.as_bytes(),
            tags.as_bytes(),
        ];
        self.digest("precedent/content/v1", &parts)
    }
}

fn at_most(what: &'static str, count: usize, limit: usize) -> Result<(), InputFault> {
    if count > limit {
        Err(InputFault::TooMany { what, count, limit })
    } else {
        Ok(())
    }
}

fn check_field(what: &'static str, field: &str, limit: usize) -> Result<(), InputFault> {
    no_nul(what, field)?;
    if field.len() > limit {
        return Err(InputFault::FieldTooLong {
            what,
            bytes: field.len(),
            limit,
        });
    }
    Ok(())
}

fn no_nul(what: &'static str, text: &str) -> Result<(), InputFault> {
    if text.contains('\0') {
        Err(InputFault::NulByte(what))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn contents_that_differ_in_form_only_are_the_same() {
        assert_eq!(normalise("  Deploy\n on\u{a0}FRIDAY "), "deploy on friday");
        assert_eq!(normalise("\u{ff24}eploy"), normalise("deploy"));
        assert_ne!(normalise("deploy on friday"), normalise("deploy on monday"));
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
