//! The oracle's books: three buckets a subaccount, one number a control account.

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, OpId, SubaccountId};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::Oracle;
use crate::goal::Goal;

/// A house balance or subaccount.
#[derive(Clone, Debug)]
pub(crate) struct Custody {
    pub(crate) account: AccountId,
    /// Its name; none for the house.
    pub(crate) customer: Option<Box<str>>,
    pub(crate) available: i64,
    pub(crate) held: i64,
    pub(crate) frozen: i64,
    pub(crate) deposited: bool,
    pub(crate) waiting_until: Option<Instant>,
    /// Its statement: what each row says.
    pub(crate) rows: Vec<RowView>,
}

/// A statement row: the operation it belongs to, what it is called, and what it says.
pub(crate) type RowView = (OpId, RowKind, RowOf);

/// What a statement row says: signed centavos of principal or fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOf {
    Principal(i64),
    Fee(i64),
}

/// The control accounts, each in its own natural sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) provider_pix: i64,
    pub(crate) provider_pay: i64,
    pub(crate) provider_claim: i64,
    pub(crate) funding: i64,
    pub(crate) cells: i64,
    pub(crate) pix_in_flight: i64,
    pub(crate) payouts_in_flight: i64,
    pub(crate) commissions: Vec<i64>,
    pub(crate) tariff_due: i64,
    pub(crate) suspense: i64,
    pub(crate) deposit_income: i64,
    pub(crate) payout_income: i64,
    pub(crate) loss: i64,
    pub(crate) conversions_in_flight: i64,
    pub(crate) purchase_income: i64,
    pub(crate) conversion_income: i64,
    pub(crate) fx: i64,
    pub(crate) sales_in_flight: i64,
    pub(crate) sale_income: i64,
    pub(crate) reserve_income: i64,
    pub(crate) rounding: i64,
    /// Reais at the exchange.
    pub(crate) exchange: i64,
}

impl Oracle {
    /// Opens a house or subaccount.
    pub(super) fn open_subaccount(
        &mut self,
        account: AccountId,
        customer: Option<Box<str>>,
    ) -> SubaccountId {
        let id = SubaccountId(u32::try_from(self.subaccounts.len()).expect("few subaccounts"));
        self.subaccounts.push(Custody {
            account,
            customer,
            available: 0,
            held: 0,
            frozen: 0,
            deposited: false,
            waiting_until: None,
            rows: Vec::new(),
        });
        id
    }

    pub(super) fn subaccount(&self, id: SubaccountId) -> &Custody {
        &self.subaccounts[id.0 as usize]
    }

    pub(super) fn touch(&mut self, id: SubaccountId) -> &mut Custody {
        if !self.trace.subaccounts.contains(&id) {
            self.trace.subaccounts.push(id);
        }
        &mut self.subaccounts[id.0 as usize]
    }

    /// Adds to what is available, and lets the watching holds look (rulings 26).
    pub(super) fn give(&mut self, id: SubaccountId, cents: i64) {
        let subaccount = self.touch(id);
        let before = subaccount.available;
        subaccount.available += cents;
        let after = subaccount.available;
        if cents > 0 && !self.trace.raised.contains(&id) {
            self.trace.raised.push(id);
        }
        if before < 0 && after > 0 {
            self.reach(Goal::Cured);
        }
    }

    /// A statement row, unless it says nothing.
    pub(super) fn row(&mut self, id: SubaccountId, op: OpId, kind: RowKind, row: RowOf) {
        if row.cents() != 0 {
            self.touch(id).rows.push((op, kind, row));
        }
    }

    /// Moves what a partner is owed, with a row of its own ledger, unless by nothing (COM-03).
    pub(super) fn commission(&mut self, id: AccountId, op: OpId, kind: RowKind, cents: i64) {
        if cents != 0 {
            let place = id.0 as usize;
            self.totals.commissions[place] += cents;
            self.accounts[place].commission_rows.push((op, kind, cents));
            self.trace.commissions.push(id);
        }
    }

    /// Returns what may be spent: a house covers what its subaccounts owe (rulings 25).
    pub(crate) fn spendable(&self, id: SubaccountId) -> Balance {
        let subaccount = self.subaccount(id);
        let is_house = subaccount.customer.is_none();
        if !is_house || !self.policy.house_covers_negatives.is_on() {
            return Balance::new(subaccount.available);
        }
        let mut left = subaccount.available;
        for other in &self.subaccounts {
            if other.account == subaccount.account
                && other.customer.is_some()
                && other.available < 0
            {
                left += other.available;
            }
        }
        Balance::new(left)
    }

    /// The end of a waiting period that is still running at `at`; at its very end it is over.
    pub(crate) fn waits(&self, id: SubaccountId, at: Instant) -> Option<Instant> {
        self.subaccount(id).waiting_until.filter(|until| at < *until)
    }
}

impl RowOf {
    pub(crate) const fn cents(self) -> i64 {
        match self {
            Self::Principal(cents) | Self::Fee(cents) => cents,
        }
    }
}
