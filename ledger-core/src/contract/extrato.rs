//! Statements: the accounting view and the view of operations, paged by cursors (STM).

use serde_json::{Value, json};

use super::error::{Code, Problem};
use super::names;
use super::tokens::Vault;
use super::views::Desk;
use crate::accounting::{Nature, Row};
use crate::id::{AccountId, CustodyId};
use crate::ledger::Archive;

/// Which view of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A row a leg: the accounting ledger.
    Entries,
    /// A row an operation's step: `visao=operacoes`.
    Operations,
}

/// What is asked of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Whose account.
    pub account: AccountId,
    /// The subaccount; none when its name was never seen.
    pub custody: Option<CustodyId>,
    /// The subaccount's name; none for the house.
    pub customer: Option<&'a str>,
    /// Which view.
    pub view: View,
    /// How many rows, 1 to 200.
    pub limit: usize,
    /// Where the page before ended.
    pub before: Option<&'a str>,
}

/// How many digits of a cursor say whom it was issued for.
const CHECK_DIGITS: u64 = 1_000_000;

impl<A: Archive, V: Vault> Desk<'_, A, V> {
    /// `GET /saldo/extrato` (rulings 41): newest first.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for a cursor not issued for this subaccount and view (STM-12, STM-13).
    pub fn statement(&self, asked: &Asked<'_>) -> Result<Value, Problem> {
        let rows = asked.custody.map_or(0, |id| self.state.books.custody(id).rows);
        let mut number = match asked.before {
            Some(cursor) => self.read_cursor(asked, cursor, rows)?.saturating_sub(1),
            None => rows,
        };
        let mut items = Vec::new();
        while let (Some(custody), true) = (asked.custody, number > 0 && items.len() < asked.limit) {
            let first = match asked.view {
                View::Entries => number,
                View::Operations => self.first_of_step(custody, number),
            };
            items.push(match asked.view {
                View::Entries => self.entry_row(asked, custody, number),
                View::Operations => self.operation_row(asked, custody, first, number),
            });
            number = first - 1;
        }
        let next = (number > 0).then(|| self.cursor(asked, number + 1));
        Ok(json!({
            "visao": match asked.view { View::Entries => "lancamentos", View::Operations => "operacoes" },
            "customer_ref": asked.customer,
            "items": items,
            "has_more": next.is_some(),
            "proxima_pagina": next,
        }))
    }

    /// The first row of the step that row `number` belongs to: rows of one event stand together.
    fn first_of_step(&self, custody: CustodyId, number: u32) -> u32 {
        let step = |row: &Row| (row.seq, row.event);
        let last = self.row(custody, number);
        let mut first = number;
        while first > 1 && step(&self.row(custody, first - 1)) == step(&last) {
            first -= 1;
        }
        first
    }

    fn row(&self, custody: CustodyId, number: u32) -> Row {
        let row = self.archive.row(custody, number);
        row.expect("the books count only rows that the archive was given")
    }

    fn entry_row(&self, asked: &Asked<'_>, custody: CustodyId, number: u32) -> Value {
        let row = self.row(custody, number);
        let label = names::row_label(row.kind, row.nature);
        json!({
            "movimento_id": self.cursor(&Asked { view: View::Entries, ..*asked }, number),
            "tipo": names::row_kind(row.kind),
            "valor_cents": row.value.cents(),
            "saldo_apos_cents": row.balance_after.cents(),
            "origem_id": row.op.text(&self.state.name),
            "descricao": row.note.map_or_else(|| label.to_owned(), |note| self.value(note)),
            "created_at": row.at.to_string(),
        })
    }

    /// One step of an operation: principal and fees, never netted with another step (STM-04..08).
    fn operation_row(&self, asked: &Asked<'_>, custody: CustodyId, first: u32, last: u32) -> Value {
        let rows: Vec<Row> = (first..=last).map(|number| self.row(custody, number)).collect();
        let sum = |nature: Nature| -> i64 {
            rows.iter().filter(|row| row.nature == nature).map(|row| row.value.cents()).sum()
        };
        let (principal, fee) = (sum(Nature::Principal), sum(Nature::Fee));
        let fees = if fee == 0 {
            Vec::new()
        } else {
            vec![json!({
                "tipo": "servico",
                "descricao": "Taxa de serviço",
                "valor_cents": fee.abs(),
                "efeito_saldo_cents": fee,
            })]
        };
        let entries = Asked { view: View::Entries, ..*asked };
        let ids: Vec<String> = (first..=last).map(|number| self.cursor(&entries, number)).collect();
        let row = &rows[0];
        let operation = self.operation(row.op);
        let status = operation.as_ref().and_then(names::status);
        let settlement = operation.as_ref().and_then(names::settlement);
        json!({
            "valor_cents": principal + fee,
            "valor_operacao_cents": principal,
            "taxas_cents": fee.abs(),
            "taxas": fees,
            "movimentos_ids": ids,
            "origem_id": row.op.text(&self.state.name),
            "tipo": names::row_kind(row.kind),
            "status": status.map(|(status, _)| status),
            "status_label": status.map(|(_, label)| label),
            "settlement_status": settlement,
        })
    }

    /// A decimal string: the row's number, then six digits derived from whom it is issued for.
    fn cursor(&self, asked: &Asked<'_>, number: u32) -> String {
        format!("{number}{:06}", self.check(asked))
    }

    fn read_cursor(&self, asked: &Asked<'_>, text: &str, rows: u32) -> Result<u32, Problem> {
        let invalid = || {
            let detail = "before must be the proxima_pagina of this subaccount and view";
            Problem::new(Code::RequestInvalid, detail)
        };
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        let value: u64 = if digits { text.parse().map_err(|_| invalid())? } else { 0 };
        let number = u32::try_from(value / CHECK_DIGITS).map_err(|_| invalid())?;
        let issued = value % CHECK_DIGITS == self.check(asked);
        if !issued || !(1..=rows).contains(&number) {
            return Err(invalid());
        }
        let begins = |custody| self.first_of_step(custody, number) == number;
        let whole = asked.view == View::Entries || asked.custody.is_some_and(begins);
        if whole { Ok(number) } else { Err(invalid()) }
    }

    fn check(&self, asked: &Asked<'_>) -> u64 {
        self.six_digits(asked.view as u8, asked.account, asked.custody.map_or(u32::MAX, |id| id.0))
    }

    /// A cursor of `GET /saldo/clientes`: the last subaccount shown, and the same six digits.
    pub(super) fn customer_cursor(&self, account: AccountId, custody: CustodyId) -> String {
        format!("{}{:06}", u64::from(custody.0) + 1, self.six_digits(2, account, 0))
    }

    /// The subaccount a cursor names.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` when it was not issued for this account.
    pub(super) fn read_customer_cursor(
        &self,
        account: AccountId,
        text: &str,
    ) -> Result<CustodyId, Problem> {
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        let value: Option<u64> = if digits { text.parse().ok() } else { None };
        let issued = value.filter(|value| value % CHECK_DIGITS == self.six_digits(2, account, 0));
        let number = issued.and_then(|value| (value / CHECK_DIGITS).checked_sub(1));
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.map(CustodyId).ok_or_else(|| {
            let detail = "cursor must be the next_cursor of this account";
            Problem::new(Code::RequestInvalid, detail)
        })
    }

    /// A cursor of `GET /comissao/extrato`.
    pub(super) fn commission_cursor(&self, account: AccountId, number: u32) -> String {
        format!("{number}{:06}", self.six_digits(3, account, 0))
    }

    /// The row a cursor of a commission names; none when it was not issued for this account.
    pub(super) fn read_commission_cursor(&self, account: AccountId, text: &str) -> Option<u32> {
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        let value: Option<u64> = if digits { text.parse().ok() } else { None };
        let issued =
            value.filter(|value| value % CHECK_DIGITS == self.six_digits(3, account, 0))?;
        u32::try_from(issued / CHECK_DIGITS).ok()
    }

    fn six_digits(&self, view: u8, account: AccountId, custody: u32) -> u64 {
        let mut hasher = blake3::Hasher::new_derive_key("custody-ledger statement cursor v1");
        hasher.update(self.state.name.as_bytes());
        hasher.update(&[0, view]);
        hasher.update(&account.0.to_le_bytes());
        hasher.update(&custody.to_le_bytes());
        crate::id::first_eight(hasher.finalize().as_bytes()) % CHECK_DIGITS
    }
}
