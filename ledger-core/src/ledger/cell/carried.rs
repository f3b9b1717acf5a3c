//! Where an account lives, and what of it is carried from one ledger to another.

use minicbor::{Decode, Encode};

use crate::id::KeyHash;
use crate::ledger::account::usage::Usage;
use crate::ledger::account::{ApiAccount, Credentials, Owner, ReplacedSecret};
use crate::money::Cents;
use crate::terms::Terms;
use crate::time::Instant;

/// Where an account lives. The other ledger is named where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Residence {
    /// In this ledger.
    #[default]
    #[n(0)]
    Here,
    /// In this ledger, which it is to leave for another: nothing new is begun.
    #[n(1)]
    Leaving(#[n(0)] Box<str>),
    /// The same, and a balance of it was carried: it does not stay.
    #[n(2)]
    Carrying(#[n(0)] Box<str>),
    /// In the other ledger.
    #[n(3)]
    Departed(#[n(0)] Box<str>),
    /// In the other ledger, from which it is on its way here.
    #[n(4)]
    Arriving(#[n(0)] Box<str>),
}

/// What is carried of an account beside its balances. Its hashes and tokens are of the vault's key,
/// which both ledgers have.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Carried {
    /// The hash of its key.
    #[n(0)]
    pub key: KeyHash,
    /// Its terms over time, the first of them first.
    #[n(1)]
    pub terms: Vec<(Instant, Terms)>,
    /// Its own wallet on Polygon.
    #[n(2)]
    pub settlement: Option<Box<str>>,
    /// When it last withdrew commission.
    #[n(3)]
    pub commission_withdrawn_at: Option<Instant>,
    /// Who asked for it.
    #[n(4)]
    pub owner: Option<Owner>,
    /// How its owner is notified, and what watches it.
    #[n(5)]
    pub credentials: Credentials,
    /// The secret that signed webhooks before.
    #[n(6)]
    pub replaced_secret: Option<ReplacedSecret>,
    /// The day of its last charge or payout: when it began, and when it ended.
    #[n(7)]
    pub day: (Instant, Instant),
    /// What was charged on that day.
    #[n(8)]
    pub charged: Cents,
    /// What was paid out on that day.
    #[n(9)]
    pub paid_out: Cents,
}

impl Residence {
    /// The ledger that an account leaves for, or left for.
    #[must_use]
    pub fn bound_for(&self) -> Option<&str> {
        match self {
            Self::Leaving(to) | Self::Carrying(to) | Self::Departed(to) => Some(to),
            Self::Here | Self::Arriving(_) => None,
        }
    }
}

impl Carried {
    /// What is carried of `account`, which did so much on its last day; none without a key.
    #[must_use]
    pub fn of(account: &ApiAccount, usage: Usage) -> Option<Self> {
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
        } = account;
        Some(Self {
            key: (*key)?,
            terms: schedule.dated().into(),
            settlement: settlement.clone(),
            commission_withdrawn_at: *commission_withdrawn_at,
            owner: owner.clone(),
            credentials: *credentials,
            replaced_secret: *replaced_secret,
            day: (usage.day, usage.ends),
            charged: usage.charged,
            paid_out: usage.paid_out,
        })
    }

    /// What was charged and paid out on the last day.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        let Self { day: (day, ends), charged, paid_out, .. } = self;
        Usage { day: *day, ends: *ends, charged: *charged, paid_out: *paid_out }
    }
}
