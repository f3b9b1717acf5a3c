//! The lease of a ledger in a store of objects: for how long nobody takes over by a claim.
//!
//! Its entry was written before anybody read it, so it lapses no later than its duration after
//! that, by the reader's own steady clock. It lapses earlier where the store's clock says how long
//! ago it was written; that clock is asked once, and goes on by the reader's steady one. No wall
//! clock of a writer is believed. What clocks are rounded to counts for the holder.

use std::time::{Duration, Instant};

use super::ObjectJournal;
use super::format::state::Lease;
use super::log::medium;
use crate::journal::JournalError;
use crate::journal::open_mode::random;

/// What a store's clock is rounded to where it shows whole seconds only.
const SECOND: i64 = 1_000_000;

/// What it is rounded to otherwise: a folder's may go by the ticks of its system.
const TICK: i64 = 10_000;

/// The lease that was seen last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting {
    /// The entry that took or renewed it.
    number: u64,
    /// By when it was seen first.
    by: Instant,
}

impl ObjectJournal {
    /// The last entry is a lease that this writer has just taken.
    pub(super) fn sights_its_own(&mut self) {
        let number = self.log.state.next - 1;
        self.sighted = Some(Sighting { number, by: Instant::now() });
    }

    /// For how long the last writer's lease is in force yet, by what is known of the log.
    pub(super) async fn remaining_lease(&mut self) -> Result<Option<Duration>, JournalError> {
        let Some(lease) = self.log.state.lease() else { return Ok(None) };
        let now = Instant::now();
        let seen = self.sighted.filter(|seen| seen.number == lease.number);
        let seen = seen.unwrap_or(Sighting { number: lease.number, by: now });
        self.sighted = Some(seen);
        let whole = Duration::from_micros(lease.micros);
        let left = whole.saturating_sub(now.saturating_duration_since(seen.by));
        if left.is_zero() {
            return Ok(None);
        }
        let left = left.min(self.left_by_the_store(lease, whole).await?);
        Ok(Some(left).filter(|left| !left.is_zero()))
    }

    async fn left_by_the_store(
        &self,
        lease: Lease,
        whole: Duration,
    ) -> Result<Duration, JournalError> {
        let Some(at) = lease.at else { return Ok(whole) };
        let (said, by) = self.clock().await?;
        let since = i64::try_from(by.elapsed().as_micros()).unwrap_or(i64::MAX);
        let rounded = if at % SECOND == 0 && said % SECOND == 0 { SECOND } else { TICK };
        let passed = said.saturating_add(since).saturating_sub(at).saturating_sub(rounded);
        Ok(whole.saturating_sub(Duration::from_micros(u64::try_from(passed).unwrap_or(0))))
    }

    /// Returns what the store's clock said, in microseconds since 1970, and by when it had.
    async fn clock(&self) -> Result<(i64, Instant), JournalError> {
        if let Some(clock) = self.storage.lock_seen().clock {
            return Ok(clock);
        }
        if self.read_only {
            // Whoever only reads writes nothing to ask the time by; it takes nothing over either.
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let micros = since.unwrap_or_default().as_micros();
            return Ok((i64::try_from(micros).unwrap_or(i64::MAX), Instant::now()));
        }
        let nonce = random().map_err(|error| JournalError::Medium(error.into()))?;
        let path = self.log.names.probe(u128::from_be_bytes(nonce));
        self.log.requests.overwrite(&path, Vec::new()).await.map_err(medium)?;
        let found = self.log.requests.get(&path).await.map_err(medium)?;
        let by = Instant::now();
        let found = found.ok_or_else(|| {
            JournalError::Medium("the store does not give what was just written to it".into())
        })?;
        self.log.requests.delete(&path).await.map_err(medium)?;
        let clock = (found.at, by);
        self.storage.lock_seen().clock = Some(clock);
        Ok(clock)
    }
}
