//! Corrections that people make, as the oracle sees them (rulings 29).

use ledger_core::accounting::RowKind;
use ledger_core::id::Kind;
use ledger_core::ledger::adjustment::Fact;
use ledger_core::ledger::{Income, Outcome};

use super::Oracle;
use super::books::RowOf;
use crate::goal::Goal;

impl Oracle {
    /// Foresees what people report of balances that they correct.
    pub(super) fn adjustment_fact(&mut self, fact: &Fact) -> Outcome {
        match fact {
            Fact::FeeAdjusted { account, customer, given, charged, income, .. } => {
                let (given, charged) = (given.cents(), charged.cents());
                self.fee_adjusted((account, customer.as_deref()), given, charged, *income)
            }
            Fact::BalanceWrittenOff { account, customer, amount, .. } => {
                self.written_off(account, customer.as_deref(), amount.cents())
            }
        }
    }

    fn fee_adjusted(
        &mut self,
        (account, customer): (&str, Option<&str>),
        given: i64,
        charged: i64,
        income: Income,
    ) -> Outcome {
        let account = self.account_named(account);
        let Some(subaccount) = account.and_then(|id| self.subaccount_of(id, customer)) else {
            return Outcome::SetAside(None);
        };
        let one = (given == 0) != (charged == 0);
        if !one || charged > 0 && charged > self.spendable(subaccount).cents() {
            return Outcome::SetAside(None);
        }
        let op = self.next_op(Kind::Adjustment);
        self.give(subaccount, given - charged);
        self.row(subaccount, op, RowKind::FeeAdjustment, RowOf::Fee(given - charged));
        match income {
            Income::Deposit => self.totals.deposit_income += charged - given,
            Income::Payout => self.totals.payout_income += charged - given,
            Income::Purchase => self.totals.purchase_income += charged - given,
            Income::Conversion => self.totals.conversion_income += charged - given,
        }
        if given > 0 {
            self.reach(Goal::FeeCorrected);
        }
        Outcome::Applied(Some(op))
    }

    /// No more is written off than is owed (rulings 29).
    fn written_off(&mut self, account: &str, customer: Option<&str>, amount: i64) -> Outcome {
        let account = self.account_named(account);
        let Some(subaccount) = account.and_then(|id| self.subaccount_of(id, customer)) else {
            return Outcome::SetAside(None);
        };
        if self.subaccount(subaccount).available + amount > 0 {
            return Outcome::SetAside(None);
        }
        let op = self.next_op(Kind::Adjustment);
        self.give(subaccount, amount);
        self.row(subaccount, op, RowKind::WriteOff, RowOf::Principal(amount));
        self.totals.loss += amount;
        self.reach(Goal::WrittenOff);
        Outcome::Applied(Some(op))
    }
}
