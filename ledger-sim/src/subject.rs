//! What is under test: the real core, the real codec and a journal that survives its writer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ledger_core::id::Seq;
use ledger_core::ledger::laws::{self, Violation};
use ledger_core::ledger::{Command, Execution, Ledger, Record};
use ledger_store::archive::MemoryArchive;
use ledger_store::chain::{Chain, Link};
use ledger_store::codec;
use ledger_store::frame::{FrameWriter, Row};
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, MemoryDisk, MemoryJournal, OpenMode,
};

/// The ledger's name: one name, so that the same seed gives the same chain.
const NAME: &str = "simulated";
/// A key of no worth, given so that nothing is drawn from the system.
const VAULT_KEY: [u8; 32] = [7; 32];

/// A ledger with its journal, as an engine would keep them.
pub(crate) struct Subject {
    pub(crate) ledger: Ledger<MemoryArchive>,
    disk: MemoryDisk,
    journal: MemoryJournal,
    durable: Head,
    writer: FrameWriter,
    /// Encoded records that are not yet durable, and where each ends.
    waiting: Vec<u8>,
    ends: Vec<usize>,
}

/// What is wrong with what is under test, in words.
pub(crate) type Wrong = String;

impl Subject {
    /// An empty ledger on an empty disk.
    pub(crate) fn new() -> Result<Self, Wrong> {
        let disk = MemoryDisk::new();
        let (journal, durable, chain) = open(&disk)?;
        Ok(Self {
            ledger: Ledger::new(NAME, MemoryArchive::new()),
            disk,
            journal,
            durable,
            writer: FrameWriter::new(chain),
            waiting: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// A living ledger on a disk of its own that holds nothing yet.
    pub(crate) fn over(ledger: Ledger<MemoryArchive>) -> Result<Self, Wrong> {
        Ok(Self { ledger, ..Self::new()? })
    }

    /// Executes `command`, checks the laws on what each record touched, and encodes the records.
    pub(crate) fn execute(&mut self, command: Command) -> Result<Execution, Wrong> {
        let ledger = &mut self.ledger;
        let execution = catch_unwind(AssertUnwindSafe(|| ledger.execute(command)));
        let execution = execution.map_err(|panic| {
            let told = panic.downcast_ref::<String>().map(String::as_str);
            let told = told.or_else(|| panic.downcast_ref::<&str>().copied());
            format!("the core panicked: {}", told.unwrap_or("without a word"))
        })?;
        for record in &execution.records {
            self.keep(record)?;
            laws::check_touched(&self.ledger.state, &self.ledger.archive, record)
                .map_err(broken)?;
        }
        Ok(execution)
    }

    /// Encodes a record and proves that it decodes to itself.
    fn keep(&mut self, record: &Record) -> Result<(), Wrong> {
        let start = self.waiting.len();
        codec::encode(record, &mut self.waiting);
        let decoded = codec::decode(record.seq, &self.waiting[start..]);
        let decoded = decoded.map_err(|error| format!("record {:?}: {error}", record.seq))?;
        if decoded != *record {
            return Err(format!("record {:?} decodes as another: {decoded:?}", record.seq));
        }
        self.ends.push(self.waiting.len());
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
    pub(crate) fn append(&mut self, count: usize) -> Result<(), Wrong> {
        if count == 0 {
            return Ok(());
        }
        let mut start = 0;
        for end in &self.ends[..count] {
            self.writer.push(&self.waiting[start..*end]);
            start = *end;
        }
        let rows: Vec<Row> = self.writer.cut().into_iter().collect();
        let commit = Commit { previous: self.durable, rows, vault: Vec::new() };
        self.journal.append(&commit).map_err(|error| format!("an append failed: {error}"))?;
        self.durable = commit.head();
        self.waiting.drain(..start);
        self.ends.drain(..count);
        for end in &mut self.ends {
            *end -= start;
        }
        Ok(())
    }

    /// Loses all that is not durable, opens the disk anew and replays it from the first record.
    /// The writer left behind must be fenced.
    pub(crate) fn crash(&mut self) -> Result<(), Wrong> {
        let (mut journal, found, chain) = open(&self.disk)?;
        if found != self.durable {
            return Err(format!("the disk ends at {found:?}, {:?} was durable", self.durable));
        }
        self.ledger = replay(&mut journal, chain)?;
        let mut stale = FrameWriter::new(chain);
        stale.push(b"what the old writer still wanted to say");
        let rows = stale.cut().into_iter().collect();
        let late = Commit { previous: self.durable, rows, vault: Vec::new() };
        match self.journal.append(&late) {
            Err(AppendError::Fenced { .. }) => {}
            other => return Err(format!("the writer left behind was not fenced: {other:?}")),
        }
        self.journal = journal;
        self.writer = FrameWriter::new(chain);
        self.waiting.clear();
        self.ends.clear();
        Ok(())
    }

    /// Replays the whole journal beside the living ledger: every balance must be the same.
    pub(crate) fn replays_to_itself(&mut self) -> Result<(), Wrong> {
        let chain = self.durable.chain(self.journal.identity().algorithm);
        let replayed = replay(&mut self.journal, chain)?;
        let (live, again) = (&self.ledger.state, &replayed.state);
        let live_custody: Vec<_> = live.books.custodies().collect();
        let same = live.seq == again.seq
            && live.now == again.now
            && live_custody == again.books.custodies().collect::<Vec<_>>()
            && live.books.flights().eq(again.books.flights())
            && live.books.commissions().eq(again.books.commissions())
            && live.open_operations().eq(again.open_operations())
            && live.deadlines().eq(again.deadlines());
        if same { Ok(()) } else { Err("a replay of the journal ends elsewhere".into()) }
    }

    /// Checks every law over everything.
    pub(crate) fn check_all(&self) -> Result<(), Wrong> {
        let (state, archive) = (&self.ledger.state, &self.ledger.archive);
        laws::check_all(state, archive).map_err(broken)?;
        laws::check_statements(state, archive).map_err(broken)
    }

    /// The link after the last durable record.
    pub(crate) fn head(&self) -> Link {
        self.durable.link
    }
}

fn open(disk: &MemoryDisk) -> Result<(MemoryJournal, Head, Chain), Wrong> {
    let mode = OpenMode::Create { vault_key: Some(VAULT_KEY), algorithm: None };
    let mut journal = MemoryJournal::open(disk, NAME, mode).map_err(|error| error.to_string())?;
    let opening = journal.open_writer().map_err(|error| error.to_string())?;
    Ok((journal, opening.head, opening.head.chain(opening.algorithm)))
}

/// Reads the journal from its first record; the chain must lead to where it is known to end.
fn replay(journal: &mut MemoryJournal, end: Chain) -> Result<Ledger<MemoryArchive>, Wrong> {
    let mut ledger = Ledger::new(NAME, MemoryArchive::new());
    let mut chain = Chain::genesis(end.algorithm(), NAME);
    loop {
        let rows = journal.read(chain.seq() + 1, 64).map_err(|error| error.to_string())?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            let mut wrong = None;
            let sound = row.verify(&mut chain, |frame, _| {
                if wrong.is_none() {
                    wrong = replay_one(&mut ledger, frame.seq, frame.record).err();
                }
            });
            sound.map_err(|error| error.to_string())?;
            wrong.map_or(Ok(()), Err)?;
        }
    }
    if chain == end { Ok(ledger) } else { Err(format!("replay ends at {chain:?}, not {end:?}")) }
}

fn replay_one(ledger: &mut Ledger<MemoryArchive>, seq: u64, bytes: &[u8]) -> Result<(), Wrong> {
    let record = codec::decode(Seq(seq), bytes).map_err(|error| format!("{seq}: {error}"))?;
    ledger.replay(&record).map_err(|corrupt| format!("record {seq} is not replayed: {corrupt}"))
}

fn broken(violation: Violation) -> Wrong {
    let Violation { law, what } = violation;
    format!("law {law}: {what}")
}
