//! What holds of each subaccount: its buckets, its statement, its releases and its holds.

use std::collections::BTreeMap;

use super::{Holds, Violation, equal};
use crate::accounting::{Buckets, Nature};
use crate::id::{OpId, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::ledger::state::due::watches;
use crate::machine::hold;
use crate::money::Balance;

/// Nothing held or frozen is below zero (INV-07).
pub(super) fn is_not_negative(
    _: &State,
    _: &dyn Archive,
    subaccount: SubaccountId,
    known: &Buckets,
) -> Holds {
    if known.held.is_negative() || known.frozen.is_negative() {
        return Err(format!("{subaccount:?} has {known:?}"));
    }
    Ok(())
}

/// The balance is what the last row of the statement says (INV-08); [`check_statements`] adds up
/// every row.
pub(super) fn last_row_says_the_balance(
    _: &State,
    archive: &dyn Archive,
    subaccount: SubaccountId,
    known: &Buckets,
) -> Holds {
    let total = known.total().cents();
    let shown = archive.balance_after(subaccount).map_or(0, Balance::cents);
    if shown == total {
        return Ok(());
    }
    Err(format!("{subaccount:?} has {total}, its last row says {shown}"))
}

/// What is held is what the schedule will release (INV-14).
pub(super) fn schedule_is_what_is_held(
    state: &State,
    _: &dyn Archive,
    subaccount: SubaccountId,
    known: &Buckets,
) -> Holds {
    let held = known.held.cents();
    let parts: i64 = state.releases(subaccount).map(|(_, _, part)| part.cents()).sum();
    if parts == held {
        return Ok(());
    }
    Err(format!("{subaccount:?} holds {held}, its schedule {parts}"))
}

/// What is frozen is what the open holds block (INV-14).
pub(super) fn holds_are_what_is_frozen(
    state: &State,
    _: &dyn Archive,
    subaccount: SubaccountId,
    known: &Buckets,
) -> Holds {
    let frozen = known.frozen.cents();
    let blocked: i64 = state.holds_on(subaccount).map(|op| blocked_by(state, op)).sum();
    if blocked == frozen {
        return Ok(());
    }
    Err(format!("{subaccount:?} froze {frozen}, its holds {blocked}"))
}

fn blocked_by(state: &State, op: OpId) -> i64 {
    match state.open(op).and_then(Operation::hold) {
        Some(hold::State::Open(open)) => open.blocked_cents().cents(),
        _ => 0,
    }
}

/// Each subaccount counts the holds that watch it, so that none of them misses what comes in
/// (INV-14).
pub(super) fn watchers_are_counted(state: &State, _: &dyn Archive) -> Holds {
    let mut watching: BTreeMap<SubaccountId, u32> = BTreeMap::new();
    for (_, operation) in state.open_operations() {
        if let Some(hold::State::Open(open)) = operation.hold()
            && watches(open)
        {
            *watching.entry(open.order.subaccount).or_default() += 1;
        }
    }
    for (subaccount, known) in (0..).map(SubaccountId).zip(state.subaccounts.iter()) {
        let holds = watching.get(&subaccount).copied().unwrap_or_default();
        equal("the holds that watch", known.watchers.into(), holds.into())?;
    }
    Ok(())
}

/// Checks every row of every statement: each adds up, and the last says what the books hold. It
/// takes as long as the statements are, so [`super::check_all`] looks at the last rows only.
///
/// # Errors
///
/// The first [`Violation`] of INV-08.
pub fn check_statements(state: &State, archive: &dyn Archive) -> Result<(), Violation> {
    let mut known = state.books.subaccounts();
    let checked =
        known.try_for_each(|(id, known)| rows_add_up(archive, id, known.rows, known.total()));
    checked.map_err(|what| Violation { invariant: "INV-08", what })
}

fn rows_add_up(
    archive: &dyn Archive,
    subaccount: SubaccountId,
    rows: u32,
    total: Balance,
) -> Holds {
    let mut sum = 0_i128;
    for number in 1..=rows {
        let Some(row) = archive.row(subaccount, number) else {
            return Err(format!("{subaccount:?} lacks row {number}"));
        };
        if row.nature == Nature::Shift {
            return Err(format!("{subaccount:?} tells of a shift in row {number}"));
        }
        sum += i128::from(row.value.cents());
        if sum != i128::from(row.balance_after.cents()) {
            return Err(format!("{subaccount:?} adds up wrongly in row {number}"));
        }
    }
    equal("the balance", total.cents().into(), sum)
}
