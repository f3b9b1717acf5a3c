//! An account moves on, and its settings and balances come.

use std::sync::Arc;

use super::{Carried, Residence};
use crate::id::{AccountId, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::record::event::Event;
use crate::ledger::registry::Adjustment;
use crate::ledger::state::State;
use crate::ledger::state::api_account::ApiAccount;
use crate::ledger::state::usage::Usage;
use crate::money::Balance;
use crate::terms::Schedule;
use crate::time::Instant;

impl State {
    /// Applies what happened to an account that moves.
    pub(in crate::ledger) fn apply_cell(
        &mut self,
        archive: &mut impl Archive,
        at: Instant,
        event: &Event,
    ) -> Result<(), &'static str> {
        match event {
            Event::ResidenceChanged { account, residence } => self.reside(*account, residence),
            Event::AccountCarried { account, ledger, carried } => {
                self.arrive(*account, ledger, carried)
            }
            Event::BalanceCarried {
                op,
                subaccount,
                commission_of,
                given,
                taken,
                deposited,
                waiting_until,
            } => {
                let value = Balance::new(given.cents() - taken.cents());
                let adjustment = Adjustment { subaccount: *subaccount, value };
                self.keep_adjustment(archive, at, *op, adjustment)?;
                let one = given.is_zero() || taken.is_zero();
                one.then_some(()).ok_or("a balance comes or goes, not both")?;
                let of = *commission_of;
                self.carry(*subaccount, of, (*deposited, *waiting_until))
            }
            _ => unreachable!("only events of accounts that move are taken here"),
        }
    }

    fn reside(&mut self, account: AccountId, residence: &Residence) -> Result<(), &'static str> {
        use Residence::{Arriving, Carrying, Departed, Here, Leaving};
        let settled = matches!(residence, Departed(_)) && self.is_settled(account);
        let known = self.resident(account)?;
        let follows = match (&known.residence, residence) {
            (Here, Leaving(_)) | (Leaving(_) | Arriving(_), Here) => true,
            (Leaving(before) | Carrying(before), Departed(to)) => before == to && settled,
            (_, _) => false,
        };
        known.residence = residence.clone();
        follows.then_some(()).ok_or("an account takes one step after the other")
    }

    fn arrive(
        &mut self,
        account: AccountId,
        ledger: &str,
        carried: &Carried,
    ) -> Result<(), &'static str> {
        let usage = carried.usage();
        let schedule = Schedule::from_dated(carried.terms.clone()).ok_or("an account has terms")?;
        let known = self.resident(account)?;
        let absent = match &known.residence {
            Residence::Here => known.came_from.is_none(),
            Residence::Arriving(from) => **from == *ledger,
            _ => false,
        };
        let opened = absent && known.key == Some(carried.key);
        known.schedule = schedule;
        known.settlement.clone_from(&carried.settlement);
        known.commission_withdrawn_at = carried.commission_withdrawn_at;
        known.owner.clone_from(&carried.owner);
        known.credentials = carried.credentials;
        known.replaced_secret = carried.replaced_secret;
        known.opening_closed = carried.opening_closed.unwrap_or(false);
        known.residence = Residence::Arriving(ledger.into());
        known.came_from = Some(ledger.into());
        if let Some(counted) = self.usage.get_mut(account.0 as usize) {
            *counted = usage;
        }
        opened
            .then_some(())
            .ok_or("an account arrives as it is opened, or once more while it is on its way")
    }

    /// What was known of the deposits of a subaccount that comes is known here.
    fn carry(
        &mut self,
        subaccount: SubaccountId,
        commission_of: Option<AccountId>,
        (deposited, waiting_until): (bool, Option<Instant>),
    ) -> Result<(), &'static str> {
        let unknown = "a balance is carried of a subaccount that exists";
        let account = self.subaccount(subaccount).ok_or(unknown)?.account;
        let own = commission_of.is_none_or(|of| of == account);
        let known = self.resident(account)?;
        let moves = known.residence.bound_for().is_some() || known.came_from.is_some();
        if let Residence::Leaving(to) = &known.residence {
            known.residence = Residence::Carrying(to.clone());
        }
        if known.residence.bound_for().is_none() && commission_of.is_none() {
            let known = self.subaccounts.get_mut(subaccount.0 as usize).ok_or(unknown)?;
            known.deposited |= deposited;
            known.waiting_until = known.waiting_until.max(waiting_until);
        }
        (own && moves).then_some(()).ok_or("only an account that moves carries a balance")
    }

    fn resident(&mut self, account: AccountId) -> Result<&mut ApiAccount, &'static str> {
        let known = self.accounts.get_mut(account.0 as usize);
        known.map(Arc::make_mut).ok_or("an account moves that exists")
    }
}

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
