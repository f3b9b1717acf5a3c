//! Views of what is delivered in crypto: conversions, commission withdrawals, amounts.

use crate::coin::{Scale, Units};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::views::{Recall, Views};
use crate::contract::wire_names;
use crate::id::{Kind, OpId};
use crate::machine::conversion;
use crate::machine::delivery::DeliveryTerms;
use crate::money::{Amount, Cents};

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// `POST /saldo/sacar-cripto`: a charge already paid, with `fonte: saldo` (CUS-35).
    #[must_use]
    pub fn conversion<'v>(&'v self, op: OpId, state: &'v conversion::State) -> Json<'v> {
        let Some(progress) = state.progress() else { return Json::Null };
        let order = &progress.order;
        let sent = progress.delivery.sent_delivery();
        let subaccount = order.source.subaccount();
        let page =
            sent.and_then(|sent| self.state.catalogue.page_of(&order.target.chain, &sent.hash));
        object! {
            "cashin_id": op.text(&self.state.name),
            "status": wire_names::conversion_status(state),
            "amount_cents": order.amount.cents(),
            "asset": &order.target.asset,
            "chain": &order.target.chain,
            "payout_address": &order.target.address,
            "qr_copypaste": Json::Null,
            "qr_image_url": Json::Null,
            "expires_at": Json::Null,
            "held": false,
            "held_hours": Json::Null,
            "delay_until": Json::Null,
            "liberar_em": Json::Null,
            "hold_hours": Json::Null,
            "external_id": &order.external_id,
            "created_at": order.created_at.to_string(),
            "settlement_status": wire_names::conversion_settlement(state),
            "depix_received_cents": Json::Null,
            "usdt_amount": usdt(order.usdt),
            "settlement_tx_hash": sent.map(|sent| &sent.hash),
            "settlement_tx_url": page,
            "e2e": Json::Null,
            "payer_name": Json::Null,
            "payer_tax_number": order.tax_number.map(|number| self.mask(number)),
            "destino": "cripto",
            "customer_ref": subaccount.and_then(|subaccount| self.archive.customer_of(subaccount)),
            "fonte": "saldo",
            "paid_at": order.created_at.to_string(),
            "settled_at": sent.map(|sent| sent.at.to_string()),
            "fee_cents": order.fees.total().map(Cents::cents),
            "debited_cents": order.total_debit().map(Amount::cents),
            "amount": delivered_amount(&order.delivery_terms, order.scale),
        }
    }

    /// A withdrawal of commission; the shape is ours (COM-05).
    #[must_use]
    pub fn commission_withdrawal<'v>(&'v self, op: OpId, state: &'v conversion::State) -> Json<'v> {
        let Some(progress) = state.progress() else { return Json::Null };
        let order = &progress.order;
        let sent = progress.delivery.sent_delivery();
        object! {
            "withdrawal_id": op.text(&self.state.name),
            "status": wire_names::conversion_status(state),
            "settlement_status": wire_names::conversion_settlement(state),
            "amount_cents": order.amount.cents(),
            "asset": &order.target.asset,
            "chain": &order.target.chain,
            "payout_address": &order.target.address,
            "usdt_amount": usdt(order.usdt),
            "amount": delivered_amount(&order.delivery_terms, order.scale),
            "settlement_tx_hash": sent.map(|sent| &sent.hash),
            "external_id": &order.external_id,
            "created_at": order.created_at.to_string(),
            "settled_at": sent.map(|sent| sent.at.to_string()),
        }
    }
}

/// Millionths of USDT as a decimal string.
#[must_use]
pub fn usdt(units: Option<Units>) -> Option<String> {
    units.map(|units| units.text(Scale::SIX))
}

/// What reaches the wallet, as a decimal string.
#[must_use]
pub fn delivered_amount(delivery_terms: &DeliveryTerms, scale: Scale) -> Option<String> {
    delivery_terms.delivered_units().map(|units| units.text(scale))
}

impl Shown for conversion::State {
    fn facts(&self) -> Facts<'_> {
        Facts {
            status: wire_names::conversion_status(self),
            settlement: wire_names::conversion_settlement(self),
            customer: self.progress().and_then(|progress| progress.order.source.subaccount()),
            ..Facts::NONE
        }
    }

    shown_as!(
        |state, views, of| views.conversion(of.op, state),
        match of.op.kind() {
            Kind::CommissionWithdrawal => views.commission_withdrawal(of.op, state),
            _ => views.conversion(of.op, state),
        }
    );
}
