//! Conversions of custody and withdrawals of commission, judged in the order of rulings 6.

use crate::id::{AccountId, Kind, OpId, SubaccountId, Token};
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::named::Named;
use crate::ledger::decision::refusal::{Refusal, affordable, ensure_covered};
use crate::ledger::decision::repetition::{repeat, repeatable};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::payout::request::Ownership;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::Verdict;
use crate::machine::charge::Delivery;
use crate::machine::conversion::{self, FundingSource, Order};
use crate::money::{Amount, Balance};
use crate::terms::{Rail, ServiceRates, Switch};
use crate::time::Instant;

/// The most that one conversion may take, in centavos: as one request may name.
const MOST: i64 = 100_000_000_000_000;

repeatable! {
    /// Custody or commission to be turned into crypto.
    ConversionRequest, as |asked, order: &Order, source: Option<FundingSource>| {
        /// Whose money it takes.
        source: FundingRequest, same {
            Customer: Some(order.source) == source,
            TaxNumber: order.tax_number == asked.source.tax_number(),
        };
        /// Centavos to convert.
        amount: Amount, same { Amount: order.amount == asked.amount };
        /// Asset, network and wallet.
        target: Delivery, same {
            Asset: order.target.asset == asked.target.asset,
            Chain: order.target.chain == asked.target.chain,
            Address: order.target.is_to(asked.target.address.as_deref()),
        };
        /// The memo of the wallet.
        memo?: Box<str>, same { Memo: order.memo == asked.memo };
        /// The most that may be debited (P:MaxDebited).
        cap?: Amount, free;
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

impl ConversionRequest {
    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        let id = self.external_id.as_deref();
        match &self.source {
            FundingRequest::Custody { customer, .. } => {
                Named::new(Kind::Conversion, id).with_balance("customer_ref", customer.as_deref())
            }
            FundingRequest::Commission => Named::new(Kind::CommissionWithdrawal, id),
        }
    }
}

/// Whose money a conversion takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FundingRequest {
    /// A subaccount's, or the house's.
    Custody {
        /// The subaccount; none: the house.
        customer: Option<Box<str>>,
        /// The withdrawing customer's CPF or CNPJ.
        tax_number: Token,
        /// Tells whether the wallet is known to belong to that customer.
        ownership: Ownership,
    },
    /// The account's partner commission.
    Commission,
}

impl FundingRequest {
    /// The withdrawing customer's CPF or CNPJ.
    const fn tax_number(&self) -> Option<Token> {
        match self {
            Self::Custody { tax_number, .. } => Some(*tax_number),
            Self::Commission => None,
        }
    }
}

/// Judges a request for a conversion, or a withdrawal of commission: every reason to refuse it, in
/// order.
///
/// # Errors
///
/// The first [`Refusal`] that stands against it.
pub(in crate::ledger) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    mut request: ConversionRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    let (source, kind, tax_number, proven) = match request.source {
        FundingRequest::Custody { tax_number, ownership, .. } => {
            let source = lookup.subaccounts[0].map(FundingSource::Custody);
            let proven = ownership.proves(state.is_sandbox());
            (source, Kind::Conversion, Some(tax_number), proven)
        }
        FundingRequest::Commission => {
            (Some(FundingSource::Commission), Kind::CommissionWithdrawal, None, Switch::Off)
        }
    };
    let lately = || match kind {
        Kind::CommissionWithdrawal => withdrawn_lately(state, account, at),
        _ => Ok(()),
    };
    if state.policy.interval_before_reference.is_on() {
        lately()?;
    }
    if let Some((op, original)) = &lookup.original {
        let progress = original.conversion().and_then(conversion::State::progress);
        let progress = progress.expect("an identity of a conversion names one that was requested");
        return repeat(*op, request.differing(&progress.order, source));
    }
    if state.policy.conversions_paused.is_on() {
        return Err(Refusal::ConversionsPaused);
    }
    let terms = state.terms(account, at);
    let rates = match kind {
        Kind::CommissionWithdrawal => ServiceRates::default(),
        _ if !terms.custody.is_on() => return Err(Refusal::CustodyDisabled),
        _ => terms.conversion_rates().ok_or(Refusal::RateUnavailable)?,
    };
    if kind == Kind::Conversion {
        let counterparty = tax_number.filter(|_| proven.is_on());
        state.mandate_admits(account, request.amount, counterparty, at)?;
    }
    let memo = request.memo.as_deref();
    let target = &mut request.target;
    let offered = state.destination(account, target, memo, at, Some(Rail::Liquid))?;
    lately()?;
    let most = Amount::new(MOST).expect("positive");
    let minimum = offered.offer().smallest(most);
    let delivery_terms =
        offered.delivery_terms(request.amount).ok_or(Refusal::BelowMinimum { minimum })?;
    let fees = rates.on(request.amount).ok_or(Refusal::RateUnavailable)?;
    // A source never seen reads as zero balances (CUS-17).
    let capped = |debited: Option<Amount>| {
        let above = debited.filter(|debited| request.cap.is_some_and(|cap| cap < *debited));
        above.map_or(Ok(()), |debited| Err(Refusal::AboveCap { debited }))
    };
    let debited = fees.total().and_then(|fees| request.amount.plus(fees));
    let Some(source) = source else {
        capped(debited)?;
        return Err(Refusal::FundsInsufficient { available: Balance::ZERO });
    };
    if minimum.is_none_or(|minimum| request.amount < minimum) {
        return Err(Refusal::BelowMinimum { minimum });
    }
    capped(debited)?;
    match source.subaccount() {
        Some(subaccount) => affordable(state, subaccount, debited, at)?,
        None => ensure_covered(state.books.commission(account).balance, debited)?,
    }
    let order = Order {
        account,
        source,
        amount: request.amount,
        fees,
        delivery_terms,
        scale: offered.listing.scale,
        usdt: offered.usdt(request.amount),
        quote: offered.quote,
        target: request.target.clone(),
        memo: request.memo,
        tax_number,
        external_id: request.external_id,
        created_at: at,
    };
    let op = OpId::new(kind, state.seq.next());
    let event = conversion::Event::Requested(Box::new(order));
    let events = vec![Event::Conversion { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// Commission is withdrawn at most once in an interval (COM-06).
fn withdrawn_lately(state: &State, account: AccountId, at: Instant) -> Result<(), Refusal> {
    let last = state.account(account).and_then(|known| known.commission_withdrawn_at);
    let until = last.zip(state.policy.commission_interval).map(|(last, span)| last.after(span));
    match until {
        Some(until) if at < until => Err(Refusal::WithdrawnLately { until, wait: until.since(at) }),
        _ => Ok(()),
    }
}

impl FundingSource {
    /// The subaccount, if it is one.
    #[must_use]
    pub const fn subaccount(self) -> Option<SubaccountId> {
        match self {
            Self::Custody(subaccount) => Some(subaccount),
            Self::Commission => None,
        }
    }
}

impl FactContext<'_> {
    /// The same of a conversion.
    pub(in crate::ledger) fn conversion_with_reports(
        &self,
        op: OpId,
        before: &conversion::State,
        steps: Vec<conversion::Event>,
    ) -> Vec<conversion::Event> {
        let evolve = |state: conversion::State, step: &conversion::Event| {
            conversion::evolve(&state, step, self.at)
        };
        let (mut all, mut kept) = (steps, self.state.early_reports(op).to_vec());
        while !kept.is_empty() {
            let state = all.iter().fold(before.clone(), evolve);
            let next = kept.iter().enumerate().find_map(|(place, report)| {
                let command = conversion::Command::Deliver(report.of_delivery()?);
                match conversion::decide(&state, command) {
                    Verdict::Applied(steps) => Some((place, steps)),
                    _ => None,
                }
            });
            let Some((place, steps)) = next else { break };
            kept.remove(place);
            all.extend(steps);
        }
        all
    }
}
