//! The runnable invariants, by name: used by tests, simulator, engine and audit alike.

mod flights;
mod mesh;
#[cfg(test)]
mod tests;
mod wallets;

use std::collections::BTreeMap;

use thiserror::Error;

use super::archive::Archive;
use super::record::Record;
use super::state::State;
use super::state::operation::Machine;
use crate::accounting::{Control, Nature};
use crate::id::{AssetId, OpId, SubaccountId, Token};
use crate::machine::{charge, hold};
use crate::money::Balance;

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{invariant}: {what}")]
pub struct Violation {
    /// The invariant's id in docs/INVARIANTS.md.
    pub invariant: &'static str,
    /// What was seen.
    pub what: String,
}

/// Every invariant by id and sentence, in the order they are checked.
pub const INVARIANTS: [(&str, &str); 15] = [
    ("INV-01", "every entry balances"),
    ("INV-02", "the trial balance is zero in every commodity"),
    (
        "INV-07",
        "no bucket, flight or suspense is negative, available after a forced debit excepted",
    ),
    ("INV-08", "saldo = disponivel + bloqueado = the sum of statement rows"),
    ("CONTROL", "sub-ledgers equal their control accounts"),
    (
        "INV-14",
        "the release schedule equals the held bucket, open holds the frozen one and its watchers",
    ),
    ("INV-24", "a reward is a thousandth of what the agents referred settled, rounded down"),
    ("INV-33", "what is in flight belongs to an operation that is open"),
    ("INV-36", "what of a wallet is reserved or confirming belongs to operations that are open"),
    ("INV-38", "open deposit requests at one address await different amounts"),
    ("INV-40", "the ladder counts as pending exactly the charges that are"),
    ("INV-42", "what was let pass is within the platform's limit and the mandate"),
    ("AGENDA", "the agenda holds the deadline of every open operation, and no other"),
    ("ASIDE", "what waits for a person is found by the operation it names, and nothing else is"),
    ("TIME", "nothing is overdue"),
];

fn broken(invariant: &'static str, what: String) -> Violation {
    Violation { invariant, what }
}

/// Checks the invariants on the accounts that `record`, just applied, touched.
///
/// # Errors
///
/// The first [`Violation`].
pub fn check_touched(
    state: &State,
    archive: &impl Archive,
    record: &Record,
) -> Result<(), Violation> {
    let sum = state.books.trial_balance();
    if sum != 0 {
        return Err(broken("INV-02", format!("the trial balance is {sum}")));
    }
    check_due(state)?;
    mesh::check_record(state, record)?;
    for entry in record.events.iter().map(super::record::event::Event::entry) {
        let legs: i128 = entry
            .postings()
            .iter()
            .map(|leg| match leg.side {
                crate::accounting::Side::Debit => -i128::from(leg.amount.cents()),
                crate::accounting::Side::Credit => i128::from(leg.amount.cents()),
            })
            .sum();
        if legs != 0 {
            return Err(broken("INV-01", format!("an entry is out by {legs}")));
        }
        for m in entry.moves() {
            for account in [m.debit, m.credit] {
                if let Some(subaccount) = account.subaccount() {
                    check_subaccount(state, archive, subaccount)?;
                }
            }
        }
    }
    Ok(())
}

/// Checks every invariant over the state.
///
/// # Errors
///
/// The first [`Violation`].
pub fn check_all(state: &State, archive: &impl Archive) -> Result<(), Violation> {
    check_trial(state)?;
    let mut buckets = [0_i128; 3];
    for (subaccount, known) in state.books.subaccounts() {
        check_subaccount(state, archive, subaccount)?;
        buckets[0] += i128::from(known.available.cents());
        buckets[1] += i128::from(known.held.cents());
        buckets[2] += i128::from(known.frozen.cents());
    }
    let controls = [Control::Available, Control::Held, Control::Frozen];
    for (control, sum) in controls.into_iter().zip(buckets) {
        equal("CONTROL", control.name(), state.books.balance(control), sum)?;
    }
    let mut commissions = 0_i128;
    for (account, known) in state.books.commissions() {
        let last = known.rows.checked_sub(1);
        let last = last.and_then(|_| archive.commission_row(account, known.rows));
        let reported = last.map_or(0, |row| row.balance_after.cents());
        equal("CONTROL", "comm", i128::from(known.balance.cents()), i128::from(reported))?;
        commissions += i128::from(known.balance.cents());
    }
    equal("CONTROL", "comm", state.books.balance(Control::Commission), commissions)?;
    flights::check(state)?;
    mesh::check(state)?;
    wallets::check(state)?;
    check_watchers(state)?;
    check_suspense(state)?;
    check_set_aside(state)?;
    check_ladder(state)?;
    check_agenda(state)
}

/// Checks every row of every statement: each adds up, and the last says what the books hold.
///
/// # Errors
///
/// The first [`Violation`].
pub fn check_statements(state: &State, archive: &impl Archive) -> Result<(), Violation> {
    for (subaccount, known) in state.books.subaccounts() {
        check_rows(archive, subaccount, known.rows, known.total().cents())?;
    }
    Ok(())
}

/// Every commodity sums to nothing.
fn check_trial(state: &State) -> Result<(), Violation> {
    let sum = state.books.trial_balance();
    if sum != 0 {
        return Err(broken("INV-02", format!("the trial balance is {sum}")));
    }
    let mut sums: BTreeMap<AssetId, i128> = BTreeMap::new();
    for (asset, _, balance) in state.books.coins() {
        let sum = sums.entry(asset).or_default();
        *sum = sum.checked_add(balance).ok_or_else(|| broken("INV-02", "too much".into()))?;
    }
    match sums.into_iter().find(|(_, sum)| *sum != 0) {
        Some((asset, sum)) => Err(broken("INV-02", format!("{asset:?} sums to {sum} units"))),
        None => Ok(()),
    }
}

/// What documents have pending is what their pending charges ask for.
fn check_ladder(state: &State) -> Result<(), Violation> {
    let mut pending: BTreeMap<Token, i128> = BTreeMap::new();
    for (_, known) in state.open_operations() {
        let order = match &known.machine {
            Machine::Charge(charge::State::Pending(order)) => order,
            Machine::Charge(charge::State::UnderReview(arrived)) => &arrived.order,
            _ => continue,
        };
        *pending.entry(order.payer).or_default() += i128::from(order.amount.cents());
    }
    let counted = state.payers().filter(|(_, payer)| !payer.pending.is_zero());
    let counted: BTreeMap<Token, i128> =
        counted.map(|(document, payer)| (document, i128::from(payer.pending.cents()))).collect();
    if counted == pending {
        Ok(())
    } else {
        Err(broken("INV-40", "the ladder and the pending charges differ".into()))
    }
}

fn equal(invariant: &'static str, name: &str, control: i128, sum: i128) -> Result<(), Violation> {
    if control == sum {
        Ok(())
    } else {
        Err(broken(invariant, format!("{name} stands at {control}, its parts at {sum}")))
    }
}

/// Nothing held or frozen is below zero.
fn check_signs(state: &State, subaccount: SubaccountId) -> Result<(), Violation> {
    let known = state.books.subaccount(subaccount);
    if known.held.is_negative() || known.frozen.is_negative() {
        return Err(broken("INV-07", format!("{subaccount:?} has {known:?}")));
    }
    Ok(())
}

fn check_subaccount(
    state: &State,
    archive: &impl Archive,
    subaccount: SubaccountId,
) -> Result<(), Violation> {
    check_signs(state, subaccount)?;
    let known = state.books.subaccount(subaccount);
    let shown = archive.balance_after(subaccount).map_or(0, Balance::cents);
    if shown != known.total().cents() {
        let total = known.total().cents();
        return Err(broken(
            "INV-08",
            format!("{subaccount:?} has {total}, its last row says {shown}"),
        ));
    }
    let parts: i64 = state.releases(subaccount).map(|(_, _, part)| part.cents()).sum();
    if parts != known.held.cents() {
        let held = known.held.cents();
        return Err(broken("INV-14", format!("{subaccount:?} holds {held}, its schedule {parts}")));
    }
    let blocked: i64 = state.holds_on(subaccount).map(|op| blocked_by(state, op)).sum();
    if blocked != known.frozen.cents() {
        let frozen = known.frozen.cents();
        return Err(broken(
            "INV-14",
            format!("{subaccount:?} froze {frozen}, its holds {blocked}"),
        ));
    }
    Ok(())
}

fn blocked_by(state: &State, op: OpId) -> i64 {
    match state.open(op).map(|known| &known.machine) {
        Some(Machine::Hold(hold::State::Open(open))) => open.blocked().cents(),
        _ => 0,
    }
}

fn check_rows(
    archive: &impl Archive,
    subaccount: SubaccountId,
    rows: u32,
    total: i64,
) -> Result<(), Violation> {
    let mut sum = 0_i128;
    for number in 1..=rows {
        let Some(row) = archive.row(subaccount, number) else {
            return Err(broken("INV-08", format!("{subaccount:?} lacks row {number}")));
        };
        if row.nature == Nature::Shift {
            return Err(broken(
                "INV-08",
                format!("{subaccount:?} tells of a shift in row {number}"),
            ));
        }
        sum += i128::from(row.value.cents());
        if sum != i128::from(row.balance_after.cents()) {
            return Err(broken(
                "INV-08",
                format!("{subaccount:?} adds up wrongly in row {number}"),
            ));
        }
    }
    equal("INV-08", "the balance", i128::from(total), sum)
}

/// Each subaccount counts the holds that watch it, so that none of them misses what comes in.
fn check_watchers(state: &State) -> Result<(), Violation> {
    let mut watching: BTreeMap<SubaccountId, u32> = BTreeMap::new();
    for (_, operation) in state.open_operations() {
        if let Machine::Hold(hold::State::Open(open)) = &operation.machine
            && super::state::due::watches(open)
        {
            *watching.entry(open.order.subaccount).or_default() += 1;
        }
    }
    for (subaccount, known) in (0..).map(SubaccountId).zip(state.subaccounts.iter()) {
        let holds = watching.get(&subaccount).copied().unwrap_or_default();
        equal("INV-14", "the holds that watch", known.watchers.into(), holds.into())?;
    }
    Ok(())
}

/// What waits in suspense is what its open operations say.
fn check_suspense(state: &State) -> Result<(), Violation> {
    use crate::machine::suspense::{Direction, State as Suspense};
    let waiting = state.open_operations().filter_map(|(_, known)| match &known.machine {
        Machine::Suspense(Suspense::Waiting(order)) if order.direction == Direction::In => {
            Some(i128::from(order.amount.cents()))
        }
        _ => None,
    });
    equal("CONTROL", "susp.pix", state.books.balance(Control::SuspensePix), waiting.sum())
}

/// What was set aside before its time is found by what makes it possible (rulings 46).
fn check_set_aside(state: &State) -> Result<(), Violation> {
    let mut waiting = 0_usize;
    for (op, known) in state.open_operations() {
        let Some(about) = super::suspense::waiting::waits_about(&known.machine) else { continue };
        waiting += 1;
        if !state.set_aside.contains(&(about, op)) {
            return Err(broken("ASIDE", format!("{op:?} waits, and {about:?} does not find it")));
        }
    }
    if waiting != state.set_aside.len() {
        let found = state.set_aside.len();
        return Err(broken("ASIDE", format!("{found} are found, and {waiting} wait")));
    }
    Ok(())
}

fn check_agenda(state: &State) -> Result<(), Violation> {
    let mut due = 0_usize;
    for (op, operation) in state.open_operations() {
        if let Some((at, kind)) = super::state::due::deadline(&operation.machine) {
            due += 1;
            if !state.agenda.contains(&(at, op, kind)) {
                return Err(broken("AGENDA", format!("{op:?} is not on the agenda for {at}")));
            }
        }
    }
    if due != state.agenda.len() {
        let found = state.agenda.len();
        return Err(broken("AGENDA", format!("{found} deadlines for {due} operations")));
    }
    check_due(state)
}

/// Nothing is overdue: a deadline that was passed over is a record that is missing (rulings 3).
fn check_due(state: &State) -> Result<(), Violation> {
    match state.agenda.get_min() {
        Some((at, op, _)) if *at < state.now => {
            Err(broken("TIME", format!("{op:?} was due at {at}, and it is {}", state.now)))
        }
        _ => Ok(()),
    }
}
