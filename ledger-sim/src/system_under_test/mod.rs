//! What is under test: the real core, the real codec and a journal that survives its writer.

#[cfg(test)]
pub(super) mod batching;
pub(super) mod store;
use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::invariants::Violation;
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::{Command, Execution, Ledger, Prefetched, Record, State, invariants};
use ledger_store::archive::MemoryArchive;
use ledger_store::chain::{Chain, Link};
use ledger_store::codec;
use ledger_store::frame::{FrameWriter, Row};
use ledger_store::journal::{AppendError, Commit, Head, Journal};
use ledger_store::sequencer::Sequencer;

use crate::failure::wrong::Mismatch;
use crate::failure::wrong::caught;
use crate::machine::is_in_time;
use crate::settings::Judges;
use crate::system_under_test::store::{Medium, NAME, Store, describe_error};

/// A ledger with its journal, as an engine would keep them.
pub(crate) struct SystemUnderTest {
    pub(crate) ledger: Ledger<MemoryArchive>,
    /// What the checks of the outcome know of the records so far.
    outcomes: Outcomes,
    /// Tells whether invariants over the books are checked as well.
    pub(crate) judges: Judges,
    /// The latest instant that true time allows a record, where a machine serves.
    pub(crate) latest: Option<ledger_core::time::Instant>,
    /// What was read back from the journal so far, or a snapshot, and where: a crash reads on from
    /// there.
    read_back: ReadBack,
    journal: Box<dyn Journal>,
    durable: Head,
    writer: FrameWriter,
    /// Encoded records that are not yet durable, and where each ends.
    waiting: Vec<u8>,
    ends: Vec<usize>,
    /// Last, so that the journal is closed before its file is removed.
    medium: Medium,
}

/// A ledger as its journal has it, and the checks of the outcome with it.
struct ReadBack {
    ledger: Ledger<MemoryArchive>,
    outcomes: Outcomes,
    chain: Chain,
}

/// Which records are decoded as soon as they are encoded.
const PROVE_EVERY: u64 = 16;
/// What the checks of the outcome say begins so.
const OUTCOME: &str = "outcome ";

/// How an append goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageFault {
    /// It lands, and the writer learns that nobody knows.
    AnswerLost,
    /// Nothing lands, and the writer learns that nobody knows.
    Torn,
    /// Nothing lands, and the writer learns so.
    DiskFull,
}

impl SystemUnderTest {
    /// An empty ledger on an empty medium.
    pub(crate) fn new(store: &Store) -> Result<Self, Mismatch> {
        Self::with_name(store, NAME)
    }

    /// The same under another name.
    pub(crate) fn with_name(store: &Store, name: &str) -> Result<Self, Mismatch> {
        let medium = Medium::new(store, name);
        let (journal, durable, chain) = open(&medium)?;
        if durable.seq > 0 {
            return Err(format!("{store} holds a simulated ledger already: give it an empty one"));
        }
        let empty = || Ledger::new(name, MemoryArchive::new());
        Ok(Self {
            ledger: empty(),
            outcomes: Outcomes::of_this_version(),
            judges: Judges::All,
            latest: None,
            read_back: ReadBack { ledger: empty(), outcomes: Outcomes::of_this_version(), chain },
            journal,
            durable,
            writer: FrameWriter::new(chain),
            waiting: Vec::new(),
            ends: Vec::new(),
            medium,
        })
    }

    /// A living ledger on a disk of its own that holds nothing yet.
    pub(crate) fn over(
        ledger: Ledger<MemoryArchive>,
        outcomes: Outcomes,
    ) -> Result<Self, Mismatch> {
        Ok(Self { ledger, outcomes, ..Self::new(&Store::Memory)? })
    }

    /// The same with these judges.
    pub(crate) fn judged_by(self, judges: Judges) -> Self {
        Self { judges, ..self }
    }

    /// The ledger with the checks of its outcome.
    pub(crate) fn into_parts(self) -> (Ledger<MemoryArchive>, Outcomes) {
        (self.ledger, self.outcomes)
    }

    /// Executes `command`, checks the invariants on what each record touched, and encodes the
    /// records.
    pub(crate) fn execute(&mut self, command: Command) -> Result<Execution, Mismatch> {
        let mut execution = Execution::quiet();
        self.execute_into(command, &mut execution)?;
        Ok(execution)
    }

    /// [`SystemUnderTest::execute`], its outcome written over `execution`, whose room is used
    /// again.
    pub(crate) fn execute_into(
        &mut self,
        command: Command,
        execution: &mut Execution,
    ) -> Result<(), Mismatch> {
        let ledger = &mut self.ledger;
        caught(|| {
            ledger.execute_into(command, Prefetched::default(), execution);
            Ok(())
        })?;
        let mut given = execution.instructions.as_slice();
        for record in &execution.records {
            let (own, rest) = given.split_at(given.partition_point(|it| it.seq <= record.seq));
            given = rest;
            self.outcomes.keeps(record, own).map_err(outcome_mismatch)?;
            is_in_time(record, self.latest).map_err(outcome_mismatch)?;
            self.keep(record)?;
            if self.judges == Judges::All {
                invariants::check_touched(&self.ledger.state, &self.ledger.archive, record)
                    .map_err(invariant_mismatch)?;
            }
        }
        Ok(())
    }

    /// Encodes a record, and proves of one in [`PROVE_EVERY`] that it decodes to itself: what is
    /// read back after a crash and at the end leads to the same state, but does not show every
    /// field.
    fn keep(&mut self, record: &Record) -> Result<(), Mismatch> {
        let start = self.waiting.len();
        codec::encode(record, &mut self.waiting);
        self.ends.push(self.waiting.len());
        if !record.seq.0.is_multiple_of(PROVE_EVERY) {
            return Ok(());
        }
        let decoded = codec::decode(record.seq, &self.waiting[start..]);
        let decoded = decoded.map_err(|error| format!("record {:?}: {error}", record.seq))?;
        if decoded != *record {
            return Err(format!("record {:?} decodes as another: {decoded:?}", record.seq));
        }
        Ok(())
    }

    /// How many records are not yet durable.
    pub(crate) fn waiting(&self) -> usize {
        self.ends.len()
    }

    /// The number of the last durable record.
    pub(crate) fn durable(&self) -> u64 {
        self.durable.seq
    }

    /// Makes the first `count` waiting records durable, in one commit of one row.
    pub(crate) fn append(&mut self, count: usize) -> Result<(), Mismatch> {
        let Some(commit) = self.cut(count) else { return Ok(()) };
        self.journal.append(&commit).map_err(|error| append_mismatch(&error))?;
        self.record_durable(&commit, count);
        Ok(())
    }

    /// The same with a mishap; says whether the records are durable. Where they are not, everything
    /// since the last durable record is lost, and the journal must be opened anew.
    pub(crate) fn append_with(
        &mut self,
        count: usize,
        mishap: StorageFault,
    ) -> Result<bool, Mismatch> {
        let Some(commit) = self.cut(count) else { return Ok(true) };
        let (expected, reported) = match mishap {
            StorageFault::AnswerLost => {
                self.journal.append(&commit).map_err(|error| append_mismatch(&error))?;
                (commit.head(), self.taken_over()?)
            }
            StorageFault::Torn => (commit.previous, self.taken_over()?),
            StorageFault::DiskFull => {
                (commit.previous, self.journal.head().map_err(|e| describe_error(&e))?)
            }
        };
        if reported != expected {
            return Err(format!("after {mishap:?} the head is {reported:?}, not {expected:?}"));
        }
        if expected == commit.head() {
            self.record_durable(&commit, count);
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns what an engine does that cannot know what became of its commit: the head is read
    /// back by taking over anew, and cannot be contradicted later.
    fn taken_over(&mut self) -> Result<Head, Mismatch> {
        Ok(self.journal.open_writer().map_err(|error| describe_error(&error))?.head)
    }

    fn cut(&mut self, count: usize) -> Option<Commit> {
        let mut start = 0;
        for end in &self.ends[..count] {
            self.writer.push(&self.waiting[start..*end]);
            start = *end;
        }
        let rows: Vec<Row> = self.writer.cut().into_iter().collect();
        (count > 0).then(|| Commit { previous: self.durable, rows, vault: Vec::new() })
    }

    fn record_durable(&mut self, commit: &Commit, count: usize) {
        self.durable = commit.head();
        let start = self.ends[count - 1];
        self.waiting.drain(..start);
        self.ends.drain(..count);
        for end in &mut self.ends {
            *end -= start;
        }
    }

    /// Saves what stands now, all of it durable, and restores it as what a crash reads on from.
    pub(crate) fn take_snapshot(&mut self) -> Result<(), Mismatch> {
        debug_assert_eq!(self.waiting(), 0, "a snapshot is of what is durable");
        let live = &self.ledger.state;
        let open = live.open_operations().map(|(op, operation)| (op, operation.clone()));
        let state = State::restore(live.name.clone(), live.snapshot(), open);
        let state = state.ok_or("what was put away is not the state of a ledger")?;
        same(live, &state)?;
        let chain = self.durable.chain(self.read_back.chain.algorithm());
        let ledger = Ledger::from_state(state, self.ledger.archive.clone());
        self.read_back = ReadBack { ledger, outcomes: self.outcomes.clone(), chain };
        Ok(())
    }

    /// Loses all that is not durable, opens the medium anew and replays what it holds: on from
    /// where the last crash ended or a snapshot was taken, so that no record is read back twice
    /// before a run's end. The writer left behind must be fenced, whatever it still wanted to say.
    pub(crate) fn crash(&mut self) -> Result<(), Mismatch> {
        let (mut journal, found, chain) = open(&self.medium)?;
        if found != self.durable {
            return Err(format!("the disk ends at {found:?}, {:?} was durable", self.durable));
        }
        replay(&mut *journal, &mut self.read_back, chain)?;
        match self.journal.append(&self.last_words(chain)) {
            Err(AppendError::Fenced { .. }) => {}
            other => return Err(format!("the writer left behind was not fenced: {other:?}")),
        }
        self.ledger = self.read_back.ledger.clone();
        self.outcomes = self.read_back.outcomes.clone();
        self.journal = journal;
        self.writer = FrameWriter::new(chain);
        self.waiting.clear();
        self.ends.clear();
        Ok(())
    }

    /// Returns what the writer has not made durable yet; some words where that is nothing.
    fn last_words(&self, chain: Chain) -> Commit {
        let mut stale = FrameWriter::new(chain);
        match self.ends.first() {
            Some(end) => stale.push(&self.waiting[..*end]),
            None => stale.push(b"what the old writer still wanted to say"),
        };
        let rows = stale.cut().into_iter().collect();
        Commit { previous: self.durable, rows, vault: Vec::new() }
    }

    /// Reads on in the journal from where the last crash ended, beside the living ledger: every
    /// balance must be the same, and the chain end where it is known to.
    pub(crate) fn reads_back_to_itself(&mut self) -> Result<(), Mismatch> {
        let end = self.durable.chain(self.read_back.chain.algorithm());
        replay(&mut *self.journal, &mut self.read_back, end)?;
        same(&self.ledger.state, &self.read_back.ledger.state)
    }

    /// Replays the whole journal into the sequencer that an engine keeps, beside the living ledger:
    /// every balance must be the same, and the chain end where it is known to.
    pub(crate) fn replays_to_itself(&mut self) -> Result<(), Mismatch> {
        let sequencer = Sequencer::open(&mut *self.journal, self.medium.name(), |_, _| ());
        let sequencer = sequencer.map_err(|error| describe_error(&error))?;
        if sequencer.head() != self.durable {
            return Err(format!("a replay ends at {:?}, not {:?}", sequencer.head(), self.durable));
        }
        same(&self.ledger.state, &sequencer.ledger().state)
    }

    /// Checks every invariant over everything.
    pub(crate) fn check_all(&self) -> Result<(), Mismatch> {
        let (state, archive) = (&self.ledger.state, &self.ledger.archive);
        invariants::check_all(state, archive).map_err(invariant_mismatch)?;
        invariants::check_statements(state, archive).map_err(invariant_mismatch)
    }

    /// No instruction of an operation that is over is left neither answered nor called off.
    pub(crate) fn forgets_nothing(&self) -> Result<(), Mismatch> {
        let over = |op: OpId| self.ledger.state.open(op).is_none();
        let forgotten = self.outcomes.open().find(|(op, _)| over(*op));
        let Some((op, what)) = forgotten else { return Ok(()) };
        let what = format!("{op:?} is over, and still somebody should {what}");
        Err(outcome_mismatch(Violation { invariant: "OUT-06", what }))
    }

    /// The link after the last durable record.
    pub(crate) fn head(&self) -> Link {
        self.durable.link
    }
}

fn open(medium: &Medium) -> Result<(Box<dyn Journal>, Head, Chain), Mismatch> {
    let mut journal = medium.open()?;
    let opening = journal.open_writer().map_err(|error| describe_error(&error))?;
    Ok((journal, opening.head, opening.head.chain(opening.algorithm)))
}

fn append_mismatch(error: &AppendError) -> Mismatch {
    format!("an append failed: {}", describe_error(error))
}

fn same(live: &State, again: &State) -> Result<(), Mismatch> {
    let live_custody: Vec<_> = live.books.subaccounts().collect();
    let same = live.seq == again.seq
        && live.now == again.now
        && live_custody == again.books.subaccounts().collect::<Vec<_>>()
        && live.books.flights().eq(again.books.flights())
        && live.books.commissions().eq(again.books.commissions())
        && live.open_operations().eq(again.open_operations())
        && live.deadlines().eq(again.deadlines());
    if same { Ok(()) } else { Err("what was read back ends elsewhere".into()) }
}

/// Reads on in the journal; the chain must lead to where it is known to end.
fn replay(
    journal: &mut dyn Journal,
    ReadBack { ledger, outcomes, chain }: &mut ReadBack,
    end: Chain,
) -> Result<(), Mismatch> {
    loop {
        let rows = journal.read(chain.seq() + 1, 64).map_err(|error| error.to_string())?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            let mut wrong = None;
            let sound = row.verify(chain, |frame, _| {
                if wrong.is_none() {
                    wrong = replay_one(ledger, outcomes, frame.seq, frame.record).err();
                }
            });
            sound.map_err(|error| error.to_string())?;
            wrong.map_or(Ok(()), Err)?;
        }
    }
    if *chain == end { Ok(()) } else { Err(format!("replay ends at {chain:?}, not {end:?}")) }
}

fn replay_one(
    ledger: &mut Ledger<MemoryArchive>,
    outcomes: &mut Outcomes,
    seq: u64,
    bytes: &[u8],
) -> Result<(), Mismatch> {
    let record = codec::decode(Seq(seq), bytes).map_err(|error| format!("{seq}: {error}"))?;
    let replayed = ledger.replay(&record);
    replayed.map_err(|corrupt| format!("record {seq} is not replayed: {corrupt}"))?;
    outcomes.keeps(&record, &ledger.instructions(&record)).map_err(outcome_mismatch)
}

/// Tells whether a check of the outcome says so.
pub(crate) fn is_of_the_outcome(wrong: &str) -> bool {
    wrong.starts_with(OUTCOME)
}

fn outcome_mismatch(violation: Violation) -> Mismatch {
    let Violation { invariant, what } = violation;
    format!("{OUTCOME}{invariant}: {what}")
}

fn invariant_mismatch(violation: Violation) -> Mismatch {
    let Violation { invariant, what } = violation;
    format!("invariant {invariant}: {what}")
}
