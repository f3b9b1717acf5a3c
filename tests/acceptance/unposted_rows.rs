//! Rows of a statement that nobody posted, to ask how it shows them.

use ledger_core::accounting::{Nature, Row, RowKind};
use ledger_core::contract::{Problem, Rows, StatementQuery, View, Words, statement};
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use serde_json::Value;

/// Rows of one record by the number of the event that each belongs to, and how their operations
/// stand.
pub struct Unposted {
    pub events: &'static [u16],
    pub status: Option<&'static str>,
}

impl Rows for Unposted {
    type Error = Problem;

    fn count(&mut self) -> Result<u32, Problem> {
        Ok(u32::try_from(self.events.len()).unwrap())
    }

    fn row(&mut self, number: u32) -> Result<Row, Problem> {
        Ok(Row {
            seq: Seq(1),
            event: self.events[number as usize - 1],
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
        Ok(Words { status: self.status.map(str::to_owned), settlement: None })
    }

    fn id(&mut self, op: OpId) -> String {
        op.text(&"live".into())
    }

    fn value(&mut self, _: Token) -> String {
        String::new()
    }
}

/// The page of one operation that their statement shows.
pub fn page(rows: &mut Unposted, before: Option<&str>) -> Result<Value, Problem> {
    let asked = StatementQuery {
        account: AccountId(1),
        subaccount: Some(SubaccountId(1)),
        customer: None,
        view: View::Operations,
        limit: 1,
        before,
    };
    statement("live", &asked, rows)
}
