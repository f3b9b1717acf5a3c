//! A ledger whose run is resumed: its lines are executed again in memory, and each record is held
//! against the one that the journal has (rulings 61).
//!
//! ```text
//! the state at which the run began ─► line 1, 2, 3, ... ─► the journal's end ─► an engine
//!                                     each record equal       what is new is written
//! ```
//!
//! Others may have written between two runs of a source. Which of its lines came before them is
//! known where a line records something: executed on the state before them it either makes what the
//! journal has, or would make what the journal lacks, and then it came after them. A line that
//! makes nothing on either state is answered as the ledger is now; one that would make something
//! only now is an error and not a guess.

use std::collections::VecDeque;

use ledger_store::Journal;
use ledger_store::engine::{Engine, EngineBuilder};
use ledger_store::sequencer::{Differs, Recorded, Sequencer};

use crate::Failure;
use crate::events::Heard;
use crate::progress::{Named, Progress};

/// What to do about a run that cannot be resumed.
const HINT: &str = "nothing was executed: run the lines it was recorded from, with the same options; \
     or these afresh with --again, or under a name of their own with --source NAME";

/// A line's number and hashes.
#[derive(Clone, Copy, Debug)]
pub struct LinePosition {
    /// The number of the line, from 1.
    pub number: u64,
    /// The keyed hash of all lines up to it.
    pub all: u64,
    /// The keyed hash of its own text, where the line is executed in memory.
    pub alone: Option<u64>,
    /// Tells whether it only reads.
    pub reads: bool,
}

/// One ledger before its engine starts.
pub struct Memory {
    journal: Box<dyn Journal>,
    name: &'static str,
    source: String,
    pass: u32,
    sequencer: Sequencer,
    recorded: Recorded,
    gaps: VecDeque<u64>,
    /// The sequencer as it is now, where lines are executed on an earlier one.
    present: Option<Box<Sequencer>>,
    /// The last line that was found recorded.
    last: u64,
}

impl Memory {
    /// The ledger as it stood when the run began whose progress this is; `sequencer` is the ledger
    /// as it stands now.
    pub fn new(
        mut journal: Box<dyn Journal>,
        name: &'static str,
        source: &str,
        progress: &Progress,
        sequencer: Sequencer,
    ) -> Result<Self, Failure> {
        let (sequencer, recorded) = match progress.first {
            Some(first) => Recorded::after(&mut *journal, name, first - 1)?,
            None => {
                let recorded = Recorded::beyond(&*journal, &sequencer)?;
                (sequencer, recorded)
            }
        };
        let gaps = progress.gaps.iter().copied().collect();
        let (source, pass) = (source.to_owned(), progress.pass);
        Ok(Self { journal, name, source, pass, sequencer, recorded, gaps, present: None, last: 0 })
    }

    /// The sequencer that lines are executed on.
    pub const fn sequencer(&self) -> &Sequencer {
        &self.sequencer
    }

    /// Executes a line, or something that it caused, by `act` on the sequencer with the hash that
    /// its records name; says too whether others had written before it, who may have opened
    /// accounts.
    pub fn execute(
        &mut self,
        place: LinePosition,
        act: &mut dyn FnMut(&mut Sequencer, u64) -> Heard,
    ) -> Result<(Heard, bool), Failure> {
        let others = self.let_others_write(place.number)?;
        let hash = self.hash(place)?;
        let behind = self.gaps.is_empty() && self.next_is_of_others()?;
        let heard = act(&mut self.sequencer, hash);
        if let Some(fault) = self.sequencer.fault() {
            return Err(Failure::new(format!("{}: {fault}", self.at(place.number))));
        }
        if !behind {
            if let Err(differs) = self.recorded.hold(&mut self.sequencer)? {
                return Err(self.differs(place.number, &differs));
            }
            return Ok((heard, others));
        }
        if self.sequencer.pending() > 0 {
            self.come_to_the_present()?;
            return Ok((act(&mut self.sequencer, hash), true));
        }
        if self.present.is_none() {
            self.present =
                Some(Box::new(Sequencer::open(&mut *self.journal, self.name, |_, _| ())?));
        }
        let present = self.present.as_mut().expect("it was just opened");
        let before = present.pending();
        let heard = act(present, hash);
        let decides = before < present.pending() && heard.response.status < 400;
        if decides && !place.reads {
            return Err(Failure::new(format!(
                "{}: others have written to the {} ledger since this source was last run: before \
                 them this line decides nothing, after them it does, and nothing says whether it \
                 was executed before them; {HINT}",
                self.at(place.number),
                self.name,
            )));
        }
        Ok((heard, others))
    }

    /// All that the journal has of a line was made again.
    pub fn end_line(&mut self, number: u64) -> Result<(), Failure> {
        match self.own()? {
            Some(own) if own.number <= number => Err(Failure::new(format!(
                "{}: the {} journal records what it decided, and executed again it decides \
                 nothing; {HINT}",
                self.at(own.number),
                self.name
            ))),
            _ => Ok(()),
        }
    }

    /// The next line that the journal holds a record of, when the input has ended.
    pub fn expects(&mut self) -> Result<Option<u64>, Failure> {
        let own = self.own()?.map(|own| own.number);
        Ok(own.or(self.gaps.front().copied()))
    }

    /// Tells whether all that was decided is in the journal.
    pub fn is_durable(&self) -> bool {
        self.sequencer.pending() == 0
            && self.present.as_ref().is_none_or(|sequencer| sequencer.pending() == 0)
    }

    /// Tells whether the journal holds no further record.
    pub fn is_past(&mut self) -> Result<bool, Failure> {
        Ok(self.recorded.next()?.is_none())
    }

    /// Goes on by an engine.
    pub fn start(mut self, engine: EngineBuilder<'_>) -> Result<Engine, Failure> {
        if !self.is_past()? {
            self.come_to_the_present()?;
        }
        Ok(engine.start_with(self.journal, self.sequencer)?)
    }

    /// Others wrote before this line, if the journal has a record of theirs before the next of this
    /// run, and that is of this line or of one before it; says whether they did.
    fn let_others_write(&mut self, number: u64) -> Result<bool, Failure> {
        let mut wrote = false;
        while self.gaps.front().is_some_and(|line| *line <= number) && self.next_is_of_others()? {
            while self.next_is_of_others()? {
                self.recorded.apply(&mut self.sequencer)?;
            }
            self.gaps.pop_front();
            wrote = true;
        }
        Ok(wrote)
    }

    fn come_to_the_present(&mut self) -> Result<(), Failure> {
        self.sequencer = match self.present.take() {
            Some(present) => *present,
            None => Sequencer::open(&mut *self.journal, self.name, |_, _| ())?,
        };
        self.recorded = Recorded::beyond(&*self.journal, &self.sequencer)?;
        Ok(())
    }

    /// Returns what the next record of the journal says of this run.
    fn own(&mut self) -> Result<Option<Named>, Failure> {
        let (source, pass) = (&self.source, self.pass);
        let next = self.recorded.next()?;
        let named = next.and_then(|record| Named::from_record(source, record));
        Ok(named.filter(|named| named.pass == pass))
    }

    fn next_is_of_others(&mut self) -> Result<bool, Failure> {
        Ok(self.own()?.is_none() && self.recorded.next()?.is_some())
    }

    /// The hash that the records of a line name. Journals of earlier versions name its own text's.
    fn hash(&mut self, place: LinePosition) -> Result<u64, Failure> {
        let Some(own) = self.own()?.filter(|own| own.number == place.number) else {
            return Ok(place.all);
        };
        if own.hash != place.all && Some(own.hash) != place.alone {
            let since = match self.last {
                0 => "or of one before it".to_owned(),
                last => format!("or of one after line {last}"),
            };
            return Err(Failure::new(format!(
                "{}: the {} journal records another text of it, {since}; {HINT}",
                self.at(place.number),
                self.name
            )));
        }
        self.last = place.number;
        Ok(own.hash)
    }

    fn differs(&self, number: u64, differs: &Differs) -> Failure {
        let what = match Named::from_record(&self.source, &differs.recorded) {
            Some(named) if named.number == number => "decides otherwise",
            _ => "decides what the journal does not have",
        };
        Failure::new(format!(
            "{}: executed again it {what}, at record {} of the {} ledger; {HINT}",
            self.at(number),
            differs.recorded.seq.0,
            self.name
        ))
    }

    fn at(&self, number: u64) -> String {
        format!("{} line {number}", self.source)
    }
}
