//! Fees adjusted and balances written off, by people.

use crate::accounting::income::Income;
use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::{FactContext, attribute};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::money::{Amount, Balance, Cents};

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
}

impl FactContext<'_> {
    /// A fee charged may not take available below zero: that is for forced debits alone.
    pub(in crate::ledger) fn fee_adjusted(
        &self,
        given: Cents,
        charged: Cents,
        income: Income,
    ) -> Decision {
        let Some(subaccount) = self.lookup.subaccounts[0] else {
            return self.aside(Reason::Unmatched);
        };
        let available = self.state.books.subaccount(subaccount).available;
        let covered = charged.amount().is_none_or(|amount| available.covers(amount));
        if !covered || given.is_zero() == charged.is_zero() {
            return self.aside(Reason::AmountExceeds);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let event = Event::FeeAdjusted { op, subaccount, given, charged, income };
        Decision { events: vec![event], outcome: Outcome::Applied(Some(op)) }
    }

    /// No more is written off than is owed (rulings 29).
    pub(in crate::ledger) fn written_off(&self, amount: Amount) -> Decision {
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
