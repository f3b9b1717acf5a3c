//! Agents at the counter: registered in the sandbox, or in production already.

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY};

/// The key an agent gets of this entropy, in the sandbox and in production.
pub const ENTROPY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A wallet on Polygon.
pub const WALLET: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// The agent that has [`KEY`] where a day is an agent's.
pub const AGENT: &str = "ag_0000000000030123456789abcdef";

impl Day {
    /// An agent in production under this mandate, which has [`KEY`] and a market, whose deposits
    /// can be spent at once and may be large; payers without a ladder.
    pub fn agency(at: &str, mandate: &Value) -> Self {
        let mut day = Self::new();
        day.admit_with(at, AGENT, KEY, mandate);
        assert_eq!(day.adopt(at, json!({ "payer_ladder": false })), "applied");
        day.agree_for(AGENT, at, "{}");
        day.market(at);
        day
    }

    /// USDT on Polygon may be sold.
    pub fn markets(&mut self, at: &str) {
        let id = self.outside_id();
        let pair = json!({ "asset": "usdt", "network": "polygon", "path": "FAST" });
        let body = json!({ "id": id, "items": [pair] });
        assert_eq!(self.report(at, "markets.updated", &body), "applied");
    }

    /// Terms for an account under which deposits can be spent at once and may be large.
    pub fn agree_for(&mut self, account: &str, at: &str, more: &str) {
        let mut body: Value = serde_json::from_str(AT_ONCE).unwrap();
        let more: Value = serde_json::from_str(more).unwrap();
        body["cashin_max_cents"] = 100_000_000_000_i64.into();
        body["cashout_fee_bps"] = 150.into();
        body["id"] = self.outside_id().into();
        body["account"] = account.into();
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert_eq!(self.report(at, "terms.adopted", &body), "applied");
    }

    /// A request with this key; an empty one is none.
    pub fn ask_with(&mut self, key: &str, at: &str, request: &str, body: &Value) -> Response {
        let mut line = json!({ "at": at, "request": request, "body": body });
        if !key.is_empty() {
            line["key"] = key.into();
        }
        if request.ends_with("production-request") || request == "POST /mesh/agents" {
            line["supplied"] = json!({ "entropy": ENTROPY });
        }
        if request == "POST /cashin/charge" {
            line["supplied"] = json!({ "qr_copypaste": "00020126-qr" });
        }
        self.line(&line.to_string())
    }

    /// An agent in production, by its id and its key.
    pub fn admit(&mut self, at: &str, id: &str, key: &str) {
        let body = json!({});
        self.admit_with(at, id, key, &body);
    }

    /// An agent in production with this mandate and referral.
    pub fn admit_with(&mut self, at: &str, id: &str, key: &str, more: &Value) {
        let mut body = json!({
            "id": format!("act-{id}"), "agent_id": id, "name": "Ada", "contact": "ada@example.com",
            "capabilities": ["brl_to_pix"], "settlement_address": WALLET,
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let line = json!({
            "at": at, "fact": "agent.activated", "environment": "live", "body": body,
            "supplied": { "key": key },
        });
        assert_eq!(self.line(&line.to_string()).body, json!({ "outcome": "applied" }));
    }
}
