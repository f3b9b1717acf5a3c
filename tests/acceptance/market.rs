//! A day with a market: what is on the catalogue and at what price, purchases and conversions, and
//! what becomes of their deliveries.

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{Day, KEY, OWNER, PAYER};

/// A wallet on Polygon, one on Tron, one on Liquid, one on TON.
pub const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";
pub const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
pub const LIQUID: &str = "lq1qqf8er278e6nyvuwtgf39e6ewvdcnjupn9a86rzpx655y5lhkt0walu3djf9cklkxd3ryld97hu8h3xepw7sh2rlu7q45dcew5";
pub const TON: &str = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";

/// The pairs of the contract's examples: instant, through an exchange, and on Liquid.
pub fn pairs() -> Value {
    json!([
        { "asset": "usdt", "chain": "polygon", "rail": "instant", "minBuyAmount": "5.0065",
          "eta": "1 min", "etaSeconds": 60 },
        { "asset": "usdc", "chain": "polygon", "rail": "instant", "minBuyAmount": "1.011",
          "eta": "1 min", "etaSeconds": 60 },
        { "asset": "usdt", "chain": "tron", "rail": "convert", "minBuyAmount": "4",
          "withdrawFee": "1.5", "eta": "1 min", "etaSeconds": 60 },
        { "asset": "usdt", "chain": "bsc", "rail": "convert", "minBuyAmount": "0.000001",
          "eta": "4 min", "etaSeconds": 240 },
        { "asset": "usdt", "chain": "ton", "rail": "convert", "minBuyAmount": "3",
          "memoRequired": true, "eta": "3 min", "etaSeconds": 180 },
        { "asset": "usdt", "chain": "aptos", "rail": "convert", "minBuyAmount": "2",
          "entregavel": false, "eta": "1 min", "etaSeconds": 60 },
        { "asset": "depix", "chain": "liquid", "rail": "liquid", "decimals": 8,
          "minBuyAmount": "1.01", "eta": "2 min", "etaSeconds": 120 },
    ])
}

impl Day {
    /// The account `loja` with a market at R$ 5.40 for USDT and USDC, and payers without a ladder.
    pub fn trading(at: &str, terms: &str) -> Self {
        let mut day = Self::with_terms(at, terms);
        day.market(at);
        day
    }

    /// A catalogue, and prices for it.
    pub fn market(&mut self, at: &str) {
        let id = self.outside_id();
        let body = json!({ "id": id, "items": pairs() });
        assert_eq!(self.report(at, "catalog.updated", &body), "applied");
        for asset in ["usdt", "usdc"] {
            assert_eq!(self.price(at, asset, "5.40"), "applied");
        }
    }

    /// A price: the outcome.
    pub fn price(&mut self, at: &str, asset: &str, price: &str) -> String {
        let id = self.outside_id();
        let body = json!({ "id": id, "asset": asset, "brl_per_unit": price, "source": "exchange" });
        self.report(at, "rate.quoted", &body)
    }

    /// A preview of a charge that buys crypto: its answer.
    pub fn preview(&mut self, at: &str, cents: i64, (asset, chain): (&str, &str)) -> Response {
        let body = json!({ "amount_cents": cents, "asset": asset, "chain": chain });
        self.ask(at, "POST /cashin/preview", &body)
    }

    /// A labelled request with this body; its label is its `external_id`.
    pub fn ask_as(&mut self, id: &str, at: &str, request: &str, mut body: Value) -> Response {
        body["external_id"] = id.into();
        let line = json!({ "at": at, "as": id, "key": KEY, "request": request, "body": body });
        self.line(&line.to_string())
    }

    /// A purchase of USDT on Polygon, labelled by its `external_id`.
    pub fn buy(&mut self, id: &str, at: &str, cents: i64) -> Response {
        self.ask_as(id, at, "POST /cashin/charge", purchase(cents))
    }

    /// A purchase that was paid.
    pub fn bought(&mut self, id: &str, at: &str, cents: i64) {
        let answer = self.buy(id, at, cents);
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(self.pix(id, at, cents), "applied");
    }

    /// A purchase that was paid and delivered, in the transaction `0x` and its id.
    pub fn delivered(&mut self, id: &str, at: &str, cents: i64) {
        self.bought(id, at, cents);
        assert_eq!(self.sent(id, at), "applied");
    }

    /// A conversion of a subaccount's money into USDT on Polygon; an empty customer is the house.
    pub fn convert(&mut self, id: &str, at: &str, customer: &str, cents: i64) -> Response {
        self.ask_as(id, at, "POST /saldo/sacar-cripto", conversion(customer, cents))
    }

    /// News of a labelled purchase's or conversion's delivery: the outcome.
    pub fn delivery_reports(&mut self, id: &str, at: &str, report: &str) -> String {
        self.delivery(&format!("${id}.cashin_id"), at, report, json!({}))["outcome"]
            .to_string()
            .trim_matches('"')
            .to_owned()
    }

    /// News of a delivery with further fields: the answer.
    pub fn delivery(&mut self, of: &str, at: &str, report: &str, mut body: Value) -> Value {
        body["id"] = self.outside_id().into();
        body["cashin_id"] = of.into();
        self.report_as("", at, &format!("delivery.{report}"), &body)
    }

    /// That a labelled delivery was sent, in the transaction `0x` and its id: the outcome.
    pub fn sent(&mut self, id: &str, at: &str) -> String {
        let body = json!({ "tx_hash": format!("0x{id}") });
        let answer = self.delivery(&format!("${id}.cashin_id"), at, "sent", body);
        answer["outcome"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// An operator gives a delivery up, to `saldo` or `pagador`: the outcome.
    pub fn give_up(&mut self, id: &str, at: &str, to: &str) -> String {
        let mut body = crate::day::judged(json!({ "to": to }));
        if to == "pagador" {
            body["return_id"] = self.outside_id().into();
        }
        let answer = self.delivery(&format!("${id}.cashin_id"), at, "given_up", body);
        answer["outcome"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// A withdrawal of commission, labelled by its `external_id`.
    pub fn withdraw(&mut self, id: &str, at: &str, cents: i64) -> Response {
        let body = json!({
            "amount_cents": cents, "payout_address": WALLET, "external_id": id,
        });
        let line = json!({
            "at": at, "as": id, "key": KEY, "command": "commission.withdraw", "body": body,
        });
        self.line(&line.to_string())
    }

    /// The status record of what was created under an `external_id`.
    pub fn status(&mut self, at: &str, id: &str) -> Value {
        self.get(at, &format!("/cashin/charges?external_id={id}"))["charges"][0].clone()
    }

    /// `status` and `settlement_status` of a purchase or conversion.
    pub fn stands(&mut self, at: &str, id: &str) -> (String, String) {
        let record = self.status(at, id);
        let text = |name: &str| record[name].as_str().unwrap_or("null").to_owned();
        (text("status"), text("settlement_status"))
    }

    /// The net credit of an account of crypto in units, over all its networks and operations.
    pub fn coins(&self, asset: &str, account: &str) -> i128 {
        let state = &self.sequencer().ledger().state;
        let (asset, _) = state.catalogue.asset(asset).unwrap();
        let all = state.books.coins();
        all.filter(|(known, place, _)| *known == asset && place.name() == account)
            .map(|(_, _, balance)| balance)
            .sum()
    }
}

/// The body of a purchase of USDT on Polygon.
pub fn purchase(cents: i64) -> Value {
    json!({ "amount_cents": cents, "payer_tax_number": PAYER, "payout_address": WALLET })
}

/// The body of a conversion into USDT on Polygon.
pub fn conversion(customer: &str, cents: i64) -> Value {
    let mut body = json!({
        "amount_cents": cents, "asset": "usdt", "chain": "polygon", "payout_address": WALLET,
        "tax_number": OWNER,
    });
    if !customer.is_empty() {
        body["customer_ref"] = customer.into();
    }
    body
}
