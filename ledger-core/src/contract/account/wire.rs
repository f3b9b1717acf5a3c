//! Answers about keys, accounts, webhooks, and what may be looked up.

use crate::contract::charge::wire::LADDER;
use crate::contract::sandbox::wire::EVENT;
use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, REAIS, WALLET, bps, cents, decimal, field, flag, moment, text, texts, whole, word,
};
use crate::contract::schema::field::concat;

const KEY: &[AnswerField] = &[
    text("account", "the account that the key opens", "loja"),
    word("tipo", "whether anything moves", &["producao", "teste"]),
    text("name", "whose account it is", "Loja da Ana").or_null(),
    text("email", "the e-mail address, masked", "a***@exemplo.com.br").or_null(),
    text("documento", "the owner's document, masked", "***.982.247-**").or_null(),
    text("documento_pais", "that document's country, two letters", "BR").or_null(),
];

const RANGE: &[AnswerField] = &[
    cents("min_brl_cents", "the least of an operation", 101).or_null(),
    cents("max_brl_cents", "the most of an operation", 600_000),
];

const RANGES: &[AnswerField] = &[
    field("cashin", Object("OperationRange", RANGE), "of a charge"),
    field("payout", Object("OperationRange", RANGE), "of a payout"),
    field("cashout", Object("OperationRange", RANGE), "of a cash-out order"),
];

const DAILY: &[AnswerField] = &[
    cents("cashin_max_cents", "the most of a day's charges; null is no ceiling", 500_000).or_null(),
    cents("payout_max_cents", "the most of a day's payouts; null is no ceiling", 500_000).or_null(),
];

const CEILING: &[AnswerField] =
    &[cents("max_brl_cents", "the most that a recipient gets in a day", 10_000_000)];

const LIMITS: &[AnswerField] = &[
    word("tier", "whether a daily ceiling applies", &["sem_teto", "com_teto"]),
    field("per_operation", Object("OperationRanges", RANGES), "ranges of one operation"),
    field("daily", Object("DailyLimits", DAILY), "ceilings of a day"),
    texts("daily_limit_applies_to", "what a daily ceiling applies to", &["cashin"]),
    field("payer_ladder", Object("PayerLadder", LADDER), "the bands of payers").or_null(),
    field("recipient_ceiling", Object("RecipientCeiling", CEILING), "the ceiling of recipients"),
];

const PAYOUTS: &[AnswerField] = &[flag("enabled", "whether this account may pay out", true)];

const MONITOR: AnswerField =
    text("monitor_url", "the private monitor, read-only", "https://example.com/monitor/mon_5a5a")
        .or_null();

/// `GET /keys/me`: the account of a key.
pub const ACCOUNT: &[AnswerField] = &[
    field("key", Object("Key", KEY), "what is known of the key, no part of it"),
    field("limits", Object("AccountLimits", LIMITS), "the effective limits"),
    MONITOR,
    text("webhook_url", "where webhooks go", "https://loja.example.com/hooks").or_null(),
    flag("webhook_assinado", "whether webhooks are signed", true),
    text("settlement_address", "the wallet that is settled to", WALLET).or_null(),
    field("payout", Object("PayoutSettings", PAYOUTS), "whether payouts are enabled"),
    bps("admin_fee_bps", "the percentage of a purchase, the partner's share included", 480)
        .or_null(),
    bps("house_fee_bps", "the service's percentage of a purchase", 330),
    cents("admin_fee_fixed_cents", "the fixed fee of a purchase", 100),
    bps("deposito_fee_bps", "the percentage of a deposit", 0),
    cents("deposito_fee_fixed_cents", "the fixed fee of a deposit", 100),
    bps("saque_fee_bps", "the service's percentage of a payout", 150),
    bps("saque_fee_total_bps", "that and the partner's", 200).or_null(),
    bps("saque_cripto_fee_bps", "the fee of withdrawing crypto", 0),
    bps("saque_cripto_conversao_fee_bps", "the percentage of a conversion", 330),
    cents("saque_cripto_conversao_fee_fixed_cents", "the fixed fee of a conversion", 0),
    bps("cashout_fee_bps", "the percentage of a sale", 200),
    cents("cashout_fee_fixed_cents", "the fixed fee of a sale", 200),
    cents("cashout_reserve_cents", "the operational reserve of a sale", 100),
    bps("depix_fee_bps", "the percentage of a DePix sale", 150),
    cents("depix_fee_fixed_cents", "the fixed fee of a DePix sale", 100),
    bps("partner_fee_bps", "the partner's percentage of a purchase", 150),
    bps("partner_cashout_fee_bps", "the partner's percentage of a sale", 50),
    bps("partner_saque_fee_bps", "the partner's percentage of a payout", 50),
];

/// Answers `PATCH /keys/me`: the account, and secrets that are new.
pub const CHANGED: &[AnswerField] =
    &concat::<AnswerField, { ACCOUNT.len() + SECRETS.len() }>(&[ACCOUNT, SECRETS]);

const SECRETS: &[AnswerField] = &[
    text("webhook_secret", "what signs webhooks, shown once", "whk_5a5a5a5a").sometimes(),
    text("webhook_whsec", "the same for libraries of Standard Webhooks", "whsec_WlpaWg==")
        .sometimes(),
];

/// Answers `POST /keys`: a production key, its limits and links.
pub const ENROLLED: &[AnswerField] = &[
    text("api_key", "the key, shown once", "svc_live_5a5a5a5a"),
    field("key", Object("Key", KEY), "what is known of the key, no part of it"),
    field("limits", Object("AccountLimits", LIMITS), "the effective limits"),
    MONITOR,
    text("dashboard_url", "the partner's dashboard", "https://example.com/painel"),
    texts("grupos_obrigatorios", "groups to join, with what they are for", &[]),
];

/// Answers `POST /keys/sandbox`: a test key and how to use it.
pub const ENROLLED_IN_SANDBOX: &[AnswerField] = &[
    text("api_key", "the key, shown once", "svc_test_5a5a5a5a"),
    flag("sandbox", "always true: nothing moves with this key", true),
    text("como_usar", "how to use it, in Portuguese", "Envie esta chave no cabeçalho X-API-Key."),
    field("key", Object("Key", KEY), "what is known of the key, no part of it"),
    MONITOR,
];

/// Answers the command `key.rotate` with the next key.
pub const ROTATED: &[AnswerField] = &[
    text("api_key", "the next key, shown once", "svc_live_5a5a5a5a"),
    text("account", "the account that it opens", "loja"),
];

/// Answers `POST /keys/painel-link`, the same for every address.
pub const LINK_SENT: &[AnswerField] = &[
    flag("ok", "always true, whether the address is registered or not", true),
    text("mensagem", "the same in Portuguese", "Se este e-mail estiver cadastrado, o link chega."),
];

/// Answers `POST /webhooks/test`: the event and how it was received.
pub const WEBHOOK_TEST: &[AnswerField] = &[
    field("event", Object("Event", EVENT), "the event that was sent"),
    whole("status", "what the endpoint answered", "HTTP status", 200),
    whole("latency_ms", "how long it took", "milliseconds", 120),
    flag("entregue", "whether that counts as delivered", true),
];

const DELIVERY: &[AnswerField] = &[
    text("id", "the id of the event", "ev_33_0_2c13dba658eae6df"),
    text("event", "the name of the event", "cashin.paid"),
    word("status", "how its delivery stands", &["queued", "retrying", "delivered", "abandoned"]),
    whole("attempts", "how often it was tried", "attempts", 1).or_null().sometimes(),
    whole("http_status", "what the endpoint last answered", "HTTP status", 200)
        .or_null()
        .sometimes(),
    moment("created_at", "when it happened"),
    moment("updated_at", "when it was last tried").or_null().sometimes(),
    moment("next_attempt_at", "when it is tried next").or_null().sometimes(),
];

/// Answers `GET /webhooks/deliveries`: deliveries and the state of the endpoint.
pub const DELIVERIES: &[AnswerField] = &[
    field("items", Objects("WebhookDelivery", DELIVERY), "deliveries, as the queue has them"),
    flag("webhook_configurado", "whether an address is set", true),
    moment("webhook_desligado_em", "since when the endpoint is sent nothing").sometimes(),
    word("webhook_desligado_motivo", "why: it answered 410, or only failed", &["gone", "failing"])
        .sometimes(),
];

/// Answers `GET /v1/verificar/{e2e}`: the public part of a PIX.
pub const VERIFICATION: &[AnswerField] = &[
    flag("verificado", "whether the PIX is known", true),
    flag("pago", "whether it was paid", true),
    decimal("valor_brl", "its amount", REAIS, "50.00").or_null(),
    moment("pago_em", "when it was paid").or_null(),
    text("recebedor_iniciais", "the recipient's initials", "A.S.").or_null(),
    text("instituicao", "the institution", "90400888").or_null(),
    text("liquidado_por", "who settled it", "SPI").or_null(),
    text("comprovante_url", "where its receipt is", "https://example.com/r/4").or_null(),
    flag("sandbox", "true for a PIX of the sandbox, which is no money", true).sometimes(),
];

/// Answers `GET /pix/keys/lookup`: the owner of a PIX key.
pub const LOOKUP: &[AnswerField] = &[
    text("key", "the key, masked", "a***@exemplo.com.br"),
    word("type", "what the key is", &["cpf", "cnpj", "phone", "email", "random"]),
    flag("available", "whether anything is known of its owner", true),
    flag("verified", "whether the owner was verified", true),
    word("verification_status", "whether it was looked up", &["performed", "not_performed"]),
    text("name", "the owner's name", "Fulana de Teste").or_null(),
    text("document", "the owner's CPF or CNPJ, masked", "***.982.247-**").or_null(),
    text("institution", "the owner's institution", "Banco de Teste").or_null(),
    text("source", "where it is from; sandbox is fictional", "sandbox").sometimes(),
];
