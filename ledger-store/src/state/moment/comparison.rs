//! Two moments of one ledger: what each account had at both, and what was booked between.

use std::collections::BTreeMap;

use ledger_core::coin::Scale;
use ledger_core::time::Instant;

use super::{Moment, MomentError};
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Head, Journal, JournalError};
use crate::state::snapshot::Snapshots;
use crate::tables::export::{ChartAccount, Leg, balances, is_in_flight, legs};

/// What every account had at two moments.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The head at the first moment.
    pub from: Head,
    /// When its last record was decided; none before the first.
    pub from_at: Option<Instant>,
    /// The head at the second.
    pub to: Head,
    /// When its last record was decided; none before the first.
    pub to_at: Option<Instant>,
    /// Every account that had something at either moment or was booked on between, in the order of
    /// commodities, reais first, and of the chart.
    pub accounts: Vec<Compared>,
}

/// One account in one commodity at two moments, in smallest units, debits positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The account. What is kept for an operation stands as one for all of them.
    pub place: ChartAccount,
    /// `BRL`, or an asset's name.
    pub commodity: String,
    /// How many decimals the commodity has.
    pub scale: Scale,
    /// What it had at the first moment.
    pub before: i128,
    /// What it had at the second.
    pub after: i128,
    /// How many legs were booked on it between.
    pub legs: u64,
    /// What they come to: `after` less `before`.
    pub booked: i128,
}

/// What is known of an account so far: how many decimals, and the amounts of [`Compared`].
struct Account {
    scale: Scale,
    before: i128,
    after: i128,
    legs: u64,
    booked: i128,
}

/// Accounts by commodity, reais first, and place.
type Accounts = BTreeMap<(bool, String, ChartAccount), Account>;

/// Compares a ledger with itself at two moments, `from` first: the balances are those of its books
/// at both, and the entries between them are added up leg by leg and held against the difference.
/// An instant before the first record is a beginning like any other: nothing was booked yet.
///
/// # Errors
///
/// [`MomentError`] where the journal has no such moment, `to` comes before `from` or is the same
/// instant, the journal cannot be replayed, or an account changed by something else than was booked
/// on it.
pub fn compare(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
    (from, to): (Moment, Moment),
) -> Result<Comparison, MomentError> {
    if let (Moment::Instant(from), Moment::Instant(to)) = (from, to)
        && to <= from
    {
        return Err(MomentError::NothingBetween { from, to });
    }
    let from = match from.records(journal) {
        Err(MomentError::BeforeTheFirst { .. }) => 0,
        records => records?,
    };
    let to = to.records(journal)?;
    if to < from {
        return Err(MomentError::Reversed { from, to });
    }
    let mut accounts = Accounts::new();
    let mut sequencer = Sequencer::opened_by(journal, name, snapshots, from);
    let mut from_at = None;
    if sequencer.head().seq == from {
        from_at = began(&sequencer, &mut accounts);
    }
    sequencer.go_on_until(journal, to, &mut |sequencer, record| {
        if record.seq.0 == from {
            from_at = began(sequencer, &mut accounts);
        } else if from < record.seq.0 {
            for leg in record.events.iter().flat_map(|event| legs(sequencer, event)) {
                let account = account(&mut accounts, &leg);
                account.legs += 1;
                account.booked += leg.amount;
            }
        }
    })?;
    for leg in balances(&sequencer) {
        account(&mut accounts, &leg).after += leg.amount;
    }
    let before = sequencer.ledger().archive.chain_before(from + 1);
    let from = before.ok_or_else(|| {
        let fault = sequencer.fault().unwrap_or_else(|| "a record is missing".to_owned());
        ReplayError::from(JournalError::Medium(fault.into()))
    })?;
    let from = Head { seq: from.seq(), link: from.link() };
    let accounts = accounts.into_iter().map(|((_, commodity, place), known)| {
        let Account { scale, before, after, legs, booked } = known;
        Compared { place, commodity, scale, before, after, legs, booked }
    });
    let comparison = Comparison {
        from,
        from_at,
        to: sequencer.head(),
        to_at: last_decided_at(&sequencer),
        accounts: accounts.collect(),
    };
    comparison.agrees()?;
    Ok(comparison)
}

/// Adds what every account has at the first moment; gives when its last record was decided.
fn began(sequencer: &Sequencer, accounts: &mut Accounts) -> Option<Instant> {
    for leg in balances(sequencer) {
        account(accounts, &leg).before += leg.amount;
    }
    last_decided_at(sequencer)
}

/// When the last record was decided; none before the first.
fn last_decided_at(sequencer: &Sequencer) -> Option<Instant> {
    let state = &sequencer.ledger().state;
    (state.seq.0 > 0).then_some(state.now)
}

/// The account of a leg; those of operations are taken together.
fn account<'a>(accounts: &'a mut Accounts, leg: &Leg) -> &'a mut Account {
    let mut place = leg.place.clone();
    if is_in_flight(place.chart) {
        place.kept_for.clear();
    }
    let key = (leg.commodity != "BRL", leg.commodity.clone(), place);
    let scale = leg.scale;
    accounts.entry(key).or_insert(Account { scale, before: 0, after: 0, legs: 0, booked: 0 })
}

impl Comparison {
    /// Tells whether every account changed by what was booked on it.
    fn agrees(&self) -> Result<(), MomentError> {
        match self.accounts.iter().find(|account| account.change() != account.booked) {
            None => Ok(()),
            Some(wrong) => Err(MomentError::Unequal {
                place: format!("{} {} in {}", wrong.place.chart, wrong.kept_for(), wrong.commodity),
                changed: wrong.change(),
                booked: wrong.booked,
            }),
        }
    }
}

impl Compared {
    /// Returns what its balance changed by, in smallest units, debits positive.
    #[must_use]
    pub const fn change(&self) -> i128 {
        self.after - self.before
    }

    /// Returns what it is kept for, as one text: `loja / ana`.
    #[must_use]
    pub fn kept_for(&self) -> String {
        self.place.kept_for.join(" / ")
    }
}
