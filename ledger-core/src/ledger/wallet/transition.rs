//! Applying the events of wallets: where each operation stands, and what the indexes keep of it.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::machine::wallet::{deposit, payment, withdrawal};

impl State {
    pub(in crate::ledger) fn wallet_deposit(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &deposit::Event,
    ) -> Result<(), &'static str> {
        self.moves::<deposit::State>(archive, record.at, (op, event), |ledger, before, after| {
            if let deposit::Event::Requested(order) = event {
                ledger.awaits_alone(order)?;
            }
            ledger.wallets.deposit(op, before, after);
            Ok(())
        })
    }

    pub(in crate::ledger) fn crypto_withdrawal(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &withdrawal::Event,
    ) -> Result<(), &'static str> {
        self.moves::<withdrawal::State>(archive, record.at, (op, event), |ledger, _, _| {
            if let withdrawal::Event::Requested(order) = event {
                ledger.wallets.list(order.terms.account, op);
            }
            Ok(())
        })
    }

    pub(in crate::ledger) fn wallet_payment(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &payment::Event,
    ) -> Result<(), &'static str> {
        self.moves::<payment::State>(archive, record.at, (op, event), |ledger, _, _| {
            if let payment::Event::Requested(order) = event {
                ledger.wallets.list(order.account, op);
            }
            Ok(())
        })
    }

    /// No other open request at the address awaits the same amount (INV-38).
    fn awaits_alone(&self, order: &deposit::Order) -> Result<(), &'static str> {
        let known = self.account(order.account).map(|_| ());
        known.ok_or("a deposit is requested by an account that exists")?;
        let other = self.wallets.awaiting(order.chain, &order.address, order.amount);
        other.map_or(Ok(()), |_| Err("open requests at one address await different amounts"))
    }
}
