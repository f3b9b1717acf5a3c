//! A journal that holds, loses or half-acknowledges appends on command.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, MemoryJournal, OpenError, Opening,
    Reopen, Row, Scrub, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};

/// How long a test waits for what must come.
const LONG: Duration = Duration::from_secs(30);

/// What becomes of an append.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// The medium refuses it.
    Failed,
    /// It is written, and nobody hears of it.
    UnknownLanded,
    /// It is lost, and nobody knows.
    UnknownLost,
    /// The journal panics.
    Panic,
}

#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // Each is a fault of its own, and any may be set.
struct GateState {
    closed: bool,
    /// How many appends pass although the gate is closed.
    admitted: usize,
    unreadable: usize,
    /// Readers up to the end of the journal wait there.
    end_held: bool,
    at_the_end: usize,
    unopenable: bool,
    /// Held by each journal that was opened once more.
    readers: Arc<()>,
    /// How often a writer's journal gave back what it can get again.
    rests: usize,
    untakable: bool,
    epoch_unreadable: bool,
    unerasable: bool,
    unrenewable: bool,
    /// How late the next claim or renewal is answered; those after it fail.
    answers_late: Option<Duration>,
    renewals: usize,
    epochs_read: usize,
    begun: usize,
    waiting: usize,
    records: Vec<u64>,
    fates: VecDeque<Fate>,
}

/// Commands the journals made of it; clones command together.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<GateState>, Condvar)>);

impl Gate {
    /// A journal behind this gate.
    pub fn journal(&self, inner: MemoryJournal) -> Box<dyn Journal> {
        self.before(Box::new(inner))
    }

    /// The same of a journal of whatever kind.
    pub fn before(&self, inner: Box<dyn Journal>) -> Box<dyn Journal> {
        Box::new(Gated { gate: self.clone(), inner, reader: None })
    }

    /// From now on appends wait.
    pub fn close(&self) {
        self.state().closed = true;
    }

    pub fn open(&self) {
        self.state().closed = false;
        self.0.1.notify_all();
    }

    /// Lets one append pass the closed gate: the one that waits, or the next.
    pub fn admit_one(&self) {
        self.state().admitted += 1;
        self.0.1.notify_all();
    }

    /// Waits until so many appends were begun, and the last of them stands before the closed gate.
    pub fn wait_until_begun(&self, count: usize) {
        let not_yet = |now: &mut GateState| now.begun < count || now.waiting == 0;
        let waited = self.0.1.wait_timeout_while(self.state(), LONG, not_yet);
        assert!(!waited.unwrap().1.timed_out(), "there are no {count} appends");
    }

    /// What becomes of the next appends, in order; those after them pass.
    pub fn next(&self, fates: impl IntoIterator<Item = Fate>) {
        self.state().fates.extend(fates);
    }

    /// From now on the journal cannot be read.
    pub fn make_unreadable(&self) {
        self.state().unreadable = usize::MAX;
    }

    /// The next read fails, and those after it pass.
    pub fn fail_a_read(&self) {
        self.state().unreadable = 1;
    }

    /// From now on whoever has read up to the end of the journal waits there.
    pub fn hold_at_the_end(&self) {
        self.state().end_held = true;
    }

    pub fn wait_for_a_reader_at_the_end(&self) {
        let none = |now: &mut GateState| now.at_the_end == 0;
        let waited = self.0.1.wait_timeout_while(self.state(), LONG, none);
        assert!(!waited.unwrap().1.timed_out(), "nobody reads up to the end");
    }

    pub fn let_readers_go(&self) {
        self.state().end_held = false;
        self.0.1.notify_all();
    }

    fn wait_at_the_end(&self) {
        let mut state = self.state();
        state.at_the_end += 1;
        self.0.1.notify_all();
        let held = |now: &mut GateState| now.end_held;
        let mut state = self.0.1.wait_timeout_while(state, LONG, held).unwrap().0;
        state.at_the_end -= 1;
    }

    /// From now on the journal cannot be opened once more.
    pub fn make_unopenable(&self) {
        self.state().unopenable = true;
    }

    pub fn make_openable(&self) {
        self.state().unopenable = false;
    }

    fn open_once_more(&self) -> Result<Arc<()>, OpenError> {
        let (server, source) = ("here".to_owned(), "no connection is left".into());
        let state = self.state();
        if state.unopenable {
            return Err(OpenError::Unreachable { server, source });
        }
        Ok(Arc::clone(&state.readers))
    }

    /// How many journals that were opened once more are open.
    pub fn open_readers(&self) -> usize {
        Arc::strong_count(&self.state().readers) - 1
    }

    /// How often an engine has rested.
    pub fn rests(&self) -> usize {
        self.state().rests
    }

    /// Waits until an engine has rested more often than so.
    pub fn wait_for_a_rest_after(&self, rests: usize) {
        let not_yet = |now: &mut GateState| now.rests <= rests;
        let waited = self.0.1.wait_timeout_while(self.state(), LONG, not_yet);
        assert!(!waited.unwrap().1.timed_out(), "the engine does not rest");
    }

    /// From now on the journal cannot be taken over.
    pub fn make_untakable(&self) {
        self.state().untakable = true;
    }

    /// From now on nobody can tell whether another writer has taken over.
    pub fn make_epoch_unreadable(&self) {
        self.state().epoch_unreadable = true;
    }

    /// The next erasure fails.
    pub fn fail_an_erasure(&self) {
        self.state().unerasable = true;
    }

    /// From now on no lease is renewed.
    pub fn stop_renewals(&self) {
        self.state().unrenewable = true;
    }

    /// The next claim or renewal is answered so late, and no lease is renewed after it.
    pub fn answer_late(&self, delay: Duration) {
        self.state().answers_late = Some(delay);
    }

    /// Tells whether what was to be answered late has been asked.
    pub fn was_asked(&self) -> bool {
        self.state().answers_late.is_none()
    }

    /// Lets an answer come late that is to.
    fn wait_with_the_answer(&self) {
        let late = self.state().answers_late.take();
        if let Some(delay) = late {
            self.state().unrenewable = true;
            std::thread::sleep(delay);
        }
    }

    pub fn let_renewals_pass(&self) {
        self.state().unrenewable = false;
    }

    /// How many renewals of leases were tried.
    pub fn renewals(&self) -> usize {
        self.state().renewals
    }

    /// How often it was asked who wrote last.
    pub fn epochs_read(&self) -> usize {
        self.state().epochs_read
    }

    pub fn make_epoch_readable(&self) {
        self.state().epoch_unreadable = false;
    }

    /// Waits until an append stands before the closed gate.
    pub fn wait_for_an_append(&self) {
        let waited = self.0.1.wait_timeout_while(self.state(), LONG, |now| now.waiting == 0);
        assert!(!waited.unwrap().1.timed_out(), "no append comes");
    }

    /// How many appends were begun.
    pub fn begun(&self) -> usize {
        self.state().begun
    }

    /// How many records each append held, in order.
    pub fn records(&self) -> Vec<u64> {
        self.state().records.clone()
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.0.0.lock().unwrap()
    }

    fn pass(&self, commit: &Commit) -> Option<Fate> {
        let mut state = self.state();
        state.begun += 1;
        state.records.push(commit.rows.iter().map(|row| u64::from(row.count)).sum());
        state.waiting += 1;
        self.0.1.notify_all();
        let shut = |now: &mut GateState| now.closed && now.admitted == 0;
        // A test that failed with the gate closed must end: its engine waits for this append.
        let (opened, waited) = self.0.1.wait_timeout_while(state, LONG, shut).unwrap();
        state = opened;
        if waited.timed_out() {
            drop(state);
            panic!("nobody opens the gate");
        }
        state.admitted = state.admitted.saturating_sub(1);
        state.waiting -= 1;
        state.fates.pop_front()
    }
}

struct Gated {
    gate: Gate,
    inner: Box<dyn Journal>,
    /// Counts it where it was opened once more, for reading.
    reader: Option<Arc<()>>,
}

impl Journal for Gated {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        if self.gate.state().untakable {
            return Err(JournalError::Medium("the disk is gone".into()));
        }
        self.inner.open_writer()
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        if self.gate.state().untakable {
            return Err(JournalError::Medium("the disk is gone".into()));
        }
        let claimed = self.inner.claim(lease);
        self.gate.wait_with_the_answer();
        claimed
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        let mut state = self.gate.state();
        state.renewals += 1;
        if state.unrenewable {
            return Err(JournalError::Medium("the disk is away".into()));
        }
        drop(state);
        let renewed = self.inner.renew(lease);
        self.gate.wait_with_the_answer();
        renewed
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.inner.release()
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.inner.lease_left()
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        match self.gate.pass(commit) {
            None => self.inner.append(commit),
            Some(Fate::Failed) => Err(AppendError::Failed("the disk is full".into())),
            Some(Fate::UnknownLanded) => {
                self.inner.append(commit)?;
                Err(AppendError::Unknown("the connection is lost".into()))
            }
            Some(Fate::UnknownLost) => Err(AppendError::Unknown("the connection is lost".into())),
            Some(Fate::Panic) => panic!("the journal panics, as the test asked"),
        }
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        self.gate.state().epochs_read += 1;
        if self.gate.state().epoch_unreadable {
            return Err(JournalError::Medium("the epoch cannot be read".into()));
        }
        self.inner.is_last_writer()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn reopen(&self) -> Reopen {
        let (gate, inner) = (self.gate.clone(), self.inner.reopen());
        Reopen::by(move || {
            let reader = Some(gate.open_once_more()?);
            Ok(Self { gate: gate.clone(), inner: inner.open()?, reader })
        })
    }

    fn rest(&mut self) {
        if self.reader.is_none() {
            self.gate.state().rests += 1;
            self.gate.0.1.notify_all();
        }
        self.inner.rest();
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.inner.head()
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let mut state = self.gate.state();
        if state.unreadable > 0 {
            state.unreadable -= 1;
            return Err(JournalError::Medium("the disk is gone".into()));
        }
        drop(state);
        let rows = self.inner.read(from_seq, max_rows)?;
        if rows.is_empty() {
            self.gate.wait_at_the_end();
        }
        Ok(rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.inner.vault()
    }

    fn erase(&mut self, token: [u8; 16]) -> Result<bool, JournalError> {
        if std::mem::take(&mut self.gate.state().unerasable) {
            return Err(JournalError::Medium("the disk is gone".into()));
        }
        self.inner.erase(token)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.inner.scrub(scrub)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.inner.holds()
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.inner.place_hold(hold)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.inner.release_hold(id, note)
    }
}
