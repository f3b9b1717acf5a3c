//! An account moved from one ledger to another: what is to be reported is read off the ledger that
//! it leaves, and reported to both until nothing is left.

use std::collections::HashSet;

use ledger_core::contract::{CallKind, CellReport, MovePlan, Response, Side, vault_check};
use ledger_core::ledger::{Archive as _, ExternalId};
use ledger_store::directory::DirectoryError;
use ledger_store::engine::{EngineError, Ticket};
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::{Ledger, Pending, call};
use crate::value::AccountName;

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
    #[error("the two ledgers have different vault keys: make both with one (`Builder::vault_key`)")]
    VaultKeyDiffers,
    /// The source has no account of this name that could leave for the target.
    #[error("ledger {ledger} has no account {account:?} that can leave for {to}: {why}")]
    CannotLeave {
        /// The source.
        ledger: String,
        /// The account.
        account: String,
        /// The target.
        to: String,
        /// What stands against it.
        why: &'static str,
    },
    /// One of the ledgers did not take a fact.
    #[error("ledger {ledger} answered {fact} {id:?} with {answer}")]
    NotTaken {
        /// Which ledger.
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
}

/// The longest id of a move: the ids of its facts are longer.
const LONGEST_ID: usize = 40;

impl Ledger {
    /// Moves an account with its key, terms, settings and balances to another ledger, under an id
    /// of the move's own, and says how it stands. While it moves it begins nothing new; what was
    /// begun here ends here, and is answered here for ever: ids, statement and repeated requests of
    /// before the move are the source's.
    ///
    /// Whatever was lost, asking again with the same id goes on, and once the move is done, carries
    /// what came later: a PIX that was paid after its charge had expired, or that went back.
    ///
    /// An agent's account stays, and one that uses a USDT wallet.
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::balance::GetBalance;
    /// use custody_ledger::AccountMove;
    ///
    /// let cell = |name| Ledger::builder("memory:").name(name).vault_key([7; 32]).open().wait();
    /// let (first, second) = (cell("live-1")?, cell("live-2")?);
    /// let loja = AccountName::new("loja")?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, loja.clone());
    /// first.report(&opened.key("svc_live_loja".try_into()?)).wait()?;
    ///
    /// let moved = first.move_account(&loja, &second, "mv-1").wait()?;
    /// assert_eq!(moved, AccountMove::Done);
    /// let client = second.client(ApiKey::new("svc_live_loja")?);
    /// client.ask(&GetBalance::new(Party::House)).wait()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_account(
        &self,
        account: &AccountName,
        to: &Self,
        id: &str,
    ) -> Pending<Result<AccountMove, MoveError>> {
        let (source, target) = (self.clone(), to.clone());
        let (account, id) = (account.to_string(), id.to_owned());
        Pending::blocking(move || Move { source, target, account, id }.go_on())
    }
}

/// A move under way.
struct Move {
    source: Ledger,
    target: Ledger,
    account: String,
    id: String,
}

impl Move {
    fn go_on(&self) -> Result<AccountMove, MoveError> {
        self.source.assert_two(&self.target, &self.id)?;
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

    /// What is to be reported next.
    fn plan(&self) -> Result<MovePlan, MoveError> {
        let (account, to, id) = (self.account.clone(), self.target.0.name.clone(), self.id.clone());
        let planned = self.source.decide(move |sequencer| {
            let tokens = *sequencer.tokens();
            sequencer.views().moving(&account, &to, &id, &tokens)
        })?;
        planned.ok_or_else(|| {
            self.cannot_leave("there is none, it has no key, or it moves to or from elsewhere")
        })
    }

    fn cannot_leave(&self, why: &'static str) -> MoveError {
        let (ledger, to) = (self.source.0.name.clone(), self.target.0.name.clone());
        MoveError::CannotLeave { ledger, account: self.account.clone(), to, why }
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

    fn some(&self, ledger: &Ledger, reports: &[CellReport]) -> Result<bool, MoveError> {
        let id = |report: &CellReport| report.body["id"].as_str().unwrap_or_default().to_owned();
        let ids: Vec<String> = reports.iter().map(id).collect();
        let known: HashSet<String> = ledger.decide(move |sequencer| {
            let archive = &sequencer.ledger().archive;
            ids.into_iter().filter(|id| archive.seen(&ExternalId::fact(id)).is_some()).collect()
        })?;
        let fresh = || reports.iter().filter(|report| !known.contains(&id(report)));
        let asked: Vec<_> = fresh().map(|report| ledger.taken(report)).collect();
        let any = !asked.is_empty();
        for (report, answer) in fresh().zip(asked) {
            let body = answer.wait()?.body;
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
                        ledger: ledger.0.name.clone(),
                        fact: report.fact,
                        id: id(report),
                        answer: body.to_string(),
                    });
                }
            }
        }
        Ok(any)
    }
}

impl Ledger {
    /// Whether an account can move to the other ledger at all, before anything is recorded of it.
    pub(super) fn assert_can_move(
        &self,
        account: &AccountName,
        to: &Self,
        id: &str,
    ) -> Result<(), MoveError> {
        self.assert_two(to, id)?;
        let (source, target) = (self.clone(), to.clone());
        let (account, id) = (account.to_string(), id.to_owned());
        Move { source, target, account, id }.plan().map(|_| ())
    }

    /// Whether these are two ledgers between which accounts move, and the id can be one of a move.
    fn assert_two(&self, to: &Self, id: &str) -> Result<(), MoveError> {
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(MoveError::Id(LONGEST_ID));
        }
        if self.0.name == to.0.name {
            return Err(MoveError::SameLedger);
        }
        if self.environment() != to.environment() {
            return Err(MoveError::EnvironmentDiffers);
        }
        let check = |ledger: &Self| ledger.decide(|sequencer| vault_check(sequencer.tokens()));
        if check(self)? != check(to)? {
            return Err(MoveError::VaultKeyDiffers);
        }
        Ok(())
    }

    /// Does something on the deciding thread, and waits for it.
    pub(super) fn decide<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        self.0.engine.decide(job).wait()
    }

    /// Reports a fact of an account that moves, as it was planned.
    fn taken(&self, report: &CellReport) -> Ticket<Response> {
        let ask = CallKind::Fact(report.fact.to_owned());
        let call = call(self.0.clock.now(), ask, report.body.clone(), Value::Null);
        let (engine, time) = (&self.0.engine, self.0.time_before(call.at));
        if let Some(time) = time {
            drop(engine.call(time));
        }
        engine.call(call)
    }
}
