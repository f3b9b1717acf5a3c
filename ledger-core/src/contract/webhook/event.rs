//! Notices as webhook events, and instructions, in the contract's words (contract, section 6).

use serde_json::{Value, json};

use crate::coin::Scale;
use crate::contract::input::tokens::Vault;
use crate::contract::version::CONTRACT_VERSION;
use crate::contract::views::Views;
use crate::contract::wire_names;
use crate::ledger::{Archive, Instruction, Machine, Notification, Task};
use crate::machine::cash_out::Asked;
use crate::machine::payout;
use crate::machine::refund::Coins;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The event of a notice: `{id, event, created_at, api_version, sequence, data}` (P:Envelope,
    /// P:EventOrder). `data` is the canonical view of the operation as it stood then (EVT-13).
    #[must_use]
    pub fn event(&self, notice: &Notification) -> Value {
        let data = match &notice.operation.machine {
            Machine::Charge(state) => self.charge_status(notice.op, state),
            Machine::Conversion(state) => self.conversion(notice.op, state),
            Machine::Payout(state) => self.payout(notice.op, &notice.operation, state),
            Machine::CashOut(state) => {
                let receipts = &notice.receipts;
                self.cash_out_beside(notice.op, &notice.operation, state, receipts)
            }
            Machine::WalletDeposit(_) => self.wallet_deposit(notice.op, &notice.operation),
            Machine::WalletPayment(_) => self.wallet_payment(notice.op, &notice.operation),
            _ => Value::Null,
        };
        json!({
            "id": self.event_id(notice),
            "event": wire_names::topic(notice.topic),
            "created_at": notice.at.to_string(),
            "api_version": CONTRACT_VERSION,
            "sequence": notice.sequence(),
            "data": data,
        })
    }

    /// An amount of crypto by the names of asset and network.
    fn coins(&self, coins: Coins) -> Value {
        let (asset, scale) =
            self.state.catalogue.asset_of(coins.asset).unwrap_or(("?", Scale::SIX));
        json!({
            "asset": asset,
            "network": self.state.catalogue.chain_of(coins.chain),
            "amount": coins.units.text(scale),
        })
    }

    /// The id of a notice, the same however often it is sent: receivers know a duplicate by it.
    #[must_use]
    pub fn event_id(&self, notice: &Notification) -> String {
        let op = notice.op.text(&self.state.name);
        format!("ev_{}_{}_{}", notice.seq.0, notice.index, &op[op.len() - 16..])
    }

    /// An instruction as shown to people: what is asked, under which idempotency key; the PIX key
    /// masked. Whoever carries it out takes the key itself from the vault.
    #[must_use]
    pub fn instruction(&self, instruction: &Instruction) -> Value {
        let key = instruction.key(&self.state.name);
        let (field, op) = (instruction.op.field(), instruction.op.text(&self.state.name));
        let mut view = match &instruction.task {
            Task::SendPix(order) => {
                let payout::Order { amount, pix_key, .. } = &**order;
                json!({
                    "instruction": "pix.send",
                    "idempotency_key": key,
                    "amount_cents": amount.cents(),
                    "pix_key": self.mask(*pix_key),
                })
            }
            Task::Sell(coins) => {
                let mut view = self.coins(*coins);
                view["instruction"] = "crypto.sell".into();
                view["idempotency_key"] = key.into();
                view
            }
            Task::PaySale { attempt, standing } => json!({
                "instruction": "pix.send",
                "idempotency_key": key,
                "attempt": attempt,
                "amount_cents": standing.sale.map(|sale| sale.deal.net.cents()),
                "pix_key": standing.payee.pix_key.map(|token| self.mask(token)),
                "br_code": match standing.order.asked {
                    Asked::Code(token) => Some(self.value(token)),
                    Asked::Units(_) | Asked::Net(_) => None,
                },
            }),
            Task::Refund(refund) => {
                let mut view = self.coins(refund.coins);
                view["instruction"] = "crypto.refund".into();
                view["idempotency_key"] = key.into();
                view["attempt"] = refund.attempt.into();
                view["refund_address"] = refund.to.as_deref().into();
                view
            }
            Task::Pay(order) => json!({
                "instruction": "wallet.pay",
                "idempotency_key": key,
                "amount_cents": order.net.cents(),
                "pix_key": order.payee.pix_key.map(|token| self.mask(token)),
                "usdt_reserved": order.reserved.text(Scale::SIX),
            }),
            Task::Withdraw(order) => json!({
                "instruction": "wallet.withdraw",
                "idempotency_key": key,
                "asset": order.terms.coin.name(),
                "network": order.terms.network,
                "address": order.terms.address,
                "amount": order.terms.amount.text(Scale::SIX),
                "amount_estimated": order.terms.estimated.text(Scale::SIX),
                "minimum_received": order.terms.minimum.text(Scale::SIX),
            }),
            Task::Deliver(consignment) => json!({
                "instruction": "crypto.deliver",
                "idempotency_key": key,
                "attempt": consignment.attempt,
                "asset": consignment.target.asset,
                "chain": consignment.target.chain,
                "payout_address": consignment.target.address,
                "payout_tag": consignment.memo,
                "amount": consignment.parcel.delivered().map(|units| units.text(consignment.scale)),
            }),
        };
        view[field] = op.into();
        view
    }
}
