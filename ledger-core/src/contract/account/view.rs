//! Views of an account: what a new key's answer shows, `GET /keys/me`, and its private monitor.

use serde_json::{Value, json};

use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Tokens, Vault};
use crate::contract::views::Views;
use crate::id::{AccountId, Token};
use crate::ledger::{ApiAccount, Archive};
use crate::money::{Amount, Bps};
use crate::terms::{Route, Terms};
use crate::time::Instant;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The answer to `POST /keys` and `POST /keys/sandbox`: the only one that shows the key
    /// (KEY-01, KEY-05, AUTH-03).
    #[must_use]
    pub fn enrolment_response(
        &self,
        account: AccountId,
        key: &Secret,
        supplied: &Value,
        at: Instant,
    ) -> Value {
        let Some(known) = self.state.account(account) else { return Value::Null };
        let base = base(supplied);
        if !self.state.is_live() {
            return json!({
                "api_key": key.expose(),
                "sandbox": true,
                "como_usar": "Envie esta chave no cabeçalho X-API-Key; nada se move de verdade.",
                "key": self.key(known),
                "monitor_url": self.monitor_url(known, base),
            });
        }
        let groups = supplied.get("grupos_obrigatorios").filter(|groups| groups.is_array());
        json!({
            "api_key": key.expose(),
            "key": self.key(known),
            "limits": self.account_limits(account, at),
            "monitor_url": self.monitor_url(known, base),
            "dashboard_url": format!("{base}/painel"),
            "grupos_obrigatorios": groups.cloned().unwrap_or_else(|| json!([])),
        })
    }

    /// `GET /keys/me` (KEY-06): limits, fees and settings; no key and no webhook secret.
    #[must_use]
    pub fn me(&self, account: AccountId, supplied: &Value, at: Instant) -> Value {
        let Some(known) = self.state.account(account) else { return Value::Null };
        let terms = self.state.terms(account, at);
        let mut view = json!({
            "key": self.key(known),
            "limits": self.account_limits(account, at),
            "monitor_url": self.monitor_url(known, base(supplied)),
            "webhook_url": known.credentials.webhook.and_then(|url| self.vault.value(url)),
            "webhook_assinado": known.credentials.secret.is_some(),
            "settlement_address": known.settlement,
            "payout": { "enabled": terms.payouts.is_on() },
        });
        if let (Value::Object(view), Value::Object(fees)) = (&mut view, fees(&terms)) {
            view.extend(fees);
        }
        view
    }

    /// The account whose private monitor this token opens: by its hash, and for reading only
    /// (AUTH-10).
    ///
    /// # Errors
    ///
    /// `nao_autenticado` for a token that opens none, or was replaced.
    pub fn monitored_account(&self, tokens: &Tokens, token: &Secret) -> Result<AccountId, Problem> {
        let sought = Some(tokens.credential(token).token);
        let mut accounts = self.state.accounts();
        let found = accounts.find(|(_, known)| known.credentials.monitor == sought);
        found.map(|(account, _)| account).ok_or_else(|| {
            Problem::new(Code::NotAuthenticated, "this link opens no monitor, or was replaced")
        })
    }

    /// The accounts that this e-mail registered, for whoever sends it their links after
    /// `POST /keys/painel-link`, whose answer never says whether there are any (KEY-11).
    #[must_use]
    pub fn accounts_by_email(&self, tokens: &Tokens, email: &str) -> Vec<AccountId> {
        let sought = Some(tokens.email(email).token);
        let of = |known: &ApiAccount| known.owner.as_ref().and_then(|owner| owner.email);
        self.state.accounts().filter(|(_, known)| of(known) == sought).map(|(id, _)| id).collect()
    }

    /// The token that opens an account's private monitor, unless it was erased.
    #[must_use]
    pub fn monitor(&self, account: AccountId) -> Option<Secret> {
        let token = self.state.account(account)?.credentials.monitor?;
        self.vault.value(token).map(Secret::new)
    }

    fn monitor_url(&self, known: &ApiAccount, base: &str) -> Option<String> {
        let token = self.vault.value(known.credentials.monitor?)?;
        Some(format!("{base}/monitor/{token}"))
    }

    /// What is said of a key: no part of it (AUTH-02, AUTH-03).
    fn key(&self, known: &ApiAccount) -> Value {
        let owner = known.owner.as_ref();
        let shown = |token: Option<Token>| token.map(|token| self.mask(token));
        let name = owner.and_then(|owner| owner.name).map(|name| self.value(name));
        json!({
            "account": known.name,
            "tipo": if self.state.is_live() { "producao" } else { "teste" },
            "name": name,
            "email": shown(owner.and_then(|owner| owner.email)),
            "documento": shown(owner.and_then(|owner| owner.document)),
            "documento_pais": owner.and_then(|owner| owner.country.as_deref()),
        })
    }

    /// `limits`: ranges for one operation, ceilings for a day, and the payer ladder (LIM-16).
    fn account_limits(&self, account: AccountId, at: Instant) -> Value {
        let terms = self.state.terms(account, at);
        let daily = [("cashin", terms.charged_daily), ("payout", terms.paid_out_daily)];
        let applies: Vec<&str> = daily.iter().filter(|(_, c)| c.is_some()).map(|c| c.0).collect();
        let least = terms.smallest_charge(self.state.policy.least_net);
        let sales = self.state.policy.sale_limits();
        let ladder = self.state.policy.ladder.map(|ladder| {
            json!({
                "first_transaction_cents": ladder.first_transaction.cents(),
                "first_24h_cents": ladder.first_day.cents(),
                "mature_day_cents": ladder.mature_day.cents(),
                "held_max_cents": ladder.held.cents(),
                "hold_hours": ladder.hours,
            })
        });
        json!({
            "tier": if applies.is_empty() { "sem_teto" } else { "com_teto" },
            "per_operation": {
                "cashin": {
                    "min_brl_cents": least.map(Amount::cents),
                    "max_brl_cents": terms.charge_most.cents(),
                },
                "payout": {
                    "min_brl_cents": terms.payout_least.cents(),
                    "max_brl_cents": terms.payout_most.cents(),
                },
                "cashout": {
                    "min_brl_cents": sales.least.cents(),
                    "max_brl_cents": sales.most.cents(),
                },
            },
            "daily": {
                "cashin_max_cents": terms.charged_daily.map(Amount::cents),
                "payout_max_cents": terms.paid_out_daily.map(Amount::cents),
            },
            "daily_limit_applies_to": applies,
            "payer_ladder": ladder,
            "recipient_ceiling": { "max_brl_cents": sales.recipient_daily.cents() },
        })
    }
}

/// The effective fees of an account.
fn fees(terms: &Terms) -> Value {
    let total = terms.payout_house.plus(terms.payout_partner);
    let purchase = terms.purchase.bps.plus(terms.purchase_partner);
    let (sale, liquid) = (terms.sale_rates(Route::Fast), terms.sale_rates(Route::Liquid).house);
    json!({
        "admin_fee_bps": purchase.map(Bps::get),
        "house_fee_bps": terms.purchase.bps.get(),
        "admin_fee_fixed_cents": terms.purchase.fixed.cents(),
        "deposito_fee_bps": terms.deposit.bps.get(),
        "deposito_fee_fixed_cents": terms.deposit.fixed.cents(),
        "saque_fee_bps": terms.payout_house.get(),
        "saque_fee_total_bps": total.map(Bps::get),
        "saque_cripto_fee_bps": terms.crypto_withdrawal.get(),
        "saque_cripto_conversao_fee_bps": terms.conversion.bps.get(),
        "saque_cripto_conversao_fee_fixed_cents": terms.conversion.fixed.cents(),
        "cashout_fee_bps": sale.house.bps.get(),
        "cashout_fee_fixed_cents": sale.house.fixed.cents(),
        "cashout_reserve_cents": sale.reserve.cents(),
        "depix_fee_bps": liquid.bps.get(),
        "depix_fee_fixed_cents": liquid.fixed.cents(),
        "partner_fee_bps": terms.purchase_partner.get(),
        "partner_cashout_fee_bps": terms.sale_partner.map_or(0, Bps::get),
        "partner_saque_fee_bps": terms.payout_partner.get(),
    })
}

/// The service's own address, where it is supplied; without it links are relative to it.
fn base(supplied: &Value) -> &str {
    supplied.get("base_url").and_then(Value::as_str).unwrap_or("").trim_end_matches('/')
}

/// Tells whether what is supplied about the service itself is sound.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn check_supplied(supplied: &Value) -> Result<(), Problem> {
    let text = |name: &str| match supplied.get(name) {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(text)) if text.starts_with("https://") => Ok(()),
        Some(_) => Err(wrong(&format!("supplied.{name}"), "must be an https:// address")),
    };
    text("base_url")?;
    match supplied.get("grupos_obrigatorios") {
        None | Some(Value::Null | Value::Array(_)) => Ok(()),
        Some(_) => Err(wrong("supplied.grupos_obrigatorios", "must be a list")),
    }
}
