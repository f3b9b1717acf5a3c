//! Fees adjusted and balances written off, by people.

use super::income::Income;
use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::money::{Amount, Balance, Cents};

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
