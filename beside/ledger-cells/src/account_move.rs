//! An account moved from one ledger to another: what is to be reported is read off the ledger that
//! it leaves, and reported to both until nothing is left.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use ledger_core::contract::{CallOutcome, CellReport, MovePlan, Side, Tokens, vault_check};
use ledger_core::directory::{self, Command, MoveStage, Refusal};
use ledger_core::id::LedgerName;
use ledger_core::ledger::{Archive as _, ExternalId};
use ledger_core::time::Instant;
use serde_json::Value;

use super::{CellLedger, Cells, begin, reporting};
use crate::directory::DirectoryError;
use ledger_store::clock::ClockDoubt;
use ledger_store::engine::{Engine, EngineError, Ticket};
use ledger_store::sequencer::Sequencer;

/// How many reports are under way at once.
const AT_ONCE: usize = 1_024;

/// How an account's move stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccountMove {
    /// It lives in the other ledger, and nothing of it is left.
    Done,
    /// It begins nothing new, and waits for so many operations that are open: payouts on their way,
    /// charges that may still be paid, holds. Ask again when they have ended.
    Waiting {
        /// How many are open.
        open: usize,
    },
}

/// Why an account is not moved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The id of a move is part of the ids of facts: at most so many characters.
    #[error("the id of a move has 1 to {0} characters")]
    Id(usize),
    /// Source and target are one ledger.
    #[error("the account is in that ledger: source and target are one")]
    SameLedger,
    /// Ledgers of real money and of test keys know nothing of each other.
    #[error("one ledger is of real money and the other of test keys")]
    EnvironmentDiffers,
    /// Keys and persons mean nothing under another vault key.
    #[error("the two ledgers have different vault keys: make both with one vault key")]
    VaultKeyDiffers,
    /// The source has no account of this name that could leave for the target.
    #[error("ledger {ledger} has no account {account:?} that can leave for {to}: {why}")]
    CannotLeave {
        /// The name of the ledger that it was to leave.
        ledger: String,
        /// The name of the account that was to be moved.
        account: String,
        /// The name of the ledger that it was to go to.
        to: String,
        /// What stands against it.
        why: &'static str,
    },
    /// The move can no longer be given up.
    #[error("ledger {ledger} does not keep account {account:?}: {why}")]
    CannotStay {
        /// The ledger that it was to leave.
        ledger: String,
        /// The name of the account that was to be moved.
        account: String,
        /// What stands against it.
        why: &'static str,
    },
    /// One of the ledgers did not take a fact.
    #[error("ledger {ledger} answered {fact} {id:?} with {answer}")]
    NotTaken {
        /// The name of the ledger that received the fact.
        ledger: String,
        /// The fact's name.
        fact: &'static str,
        /// The fact's id.
        id: String,
        /// What it answered.
        answer: String,
    },
    /// The directory of cells refused the move, or was not written.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A ledger has ended.
    #[error(transparent)]
    Ended(#[from] EngineError),
    /// The machine's clock is not believed: nothing was reported.
    #[error(transparent)]
    ClockDoubted(#[from] ClockDoubt),
}

/// The longest id of a move: the ids of its facts are longer.
const LONGEST_ID: usize = 40;

/// Moves an account with its key, terms, settings and balances from one ledger to another, under an
/// id of the move's own, and says how it stands. Blocks.
///
/// While it moves it begins nothing new; what was begun in the source ends there, and is answered
/// there for ever. Whatever was lost, asking again with the same id goes on, and once the move is
/// done, carries what came later.
///
/// # Errors
///
/// [`MoveError`] where the account cannot leave, or a ledger has ended or did not take a fact.
pub fn move_account(
    account: &str,
    (from, to): (&Arc<Engine>, &Arc<Engine>),
    id: &str,
    at: Instant,
) -> Result<AccountMove, MoveError> {
    Move::new(account, (from, to), id, at)?.go_on()
}

/// Tells whether an account can move to the other ledger at all, before anything is recorded of it.
/// Blocks.
///
/// # Errors
///
/// [`MoveError`] where it cannot.
pub fn assert_movable(
    account: &str,
    (from, to): (&Arc<Engine>, &Arc<Engine>),
    id: &str,
    at: Instant,
) -> Result<(), MoveError> {
    Move::new(account, (from, to), id, at)?.plan().map(|_| ())
}

impl<L: CellLedger + Clone> Cells<L> {
    /// Moves an account to another cell ([`move_account`]): the directory knows that it moves, the
    /// two ledgers carry it, and once it is there the directory says so. Asked again with the same
    /// id it goes on from wherever it was cut off. Blocks.
    ///
    /// # Errors
    ///
    /// [`MoveError`] where the directory refuses the move, or the account cannot leave, or a ledger
    /// has ended.
    pub fn move_account(
        &self,
        account: &str,
        to: &str,
        id: &str,
        at: Instant,
    ) -> Result<AccountMove, MoveError> {
        self.assert_can_begin(account, to, id, at)?;
        // Whoever gives it up does so before the account is to leave, or after that.
        let turn = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
        let command = Command::BeginMove { id: id.into(), account: account.into(), to: to.into() };
        self.execute(&command, at)?;
        let begun = self.read_directory().move_of(id).cloned().expect("it was begun");
        if begun.stage == MoveStage::Abandoned {
            let ended = Refusal::MoveEnded { id: id.into(), stage: begun.stage };
            return Err(DirectoryError::from(ended).into());
        }
        let open = |name: &str| {
            let cell = self.cell_by_name(name).expect("each cell of the directory is open");
            cell.ledger.engine()
        };
        let moves = Move::new(account, (open(&begun.from), open(&begun.to)), id, at)?;
        moves.leave()?;
        drop(turn);
        let stands = moves.go_on()?;
        if stands == AccountMove::Done {
            self.execute(&Command::FinishMove { id: id.into() }, at)?;
        }
        Ok(stands)
    }

    /// Gives a move up before any balance was carried: the account works again in the cell that it
    /// was to leave, and the other cell is not asked, since it may be gone. Whatever that cell was
    /// told lives nowhere, and a later move there goes on from it. Asked again, it goes on from
    /// wherever it was cut off. Blocks.
    ///
    /// # Errors
    ///
    /// [`MoveError::CannotStay`] once a balance was carried; [`MoveError`] where no such move was
    /// begun, it is finished, or a ledger has ended.
    pub fn abandon_move(&self, id: &str, at: Instant) -> Result<(), MoveError> {
        let abandon = Command::AbandonMove { id: id.into() };
        let _turn = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(begun) = self.read_directory().move_of(id).cloned() else {
            return self.execute(&abandon, at).map(drop).map_err(MoveError::from);
        };
        if begun.stage != MoveStage::Finished {
            let cell = self.cell_by_name(&begun.from).expect("each cell of the directory is open");
            Self::stays(cell.ledger.engine(), &begun, at)?;
        }
        // The ledger first: whoever still moves the account finds that it begins anew there.
        self.execute(&abandon, at)?;
        Ok(())
    }

    fn stays(engine: &Arc<Engine>, begun: &directory::Move, at: Instant) -> Result<(), MoveError> {
        let source = End::for_engine(engine)?;
        let cannot = |why| {
            let (ledger, account) = (source.name.to_string(), begun.account.to_string());
            MoveError::CannotStay { ledger, account, why }
        };
        let asked = begun.clone();
        let staying = engine.decide(move |sequencer: &mut Sequencer| {
            sequencer.views().staying(&asked.account, &asked.to, &asked.id)
        });
        let Some(report) = staying.wait()?.map_err(cannot)? else { return Ok(()) };
        let call = reporting(report.fact, report.body, Value::Null, at);
        match begin(engine, call).wait()?.response.body["outcome"].as_str() {
            Some("applied" | "known") => Ok(()),
            _ => Err(cannot("a balance of it was carried: go on with the move")),
        }
    }

    /// What would be found out only once the directory knows that the account moves.
    fn assert_can_begin(
        &self,
        account: &str,
        to: &str,
        id: &str,
        at: Instant,
    ) -> Result<(), MoveError> {
        let begun = self.read_directory().move_of(id).is_some();
        let home = self.read_directory().cell_of(account).map(str::to_owned);
        let pair = home.and_then(|home| self.cell_by_name(&home)).zip(self.cell_by_name(to));
        match pair.filter(|_| !begun) {
            Some((from, to)) => {
                assert_movable(account, (from.ledger.engine(), to.ledger.engine()), id, at)
            }
            None => Ok(()),
        }
    }
}

/// A move under way.
struct Move<'a> {
    source: End<'a>,
    target: End<'a>,
    account: &'a str,
    id: &'a str,
    at: Instant,
}

/// One of the two ledgers.
struct End<'a> {
    engine: &'a Arc<Engine>,
    name: LedgerName,
    tokens: Tokens,
}

impl<'a> End<'a> {
    fn for_engine(engine: &'a Arc<Engine>) -> Result<Self, EngineError> {
        let said = engine.decide(|sequencer: &mut Sequencer| {
            (sequencer.ledger().state.name.clone(), *sequencer.tokens())
        });
        let (name, tokens) = said.wait()?;
        Ok(Self { engine, name, tokens })
    }
}

impl<'a> Move<'a> {
    /// A move between two ledgers between which accounts move, with an id that one can have.
    fn new(
        account: &'a str,
        (from, to): (&'a Arc<Engine>, &'a Arc<Engine>),
        id: &'a str,
        at: Instant,
    ) -> Result<Self, MoveError> {
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(MoveError::Id(LONGEST_ID));
        }
        let (source, target) = (End::for_engine(from)?, End::for_engine(to)?);
        if *source.name == *target.name {
            return Err(MoveError::SameLedger);
        }
        if source.name.environment() != target.name.environment() {
            return Err(MoveError::EnvironmentDiffers);
        }
        if vault_check(&source.tokens) != vault_check(&target.tokens) {
            return Err(MoveError::VaultKeyDiffers);
        }
        Ok(Self { source, target, account, id, at })
    }

    /// Has the account begin nothing new in its ledger.
    fn leave(&self) -> Result<(), MoveError> {
        let leaving = |report: &&CellReport| report.body["step"] == "leaving";
        match self.plan()?.reports.first().filter(leaving) {
            Some(report) => self.report(std::slice::from_ref(report)).map(drop),
            None => Ok(()),
        }
    }

    fn go_on(&self) -> Result<AccountMove, MoveError> {
        let mut before = None;
        loop {
            let MovePlan { reports, last, open } = self.plan()?;
            let done = self.report(&reports)?;
            if last {
                return Ok(AccountMove::Done);
            }
            if !done && before.as_ref() == Some(&reports) {
                return Ok(AccountMove::Waiting { open });
            }
            before = Some(reports);
        }
    }

    /// Returns what is to be reported next.
    fn plan(&self) -> Result<MovePlan, MoveError> {
        let (account, to) = (self.account.to_owned(), self.target.name.to_string());
        let (id, tokens) = (self.id.to_owned(), self.source.tokens);
        let planned = self.source.engine.decide(move |sequencer: &mut Sequencer| {
            sequencer.views().moving(&account, &to, &id, &tokens)
        });
        planned.wait()?.ok_or_else(|| {
            self.cannot_leave("there is none, it has no key, or it moves to or from elsewhere")
        })
    }

    fn cannot_leave(&self, why: &'static str) -> MoveError {
        let (ledger, to) = (self.source.name.to_string(), self.target.name.to_string());
        MoveError::CannotLeave { ledger, account: self.account.to_owned(), to, why }
    }

    /// Reports what a ledger does not know yet, each kind after the one before; says whether there
    /// was anything.
    fn report(&self, reports: &[CellReport]) -> Result<bool, MoveError> {
        let mut any = false;
        for run in reports.chunk_by(|one, next| one.to == next.to && one.fact == next.fact) {
            let ledger = match run[0].to {
                Side::Source => &self.source,
                Side::Target => &self.target,
            };
            for some in run.chunks(AT_ONCE) {
                any |= self.some(ledger, some)?;
            }
        }
        Ok(any)
    }

    fn some(&self, ledger: &End<'_>, reports: &[CellReport]) -> Result<bool, MoveError> {
        let id = |report: &CellReport| report.body["id"].as_str().unwrap_or_default().to_owned();
        let ids: Vec<String> = reports.iter().map(id).collect();
        let known = ledger.engine.decide(move |sequencer: &mut Sequencer| {
            let archive = &sequencer.ledger().archive;
            ids.into_iter().filter(|id| archive.fact_seq(&ExternalId::fact(id)).is_some()).collect()
        });
        let known: HashSet<String> = known.wait()?;
        let fresh = || reports.iter().filter(|report| !known.contains(&id(report)));
        let asked: Vec<_> = fresh().map(|report| self.report_fact(ledger, report)).collect();
        let any = !asked.is_empty();
        for (report, answer) in fresh().zip(asked) {
            let body = answer.wait()?.response.body;
            match body["outcome"].as_str() {
                Some("applied" | "known") => {}
                // Something was credited since it was planned: it is planned anew.
                Some("set_aside")
                    if report.to == Side::Source && report.body["step"] != "leaving" => {}
                _ if report.body["step"] == "leaving" => {
                    return Err(self.cannot_leave(
                        "it is an agent's, uses a USDT wallet, or its key was revoked",
                    ));
                }
                _ => {
                    return Err(MoveError::NotTaken {
                        ledger: ledger.name.to_string(),
                        fact: report.fact,
                        id: id(report),
                        answer: body.to_string(),
                    });
                }
            }
        }
        Ok(any)
    }

    /// Reports a fact of an account that moves, as it was planned.
    fn report_fact(&self, ledger: &End<'_>, report: &CellReport) -> Ticket<CallOutcome> {
        let call = reporting(report.fact, report.body.clone(), Value::Null, self.at);
        begin(ledger.engine, call)
    }
}
