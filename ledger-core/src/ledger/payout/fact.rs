//! What the world reports of payouts.

use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, applied, known};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::suspense::{Direction, Float};
use crate::machine::{Verdict, payout};
use crate::money::Amount;

impl FactContext<'_> {
    pub(in crate::ledger) fn payout_moves(&self, command: payout::Command) -> Decision {
        let report = EarlyReport::of_a_payout(&command);
        match self.payout_verdict(command) {
            Some((op, Verdict::Applied(event))) => applied(self.payout_with_early(op, event)),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.keep_early(report, self.unfit()),
        }
    }

    /// A payout that was stopped goes on, unless its agent's mandate has come to stand against it
    /// (rulings 44).
    pub(in crate::ledger) fn payout_cleared(&self) -> Decision {
        let stopped =
            self.payout().filter(|(_, state)| matches!(state, payout::State::UnderReview(_)));
        let sent = stopped.and_then(|(op, _)| self.state.outgoing(op));
        let admitted = sent.is_none_or(|sent| {
            let bound = self.state.bound(sent.account, (sent.at, self.at), Some(sent));
            bound.is_none_or(|bound| bound.admits(sent.amount, sent.counterparty).is_ok())
        });
        if admitted {
            self.payout_moves(payout::Command::Clear)
        } else {
            self.aside(Reason::AmountExceeds)
        }
    }

    pub(in crate::ledger) fn paid(&self, e2e: &str, amount: Option<Amount>) -> Decision {
        let ordered = self.payout().and_then(|(_, state)| state.order()).map(|order| order.amount);
        let contradicts =
            matches!((ordered, amount), (Some(ordered), Some(paid)) if ordered != paid);
        match self.payout_verdict(payout::Command::Pay(e2e.into())) {
            Some((op, Verdict::Applied(event))) if !contradicts => {
                applied(self.payout_with_early(op, event))
            }
            Some((_, Verdict::Known)) => known(),
            Some(_) | None => match amount.or(ordered) {
                Some(amount) => {
                    let claim = self.suspended(Direction::Out, Float::Payout, e2e, amount);
                    self.to_suspense(claim, self.unpaid(contradicts))
                }
                None => self.aside(self.unpaid(contradicts)),
            },
        }
    }

    /// Evidence that a PIX paid this payout; one PIX pays one payout.
    pub(in crate::ledger) fn found_paid(&self, e2e: &str) -> Decision {
        let paid_by_it = match self.payout() {
            Some((_, payout::State::Completed(paid) | payout::State::Returned(paid))) => {
                *paid.e2e == *e2e
            }
            _ => false,
        };
        if self.lookup.pix_seen.is_none() || paid_by_it {
            self.paid(e2e, None)
        } else {
            self.aside(Reason::IdTaken)
        }
    }

    pub(in crate::ledger) fn came_back(&self, return_id: &str, amount: Amount) -> Decision {
        match self.payout_verdict(payout::Command::Return(amount)) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Payout { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => {
                let came = self.suspended(Direction::In, Float::Payout, return_id, amount);
                self.to_suspense(came, self.not_come_back())
            }
        }
    }

    fn payout_verdict(&self, command: payout::Command) -> Option<(OpId, Verdict<payout::Event>)> {
        let (op, state) = self.payout()?;
        Some((op, payout::decide(state, command)))
    }
}
