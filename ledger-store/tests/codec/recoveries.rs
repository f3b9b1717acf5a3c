//! Samples of recoveries of contested PIX.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::money::{Amount, Cents};

use super::catalogue::{at, record};

fn events() -> [Event; 4] {
    let recovery = || "rec-1".into();
    let amount = |cents| Amount::new(cents).unwrap();
    [
        Event::RecoveryOpened {
            recovery: recovery(),
            cause: OpId::new(Kind::Charge, Seq(1_027)),
            amount: amount(31),
            blocks_until: at(1),
            decides_until: at(2),
        },
        Event::RecoveryBlocked { recovery: recovery(), hold: OpId::new(Kind::Hold, Seq(1_028)) },
        Event::RecoveryDecided { recovery: recovery(), accepted: Cents::new(32).unwrap() },
        Event::RecoveryRefunded {
            recovery: recovery(),
            return_id: "D9040088820261124120000123873171".into(),
            amount: amount(33),
        },
    ]
}

/// Its sample's name.
pub fn name(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::RecoveryOpened { .. } => "recovery-opened",
        Event::RecoveryBlocked { .. } => "recovery-blocked",
        Event::RecoveryDecided { .. } => "recovery-decided",
        Event::RecoveryRefunded { .. } => "recovery-refunded",
        _ => return None,
    })
}

pub fn samples() -> Vec<(String, Record)> {
    let samples = events().into_iter().map(|event| {
        let name = name(&event).unwrap_or_default();
        (name.to_owned(), record(vec![event], Cause::default()))
    });
    samples.collect()
}
