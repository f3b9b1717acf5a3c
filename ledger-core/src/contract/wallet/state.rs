//! `GET /carteira-usdt`: the wallet as it is offered, and its balances (WAL-01 to WAL-07).

use serde_json::{Value, json};

use super::{reais, signed_usdt, six};
use crate::accounting::CoinAccount;
use crate::contract::error::Problem;
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::id::AccountId;
use crate::ledger::{Archive, Refusal, wallet};
use crate::terms::{Stablecoin, WalletNetwork, WalletSettings};
use crate::time::Instant;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The wallet of an account it is granted to.
    ///
    /// # Errors
    ///
    /// `carteira_nao_liberada`, and `carteira_indisponivel` while there is no wallet.
    pub fn wallet(&self, account: AccountId, at: Instant) -> Result<Value, Problem> {
        let settings = self.granted_wallet(account, at)?;
        let bucket = |bucket: fn(AccountId) -> CoinAccount| {
            signed_usdt(self.state.wallet_balance(bucket(account)))
        };
        let networks: Vec<Value> = settings.networks.iter().map(network).collect();
        let mut view = json!({
            "enabled": settings.enabled.is_on(),
            "sandbox": true,
            "funding_source": "crypto_usdt",
            "currency": "USDT",
            "pix_rules": { "recipient_document_required": settings.document_required.is_on() },
            "networks": networks,
            "balance": {
                "available": bucket(CoinAccount::WalletAvailable),
                "reserved": bucket(CoinAccount::WalletReserved),
                "confirming": bucket(CoinAccount::WalletConfirming),
            },
            "min_deposit": six(settings.least_deposit),
            "min_payment_brl": reais(settings.least_payment),
            "deposit_validity_hours": settings.deposit_hours,
            "payments_enabled": settings.payments.is_on(),
            "payment_methods": {
                "pix_key": settings.by_key.is_on(),
                "br_code": settings.by_code.is_on(),
            },
        });
        // Present, and true, with a test key only (WAL-02).
        if !self.is_sandbox()
            && let Some(map) = view.as_object_mut()
        {
            map.shift_remove("sandbox");
        }
        Ok(view)
    }

    /// The wallet's settings, for an account it is granted to.
    ///
    /// # Errors
    ///
    /// As [`Views::wallet`].
    pub(super) fn granted_wallet(
        &self,
        account: AccountId,
        at: Instant,
    ) -> Result<&WalletSettings, Problem> {
        if !self.state.terms(account, at).has_wallet() {
            return Err(Refusal::from(wallet::Refusal::NotGranted).into());
        }
        let settings = self.state.wallet_settings();
        settings.ok_or_else(|| Refusal::from(wallet::Refusal::Unavailable).into())
    }
}

fn network(network: &WalletNetwork) -> Value {
    let coins: Vec<&str> = network.coins.iter().copied().map(Stablecoin::name).collect();
    json!({
        "network": network.name,
        "name": network.title,
        "assets": coins,
        "eta_minutes": network.eta_minutes,
    })
}
