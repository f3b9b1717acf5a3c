//! A database that fails before or after it wrote: what a projector makes of an answer that was
//! lost.

use super::target::Target;
use super::{Backend, Step, TablesFailed, Written};
use crate::journal::{Commit, Journal, MemoryDisk, MemoryJournal, OpenMode};
use crate::projection::checkpoint::Checkpoint;
use crate::projection::error::ProjectError;
use crate::projection::projector::Projector;
use crate::projection::prove::prove;
use crate::projection::schema::extent::Extent;
use crate::projection::schema::table::{Cell, Cells, Table};
use crate::sequencer::Sequencer;
use ledger_core::contract::Line;
use ledger_core::ledger::Origin;

/// How a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Nothing is written, and the answer says so.
    BeforeWrite,
    /// Everything is written, and the answer is lost.
    AfterWrite,
}

struct Failing {
    backend: Box<dyn Backend>,
    /// What strikes the next writes, where it is any; none once they are used up.
    faults: std::vec::IntoIter<Option<Fault>>,
}

impl Backend for Failing {
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        self.backend.has(table)
    }

    fn make(&mut self, tables: &[&'static Table]) -> Result<(), TablesFailed> {
        self.backend.make(tables)
    }

    fn has_column(&mut self, table: &str, column: &str) -> Result<bool, TablesFailed> {
        self.backend.has_column(table, column)
    }

    fn owns_index(&mut self, index: &str) -> Result<bool, TablesFailed> {
        self.backend.owns_index(index)
    }

    fn turn(&self) -> Option<&'static str> {
        self.backend.turn()
    }

    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.backend.read(sql, values)
    }

    fn begin(&mut self) -> Result<(), TablesFailed> {
        self.backend.begin()
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        self.backend.end()
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        let lost = || Err(TablesFailed("the connection is gone".into()));
        match self.faults.next().flatten() {
            None => self.backend.write(steps),
            Some(Fault::BeforeWrite) => lost(),
            Some(Fault::AfterWrite) => self.backend.write(steps).and_then(|_| lost()),
        }
    }
}

const LINES: [&str; 4] = [
    r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
    r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"destino":"saldo","amount_cents":5000,"customer_ref":"ana","payer_tax_number":"52998224725"},"supplied":{"qr_copypaste":"code"}}"#,
    r#"{"at":"2026-11-20T12:00:02Z","fact":"pix.received","body":{"cashin_id":"ID","e2e":"E9040088820261120120300123873170","amount_cents":5000}}"#,
    r#"{"at":"2026-11-20T12:00:03Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"bia","amount_cents":700}}"#,
];

/// A journal of four commits, and the commits.
fn four_commits() -> (MemoryJournal, Vec<Commit>) {
    let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create()).unwrap();
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::new("live", journal.identity());
    let mut charge = String::new();
    let committed = |line: &str| {
        let line = Line::parse(&line.replace("ID", &charge), |_| Ok(String::new())).unwrap();
        let answer = sequencer.call(&line.call(Origin::Call));
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        if let Some(id) = answer.body["cashin_id"].as_str() {
            id.clone_into(&mut charge);
        }
        let commit = sequencer.cut().unwrap();
        journal.append(&commit).unwrap();
        commit
    };
    let commits = LINES.map(committed).into();
    (journal, commits)
}

#[test]
fn whatever_faults_strike_every_commit_is_projected_once() {
    let kinds = [None, Some(Fault::BeforeWrite), Some(Fault::AfterWrite)];
    let all = (0..81).map(|n| [n, n / 3, n / 9, n / 27].map(|n: usize| kinds[n % 3]));
    for faults in all {
        let (mut journal, commits) = four_commits();
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("tables.db"));
        let mut nothing = MemoryJournal::open(
            &MemoryDisk::new(),
            "live",
            OpenMode::Create {
                vault_key: Some(journal.identity().vault_key),
                algorithm: None,
                designation: None,
            },
        )
        .unwrap();
        // The first write gives the ledger its checkpoint.
        let faults_ahead: Vec<_> = std::iter::once(None).chain(faults).collect();
        let backend = target.filling(Extent::Whole).unwrap();
        let backend = Failing { backend, faults: faults_ahead.into_iter() };
        let tables: (_, Box<dyn Backend>) = (Extent::Whole, Box::new(backend));
        let mut projector = Projector::over(&mut nothing, "live", tables).unwrap();
        for (commit, fault) in commits.iter().zip(faults) {
            let done = projector.follow(commit);
            let failed = matches!(done, Err(ProjectError::Tables(_)));
            assert_eq!(failed, fault.is_some(), "{done:?}");
        }
        projector.catch_up(&mut journal).unwrap();
        assert_eq!(projector.at(), journal.head().unwrap(), "{faults:?}");
        prove(&mut journal, "live", &target).unwrap().expect("tables are there");
        let mut backend = target.reading().unwrap().unwrap();
        let found = Checkpoint::find(Extent::Whole, &mut *backend, "live").unwrap().unwrap();
        assert_eq!(found.head, journal.head().unwrap());
        let rows = backend.read("SELECT count(*) FROM outbox", &[]).unwrap();
        assert_eq!(rows, [[Cell::Integer(2)]], "paid and settled");
    }
}
