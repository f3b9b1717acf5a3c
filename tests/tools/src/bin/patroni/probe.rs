//! Whether there is one writer at any time: rows written to each server by itself, whoever leads.
//!
//! A server acknowledges a row together with the timeline that it writes, and every promotion
//! begins a later one. So once a row of a timeline was acknowledged, no row that was sent after
//! that may be acknowledged on an earlier timeline; and each that was acknowledged is there at the
//! end, on whichever server it was written.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::cluster::{Cluster, NUMBERS};
use super::database;

/// Between two rows.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a server may take to answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

const INSERT: &str = "INSERT INTO probe VALUES ($1)
    RETURNING ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int";

/// The database of the rows.
pub const DATABASE: &str = "probes";

/// The table of the rows.
pub const TABLE: &str = "CREATE TABLE probe (number bigint PRIMARY KEY)";

/// A row that was acknowledged.
struct Row {
    number: i64,
    timeline: i32,
    sent: Instant,
    acknowledged: Instant,
}

/// Who writes to each of the servers.
pub struct Probes {
    stop: Arc<AtomicBool>,
    writers: Vec<JoinHandle<Vec<Row>>>,
}

impl Probes {
    /// Begins to write to each server.
    pub fn begin(cluster: &Cluster) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let writer = |number: u8| {
            let (url, stop) = (cluster.url_of(number, DATABASE), Arc::clone(&stop));
            std::thread::spawn(move || write(&url, i64::from(number) * 1_000_000_000, &stop))
        };
        Self { writers: NUMBERS.into_iter().map(writer).collect(), stop }
    }

    /// Ends, and says how many rows were acknowledged, by how many servers.
    ///
    /// Fails where one of them is missing at the server of `url`, or where an earlier timeline was
    /// written after a later one.
    pub fn end(self, url: &str) -> Result<(usize, usize), Box<dyn Error>> {
        self.stop.store(true, Ordering::Relaxed);
        let (mut rows, mut servers) = (Vec::new(), 0);
        for writer in self.writers {
            let written = writer.join().map_err(|_| "who writes to a server panicked")?;
            servers += usize::from(!written.is_empty());
            rows.extend(written);
        }
        let there = database::numbers(url, "SELECT number FROM probe")?;
        let there: BTreeSet<_> = there.into_iter().collect();
        if let Some(lost) = rows.iter().find(|row| !there.contains(&row.number)) {
            let (number, timeline) = (lost.number, lost.timeline);
            return Err(
                format!("row {number} was acknowledged on timeline {timeline}: lost").into()
            );
        }
        one_writer(&rows)?;
        Ok((rows.len(), servers))
    }
}

/// No row is acknowledged on a timeline that was over when it was sent.
fn one_writer(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let mut by_sent: Vec<_> = rows.iter().collect();
    by_sent.sort_by_key(|row| row.sent);
    let mut by_end: Vec<_> = rows.iter().collect();
    by_end.sort_by_key(|row| row.acknowledged);
    let (mut ended, mut latest) = (by_end.into_iter().peekable(), 0);
    for row in by_sent {
        while let Some(before) = ended.next_if(|it| it.acknowledged < row.sent) {
            latest = latest.max(before.timeline);
        }
        if row.timeline < latest {
            let Row { number, timeline, .. } = row;
            let what = format!("row {number} was acknowledged on timeline {timeline}");
            return Err(format!("{what}, sent after timeline {latest} was written").into());
        }
    }
    Ok(())
}

/// Writes rows from a number on until it is to stop, and says which were acknowledged.
fn write(url: &str, from: i64, stop: &AtomicBool) -> Vec<Row> {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (mut connection, mut rows, mut number) = (None, Vec::new(), from);
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let sent = Instant::now();
        let written = async { timeout(ANSWERS_WITHIN, one(url, &mut connection, number)).await };
        match runtime.block_on(written) {
            Ok(Ok(timeline)) => {
                rows.push(Row { number, timeline, sent, acknowledged: Instant::now() });
            }
            // It says that it only reads.
            Ok(Err(sqlx::Error::Database(_))) => {}
            Ok(Err(_)) | Err(_) => connection = None,
        }
        std::thread::sleep(PAUSE);
    }
    rows
}

/// Writes a row, on a new connection where there is none, and says on which timeline.
async fn one(
    url: &str,
    connection: &mut Option<PgConnection>,
    number: i64,
) -> Result<i32, sqlx::Error> {
    if connection.is_none() {
        *connection = Some(PgConnection::connect(url).await?);
    }
    let connection = connection.as_mut().expect("it was just made");
    sqlx::query_scalar(INSERT).bind(number).fetch_one(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by timeline, and when each was sent and acknowledged.
    fn rows(rows: &[(i32, u64, u64)]) -> Vec<Row> {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let row = |(number, &(timeline, sent, acknowledged)): (usize, &(i32, u64, u64))| {
            let number = i64::try_from(number).unwrap();
            Row { number, timeline, sent: at(sent), acknowledged: at(acknowledged) }
        };
        rows.iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_former_leader_that_goes_on_writing_is_found() {
        let found = one_writer(&rows(&[(1, 0, 5), (2, 10, 15), (1, 20, 25)])).unwrap_err();
        let text = "row 2 was acknowledged on timeline 1, sent after timeline 2 was written";
        assert_eq!(found.to_string(), text);
    }

    #[test]
    fn one_writer_after_another_passes_and_so_does_an_answer_that_comes_late() {
        one_writer(&rows(&[(1, 0, 5), (1, 6, 30), (2, 10, 15), (2, 20, 25)])).unwrap();
    }
}
