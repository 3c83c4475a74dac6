-- Schema 1. Append-only: a change is a further migration, never an edit of this file.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One partition for each kind, namespace and owner; the counts that BM25 rests on.
CREATE TABLE part (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    memories INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0,
    vectors INTEGER NOT NULL DEFAULT 0,
    slots INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, namespace, owner)
) STRICT;

-- What filters look at comes first, so that a long text is not read for them.
CREATE TABLE memory (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    part INTEGER NOT NULL,
    state TEXT NOT NULL,
    source TEXT NOT NULL,
    trust TEXT NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    tags TEXT NOT NULL,
    kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    retired_at INTEGER,
    salience INTEGER NOT NULL,
    version INTEGER NOT NULL,
    supersedes BLOB,
    superseded_by BLOB,
    digest BLOB NOT NULL,
    documents INTEGER NOT NULL,
    length INTEGER NOT NULL,
    postings INTEGER NOT NULL,
    agent TEXT NOT NULL,
    actor TEXT NOT NULL,
    context TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX memory_part ON memory (part, id);
CREATE INDEX memory_digest ON memory (digest);
CREATE INDEX memory_supersedes ON memory (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memory_superseded_by ON memory (superseded_by) WHERE superseded_by IS NOT NULL;

-- The vectors as they were given, little-endian f32: the truth that the codes are made from.
CREATE TABLE embedding (
    seq INTEGER PRIMARY KEY,
    slot INTEGER NOT NULL,
    v BLOB NOT NULL
) STRICT;

CREATE TABLE event (
    id BLOB PRIMARY KEY,
    namespace TEXT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    outcome TEXT NOT NULL,
    at INTEGER NOT NULL,
    receipt BLOB,
    session TEXT,
    host TEXT,
    tool TEXT NOT NULL,
    exact BLOB NOT NULL,
    shape BLOB NOT NULL,
    family BLOB NOT NULL,
    credential BLOB,
    input_digest BLOB,
    output_digest BLOB,
    exit_code INTEGER,
    duration_ms INTEGER,
    lookup TEXT NOT NULL,
    command TEXT NOT NULL,
    cwd TEXT,
    project TEXT,
    files TEXT NOT NULL,
    error TEXT,
    output TEXT
) STRICT;

-- Every key that an event is found by: a letter for the sort of key, then the key.
CREATE TABLE event_key (
    key BLOB NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    outcome TEXT NOT NULL,
    at INTEGER NOT NULL,
    event BLOB NOT NULL,
    PRIMARY KEY (key, namespace, owner, outcome, at, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule (
    id BLOB PRIMARY KEY,
    memory BLOB NOT NULL,
    namespace TEXT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    project TEXT,
    severity TEXT NOT NULL,
    control TEXT NOT NULL,
    keys TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rule_memory ON rule (memory);
CREATE INDEX rule_scope ON rule (namespace, owner, id);

CREATE TABLE rule_key (
    key TEXT NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    rule BLOB NOT NULL,
    PRIMARY KEY (key, namespace, owner, rule)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_key_rule ON rule_key (rule);

CREATE TABLE receipt (
    id BLOB PRIMARY KEY,
    namespace TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT,
    tool_use TEXT,
    tool TEXT NOT NULL,
    exact BLOB NOT NULL,
    shape BLOB NOT NULL,
    family BLOB NOT NULL,
    decision TEXT NOT NULL,
    risk INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    at INTEGER NOT NULL,
    closed_by BLOB
) STRICT;
CREATE INDEX receipt_tool_use ON receipt (tool_use) WHERE tool_use IS NOT NULL;

CREATE TABLE tombstone (
    memory BLOB PRIMARY KEY,
    certificate BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- `first` names the first stage in a later stage's row; `sanitised` is set once that row exists.
CREATE TABLE certificate (
    id BLOB PRIMARY KEY,
    stage TEXT NOT NULL,
    payload_sha256 BLOB NOT NULL UNIQUE,
    envelope BLOB NOT NULL,
    seq INTEGER NOT NULL,
    sanitised INTEGER NOT NULL DEFAULT 0,
    first BLOB
) STRICT;
CREATE INDEX certificate_seq ON certificate (seq);
CREATE INDEX certificate_first ON certificate (first) WHERE first IS NOT NULL;
CREATE INDEX certificate_pending ON certificate (seq) WHERE sanitised = 0;

CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    entry BLOB NOT NULL,
    leaf BLOB NOT NULL,
    op TEXT NOT NULL,
    result TEXT NOT NULL,
    memory BLOB,
    namespace TEXT NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_memory ON audit_log (memory) WHERE memory IS NOT NULL;
CREATE TRIGGER audit_log_keeps_entries BEFORE UPDATE ON audit_log
BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE ON audit_log
BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;

CREATE TABLE audit_head (
    k INTEGER PRIMARY KEY CHECK (k = 1),
    size INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT;

-- Every commit has an entry of its own in the log, so its first is the key.
CREATE TABLE commit_log (
    first_seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    request BLOB,
    recorded_at INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;

-- Indexes, one set for each kind, so that a broken one degrades one lane. All of it can be rebuilt.
-- New memories' postings are staged, a row each, and folded into the terms' blocks many at a time.
-- A term has no count, so that a known term costs a fold one page. Each partition has a term ''
-- whose posting counts its folded documents: the loss of any table shows.
CREATE TABLE term_episodic (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, term TEXT NOT NULL, UNIQUE (part, term)) STRICT;
CREATE TABLE posting_episodic (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE staged_episodic (seq INTEGER PRIMARY KEY, part INTEGER NOT NULL, documents INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE vector_episodic (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE term_semantic (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, term TEXT NOT NULL, UNIQUE (part, term)) STRICT;
CREATE TABLE posting_semantic (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE staged_semantic (seq INTEGER PRIMARY KEY, part INTEGER NOT NULL, documents INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE vector_semantic (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE term_procedural (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, term TEXT NOT NULL, UNIQUE (part, term)) STRICT;
CREATE TABLE posting_procedural (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE staged_procedural (seq INTEGER PRIMARY KEY, part INTEGER NOT NULL, documents INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE vector_procedural (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
