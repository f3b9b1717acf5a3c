//! Facts of accounts, their keys and terms, and the policy.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{
    AccountName, Amount, Body, Bps, Cents, DecidedBy, FactId, Instant, OperationId, Text, Wire,
};

/// What `liberacao` may say: imediata or `proximo_dia`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccountTermsRelease {
    /// On the wire `imediata`.
    Immediate,
    /// On the wire `proximo_dia`.
    NextDay,
}

crate::drawn!(one AccountTermsRelease { Immediate, NextDay });

impl Wire for AccountTermsRelease {
    fn wire(&self) -> Value {
        match self {
            Self::Immediate => "imediata",
            Self::NextDay => "proximo_dia",
        }
        .into()
    }
}

/// Of `AccountOpened`: terms that differ from the published ones.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AccountTerms {
    custody_active: Option<bool>,
    payout_enabled: Option<bool>,
    deposit_fee_bps: Option<Bps>,
    deposit_fee_fixed: Option<Cents>,
    payout_fee_bps: Option<Bps>,
    partner_payout_fee_bps: Option<Bps>,
    payout_tariff_kind: Option<Text<16>>,
    payout_tariff: Option<Cents>,
    crypto_withdrawal_fee_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    conversion_fee_fixed: Option<Cents>,
    admin_fee_bps: Option<Bps>,
    admin_fee_fixed_cents: Option<Cents>,
    partner_fee_bps: Option<Bps>,
    liquid_provider_fee_cents: Option<Cents>,
    cashout_fee_bps: Option<Bps>,
    cashout_fee_fixed_cents: Option<Cents>,
    partner_cashout_fee_bps: Option<Bps>,
    depix_fee_bps: Option<Bps>,
    depix_fee_fixed_cents: Option<Cents>,
    cashout_reserve_cents: Option<Cents>,
    cashin_daily_max_cents: Option<Cents>,
    payout_daily_max_cents: Option<Cents>,
    cashin_min_cents: Option<Amount>,
    cashin_max_cents: Option<Amount>,
    payout_min_cents: Option<Amount>,
    payout_max_cents: Option<Amount>,
    without_retention: Option<bool>,
    retention_above: Option<Amount>,
    retention_hours: Option<u16>,
    release: Option<AccountTermsRelease>,
    waiting_hours: Option<u16>,
    usdt_wallet: Option<bool>,
}

impl AccountTerms {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `custodia_ativa`: whether it has balances of its own.
    #[must_use]
    pub fn custody_active(mut self, custody_active: bool) -> Self {
        self.custody_active = Some(custody_active);
        self
    }

    /// Sets `payout_enabled`: whether it may pay out.
    #[must_use]
    pub fn payout_enabled(mut self, payout_enabled: bool) -> Self {
        self.payout_enabled = Some(payout_enabled);
        self
    }

    /// Sets `deposito_fee_bps`: the percentage of a deposit.
    #[must_use]
    pub fn deposit_fee_bps(mut self, deposit_fee_bps: Bps) -> Self {
        self.deposit_fee_bps = Some(deposit_fee_bps);
        self
    }

    /// Sets `deposito_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn deposit_fee_fixed(mut self, deposit_fee_fixed: Cents) -> Self {
        self.deposit_fee_fixed = Some(deposit_fee_fixed);
        self
    }

    /// Sets `saque_fee_bps`: the house's part of a payout's fee.
    #[must_use]
    pub fn payout_fee_bps(mut self, payout_fee_bps: Bps) -> Self {
        self.payout_fee_bps = Some(payout_fee_bps);
        self
    }

    /// Sets `partner_saque_fee_bps`: the partner's part, on top.
    #[must_use]
    pub fn partner_payout_fee_bps(mut self, partner_payout_fee_bps: Bps) -> Self {
        self.partner_payout_fee_bps = Some(partner_payout_fee_bps);
        self
    }

    /// Sets `saque_taxa_provedor_tipo`: fixo, or desconhecido: then new payouts are refused.
    #[must_use]
    pub fn payout_tariff_kind(mut self, payout_tariff_kind: Text<16>) -> Self {
        self.payout_tariff_kind = Some(payout_tariff_kind);
        self
    }

    /// Sets `saque_taxa_estimada_cents`: the provider's fixed tariff.
    #[must_use]
    pub fn payout_tariff(mut self, payout_tariff: Cents) -> Self {
        self.payout_tariff = Some(payout_tariff);
        self
    }

    /// Sets `saque_cripto_fee_bps`: of a conversion, beside the conversion's own.
    #[must_use]
    pub fn crypto_withdrawal_fee_bps(mut self, crypto_withdrawal_fee_bps: Bps) -> Self {
        self.crypto_withdrawal_fee_bps = Some(crypto_withdrawal_fee_bps);
        self
    }

    /// Sets `saque_cripto_conversao_fee_bps`: the house's percentage of a conversion.
    #[must_use]
    pub fn conversion_fee_bps(mut self, conversion_fee_bps: Bps) -> Self {
        self.conversion_fee_bps = Some(conversion_fee_bps);
        self
    }

    /// Sets `saque_cripto_conversao_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn conversion_fee_fixed(mut self, conversion_fee_fixed: Cents) -> Self {
        self.conversion_fee_fixed = Some(conversion_fee_fixed);
        self
    }

    /// Sets `admin_fee_bps`: the house's percentage of a purchase.
    #[must_use]
    pub fn admin_fee_bps(mut self, admin_fee_bps: Bps) -> Self {
        self.admin_fee_bps = Some(admin_fee_bps);
        self
    }

    /// Sets `admin_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn admin_fee_fixed_cents(mut self, admin_fee_fixed_cents: Cents) -> Self {
        self.admin_fee_fixed_cents = Some(admin_fee_fixed_cents);
        self
    }

    /// Sets `partner_fee_bps`: the partner's percentage of a purchase, on top.
    #[must_use]
    pub fn partner_fee_bps(mut self, partner_fee_bps: Bps) -> Self {
        self.partner_fee_bps = Some(partner_fee_bps);
        self
    }

    /// Sets `liquid_provider_fee_cents`: what the provider takes of a purchase on Liquid.
    #[must_use]
    pub fn liquid_provider_fee_cents(mut self, liquid_provider_fee_cents: Cents) -> Self {
        self.liquid_provider_fee_cents = Some(liquid_provider_fee_cents);
        self
    }

    /// Sets `cashout_fee_bps`: the house's percentage of a sale; absent: no sales.
    #[must_use]
    pub fn cashout_fee_bps(mut self, cashout_fee_bps: Bps) -> Self {
        self.cashout_fee_bps = Some(cashout_fee_bps);
        self
    }

    /// Sets `cashout_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn cashout_fee_fixed_cents(mut self, cashout_fee_fixed_cents: Cents) -> Self {
        self.cashout_fee_fixed_cents = Some(cashout_fee_fixed_cents);
        self
    }

    /// Sets `partner_cashout_fee_bps`: the partner's percentage of a sale, on top.
    #[must_use]
    pub fn partner_cashout_fee_bps(mut self, partner_cashout_fee_bps: Bps) -> Self {
        self.partner_cashout_fee_bps = Some(partner_cashout_fee_bps);
        self
    }

    /// Sets `depix_fee_bps`: the house's percentage of a sale of `DePix`.
    #[must_use]
    pub fn depix_fee_bps(mut self, depix_fee_bps: Bps) -> Self {
        self.depix_fee_bps = Some(depix_fee_bps);
        self
    }

    /// Sets `depix_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn depix_fee_fixed_cents(mut self, depix_fee_fixed_cents: Cents) -> Self {
        self.depix_fee_fixed_cents = Some(depix_fee_fixed_cents);
        self
    }

    /// Sets `cashout_reserve_cents`: the operational reserve of a sale; default 100.
    #[must_use]
    pub fn cashout_reserve_cents(mut self, cashout_reserve_cents: Cents) -> Self {
        self.cashout_reserve_cents = Some(cashout_reserve_cents);
        self
    }

    /// Sets `cashin_daily_max_cents`: a ceiling for charges a day; 0: none.
    #[must_use]
    pub fn cashin_daily_max_cents(mut self, cashin_daily_max_cents: Cents) -> Self {
        self.cashin_daily_max_cents = Some(cashin_daily_max_cents);
        self
    }

    /// Sets `payout_daily_max_cents`: a ceiling for payouts a day; 0: none.
    #[must_use]
    pub fn payout_daily_max_cents(mut self, payout_daily_max_cents: Cents) -> Self {
        self.payout_daily_max_cents = Some(payout_daily_max_cents);
        self
    }

    /// Sets `cashin_min_cents`: the smallest charge.
    #[must_use]
    pub fn cashin_min_cents(mut self, cashin_min_cents: Amount) -> Self {
        self.cashin_min_cents = Some(cashin_min_cents);
        self
    }

    /// Sets `cashin_max_cents`: the largest charge.
    #[must_use]
    pub fn cashin_max_cents(mut self, cashin_max_cents: Amount) -> Self {
        self.cashin_max_cents = Some(cashin_max_cents);
        self
    }

    /// Sets `payout_min_cents`: the smallest payout.
    #[must_use]
    pub fn payout_min_cents(mut self, payout_min_cents: Amount) -> Self {
        self.payout_min_cents = Some(payout_min_cents);
        self
    }

    /// Sets `payout_max_cents`: the largest payout.
    #[must_use]
    pub fn payout_max_cents(mut self, payout_max_cents: Amount) -> Self {
        self.payout_max_cents = Some(payout_max_cents);
        self
    }

    /// Sets `sem_retencao`: true: these terms hold no deposit at the provider; the payer's
    /// ladder ([`ChargeLimits`](crate::request::charge::ChargeLimits)) may.
    #[must_use]
    pub fn without_retention(mut self, without_retention: bool) -> Self {
        self.without_retention = Some(without_retention);
        self
    }

    /// Sets `retencao_acima_cents`: deposits above this are held at the provider.
    #[must_use]
    pub fn retention_above(mut self, retention_above: Amount) -> Self {
        self.retention_above = Some(retention_above);
        self
    }

    /// Sets `retencao_horas`: for so many hours.
    #[must_use]
    pub fn retention_hours(mut self, retention_hours: u16) -> Self {
        self.retention_hours = Some(retention_hours);
        self
    }

    /// Sets `liberacao`: imediata or `proximo_dia`: when other deposits become available.
    #[must_use]
    pub fn release(mut self, release: AccountTermsRelease) -> Self {
        self.release = Some(release);
        self
    }

    /// Sets `carencia_horas`: how long a first deposit blocks withdrawals.
    #[must_use]
    pub fn waiting_hours(mut self, waiting_hours: u16) -> Self {
        self.waiting_hours = Some(waiting_hours);
        self
    }

    /// Sets `carteira_usdt`: whether the USDT wallet is granted.
    #[must_use]
    pub fn usdt_wallet(mut self, usdt_wallet: bool) -> Self {
        self.usdt_wallet = Some(usdt_wallet);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("custodia_ativa", &self.custody_active)
            .with("payout_enabled", &self.payout_enabled)
            .with("deposito_fee_bps", &self.deposit_fee_bps)
            .with("deposito_fee_fixed_cents", &self.deposit_fee_fixed)
            .with("saque_fee_bps", &self.payout_fee_bps)
            .with("partner_saque_fee_bps", &self.partner_payout_fee_bps)
            .with("saque_taxa_provedor_tipo", &self.payout_tariff_kind)
            .with("saque_taxa_estimada_cents", &self.payout_tariff)
            .with("saque_cripto_fee_bps", &self.crypto_withdrawal_fee_bps)
            .with("saque_cripto_conversao_fee_bps", &self.conversion_fee_bps)
            .with("saque_cripto_conversao_fee_fixed_cents", &self.conversion_fee_fixed)
            .with("admin_fee_bps", &self.admin_fee_bps)
            .with("admin_fee_fixed_cents", &self.admin_fee_fixed_cents)
            .with("partner_fee_bps", &self.partner_fee_bps)
            .with("liquid_provider_fee_cents", &self.liquid_provider_fee_cents)
            .with("cashout_fee_bps", &self.cashout_fee_bps)
            .with("cashout_fee_fixed_cents", &self.cashout_fee_fixed_cents)
            .with("partner_cashout_fee_bps", &self.partner_cashout_fee_bps)
            .with("depix_fee_bps", &self.depix_fee_bps)
            .with("depix_fee_fixed_cents", &self.depix_fee_fixed_cents)
            .with("cashout_reserve_cents", &self.cashout_reserve_cents)
            .with("cashin_daily_max_cents", &self.cashin_daily_max_cents)
            .with("payout_daily_max_cents", &self.payout_daily_max_cents)
            .with("cashin_min_cents", &self.cashin_min_cents)
            .with("cashin_max_cents", &self.cashin_max_cents)
            .with("payout_min_cents", &self.payout_min_cents)
            .with("payout_max_cents", &self.payout_max_cents)
            .with("sem_retencao", &self.without_retention)
            .with("retencao_acima_cents", &self.retention_above)
            .with("retencao_horas", &self.retention_hours)
            .with("liberacao", &self.release)
            .with("carencia_horas", &self.waiting_hours)
            .with("carteira_usdt", &self.usdt_wallet)
    }
}

crate::drawn!(AccountTerms {
    custody_active: Option<bool>,
    payout_enabled: Option<bool>,
    deposit_fee_bps: Option<Bps>,
    deposit_fee_fixed: Option<Cents>,
    payout_fee_bps: Option<Bps>,
    partner_payout_fee_bps: Option<Bps>,
    payout_tariff_kind: Option<Text<16>>,
    payout_tariff: Option<Cents>,
    crypto_withdrawal_fee_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    conversion_fee_fixed: Option<Cents>,
    admin_fee_bps: Option<Bps>,
    admin_fee_fixed_cents: Option<Cents>,
    partner_fee_bps: Option<Bps>,
    liquid_provider_fee_cents: Option<Cents>,
    cashout_fee_bps: Option<Bps>,
    cashout_fee_fixed_cents: Option<Cents>,
    partner_cashout_fee_bps: Option<Bps>,
    depix_fee_bps: Option<Bps>,
    depix_fee_fixed_cents: Option<Cents>,
    cashout_reserve_cents: Option<Cents>,
    cashin_daily_max_cents: Option<Cents>,
    payout_daily_max_cents: Option<Cents>,
    cashin_min_cents: Option<Amount>,
    cashin_max_cents: Option<Amount>,
    payout_min_cents: Option<Amount>,
    payout_max_cents: Option<Amount>,
    without_retention: Option<bool>,
    retention_above: Option<Amount>,
    retention_hours: Option<u16>,
    release: Option<AccountTermsRelease>,
    waiting_hours: Option<u16>,
    usdt_wallet: Option<bool>,
});

impl Wire for AccountTerms {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// An API account was opened. [`key`](Self::key) brings its key; without it,
/// [`entropy`](Self::entropy) (64 hex digits) makes one, which the answer shows once, in
/// [`Reported::api_key`](crate::Reported::api_key). (`account.opened`)
#[derive(Clone, Debug, PartialEq)]
pub struct AccountOpened {
    id: FactId,
    account: AccountName,
    terms: Option<AccountTerms>,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
}

impl AccountOpened {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    #[must_use]
    pub fn new(id: FactId, account: AccountName) -> Self {
        Self { id, account, terms: None, key: None, entropy: None }
    }

    /// Sets `terms`: terms that differ from the published ones.
    #[must_use]
    pub fn terms(mut self, terms: AccountTerms) -> Self {
        self.terms = Some(terms);
        self
    }

    /// Sets `key`: the account's key.
    #[must_use]
    pub fn key(mut self, key: Text<1024>) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a key is made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("terms", &self.terms)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("key", &self.key).with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(AccountOpened {
    id: FactId,
    account: AccountName,
    terms: Option<AccountTerms>,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
});

impl Fact for AccountOpened {
    const NAME: &'static str = "account.opened";
}

impl Reported for AccountOpened {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// An operator gave an account another key, for one that was lost or revoked. [`key`](Self::key)
/// brings it; without it, [`entropy`](Self::entropy) (64 hex digits) makes one, which the answer
/// shows once, in [`Reported::api_key`](crate::Reported::api_key). (`key.replaced`)
#[derive(Clone, Debug, PartialEq)]
pub struct KeyReplaced {
    id: FactId,
    account: AccountName,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
    decided_by: DecidedBy,
}

impl KeyReplaced {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, account: AccountName, decided_by: DecidedBy) -> Self {
        Self { id, account, key: None, entropy: None, decided_by }
    }

    /// Sets `key`: the account's key.
    #[must_use]
    pub fn key(mut self, key: Text<1024>) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a key is made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .and(self.decided_by.body())
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("key", &self.key).with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(KeyReplaced {
    id: FactId,
    account: AccountName,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
    decided_by: DecidedBy,
});

impl Fact for KeyReplaced {
    const NAME: &'static str = "key.replaced";
}

impl Reported for KeyReplaced {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// An operator took an account's key: nothing opens the account until key.replaced.
/// (`key.revoked`)
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRevoked {
    id: FactId,
    account: AccountName,
    decided_by: DecidedBy,
}

impl KeyRevoked {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, account: AccountName, decided_by: DecidedBy) -> Self {
        Self { id, account, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .and(self.decided_by.body())
    }
}

crate::drawn!(KeyRevoked { id: FactId, account: AccountName, decided_by: DecidedBy });

impl Fact for KeyRevoked {
    const NAME: &'static str = "key.revoked";
}

impl Reported for KeyRevoked {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The ledger's policy changed; what is not named stays. (`policy.adopted`)
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyAdopted {
    id: FactId,
    largest_jump_hours: Option<u16>,
    min_net_cents: Option<Cents>,
    shortfall_watch_days: Option<u16>,
    house_covers_negatives: Option<bool>,
    payout_return_refunds_fee: Option<bool>,
    divergent_charge_is_refused: Option<bool>,
    cnpj_with_letters: Option<bool>,
    payer_ladder: Option<bool>,
    ladder_first_qr_cents: Option<Amount>,
    ladder_first_transaction_cents: Option<Amount>,
    ladder_first_24h_cents: Option<Amount>,
    ladder_mature_day_cents: Option<Amount>,
    ladder_held_max_cents: Option<Amount>,
    ladder_hold_hours: Option<u16>,
    rate_max_age_seconds: Option<u16>,
    precautionary_hours: Option<u16>,
    commission_interval_hours: Option<u16>,
    commission_interval_first: Option<bool>,
    cashin_paused: Option<bool>,
    conversions_paused: Option<bool>,
    cashout_min_cents: Option<Amount>,
    cashout_max_cents: Option<Amount>,
    depix_min_cents: Option<Amount>,
    depix_max_cents: Option<Amount>,
    recipient_daily_max_cents: Option<Amount>,
    auto_refund_max_usdt: Option<u16>,
    revival_hours: Option<u16>,
    retry_every_seconds: Option<u16>,
    retry_for_seconds: Option<u16>,
    cashouts_paused: Option<bool>,
    br_codes_paused: Option<bool>,
    unknown_pix_answered: Option<bool>,
    test_keys_per_ip: Option<u16>,
    panel_links_per_hour: Option<u16>,
    key_lookups_per_minute: Option<u16>,
    unproven_keys_refused: Option<bool>,
}

impl PolicyAdopted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self {
            id,
            largest_jump_hours: None,
            min_net_cents: None,
            shortfall_watch_days: None,
            house_covers_negatives: None,
            payout_return_refunds_fee: None,
            divergent_charge_is_refused: None,
            cnpj_with_letters: None,
            payer_ladder: None,
            ladder_first_qr_cents: None,
            ladder_first_transaction_cents: None,
            ladder_first_24h_cents: None,
            ladder_mature_day_cents: None,
            ladder_held_max_cents: None,
            ladder_hold_hours: None,
            rate_max_age_seconds: None,
            precautionary_hours: None,
            commission_interval_hours: None,
            commission_interval_first: None,
            cashin_paused: None,
            conversions_paused: None,
            cashout_min_cents: None,
            cashout_max_cents: None,
            depix_min_cents: None,
            depix_max_cents: None,
            recipient_daily_max_cents: None,
            auto_refund_max_usdt: None,
            revival_hours: None,
            retry_every_seconds: None,
            retry_for_seconds: None,
            cashouts_paused: None,
            br_codes_paused: None,
            unknown_pix_answered: None,
            test_keys_per_ip: None,
            panel_links_per_hour: None,
            key_lookups_per_minute: None,
            unproven_keys_refused: None,
        }
    }

    /// Sets `largest_jump_hours`: how far a request or fact may jump ahead; default 48.
    #[must_use]
    pub fn largest_jump_hours(mut self, largest_jump_hours: u16) -> Self {
        self.largest_jump_hours = Some(largest_jump_hours);
        self
    }

    /// Sets `min_net_cents`: the least a deposit leaves net; default 1.
    #[must_use]
    pub fn min_net_cents(mut self, min_net_cents: Cents) -> Self {
        self.min_net_cents = Some(min_net_cents);
        self
    }

    /// Sets `shortfall_watch_days`: how long a block watches for what is short; default 90.
    #[must_use]
    pub fn shortfall_watch_days(mut self, shortfall_watch_days: u16) -> Self {
        self.shortfall_watch_days = Some(shortfall_watch_days);
        self
    }

    /// Sets `house_covers_negatives`: default true (rulings 25).
    #[must_use]
    pub fn house_covers_negatives(mut self, house_covers_negatives: bool) -> Self {
        self.house_covers_negatives = Some(house_covers_negatives);
        self
    }

    /// Sets `payout_return_refunds_fee`: default false.
    #[must_use]
    pub fn payout_return_refunds_fee(mut self, payout_return_refunds_fee: bool) -> Self {
        self.payout_return_refunds_fee = Some(payout_return_refunds_fee);
        self
    }

    /// Sets `divergent_charge_is_refused`: default true.
    #[must_use]
    pub fn divergent_charge_is_refused(mut self, divergent_charge_is_refused: bool) -> Self {
        self.divergent_charge_is_refused = Some(divergent_charge_is_refused);
        self
    }

    /// Sets `cnpj_with_letters`: default true.
    #[must_use]
    pub fn cnpj_with_letters(mut self, cnpj_with_letters: bool) -> Self {
        self.cnpj_with_letters = Some(cnpj_with_letters);
        self
    }

    /// Sets `payer_ladder`: whether the payer ladder is in force; default true.
    #[must_use]
    pub fn payer_ladder(mut self, payer_ladder: bool) -> Self {
        self.payer_ladder = Some(payer_ladder);
        self
    }

    /// Sets `ladder_first_qr_cents`: the first QR of an unknown document; default 20,000.
    #[must_use]
    pub fn ladder_first_qr_cents(mut self, ladder_first_qr_cents: Amount) -> Self {
        self.ladder_first_qr_cents = Some(ladder_first_qr_cents);
        self
    }

    /// Sets `ladder_first_transaction_cents`: at once before a first payment; default 20,000.
    #[must_use]
    pub fn ladder_first_transaction_cents(
        mut self,
        ladder_first_transaction_cents: Amount,
    ) -> Self {
        self.ladder_first_transaction_cents = Some(ladder_first_transaction_cents);
        self
    }

    /// Sets `ladder_first_24h_cents`: at once within 24 h of it; default 20,000.
    #[must_use]
    pub fn ladder_first_24h_cents(mut self, ladder_first_24h_cents: Amount) -> Self {
        self.ladder_first_24h_cents = Some(ladder_first_24h_cents);
        self
    }

    /// Sets `ladder_mature_day_cents`: at once on any later day; default 20,000.
    #[must_use]
    pub fn ladder_mature_day_cents(mut self, ladder_mature_day_cents: Amount) -> Self {
        self.ladder_mature_day_cents = Some(ladder_mature_day_cents);
        self
    }

    /// Sets `ladder_held_max_cents`: in one window, held or not; default 600,000.
    #[must_use]
    pub fn ladder_held_max_cents(mut self, ladder_held_max_cents: Amount) -> Self {
        self.ladder_held_max_cents = Some(ladder_held_max_cents);
        self
    }

    /// Sets `ladder_hold_hours`: how long the provider holds; default 24.
    #[must_use]
    pub fn ladder_hold_hours(mut self, ladder_hold_hours: u16) -> Self {
        self.ladder_hold_hours = Some(ladder_hold_hours);
        self
    }

    /// Sets `rate_max_age_seconds`: how old a price may be to be quoted; default 900.
    #[must_use]
    pub fn rate_max_age_seconds(mut self, rate_max_age_seconds: u16) -> Self {
        self.rate_max_age_seconds = Some(rate_max_age_seconds);
        self
    }

    /// Sets `precautionary_hours`: how long a precautionary block lasts; default 72.
    #[must_use]
    pub fn precautionary_hours(mut self, precautionary_hours: u16) -> Self {
        self.precautionary_hours = Some(precautionary_hours);
        self
    }

    /// Sets `commission_interval_hours`: between two commission withdrawals; default 24.
    #[must_use]
    pub fn commission_interval_hours(mut self, commission_interval_hours: u16) -> Self {
        self.commission_interval_hours = Some(commission_interval_hours);
        self
    }

    /// Sets `commission_interval_first`: check it before the id; default false.
    #[must_use]
    pub fn commission_interval_first(mut self, commission_interval_first: bool) -> Self {
        self.commission_interval_first = Some(commission_interval_first);
        self
    }

    /// Sets `cashin_paused`: no new charges; default false.
    #[must_use]
    pub fn cashin_paused(mut self, cashin_paused: bool) -> Self {
        self.cashin_paused = Some(cashin_paused);
        self
    }

    /// Sets `conversions_paused`: no new withdrawals in crypto; default false.
    #[must_use]
    pub fn conversions_paused(mut self, conversions_paused: bool) -> Self {
        self.conversions_paused = Some(conversions_paused);
        self
    }

    /// Sets `cashout_min_cents`: the least a sale pays; default 600.
    #[must_use]
    pub fn cashout_min_cents(mut self, cashout_min_cents: Amount) -> Self {
        self.cashout_min_cents = Some(cashout_min_cents);
        self
    }

    /// Sets `cashout_max_cents`: the most; default 25,000,000.
    #[must_use]
    pub fn cashout_max_cents(mut self, cashout_max_cents: Amount) -> Self {
        self.cashout_max_cents = Some(cashout_max_cents);
        self
    }

    /// Sets `depix_min_cents`: the least a sale of `DePix` pays; default 102.
    #[must_use]
    pub fn depix_min_cents(mut self, depix_min_cents: Amount) -> Self {
        self.depix_min_cents = Some(depix_min_cents);
        self
    }

    /// Sets `depix_max_cents`: the most; default 600,000.
    #[must_use]
    pub fn depix_max_cents(mut self, depix_max_cents: Amount) -> Self {
        self.depix_max_cents = Some(depix_max_cents);
        self
    }

    /// Sets `recipient_daily_max_cents`: to one recipient a day; default 10,000,000.
    #[must_use]
    pub fn recipient_daily_max_cents(mut self, recipient_daily_max_cents: Amount) -> Self {
        self.recipient_daily_max_cents = Some(recipient_daily_max_cents);
        self
    }

    /// Sets `auto_refund_max_usdt`: the largest refund without an operator; default 5,000.
    #[must_use]
    pub fn auto_refund_max_usdt(mut self, auto_refund_max_usdt: u16) -> Self {
        self.auto_refund_max_usdt = Some(auto_refund_max_usdt);
        self
    }

    /// Sets `revival_hours`: how long an expired order takes a late deposit; default 168.
    #[must_use]
    pub fn revival_hours(mut self, revival_hours: u16) -> Self {
        self.revival_hours = Some(revival_hours);
        self
    }

    /// Sets `retry_every_seconds`: how often a failed send is tried again; default 300.
    #[must_use]
    pub fn retry_every_seconds(mut self, retry_every_seconds: u16) -> Self {
        self.retry_every_seconds = Some(retry_every_seconds);
        self
    }

    /// Sets `retry_for_seconds`: for how long; default 2,700.
    #[must_use]
    pub fn retry_for_seconds(mut self, retry_for_seconds: u16) -> Self {
        self.retry_for_seconds = Some(retry_for_seconds);
        self
    }

    /// Sets `cashouts_paused`: no new sales; default false.
    #[must_use]
    pub fn cashouts_paused(mut self, cashouts_paused: bool) -> Self {
        self.cashouts_paused = Some(cashouts_paused);
        self
    }

    /// Sets `br_codes_paused`: no new sales to a Copia e Cola; default false.
    #[must_use]
    pub fn br_codes_paused(mut self, br_codes_paused: bool) -> Self {
        self.br_codes_paused = Some(br_codes_paused);
        self
    }

    /// Sets `unknown_pix_answered`: an unknown PIX is 200, not 404; default false.
    #[must_use]
    pub fn unknown_pix_answered(mut self, unknown_pix_answered: bool) -> Self {
        self.unknown_pix_answered = Some(unknown_pix_answered);
        self
    }

    /// Sets `test_keys_per_ip`: test keys for one address a day; default 20.
    #[must_use]
    pub fn test_keys_per_ip(mut self, test_keys_per_ip: u16) -> Self {
        self.test_keys_per_ip = Some(test_keys_per_ip);
        self
    }

    /// Sets `panel_links_per_hour`: panel links by address and by e-mail; default 5.
    #[must_use]
    pub fn panel_links_per_hour(mut self, panel_links_per_hour: u16) -> Self {
        self.panel_links_per_hour = Some(panel_links_per_hour);
        self
    }

    /// Sets `key_lookups_per_minute`: PIX keys an account may look up; default 5.
    #[must_use]
    pub fn key_lookups_per_minute(mut self, key_lookups_per_minute: u16) -> Self {
        self.key_lookups_per_minute = Some(key_lookups_per_minute);
        self
    }

    /// Sets `unproven_keys_refused`: no payout to a key without a proven owner.
    #[must_use]
    pub fn unproven_keys_refused(mut self, unproven_keys_refused: bool) -> Self {
        self.unproven_keys_refused = Some(unproven_keys_refused);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("largest_jump_hours", &self.largest_jump_hours)
            .with("min_net_cents", &self.min_net_cents)
            .with("shortfall_watch_days", &self.shortfall_watch_days)
            .with("house_covers_negatives", &self.house_covers_negatives)
            .with("payout_return_refunds_fee", &self.payout_return_refunds_fee)
            .with("divergent_charge_is_refused", &self.divergent_charge_is_refused)
            .with("cnpj_with_letters", &self.cnpj_with_letters)
            .with("payer_ladder", &self.payer_ladder)
            .with("ladder_first_qr_cents", &self.ladder_first_qr_cents)
            .with("ladder_first_transaction_cents", &self.ladder_first_transaction_cents)
            .with("ladder_first_24h_cents", &self.ladder_first_24h_cents)
            .with("ladder_mature_day_cents", &self.ladder_mature_day_cents)
            .with("ladder_held_max_cents", &self.ladder_held_max_cents)
            .with("ladder_hold_hours", &self.ladder_hold_hours)
            .with("rate_max_age_seconds", &self.rate_max_age_seconds)
            .with("precautionary_hours", &self.precautionary_hours)
            .with("commission_interval_hours", &self.commission_interval_hours)
            .with("commission_interval_first", &self.commission_interval_first)
            .with("cashin_paused", &self.cashin_paused)
            .with("conversions_paused", &self.conversions_paused)
            .with("cashout_min_cents", &self.cashout_min_cents)
            .with("cashout_max_cents", &self.cashout_max_cents)
            .with("depix_min_cents", &self.depix_min_cents)
            .with("depix_max_cents", &self.depix_max_cents)
            .with("recipient_daily_max_cents", &self.recipient_daily_max_cents)
            .with("auto_refund_max_usdt", &self.auto_refund_max_usdt)
            .with("revival_hours", &self.revival_hours)
            .with("retry_every_seconds", &self.retry_every_seconds)
            .with("retry_for_seconds", &self.retry_for_seconds)
            .with("cashouts_paused", &self.cashouts_paused)
            .with("br_codes_paused", &self.br_codes_paused)
            .with("unknown_pix_answered", &self.unknown_pix_answered)
            .with("test_keys_per_ip", &self.test_keys_per_ip)
            .with("panel_links_per_hour", &self.panel_links_per_hour)
            .with("key_lookups_per_minute", &self.key_lookups_per_minute)
            .with("unproven_keys_refused", &self.unproven_keys_refused)
    }
}

crate::drawn!(PolicyAdopted {
    id: FactId,
    largest_jump_hours: Option<u16>,
    min_net_cents: Option<Cents>,
    shortfall_watch_days: Option<u16>,
    house_covers_negatives: Option<bool>,
    payout_return_refunds_fee: Option<bool>,
    divergent_charge_is_refused: Option<bool>,
    cnpj_with_letters: Option<bool>,
    payer_ladder: Option<bool>,
    ladder_first_qr_cents: Option<Amount>,
    ladder_first_transaction_cents: Option<Amount>,
    ladder_first_24h_cents: Option<Amount>,
    ladder_mature_day_cents: Option<Amount>,
    ladder_held_max_cents: Option<Amount>,
    ladder_hold_hours: Option<u16>,
    rate_max_age_seconds: Option<u16>,
    precautionary_hours: Option<u16>,
    commission_interval_hours: Option<u16>,
    commission_interval_first: Option<bool>,
    cashin_paused: Option<bool>,
    conversions_paused: Option<bool>,
    cashout_min_cents: Option<Amount>,
    cashout_max_cents: Option<Amount>,
    depix_min_cents: Option<Amount>,
    depix_max_cents: Option<Amount>,
    recipient_daily_max_cents: Option<Amount>,
    auto_refund_max_usdt: Option<u16>,
    revival_hours: Option<u16>,
    retry_every_seconds: Option<u16>,
    retry_for_seconds: Option<u16>,
    cashouts_paused: Option<bool>,
    br_codes_paused: Option<bool>,
    unknown_pix_answered: Option<bool>,
    test_keys_per_ip: Option<u16>,
    panel_links_per_hour: Option<u16>,
    key_lookups_per_minute: Option<u16>,
    unproven_keys_refused: Option<bool>,
});

impl Fact for PolicyAdopted {
    const NAME: &'static str = "policy.adopted";
}

impl Reported for PolicyAdopted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `liberacao` may say: imediata or `proximo_dia`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TermsAdoptedRelease {
    /// On the wire `imediata`.
    Immediate,
    /// On the wire `proximo_dia`.
    NextDay,
}

crate::drawn!(one TermsAdoptedRelease { Immediate, NextDay });

impl Wire for TermsAdoptedRelease {
    fn wire(&self) -> Value {
        match self {
            Self::Immediate => "imediata",
            Self::NextDay => "proximo_dia",
        }
        .into()
    }
}

/// An account's terms change from an instant on; what is not named stays. (`terms.adopted`)
#[derive(Clone, Debug, PartialEq)]
pub struct TermsAdopted {
    id: FactId,
    account: AccountName,
    effective_from: Option<Instant>,
    custody_active: Option<bool>,
    payout_enabled: Option<bool>,
    deposit_fee_bps: Option<Bps>,
    deposit_fee_fixed: Option<Cents>,
    payout_fee_bps: Option<Bps>,
    partner_payout_fee_bps: Option<Bps>,
    payout_tariff_kind: Option<Text<16>>,
    payout_tariff: Option<Cents>,
    crypto_withdrawal_fee_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    conversion_fee_fixed: Option<Cents>,
    admin_fee_bps: Option<Bps>,
    admin_fee_fixed_cents: Option<Cents>,
    partner_fee_bps: Option<Bps>,
    liquid_provider_fee_cents: Option<Cents>,
    cashout_fee_bps: Option<Bps>,
    cashout_fee_fixed_cents: Option<Cents>,
    partner_cashout_fee_bps: Option<Bps>,
    depix_fee_bps: Option<Bps>,
    depix_fee_fixed_cents: Option<Cents>,
    cashout_reserve_cents: Option<Cents>,
    cashin_daily_max_cents: Option<Cents>,
    payout_daily_max_cents: Option<Cents>,
    cashin_min_cents: Option<Amount>,
    cashin_max_cents: Option<Amount>,
    payout_min_cents: Option<Amount>,
    payout_max_cents: Option<Amount>,
    without_retention: Option<bool>,
    retention_above: Option<Amount>,
    retention_hours: Option<u16>,
    release: Option<TermsAdoptedRelease>,
    waiting_hours: Option<u16>,
    usdt_wallet: Option<bool>,
}

impl TermsAdopted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    #[must_use]
    pub fn new(id: FactId, account: AccountName) -> Self {
        Self {
            id,
            account,
            effective_from: None,
            custody_active: None,
            payout_enabled: None,
            deposit_fee_bps: None,
            deposit_fee_fixed: None,
            payout_fee_bps: None,
            partner_payout_fee_bps: None,
            payout_tariff_kind: None,
            payout_tariff: None,
            crypto_withdrawal_fee_bps: None,
            conversion_fee_bps: None,
            conversion_fee_fixed: None,
            admin_fee_bps: None,
            admin_fee_fixed_cents: None,
            partner_fee_bps: None,
            liquid_provider_fee_cents: None,
            cashout_fee_bps: None,
            cashout_fee_fixed_cents: None,
            partner_cashout_fee_bps: None,
            depix_fee_bps: None,
            depix_fee_fixed_cents: None,
            cashout_reserve_cents: None,
            cashin_daily_max_cents: None,
            payout_daily_max_cents: None,
            cashin_min_cents: None,
            cashin_max_cents: None,
            payout_min_cents: None,
            payout_max_cents: None,
            without_retention: None,
            retention_above: None,
            retention_hours: None,
            release: None,
            waiting_hours: None,
            usdt_wallet: None,
        }
    }

    /// Sets `effective_from`: the first instant they are in force; absent: at once.
    #[must_use]
    pub fn effective_from(mut self, effective_from: Instant) -> Self {
        self.effective_from = Some(effective_from);
        self
    }

    /// Sets `custodia_ativa`: whether it has balances of its own.
    #[must_use]
    pub fn custody_active(mut self, custody_active: bool) -> Self {
        self.custody_active = Some(custody_active);
        self
    }

    /// Sets `payout_enabled`: whether it may pay out.
    #[must_use]
    pub fn payout_enabled(mut self, payout_enabled: bool) -> Self {
        self.payout_enabled = Some(payout_enabled);
        self
    }

    /// Sets `deposito_fee_bps`: the percentage of a deposit.
    #[must_use]
    pub fn deposit_fee_bps(mut self, deposit_fee_bps: Bps) -> Self {
        self.deposit_fee_bps = Some(deposit_fee_bps);
        self
    }

    /// Sets `deposito_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn deposit_fee_fixed(mut self, deposit_fee_fixed: Cents) -> Self {
        self.deposit_fee_fixed = Some(deposit_fee_fixed);
        self
    }

    /// Sets `saque_fee_bps`: the house's part of a payout's fee.
    #[must_use]
    pub fn payout_fee_bps(mut self, payout_fee_bps: Bps) -> Self {
        self.payout_fee_bps = Some(payout_fee_bps);
        self
    }

    /// Sets `partner_saque_fee_bps`: the partner's part, on top.
    #[must_use]
    pub fn partner_payout_fee_bps(mut self, partner_payout_fee_bps: Bps) -> Self {
        self.partner_payout_fee_bps = Some(partner_payout_fee_bps);
        self
    }

    /// Sets `saque_taxa_provedor_tipo`: fixo, or desconhecido: then new payouts are refused.
    #[must_use]
    pub fn payout_tariff_kind(mut self, payout_tariff_kind: Text<16>) -> Self {
        self.payout_tariff_kind = Some(payout_tariff_kind);
        self
    }

    /// Sets `saque_taxa_estimada_cents`: the provider's fixed tariff.
    #[must_use]
    pub fn payout_tariff(mut self, payout_tariff: Cents) -> Self {
        self.payout_tariff = Some(payout_tariff);
        self
    }

    /// Sets `saque_cripto_fee_bps`: of a conversion, beside the conversion's own.
    #[must_use]
    pub fn crypto_withdrawal_fee_bps(mut self, crypto_withdrawal_fee_bps: Bps) -> Self {
        self.crypto_withdrawal_fee_bps = Some(crypto_withdrawal_fee_bps);
        self
    }

    /// Sets `saque_cripto_conversao_fee_bps`: the house's percentage of a conversion.
    #[must_use]
    pub fn conversion_fee_bps(mut self, conversion_fee_bps: Bps) -> Self {
        self.conversion_fee_bps = Some(conversion_fee_bps);
        self
    }

    /// Sets `saque_cripto_conversao_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn conversion_fee_fixed(mut self, conversion_fee_fixed: Cents) -> Self {
        self.conversion_fee_fixed = Some(conversion_fee_fixed);
        self
    }

    /// Sets `admin_fee_bps`: the house's percentage of a purchase.
    #[must_use]
    pub fn admin_fee_bps(mut self, admin_fee_bps: Bps) -> Self {
        self.admin_fee_bps = Some(admin_fee_bps);
        self
    }

    /// Sets `admin_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn admin_fee_fixed_cents(mut self, admin_fee_fixed_cents: Cents) -> Self {
        self.admin_fee_fixed_cents = Some(admin_fee_fixed_cents);
        self
    }

    /// Sets `partner_fee_bps`: the partner's percentage of a purchase, on top.
    #[must_use]
    pub fn partner_fee_bps(mut self, partner_fee_bps: Bps) -> Self {
        self.partner_fee_bps = Some(partner_fee_bps);
        self
    }

    /// Sets `liquid_provider_fee_cents`: what the provider takes of a purchase on Liquid.
    #[must_use]
    pub fn liquid_provider_fee_cents(mut self, liquid_provider_fee_cents: Cents) -> Self {
        self.liquid_provider_fee_cents = Some(liquid_provider_fee_cents);
        self
    }

    /// Sets `cashout_fee_bps`: the house's percentage of a sale; absent: no sales.
    #[must_use]
    pub fn cashout_fee_bps(mut self, cashout_fee_bps: Bps) -> Self {
        self.cashout_fee_bps = Some(cashout_fee_bps);
        self
    }

    /// Sets `cashout_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn cashout_fee_fixed_cents(mut self, cashout_fee_fixed_cents: Cents) -> Self {
        self.cashout_fee_fixed_cents = Some(cashout_fee_fixed_cents);
        self
    }

    /// Sets `partner_cashout_fee_bps`: the partner's percentage of a sale, on top.
    #[must_use]
    pub fn partner_cashout_fee_bps(mut self, partner_cashout_fee_bps: Bps) -> Self {
        self.partner_cashout_fee_bps = Some(partner_cashout_fee_bps);
        self
    }

    /// Sets `depix_fee_bps`: the house's percentage of a sale of `DePix`.
    #[must_use]
    pub fn depix_fee_bps(mut self, depix_fee_bps: Bps) -> Self {
        self.depix_fee_bps = Some(depix_fee_bps);
        self
    }

    /// Sets `depix_fee_fixed_cents`: and its fixed part.
    #[must_use]
    pub fn depix_fee_fixed_cents(mut self, depix_fee_fixed_cents: Cents) -> Self {
        self.depix_fee_fixed_cents = Some(depix_fee_fixed_cents);
        self
    }

    /// Sets `cashout_reserve_cents`: the operational reserve of a sale; default 100.
    #[must_use]
    pub fn cashout_reserve_cents(mut self, cashout_reserve_cents: Cents) -> Self {
        self.cashout_reserve_cents = Some(cashout_reserve_cents);
        self
    }

    /// Sets `cashin_daily_max_cents`: a ceiling for charges a day; 0: none.
    #[must_use]
    pub fn cashin_daily_max_cents(mut self, cashin_daily_max_cents: Cents) -> Self {
        self.cashin_daily_max_cents = Some(cashin_daily_max_cents);
        self
    }

    /// Sets `payout_daily_max_cents`: a ceiling for payouts a day; 0: none.
    #[must_use]
    pub fn payout_daily_max_cents(mut self, payout_daily_max_cents: Cents) -> Self {
        self.payout_daily_max_cents = Some(payout_daily_max_cents);
        self
    }

    /// Sets `cashin_min_cents`: the smallest charge.
    #[must_use]
    pub fn cashin_min_cents(mut self, cashin_min_cents: Amount) -> Self {
        self.cashin_min_cents = Some(cashin_min_cents);
        self
    }

    /// Sets `cashin_max_cents`: the largest charge.
    #[must_use]
    pub fn cashin_max_cents(mut self, cashin_max_cents: Amount) -> Self {
        self.cashin_max_cents = Some(cashin_max_cents);
        self
    }

    /// Sets `payout_min_cents`: the smallest payout.
    #[must_use]
    pub fn payout_min_cents(mut self, payout_min_cents: Amount) -> Self {
        self.payout_min_cents = Some(payout_min_cents);
        self
    }

    /// Sets `payout_max_cents`: the largest payout.
    #[must_use]
    pub fn payout_max_cents(mut self, payout_max_cents: Amount) -> Self {
        self.payout_max_cents = Some(payout_max_cents);
        self
    }

    /// Sets `sem_retencao`: true: these terms hold no deposit at the provider; the payer's
    /// ladder ([`ChargeLimits`](crate::request::charge::ChargeLimits)) may.
    #[must_use]
    pub fn without_retention(mut self, without_retention: bool) -> Self {
        self.without_retention = Some(without_retention);
        self
    }

    /// Sets `retencao_acima_cents`: deposits above this are held at the provider.
    #[must_use]
    pub fn retention_above(mut self, retention_above: Amount) -> Self {
        self.retention_above = Some(retention_above);
        self
    }

    /// Sets `retencao_horas`: for so many hours.
    #[must_use]
    pub fn retention_hours(mut self, retention_hours: u16) -> Self {
        self.retention_hours = Some(retention_hours);
        self
    }

    /// Sets `liberacao`: imediata or `proximo_dia`: when other deposits become available.
    #[must_use]
    pub fn release(mut self, release: TermsAdoptedRelease) -> Self {
        self.release = Some(release);
        self
    }

    /// Sets `carencia_horas`: how long a first deposit blocks withdrawals.
    #[must_use]
    pub fn waiting_hours(mut self, waiting_hours: u16) -> Self {
        self.waiting_hours = Some(waiting_hours);
        self
    }

    /// Sets `carteira_usdt`: whether the USDT wallet is granted.
    #[must_use]
    pub fn usdt_wallet(mut self, usdt_wallet: bool) -> Self {
        self.usdt_wallet = Some(usdt_wallet);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("effective_from", &self.effective_from)
            .with("custodia_ativa", &self.custody_active)
            .with("payout_enabled", &self.payout_enabled)
            .with("deposito_fee_bps", &self.deposit_fee_bps)
            .with("deposito_fee_fixed_cents", &self.deposit_fee_fixed)
            .with("saque_fee_bps", &self.payout_fee_bps)
            .with("partner_saque_fee_bps", &self.partner_payout_fee_bps)
            .with("saque_taxa_provedor_tipo", &self.payout_tariff_kind)
            .with("saque_taxa_estimada_cents", &self.payout_tariff)
            .with("saque_cripto_fee_bps", &self.crypto_withdrawal_fee_bps)
            .with("saque_cripto_conversao_fee_bps", &self.conversion_fee_bps)
            .with("saque_cripto_conversao_fee_fixed_cents", &self.conversion_fee_fixed)
            .with("admin_fee_bps", &self.admin_fee_bps)
            .with("admin_fee_fixed_cents", &self.admin_fee_fixed_cents)
            .with("partner_fee_bps", &self.partner_fee_bps)
            .with("liquid_provider_fee_cents", &self.liquid_provider_fee_cents)
            .with("cashout_fee_bps", &self.cashout_fee_bps)
            .with("cashout_fee_fixed_cents", &self.cashout_fee_fixed_cents)
            .with("partner_cashout_fee_bps", &self.partner_cashout_fee_bps)
            .with("depix_fee_bps", &self.depix_fee_bps)
            .with("depix_fee_fixed_cents", &self.depix_fee_fixed_cents)
            .with("cashout_reserve_cents", &self.cashout_reserve_cents)
            .with("cashin_daily_max_cents", &self.cashin_daily_max_cents)
            .with("payout_daily_max_cents", &self.payout_daily_max_cents)
            .with("cashin_min_cents", &self.cashin_min_cents)
            .with("cashin_max_cents", &self.cashin_max_cents)
            .with("payout_min_cents", &self.payout_min_cents)
            .with("payout_max_cents", &self.payout_max_cents)
            .with("sem_retencao", &self.without_retention)
            .with("retencao_acima_cents", &self.retention_above)
            .with("retencao_horas", &self.retention_hours)
            .with("liberacao", &self.release)
            .with("carencia_horas", &self.waiting_hours)
            .with("carteira_usdt", &self.usdt_wallet)
    }
}

crate::drawn!(TermsAdopted {
    id: FactId,
    account: AccountName,
    effective_from: Option<Instant>,
    custody_active: Option<bool>,
    payout_enabled: Option<bool>,
    deposit_fee_bps: Option<Bps>,
    deposit_fee_fixed: Option<Cents>,
    payout_fee_bps: Option<Bps>,
    partner_payout_fee_bps: Option<Bps>,
    payout_tariff_kind: Option<Text<16>>,
    payout_tariff: Option<Cents>,
    crypto_withdrawal_fee_bps: Option<Bps>,
    conversion_fee_bps: Option<Bps>,
    conversion_fee_fixed: Option<Cents>,
    admin_fee_bps: Option<Bps>,
    admin_fee_fixed_cents: Option<Cents>,
    partner_fee_bps: Option<Bps>,
    liquid_provider_fee_cents: Option<Cents>,
    cashout_fee_bps: Option<Bps>,
    cashout_fee_fixed_cents: Option<Cents>,
    partner_cashout_fee_bps: Option<Bps>,
    depix_fee_bps: Option<Bps>,
    depix_fee_fixed_cents: Option<Cents>,
    cashout_reserve_cents: Option<Cents>,
    cashin_daily_max_cents: Option<Cents>,
    payout_daily_max_cents: Option<Cents>,
    cashin_min_cents: Option<Amount>,
    cashin_max_cents: Option<Amount>,
    payout_min_cents: Option<Amount>,
    payout_max_cents: Option<Amount>,
    without_retention: Option<bool>,
    retention_above: Option<Amount>,
    retention_hours: Option<u16>,
    release: Option<TermsAdoptedRelease>,
    waiting_hours: Option<u16>,
    usdt_wallet: Option<bool>,
});

impl Fact for TermsAdopted {
    const NAME: &'static str = "terms.adopted";
}

impl Reported for TermsAdopted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An account that moves between two ledgers takes a step: while it is leaving or arriving, it
/// begins nothing new. (`account.moved`)
#[derive(Clone, Debug, PartialEq)]
pub struct AccountMoved {
    id: FactId,
    account: AccountName,
    ledger: Text<80>,
    step: Text<16>,
}

impl AccountMoved {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `ledger`: the other ledger's name.
    /// - `step`: leaving, staying (before any balance was carried), departed (once nothing is
    ///   open or owed) or arrived.
    #[must_use]
    pub fn new(id: FactId, account: AccountName, ledger: Text<80>, step: Text<16>) -> Self {
        Self { id, account, ledger, step }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("ledger", &self.ledger)
            .with("step", &self.step)
    }
}

crate::drawn!(AccountMoved {
    id: FactId,
    account: AccountName,
    ledger: Text<80>,
    step: Text<16>,
});

impl Fact for AccountMoved {
    const NAME: &'static str = "account.moved";
}

impl Reported for AccountMoved {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `sort` may say: `tax_number`, name, pix, text, email or credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccountArrivingPersonSort {
    /// On the wire `tax_number`.
    TaxNumber,
    /// On the wire `name`.
    Name,
    /// On the wire `pix`.
    Pix,
    /// On the wire `text`.
    Text,
    /// On the wire `email`.
    Email,
    /// On the wire `credential`.
    Credential,
}

crate::drawn!(one AccountArrivingPersonSort { TaxNumber, Name, Pix, Text, Email, Credential });

impl Wire for AccountArrivingPersonSort {
    fn wire(&self) -> Value {
        match self {
            Self::TaxNumber => "tax_number",
            Self::Name => "name",
            Self::Pix => "pix",
            Self::Text => "text",
            Self::Email => "email",
            Self::Credential => "credential",
        }
        .into()
    }
}

/// Of `AccountArriving`: the personal values that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct AccountArrivingPerson {
    sort: AccountArrivingPersonSort,
    value: Text<4096>,
}

impl AccountArrivingPerson {
    /// What must be said:
    ///
    /// - `sort`: `tax_number`, name, pix, text, email or credential.
    /// - `value`: the value, which goes to the vault.
    #[must_use]
    pub fn new(sort: AccountArrivingPersonSort, value: Text<4096>) -> Self {
        Self { sort, value }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("sort", &self.sort).with("value", &self.value)
    }
}

crate::drawn!(AccountArrivingPerson {
    sort: AccountArrivingPersonSort,
    value: Text<4096>,
});

impl Wire for AccountArrivingPerson {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// An account is on its way here: its key, terms and settings, as the ledger that it leaves gave
/// them. Both ledgers have one vault key. (`account.arriving`)
#[derive(Clone, Debug, PartialEq)]
pub struct AccountArriving {
    id: FactId,
    account: AccountName,
    ledger: Text<80>,
    carried: Text<262_144>,
    vault_check: Text<16>,
    persons: Option<Vec<AccountArrivingPerson>>,
}

impl AccountArriving {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `ledger`: the other ledger's name.
    /// - `carried`: what a ledger gave, in hexadecimal digits.
    /// - `vault_check`: what shows that both have one vault key.
    #[must_use]
    pub fn new(
        id: FactId,
        account: AccountName,
        ledger: Text<80>,
        carried: Text<262_144>,
        vault_check: Text<16>,
    ) -> Self {
        Self { id, account, ledger, carried, vault_check, persons: None }
    }

    /// Sets `persons`: the personal values that it names.
    #[must_use]
    pub fn persons(mut self, persons: Vec<AccountArrivingPerson>) -> Self {
        self.persons = Some(persons);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("ledger", &self.ledger)
            .with("carried", &self.carried)
            .with("vault_check", &self.vault_check)
            .with("persons", &self.persons)
    }
}

crate::drawn!(AccountArriving {
    id: FactId,
    account: AccountName,
    ledger: Text<80>,
    carried: Text<262_144>,
    vault_check: Text<16>,
    persons: Option<Vec<AccountArrivingPerson>>,
});

impl Fact for AccountArriving {
    const NAME: &'static str = "account.arriving";
}

impl Reported for AccountArriving {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An instruction is handed to whoever carries it out: from here on it may have been carried out.
/// One that does not stand any more is set aside. (`instruction.handed_out`)
#[derive(Clone, Debug, PartialEq)]
pub struct InstructionHandedOut {
    operation: OperationId,
    idempotency_key: Text<128>,
}

impl InstructionHandedOut {
    /// What must be said:
    ///
    /// - `operation`: the operation that it is for.
    /// - `idempotency_key`: the instruction's, which begins with that.
    #[must_use]
    pub fn new(operation: OperationId, idempotency_key: Text<128>) -> Self {
        Self { operation, idempotency_key }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("operation", &self.operation)
            .with("idempotency_key", &self.idempotency_key)
    }
}

crate::drawn!(InstructionHandedOut {
    operation: OperationId,
    idempotency_key: Text<128>,
});

impl Fact for InstructionHandedOut {
    const NAME: &'static str = "instruction.handed_out";
}

impl Reported for InstructionHandedOut {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nothing but time: the only line that may jump more than the policy's bound. (`time.passed`)
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TimePassed {}

impl TimePassed {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(TimePassed {});

impl Fact for TimePassed {
    const NAME: &'static str = "time.passed";
}

impl Reported for TimePassed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: Value::Null, supplied: Value::Null }
    }
}
