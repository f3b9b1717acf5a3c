//! Fees, bounds and prices as agreed, published and told (OUT-10, OUT-11, OUT-18).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::{Findings, violates};
use crate::id::OpId;
use crate::ledger::record::event::Event;
use crate::machine::{cash_out, charge};
use crate::terms::{Price, Quote, Rate, Route};
use crate::time::Instant;

#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Agreed {
    /// The fee of deposits that were not credited yet.
    #[n(0)]
    deposits: BTreeMap<OpId, Rate>,
    /// The least and the most that is sold of the Liquid stablecoin at once, in centavos.
    #[n(1)]
    liquid: (i64, i64),
    /// The price last told of each asset.
    #[n(2)]
    prices: BTreeMap<Box<str>, Quote>,
}

impl Agreed {
    /// Learns of prices and of the policy, and holds a fee adjusted against what it corrects.
    pub(super) fn event(&mut self, event: &Event, found: &mut Findings) {
        match event {
            Event::RateQuoted { asset, quote } => {
                self.prices.insert(asset.clone(), quote.clone());
            }
            Event::LedgerOpened { policy, .. } | Event::PolicyAdopted(policy) => {
                let limits = policy.sale_limits();
                self.liquid = (limits.liquid_least.cents(), limits.liquid_most.cents());
            }
            Event::FeeAdjusted { op, given, charged, .. }
                if given.is_zero() == charged.is_zero() =>
            {
                let (given, charged) = (given.cents(), charged.cents());
                violates(found, "OUT-11", format!("{op:?}: {given} given, {charged} charged"));
            }
            _ => {}
        }
    }

    pub(super) fn sale(
        &mut self,
        op: OpId,
        event: &cash_out::Event,
        at: Instant,
        found: &mut Findings,
    ) {
        match event {
            cash_out::Event::Cleared { repriced: Some(quote), .. } => {
                self.check_clearing_price(op, quote, at, found);
            }
            cash_out::Event::Quoted(order)
                if order.route == Route::Liquid && order.is_sellers() =>
            {
                self.liquid(op, order, found);
            }
            _ => {}
        }
    }

    pub(super) fn charge(&mut self, op: OpId, event: &charge::Event, found: &mut Findings) {
        match event {
            charge::Event::Requested(order) if order.purchase.is_none() => {
                self.deposits.insert(op, order.fee);
            }
            charge::Event::Credited { payment, credit } => {
                let Some(rate) = self.deposits.remove(&op) else { return };
                let percentage = share_of(payment.amount.cents(), rate.bps.get());
                let agreed = percentage + i128::from(rate.fixed.cents());
                if agreed < i128::from(credit.fee.cents()) {
                    let fee = credit.fee.cents();
                    violates(found, "OUT-11", format!("{op:?}: a fee of {fee}, not {agreed}"));
                }
            }
            _ => {}
        }
    }

    /// What a person lets go on counts at the price in force then: one that was told, or one real
    /// for one of the Liquid stablecoin.
    fn check_clearing_price(&self, op: OpId, quote: &Quote, at: Instant, found: &mut Findings) {
        let par = quote.price == Price::PAR && quote.at == at;
        if !par && !self.prices.values().any(|told| told == quote) {
            let Quote { price, at, .. } = quote;
            let what = format!("{op:?}: it counts at {price:?} of {at}, which is not in force");
            violates(found, "OUT-18", what);
        }
    }

    /// Rulings 47: the fee is a share of the `DePix` sold, whose bounds are the policy's.
    fn liquid(&self, op: OpId, order: &cash_out::Order, found: &mut Findings) {
        // One of it is one real.
        let whole = 10_u128.pow(u32::from(order.scale.decimals()));
        let gross = order.coins.units.get().saturating_mul(100) / whole;
        let gross = i64::try_from(gross).unwrap_or(i64::MAX);
        let (least, most) = self.liquid;
        if gross < least || most < gross {
            let what = format!("{op:?}: {gross} are sold, of {least} to {most}");
            violates(found, "OUT-10", what);
        }
        let (house, partner) = (order.rates.house, order.rates.partner);
        let fee =
            share_of(gross, house.bps.get() + partner.get()) + i128::from(house.fixed.cents());
        let fees = order.deal.fees;
        let asked = i128::from(fees.house.cents()) + i128::from(fees.partner.cents());
        let net = i128::from(order.deal.net.cents());
        if asked != fee || i128::from(gross) < net + fee {
            let what = format!("{op:?}: {gross} net {net} at a fee of {asked}, which is {fee}");
            violates(found, "OUT-10", what);
        }
    }
}

/// A percentage of an amount in centavos, rounded down (rulings 17).
fn share_of(cents: i64, bps: u16) -> i128 {
    i128::from(cents) * i128::from(bps) / 10_000
}
