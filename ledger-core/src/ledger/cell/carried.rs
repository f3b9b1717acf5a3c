//! What is carried of an account that moves from one ledger to another.

use crate::ledger::record::account::Carried;
use crate::ledger::state::api_account::ApiAccount;
use crate::ledger::state::usage::Usage;

impl Carried {
    /// Returns what is carried of `account`, which did so much on its last day; none without a key.
    #[must_use]
    pub fn from_account(account: &ApiAccount, usage: Usage) -> Option<Self> {
        let ApiAccount {
            name: _,
            key,
            house: _,
            schedule,
            settlement,
            commission_withdrawn_at,
            owner,
            credentials,
            replaced_secret,
            residence: _,
            came_from: _,
            opening_closed,
        } = account;
        Some(Self {
            key: (*key)?,
            terms: schedule.dated_terms().into(),
            settlement: settlement.clone(),
            commission_withdrawn_at: *commission_withdrawn_at,
            owner: owner.clone(),
            credentials: *credentials,
            replaced_secret: *replaced_secret,
            day: (usage.day, usage.ends),
            charged: usage.charged,
            paid_out: usage.paid_out,
            opening_closed: opening_closed.then_some(true),
        })
    }

    /// Returns what was charged and paid out on the last day.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        let Self { day: (day, ends), charged, paid_out, .. } = self;
        Usage { day: *day, ends: *ends, charged: *charged, paid_out: *paid_out }
    }
}
