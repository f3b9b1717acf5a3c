//! Conversions and commission withdrawals as the oracle sees them: Parts A3 and A16; rulings 36,
//! 38.

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, Kind, OpId, SubaccountId};
use ledger_core::ledger::{
    ConversionRequest, Field, FundingRequest, Outcome, Ownership, Refusal, Topic,
};
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::money::{Amount, Balance};
use ledger_core::time::Instant;

use super::books::RowOf;
use super::fees::{Earned, Service};
use super::purchase::delivery::{DeliveryProgress, Moved, Stage};
use super::purchase::offer::DeliveryTerms;
use super::{Oracle, later};
use crate::goal::Goal;
use crate::wallets::is_same;

/// A conversion of custody, or a withdrawal of commission.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    pub(crate) account: AccountId,
    /// Whose custody; none for commission.
    pub(crate) subaccount: Option<SubaccountId>,
    pub(crate) amount: i64,
    pub(crate) earned: Earned,
    pub(crate) delivery_terms: DeliveryTerms,
    pub(crate) course: DeliveryProgress,
    pub(crate) refunded: bool,
    pub(super) created_at: Instant,
}

impl Conversion {
    /// Tells whether nothing is in flight any more.
    pub(crate) fn is_over(&self) -> bool {
        self.refunded || self.course.stage == Stage::Sent
    }

    /// Returns what stands in flight in reais.
    pub(crate) fn in_flight(&self) -> i64 {
        match self.course.stage {
            _ if self.is_over() => 0,
            Stage::Waiting => self.amount + self.earned.total(),
            _ => self.earned.total(),
        }
    }
}

impl Oracle {
    pub(super) fn conversion_request(
        &mut self,
        account: AccountId,
        request: &ConversionRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        if self.policy.conversions_paused.is_on() {
            return Err(Refusal::ConversionsPaused);
        }
        let of_commission = request.source == FundingRequest::Commission;
        let terms = self.terms(account, at);
        if !of_commission && !terms.custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if let FundingRequest::Custody { tax_number, ownership, .. } = &request.source {
            let proven = (*ownership == Ownership::Proven).then_some(*tax_number);
            self.check_mandate(account, request.amount.cents(), proven, at)?;
        }
        let memo = request.memo.as_deref();
        let mut target = request.target.clone();
        let offer = self.destination(account, &mut target, memo, at, false)?;
        if of_commission {
            self.withdrawn_lately(account, at)?;
        }
        let cents = request.amount.cents();
        let Some(delivery_terms) = offer.delivery_terms(cents) else {
            // Nobody can ask for more than a trillion reais, so no such minimum is suggested
            // (P:LargestMinimum).
            let minimum = Some(offer.fewest_cents()).filter(|cents| *cents <= 100_000_000_000_000);
            let minimum = minimum.and_then(Amount::new);
            if cents + 1 == offer.fewest_cents() {
                self.reach(Goal::BelowNetwork);
            }
            return Err(Refusal::BelowMinimum { minimum });
        };
        let service = if of_commission { Service::FREE } else { Service::conversion(&terms) };
        let earned = service.on(cents);
        let debited = cents + earned.total();
        if let Some(cap) = request.cap.filter(|cap| cap.cents() < debited) {
            if cap.cents() + 1 == debited {
                self.reach(Goal::CapByOne);
            }
            let debited = Amount::new(debited).expect("more than nothing");
            return Err(Refusal::AboveCap { debited });
        }
        let subaccount = match &request.source {
            FundingRequest::Commission => None,
            FundingRequest::Custody { customer, .. } => {
                let subaccount = self.subaccount_of(account, customer.as_deref());
                if let Some(until) = subaccount.and_then(|subaccount| self.waits(subaccount, at)) {
                    self.reach(Goal::ConversionWaits);
                    return Err(Refusal::Waiting { until });
                }
                Some(self.source_of(subaccount, debited)?)
            }
        };
        let kind = if of_commission { Kind::CommissionWithdrawal } else { Kind::Conversion };
        let op = self.next_op(kind);
        if let Some(subaccount) = subaccount {
            self.give(subaccount, -debited);
            self.row(subaccount, op, RowKind::Conversion, RowOf::Principal(-cents));
            self.row(subaccount, op, RowKind::Conversion, RowOf::Fee(-earned.total()));
            self.notify(op, Topic::ChargePaid);
            if self.subaccount(subaccount).available == 0 {
                self.reach(Goal::EmptiedByConversion);
            }
        } else {
            let owed = self.totals.commissions[account.0 as usize];
            if owed < debited {
                let available = Balance::new(owed);
                self.reach(Goal::CommissionTooLittle);
                return Err(Refusal::FundsInsufficient { available });
            }
            self.commission(account, op, RowKind::CommissionWithdrawn, -debited);
            self.accounts[account.0 as usize].withdrawn_at = Some(at);
        }
        if request.cap.is_some_and(|cap| cap.cents() == debited) {
            self.reach(Goal::CapExact);
        }
        self.totals.conversions_in_flight += debited;
        let course = DeliveryProgress::default();
        let (amount, refunded) = (cents, false);
        let created_at = at;
        let it = Conversion {
            account,
            subaccount,
            amount,
            earned,
            delivery_terms,
            course,
            refunded,
            created_at,
        };
        self.conversions.insert(op, it);
        if !of_commission {
            self.accounts[account.0 as usize].converted.push(op);
        }
        self.trace.asked.push(op);
        self.note(op);
        Ok(op)
    }

    /// Commission is withdrawn at most once in an interval (COM-06).
    pub(super) fn withdrawn_lately(
        &mut self,
        account: AccountId,
        at: Instant,
    ) -> Result<(), Refusal> {
        let last = self.accounts[account.0 as usize].withdrawn_at;
        let (Some(last), Some(interval)) = (last, self.policy.commission_interval) else {
            return Ok(());
        };
        let until = later(last, interval);
        if at < until {
            self.reach(Goal::WithdrawnLately);
            return Err(Refusal::WithdrawnLately { until, wait: until.since(at) });
        }
        Ok(())
    }

    /// A report of a conversion's delivery.
    pub(super) fn conversion_news(
        &mut self,
        op: OpId,
        command: &Command,
        found_out: bool,
    ) -> Outcome {
        let it = &self.conversions[&op];
        let (delivery_terms, earned, account) = (it.delivery_terms, it.earned, it.account);
        let moved = match (it.refunded, &command.report) {
            (false, _) => it.course.judge_report(command),
            (true, DeliveryReport::Fail | DeliveryReport::Lose) => Moved::Known,
            (true, _) => Moved::Aside,
        };
        match (moved, &command.report) {
            (Moved::By(steps), _) => {
                let how = (command.attempt, found_out);
                self.deliver(op, steps, delivery_terms, (account, earned), how);
                if self.course(op).stage == Stage::Sent {
                    let of_commission = op.kind() == Kind::CommissionWithdrawal;
                    self.reach(if of_commission {
                        Goal::CommissionSent
                    } else {
                        Goal::ConversionSent
                    });
                }
                self.book_reports(op);
                Outcome::Applied(None)
            }
            (Moved::Known, _) => Outcome::Known,
            (Moved::Aside, DeliveryReport::Confirm(hash)) => {
                self.erroneous_delivery(op, delivery_terms, hash)
            }
            (Moved::Aside, _) => self.keep_report(op, command.attempt, &command.report),
        }
    }

    /// Impossible: everything goes back to where it came from.
    pub(super) fn conversion_given_up(&mut self, op: OpId) -> Outcome {
        let it = self.conversions[&op].clone();
        if it.refunded {
            return Outcome::Known;
        }
        if !it.course.can_stop() {
            return Outcome::SetAside(None);
        }
        self.undo_purchase(op, it.delivery_terms);
        let debited = it.amount + it.earned.total();
        self.totals.conversions_in_flight -= debited;
        match it.subaccount {
            Some(subaccount) => {
                self.give(subaccount, debited);
                self.row(subaccount, op, RowKind::Reversal, RowOf::Principal(it.amount));
                self.row(subaccount, op, RowKind::Reversal, RowOf::Fee(it.earned.total()));
                self.notify(op, Topic::ChargeRefunded);
                self.reach(Goal::ConversionRefunded);
            }
            None => {
                self.commission(it.account, op, RowKind::CommissionRestored, debited);
                self.reach(Goal::CommissionRestored);
            }
        }
        self.conversions.get_mut(&op).expect("found above").refunded = true;
        self.note(op);
        Outcome::Applied(None)
    }
}

/// In which fields a conversion agrees with the original of its id.
pub(super) fn differing(a: &ConversionRequest, b: &ConversionRequest) -> Vec<(bool, Field)> {
    let owner = |request: &ConversionRequest| match &request.source {
        FundingRequest::Custody { customer, tax_number, .. } => {
            (Some(customer.clone()), Some(*tax_number))
        }
        FundingRequest::Commission => (None, None),
    };
    let (first, second) = (owner(a), owner(b));
    vec![
        (a.amount == b.amount, Field::Amount),
        (first.0 == second.0, Field::Customer),
        (a.target.asset == b.target.asset, Field::Asset),
        (a.target.chain == b.target.chain, Field::Chain),
        (is_same(a.target.address.as_deref(), b.target.address.as_deref()), Field::Address),
        (first.1 == second.1, Field::TaxNumber),
        (a.memo == b.memo, Field::Memo),
    ]
}
