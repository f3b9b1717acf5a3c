//! A court takes money from a subaccount (rulings 21).

use crate::id::{Kind, OpId};
use crate::ledger::charge::reversal;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, hold};
use crate::money::Amount;

impl FactContext<'_> {
    /// A court takes money from a subaccount: from the block named, from held parts, and from
    /// available, which may become negative (rulings 21); it waits until somebody says where it
    /// went.
    pub(in crate::ledger) fn court_ordered(&self, hold: Option<OpId>, amount: Amount) -> Decision {
        let Some(subaccount) = self.lookup.subaccounts[0] else {
            return self.aside(Reason::Unmatched);
        };
        let block = match (hold, &self.lookup.operation) {
            (None, _) => None,
            (Some(_), Some((op, known))) => match known.hold() {
                Some(hold::State::Open(open)) if open.order.subaccount == subaccount => {
                    Some((*op, open))
                }
                _ => return self.aside(Reason::OutOfTurn),
            },
            (Some(_), None) => return self.aside(Reason::Unmatched),
        };
        let order = suspense::Order {
            amount,
            direction: Direction::In,
            float: Float::Court,
            about: hold,
            outside: "".into(),
            paid_at: self.at,
        };
        let command = suspense::Command::Take(order, subaccount);
        let Verdict::Applied(event) = suspense::decide(&suspense::State::Absent, command) else {
            return self.aside(Reason::OutOfTurn);
        };
        let op = OpId::new(Kind::Suspense, self.state.seq.next());
        let mut events = reversal::of_order(self.state, subaccount, block, amount);
        events.push(Event::Suspense { op, event });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }
}
