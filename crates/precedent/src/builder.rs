//! Opening a memory: every part can be chosen, every part has a default.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_audit::key::KeySet;
use precedent_audit::sealer::{Origin, Sealer};
use precedent_core::{
    AuditSink, Clock, Embedder, Grants, IdSource, LanguageModel, MemStore, Name, Namespace,
    Principal, Redactor, StoreId,
};
use precedent_embed::StaticEmbedder;
use precedent_engine::{Engine, Limits, Reasoner, StageHook, WritePolicy};
use precedent_guard::{Guard, Policy, Workspace};
#[cfg(feature = "sqlite")]
use precedent_store_sqlite::SqliteConfig;

use crate::address::Address;
use crate::clock::{SystemClock, UlidSource};
use crate::error::{Error, ErrorKind};
use crate::memory::{Memory, Parts};
use crate::opened::OpenStore;
use crate::reasoning::ModelReasoner;
use crate::workspace::LocalFiles;

/// Opens a [`Memory`]; made by [`Memory::builder`].
#[must_use = "nothing is opened before `open` is called"]
pub struct Builder {
    address: String,
    keys: Option<PathBuf>,
    namespace: String,
    agent: String,
    actor: String,
    purpose: String,
    embedder: Option<Arc<dyn Embedder>>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    workspace: Arc<dyn Workspace>,
    redactor: Redactor,
    limits: Limits,
    policy: Policy,
    write_policy: WritePolicy,
    reasoner: Option<Arc<dyn Reasoner>>,
    hook: Option<Arc<dyn StageHook>>,
    grants: Grants,
    create: bool,
    #[cfg(feature = "testkit")]
    testkit: bool,
}

impl Memory {
    /// Starts opening the memory at `address`: a folder, `sqlite:PATH` or `mem:`.
    pub fn builder(address: &str) -> Builder {
        Builder::new(address)
    }
}

impl Builder {
    fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            keys: None,
            namespace: "default".to_owned(),
            agent: "local".to_owned(),
            actor: "local".to_owned(),
            purpose: "assist".to_owned(),
            embedder: Some(Arc::new(StaticEmbedder::new())),
            clock: Arc::new(SystemClock),
            ids: Arc::new(UlidSource::default()),
            workspace: Arc::new(LocalFiles),
            redactor: Redactor::new(),
            limits: Limits::default(),
            policy: Policy::default(),
            write_policy: WritePolicy::default(),
            reasoner: None,
            hook: None,
            grants: Grants::all(),
            create: true,
            #[cfg(feature = "testkit")]
            testkit: false,
        }
    }

    /// Chooses the folder of the keys; by default `keys` beside the store's file.
    pub fn keys(mut self, folder: impl Into<PathBuf>) -> Self {
        self.keys = Some(folder.into());
        self
    }

    /// Chooses the namespace that is written to; `default` by default.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Names the agent that acts; `local` by default.
    pub fn agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = agent.into();
        self
    }

    /// Names whom the agent acts for; `local` by default. The log shows a keyed pseudonym.
    pub fn actor(mut self, actor: impl Into<String>) -> Self {
        self.actor = actor.into();
        self
    }

    /// Says what reads and writes are for; `assist` by default.
    pub fn purpose(mut self, purpose: impl Into<String>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// Chooses the embedder, or none; the built-in table by default. A store keeps the embedding
    /// space that it was created with.
    pub fn embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// Chooses the clock; the system's by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Chooses the source of ids; random ULIDs by default.
    pub fn ids(mut self, ids: Arc<dyn IdSource>) -> Self {
        self.ids = ids;
        self
    }

    /// Chooses how the guard sees files; this machine's by default.
    pub fn workspace(mut self, workspace: Arc<dyn Workspace>) -> Self {
        self.workspace = workspace;
        self
    }

    /// Chooses the bounds on requests.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses the guard's constants.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Chooses how widely content may travel; see [`WritePolicy`].
    pub fn write_policy(mut self, policy: WritePolicy) -> Self {
        self.write_policy = policy;
        self
    }

    /// Chooses what extracts facts, verifies them and tells entities apart; nothing by default, so
    /// that no text leaves the process.
    pub fn reasoner(mut self, reasoner: Arc<dyn Reasoner>) -> Self {
        self.reasoner = Some(reasoner);
        self
    }

    /// Chooses the language model that extracts facts, verifies them and tells entities apart;
    /// none by default. What may be sent to it is the [write policy](Self::write_policy)'s to say.
    pub fn language_model(self, model: Arc<dyn LanguageModel>) -> Self {
        let redactor = self.redactor.clone();
        self.reasoner(Arc::new(ModelReasoner { model, redactor }))
    }

    /// Chooses who follows the stages of writes.
    pub fn stage_hook(mut self, hook: Arc<dyn StageHook>) -> Self {
        self.hook = Some(hook);
        self
    }

    /// Chooses what the principal may do; everything by default, since who opens a store owns it.
    pub fn grants(mut self, grants: Grants) -> Self {
        self.grants = grants;
        self
    }

    /// Refuses to create a store where there is none.
    pub fn existing_only(mut self) -> Self {
        self.create = false;
        self
    }

    /// Makes a store whose indexes may be broken on purpose.
    #[cfg(feature = "testkit")]
    pub fn testkit(mut self) -> Self {
        self.testkit = true;
        self
    }

    /// Opens the memory, and creates its store and keys where there are none.
    ///
    /// # Errors
    /// [`Error`] when the address, the keys or the store cannot be used; each says what to do.
    pub fn open(self) -> Result<Memory, Error> {
        let by = self.principal()?;
        let address = Address::parse(&self.address)?;
        let (keys, (store, id)) = self.open_both(&address)?;
        let keys = Arc::new(keys);
        let key = Arc::new(keys.hmac.clone());
        let sealer = Sealer::new(origin(id)?, keys.clone());
        let sink: Arc<dyn AuditSink> = Arc::new(sealer);
        store.check_keys(sink.as_ref())?;
        let guard = Guard::new(
            store.backend(),
            self.embedder.clone(),
            key.clone(),
            self.redactor.clone(),
            self.workspace,
            self.policy,
        );
        let engine = Engine::new(precedent_engine::Parts {
            store: store.backend(),
            embedder: self.embedder,
            reasoner: self.reasoner,
            sink,
            key,
            clock: self.clock,
            ids: self.ids,
            redactor: self.redactor,
            limits: self.limits,
            policy: self.write_policy,
            hook: self.hook,
        });
        Ok(Memory::assemble(
            Parts {
                engine,
                guard,
                keys,
                store,
            },
            by,
        ))
    }

    fn principal(&self) -> Result<Principal, Error> {
        let refuse = |error: precedent_core::NamespaceError| {
            Error::new(
                ErrorKind::InvalidInput,
                "checking who acts",
                error.to_string(),
            )
        };
        let name = |text: &str| Name::parse(self.redactor.clean(text)).map_err(refuse);
        Ok(Principal {
            actor: name(&self.actor)?,
            agent: name(&self.agent)?,
            namespace: Namespace::parse(self.redactor.clean(&self.namespace)).map_err(refuse)?,
            purpose: name(&self.purpose)?,
            grants: self.grants.clone(),
        })
    }

    /// Opens store and keys. New keys come before a new store, never after an old one: they could
    /// not verify what it holds.
    fn open_both(&self, address: &Address) -> Result<(KeySet, (OpenStore, StoreId)), Error> {
        let folder = self.key_folder(address);
        if is_written(address) || !self.create {
            let store = self.open_store(address)?;
            let keys = folder.map_or_else(KeySet::ephemeral, |dir| KeySet::open_existing(&dir))?;
            Ok((keys, store))
        } else {
            let keys = folder.map_or_else(KeySet::ephemeral, |dir| KeySet::open_or_create(&dir))?;
            Ok((keys, self.open_store(address)?))
        }
    }

    /// Returns where the keys are; a store in memory has keys in memory.
    fn key_folder(&self, address: &Address) -> Option<PathBuf> {
        let beside = match address {
            Address::Mem => None,
            Address::Sqlite(path) => Some(path.parent().unwrap_or(Path::new("")).join("keys")),
        };
        self.keys.clone().or(beside)
    }

    fn fresh_store_id(&self) -> StoreId {
        StoreId::from_bytes(self.ids.next(self.clock.now()))
    }

    fn open_store(&self, address: &Address) -> Result<(OpenStore, StoreId), Error> {
        let space = self
            .embedder
            .as_ref()
            .map(|embedder| embedder.space().clone());
        match address {
            Address::Mem => Ok((OpenStore::Mem(MemStore::new(space)), self.fresh_store_id())),
            #[cfg(feature = "sqlite")]
            Address::Sqlite(path) => {
                if self.create {
                    create_folder(path)?;
                }
                let mut config = SqliteConfig::new(path, self.fresh_store_id());
                config.space = space;
                config.redactor = self.redactor.clone();
                config.create = self.create;
                #[cfg(feature = "testkit")]
                {
                    config.testkit = self.testkit;
                }
                let store = precedent_store_sqlite::SqliteStore::open(config)?;
                let id = store.store_id();
                Ok((OpenStore::Sqlite(store), id))
            }
            #[cfg(not(feature = "sqlite"))]
            Address::Sqlite(_) => Err(Error::new(
                ErrorKind::InvalidAddress,
                "opening the store",
                "this build has no SQLite store; rebuild with the feature sqlite",
            )),
        }
    }
}

/// Tells whether the store has been written to.
fn is_written(address: &Address) -> bool {
    match address {
        Address::Mem => false,
        Address::Sqlite(path) => std::fs::metadata(path).is_ok_and(|file| file.len() > 0),
    }
}

/// Makes the folder of a store's file, for its owner alone.
#[cfg(feature = "sqlite")]
fn create_folder(file: &Path) -> Result<(), Error> {
    let Some(folder) = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| {
        let next_step = format!(
            "its folder {} cannot be made ({error}); choose another with --store",
            folder.display()
        );
        Error::new(
            ErrorKind::Store(precedent_core::StoreErrorKind::Io),
            "opening the store",
            next_step,
        )
    })
}

/// Names the log: the store's id makes it unique, whoever shares the keys.
fn origin(id: StoreId) -> Result<Origin, Error> {
    Origin::parse(&format!("precedent.local/{id}"))
        .map_err(|error| Error::new(ErrorKind::Keys, "naming the audit log", error.to_string()))
}
