//! Answers about balances, statements and commission.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::status::StatementKind;
use crate::value::{self, Amount, Cents, OperationId};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

/// Of [`Balance`]: what is released, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Release {
    /// How much is released.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: Amount,
    /// When it can be spent.
    #[serde(rename = "disponivel_em", with = "super::plain")]
    pub at: Instant,
}

/// What `GET /saldo` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Balance {
    /// Whether custody is enabled.
    #[serde(rename = "custodia_ativa")]
    pub custody_active: bool,
    /// What can be spent; below zero after a forced debit.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: value::Balance,
    /// What is held, released later or by evidence.
    #[serde(rename = "bloqueado_cents", with = "super::plain")]
    pub blocked: Cents,
    /// The percentage of a deposit.
    #[serde(rename = "deposito_fee_bps")]
    pub deposit_fee_bps: u16,
    /// The fixed fee of a deposit.
    #[serde(rename = "deposito_fee_fixed_cents", with = "super::plain")]
    pub deposit_fee_fixed: Cents,
    /// The service's percentage of a payout.
    #[serde(rename = "saque_fee_bps")]
    pub payout_fee_bps: u16,
    /// That and the partner's.
    #[serde(rename = "saque_fee_total_bps")]
    pub payout_fee_total_bps: Option<u16>,
    /// The PIX tariff of a payout.
    #[serde(rename = "saque_taxa_estimada_cents", with = "super::plain")]
    pub payout_tariff: Option<Cents>,
    /// How that tariff is set.
    #[serde(rename = "saque_taxa_provedor_tipo")]
    pub payout_tariff_kind: String,
    /// The fee of withdrawing crypto.
    #[serde(rename = "saque_cripto_fee_bps")]
    pub crypto_withdrawal_fee_bps: u16,
    /// The percentage of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_bps")]
    pub conversion_fee_bps: u16,
    /// The fixed fee of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_fixed_cents", with = "super::plain")]
    pub conversion_fee_fixed: Cents,
    /// How long a first deposit waits.
    #[serde(rename = "carencia_horas")]
    pub waiting_hours: u64,
    /// Until when nothing can be withdrawn.
    #[serde(rename = "carencia_ate", with = "super::plain")]
    pub waiting_until: Option<Instant>,
    /// Above which a deposit is held.
    #[serde(rename = "retencao_acima_cents", with = "super::plain")]
    pub retention_above: Option<Cents>,
    /// What is released, and when.
    #[serde(rename = "proximas_liberacoes")]
    pub releases: Vec<Release>,
    /// The instant that this balance is of.
    #[serde(with = "super::plain")]
    pub as_of: Instant,
}

/// What `GET /saldo?em=` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BalanceAt {
    /// Available and blocked together, as the statement ran.
    #[serde(rename = "saldo_cents", with = "super::plain")]
    pub balance: value::Balance,
    /// The instant that was asked for.
    #[serde(with = "super::plain")]
    pub as_of: Instant,
}

/// Of [`ConsolidatedBalance`]: the house's own balance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HouseTotals {
    /// What can be spent.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: value::Balance,
    /// What is held.
    #[serde(rename = "bloqueado_cents", with = "super::plain")]
    pub blocked: Cents,
}

/// Of [`ConsolidatedBalance`]: all subaccounts together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CustomerTotals {
    /// What can be spent.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: value::Balance,
    /// What is held.
    #[serde(rename = "bloqueado_cents", with = "super::plain")]
    pub blocked: Cents,
    /// How many there are.
    #[serde(rename = "quantidade")]
    pub count: u64,
}

/// What `GET /saldo/consolidado` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConsolidatedBalance {
    /// The house's own balance.
    #[serde(rename = "casa")]
    pub house: HouseTotals,
    /// All subaccounts together.
    #[serde(rename = "clientes")]
    pub customers: CustomerTotals,
    /// Everything together.
    #[serde(rename = "total_cents", with = "super::plain")]
    pub total: value::Balance,
    /// Of it, the balances below zero.
    #[serde(rename = "total_negativo_cents", with = "super::plain")]
    pub total_negative: value::Balance,
}

/// Of [`Customers`]: subaccounts, in the order of their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Customer {
    /// The subaccount.
    #[serde(rename = "customer_ref")]
    pub customer: String,
    /// What can be spent.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: value::Balance,
    /// What is held.
    #[serde(rename = "bloqueado_cents", with = "super::plain")]
    pub blocked: Cents,
}

/// What `GET /saldo/clientes` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Customers {
    /// Subaccounts, in the order of their names.
    pub items: Vec<Customer>,
    /// Cursor of the next page; null ends the list.
    #[serde(rename = "next_cursor")]
    pub next: Option<String>,
}

/// What `GET /comissao` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Commission {
    /// The commission earned and not withdrawn.
    #[serde(rename = "saldo_cents", with = "super::plain")]
    pub balance: value::Balance,
    /// What of it can be withdrawn.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: value::Balance,
    /// How many entries its ledger has.
    #[serde(rename = "movimentos")]
    pub entries: u64,
    /// When it was last withdrawn.
    #[serde(rename = "ultimo_saque_em", with = "super::plain")]
    pub last_withdrawal_at: Option<Instant>,
    /// When it can be withdrawn again.
    #[serde(rename = "proximo_saque_em", with = "super::plain")]
    pub next_withdrawal_at: Option<Instant>,
}

/// Of [`CommissionStatement`]: entries, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommissionRow {
    /// The id of the entry.
    #[serde(rename = "movimento_id")]
    pub id: String,
    /// Its kind.
    #[serde(rename = "tipo")]
    pub kind: StatementKind,
    /// What it is called.
    #[serde(rename = "descricao")]
    pub description: String,
    /// What it did to the balance.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: value::Balance,
    /// The balance after it.
    #[serde(rename = "saldo_apos_cents", with = "super::plain")]
    pub balance_after: value::Balance,
    /// The operation that it is of.
    #[serde(rename = "origem_id")]
    pub operation: OperationId,
    /// When it was booked.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}

/// What `GET /comissao/extrato` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommissionStatement {
    /// Entries, newest first.
    #[serde(rename = "movimentos")]
    pub entries: Vec<CommissionRow>,
    /// Whether there is another page.
    pub has_more: bool,
    /// Before of the next page; null ends the list.
    #[serde(rename = "proxima_pagina")]
    pub next: Option<String>,
}
