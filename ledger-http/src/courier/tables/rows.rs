//! Rows of the courier's tables as what they say.

use ledger_core::time::Instant;
use ledger_store::projection::schema::table::Cell;

use super::delivery::{AttemptRecord, Delivery, DeliveryState, EndpointRecord, OffReason};

/// The columns of a delivery, in the order in which they are read.
pub(super) const DELIVERY: &str = "event, account, topic, state, tries, attempts, http_status, \
    created_at, updated_at, next_at, announced";

pub(super) fn micros(at: Option<Instant>) -> Cell {
    Cell::Integer(at.map_or(0, Instant::micros))
}

pub(super) fn count(cell: &Cell) -> Option<u64> {
    u64::try_from(cell.number()?).ok()
}

fn small(cell: &Cell) -> Option<u32> {
    u32::try_from(cell.number()?).ok()
}

/// A status; none where it is 0.
fn status(cell: &Cell) -> Option<u16> {
    cell.number().and_then(|status| u16::try_from(status).ok()).filter(|status| *status > 0)
}

/// An instant; none where it is 0.
pub(super) fn instant(cell: &Cell) -> Option<Instant> {
    cell.number().filter(|micros| *micros != 0).and_then(Instant::from_micros)
}

pub(super) fn text(cell: &Cell) -> Option<String> {
    cell.text().map(str::to_owned)
}

pub(super) fn delivery(row: &[Cell]) -> Option<Delivery> {
    let [event, account, topic, state, tries, attempts, http, created, updated, next, announced] =
        row
    else {
        return None;
    };
    Some(Delivery {
        event: text(event)?,
        account: text(account)?,
        topic: text(topic)?,
        state: DeliveryState::from_name(&text(state)?)?,
        tries: small(tries)?,
        attempts: small(attempts)?,
        http_status: status(http),
        created_at: instant(created)?,
        updated_at: instant(updated)?,
        next_at: instant(next),
        announced: count(announced)?,
    })
}

pub(super) fn attempt(row: &[Cell]) -> Option<AttemptRecord> {
    let [place, kind, at, outcome, http, latency, answer] = row else { return None };
    Some(AttemptRecord {
        number: small(place)?,
        kind: text(kind)?,
        at: instant(at)?,
        outcome: text(outcome)?,
        http_status: status(http),
        latency_ms: count(latency)?,
        answer: text(answer)?,
    })
}

pub(super) fn endpoint(row: &[Cell]) -> Option<EndpointRecord> {
    let [url, secret, previous, replaced, failing, off_since, off_reason] = row else {
        return None;
    };
    let reason = OffReason::from_name(&text(off_reason)?);
    Some(EndpointRecord {
        url: text(url)?,
        secret: text(secret)?,
        previous: text(previous)?,
        replaced_at: instant(replaced),
        failing_since: instant(failing),
        off: instant(off_since).zip(reason),
    })
}
