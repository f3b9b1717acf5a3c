//! The partner's commission: its balance, its own ledger, and its withdrawals (COM-03, COM-04).

use serde_json::{Value, json};

use crate::contract::error::{Code, Problem};
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::contract::wire_names;
use crate::id::AccountId;
use crate::ledger::Archive;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// `GET /comissao`; the shape is ours.
    #[must_use]
    pub fn commission(&self, account: AccountId) -> Value {
        let known = self.state.books.commission(account);
        let last = self.state.account(account).and_then(|known| known.commission_withdrawn_at);
        let next = last.zip(self.state.policy.commission_interval).map(|(at, span)| at.after(span));
        json!({
            "saldo_cents": known.balance.cents(),
            "disponivel_cents": known.balance.spendable().cents(),
            "movimentos": known.rows,
            "ultimo_saque_em": last.map(|at| at.to_string()),
            "proximo_saque_em": next.filter(|at| self.state.now < *at).map(|at| at.to_string()),
        })
    }

    /// `GET /comissao/extrato`: newest first, paged as the statement is; the shape is ours.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for a cursor not issued for this account.
    pub fn commission_statement(
        &self,
        account: AccountId,
        limit: usize,
        before: Option<&str>,
    ) -> Result<Value, Problem> {
        let rows = self.state.books.commission(account).rows;
        let mut number = match before {
            None => rows,
            Some(cursor) => {
                let read = self.read_commission_cursor(account, cursor);
                let read = read.filter(|number| (1..=rows).contains(number));
                let detail = "before must be the proxima_pagina of this commission";
                read.ok_or_else(|| Problem::new(Code::RequestInvalid, detail))? - 1
            }
        };
        let mut items = Vec::new();
        while number > 0 && items.len() < limit {
            let row = self.archive.commission_row(account, number);
            let row = row.expect("the books count only rows that the archive was given");
            items.push(json!({
                "movimento_id": self.commission_cursor(account, number),
                "tipo": wire_names::row_kind(row.kind),
                "descricao": wire_names::row_label(row.kind, row.nature),
                "valor_cents": row.value.cents(),
                "saldo_apos_cents": row.balance_after.cents(),
                "origem_id": row.op.text(&self.state.name),
                "created_at": row.at.to_string(),
            }));
            number -= 1;
        }
        let next = (number > 0).then(|| self.commission_cursor(account, number + 1));
        Ok(json!({
            "movimentos": items,
            "has_more": next.is_some(),
            "proxima_pagina": next,
        }))
    }
}
