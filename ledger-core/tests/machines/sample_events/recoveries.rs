//! The part of the table that tells of recoveries.

use ledger_core::id::Kind;
use ledger_core::ledger::Event;

use super::Ink;

impl Ink {
    pub(super) fn recoveries(&self) -> [Event; 4] {
        let (recovery, amount) = (|| self.text(), self.amount);
        let (blocks_until, decides_until) = (self.at, self.at);
        let cause = self.op(Kind::Charge);
        [
            Event::RecoveryOpened {
                recovery: recovery(),
                cause,
                amount,
                blocks_until,
                decides_until,
            },
            Event::RecoveryBlocked { recovery: recovery(), hold: self.op(Kind::Hold) },
            Event::RecoveryDecided { recovery: recovery(), accepted: amount.as_cents() },
            Event::RecoveryRefunded { recovery: recovery(), return_id: self.text(), amount },
        ]
    }
}
