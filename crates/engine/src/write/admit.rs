//! From what the caller said to what may be stored: checked, redacted, normalised.

use std::collections::BTreeMap;

use precedent_core::{
    Claim, Classification, CleanText, Digest, Memory, MemoryId, Name, Principal, State, Timestamp,
    clean_pair, mask_json, normalise,
};

use crate::{Engine, InputFault, RememberItem};

impl Engine {
    /// Checks an item and makes a memory of it, everything redacted.
    pub(super) fn admit(
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
        let text = self.redactor.clean(&mask_json(&item.text, &self.redactor));
        let fresh = || MemoryId::from_bytes(self.fresh_id(now));
        let id = item.record.map_or_else(fresh, |record| record.id);
        let (namespace, agent, actor) = (by.namespace.clone(), by.agent.clone(), by.actor.clone());
        Ok(Memory {
            kind: item.kind,
            private: item.private,
            readers: self.readers(item)?,
            classification: self.classify(item, &text),
            claim: self.claim(item, by)?,
            derived_from: sorted(item.derived_from.clone()),
            tags: sorted(item.tags.iter().map(clean).collect()),
            source: item.source,
            trust: item.trust,
            context,
            salience: item.salience,
            valid_from: Some(item.valid_from.unwrap_or(now)),
            valid_to: item.valid_to,
            recorded_at: now,
            state: match item.record {
                _ if item.untrusted => State::Quarantined,
                Some(record) => record.state,
                None => State::Active,
            },
            supersedes: item.supersedes,
            superseded_by: item.record.and_then(|record| record.superseded_by),
            ..Memory::new(id, namespace, agent, actor, text)
        })
    }

    /// Classifies what was said: at least as the caller did, higher where something was masked.
    fn classify(&self, item: &RememberItem, text: &CleanText) -> Classification {
        if **text == *item.text {
            item.classification
        } else {
            item.classification.max(self.policy.after_redaction)
        }
    }

    fn readers(&self, item: &RememberItem) -> Result<Vec<Name>, InputFault> {
        let names = item
            .readers
            .iter()
            .map(|reader| Ok(Name::parse(self.redactor.clean(reader))?));
        names.collect::<Result<_, InputFault>>().map(sorted)
    }

    fn claim(&self, item: &RememberItem, by: &Principal) -> Result<Option<Claim>, InputFault> {
        let Some(draft) = &item.claim else {
            return Ok(None);
        };
        let clean = |text: &str| self.redactor.clean(text.trim());
        let subject = draft.subject.as_deref().unwrap_or(by.actor.as_str());
        // A value under a key that names a secret is one, whatever it looks like.
        let value = draft.value.as_deref();
        let value = value.map(|value| clean_pair(&draft.key, value, &self.redactor).1);
        let claim = Claim {
            subject: clean(subject),
            key: clean(&draft.key),
            value,
        };
        if claim.subject.is_empty() || claim.key.is_empty() {
            return Err(InputFault::EmptyClaim);
        }
        Ok(Some(claim))
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
        at_most("entities", item.entities.len(), limits.entities)?;
        at_most("readers", item.readers.len(), limits.readers)?;
        at_most("sources", item.derived_from.len(), limits.sources)?;
        let claim = item.claim.iter().flat_map(|claim| {
            let subject = claim.subject.iter().map(|subject| ("subject", subject));
            let value = claim.value.iter().map(|value| ("value", value));
            subject.chain([("key", &claim.key)]).chain(value)
        });
        let fields = (item.tags.iter().map(|tag| ("tag", tag)))
            .chain(claim)
            .chain(item.entities.iter().map(|name| ("entity", name)))
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
    pub(super) fn content_digest(&self, memory: &Memory) -> Digest {
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
        let Some(claim) = &memory.claim else {
            return self.digest("precedent/content/v1", &parts);
        };
        let value = claim.value.as_deref().map(normalise).unwrap_or_default();
        let topic = claim.topic();
        let stated: [&[u8]; 2] = [topic.as_str().as_bytes(), value.as_bytes()];
        let parts = [&parts[..], &stated[..]].concat();
        self.digest("precedent/content/v2", &parts)
    }

    /// Returns the keyed digest under which a text is recognised when it comes back, whoever says
    /// it and as whatever.
    pub(super) fn echo_digest(&self, text: &str) -> Digest {
        self.digest("precedent/echo/v1", &[normalise(text).as_bytes()])
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
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
