//! Charges of both destinations as the oracle judges them, in the order of rulings 6.

use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::{ChargeRequest, Destination, Field, Refusal, Topic};
use ledger_core::machine::charge::Delivery;
use ledger_core::money::Amount;
use ledger_core::terms::{Release, Switch, Terms};
use ledger_core::time::{Instant, Span};

use super::Charge;
use crate::goal::Goal;
use crate::oracle::fees::{Service, smallest_charge};
use crate::oracle::purchase::bought::Buy;
use crate::oracle::purchase::offer::Offer;
use crate::oracle::{Oracle, later};
use crate::wallets::is_same;

impl Oracle {
    /// In which fields a charge agrees with the original of its id.
    pub(in crate::oracle) fn differing_charge(
        &self,
        op: OpId,
        a: &ChargeRequest,
        b: &ChargeRequest,
    ) -> Vec<(bool, Field)> {
        let (first, named) = (a.delivery.address.as_deref(), b.delivery.address.as_deref());
        let (same_address, besides) = match (&a.destination, &b.destination) {
            (Destination::Custody, Destination::Custody) => (is_same(first, named), None),
            (Destination::Crypto { memo: first_memo }, Destination::Crypto { memo }) => {
                // The wallet is the one it goes to, whether named or the account's own.
                let goes_to = self.charges[&op].address.as_deref();
                let same = is_same(first, named) || named.is_some() && is_same(named, goes_to);
                (same, Some((first_memo == memo, Field::Memo)))
            }
            // Wallet and memo mean another thing where the money goes elsewhere.
            (_, _) => (true, Some((false, Field::Destination))),
        };
        let mut fields = vec![
            (a.amount == b.amount, Field::Amount),
            (a.customer == b.customer, Field::Customer),
            (a.payer == b.payer, Field::Payer),
            (a.payer_name == b.payer_name, Field::PayerName),
            (a.allow_hold == b.allow_hold, Field::AllowHold),
            (a.delivery.asset == b.delivery.asset, Field::Asset),
            (a.delivery.chain == b.delivery.chain, Field::Chain),
            (same_address, Field::Address),
        ];
        fields.extend(besides);
        fields
    }

    pub(in crate::oracle) fn charge(
        &mut self,
        account: AccountId,
        request: &ChargeRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        if self.policy.cash_in_paused.is_on() {
            return Err(Refusal::CashInPaused);
        }
        let (came_due, terms) = self.terms_and_adoption(account, at);
        let mut target = request.delivery.clone();
        let mut offer = None;
        let minimum = match &request.destination {
            Destination::Custody if !terms.custody.is_on() => {
                return Err(Refusal::CustodyDisabled);
            }
            Destination::Custody => smallest_charge(&terms, self.policy.least_net),
            Destination::Crypto { memo } => {
                let found = self.destination(account, &mut target, memo.as_deref(), at, true);
                let found = found.inspect_err(|refusal| self.refused_destination(refusal))?;
                let service = Service::purchase(&terms, found.rail);
                let least = self.smallest_purchase(&terms, service, &found);
                offer = Some((found, service));
                least
            }
        };
        let Some(smallest) = minimum else { return Err(Refusal::BelowMinimum { minimum: None }) };
        let cents = request.amount.cents();
        if cents < smallest.cents() {
            if cents + 1 == smallest.cents() {
                let buys = offer.is_some();
                self.reach(if buys { Goal::BelowPurchase } else { Goal::BelowSmallest });
            }
            return Err(Refusal::BelowMinimum { minimum });
        }
        if cents > terms.charge_most.cents() {
            if cents - 1 == terms.charge_most.cents() {
                self.reach(Goal::AboveLargest);
            }
            return Err(self.above(account, request, terms.charge_most, at));
        }
        let (allowance, by_ladder) = self.admit(account, &terms, request, at)?;
        let threshold = terms.retention_above.filter(|_| offer.is_none()).map(Amount::cents);
        let retained = threshold.is_some_and(|above| cents > above);
        let held = by_ladder.max(retained.then_some(terms.retention_hours));
        if held.is_some() && request.allow_hold == Switch::Off {
            self.reach(Goal::HoldNotAllowed);
            let allowance = allowance.filter(|_| by_ladder.is_some());
            return Err(Refusal::HoldNotAllowed { allowance: allowance.map(Box::new) });
        }
        if let Some(reference) = &request.payer_refused {
            self.reach(Goal::PayerRefused);
            return Err(Refusal::PayerRefused { reference: reference.clone() });
        }
        if request.qr.is_none() {
            return Err(Refusal::QrMissing);
        }
        let subaccount = match offer {
            Some(_) => self.accounts[account.0 as usize].house,
            None => self.resolve(account, request.customer.as_deref()),
        };
        let op = self.next_op(Kind::Charge);
        let expires_at = later(at, Span::seconds(15 * 60));
        let mut charge = Charge::issue(subaccount, cents, terms.deposit, (at, expires_at));
        charge.held_hours = held;
        charge.address = target.address;
        if let Some((offer, service)) = offer {
            let earned = service.on(cents);
            let delivery_terms = offer.delivery_terms(cents - earned.total());
            let delivery_terms = delivery_terms.expect("above the smallest purchase");
            let customer = request.customer.clone();
            charge.buy = Some(Buy::new(account, customer, earned, delivery_terms, offer));
            if cents == smallest.cents() {
                self.reach(Goal::SmallestPurchase);
            }
            if request.delivery.address.is_none() {
                self.reach(Goal::OwnWallet);
            }
        } else if held.is_none() && terms.release == Release::NextDay {
            self.notify(op, Topic::ChargeHeld);
        }
        charge.release = terms.release;
        charge.waiting_hours = terms.waiting_hours;
        self.charges.insert(op, charge);
        self.paid_by.entry(request.payer).or_default().push(op);
        self.accounts[account.0 as usize].charged.push(op);
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

    /// The binding minimum: what the account demands, what must be left, and what the network
    /// demands, whichever is most (LIM-02).
    fn smallest_purchase(&self, terms: &Terms, service: Service, offer: &Offer) -> Option<Amount> {
        let net = self.policy.least_net.cents().max(offer.fewest_cents());
        let smallest = service.smallest_leaving(net)?.max(terms.charge_least.cents());
        if smallest <= terms.charge_most.cents() { Amount::new(smallest) } else { None }
    }

    /// The smallest purchase, and the smallest conversion, of this pair; none where it is not
    /// offered.
    pub(crate) fn smallest_of(
        &self,
        account: AccountId,
        (target, memo): (&Delivery, Option<&str>),
        at: Instant,
    ) -> Option<(i64, i64)> {
        let terms = self.terms(account, at);
        let offer = self.destination(account, &mut target.clone(), memo, at, true).ok()?;
        let service = Service::purchase(&terms, offer.rail);
        let purchase = self.smallest_purchase(&terms, service, &offer)?;
        Some((purchase.cents(), offer.fewest_cents()))
    }

    fn refused_destination(&mut self, refusal: &Refusal) {
        let goal = match refusal {
            Refusal::CatalogueMissing => Goal::NoCatalogue,
            Refusal::PairNotDeliverable => Goal::NotDeliverable,
            Refusal::AddressMissing => Goal::NoWallet,
            Refusal::MemoMissing => Goal::NoMemo,
            Refusal::RateUnavailable => Goal::RateTooOld,
            _ => return,
        };
        self.reach(goal);
    }
}

impl Oracle {
    /// The refusal of a charge above the account's maximum: more than the payer may pay in a whole
    /// day is the payer's limit first (rulings 74).
    fn above(
        &self,
        account: AccountId,
        request: &ChargeRequest,
        maximum: Amount,
        at: Instant,
    ) -> Refusal {
        match self.policy.ladder.filter(|ladder| ladder.held < request.amount) {
            Some(ladder) => {
                let allowance = self.allowance((&request.payer, account), ladder, at);
                Refusal::PayerLimit { allowance: Box::new(allowance) }
            }
            None => Refusal::AboveMaximum { maximum },
        }
    }
}
