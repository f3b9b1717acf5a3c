//! The console's queries over the tables of a ledger in which everything has happened.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use ledger_http::documents::Config;
use ledger_http::{Ledgers, OpenLedger, Service, console_router};
use ledger_store::engine::Engine;
use ledger_store::projection::{Projector, TableQueries, Target};
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, SqliteJournal};

use crate::house::{Answer, House, is_a_page, sent};

/// A console over a house's service, and the tables of its ledger of real money in a file.
struct Console {
    service: Service,
    _folder: tempfile::TempDir,
}

async fn ask(service: &Service, target: &str) -> Answer {
    let request = Request::get(target).header("host", "127.0.0.1:8082");
    let request = request.header("accept-language", "en").body(Body::empty()).unwrap();
    sent(console_router(service, None), request).await
}

fn quoted(sql: &str) -> String {
    form_urlencoded::byte_serialize(sql.as_bytes()).collect()
}

impl Console {
    /// With the records of the whole contract in one file: journal, vault and tables.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.db");
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let target = Target::Sqlite(file.clone());
        let open = |name: &str| SqliteJournal::open(&file, name, mode).unwrap();
        let mut reading = open("live");
        let projector = Projector::open(&mut reading, "live", &target).unwrap();
        let engine = Engine::builder("live").follower(projector).start(Box::new(open("live")));
        let live = OpenLedger::new(Arc::new(engine.unwrap())).unwrap();
        let memory = MemoryJournal::open(&MemoryDisk::new(), "sandbox", mode).unwrap();
        let sandbox = Engine::builder("sandbox").start(Box::new(memory)).unwrap();
        let sandbox = OpenLedger::new(Arc::new(sandbox)).unwrap();
        let service = Service::builder(Ledgers::new(live, sandbox))
            .documents(Config::at(crate::house::BASE))
            .table_queries(TableQueries::new(target))
            .build()
            .unwrap();
        Self { service, _folder: folder }
    }

    /// In which every line of the contract's example has been answered.
    async fn lived_in() -> Self {
        let mut console = tokio::task::spawn_blocking(Self::start).await.unwrap();
        let mut house = House::over(console.service.clone());
        house.live().await;
        console.service = house.service;
        console
    }

    async fn ask(&self, sql: &str) -> Answer {
        ask(&self.service, &format!("/live/query?sql={}", quoted(sql))).await
    }

    async fn file(&self, sql: &str) -> Answer {
        ask(&self.service, &format!("/live/query.csv?sql={}", quoted(sql))).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_shows_its_rows_its_chart_and_leads_to_what_it_names() {
    let console = Console::lived_in().await;
    let page = console.ask("SELECT kind, count(*) AS n FROM operations GROUP BY kind").await;
    is_a_page(&page);
    let text = page.text();
    assert!(text.contains("<svg class=\"chart\"") && text.contains("<td>payout</td>"), "{text}");
    assert!(text.contains("SELECT kind, count(*) AS n FROM operations GROUP BY kind</textarea>"));
    assert!(text.contains("up to date"), "{text}");
    let page = console.ask("SELECT operation, last_seq FROM operations LIMIT 1").await.text();
    assert!(page.contains("href=\"/live/operations/") && page.contains("href=\"/live/records/"));
    // What clients wrote is text, and no markup.
    let page =
        console.ask("SELECT '<b>bold</b>' AS \"<i>x</i>\" FROM balances LIMIT 1").await.text();
    assert!(!page.contains("<b>bold") && !page.contains("<i>x"), "{page}");
    assert!(page.contains("&#60;b&#62;bold") || page.contains("&lt;b&gt;bold"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_is_a_link_that_finds_what_it_says() {
    let console = Console::lived_in().await;
    let page = ask(&console.service, "/live/query").await.text();
    let links: Vec<_> = page
        .split("<a href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().replace("&#38;", "&"))
        .filter(|href| href.contains("?sql="))
        .collect();
    assert_eq!(links.len(), 6);
    for (place, link) in links.iter().enumerate() {
        let answer = ask(&console.service, link).await;
        is_a_page(&answer);
        let text = answer.text();
        assert!(!text.contains("No result"), "{link}: {text}");
        match place {
            0..3 => assert!(text.contains("<tbody>"), "{link}: {text}"),
            // Nothing may be under way or blocked, and no balance is wrong.
            3 | 4 => {}
            _ => assert!(text.contains("No rows."), "{link}: {text}"),
        }
    }
    for table in ["operations", "statement_rows", "balances", "projection_checkpoint"] {
        assert!(page.contains(&format!("<dt>{table}</dt>")), "{table}");
    }
    assert!(!page.contains("<dt>outbox</dt>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_query_shows_a_person_a_key_or_a_secret() {
    let console = Console::lived_in().await;
    for sql in [
        "SELECT * FROM vault",
        "SELECT value FROM main.vault",
        "SELECT * FROM operations, \"vault\"",
        "SELECT (SELECT value FROM vault LIMIT 1)",
        "PRAGMA table_info(vault)",
        "SELECT 1; SELECT * FROM vault",
    ] {
        let answer = console.ask(sql).await;
        is_a_page(&answer);
        let text = answer.text();
        assert!(text.contains("No result") && !text.contains("<tbody>"), "{sql}: {text}");
        let file = console.file(sql).await;
        assert_eq!(file.status, 422, "{sql}");
        is_a_page(&file);
    }
    for table in ledger_store::projection::readable_tables() {
        let file = console.file(&format!("SELECT * FROM {}", table.name)).await;
        assert_eq!(file.status, 200, "{}", file.text());
        for secret in ["52998224725", "FULANO", "ana@exemplo.com.br", "svc_live_"] {
            assert!(!file.text().contains(secret), "{secret} in {}", table.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_a_file_too_and_a_large_one_says_where_it_ends() {
    let console = Console::lived_in().await;
    let file = console.file("SELECT account, customer FROM balances ORDER BY subaccount").await;
    assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"query.csv\"");
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    let text = file.text();
    assert!(text.starts_with("account,customer\r\n") && text.contains("\r\nloja,ana\r\n"));
    let many = "SELECT a.seq FROM statement_rows a, statement_rows b, statement_rows c, \
                statement_rows d";
    let page = console.ask(many).await.text();
    assert!(page.contains("The first rows: 1,000"), "{page}");
    assert!(page.contains("The result has more than 1,000 rows or 4 MiB"), "{page}");
    let larger = format!("{many}, statement_rows e, statement_rows f");
    let file = console.file(&larger).await;
    assert_eq!(file.status, 422, "a part of it would be taken for all of it");
    assert!(file.text().contains("more than 100,000 rows"), "{}", file.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_is_said_as_the_database_says_it() {
    let console = Console::lived_in().await;
    let text =
        console.ask("SELECT customer FROM operations o JOIN balances b ON 1 = 1").await.text();
    assert!(text.contains("ambiguous column name: customer"), "{text}");
    for nothing in ["/live/query.csv", "/live/query.csv?sql=", "/moon/query?sql=SELECT+1"] {
        assert_eq!(ask(&console.service, nothing).await.status, 404, "{nothing}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_are_no_tables_the_page_says_how_to_make_them() {
    let house = House::empty();
    let page = ask(&house.service, "/live/query?sql=SELECT+1").await;
    is_a_page(&page);
    assert!(page.text().contains("custody-ledger project STORE --follow"), "{}", page.text());
    // The sandbox's tables are not made, though those of the other ledger are.
    let console = tokio::task::spawn_blocking(Console::start).await.unwrap();
    let page = ask(&console.service, "/sandbox/query").await.text();
    assert!(page.contains("custody-ledger project STORE --follow"), "{page}");
}
