//! The oracle's index: chunks as documents of tantivy, one segment a partition.
//!
//! The documented rule for inflected forms (a tenth of the weight, in documents whose length counts
//! words) becomes two fields. `stem` holds one token a word, so that its length is the number of
//! words. `inflected` holds the inflected forms, and is filled up to the same length with a token
//! that nobody asks for; a query on it is boosted by 0.1.

use std::collections::BTreeMap;

use precedent_core::analyze::{self, Chunk};
use precedent_core::{Memory, MemoryId, lexical_text};
use tantivy::indexer::NoMergePolicy;
use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{Index, IndexWriter, Searcher, TantivyDocument, Term};

/// What an inflected form weighs beside its stem.
const INFLECTED_WEIGHT: f32 = 0.1;
/// Begins a term that is an inflected form.
const INFLECTED: char = '=';
/// Fills the field of inflected forms; the analyser makes no such term.
const FILLER: &str = "\u{0}";

/// An index of the chunks of some memories.
pub struct Oracle {
    searcher: Searcher,
    fields: Fields,
    ids: Vec<MemoryId>,
}

#[derive(Clone, Copy)]
struct Fields {
    stem: Field,
    inflected: Field,
    memory: Field,
}

impl Oracle {
    /// Indexes the memories, those of each partition as a segment of its own.
    pub fn new<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> Self {
        let mut partitions: BTreeMap<_, Vec<&Memory>> = BTreeMap::new();
        for memory in memories {
            let owner = memory.owner().map(|owner| owner.as_str());
            let partition = (memory.kind, memory.namespace.as_str(), owner);
            partitions.entry(partition).or_default().push(memory);
        }
        let partitions: Vec<_> = partitions.into_values().collect();
        Self::build(&partitions).expect("an index in memory can be written")
    }

    fn build(partitions: &[Vec<&Memory>]) -> tantivy::Result<Self> {
        let (schema, fields) = schema();
        let index = Index::create_in_ram(schema);
        // One thread, so that the documents of a commit are one segment.
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut ids = Vec::new();
        for memories in partitions {
            for memory in memories {
                for chunk in analyze::document(&lexical_text(memory)) {
                    writer.add_document(fields.document(ids.len() as u64, &chunk))?;
                }
                ids.push(memory.id);
            }
            writer.commit()?;
        }
        let searcher = index.reader()?.searcher();
        assert_eq!(searcher.segment_readers().len(), partitions.len());
        Ok(Self {
            searcher,
            fields,
            ids,
        })
    }

    /// Scores every memory that has a term of the query: that of its best chunk.
    pub fn scores(&self, terms: &[String]) -> BTreeMap<MemoryId, f32> {
        self.search(terms).expect("an index in memory can be read")
    }

    fn search(&self, terms: &[String]) -> tantivy::Result<BTreeMap<MemoryId, f32>> {
        let clauses = terms.iter().map(|term| self.fields.query(term)).collect();
        let query = BooleanQuery::union(clauses);
        let weight = query.weight(EnableScoring::enabled_from_searcher(&self.searcher))?;
        let mut scores = BTreeMap::new();
        for segment in self.searcher.segment_readers() {
            let memories = segment.fast_fields().u64("memory")?;
            weight.for_each(segment, &mut |document, score| {
                let number = memories
                    .first(document)
                    .expect("every document has a number");
                let number = usize::try_from(number).expect("numbers are those of a list");
                let best = scores.entry(self.ids[number]).or_insert(score);
                *best = best.max(score);
            })?;
        }
        Ok(scores)
    }
}

impl Fields {
    fn document(&self, memory: u64, chunk: &Chunk) -> TantivyDocument {
        let (inflected, stems): (Vec<_>, Vec<_>) = chunk
            .terms
            .iter()
            .flat_map(|(term, count)| std::iter::repeat_n(term.as_str(), *count as usize))
            .partition(|term| term.starts_with(INFLECTED));
        let filler = stems.len() - inflected.len();
        let inflected = inflected
            .into_iter()
            .chain(std::iter::repeat_n(FILLER, filler));
        let mut document = TantivyDocument::default();
        document.add_u64(self.memory, memory);
        document.add_pre_tokenized_text(self.inflected, tokens(inflected));
        document.add_pre_tokenized_text(self.stem, tokens(stems));
        document
    }

    fn query(&self, term: &str) -> Box<dyn Query> {
        let query = |field| {
            let term = Term::from_field_text(field, term);
            Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
        };
        if term.starts_with(INFLECTED) {
            Box::new(BoostQuery::new(query(self.inflected), INFLECTED_WEIGHT))
        } else {
            query(self.stem)
        }
    }
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(true);
    let text = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        stem: schema.add_text_field("stem", text.clone()),
        inflected: schema.add_text_field("inflected", text),
        memory: schema.add_u64_field("memory", FAST),
    };
    (schema.build(), fields)
}

fn tokens<'a>(terms: impl IntoIterator<Item = &'a str>) -> PreTokenizedString {
    let token = |(position, term): (usize, &str)| Token {
        position,
        text: term.to_owned(),
        ..Token::default()
    };
    PreTokenizedString {
        text: String::new(),
        tokens: terms.into_iter().enumerate().map(token).collect(),
    }
}
