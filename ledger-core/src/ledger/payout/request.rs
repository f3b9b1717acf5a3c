//! Requests for payouts, judged in the order of rulings 6.

use crate::id::{AccountId, Kind, OpId, SubaccountId, Token};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::named::Named;
use crate::ledger::decision::refusal::{Refusal, affordable, within};
use crate::ledger::decision::repetition::{repeat, repeatable};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::state::usage;
use crate::machine::payout;
use crate::money::{Amount, Balance};
use crate::terms::{PayoutFees, Switch, Tariff};
use crate::time::Instant;

repeatable! {
    /// A payout to be sent. A customer of `None` is the house.
    PayoutRequest, as |asked, order: &payout::Order, customer: Option<SubaccountId>| {
        /// The subaccount to debit.
        customer?: Box<str>, same { Customer: Some(order.subaccount) == customer };
        /// Centavos that the beneficiary receives.
        amount: Amount, same { Amount: order.amount == asked.amount };
        /// The beneficiary's PIX key.
        pix_key: Token, same { PixKey: order.pix_key == asked.pix_key };
        /// The beneficiary's CPF or CNPJ.
        tax_number: Token, same { TaxNumber: order.tax_number == asked.tax_number };
        /// Tells whether the key is known to belong to the tax number (PAY-02).
        ownership: Ownership, free;
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

/// What is known of a PIX key's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The key is the tax number.
    Proven,
    /// The key is another tax number.
    Refuted,
    /// Nothing is known; the provider decides (P:KeyOwnership).
    Unknown,
}

impl Ownership {
    /// Tells whether the key's owner has the named document for certain; in the sandbox the
    /// fictional owner of a key that nobody looked up has it (rulings 66).
    pub(in crate::ledger) fn proves(self, sandbox: bool) -> Switch {
        match self {
            Self::Proven => Switch::On,
            Self::Unknown if sandbox => Switch::On,
            Self::Unknown | Self::Refuted => Switch::Off,
        }
    }
}

impl PayoutRequest {
    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        let named = Named::new(Kind::Payout, self.external_id.as_deref());
        named.with_balance("customer_ref", self.customer.as_deref())
    }
}

/// Judges a request for a payout: every reason to refuse it, in order.
///
/// # Errors
///
/// The first [`Refusal`] that stands against it.
pub(in crate::ledger) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: PayoutRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &lookup.original {
        let order = original.payout().and_then(payout::State::order);
        let order = order.expect("an identity of a payout names a payout that was requested");
        return repeat(*op, request.differing(order, lookup.subaccounts[0]));
    }
    let terms = state.terms(account, at);
    if !terms.custody.is_on() {
        return Err(Refusal::CustodyDisabled);
    }
    if !terms.payouts.is_on() {
        return Err(Refusal::PayoutsDisabled);
    }
    let proven = request.ownership.proves(state.is_sandbox());
    let counterparty = proven.is_on().then_some(request.tax_number);
    state.mandate_admits(account, request.amount, counterparty, at)?;
    if request.ownership == Ownership::Refuted {
        return Err(Refusal::KeyNotOwned);
    }
    let proof = state.policy.unproven_keys_refused.is_some_and(Switch::is_on);
    if proof && request.ownership == Ownership::Unknown {
        return Err(Refusal::KeyUnproven);
    }
    let Tariff::Fixed(tariff) = terms.payout_tariff else { return Err(Refusal::TariffUnknown) };
    let fees = PayoutFees::on(request.amount, terms.payout_house, terms.payout_partner, tariff);
    let fees = fees.ok_or(Refusal::TariffUnknown)?;
    within(request.amount, (terms.payout_least, terms.payout_most))?;
    let used = state.usage(account).on(at).paid_out;
    if !usage::within(used, request.amount, terms.paid_out_daily) {
        return Err(Refusal::DailyCeiling { until: at.next_day_in_brasilia() });
    }
    // A source never seen reads as zero balances (CUS-17).
    let Some(subaccount) = lookup.subaccounts[0] else {
        return Err(Refusal::FundsInsufficient { available: Balance::ZERO });
    };
    let order = payout::Order {
        account,
        subaccount,
        amount: request.amount,
        fees,
        pix_key: request.pix_key,
        tax_number: request.tax_number,
        external_id: request.external_id,
        created_at: at,
        return_refunds_fee: state.policy.returned_payout_refunds_fee,
        proven: Some(proven),
    };
    affordable(state, subaccount, order.total_debit(), at)?;
    let op = OpId::new(Kind::Payout, state.seq.next());
    let event = payout::Event::Requested(Box::new(order));
    let events = vec![Event::Payout { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}
