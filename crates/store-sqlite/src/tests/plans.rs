//! Query plans: what the guard and every write ask for is found by an index, never by a scan.

use super::fixture::*;
use crate::lanes::{parts, tables};
use crate::read;

fn plan(database: &rusqlite::Connection, sql: &str) -> String {
    let mut statement = database
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let mut rows = statement.raw_query();
    let mut plan = String::new();
    while let Some(row) = rows.next().unwrap() {
        let step: String = row.get(3).unwrap();
        plan.push_str(&step);
        plan.push('\n');
    }
    plan
}

#[test]
fn nothing_on_a_hot_path_scans_or_sorts() {
    let folder = Folder::new();
    drop(folder.open());
    let database = rusqlite::Connection::open(folder.config().path).unwrap();
    let tables = tables::of(precedent_core::Kind::Episodic);
    let statements = [
        read::EVENTS,
        read::find::MEMORY_IDS,
        read::find::BY_DIGEST,
        read::find::BY_ECHO,
        read::find::BY_TOPIC,
        read::find::BY_ENTITY,
        read::find::BY_SOURCE,
        read::names::ENTITIES,
        read::names::NAMES,
        read::PAST,
        parts::OF_OWNER,
        "SELECT * FROM contradiction WHERE older = ?1",
        "SELECT * FROM contradiction WHERE younger = ?1",
        "UPDATE revision SET superseded_by = NULL WHERE superseded_by = ?1",
        "DELETE FROM revision WHERE seq = ?1",
        "SELECT memory FROM lineage WHERE source = ?1",
        read::RULES,
        read::RULES_BY_KEY,
        parts::FIND,
        tables.find_term,
        tables.blocks,
        tables.last_block,
        tables.chunks,
        tables.unstage,
        "SELECT * FROM memory WHERE id = ?1",
        "SELECT * FROM receipt WHERE id = ?1",
        "SELECT * FROM receipt WHERE tool_use = ?1",
        "SELECT ifnull(max(seq), 0) FROM memory",
        "SELECT seq FROM audit_log WHERE memory = ?1",
        "UPDATE memory SET supersedes = NULL WHERE supersedes = ?1",
        "UPDATE memory SET superseded_by = NULL WHERE superseded_by = ?1",
        "UPDATE commit_log SET request = NULL WHERE first_seq = \
         (SELECT max(first_seq) FROM commit_log WHERE first_seq <= ?1) AND first_seq + count > ?1",
        "DELETE FROM rule_key WHERE rule = ?1",
        "SELECT id FROM rule WHERE memory = ?1",
    ];
    // The names themselves are listed, the registry is not.
    let by_names = plan(&database, read::names::BY_NAMES);
    assert!(
        by_names.contains("SEARCH alias") && !by_names.contains("SCAN alias"),
        "{by_names}"
    );
    for sql in statements {
        let plan = plan(&database, sql);
        assert!(plan.contains("SEARCH"), "{sql}\n{plan}");
        assert!(
            !plan.contains("SCAN") && !plan.contains("TEMP B-TREE"),
            "{sql}\n{plan}"
        );
    }
}
