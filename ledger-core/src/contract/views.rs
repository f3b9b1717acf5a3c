//! Views of charges, payouts, transfers and balances, with the contract's exact field names.

use serde_json::Value;

use super::input::tokens::Vault;
use crate::id::{Kind, OpId, Token};
use crate::ledger::{Archive, Machine, Operation, State};

/// What views are computed from: committed state, its archive, and the vault.
pub struct Views<'a, A, V> {
    /// The committed state, as of its last record.
    pub state: &'a State,
    /// What has ended, by its keys.
    pub archive: &'a A,
    /// Personal values by their tokens; one that was erased is shown as erased.
    pub vault: &'a V,
}

/// What stands where a person was erased.
const ERASED: &str = "[apagado]";

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// An operation by the id this ledger gave it, wherever it is kept.
    #[must_use]
    pub fn operation(&self, op: OpId) -> Option<Operation> {
        self.state.open(op).cloned().or_else(|| self.archive.ended(op))
    }

    /// The answer to the request that created an operation, as the operation stands now.
    #[must_use]
    pub fn created(&self, op: OpId, operation: &Operation) -> Value {
        match &operation.machine {
            Machine::Charge(state) => self.charge(op, state).into(),
            Machine::Payout(state) => self.payout(op, operation, state).into(),
            Machine::Transfer(state) => self.transfer(op, operation, state).into(),
            Machine::Conversion(state) => match op.kind() {
                Kind::CommissionWithdrawal => self.commission_withdrawal(op, state).into(),
                _ => self.conversion(op, state).into(),
            },
            Machine::CashOut(state) => self.cash_out(op, operation, state),
            Machine::WalletDeposit(_) => self.wallet_deposit(op, operation).into(),
            Machine::CryptoWithdrawal(_) => self.wallet_withdrawal(op, operation),
            Machine::Quote(_) => self.wallet_quote(op, operation),
            Machine::WalletPayment(_) => self.wallet_payment(op, operation).into(),
            Machine::Hold(_)
            | Machine::Suspense(_)
            | Machine::ErroneousDelivery(_)
            | Machine::UnmatchedDeposit(_)
            | Machine::Adjustment(_) => Value::Null,
        }
    }

    /// A value from the vault, or the word that it was erased.
    #[must_use]
    pub fn value(&self, token: Token) -> String {
        self.vault.value(token).unwrap_or(ERASED).to_owned()
    }

    pub(super) fn mask(&self, token: Token) -> String {
        self.vault.mask(token).unwrap_or(ERASED).to_owned()
    }
}
