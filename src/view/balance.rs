//! Answers about balances, statements and commission.

use ledger_core::time::Instant;

use super::answer::answer;
use super::status::StatementKind;
use crate::value::{self, Amount, Cents, OperationId};

answer! {
    /// Of [`Balance`]: what is released, and when.
    Release {
        amount: Amount as plain "valor_cents", "How much is released.";
        at: Instant as plain "disponivel_em", "When it can be spent.";
    }
}

answer! {
    /// What `GET /saldo` is answered.
    Balance {
        custody_active: bool as "custodia_ativa", "Whether custody is enabled.";
        available: value::Balance as plain "disponivel_cents",
            "What can be spent; below zero after a forced debit.";
        blocked: Cents as plain "bloqueado_cents", "What is held, released later or by evidence.";
        deposit_fee_bps: u16 as "deposito_fee_bps", "The percentage of a deposit.";
        deposit_fee_fixed: Cents as plain "deposito_fee_fixed_cents", "The fixed fee of a deposit.";
        payout_fee_bps: u16 as "saque_fee_bps", "The service's percentage of a payout.";
        payout_fee_total_bps: Option<u16> as "saque_fee_total_bps", "That and the partner's.";
        payout_tariff: Option<Cents> as plain "saque_taxa_estimada_cents",
            "The PIX tariff of a payout.";
        payout_tariff_kind: String as "saque_taxa_provedor_tipo", "How that tariff is set.";
        crypto_withdrawal_fee_bps: u16 as "saque_cripto_fee_bps", "The fee of withdrawing crypto.";
        conversion_fee_bps: u16 as "saque_cripto_conversao_fee_bps",
            "The percentage of a conversion.";
        conversion_fee_fixed: Cents as plain "saque_cripto_conversao_fee_fixed_cents",
            "The fixed fee of a conversion.";
        waiting_hours: u64 as "carencia_horas", "How long a first deposit waits.";
        waiting_until: Option<Instant> as plain "carencia_ate",
            "Until when nothing can be withdrawn.";
        retention_above: Option<Cents> as plain "retencao_acima_cents",
            "Above which a deposit is held.";
        releases: Vec<Release> as "proximas_liberacoes", "What is released, and when.";
        as_of: Instant as plain, "The instant that this balance is of.";
    }
}

answer! {
    /// What `GET /saldo?em=` is answered.
    BalanceAt {
        balance: value::Balance as plain "saldo_cents",
            "Available and blocked together, as the statement ran.";
        as_of: Instant as plain, "The instant that was asked for.";
    }
}

answer! {
    /// Of [`ConsolidatedBalance`]: the house's own balance.
    HouseTotals {
        available: value::Balance as plain "disponivel_cents", "What can be spent.";
        blocked: Cents as plain "bloqueado_cents", "What is held.";
    }
}

answer! {
    /// Of [`ConsolidatedBalance`]: all subaccounts together.
    CustomerTotals {
        available: value::Balance as plain "disponivel_cents", "What can be spent.";
        blocked: Cents as plain "bloqueado_cents", "What is held.";
        count: u64 as "quantidade", "How many there are.";
    }
}

answer! {
    /// What `GET /saldo/consolidado` is answered.
    ConsolidatedBalance {
        house: HouseTotals as "casa", "The house's own balance.";
        customers: CustomerTotals as "clientes", "All subaccounts together.";
        total: value::Balance as plain "total_cents", "Everything together.";
        total_negative: value::Balance as plain "total_negativo_cents",
            "Of it, the balances below zero.";
    }
}

answer! {
    /// Of [`Customers`]: subaccounts, in the order of their names.
    Customer {
        customer: String as "customer_ref", "The subaccount.";
        available: value::Balance as plain "disponivel_cents", "What can be spent.";
        blocked: Cents as plain "bloqueado_cents", "What is held.";
    }
}

answer! {
    /// What `GET /saldo/clientes` is answered.
    Customers {
        items: Vec<Customer>, "Subaccounts, in the order of their names.";
        next: Option<String> as "next_cursor", "Cursor of the next page; null ends the list.";
    }
}

answer! {
    /// What `GET /comissao` is answered.
    Commission {
        balance: value::Balance as plain "saldo_cents", "The commission earned and not withdrawn.";
        available: value::Balance as plain "disponivel_cents", "What of it can be withdrawn.";
        entries: u64 as "movimentos", "How many entries its ledger has.";
        last_withdrawal_at: Option<Instant> as plain "ultimo_saque_em",
            "When it was last withdrawn.";
        next_withdrawal_at: Option<Instant> as plain "proximo_saque_em",
            "When it can be withdrawn again.";
    }
}

answer! {
    /// Of [`CommissionStatement`]: entries, newest first.
    CommissionRow {
        id: String as "movimento_id", "The id of the entry.";
        kind: StatementKind as "tipo", "Its kind.";
        description: String as "descricao", "What it is called.";
        amount: value::Balance as plain "valor_cents", "What it did to the balance.";
        balance_after: value::Balance as plain "saldo_apos_cents", "The balance after it.";
        operation: OperationId as "origem_id", "The operation that it is of.";
        created_at: Instant as plain, "When it was booked.";
    }
}

answer! {
    /// What `GET /comissao/extrato` is answered.
    CommissionStatement {
        entries: Vec<CommissionRow> as "movimentos", "Entries, newest first.";
        has_more: bool, "Whether there is another page.";
        next: Option<String> as "proxima_pagina", "Before of the next page; null ends the list.";
    }
}
