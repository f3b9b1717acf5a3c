//! Queries of a person find what the tables say, end, and reach nothing but the tables.

use std::time::{Duration, Instant};

use ledger_store::projection::{
    Projector, QueryBounds, QueryError, QueryRows, TableQueries, Target, readable_tables,
};
use ledger_store::{Journal, PostgresJournal, SqliteJournal};

use crate::setup::{LIVE, mode, server, write};
use crate::{Home, Story, lived};

const BOUNDS: QueryBounds =
    QueryBounds { rows: 1_000, bytes: 1 << 20, time: Duration::from_secs(5) };

/// Tables in one database with their journal and its vault, on both.
fn beside_the_vault(story: &Story) -> [Home; 2] {
    Home::both().map(|home| {
        let mut journal: Box<dyn Journal> = match &home.target {
            Target::Sqlite(file) => Box::new(SqliteJournal::open(file, LIVE, mode()).unwrap()),
            Target::Postgres(server) => {
                Box::new(PostgresJournal::open(server, LIVE, mode()).unwrap())
            }
            Target::Memory(_) => panic!("memory has no tables to ask"),
        };
        write(&mut *journal, &story.commits);
        Projector::open(&mut *journal, LIVE, &home.target).unwrap();
        home
    })
}

fn run_query(home: &Home, sql: &str) -> Result<QueryRows, QueryError> {
    TableQueries::new(home.target.clone()).ask(sql, BOUNDS)
}

fn texts(found: &QueryRows) -> Vec<Vec<&str>> {
    found.rows.iter().map(|row| row.iter().map(text).collect()).collect()
}

fn text(value: &ledger_store::projection::QueryValue) -> &str {
    value.text().unwrap_or("")
}

#[test]
fn a_query_finds_what_the_tables_say() {
    let story = lived(20, 200);
    for home in beside_the_vault(&story) {
        for sql in [
            "SELECT count(*) FROM operations",
            "SELECT account, customer, available_cents FROM balances ORDER BY subaccount",
            "SELECT kind, state, count(*) AS n FROM operations GROUP BY kind, state ORDER BY 1, 2",
            "WITH big AS (SELECT operation, amount_cents AS cents FROM operations)
             SELECT operation FROM big WHERE cents > 1000 ORDER BY cents DESC, operation LIMIT 3",
            "SELECT b.customer, CAST(sum(r.value_cents) AS bigint) FROM balances b LEFT JOIN statement_rows r \
             ON r.ledger = b.ledger AND r.subaccount = b.subaccount \
             GROUP BY b.customer, b.subaccount ORDER BY b.subaccount",
            "SELECT operation FROM operations WHERE kind IN ('charge', 'payout') AND \
             amount_cents BETWEEN 1 AND 100000 AND external_id IS NOT NULL ORDER BY operation",
            "SELECT kind FROM operations UNION SELECT 'none' ORDER BY 1",
            "SELECT CASE WHEN customer IS NULL THEN 'house' ELSE customer END FROM balances \
             ORDER BY subaccount",
        ] {
            let found = run_query(&home, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            let shell = home.query(sql);
            let shell = shell.iter().map(|row| {
                row.iter().map(|text| if text == "null" { "" } else { text.as_str() }).collect()
            });
            let (found, shell) = (texts(&found), shell.collect::<Vec<Vec<_>>>());
            assert_eq!(found.len(), shell.len(), "{sql}");
            assert!(!found.is_empty(), "{sql}");
            assert_eq!(found[0].len(), shell[0].len(), "{sql}");
            assert_eq!(found.first(), shell.first(), "{sql}");
        }
        let windowed = "SELECT operation, row_number() OVER (PARTITION BY kind ORDER BY created_at \
                        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM operations";
        assert!(!run_query(&home, windowed).unwrap().rows.is_empty());
        let empty = run_query(&home, "SELECT * FROM open_holds WHERE 1 = 0").unwrap();
        assert_eq!(empty, QueryRows::default());
    }
}

#[test]
fn a_query_of_the_document_is_one_that_may_be_asked() {
    let document = include_str!("../../../docs/PROJECTIONS.md");
    let blocks = document.split("```sql\n").skip(1);
    let story = lived(20, 200);
    for home in beside_the_vault(&story) {
        for sql in blocks.clone().map(|block| block.split("```").next().unwrap()) {
            run_query(&home, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    }
}

/// What would read the vault, keys, files or other sessions, write, or never end.
const REFUSED: [&str; 76] = [
    "",
    ";",
    "-- nothing",
    "SELECT",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE operations",
    "DELETE FROM operations",
    "UPDATE balances SET held_cents = 0",
    "INSERT INTO operations DEFAULT VALUES",
    "DROP TABLE operations",
    "CREATE TABLE x AS SELECT 1",
    "SELECT * INTO x FROM operations",
    "WITH x AS (DELETE FROM operations RETURNING *) SELECT * FROM x",
    "PRAGMA query_only = 0",
    "PRAGMA table_info(vault)",
    "SELECT * FROM pragma_table_info('vault')",
    "SELECT * FROM pragma_database_list",
    "ATTACH DATABASE '/etc/passwd' AS x",
    "VACUUM INTO '/tmp/x'",
    "EXPLAIN SELECT * FROM vault",
    "COPY operations TO '/tmp/x'",
    "SET ROLE postgres",
    "BEGIN",
    "COMMIT",
    "SELECT * FROM vault",
    "SELECT * FROM VAULT",
    "SELECT * FROM \"vault\"",
    "SELECT * FROM [vault]",
    "SELECT * FROM `vault`",
    "SELECT * FROM main.vault",
    "SELECT * FROM public.vault",
    "SELECT * FROM temp.sqlite_schema",
    "SELECT * FROM \"main\".\"vault\"",
    "SELECT * FROM main.operations",
    "SELECT * FROM/**/vault",
    "SELECT * FROM operations, vault",
    "SELECT * FROM operations JOIN vault ON 1 = 1",
    "SELECT (SELECT value FROM vault LIMIT 1)",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM vault)",
    "SELECT 1 FROM operations WHERE operation IN vault",
    "SELECT 1 FROM operations WHERE operation IN (SELECT value FROM vault)",
    "SELECT 1 FROM operations ORDER BY (SELECT value FROM vault LIMIT 1)",
    "SELECT 1 FROM operations LIMIT (SELECT length(value) FROM vault LIMIT 1)",
    "SELECT 1 UNION ALL SELECT value FROM vault",
    "VALUES ((SELECT value FROM vault LIMIT 1))",
    "WITH operations AS (SELECT * FROM vault) SELECT * FROM operations",
    "WITH a AS (SELECT * FROM vault) SELECT * FROM a",
    "SELECT * FROM (WITH vault AS (SELECT 1) SELECT * FROM vault) x, vault",
    "SELECT max((SELECT value FROM vault LIMIT 1)) FROM operations",
    "SELECT sum(1) OVER (ORDER BY (SELECT value FROM vault LIMIT 1)) FROM operations",
    "TABLE vault",
    "SELECT * FROM ledger",
    "SELECT * FROM journal",
    "SELECT * FROM outbox",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM pg_authid",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM information_schema.tables",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_catalog.pg_read_file('/etc/passwd')",
    "SELECT \"pg_read_file\"('/etc/passwd')",
    "SELECT pg_sleep(60)",
    "SELECT load_extension('/tmp/x.so')",
    "SELECT readfile('/etc/passwd')",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SELECT query_to_xml('SELECT * FROM vault', true, true, '')",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM generate_series(1, 1000000000)",
    "SELECT current_user",
    "SELECT 'vault'::regclass",
    "SELECT b.to_json FROM balances b",
    "SELECT randomblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    "SELECT * FROM operations FOR UPDATE",
];

#[test]
fn what_reaches_beyond_the_tables_is_refused_before_it_is_asked() {
    let story = lived(20, 50);
    for home in beside_the_vault(&story) {
        for sql in REFUSED {
            let refused = run_query(&home, sql);
            assert!(matches!(refused, Err(QueryError::Refused(_))), "{sql}: {refused:?}");
        }
        // SQLite takes a query for recursive that does not say so.
        let recursive =
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        assert!(matches!(run_query(&home, recursive), Err(QueryError::Refused(_))));
        // Each joins what the level below joined.
        let mut doubled = "SELECT 'x' AS s".to_owned();
        for _ in 0..20 {
            doubled = format!("SELECT s || s AS s FROM ({doubled}) q");
        }
        assert!(matches!(run_query(&home, &doubled), Err(QueryError::Refused(_))));
        assert!(run_query(&home, "SELECT count(*) FROM operations").is_ok(), "nothing is broken");
    }
}

#[test]
fn a_text_is_no_way_out_of_its_quotation_marks() {
    let story = lived(20, 50);
    for home in beside_the_vault(&story) {
        for text in ["it's", "''", "a''b", "'; DROP TABLE operations; --", "é", "/*", "--", "%s"] {
            let sql = format!("SELECT '{}' AS said", text.replace('\'', "''"));
            match run_query(&home, &sql) {
                Ok(found) => assert_eq!(texts(&found), [[text]], "{sql}"),
                Err(error) => assert!(matches!(error, QueryError::Refused(_)), "{sql}: {error}"),
            }
        }
        let found = run_query(&home, "SELECT 'it''s' AS \"valor em R$\" -- a remark").unwrap();
        assert_eq!((texts(&found), &*found.columns[0].name), (vec![vec!["it's"]], "valor em R$"));
        for sql in [
            r"SELECT '\'' AS x, ''' FROM vault --'",
            r"SELECT E'\'' FROM operations",
            "SELECT $$x$$",
            "SELECT U&'x'",
            "SELECT x'00'",
            "SELECT \"a\"\"b\" FROM operations",
            "SELECT 1 AS \"a'b\"",
        ] {
            assert!(matches!(run_query(&home, sql), Err(QueryError::Refused(_))), "{sql}");
        }
    }
}

#[test]
fn a_query_of_any_shape_leaves_the_stack_whole() {
    let home = Home::sqlite();
    let (terms, open, close) = ("+1".repeat(3_000), "(".repeat(3_000), ")".repeat(3_000));
    let cases = "CASE WHEN 1 THEN ".repeat(400);
    for sql in [
        format!("SELECT 1{terms}"),
        format!("SELECT 1{}", "+1".repeat(390)),
        format!("SELECT {open}1{close}"),
        format!("SELECT * FROM {open}operations{close}"),
        format!("SELECT {}1", "NOT ".repeat(790)),
        format!("SELECT {}1", "- ".repeat(790)),
        format!("SELECT {cases}"),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(260)),
        format!("SELECT * FROM operations{}", " JOIN operations".repeat(390)),
        format!("SELECT 1{}", "::text".repeat(390)),
        format!("SELECT a{}", ".a".repeat(390)),
    ] {
        // As on a thread of the service.
        let home = home.target.clone();
        let small = std::thread::Builder::new().stack_size(2 << 20);
        let asked = small.spawn(move || TableQueries::new(home).ask(&sql, BOUNDS));
        let ended = asked.unwrap().join().unwrap();
        assert!(matches!(ended, Err(QueryError::Refused(_) | QueryError::NoTables)), "{ended:?}");
    }
}

#[test]
fn a_result_ends_at_its_bounds_and_says_so() {
    let story = lived(20, 200);
    for home in beside_the_vault(&story) {
        let queries = TableQueries::new(home.target.clone());
        let rows = |rows| QueryBounds { rows, ..BOUNDS };
        let crossed = "SELECT a.seq FROM statement_rows a, statement_rows b";
        let found = queries.ask(crossed, rows(700)).unwrap();
        assert_eq!((found.rows.len(), found.more), (700, true));
        let three = "SELECT seq FROM statement_rows ORDER BY seq LIMIT 3";
        let found = queries.ask(three, rows(3)).unwrap();
        assert_eq!((found.rows.len(), found.more), (3, false));
        let found = queries.ask(crossed, QueryBounds { bytes: 100, ..BOUNDS }).unwrap();
        assert!(found.more && found.rows.len() < 100, "{}", found.rows.len());
    }
}

#[test]
fn a_query_that_takes_too_long_is_ended() {
    let story = lived(20, 200);
    for home in beside_the_vault(&story) {
        let long = "SELECT count(*) FROM statement_rows a, statement_rows b, statement_rows c, \
                    statement_rows d, statement_rows e, statement_rows f";
        let began = Instant::now();
        let bounds = QueryBounds { time: Duration::from_millis(300), ..BOUNDS };
        let ended = TableQueries::new(home.target.clone()).ask(long, bounds);
        assert!(matches!(ended, Err(QueryError::TooLong(_))), "{ended:?}");
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    }
}

#[test]
fn an_error_is_told_in_the_databases_words_and_missing_tables_are_named() {
    for home in Home::both() {
        let queries = TableQueries::new(home.target.clone());
        assert_eq!(queries.tables_at(LIVE).unwrap(), None);
        let nothing = run_query(&home, "SELECT 1 FROM balances");
        assert!(matches!(nothing, Err(QueryError::NoTables | QueryError::Database(_))));
        let story = lived(20, 50);
        Projector::open(&mut crate::journal(&story.commits), LIVE, &home.target).unwrap();
        let at = queries.tables_at(LIVE).unwrap();
        assert_eq!(at, Some(story.sequencer.ledger().state.seq.0));
        assert_eq!(queries.tables_at("sandbox").unwrap(), None);
        let wrong = run_query(&home, "SELECT number FROM balances").unwrap_err();
        assert!(wrong.to_string().contains("number"), "{wrong}");
        assert!(matches!(wrong, QueryError::Database(_)));
    }
}

#[test]
fn the_role_that_is_recommended_may_read_every_table_that_may_be_asked_and_no_more() {
    let story = lived(20, 50);
    let url = server::database();
    let target = Target::Postgres(url.parse().unwrap());
    let mut journal = PostgresJournal::open(&url.parse().unwrap(), LIVE, mode()).unwrap();
    write(&mut journal, &story.commits);
    Projector::open(&mut journal, LIVE, &target).unwrap();
    // Roles are the server's, and another test of it has those of these names.
    let grants = include_str!("../../grants/projections.sql").replace("ledger_", "asked_");
    for role in ["projector", "sender", "analyst", "reader", "writer"] {
        server::execute(&url, &format!("CREATE ROLE asked_{role} LOGIN")).unwrap();
    }
    server::execute(&url, &grants).unwrap();
    let of_analyst = url.replace("ledger@", "asked_analyst@");
    let queries = TableQueries::new(Target::Postgres(of_analyst.parse().unwrap()));
    assert!(queries.tables_at(LIVE).unwrap().is_some());
    for table in readable_tables() {
        queries.ask(&format!("SELECT * FROM {}", table.name), BOUNDS).unwrap();
    }
    for forbidden in ["SELECT * FROM vault", "SELECT * FROM ledger", "SELECT body FROM outbox"] {
        assert!(server::execute(&of_analyst, forbidden).is_err(), "{forbidden}");
    }
}
