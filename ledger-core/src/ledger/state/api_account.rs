//! An API account: what a key opens.

use crate::id::{KeyHash, SubaccountId};
use crate::ledger::record::account::{Credentials, Owner, ReplacedSecret, Residence};
use crate::terms::Schedule;
use crate::time::Instant;

/// An API account: what a key opens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ApiAccount {
    /// Its name, which no other account of the ledger bears.
    pub name: Box<str>,
    /// The hash of its key; none once that was revoked and not replaced.
    pub key: Option<KeyHash>,
    /// Its house balance.
    pub house: SubaccountId,
    /// Its terms over time.
    pub schedule: Schedule,
    /// Its own wallet on Polygon, for purchases that name none.
    pub settlement: Option<Box<str>>,
    /// When it last withdrew commission.
    pub commission_withdrawn_at: Option<Instant>,
    /// Who asked for it, where it was asked for without a key.
    pub owner: Option<Owner>,
    /// How its owner is notified, and what watches it.
    pub credentials: Credentials,
    /// The secret that signed webhooks before the one in force; it signs beside that for a day.
    pub replaced_secret: Option<ReplacedSecret>,
    /// Tells whether it lives in this ledger, or where else.
    pub residence: Residence,
    /// The ledger that it came from, if it did.
    pub came_from: Option<Box<str>>,
    /// Tells whether it takes no opening balances any more.
    pub opening_closed: bool,
}
