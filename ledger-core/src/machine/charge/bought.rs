//! Where a purchase that was paid stands: its delivery, what went back, and what is left.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::{Order, Receipt};
use crate::coin::{Scale, Units, mul_div};
use crate::id::CustodyId;
use crate::machine::delivery::{self, Earned, Parcel};
use crate::money::{Amount, Balance, Share};
use crate::terms::{Quote, ServiceFees, Switch};

/// What is delivered of a purchase of which a part went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Rest {
    /// What was received and did not go back, in centavos: cost and fees together.
    #[n(0)]
    pub gross: Amount,
    /// The fees on it: what was agreed, in proportion.
    #[n(1)]
    pub fees: ServiceFees,
    /// What is delivered, at the price that was agreed.
    #[n(2)]
    pub parcel: Parcel,
    /// What its cost is worth in millionths of USDT, where that had a price.
    #[n(3)]
    pub usdt: Option<Units>,
    /// The last attempt to deliver what was agreed before: later news of it is not of this.
    #[n(4)]
    pub after: u32,
}

/// A purchase that was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bought {
    /// The charge's terms.
    pub order: Arc<Order>,
    /// The PIX.
    pub receipt: Receipt,
    /// The delivery.
    pub delivery: delivery::State,
    /// What went back to the payer.
    pub returned: Share,
    /// How it ended without delivery, if it did.
    pub end: Option<End>,
    /// What is delivered instead of the whole, once an operator let it go on.
    pub rest: Option<Rest>,
}

/// How a purchase ended without delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Part went back, or may have: nothing more is sent, and an operator decides about the rest.
    Halted,
    /// Everything went back to the payer.
    Returned,
    /// What was left was credited to custody.
    Credited(CustodyId, Amount),
}

impl Bought {
    /// A purchase just paid, of which so much went back before.
    #[must_use]
    pub fn new(order: Arc<Order>, receipt: Receipt, returned: Share) -> Self {
        let end = if returned.is_zero() { None } else { Some(End::Halted) };
        Self { order, receipt, delivery: delivery::State::Waiting, returned, end, rest: None }
    }

    /// What was agreed of the purchase.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        self.order.purchase.as_deref().expect("only purchases are bought")
    }

    /// What is delivered: all that was agreed, or what is left of it.
    #[must_use]
    pub fn parcel(&self) -> Parcel {
        self.rest.map_or_else(|| self.terms().parcel, |rest| rest.parcel)
    }

    /// What it costs beside what is delivered.
    #[must_use]
    pub fn fees(&self) -> ServiceFees {
        self.rest.map_or_else(|| self.terms().fees, |rest| rest.fees)
    }

    pub(super) fn agreed(&self) -> (Parcel, Earned) {
        (self.parcel(), Earned { account: self.order.account, fees: self.fees() })
    }

    /// What stopping the delivery has to undo: what is delivered, once it was bought.
    pub(super) fn undone(&self) -> Option<Parcel> {
        self.delivery.bought(self.parcel())
    }

    pub(super) fn can_be_halted(&self) -> bool {
        self.end.is_none() && self.delivery.can_stop()
    }

    /// What can be delivered of what did not go back: at the price that was agreed, with the fees
    /// that were agreed in proportion, the total rounded down and the partner's part of it too
    /// (rulings 17, 28 and 45); none when it buys no more than the network takes.
    #[must_use]
    pub fn what_is_left(&self) -> Option<Rest> {
        let terms = self.terms();
        let gross = self.left().spendable().amount()?;
        let whole = i128::from(terms.fees.total()?.cents());
        let part = whole * i128::from(gross.cents()) / i128::from(self.receipt.amount.cents());
        let part = Share::new(i64::try_from(part).ok()?)?;
        let partner = terms.fees.partner_of(part);
        let fees = ServiceFees { house: part.minus(partner)?, partner };
        let cost = gross.minus(part)?.amount()?;
        let units = terms.quote.price.units(cost, terms.scale)?;
        let parcel = Parcel { cost, units, ..terms.parcel };
        let in_proportion = |usdt: Units| {
            let (now, before) = (cost.cents().unsigned_abs(), terms.parcel.cost.cents());
            Units::new(mul_div(usdt.get(), now.into(), before.unsigned_abs().into())?)
        };
        let usdt = terms.usdt.and_then(in_proportion);
        // The first attempt was asked for when it was paid, whether or not it began.
        let after = self.delivery.attempt().max(1);
        parcel.delivered().map(|_| Rest { gross, fees, parcel, usdt, after })
    }

    /// What could still go back to the payer.
    #[must_use]
    pub fn left(&self) -> Balance {
        self.receipt.amount.share().less_or_nothing(self.returned).into()
    }

    /// What a return of `amount` after delivery reverses of the fees: what passes the net
    /// delivered, counting all returns together; the partner's part in proportion (rulings 28).
    #[must_use]
    pub fn fees_reversed(&self, amount: Amount) -> ServiceFees {
        let fees = self.fees();
        let net = self.parcel().cost.share();
        let gross = self.rest.map_or(self.receipt.amount, |rest| rest.gross).share();
        // What went back before the rest was delivered is no part of it.
        let since =
            self.returned.less_or_nothing(self.receipt.amount.share().less_or_nothing(gross));
        let before = since.less_or_nothing(net);
        let after = since.plus(amount.share()).unwrap_or(gross).less_or_nothing(net);
        let partner = fees.partner_of(after).less_or_nothing(fees.partner_of(before));
        let whole = after.less_or_nothing(before);
        ServiceFees { house: whole.less_or_nothing(partner), partner }
    }

    /// Who bears what goes back: the house balance, or the custody it was credited to instead.
    #[must_use]
    pub fn bearer(&self) -> CustodyId {
        match self.end {
            Some(End::Credited(custody, _)) => custody,
            _ => self.order.custody,
        }
    }

    /// Whether all of it went back: the charge is `refunded`.
    #[must_use]
    pub fn is_refunded(&self) -> bool {
        self.left().spendable().is_zero()
    }

    /// Whether nothing more is to be done: delivered, returned, or credited elsewhere.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self.end {
            Some(End::Returned | End::Credited(..)) => true,
            Some(End::Halted) => false,
            None => self.delivery.sent().is_some(),
        }
    }

    /// What stands in flight for it: what was not bought with, and the fees until they are earned.
    #[must_use]
    pub fn in_flight(&self) -> Share {
        let left = self.receipt.amount.share().less_or_nothing(self.returned);
        match (self.end, &self.delivery) {
            (Some(End::Halted), _) | (None, delivery::State::Waiting) => left,
            (Some(_), _) | (None, delivery::State::Sent(_)) => Share::ZERO,
            (None, _) => left.less_or_nothing(self.parcel().cost.share()),
        }
    }

    pub(super) fn give_back(&mut self, amount: Amount) {
        self.returned = self.returned.plus(amount.share()).expect("at most what was received");
    }
}

/// What a purchase is agreed under, beside the terms of its charge: frozen when it is issued.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Terms {
    /// The fees.
    #[n(0)]
    pub fees: ServiceFees,
    /// What is delivered.
    #[n(1)]
    pub parcel: Parcel,
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
    /// Whether the wallet is the account's settlement address, because none was given.
    #[n(7)]
    pub default_address: Switch,
}
