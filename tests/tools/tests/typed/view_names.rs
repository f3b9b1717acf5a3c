//! What answers, their fields and their words are called in Rust.

use super::names;

/// Types of answers that are written by hand, since one declaration does not say all of them.
pub const STANDING: [&str; 6] = [
    "CashOutState",
    "ChargeStatus",
    "PayoutStatus",
    "SettlementStatus",
    "Statement",
    "StatementKind",
];

/// Fields that are left out of an answer where they have no value, rather than null.
pub const ABSENT: [(&str, &str); 7] = [
    ("ChargeDetail", "amount"),
    ("ChargeDetail", "returned_cents"),
    ("WalletPayment", "usdt_returned"),
    ("WalletPayment", "reserve_status"),
    ("WebhookDelivery", "attempts"),
    ("WebhookDelivery", "http_status"),
    ("WebhookDelivery", "updated_at"),
];

/// Fields that every answer of the structure has, although not every answer that is declared with
/// it does.
pub const PRESENT: [(&str, &str); 3] =
    [("ChargeDetail", "settlement_status"), ("ChargeDetail", "destino"), ("ChargeDetail", "fonte")];

/// What is said by one of several words, where its name is not its structure's and its own.
pub const ENUMS: [((&str, &str), &str); 15] = [
    (("CreatedWalletWithdrawal", "status"), "WalletWithdrawalStatus"),
    (("ChargeDetail", "settlement_status"), "SettlementStatus"),
    (("ChargeDetail", "destination"), "ChargeDestination"),
    (("ChargeDetail", "source"), "ChargeSource"),
    (("CommissionRow", "kind"), "StatementKind"),
    (("CommissionWithdrawal", "settlement_status"), "SettlementStatus"),
    (("Market", "path"), "SalePath"),
    (("CashOutPreview", "path"), "SalePath"),
    (("CashOutPreview", "pix_key_type"), "KeyType"),
    (("KeyOwner", "kind"), "KeyType"),
    (("ChargeLimits", "stage"), "PayerStage"),
    (("NextStage", "stage"), "PayerStage"),
    (("RegisteredAgent", "status"), "AgentStatus"),
    (("RegisteredAgent", "environment"), "AgentEnvironment"),
    (("WalletPayment", "payment_method"), "PaymentMethod"),
];

/// Fields whose name in Rust is neither the wire's nor that of a request.
const FIELDS: &[(&str, &str)] = &[
    ("customer_ref", "customer"),
    ("payer_tax_number", "payer_document"),
    ("payee_tax_number", "payee_document"),
    ("pix_e2e", "end_to_end_id"),
    ("disponivel_cents", "available"),
    ("bloqueado_cents", "blocked"),
    ("saque_fee_total_bps", "payout_fee_total_bps"),
    ("carencia_ate", "waiting_until"),
    ("proximas_liberacoes", "releases"),
    ("valor_cents", "amount"),
    ("disponivel_em", "at"),
    ("casa", "house"),
    ("clientes", "customers"),
    ("quantidade", "count"),
    ("total_negativo_cents", "total_negative"),
    ("saldo_cents", "balance"),
    ("movimentos", "entries"),
    ("ultimo_saque_em", "last_withdrawal_at"),
    ("proximo_saque_em", "next_withdrawal_at"),
    ("movimento_id", "id"),
    ("tipo", "kind"),
    ("saldo_apos_cents", "balance_after"),
    ("origem_id", "operation"),
    ("proxima_pagina", "next"),
    ("next_cursor", "next"),
    ("liberar_em", "available_at"),
    ("fonte", "source"),
    ("webhook_assinado", "webhook_signed"),
    ("webhook_desligado_em", "webhook_disabled_at"),
    ("webhook_desligado_motivo", "webhook_disabled_reason"),
    ("copia_e_cola_buffer_usd", "br_code_buffer_usd"),
    ("entregaveis", "deliverable"),
    ("quando", "at"),
    ("explicacao", "explanation"),
    ("como_usar", "how_to_use"),
    ("grupos_obrigatorios", "required_groups"),
    ("mensagem", "message"),
    ("entregue", "delivered"),
    ("webhook_configurado", "webhook_configured"),
    ("verificado", "known"),
    ("pago", "paid"),
    ("valor_brl", "brl_amount"),
    ("pago_em", "paid_at"),
    ("recebedor_iniciais", "recipient_initials"),
    ("instituicao", "institution"),
    ("liquidado_por", "settled_by"),
    ("comprovante_url", "receipt_url"),
    ("teto_por_operacao_cents", "ceiling"),
    ("usado_hoje_cents", "used_today"),
    ("cenarios", "scenarios"),
    ("persistencia", "persistence"),
    ("diferencas_da_producao", "differences"),
    ("seletor", "selector"),
    ("finais", "endings"),
    ("outros_finais", "other_endings"),
    ("o_que_acontece", "what_happens"),
    ("campo", "field"),
    ("cobrancas", "charges"),
    ("valores", "values"),
    ("confirmar", "confirm"),
    ("ordens", "orders"),
    ("chaves", "keys"),
    ("eventos", "events"),
    ("payout_address", "address"),
    ("cashout_id", "cash_out"),
    ("deposit_id", "deposit"),
    ("payment_id", "payment"),
    ("withdrawal_id", "withdrawal"),
    ("quote_id", "quote"),
    ("referral_id", "referral"),
    ("agent_id", "agent"),
    ("receipt_id", "unmatched_deposit"),
    ("requested_external_id", "requested_external_id"),
];

/// What a field of an answer is called in Rust: its own id is `id`, and an amount says no unit, as
/// its type does.
pub fn name_of(
    parent: &str,
    wire: &'static str,
    own: bool,
    mut beside: impl Iterator<Item = &'static str>,
) -> String {
    match (parent, wire) {
        ("Ending", "final") => return "ending".to_owned(),
        (_, "final") => return "is_final".to_owned(),
        (_, wire) if own && wire.ends_with("_id") => return "id".to_owned(),
        (_, "amount") if beside.any(|wire| wire == "amount_cents") => return "units".to_owned(),
        _ => {}
    }
    if let Some((_, name)) = FIELDS.iter().find(|(known, _)| *known == wire) {
        return (*name).to_owned();
    }
    let name = names::field(wire);
    let name = name.strip_suffix("_cents").unwrap_or(&name);
    name.to_owned()
}

/// What centavos of a field are: above zero, zero or more, or of any sign.
pub fn amount(parent: &str, wire: &str) -> &'static str {
    match (parent, wire) {
        ("Release", "valor_cents") | (_, "amount_cents" | "debited_cents") => "Amount",
        (
            _,
            "disponivel_cents"
            | "saldo_cents"
            | "saldo_apos_cents"
            | "valor_cents"
            | "total_cents"
            | "total_negativo_cents"
            | "balance_cents",
        ) => "value::Balance",
        _ => "Cents",
    }
}
