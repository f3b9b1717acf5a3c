//! Facts of accounts, their keys and terms, and the policy.
//!
//! By default a first deposit blocks withdrawals for 24 hours, and a deposit is available from
//! midnight in Brasília, or a day later above R$ 60.00. A document that has paid nothing yet pays
//! R$ 200.00 at most, over all accounts. A product whose customers spend at once lifts all of it:
//!
//! ```
//! use custody_ledger::fact::account::{AccountOpened, AccountTerms, PolicyAdopted};
//! # use custody_ledger::fact::charge::PixReceived;
//! use custody_ledger::prelude::*;
//! # use custody_ledger::request::balance::GetBalance;
//! # use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination::Balance};
//!
//! let ledger = Ledger::open("memory:").wait()?;
//! let policy = PolicyAdopted::plain(FactId::new("pol-1")?);
//! ledger.report(&policy).wait()?.ensure_applied()?;
//! let terms = AccountTerms::immediate();
//! let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?).terms(terms);
//! ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//! # let loja = ledger.client(ApiKey::new("svc_live_loja")?);
//! # let (sum, payer) = (Amount::new(30_000)?, Document::new("52998224725")?);
//! # let charge = CreateCharge::new(sum, payer, Party::House, ExternalId::new("p-1")?);
//! # let charge = charge.destination(Balance).qr_copypaste("a code".try_into()?);
//! # let charge = loja.ask(&charge).wait()?.answer;
//! # let paid = PixReceived::new(EndToEndId::new("E9040088820261120120300123873170")?, sum);
//! # ledger.report(&paid.charge(charge.id)).wait()?.ensure_applied()?;
//! # let balance = loja.ask(&GetBalance::new(Party::House)).wait()?.answer;
//! # assert_eq!(balance.available.cents(), 30_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{
    AccountName, Amount, Bps, Cents, DecidedBy, FactId, Instant, OperationId, Text,
};

list! { AnyFact:
    AccountOpened, KeyReplaced, KeyRevoked, PolicyAdopted, TermsAdopted, AccountMoved,
    AccountArriving, InstructionHandedOut, TimePassed,
}

words! {
    /// Values of `saque_taxa_provedor_tipo`: fixo or desconhecido.
    AccountTermsPayoutTariffKind { Fixed = "fixo", Unknown = "desconhecido" }
}

words! {
    /// Values of `liberacao`: imediata or `proximo_dia`.
    AccountTermsRelease { Immediate = "imediata", NextDay = "proximo_dia" }
}

part! {
    /// Of `AccountOpened`: terms that differ from the published ones.
    AccountTerms {
        custody_active?: bool as "custodia_ativa", "whether it has balances of its own";
        payout_enabled?: bool, "whether it may pay out";
        deposit_fee_bps?: Bps as "deposito_fee_bps", "the percentage of a deposit";
        deposit_fee_fixed?: Cents as "deposito_fee_fixed_cents", "and its fixed part";
        payout_fee_bps?: Bps as "saque_fee_bps", "the house's part of a payout's fee";
        partner_payout_fee_bps?: Bps as "partner_saque_fee_bps", "the partner's part, on top";
        payout_tariff_kind?: AccountTermsPayoutTariffKind as "saque_taxa_provedor_tipo",
            "fixo or desconhecido; of the latter new payouts are refused";
        payout_tariff?: Cents as "saque_taxa_estimada_cents", "the provider's fixed tariff";
        crypto_withdrawal_fee_bps?: Bps as "saque_cripto_fee_bps",
            "of a conversion, beside the conversion's own";
        conversion_fee_bps?: Bps as "saque_cripto_conversao_fee_bps",
            "the house's percentage of a conversion";
        conversion_fee_fixed?: Cents as "saque_cripto_conversao_fee_fixed_cents",
            "and its fixed part";
        admin_fee_bps?: Bps, "the house's percentage of a purchase";
        admin_fee_fixed_cents?: Cents, "and its fixed part";
        partner_fee_bps?: Bps, "the partner's percentage of a purchase, on top";
        liquid_provider_fee_cents?: Cents, "what the provider takes of a purchase on Liquid";
        cashout_fee_bps?: Bps, "the house's percentage of a sale; absent: no sales";
        cashout_fee_fixed_cents?: Cents, "and its fixed part";
        partner_cashout_fee_bps?: Bps, "the partner's percentage of a sale, on top";
        depix_fee_bps?: Bps, "the house's percentage of a sale of `DePix`";
        depix_fee_fixed_cents?: Cents, "and its fixed part";
        cashout_reserve_cents?: Cents, "the operational reserve of a sale; default 100";
        cashin_daily_max_cents?: Cents, "a ceiling for charges a day; 0: none";
        payout_daily_max_cents?: Cents, "a ceiling for payouts a day; 0: none";
        cashin_min_cents?: Amount, "the smallest charge";
        cashin_max_cents?: Amount, "the largest charge";
        payout_min_cents?: Amount, "the smallest payout";
        payout_max_cents?: Amount, "the largest payout";
        without_retention?: bool as "sem_retencao",
            "true: these terms hold no deposit at the provider; the payer's ladder \
             ([`ChargeLimits`](crate::request::charge::ChargeLimits)) may";
        retention_above?: Amount as "retencao_acima_cents",
            "deposits above this are held at the provider";
        retention_hours?: u16 as "retencao_horas", "for so many hours";
        release?: AccountTermsRelease as "liberacao",
            "imediata or `proximo_dia`: when other deposits become available";
        waiting_hours?: u16 as "carencia_horas", "how long a first deposit blocks withdrawals";
        usdt_wallet?: bool as "carteira_usdt", "whether the USDT wallet is granted";
    }
}

impl AccountTerms {
    /// Terms under which a deposit is available at once and costs nothing, as a product wants that
    /// has no waiting periods; fees of everything else are the published ones.
    #[must_use]
    pub fn immediate() -> Self {
        Self::new()
            .release(AccountTermsRelease::Immediate)
            .waiting_hours(0)
            .without_retention(true)
            .deposit_fee_fixed(Cents::ZERO)
    }
}

fact! {
    /// An API account was opened. [`key`](Self::key) brings its key; without it,
    /// [`entropy`](Self::entropy) (64 hex digits) makes one, which the answer shows once, in
    /// [`Reported::api_key`](crate::Reported::api_key).
    AccountOpened: "account.opened" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        terms?: AccountTerms, "terms that differ from the published ones";
    } supplied {
        key?: Text<1024>, "the account's key";
        entropy?: Text<1024>, "64 hexadecimal digits, fresh each time, of which a key is made";
    }
}

fact! {
    /// An operator gave an account another key, for one that was lost or revoked.
    /// [`key`](Self::key) brings it; without it, [`entropy`](Self::entropy) (64 hex digits) makes
    /// one, which the answer shows once, in [`Reported::api_key`](crate::Reported::api_key).
    KeyReplaced: "key.replaced" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        decided_by: DecidedBy, "who decided, and why";
    } supplied {
        key?: Text<1024>, "the account's key";
        entropy?: Text<1024>, "64 hexadecimal digits, fresh each time, of which a key is made";
    }
}

fact! {
    /// An operator took an account's key: nothing opens the account until key.replaced.
    KeyRevoked: "key.revoked" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// The ledger's policy changed; what is not named stays.
    PolicyAdopted: "policy.adopted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        largest_jump_hours?: u16, "how far a request or fact may jump ahead; default 48";
        min_net_cents?: Cents, "the least a deposit leaves net; default 1";
        shortfall_watch_days?: u16, "how long a block watches for what is short; default 90";
        house_covers_negatives?: bool, "default true (rulings 25)";
        payout_return_refunds_fee?: bool, "default false";
        divergent_charge_is_refused?: bool, "default true";
        cnpj_with_letters?: bool, "default true";
        payer_ladder?: bool, "whether the payer ladder is in force; default true";
        ladder_first_qr_cents?: Amount, "the first QR of an unknown document; default 20,000";
        ladder_first_transaction_cents?: Amount, "at once before a first payment; default 20,000";
        ladder_first_24h_cents?: Amount, "at once within 24 h of it; default 20,000";
        ladder_mature_day_cents?: Amount, "at once on any later day; default 20,000";
        ladder_held_max_cents?: Amount, "in one window, held or not; default 600,000";
        ladder_hold_hours?: u16, "how long the provider holds; default 24";
        rate_max_age_seconds?: u16, "how old a price may be to be quoted; default 900";
        precautionary_hours?: u16, "how long a precautionary block lasts; default 72";
        commission_interval_hours?: u16, "between two commission withdrawals; default 24";
        commission_interval_first?: bool, "check it before the id; default false";
        cashin_paused?: bool, "no new charges; default false";
        conversions_paused?: bool, "no new withdrawals in crypto; default false";
        cashout_min_cents?: Amount, "the least a sale pays; default 600";
        cashout_max_cents?: Amount, "the most; default 25,000,000";
        depix_min_cents?: Amount, "the least a sale of `DePix` pays; default 102";
        depix_max_cents?: Amount, "the most; default 600,000";
        recipient_daily_max_cents?: Amount, "to one recipient a day; default 10,000,000";
        auto_refund_max_usdt?: u16, "the largest refund without an operator; default 5,000";
        revival_hours?: u16, "how long an expired order takes a late deposit; default 168";
        retry_every_seconds?: u16, "how often a failed send is tried again; default 300";
        retry_for_seconds?: u16, "for how long; default 2,700";
        cashouts_paused?: bool, "no new sales; default false";
        br_codes_paused?: bool, "no new sales to a Copia e Cola; default false";
        unknown_pix_answered?: bool, "an unknown PIX is 200, not 404; default false";
        test_keys_per_ip?: u16, "test keys for one address a day; default 20";
        panel_links_per_hour?: u16, "panel links by address and by e-mail; default 5";
        key_lookups_per_minute?: u16, "PIX keys an account may look up; default 5";
        unproven_keys_refused?: bool, "no payout to a key without a proven owner";
    }
}

impl PolicyAdopted {
    /// A policy without the ladder that bounds what documents pay at first; everything else stays.
    #[must_use]
    pub fn plain(id: FactId) -> Self {
        Self::new(id).payer_ladder(false)
    }
}

words! {
    /// Values of `saque_taxa_provedor_tipo`: fixo or desconhecido.
    TermsAdoptedPayoutTariffKind { Fixed = "fixo", Unknown = "desconhecido" }
}

words! {
    /// Values of `liberacao`: imediata or `proximo_dia`.
    TermsAdoptedRelease { Immediate = "imediata", NextDay = "proximo_dia" }
}

fact! {
    /// An account's terms change from an instant on; what is not named stays.
    TermsAdopted: "terms.adopted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        effective_from?: Instant, "the first instant they are in force; absent: at once";
        custody_active?: bool as "custodia_ativa", "whether it has balances of its own";
        payout_enabled?: bool, "whether it may pay out";
        deposit_fee_bps?: Bps as "deposito_fee_bps", "the percentage of a deposit";
        deposit_fee_fixed?: Cents as "deposito_fee_fixed_cents", "and its fixed part";
        payout_fee_bps?: Bps as "saque_fee_bps", "the house's part of a payout's fee";
        partner_payout_fee_bps?: Bps as "partner_saque_fee_bps", "the partner's part, on top";
        payout_tariff_kind?: TermsAdoptedPayoutTariffKind as "saque_taxa_provedor_tipo",
            "fixo or desconhecido; of the latter new payouts are refused";
        payout_tariff?: Cents as "saque_taxa_estimada_cents", "the provider's fixed tariff";
        crypto_withdrawal_fee_bps?: Bps as "saque_cripto_fee_bps",
            "of a conversion, beside the conversion's own";
        conversion_fee_bps?: Bps as "saque_cripto_conversao_fee_bps",
            "the house's percentage of a conversion";
        conversion_fee_fixed?: Cents as "saque_cripto_conversao_fee_fixed_cents",
            "and its fixed part";
        admin_fee_bps?: Bps, "the house's percentage of a purchase";
        admin_fee_fixed_cents?: Cents, "and its fixed part";
        partner_fee_bps?: Bps, "the partner's percentage of a purchase, on top";
        liquid_provider_fee_cents?: Cents, "what the provider takes of a purchase on Liquid";
        cashout_fee_bps?: Bps, "the house's percentage of a sale; absent: no sales";
        cashout_fee_fixed_cents?: Cents, "and its fixed part";
        partner_cashout_fee_bps?: Bps, "the partner's percentage of a sale, on top";
        depix_fee_bps?: Bps, "the house's percentage of a sale of `DePix`";
        depix_fee_fixed_cents?: Cents, "and its fixed part";
        cashout_reserve_cents?: Cents, "the operational reserve of a sale; default 100";
        cashin_daily_max_cents?: Cents, "a ceiling for charges a day; 0: none";
        payout_daily_max_cents?: Cents, "a ceiling for payouts a day; 0: none";
        cashin_min_cents?: Amount, "the smallest charge";
        cashin_max_cents?: Amount, "the largest charge";
        payout_min_cents?: Amount, "the smallest payout";
        payout_max_cents?: Amount, "the largest payout";
        without_retention?: bool as "sem_retencao",
            "true: these terms hold no deposit at the provider; the payer's ladder \
             ([`ChargeLimits`](crate::request::charge::ChargeLimits)) may";
        retention_above?: Amount as "retencao_acima_cents",
            "deposits above this are held at the provider";
        retention_hours?: u16 as "retencao_horas", "for so many hours";
        release?: TermsAdoptedRelease as "liberacao",
            "imediata or `proximo_dia`: when other deposits become available";
        waiting_hours?: u16 as "carencia_horas", "how long a first deposit blocks withdrawals";
        usdt_wallet?: bool as "carteira_usdt", "whether the USDT wallet is granted";
    }
}

fact! {
    /// An account that moves between two ledgers takes a step: while it is leaving or arriving, it
    /// begins nothing new.
    AccountMoved: "account.moved" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        ledger: Text<80>, "the other ledger's name";
        step: Text<16>,
            "leaving, staying (before any balance was carried), departed (once nothing is open or \
             owed) or arrived";
    }
}

words! {
    /// Values of `sort`: `tax_number`, name, pix, text, email or credential.
    AccountArrivingPersonSort {
        TaxNumber = "tax_number",
        Name = "name",
        Pix = "pix",
        Text = "text",
        Email = "email",
        Credential = "credential",
    }
}

part! {
    /// Of `AccountArriving`: the personal values that it names.
    AccountArrivingPerson {
        sort: AccountArrivingPersonSort, "`tax_number`, name, pix, text, email or credential";
        value: Text<4096>, "the value, which goes to the vault";
    }
}

fact! {
    /// An account is on its way here: its key, terms and settings, as the ledger that it leaves
    /// gave them. Both ledgers have one vault key.
    AccountArriving: "account.arriving" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        ledger: Text<80>, "the other ledger's name";
        carried: Text<262_144>, "what a ledger gave, in hexadecimal digits";
        vault_check: Text<16>, "what shows that both have one vault key";
        persons?: Vec<AccountArrivingPerson>, "the personal values that it names";
    }
}

fact! {
    /// An instruction is handed to whoever carries it out: from here on it may have been carried
    /// out. One that does not stand any more is set aside.
    InstructionHandedOut: "instruction.handed_out" {
        operation: OperationId, "the operation that it is for";
        idempotency_key: Text<128>, "the instruction's, which begins with that";
    }
}

fact! {
    /// Nothing but time: the only line that may jump more than the policy's bound.
    TimePassed: "time.passed" {
    }
}
