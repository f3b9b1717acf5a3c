//! Statements: the accounting view and the view of operations, paged by cursors (STM).

use serde_json::{Value, json};

use super::error::{Code, Problem};
use super::input::cursor::{issue, read};
use super::input::tokens::Vault;
use super::registry::{Facts, facts};
use super::views::Views;
use super::wire_names;
use crate::accounting::{Nature, Row, RowKind};
use crate::id::{AccountId, OpId, SubaccountId, Token};
use crate::ledger::{Archive, Operation};

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
pub struct StatementQuery<'a> {
    /// The API account, by its key.
    pub account: AccountId,
    /// The subaccount; none when its name was never seen.
    pub subaccount: Option<SubaccountId>,
    /// The subaccount's name; none for the house.
    pub customer: Option<&'a str>,
    /// A row a leg, or a row an operation's step (`visao`).
    pub view: View,
    /// How many rows, 1 to 200.
    pub limit: usize,
    /// Where the page before ended.
    pub before: Option<&'a str>,
}

/// Where a statement is read: the fold itself, or tables that equal it.
pub trait Rows {
    /// Why a row could not be read; a wrong cursor is one reason.
    type Error: From<Problem>;

    /// How many rows the subaccount has.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn count(&mut self) -> Result<u32, Self::Error>;

    /// A row by its number, from 1.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn row(&mut self, number: u32) -> Result<Row, Self::Error>;

    /// The contract's words for how an operation stands now.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn words(&mut self, op: OpId) -> Result<Words, Self::Error>;

    /// The id of an operation whose row was given, as clients see it.
    fn id(&mut self, op: OpId) -> String;

    /// A value from the vault, or the word that it was erased.
    fn value(&mut self, token: Token) -> String;
}

/// How an operation stands: its `status` and `settlement_status`, where it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The word of `status`; none where the operation has none.
    pub status: Option<String>,
    /// The word of `settlement_status`; none where the operation has none.
    pub settlement: Option<String>,
}

/// `GET /saldo/extrato` (rulings 41) of the ledger of this name: newest first.
///
/// A page ends at a row's number and the next begins below it, so pages of one walk neither repeat
/// nor skip a row, whatever is appended meanwhile (STM-20).
///
/// # Errors
///
/// `requisicao_invalida` for a cursor not issued for this subaccount and view (STM-12, STM-13);
/// whatever `rows` fails with.
pub fn statement<R: Rows>(
    ledger: &str,
    asked: &StatementQuery<'_>,
    rows: &mut R,
) -> Result<Value, R::Error> {
    Page { ledger, asked, rows }.render()
}

pub(super) struct Page<'a, R> {
    pub(super) ledger: &'a str,
    pub(super) asked: &'a StatementQuery<'a>,
    pub(super) rows: &'a mut R,
}

impl<R: Rows> Page<'_, R> {
    fn render(mut self) -> Result<Value, R::Error> {
        let asked = self.asked;
        let rows = if asked.subaccount.is_some() { self.rows.count()? } else { 0 };
        let mut number = match asked.before {
            Some(cursor) => self.read_cursor(cursor, rows)?.saturating_sub(1),
            None => rows,
        };
        let mut items = Vec::new();
        while number > 0 && items.len() < asked.limit {
            let first = match asked.view {
                View::Entries => number,
                View::Operations => self.first_of_step(number)?,
            };
            items.push(self.item(first, number)?);
            number = first - 1;
        }
        let next = (number > 0).then(|| self.cursor(asked.view, number + 1));
        Ok(page(asked.view, asked.customer, &items, next.as_deref()))
    }

    /// The item of these rows: one row, or those of one step.
    pub(super) fn item(&mut self, first: u32, last: u32) -> Result<Value, R::Error> {
        match self.asked.view {
            View::Entries => self.entry_row(last),
            View::Operations => self.operation_row(first, last),
        }
    }

    /// The first row of the step that row `number` belongs to: rows of one event stand together.
    pub(super) fn first_of_step(&mut self, number: u32) -> Result<u32, R::Error> {
        let step = |row: &Row| (row.seq, row.event);
        let last = self.rows.row(number)?;
        let mut first = number;
        while first > 1 && step(&self.rows.row(first - 1)?) == step(&last) {
            first -= 1;
        }
        Ok(first)
    }

    fn entry_row(&mut self, number: u32) -> Result<Value, R::Error> {
        let row = self.rows.row(number)?;
        let label = wire_names::row_label(row.kind, row.nature);
        Ok(json!({
            "movimento_id": self.cursor(View::Entries, number),
            "tipo": wire_names::row_kind(row.kind),
            "valor_cents": row.value.cents(),
            "saldo_apos_cents": row.balance_after.cents(),
            "origem_id": self.rows.id(row.op),
            "descricao": row.note.map_or_else(|| label.to_owned(), |note| self.rows.value(note)),
            "created_at": row.at.to_string(),
        }))
    }

    /// One step of an operation: principal and fees, never netted with another step (STM-04..08).
    fn operation_row(&mut self, first: u32, last: u32) -> Result<Value, R::Error> {
        let rows: Result<Vec<Row>, _> =
            (first..=last).map(|number| self.rows.row(number)).collect();
        let rows = rows?;
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
                "valor_cents": fee.unsigned_abs(),
                "efeito_saldo_cents": fee,
            })]
        };
        let ids = (first..=last).map(|number| self.cursor(View::Entries, number));
        let ids: Vec<String> = ids.collect();
        let row = &rows[0];
        let Words { status, settlement } = match row.kind {
            // It says what became of the row, not of the operation it undoes.
            RowKind::Reversal => {
                Words { status: Some(wire_names::REVERSED.into()), settlement: None }
            }
            _ => self.rows.words(row.op)?,
        };
        Ok(json!({
            "valor_cents": principal + fee,
            "valor_operacao_cents": principal,
            "taxas_cents": fee.unsigned_abs(),
            "taxas": fees,
            "movimentos_ids": ids,
            "origem_id": self.rows.id(row.op),
            "tipo": wire_names::row_kind(row.kind),
            "status": status,
            "status_label": status.as_deref().and_then(wire_names::label),
            "settlement_status": settlement,
        }))
    }

    /// A decimal string: the row's number, then six digits derived from whom it is issued for.
    pub(super) fn cursor(&self, view: View, number: u32) -> String {
        let subaccount = self.asked.subaccount.map_or(u32::MAX, |id| id.0);
        issue(self.ledger, view as u8, self.asked.account, subaccount, u64::from(number))
    }

    pub(super) fn read_cursor(&mut self, text: &str, rows: u32) -> Result<u32, R::Error> {
        let asked = self.asked;
        let subaccount = asked.subaccount.map_or(u32::MAX, |id| id.0);
        let number = read(self.ledger, asked.view as u8, asked.account, subaccount, text);
        let number = number.and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| (1..=rows).contains(number));
        let whole = match number {
            Some(number) if asked.view == View::Operations => self.first_of_step(number)? == number,
            _ => true,
        };
        number.filter(|_| whole).ok_or_else(|| {
            let detail = "before must be the proxima_pagina of this subaccount and view";
            Problem::new(Code::RequestInvalid, detail).into()
        })
    }
}

/// A page: its items, newest first, and where the next one begins, if more follow.
pub(super) fn page(
    view: View,
    customer: Option<&str>,
    items: &[Value],
    next: Option<&str>,
) -> Value {
    json!({
        "visao": match view { View::Entries => "lancamentos", View::Operations => "operacoes" },
        "customer_ref": customer,
        "items": items,
        "has_more": next.is_some(),
        "proxima_pagina": next,
    })
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// `GET /saldo/extrato` of what these views show: see [`statement`].
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for a cursor not issued for this subaccount and view.
    pub fn statement(&self, asked: &StatementQuery<'_>) -> Result<Value, Problem> {
        let subaccount = asked.subaccount.unwrap_or(SubaccountId(u32::MAX));
        statement(&self.state.name, asked, &mut Folded { views: self, subaccount })
    }
}

/// The rows of one subaccount as the ledger has folded them.
pub(super) struct Folded<'a, A, V> {
    pub(super) views: &'a Views<'a, A, V>,
    pub(super) subaccount: SubaccountId,
}

impl<A: Archive, V: Vault> Rows for Folded<'_, A, V> {
    type Error = Problem;

    fn count(&mut self) -> Result<u32, Problem> {
        Ok(self.views.state.books.subaccount(self.subaccount).rows)
    }

    fn row(&mut self, number: u32) -> Result<Row, Problem> {
        let row = self.views.archive.row(self.subaccount, number);
        Ok(row.expect("the books count only rows that the archive was given"))
    }

    fn words(&mut self, op: OpId) -> Result<Words, Problem> {
        Ok(self.views.operation(op).as_ref().map(Words::for_operation).unwrap_or_default())
    }

    fn id(&mut self, op: OpId) -> String {
        op.text(&self.views.state.name)
    }

    fn value(&mut self, token: Token) -> String {
        self.views.value(token)
    }
}

impl Words {
    /// The words for an operation as it stands.
    #[must_use]
    pub fn for_operation(operation: &Operation) -> Self {
        let Facts { status, settlement, .. } = facts(operation);
        Self { status: status.map(str::to_owned), settlement: settlement.map(str::to_owned) }
    }
}
