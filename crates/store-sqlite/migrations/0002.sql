-- Schema 2: access lists, claims, entities, contradictions, and where memories stood before.

-- An access list makes a partition of its own, so that what a reader may not see moves no score.
CREATE TABLE new_part (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    readers TEXT NOT NULL,
    memories INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0,
    vectors INTEGER NOT NULL DEFAULT 0,
    slots INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, namespace, owner, readers)
) STRICT;
INSERT INTO new_part
    SELECT id, kind, namespace, owner, '', memories, documents, length, vectors, slots FROM part;
DROP TABLE part;
ALTER TABLE new_part RENAME TO part;

-- A stretch of a memory's life that is over; the present one is in the memory's own row.
CREATE TABLE revision (
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    since INTEGER NOT NULL,
    state TEXT NOT NULL,
    valid_to INTEGER,
    superseded_by BLOB,
    PRIMARY KEY (seq, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX revision_superseded_by ON revision (superseded_by) WHERE superseded_by IS NOT NULL;
INSERT INTO revision
    SELECT seq, version - 1, recorded_at, 'active', valid_to, NULL FROM memory
    WHERE state = 'superseded' AND retired_at IS NOT NULL AND version > 1;

-- What filters look at still comes first, so that a long text is not read for them. `since` tells
-- when the present standing began, `topic` is a claim's subject and key in normal form.
CREATE TABLE new_memory (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    part INTEGER NOT NULL,
    state TEXT NOT NULL,
    source TEXT NOT NULL,
    trust TEXT NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    since INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    tags TEXT NOT NULL,
    kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    readers TEXT NOT NULL,
    retired_at INTEGER,
    salience INTEGER NOT NULL,
    classification TEXT NOT NULL,
    version INTEGER NOT NULL,
    supersedes BLOB,
    superseded_by BLOB,
    digest BLOB NOT NULL,
    echo BLOB,
    topic TEXT,
    documents INTEGER NOT NULL,
    length INTEGER NOT NULL,
    postings INTEGER NOT NULL,
    agent TEXT NOT NULL,
    actor TEXT NOT NULL,
    claim TEXT,
    mentions TEXT NOT NULL,
    derived_from TEXT NOT NULL,
    context TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
INSERT INTO new_memory
    SELECT seq, id, part, state, source, trust, valid_from,
        CASE WHEN state = 'superseded' THEN ifnull(valid_to, retired_at) ELSE valid_to END,
        CASE WHEN version > 1 THEN ifnull(retired_at, recorded_at) ELSE recorded_at END,
        recorded_at, tags, kind, namespace, owner, '',
        CASE WHEN state IN ('active', 'disputed', 'context-dependent') THEN retired_at
            WHEN version = 1 THEN recorded_at ELSE ifnull(retired_at, recorded_at) END,
        salience, 'internal', version,
        supersedes, superseded_by, digest, NULL, NULL, documents, length, postings, agent, actor,
        NULL, '[]', '[]', context, text
    FROM memory;
DROP TABLE memory;
ALTER TABLE new_memory RENAME TO memory;
CREATE INDEX memory_part ON memory (part, id);
CREATE INDEX memory_digest ON memory (digest);
CREATE INDEX memory_echo ON memory (echo) WHERE echo IS NOT NULL;
CREATE INDEX memory_topic ON memory (topic) WHERE topic IS NOT NULL;
CREATE INDEX memory_supersedes ON memory (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memory_superseded_by ON memory (superseded_by) WHERE superseded_by IS NOT NULL;

-- Which memories were made of which.
CREATE TABLE lineage (
    source BLOB NOT NULL,
    memory BLOB NOT NULL,
    PRIMARY KEY (source, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity (
    id BLOB PRIMARY KEY,
    namespace TEXT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    readers TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entity_place ON entity (namespace, owner, id);

-- The names of entities, in normal form and as they are spelled; `place` keeps their order.
CREATE TABLE alias (
    namespace TEXT NOT NULL,
    owner TEXT NOT NULL,
    readers TEXT NOT NULL,
    name TEXT NOT NULL,
    entity BLOB NOT NULL,
    place INTEGER NOT NULL,
    spelled TEXT NOT NULL,
    registered INTEGER NOT NULL,
    PRIMARY KEY (name, namespace, owner, readers)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (entity, place);

-- Which memories mention an entity, under which name in normal form.
CREATE TABLE mention (
    entity BLOB NOT NULL,
    name TEXT NOT NULL,
    memory BLOB NOT NULL,
    PRIMARY KEY (entity, name, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE contradiction (
    id BLOB PRIMARY KEY,
    older BLOB NOT NULL,
    younger BLOB NOT NULL,
    basis TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    kept BLOB,
    verdict TEXT,
    resolved_at INTEGER
) STRICT;
CREATE INDEX contradiction_older ON contradiction (older);
CREATE INDEX contradiction_younger ON contradiction (younger);
