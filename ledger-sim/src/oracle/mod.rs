//! The oracle: a naive model of the ledger, written from the contract and the rulings.
//!
//! It shares no code with the core but the types in which commands and answers are put. It keeps
//! its own books in plain vectors and maps, predicts the answer of every command, and is compared
//! with the ledger at every step. Where the two differ, one of them is wrong.

mod account;
mod adjustment;
mod agent;
mod books;
mod charge;
mod conversion;
mod early;
mod facts;
mod fees;
mod handed_out;
mod hold;
mod payout;
mod product;
mod purchase;
mod recovery;
mod request;
mod sale;
mod suspense;
mod trace;
mod treasury;
mod wallet;

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{AccountId, AssetId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{
    Command, Fact, InstructionKey, Intent, Outcome, Public, Refusal, Reported, Request,
};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::{Policy, Review, Terms};
use ledger_core::time::{Instant, Span};

pub(crate) use account::Account;
pub(crate) use agent::{Agent, AgentStep};
pub(crate) use books::{Custody, RowOf, Totals};
pub(crate) use charge::{Charge, ChargeStatus};
pub(crate) use conversion::Conversion;
pub(crate) use facts::happened_at;
pub(crate) use fees::Earned;
pub(crate) use hold::Hold;
pub(crate) use payout::{Payout, PayoutStatus};
use product::Products;
pub(crate) use product::{Book, Posted};
pub(crate) use purchase::bought::{Buy, End};
pub(crate) use purchase::delivery::{DeliveryProgress, ErroneousDelivery, Stage};
pub(crate) use purchase::offer::{DeliveryTerms, Market};
pub(crate) use recovery::{BookedReturn, Recovery};
pub(crate) use request::created_operation;
pub(crate) use sale::{
    Coin, Due, Got, Liquidation, Mined, Phase, Reason, Sale, Split, UnmatchedDeposit,
    UnmatchedDepositStatus, Way,
};
pub(crate) use suspense::{Waiting, WaitingStatus};
pub(crate) use trace::Trace;
pub(crate) use wallet::payment::{FailureReason, Fate, Payment, PaymentStatus};
pub(crate) use wallet::quote::{Offer, Offered, PaymentOffered, Use, WalletQuote};
pub(crate) use wallet::withdrawal::{Step, Withdrawal, WithdrawalStatus};
pub(crate) use wallet::{DepositStatus, Network, WalletDeposit};

use crate::domains::each_kind;
use crate::goal::Goal;
use crate::settings::Planted;

/// All that the oracle believes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oracle {
    /// The ledger's name, of which ids are made; keys of real money are counted otherwise.
    pub(crate) ledger: &'static str,
    pub(crate) seq: u64,
    pub(crate) now: Instant,
    pub(crate) policy: Policy,
    pub(crate) accounts: Vec<Account>,
    pub(crate) subaccounts: Vec<Custody>,
    pub(crate) totals: Totals,
    pub(crate) charges: BTreeMap<OpId, Charge>,
    pub(crate) payouts: BTreeMap<OpId, Payout>,
    pub(crate) holds: BTreeMap<OpId, Hold>,
    pub(crate) suspense: BTreeMap<OpId, Waiting>,
    /// Recoveries of contested PIX, by the names that banks gave them.
    pub(crate) recoveries: BTreeMap<Box<str>, Recovery>,
    /// Returns that were booked, each once.
    pub(crate) booked_returns: BTreeMap<Box<str>, BookedReturn>,
    /// Money in suspense and open claims, under the operation that each names.
    put_aside: BTreeSet<(OpId, OpId)>,
    /// Reports of attempts that had not begun.
    early: BTreeMap<OpId, Vec<(u32, DeliveryReport)>>,
    /// Reports of payouts that were stopped: taken by the provider, or lost.
    early_payouts: BTreeMap<OpId, Vec<PayoutStatus>>,
    /// What was handed out and stands, beside what its operation says of it.
    handed_out: BTreeSet<InstructionKey>,
    /// The operation that the fact being judged names.
    named: Option<OpId>,
    pub(crate) transfers: u64,
    pub(crate) conversions: BTreeMap<OpId, Conversion>,
    pub(crate) erroneous_deliveries: BTreeMap<OpId, ErroneousDelivery>,
    pub(crate) market: Market,
    /// Coin accounts that are not empty, as net credits.
    pub(crate) coins: BTreeMap<(AssetId, CoinAccount), i128>,
    pub(crate) products: Products,
    pub(crate) entries: BTreeMap<OpId, Posted>,
    pub(crate) wallet_deposits: BTreeMap<OpId, WalletDeposit>,
    pub(crate) quotes: BTreeMap<OpId, WalletQuote>,
    pub(crate) withdrawals: BTreeMap<OpId, Withdrawal>,
    pub(crate) payments: BTreeMap<OpId, Payment>,
    pub(crate) agents: Vec<Agent>,
    keys: account::Keys,
    reviews: BTreeMap<Token, Review>,
    /// The charges a document was named on.
    paid_by: BTreeMap<Token, Vec<OpId>>,
    /// What was settled: never again (INV-35).
    settled: BTreeSet<OpId>,
    identities: BTreeMap<(AccountId, Kind, Box<str>), (OpId, Request)>,
    seen: BTreeSet<(IdScope, Box<str>)>,
    due: BTreeSet<(Instant, OpId)>,
    pub(crate) sales: BTreeMap<OpId, Sale>,
    pub(crate) unmatched: BTreeMap<OpId, UnmatchedDeposit>,
    /// Transactions that brought deposits, as they were reported.
    mined: BTreeMap<Box<str>, Mined>,
    /// What recipients were promised of each day, by the midnight that ends it.
    pub(crate) promised: BTreeMap<(Token, Instant), i64>,
    /// Orders whose acceptance had no address.
    silent: BTreeSet<OpId>,
    planted: Option<Planted>,
    /// What the clock reads of the machine that serves the command, where one does.
    pub(crate) machine_reads: Option<Instant>,
    /// What the last command touched, and the goals it reached.
    pub(crate) trace: Trace,
}

/// What the oracle expects of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prediction {
    /// How many deadlines come due first, a record each.
    pub(crate) deadlines: u64,
    /// Tells whether the command leaves a record of its own.
    pub(crate) recorded: bool,
    /// The answer of the ledger: an outcome, or the refusal.
    pub(crate) answer: Result<Outcome, Refusal>,
}

/// What an id from outside names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IdScope {
    PixIn,
    PixOut,
    DepositBack,
    PayoutBack,
    Fact,
    /// Coins that arrived for a wallet.
    Coins,
    /// A transaction of an operation's delivery.
    Transaction(OpId),
    /// A transaction that brought a deposit.
    Deposit,
}

/// Until when an operation waits for time alone, by the book of its kind.
macro_rules! oracle_deadline {
    ($oracle:ident $op:ident
        $($($kind:ident)|+, $list:tt, $expect:tt, $compare:tt, [$($book:ident $due:ident)?];)*) => {
        match $op.kind() {
            $($(Kind::$kind)|+ =>
                None$(.or($oracle.$book.get(&$op).and_then(|it| it.deadline())))?,)*
        }
    };
}

/// Foresees what becomes of an operation once it is due.
macro_rules! oracle_due {
    ($oracle:ident $op:ident
        $($($kind:ident)|+, $list:tt, $expect:tt, $compare:tt, [$($book:ident $due:ident)?];)*) => {
        match $op.kind() {
            $($(Kind::$kind)|+ => {$($oracle.$due($op);)?})*
        }
    };
}

impl Oracle {
    /// The oracle of an empty ledger.
    pub(crate) fn new(planted: Option<Planted>) -> Self {
        Self { ledger: agent::LEDGER, planted, ..Self::default() }
    }

    /// Foresees and remembers what `command` comes to.
    pub(crate) fn execute(&mut self, command: &Command) -> Prediction {
        self.trace.clear();
        if let Err(refusal) = self.near_enough(command) {
            return Prediction { deadlines: 0, recorded: false, answer: Err(refusal) };
        }
        let dated = self.effective_instant(command.at);
        if dated < command.at {
            self.reach(Goal::FactDatedAhead);
        }
        let at = dated.max(self.now);
        let deadlines = self.advance(at, u64::MAX);
        let answer = match &command.what {
            Intent::Request(account, request) => self.request(*account, request, at),
            Intent::Public(Public::Register(asked)) => self.register(asked, at),
            Intent::Enrolment(asked) => self.enrol(asked, at),
            Intent::Fact(reported) => match self.fact_names(&reported.fact) {
                Ok(()) => Ok(self.fact(reported, at)),
                Err(refusal) => Err(refusal),
            },
        };
        self.hold_back();
        self.top_up();
        self.forget_handed_out();
        self.ask_the_world();
        let recorded = match answer {
            Ok(Outcome::Created(_) | Outcome::Applied(_) | Outcome::SetAside(_)) => true,
            Ok(Outcome::Done | Outcome::Registered(_) | Outcome::Known) => self.trace.changed,
            Ok(Outcome::Repeated(_)) | Err(_) => false,
        };
        if recorded {
            if dated < at {
                self.reach(Goal::TakenAsNow);
            }
            self.trace.dates.push(at);
            self.seq += 1;
            self.now = at;
        } else if answer.is_err() && deadlines > 0 {
            self.reach(Goal::DueDespiteRefusal);
        }
        Prediction { deadlines, recorded, answer }
    }

    /// Rulings 69: what is dated more than a minute ahead of the machine's clock is taken as now.
    pub(crate) fn effective_instant(&self, told: Instant) -> Instant {
        let ahead = |clock: &Instant| later(*clock, Span::seconds(60)) < told;
        self.machine_reads.filter(ahead).unwrap_or(told)
    }

    /// Rulings 3: only the passing of time may jump further than the bound.
    fn near_enough(&mut self, command: &Command) -> Result<(), Refusal> {
        let passes = matches!(&command.what, Intent::Fact(Reported { fact: Fact::TimePassed, .. }));
        let latest = later(self.now, self.policy.largest_jump);
        let at = self.effective_instant(command.at);
        if self.seq > 0 && at >= latest {
            if at == latest {
                self.reach(Goal::JumpAtBound);
            } else if passes {
                self.reach(Goal::LeaptFar);
            } else {
                self.reach(Goal::JumpRefused);
                return Err(Refusal::JumpTooFar { latest });
            }
        }
        Ok(())
    }

    /// Brings the deadlines due up to `at`, at most so many; says how many there were.
    pub(crate) fn advance(&mut self, at: Instant, most: u64) -> u64 {
        let mut count = 0;
        let mut matured = None;
        while count < most {
            let Some((due_at, op)) = self.due.first().copied().filter(|(due, _)| *due <= at) else {
                break;
            };
            self.due.remove(&(due_at, op));
            if self.waits_until(op) != Some(due_at) {
                continue;
            }
            self.now = self.now.max(due_at);
            self.trace.begin_decision();
            each_kind!(oracle_due self op);
            self.top_up();
            self.forget_handed_out();
            if self.charges.get(&op).is_some_and(|charge| charge.credited) {
                if matured == Some(due_at) {
                    self.reach(Goal::MaturedTogether);
                }
                matured = Some(due_at);
            }
            self.trace.dates.push(self.now);
            self.seq += 1;
            count += 1;
        }
        self.trace.begin_decision();
        count
    }

    /// Until when an operation waits for time alone.
    fn waits_until(&self, op: OpId) -> Option<Instant> {
        each_kind!(oracle_deadline self op)
    }

    /// Notes when an operation will be due, if it waits for time.
    fn await_time(&mut self, op: OpId) {
        if let Some(at) = self.waits_until(op) {
            self.due.insert((at, op));
        }
    }

    /// How many operations wait for time alone.
    pub(crate) fn waiting_for_time(&self) -> usize {
        let charges = self.charges.values().filter(|charge| charge.deadline().is_some());
        let holds = self.holds.values().filter(|hold| hold.deadline().is_some());
        let sales = self.sales.values().filter(|sale| sale.deadline().is_some());
        let deposits = self.wallet_deposits.values().filter(|it| it.deadline().is_some());
        let quotes = self.quotes.values().filter(|it| it.deadline().is_some());
        charges.count() + holds.count() + sales.count() + deposits.count() + quotes.count()
    }

    /// The account's terms in force at `at`: of those that count by then the latest, and of two
    /// from one instant the one adopted last.
    pub(crate) fn terms(&self, account: AccountId, at: Instant) -> Terms {
        self.terms_and_adoption(account, at).1
    }

    /// The terms in force, and whether they were adopted for a date that was yet to come.
    fn terms_and_adoption(&self, account: AccountId, at: Instant) -> (bool, Terms) {
        let mut best: Option<&(Instant, Instant, Terms)> = None;
        for dated in &self.accounts[account.0 as usize].terms {
            if dated.1 <= at && best.is_none_or(|best| best.1 <= dated.1) {
                best = Some(dated);
            }
        }
        let (adopted, from, terms) = best.expect("the first terms count from the beginning");
        (adopted < from, *terms)
    }

    /// The subaccount a customer is, or the house.
    pub(crate) fn subaccount_of(
        &self,
        account: AccountId,
        customer: Option<&str>,
    ) -> Option<SubaccountId> {
        let Some(customer) = customer else {
            return self.accounts.get(account.0 as usize).map(|account| account.house);
        };
        let place = self.subaccounts.iter().position(|subaccount| {
            subaccount.account == account && subaccount.customer.as_deref() == Some(customer)
        });
        place.map(|place| SubaccountId(u32::try_from(place).expect("few subaccounts")))
    }

    pub(crate) fn account_named(&self, name: &str) -> Option<AccountId> {
        let known = |account: &Account| !name.is_empty() && *account.name == *name;
        let place = self.accounts.iter().position(known);
        place.map(|place| AccountId(u32::try_from(place).expect("few accounts")))
    }

    /// The id the next record gives to an operation it creates.
    fn next_op(&self, kind: Kind) -> OpId {
        OpId::new(kind, Seq(self.seq + 1))
    }
}

/// Later by so much.
fn later(at: Instant, span: Span) -> Instant {
    let micros = i64::try_from(span.micros()).expect("spans of the simulator are short");
    Instant::from_micros(at.micros() + micros).expect("the simulator lives in this century")
}

/// The first instant of the next day in Brasilia, which keeps three hours behind UTC since 2019.
fn next_midnight(at: Instant) -> Instant {
    const DAY: i64 = 86_400_000_000;
    const BEHIND: i64 = 3 * 3_600_000_000;
    let days = (at.micros() - BEHIND).div_euclid(DAY) + 1;
    Instant::from_micros(days * DAY + BEHIND).expect("the simulator lives in this century")
}
