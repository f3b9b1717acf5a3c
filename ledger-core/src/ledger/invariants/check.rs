//! How an invariant is checked: of everything that stands, or of what one record touched.

use super::Holds;
use crate::accounting::{Account, Buckets, Entry};
use crate::id::SubaccountId;
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;

/// One check of an invariant, by what it looks at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// It looks at an entry by itself.
    Entry(fn(&Entry) -> Holds),
    /// It looks at a record beside the state just after it: what a decision was bound by is known
    /// at that moment only.
    Record(fn(&State, &Record) -> Holds),
    /// It looks at one subaccount: at each that a record touched, or at all of them.
    Subaccount(fn(&State, &dyn Archive, SubaccountId, &Buckets) -> Holds),
    /// It looks at the state after every record, since it takes no walk.
    State(fn(&State) -> Holds),
    /// It walks over all that is open or remembered.
    Walk(fn(&State, &dyn Archive) -> Holds),
    /// It looks at no state: [`Outcomes`](crate::ledger::outcome::Outcomes) keeps books for it
    /// from record to record.
    Outcome,
}

impl Check {
    /// Tells whether it has something to say of a record and of what that touched.
    pub(super) const fn looks_at_records(self) -> bool {
        !matches!(self, Self::Walk(_) | Self::Outcome)
    }

    /// Checks everything that stands.
    pub(super) fn everything(self, state: &State, archive: &dyn Archive) -> Holds {
        match self {
            Self::Subaccount(check) => {
                let mut known = state.books.subaccounts();
                known.try_for_each(|(id, buckets)| check(state, archive, id, buckets))
            }
            Self::State(check) => check(state),
            Self::Walk(check) => check(state, archive),
            Self::Entry(_) | Self::Record(_) | Self::Outcome => Ok(()),
        }
    }

    /// Checks a record and what it touched.
    pub(super) fn check_touched(
        self,
        state: &State,
        archive: &dyn Archive,
        touched: &Touched<'_>,
    ) -> Holds {
        match self {
            Self::Entry(check) => touched.entries.iter().try_for_each(check),
            Self::Record(check) => check(state, touched.record),
            Self::Subaccount(check) => {
                let mut known = touched.subaccounts.iter();
                known.try_for_each(|(id, buckets)| check(state, archive, *id, buckets))
            }
            Self::State(check) => check(state),
            Self::Walk(_) | Self::Outcome => Ok(()),
        }
    }
}

/// A record with what it touched: found once, looked at by every invariant.
pub(super) struct Touched<'a> {
    record: &'a Record,
    entries: Vec<Entry>,
    /// The subaccounts its entries moved, each once, as they stand after it.
    subaccounts: Vec<(SubaccountId, Buckets)>,
}

impl<'a> Touched<'a> {
    /// What `record`, just applied to `state`, touched.
    pub(super) fn by(state: &State, record: &'a Record) -> Self {
        let entries: Vec<Entry> = record.events.iter().map(Event::entry).collect();
        let mut subaccounts: Vec<(SubaccountId, Buckets)> = Vec::with_capacity(2);
        let accounts = entries.iter().flat_map(Entry::moves).flat_map(|m| [&m.debit, &m.credit]);
        for id in accounts.filter_map(Account::subaccount) {
            if !subaccounts.iter().any(|(known, _)| *known == id) {
                subaccounts.push((id, state.books.subaccount(id)));
            }
        }
        Self { record, entries, subaccounts }
    }
}
