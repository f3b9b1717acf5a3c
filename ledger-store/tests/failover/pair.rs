//! A primary and its synchronous standby, under one address.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::setup::server::{Server, execute, number};

/// In which order a standby takes its place.
#[derive(Clone, Copy)]
pub enum Order {
    /// It is promoted, and then found under the address.
    PromotedThenFound,
    /// It is found while it still refuses to be written to.
    FoundThenPromoted,
}

/// Two servers of one ledger: every commit of the first is acknowledged when the second has it.
pub struct Pair {
    primary: Server,
    standby: Option<Server>,
    folder: TempDir,
}

impl Pair {
    pub fn new() -> Self {
        let (primary, folder) = (Server::start(&[]), tempfile::tempdir().unwrap());
        execute(&primary.url("postgres"), "CREATE DATABASE books").unwrap();
        let mut pair = Self { primary, standby: None, folder };
        pair.point_at_the_primary();
        pair.make_a_standby();
        pair
    }

    /// The books, wherever they are: the address stays, whoever answers there.
    pub fn url(&self) -> String {
        let url = self.primary.url("books");
        let (place, _) = url.split_once("?host=").unwrap();
        format!("{place}?host={}", self.address().display())
    }

    /// The books of this primary, and of no other.
    pub fn primary_url(&self) -> String {
        self.primary.url("books")
    }

    fn address(&self) -> PathBuf {
        self.folder.path().join("address")
    }

    fn point_at_the_primary(&self) {
        let next = self.folder.path().join("next");
        symlink(self.primary.socket(), &next).unwrap();
        fs::rename(next, self.address()).unwrap();
    }

    /// Gives the primary a standby, and has every commit wait for it from here on.
    pub fn make_a_standby(&mut self) {
        self.standby = Some(self.primary.standby());
        let url = self.primary.url("postgres");
        execute(&url, "ALTER SYSTEM SET synchronous_standby_names = '*'").unwrap();
        execute(&url, "SELECT pg_reload_conf()").unwrap();
        let start = Instant::now();
        while number(&url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
            == 0
        {
            assert!(start.elapsed() < Duration::from_secs(30), "the standby does not follow");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the primary with all its processes; the standby takes its place and its address.
    pub fn lose_the_primary(&mut self, order: Order) {
        self.primary.kill();
        self.primary = self.standby.take().expect("there is a standby");
        match order {
            Order::PromotedThenFound => {
                self.primary.promote();
                self.point_at_the_primary();
            }
            Order::FoundThenPromoted => {
                self.point_at_the_primary();
                std::thread::sleep(Duration::from_secs(1));
                self.primary.promote();
            }
        }
    }
}
