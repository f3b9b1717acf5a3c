//! A database that fails before or after it wrote: what a projector makes of an answer that was
//! lost.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::target::Target;
use super::{Backend, Step, TablesFailed, Written};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Commit, Journal, MemoryDisk, MemoryJournal, OpenMode};
use crate::tables::projection::checkpoint::Checkpoint;
use crate::tables::projection::error::ProjectError;
use crate::tables::projection::projector::Projector;
use crate::tables::projection::prove::prove;
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::table::{Cell, Cells, Table};
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
    /// How many have struck.
    struck: Arc<AtomicUsize>,
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

    fn waits_briefly(&self) -> Option<&'static str> {
        self.backend.waits_briefly()
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
        let fault = self.faults.next().flatten();
        self.struck.fetch_add(usize::from(fault.is_some()), Ordering::Relaxed);
        match fault {
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

/// Makes commits of lines, one after the other.
fn committer<'a>(
    sequencer: &'a mut Sequencer,
    journal: &'a mut MemoryJournal,
) -> impl FnMut(&str) -> Commit + 'a {
    let mut charge = String::new();
    move |lines| {
        for line in lines.lines() {
            let line = Line::parse(&line.replace("ID", &charge), |_| Ok(String::new())).unwrap();
            let answer = sequencer.call(&line.call(Origin::Call));
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            if let Some(id) = answer.body["cashin_id"].as_str() {
                id.clone_into(&mut charge);
            }
        }
        let commit = sequencer.cut().unwrap();
        journal.append(&commit).unwrap();
        commit
    }
}

/// A journal of four commits, and the commits.
fn four_commits() -> (MemoryJournal, Vec<Commit>) {
    let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create()).unwrap();
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::new("live", journal.identity());
    let commits = LINES.map(committer(&mut sequencer, &mut journal)).into();
    (journal, commits)
}

/// A projector of a journal without records yet, whose key and chain are those of `journal`, and
/// what its writes meet after those that give the ledger its checkpoint and remove what is before.
fn projector(
    journal: &MemoryJournal,
    target: &Target,
    faults: &[Option<Fault>],
) -> (Projector, Arc<AtomicUsize>) {
    let vault_key = Some(journal.identity().vault_key);
    let mode = OpenMode::Create { vault_key, algorithm: None, designation: None };
    let mut nothing = MemoryJournal::open(&MemoryDisk::new(), "live", mode).unwrap();
    let faults: Vec<_> = [None; 2].into_iter().chain(faults.iter().copied()).collect();
    let struck = Arc::new(AtomicUsize::new(0));
    let backend = target.filling(Extent::Whole).unwrap();
    let backend = Failing { backend, faults: faults.into_iter(), struck: Arc::clone(&struck) };
    let tables: (_, Box<dyn Backend>) = (Extent::Whole, Box::new(backend));
    (Projector::over(&mut nothing, "live", tables).unwrap(), struck)
}

/// Asserts that a call failed just when a fault has struck during it.
fn failed_by_fault<T: Debug>(
    done: &Result<T, ProjectError>,
    struck: &AtomicUsize,
    before: &mut usize,
) {
    let now = struck.load(Ordering::Relaxed);
    assert_eq!(matches!(done, Err(ProjectError::Tables(_))), now > *before, "{done:?}");
    *before = now;
}

/// Asserts that the tables are what the journal says, and nothing twice.
fn is_whole(journal: &mut MemoryJournal, target: &Target, projector: &Projector) {
    assert_eq!(projector.at(), journal.head().unwrap());
    prove(journal, "live", target).unwrap().expect("tables are there");
    let mut backend = target.reading().unwrap().unwrap();
    let found = Checkpoint::find(Extent::Whole, &mut *backend, "live").unwrap().unwrap();
    assert_eq!(found.head, journal.head().unwrap());
    let rows = backend.read("SELECT count(*) FROM outbox", &[]).unwrap();
    assert_eq!(rows, [[Cell::Integer(2)]], "paid and settled");
    assert_eq!(projector.totals().records, journal.head().unwrap().seq, "each counts once");
    for index in Extent::Whole.tables().flat_map(Table::own_indexes) {
        assert!(backend.owns_index(index.name).unwrap(), "{} is there", index.name);
    }
}

#[test]
fn whatever_faults_strike_every_commit_is_projected_once() {
    let kinds = [None, Some(Fault::BeforeWrite), Some(Fault::AfterWrite)];
    let all = (0..81).map(|n| [n, n / 3, n / 9, n / 27].map(|n: usize| kinds[n % 3]));
    for faults in all {
        let (mut journal, commits) = four_commits();
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("tables.db"));
        let (mut projector, struck) = projector(&journal, &target, &faults);
        let mut before = 0;
        for commit in &commits {
            failed_by_fault(&projector.follow(commit), &struck, &mut before);
        }
        while before < faults.iter().flatten().count() {
            failed_by_fault(&projector.catch_up(&mut journal), &struck, &mut before);
        }
        projector.catch_up(&mut journal).unwrap();
        is_whole(&mut journal, &target, &projector);
    }
}

#[test]
fn what_is_replayed_ahead_of_a_failing_write_is_written_once() {
    let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create()).unwrap();
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::new("live", journal.identity());
    let mut commit = committer(&mut sequencer, &mut journal);
    for line in LINES {
        drop(commit(line));
    }
    let there = LINES[3].replace("700", "1");
    let back = r#"{"at":"2026-11-20T12:00:03Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"bia","to_customer_ref":"ana","amount_cents":1}}"#;
    // Three transactions are filled, and a fourth begun.
    for _ in 0..14 {
        drop(commit(&vec![[there.as_str(), back].join("\n"); 50].join("\n")));
    }
    drop(commit);
    // The first drops indexes, and six make them again.
    for place in 0..11 {
        for fault in [Fault::BeforeWrite, Fault::AfterWrite] {
            let folder = tempfile::tempdir().unwrap();
            let target = Target::Sqlite(folder.path().join("tables.db"));
            let mut faults = vec![None; place];
            faults.push(Some(fault));
            let (mut projector, struck) = projector(&journal, &target, &faults);
            let filled = projector.catch_up(&mut journal);
            assert_eq!(struck.load(Ordering::Relaxed), 1, "the fault at write {place} has struck");
            // Indexes that are not dropped only cost time.
            assert_eq!(filled.is_ok(), place == 0, "write {place}: {filled:?}");
            projector.catch_up(&mut journal).unwrap();
            is_whole(&mut journal, &target, &projector);
        }
    }
}
