//! Charges as the oracle sees them: Part A1 and A4; rulings 13, 21 to 23 and 27.

use ledger_core::accounting::RowKind;
use ledger_core::id::{CustodyId, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::machine::charge::Receipt;
use ledger_core::terms::{Rate, Release};
use ledger_core::time::{Instant, Span};

use super::books::RowOf;
use super::fees::deposit_fee;
use super::{Oracle, Realm, later, next_midnight};
use crate::goal::Goal;
use crate::settings::Planted;

/// A charge.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub(crate) custody: CustodyId,
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
    /// Whether it was ever credited, and then with how much and at what fee.
    pub(crate) credited: bool,
    pub(crate) gross: i64,
    pub(crate) fee_taken: i64,
    /// What of it is held until when, and whether that is over.
    pub(crate) part: i64,
    available_at: Option<Instant>,
    pub(crate) settled: bool,
}

/// The contract's words for where a charge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ChargeStatus {
    Pending,
    Expired,
    Failed,
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
    /// A charge just issued.
    pub(super) fn issued(custody: CustodyId, amount: i64, fee: Rate, expires_at: Instant) -> Self {
        Self {
            custody,
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
        }
    }

    /// Whether no PIX ever paid it.
    pub(super) fn is_unpaid(&self) -> bool {
        use ChargeStatus::{Expired, Failed, Pending};
        matches!(self.status, Pending | Expired | Failed)
    }

    /// What could still go back to the payer.
    pub(crate) fn left(&self) -> i64 {
        match self.status {
            ChargeStatus::Delayed => self.received - self.returned_before,
            ChargeStatus::Paid => self.gross - self.returned_since,
            _ => 0,
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.status {
            ChargeStatus::Pending => Some(self.expires_at),
            ChargeStatus::Paid if !self.settled => self.available_at,
            _ => None,
        }
    }

    /// Only the exact amount, paid in time by the provider's clock, pays a charge.
    fn is_paid_by(&self, receipt: &Receipt) -> bool {
        matches!(self.status, ChargeStatus::Pending | ChargeStatus::Expired)
            && receipt.amount.cents() == self.amount
            && receipt.paid_at <= self.expires_at
    }
}

impl Oracle {
    /// A PIX arrived.
    pub(super) fn pix_received(
        &mut self,
        op: Option<OpId>,
        receipt: &Receipt,
        at: Instant,
    ) -> Outcome {
        let charge = op.and_then(|op| Some((op, self.charges.get(&op)?)));
        match charge {
            Some((op, charge)) if charge.is_paid_by(receipt) => {
                let late = charge.status == ChargeStatus::Expired;
                let last = receipt.paid_at == charge.expires_at;
                if late {
                    self.reach(Goal::LateNews);
                }
                if last {
                    self.reach(Goal::PaidAtLast);
                }
                self.receive(op, receipt, at);
                Outcome::Applied(None)
            }
            charge => {
                let goal = charge.map(|(_, charge)| match charge.status {
                    ChargeStatus::Pending | ChargeStatus::Expired => {
                        let late = receipt.amount.cents() == charge.amount;
                        let least = late && receipt.paid_at.since(charge.expires_at).micros() == 1;
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
                self.money_in(receipt.amount.cents(), true, &receipt.e2e, receipt.paid_at)
            }
        }
    }

    /// Books a PIX that pays its charge: to flight when the provider holds it, else to the customer.
    fn receive(&mut self, op: OpId, receipt: &Receipt, at: Instant) {
        self.seen.insert((Realm::PixIn, receipt.e2e.clone()));
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        charge.received = receipt.amount.cents();
        if charge.held_hours.is_some() {
            charge.status = ChargeStatus::Delayed;
            self.totals.provider_pix += receipt.amount.cents();
            self.totals.pix_in_flight += receipt.amount.cents();
            self.note(op);
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
        let now = charge.held_hours.is_some() || charge.release == Release::Immediate;
        charge.status = ChargeStatus::Paid;
        charge.credited = true;
        charge.gross = gross;
        charge.fee_taken = fee;
        charge.settled = now;
        charge.available_at = (!now).then(|| next_midnight(at));
        charge.part = if now { 0 } else { gross - fee };
        let (custody, wait) = (charge.custody, Span::hours(charge.waiting_hours.into()));
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
            self.give(custody, gross - fee);
        } else {
            self.touch(custody).held += gross - fee;
        }
        self.row(custody, op, RowKind::Deposit, RowOf::Principal(gross));
        self.row(custody, op, RowKind::Deposit, RowOf::Fee(-fee));
        let books = self.touch(custody);
        let first = !books.deposited && books.customer.is_some();
        books.deposited = true;
        if first && wait > Span::default() {
            books.waiting_until = Some(later(at, wait));
        }
        self.note(op);
        self.await_time(op);
    }

    /// The provider let go of a charge it held; with the PIX named, it also tells of the payment.
    pub(super) fn provider_released(
        &mut self,
        op: Option<OpId>,
        receipt: Option<&Receipt>,
        at: Instant,
    ) -> Outcome {
        let known = op.and_then(|op| Some((op, self.charges.get(&op)?)));
        let fresh =
            receipt.filter(|receipt| !self.seen.contains(&(Realm::PixIn, receipt.e2e.clone())));
        if let (Some((op, charge)), Some(receipt)) = (known, fresh)
            && charge.is_paid_by(receipt)
            && charge.held_hours.is_some()
        {
            self.reach(Goal::ReleaseImplied);
            self.receive(op, receipt, at);
            self.credit(op, Before::Flight, at);
            return Outcome::Applied(None);
        }
        if let Some(receipt) = fresh {
            // A PIX that only this news tells of, and that pays nothing, waits (rulings 1).
            self.reach(Goal::ReleaseOfOther);
            return self.money_in(receipt.amount.cents(), true, &receipt.e2e, receipt.paid_at);
        }
        match known.map(|(op, charge)| (op, charge.status, charge.credited)) {
            Some((op, ChargeStatus::Delayed, _)) => {
                self.credit(op, Before::Flight, at);
                Outcome::Applied(None)
            }
            Some((_, ChargeStatus::Paid | ChargeStatus::Refunded, true)) => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }

    /// The provider gave up a charge before payment.
    pub(super) fn provider_cancelled(&mut self, op: Option<OpId>) -> Outcome {
        let Some((op, charge)) = op.and_then(|op| Some((op, self.charges.get_mut(&op)?))) else {
            return Outcome::SetAside(None);
        };
        match charge.status {
            ChargeStatus::Pending => {
                charge.status = ChargeStatus::Failed;
                self.note(op);
                Outcome::Applied(None)
            }
            ChargeStatus::Expired | ChargeStatus::Failed => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }

    /// A PIX went back to its payer, in part or whole.
    pub(super) fn pix_returned(
        &mut self,
        op: Option<OpId>,
        return_id: &str,
        amount: i64,
        at: Instant,
    ) -> Outcome {
        let known = op.and_then(|op| Some((op, self.charges.get_mut(&op)?)));
        match known {
            Some((op, charge)) if amount <= charge.left() => {
                let whole = amount == charge.left();
                if charge.status == ChargeStatus::Paid {
                    self.forced_debit(op, amount, whole);
                } else {
                    charge.returned_before += amount;
                    let custody = charge.custody;
                    self.totals.pix_in_flight -= amount;
                    self.totals.provider_pix -= amount;
                    if whole {
                        charge.status = ChargeStatus::Refunded;
                        self.reach(Goal::ReturnedUncredited);
                        self.end_blocks(op, custody);
                    }
                    self.note(op);
                }
                Outcome::Applied(None)
            }
            known => {
                if known.is_some_and(|(_, charge)| charge.credited) {
                    self.reach(Goal::ReturnAbove);
                }
                self.money_out(amount, true, return_id, at)
            }
        }
    }

    /// Rulings 22 and 23, step by step.
    fn forced_debit(&mut self, op: OpId, amount: i64, whole: bool) {
        let charge = &self.charges[&op];
        let (custody, net) = (charge.custody, charge.gross - charge.fee_taken);
        let before = charge.returned_since.min(net);
        let bears = (charge.returned_since + amount).min(net) - before;
        let fee = amount - bears;
        if fee > 0 && charge.returned_since > 0 {
            self.reach(Goal::ReturnedInParts);
        }
        self.note(op);
        let mut need = self.take_from_blocks(op, custody, bears);
        let own = self.charges[&op].part;
        // Nothing of a deposit that is gone stays held until it matures.
        let own = if whole { own } else { own.min(need) };
        self.free_part(op, custody, own);
        need = (need - own).max(0);
        let others = self.parts_latest_first(op, custody);
        let held: i64 = others.iter().map(|other| self.charges[other].part).sum();
        if others.len() > 1 && 0 < need && need < held {
            self.reach(Goal::ChoseLatestPart);
        }
        for other in others {
            let taken = self.charges[&other].part.min(need);
            if taken > 0 {
                self.free_part(other, custody, taken);
                self.note(other);
                self.reach(Goal::TookOtherPart);
                need -= taken;
            }
        }
        let books = self.touch(custody);
        books.available -= bears;
        if books.available < 0 && need > 0 {
            self.reach(Goal::SpentThenReturned);
        }
        self.totals.provider_pix -= amount;
        self.totals.deposit_income -= fee;
        self.row(custody, op, RowKind::Reversal, RowOf::Principal(-amount));
        self.row(custody, op, RowKind::Reversal, RowOf::Fee(fee));
        let charge = self.charges.get_mut(&op).expect("found above");
        charge.returned_since += amount;
        if whole {
            charge.status = ChargeStatus::Refunded;
            self.end_blocks(op, custody);
        }
    }

    fn free_part(&mut self, op: OpId, custody: CustodyId, cents: i64) {
        if cents > 0 {
            self.charges.get_mut(&op).expect("a part belongs to a charge").part -= cents;
            self.touch(custody).held -= cents;
            self.give(custody, cents);
        }
    }

    /// The held parts of other deposits on the subaccount, the latest release first.
    fn parts_latest_first(&self, except: OpId, custody: CustodyId) -> Vec<OpId> {
        let parts = self
            .charges
            .iter()
            .filter(|(op, charge)| **op != except && charge.custody == custody && charge.part > 0);
        let mut parts: Vec<_> = parts.map(|(op, charge)| (charge.available_at, *op)).collect();
        parts.sort_unstable();
        parts.into_iter().rev().map(|(_, op)| op).collect()
    }

    /// A charge was not paid in time, or its credit's day came.
    pub(super) fn charge_due(&mut self, op: OpId) {
        let charge = self.charges.get_mut(&op).expect("only charges expire and mature");
        if charge.status == ChargeStatus::Pending {
            charge.status = ChargeStatus::Expired;
        } else {
            charge.settled = true;
            let (custody, part) = (charge.custody, charge.part);
            self.free_part(op, custody, part);
        }
        self.note(op);
    }
}
