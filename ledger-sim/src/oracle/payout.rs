//! Payouts as the oracle sees them: Part A6; rulings 2, 8, 36 and 37.

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, OpId, SubaccountId, Token};
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{Fact, Field, Outcome, PayoutRequest, Topic};
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::books::RowOf;
use super::fees::Fees;
use super::suspense::{Waiting, WaitingStatus};
use super::{IdScope, Oracle};
use crate::goal::Goal;

/// A payout as the oracle's books have it.
#[derive(Clone, Debug)]
pub(crate) struct Payout {
    pub(crate) account: AccountId,
    pub(crate) subaccount: SubaccountId,
    pub(crate) amount: i64,
    pub(crate) fees: Fees,
    pub(crate) status: PayoutStatus,
    /// The PIX that paid it.
    pub(crate) e2e: Option<Box<str>>,
    pub(crate) returned: i64,
    pub(super) gives_fee_back: bool,
    pub(super) created_at: Instant,
    /// The beneficiary's document, where it is proven.
    pub(super) proven: Option<Token>,
    /// Tells whether its instruction stands, and was handed out.
    pub(crate) handed_out: bool,
}

/// Our words for where a payout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PayoutStatus {
    Requested,
    UnderReview,
    Submitted,
    Uncertain,
    Failed,
    Completed,
    Returned,
}

impl Payout {
    /// Returns what was debited: the amount and all fees on top.
    pub(crate) fn total_debit(&self) -> i64 {
        self.amount + self.fees.total()
    }

    /// Tells whether its outcome is yet to come.
    pub(crate) fn is_under_way(&self) -> bool {
        use PayoutStatus::{Requested, Submitted, Uncertain, UnderReview};
        matches!(self.status, Requested | UnderReview | Submitted | Uncertain)
    }
}

impl Oracle {
    /// Foresees what is reported of payouts.
    pub(super) fn payout_fact(&mut self, fact: &PayoutFact, at: Instant) -> Outcome {
        use PayoutFact as Fact;
        match fact {
            Fact::Submitted { payout } => self.payout_submitted(*payout),
            Fact::Paid { payout, e2e, amount } => {
                self.payout_paid(*payout, e2e, amount.map(Amount::cents), at, false)
            }
            Fact::Refused { payout } => self.payout_refused(*payout, false),
            Fact::Unknown { payout } => self.payout_unknown(*payout),
            Fact::Returned { payout, return_id, amount } => {
                self.payout_returned(*payout, return_id, amount.cents(), at)
            }
            Fact::Evidence { payout, paid, decided_by } => match paid {
                Some(e2e) => self.payout_found_paid(*payout, e2e, at),
                None if self.lacks_evidence(*payout, decided_by) => self.called_off_by_word(),
                None => self.payout_refused(*payout, true),
            },
            Fact::Stopped { payout, decided_by } => {
                let requested = |it: &Payout| it.status == PayoutStatus::Requested;
                let moves = payout.and_then(|op| self.payouts.get(&op)).is_some_and(requested);
                if moves && self.lacks_evidence(*payout, decided_by) {
                    return self.called_off_by_word();
                }
                self.payout_decided(*payout, true)
            }
            Fact::Cleared { payout, .. } => self.payout_decided(*payout, false),
        }
    }

    fn called_off_by_word(&mut self) -> Outcome {
        self.reach(Goal::CalledOffByWord);
        Outcome::SetAside(None)
    }

    /// The provider took it: an older report once anything later is known.
    pub(super) fn payout_submitted(&mut self, op: Option<OpId>) -> Outcome {
        let Some((op, payout)) = self.payout(op) else { return Outcome::SetAside(None) };
        match payout.status {
            PayoutStatus::Requested => payout.status = PayoutStatus::Submitted,
            // It was stopped before it was sent: somebody must look.
            PayoutStatus::UnderReview => {
                self.early_payouts.entry(op).or_default().push(PayoutStatus::Submitted);
                return Outcome::SetAside(None);
            }
            _ => return Outcome::Known,
        }
        self.notify(op, Topic::PayoutProcessing);
        self.note(op);
        Outcome::Applied(None)
    }

    /// Nobody knows what became of it: nothing moves (INV-32).
    pub(super) fn payout_unknown(&mut self, op: Option<OpId>) -> Outcome {
        let Some((op, payout)) = self.payout(op) else { return Outcome::SetAside(None) };
        match payout.status {
            PayoutStatus::Requested | PayoutStatus::Submitted => {}
            PayoutStatus::UnderReview => {
                self.early_payouts.entry(op).or_default().push(PayoutStatus::Uncertain);
                return Outcome::SetAside(None);
            }
            _ => return Outcome::Known,
        }
        payout.status = PayoutStatus::Uncertain;
        self.note(op);
        Outcome::Applied(None)
    }

    /// It was definitely not paid: everything goes back.
    pub(super) fn payout_refused(&mut self, op: Option<OpId>, found_out: bool) -> Outcome {
        let Some((op, payout)) = self.payout(op) else { return Outcome::SetAside(None) };
        if payout.status == PayoutStatus::Failed {
            return Outcome::Known;
        }
        if !payout.is_under_way() {
            return Outcome::SetAside(None);
        }
        let unknown = payout.status == PayoutStatus::Uncertain;
        payout.status = PayoutStatus::Failed;
        let (subaccount, amount, fees) = (payout.subaccount, payout.amount, payout.fees.total());
        self.totals.payouts_in_flight -= amount + fees;
        self.give(subaccount, amount + fees);
        self.row(subaccount, op, RowKind::Reversal, RowOf::Principal(amount));
        self.row(subaccount, op, RowKind::Reversal, RowOf::Fee(fees));
        self.notify(op, Topic::PayoutFailed);
        self.note(op);
        if unknown && found_out {
            self.reach(Goal::FoundNotPaid);
        }
        Outcome::Applied(None)
    }

    /// A PIX was paid for it; one that the books do not await is a claim on the provider.
    pub(super) fn payout_paid(
        &mut self,
        op: Option<OpId>,
        e2e: &str,
        amount: Option<i64>,
        at: Instant,
        found_out: bool,
    ) -> Outcome {
        let Some((op, payout)) = self.payout(op) else {
            return match amount {
                Some(amount) => self.money_out(amount, false, e2e, at),
                None => Outcome::SetAside(None),
            };
        };
        if payout.e2e.as_deref() == Some(e2e) {
            return Outcome::Known;
        }
        if let Some(reported) =
            amount.filter(|reported| *reported != payout.amount && payout.is_under_way())
        {
            return self.money_out(reported, false, e2e, at);
        }
        if !payout.is_under_way() {
            let amount = amount.unwrap_or(payout.amount);
            let failed = payout.status == PayoutStatus::Failed;
            self.reach(if failed { Goal::PaidAfterFailed } else { Goal::SecondSend });
            return self.money_out(amount, false, e2e, at);
        }
        let unknown = payout.status == PayoutStatus::Uncertain;
        payout.status = PayoutStatus::Completed;
        payout.e2e = Some(e2e.into());
        let payout = payout.clone();
        if let Some(claim) = self.waits_as(e2e, Waiting::is_payment) {
            self.settle_suspense(claim, op);
        }
        let (account, amount, fees) = (payout.account, payout.amount, payout.fees);
        self.totals.payouts_in_flight -= amount + fees.total();
        self.totals.provider_pay -= amount;
        self.totals.payout_income += fees.house;
        self.commission(account, op, RowKind::CommissionEarned, fees.partner);
        self.notify(op, Topic::PayoutCompleted);
        self.settles(account, amount);
        self.totals.tariff_due += fees.tariff;
        self.seen.insert((IdScope::PixOut, e2e.into()));
        self.note(op);
        self.settle_payout_returns(op);
        if fees.partner > 0 && fees.tariff > 0 {
            self.reach(Goal::CommissionEarned);
        }
        if unknown && found_out {
            self.reach(Goal::FoundPaid);
        }
        Outcome::Applied(None)
    }

    /// Evidence that a PIX paid this payout; a PIX that is known to be another's is none.
    pub(super) fn payout_found_paid(
        &mut self,
        op: Option<OpId>,
        e2e: &str,
        at: Instant,
    ) -> Outcome {
        let own = op
            .and_then(|op| self.payouts.get(&op))
            .is_some_and(|payout| payout.e2e.as_deref() == Some(e2e));
        let open = op.and_then(|op| self.payouts.get(&op)).is_some_and(Payout::is_under_way);
        let claimed = open && self.waits_as(e2e, Waiting::is_payment).is_some();
        if !own && !claimed && self.seen.contains(&(IdScope::PixOut, e2e.into())) {
            return Outcome::SetAside(None);
        }
        self.payout_paid(op, e2e, None, at, true)
    }

    /// A payout came back; before it is known to be paid, the money waits (rulings 2).
    pub(super) fn payout_returned(
        &mut self,
        op: Option<OpId>,
        return_id: &str,
        amount: i64,
        at: Instant,
    ) -> Outcome {
        let known = self.payout(op);
        match known {
            Some((op, payout))
                if payout.status == PayoutStatus::Completed
                    && amount <= payout.amount - payout.returned =>
            {
                if let Some(waiting) = self.waits_as(return_id, Waiting::is_payment_back) {
                    self.settle_suspense(waiting, op);
                }
                self.payout_comes_back(op, amount);
                Outcome::Applied(None)
            }
            known => {
                let early = known.filter(|(_, payout)| payout.is_under_way());
                let early = early.map(|(op, _)| op);
                let outcome = self.money_in(amount, false, return_id, at);
                if let Some(op) = early {
                    self.doubt_sent(op);
                    self.reach(Goal::CameBackEarly);
                }
                outcome
            }
        }
    }

    /// Leaves a payout of which something came back uncertain: nobody is asked for it.
    fn doubt_sent(&mut self, op: OpId) {
        let returned = !self.waiting_about(op, Waiting::is_payment_back).is_empty();
        let payout = self.payouts.get_mut(&op).expect("the caller found it");
        if returned && payout.status == PayoutStatus::Requested {
            payout.status = PayoutStatus::Uncertain;
            self.note(op);
        }
    }

    /// The money in suspense that has this id of the world.
    pub(super) fn waits_as(&self, outside: &str, wanted: fn(&Waiting) -> bool) -> Option<OpId> {
        let is_it = |it: &&Waiting| {
            it.status == WaitingStatus::Waiting && *it.outside == *outside && wanted(it)
        };
        let mut all = self.suspense.iter();
        all.find(|(_, it)| is_it(it)).map(|(op, _)| *op)
    }

    /// Tells whether a fact names a payout that a PIX reported of another one fits.
    pub(super) fn payout_pix_waits(&self, fact: &Fact) -> bool {
        let Fact::Payout(fact) = fact else { return false };
        let named = |op: &Option<OpId>| op.and_then(|op| self.payouts.get(&op));
        let amount =
            |outside: &str, wanted| Some(self.suspense[&self.waits_as(outside, wanted)?].amount);
        match fact {
            PayoutFact::Paid { payout, e2e, amount: told } => {
                let open = named(payout).filter(|it| it.is_under_way());
                open.is_some_and(|it| {
                    amount(e2e, Waiting::is_payment) == Some(it.amount)
                        && told.is_none_or(|told| told.cents() == it.amount)
                })
            }
            PayoutFact::Returned { payout, return_id, amount: told } => {
                let told = told.cents();
                amount(return_id, Waiting::is_payment_back) == Some(told)
                    && named(payout).is_some_and(|it| {
                        it.status == PayoutStatus::Completed && told <= it.amount - it.returned
                    })
            }
            _ => false,
        }
    }

    /// So much of a paid payout came back.
    pub(super) fn payout_comes_back(&mut self, op: OpId, amount: i64) {
        let payout = self.payouts.get_mut(&op).expect("the caller found it");
        let in_parts = payout.returned > 0;
        payout.returned += amount;
        let whole = payout.returned == payout.amount;
        let gives = whole && payout.gives_fee_back;
        if whole {
            payout.status = PayoutStatus::Returned;
        }
        let (account, subaccount, fees) = (payout.account, payout.subaccount, payout.fees);
        self.totals.provider_pay += amount;
        self.give(subaccount, amount);
        self.row(subaccount, op, RowKind::Reversal, RowOf::Principal(amount));
        if gives {
            self.totals.payout_income -= fees.house;
            self.commission(account, op, RowKind::CommissionReversed, -fees.partner);
            self.give(subaccount, fees.house + fees.partner);
            self.row(subaccount, op, RowKind::Reversal, RowOf::Fee(fees.house));
            self.row(subaccount, op, RowKind::Reversal, RowOf::Fee(fees.partner));
            self.reach(Goal::FeeGivenBack);
        }
        if whole && in_parts {
            self.reach(Goal::CameBackWhole);
        }
        self.notify(op, Topic::PayoutReturned);
        self.note(op);
    }

    /// Compliance stops it before it is sent, or lets it go on (rulings 36).
    pub(super) fn payout_decided(&mut self, op: Option<OpId>, stops: bool) -> Outcome {
        use PayoutStatus::{Requested, Submitted, UnderReview};
        let stopped = |op: &OpId| self.payouts.get(op).is_some_and(|it| it.status == UnderReview);
        let cleared = op.filter(|op| !stops && stopped(op));
        if cleared.is_some_and(|op| !self.payout_mandated(op)) {
            self.reach(Goal::PayoutKeptByMandate);
            return Outcome::SetAside(None);
        }
        let Some((op, payout)) = self.payout(op) else { return Outcome::SetAside(None) };
        payout.status = match (payout.status, stops) {
            (Requested, true) => UnderReview,
            (UnderReview, false) => Requested,
            (UnderReview, true) | (Requested, false) => return Outcome::Known,
            _ => return Outcome::SetAside(None),
        };
        payout.handed_out = false;
        self.note(op);
        self.trace.asked.push(op);
        for report in self.early_payouts.remove(&op).unwrap_or_default() {
            self.reach(Goal::ReportedWhileStopped);
            if report == Submitted {
                let _ = self.payout_submitted(Some(op));
            } else {
                let _ = self.payout_unknown(Some(op));
            }
        }
        self.doubt_sent(op);
        self.reach(if stops { Goal::PayoutStopped } else { Goal::PayoutCleared });
        Outcome::Applied(None)
    }

    fn payout(&mut self, op: Option<OpId>) -> Option<(OpId, &mut Payout)> {
        let op = op?;
        self.payouts.get_mut(&op).map(|payout| (op, payout))
    }
}

/// The id that the world gave a fact, where it gave one.
pub(super) fn identity(fact: &PayoutFact) -> Option<(IdScope, Box<str>)> {
    match fact {
        PayoutFact::Paid { e2e, .. } => Some((IdScope::PixOut, e2e.clone())),
        PayoutFact::Returned { return_id, .. } => Some((IdScope::PayoutBack, return_id.clone())),
        _ => None,
    }
}

/// In which fields a payout agrees with the original of its id.
pub(super) fn differing(a: &PayoutRequest, b: &PayoutRequest) -> Vec<(bool, Field)> {
    vec![
        (a.amount == b.amount, Field::Amount),
        (a.customer == b.customer, Field::Customer),
        (a.pix_key == b.pix_key, Field::PixKey),
        (a.tax_number == b.tax_number, Field::TaxNumber),
    ]
}
