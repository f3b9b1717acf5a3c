//! Withdrawals to external wallets as clients see them (contract 2.6; WDR-01 to WDR-08).

use serde_json::{Value, json};

use super::{six, six_if};
use crate::coin::Units;
use crate::contract::input::tokens::Vault;
use crate::contract::object::Json;
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::views::Views;
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::{Archive, Operation};
use crate::machine::wallet::quote::{self, Offer};
use crate::machine::wallet::withdrawal::{Stage, State, Terms};

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// A quote, as it was issued.
    #[must_use]
    pub fn wallet_quote(&self, op: OpId, operation: &Operation) -> Value {
        let Some(order) = operation.quote().and_then(quote::State::order) else {
            return Value::Null;
        };
        let expires_at = order.expires_at.to_string();
        match &order.offer {
            Offer::Payment(offer) => {
                let fee = offer.fee.map_or(0, Units::get);
                let total = Units::new(offer.units.get() + fee);
                json!({
                    "quote_id": op.text(&self.state.name),
                    "funding_source": "crypto_usdt",
                    "payment_method": super::payments::method(offer.asked),
                    "brl_amount": super::reais(offer.net),
                    "usdt_order": six(offer.units),
                    "withdrawal_fee": offer.fee.map_or_else(|| super::signed_usdt(0), six),
                    "usdt_total": six_if(total),
                    "expires_at": expires_at,
                    "sandbox": self.is_sandbox(),
                })
            }
            Offer::Withdrawal(terms) => json!({
                "quote_id": op.text(&self.state.name),
                "funding_source": "crypto_usdt",
                "amount": six(terms.amount),
                "usdt_total": six(terms.amount),
                "asset": terms.coin.name(),
                "network": terms.network,
                "address": terms.address,
                "minimum_received": six(terms.minimum),
                "amount_estimated": six(terms.estimated),
                "expires_at": expires_at,
                "sandbox": self.is_sandbox(),
                "network_fee": six_or_zero(terms, |terms| terms.network_fee),
                "conversion_fee_estimated": six_or_zero(terms, |terms| terms.conversion_fee),
                "fee_mode": "deducted",
                "note": format!(
                    "As taxas são descontadas do valor: chegam cerca de {} {}, no mínimo {}.",
                    six(terms.estimated),
                    terms.coin.name(),
                    six(terms.minimum),
                ),
            }),
        }
    }

    /// A withdrawal, and where a second creation was prevented, how it was asked for then
    /// (WDR-12).
    #[must_use]
    pub fn wallet_withdrawal_made(
        &self,
        op: OpId,
        operation: &Operation,
        requested: &str,
    ) -> Value {
        let mut view = self.wallet_withdrawal(op, operation);
        if view["external_id"] != requested {
            view["duplicate_prevented"] = true.into();
            view["requested_external_id"] = requested.into();
        }
        view
    }

    /// The 100 latest withdrawals of an account's wallet, newest first.
    #[must_use]
    pub fn wallet_withdrawals(&self, account: AccountId) -> Value {
        let ops = self.state.wallets().latest(account, Kind::CryptoWithdrawal);
        let items: Vec<Value> =
            ops.filter_map(|op| Some(self.wallet_withdrawal(op, &self.operation(op)?))).collect();
        json!({ "items": items })
    }

    /// A withdrawal from the wallet, as its command shows it.
    #[must_use]
    pub fn wallet_withdrawal(&self, op: OpId, operation: &Operation) -> Value {
        let Some(state) = operation.crypto_withdrawal() else { return Value::Null };
        let Some(progress) = state.progress() else { return Value::Null };
        let (order, terms) = (&progress.order, &progress.order.terms);
        let completed = matches!(state, State::Completed(_));
        let fee = progress.sent.as_ref().and_then(|sent| sent.network_fee);
        json!({
            "withdrawal_id": op.text(&self.state.name),
            "external_id": order.external_id,
            "quote_id": order.quote.text(&self.state.name),
            "funding_source": "crypto_usdt",
            "amount": six(terms.amount),
            "asset": terms.coin.name(),
            "network": terms.network,
            "address": terms.address,
            "status": status(state),
            "final": state.has_ended(),
            "sandbox": self.is_sandbox(),
            "network_name": terms.title,
            "amount_estimated": six(terms.estimated),
            "minimum_received": six(terms.minimum),
            "amount_received": six_if(progress.sent.as_ref().map(|sent| sent.received)),
            "network_fee": six_if(fee.or(terms.network_fee)),
            "usdt_reserved": six(terms.amount),
            "usdt_debited": six_if(if completed { progress.debited_units() } else { None }),
            "tx_hash": progress.sent.as_ref().map(|sent| &sent.hash),
            "created_at": order.created_at.to_string(),
            "updated_at": operation.updated_at.to_string(),
            "completed_at": completed.then(|| operation.updated_at.to_string()),
            "note": note(state),
        })
    }
}

fn six_or_zero(terms: &Terms, fee: fn(&Terms) -> Option<crate::coin::Units>) -> String {
    fee(terms).map_or_else(|| super::signed_usdt(0), six)
}

/// What its client should know of how it stands, in words; none where the status says all.
const fn note(state: &State) -> Option<&'static str> {
    match state {
        State::UnderReview(_) => {
            Some("Em análise: o resultado ainda não é conhecido e o valor continua reservado.")
        }
        State::Failed(_) => Some("Não executado: o valor reservado voltou ao saldo."),
        State::Absent | State::UnderWay(_) | State::Completed(_) => None,
    }
}

/// The wire's word for how a withdrawal stands; none before it exists (WDR-08).
#[must_use]
fn status(state: &State) -> Option<&'static str> {
    match state {
        State::Absent => None,
        State::UnderWay(progress) => Some(match progress.stage {
            Stage::Reserved => "reserved",
            Stage::Funding => "funding",
            Stage::Converting => "converting",
            Stage::Processing => "processing",
        }),
        State::UnderReview(_) => Some("under_review"),
        State::Completed(_) => Some("completed"),
        State::Failed(_) => Some("failed"),
    }
}

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        Facts { status: status(self), ..Facts::NONE }
    }

    shown_as!(|_, views, of| Json::Null, views.wallet_withdrawal(of.op, of.operation));
}

impl Shown for quote::State {
    fn facts(&self) -> Facts<'_> {
        Facts::NONE
    }

    shown_as!(|_, views, of| Json::Null, views.wallet_quote(of.op, of.operation));
}
