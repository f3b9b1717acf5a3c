//! The tables of the courier: deliveries, their attempts, and endpoints. What the schedule needs
//! stands in the rows, so a restart goes on where the process ended.
//!
//! No column is ever null: 0 and the empty text say that there is nothing.

use std::collections::HashMap;

use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use super::delivery::{AttemptKind, AttemptRecord, Delivery, EndpointRecord};
use super::rows::{DELIVERY, attempt, count, delivery, endpoint, instant, micros, text};
use super::statements::{
    Recorded, attempt_inserts, delivery_inserts, delivery_updates, endpoint_upserts, single,
};
use crate::courier::filter::Filter;

/// For how many days a delivery that has ended is kept, with its attempts and their answers
/// (P:WebhookRetention).
pub const KEPT_DAYS: u32 = 30;

const MAKING: [&str; 6] = [
    "CREATE TABLE IF NOT EXISTS webhook_deliveries ( \
        ledger TEXT NOT NULL, event TEXT NOT NULL, account TEXT NOT NULL, topic TEXT NOT NULL, \
        state TEXT NOT NULL, tries BIGINT NOT NULL, attempts BIGINT NOT NULL, \
        http_status BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, \
        next_at BIGINT NOT NULL, announced BIGINT NOT NULL, ended BIGINT NOT NULL, \
        PRIMARY KEY (ledger, event))",
    "CREATE INDEX IF NOT EXISTS webhook_deliveries_announced \
        ON webhook_deliveries (ledger, account, announced)",
    "CREATE INDEX IF NOT EXISTS webhook_deliveries_ended \
        ON webhook_deliveries (ledger, updated_at) WHERE ended = 1",
    "CREATE TABLE IF NOT EXISTS webhook_attempts ( \
        ledger TEXT NOT NULL, event TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, \
        at BIGINT NOT NULL, outcome TEXT NOT NULL, http_status BIGINT NOT NULL, \
        latency_ms BIGINT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (ledger, event, number))",
    "CREATE TABLE IF NOT EXISTS webhook_endpoints ( \
        ledger TEXT NOT NULL, account TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, \
        previous TEXT NOT NULL, replaced_at BIGINT NOT NULL, failing_since BIGINT NOT NULL, \
        off_since BIGINT NOT NULL, off_reason TEXT NOT NULL, PRIMARY KEY (ledger, account))",
    "CREATE TABLE IF NOT EXISTS webhook_filters ( \
        ledger TEXT NOT NULL, account TEXT NOT NULL, events TEXT NOT NULL, \
        PRIMARY KEY (ledger, account))",
];

/// Indexes that tables of earlier versions lack: of what is due by account, of what is announced,
/// and of what has not ended.
const INDEXES: [(&str, &str); 3] = [
    (
        "webhook_deliveries_next",
        "CREATE INDEX IF NOT EXISTS webhook_deliveries_next \
            ON webhook_deliveries (ledger, account, next_at, event) WHERE next_at > 0",
    ),
    (
        "webhook_deliveries_places",
        "CREATE INDEX IF NOT EXISTS webhook_deliveries_places \
            ON webhook_deliveries (ledger, announced)",
    ),
    (
        "webhook_deliveries_open",
        "CREATE INDEX IF NOT EXISTS webhook_deliveries_open \
            ON webhook_deliveries (ledger, state) WHERE ended = 0",
    ),
];

/// The tables of the courier. Its methods block.
#[derive(Debug)]
pub struct DeliveryStore(pub(super) ServiceTables);

impl DeliveryStore {
    /// Opens the tables, and makes them where they are not there.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn open(target: &Target) -> Result<Self, TablesFailed> {
        let mut tables = ServiceTables::open(target, "webhook_filters", &MAKING)?;
        for (name, making) in INDEXES {
            // A role that makes nothing goes on without, until the owner of the tables starts once.
            let _ = tables.index(name, making);
        }
        Ok(Self(tables))
    }

    /// The deliveries of those of these events that are known, in no order.
    pub(in crate::courier) fn for_events(
        &mut self,
        ledger: &str,
        events: &[String],
    ) -> Result<Vec<Delivery>, TablesFailed> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = (2..).zip(events).map(|(place, _)| format!("${place}")).collect();
        let sql = format!(
            "SELECT {DELIVERY} FROM webhook_deliveries WHERE ledger = $1 AND event IN ({})",
            places.join(", ")
        );
        let mut values = vec![ledger.into()];
        values.extend(events.iter().map(|event| Cell::from(event.as_str())));
        self.deliveries(&sql, &values)
    }

    /// Takes events from the outbox; one that is known already stays as it is.
    pub(in crate::courier) fn add(
        &mut self,
        ledger: &str,
        new: &[Delivery],
    ) -> Result<(), TablesFailed> {
        self.0.write(&delivery_inserts(ledger, new)).map(drop)
    }

    /// The accounts for which something waits, each with when the first of it is due.
    pub(in crate::courier) fn waiting(
        &mut self,
        ledger: &str,
    ) -> Result<Vec<(String, Instant)>, TablesFailed> {
        let sql = "SELECT account, min(next_at) FROM webhook_deliveries \
            WHERE ledger = $1 AND next_at > 0 GROUP BY account";
        let rows = self.0.read(sql, &[ledger.into()])?;
        Ok(rows.iter().filter_map(|row| Some((text(&row[0])?, instant(&row[1])?))).collect())
    }

    /// Returns what waits for an account, the first due first, and how its endpoint is remembered.
    pub(in crate::courier) fn next(
        &mut self,
        ledger: &str,
        account: &str,
        limit: usize,
    ) -> Result<(Vec<Delivery>, EndpointRecord), TablesFailed> {
        let sql = format!(
            "SELECT {DELIVERY} FROM webhook_deliveries WHERE ledger = $1 AND account = $2 \
             AND next_at > 0 ORDER BY next_at, event LIMIT $3"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let waiting = self.deliveries(&sql, &[ledger.into(), account.into(), limit.into()])?;
        Ok((waiting, self.endpoint(ledger, account)?))
    }

    /// The delivery of an event.
    pub(in crate::courier) fn get(
        &mut self,
        ledger: &str,
        event: &str,
    ) -> Result<Option<Delivery>, TablesFailed> {
        let sql =
            format!("SELECT {DELIVERY} FROM webhook_deliveries WHERE ledger = $1 AND event = $2");
        Ok(self.deliveries(&sql, &[ledger.into(), event.into()])?.pop())
    }

    /// The latest deliveries to an account, the latest first.
    pub(in crate::courier) fn latest(
        &mut self,
        ledger: &str,
        account: &str,
        limit: u32,
    ) -> Result<Vec<Delivery>, TablesFailed> {
        let sql = format!(
            "SELECT {DELIVERY} FROM webhook_deliveries WHERE ledger = $1 AND account = $2 \
             AND state NOT IN ('unaddressed', 'filtered') ORDER BY announced DESC LIMIT $3"
        );
        self.deliveries(&sql, &[ledger.into(), account.into(), limit.into()])
    }

    /// Returns what was announced to an account's listeners after that place, in order.
    pub(in crate::courier) fn announced_after(
        &mut self,
        ledger: &str,
        account: &str,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Delivery>, TablesFailed> {
        let sql = format!(
            "SELECT {DELIVERY} FROM webhook_deliveries WHERE ledger = $1 AND account = $2 \
             AND announced > $3 AND (state <> 'filtered' OR attempts > 0) ORDER BY announced LIMIT $4"
        );
        self.deliveries(&sql, &[ledger.into(), account.into(), after.into(), limit.into()])
    }

    /// The last place that was announced to an account; 0 before the first.
    pub(in crate::courier) fn last_announced(
        &mut self,
        ledger: &str,
        account: &str,
    ) -> Result<u64, TablesFailed> {
        let sql = "SELECT coalesce(max(announced), 0) FROM webhook_deliveries \
            WHERE ledger = $1 AND account = $2";
        let rows = self.0.read(sql, &[ledger.into(), account.into()])?;
        Ok(rows.first().and_then(|row| count(row.first()?)).unwrap_or_default())
    }

    /// Every attempt of a delivery, in order.
    pub(in crate::courier) fn attempts(
        &mut self,
        ledger: &str,
        event: &str,
    ) -> Result<Vec<AttemptRecord>, TablesFailed> {
        let sql = "SELECT number, kind, at, outcome, http_status, latency_ms, answer \
            FROM webhook_attempts WHERE ledger = $1 AND event = $2 ORDER BY number";
        let rows = self.0.read(sql, &[ledger.into(), event.into()])?;
        rows.iter()
            .map(|row| attempt(row).ok_or_else(|| malformed_row("webhook_attempts")))
            .collect()
    }

    /// Returns what is remembered of an account's endpoint; nothing of a new one.
    pub(in crate::courier) fn endpoint(
        &mut self,
        ledger: &str,
        account: &str,
    ) -> Result<EndpointRecord, TablesFailed> {
        let sql = "SELECT url, secret, previous, replaced_at, failing_since, off_since, off_reason \
            FROM webhook_endpoints WHERE ledger = $1 AND account = $2";
        let rows = self.0.read(sql, &[ledger.into(), account.into()])?;
        let Some(row) = rows.first() else { return Ok(EndpointRecord::default()) };
        endpoint(row).ok_or_else(|| malformed_row("webhook_endpoints"))
    }

    /// Writes down what is seen of an endpoint.
    pub(in crate::courier) fn save_endpoint(
        &mut self,
        ledger: &str,
        account: &str,
        endpoint: &EndpointRecord,
    ) -> Result<(), TablesFailed> {
        self.0.write(&endpoint_upserts([((ledger, account), endpoint)])).map(drop)
    }

    /// The events that accounts of a ledger have chosen, by the accounts' names.
    pub(in crate::courier) fn filters(
        &mut self,
        ledger: &str,
    ) -> Result<HashMap<String, Filter>, TablesFailed> {
        let sql = "SELECT account, events FROM webhook_filters WHERE ledger = $1";
        let rows = self.0.read(sql, &[ledger.into()])?;
        let chosen =
            rows.iter().map(|row| Some((text(&row[0])?, Filter::of_text(&text(&row[1])?))));
        chosen.collect::<Option<_>>().ok_or_else(|| malformed_row("webhook_filters"))
    }

    /// Writes down which events an account has chosen.
    pub(in crate::courier) fn choose(
        &mut self,
        ledger: &str,
        account: &str,
        filter: &Filter,
    ) -> Result<(), TablesFailed> {
        let sql = "INSERT INTO webhook_filters (ledger, account, events) VALUES ($1, $2, $3) \
            ON CONFLICT (ledger, account) DO UPDATE SET events = excluded.events";
        let values = vec![ledger.into(), account.into(), filter.text().as_str().into()];
        self.0.write(&[(sql.to_owned(), values)]).map(drop)
    }

    /// Writes down attempts and all that follows from them, or none of it.
    pub(in crate::courier) fn record(
        &mut self,
        recorded: &[Recorded<'_>],
    ) -> Result<(), TablesFailed> {
        let is_single =
            |it: &&Recorded<'_>| it.sent.is_some_and(|(kind, ..)| kind != AttemptKind::Scheduled);
        let mut statements = delivery_updates(recorded.iter().filter(|it| !is_single(it)));
        let singles = recorded.iter().filter(is_single);
        statements.extend(singles.filter_map(|Recorded { ledger, delivery, sent, .. }| {
            Some(single(ledger, delivery, (*sent)?.0))
        }));
        statements.extend(attempt_inserts(recorded.iter()));
        // Of one endpoint the last answer is what stands.
        let endpoints: HashMap<_, _> =
            recorded.iter().map(|it| ((it.ledger, &*it.delivery.account), it.endpoint)).collect();
        statements.extend(endpoint_upserts(endpoints));
        self.0.write(&statements).map(drop)
    }

    /// Has everything of an account attempted once more that was not delivered since then; says how
    /// many events that are.
    pub(in crate::courier) fn recover(
        &mut self,
        ledger: &str,
        account: &str,
        since: Instant,
        now: Instant,
    ) -> Result<u64, TablesFailed> {
        let sql = "UPDATE webhook_deliveries SET next_at = $4 WHERE ledger = $1 AND account = $2 \
            AND created_at >= $3 AND next_at = 0 AND state IN ('abandoned', 'unaddressed')";
        let values = vec![ledger.into(), account.into(), micros(Some(since)), micros(Some(now))];
        self.0.write(&[(sql.to_owned(), values)])
    }

    /// Has an event that has ended attempted no more.
    pub(in crate::courier) fn cancel_next_attempt(
        &mut self,
        ledger: &str,
        event: &str,
    ) -> Result<(), TablesFailed> {
        let sql = "UPDATE webhook_deliveries SET next_at = 0 \
            WHERE ledger = $1 AND event = $2 AND ended = 1";
        self.0.write(&[(sql.to_owned(), vec![ledger.into(), event.into()])]).map(drop)
    }

    /// Forgets what ended long enough ago; says how many rows went.
    pub(in crate::courier) fn prune(
        &mut self,
        ledger: &str,
        now: Instant,
    ) -> Result<u64, TablesFailed> {
        let before = now.micros() - i64::try_from(Span::days(KEPT_DAYS).micros()).unwrap_or(0);
        let old = "SELECT event FROM webhook_deliveries \
            WHERE ledger = $1 AND ended = 1 AND next_at = 0 AND updated_at < $2";
        let attempts =
            format!("DELETE FROM webhook_attempts WHERE ledger = $1 AND event IN ({old})");
        let deliveries = "DELETE FROM webhook_deliveries \
            WHERE ledger = $1 AND ended = 1 AND next_at = 0 AND updated_at < $2";
        let values = || vec![ledger.into(), before.into()];
        self.0.write(&[(attempts, values()), (deliveries.to_owned(), values())])
    }

    /// How many deliveries of a ledger stand so.
    pub(in crate::courier) fn counts(
        &mut self,
        ledger: &str,
    ) -> Result<Vec<(String, u64)>, TablesFailed> {
        let sql = "SELECT state, count(*) FROM webhook_deliveries \
            WHERE ledger = $1 AND ended = 0 GROUP BY state";
        let rows = self.0.read(sql, &[ledger.into()])?;
        Ok(rows.iter().filter_map(|row| Some((text(&row[0])?, count(&row[1])?))).collect())
    }

    fn deliveries(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Delivery>, TablesFailed> {
        let rows = self.0.read(sql, values)?;
        rows.iter()
            .map(|row| delivery(row).ok_or_else(|| malformed_row("webhook_deliveries")))
            .collect()
    }
}

pub(super) fn malformed_row(table: &str) -> TablesFailed {
    TablesFailed(format!("a row of {table} is malformed").into())
}
