//! What a command needs to know of the archive, looked up before it is judged, so that judging
//! stays pure.

use std::sync::Arc;

use crate::id::{OpId, Seq, SubaccountId};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::record::ExternalId;
use crate::ledger::record::observation::TxObservation;
use crate::ledger::registry::IdentifiedOperation;
use crate::ledger::state::State;

/// What state and archive hold under the keys a command names.
///
/// ```
/// use ledger_core::ledger::{Event, Fact, Intent, Lookup, Outcome, Reported, State, decide};
/// use ledger_core::time::Instant;
///
/// // Whatever the archive knows comes in as an argument, so that deciding reads nothing.
/// let what = Intent::Fact(Reported { id: None, fact: Fact::TimePassed });
/// let decision = decide(&State::new("live"), &Lookup::default(), what, Instant::default())
///     .expect("a fact is never refused");
/// assert_eq!(decision.events, [Event::TimePassed]);
/// assert_eq!(decision.outcome, Outcome::Applied(None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    /// The subaccounts named, in the order named; the house balance where none is named.
    pub subaccounts: [Option<SubaccountId>; 2],
    /// The subaccount that each leg of a product's entry names, where it names a known one.
    pub holders: Vec<Option<SubaccountId>>,
    /// The subaccounts that a group of transfers names: payer and recipient of each leg.
    pub legs: Vec<[Option<SubaccountId>; 2]>,
    /// The operation the account created before under the same id.
    pub original: Option<IdentifiedOperation>,
    /// The operation named.
    pub operation: Option<IdentifiedOperation>,
    /// The charge that suspense is attached to.
    pub charge: Option<IdentifiedOperation>,
    /// The operation that has the transaction or the coins reported: an unmatched deposit, or the
    /// deposit into a wallet.
    pub holder: Option<IdentifiedOperation>,
    /// The request for a deposit into a wallet that keeps the amount which arrived at its address.
    pub request: Option<IdentifiedOperation>,
    /// The order that pays the PIX of the wallet's payment named; then no holder is looked up. Of
    /// a claim that is settled, what it is about.
    pub order: Option<IdentifiedOperation>,
    /// The record that first brought this fact.
    pub seen: Option<Seq>,
    /// The record that first brought the PIX that evidence or a release names besides.
    pub pix_seen: Option<Seq>,
    /// The record that first brought the coins that a confirmation names besides.
    pub coins_seen: Option<Seq>,
    /// The record that first brought the coins which a payment gave up as lost, as coins for a
    /// wallet.
    pub lost_coins_seen: Option<Seq>,
    /// The record that claimed the crypto this transaction sent without reason.
    pub claimed: Option<Seq>,
    /// Claims on crypto sent for a payment from a wallet before it was accepted, which fund no
    /// order.
    pub sent_early: Vec<OpId>,
    /// Tells whether a recovery of a PIX of the account that moves is undecided.
    pub contested: bool,
    /// What is known of the transaction that a report of a deposit names.
    pub observation: Option<Box<TxObservation>>,
}

/// An operation wherever it is: open in the state, or ended in the archive.
#[must_use]
pub(in crate::ledger) fn operation(
    state: &State,
    archive: &impl Archive,
    op: OpId,
) -> Option<IdentifiedOperation> {
    let known = state.shared_operation(op).or_else(|| archive.ended_operation(op).map(Arc::new));
    known.map(|operation| (op, operation))
}

/// The record that claimed the crypto which this transaction sent for an operation without reason.
pub(in crate::ledger) fn claim_record(
    archive: &impl Archive,
    op: Option<OpId>,
    hash: &str,
) -> Option<Seq> {
    op.and_then(|op| first_seen(archive, &ExternalId::delivery(op, hash)))
}
