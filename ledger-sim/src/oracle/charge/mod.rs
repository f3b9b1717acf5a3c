//! Charges as the oracle sees them: Part A1 and A4; rulings 13, 21 to 23 and 27.

pub(super) mod fact;
pub(super) mod request;
pub(super) mod reversal;
pub(super) mod usage;
use ledger_core::accounting::RowKind;
use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::charge::PixPayment;
use ledger_core::terms::{Rate, Release};
use ledger_core::time::{Instant, Span};

use super::books::RowOf;
use super::fees::deposit_fee;
use super::purchase::bought::Buy;
use super::{IdScope, Oracle, later, next_midnight};
use crate::goal::Goal;
use crate::settings::Planted;

/// A charge as the oracle's books have it.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub(crate) subaccount: SubaccountId,
    pub(crate) amount: i64,
    pub(super) fee: Rate,
    pub(crate) held_hours: Option<u16>,
    pub(super) release: Release,
    pub(super) waiting_hours: u16,
    pub(crate) expires_at: Instant,
    pub(crate) status: ChargeStatus,
    /// What the PIX brought.
    pub(crate) received: i64,
    /// What went back before the credit, and since.
    pub(crate) returned_before: i64,
    pub(crate) returned_since: i64,
    /// Tells whether it was ever credited, and then with how much and at what fee.
    pub(crate) credited: bool,
    pub(crate) gross: i64,
    pub(crate) fee_taken: i64,
    /// What of it is held until when, and whether that is over.
    pub(crate) part: i64,
    pub(super) available_at: Option<Instant>,
    pub(crate) settled: bool,
    /// Until when the provider holds it, announced or not.
    pub(super) withheld: Option<Instant>,
    /// The PIX that was seen, while the provider has not settled it.
    pub(in crate::oracle) e2e: Option<Box<str>>,
    pub(crate) created_at: Instant,
    /// When its payment was confirmed to us.
    pub(super) counted_at: Option<Instant>,
    /// When its payer paid, and not after the report of it.
    pub(super) paid_at: Option<Instant>,
    /// The wallet it goes to, named or the account's own.
    pub(super) address: Option<Box<str>>,
    pub(crate) buy: Option<Buy>,
}

/// The contract's words for where a charge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ChargeStatus {
    Pending,
    Expired,
    Failed,
    UnderReview,
    Delayed,
    Paid,
    Refunded,
}

/// Where a credited PIX stood before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Provider,
    Flight,
    Suspense,
}

impl Charge {
    /// Until when the provider holds it, if it is held now: a day where nobody says.
    fn held_until(&self, told: Option<Instant>, at: Instant) -> Instant {
        let hours = self.held_hours.unwrap_or(24);
        told.unwrap_or_else(|| later(at, Span::hours(hours.into())))
    }

    /// A charge just issued.
    pub(super) fn issue(
        subaccount: SubaccountId,
        amount: i64,
        fee: Rate,
        (created_at, expires_at): (Instant, Instant),
    ) -> Self {
        Self {
            subaccount,
            amount,
            fee,
            held_hours: None,
            release: Release::Immediate,
            waiting_hours: 0,
            expires_at,
            status: ChargeStatus::Pending,
            received: 0,
            returned_before: 0,
            returned_since: 0,
            credited: false,
            gross: 0,
            fee_taken: 0,
            part: 0,
            available_at: None,
            settled: false,
            withheld: None,
            e2e: None,
            created_at,
            counted_at: None,
            paid_at: None,
            address: None,
            buy: None,
        }
    }

    /// Tells whether no PIX ever paid it.
    pub(super) fn is_unpaid(&self) -> bool {
        use ChargeStatus::{Expired, Failed, Pending};
        matches!(self.status, Pending | Expired | Failed)
    }

    /// Returns what could still go back to the payer.
    pub(crate) fn returnable(&self) -> i64 {
        match self.status {
            ChargeStatus::UnderReview | ChargeStatus::Delayed => {
                self.received - self.returned_before
            }
            ChargeStatus::Paid => self.gross - self.returned_since,
            _ => 0,
        }
    }

    /// Returns what its customer bears of a return: at most what was credited, all returns since
    /// counted together; the rest gives the fee back (rulings 22).
    pub(super) fn borne_of(&self, amount: i64) -> i64 {
        let net = self.gross - self.fee_taken;
        (self.returned_since + amount).min(net) - self.returned_since.min(net)
    }

    /// Tells whether another PIX, or another amount of it, paid it.
    pub(super) fn is_not_of(&self, told: &PixPayment) -> bool {
        let is_other = |own: &str| own != &*told.e2e || self.received != told.amount.cents();
        self.e2e.as_deref().is_some_and(is_other)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.status {
            ChargeStatus::Pending => Some(self.expires_at),
            ChargeStatus::Paid if !self.settled => self.available_at,
            _ => None,
        }
    }

    /// Only the exact amount, paid in time by the provider's clock, pays a charge.
    pub(super) fn is_paid_by(&self, payment: &PixPayment) -> bool {
        matches!(self.status, ChargeStatus::Pending | ChargeStatus::Expired)
            && payment.amount.cents() == self.amount
            && payment.paid_at <= self.expires_at
            // A provider's clock shows whole seconds.
            && payment.paid_at.micros() / 1_000_000 >= self.created_at.micros() / 1_000_000
    }

    /// Notes when it was paid: at the latest when that was reported.
    pub(super) fn pay_at(&mut self, payment: &PixPayment, at: Instant) {
        self.paid_at = Some(payment.paid_at.min(at));
        self.e2e = Some(payment.e2e.clone());
    }

    /// The instant whose day it counts for at its payer, and whose day's end releases it.
    pub(super) fn was_paid_at(&self, at: Instant) -> Instant {
        self.paid_at.map_or(at, |paid_at| paid_at.min(at))
    }
}

impl Oracle {
    /// A PIX arrived.
    pub(super) fn pix_received(
        &mut self,
        op: Option<OpId>,
        payment: &PixPayment,
        at: Instant,
    ) -> Outcome {
        let charge = op.and_then(|op| Some((op, self.charges.get(&op)?)));
        match charge {
            Some((op, charge)) if charge.is_paid_by(payment) => {
                let late = charge.status == ChargeStatus::Expired;
                let last = payment.paid_at == charge.expires_at;
                if late {
                    self.reach(Goal::LateNews);
                }
                if last {
                    self.reach(Goal::PaidAtLast);
                }
                self.receive(op, payment, at);
                Outcome::Applied(None)
            }
            charge => {
                let goal = charge.map(|(_, charge)| match charge.status {
                    ChargeStatus::Pending | ChargeStatus::Expired => {
                        let late = payment.amount.cents() == charge.amount;
                        let least = late && payment.paid_at.since(charge.expires_at).micros() == 1;
                        if least {
                            Some(Goal::PaidTooLate)
                        } else {
                            (!late).then_some(Goal::Mispaid)
                        }
                    }
                    ChargeStatus::Paid => Some(Goal::SecondPix),
                    _ => None,
                });
                self.trace.goals.extend(goal.flatten());
                self.money_in(payment.amount.cents(), true, &payment.e2e, payment.paid_at)
            }
        }
    }

    /// Books a PIX that pays its charge, less what went back of it before that was reported.
    pub(super) fn receive(&mut self, op: OpId, payment: &PixPayment, at: Instant) {
        let charge = &self.charges[&op];
        let held = charge.held_hours.is_some();
        let fits = self.least_waiting(op) <= charge.amount;
        if held || !fits || self.has_claim_open(op) {
            self.arrive(op, payment, at);
            self.paid_now(op, at);
            return;
        }
        // What went back is neither credited nor bought with (rulings 22).
        self.seen.insert((IdScope::PixIn, payment.e2e.clone()));
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        charge.received = payment.amount.cents();
        charge.pay_at(payment, at);
        charge.counted_at = Some(at);
        charge.status = ChargeStatus::UnderReview;
        self.totals.provider_pix += payment.amount.cents();
        self.totals.pix_in_flight += payment.amount.cents();
        self.settle_returns(op, at);
        if self.charges[&op].status == ChargeStatus::UnderReview {
            self.clear(op, at);
        }
        self.note(op);
    }

    /// What was reported of a charge before its payment.
    pub(super) fn paid_now(&mut self, op: OpId, at: Instant) {
        if self.charges[&op].credited {
            self.sent_before(op);
            self.book_reports(op);
        }
        self.settle_returns(op, at);
    }

    /// Books a PIX that pays its charge: to flight when the provider holds it, else to the
    /// customer.
    pub(super) fn arrive(&mut self, op: OpId, payment: &PixPayment, at: Instant) {
        self.seen.insert((IdScope::PixIn, payment.e2e.clone()));
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        charge.received = payment.amount.cents();
        charge.pay_at(payment, at);
        charge.counted_at = Some(at);
        if charge.held_hours.is_some() {
            charge.status = ChargeStatus::Delayed;
            charge.withheld = Some(charge.held_until(None, at));
            self.totals.provider_pix += payment.amount.cents();
            self.totals.pix_in_flight += payment.amount.cents();
            self.notify(op, Topic::ChargeDelayed);
            self.note(op);
        } else if charge.buy.is_some() {
            self.buy(op, Before::Provider);
        } else {
            self.credit(op, Before::Provider, at);
        }
    }

    /// Credits what was received and not returned; the fee is at most that (rulings 22).
    pub(super) fn credit(&mut self, op: OpId, from: Before, at: Instant) {
        let off = i64::from(self.planted == Some(Planted::DepositFee));
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        let gross = charge.received - charge.returned_before;
        let owed = deposit_fee(charge.fee, charge.received) + off;
        let fee = owed.min(gross);
        let held = charge.held_hours.is_some() || charge.withheld.is_some();
        // The day of the payment releases it; one that is over keeps nothing back.
        let released = next_midnight(charge.was_paid_at(at));
        let now = held || charge.release == Release::Immediate || released <= at;
        charge.status = ChargeStatus::Paid;
        charge.credited = true;
        charge.gross = gross;
        charge.fee_taken = fee;
        charge.settled = now;
        charge.available_at = (!now).then_some(released);
        charge.part = if now { 0 } else { gross - fee };
        let (subaccount, wait) = (charge.subaccount, Span::hours(charge.waiting_hours.into()));
        let returned = charge.returned_before;
        match from {
            Before::Provider => self.totals.provider_pix += gross,
            Before::Flight => self.totals.pix_in_flight -= gross,
            Before::Suspense => self.totals.suspense -= gross,
        }
        self.totals.deposit_income += fee;
        if returned > 0 {
            self.reach(Goal::LeftAfterReturn);
        }
        if owed > gross {
            self.reach(Goal::FeeCappedByRest);
        }
        if now {
            self.give(subaccount, gross - fee);
        } else {
            self.touch(subaccount).held += gross - fee;
        }
        self.row(subaccount, op, RowKind::Deposit, RowOf::Principal(gross));
        self.row(subaccount, op, RowKind::Deposit, RowOf::Fee(-fee));
        let books = self.touch(subaccount);
        let first = !books.deposited && books.customer.is_some();
        books.deposited = true;
        if first && wait > Span::default() {
            books.waiting_until = Some(later(at, wait));
        }
        self.notify(op, Topic::ChargePaid);
        if now {
            self.notify(op, Topic::ChargeSettled);
        }
        self.note(op);
        self.await_time(op);
    }

    pub(super) fn free_part(&mut self, op: OpId, subaccount: SubaccountId, cents: i64) {
        if cents > 0 {
            self.charges.get_mut(&op).expect("a part belongs to a charge").part -= cents;
            self.touch(subaccount).held -= cents;
            self.give(subaccount, cents);
        }
    }

    /// A charge was not paid in time, or its credit's day came.
    pub(super) fn charge_due(&mut self, op: OpId) {
        let charge = self.charges.get_mut(&op).expect("only charges expire and mature");
        if charge.status == ChargeStatus::Pending {
            charge.status = ChargeStatus::Expired;
            self.notify(op, Topic::ChargeExpired);
        } else {
            charge.settled = true;
            let (subaccount, part) = (charge.subaccount, charge.part);
            self.free_part(op, subaccount, part);
            self.notify(op, Topic::ChargeSettled);
        }
        self.note(op);
    }
}
