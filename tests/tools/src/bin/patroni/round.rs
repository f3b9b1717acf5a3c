//! One round: the leader is struck under load, another answers, and all is held to what was said.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use custody_ledger::prelude::*;
use ledger_store::Head;
use ledger_store::audit::{Expect, audit};

use super::callers::Callers;
use super::cluster::{Cluster, PATIENCE};
use super::database;
use super::node::Networks;
use super::transfers::{KEY, journal, received, transfer};

/// How many answers are waited for before the leader is struck, and after another leads.
const ANSWERS: usize = 100;

/// How long nobody is answered before a full disk gets room again.
const SILENCE: Duration = Duration::from_secs(8);

/// How many transfers are repeated at once.
const AT_ONCE: u64 = 200;

/// What happens to a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// With all its processes, Patroni among them.
    Killed,
    /// So are all its processes.
    Frozen,
    /// From everybody, clients included.
    CutOff,
    /// From the other servers and from etcd; clients still reach it.
    CutOffFromCluster,
    SwitchedOver,
    /// The disk of its write-ahead log.
    DiskFull,
}

impl Fault {
    /// Each kind twice in ten rounds, and leaders that are cut off in either way.
    const TEN_ROUNDS: [Self; 10] = [
        Self::Killed,
        Self::CutOff,
        Self::SwitchedOver,
        Self::Frozen,
        Self::DiskFull,
        Self::Killed,
        Self::CutOffFromCluster,
        Self::SwitchedOver,
        Self::Frozen,
        Self::DiskFull,
    ];

    /// What becomes of the leader in the round of this number.
    pub const fn of_round(number: usize) -> Self {
        Self::TEN_ROUNDS[number % Self::TEN_ROUNDS.len()]
    }

    const ALL: [Self; 6] = [
        Self::Killed,
        Self::Frozen,
        Self::CutOff,
        Self::CutOffFromCluster,
        Self::SwitchedOver,
        Self::DiskFull,
    ];
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "leader killed",
            Self::Frozen => "leader frozen",
            Self::CutOff => "leader cut off",
            Self::CutOffFromCluster => "leader cut off from the cluster, not from clients",
            Self::SwitchedOver => "switched over",
            Self::DiskFull => "leader's disk full",
        })
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|fault| fault.to_string() == text);
        found.ok_or_else(|| format!("{text} is no fault"))
    }
}

/// What a round came to.
pub struct Round {
    /// The longest time without any answer; where a disk was full and its server was not replaced,
    /// since it had room again.
    pub unanswered: Duration,
    pub acknowledged: usize,
    /// Acknowledged, and not there afterwards, or there otherwise.
    pub lost: usize,
    /// Transferred more often than asked.
    pub twice: i64,
    /// How often a caller had to repeat its call.
    pub repeated: usize,
    /// How often the engine had stopped.
    pub reopened: usize,
}

/// What is known of the ledger from one round to the next.
#[derive(Default)]
pub struct Record {
    /// The number of the next transfer.
    pub next: u64,
    /// Every transfer that was acknowledged, with its id.
    pub acknowledged: BTreeMap<u64, String>,
    /// Where the journal stood after each round.
    pub heads: Vec<Head>,
}

/// Strikes the leader, and heals what was struck.
pub fn play(
    cluster: &mut Cluster,
    fault: Fault,
    record: &mut Record,
) -> Result<Round, Box<dyn Error>> {
    let (url, former, from) = (cluster.url(), cluster.whole()?, record.next);
    let callers = Callers::begin(&url, from)?;
    callers.wait_for(ANSWERS)?;
    let epoch = epoch(cluster, former)?;
    callers.begin_to_count();
    strike(cluster, fault, former)?;
    if fault != Fault::DiskFull || is_replaced(cluster, former, &callers)? {
        cluster.other_leader(former)?;
        callers.wait_for(ANSWERS)?;
        heal(cluster, fault, former)?;
    } else {
        heal(cluster, fault, former)?;
        callers.begin_to_count();
        callers.wait_for(ANSWERS)?;
    }
    let unanswered = callers.unanswered();
    let leader = cluster.whole()?;
    callers.wait_for(ANSWERS)?;
    let now = self::epoch(cluster, leader)?;
    if now <= epoch {
        return Err(format!("n{leader} leads, and the epoch is {now} after {epoch}").into());
    }
    let (answers, next) = callers.end()?;
    let acknowledged = answers.acknowledged.len();
    record.next = next;
    record.acknowledged.extend(answers.acknowledged);
    let (lost, twice) = held_to(&url, record, from)?;
    let (repeated, reopened) = (answers.repeated, answers.reopened);
    Ok(Round { unanswered, acknowledged, lost, twice, repeated, reopened })
}

/// Tells whether a leader whose disk is full is replaced before nobody has been answered for a
/// while: Patroni may as well start its server again and again.
fn is_replaced(cluster: &Cluster, former: u8, callers: &Callers) -> Result<bool, Box<dyn Error>> {
    let start = Instant::now();
    while callers.silence() < SILENCE {
        if cluster.leader().is_some_and(|leader| leader != former) {
            return Ok(true);
        }
        if start.elapsed() > PATIENCE {
            return Err("a full disk does not keep answers from coming".into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(false)
}

fn strike(cluster: &mut Cluster, fault: Fault, leader: u8) -> Result<(), Box<dyn Error>> {
    match fault {
        Fault::Killed => cluster.node(leader).kill(),
        Fault::Frozen => cluster.node(leader).freeze(),
        Fault::CutOff => cluster.node(leader).cut_off(Networks::All),
        Fault::CutOffFromCluster => cluster.node(leader).cut_off(Networks::Cluster),
        Fault::SwitchedOver => cluster.switch_over(leader),
        Fault::DiskFull => cluster.node(leader).fill(),
    }
}

fn heal(cluster: &mut Cluster, fault: Fault, former: u8) -> Result<(), Box<dyn Error>> {
    match fault {
        Fault::Killed => cluster.node(former).start(),
        Fault::Frozen => cluster.node(former).thaw(),
        Fault::CutOff => cluster.node(former).reconnect(Networks::All),
        Fault::CutOffFromCluster => cluster.node(former).reconnect(Networks::Cluster),
        Fault::SwitchedOver => Ok(()),
        Fault::DiskFull => cluster.node(former).free(),
    }
}

/// Audits the journal, and holds what it says to what callers heard since transfer `from`: how
/// many were lost, and how many were done more than once.
///
/// The ledger is opened anew, so it answers by what the journal holds.
pub fn held_to(url: &str, record: &mut Record, from: u64) -> Result<(usize, i64), Box<dyn Error>> {
    let mut reader = journal(url)?;
    let head = reader.head()?;
    record.heads.push(head);
    let expected = Expect { heads: record.heads.clone() };
    audit(&mut *reader, "live", expected, |_| ()).map_err(|finding| finding.to_string())?;

    let ledger = Ledger::open(url).wait()?;
    let client = ledger.client(ApiKey::new(KEY)?);
    let mut lost = 0;
    for first in (from..record.next).step_by(usize::try_from(AT_ONCE)?) {
        let numbers = first..record.next.min(first + AT_ONCE);
        let mut asked = Vec::new();
        for number in numbers {
            let request = transfer(number).map_err(|error| error.to_string())?;
            asked.push((number, client.ask(&request)));
        }
        for (number, answer) in asked {
            let done = answer.wait()?;
            if let Some(id) = record.acknowledged.get(&number)
                && (!done.is_repeated() || *id != done.answer.id.to_string())
            {
                eprintln!("transfer {number} was acknowledged as {id}, and is {:?}", done.answer);
                lost += 1;
            }
        }
    }
    let twice = received(&client)? - i64::try_from(record.next)?;
    ledger.shutdown()?;
    Ok((lost, twice))
}

/// The ledger's epoch as the leader has it: the number of take-overs.
fn epoch(cluster: &Cluster, leader: u8) -> Result<i64, Box<dyn Error>> {
    let of_books = "SELECT epoch FROM ledger WHERE ledger = 'live'";
    let epochs = database::numbers(&cluster.url_of(leader, "books"), of_books)?;
    epochs.first().copied().ok_or_else(|| format!("n{leader} has no ledger").into())
}
