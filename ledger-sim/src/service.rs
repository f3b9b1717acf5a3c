//! Our faults under somebody else's workload: a service puts its own commands to the real core, and
//! this module loses its writers, repeats, delays and reorders what it reports, and checks every
//! invariant.

use std::collections::{BTreeMap, VecDeque};

use ledger_core::ledger::{Command, Execution, Intent, Ledger, Outcome, Record, Refusal};
use ledger_store::archive::MemoryArchive;

use crate::failure::wrong::Mismatch;
use crate::report::Report;
use crate::rng::Rng;
use crate::settings::Faults;
use crate::system_under_test::store::Store;
use crate::system_under_test::{StorageFault, SystemUnderTest};

/// Who says what is said to the ledger.
pub trait Workload {
    /// Returns what is said next; none when there is nothing left to say.
    ///
    /// `ledger` is the ledger as it stands, what is not durable yet included: it is for looking up
    /// accounts and balances, as a service does through its views.
    fn next(&mut self, ledger: &Ledger<MemoryArchive>) -> Option<Command>;

    /// Receives the answer to a command once it is durable; a fact that came twice has two.
    fn on_response(&mut self, command: &Command, answer: &Result<Outcome, Refusal>);

    /// Sees every record as it is decided, to check invariants of the service's own.
    ///
    /// # Errors
    ///
    /// What is wrong, in words: the run ends with it.
    fn check(&mut self, ledger: &Ledger<MemoryArchive>, record: &Record) -> Result<(), String> {
        let _ = (ledger, record);
        Ok(())
    }
}

/// A workload with faults injected.
struct Service<'a, W> {
    workload: &'a mut W,
    faults: Faults,
    chance: Rng,
    subject: SystemUnderTest,
    report: Report,
    /// Answered, and not yet durable.
    batch: Vec<(Command, Result<Outcome, Refusal>)>,
    /// What comes late, and after how many other commands.
    late: Vec<(usize, Command)>,
    /// What a lost writer kept from being answered, or what is said twice.
    again: VecDeque<Command>,
}

/// Puts a workload under the faults of `seed`: facts come twice, late and out of order; writers
/// are lost before, between and after appends; acknowledgements are lost; who got no answer asks
/// again. Every invariant is checked on every record, and over everything at the end, where the
/// journal is replayed and must come to the same.
///
/// # Errors
///
/// What is wrong, in words: an invariant that does not hold, or a journal that does not keep its
/// promise.
///
/// # Examples
///
/// ```
/// use ledger_core::id::KeyHash;
/// use ledger_core::ledger::{
///     Cause, Command, Fact, Intent, Ledger, Origin, Outcome, Refusal, Reported, account,
/// };
/// use ledger_core::time::Instant;
/// use ledger_sim::{Faults, Workload, with_faults};
/// use ledger_store::archive::MemoryArchive;
///
/// /// Opens accounts, one a second.
/// struct Openings(i64);
///
/// impl Workload for Openings {
///     fn next(&mut self, _: &Ledger<MemoryArchive>) -> Option<Command> {
///         self.0 += 1;
///         let name = format!("loja-{}", self.0);
///         let key = KeyHash([u8::try_from(self.0).ok()?; 32]);
///         let opened = account::Fact::Opened { name: name.as_str().into(), key, terms: None };
///         let fact = Fact::Account(opened);
///         let what = Intent::Fact(Reported { id: Some(name.into()), fact });
///         let at = Instant::from_micros(1_800_000_000_000_000 + self.0 * 1_000_000)?;
///         Some(Command { at, cause: Cause::new(Origin::Call), what })
///     }
///
///     fn on_response(&mut self, _: &Command, answer: &Result<Outcome, Refusal>) {
///         assert!(matches!(answer, Ok(Outcome::Applied(_) | Outcome::Known)));
///     }
/// }
///
/// let report = with_faults(7, Faults::Many, &mut Openings(0))?;
/// assert_eq!(report.runs, 1);
/// assert!(report.records >= 255);
/// # Ok::<(), String>(())
/// ```
pub fn with_faults<W: Workload>(
    seed: u64,
    faults: Faults,
    workload: &mut W,
) -> Result<Report, String> {
    let stopwatch = std::time::Instant::now();
    let mut service = Service {
        workload,
        faults,
        chance: Rng::new(seed),
        subject: SystemUnderTest::new(&Store::Memory)?,
        report: Report::new(),
        batch: Vec::new(),
        late: Vec::new(),
        again: VecDeque::new(),
    };
    service.through()?;
    let mut report = service.report;
    report.elapsed = stopwatch.elapsed();
    Ok(report)
}

impl<W: Workload> Service<'_, W> {
    fn through(&mut self) -> Result<(), Mismatch> {
        while self.goes_on()? {
            if self.chance.percent(60) {
                self.flush()?;
            }
        }
        self.report.checked_invariants();
        self.subject.check_all()?;
        self.subject.replays_to_itself()?;
        let head = self.subject.head().0;
        self.report.end_of_run(head, &BTreeMap::new());
        Ok(())
    }

    /// Says one thing more; `false` when there is nothing left to say and everybody has been
    /// answered.
    fn goes_on(&mut self) -> Result<bool, Mismatch> {
        if let Some(command) = self.next() {
            if let Some(command) = self.send_or_delay(command) {
                self.say(command)?;
            }
            return Ok(true);
        }
        // What was held back comes after all, and an answer may bring the workload to say more.
        let awaited = !self.batch.is_empty();
        self.flush()?;
        match self.again.pop_front().or_else(|| Some(self.late.pop()?.1)) {
            Some(command) => self.say(command)?,
            None => return Ok(awaited),
        }
        Ok(true)
    }

    /// What was lost is said again soon, what is late comes in time, and the workload goes on.
    fn next(&mut self) -> Option<Command> {
        for (wait, _) in &mut self.late {
            *wait = wait.saturating_sub(1);
        }
        if let Some(place) = self.late.iter().position(|(wait, _)| *wait == 0) {
            return Some(self.late.remove(place).1);
        }
        if !self.again.is_empty() && self.chance.percent(40) {
            return self.again.pop_front();
        }
        let next = self.workload.next(&self.subject.ledger)?;
        if matches!(next.what, Intent::Fact(_)) && self.chance.percent(self.faults.scale(12)) {
            self.report.inject("facts reported twice");
            self.again.push_back(next.clone());
        }
        Some(next)
    }

    /// The wire: a fact may be held back, so that others overtake it.
    fn send_or_delay(&mut self, command: Command) -> Option<Command> {
        if matches!(command.what, Intent::Fact(_)) && self.chance.percent(self.faults.scale(10)) {
            self.report.inject("facts late and out of order");
            self.late.push((1 + self.chance.index(12), command));
            return None;
        }
        Some(command)
    }

    fn say(&mut self, command: Command) -> Result<(), Mismatch> {
        // As a service's own engine answers it.
        let execution = match command.check() {
            Ok(()) => self.subject.execute(command.clone())?,
            Err(refusal) => Execution { answer: Err(refusal), ..Execution::quiet() },
        };
        for record in &execution.records {
            self.workload.check(&self.subject.ledger, record)?;
        }
        self.report.commands += 1;
        self.report.records += u64::try_from(execution.records.len()).unwrap_or(0);
        self.report.count_response(&command.what, &execution.answer);
        self.batch.push((command, execution.answer));
        Ok(())
    }

    /// Makes the batch durable and gives the answers, unless its writer is lost first.
    fn flush(&mut self) -> Result<(), Mismatch> {
        let waiting = self.subject.waiting();
        if self.chance.bps(self.faults.scale(300)) {
            return self.lose_writer(waiting);
        }
        if waiting > 0 && self.chance.bps(self.faults.scale(100)) {
            self.report.inject("acknowledgements lost");
            self.subject.append_with(waiting, StorageFault::AnswerLost)?;
        } else {
            self.subject.append(waiting)?;
        }
        self.report.commits += u64::from(waiting > 0);
        for (command, answer) in std::mem::take(&mut self.batch) {
            self.workload.on_response(&command, &answer);
        }
        Ok(())
    }

    /// The writer dies with some of the batch durable and none of it answered; all is said again.
    fn lose_writer(&mut self, waiting: usize) -> Result<(), Mismatch> {
        self.report.inject("writers lost");
        let kept = self.chance.index(waiting + 1);
        self.subject.append(kept)?;
        if kept < waiting && self.chance.percent(50) {
            let mishap =
                if self.chance.percent(50) { StorageFault::Torn } else { StorageFault::DiskFull };
            self.subject.append_with(waiting - kept, mishap)?;
        }
        self.subject.crash()?;
        self.report.crashes += 1;
        self.again.extend(self.batch.drain(..).map(|(command, _)| command));
        Ok(())
    }
}
