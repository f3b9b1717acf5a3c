//! How endpoints stand, read by the indexes of what has not ended and of what ended of late.

use ledger_core::time::Instant;
use ledger_store::projection::TablesFailed;
use ledger_store::projection::schema::table::Cell;

use super::delivery::{DeliveryState, EndpointRecord};
use super::rows::{count, endpoint, instant, micros, text};
use super::store::{DeliveryStore, malformed_row};

/// Deliveries to one account that stand alike.
pub(in crate::courier) struct Group {
    pub(in crate::courier) account: String,
    pub(in crate::courier) state: DeliveryState,
    /// The status of their last answer; none where there was none.
    pub(in crate::courier) http_status: Option<u16>,
    pub(in crate::courier) count: u64,
    /// When the first of them came.
    pub(in crate::courier) oldest: Instant,
    /// When the last of them changed.
    pub(in crate::courier) latest: Instant,
    /// Tells whether any of them was attempted.
    pub(in crate::courier) tried: bool,
}

impl DeliveryStore {
    /// Returns what has not ended, and what ended since then, by account, state and last answer.
    pub(in crate::courier) fn groups(
        &mut self,
        ledger: &str,
        since: Instant,
    ) -> Result<Vec<Group>, TablesFailed> {
        let columns = "account, state, http_status, count(*), min(created_at), max(updated_at), \
            max(attempts)";
        let sql = |which| {
            format!(
                "SELECT {columns} FROM webhook_deliveries WHERE ledger = $1 AND {which} \
                 GROUP BY account, state, http_status"
            )
        };
        let mut rows = self.0.read(&sql("ended = 0"), &[ledger.into()])?;
        let since = micros(Some(since));
        let ended = sql("ended = 1 AND updated_at >= $2");
        rows.extend(self.0.read(&ended, &[ledger.into(), since])?);
        let groups = rows.iter().map(|row| {
            Some(Group {
                account: text(&row[0])?,
                state: DeliveryState::from_name(&text(&row[1])?)?,
                http_status: count(&row[2])
                    .and_then(|of| u16::try_from(of).ok())
                    .filter(|of| *of > 0),
                count: count(&row[3])?,
                oldest: instant(&row[4])?,
                latest: instant(&row[5])?,
                tried: count(&row[6])? > 0,
            })
        });
        groups.collect::<Option<_>>().ok_or_else(|| malformed_row("webhook_deliveries"))
    }

    /// Has these events of an account attempted at once, delivered or not; says how many they are.
    pub(in crate::courier) fn again(
        &mut self,
        ledger: &str,
        account: &str,
        events: &[String],
        now: Instant,
    ) -> Result<u64, TablesFailed> {
        if events.is_empty() {
            return Ok(0);
        }
        let places: Vec<String> = (4..).zip(events).map(|(place, _)| format!("${place}")).collect();
        let sql = format!(
            "UPDATE webhook_deliveries SET next_at = $3 WHERE ledger = $1 AND account = $2 \
             AND event IN ({})",
            places.join(", ")
        );
        let mut values = vec![ledger.into(), account.into(), micros(Some(now))];
        values.extend(events.iter().map(|event| Cell::from(event.as_str())));
        self.0.write(&[(sql, values)])
    }

    /// Returns what is remembered of every endpoint of a ledger, by its account.
    pub(in crate::courier) fn endpoints(
        &mut self,
        ledger: &str,
    ) -> Result<Vec<(String, EndpointRecord)>, TablesFailed> {
        let sql = "SELECT account, url, secret, previous, replaced_at, failing_since, off_since, \
            off_reason FROM webhook_endpoints WHERE ledger = $1 ORDER BY account";
        let rows = self.0.read(sql, &[ledger.into()])?;
        let known = rows.iter().map(|row| Some((text(&row[0])?, endpoint(&row[1..])?)));
        known.collect::<Option<_>>().ok_or_else(|| malformed_row("webhook_endpoints"))
    }
}
