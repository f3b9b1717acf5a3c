//! Applying records: the fold of events into state and archive.

use std::sync::Arc;

use thiserror::Error;

use super::operation::{Adjustment, Machine, Operation, Registered};
use super::{State, Subaccount, due};
use crate::accounting::Fault;
use crate::id::{Kind, OpId, Seq};
use crate::ledger::account::usage::Usage;
use crate::ledger::account::{ApiAccount, Credentials};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::notification::Passing;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::record::identity::{learn, learn_outside};
use crate::ledger::suspense::waiting::waits_about;
use crate::machine::wallet::quote;
use crate::machine::{erroneous_delivery, suspense, transfer};
use crate::money::Balance;
use crate::terms::{Policy, Schedule};
use crate::time::Instant;

/// A record that no ledger in this state can have written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Corrupt {
    /// Its number is not the next.
    #[error("record {found:?} where {expected:?} was expected")]
    Sequence {
        /// The next number.
        expected: Seq,
        /// The number that the record bears.
        found: Seq,
    },
    /// It is dated before the record it follows.
    #[error("dated {found} after a record dated {last}")]
    Time {
        /// The last record's instant.
        last: Instant,
        /// The instant that the record bears.
        found: Instant,
    },
    /// An event that cannot follow what happened before.
    #[error("event {index} cannot follow: {what}")]
    Follows {
        /// The event's place in the record.
        index: usize,
        /// What does not fit.
        what: &'static str,
    },
    /// An entry that cannot be posted.
    #[error("event {index} cannot be posted")]
    Post {
        /// The event's place in the record.
        index: usize,
        /// What the books say against it.
        #[source]
        fault: Fault,
    },
}

impl State {
    /// Applies `record` to this state and the archive beside it.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] when the record cannot follow. State and archive are then half-changed and must
    /// be dropped.
    pub fn apply(&mut self, archive: &mut impl Archive, record: &Record) -> Result<(), Corrupt> {
        self.apply_noting(archive, record, &mut Passing::new())
    }

    /// [`State::apply`], with how operations stood that a later event of the record moved again.
    pub(in crate::ledger) fn apply_noting(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        passing: &mut Passing,
    ) -> Result<(), Corrupt> {
        passing.clear();
        let expected = self.seq.next();
        if record.seq != expected {
            return Err(Corrupt::Sequence { expected, found: record.seq });
        }
        if record.at < self.now {
            return Err(Corrupt::Time { last: self.now, found: record.at });
        }
        self.seq = record.seq;
        self.now = record.at;
        for (index, event) in record.events.iter().enumerate() {
            let follows =
                learn(archive, event, record).and_then(|()| self.remember(archive, record, event));
            follows.map_err(|what| Corrupt::Follows { index, what })?;
            self.count_settled(event);
            self.count_reputation(archive, event);
            if let Some(op) = moved_again(record, index) {
                passing.extend(self.current(archive, op).map(|known| (index, known)));
            }
            let entry = event.entry();
            if !entry.is_empty() {
                let posted = self.post(archive, record, index, event, &entry);
                posted.map_err(|fault| Corrupt::Post { index, fault })?;
            }
        }
        if let Some(outside) = &record.outside {
            let first = learn_outside(archive, outside, record.seq);
            first.map_err(|what| Corrupt::Follows { index: record.events.len(), what })?;
        }
        Ok(())
    }

    /// What the event changes besides balances.
    #[allow(clippy::too_many_lines)] // The table of events, one arm each.
    fn remember(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        event: &Event,
    ) -> Result<(), &'static str> {
        match event {
            Event::LedgerOpened { name, policy } => {
                let first = record.seq == Seq(1) && **name == *self.name;
                self.policy = Arc::new(Policy::clone(policy));
                first.then_some(()).ok_or("a ledger opens once, under its own name")
            }
            Event::PolicyAdopted(policy) => {
                self.policy = Arc::new(Policy::clone(policy));
                Ok(())
            }
            Event::AccountOpened { account, name, key, house, terms } => {
                let fresh = account.0 as usize == self.accounts.len()
                    && house.0 as usize == self.subaccounts.len()
                    && !self.names.contains_key(name)
                    && !self.knows_key(key);
                self.open_subaccount(Subaccount {
                    account: *account,
                    waiting_until: None,
                    deposited: false,
                    watchers: 0,
                });
                self.names.insert(name.clone(), *account);
                self.keys.insert(*key, *account);
                self.usage.push(Usage::default());
                self.accounts.push_back(Arc::new(ApiAccount {
                    name: name.clone(),
                    key: Some(*key),
                    house: *house,
                    schedule: Schedule::starting_with(**terms),
                    settlement: None,
                    commission_withdrawn_at: None,
                    owner: None,
                    credentials: Credentials::default(),
                }));
                fresh.then_some(()).ok_or("an account is opened once, under the next number")
            }
            Event::TermsAdopted { account, from, terms } => {
                let known = self.accounts.get_mut(account.0 as usize);
                let known = known.ok_or("terms are adopted for an account that exists")?;
                Arc::make_mut(known).schedule.adopt(*from, **terms);
                Ok(())
            }
            Event::SubaccountOpened { subaccount, account, customer } => {
                let fresh = subaccount.0 as usize == self.subaccounts.len()
                    && self.account(*account).is_some()
                    && archive.subaccount(*account, customer).is_none();
                self.open_subaccount(Subaccount {
                    account: *account,
                    waiting_until: None,
                    deposited: false,
                    watchers: 0,
                });
                archive.name_subaccount(*subaccount, *account, customer);
                fresh.then_some(()).ok_or("a subaccount is opened once, under the next number")
            }
            Event::Charge { op, event } => self.charge(archive, record, *op, event),
            Event::Payout { op, event } => self.payout(archive, record, *op, event),
            Event::Hold { op, event } => self.hold(archive, record.at, *op, event),
            Event::Suspense { op, event } => {
                self.moves::<suspense::State>(archive, record.at, (*op, event), |_, _, _| Ok(()))
            }
            Event::Transfer { op, event } => {
                let absent = transfer::State::Absent;
                if *op != OpId::new(Kind::Transfer, record.seq)
                    || !transfer::follows(&absent, event)
                {
                    return Err("a transfer happens once");
                }
                let transfer::Event::Done(order) = event;
                archive.keep_transfer(*op, record.at, order);
                Ok(())
            }
            Event::FeeAdjusted { op, subaccount, given, charged, .. } => {
                let one = given.is_zero() != charged.is_zero();
                let value = Balance::new(given.cents() - charged.cents());
                adjustment(archive, record, *op, Adjustment { subaccount: *subaccount, value })?;
                one.then_some(()).ok_or("a fee is given or charged, not both")
            }
            Event::BalanceWrittenOff { op, subaccount, amount } => {
                let owed = -i128::from(self.books.subaccount(*subaccount).available.cents());
                let value = Balance::new(amount.cents());
                adjustment(archive, record, *op, Adjustment { subaccount: *subaccount, value })?;
                let within = i128::from(amount.cents()) <= owed;
                within.then_some(()).ok_or("no more is written off than is owed")
            }
            Event::Conversion { op, event } => self.conversion(archive, record, *op, event),
            Event::ReportKept { op, report } => {
                let known = self.current(archive, *op);
                let early = known.is_some_and(|known| report.is_early(&known.machine));
                self.keep_report(*op, *report);
                early.then_some(()).ok_or("a report is kept of what may still begin")
            }
            Event::ErroneousDelivery { op, event } => self.moves::<erroneous_delivery::State>(
                archive,
                record.at,
                (*op, event),
                |_, _, _| Ok(()),
            ),
            Event::CashOut { op, event } => self.cash_out(archive, record, *op, event),
            Event::UnmatchedDeposit { op, event } => self.unmatched(archive, record, *op, event),
            Event::WalletDeposit { op, event } => self.wallet_deposit(archive, record, *op, event),
            Event::WalletPayment { op, event } => self.wallet_payment(archive, record, *op, event),
            Event::CryptoWithdrawal { op, event } => {
                self.crypto_withdrawal(archive, record, *op, event)
            }
            Event::WalletQuoted { op, event } => {
                self.moves::<quote::State>(archive, record.at, (*op, event), |_, _, _| Ok(()))
            }
            Event::CatalogueUpdated { .. }
            | Event::RateQuoted { .. }
            | Event::PayerReviewed { .. }
            | Event::MarketsUpdated { .. }
            | Event::NetworkPages(_)
            | Event::SettlementAddressSet { .. } => self.learn(record.at, event),
            Event::Agent { .. } | Event::ReferralGiven { .. } | Event::RewardAccrued { .. } => {
                self.in_the_mesh(event, record.at)
            }
            Event::Enrolled { .. }
            | Event::KeyReplaced { .. }
            | Event::KeyRevoked { .. }
            | Event::WebhookSet { .. }
            | Event::WebhookSecretReplaced { .. }
            | Event::MonitorReplaced { .. } => self.access(record.at, event),
            Event::TreasuryMoved { .. }
            | Event::CoinsMoved { .. }
            | Event::SetAside { .. }
            | Event::PixDescribed(_)
            | Event::Judged(_)
            | Event::TimePassed => Ok(()),
        }
    }

    fn open_subaccount(&mut self, subaccount: Subaccount) {
        self.books.open_subaccount();
        self.subaccounts.push(subaccount);
    }

    pub(in crate::ledger) fn current(&self, archive: &impl Archive, op: OpId) -> Option<Operation> {
        lookup::operation(self, archive, op).map(|(_, operation)| operation)
    }

    /// An event of an operation: its machine says whether it may follow, and remembers it; `count`
    /// keeps what the state counts of it besides.
    pub(in crate::ledger) fn moves<M: Registered>(
        &mut self,
        archive: &mut impl Archive,
        at: Instant,
        (op, event): (OpId, &M::Event),
        count: impl FnOnce(&mut Self, &M, &M) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = M::default();
        let state = before.as_ref().and_then(|known| M::of(&known.machine)).unwrap_or(&absent);
        if !M::is_of(op.kind()) || !state.follows(event) {
            return Err(M::MISPLACED);
        }
        let after = state.evolve(event, at);
        count(self, state, &after)?;
        self.settle(archive, op, before, after.registered(), at)
    }

    /// Puts the operation where it belongs now, and its deadline on the agenda.
    pub(in crate::ledger) fn settle(
        &mut self,
        archive: &mut impl Archive,
        op: OpId,
        before: Option<Operation>,
        machine: Machine,
        at: Instant,
    ) -> Result<(), &'static str> {
        if before.is_none() && op.seq() != self.seq {
            return Err("an operation is named after the record that creates it");
        }
        self.count_outgoing(before.as_ref().map(|before| &before.machine), &machine);
        let was_due = before.as_ref().and_then(|before| due::deadline(&before.machine));
        let is_due = due::deadline(&machine);
        if was_due != is_due {
            if let Some((at, due)) = was_due {
                self.agenda.remove(&(at, op, due));
            }
            if let Some((at, due)) = is_due {
                self.agenda.insert((at, op, due));
            }
        }
        let waited = before.as_ref().and_then(|before| waits_about(&before.machine));
        let waits = waits_about(&machine);
        if waited != waits {
            if let Some(about) = waited {
                self.set_aside.remove(&(about, op));
            }
            if let Some(about) = waits {
                self.set_aside.insert((about, op));
            }
        }
        self.forget_reports(op, &machine);
        let created_at = before.map_or(at, |before| before.created_at);
        let ended = machine.has_ended();
        archive.note(op, self.seq);
        let operation = Operation { machine, created_at, updated_at: at };
        if ended {
            self.open.remove(&op);
            archive.keep(op, operation);
        } else {
            self.open.insert(op, operation);
        }
        Ok(())
    }
}

/// The operation of an event that a later event of its record moves again.
fn moved_again(record: &Record, index: usize) -> Option<OpId> {
    let later = record.events.get(index + 1..).filter(|later| !later.is_empty())?;
    let op = record.events[index].op()?;
    let touches = |event: &Event| {
        event.op() == Some(op) || event.unmatched_about().is_some_and(|(order, _)| order == op)
    };
    later.iter().any(touches).then_some(op)
}

impl Operation {
    fn new(machine: Machine, at: Instant) -> Self {
        Self { machine, created_at: at, updated_at: at }
    }
}

fn adjustment(
    archive: &mut impl Archive,
    record: &Record,
    op: OpId,
    adjustment: Adjustment,
) -> Result<(), &'static str> {
    if op != OpId::new(Kind::Adjustment, record.seq) {
        return Err("an operation is named after the record that creates it");
    }
    archive.keep(op, Operation::new(Machine::Adjustment(adjustment), record.at));
    Ok(())
}
