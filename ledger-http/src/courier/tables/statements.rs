//! What an attempt changes in the courier's tables, as statements with their values.

use ledger_core::time::Instant;
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cells;

use super::delivery::{AttemptKind, Delivery, EndpointRecord};
use super::rows::{DELIVERY, micros};
use crate::courier::sending::sender::Sent;

/// A statement and its values.
type Statement = (String, Cells);

/// The place of an event that is announced next.
pub(super) const ANNOUNCED: &str =
    "(SELECT coalesce(max(announced), 0) + 1 FROM webhook_deliveries WHERE ledger = $1)";

/// An attempt that is to be written down, with what follows from it.
#[derive(Debug)]
pub struct Recorded<'a> {
    /// The ledger that the event is of.
    pub ledger: &'a str,
    /// The delivery after it.
    pub delivery: &'a Delivery,
    /// Why it was made, and what came of it; nothing where none was made.
    pub sent: Option<(AttemptKind, Instant, &'a Sent)>,
    /// The endpoint after it.
    pub endpoint: &'a EndpointRecord,
}

/// Deliveries that come from the outbox; one that is known already stays as it is. Each is
/// announced after the one before it.
pub(super) fn delivery_inserts(ledger: &str, new: &[Delivery]) -> Vec<Statement> {
    let into = format!("INSERT INTO webhook_deliveries (ledger, {DELIVERY}, ended) VALUES");
    // A row need not see what the rows before it in its statement announce.
    let row = "($1, $2, $3, $4, $5, 0, 0, 0, $6, $6, $7, \
        (SELECT coalesce(max(announced), 0) + $9 FROM webhook_deliveries WHERE ledger = $1), $8)";
    let rows = (1..=ServiceTables::ROWS as u64).cycle().zip(new).map(|(place, delivery)| {
        let Delivery { event, account, topic, state, created_at, next_at, .. } = delivery;
        vec![
            ledger.into(),
            event.as_str().into(),
            account.as_str().into(),
            topic.as_str().into(),
            state.name().into(),
            micros(Some(*created_at)),
            micros(*next_at),
            i64::from(state.is_ended()).into(),
            place.into(),
        ]
    });
    let conflict = "ON CONFLICT (ledger, event) DO NOTHING";
    ServiceTables::insert(&into, row, conflict, &rows.collect::<Vec<_>>())
}

/// Returns what follows from scheduled attempts, or from giving up; what a single one has delivered
/// meanwhile stays so.
pub(super) fn delivery_updates<'a>(
    attempted: impl Iterator<Item = &'a Recorded<'a>>,
) -> Vec<Statement> {
    let into = format!("INSERT INTO webhook_deliveries (ledger, {DELIVERY}, ended) VALUES");
    let row = "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    let conflict = "ON CONFLICT (ledger, event) DO UPDATE SET state = excluded.state, \
            tries = excluded.tries, attempts = webhook_deliveries.attempts + excluded.attempts, \
            http_status = excluded.http_status, updated_at = excluded.updated_at, \
            next_at = excluded.next_at, ended = excluded.ended \
        WHERE webhook_deliveries.ended = 0";
    let rows = attempted.map(|Recorded { ledger, delivery, sent, .. }| {
        vec![
            (*ledger).into(),
            delivery.event.as_str().into(),
            delivery.account.as_str().into(),
            delivery.topic.as_str().into(),
            delivery.state.name().into(),
            delivery.tries.into(),
            i64::from(sent.is_some()).into(),
            i64::from(delivery.http_status.unwrap_or_default()).into(),
            micros(Some(delivery.created_at)),
            micros(Some(delivery.updated_at)),
            micros(delivery.next_at),
            delivery.announced.into(),
            i64::from(delivery.state.is_ended()).into(),
        ]
    });
    ServiceTables::insert(&into, row, conflict, &rows.collect::<Vec<_>>())
}

/// Returns what follows from a single attempt: a success ends the delivery, and nothing else moves
/// its schedule. Resent, it is announced once more.
pub(super) fn single(ledger: &str, delivery: &Delivery, kind: AttemptKind) -> Statement {
    let announced = if kind == AttemptKind::Resend { ANNOUNCED } else { "announced" };
    let sql = format!(
        "UPDATE webhook_deliveries SET attempts = attempts + 1, http_status = $4, \
            updated_at = $5, announced = {announced}, \
            state = CASE WHEN $3 = 'delivered' THEN $3 ELSE state END, \
            next_at = CASE WHEN $3 = 'delivered' OR ended = 1 THEN 0 ELSE next_at END, \
            ended = CASE WHEN $3 = 'delivered' THEN 1 ELSE ended END \
         WHERE ledger = $1 AND event = $2"
    );
    let values = vec![
        ledger.into(),
        delivery.event.as_str().into(),
        delivery.state.name().into(),
        i64::from(delivery.http_status.unwrap_or_default()).into(),
        micros(Some(delivery.updated_at)),
    ];
    (sql, values)
}

/// Attempts that were made, each with the next number of its delivery.
pub(super) fn attempt_inserts<'a>(
    attempted: impl Iterator<Item = &'a Recorded<'a>>,
) -> Vec<Statement> {
    let into = "INSERT INTO webhook_attempts \
        (ledger, event, number, kind, at, outcome, http_status, latency_ms, answer) VALUES";
    let row = "($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts \
        WHERE ledger = $1 AND event = $2), $3, $4, $5, $6, $7, $8)";
    let rows = attempted.filter_map(|Recorded { ledger, delivery, sent, .. }| {
        let (kind, at, sent) = (*sent)?;
        let latency = u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX);
        Some(vec![
            (*ledger).into(),
            delivery.event.as_str().into(),
            kind.name().into(),
            micros(Some(at)),
            sent.outcome.name().into(),
            i64::from(sent.outcome.status().unwrap_or_default()).into(),
            latency.into(),
            sent.answer.as_str().into(),
        ])
    });
    ServiceTables::insert(into, row, "", &rows.collect::<Vec<_>>())
}

/// Endpoints as they are remembered, by ledger and account.
pub(super) fn endpoint_upserts<'a>(
    endpoints: impl IntoIterator<Item = ((&'a str, &'a str), &'a EndpointRecord)>,
) -> Vec<Statement> {
    let into = "INSERT INTO webhook_endpoints \
        (ledger, account, url, secret, previous, replaced_at, failing_since, off_since, \
         off_reason) VALUES";
    let row = "($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let conflict = "ON CONFLICT (ledger, account) DO UPDATE SET \
        url = excluded.url, secret = excluded.secret, previous = excluded.previous, \
        replaced_at = excluded.replaced_at, failing_since = excluded.failing_since, \
        off_since = excluded.off_since, off_reason = excluded.off_reason";
    let rows = endpoints.into_iter().map(|((ledger, account), endpoint)| {
        let EndpointRecord { url, secret, previous, replaced_at, failing_since, off } = endpoint;
        vec![
            ledger.into(),
            account.into(),
            url.as_str().into(),
            secret.as_str().into(),
            previous.as_str().into(),
            micros(*replaced_at),
            micros(*failing_since),
            micros(off.map(|(since, _)| since)),
            off.map_or("", |(_, reason)| reason.name()).into(),
        ]
    });
    ServiceTables::insert(into, row, conflict, &rows.collect::<Vec<_>>())
}
