//! Checkpoints sent to a witness that refuses, goes away and comes back.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ledger_http::courier::Patience;
use ledger_http::witness::{WitnessSettings, WitnessTask};
use ledger_proofs::checkpoints::CheckpointsTable;
use ledger_store::projection::Target;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;
use tempfile::TempDir;

use crate::receiver::{Receiver, Reply};

const PATH: &str = "/notes";

/// A table of checkpoints, and what was said of those that were not taken.
struct Signed {
    folder: TempDir,
    table: CheckpointsTable,
    said: Arc<Mutex<Vec<String>>>,
}

impl Signed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        Self { folder, table: CheckpointsTable::open(&target).unwrap(), said: Arc::default() }
    }

    /// Signs a checkpoint of a ledger; its text.
    fn sign(&self, ledger: &str, records: u64) -> String {
        let signer = Signer::new("ledger.example.com", [7; 32]).unwrap().of_ledger(ledger, ledger);
        let text = format!("ledger.example.com/{ledger}/{ledger}\n{records}\nroot\n");
        let note = Note::sign(&text, &signer);
        self.table.add(ledger, records, &note).unwrap();
        note.to_string()
    }

    fn begin(&self, receiver: &Receiver) -> WitnessTask {
        self.begin_looking(receiver, Duration::from_millis(10))
    }

    fn begin_looking(&self, receiver: &Receiver, look: Duration) -> WitnessTask {
        let url = format!("http://{}{PATH}", receiver.address);
        let ledgers = vec!["live".to_owned(), "sandbox".to_owned()];
        let mut settings = WitnessSettings::new(&url, ledgers).unwrap();
        let half = Duration::from_millis(500);
        settings.look = look;
        settings.patience = Patience { connect: half, whole: half };
        settings.first_wait = Duration::from_millis(20);
        settings.longest_wait = Duration::from_millis(80);
        let said = Arc::clone(&self.said);
        let note = move |not_sent: &_| said.lock().unwrap().push(format!("{not_sent}"));
        WitnessTask::start(self.table.clone(), settings, note).unwrap()
    }
}

/// Returns what came to a witness, without what it was sent again.
fn taken(receiver: &Receiver) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for seen in receiver.seen_on(PATH) {
        if !notes.contains(&seen.body) {
            notes.push(seen.body);
        }
    }
    notes
}

fn until(what: &str, is: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is() {
        assert!(Instant::now() < end, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_witness_is_sent_each_note_in_order_and_one_that_it_refuses_again_until_it_takes_it() {
    let (signed, witness) = (Signed::new(), Receiver::start());
    let first = [signed.sign("live", 3), signed.sign("live", 9)];
    for status in [500, 302, 404] {
        let reply = Reply::with_status(status).with("location", "http://127.0.0.1:1/elsewhere");
        witness.next(PATH, reply);
    }
    let task = signed.begin(&witness);
    until("both come", || taken(&witness).len() == 2);
    task.stop();
    assert_eq!(taken(&witness), first);
    // Refused three times, then taken: the second was never sent before the first was taken.
    let sent: Vec<String> = witness.seen_on(PATH).into_iter().map(|seen| seen.body).collect();
    assert_eq!(sent, [&first[0], &first[0], &first[0], &first[0], &first[1]].map(String::as_str));
    let said = signed.said.lock().unwrap().clone();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("of live at 3 records was not taken: ") && said[0].ends_with(" 500"));
}

#[test]
fn what_was_signed_last_is_sent_as_it_stops_and_what_could_not_be_by_the_next() {
    let (signed, away) = (Signed::new(), Receiver::start());
    away.always(PATH, Reply::with_status(503));
    let task = signed.begin(&away);
    let note = signed.sign("sandbox", 5);
    task.stop();
    assert!(away.seen_on(PATH).iter().any(|seen| seen.body == note));
    // Another process, with more to send; a ledger whose notes cannot be sent keeps no other back.
    let back = Receiver::start();
    let more = [signed.sign("live", 1), signed.sign("sandbox", 6)];
    let task = signed.begin(&back);
    until("all come", || taken(&back).len() == 3);
    task.stop();
    assert_eq!(taken(&back), [more[0].clone(), note, more[1].clone()]);
    // A third finds nothing to do.
    let before = back.seen_on(PATH).len();
    signed.begin(&back).stop();
    assert_eq!(back.seen_on(PATH).len(), before);
    assert!(signed.folder.path().join("ledger.db").exists());
}

#[test]
fn a_table_that_cannot_be_read_is_reported_and_ends_nothing() {
    let (signed, witness) = (Signed::new(), Receiver::start());
    let target = Target::Sqlite(signed.folder.path().join("ledger.db"));
    let mut tables = ledger_store::ServiceTables::open(
        &target,
        "spoiled",
        &["CREATE TABLE spoiled (x TEXT)", "DROP TABLE ledger_checkpoint"],
    )
    .unwrap();
    let task = signed.begin(&witness);
    until("it is reported", || !signed.said.lock().unwrap().is_empty());
    assert!(signed.said.lock().unwrap()[0].contains("the checkpoints of live cannot be sent"));
    // Made anew, it is gone on with.
    let making = "CREATE TABLE ledger_checkpoint (ledger TEXT, records BIGINT, note TEXT, \
        PRIMARY KEY (ledger, records))";
    tables.write(&[(making.to_owned(), Vec::new())]).unwrap();
    let note = signed.sign("live", 2);
    until("it is sent", || taken(&witness) == [note.clone()]);
    task.stop();
}

#[test]
fn what_is_signed_between_two_looks_is_sent_as_it_stops() {
    let (signed, witness) = (Signed::new(), Receiver::start());
    let first = signed.sign("live", 1);
    let task = signed.begin_looking(&witness, Duration::from_mins(10));
    until("the first comes", || taken(&witness).len() == 1);
    let last = signed.sign("live", 2);
    task.stop();
    assert_eq!(taken(&witness), [first, last]);
}

#[test]
fn a_ledger_whose_notes_cannot_be_read_keeps_no_other_back() {
    let (signed, witness) = (Signed::new(), Receiver::start());
    let note = signed.sign("sandbox", 3);
    let target = Target::Sqlite(signed.folder.path().join("ledger.db"));
    let making = ["CREATE TABLE spoiled (x TEXT)"];
    let mut tables = ledger_store::ServiceTables::open(&target, "spoiled", &making).unwrap();
    let spoiling = "INSERT INTO ledger_checkpoint (ledger, records, note) VALUES ('live', 1, 'x')";
    tables.write(&[(spoiling.to_owned(), Vec::new())]).unwrap();
    let task = signed.begin(&witness);
    until("the other is sent", || taken(&witness) == [note.clone()]);
    task.stop();
    let said = signed.said.lock().unwrap().clone();
    assert!(said[0].contains("the checkpoints of live cannot be sent"), "{said:?}");
}
