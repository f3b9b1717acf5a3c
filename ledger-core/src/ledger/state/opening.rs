//! The ledger opens, and its accounts and subaccounts, under the next numbers.

use std::sync::Arc;

use super::api_account::ApiAccount;
use super::usage::Usage;
use super::{State, Subaccount};
use crate::id::{AccountId, KeyHash, Seq, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::record::account::{Credentials, Residence};
use crate::terms::{Policy, Schedule, Terms};
use crate::time::Instant;

impl State {
    pub(in crate::ledger) fn begin(
        &mut self,
        seq: Seq,
        name: &str,
        policy: &Policy,
    ) -> Result<(), &'static str> {
        let first = seq == Seq(1) && *name == *self.name;
        self.policy = Arc::new(policy.clone());
        first.then_some(()).ok_or("a ledger opens once, under its own name")
    }

    pub(in crate::ledger) fn add_account(
        &mut self,
        (account, house): (AccountId, SubaccountId),
        name: &str,
        key: KeyHash,
        terms: &Terms,
    ) -> Result<(), &'static str> {
        let fresh = account.0 as usize == self.accounts.len()
            && house.0 as usize == self.subaccounts.len()
            && !self.names.contains_key(name)
            && !self.knows_key(&key);
        self.open_subaccount(account);
        self.names.insert(name.into(), account);
        self.keys.insert(key, account);
        self.usage.push(Usage::default());
        self.accounts.push_back(Arc::new(ApiAccount {
            name: name.into(),
            key: Some(key),
            house,
            schedule: Schedule::starting_with(*terms),
            settlement: None,
            commission_withdrawn_at: None,
            owner: None,
            credentials: Credentials::default(),
            replaced_secret: None,
            residence: Residence::Here,
            came_from: None,
            opening_closed: false,
        }));
        fresh.then_some(()).ok_or("an account is opened once, under the next number")
    }

    pub(in crate::ledger) fn adopt_terms(
        &mut self,
        account: AccountId,
        from: Instant,
        terms: &Terms,
    ) -> Result<(), &'static str> {
        let known = self.accounts.get_mut(account.0 as usize);
        let known = known.ok_or("terms are adopted for an account that exists")?;
        Arc::make_mut(known).schedule.adopt(from, *terms);
        Ok(())
    }

    pub(in crate::ledger) fn name_subaccount(
        &mut self,
        archive: &mut impl Archive,
        subaccount: SubaccountId,
        account: AccountId,
        customer: &str,
    ) -> Result<(), &'static str> {
        let fresh = subaccount.0 as usize == self.subaccounts.len()
            && self.account(account).is_some()
            && archive.subaccount(account, customer).is_none();
        // An archive has no room for a number that is not the next.
        fresh.then_some(()).ok_or("a subaccount is opened once, under the next number")?;
        self.open_subaccount(account);
        archive.name_subaccount(subaccount, account, customer);
        Ok(())
    }

    fn open_subaccount(&mut self, account: AccountId) {
        self.books.open_subaccount();
        self.subaccounts.push(Subaccount {
            account,
            waiting_until: None,
            deposited: false,
            watchers: 0,
        });
    }
}
