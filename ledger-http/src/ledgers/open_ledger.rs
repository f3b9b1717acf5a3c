//! One ledger that a service answers from: its engine, its tokens, and who plays the world for it.

use std::sync::{Arc, Mutex, OnceLock};

use ledger_cells::CellLedger;
use ledger_core::contract::{
    BalanceAsked, Call, CallKind, CallOutcome, Environment, Problem, Tokens, balance_asked,
};
use ledger_core::id::LedgerName;
use ledger_core::ledger::MachineTime;
use ledger_core::time::{Instant, Span};
use ledger_sim::Sandbox;
use ledger_store::clock::{Clock, ClockDoubt};
use ledger_store::engine::{Engine, EngineError, Permit, Ticket, TryReserveError};
use ledger_store::sequencer::{Preview, Sequencer, leaves_nothing};
use thiserror::Error;

use super::balances::{Balances, find_subaccount};
use super::sandbox_clock::SandboxClock;
use crate::outbox::Outbox;

/// A ledger opened for writing.
#[derive(Debug)]
pub struct OpenLedger {
    name: LedgerName,
    label: Box<str>,
    engine: Arc<Engine>,
    tokens: Tokens,
    sandbox: Option<Sandbox>,
    outbox: Option<Arc<Mutex<Outbox>>>,
    balances: Balances,
    timekeeper: OnceLock<Timekeeper>,
    sandbox_clock: SandboxClock,
}

/// The clock that dates what is asked of a ledger of real money.
struct Timekeeper {
    clock: Arc<dyn Clock>,
    /// How far ahead of it a fact may be dated.
    tolerance: Span,
}

impl std::fmt::Debug for Timekeeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timekeeper").field("tolerance", &self.tolerance).finish_non_exhaustive()
    }
}

/// Why a call has no answer of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unanswered {
    /// More calls wait than may: nothing was decided.
    #[error("too many calls wait")]
    Overloaded,
    /// The machine's clock is not believed: nothing was decided.
    #[error("{0}")]
    ClockDoubted(ClockDoubt),
    /// The engine has ended, or does not know whether it was taken over from, before anything was
    /// decided.
    #[error("the ledger takes no calls")]
    Away,
    /// The decision was not made durable, or whether it was is not known: asked again with the same
    /// id, it is answered as it stands.
    #[error("the outcome is not known, or nothing was written")]
    Unknown,
    /// The call could not be decided.
    #[error("the call failed within")]
    Failed,
}

impl From<EngineError> for Unanswered {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Fenced
            | EngineError::Ended
            | EngineError::LeaseLapsed
            | EngineError::Unverified(_) => Self::Away,
            EngineError::Panicked(_) => Self::Failed,
            // Of any other nobody says that nothing was written: asked again with the same id, it
            // is answered as it stands.
            _ => Self::Unknown,
        }
    }
}

impl OpenLedger {
    /// The ledger that the engine writes, of whatever name. Blocks until the engine has said what
    /// it is called, and what its tokens are derived with.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended.
    pub fn new(engine: Arc<Engine>) -> Result<Self, EngineError> {
        let said =
            engine.decide(|sequencer| (sequencer.ledger().state.name.clone(), *sequencer.tokens()));
        let (name, tokens) = said.wait()?;
        let (balances, label) = (Balances::default(), name.environment().name().into());
        let (sandbox, outbox, timekeeper) = (None, None, OnceLock::new());
        let sandbox_clock = SandboxClock::default();
        Ok(Self {
            name,
            label,
            engine,
            tokens,
            sandbox,
            outbox,
            balances,
            timekeeper,
            sandbox_clock,
        })
    }

    /// From now on nothing is decided while the clock is not believed, and a fact dated further
    /// ahead of it than `tolerance` is taken as now (rulings 69). The first clock given stays.
    pub(crate) fn keep_time_by(&self, clock: &Arc<dyn Clock>, tolerance: Span) {
        self.timekeeper.get_or_init(|| Timekeeper { clock: Arc::clone(clock), tolerance });
    }

    /// Why nothing is decided now by a clock that is not believed.
    fn clock_doubt(&self) -> Option<ClockDoubt> {
        self.timekeeper.get()?.clock.doubt()
    }

    /// Tells whether the clock was set back further than a jump that is believed.
    pub(crate) fn clock_is_set_back(&self) -> bool {
        self.timekeeper.get().is_some_and(|keeper| keeper.clock.set_back().is_some())
    }

    /// Tells that a call may be decided: any may that only reads, or while the clock is believed.
    fn admits(&self, call: &Call) -> Result<(), Unanswered> {
        let reads = matches!(&call.ask, CallKind::Request { method, .. } if method == "GET");
        match self.clock_doubt().filter(|_| !reads) {
            None => Ok(()),
            Some(doubt) => Err(Unanswered::ClockDoubted(doubt)),
        }
    }

    /// The clock at `now`, as a bound of what facts are dated.
    pub(super) fn machine_time(&self, now: Instant) -> Option<MachineTime> {
        let tolerance = self.timekeeper.get()?.tolerance;
        Some(MachineTime { now, tolerance })
    }

    /// The same as one of several of its environment: it is reported under its own name.
    pub(super) fn beside_others(self) -> Self {
        Self { label: (*self.name).into(), ..self }
    }

    /// The same, with bank, exchange and networks played: what they report until a call is told
    /// before it. It does nothing to a ledger of real money.
    #[must_use]
    pub fn played_by(self, sandbox: Sandbox) -> Self {
        Self { sandbox: Some(sandbox), ..self }
    }

    /// The same, with what it asks of the world, until that is acknowledged.
    #[must_use]
    pub fn with_outbox(self, outbox: Outbox) -> Self {
        let outbox = outbox.kept_by(&self.engine);
        Self { outbox: Some(Arc::new(Mutex::new(outbox))), ..self }
    }

    /// Returns what it asks of the world, if that is kept.
    pub(crate) fn outbox(&self) -> Option<Arc<Mutex<Outbox>>> {
        self.outbox.clone()
    }

    /// The environment it was made for.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.name.environment()
    }

    /// Returns what it is called.
    #[must_use]
    pub const fn name(&self) -> &LedgerName {
        &self.name
    }

    /// Returns what it is reported as, to whoever watches: its environment where it is the only one
    /// of that, or else its name.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The engine that decides and writes for it.
    #[must_use]
    pub const fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Derives its tokens.
    #[must_use]
    pub const fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Who plays the world for it.
    #[must_use]
    pub const fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox
    }

    /// Handles a call that is asked at `now`; turned away while too many wait.
    ///
    /// A balance of real money is read of the committed state, beside the thread that decides,
    /// while the engine's lease says that nobody has taken over; whatever else only reads, of the
    /// state that this thread lends for it.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when there is no answer to be given now.
    pub async fn handle(&self, call: Call, now: Instant) -> Result<CallOutcome, Unanswered> {
        self.admits(&call)?;
        // What the sandbox plays until then comes first.
        if self.sandbox.is_some() {
            return Ok(self.submit(self.permit()?, call, now).await?);
        }
        match balance_asked(&call) {
            Some(asked) => self.read_balance(asked, call, now).await,
            None if leaves_nothing(&call) => self.read_call(call, now).await,
            None => Ok(self.submit(self.permit()?, call, now).await?),
        }
    }

    /// Reads a balance beside the deciding thread, or has that read it and remembers whose it is.
    async fn read_balance(
        &self,
        asked: BalanceAsked,
        call: Call,
        now: Instant,
    ) -> Result<CallOutcome, Unanswered> {
        let read = self.balances.read_balance(&self.engine, &self.tokens, &asked, &call);
        if let Some(read) = read {
            return Ok(read);
        }
        let (customer, machine_time) = (asked.customer.clone(), self.machine_time(now));
        let decides = move |sequencer: &mut Sequencer| {
            let outcome = decide(sequencer, &call, (now, machine_time), None);
            (outcome, find_subaccount(sequencer, &asked))
        };
        let (outcome, found) = self.permit()?.decide(decides).await?;
        self.balances.remember(customer, found);
        Ok(outcome)
    }

    /// Puts a call before the ledger once there is room; the ticket is for its answer.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when the ledger takes no calls.
    pub async fn begin(&self, call: Call, now: Instant) -> Result<Ticket<CallOutcome>, Unanswered> {
        self.admits(&call)?;
        Ok(self.submit(self.engine.reserve().await?, call, now))
    }

    /// Says what a call that is asked at `now` would do; what time had brought due until then is
    /// recorded, and nothing else.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when there is no answer to be given now.
    pub async fn preview(
        &self,
        call: Call,
        now: Instant,
    ) -> Result<Result<Preview, Problem>, Unanswered> {
        self.in_turn(call, now, Sequencer::preview).await
    }

    /// Does `work` with a call that is asked at `now`, once what time and the sandbox bring until
    /// then is recorded; no other call comes between.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when there is no answer to be given now.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        call: Call,
        now: Instant,
        work: impl FnOnce(&mut Sequencer, &Call) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        self.admits(&call)?;
        let (sandbox, machine_time) = (self.sandbox, self.machine_time(now));
        let (clock, mut call) = (self.sandbox_clock.clone(), call);
        let ticket = self.permit()?.decide(move |sequencer| {
            let now = clock.set_off(sequencer, &mut call, now, sandbox);
            let state = &sequencer.ledger().state;
            let due = state.deadlines().next().is_some_and(|(at, ..)| at <= now);
            if due || state.admits(now).is_err() {
                handle_in_turn(sequencer, &Call::time_passed(now), sandbox);
            } else if let Some(sandbox) = sandbox {
                sandbox.before(sequencer, &call, |_, _| ());
            }
            sequencer.set_machine_time(machine_time);
            let done = work(sequencer, &call);
            sequencer.set_machine_time(None);
            done
        });
        Ok(ticket.await?)
    }

    /// Room for one call, if there is some now.
    pub(super) fn permit(&self) -> Result<Permit<'_>, Unanswered> {
        self.engine.try_reserve().map_err(|error| match error {
            TryReserveError::Full => Unanswered::Overloaded,
            TryReserveError::Fenced | TryReserveError::Ended => Unanswered::Away,
        })
    }

    fn submit(&self, permit: Permit<'_>, call: Call, now: Instant) -> Ticket<CallOutcome> {
        let (sandbox, machine_time) = (self.sandbox, self.machine_time(now));
        let (clock, mut call) = (self.sandbox_clock.clone(), call);
        permit.decide(move |sequencer| {
            let sandbox_now = clock.set_off(sequencer, &mut call, now, sandbox);
            let outcome = decide(sequencer, &call, (sandbox_now, machine_time), sandbox);
            clock.follow(sequencer, now, sandbox);
            outcome
        })
    }

    /// Tells the ledger of the time, if a deadline or what is played has come due by `now`; by a
    /// clock that is not believed, nothing does. Blocks.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended.
    pub fn tick(&self, now: Instant) -> Result<(), EngineError> {
        if self.clock_doubt().is_some() {
            return Ok(());
        }
        let (sandbox, clock) = (self.sandbox, self.sandbox_clock.clone());
        let looked = self.engine.decide(move |sequencer| {
            clock.follow(sequencer, now, sandbox);
            let now = clock.reads(now);
            let state = &sequencer.ledger().state;
            let due = state.deadlines().next().is_some_and(|(at, ..)| at <= now);
            let next = sandbox.and_then(|sandbox| sandbox.next(state));
            if due || next.is_some_and(|step| step.at <= now) {
                let passed = Call::time_passed(now);
                if let Some(sandbox) = sandbox {
                    sandbox.before(sequencer, &passed, |_, _| ());
                }
                if due {
                    sequencer.handle(&passed);
                }
            }
        });
        looked.wait()
    }
}

impl CellLedger for OpenLedger {
    fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }
}

/// Decides a call, after what the world has to tell before it. After a silence of days the ledger
/// is told of the time first: only that may jump so far.
pub(super) fn decide(
    sequencer: &mut Sequencer,
    call: &Call,
    (now, machine_time): (Instant, Option<MachineTime>),
    sandbox: Option<Sandbox>,
) -> CallOutcome {
    let passes = matches!(&call.ask, CallKind::Fact(name) if name == "time.passed");
    if !passes && sequencer.ledger().state.admits(now).is_err() {
        handle_in_turn(sequencer, &Call::time_passed(now), sandbox);
    }
    sequencer.set_machine_time(machine_time);
    let outcome = handle_in_turn(sequencer, call, sandbox);
    sequencer.set_machine_time(None);
    outcome
}

/// Handles a call, after what the sandbox reports until then.
fn handle_in_turn(sequencer: &mut Sequencer, call: &Call, sandbox: Option<Sandbox>) -> CallOutcome {
    if let Some(sandbox) = sandbox {
        sandbox.before(sequencer, call, |_, _| ());
    }
    sequencer.handle(call)
}
