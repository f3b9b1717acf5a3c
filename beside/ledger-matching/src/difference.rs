//! Movements that are one, in what theirs and ours differ, and why one has no other.

use crate::movement::{Class, OurMovement, Source, Status, TheirMovement};
use crate::rules::Rules;

/// In what two movements of one id or rule differ, or why one stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difference {
    /// The amounts differ, and neither a fee nor a misplaced decimal point explains it.
    Amount,
    /// The same digits with the decimal point elsewhere.
    Scale,
    /// The assets of the two accounts differ.
    Asset,
    /// A fee was taken that the other side has not, or another one.
    Fee,
    /// The days in Brasília differ, and the instants by more than the rules' grace.
    Day,
    /// The other direction.
    Sign,
    /// Another kind: a payment that is a return, a deposit that is a fee.
    Kind,
    /// The addresses differ, where both sides name one.
    Address,
    /// The networks of the two accounts differ.
    Network,
    /// It is of the other ledger, live or sandbox.
    Environment,
    /// Its block is none any more, and the ledger counts on it.
    Reorganised,
    /// The network moved nothing, and the ledger says that it did.
    Failed,
    /// It counts on one side and waits for confirmations on the other.
    Unconfirmed,
    /// The ledger says that it vanished, and it is there.
    Vanished,
    /// A line says again what another said.
    Twice,
    /// Only the case of the id differs.
    Spelling,
    /// The parts do not sum to the one movement.
    Netting,
    /// Several movements may be the one.
    Ambiguous,
    /// The ledger has it, and no statement does.
    Missing,
    /// A statement has it, and the ledger does not.
    Unreported,
    /// A statement says otherwise than an earlier one that was kept.
    Changed,
    /// It is dated outside the days that its statement is of.
    Period,
    /// Opening plus movements is not closing.
    Arithmetic,
    /// A statement opens with another balance than the one before closed with, or than ours.
    Opening,
    /// A line cannot be read.
    Unreadable,
}

impl Difference {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Amount => "amount",
            Self::Scale => "scale",
            Self::Asset => "asset",
            Self::Fee => "fee",
            Self::Day => "day",
            Self::Sign => "sign",
            Self::Kind => "kind",
            Self::Address => "address",
            Self::Network => "network",
            Self::Environment => "environment",
            Self::Reorganised => "reorganised",
            Self::Failed => "failed",
            Self::Unconfirmed => "unconfirmed",
            Self::Vanished => "vanished",
            Self::Twice => "twice",
            Self::Spelling => "spelling",
            Self::Netting => "netting",
            Self::Ambiguous => "ambiguous",
            Self::Missing => "missing",
            Self::Unreported => "unreported",
            Self::Changed => "changed",
            Self::Period => "period",
            Self::Arithmetic => "arithmetic",
            Self::Opening => "opening",
            Self::Unreadable => "unreadable",
        }
    }
}

/// In what a pair differs; nothing where it does not.
pub fn differences(theirs: &TheirMovement, ours: &OurMovement, rules: &Rules) -> Vec<Difference> {
    let mut found = Vec::new();
    found.extend(difference_of_status(theirs.status, ours.status));
    if theirs.account.network != ours.account.network {
        found.push(Difference::Network);
    }
    if theirs.account.asset != ours.account.asset {
        found.push(Difference::Asset);
    }
    if theirs.direction != ours.direction {
        found.push(Difference::Sign);
    }
    if theirs.class != ours.class && theirs.direction == ours.direction {
        found.push(Difference::Kind);
    }
    found.extend(difference_of_amount(theirs, ours, rules));
    if is_other_address(theirs, ours) {
        found.push(Difference::Address);
    }
    if !is_same_day(theirs, ours, rules) {
        found.push(Difference::Day);
    }
    found
}

fn difference_of_status(theirs: Status, ours: Status) -> Option<Difference> {
    use Status::{Booked, Failed, Gone, Pending};
    match (theirs, ours) {
        (Booked, Booked) | (Pending, Pending) | (Gone | Failed, Gone) | (_, Failed) => None,
        (Booked, Pending) | (Pending, Booked) => Some(Difference::Unconfirmed),
        (Booked | Pending, Gone) => Some(Difference::Vanished),
        (Gone, Booked | Pending) => Some(Difference::Reorganised),
        (Failed, Booked | Pending) => Some(Difference::Failed),
    }
}

fn difference_of_amount(
    theirs: &TheirMovement,
    ours: &OurMovement,
    rules: &Rules,
) -> Option<Difference> {
    if theirs.amount == ours.amount {
        return None;
    }
    let apart = theirs.amount.minus(ours.amount).abs();
    let tariff = (theirs.account.source == Source::Provider).then_some(rules.provider.tariff);
    let are_fees = theirs.class == Class::Fee && ours.class == Class::Fee;
    let is_fee = are_fees || theirs.fee == Some(apart) || tariff == Some(apart);
    Some(match () {
        () if is_fee || has_another_fee(theirs, ours) => Difference::Fee,
        () if theirs.amount.is_scaled(ours.amount) => Difference::Scale,
        () => Difference::Amount,
    })
}

/// Tells whether a trade gave as much as we booked or more before its fee, which then is another
/// than the one that we booked less.
fn has_another_fee(theirs: &TheirMovement, ours: &OurMovement) -> bool {
    theirs.fee.is_some_and(|fee| {
        let gross = theirs.amount.plus(fee);
        let ours_took = gross.minus(ours.amount);
        !ours_took.is_negative() && ours_took <= fee.plus(fee)
    })
}

fn is_other_address(theirs: &TheirMovement, ours: &OurMovement) -> bool {
    theirs.direction == ours.direction
        && theirs.account.network == ours.account.network
        && theirs.address.as_ref().zip(ours.address.as_ref()).is_some_and(|(a, b)| a != b)
}

/// Tells whether both are of one day, or so close that only midnight is between them.
pub fn is_same_day(theirs: &TheirMovement, ours: &OurMovement, rules: &Rules) -> bool {
    let grace = rules.grace(theirs.account.source);
    theirs.day == ours.day || theirs.at.since(ours.at).max(ours.at.since(theirs.at)) <= grace
}

/// How a pair was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// By an id of the world.
    Id,
    /// By what the operation or the fact is called.
    Name,
    /// By a rule, by its number in the file.
    Rule(usize),
}

/// Movements that are one: one of each side, or several of one where a rule nets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Movements of theirs, by their place in the whole.
    pub theirs: Vec<usize>,
    /// Movements of ours.
    pub ours: Vec<usize>,
    /// How it was made.
    pub how: How,
    /// In what its sides differ; nothing where they agree.
    pub differences: Vec<Difference>,
}

/// A movement that has no other, or several that may be it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    /// Movements of theirs, by their place in the whole.
    pub theirs: Vec<usize>,
    /// Movements of ours.
    pub ours: Vec<usize>,
    /// Why it is open.
    pub reason: Difference,
}
