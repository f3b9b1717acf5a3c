//! Payments from wallets: quotes and requests, and the order each needs (rulings 35).

use crate::coin::Units;
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::decision::field::Field;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::decision::repetition::{fields_of, repeat};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::sale::report::CashOutRequest;
use crate::ledger::state::State;
use crate::ledger::wallet::Refusal;
use crate::ledger::wallet::request::PaymentRequest;
use crate::machine::cash_out::{self, AmountBasis, Funding};
use crate::machine::wallet::payment::{self, Order};
use crate::machine::wallet::quote::{self, Offer, PaymentOffer};
use crate::terms::WalletSettings;
use crate::time::{Instant, Span};

/// Orders of payments are of USDT on Polygon, the fast route (P:PaymentRoute).
const ASSET: &str = "usdt";
const NETWORK: &str = "polygon";

pub(in crate::ledger::wallet) fn quote(
    state: &State,
    account: AccountId,
    request: &PaymentRequest,
    at: Instant,
) -> Result<Decision, Denied> {
    let settings = paying(state, account, request, at)?;
    let op = OpId::new(Kind::Quote, state.seq.next());
    let sale = sale(state, account, request, op, at)?;
    let offer = PaymentOffer {
        asked: request.asked,
        net: sale.deal.net,
        units: sale.coins.units,
        fee: settings.payment_fee,
    };
    let order = quote::Order {
        account,
        offer: Offer::Payment(Box::new(offer)),
        created_at: at,
        expires_at: at.after(settings.quote_validity),
    };
    Ok(crate::ledger::wallet::issue_quote(state, order))
}

/// The wallet's settings, where such payments are made, and the smallest passes.
fn paying<'a>(
    state: &'a State,
    account: AccountId,
    request: &PaymentRequest,
    at: Instant,
) -> Result<&'a WalletSettings, Denied> {
    let settings = state.offered_wallet(account, at)?;
    let method = match request.asked {
        AmountBasis::Code(_) => settings.by_code,
        AmountBasis::Units(_) | AmountBasis::Net(_) => settings.by_key,
    };
    if !settings.payments.is_on() || !method.is_on() {
        return Err(Refusal::PaymentsUnavailable.into());
    }
    let net = request.net.ok_or(Denied::CodeWithoutAmount)?;
    state.mandate_admits(account, net, request.payee.counterparty(), at)?;
    if net < settings.least_payment {
        return Err(Refusal::PaymentBelowMinimum { least: settings.least_payment }.into());
    }
    Ok(settings)
}

/// The order that would pay it now.
pub(in crate::ledger::wallet) fn sale(
    state: &State,
    account: AccountId,
    request: &PaymentRequest,
    payment: OpId,
    at: Instant,
) -> Result<cash_out::Order, Denied> {
    let asked = CashOutRequest {
        asset: ASSET.into(),
        network: NETWORK.into(),
        asked: request.asked,
        code_amount: request.net,
        payee: request.payee,
        refund_address: None,
        external_id: None,
    };
    let order = state.quote_sale(account, asked, Funding::Wallet(payment), at);
    let order = order.map_err(|refusal| match refusal {
        Denied::RateUnavailable | Denied::RecipientCeiling { .. } => refusal,
        Denied::SalesPaused
        | Denied::CodesPaused
        | Denied::CatalogueMissing
        | Denied::PairUnknown
        | Denied::CodeOnLiquid
        | Denied::NetworkUnavailable => Refusal::PaymentsUnavailable.into(),
        _ => Refusal::QuoteRefused.into(),
    })?;
    // The payment decides when its order ends; no deadline of its own does.
    let expires_at = at.after(Span::days(36_500));
    Ok(cash_out::Order { expires_at, ..order })
}

/// Judges a request for a payment: every reason to refuse it, in order.
///
/// # Errors
///
/// The first refusal that stands against it.
pub(in crate::ledger::wallet) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: PaymentRequest,
    at: Instant,
) -> Result<Decision, Denied> {
    if let Some((op, original)) = &lookup.original {
        let progress = original.wallet_payment().and_then(payment::State::progress);
        let progress = progress.expect("an identity of a payment names one that was requested");
        return repeat(*op, request.differing(&progress.order));
    }
    let settings = paying(state, account, &request, at)?;
    let op = OpId::new(Kind::WalletPayment, state.seq.next());
    let used = match request.quote {
        None => None,
        Some(_) => {
            let (quoted, offered, order) = crate::ledger::wallet::unused_quote(lookup, account)?;
            let fields = match &order.offer {
                Offer::Payment(offer) => fields_of(&[
                    (offer.asked == request.asked, Field::Code),
                    (Some(offer.net) == request.net, Field::BrlAmount),
                ]),
                Offer::Withdrawal(_) => vec![Field::Quote],
            };
            if !fields.is_empty() {
                return Err(Refusal::QuoteDiffers { fields }.into());
            }
            Some(crate::ledger::wallet::use_quote(quoted, offered, op)?)
        }
    };
    let sale = sale(state, account, &request, op, at)?;
    let fee = settings.payment_fee;
    let total = sale.coins.units.get() + fee.map_or(0, Units::get);
    let total = Units::new(total).ok_or(Denied::Uncountable)?;
    let available = state.wallet_available(account);
    let reserved = payment::reserve(total, available, settings.strict_buffer);
    let reserved = reserved.ok_or(Refusal::FundsInsufficient { available })?;
    let order = Order {
        account,
        usdt: settings.usdt,
        chain: sale.coins.chain,
        asked: request.asked,
        net: sale.deal.net,
        payee: request.payee,
        estimate: sale.coins.units,
        fee,
        reserved,
        quote: request.quote.flatten(),
        external_id: request.external_id,
        created_at: at,
    };
    let event = payment::Event::Requested(Box::new(order));
    let events = used.into_iter().chain([Event::WalletPayment { op, event }]).collect();
    Ok(Decision { events, outcome: Outcome::Created(op) })
}
