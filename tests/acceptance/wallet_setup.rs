//! A day with a USDT wallet: what is configured, deposits and what becomes of them.

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{Day, KEY, judged};
use crate::market::WALLET;

/// Terms with a wallet, under which custody can be spent as soon as it is deposited.
pub const GRANTED: &str =
    r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,"carteira_usdt":true}"#;

/// Returns what `wallet.configured` tells: USDT and USDC on Polygon, USDT on Tron.
pub fn settings() -> Value {
    json!({
        "networks": [
            { "network": "polygon", "name": "Polygon", "assets": ["USDT", "USDC"],
              "eta_minutes": 2, "network_fee": "0.1" },
            { "network": "tron", "name": "Tron", "network_fee": "1.5" },
        ],
        "min_deposit": "5",
        "withdrawal_fee": "0.1",
    })
}

impl Day {
    /// A market, and the account `loja` with a wallet.
    pub fn walleted(at: &str) -> Self {
        let mut day = Self::trading(at, GRANTED);
        assert_eq!(day.configure(at, settings()), "applied");
        day
    }

    /// A change of the wallet's settings: the outcome.
    pub fn configure(&mut self, at: &str, mut settings: Value) -> String {
        settings["id"] = self.outside_id().into();
        self.report(at, "wallet.configured", &settings)
    }

    /// Answers of `GET /carteira-usdt`: the wallet as its owner sees it.
    pub fn wallet(&mut self, at: &str) -> Value {
        self.get(at, "/carteira-usdt")
    }

    /// Available, reserved, confirming.
    pub fn purse(&mut self, at: &str) -> [String; 3] {
        let wallet = self.wallet(at);
        ["available", "reserved", "confirming"]
            .map(|bucket| wallet["balance"][bucket].as_str().unwrap().to_owned())
    }

    /// A deposit request with a label.
    pub fn deposit_usdt(&mut self, label: &str, at: &str, body: &Value) -> Response {
        let line = json!({
            "at": at, "as": label, "key": KEY, "request": "POST /carteira-usdt/deposits",
            "body": body, "supplied": { "address": WALLET },
        });
        self.line(&line.to_string())
    }

    /// A transfer that was seen for a labelled deposit, exactly as asked but for what `with` says;
    /// its transaction is `0x` and the label.
    pub fn seen_usdt(&mut self, label: &str, at: &str, with: Value) -> Value {
        let mut body = json!({
            "deposit_id": format!("${label}.deposit_id"), "tx_hash": format!("0x{label}"),
            "asset": "USDT", "network": "polygon", "amount": format!("${label}.amount_to_send"),
        });
        body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap_or_default());
        self.report_as("", at, "wallet.deposit.seen", &body)
    }

    /// Its transaction was confirmed: the outcome.
    pub fn confirmed_usdt(&mut self, label: &str, at: &str) -> String {
        let body = json!({
            "id": self.outside_id(), "deposit_id": format!("${label}.deposit_id"),
            "tx_hash": format!("0x{label}"),
        });
        self.report(at, "wallet.deposit.confirmed", &body)
    }

    /// An operator's finding: the outcome.
    pub fn judged_usdt(&mut self, label: &str, at: &str, with: Value) -> String {
        let mut body = judged(json!({
            "id": self.outside_id(), "deposit_id": format!("${label}.deposit_id"),
        }));
        body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap_or_default());
        self.report(at, "wallet.deposit.judged", &body)
    }

    /// A deposit as it stands.
    pub fn wallet_deposit(&mut self, label: &str, at: &str) -> Value {
        let id = self.answer_to(label)["deposit_id"].clone();
        let list = self.get(at, "/carteira-usdt/deposits");
        let items = list["items"].as_array().unwrap();
        items.iter().find(|item| item["deposit_id"] == id).cloned().unwrap_or_default()
    }

    /// So much USDT in the wallet: a deposit of it, seen, confirmed, and its trailing decimals.
    pub fn filled(&mut self, label: &str, at: &str, amount: &str) -> String {
        let asked = self.deposit_usdt(label, at, &json!({ "amount": amount }));
        assert_eq!(asked.status, 201, "{}", asked.body);
        assert_eq!(self.seen_usdt(label, at, json!({}))["outcome"], "applied");
        assert_eq!(self.confirmed_usdt(label, at), "applied");
        asked.body["amount_to_send"].as_str().unwrap().to_owned()
    }

    /// Exactly so much USDT in the wallet, by an operator's hand.
    pub fn holding(&mut self, label: &str, at: &str, amount: &str) {
        let whole = self.filled_under_review(label, at, amount);
        assert_eq!(whole, "under_review");
        assert_eq!(self.confirmed_usdt(label, at), "applied");
        assert_eq!(self.judged_usdt(label, at, json!({ "outcome": "cleared" })), "applied");
    }

    fn filled_under_review(&mut self, label: &str, at: &str, amount: &str) -> String {
        let least = json!({ "amount": "5" });
        assert_eq!(self.deposit_usdt(label, at, &least).status, 201);
        let seen = self.seen_usdt(label, at, json!({ "amount": amount }));
        assert_eq!(seen["outcome"], "applied");
        self.wallet_deposit(label, at)["status"].as_str().unwrap().to_owned()
    }
}
