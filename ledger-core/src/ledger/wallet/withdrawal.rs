//! Withdrawals from wallets: quotes, requests, and what becomes of them (contract 2.6; rulings 38).

use super::Refusal;
use super::request::{WithdrawalQuoteRequest, WithdrawalRequest};
use crate::coin::{Units, mul_div};
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::field::Field;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::decision::repetition::{fields_of, repeat};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::wallet::quote::{self, Offer};
use crate::machine::wallet::withdrawal::{self, Command, Finding, Sent, Terms};
use crate::machine::{Verdict, erroneous_delivery};
use crate::network::address::{self, may_be_wallet};
use crate::terms::{Stablecoin, WalletNetwork, WalletSettings};
use crate::time::Instant;

/// The networks of the contract (WDR-05).
const NETWORKS: [&str; 9] =
    ["polygon", "bsc", "tron", "eth", "arbitrum", "optimism", "base", "avalanche", "solana"];

pub(super) fn quote(
    state: &State,
    account: AccountId,
    request: WithdrawalQuoteRequest,
    at: Instant,
) -> Result<Decision, Denied> {
    let settings = sending(state, account, at)?;
    let network = settings.network(&request.network);
    let network = network
        .filter(|network| network.withdrawals.is_on() && NETWORKS.contains(&&*network.name))
        .filter(|network| network.coins.contains(&request.coin))
        .ok_or(Refusal::NetworkUnavailable)?;
    if !may_be_wallet(&network.name, &request.address) {
        return Err(Denied::AddressInvalid);
    }
    let terms = price_withdrawal(settings, network, account, request)?;
    let order = quote::Order {
        account,
        offer: Offer::Withdrawal(Box::new(terms)),
        created_at: at,
        expires_at: at.after(settings.quote_validity),
    };
    Ok(super::issue_quote(state, order))
}

/// The wallet's settings, where withdrawals are made.
fn sending(state: &State, account: AccountId, at: Instant) -> Result<&WalletSettings, Denied> {
    let settings = state.offered_wallet(account, at)?;
    if settings.withdrawals.is_on() {
        Ok(settings)
    } else {
        Err(Refusal::WithdrawalsUnavailable.into())
    }
}

/// Returns what a withdrawal of so much comes to (P:FeeModeDeducted).
fn price_withdrawal(
    settings: &WalletSettings,
    network: &WalletNetwork,
    account: AccountId,
    request: WithdrawalQuoteRequest,
) -> Result<Terms, Denied> {
    let WithdrawalQuoteRequest { coin, address, amount, .. } = request;
    let asset = settings.asset(coin).ok_or(Refusal::NetworkUnavailable)?;
    let below = || Refusal::WithdrawalBelowMinimum { least: least(settings, network, coin) };
    let conversion_fee = conversion_fee(settings, coin, amount);
    let estimated = amount_after_fees(settings, network, coin, amount).ok_or_else(below)?;
    let minimum = settings.least_received(estimated).ok_or_else(below)?;
    Ok(Terms {
        account,
        coin,
        asset,
        usdt: settings.usdt,
        chain: network.chain,
        network: network.name.clone(),
        title: network.title.clone(),
        address,
        amount,
        network_fee: network.network_fee,
        conversion_fee,
        estimated,
        minimum,
    })
}

/// Returns what turning so much into the token takes, rounded down.
fn conversion_fee(settings: &WalletSettings, coin: Stablecoin, amount: Units) -> Option<Units> {
    match coin {
        Stablecoin::Usdt => None,
        Stablecoin::Usdc => {
            let bps = u128::from(settings.conversion_fee.get());
            mul_div(amount.get(), bps, 10_000).and_then(Units::new)
        }
    }
}

/// Returns what is left after the fees.
fn amount_after_fees(
    settings: &WalletSettings,
    network: &WalletNetwork,
    coin: Stablecoin,
    amount: Units,
) -> Option<Units> {
    amount.minus(conversion_fee(settings, coin, amount))?.minus(network.network_fee)
}

/// The smallest amount of which something must arrive; none when none does.
fn least(settings: &WalletSettings, network: &WalletNetwork, coin: Stablecoin) -> Option<Units> {
    let passes = |number: u128| {
        let estimate = Units::new(number)
            .and_then(|amount| amount_after_fees(settings, network, coin, amount));
        estimate.and_then(|estimate| settings.least_received(estimate)).is_some()
    };
    // What arrives never falls as the amount grows.
    let (mut below, mut passing) = (0_u128, 10_u128.pow(30));
    if !passes(passing) {
        return None;
    }
    while below + 1 < passing {
        let middle = below.midpoint(passing);
        if passes(middle) { passing = middle } else { below = middle }
    }
    Units::new(passing)
}

/// Judges a request for a withdrawal: every reason to refuse it, in order.
///
/// # Errors
///
/// The first refusal that stands against it.
pub(super) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: WithdrawalRequest,
    at: Instant,
) -> Result<Decision, Denied> {
    if let Some((op, original)) = &lookup.original {
        let progress = original.crypto_withdrawal().and_then(withdrawal::State::progress);
        let progress = progress.expect("an identity of a withdrawal names one that was requested");
        let same = Some(progress.order.quote) == request.quote;
        let mut fields = differing(&progress.order.terms, &request);
        fields.extend((!same).then_some(Field::Quote));
        return repeat(*op, fields);
    }
    if let Some((_, quote::State::Used(_, by))) = super::own_quote(lookup, account)
        && by.kind() == Kind::CryptoWithdrawal
    {
        // One quote is one withdrawal, whatever it is called (P:DuplicatePrevented).
        return Ok(Decision::nothing(Outcome::Repeated(*by)));
    }
    sending(state, account, at)?;
    let (quoted, offered, order) = super::unused_quote(lookup, account)?;
    let Offer::Withdrawal(terms) = &order.offer else {
        return Err(Refusal::QuoteDiffers { fields: vec![Field::Quote] }.into());
    };
    let fields = differing(terms, &request);
    if !fields.is_empty() {
        return Err(Refusal::QuoteDiffers { fields }.into());
    }
    let op = OpId::new(Kind::CryptoWithdrawal, state.seq.next());
    let used = super::use_quote(quoted, offered, op)?;
    let available = state.wallet_available(account);
    if available < terms.amount.to_i128() {
        return Err(Refusal::FundsInsufficient { available }.into());
    }
    let order = withdrawal::Order {
        quote: quoted,
        terms: Terms::clone(terms),
        external_id: request.external_id,
        created_at: at,
    };
    let event = withdrawal::Event::Requested(Box::new(order));
    let events = vec![used, Event::CryptoWithdrawal { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// Returns what a request says besides its quote, and says otherwise.
fn differing(terms: &Terms, request: &WithdrawalRequest) -> Vec<Field> {
    fields_of(&[
        (request.amount.is_none_or(|amount| amount == terms.amount), Field::CryptoAmount),
        (request.coin.is_none_or(|coin| coin == terms.coin), Field::Asset),
        (request.network.as_ref().is_none_or(|name| *name == terms.network), Field::Network),
        (
            request.address.as_ref().is_none_or(|to| {
                address::is_same(&terms.network, Some(&**to), Some(&*terms.address))
            }),
            Field::WalletAddress,
        ),
    ])
}

impl FactContext<'_> {
    /// A withdrawal moved. What was sent beyond what the books say is a claim on who received it.
    pub(super) fn withdrawal_moves(&self, command: Command) -> Decision {
        let named = self.lookup.operation.as_ref();
        let named = named.and_then(|(op, known)| Some((*op, known.crypto_withdrawal()?)));
        let Some((op, state)) = named else { return self.aside(Reason::Unmatched) };
        let sent = match &command {
            Command::Send(sent) | Command::Find(Finding::Completed(sent)) => Some(sent.clone()),
            _ => None,
        };
        match withdrawal::decide(state, command) {
            Verdict::Applied(steps) => {
                let events = steps.into_iter();
                let events = events.map(|event| Event::CryptoWithdrawal { op, event }).collect();
                self.claim_ended(accept(events))
            }
            Verdict::Known => already_known(),
            Verdict::SetAside => match (state.progress(), sent) {
                (Some(progress), Some(sent)) => {
                    self.withdrawn_in_error(op, &progress.order.terms, sent)
                }
                (_, _) => self.aside(Reason::OutOfTurn),
            },
        }
    }

    fn withdrawn_in_error(&self, about: OpId, terms: &Terms, sent: Sent) -> Decision {
        let Sent { hash, received, .. } = sent;
        let (asset, chain) = (terms.asset, terms.chain);
        let order =
            erroneous_delivery::Order { asset, chain, units: received, about, hash, again: None };
        self.claim_delivery(order, Reason::NotDue)
    }
}
