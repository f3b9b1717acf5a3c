//! The sandbox beside an engine: it plays by itself, as its clock goes.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ledger_core::contract::{Call, CallOutcome};
use ledger_core::ledger::{Origin, State};
use ledger_core::time::Instant;
use ledger_store::PeriodicTask;
use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineError};
use ledger_store::provider::supply;
use ledger_store::provider::supply::{Background, SystemEntropy};
use ledger_store::sequencer::Sequencer;

use super::{Sandbox, Step, script};

/// How often the world looks at its clock.
const MOMENT: Duration = Duration::from_millis(100);

/// A sandbox that plays beside the engine of a ledger of test keys: what its script has for an
/// operation is reported when the clock comes to it, and deadlines come due. Dropped, it stops.
///
/// Calls of clients go by [`Sandbox::job`], which supplies what they lack and the prices they ask
/// for.
///
/// ```
/// use std::sync::Arc;
///
/// use ledger_core::contract::Line;
/// use ledger_core::ledger::Origin;
/// use ledger_core::time::Span;
/// use ledger_sim::{Sandbox, SandboxWorld};
/// use ledger_store::clock::ManualClock;
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "sandbox", OpenMode::create())?;
/// let engine = Arc::new(Engine::builder("sandbox").start(Box::new(journal))?);
/// let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").expect("it is RFC 3339"));
/// let sandbox = Sandbox::new(7);
/// let world = SandboxWorld::start(&engine, sandbox, clock.clone());
///
/// let ask = |line: &str, id: &str| {
///     let line = Line::parse(line, |_| Ok(id.to_owned())).expect("the line is well formed");
///     engine.decide(sandbox.job(line.call(Origin::Call))).wait()
/// };
/// ask(r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened", "environment": "sandbox",
///     "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_test_loja"}}"#, "")?;
/// let charge = ask(r#"{"at": "2026-11-20T12:00:00Z", "key": "svc_test_loja",
///     "request": "POST /cashin/charge", "body": {"destino": "saldo", "amount_cents": 10000,
///         "payer_tax_number": "52998224725", "sandbox_scenario": "hold"}}"#, "")?;
/// let id = charge.response.body["cashin_id"].as_str().expect("it was created").to_owned();
/// ask(r#"{"at": "2026-11-20T12:00:00Z", "key": "svc_test_loja",
///     "request": "POST /sandbox/cashin/$charge/pay"}"#, &id)?;
///
/// clock.advance(Span::seconds(90));
/// world.play_now()?;
/// let look = r#"{"at": "2026-11-20T12:01:30Z", "key": "svc_test_loja",
///     "request": "GET /cashin/$charge/status"}"#;
/// assert_eq!(ask(look, &id)?.response.body["status"], "paid");
///
/// world.stop();
/// engine.stop()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SandboxWorld {
    sandbox: Sandbox,
    engine: Weak<Engine>,
    clock: Arc<dyn Clock>,
    playing: PeriodicTask,
}

/// Up to which record the world has played, and when it plays on if nothing is recorded before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Played {
    seq: u64,
    wakes: Option<Instant>,
}

impl SandboxWorld {
    /// Starts to play: `clock` says when what is due.
    pub fn start(engine: &Arc<Engine>, sandbox: Sandbox, clock: Arc<dyn Clock>) -> Self {
        let (weak, dated) = (Arc::downgrade(engine), Arc::clone(&clock));
        let mut played = None;
        let playing = PeriodicTask::start("sandbox-plays", MOMENT, move || {
            let Some(engine) = Weak::upgrade(&weak) else { return ControlFlow::Break(()) };
            match look(&engine, sandbox, dated.now(), played) {
                Ok(now) => played = now,
                // What was not written just now is played again.
                Err(
                    EngineError::NotWritten(_)
                    | EngineError::Unknown(_)
                    | EngineError::Unverified(_)
                    | EngineError::LeaseLapsed,
                ) => {}
                Err(_) => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        Self { sandbox, engine: Arc::downgrade(engine), clock, playing }
    }

    /// The sandbox that plays.
    #[must_use]
    pub const fn sandbox(&self) -> Sandbox {
        self.sandbox
    }

    /// Plays what is due by the clock, and waits until it is durable: for whoever has just set the
    /// clock. Blocks.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger has ended, or did not write it.
    pub fn play_now(&self) -> Result<(), EngineError> {
        let engine = Weak::upgrade(&self.engine).ok_or(EngineError::Ended)?;
        let (sandbox, now) = (self.sandbox, self.clock.now());
        engine.decide(move |sequencer| sandbox.play(sequencer, now)).wait()?;
        Ok(())
    }

    /// Stops playing. What was played is in the ledger; started again, it goes on from there.
    pub fn stop(&self) {
        self.playing.stop();
    }
}

impl fmt::Debug for SandboxWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxWorld").field("sandbox", &self.sandbox).finish_non_exhaustive()
    }
}

/// Plays if something was recorded since, or something is due.
fn look(
    engine: &Engine,
    sandbox: Sandbox,
    now: Instant,
    played: Option<Played>,
) -> Result<Option<Played>, EngineError> {
    let seq = engine.head()?.seq;
    let rests = |known: &Played| known.seq == seq && known.wakes.is_none_or(|at| now < at);
    if played.as_ref().is_some_and(rests) {
        return Ok(played);
    }
    engine.decide(move |sequencer| Some(sandbox.play(sequencer, now))).wait()
}

impl Sandbox {
    /// Returns what an engine decides a call by, under this sandbox: it is supplied with what it
    /// lacks, what is due before it is played, and the prices it asks for are there.
    pub fn job(
        self,
        mut call: Call,
    ) -> impl FnOnce(&mut Sequencer) -> CallOutcome + Send + 'static {
        let Call { ask, body, supplied, .. } = &mut call;
        supply(ask, body, supplied, &Background::default(), &self, &SystemEntropy);
        move |sequencer| {
            // After a long silence what was due meanwhile comes first.
            if sequencer.ledger().state.admits(call.at).is_err() {
                self.play(sequencer, call.at);
            }
            self.before(sequencer, &call, |_, _| ());
            sequencer.handle(&call)
        }
    }

    /// Plays all that is due until an instant, deadlines included.
    fn play(self, sequencer: &mut Sequencer, now: Instant) -> Played {
        loop {
            let before = seq(sequencer);
            self.advance(sequencer, now, &Origin::Call, |_, _| ());
            let state = &sequencer.ledger().state;
            let due = state.deadlines().next().is_some_and(|(at, ..)| at <= now);
            if due || (state.seq.0 > 0 && state.admits(now).is_err()) {
                sequencer.handle(&Call::time_passed(now));
            }
            // A deadline may have brought an operation where more is due.
            if seq(sequencer) == before {
                return Played { seq: before, wakes: wakes(&sequencer.ledger().state, now) };
            }
        }
    }
}

fn seq(sequencer: &Sequencer) -> u64 {
    sequencer.ledger().state.seq.0
}

/// When something is due next, after an instant: what stands still although it was due before
/// wakes nobody.
fn wakes(state: &State, now: Instant) -> Option<Instant> {
    let scripted = state.open_operations().filter_map(|(op, known)| {
        let Step { at, .. } = script::next(state, op, known)?;
        (at > now).then_some(at)
    });
    let deadline = state.deadlines().next().map(|(at, ..)| at);
    scripted.chain(deadline.filter(|at| *at > now)).min()
}
