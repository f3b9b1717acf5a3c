//! Applying the events of wallets: where each operation stands, and what the indexes keep of it.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};

impl State {
    /// An event of a wallet happened.
    pub(in crate::ledger) fn wallet(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        event: &Event,
    ) -> Result<(), &'static str> {
        match event {
            Event::WalletDeposit { op, event } => self.wallet_deposit(archive, record, *op, event),
            Event::WalletPayment { op, event } => self.wallet_payment(archive, record, *op, event),
            Event::CryptoWithdrawal { op, event } => {
                self.crypto_withdrawal(archive, record, *op, event)
            }
            Event::WalletQuoted { op, event } => self.wallet_quoted(archive, record, *op, event),
            _ => unreachable!("only events of wallets are handed on"),
        }
    }

    fn wallet_deposit(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &deposit::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = deposit::State::Absent;
        let state = before.as_ref().and_then(Operation::wallet_deposit).unwrap_or(&absent);
        if op.kind() != Kind::WalletDeposit || !deposit::follows(state, event) {
            return Err("the deposit is not where this could happen to it");
        }
        if let deposit::Event::Requested(order) = event {
            self.awaits_alone(order)?;
        }
        let after = deposit::evolve(state, event, record.at);
        self.wallets.deposit(op, state, &after);
        self.settle(archive, op, before, Machine::WalletDeposit(after), record.at)
    }

    fn crypto_withdrawal(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &withdrawal::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = withdrawal::State::Absent;
        let state = before.as_ref().and_then(Operation::crypto_withdrawal).unwrap_or(&absent);
        if op.kind() != Kind::CryptoWithdrawal || !withdrawal::follows(state, event) {
            return Err("the withdrawal is not where this could happen to it");
        }
        if let withdrawal::Event::Requested(order) = event {
            self.wallets.list(order.terms.account, op);
        }
        let after = withdrawal::evolve(state, event);
        self.settle(archive, op, before, Machine::CryptoWithdrawal(after), record.at)
    }

    fn wallet_payment(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &payment::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = payment::State::Absent;
        let state = before.as_ref().and_then(Operation::wallet_payment).unwrap_or(&absent);
        if op.kind() != Kind::WalletPayment || !payment::follows(state, event) {
            return Err("the payment is not where this could happen to it");
        }
        if let payment::Event::Requested(order) = event {
            self.wallets.list(order.account, op);
        }
        let after = payment::evolve(state, event);
        self.settle(archive, op, before, Machine::WalletPayment(after), record.at)
    }

    fn wallet_quoted(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &quote::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = quote::State::Absent;
        let state = before.as_ref().and_then(Operation::quote).unwrap_or(&absent);
        if op.kind() != Kind::Quote || !quote::follows(state, event) {
            return Err("the quote is not where this could happen to it");
        }
        let after = quote::evolve(state, event);
        self.settle(archive, op, before, Machine::Quote(after), record.at)
    }

    /// No other open request at the address awaits the same amount (INV-38).
    fn awaits_alone(&self, order: &deposit::Order) -> Result<(), &'static str> {
        let known = self.account(order.account).map(|_| ());
        known.ok_or("a deposit is requested by an account that exists")?;
        let other = self.wallets.awaiting(order.chain, &order.address, order.amount);
        other.map_or(Ok(()), |_| Err("open requests at one address await different amounts"))
    }
}
