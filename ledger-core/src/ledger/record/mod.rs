//! Records: what one command made of the ledger, with its cause.

pub(super) mod account;
pub(super) mod early_report;
mod entry;
pub(super) mod event;
pub(super) mod fact_kind;
pub(super) mod facts;
pub(super) mod fold;
pub(super) mod identity;
pub(super) mod observation;
pub(super) mod operation_event;
pub(super) mod operator_decision;
pub(super) mod payment_details;
pub(super) mod set_aside_reason;
pub(super) mod spelling;

use minicbor::decode::Error;
use minicbor::{Decode, Decoder, Encode};

use super::record::event::Event;
use crate::id::{OpId, Seq};
use crate::time::Instant;

/// One command's events as journaled.
///
/// ```
/// use ledger_core::id::Seq;
/// use ledger_core::ledger::{Cause, Event, Origin, Record};
/// use ledger_core::time::Instant;
///
/// let (seq, at, cause) = (Seq(7), Instant::default(), Cause::new(Origin::Call));
/// let events = vec![Event::TimePassed];
/// let record = Record { seq, at, events, cause, outside: None, original: None };
/// let bytes = minicbor::to_vec(&record)?;
/// let read: Record = minicbor::decode(&bytes)?;
/// assert_eq!(Record { seq, ..read }, record); // Its place in the journal is its number.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(array)]
pub struct Record {
    /// Its number in the ledger; implied by its place in the journal and not encoded.
    #[cbor(skip)]
    pub seq: Seq,
    /// When it counts.
    #[n(0)]
    pub at: Instant,
    /// What was decided.
    #[n(1)]
    #[cbor(decode_with = "read_events")]
    pub events: Vec<Event>,
    /// What caused it.
    #[n(2)]
    pub cause: Cause,
    /// The identity of the fact, so that it is known for ever (rulings 8).
    #[n(3)]
    pub outside: Option<ExternalId>,
    /// The instant the command carried, when that was earlier than the ledger's (rulings 3).
    #[n(4)]
    pub original: Option<Instant>,
}

/// What caused a record (rulings 5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Cause {
    /// Where the command came from.
    #[n(0)]
    pub origin: Origin,
    /// Tells whether the record is a deadline that the command's instant brought due.
    #[n(1)]
    pub deadline: bool,
}

/// Where a command came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Origin {
    /// A call of the embedding service, which gave no request id.
    #[default]
    #[n(0)]
    Call,
    /// A call with a request id (AUTH-08).
    #[n(1)]
    Request(#[n(0)] Box<str>),
    /// A line of a file of JSON lines.
    #[n(2)]
    Line {
        /// The file's name, without its folder.
        #[n(0)]
        source: Box<str>,
        /// How often the file had been run afresh before: 0 the first time.
        #[n(1)]
        pass: u32,
        /// The line's number, from 1.
        #[n(2)]
        number: u64,
        /// A keyed hash of the line's text.
        #[n(3)]
        hash: u64,
    },
}

/// The identity of a fact: an id given by the world, and what it is an id of.
///
/// ```
/// use ledger_core::ledger::{ExternalId, Scope};
///
/// // One PIX between two of our own customers is sent once and received once.
/// let e2e = "E9040088820210128000800123873170";
/// let sent = ExternalId { scope: Scope::SentPix, id: e2e.into() };
/// let received = ExternalId { scope: Scope::ReceivedPix, id: e2e.into() };
/// assert_ne!(sent, received);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct ExternalId {
    /// What it is an id of.
    #[n(0)]
    pub scope: Scope,
    /// The id, compared byte for byte.
    #[n(1)]
    pub id: Box<str>,
}

impl ExternalId {
    pub(in crate::ledger) fn new(scope: Scope, id: &str) -> Self {
        Self { scope, id: id.into() }
    }
}

/// What an outside id names; one PIX between two of our own customers is two facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Scope {
    /// The end-to-end id of a PIX received.
    #[n(0)]
    ReceivedPix,
    /// The end-to-end id of a PIX sent.
    #[n(1)]
    SentPix,
    /// The return id of a PIX received.
    #[n(2)]
    ReturnedDeposit,
    /// The return id of a PIX sent.
    #[n(3)]
    ReturnedPayout,
    /// The fact's own id, where the world gives none.
    #[n(4)]
    Fact,
    /// The transaction of a delivery, with the operation it was for.
    #[n(5)]
    Delivery,
    /// The transaction of a deposit, with the output's number where it has several.
    #[n(6)]
    Deposit,
    /// The same, of its confirmation.
    #[n(7)]
    Confirmation,
    /// The same, of its vanishing.
    #[n(8)]
    Vanishing,
    /// The output of a transaction that brought coins to a wallet of ours.
    #[n(9)]
    ReceivedCoins,
    /// The transaction of a deposit that vanished and was mined again, with the sighting's number
    /// and what is reported of it.
    #[n(10)]
    Again,
    /// The same, with what it was said to be of: a report that moved nothing, because it is of
    /// another.
    #[n(11)]
    Misreported,
}

/// Reads events into a vector that begins with room for one: most records have no more, and an
/// event is large.
fn read_events<Ctx>(decoder: &mut Decoder<'_>, context: &mut Ctx) -> Result<Vec<Event>, Error> {
    let mut events = Vec::with_capacity(1);
    for event in decoder.array_iter_with(context)? {
        events.push(event?);
    }
    Ok(events)
}

impl Cause {
    /// A command from `origin`.
    #[must_use]
    pub const fn new(origin: Origin) -> Self {
        Self { origin, deadline: false }
    }

    /// The cause of a deadline that a command with this cause brings due.
    #[must_use]
    pub fn for_deadline(&self) -> Self {
        Self { origin: self.origin.clone(), deadline: true }
    }
}

impl ExternalId {
    /// The id of a fact that the world gave none.
    #[must_use]
    pub fn fact(id: &str) -> Self {
        Self { scope: Scope::Fact, id: id.into() }
    }

    /// The transaction of a delivery: one may carry several, each for its own operation.
    #[must_use]
    pub fn delivery(about: OpId, hash: &str) -> Self {
        let (kind, Seq(number)) = (about.kind(), about.seq());
        Self { scope: Scope::Delivery, id: format!("{kind:?}#{number} {hash}").into() }
    }

    /// A claim on what a transaction sent or brought for an operation; each later one on the same
    /// coins has its number.
    pub(in crate::ledger) fn claim(about: OpId, hash: &str, again: Option<u32>) -> Self {
        match again {
            None => Self::delivery(about, hash),
            Some(again) => Self::delivery(about, &format!("again {again} {hash}")),
        }
    }
}
