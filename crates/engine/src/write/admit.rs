//! From what the caller said to what may be stored: checked, redacted, normalised.

use std::collections::BTreeMap;

use precedent_core::{
    Claim, CleanText, Digest, Memory, MemoryId, Name, Principal, Redactor, State, Timestamp, Trust,
    clean_pair, mask_json, normalise,
};

use crate::{ClaimDraft, Engine, InputFault, RememberItem};

/// Redacts what one item says, and remembers whether anything had to be masked.
struct Washer<'a> {
    redactor: &'a Redactor,
    masked: bool,
    /// Values that are secret by their names.
    secrets: Vec<&'a str>,
}

/// Fewest bytes of a secret that is looked for in the text; shorter ones are parts of words.
const SECRET_BYTES: usize = 4;

impl<'a> Washer<'a> {
    fn clean(&mut self, text: &str) -> CleanText {
        let clean = self.redactor.clean(text);
        self.masked |= *clean != *text;
        clean
    }

    /// Redacts a content, by its structure if it has one, and the secrets that were found beside
    /// it.
    fn content(&mut self, text: &str) -> CleanText {
        let mut bare = mask_json(text, self.redactor).into_owned();
        for secret in &self.secrets {
            bare = bare.replace(secret, "[REDACTED]");
        }
        let clean = self.redactor.clean(&bare);
        self.masked |= *clean != *text;
        clean
    }

    /// Redacts a value by its name too: under a name of a secret it is one.
    fn pair(&mut self, name: &str, value: &'a str) -> (CleanText, CleanText) {
        let pair = clean_pair(name, value, self.redactor);
        self.masked |= *pair.0 != *name || *pair.1 != *value;
        if value.len() >= SECRET_BYTES && !pair.1.contains(value) {
            self.secrets.push(value);
        }
        pair
    }

    fn claim(&mut self, draft: &'a ClaimDraft, by: &Principal) -> Result<Claim, InputFault> {
        let subject = draft.subject.as_deref().unwrap_or(by.actor.as_str());
        let key = draft.key.trim();
        let value = draft.value.as_deref().map(str::trim);
        let claim = Claim {
            subject: self.clean(subject.trim()),
            key: self.clean(key),
            value: value.map(|value| self.pair(key, value).1),
        };
        if claim.subject.is_empty() || claim.key.is_empty() {
            return Err(InputFault::EmptyClaim);
        }
        Ok(claim)
    }
}

impl Engine {
    /// Checks an item and makes a memory of it, with the names that it is said to be about,
    /// everything redacted.
    pub(super) fn admit(
        &self,
        item: &RememberItem,
        by: &Principal,
        now: Timestamp,
    ) -> Result<(Memory, Vec<CleanText>), InputFault> {
        self.check(item, now)?;
        let mut washer = Washer {
            redactor: &self.redactor,
            masked: false,
            secrets: Vec::new(),
        };
        let context = item.context.iter();
        let context = context.map(|(name, value)| washer.pair(name, value));
        let context: BTreeMap<CleanText, CleanText> = context.collect();
        let tags = item.tags.iter().map(|tag| washer.clean(tag)).collect();
        let claim = item.claim.as_ref().map(|claim| washer.claim(claim, by));
        let claim = claim.transpose()?;
        let text = washer.content(&item.text);
        let names = item.entities.iter().map(|name| washer.clean(name.trim()));
        let names = names.collect();
        let classification = if washer.masked {
            item.classification.max(self.policy.after_redaction)
        } else {
            item.classification
        };
        let fresh = || MemoryId::from_bytes(self.fresh_id(now));
        let id = item.record.map_or_else(fresh, |record| record.id);
        let (namespace, agent, actor) = (by.namespace.clone(), by.agent.clone(), by.actor.clone());
        let memory = Memory {
            kind: item.kind,
            private: item.private,
            readers: self.readers(item, by)?,
            classification,
            claim,
            derived_from: sorted(item.derived_from.clone()),
            tags: sorted(tags),
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
        };
        Ok((memory, names))
    }

    /// Returns the access list of an item. Who writes has to be on it: otherwise repeats and
    /// replacements would tell the writer what others have.
    fn readers(&self, item: &RememberItem, by: &Principal) -> Result<Vec<Name>, InputFault> {
        let names = item
            .readers
            .iter()
            .map(|reader| Ok(Name::parse(self.redactor.clean(reader))?));
        let readers = sorted(names.collect::<Result<Vec<_>, InputFault>>()?);
        if by.scope().is_listed(&readers) {
            Ok(readers)
        } else {
            Err(InputFault::Unlisted)
        }
    }

    fn check(&self, item: &RememberItem, now: Timestamp) -> Result<(), InputFault> {
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
            .chain(item.readers.iter().map(|name| ("reader", name)))
            .chain(item.context.keys().map(|name| ("context name", name)))
            .chain(item.context.values().map(|value| ("context value", value)));
        for (what, field) in fields {
            check_field(what, field, limits.field_bytes)?;
        }
        no_nul("text", &item.text)?;
        if item.untrusted && item.trust == Trust::User {
            return Err(InputFault::Contrary);
        }
        let from = item.valid_from.unwrap_or(now);
        match item.valid_to {
            // What was replaced at once never held; that is for an export to say.
            Some(to) if to <= from && item.record.is_none() => Err(InputFault::EmptyValidity),
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
    /// it and as whatever; a sentence is the same with and without its full stop.
    pub(super) fn echo_digest(&self, text: &str) -> Digest {
        let text = normalise(text);
        let text = text.trim_end_matches(['.', '!', '。', ' ']);
        self.digest("precedent/echo/v1", &[text.as_bytes()])
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
