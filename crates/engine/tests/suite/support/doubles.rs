//! Providers that count their calls and answer as they are told.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use precedent_core::{
    CleanText, Digest, EmbedError, EmbedKind, Embedder, EmbeddingSpace, Redactor,
};
use precedent_engine::{Extracted, ReasonError, Reasoner, Stage, StageHook};

pub fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        fingerprint: Digest::from_bytes([3; 32]),
        model: Redactor::new().clean("double"),
        dimension: 2,
        floor: 0.5,
    }
}

/// The vectors for so many texts.
pub type Answers = fn(usize) -> Vec<Result<Vec<f32>, EmbedError>>;

/// Answers as its function says, and counts the calls and the texts.
pub struct Vectors {
    pub space: EmbeddingSpace,
    pub remote: bool,
    pub calls: AtomicUsize,
    pub texts: AtomicUsize,
    pub answer: Answers,
}

impl Vectors {
    pub fn new(answer: Answers) -> Self {
        Self {
            space: space(),
            remote: false,
            calls: AtomicUsize::new(0),
            texts: AtomicUsize::new(0),
            answer,
        }
    }

    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// One unit vector for each text.
pub fn flat(count: usize) -> Vec<Result<Vec<f32>, EmbedError>> {
    vec![Ok(vec![0.6, 0.8]); count]
}

#[async_trait]
impl Embedder for Vectors {
    fn space(&self) -> &EmbeddingSpace {
        &self.space
    }

    fn leaves_the_process(&self) -> bool {
        self.remote
    }

    async fn embed(
        &self,
        _kind: EmbedKind,
        texts: &[&CleanText],
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        (self.answer)(texts.len())
    }
}

type Answer<T> = Mutex<Result<T, ReasonError>>;

/// Answers what it was told, and counts the calls.
pub struct Model {
    pub facts: Answer<Vec<String>>,
    pub verdicts: Answer<Vec<Option<bool>>>,
    /// One answer after the other; then none.
    pub same: Mutex<Vec<Result<Option<usize>, ReasonError>>>,
    pub extractions: AtomicUsize,
    pub verifications: AtomicUsize,
    pub ties: AtomicUsize,
}

impl Model {
    pub fn new(facts: &[&str], verdicts: &[Option<bool>]) -> Self {
        let facts = facts.iter().map(|it| (*it).to_owned()).collect();
        Self {
            facts: Mutex::new(Ok(facts)),
            verdicts: Mutex::new(Ok(verdicts.to_vec())),
            same: Mutex::default(),
            extractions: AtomicUsize::new(0),
            verifications: AtomicUsize::new(0),
            ties: AtomicUsize::new(0),
        }
    }

    /// Extractions, verifications and tie-breaks so far.
    pub fn calls(&self) -> [usize; 3] {
        [&self.extractions, &self.verifications, &self.ties].map(|it| it.load(Ordering::SeqCst))
    }
}

#[async_trait]
impl Reasoner for Model {
    async fn extract(
        &self,
        _content: &CleanText,
        _max_facts: usize,
    ) -> Result<Vec<Extracted>, ReasonError> {
        self.extractions.fetch_add(1, Ordering::SeqCst);
        let facts = self
            .facts
            .lock()
            .expect("no test panics with the lock")
            .clone()?;
        let fact = |text: &String| Extracted {
            text: Redactor::new().clean(text),
            claim: None,
            entities: Vec::new(),
        };
        Ok(facts.iter().map(fact).collect())
    }

    async fn verify(
        &self,
        _content: &CleanText,
        _facts: &[&CleanText],
    ) -> Result<Vec<Option<bool>>, ReasonError> {
        self.verifications.fetch_add(1, Ordering::SeqCst);
        self.verdicts
            .lock()
            .expect("no test panics with the lock")
            .clone()
    }

    async fn same_entity(
        &self,
        _mention: &CleanText,
        _text: &CleanText,
        _known: &[CleanText],
    ) -> Result<Option<usize>, ReasonError> {
        self.ties.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.same.lock().expect("no test panics with the lock");
        if answers.is_empty() {
            Ok(None)
        } else {
            answers.remove(0)
        }
    }
}

/// Writes down the stages.
#[derive(Default)]
pub struct Stages(pub Mutex<Vec<(Stage, usize)>>);

impl StageHook for Stages {
    fn on_stage(&self, stage: Stage, candidates: usize) {
        let mut seen = self.0.lock().expect("no test panics with the lock");
        seen.push((stage, candidates));
    }
}
