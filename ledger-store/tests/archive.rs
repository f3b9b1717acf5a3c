//! What has left memory is read back from the journal, and is what a memory of everything says.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ledger_core::accounting::Row as Line;
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive, ExternalId, Ledger, Operation, Record};
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use ledger_store::archive::MemoryArchive;
use ledger_store::digest::digest;
use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, MemoryDisk, Opening,
    PostgresJournal, Reopen, Row, Scrub, SqliteJournal, VaultRow,
};
use ledger_store::sequencer::Sequencer;
use ledger_store::vault::{LegalHold, OperatorNote};
use setup::rows_given::{RowsGiven, decoded, records_of};
use setup::{IDENTITY, LIVE, call, memory, mode, story, tick};

/// More records than stay in memory.
const LONG: usize = 70_000;

/// Steps of the story before and after them.
const STEPS: usize = 1_500;

/// Tells the story to `sequencer` with a long silence in its midst, and cuts and keeps what it
/// decides.
fn lived(sequencer: &mut Sequencer, mut keep: impl FnMut(&mut Sequencer)) -> Vec<String> {
    let mut answers = Vec::new();
    story::each_line(2 * STEPS, |text| {
        if answers.len() == STEPS {
            for number in 0..LONG {
                sequencer.execute(tick(sequencer)).unwrap();
                if number % 997 == 0 {
                    keep(sequencer);
                }
            }
        }
        let response = sequencer.call(&call(text));
        answers.push(response.body.to_string());
        keep(sequencer);
        response
    });
    answers
}

/// Lives through the story on `journal`, where what is written leaves memory.
fn lived_on(journal: &mut dyn Journal) -> (Sequencer, Vec<String>) {
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::open(journal, LIVE, |_, _| ()).unwrap();
    let durable = sequencer.durable();
    let mut waiting = 0;
    let answers = lived(&mut sequencer, |sequencer| {
        waiting += 1;
        if waiting % 64 == 0
            && let Some(commit) = sequencer.cut()
        {
            journal.append(&commit).unwrap();
            durable.store(commit.head().seq, Ordering::Release);
        }
    });
    if let Some(commit) = sequencer.cut() {
        journal.append(&commit).unwrap();
    }
    (sequencer, answers)
}

/// A memory of everything, from the journal's own bytes.
fn twin(journal: &mut dyn Journal) -> (Ledger<MemoryArchive>, Vec<Record>) {
    let mut ledger = Ledger::new(LIVE, MemoryArchive::new());
    let records = decoded(&records_of(&journal.read(1, usize::MAX).unwrap()));
    for record in &records {
        ledger.replay(record).unwrap();
    }
    (ledger, records)
}

/// Every answer of the sequencer's archive is that of a memory of everything.
fn assert_same(sequencer: &Sequencer, journal: &mut dyn Journal) {
    let (twin, records) = twin(journal);
    let (kept, all) = (&sequencer.ledger().archive, &twin.archive);
    let open = |op: OpId| twin.state.open(op).is_some();
    let ended: Vec<_> = all.ended_in_order().into_iter().filter(|(op, _)| !open(*op)).collect();
    assert!(ended.len() > 500, "{} operations ended", ended.len());
    for (op, operation) in ended {
        assert_eq!(kept.ended_operation(op), Some(operation.clone()), "{op:?}");
        // What moved it is a few records, and nothing else did.
        let moved = kept.records_of(op, Seq(u64::MAX));
        assert!(moved.len() < 100, "{} records moved {op:?}", moved.len());
        assert_eq!(Operation::after(op, &moved), Some(operation), "{op:?}");
        let last = moved.last().unwrap().seq;
        let before = &records[usize::try_from(op.seq().0).unwrap() - 1..][..];
        let before = before.iter().take_while(|record| record.seq < last);
        assert_eq!(Operation::after(op, &kept.records_of(op, last)), Operation::after(op, before));
    }
    let identities: Vec<_> = all.identities().collect();
    assert!(identities.len() > 100, "{} identities", identities.len());
    for (account, kind, id, op) in identities {
        assert_eq!(kept.identity(account, kind, id), Some(op));
        assert_eq!(kept.identity(account, kind, &format!("{id}x")), None);
        assert_eq!(kept.identity(AccountId(9), kind, id), None);
    }
    let facts = all.outside_in_order();
    assert!(facts.len() > 500, "{} facts", facts.len());
    for (outside, seq) in facts {
        assert_eq!(kept.fact_seq(outside), Some(seq));
    }
    for (subaccount, buckets) in twin.state.books.subaccounts() {
        assert_eq!(kept.customer(subaccount), all.customer(subaccount));
        assert_eq!(kept.balance_after(subaccount), all.balance_after(subaccount));
        let rows = |archive: &dyn Fn(u32) -> Option<Line>| {
            (0..=buckets.rows + 1).map(archive).collect::<Vec<_>>()
        };
        assert_eq!(rows(&|n| kept.row(subaccount, n)), rows(&|n| all.row(subaccount, n)));
        // At each instant of a row, and before the first.
        let dated = (1..=buckets.rows).filter_map(|n| all.row(subaccount, n)).map(|row| row.at);
        for at in dated.chain([Instant::from_micros(0).unwrap()]) {
            let asked = (subaccount, buckets.rows, at);
            let balance = |archive: &dyn Archive| archive.balance_at(asked.0, asked.1, asked.2);
            assert_eq!(balance(kept), balance(all), "{subaccount:?} at {at}");
        }
        // Newest first, as pages go.
        let back: Vec<_> = (1..=buckets.rows).rev().map(|n| kept.row(subaccount, n)).collect();
        assert!((1..=buckets.rows).rev().map(|n| all.row(subaccount, n)).eq(back));
    }
    for (account, known) in twin.state.books.commissions() {
        for number in 0..=known.rows + 1 {
            assert_eq!(kept.commission_row(account, number), all.commission_row(account, number));
        }
    }
    assert_eq!(kept.balance_after(SubaccountId(u32::MAX)), None::<Balance>);
    let beyond = Seq(records.len() as u64 + 1);
    assert_eq!(kept.ended_operation(OpId::new(Kind::Transfer, beyond)), None);
    assert_eq!(sequencer.fault(), None);
}

#[test]
fn a_ledger_whose_past_left_memory_answers_as_one_that_remembers_everything() {
    let mut undisturbed = setup::sequencer();
    let answers = lived(&mut undisturbed, |_| ());
    let folder = tempfile::tempdir().unwrap();
    let place = setup::server::database().parse().unwrap();
    let journals: [Box<dyn Journal>; 3] = [
        Box::new(memory(&MemoryDisk::new())),
        Box::new(SqliteJournal::open(folder.path().join("ledger.db"), LIVE, mode()).unwrap()),
        Box::new(PostgresJournal::open(&place, LIVE, mode()).unwrap()),
    ];
    for mut journal in journals {
        let (sequencer, answered) = lived_on(&mut *journal);
        assert_eq!(answered, answers);
        assert_eq!(sequencer.head(), undisturbed.head());
        assert_eq!(digest(sequencer.ledger()), digest(undisturbed.ledger()));
        assert_same(&sequencer, &mut *journal);
        let again = Sequencer::open(&mut *journal, LIVE, |_, _| ()).unwrap();
        assert_eq!(digest(again.ledger()), digest(sequencer.ledger()));
        assert_same(&again, &mut *journal);
    }
}

/// A journal whose rows change under whoever reads them.
struct Changing(Arc<Mutex<Vec<Row>>>);

impl Changing {
    fn given(&self) -> RowsGiven {
        RowsGiven::new(self.0.lock().unwrap().clone())
    }
}

impl Journal for Changing {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.given().open_writer()
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        self.given().claim(lease)
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        self.given().renew(lease)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.given().release()
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.given().lease_left()
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        self.given().append(commit)
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        Ok(false)
    }

    fn identity(&self) -> Identity {
        IDENTITY
    }

    fn reopen(&self) -> Reopen {
        let rows = Arc::clone(&self.0);
        Reopen::by(move || Ok(Self(Arc::clone(&rows))))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.given().head()
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        self.given().read(from_seq, max_rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.given().vault()
    }

    fn erase(&mut self, token: [u8; 16]) -> Result<bool, JournalError> {
        self.given().erase(token)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.given().scrub(scrub)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.given().holds()
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.given().place_hold(hold)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.given().release_hold(id, note)
    }
}

#[test]
fn a_journal_that_changed_underneath_is_not_believed() {
    let (mut sequencer, mut commits) = setup::lived_in_commits_of(1_000, STEPS);
    for _ in 0..LONG {
        sequencer.execute(tick(&sequencer)).unwrap();
    }
    commits.extend(sequencer.cut());
    let mut journal = memory(&MemoryDisk::new());
    setup::write(&mut journal, &commits);
    let rows = Arc::new(Mutex::new(journal.read(1, usize::MAX).unwrap()));
    let mut changing = Changing(Arc::clone(&rows));
    let mut sequencer = Sequencer::open(&mut changing, LIVE, |_, _| ()).unwrap();
    let (op, _) = twin(&mut changing).0.archive.ended_in_order().swap_remove(0);
    for row in rows.lock().unwrap().iter_mut() {
        let middle = row.payload.len() / 2;
        row.payload[middle] ^= 1;
    }
    assert_eq!(sequencer.ledger().archive.ended_operation(op), None);
    let fault = sequencer.fault().unwrap();
    assert!(fault.contains("record"), "{fault}");
    sequencer.execute(tick(&sequencer)).unwrap();
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sequencer.cut())).is_err());
}

const OPENED: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja","terms":{"carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#;

/// R$ 90.00 for the house, by an operator, under this id.
fn given(id: &str) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:00:01Z","fact":"fee.adjusted","body":{{"id":"{id}","account":"loja","effect_cents":9000,"actor":"bia","reason":"a gift","evidence":"case-1"}}}}"#
    )
}

fn transfer(id: &str) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:00:02Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{{"amount_cents":100,"to_customer_ref":"ana","external_id":"{id}"}}}}"#
    )
}

/// Returns what the sequencer answers: the transfer's id, or the outcome of a fact.
fn submit(sequencer: &mut Sequencer, line: &str) -> String {
    let response = sequencer.call(&call(line));
    assert_eq!(response.status, 200, "{line}: {}", response.body);
    let said = ["transfer_id", "outcome"].iter().find_map(|name| response.body[name].as_str());
    said.unwrap().to_owned()
}

#[test]
fn ids_in_other_letters_are_other_ids_for_ever() {
    let mut sequencer = setup::sequencer();
    submit(&mut sequencer, OPENED);
    for id in ["Gift", "gift"] {
        assert_eq!(submit(&mut sequencer, &given(id)), "applied", "{id}");
    }
    let ids = ["Abc", "abc", "ABC"];
    let made = ids.map(|id| submit(&mut sequencer, &transfer(id)));
    let mut journal = memory(&MemoryDisk::new());
    setup::write(&mut journal, &[sequencer.cut().unwrap()]);
    let mut again = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    for sequencer in [&mut sequencer, &mut again] {
        assert_eq!(ids.map(|id| submit(sequencer, &transfer(id))), made, "each is known by itself");
        assert_eq!(submit(sequencer, &given("gift")), "known");
        let ana = sequencer.ledger().archive.subaccount(AccountId(0), "ana").unwrap();
        let balance = sequencer.ledger().state.books.subaccount(ana).available;
        assert_eq!(balance.cents(), 300, "each moved its money, and once");
    }
}

/// The memory that a simulator and a test check the journal's archive by.
#[test]
fn a_memory_of_everything_keeps_what_is_written_in_other_letters_apart() {
    let mut memory = MemoryArchive::new();
    let names = ["Abc", "abc", "ABC"];
    let ops = [2, 3, 4].map(|seq| OpId::new(Kind::Transfer, Seq(seq)));
    for (index, (name, op)) in (0..).zip(names.into_iter().zip(ops)) {
        assert_eq!(memory.identity(AccountId(0), Kind::Transfer, name), None, "{name}");
        assert_eq!(memory.learn_identity(AccountId(0), Kind::Transfer, name, op), op, "{name}");
        assert_eq!(memory.learn_outside(&ExternalId::fact(name), op.seq()), op.seq(), "{name}");
        memory.name_subaccount(SubaccountId(index), AccountId(0), name);
    }
    for (index, (name, op)) in (0..).zip(names.into_iter().zip(ops)) {
        assert_eq!(memory.identity(AccountId(0), Kind::Transfer, name), Some(op), "{name}");
        assert_eq!(memory.fact_seq(&ExternalId::fact(name)), Some(op.seq()), "{name}");
        assert_eq!(memory.subaccount(AccountId(0), name), Some(SubaccountId(index)), "{name}");
    }
}

/// The first and the last record of a stretch, and those beside them.
const EDGES: [usize; 5] = [1_023, 1_024, 1_025, 2_048, 2_049];

#[test]
fn a_repeat_of_a_transfer_at_the_edge_of_a_stretch_is_answered() {
    let mut written = setup::sequencer();
    submit(&mut written, OPENED);
    submit(&mut written, &given("gift"));
    let mut made = Vec::new();
    while written.ledger().state.seq.0 < LONG as u64 {
        let next = usize::try_from(written.ledger().state.seq.0).unwrap() + 1;
        if EDGES.contains(&next) {
            made.push((next, submit(&mut written, &transfer(&format!("t-{next}")))));
        } else {
            written.execute(tick(&written)).unwrap();
        }
    }
    assert_eq!(made.len(), EDGES.len());
    let mut journal = memory(&MemoryDisk::new());
    setup::write(&mut journal, &[written.cut().unwrap()]);
    // A sequencer of its own for each: what one look-up has read back must not answer another.
    let folder = tempfile::tempdir().unwrap();
    let snapshots = ledger_store::snapshot::Snapshots::in_folder(folder.path().to_owned());
    snapshots.refresh(&mut journal, LIVE).unwrap();
    for (seq, id) in made {
        let (mut sequencer, _) =
            Sequencer::open_with(&mut journal, LIVE, &snapshots, |_, _| ()).unwrap();
        assert_eq!(submit(&mut sequencer, &transfer(&format!("t-{seq}"))), id);
        assert_eq!(sequencer.fault(), None);
    }
}
