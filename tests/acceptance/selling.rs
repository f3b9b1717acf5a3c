//! A day on which crypto is sold for PIX: quotes, deposits, payments, refunds.

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{Day, KEY, judged};
use crate::market::{LIQUID, WALLET};

/// Terms under which a sale costs 2 % and R$ 2.00 (W44).
pub const STANDARD: &str = r#"{"cashout_fee_bps":200,"cashout_fee_fixed_cents":200}"#;

/// Terms under which a sale costs 35 basis points (W45).
pub const VOLUME: &str = r#"{"cashout_fee_bps":35,"cashout_fee_fixed_cents":0}"#;

/// Returns what sellers may deposit: a pair a route, and one that is not bought now.
pub fn markets() -> Value {
    json!([
        { "asset": "usdt", "network": "polygon", "path": "FAST" },
        { "asset": "usdc", "network": "polygon", "path": "FAST" },
        { "asset": "usdt", "network": "arbitrum", "path": "DEX", "eta_minutes": 21 },
        { "asset": "usdt", "network": "tron", "path": "CONVERT", "eta_minutes": 1 },
        { "asset": "usdt", "network": "solana", "path": "CONVERT", "available": false,
          "eta_minutes": 1 },
        { "asset": "depix", "network": "liquid", "path": "depix_liquid", "decimals": 8 },
    ])
}

impl Day {
    /// The account `loja` under these terms, with a market for sellers at R$ 5.40 for USDT and
    /// USDC.
    pub fn selling(at: &str, terms: &str) -> Self {
        let mut day = Self::with_terms(at, terms);
        let id = day.outside_id();
        let body = json!({ "id": id, "items": markets() });
        assert_eq!(day.report(at, "markets.updated", &body), "applied");
        day.prices(at);
        day
    }

    /// USDT and USDC at R$ 5.40.
    pub fn prices(&mut self, at: &str) {
        for asset in ["usdt", "usdc"] {
            assert_eq!(self.price(at, asset, "5.40"), "applied");
        }
    }

    /// A sale with this body besides the pair, labelled by its `external_id`.
    pub fn sell(
        &mut self,
        id: &str,
        at: &str,
        (asset, network): (&str, &str),
        more: Value,
    ) -> Response {
        let mut body = json!({ "asset": asset, "network": network });
        merge(&mut body, more);
        self.ask_as(id, at, "POST /cash-outs", body)
    }

    /// A sale of so many reais to an e-mail key, of USDT on Polygon, with a refund wallet.
    pub fn sold(&mut self, id: &str, at: &str, reais: &str) {
        let answer = self.sell(id, at, ("usdt", "polygon"), to_mail(reais));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// Accepts a labelled order.
    pub fn accept(&mut self, id: &str, at: &str) -> Response {
        let request = format!("POST /cash-outs/${id}.cashout_id/accept");
        let line = json!({ "at": at, "key": KEY, "request": request });
        self.line(&line.to_string())
    }

    /// Reports a fact of a labelled order: the outcome.
    pub fn sale_reports(&mut self, id: &str, at: &str, fact: &str, more: Value) -> String {
        let mut body = json!({ "cashout_id": format!("${id}.cashout_id") });
        let named = ["deposit.", "cashout.paid", "cashout.pix_reversed"];
        if !named.iter().any(|prefix| fact.starts_with(prefix)) {
            body["id"] = self.outside_id().into();
        }
        merge(&mut body, more);
        self.report(at, fact, &body)
    }

    /// A deposit of USDT on Polygon for a labelled order, seen and confirmed, in the transaction
    /// `0x` and its id.
    pub fn deposited(&mut self, id: &str, at: &str, amount: &str) {
        self.deposited_of(id, at, ("usdt", "polygon"), amount);
    }

    pub fn deposited_of(&mut self, id: &str, at: &str, pair: (&str, &str), amount: &str) {
        let hash = format!("0x{id}");
        assert_eq!(
            self.sale_reports(id, at, "deposit.seen", arrival(&hash, pair, amount)),
            "applied"
        );
        let confirmed = json!({ "tx_hash": hash });
        assert_eq!(self.sale_reports(id, at, "deposit.confirmed", confirmed), "applied");
    }

    /// The PIX of a labelled order, with a new end-to-end id: the outcome.
    pub fn sale_paid(&mut self, id: &str, at: &str) -> String {
        let e2e = self.outside_id();
        self.sale_reports(id, at, "cashout.paid", json!({ "e2e": e2e }))
    }

    /// A sale that was quoted, accepted and deposited exactly.
    pub fn selling_now(&mut self, id: &str, at: &str, reais: &str) {
        self.sold(id, at, reais);
        assert_eq!(self.accept(id, at).status, 200);
        let amount = self.order(id, at)["amount"].as_str().unwrap().to_owned();
        self.deposited(id, at, &amount);
    }

    /// An order as it stands.
    pub fn order(&mut self, id: &str, at: &str) -> Value {
        self.get(at, &format!("/cash-outs/${id}.cashout_id"))
    }

    /// An order's `state`.
    pub fn state(&mut self, id: &str, at: &str) -> String {
        self.order(id, at)["state"].as_str().unwrap().to_owned()
    }

    /// An operator decides about a labelled order: the outcome.
    pub fn judge(&mut self, id: &str, at: &str, fact: &str, more: Value) -> String {
        self.sale_reports(id, at, fact, judged(more))
    }
}

/// A sale of so many reais to an e-mail key, refunded to a wallet of its own.
pub fn to_mail(reais: &str) -> Value {
    json!({ "brl_amount": reais, "pix_key": "ana@exemplo.com.br", "refund_address": WALLET })
}

/// A sale of `DePix` to an e-mail key of a known owner, with no return wallet.
pub fn of_depix(reais: &str) -> Value {
    json!({
        "brl_amount": reais, "pix_key": "ana@exemplo.com.br", "payee_tax_number": "52998224725",
    })
}

/// The same of so much `DePix`.
pub fn selling_depix(amount: &str) -> Value {
    let mut body = of_depix("1.00");
    body.as_object_mut().expect("an object").remove("brl_amount");
    body["amount"] = amount.into();
    body
}

/// A return wallet on Liquid.
pub const LIQUID_WALLET: &str = LIQUID;

/// A deposit as a fact tells it.
pub fn arrival(hash: &str, (asset, network): (&str, &str), amount: &str) -> Value {
    json!({ "tx_hash": hash, "asset": asset, "network": network, "amount": amount })
}

pub fn merge(body: &mut Value, more: Value) {
    if let (Value::Object(body), Value::Object(more)) = (body, more) {
        body.extend(more);
    }
}

/// When the orders below are sold.
const NOON: &str = "2026-10-20T12:00:00Z";

/// An order `v` that was accepted at noon.
pub fn accepted(terms: &str, pair: (&str, &str), body: Value) -> Day {
    let mut day = Day::selling(NOON, terms);
    let answer = day.sell("v", NOON, pair, body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(day.accept("v", NOON).status, 200);
    day
}

/// An order `v` that was accepted and deposited exactly.
pub fn deposited(terms: &str, pair: (&str, &str), body: Value) -> Day {
    let mut day = accepted(terms, pair, body);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    day.deposited_of("v", NOON, pair, &amount);
    day
}
