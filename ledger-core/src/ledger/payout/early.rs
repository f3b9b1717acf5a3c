//! What was reported of a payout before its time, and the decision that books it (rulings 45 and
//! 46).

use crate::id::OpId;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::record::event::Event;
use crate::ledger::suspense::waiting::taken_over;
use crate::machine::suspense::Order;
use crate::machine::{Verdict, payout};

impl FactContext<'_> {
    /// A payout moves; what was reported while it was stopped is booked when it goes on, and what
    /// came back before it was reported paid with its payment.
    pub(in crate::ledger) fn payout_with_early(
        &self,
        op: OpId,
        event: payout::Event,
    ) -> Vec<Event> {
        let known = self.lookup.operation.as_ref().and_then(|(_, known)| known.payout());
        let mut after = known.map(|before| payout::evolve(before, &event, self.at));
        let mut events = vec![Event::Payout { op, event }];
        for report in self.state.early_reports(op) {
            let Some((state, command)) = after.as_ref().zip(report.of_payout()) else { continue };
            if let Verdict::Applied(event) = payout::decide(state, command) {
                after = Some(payout::evolve(state, &event, self.at));
                events.push(Event::Payout { op, event });
            }
        }
        let Some(payout::State::Completed(paid)) = &after else { return events };
        let waiting = self.state.suspended_about(op, Order::is_a_payment_returned);
        let Some((sum, ended)) = taken_over(op, waiting, paid.left()) else { return events };
        let completed = payout::State::Completed(paid.clone());
        let command = payout::Command::Return(sum);
        if let Verdict::Applied(event) = payout::decide(&completed, command) {
            events.extend(ended);
            events.push(Event::Payout { op, event });
        }
        events
    }
}
