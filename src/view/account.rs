//! Answers about accounts, their keys and terms, and the policy.

use ledger_core::contract::Secret;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde_json::Value;

use super::answer::{answer, open_words};
use super::charge::PayerLadder;
use super::sale::KeyType;
use crate::value::{ApiKey, Cents};

open_words! {
    /// What `kind` of [`Key`] may be.
    KeyKind { Production = "producao", Test = "teste" }
}

answer! {
    /// Of [`CreatedKey`]: what is known of the key, no part of it.
    Key {
        account: String, "The account that the key opens.";
        kind: KeyKind as "tipo", "Whether anything moves.";
        name: Option<String>, "Whose account it is.";
        email: Option<String>, "The e-mail address, masked.";
        document: Option<String> as "documento", "The owner's document, masked.";
        document_country: Option<String> as "documento_pais",
            "That document's country, two letters.";
    }
}

open_words! {
    /// What `tier` of [`AccountLimits`] may be.
    AccountLimitsTier { WithoutCeiling = "sem_teto", WithCeiling = "com_teto" }
}

answer! {
    /// Of [`OperationRanges`]: of a charge.
    OperationRange {
        min_brl: Option<Cents> as plain "min_brl_cents", "The least of an operation.";
        max_brl: Cents as plain "max_brl_cents", "The most of an operation.";
    }
}

answer! {
    /// Of [`AccountLimits`]: ranges of one operation.
    OperationRanges {
        cashin: OperationRange, "Of a charge.";
        payout: OperationRange, "Of a payout.";
        cashout: OperationRange, "Of a cash-out order.";
    }
}

answer! {
    /// Of [`AccountLimits`]: ceilings of a day.
    DailyLimits {
        cashin_max: Option<Cents> as plain "cashin_max_cents",
            "The most of a day's charges; null is no ceiling.";
        payout_max: Option<Cents> as plain "payout_max_cents",
            "The most of a day's payouts; null is no ceiling.";
    }
}

answer! {
    /// Of [`AccountLimits`]: the ceiling of recipients.
    RecipientCeiling {
        max_brl: Cents as plain "max_brl_cents", "The most that a recipient gets in a day.";
    }
}

answer! {
    /// Of [`CreatedKey`]: the effective limits.
    AccountLimits {
        tier: AccountLimitsTier, "Whether a daily ceiling applies.";
        per_operation: OperationRanges, "Ranges of one operation.";
        daily: DailyLimits, "Ceilings of a day.";
        daily_limit_applies_to: Vec<String>, "What a daily ceiling applies to.";
        payer_ladder: Option<PayerLadder>, "The bands of payers.";
        recipient_ceiling: RecipientCeiling, "The ceiling of recipients.";
    }
}

answer! {
    /// What `POST /keys` is answered.
    CreatedKey {
        api_key: ApiKey as plain, "The key, shown once.";
        key: Key, "What is known of the key, no part of it.";
        limits: AccountLimits, "The effective limits.";
        monitor_url: Option<String>, "The private monitor, read-only.";
        dashboard_url: String, "The partner's dashboard.";
        required_groups: Vec<Value> as "grupos_obrigatorios",
            "Groups to join, with what they are for.";
    }
}

answer! {
    /// What `POST /keys/sandbox` is answered.
    CreatedSandboxKey {
        api_key: ApiKey as plain, "The key, shown once.";
        sandbox: bool, "Always true: nothing moves with this key.";
        how_to_use: String as "como_usar", "How to use it, in Portuguese.";
        key: Key, "What is known of the key, no part of it.";
        monitor_url: Option<String>, "The private monitor, read-only.";
    }
}

answer! {
    /// What `POST /keys/painel-link` is answered.
    PanelLink {
        ok: bool, "Always true, whether the address is registered or not.";
        message: String as "mensagem", "The same in Portuguese.";
    }
}

answer! {
    /// Of [`Account`]: whether payouts are enabled.
    PayoutSettings {
        enabled: bool, "Whether this account may pay out.";
    }
}

answer! {
    /// What `GET /keys/me` is answered.
    Account {
        key: Key, "What is known of the key, no part of it.";
        limits: AccountLimits, "The effective limits.";
        monitor_url: Option<String>, "The private monitor, read-only.";
        webhook_url: Option<String>, "Where webhooks go.";
        webhook_signed: bool as "webhook_assinado", "Whether webhooks are signed.";
        settlement_address: Option<String>, "The wallet that is settled to.";
        payout: PayoutSettings, "Whether payouts are enabled.";
        admin_fee_bps: Option<u16>, "The percentage of a purchase, the partner's share included.";
        house_fee_bps: u16, "The service's percentage of a purchase.";
        admin_fee_fixed: Cents as plain "admin_fee_fixed_cents", "The fixed fee of a purchase.";
        deposit_fee_bps: u16 as "deposito_fee_bps", "The percentage of a deposit.";
        deposit_fee_fixed: Cents as plain "deposito_fee_fixed_cents", "The fixed fee of a deposit.";
        payout_fee_bps: u16 as "saque_fee_bps", "The service's percentage of a payout.";
        payout_fee_total_bps: Option<u16> as "saque_fee_total_bps", "That and the partner's.";
        crypto_withdrawal_fee_bps: u16 as "saque_cripto_fee_bps", "The fee of withdrawing crypto.";
        conversion_fee_bps: u16 as "saque_cripto_conversao_fee_bps",
            "The percentage of a conversion.";
        conversion_fee_fixed: Cents as plain "saque_cripto_conversao_fee_fixed_cents",
            "The fixed fee of a conversion.";
        cashout_fee_bps: u16, "The percentage of a sale.";
        cashout_fee_fixed: Cents as plain "cashout_fee_fixed_cents", "The fixed fee of a sale.";
        cashout_reserve: Cents as plain "cashout_reserve_cents",
            "The operational reserve of a sale.";
        depix_fee_bps: u16, "The percentage of a `DePix` sale.";
        depix_fee_fixed: Cents as plain "depix_fee_fixed_cents", "The fixed fee of a `DePix` sale.";
        partner_fee_bps: u16, "The partner's percentage of a purchase.";
        partner_cashout_fee_bps: u16, "The partner's percentage of a sale.";
        partner_payout_fee_bps: u16 as "partner_saque_fee_bps",
            "The partner's percentage of a payout.";
    }

    /// What `PATCH /keys/me` is answered.
    UpdatedAccount {} .. {
        webhook_secret?: Secret as plain, "What signs webhooks, shown once.";
        webhook_whsec?: String, "The same for libraries of Standard Webhooks.";
    }
}

answer! {
    /// What `key.rotate` is answered.
    RotatedKey {
        api_key: ApiKey as plain, "The next key, shown once.";
        account: String, "The account that it opens.";
    }
}

answer! {
    /// Of [`WebhookTest`]: the event that was sent.
    Event {
        id: String, "The id of the event, the same however often it is sent.";
        event: String, "The name of the event.";
        created_at: Instant as plain, "When it happened.";
        api_version: String, "The version of the contract.";
        sequence: u64, "Its place among all events of the ledger.";
        data: Value, "The operation as it stood then.";
    }
}

answer! {
    /// What `POST /webhooks/test` is answered.
    WebhookTest {
        event: Event, "The event that was sent.";
        status: u64, "What the endpoint answered.";
        latency_ms: u64, "How long it took.";
        delivered: bool as "entregue", "Whether that counts as delivered.";
    }
}

open_words! {
    /// What `status` of [`WebhookDelivery`] may be.
    WebhookDeliveryStatus {
        Queued = "queued",
        Retrying = "retrying",
        Delivered = "delivered",
        Abandoned = "abandoned",
    }
}

answer! {
    /// Of [`WebhookDeliveries`]: deliveries, as the queue has them.
    WebhookDelivery {
        id: String, "The id of the event.";
        event: String, "The name of the event.";
        status: WebhookDeliveryStatus, "How its delivery stands.";
        attempts?: u64, "How often it was tried.";
        http_status?: u64, "What the endpoint last answered.";
        created_at: Instant as plain, "When it happened.";
        updated_at?: Instant as plain, "When it was last tried.";
        next_attempt_at: Option<Instant> as plain, "When it is tried next.";
    }
}

open_words! {
    /// What `webhook_disabled_reason` of [`WebhookDeliveries`] may be.
    WebhookDeliveriesWebhookDisabledReason { Gone = "gone", Failing = "failing" }
}

answer! {
    /// What `GET /webhooks/deliveries` is answered.
    WebhookDeliveries {
        items: Vec<WebhookDelivery>, "Deliveries, as the queue has them.";
        webhook_configured: bool as "webhook_configurado", "Whether an address is set.";
        webhook_disabled_at?: Instant as plain "webhook_desligado_em",
            "Since when the endpoint is sent nothing.";
        webhook_disabled_reason?: WebhookDeliveriesWebhookDisabledReason as "webhook_desligado_motivo",
            "Why: it answered 410, or only failed.";
    }
}

answer! {
    /// What `GET /v1/verificar/{e2e}` is answered.
    Verification {
        known: bool as "verificado", "Whether the PIX is known.";
        paid: bool as "pago", "Whether it was paid.";
        brl_amount: Option<Decimal> as plain "valor_brl", "Its amount.";
        paid_at: Option<Instant> as plain "pago_em", "When it was paid.";
        recipient_initials: Option<String> as "recebedor_iniciais", "The recipient's initials.";
        institution: Option<String> as "instituicao", "The institution.";
        settled_by: Option<String> as "liquidado_por", "Who settled it.";
        receipt_url: Option<String> as "comprovante_url", "Where its receipt is.";
        sandbox?: bool, "True for a PIX of the sandbox, which is no money.";
    }
}

open_words! {
    /// What `verification_status` of [`KeyOwner`] may be.
    KeyOwnerVerificationStatus { Performed = "performed", NotPerformed = "not_performed" }
}

answer! {
    /// What `GET /pix/keys/lookup` is answered.
    KeyOwner {
        key: String, "The key, masked.";
        kind: KeyType as "type", "What the key is.";
        available: bool, "Whether anything is known of its owner.";
        verified: bool, "Whether the owner was verified.";
        verification_status: KeyOwnerVerificationStatus, "Whether it was looked up.";
        name: Option<String>, "The owner's name.";
        document: Option<String>, "The owner's CPF or CNPJ, masked.";
        institution: Option<String>, "The owner's institution.";
        source?: String, "Where it is from; sandbox is fictional.";
    }
}
