//! A page of the view of operations never begins in the middle of a step (STM-12).

use ledger_core::accounting::{Nature, Row, RowKind};
use ledger_core::contract::{Asked, Code, Problem, Rows, View, Words, statement};
use ledger_core::id::{AccountId, CustodyId, Kind, OpId, Seq, Token};
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use serde_json::Value;

/// Rows by the number of the event that each belongs to.
struct Steps(&'static [u16]);

impl Rows for Steps {
    type Error = Problem;

    fn count(&mut self) -> Result<u32, Problem> {
        Ok(u32::try_from(self.0.len()).unwrap())
    }

    fn row(&mut self, number: u32) -> Result<Row, Problem> {
        Ok(Row {
            seq: Seq(1),
            event: self.0[number as usize - 1],
            at: Instant::default(),
            op: OpId::new(Kind::Payout, Seq(1)),
            kind: RowKind::Payout,
            nature: Nature::Principal,
            value: Balance::default(),
            balance_after: Balance::default(),
            note: None,
        })
    }

    fn words(&mut self, _: OpId) -> Result<Words, Problem> {
        Ok(Words::default())
    }

    fn value(&mut self, _: Token) -> String {
        String::new()
    }
}

fn page(rows: &'static [u16], before: Option<&str>) -> Result<Value, Problem> {
    let asked = Asked {
        account: AccountId(1),
        custody: Some(CustodyId(1)),
        customer: None,
        view: View::Operations,
        limit: 1,
        before,
    };
    statement("live", &asked, &mut Steps(rows))
}

#[test]
fn a_cursor_that_would_show_half_a_step_is_refused() {
    let first = page(&[0, 1], None).unwrap();
    assert_eq!(first["items"].as_array().unwrap().len(), 1);
    let cursor = first["proxima_pagina"].as_str().unwrap();
    assert_eq!(page(&[0, 1], Some(cursor)).unwrap()["proxima_pagina"], Value::Null);
    let refused = page(&[0, 0], Some(cursor)).unwrap_err();
    assert_eq!(refused.code, Code::RequestInvalid);
}
