//! What the indexes of wallets keep of each operation.

use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};

impl Applied for deposit::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let deposit::Event::Requested(order) = moved.event {
            state.awaits_alone(order)?;
            state.wallets.keep(moved.op, order);
        }
        state.wallets.deposit(moved.op, moved.before, moved.after);
        Ok(())
    }
}

impl Applied for withdrawal::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let withdrawal::Event::Requested(order) = moved.event {
            state.wallets.list(order.terms.account, moved.op);
        }
        Ok(())
    }
}

impl Applied for payment::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let payment::Event::Requested(order) = moved.event {
            state.wallets.list(order.account, moved.op);
        }
        Ok(())
    }
}

impl Applied for quote::State {}

impl State {
    /// No other open request at the address awaits the same amount (INV-38).
    fn awaits_alone(&self, order: &deposit::Order) -> Result<(), &'static str> {
        let known = self.account(order.account).map(|_| ());
        known.ok_or("a deposit is requested by an account that exists")?;
        let other = self.wallets.awaiting(order.chain, &order.spelled_address(), order.amount);
        let other = other.and_then(|op| self.open(op)?.wallet_deposit()?.order());
        // Before there was one spelling, two of one address were two addresses.
        let same = other.is_some_and(|other| other.address == order.address);
        if same { Err("open requests at one address await different amounts") } else { Ok(()) }
    }
}
