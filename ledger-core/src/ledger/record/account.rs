//! What events say of an account: who asked for it and what it has besides its key, where it lives,
//! and what of it is carried from one ledger to another.

use minicbor::{Decode, Encode};

use crate::id::{KeyHash, Token};
use crate::money::Cents;
use crate::terms::Terms;
use crate::time::Instant;

/// A secret of webhooks that was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct ReplacedSecret {
    /// The secret; the vault has it.
    #[n(0)]
    pub secret: Token,
    /// When another came into force.
    #[n(1)]
    pub at: Instant,
}

/// What an account has besides its key; each is replaced without the others (KEY-08, AUTH-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct Credentials {
    /// Where webhooks go; the vault has the address.
    #[n(0)]
    pub webhook: Option<Token>,
    /// What they are signed with; the vault has the secret.
    #[n(1)]
    pub secret: Option<Token>,
    /// What opens the private monitor; the vault has the link's token.
    #[n(2)]
    pub monitor: Option<Token>,
}

/// Who asked for an account: all of it in the vault, but the country.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Owner {
    /// The name given to the key.
    #[n(0)]
    pub name: Option<Token>,
    /// The registered e-mail.
    #[n(1)]
    pub email: Option<Token>,
    /// Who answers for it in law.
    #[n(2)]
    pub responsible: Option<Token>,
    /// The owner's document, which is no payer's (KEY-04).
    #[n(3)]
    pub document: Option<Token>,
    /// Which country's document that is: two letters.
    #[n(4)]
    pub country: Option<Box<str>>,
}

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
    /// Present where it takes no opening balances any more.
    #[n(10)]
    pub opening_closed: Option<bool>,
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
