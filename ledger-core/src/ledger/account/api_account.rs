//! An API account, what it has besides its key, and who asked for it.

use minicbor::{Decode, Encode};

use crate::id::{KeyHash, SubaccountId, Token};
use crate::ledger::cell::Residence;
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
    /// Whether it lives in this ledger, or where else.
    pub residence: Residence,
    /// The ledger that it came from, if it did.
    pub came_from: Option<Box<str>>,
}

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
