//! Notifications as webhook events, and instructions, in the contract's words (contract, section
//! 6).

use crate::coin::Scale;
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{self, Facts, ShownOperation, facts};
use crate::contract::version::CONTRACT_VERSION;
use crate::contract::views::{Recall, Views};
use crate::contract::wire_names;
use crate::id::SubaccountId;
use crate::ledger::{Instruction, Notification, PixDetails, Scope, Task};
use crate::machine::cash_out::AmountBasis;
use crate::machine::payout;
use crate::machine::refund::Coins;
use crate::terms::Switch;

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// The event of a notification: `{id, event, created_at, api_version, sequence, data}`
    /// (P:Envelope, P:EventOrder). `data` is the canonical view of the operation as it stood then
    /// (EVT-13).
    #[must_use]
    pub fn event<'v>(&'v self, notification: &'v Notification) -> Json<'v> {
        let Notification { op, operation, unmatched, .. } = notification;
        let data = registry::view(self, &ShownOperation { op: *op, operation, unmatched });
        object! {
            "id": self.event_id(notification),
            "event": wire_names::topic(notification.topic),
            "created_at": notification.at.to_string(),
            "api_version": CONTRACT_VERSION,
            "sequence": notification.sequence(),
            "data": data,
        }
    }

    /// An amount of crypto by the names of asset and network.
    fn coins(&self, coins: Coins) -> Json<'_> {
        let (asset, scale) =
            self.state.catalogue.asset_of(coins.asset).unwrap_or(("?", Scale::SIX));
        object! {
            "asset": asset,
            "network": self.state.catalogue.chain_of(coins.chain),
            "amount": coins.units.text(scale),
        }
    }

    /// The id of a notification, the same however often it is sent: receivers know a duplicate by
    /// it.
    #[must_use]
    pub fn event_id(&self, notification: &Notification) -> String {
        let op = notification.op.text(&self.state.name);
        format!("ev_{}_{}_{}", notification.seq.0, notification.index, &op[op.len() - 16..])
    }

    /// An instruction as shown to people: what is asked, under which idempotency key; the PIX key
    /// masked. Whoever carries it out takes the key itself from the vault.
    #[must_use]
    pub fn instruction<'v>(&'v self, instruction: &'v Instruction) -> Json<'v> {
        let key = instruction.key(&self.state.name);
        let (field, op) = (instruction.op.field(), instruction.op.text(&self.state.name));
        let mut view = match &instruction.task {
            Task::SendPix(order) => {
                let payout::Order { amount, pix_key, tax_number, proven, .. } = &**order;
                object! {
                    "instruction": "pix.send",
                    "idempotency_key": key,
                    "amount_cents": amount.cents(),
                    "pix_key": self.mask(*pix_key),
                    "tax_number": self.mask(*tax_number),
                    "owner_proven": proven.map(Switch::is_on),
                }
            }
            Task::Sell(coins) => {
                let mut view = self.coins(*coins);
                view["instruction"] = "crypto.sell".into();
                view["idempotency_key"] = key.into();
                view
            }
            Task::PaySale { attempt, progress } => object! {
                "instruction": "pix.send",
                "idempotency_key": key,
                "attempt": *attempt,
                "amount_cents": progress.sale.map(|sale| sale.deal.net.cents()),
                "pix_key": progress.payee.pix_key.map(|token| self.mask(token)),
                "tax_number": progress.payee.document().map(|token| self.mask(token)),
                "owner_proven": progress.payee.owner.map(|owner| owner.document().is_some()),
                "br_code": match progress.order.asked {
                    AmountBasis::Code(token) => Some(self.value(token)),
                    AmountBasis::Units(_) | AmountBasis::Net(_) => None,
                },
            },
            Task::Refund(refund) => {
                let mut view = self.coins(refund.coins);
                view["instruction"] = "crypto.refund".into();
                view["idempotency_key"] = key.into();
                view["attempt"] = refund.attempt.into();
                view["refund_address"] = refund.to.as_deref().into();
                view
            }
            Task::Pay(order) => object! {
                "instruction": "wallet.pay",
                "idempotency_key": key,
                "amount_cents": order.net.cents(),
                "pix_key": order.payee.pix_key.map(|token| self.mask(token)),
                "tax_number": order.payee.document().map(|token| self.mask(token)),
                "owner_proven": order.payee.owner.map(|owner| owner.document().is_some()),
                "usdt_reserved": order.reserved.text(Scale::SIX),
            },
            Task::Withdraw(order) => object! {
                "instruction": "wallet.withdraw",
                "idempotency_key": key,
                "asset": order.terms.coin.name(),
                "network": &order.terms.network,
                "address": &order.terms.address,
                "amount": order.terms.amount.text(Scale::SIX),
                "amount_estimated": order.terms.estimated.text(Scale::SIX),
                "minimum_received": order.terms.minimum.text(Scale::SIX),
            },
            Task::Deliver(delivery) => object! {
                "instruction": "crypto.deliver",
                "idempotency_key": key,
                "attempt": delivery.attempt,
                "asset": &delivery.target.asset,
                "chain": &delivery.target.chain,
                "payout_address": &delivery.target.address,
                "payout_tag": delivery.memo.as_ref(),
                "amount": delivery.delivery_terms.delivered_units().map(|units| units.text(delivery.scale)),
            },
        };
        view[field] = op.into();
        view
    }
}

/// The past of an operation, as far as its event shows it.
///
/// With it, and with the names of the ledger and of its catalogue, an event is rendered without the
/// archive; an instruction shows nothing that it does not hold, and needs an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventContext {
    customer: Option<Box<str>>,
    details: Option<Box<PixDetails>>,
}

impl EventContext {
    /// The part of `archive` that the event of `notification` shows.
    #[must_use]
    pub fn for_notification(notification: &Notification, archive: &impl Recall) -> Self {
        let Facts { customer, pix, .. } = facts(&notification.operation);
        let customer = customer.and_then(|known| archive.customer_of(known));
        let details = pix.map(|(scope, e2e)| archive.details_of(scope, e2e));
        Self {
            customer: customer.map(Into::into),
            details: details.filter(|details| !details.is_blank()).map(Box::new),
        }
    }
}

impl Recall for EventContext {
    fn customer_of(&self, _: SubaccountId) -> Option<&str> {
        self.customer.as_deref()
    }

    fn details_of(&self, _: Scope, _: &str) -> PixDetails {
        self.details.as_deref().cloned().unwrap_or_default()
    }
}
