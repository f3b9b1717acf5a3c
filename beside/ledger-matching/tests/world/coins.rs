//! Coins on networks, and what the exchange does with them.

use serde_json::json;

use super::happenings::KEY;
use super::time::{HOUR, MINUTE, SECOND};
use super::{AT_EXCHANGE, BankLine, HOT, SINGLE, TRON, TradeLine, Transfer, World};

impl World {
    /// Custody becomes USDT on Polygon; gives the gas.
    pub(super) fn convert(&mut self, at: i64) -> i64 {
        let cents = self.rng.between(20, 900) * 100;
        if cents > self.spendable {
            return 0;
        }
        self.spendable -= cents;
        let number = self.number();
        let label = format!("v{number}");
        let to = format!("0x{}", self.rng.digits(40));
        self.tell(
            at,
            Some(&label),
            json!({"key": KEY, "request": "POST /saldo/sacar-cripto", "body": {
            "customer_ref": "ana", "amount_cents": cents, "asset": "usdt", "chain": "polygon",
            "payout_address": to, "tax_number": "52998224725",
            "external_id": format!("conv-{number}")}}),
        );
        let hash = self.hash("polygon");
        // The node writes hashes in capitals, the service as it got them.
        self.tell(
            at + 70 * SECOND,
            None,
            json!({"fact": "delivery.sent", "body": {
            "id": format!("del-{number}"), "cashin_id": format!("${label}.cashin_id"),
            "tx_hash": hash.to_uppercase().replace("0X", "0x")}}),
        );
        let gas = self.rng.between(1_000, 9_000);
        let amount = cents * 2_000;
        let fee = Some(("pol", gas));
        self.send(("polygon", "usdt"), (at + MINUTE, hash), (HOT, &to), (amount, fee));
        gas
    }

    pub(super) fn send(
        &mut self,
        (network, asset): (&'static str, &'static str),
        (at, hash): (i64, String),
        (from, to): (&str, &str),
        (amount, fee): (i64, Option<(&'static str, i64)>),
    ) {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.transfers.push(Transfer {
            network,
            at,
            hash,
            index: 0,
            asset,
            from,
            to,
            amount,
            fee,
            status: "confirmed",
            block_hash: None,
        });
    }

    /// Somebody sells USDT on Polygon for a PIX.
    pub(super) fn sell_fast(&mut self, at: i64) {
        let number = self.number();
        let whole = self.rng.between(10, 400);
        let label = self.order(at, ("polygon", whole, number));
        let hash = self.hash("polygon");
        let seller = format!("0x{}", self.rng.digits(40));
        self.send(
            ("polygon", "usdt"),
            (at + MINUTE, hash.clone()),
            (&seller, HOT),
            (whole * 1_000_000, None),
        );
        self.tell(
            at + 2 * MINUTE,
            None,
            json!({"fact": "deposit.confirmed", "body": {
            "cashout_id": format!("${label}.cashout_id"), "tx_hash": hash, "asset": "usdt",
            "network": "polygon", "amount": whole.to_string()}}),
        );
        self.pay_sale(at + 5 * MINUTE, &label, whole * 500);
    }

    /// Quotes and accepts an order; gives its label.
    pub(super) fn order(&mut self, at: i64, (network, whole, number): (&str, i64, u64)) -> String {
        let label = format!("o{number}");
        let address = if network == "tron" { TRON } else { HOT };
        self.tell(
            at,
            Some(&label),
            json!({"key": KEY, "request": "POST /cash-outs", "body": {
            "asset": "usdt", "network": network, "amount": whole.to_string(),
            "pix_key": format!("bia{number}@example.com"), "external_id": format!("sale-{number}"),
            "refund_address": address}}),
        );
        self.tell(
            at + SECOND,
            None,
            json!({"key": KEY,
            "request": format!("POST /cash-outs/${label}.cashout_id/accept"),
            "supplied": {"deposit_address": address}}),
        );
        label
    }

    pub(super) fn pay_sale(&mut self, at: i64, label: &str, cents: i64) {
        let e2e = self.pix_id('E', SINGLE, at);
        self.tell(
            at + 6 * SECOND,
            None,
            json!({"fact": "cashout.paid", "body": {
            "cashout_id": format!("${label}.cashout_id"), "e2e": e2e}}),
        );
        let reference = String::new();
        self.bank.push(BankLine { at, kind: "PIX", cents: -cents, id: e2e, reference });
    }

    /// Somebody sells USDT on Tron, which the exchange sells on; gives the gas.
    pub(super) fn sell_at_exchange(&mut self, at: i64) -> i64 {
        let number = self.number();
        let whole = self.rng.between(100, 2_000);
        let label = self.order(at, ("tron", whole, number));
        let order = format!("${label}.cashout_id");
        let (hash, seller) = (self.hash("tron"), "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf");
        let micro = whole * 1_000_000;
        self.send(("tron", "usdt"), (at + MINUTE, hash.clone()), (seller, TRON), (micro, None));
        self.tell(
            at + 3 * MINUTE,
            None,
            json!({"fact": "deposit.confirmed", "body": {
            "cashout_id": order, "tx_hash": format!("0x{}", hash.to_uppercase()), "asset": "usdt",
            "network": "tron", "amount": whole.to_string()}}),
        );
        self.tell(
            at + 5 * MINUTE,
            None,
            json!({"fact": "sale.started",
            "body": {"id": format!("start-{number}"), "cashout_id": order}}),
        );
        let gas = self.rng.between(5_000_000, 20_000_000);
        let sent = (at + 6 * MINUTE, self.hash("tron"));
        self.send(("tron", "usdt"), sent, (TRON, AT_EXCHANGE), (micro, Some(("trx", gas))));
        let cents = self.trade(at, micro, number);
        self.tell(
            at + 21 * MINUTE,
            None,
            json!({"fact": "sale.filled", "body": {
            "id": format!("fill-{number}"), "cashout_id": order, "amount_cents": cents}}),
        );
        self.tell(
            at + 25 * MINUTE,
            None,
            json!({"fact": "sale.forwarding",
            "body": {"id": format!("fw-{number}"), "cashout_id": order}}),
        );
        self.tell(
            at + 31 * MINUTE,
            None,
            json!({"fact": "sale.forwarded", "body": {
            "id": format!("fwd-{number}"), "cashout_id": order, "amount_cents": cents}}),
        );
        let (id, reference) = (String::new(), String::new());
        self.bank.push(BankLine { at: at + 30 * MINUTE, kind: "TED", cents, id, reference });
        self.pay_sale(at + 40 * MINUTE, &label, whole * 500);
        gas
    }

    /// The exchange's side of a sale: what arrives, three trades, what is sent on. Gives the
    /// centavos that it brought.
    pub(super) fn trade(&mut self, at: i64, micro: i64, number: u64) -> i64 {
        let base = TradeLine { asset: "usdt", side: "SELL", ..TradeLine::default() };
        self.trades.push(TradeLine {
            at: at + 8 * MINUTE,
            kind: "Deposit",
            id: format!("dep-{number}"),
            amount: micro,
            address: TRON.to_owned(),
            ..base.clone()
        });
        let part = micro / 5_000_000 * 1_000_000;
        let mut cents = 0;
        for (place, amount) in (1_i64..).zip([part, part, micro - 2 * part]) {
            // At 5.02, of which the exchange takes a thousandth.
            let total = amount / 10_000 * 502 / 100 * 10_000;
            let fee = total / 1_000 / 10_000 * 10_000;
            cents += (total - fee) / 10_000;
            self.trades.push(TradeLine {
                at: at + 20 * MINUTE + place * SECOND,
                kind: "Trade",
                id: format!("t-{number}-{place}"),
                reference: format!("sale-{number}"),
                amount,
                counter_asset: "brl",
                counter_amount: total,
                fee,
                fee_asset: "BRL",
                ..base.clone()
            });
        }
        self.trades.push(TradeLine {
            at: at + 26 * MINUTE,
            kind: "Withdrawal",
            id: format!("wd-{number}"),
            asset: "brl",
            amount: cents * 10_000,
            ..base
        });
        cents
    }

    /// Own money comes in the middle of the month.
    pub(super) fn fund(&mut self, at: i64) {
        let (id, reference) = (String::new(), String::new());
        self.bank.push(BankLine { at, kind: "Aporte", cents: 5_000_000, id, reference });
        self.tell(
            at + MINUTE,
            None,
            json!({"fact": "treasury.moved", "environment": "live", "body": {
            "id": "more", "from": "equity.funding", "to": "prov.pay", "amount_cents": 5_000_000}}),
        );
        let hash = self.hash("polygon");
        let owner = format!("0x{}", self.rng.digits(40));
        self.send(("polygon", "usdt"), (at, hash), (&owner, HOT), (10_000_000_000, None));
        self.tell(
            at + 2 * MINUTE,
            None,
            json!({"fact": "treasury.moved", "environment": "live",
            "body": {"id": "coins", "from": "equity.funding", "to": "treas", "asset": "usdt",
                "chain": "polygon", "amount": "10000"}}),
        );
        // Between two wallets of ours: it moves no account.
        let hash = self.hash("polygon");
        self.send(
            ("polygon", "usdt"),
            (at + HOUR, hash),
            (HOT, super::statements::COLD),
            (1_000_000, None),
        );
    }
}
