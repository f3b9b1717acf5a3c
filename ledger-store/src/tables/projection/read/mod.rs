//! Tables as they are read: statements by page, the checkpoint, and waiting for it.

pub(super) mod rows;

use std::time::{Duration, Instant as Clock};

use ledger_core::contract::{Code, Problem, StatementQuery, Vault, View, statement};
use ledger_core::id::{AccountId, SubaccountId};
use serde_json::Value;
use thiserror::Error;

use super::backend::target::Target;
use super::backend::{Backend, TablesFailed};
use super::checkpoint::Checkpoint;
use super::read::rows::Read;
use super::schema::extent::Extent;
use super::schema::table::Cell;

/// How long a reader that waits rests before it looks again, at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

const SUBACCOUNT: &str = "SELECT subaccount, account_number, row_count FROM balances \
    WHERE ledger = $1 AND account = $2 AND coalesce(customer, '') = $3";

/// The tables of one ledger, opened for reading and, where it says so, for acknowledging.
///
/// ```
/// # use ledger_core::{contract::{Line, View}, ledger::Origin};
/// # use ledger_store::projection::{Projector, Statement, Tables, Target};
/// # use ledger_store::{OpenMode, SqliteJournal, Vault, engine::Engine};
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("ledger.db");
/// # let mut journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
/// # let target = Target::Sqlite(folder.path().join("tables.db"));
/// # let projector = Projector::open(&mut journal, "live", &target)?;
/// # let engine = Engine::builder("live").follower(projector).start(Box::new(journal))?;
/// # for line in [r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened", "body": {"id": "a-1",
/// #     "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#,
/// # r#"{"at": "2026-11-20T12:00:01Z", "fact": "fee.adjusted", "body": {"id": "a-2",
/// #     "account": "loja", "effect_cents": 9000, "actor": "bia", "reason": "a gift",
/// #     "evidence": "case-1"}}"#] {
/// #     let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
/// #     engine.call(line.call(Origin::Call)).wait()?;
/// # }
/// let mut tables = Tables::open(&target, "live")?.expect("they are there");
/// let (account, customer, view) = ("loja", None, View::Entries);
/// let asked = Statement { account, customer, view, limit: 50, before: None };
/// let page = tables.statement(&asked, &Vault::default())?; // The vault has what clients wrote.
/// assert_eq!(page.body["items"][0]["saldo_apos_cents"], 9_000);
/// assert_eq!(page.seq, engine.head()?.seq);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tables {
    pub(super) backend: Box<dyn Backend>,
    pub(super) ledger: String,
}

/// What is asked of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The API account's name.
    pub account: &'a str,
    /// The subaccount's name; none for the house.
    pub customer: Option<&'a str>,
    /// Row by row, or one row an operation.
    pub view: View,
    /// How many rows, 1 to 200.
    pub limit: usize,
    /// The `proxima_pagina` of the page before.
    pub before: Option<&'a str>,
}

/// A page, and what it is a page of.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The body of `GET /saldo/extrato`.
    pub body: Value,
    /// The record up to which the tables had come when it was read.
    pub seq: u64,
}

/// Why there is no page.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
pub enum PageError {
    /// The contract's refusal.
    #[error("{}", .0.detail)]
    Problem(Problem),
    /// No account of this name.
    #[error("no account of ledger {ledger} is named {account}")]
    AccountUnknown {
        ledger: String,
        /// The name asked for.
        account: String,
    },
    /// The tables could not be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The tables say what no projector writes.
    #[error("row {number} of subaccount {subaccount} in statement_rows cannot be read; rebuild")]
    Malformed {
        /// The number of the subaccount whose row it is.
        subaccount: u32,
        /// The row's number within that statement.
        number: u32,
    },
}

/// Tables did not come to a record in time.
#[derive(Debug, Error)]
pub enum WaitError {
    /// They are not there yet.
    #[error("the tables are at record {at}, and record {seq} was waited for in vain")]
    Late {
        /// The record waited for.
        seq: u64,
        /// Where they are.
        at: u64,
    },
    /// The tables could not be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
}

impl Tables {
    /// Opens the tables of the ledger named `ledger` for reading; none where there are none.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn open(target: &Target, ledger: &str) -> Result<Option<Self>, TablesFailed> {
        let Some(backend) = target.reading()? else { return Ok(None) };
        Self::over(backend, ledger)
    }

    /// Opens them for acknowledging as well; none where there are none.
    ///
    /// # Errors
    ///
    /// When the database cannot be used.
    pub fn open_writing(target: &Target, ledger: &str) -> Result<Option<Self>, TablesFailed> {
        if target.reading()?.is_none() {
            return Ok(None);
        }
        Self::over(target.writing()?, ledger)
    }

    fn over(backend: Box<dyn Backend>, ledger: &str) -> Result<Option<Self>, TablesFailed> {
        let mut tables = Self { backend, ledger: ledger.to_owned() };
        for extent in [Extent::Whole, Extent::Outbox] {
            if Checkpoint::find(extent, &mut *tables.backend, ledger)?.is_some() {
                return Ok(Some(tables));
            }
        }
        Ok(None)
    }

    /// How far they are.
    ///
    /// # Errors
    ///
    /// When they cannot be read, or there is no table but the outbox.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, TablesFailed> {
        self.checkpoint_of(Extent::Whole)
    }

    /// How far the outbox is: as far as the other tables, unless an engine keeps it.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn outbox_checkpoint(&mut self) -> Result<Checkpoint, TablesFailed> {
        let extent = self.outbox_extent()?;
        self.checkpoint_of(extent)
    }

    /// Returns what the outbox is filled with.
    pub(super) fn outbox_extent(&mut self) -> Result<Extent, TablesFailed> {
        let kept = Checkpoint::find(Extent::Outbox, &mut *self.backend, &self.ledger)?.is_some();
        Ok(if kept { Extent::Outbox } else { Extent::Whole })
    }

    fn checkpoint_of(&mut self, extent: Extent) -> Result<Checkpoint, TablesFailed> {
        let found = Checkpoint::find(extent, &mut *self.backend, &self.ledger)?;
        found.ok_or_else(|| TablesFailed("the checkpoint is gone".into()))
    }

    /// Waits until they contain record `seq`, so that whoever wrote it reads it.
    ///
    /// # Errors
    ///
    /// [`WaitError::Late`] when they have not come there after `patience`.
    pub fn wait_for(&mut self, seq: u64, patience: Duration) -> Result<u64, WaitError> {
        let start = Clock::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let at = self.checkpoint()?.head.seq;
            if at >= seq {
                return Ok(at);
            }
            if start.elapsed() >= patience {
                return Err(WaitError::Late { seq, at });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// A page of a statement: the body of `GET /saldo/extrato` at the tables' checkpoint.
    ///
    /// The page is of one moment. The next begins below its last row, and rows are numbered once
    /// and for ever, so a walk neither repeats nor skips a row, whatever is projected meanwhile
    /// (STM-20).
    ///
    /// # Errors
    ///
    /// [`PageError`], the contract's refusal of a cursor among them.
    pub fn statement(
        &mut self,
        asked: &Statement<'_>,
        vault: &impl Vault,
    ) -> Result<Page, PageError> {
        if !(1..=200).contains(&asked.limit) {
            let problem = Problem::new(Code::RequestInvalid, "limit must be 1 to 200");
            return Err(PageError::Problem(problem));
        }
        self.backend.begin()?;
        let page = self.page(asked, vault);
        let ended = self.backend.end();
        let page = page?;
        ended?;
        Ok(page)
    }

    fn page(&mut self, asked: &Statement<'_>, vault: &impl Vault) -> Result<Page, PageError> {
        let seq = self.checkpoint()?.head.seq;
        let (account, subaccount, rows) = self.party(asked)?;
        let Statement { customer, view, limit, before, .. } = *asked;
        let asked = StatementQuery { account, subaccount, customer, view, limit, before };
        let Self { backend, ledger } = self;
        let subaccount = subaccount.map_or(u32::MAX, |subaccount| subaccount.0);
        let mut read = Read::new(&mut **backend, ledger, subaccount, rows, vault);
        let body = statement(ledger, &asked, &mut read)?;
        Ok(Page { body, seq })
    }

    /// The account, the subaccount where its name was ever seen, and how many rows it has.
    fn party(
        &mut self,
        asked: &Statement<'_>,
    ) -> Result<(AccountId, Option<SubaccountId>, u32), PageError> {
        let house = self.subaccount(asked.account, "")?;
        let unknown = || PageError::AccountUnknown {
            ledger: self.ledger.clone(),
            account: asked.account.to_owned(),
        };
        let (subaccount, account, rows) = house.ok_or_else(unknown)?;
        let Some(customer) = asked.customer.filter(|customer| !customer.is_empty()) else {
            return Ok((account, Some(subaccount), rows));
        };
        Ok(match self.subaccount(asked.account, customer)? {
            Some((subaccount, account, rows)) => (account, Some(subaccount), rows),
            None => (account, None, 0),
        })
    }

    fn subaccount(
        &mut self,
        account: &str,
        customer: &str,
    ) -> Result<Option<(SubaccountId, AccountId, u32)>, TablesFailed> {
        let values: [Cell; 3] = [self.ledger.as_str().into(), account.into(), customer.into()];
        let found = self.backend.read(SUBACCOUNT, &values)?;
        let numbers = found.first().map(|row| {
            let mut numbers = row.iter().map(|cell| u32::try_from(cell.number()?).ok());
            let mut next = || numbers.next().flatten();
            Some((SubaccountId(next()?), AccountId(next()?), next()?))
        });
        match numbers {
            None => Ok(None),
            Some(Some(numbers)) => Ok(Some(numbers)),
            Some(None) => Err(TablesFailed("a row of balances is malformed".into())),
        }
    }
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("ledger", &self.ledger).finish_non_exhaustive()
    }
}
