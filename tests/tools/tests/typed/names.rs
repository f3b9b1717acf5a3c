//! What the typed requests are called, and what fields are called in Rust.

use ledger_core::contract::Invocation;

/// A route, the name of its type, and the domain that it is of.
pub struct Named {
    pub route: &'static str,
    pub name: &'static str,
    pub domain: &'static str,
    /// What only a provider can know of it, each a text: the name on the wire and what it says.
    pub supplied: &'static [(&'static str, &'static str)],
}

const fn named(route: &'static str, name: &'static str, domain: &'static str) -> Named {
    Named { route, name, domain, supplied: &[] }
}

const ENTROPY: &[(&str, &str)] =
    &[("entropy", "64 hexadecimal digits, fresh each time, of which a new key or secret is made")];

const QR: &[(&str, &str)] = &[
    ("qr_copypaste", "the provider's Copia e Cola code; the ledger has no other"),
    ("qr_image_url", "where the provider shows it as a picture"),
    ("provider_reference", "where it refused: the reason and reference to be quoted to it"),
];

const OWNER: &[(&str, &str)] = &[(
    "owner",
    "the document that a lookup found the key to be of; without it, whose key it is is not checked",
)];

/// Every route, by its type.
pub const ROUTES: &[Named] = &[
    Named { supplied: QR, ..named("POST /cashin/charge", "CreateCharge", "charge") },
    named("POST /cashin/preview", "PreviewCharge", "charge"),
    named("GET /cashin/charges", "ListCharges", "charge"),
    named("GET /cashin/catalog", "ChargeCatalogue", "charge"),
    named("GET /cashin/limits", "ChargeLimits", "charge"),
    named("GET /cashin/{cashin_id}/status", "GetCharge", "charge"),
    named("POST /saldo/transferir", "CreateTransfer", "transfer"),
    Named {
        supplied: OWNER,
        ..named("POST /saldo/sacar-cripto", "CreateConversion", "conversion")
    },
    named("commission.withdraw", "WithdrawCommission", "conversion"),
    Named { supplied: OWNER, ..named("POST /payouts", "CreatePayout", "payout") },
    named("GET /payouts", "ListPayouts", "payout"),
    named("GET /catalog", "SaleCatalogue", "sale"),
    named("POST /cash-outs/preview", "PreviewCashOut", "sale"),
    Named { supplied: OWNER, ..named("POST /cash-outs", "CreateCashOut", "sale") },
    named("GET /cash-outs", "ListCashOuts", "sale"),
    named("GET /cash-outs/{cashout_id}", "GetCashOut", "sale"),
    named("POST /cash-outs/{cashout_id}/accept", "AcceptCashOut", "sale"),
    named("POST /cash-outs/{cashout_id}/refund-address", "SetRefundAddress", "sale"),
    named("GET /saldo", "GetBalance", "balance"),
    named("GET /saldo/consolidado", "ConsolidatedBalance", "balance"),
    named("GET /saldo/clientes", "ListCustomers", "balance"),
    named("GET /saldo/extrato", "GetStatement", "balance"),
    named("GET /comissao", "GetCommission", "balance"),
    named("GET /comissao/extrato", "CommissionStatement", "balance"),
    Named { supplied: ENTROPY, ..named("POST /keys", "CreateKey", "account") },
    Named { supplied: ENTROPY, ..named("POST /keys/sandbox", "CreateSandboxKey", "account") },
    named("POST /keys/painel-link", "SendPanelLink", "account"),
    named("GET /keys/me", "GetAccount", "account"),
    Named { supplied: ENTROPY, ..named("PATCH /keys/me", "UpdateAccount", "account") },
    Named { supplied: ENTROPY, ..named("key.rotate", "RotateKey", "account") },
    named("POST /webhooks/test", "TestWebhook", "account"),
    named("GET /webhooks/deliveries", "ListWebhookDeliveries", "account"),
    named("GET /v1/verificar/{e2e}", "VerifyPix", "account"),
    named("GET /pix/keys/lookup", "LookUpKey", "account"),
    named("GET /carteira-usdt", "GetWallet", "wallet"),
    named("POST /carteira-usdt/deposits", "CreateWalletDeposit", "wallet"),
    named("GET /carteira-usdt/deposits", "ListWalletDeposits", "wallet"),
    Named {
        supplied: OWNER,
        ..named("POST /carteira-usdt/payments", "CreateWalletPayment", "wallet")
    },
    named("GET /carteira-usdt/payments", "ListWalletPayments", "wallet"),
    named("GET /carteira-usdt/payments/{payment_id}", "GetWalletPayment", "wallet"),
    named("POST /carteira-usdt/quote", "QuoteWalletPayment", "wallet"),
    named("wallet.withdrawal.quote", "QuoteWalletWithdrawal", "wallet"),
    named("wallet.withdrawal.create", "CreateWalletWithdrawal", "wallet"),
    named("wallet.withdrawal.get", "GetWalletWithdrawal", "wallet"),
    named("wallet.withdrawal.list", "ListWalletWithdrawals", "wallet"),
    named("GET /mesh", "GetMesh", "agent"),
    Named { supplied: ENTROPY, ..named("POST /mesh/agents", "RegisterAgent", "agent") },
    named("POST /mesh/referrals", "CreateReferral", "agent"),
    named("GET /mesh/agents/{agent_id}/network", "AgentNetwork", "agent"),
    named("GET /mesh/agents/{agent_id}/rewards", "AgentRewards", "agent"),
    named("POST /mesh/agents/{agent_id}/validate", "ValidateAgent", "agent"),
    named("POST /mesh/agents/{agent_id}/settlement", "SetSettlementAddress", "agent"),
    named("POST /mesh/agents/{agent_id}/mandate", "SetMandate", "agent"),
    Named {
        supplied: ENTROPY,
        ..named("POST /mesh/agents/{agent_id}/production-request", "RequestProduction", "agent")
    },
    named("GET /sandbox", "GetSandbox", "sandbox"),
    named("GET /sandbox/events", "ListSandboxEvents", "sandbox"),
    named("POST /sandbox/cashin/{cashin_id}/pay", "PaySandboxCharge", "sandbox"),
];

/// A route as it is named above.
pub fn route(ask: Invocation) -> String {
    match ask {
        Invocation::Route(method, path) => format!("{} {path}", method.name()),
        Invocation::Command(name) => name.to_owned(),
    }
}

/// Fields whose name in Rust, which is English, is not their name on the wire.
const FIELDS: &[(&str, &str)] = &[
    ("id", "id"),
    ("amount_cents", "amount"),
    ("customer_ref", "party"),
    ("from_customer_ref", "from"),
    ("to_customer_ref", "to"),
    ("cashin_id", "charge"),
    ("cashout_id", "cash_out"),
    ("payout_id", "payout"),
    ("hold_id", "hold"),
    ("suspense_id", "suspense"),
    ("stray_id", "erroneous_delivery"),
    ("receipt_id", "unmatched_deposit"),
    ("deposit_id", "deposit"),
    ("payment_id", "payment"),
    ("withdrawal_id", "withdrawal"),
    ("agent_id", "agent"),
    ("e2e", "end_to_end_id"),
    ("payer_tax_number", "payer"),
    ("tax_number", "document"),
    ("payee_tax_number", "payee"),
    ("payer_tax", "payer"),
    ("destino", "destination"),
    ("descricao", "description"),
    ("payout_address", "address"),
    ("payout_tag", "memo"),
    ("visao", "view"),
    ("com_saldo", "with_balance"),
    ("em", "at"),
    ("effect_cents", "effect"),
    ("contrapartes", "counterparties"),
    ("custodia_ativa", "custody_active"),
    ("deposito_fee_bps", "deposit_fee_bps"),
    ("deposito_fee_fixed_cents", "deposit_fee_fixed"),
    ("saque_fee_bps", "payout_fee_bps"),
    ("partner_saque_fee_bps", "partner_payout_fee_bps"),
    ("saque_taxa_provedor_tipo", "payout_tariff_kind"),
    ("saque_taxa_estimada_cents", "payout_tariff"),
    ("saque_cripto_fee_bps", "crypto_withdrawal_fee_bps"),
    ("saque_cripto_conversao_fee_bps", "conversion_fee_bps"),
    ("saque_cripto_conversao_fee_fixed_cents", "conversion_fee_fixed"),
    ("sem_retencao", "without_retention"),
    ("retencao_acima_cents", "retention_above"),
    ("retencao_horas", "retention_hours"),
    ("liberacao", "release"),
    ("carencia_horas", "waiting_hours"),
    ("carteira_usdt", "usdt_wallet"),
    ("entregavel", "deliverable"),
    ("documento", "document"),
    ("documento_pais", "document_country"),
    ("responsavel_legal", "legal_representative"),
    ("max_por_operacao_cents", "per_operation"),
    ("max_diario_cents", "daily"),
];

/// Whether a text of an answer is the id of an operation.
pub fn operation(wire: &str) -> bool {
    matches!(
        wire,
        "cashin_id"
            | "payout_id"
            | "transfer_id"
            | "cashout_id"
            | "withdrawal_id"
            | "deposit_id"
            | "payment_id"
            | "quote_id"
            | "receipt_id"
            | "origem_id"
    )
}

/// What a field is called in Rust.
pub fn field(wire: &str) -> String {
    let known = FIELDS.iter().find(|(name, _)| *name == wire);
    let name = known.map_or(wire, |(_, name)| name);
    if name == "type" {
        return "kind".to_owned();
    }
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// What a word is called in Rust.
pub fn variant(word: &str) -> String {
    match word {
        "saldo" => "Balance".to_owned(),
        "cripto" => "Crypto".to_owned(),
        "imediata" => "Immediate".to_owned(),
        "proximo_dia" => "NextDay".to_owned(),
        "producao" => "Production".to_owned(),
        "teste" => "Test".to_owned(),
        "sem_teto" => "WithoutCeiling".to_owned(),
        "com_teto" => "WithCeiling".to_owned(),
        "reservado" => "Reserved".to_owned(),
        "ordem_criada" => "OrderCreated".to_owned(),
        "aceita" => "Accepted".to_owned(),
        "sacando" => "Withdrawing".to_owned(),
        "enviado" => "Sent".to_owned(),
        "revisao" => "UnderReview".to_owned(),
        "concluido" => "Completed".to_owned(),
        "falhou" => "Failed".to_owned(),
        "falhou_apos_envio" => "FailedAfterSending".to_owned(),
        word => camel(word),
    }
}

/// `amount_cents` as `AmountCents`.
pub fn camel(text: &str) -> String {
    let parts = text.split('_').filter(|part| !part.is_empty());
    parts.map(|part| part[..1].to_uppercase() + &part[1..].to_lowercase()).collect()
}

/// A text in which each route that it names is a link to its request.
pub fn linked(text: &str) -> String {
    ROUTES.iter().fold(text.to_owned(), |text, named| {
        let Named { route, name, domain, .. } = named;
        text.replace(
            &format!("`{route}`"),
            &format!("[`{name}`](crate::request::{domain}::{name})"),
        )
    })
}

/// Where the facts of a kind stand, by how their names begin.
pub fn domain_of_fact(name: &str) -> &'static str {
    match name.split('.').next().unwrap_or_default() {
        "account" | "key" | "policy" | "terms" | "time" | "instruction" => "account",
        "treasury" | "rate" => "treasury",
        "pix" | "provider" | "payer" => "charge",
        "payout" => "payout",
        "hold" | "court" => "hold",
        "suspense" => "suspense",
        "stray" | "delivery" | "catalog" => "purchase",
        "fee" | "balance" => "adjustment",
        "markets" | "deposit" | "refund" | "sale" | "payment" | "cashout" => "sale",
        "agent" => "agent",
        "wallet" => "wallet",
        other => panic!("facts that begin with {other} have no file: say which in domain_of_fact"),
    }
}

/// What every file of a domain begins with.
pub fn heading(domain: &str) -> &'static str {
    match domain {
        "account" => "accounts, their keys and terms, and the policy",
        "treasury" => "own money and coins, and prices",
        "charge" => "charges: a PIX collected",
        "payout" => "payouts: a PIX sent",
        "transfer" => "transfers between the balances of an account",
        "conversion" => "conversions of custody into crypto, and withdrawals of commission",
        "hold" => "holds, and orders of courts",
        "suspense" => "money that waits for a person",
        "purchase" => "purchases of crypto, and deliveries",
        "adjustment" => "corrections of balances",
        "sale" => "cash-out orders: crypto sold for a PIX",
        "balance" => "balances, statements and commission",
        "agent" => "agents of the mesh",
        "wallet" => "USDT wallets",
        "sandbox" => "the sandbox",
        other => panic!("{other} is no domain"),
    }
}
