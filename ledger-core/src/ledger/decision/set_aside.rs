//! Facts that are set aside: why, and what waits for a person (rulings 1 and 54).

use super::fact_context::FactContext;
use super::{Decision, Outcome};
use crate::id::OpId;
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::{SetAsideReason, SetAsideReason as Reason};
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::{cash_out, charge, delivery, payout};
use crate::money::Amount;

impl Decision {
    /// Why the fact is set aside, or a part of what it reports.
    pub(in crate::ledger) fn reason(&self) -> Option<SetAsideReason> {
        self.events.iter().rev().find_map(|event| match event {
            Event::SetAside { reason, .. } => *reason,
            _ => None,
        })
    }

    /// The identity that its record keeps: a PIX sent that books nothing is new again to a report
    /// that can book it.
    pub(in crate::ledger) fn kept_identity(&self, of: Option<ExternalId>) -> Option<ExternalId> {
        let unbooked = self.outcome == Outcome::SetAside(None);
        of.filter(|id| !(unbooked && id.scope == Scope::SentPix))
    }
}

impl FactContext<'_> {
    /// Nothing is booked; that the fact came is recorded, and why nothing came of it.
    pub(in crate::ledger) fn aside(&self, reason: SetAsideReason) -> Decision {
        self.waits(Vec::new(), None, reason)
    }

    /// Lets the money that the fact carries wait in `events`, as `op`.
    pub(in crate::ledger) fn waits(
        &self,
        mut events: Vec<Event>,
        op: Option<OpId>,
        reason: SetAsideReason,
    ) -> Decision {
        let (fact, about) = (self.kind(), self.about);
        events.push(Event::SetAside { fact, about, reason: Some(reason) });
        Decision { events, outcome: Outcome::SetAside(op) }
    }

    /// Why what the fact names cannot take it: nothing is there, or it is out of turn.
    pub(in crate::ledger) fn unfit(&self) -> SetAsideReason {
        match self.lookup.operation {
            None => SetAsideReason::Unmatched,
            Some(_) => SetAsideReason::OutOfTurn,
        }
    }

    /// Why the charge that the fact names cannot take this PIX.
    pub(in crate::ledger) fn unpayable(&self, pix: &charge::PixPayment) -> SetAsideReason {
        use SetAsideReason::{
            AlreadyPaid, AmountDiffers, OutOfTurn, PaidBefore, PaidLate, Unmatched,
        };
        match self.charge().map(|(_, state)| state) {
            None => Unmatched,
            Some(charge::State::Pending(order) | charge::State::Expired(order)) => match order {
                order if order.amount != pix.amount => AmountDiffers,
                order if order.is_preceded_by(pix) => PaidBefore,
                _ => PaidLate,
            },
            Some(
                charge::State::UnderReview(_)
                | charge::State::Delayed(_)
                | charge::State::Paid(_)
                | charge::State::Bought(_),
            ) => AlreadyPaid,
            Some(charge::State::Absent | charge::State::Failed(_) | charge::State::Refunded(_)) => {
                OutOfTurn
            }
        }
    }

    /// Why what happens after a payment cannot have happened to the charge that the fact names.
    pub(in crate::ledger) fn after_payment_reason(&self) -> SetAsideReason {
        match self.charge().map(|(_, state)| state) {
            Some(charge::State::Pending(_) | charge::State::Expired(_)) => SetAsideReason::TooEarly,
            _ => self.unfit(),
        }
    }

    /// Why the charge that the fact names cannot have given this much back.
    pub(in crate::ledger) fn unreturnable(&self, amount: Amount) -> SetAsideReason {
        use SetAsideReason::{AmountExceeds, OutOfTurn, OutcomeUnknown, TooEarly, Unmatched};
        match self.charge().map(|(_, state)| state) {
            None => Unmatched,
            Some(charge::State::Pending(_) | charge::State::Expired(_)) => TooEarly,
            Some(charge::State::Bought(bought)) => match bought.delivery {
                _ if !bought.returnable_balance().covers(amount) => AmountExceeds,
                delivery::State::Sending(_)
                | delivery::State::Accepted(_)
                | delivery::State::Unknown(_) => OutcomeUnknown,
                _ => OutOfTurn,
            },
            Some(
                charge::State::UnderReview(_)
                | charge::State::Delayed(_)
                | charge::State::Paid(_)
                | charge::State::Refunded(_),
            ) => AmountExceeds,
            Some(charge::State::Absent | charge::State::Failed(_)) => OutOfTurn,
        }
    }

    /// Why the order that a person lets go on stays under review: a ceiling stands against it
    /// (rulings 44), or the price it would go on at is not recent enough.
    pub(in crate::ledger) fn reason_to_stay(&self) -> SetAsideReason {
        let Some((_, state)) = self.cash_out() else { return self.unfit() };
        match state.progress().map(|known| known.stage) {
            Some(cash_out::Stage::Review(reason)) if reason.is_ceiling() => {
                SetAsideReason::AmountExceeds
            }
            Some(cash_out::Stage::Review(
                cash_out::ReviewReason::Strange | cash_out::ReviewReason::Unpriced,
            )) if self.sale_context(state, None).quote.is_none() => SetAsideReason::TooEarly,
            _ => self.unfit(),
        }
    }

    /// Why the coins do not go back to this wallet.
    pub(in crate::ledger) fn reason_to_keep(&self, to: Option<&str>) -> SetAsideReason {
        match to.zip(self.confirmed_wallet()) {
            Some((to, known)) if to != known => SetAsideReason::WalletDiffers,
            _ => self.unfit(),
        }
    }

    /// Why nothing takes the crypto that arrived.
    pub(in crate::ledger) fn arrival_reason(&self) -> SetAsideReason {
        match self.lookup.operation {
            None => SetAsideReason::Unmatched,
            Some(_) => SetAsideReason::NotAwaited,
        }
    }

    /// Why the delivery that the fact names does not move by it.
    pub(in crate::ledger) fn delivery_reason(&self) -> SetAsideReason {
        match self.charge().map(|(_, state)| state) {
            Some(charge::State::Bought(bought)) => match bought.delivery {
                _ if bought.end.is_some() => SetAsideReason::OutOfTurn,
                delivery::State::Waiting => SetAsideReason::TooEarly,
                delivery::State::Sending(_)
                | delivery::State::Accepted(_)
                | delivery::State::Unknown(_) => SetAsideReason::OutcomeUnknown,
                delivery::State::Retrying(_) | delivery::State::Sent(_) => {
                    SetAsideReason::OutOfTurn
                }
            },
            _ => self.after_payment_reason(),
        }
    }

    /// Why the payout that the fact names cannot have been paid by another PIX, or by this amount.
    pub(in crate::ledger) fn unpaid(&self, contradicts: bool) -> SetAsideReason {
        use SetAsideReason::{AlreadyPaid, AmountDiffers, OutOfTurn, Unmatched};
        match self.payout().map(|(_, state)| state) {
            None => Unmatched,
            Some(payout::State::Completed(_) | payout::State::Returned(_)) => AlreadyPaid,
            Some(_) if contradicts => AmountDiffers,
            Some(_) => OutOfTurn,
        }
    }

    /// Why the payout that the fact names cannot have come back.
    pub(in crate::ledger) fn not_come_back(&self) -> SetAsideReason {
        use SetAsideReason::{AmountExceeds, OutOfTurn, TooEarly, Unmatched};
        match self.payout().map(|(_, state)| state) {
            None => Unmatched,
            Some(payout::State::Completed(_) | payout::State::Returned(_)) => AmountExceeds,
            Some(
                payout::State::Requested(_)
                | payout::State::Submitted(_)
                | payout::State::Uncertain(_),
            ) => TooEarly,
            Some(_) => OutOfTurn,
        }
    }

    /// Why the sale that the fact names was not paid by this PIX.
    pub(in crate::ledger) fn unpaid_sale(&self, contradicts: bool) -> SetAsideReason {
        use SetAsideReason::{AlreadyPaid, AmountDiffers, TooEarly};
        match self.cash_out().and_then(|(_, state)| state.progress()).map(|known| known.stage) {
            Some(cash_out::Stage::Completed) => AlreadyPaid,
            Some(_) if contradicts => AmountDiffers,
            Some(
                cash_out::Stage::Quoted | cash_out::Stage::Awaiting | cash_out::Stage::Detected,
            ) => TooEarly,
            _ => self.unfit(),
        }
    }

    /// Why the PIX of the sale that the fact names cannot have come back.
    pub(in crate::ledger) fn reversal_reason(&self) -> SetAsideReason {
        use SetAsideReason::{AmountExceeds, TooEarly};
        match self.cash_out().and_then(|(_, state)| state.progress()).map(|known| known.stage) {
            Some(cash_out::Stage::Completed) => AmountExceeds,
            Some(cash_out::Stage::Secured | cash_out::Stage::Paying) => TooEarly,
            _ => self.unfit(),
        }
    }
}

impl FactContext<'_> {
    /// A report is set aside; of what may still begin, it is kept until that does.
    pub(in crate::ledger) fn keep_early(
        &self,
        report: Option<EarlyReport>,
        reason: Reason,
    ) -> Decision {
        let named = self.lookup.operation.as_ref();
        match (named, report) {
            (Some((op, known)), Some(report)) if known.machine.awaits_report(report) => {
                let kept = vec![Event::ReportKept { op: *op, report }];
                self.waits(kept, None, Reason::TooEarly)
            }
            (_, _) => self.aside(reason),
        }
    }
}
