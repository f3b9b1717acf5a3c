//! What the typed requests are called, and what fields are called in Rust.

use ledger_core::contract::Invocation;

/// A route, the name of its type, the domain that it is of, and the type of its answer.
pub struct Named {
    pub route: &'static str,
    pub name: &'static str,
    pub domain: &'static str,
    pub answer: &'static str,
    /// What only a provider can know of it, each a text: the name on the wire and what it says.
    pub supplied: &'static [(&'static str, &'static str)],
}

const fn named(
    route: &'static str,
    name: &'static str,
    domain: &'static str,
    answer: &'static str,
) -> Named {
    Named { route, name, domain, answer, supplied: &[] }
}

const ENTROPY: &[(&str, &str)] =
    &[("entropy", "64 hexadecimal digits, fresh each time, of which secrets are made")];

const QR: &[(&str, &str)] = &[
    ("qr_copypaste", "the provider's Copia e Cola code"),
    ("qr_image_url", "where the provider shows it as a picture"),
    ("provider_reference", "why the provider refused the payer"),
];

const OWNER: &[(&str, &str)] = &[("owner", "the document that a lookup of the key told")];

/// Every route, by its type.
pub const ROUTES: &[Named] = &[
    Named { supplied: QR, ..named("POST /cashin/charge", "CreateCharge", "charge", "Charge") },
    named("POST /cashin/preview", "PreviewCharge", "charge", "View"),
    named("GET /cashin/charges", "ListCharges", "charge", "Charges"),
    named("GET /cashin/catalog", "ChargeCatalogue", "charge", "View"),
    named("GET /cashin/limits", "ChargeLimits", "charge", "View"),
    named("GET /cashin/{cashin_id}/status", "GetCharge", "charge", "ChargeDetail"),
    named("POST /saldo/transferir", "CreateTransfer", "transfer", "Transfer"),
    named("POST /saldo/sacar-cripto", "CreateConversion", "conversion", "ChargeDetail"),
    named("commission.withdraw", "WithdrawCommission", "conversion", "View"),
    Named { supplied: OWNER, ..named("POST /payouts", "CreatePayout", "payout", "Payout") },
    named("GET /payouts", "ListPayouts", "payout", "Payouts"),
    named("GET /catalog", "SaleCatalogue", "sale", "View"),
    named("POST /cash-outs/preview", "PreviewCashOut", "sale", "View"),
    named("POST /cash-outs", "CreateCashOut", "sale", "CashOut"),
    named("GET /cash-outs", "ListCashOuts", "sale", "CashOuts"),
    named("GET /cash-outs/{cashout_id}", "GetCashOut", "sale", "CashOut"),
    named("POST /cash-outs/{cashout_id}/accept", "AcceptCashOut", "sale", "CashOut"),
    named("POST /cash-outs/{cashout_id}/refund-address", "SetRefundAddress", "sale", "CashOut"),
    named("GET /saldo", "GetBalance", "balance", "Balance"),
    named("GET /saldo/consolidado", "ConsolidatedBalance", "balance", "View"),
    named("GET /saldo/clientes", "ListCustomers", "balance", "View"),
    named("GET /saldo/extrato", "GetStatement", "balance", "StatementPage"),
    named("GET /comissao", "GetCommission", "balance", "View"),
    named("GET /comissao/extrato", "CommissionStatement", "balance", "View"),
    Named { supplied: ENTROPY, ..named("POST /keys", "CreateKey", "account", "View") },
    Named {
        supplied: ENTROPY,
        ..named("POST /keys/sandbox", "CreateSandboxKey", "account", "View")
    },
    named("POST /keys/painel-link", "SendPanelLink", "account", "View"),
    named("GET /keys/me", "GetAccount", "account", "View"),
    Named { supplied: ENTROPY, ..named("PATCH /keys/me", "UpdateAccount", "account", "View") },
    Named { supplied: ENTROPY, ..named("key.rotate", "RotateKey", "account", "View") },
    named("POST /webhooks/test", "TestWebhook", "account", "View"),
    named("GET /webhooks/deliveries", "ListWebhookDeliveries", "account", "View"),
    named("GET /v1/verificar/{e2e}", "VerifyPix", "account", "View"),
    named("GET /pix/keys/lookup", "LookUpKey", "account", "View"),
    named("GET /carteira-usdt", "GetWallet", "wallet", "View"),
    named("POST /carteira-usdt/deposits", "CreateWalletDeposit", "wallet", "View"),
    named("GET /carteira-usdt/deposits", "ListWalletDeposits", "wallet", "View"),
    named("POST /carteira-usdt/payments", "CreateWalletPayment", "wallet", "View"),
    named("GET /carteira-usdt/payments", "ListWalletPayments", "wallet", "View"),
    named("GET /carteira-usdt/payments/{payment_id}", "GetWalletPayment", "wallet", "View"),
    named("POST /carteira-usdt/quote", "QuoteWalletPayment", "wallet", "View"),
    named("wallet.withdrawal.quote", "QuoteWalletWithdrawal", "wallet", "View"),
    named("wallet.withdrawal.create", "CreateWalletWithdrawal", "wallet", "View"),
    named("wallet.withdrawal.get", "GetWalletWithdrawal", "wallet", "View"),
    named("wallet.withdrawal.list", "ListWalletWithdrawals", "wallet", "View"),
    named("GET /mesh", "GetMesh", "agent", "View"),
    Named { supplied: ENTROPY, ..named("POST /mesh/agents", "RegisterAgent", "agent", "View") },
    named("POST /mesh/referrals", "CreateReferral", "agent", "View"),
    named("GET /mesh/agents/{agent_id}/network", "AgentNetwork", "agent", "View"),
    named("GET /mesh/agents/{agent_id}/rewards", "AgentRewards", "agent", "View"),
    named("POST /mesh/agents/{agent_id}/validate", "ValidateAgent", "agent", "View"),
    named("POST /mesh/agents/{agent_id}/settlement", "SetSettlementAddress", "agent", "View"),
    named("POST /mesh/agents/{agent_id}/mandate", "SetMandate", "agent", "View"),
    Named {
        supplied: ENTROPY,
        ..named(
            "POST /mesh/agents/{agent_id}/production-request",
            "RequestProduction",
            "agent",
            "View",
        )
    },
    named("GET /sandbox", "GetSandbox", "sandbox", "View"),
    named("GET /sandbox/events", "ListSandboxEvents", "sandbox", "View"),
    named("POST /sandbox/cashin/{cashin_id}/pay", "PaySandboxCharge", "sandbox", "View"),
];

/// A route as it is named above.
pub fn route(ask: Invocation) -> String {
    match ask {
        Invocation::Route(method, path) => format!("{} {path}", method.name()),
        Invocation::Command(name) => name.to_owned(),
    }
}

/// Fields whose name in Rust is not their name on the wire.
const FIELDS: [(&str, &str); 29] = [
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
    ("effect_cents", "effect"),
    ("contrapartes", "counterparties"),
];

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

/// Where the facts of a kind stand, by how their names begin.
pub fn domain_of_fact(name: &str) -> &'static str {
    match name.split('.').next().unwrap_or_default() {
        "account" | "key" | "policy" | "terms" | "time" => "account",
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
