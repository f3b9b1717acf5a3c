//! The part of the table that tells of statements and of the close of days.

use ledger_core::accounting::{
    DayAccount, DayClose, OpenCount, ReceivedStatement, StatementSource, StatementTotal,
};
use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, EvidenceHash, Seq};
use ledger_core::ledger::Event;

use super::Ink;

impl Ink {
    pub(super) fn closings(&self) -> Vec<Event> {
        let [low, high] = self.token.0.map(u16::from)[..2] else { unreachable!() };
        let units = Units::new(u128::from(self.amount.cents().unsigned_abs()));
        let account = DayAccount {
            asset: self.maybe(AssetId(low)),
            account: self.text(),
            chain: self.maybe(ChainId(high)),
            opening_debit: units.filter(|_| self.some),
            opening_credit: units.filter(|_| !self.some),
            debits: units,
            credits: None,
        };
        let hash = EvidenceHash([self.token.0[0]; 32]);
        let open = OpenCount { reason: self.text(), count: u64::from(self.id) };
        let close = DayClose {
            begins: self.at,
            ends: self.at,
            last: Seq(self.seq),
            accounts: vec![account],
            statements: self.maybe(hash).into_iter().collect(),
            matching: self.maybe(hash),
            open: vec![open],
        };
        let total = StatementTotal {
            account: self.text(),
            opening: units.filter(|_| self.some),
            closing: units,
            incoming: units.filter(|_| !self.some),
            outgoing: None,
            movements: u64::from(self.id),
        };
        let statements = StatementSource::ALL.map(|source| ReceivedStatement {
            sha256: hash,
            source,
            origin: self.text(),
            begins: self.at,
            ends: self.at,
            made_at: self.maybe(self.at),
            totals: vec![total.clone()],
        });
        let received = statements.map(|it| Event::StatementReceived(Box::new(it)));
        let reopened = Event::DayReopened { begins: self.at };
        received.into_iter().chain([Event::DayClosed(Box::new(close)), reopened]).collect()
    }
}
