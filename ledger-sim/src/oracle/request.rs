//! Requests as the oracle judges them, in the order of rulings 6.

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, CustodyId, Kind, OpId};
use ledger_core::ledger::{
    ChargeRequest, Field, Outcome, Ownership, PayoutRequest, Refusal, Request, TransferRequest,
};
use ledger_core::money::{Amount, Balance};
use ledger_core::terms::{Switch, Tariff};
use ledger_core::time::{Instant, Span};

use super::books::RowOf;
use super::deposit::Charge;
use super::fees::{payout_fees, smallest_charge};
use super::payout::{Payout, PayoutStatus};
use super::{Oracle, later};
use crate::goal::Goal;

type Judged = Result<Outcome, Refusal>;

impl Oracle {
    pub(super) fn request(&mut self, account: AccountId, asked: &Request, at: Instant) -> Judged {
        let (kind, external_id) = match asked {
            Request::Charge(request) => (Kind::Charge, &request.external_id),
            Request::Transfer(request) => (Kind::Transfer, &request.external_id),
            Request::Payout(request) => (Kind::Payout, &request.external_id),
        };
        let identity = external_id.clone().map(|id| (account, kind, id));
        if let Some((op, original)) = identity.as_ref().and_then(|id| self.identities.get(id)) {
            let (op, fields) = (*op, differing(original, asked));
            return self.repeat(account, op, fields, at);
        }
        let op = match asked {
            Request::Charge(request) => self.charge(account, request, at),
            Request::Transfer(request) => self.transfer(account, request, at),
            Request::Payout(request) => self.payout_request(account, request, at),
        }?;
        if let Some(identity) = identity {
            self.identities.insert(identity, (op, asked.clone()));
        }
        Ok(Outcome::Created(op))
    }

    fn repeat(&mut self, account: AccountId, op: OpId, fields: Vec<Field>, at: Instant) -> Judged {
        if fields.is_empty() {
            self.reach(Goal::SameBody);
            if !self.terms(account, at).custody.is_on() {
                self.reach(Goal::RepeatWhileOff);
            }
            return Ok(Outcome::Repeated(op));
        }
        if op.kind() == Kind::Charge && !self.policy.divergent_charge_is_refused.is_on() {
            self.reach(Goal::ChangedBodyTaken);
            return Ok(Outcome::Repeated(op));
        }
        self.reach(Goal::ChangedBody);
        Err(Refusal::IdentityDiverges { original: op, fields })
    }

    fn charge(
        &mut self,
        account: AccountId,
        request: &ChargeRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let (came_due, terms) = self.terms_and_adoption(account, at);
        if !terms.custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        let minimum = smallest_charge(&terms, self.policy.least_net);
        let Some(smallest) = minimum else { return Err(Refusal::BelowMinimum { minimum: None }) };
        let cents = request.amount.cents();
        if cents < smallest.cents() {
            if cents + 1 == smallest.cents() {
                self.reach(Goal::BelowSmallest);
            }
            return Err(Refusal::BelowMinimum { minimum });
        }
        if cents > terms.charge_most.cents() {
            if cents - 1 == terms.charge_most.cents() {
                self.reach(Goal::AboveLargest);
            }
            return Err(Refusal::AboveMaximum { maximum: terms.charge_most });
        }
        let threshold = terms.retention_above.map(Amount::cents);
        let held = threshold.is_some_and(|above| cents > above);
        if held && request.allow_hold == Switch::Off {
            self.reach(Goal::HoldNotAllowed);
            return Err(Refusal::HoldNotAllowed);
        }
        if request.qr.is_none() {
            return Err(Refusal::QrMissing);
        }
        let custody = self.resolve(account, request.customer.as_deref());
        let op = self.next_op(Kind::Charge);
        let expires_at = later(at, Span::seconds(15 * 60));
        let mut charge = Charge::issued(custody, cents, terms.deposit, expires_at);
        charge.held_hours = held.then_some(terms.retention_hours);
        charge.release = terms.release;
        charge.waiting_hours = terms.waiting_hours;
        self.charges.insert(op, charge);
        self.note(op);
        self.await_time(op);
        if cents == smallest.cents() {
            self.reach(Goal::SmallestCharge);
        }
        if threshold == Some(cents) {
            self.reach(Goal::AtRetention);
        }
        if threshold.is_some_and(|above| above + 1 == cents) {
            self.reach(Goal::AboveRetention);
        }
        if came_due {
            self.reach(Goal::TermsCameDue);
        }
        Ok(op)
    }

    fn transfer(
        &mut self,
        account: AccountId,
        request: &TransferRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        if !self.terms(account, at).custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if request.from == request.to {
            self.reach(Goal::TransferToSelf);
            return Err(Refusal::SameParty);
        }
        let cents = request.amount.cents();
        let from = self.custody_of(account, request.from.as_deref());
        if let Some(until) = from.and_then(|from| self.waits(from, at)) {
            self.reach(Goal::TransferWaits);
            return Err(Refusal::Waiting { until });
        }
        let from = self.source_of(from, cents)?;
        let to = self.resolve(account, request.to.as_deref());
        let op = self.next_op(Kind::Transfer);
        self.give(from, -cents);
        self.give(to, cents);
        self.row(from, op, RowKind::TransferOut, RowOf::Principal(-cents));
        self.row(to, op, RowKind::TransferIn, RowOf::Principal(cents));
        self.note(op);
        self.transfers += 1;
        if self.custody(from).available == 0 {
            self.reach(Goal::EmptiedByTransfer);
        }
        Ok(op)
    }

    fn payout_request(
        &mut self,
        account: AccountId,
        request: &PayoutRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let terms = self.terms(account, at);
        if !terms.custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if !terms.payouts.is_on() {
            return Err(Refusal::PayoutsDisabled);
        }
        if request.ownership == Ownership::Refuted {
            return Err(Refusal::KeyNotOwned);
        }
        let Tariff::Fixed(tariff) = terms.payout_tariff else {
            self.reach(Goal::TariffUnknown);
            return Err(Refusal::TariffUnknown);
        };
        if request.amount < terms.payout_least {
            return Err(Refusal::BelowMinimum { minimum: Some(terms.payout_least) });
        }
        if request.amount > terms.payout_most {
            return Err(Refusal::AboveMaximum { maximum: terms.payout_most });
        }
        let cents = request.amount.cents();
        let custody = self.custody_of(account, request.customer.as_deref());
        if let Some(until) = custody.and_then(|custody| self.waits(custody, at)) {
            if until.since(at).micros() == 1 {
                self.reach(Goal::LastMicrosecond);
            }
            return Err(Refusal::Waiting { until });
        }
        let fees = payout_fees(cents, &terms, tariff);
        let custody = self.source_of(custody, cents + fees.total())?;
        let op = self.next_op(Kind::Payout);
        self.give(custody, -(cents + fees.total()));
        self.row(custody, op, RowKind::Payout, RowOf::Principal(-cents));
        self.row(custody, op, RowKind::Payout, RowOf::Fee(-fees.total()));
        self.totals.payouts_in_flight += cents + fees.total();
        let payout = Payout {
            account,
            custody,
            amount: cents,
            fees,
            status: PayoutStatus::Requested,
            e2e: None,
            returned: 0,
            gives_fee_back: self.policy.returned_payout_refunds_fee.is_on(),
        };
        self.payouts.insert(op, payout);
        self.note(op);
        if self.custody(custody).waiting_until == Some(at) {
            self.reach(Goal::WaitOver);
        }
        if self.custody(custody).available == 0 {
            self.reach(Goal::EmptiedByPayout);
        }
        Ok(op)
    }

    /// The source of a spend of so much, if it can bear it; one never seen has nothing (CUS-17).
    fn source_of(&mut self, source: Option<CustodyId>, cents: i64) -> Result<CustodyId, Refusal> {
        let available = source.map_or(Balance::ZERO, |source| self.spendable(source));
        match source {
            Some(source) if cents <= available.cents() => Ok(source),
            _ => {
                let own = source.map_or(0, |source| self.custody(source).available);
                if own < 0 {
                    self.reach(Goal::SpendBelowZero);
                } else if cents <= own {
                    self.reach(Goal::HouseCovers);
                }
                if cents - 1 == available.cents() {
                    self.reach(Goal::OneTooMuch);
                }
                Err(Refusal::FundsInsufficient { available })
            }
        }
    }

    /// The subaccount named, opened now when it is new.
    fn resolve(&mut self, account: AccountId, customer: Option<&str>) -> CustodyId {
        let known = self.custody_of(account, customer);
        known.unwrap_or_else(|| self.open_custody(account, customer.map(Into::into)))
    }
}

/// The fields in which a request differs from the original, in the order the refusal tells them.
fn differing(original: &Request, asked: &Request) -> Vec<Field> {
    let mut fields = match (original, asked) {
        (Request::Charge(a), Request::Charge(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.customer == b.customer, Field::Customer),
            (a.payer == b.payer, Field::Payer),
            (a.payer_name == b.payer_name, Field::PayerName),
            (a.allow_hold == b.allow_hold, Field::AllowHold),
            (a.delivery.asset == b.delivery.asset, Field::Asset),
            (a.delivery.chain == b.delivery.chain, Field::Chain),
            (a.delivery.address == b.delivery.address, Field::Address),
        ],
        (Request::Transfer(a), Request::Transfer(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.from == b.from, Field::From),
            (a.to == b.to, Field::To),
            (a.note == b.note, Field::Note),
        ],
        (Request::Payout(a), Request::Payout(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.customer == b.customer, Field::Customer),
            (a.pix_key == b.pix_key, Field::PixKey),
            (a.tax_number == b.tax_number, Field::TaxNumber),
        ],
        _ => unreachable!("an identity is of one kind"),
    };
    fields.retain(|(same, _)| !same);
    fields.into_iter().map(|(_, field)| field).collect()
}
