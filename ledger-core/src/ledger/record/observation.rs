//! Which sighting of a transaction the report of a deposit is about: one that vanished may be mined
//! again, and is then seen, confirmed and vanishes anew (rulings 8).

use super::{ExternalId, Scope};
use crate::id::{Kind, OpId, Seq};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::registry::{IdentifiedOperation, Operation};
use crate::machine::cash_out::{Deposit, Progress};
use crate::machine::refund::Coins;
use crate::machine::{erroneous_delivery, unmatched_deposit};
use crate::terms::Switch;

/// What is known of the transaction that a report of a deposit tells of.
#[derive(Clone, Debug, Default)]
pub struct TxObservation {
    /// Which sighting of it the report is about; none: the first.
    pub number: Option<u32>,
    /// The record that first brought the deposit by this sighting.
    pub brought: Option<Seq>,
    /// Tells whether it is confirmed: by the report of it, or as the receipt that it became.
    pub confirmed: Switch,
    /// Tells whether the first sighting ended before anything reported it.
    pub skipped: Switch,
    /// The receipt that the sighting before had become.
    pub former: Option<IdentifiedOperation>,
    /// Tells whether the deposit belongs to something else than the report names.
    pub wrong: Switch,
    /// Tells whether a confirmation reports other coins than were seen: it ends that sighting.
    pub(in crate::ledger) contradicted: Switch,
    /// Tells whether this sighting replaced one that its confirmation contradicted: nothing
    /// vanished.
    pub(in crate::ledger) replaced: Switch,
    /// Which claim on what vanished comes next, where one on the same coins was recovered.
    pub(in crate::ledger) again: Option<u32>,
    /// The record that makes the report known, if one does.
    pub(in crate::ledger) known: Option<Seq>,
    /// What the report is known by for ever.
    identity: Option<ExternalId>,
}

/// What a report says of a sighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ledger) enum Observed {
    Deposit,
    Confirmation,
    Vanishing,
}

impl Observed {
    const fn word(self) -> &'static str {
        match self {
            Self::Deposit => "seen",
            Self::Confirmation => "confirmed",
            Self::Vanishing => "vanished",
        }
    }

    const fn scope(self) -> Scope {
        match self {
            Self::Deposit => Scope::Deposit,
            Self::Confirmation => Scope::Confirmation,
            Self::Vanishing => Scope::Vanishing,
        }
    }

    /// The first sighting is known by its transaction, each later one by its number too.
    fn external_id(self, hash: &str, number: Option<u32>) -> ExternalId {
        match number {
            None => ExternalId { scope: self.scope(), id: hash.into() },
            Some(number) => {
                let id = format!("{number} {} {hash}", self.word()).into();
                ExternalId { scope: Scope::Again, id }
            }
        }
    }
}

impl ExternalId {
    /// The transaction of a deposit, by this sighting of it.
    #[must_use]
    pub fn deposit(hash: &str, number: Option<u32>) -> Self {
        Observed::Deposit.external_id(hash, number)
    }

    /// The confirmation of a transaction, by its first sighting.
    #[must_use]
    pub fn confirmation(hash: &str) -> Self {
        Observed::Confirmation.external_id(hash, None)
    }

    /// The end of this sighting of a transaction.
    pub(in crate::ledger) fn vanishing(hash: &str, number: Option<u32>) -> Self {
        Observed::Vanishing.external_id(hash, number)
    }
}

impl TxObservation {
    /// Returns what `archive` knows of the transaction that a report, of what it names, tells of,
    /// with the coins it says; and the receipt that this became. What is `elsewhere` a wallet has.
    pub(in crate::ledger) fn gather(
        archive: &impl Archive,
        (reported, hash, told): (Observed, &str, Option<Coins>),
        (about, named): (Option<OpId>, Option<&Operation>),
        elsewhere: bool,
        operation: impl Fn(OpId) -> Option<IdentifiedOperation>,
    ) -> (Self, Option<IdentifiedOperation>) {
        let seen =
            |reported: Observed, number| first_seen(archive, &reported.external_id(hash, number));
        let (mut number, mut last, mut ended) = (None, None, None);
        while let Some(seq) = seen(Observed::Vanishing, number) {
            (last, ended) = (Some(number), Some(seq));
            number = Some(number.unwrap_or(1) + 1);
        }
        // An order may go on without another transaction in the very record that brings this one.
        let unmatched = |seq| {
            let known = operation(OpId::new(Kind::UnmatchedDeposit, seq));
            known.filter(|(_, known)| {
                let order = known.unmatched_deposit().and_then(unmatched_deposit::State::order);
                order.is_some_and(|order| *order.deposit.hash == *hash)
            })
        };
        let before = last.and_then(|number| seen(Observed::Deposit, number));
        let brought = seen(Observed::Deposit, number);
        // Only the first vanishes untold: of a later one nothing says that it was mined again.
        let skipped = last.is_some() && before.is_none() && brought.is_none();
        // What an order split off in the very record is not what its transaction brought.
        let split = |known: &Operation| {
            let about = known
                .unmatched_deposit()
                .and_then(|state| state.order()?.about)
                .and_then(&operation);
            about.is_some_and(|(_, order)| order.had(hash))
        };
        // What an order went on without is named after a later record, and found by its order.
        let odd = || named.and_then(|known| operation(known.progress()?.odd(hash)?));
        let taken = brought.and_then(unmatched).filter(|(_, known)| !split(known));
        let taken = taken.or_else(|| brought.and_then(|_| odd()));
        // What came back from the provider is confirmed as it comes, and no report says so.
        let as_unmatched = taken.as_ref().and_then(|(_, known)| known.unmatched_deposit());
        let replaced = brought.is_some() && brought == ended;
        let confirmed = replaced
            || seen(Observed::Confirmation, number).is_some()
            || as_unmatched.is_some_and(unmatched_deposit::State::is_confirmed);
        let has = |known: &Operation| {
            known.had(hash) || known.unmatched_deposit().is_some_and(|known| known.is_of(hash))
        };
        let held = taken.is_some() || named.is_some_and(has);
        let wallets = named.and_then(Operation::progress).is_some_and(is_wallets);
        let wrong = wallets || if brought.is_some() { !held } else { elsewhere };
        let holder = taken.as_ref().map(|(op, _)| *op).or(about);
        let known = taken.as_ref().map(|(_, known)| &**known).or(named);
        let contradicted = reported == Observed::Confirmation
            && !wrong
            && !confirmed
            && told
                .zip(known.and_then(|known| known.unconfirmed_coins(hash)))
                .is_some_and(|(told, seen)| told != seen);
        let recovered = |seq| {
            let claim = operation(OpId::new(Kind::ErroneousDelivery, seq));
            claim.is_some_and(|(_, known)| {
                known.erroneous_delivery().is_some_and(erroneous_delivery::State::is_recovered)
            })
        };
        let mut again = None;
        if let (Observed::Vanishing, Some(about)) = (reported, holder) {
            let claim = |again| first_seen(archive, &ExternalId::claim(about, hash, again));
            while claim(again).is_some_and(recovered) {
                again = Some(again.unwrap_or(1) + 1);
            }
        }
        let identity = match reported {
            _ if wrong => misreport_id(reported.word(), holder, hash, number),
            Observed::Deposit => reported.external_id(hash, number.filter(|_| !skipped)),
            Observed::Confirmation if contradicted => ExternalId::vanishing(hash, number),
            // What is confirmed does not end by vanishing: it is a claim.
            Observed::Vanishing if confirmed => {
                let word = again.map_or("lost".to_owned(), |again| format!("lost {again}"));
                misreport_id(&word, holder, hash, number)
            }
            Observed::Confirmation | Observed::Vanishing => reported.external_id(hash, number),
        };
        // A confirmation that could not be booked makes none known that is reported in full.
        let unbooked = reported == Observed::Confirmation && brought.is_none() && !wrong;
        let switch = |on| if on { Switch::On } else { Switch::Off };
        let sighting = Self {
            number,
            brought,
            confirmed: switch(confirmed),
            skipped: switch(skipped),
            former: before.and_then(|seq| unmatched(seq).or_else(odd)),
            wrong: switch(wrong),
            contradicted: switch(contradicted),
            replaced: switch(replaced),
            again,
            known: match reported {
                _ if unbooked => None,
                Observed::Confirmation if replaced => brought,
                _ => first_seen(archive, &identity),
            },
            identity: Some(identity),
        };
        (sighting, taken)
    }

    /// Returns what is known of coins that are reported of a wallet, where a sale's deposit brought
    /// them by a sighting that stands.
    pub(in crate::ledger) fn of_wallet(
        archive: &impl Archive,
        (reported, hash): (Observed, &str),
        named: Option<OpId>,
    ) -> Option<Self> {
        let (mut number, gone) = (None, |id| first_seen(archive, &id).is_some());
        while gone(ExternalId::vanishing(hash, number)) {
            number = Some(number.unwrap_or(1) + 1);
        }
        let brought = first_seen(archive, &ExternalId::deposit(hash, number))?;
        let identity = misreport_id(&format!("wallet {}", reported.word()), named, hash, number);
        Some(Self {
            brought: Some(brought),
            wrong: Switch::On,
            known: first_seen(archive, &identity),
            identity: Some(identity),
            ..Self::default()
        })
    }

    /// Returns what the report is to be known by from now on; none where that is known already.
    pub(in crate::ledger) fn identity(&self, archive: &impl Archive) -> Option<ExternalId> {
        self.identity.clone().filter(|id| first_seen(archive, id).is_none())
    }
}

/// A report that does not move what it names is known by that too: reported of the right one, it is
/// new.
fn misreport_id(what: &str, named: Option<OpId>, hash: &str, number: Option<u32>) -> ExternalId {
    let number = number.unwrap_or(1);
    let id = match named {
        Some(op) => format!("{what} {op:?} {number} {hash}"),
        None => format!("{what} - {number} {hash}"),
    };
    ExternalId { scope: Scope::Misreported, id: id.into() }
}

fn is_wallets(progress: &Progress) -> bool {
    !progress.order.is_sellers()
}

impl Operation {
    fn progress(&self) -> Option<&Progress> {
        self.cash_out()?.progress().map(AsRef::as_ref)
    }

    /// The coins that this transaction brought it, as far as they are only seen.
    fn unconfirmed_coins(&self, hash: &str) -> Option<Coins> {
        if let Some(unmatched) = self.unmatched_deposit().filter(|known| known.is_of(hash)) {
            return unmatched.order().map(|order| order.deposit.coins);
        }
        let mut held = self.progress()?.deposits.iter();
        let held = held.find(|held| *held.deposit.hash == *hash && !held.confirmed.is_on())?;
        Some(held.deposit.coins)
    }

    /// Tells whether it is an order that this transaction paid, what was split off included.
    fn had(&self, hash: &str) -> bool {
        self.progress().is_some_and(|order| order.had(hash).is_some())
    }

    /// The order that split this unmatched deposit off what the reported transaction brought, which
    /// is that order's.
    pub(in crate::ledger) fn split_by(
        &self,
        hash: &str,
        operation: impl Fn(OpId) -> Option<IdentifiedOperation>,
    ) -> Option<IdentifiedOperation> {
        let unmatched = self.unmatched_deposit().filter(|known| known.is_of(hash))?;
        operation(unmatched.order()?.about?).filter(|(_, order)| order.had(hash))
    }
}

impl unmatched_deposit::State {
    /// Tells whether it is what this transaction brought, and did not vanish.
    pub(in crate::ledger) fn is_of(&self, hash: &str) -> bool {
        let same = self.order().is_some_and(|order| *order.deposit.hash == *hash);
        same && !matches!(self, Self::Vanished(_))
    }
}

/// Tells whether `deposit` tells of nothing later than `known`, which vanished.
pub(in crate::ledger) fn is_old(deposit: &Deposit, known: &Deposit) -> bool {
    deposit.hash == known.hash && deposit.seen_at <= known.seen_at
}
