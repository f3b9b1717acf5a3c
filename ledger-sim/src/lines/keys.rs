//! Keys: accounts asked for without one, and what an account sets itself.

use ledger_core::id::{AccountId, KeyHash};
use ledger_core::ledger::{AccountSettings, Enrolment, MOST_PARTNER_BPS};
use ledger_core::money::Bps;
use ledger_core::terms::Switch;
use serde_json::{Map, Value, json};

use super::{LineWriter, Unrepresentable, Written, body, line, request};

impl LineWriter<'_> {
    /// `POST /keys`: the key and what opens the monitor are of one entropy.
    pub(super) fn enrolment(&mut self, asked: &Enrolment) -> Written<Map<String, Value>> {
        let owner = &asked.owner;
        let name = owner.name.ok_or(Unrepresentable("an account asked for by nobody"))?;
        if owner.country.as_deref().is_some_and(|country| country != "BR") {
            return Err(Unrepresentable("a document of another country"));
        }
        let fields = json!({
            "name": self.people.name(name),
            "email": owner.email.map(|email| self.people.email(email)),
            "responsavel_legal": owner.responsible.map(|name| self.people.name(name)),
            "documento": owner.document.map(|document| self.people.document(document)),
            "documento_pais": owner.country,
        });
        Ok(line(json!({
            "request": "POST /keys",
            "ip": self.people.address(asked.address),
            "body": body(fields),
            "supplied": { "entropy": self.people.enrolment_entropy(asked.key, asked.monitor)? },
        })))
    }

    /// The command `key.rotate`, with the entropy of the next key.
    pub(super) fn rotation(&mut self, key: &str, next: KeyHash) -> Map<String, Value> {
        let supplied = json!({ "entropy": self.people.entropy_of(next) });
        line(json!({ "command": "key.rotate", "key": key, "supplied": supplied }))
    }

    /// `PATCH /keys/me`, with the entropy of what is made of it.
    pub(super) fn settings(
        &mut self,
        account: AccountId,
        key: &str,
        asked: &AccountSettings,
    ) -> Written<Map<String, Value>> {
        let shares = [asked.purchase_partner, asked.sale_partner, asked.payout_partner];
        if shares.iter().flatten().any(|as_cents| MOST_PARTNER_BPS < as_cents.get()) {
            return Err(Unrepresentable("a partner's share beyond any"));
        }
        let known = self.state.account(account);
        let signed = known.is_some_and(|known| known.credentials.secret.is_some());
        // What the entropy would make besides is made nowhere.
        let first = asked.webhook.is_some() && !signed;
        let secret = asked.secret.filter(|_| first || asked.rotate_secret.is_on());
        let monitor = asked.monitor.filter(|_| asked.rotate_monitor.is_on());
        let none = asked.rotate_secret.is_on() && secret.is_none()
            || asked.rotate_monitor.is_on() && monitor.is_none();
        if none {
            return Err(Unrepresentable("a secret replaced by none"));
        }
        if first && secret.is_none() && monitor.is_some() {
            return Err(Unrepresentable("an entropy that makes a monitor and no secret"));
        }
        let switch = |on: Switch| on.is_on().then_some(true);
        let bps = |as_cents: Option<Bps>| as_cents.map(Bps::get);
        let fields = body(json!({
            "webhook_url": asked.webhook.map(|url| self.people.url(url)),
            "settlement_address": asked.settlement,
            "rotate_webhook_secret": switch(asked.rotate_secret),
            "rotate_monitor_token": switch(asked.rotate_monitor),
            "partner_fee_bps": bps(asked.purchase_partner),
            "partner_cashout_fee_bps": bps(asked.sale_partner),
            "partner_saque_fee_bps": bps(asked.payout_partner),
        }));
        if fields.as_object().is_none_or(Map::is_empty) {
            return Err(Unrepresentable("settings that set nothing"));
        }
        let mut line = request("PATCH /keys/me", key, fields);
        if secret.is_some() || monitor.is_some() {
            let entropy = self.people.secrets(secret, monitor)?;
            line.insert("supplied".into(), json!({ "entropy": entropy }));
        }
        Ok(line)
    }
}
