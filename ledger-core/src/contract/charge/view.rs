//! How a charge looks (CIN-21, CIN-47).

use crate::contract::conversion::{delivered_amount, usdt};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, PublicPix, Receiver, Shown, shown_as};
use crate::contract::views::{Recall, Views};
use crate::contract::wire_names;
use crate::id::OpId;
use crate::ledger::Scope;
use crate::machine::charge;
use crate::money::Cents;
use crate::time::{Instant, Span};

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// The answer of `POST /cashin/charge`: the charge with its QR code (CIN-21).
    #[must_use]
    pub fn charge<'v>(&'v self, op: OpId, state: &'v charge::State) -> Json<'v> {
        let Some(order) = state.order() else { return Json::Null };
        let delay_until = match state {
            charge::State::Delayed(arrived) => arrived.until,
            _ => None,
        };
        let local = local_hold(state);
        object! {
            "cashin_id": op.text(&self.state.name),
            "status": wire_names::charge_status(state),
            "amount_cents": order.amount.cents(),
            "asset": &order.delivery.asset,
            "chain": &order.delivery.chain,
            "payout_address": &order.delivery.address,
            "qr_copypaste": &order.qr.copypaste,
            "qr_image_url": order.qr.image_url.as_ref(),
            "expires_at": order.expires_at.to_string(),
            "held": order.retention_hours.is_some(),
            "held_hours": order.retention_hours,
            "delay_until": delay_until.map(|at| at.to_string()),
            "liberar_em": local.map(|(until, _)| until.to_string()),
            "hold_hours": local.map(|(_, hours)| hours),
            "external_id": order.external_id.as_ref(),
            "created_at": order.created_at.to_string(),
        }
    }

    /// `GET /cashin/{cashin_id}/status`: the charge and the fields of CIN-30.
    #[must_use]
    pub fn charge_status<'v>(&'v self, op: OpId, state: &'v charge::State) -> Json<'v> {
        let Some(order) = state.order() else { return Json::Null };
        let (payment, settled_at, returned) = match state {
            charge::State::UnderReview(arrived) | charge::State::Delayed(arrived) => {
                (Some(&arrived.payment), None, arrived.returned)
            }
            charge::State::Bought(bought) => {
                let settled_at = bought.delivery.sent_delivery().map(|sent| sent.at);
                let returned = if bought.is_refunded() { Cents::ZERO } else { bought.returned };
                (Some(&bought.payment), settled_at, returned)
            }
            charge::State::Paid(paid) => {
                (Some(&paid.payment), paid.settled_at, paid.returned_in_all())
            }
            charge::State::Refunded(refunded) => {
                (Some(&refunded.payment), refunded.settled_at, Cents::ZERO)
            }
            _ => (None, None, Cents::ZERO),
        };
        let purchase = order.purchase.as_deref();
        let (sent, rest) = match state {
            charge::State::Bought(bought) => (bought.delivery.sent_delivery(), bought.rest),
            _ => (None, None),
        };
        let page =
            sent.and_then(|sent| self.state.catalogue.page_of(&order.delivery.chain, &sent.hash));
        let customer = match purchase {
            Some(terms) => terms.customer.as_deref(),
            None => self.archive.customer_of(order.subaccount),
        };
        let more = object! {
            "settlement_status": wire_names::settlement_status(state),
            "depix_received_cents": payment.map(|payment| payment.amount.cents()),
            "usdt_amount": purchase.and_then(|terms| {
                usdt(rest.map_or(terms.usdt, |rest| rest.usdt))
            }),
            "settlement_tx_hash": sent.map(|sent| &sent.hash),
            "settlement_tx_url": page,
            "e2e": payment.map(|payment| &payment.e2e),
            "payer_name": order.payer_name.map(|name| self.value(name)),
            "payer_tax_number": self.mask(order.payer),
            "destino": if purchase.is_some() { "cripto" } else { "saldo" },
            "customer_ref": customer,
            "fonte": "pix",
            "paid_at": payment.map(|payment| payment.paid_at.to_string()),
            "settled_at": settled_at.map(|at| at.to_string()),
            "fee_cents": Json::Null,
            "debited_cents": Json::Null,
        };
        let mut view = self.charge(op, state).with(more);
        // Ours, and present only where the provider told who paid (P:OtherPayer).
        let details =
            payment.map(|payment| self.archive.details_of(Scope::ReceivedPix, &payment.e2e));
        if let Some(payer) = details.and_then(|details| details.payer) {
            let shown = self.mask(payer);
            // Of a document that is known in part, that part is all there is to compare.
            let same = self.value(payer) == shown && shown == self.mask(order.payer);
            view["payer_differs"] = (payer != order.payer && !same).into();
            view["paid_by_tax_number"] = shown.into();
        }
        // Ours, and present only where crypto is delivered (EVT-13).
        if let Some(terms) = purchase {
            let delivery_terms = rest.map_or(terms.delivery_terms, |rest| rest.delivery_terms);
            view["amount"] = delivered_amount(&delivery_terms, terms.scale).into();
        }
        // Ours, and present only after a partial return (CIN-30, rulings 27).
        if !returned.is_zero() {
            view["returned_cents"] = returned.cents().into();
        }
        view
    }
}

/// Until when, and for how many hours begun, the credit is held by us (CIN-26, P:HoldHoursType).
fn local_hold(state: &charge::State) -> Option<(Instant, u64)> {
    let charge::State::Paid(paid) = state else { return None };
    let until = paid.credit.available_at?;
    let held = until.since(paid.credit.booked_at);
    let begun = held.micros() > Span::hours(1).micros() * held.whole_hours();
    Some((until, held.whole_hours() + u64::from(begun)))
}

impl Shown for charge::State {
    fn facts(&self) -> Facts<'_> {
        let refunded = match self {
            Self::Refunded(_) => true,
            Self::Bought(bought) => bought.is_refunded(),
            _ => false,
        };
        let payment = self.payment();
        let verified = payment.map(|payment| PublicPix {
            e2e: &payment.e2e,
            amount: payment.amount,
            at: Some(payment.paid_at),
            paid: !refunded,
            receiver: Receiver::Account,
            receipt_url: None,
        });
        Facts {
            status: wire_names::charge_status(self),
            settlement: wire_names::settlement_status(self),
            customer: self.order().map(|order| order.subaccount),
            pix: payment.map(|payment| (Scope::ReceivedPix, &*payment.e2e)),
            verified: verified.into(),
        }
    }

    shown_as!(|state, views, of| views.charge_status(of.op, state), views.charge(of.op, state));
}
