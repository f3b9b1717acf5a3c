//! Where a purchase that was paid stands: its delivery, what went back, and what is left.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::{Order, PixPayment};
use crate::coin::{Scale, Units, mul_div};
use crate::id::SubaccountId;
use crate::machine::delivery::{self, DeliveryTerms, Earned};
use crate::money::{Amount, Balance, Cents};
use crate::terms::{Quote, ServiceFees, Switch};

/// What is delivered of a purchase of which a part went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Rest {
    /// What was received and did not go back, in centavos: cost and fees together.
    #[n(0)]
    pub gross: Amount,
    /// The fees on it: what was agreed, in proportion.
    #[n(1)]
    pub fees: ServiceFees,
    /// What is delivered, at the price that was agreed.
    #[n(2)]
    pub delivery_terms: DeliveryTerms,
    /// What its cost is worth in millionths of USDT, where that had a price.
    #[n(3)]
    pub usdt: Option<Units>,
    /// The last attempt to deliver what was agreed before: a later report of it is not of this.
    #[n(4)]
    pub after: u32,
}

/// A purchase that was paid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bought {
    /// The charge's terms.
    pub order: Arc<Order>,
    /// The PIX that paid it.
    pub payment: PixPayment,
    /// How its delivery stands.
    pub delivery: delivery::State,
    /// What went back to the payer.
    pub returned: Cents,
    /// How it ended without delivery, if it did.
    pub end: Option<End>,
    /// What is delivered instead of the whole, once an operator let it go on.
    pub rest: Option<Rest>,
}

/// How a purchase ended without delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Part went back, or may have: nothing more is sent, and an operator decides about the rest.
    Halted,
    /// Everything went back to the payer.
    Returned,
    /// What was left was credited to custody.
    Credited(SubaccountId, Amount),
}

impl Bought {
    /// A purchase just paid, of which so much went back before.
    #[must_use]
    pub fn new(order: Arc<Order>, payment: PixPayment, returned: Cents) -> Self {
        let end = if returned.is_zero() { None } else { Some(End::Halted) };
        Self { order, payment, delivery: delivery::State::Waiting, returned, end, rest: None }
    }

    /// Returns what was agreed of the purchase.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        self.order.purchase.as_deref().expect("only purchases are bought")
    }

    /// Returns what is delivered: all that was agreed, or what is left of it.
    #[must_use]
    pub fn delivery_terms(&self) -> DeliveryTerms {
        self.rest.map_or_else(|| self.terms().delivery_terms, |rest| rest.delivery_terms)
    }

    /// Returns what it costs beside what is delivered.
    #[must_use]
    pub fn fees(&self) -> ServiceFees {
        self.rest.map_or_else(|| self.terms().fees, |rest| rest.fees)
    }

    pub(super) fn agreed_terms(&self) -> (DeliveryTerms, Earned) {
        (self.delivery_terms(), Earned { account: self.order.account, fees: self.fees() })
    }

    /// Returns what stopping the delivery has to undo: what is delivered, once it was bought.
    pub(super) fn undone(&self) -> Option<DeliveryTerms> {
        self.delivery.bought_terms(self.delivery_terms())
    }

    pub(super) fn can_be_halted(&self) -> bool {
        self.end.is_none() && self.delivery.can_stop()
    }

    /// Returns what can be delivered of what did not go back: at the price that was agreed, with
    /// the fees that were agreed in proportion, the total rounded down and the partner's part of it
    /// too (rulings 17, 28 and 45); none when it buys no more than the network takes.
    #[must_use]
    pub fn what_is_left(&self) -> Option<Rest> {
        let terms = self.terms();
        let gross = self.returnable_balance().spendable().amount()?;
        let whole = i128::from(terms.fees.total()?.cents());
        let part = whole * i128::from(gross.cents()) / i128::from(self.payment.amount.cents());
        let part = Cents::new(i64::try_from(part).ok()?)?;
        let partner = terms.fees.partner_of(part);
        let fees = ServiceFees { house: part.minus(partner)?, partner };
        let cost = gross.minus(part)?.amount()?;
        let units = terms.quote.price.units(cost, terms.scale)?;
        let delivery_terms = DeliveryTerms { cost, units, ..terms.delivery_terms };
        // USDT itself is priced anew, as what is delivered is.
        let is_usdt = terms.scale == Scale::SIX && terms.usdt == Some(terms.delivery_terms.units);
        let usdt = if is_usdt { Some(units) } else { self.usdt_in_proportion(cost) };
        // The first attempt was asked for when it was paid, whether or not it began.
        let after = self.delivery.attempt().max(1);
        delivery_terms.delivered_units().map(|_| Rest { gross, fees, delivery_terms, usdt, after })
    }

    /// Returns the worth of so much of the cost in USDT, in proportion to that of the whole.
    fn usdt_in_proportion(&self, cost: Amount) -> Option<Units> {
        let terms = self.terms();
        let (now, before) = (cost.cents().unsigned_abs(), terms.delivery_terms.cost.cents());
        Units::new(mul_div(terms.usdt?.get(), now.into(), before.unsigned_abs().into())?)
    }

    /// Tells whether this is what is left. Earlier versions told the worth of USDT in proportion,
    /// too.
    pub(super) fn leaves(&self, rest: &Rest) -> bool {
        let in_proportion = self.usdt_in_proportion(rest.delivery_terms.cost);
        self.what_is_left()
            .is_some_and(|left| left == *rest || Rest { usdt: in_proportion, ..left } == *rest)
    }

    /// Returns what could still go back to the payer.
    #[must_use]
    pub fn returnable_balance(&self) -> Balance {
        self.payment.amount.as_cents().less_or_nothing(self.returned).into()
    }

    /// Returns what a return of `amount` after delivery reverses of the fees: what passes the net
    /// delivered, counting all returns together; the partner's part in proportion (rulings 28).
    #[must_use]
    pub fn fees_reversed(&self, amount: Amount) -> ServiceFees {
        let fees = self.fees();
        let net = self.delivery_terms().cost.as_cents();
        let gross = self.rest.map_or(self.payment.amount, |rest| rest.gross).as_cents();
        // What went back before the rest was delivered is no part of it.
        let since =
            self.returned.less_or_nothing(self.payment.amount.as_cents().less_or_nothing(gross));
        let before = since.less_or_nothing(net);
        let after = since.plus(amount.as_cents()).unwrap_or(gross).less_or_nothing(net);
        let partner = fees.partner_of(after).less_or_nothing(fees.partner_of(before));
        let whole = after.less_or_nothing(before);
        ServiceFees { house: whole.less_or_nothing(partner), partner }
    }

    /// Who bears what goes back: the house balance, or the custody it was credited to instead.
    #[must_use]
    pub fn bearer(&self) -> SubaccountId {
        match self.end {
            Some(End::Credited(subaccount, _)) => subaccount,
            _ => self.order.subaccount,
        }
    }

    /// Tells whether all of it went back: the charge is `refunded`.
    #[must_use]
    pub fn is_refunded(&self) -> bool {
        self.returnable_balance().spendable().is_zero()
    }

    /// Tells whether nothing more is to be done: delivered, returned, or credited elsewhere.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self.end {
            Some(End::Returned | End::Credited(..)) => true,
            Some(End::Halted) => false,
            None => self.delivery.sent_delivery().is_some(),
        }
    }

    /// Returns what stands in flight for it: what was not bought with, and the fees until they are
    /// earned.
    #[must_use]
    pub fn in_flight(&self) -> Cents {
        let left = self.payment.amount.as_cents().less_or_nothing(self.returned);
        match (self.end, &self.delivery) {
            (Some(End::Halted), _) | (None, delivery::State::Waiting) => left,
            (Some(_), _) | (None, delivery::State::Sent(_)) => Cents::ZERO,
            (None, _) => left.less_or_nothing(self.delivery_terms().cost.as_cents()),
        }
    }

    /// The purchase after so much of what was credited to custody went back from elsewhere.
    pub(super) fn after_traced_return(&self, amount: Amount) -> Self {
        let mut next = self.clone();
        next.give_back(amount);
        next
    }

    pub(super) fn give_back(&mut self, amount: Amount) {
        self.returned = self.returned.plus(amount.as_cents()).expect("at most what was received");
    }
}

/// What a purchase is agreed under, beside the terms of its charge: frozen when it is issued.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Terms {
    /// The fees, by who earns them.
    #[n(0)]
    pub fees: ServiceFees,
    /// What is delivered.
    #[n(1)]
    pub delivery_terms: DeliveryTerms,
    /// The asset's decimals.
    #[n(2)]
    pub scale: Scale,
    /// The price it was agreed at.
    #[n(3)]
    pub quote: Quote,
    /// What the cost is worth in millionths of USDT, where that had a price.
    #[n(4)]
    pub usdt: Option<Units>,
    /// The memo of the wallet.
    #[n(5)]
    pub memo: Option<Box<str>>,
    /// The client's customer, echoed: a purchase posts to no custody (P:CustomerRefOnCripto).
    #[n(6)]
    pub customer: Option<Box<str>>,
    /// Tells whether the wallet is the account's settlement address, because none was given.
    #[n(7)]
    pub default_address: Switch,
}
