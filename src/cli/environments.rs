//! The house: both ledgers of a store, each with its engine, and the way to the right one.

mod routing;
mod turn;

use std::collections::HashSet;
use std::sync::Arc;

use ledger_core::contract::{Environment, Response, Tokens};
use ledger_core::id::KeyHash;
use ledger_core::ledger::Origin;
use ledger_store::engine::{Engine, EngineBuilder, Ticket};
use ledger_store::heads::HeadsFile;
use ledger_store::journal::claim_when_unlocked;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Journal, OpenMode};
use tokio::sync::oneshot;

use crate::Failure;
use crate::events::Heard;
use crate::progress::Progress;
use crate::run::memory::{LinePosition, Memory};
use crate::store::Store;
use turn::Turn;

/// Where the lines of a run come from.
pub struct Source {
    /// What it is called in the journal.
    pub name: String,
    /// Tells whether it goes on where an earlier run of it ended.
    pub resumes: bool,
}

/// One ledger, opened for writing.
pub struct OpenLedger {
    hand: Hand,
    /// Derives its tokens.
    pub tokens: Tokens,
    /// What its journal says of the source being run, if that is gone on with.
    pub progress: Progress,
    /// Whose turn it is among the lines of the file being run.
    turn: Turn,
    keys: HashSet<KeyHash>,
    names: HashSet<String>,
}

/// How lines are executed.
enum Hand {
    /// In memory, as far as the journal holds what they decided.
    Memory(Box<Memory>),
    /// Through an engine, which answers once they are durable.
    Engine(Engine),
    /// It is being changed.
    Between,
}

/// What a line is answered, once it is decided and before it is durable; nothing where it never is.
pub type Decided = oneshot::Receiver<Arc<Response>>;

/// An answer to come.
pub enum Reply {
    /// The engine's, and before it what was decided; nothing where a line before it was lost.
    Ticket(Ticket<Option<Heard>>, Option<Decided>),
    /// One that was executed in memory.
    Now(Box<Heard>),
}

/// Both ledgers of a store, live and sandbox.
pub struct Environments {
    ledgers: Vec<(Environment, OpenLedger)>,
    /// How often the source had been run afresh before.
    pass: u32,
    /// Where the heads of its commits are kept.
    heads: Option<HeadsFile>,
}

/// A ledger whose journal is open, before it is set to execute lines.
struct Opened {
    environment: Environment,
    journal: Box<dyn Journal>,
    sequencer: Sequencer,
    progress: Progress,
}

impl Opened {
    fn open(
        store: &Store,
        environment: Environment,
        mode: OpenMode,
        source: &str,
        takes_over: bool,
    ) -> Result<Self, Failure> {
        let name = environment.name();
        let mut journal = store.open(environment, mode)?;
        let mut progress = Progress::default();
        let mut open = || -> Result<Sequencer, Box<dyn std::error::Error>> {
            if takes_over {
                let opening = journal.open_writer()?;
                // Whoever held it by a lease answers no read any more.
                std::thread::sleep(opening.predecessor_lease);
            } else {
                claim_when_unlocked(&mut *journal, None)?;
            }
            let observe = |_: &Sequencer, record: &_| progress.observe(source, record);
            Ok(Sequencer::open(&mut *journal, name, observe)?)
        };
        let sequencer = open().map_err(|error| {
            Failure::because(&format!("{store}: ledger {name} cannot be opened"), &*error)
        })?;
        Ok(Self { environment, journal, sequencer, progress })
    }

    /// Sets it to execute lines: in memory first if it is to go on with a run.
    fn ready(
        self,
        source: &str,
        pass: u32,
        goes_on: bool,
        heads: Option<&HeadsFile>,
    ) -> Result<OpenLedger, Failure> {
        let Self { environment, journal, sequencer, mut progress } = self;
        let name = environment.name();
        if !goes_on || progress.pass != pass {
            progress = Progress { pass, ..Progress::default() };
        }
        let tokens = *sequencer.tokens();
        let hand = if goes_on {
            let memory = Memory::new(journal, name, source, &progress, sequencer)?;
            Hand::Memory(Box::new(memory))
        } else {
            let mut ledger = OpenLedger::new(Hand::Between, tokens, progress);
            ledger.know_accounts(&sequencer);
            ledger.hand = Hand::Engine(builder(environment, heads).start_with(journal, sequencer)?);
            return Ok(ledger);
        };
        let mut ledger = OpenLedger::new(hand, tokens, progress);
        ledger.know_own_accounts();
        Ok(ledger)
    }
}

/// The engine of a ledger's run, before it starts: who follows every commit of a run is given here.
fn builder(environment: Environment, heads: Option<&HeadsFile>) -> EngineBuilder<'static> {
    let name = environment.name();
    let builder = Engine::builder(name);
    match heads {
        Some(heads) => builder.follower(heads.keeper(name)),
        None => builder,
    }
}

impl OpenLedger {
    fn new(hand: Hand, tokens: Tokens, progress: Progress) -> Self {
        let (turn, keys, names) = (Turn::default(), HashSet::new(), HashSet::new());
        Self { hand, tokens, progress, turn, keys, names }
    }

    /// Lines may use the accounts that the ledger knows.
    fn know_accounts(&mut self, sequencer: &Sequencer) {
        for (_, account) in sequencer.ledger().state.accounts() {
            self.keys.extend(account.key);
            self.names.insert(account.name.to_string());
        }
    }

    fn know_own_accounts(&mut self) {
        let hand = std::mem::replace(&mut self.hand, Hand::Between);
        if let Hand::Memory(memory) = &hand {
            self.know_accounts(memory.sequencer());
        }
        self.hand = hand;
    }

    /// Executes a line, or what it caused, by `act` on the sequencer under the origin it is given.
    pub fn execute(
        &mut self,
        place: LinePosition,
        origin: impl Fn(u64) -> Origin,
        mut act: impl FnMut(&mut Sequencer, Origin) -> Heard + Send + 'static,
    ) -> Result<Reply, Failure> {
        match &mut self.hand {
            Hand::Engine(engine) => {
                let (turn, origin) = (self.turn.clone(), origin(place.all));
                let (decided, answer) = oneshot::channel();
                let ticket = engine.decide_followed(move |sequencer| {
                    let heard = turn.take(sequencer, |sequencer| act(sequencer, origin))?;
                    // Most answers are needed no sooner than they are given.
                    let _ = decided.send(Arc::clone(&heard.response));
                    Some(heard)
                });
                Ok(Reply::Ticket(ticket, Some(answer)))
            }
            Hand::Memory(memory) => {
                let (heard, others) =
                    memory.execute(place, &mut |sequencer, hash| act(sequencer, origin(hash)))?;
                if others {
                    self.know_own_accounts();
                }
                Ok(Reply::Now(Box::new(heard)))
            }
            Hand::Between => unreachable!("nothing is executed while a ledger is changed"),
        }
    }

    /// The ledger's engine; none while lines run in memory.
    pub fn engine(&self) -> Option<&Engine> {
        match &self.hand {
            Hand::Engine(engine) => Some(engine),
            Hand::Memory(_) | Hand::Between => None,
        }
    }

    /// Goes on by an engine, and has written what the journal lacks.
    fn start(
        &mut self,
        environment: Environment,
        heads: Option<&HeadsFile>,
    ) -> Result<(), Failure> {
        let memory = match std::mem::replace(&mut self.hand, Hand::Between) {
            Hand::Memory(memory) => memory,
            started @ (Hand::Engine(_) | Hand::Between) => {
                self.hand = started;
                return Ok(());
            }
        };
        let engine = memory.start(builder(environment, heads))?;
        let turn = self.turn.clone();
        engine.decide(move |sequencer| turn.take(sequencer, |_| ())).wait()?;
        self.hand = Hand::Engine(engine);
        Ok(())
    }
}

impl Environments {
    /// Opens both ledgers for writing lines from `source`; `heads` keeps those of their commits.
    pub fn open(
        store: &Store,
        key: Option<[u8; 32]>,
        source: &Source,
        heads: Option<HeadsFile>,
        takes_over: bool,
    ) -> Result<Self, Failure> {
        let mode = OpenMode::Create { vault_key: key, algorithm: None, designation: None };
        let open = |environment| Opened::open(store, environment, mode, &source.name, takes_over);
        let opened: Vec<_> = Environment::ALL.into_iter().map(open).collect::<Result<_, _>>()?;
        let begun = opened.iter().filter(|ledger| ledger.progress.first.is_some());
        // A run afresh is one run for both ledgers, even if only one of them had recorded a line.
        let (pass, goes_on) = match begun.map(|ledger| ledger.progress.pass).max() {
            None => (0, false),
            Some(latest) if source.resumes => (latest, true),
            Some(latest) => (latest + 1, false),
        };
        let ledger = |ledger: Opened| -> Result<_, Failure> {
            let environment = ledger.environment;
            Ok((environment, ledger.ready(&source.name, pass, goes_on, heads.as_ref())?))
        };
        let ledgers = opened.into_iter().map(ledger).collect::<Result<_, _>>()?;
        Ok(Self { ledgers, pass, heads })
    }

    /// How often the source had been run afresh before.
    pub const fn pass(&self) -> u32 {
        self.pass
    }

    /// Tells whether an earlier run is gone on with.
    pub fn goes_on(&self) -> bool {
        self.ledgers.iter().any(|(_, ledger)| ledger.progress.first.is_some())
    }

    /// The last line that a journal names.
    pub fn last_line(&self) -> u64 {
        self.ledgers.iter().map(|(_, ledger)| ledger.progress.reached).max().unwrap_or(0)
    }

    /// Tells whether all that was decided in memory is in the journals.
    pub fn is_durable(&self) -> bool {
        self.ledgers.iter().all(|(_, ledger)| match &ledger.hand {
            Hand::Memory(memory) => memory.is_durable(),
            Hand::Engine(_) | Hand::Between => true,
        })
    }

    /// Tells whether all lines are executed durably.
    pub fn is_started(&self) -> bool {
        self.ledgers.iter().all(|(_, ledger)| ledger.engine().is_some())
    }

    /// Before a line that no journal names: ledgers whose journal holds no more go on by engines.
    pub fn go_on(&mut self) -> Result<(), Failure> {
        for (environment, ledger) in &mut self.ledgers {
            if let Hand::Memory(memory) = &mut ledger.hand
                && memory.is_past()?
            {
                ledger.start(*environment, self.heads.as_ref())?;
            }
        }
        Ok(())
    }

    /// After a line that was executed in memory: the journals hold no more of it.
    pub fn end_line(&mut self, number: u64) -> Result<(), Failure> {
        for (_, ledger) in &mut self.ledgers {
            if let Hand::Memory(memory) = &mut ledger.hand {
                memory.end_line(number)?;
            }
        }
        Ok(())
    }

    /// After the last line: the journals hold no later one, and all goes on by engines.
    pub fn end(&mut self, source: &str, last: u64) -> Result<(), Failure> {
        for (_, ledger) in &mut self.ledgers {
            if let Hand::Memory(memory) = &mut ledger.hand
                && let Some(expected) = memory.expects()?
            {
                return Err(Failure::new(format!(
                    "{source} ends with line {last}, and the journal records line {expected} of \
                     it; nothing was executed: it is not what was run before"
                )));
            }
        }
        for (environment, ledger) in &mut self.ledgers {
            ledger.start(*environment, self.heads.as_ref())?;
        }
        Ok(())
    }

    /// The open ledger of an environment.
    pub fn ledger(&self, environment: Environment) -> &OpenLedger {
        let ledger = self.ledgers.iter().find(|(known, _)| *known == environment);
        &ledger.expect("every environment has a ledger").1
    }

    /// The same, to execute on it.
    pub fn ledger_mut(&mut self, environment: Environment) -> &mut OpenLedger {
        let ledger = self.ledgers.iter_mut().find(|(known, _)| *known == environment);
        &mut ledger.expect("every environment has a ledger").1
    }

    /// Every open ledger, by environment.
    pub fn ledgers(&self) -> impl Iterator<Item = (Environment, &OpenLedger)> {
        self.ledgers.iter().map(|(environment, ledger)| (*environment, ledger))
    }
}
