//! What an attempt changes in the courier's tables, as statements with their values.

use ledger_core::time::Instant;
use ledger_store::projection::schema::table::Cell;

use super::delivery::{AttemptKind, Delivery, EndpointRecord};
use super::rows::micros;
use crate::courier::sending::sender::Sent;

/// The place of an event that is announced next.
pub(super) const ANNOUNCED: &str =
    "(SELECT coalesce(max(announced), 0) + 1 FROM webhook_deliveries WHERE ledger = $1)";

/// Returns what follows from a scheduled attempt, or from giving up; what a single one has
/// delivered meanwhile stays so.
pub(super) fn delivery_update(
    ledger: &str,
    delivery: &Delivery,
    attempted: bool,
) -> (String, Vec<Cell>) {
    let sql = "UPDATE webhook_deliveries SET state = $3, tries = $4, attempts = attempts + $5, \
            http_status = $6, updated_at = $7, next_at = $8, ended = $9 \
        WHERE ledger = $1 AND event = $2 AND ended = 0";
    let values = vec![
        ledger.into(),
        delivery.event.as_str().into(),
        delivery.state.name().into(),
        delivery.tries.into(),
        i64::from(attempted).into(),
        i64::from(delivery.http_status.unwrap_or_default()).into(),
        micros(Some(delivery.updated_at)),
        micros(delivery.next_at),
        i64::from(delivery.state.is_ended()).into(),
    ];
    (sql.to_owned(), values)
}

/// Returns what follows from a single attempt: a success ends the delivery, and nothing else moves
/// its schedule. Resent, it is announced once more.
pub(super) fn single(ledger: &str, delivery: &Delivery, kind: AttemptKind) -> (String, Vec<Cell>) {
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

pub(super) fn attempt_insert(
    ledger: &str,
    event: &str,
    kind: AttemptKind,
    at: Instant,
    sent: &Sent,
) -> (String, Vec<Cell>) {
    let sql = "INSERT INTO webhook_attempts \
        (ledger, event, number, kind, at, outcome, http_status, latency_ms, answer) \
        VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts \
            WHERE ledger = $1 AND event = $2), $3, $4, $5, $6, $7, $8)";
    let latency = u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX);
    let values = vec![
        ledger.into(),
        event.into(),
        kind.name().into(),
        micros(Some(at)),
        sent.outcome.name().into(),
        i64::from(sent.outcome.status().unwrap_or_default()).into(),
        latency.into(),
        sent.answer.as_str().into(),
    ];
    (sql.to_owned(), values)
}

pub(super) fn saving(
    ledger: &str,
    account: &str,
    endpoint: &EndpointRecord,
) -> (String, Vec<Cell>) {
    let sql = "INSERT INTO webhook_endpoints \
        (ledger, account, url, secret, previous, replaced_at, failing_since, off_since, off_reason) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (ledger, account) DO UPDATE SET \
        url = excluded.url, secret = excluded.secret, previous = excluded.previous, \
        replaced_at = excluded.replaced_at, failing_since = excluded.failing_since, \
        off_since = excluded.off_since, off_reason = excluded.off_reason";
    let EndpointRecord { url, secret, previous, replaced_at, failing_since, off } = endpoint;
    let values = vec![
        ledger.into(),
        account.into(),
        url.as_str().into(),
        secret.as_str().into(),
        previous.as_str().into(),
        micros(*replaced_at),
        micros(*failing_since),
        micros(off.map(|(since, _)| since)),
        off.map_or("", |(_, reason)| reason.name()).into(),
    ];
    (sql.to_owned(), values)
}
