//! Corrections that people make to balances: a fee is adjusted, or a balance written off, once and
//! within what is owed.

use crate::accounting::own_accounts::Income;
use crate::id::{Kind, OpId, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::decision::fact_context::{FactContext, attribute};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::registry::{Adjustment, Machine, Operation};
use crate::ledger::state::State;
use crate::money::{Amount, Balance, Cents};
use crate::time::Instant;

facts! {
    /// Corrections that people report.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// A fee is corrected: given to the subaccount, or charged to it.
        FeeAdjusted {
            account: Box<str>,
            customer: Option<Box<str>>,
            given: Cents,
            charged: Cents,
            income: Income,
            decided_by: OperatorDecision,
        } is FactKind::FeeAdjusted, of Some((account, customer.as_deref()));
        /// A negative balance is written off.
        BalanceWrittenOff {
            account: Box<str>,
            customer: Option<Box<str>>,
            amount: Amount,
            decided_by: OperatorDecision,
        } is FactKind::BalanceWrittenOff, of Some((account, customer.as_deref()));
    }
}

impl FactContext<'_> {
    /// A fact about a correction.
    pub(in crate::ledger) fn decide_adjustment(&self, fact: &Fact) -> Decision {
        match *fact {
            Fact::FeeAdjusted { given, charged, income, decided_by, .. } => {
                attribute(self.fee_adjusted(given, charged, income), decided_by)
            }
            Fact::BalanceWrittenOff { amount, decided_by, .. } => {
                attribute(self.written_off(amount), decided_by)
            }
        }
    }

    /// No more is charged than may be spent (rulings 25): only forced debits go below zero.
    fn fee_adjusted(&self, given: Cents, charged: Cents, income: Income) -> Decision {
        let Some(subaccount) = self.lookup.subaccounts[0] else {
            return self.aside(Reason::Unmatched);
        };
        let spendable = self.state.spendable(subaccount);
        let covered = charged.amount().is_none_or(|amount| spendable.covers(amount));
        if !covered || given.is_zero() == charged.is_zero() {
            return self.aside(Reason::AmountExceeds);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let event = Event::FeeAdjusted { op, subaccount, given, charged, income };
        Decision { events: vec![event], outcome: Outcome::Applied(Some(op)) }
    }

    /// No more is written off than is owed (rulings 29).
    fn written_off(&self, amount: Amount) -> Decision {
        let Some(subaccount) = self.lookup.subaccounts[0] else {
            return self.aside(Reason::Unmatched);
        };
        let available = self.state.books.subaccount(subaccount).available;
        let owed = Balance::new(available.cents().saturating_neg());
        if !owed.covers(amount) {
            return self.aside(Reason::AmountExceeds);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let event = Event::BalanceWrittenOff { op, subaccount, amount };
        Decision { events: vec![event], outcome: Outcome::Applied(Some(op)) }
    }
}

impl State {
    pub(in crate::ledger) fn adjust_fee(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        (op, subaccount): (OpId, SubaccountId),
        (given, charged): (Cents, Cents),
    ) -> Result<(), &'static str> {
        let value = Balance::new(given.cents() - charged.cents());
        self.keep_adjustment(archive, at, op, Adjustment { subaccount, value })?;
        let one = given.is_zero() != charged.is_zero();
        one.then_some(()).ok_or("a fee is given or charged, not both")
    }

    pub(in crate::ledger) fn write_off(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        (op, subaccount): (OpId, SubaccountId),
        amount: Amount,
    ) -> Result<(), &'static str> {
        let owed = -i128::from(self.books.subaccount(subaccount).available.cents());
        let value = Balance::new(amount.cents());
        self.keep_adjustment(archive, at, op, Adjustment { subaccount, value })?;
        let within = i128::from(amount.cents()) <= owed;
        within.then_some(()).ok_or("no more is written off than is owed")
    }

    /// Keeps a correction, which is over when it is made, under the record that makes it.
    pub(in crate::ledger) fn keep_adjustment(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        op: OpId,
        adjustment: Adjustment,
    ) -> Result<(), &'static str> {
        if op != OpId::new(Kind::Adjustment, self.seq) {
            return Err("an operation is named after the record that creates it");
        }
        let machine = Machine::Adjustment(adjustment);
        archive.keep(op, Operation { machine, created_at: at, updated_at: at, metadata: None });
        Ok(())
    }
}
