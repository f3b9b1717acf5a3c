//! Tables beside a journal whose last records are lost, and what becomes of them when the loss is
//! accepted (rulings 79).

use ledger_store::engine::{Engine, EngineBuilder, StartError};
use ledger_store::journal::{Head, Journal, JournalError};
use ledger_store::projection::{Projector, Target, prove};
use ledger_store::{PostgresJournal, SqliteJournal};

use crate::Home;
use crate::engine_outbox::{answers, settled};
use crate::setup::{LIVE, mode, story};

fn opened(home: &Home) -> Box<dyn Journal> {
    match &home.target {
        Target::Sqlite(file) => Box::new(SqliteJournal::open(file, LIVE, mode()).unwrap()),
        Target::Postgres(server) => Box::new(PostgresJournal::open(server, LIVE, mode()).unwrap()),
        Target::Memory(_) => panic!("memory loses everything"),
    }
}

fn started(home: &Home, accepted: Option<Head>) -> Result<Engine, StartError> {
    let engine = Engine::builder(LIVE).outbox(home.target.clone());
    accepted.into_iter().fold(engine, EngineBuilder::accept_loss).start(opened(home))
}

/// Takes the last commits out of a journal, as a copy that ends too early lacks them.
fn lose_after(home: &Home, seq: u64) {
    let lose = format!("DELETE FROM journal WHERE first > {seq}");
    match &home.target {
        Target::Postgres(_) => {
            home.execute("ALTER TABLE journal DISABLE TRIGGER ALL");
            home.execute(&lose);
            home.execute("ALTER TABLE journal ENABLE TRIGGER ALL");
        }
        _ => {
            home.execute("DROP TRIGGER journal_is_never_deleted");
            home.execute(&lose);
        }
    }
}

#[test]
fn tables_that_speak_of_a_lost_record_are_made_again_once_the_loss_is_accepted() {
    for home in Home::both() {
        let engine = started(&home, None).unwrap();
        story::each_line(120, answers(&engine));
        settled(&engine);
        let whole = engine.stop().unwrap();
        Projector::open(&mut *opened(&home), LIVE, &home.target).unwrap();
        lose_after(&home, whole.seq - 3);

        let refused = started(&home, None).unwrap_err();
        let StartError::Journal(JournalError::Lost { head, evidence, .. }) = refused else {
            panic!("{refused}")
        };
        assert!(head.seq < whole.seq && evidence.contains(&format!("record {}", whole.seq)));
        assert!(started(&home, Some(whole)).is_err(), "where it ends is another head");

        let engine = started(&home, Some(head)).unwrap();
        settled(&engine);
        let accepted = engine.stop().unwrap();
        assert_eq!(accepted.seq, head.seq + 1);
        let mut journal = opened(&home);
        Projector::open(&mut *journal, LIVE, &home.target).unwrap();
        prove(&mut *journal, LIVE, &home.target).unwrap().expect("there are tables");
        drop(journal);
        assert_eq!(started(&home, Some(head)).unwrap().stop().unwrap(), accepted, "known");
    }
}
