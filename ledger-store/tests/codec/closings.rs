//! Samples of statements that were received and of days that were closed.

use ledger_core::accounting::{
    DayAccount, DayClose, OpenCount, ReceivedStatement, StatementSource, StatementTotal,
};
use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, EvidenceHash, Seq};
use ledger_core::ledger::{Cause, Event, Record};

use super::catalogue::{Absent, Given, Options, at, record};

fn events(options: Options) -> Vec<Event> {
    let hash = EvidenceHash([0xe1; 32]);
    let optional = |units| options.optional(Units::new(units).unwrap());
    let total = StatementTotal {
        account: "provider brl".into(),
        opening: optional(21),
        closing: optional(22),
        incoming: optional(23),
        outgoing: optional(24),
        movements: 3,
    };
    let statements = StatementSource::ALL.map(|source| {
        Event::StatementReceived(Box::new(ReceivedStatement {
            sha256: hash,
            source,
            origin: "conta 1".into(),
            begins: at(1),
            ends: at(2),
            made_at: options.optional(at(3)),
            totals: vec![total.clone()],
        }))
    });
    let account = DayAccount {
        asset: options.optional(AssetId(1)),
        account: "treas".into(),
        chain: options.optional(ChainId(2)),
        opening_debit: optional(11),
        opening_credit: optional(12),
        debits: optional(13),
        credits: optional(14),
    };
    let close = DayClose {
        begins: at(1),
        ends: at(2),
        last: Seq(1_026),
        accounts: vec![account],
        statements: vec![hash],
        matching: options.optional(hash),
        open: vec![OpenCount { reason: "hold".into(), count: 2 }],
    };
    let closed = [Event::DayClosed(Box::new(close)), Event::DayReopened { begins: at(1) }];
    statements.into_iter().chain(closed).collect()
}

/// Its sample's name.
pub fn name(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::StatementReceived(statement) => match statement.source {
            StatementSource::Provider => "statement-received-provider",
            StatementSource::Chain => "statement-received-chain",
            StatementSource::Exchange => "statement-received-exchange",
        },
        Event::DayClosed(_) => "day-closed",
        Event::DayReopened { .. } => "day-reopened",
        _ => return None,
    })
}

pub fn samples() -> Vec<(String, Record)> {
    let samples = events(Given).into_iter().zip(events(Absent)).flat_map(|(event, bare)| {
        let name = name(&event).unwrap_or_default();
        let differs = event != bare;
        let given = (name.to_owned(), record(vec![event], Cause::default()));
        let bare = (format!("{name}-bare"), record(vec![bare], Cause::default()));
        [given].into_iter().chain(differs.then_some(bare))
    });
    samples.collect()
}
