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
    /// It is promoted under the address that it had.
    Promoted,
}

/// How long a server is waited for that says nothing.
const LIMITS: &str = "statement-timeout=1&connect_timeout=1";

/// Two servers of one ledger: every commit of the first is acknowledged when the second has it.
pub struct Pair {
    primary: Server,
    standby: Option<Server>,
    frozen: Vec<Server>,
    folder: TempDir,
}

impl Pair {
    pub fn new() -> Self {
        let (primary, folder) = (Server::start(&[]), tempfile::tempdir().unwrap());
        execute(&primary.url("postgres"), "CREATE DATABASE books").unwrap();
        let mut pair = Self { primary, standby: None, frozen: Vec::new(), folder };
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

    /// The books by both servers' addresses, the standby's first, of which the one is meant that
    /// takes writes.
    pub fn url_of_both(&self) -> String {
        let url = self.primary.url("books");
        let (place, _) = url.split_once("?host=").unwrap();
        let standby = self.standby.as_ref().expect("there is a standby").socket();
        let hosts = format!("host={},{}", standby.display(), self.primary.socket().display());
        format!("{place}?{hosts}&target_session_attrs=read-write&{LIMITS}")
    }

    /// Kills the primary, and nobody takes its place.
    pub fn kill_the_primary(&mut self) {
        self.primary.kill();
    }

    /// Lets the primary do nothing more, while its system goes on holding what it holds; the
    /// standby takes its place, and no address changes.
    pub fn freeze_the_primary(&mut self) {
        self.primary.freeze();
        let standby = self.standby.take().expect("there is a standby");
        standby.promote();
        // Whoever switches over sees to it that the former one never goes on.
        self.frozen.push(std::mem::replace(&mut self.primary, standby));
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
            Order::Promoted => self.primary.promote(),
            Order::FoundThenPromoted => {
                self.point_at_the_primary();
                std::thread::sleep(Duration::from_secs(1));
                self.primary.promote();
            }
        }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        // What is frozen does not heed who asks it to end.
        self.frozen.iter().for_each(Server::kill);
    }
}
