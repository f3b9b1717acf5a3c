//! Everything that happens on a day.

use serde_json::json;

use super::time::{DAY, HOUR, MINUTE, SECOND, month_begins};
use super::{BATCHED, BankLine, SINGLE, World};

/// The key of the one account.
pub const KEY: &str = "svc_live_loja";

impl World {
    /// Opens the ledger before the month, with money of our own on every account outside.
    pub(super) fn begin(&mut self) {
        let at = month_begins() - 3 * DAY;
        let facts = [
            json!({"fact": "account.opened", "environment": "live", "body": {"id": "acc", "account": "loja",
                "terms": {"sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0,
                "saque_cripto_conversao_fee_bps": 0, "saque_cripto_fee_bps": 0, "saque_fee_bps": 0,
                "deposito_fee_fixed_cents": 0, "cashout_fee_bps": 0, "cashout_fee_fixed_cents": 0,
                "cashout_reserve_cents": 0}}, "supplied": {"key": KEY}}),
            json!({"fact": "policy.adopted", "environment": "live",
                "body": {"id": "pol", "payer_ladder": false, "rate_max_age_seconds": 60_000}}),
            json!({"fact": "catalog.updated", "environment": "live", "body": {"id": "cat", "items": [
                {"asset": "usdt", "chain": "polygon", "rail": "instant", "minBuyAmount": "1",
                 "eta": "1 min", "etaSeconds": 60},
                {"asset": "pol", "chain": "polygon", "rail": "instant", "minBuyAmount": "1",
                 "eta": "1 min", "etaSeconds": 60, "decimals": 18},
                {"asset": "trx", "chain": "tron", "rail": "convert", "minBuyAmount": "1",
                 "eta": "1 min", "etaSeconds": 60}]}}),
            json!({"fact": "markets.updated", "environment": "live", "body": {"id": "mk", "items": [
                {"asset": "usdt", "network": "polygon", "path": "FAST"},
                {"asset": "usdt", "network": "tron", "path": "CONVERT", "eta_minutes": 1}]}}),
        ];
        for (number, fact) in (0..).zip(facts) {
            self.tell(at + number * SECOND, None, fact);
        }
        self.fund_before("prov.pay", None, 100_000_000);
        for (asset, chain, whole) in
            [("usdt", "polygon", 50_000), ("pol", "polygon", 500), ("trx", "tron", 5_000)]
        {
            self.fund_before("treas", Some((asset, chain)), whole * 1_000_000);
            self.chain_opening.push((chain, asset, whole * 1_000_000));
        }
        self.chain_opening.push(("tron", "usdt", 0));
        self.bank_opening = 100_000_000;
    }

    /// Money of our own that came before the month, and stands in what accounts open with.
    fn fund_before(&mut self, to: &str, coins: Option<(&str, &str)>, amount: i64) {
        let number = self.number();
        let id = format!("own-{number}");
        let mut body = json!({"id": id, "from": "equity.funding", "to": to});
        match coins {
            None => body["amount_cents"] = json!(amount),
            Some((asset, chain)) => {
                body["asset"] = json!(asset);
                body["chain"] = json!(chain);
                body["amount"] = json!(millionths(amount));
            }
        }
        let at = month_begins() - 2 * DAY + i64::try_from(number).expect("small") * SECOND;
        self.tell(at, None, json!({"fact": "treasury.moved", "environment": "live", "body": body}));
    }

    /// One day of the month.
    pub(super) fn live(&mut self, day: i64) {
        let midnight = month_begins() + day * DAY;
        for (hour, source) in [(0, "early"), (9, "noon"), (18, "late")] {
            self.quote(midnight + hour * HOUR + SECOND, source);
        }
        for number in 0..4 {
            let at = midnight + self.rng.between(2 * HOUR / SECOND, 20 * HOUR / SECOND) * SECOND;
            let charge = self.charge(at, SINGLE);
            if number == 0 && day % 2 == 1 {
                self.return_charge(at + 2 * HOUR, charge);
            }
        }
        if day % 3 == 0 {
            // Seconds before midnight, and told of after it.
            self.charge(midnight + DAY - 20 * SECOND, SINGLE);
        }
        let mut batch = 0;
        for _ in 0..2 {
            let at = midnight + self.rng.between(2 * HOUR / SECOND, 20 * HOUR / SECOND) * SECOND;
            batch += self.charge(at, BATCHED).1;
        }
        self.bank.push(BankLine {
            at: midnight + 23 * HOUR,
            kind: "Lote",
            cents: batch,
            id: String::new(),
            reference: String::new(),
        });
        if day % 5 == 2 {
            self.stray_pix(midnight + 10 * HOUR);
        }
        let tariffs = self.pay_out(midnight, day);
        let later = self.rng.between(0, 3_000) * SECOND;
        let gas = self.convert(midnight + 11 * HOUR + later);
        let mut gas_of_tron = 0;
        if day % 2 == 0 {
            self.sell_fast(midnight + 14 * HOUR + later);
        }
        if day % 3 == 1 {
            gas_of_tron += self.sell_at_exchange(midnight + 15 * HOUR);
        }
        if day == 12 {
            self.fund(midnight + 12 * HOUR);
        }
        self.close_costs(midnight + 22 * HOUR, (tariffs, gas, gas_of_tron));
        self.spendable += std::mem::take(&mut self.earned);
    }

    fn quote(&mut self, at: i64, source: &str) {
        let id = format!("rate-{}", self.number());
        let body = json!({"id": id, "asset": "usdt", "brl_per_unit": "5.00", "source": source});
        self.tell(at, None, json!({"fact": "rate.quoted", "environment": "live", "body": body}));
    }

    /// Fees that the provider and the networks took on the day.
    fn close_costs(&mut self, at: i64, (tariffs, gas, gas_of_tron): (i64, i64, i64)) {
        let number = self.number();
        if tariffs > 0 {
            self.tell(
                at,
                None,
                json!({"fact": "treasury.moved", "environment": "live", "body": {
                "id": format!("tariffs-{number}"), "from": "prov.pay", "to": "tariff.due",
                "amount_cents": tariffs}}),
            );
        }
        for (asset, chain, taken) in [("pol", "polygon", gas), ("trx", "tron", gas_of_tron)] {
            if taken > 0 {
                self.tell(at + MINUTE, None, json!({"fact": "treasury.moved", "environment": "live",
                    "body": {"id": format!("gas-{asset}-{number}"), "from": "treas", "to": "exp.gas",
                        "asset": asset, "chain": chain, "amount": millionths(taken)}}));
            }
        }
    }
}

/// So many millionths as a decimal.
pub fn millionths(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", amount.abs() / 1_000_000, amount.abs() % 1_000_000)
}
