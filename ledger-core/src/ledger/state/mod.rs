//! The state: what is open, and every balance. A fold of records that clones in O(1).

pub(super) mod api_account;
pub(super) mod apply;
pub(super) mod daily_sums;
pub(super) mod deadlines;
pub(super) mod due;
pub(super) mod early_reports;
mod lasting;
mod opening;
pub(super) mod outgoing;
pub(super) mod posting;
pub(super) mod snapshot;
pub(super) mod usage;
use std::sync::Arc;

use im::{OrdMap, OrdSet, Vector};

use super::domains::Domains;
use super::notification::InstructionKey;
use super::record::early_report::EarlyReport;
use super::record::event::Event;
use super::registry::Operation;
use super::state::api_account::ApiAccount;
use super::state::daily_sums::Days;
use super::state::due::Due;
use super::state::usage::Usage;
use crate::accounting::{Books, Buckets, Chunks};
use crate::counted::hash_counted;
use crate::id::{AccountId, KeyHash, LedgerName, OpId, Seq, SubaccountId, Token};
use crate::money::{Balance, Cents};
use crate::terms::{Catalogue, Payer, Policy, Quote, Terms};
use crate::time::Instant;

/// What the ledger knows of a house balance or subaccount besides its buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subaccount {
    /// The API account that it is of.
    pub account: AccountId,
    /// The end of the waiting period its first deposit started, if one ever did.
    pub waiting_until: Option<Instant>,
    /// Tells whether a PIX deposit was ever credited to it.
    pub deposited: bool,
    /// How many open holds watch it for what they are short of.
    pub watchers: u32,
}

/// Everything open. Clones in O(1).
///
/// ```
/// use ledger_core::id::AccountId;
/// use ledger_core::ledger::State;
/// use ledger_core::terms::Terms;
/// use ledger_core::time::Instant;
///
/// let state = State::new("live");
/// assert_eq!((state.seq.0, state.books.trial_balance()), (0, 0));
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// assert_eq!(state.terms(AccountId(0), at), Terms::published_at(at)); // Nobody has others.
/// assert!(state.next_due(at).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The ledger's name, which is its identity, and its environment.
    pub name: LedgerName,
    /// The number of the last record.
    pub seq: Seq,
    /// The instant of the last record: the ledger's time.
    pub now: Instant,
    /// The policy in force.
    pub policy: Arc<Policy>,
    /// Every balance, in reais and in crypto.
    pub books: Books,
    /// What is offered.
    pub catalogue: Catalogue,
    pub(super) rates: OrdMap<Box<str>, Arc<Quote>>,
    pub(super) payers: OrdMap<Token, Payer>,
    /// Of what is pending of a document, what each account issued.
    pub(super) unpaid: OrdMap<(Token, AccountId), Cents>,
    pub(super) recipients: Days<Token>,
    pub(super) sent: Days<AccountId>,
    pub(super) usage: Chunks<Usage>,
    pub(super) accounts: Vector<Arc<ApiAccount>>,
    pub(super) names: OrdMap<Box<str>, AccountId>,
    pub(super) keys: OrdMap<KeyHash, AccountId>,
    pub(super) retired: OrdSet<KeyHash>,
    pub(super) issued_until: Instant,
    pub(super) issued: OrdMap<Token, u16>,
    pub(super) subaccounts: Chunks<Subaccount>,
    pub(super) deficits: OrdMap<AccountId, i64>,
    /// Each in a place of its own, as leaves of the tree are half empty, and copied where shared.
    pub(super) open: OrdMap<OpId, Arc<Operation>>,
    pub(super) parts: OrdMap<(SubaccountId, Instant, OpId), Cents>,
    pub(super) holds: OrdSet<(SubaccountId, OpId)>,
    /// Open holds under the operation that is their cause.
    pub(super) caused: OrdSet<(OpId, OpId)>,
    pub(super) agenda: OrdSet<(Instant, OpId, Due)>,
    pub(super) domains: Domains,
    /// What waits for a person, under the operation it names (rulings 46).
    pub(super) set_aside: OrdSet<(OpId, OpId)>,
    /// Reports of what has not begun, under the operation they name (rulings 46).
    pub(super) early: OrdMap<OpId, Arc<[EarlyReport]>>,
    /// Instructions that were handed out, beside their machines, and stand (rulings 70).
    pub(super) handed_out: OrdSet<InstructionKey>,
}

hash_counted!(State {
    name, seq, now, policy, books, catalogue, recipients, sent, issued_until, domains,
} {
    rates, payers, unpaid, usage, accounts, names, keys, retired, issued, subaccounts, deficits, open, parts,
    holds, caused, agenda, set_aside, early, handed_out,
});

impl State {
    /// An empty ledger of this name; of a name alone, the ledger of that name as it was before
    /// environments were chosen.
    #[must_use]
    pub fn new(name: impl Into<LedgerName>) -> Self {
        Self {
            name: name.into(),
            seq: Seq::default(),
            now: Instant::default(),
            policy: Arc::new(Policy::default()),
            books: Books::default(),
            catalogue: Catalogue::default(),
            rates: OrdMap::new(),
            payers: OrdMap::new(),
            unpaid: OrdMap::new(),
            recipients: Days::default(),
            sent: Days::default(),
            usage: Chunks::default(),
            accounts: Vector::new(),
            names: OrdMap::new(),
            keys: OrdMap::new(),
            retired: OrdSet::new(),
            issued_until: Instant::default(),
            issued: OrdMap::new(),
            subaccounts: Chunks::default(),
            deficits: OrdMap::new(),
            open: OrdMap::new(),
            parts: OrdMap::new(),
            holds: OrdSet::new(),
            caused: OrdSet::new(),
            agenda: OrdSet::new(),
            domains: Domains::default(),
            set_aside: OrdSet::new(),
            early: OrdMap::new(),
            handed_out: OrdSet::new(),
        }
    }

    /// An API account by its number.
    #[must_use]
    pub fn account(&self, id: AccountId) -> Option<&ApiAccount> {
        self.accounts.get(id.0 as usize).map(|account| &**account)
    }

    /// An API account by its name.
    #[must_use]
    pub fn account_named(&self, name: &str) -> Option<AccountId> {
        self.names.get(name).copied()
    }

    /// The API account a key opens.
    #[must_use]
    pub fn account_of_key(&self, key: &KeyHash) -> Option<AccountId> {
        self.keys.get(key).copied()
    }

    /// All API accounts, in the order they were opened.
    pub fn accounts(&self) -> impl Iterator<Item = (AccountId, &ApiAccount)> {
        self.accounts.iter().zip(0..).map(|(account, index)| (AccountId(index), &**account))
    }

    /// Returns what an account charged and paid out on its last day.
    #[must_use]
    pub fn usage(&self, id: AccountId) -> Usage {
        self.usage.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The latest price reported of an asset, however old.
    #[must_use]
    pub fn rate(&self, asset: &str) -> Option<&Quote> {
        self.rates.get(asset).map(|quote| &**quote)
    }

    /// Every document the ladder knows.
    pub fn payers(&self) -> impl Iterator<Item = (Token, &Payer)> {
        self.payers.iter().map(|(document, payer)| (*document, payer))
    }

    /// A house balance or subaccount.
    #[must_use]
    pub fn subaccount(&self, id: SubaccountId) -> Option<&Subaccount> {
        self.subaccounts.get(id.0 as usize)
    }

    /// All house balances and subaccounts of an account with their buckets, in the order opened,
    /// beginning after `after`.
    pub fn subaccounts_of(
        &self,
        account: AccountId,
        after: Option<SubaccountId>,
    ) -> impl Iterator<Item = (SubaccountId, Buckets)> + '_ {
        let first = after.map_or(0, |id| id.0.saturating_add(1));
        let ids = (first..).zip(self.subaccounts.from(first as usize));
        ids.filter(move |(_, subaccount)| subaccount.account == account)
            .map(|(index, _)| (SubaccountId(index), self.books.subaccount(SubaccountId(index))))
    }

    /// An open operation.
    #[must_use]
    pub fn open(&self, op: OpId) -> Option<&Operation> {
        self.open.get(&op).map(Arc::as_ref)
    }

    /// An open operation, shared with whoever looks at it.
    pub(in crate::ledger) fn shared_operation(&self, op: OpId) -> Option<Arc<Operation>> {
        self.open.get(&op).map(Arc::clone)
    }

    /// The account that an operation belongs to: its own, or that of the balance it is about.
    #[must_use]
    pub fn owner_of(&self, operation: &Operation) -> Option<AccountId> {
        let of_balance = || Some(self.subaccount(operation.machine.subaccount()?)?.account);
        operation.account().or_else(of_balance)
    }

    /// All open operations, by id.
    pub fn open_operations(&self) -> impl Iterator<Item = (OpId, &Operation)> {
        self.open.iter().map(|(op, operation)| (*op, operation.as_ref()))
    }

    /// Returns what of a subaccount's credits is still to be released, earliest first (CUS-10).
    #[must_use]
    pub fn releases(
        &self,
        subaccount: SubaccountId,
    ) -> impl DoubleEndedIterator<Item = (Instant, OpId, Cents)> + '_ {
        let first = (subaccount, Instant::default(), OpId::LEAST);
        let next = (SubaccountId(subaccount.0.saturating_add(1)), Instant::default(), OpId::LEAST);
        // Where nothing waits for anybody, as in most ledgers, no range is sought.
        let parts = (!self.parts.is_empty()).then(|| self.parts.range(first..next));
        let parts = parts.into_iter().flatten();
        parts.map(|((_, at, op), as_cents)| (*at, *op, *as_cents))
    }

    /// The open holds on a subaccount, first placed first.
    pub fn holds_on(&self, subaccount: SubaccountId) -> impl Iterator<Item = OpId> + '_ {
        let next = (SubaccountId(subaccount.0.saturating_add(1)), OpId::LEAST);
        let holds = &self.holds;
        let placed = (!holds.is_empty()).then(|| holds.range((subaccount, OpId::LEAST)..next));
        placed.into_iter().flatten().map(|(_, op)| *op)
    }

    /// The open holds for a cause, on whichever subaccount, first placed first.
    pub fn holds_for(&self, cause: OpId) -> impl Iterator<Item = OpId> + '_ {
        let caused = &self.caused;
        let placed = (!caused.is_empty()).then(|| caused.range((cause, OpId::LEAST)..));
        let placed = placed.into_iter().flatten();
        placed.take_while(move |(of, _)| *of == cause).map(|(_, op)| *op)
    }

    /// The terms of an account in force at `at`; those published then for an account unknown.
    #[must_use]
    pub fn terms(&self, account: AccountId, at: Instant) -> Terms {
        self.known_terms(account, at).copied().unwrap_or_else(|| Terms::published_at(at))
    }

    /// The terms of an account in force at `at`, if the account is known.
    #[must_use]
    pub fn known_terms(&self, account: AccountId, at: Instant) -> Option<&Terms> {
        self.account(account).map(|account| account.schedule.at(at))
    }

    /// Returns what a subaccount may spend: what is available, less, for a house balance, what its
    /// subaccounts owe (rulings 25).
    #[must_use]
    pub fn spendable(&self, subaccount: SubaccountId) -> Balance {
        let available = self.books.subaccount(subaccount).available;
        if self.deficits.is_empty() || !self.policy.house_covers_negatives.is_on() {
            return available;
        }
        let house = self.subaccount(subaccount).and_then(|known| {
            let account = self.account(known.account)?;
            (account.house == subaccount).then_some(known.account)
        });
        let owed = house.and_then(|account| self.deficits.get(&account)).copied().unwrap_or(0);
        available.plus(-owed).unwrap_or(Balance::new(i64::MIN))
    }

    /// Returns what the subaccounts of each account owe after forced debits, in centavos above
    /// zero; an account whose subaccounts owe nothing is left out.
    pub fn owed_by_subaccounts(&self) -> impl Iterator<Item = (AccountId, i64)> + '_ {
        self.deficits.iter().map(|(account, cents)| (*account, *cents))
    }

    /// The end of the waiting period, while one is running at `at` (P:CarenciaScope, inclusive).
    #[must_use]
    pub fn waiting_until(&self, subaccount: SubaccountId, at: Instant) -> Option<Instant> {
        self.subaccount(subaccount)
            .and_then(|known| known.waiting_until)
            .filter(|until| at < *until)
    }

    /// The first deadline due at `at`, if one is.
    #[must_use]
    pub fn next_due(&self, at: Instant) -> Option<(Instant, OpId, Due)> {
        self.agenda.get_min().filter(|(due_at, _, _)| *due_at <= at).copied()
    }

    /// All deadlines, earliest first.
    pub fn deadlines(&self) -> impl Iterator<Item = (Instant, OpId, Due)> + '_ {
        self.agenda.iter().copied()
    }

    /// Returns what the very first record begins with: the ledger's name and policy.
    pub(super) fn opening_event(&self) -> Option<Event> {
        (self.seq == Seq::default()).then(|| {
            let policy = Box::new(Policy::clone(&self.policy));
            Event::LedgerOpened { name: (&*self.name).into(), policy }
        })
    }
}
