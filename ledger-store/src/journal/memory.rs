//! The journal in memory: what SQLite does, without a file.
//!
//! A [`MemoryDisk`] outlives the journals opened on it, so a test can drop a writer as a crash
//! would and open the same disk again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::{
    AppendError, AppendFault, AppendFaults, Commit, Head, Holder, Identity, Journal, JournalError,
    OpenError, OpenMode, Opening, Reopen, Row, Token, VaultRow,
};
use crate::bytes::chain::Chain;
use crate::state::vault::hold::{LegalHold, OperatorNote, holding};
use crate::state::vault::named::KeptTokens;

/// Several ledgers in memory; clones share them.
#[derive(Clone, Debug, Default)]
pub struct MemoryDisk {
    ledgers: Arc<Mutex<BTreeMap<String, Ledger>>>,
}

/// One ledger of a [`MemoryDisk`].
///
/// ```
/// use ledger_store::{
///     AppendError, Chain, Commit, FrameWriter, Journal as _, MemoryDisk, MemoryJournal, OpenMode,
/// };
///
/// let disk = MemoryDisk::new();
/// let mut old = MemoryJournal::open(&disk, "live", OpenMode::create())?;
/// let opening = old.open_writer()?;
/// let mut rows = FrameWriter::new(opening.head.chain(opening.algorithm));
/// rows.push(b"a record");
/// let rows = rows.cut().into_iter().collect();
/// let commit = Commit { previous: opening.head, rows, vault: Vec::new() };
///
/// // Another writer takes over: what the old one appends never lands.
/// let mut new = MemoryJournal::open(&disk, "live", OpenMode::create())?;
/// new.open_writer()?;
/// assert!(matches!(old.append(&commit), Err(AppendError::Fenced { .. })));
/// new.append(&commit)?;
/// assert_eq!(old.head()?, commit.head());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MemoryJournal {
    disk: MemoryDisk,
    name: String,
    identity: Identity,
    epoch: Option<u64>,
    /// The epoch under which this writer last held the ledger.
    held: Option<u64>,
    /// Who this writer is: whoever holds the ledger by it is gone once it is dropped.
    me: Arc<Holder>,
    read_only: bool,
}

#[derive(Debug)]
struct Ledger {
    identity: Identity,
    epoch: u64,
    /// Who holds the lease, by its epoch, and until when.
    lease: Option<(u64, Instant)>,
    /// The last writer, until it is dropped or gives the ledger up.
    holder: Weak<Holder>,
    genesis: Head,
    rows: Vec<Row>,
    vault: BTreeMap<Token, VaultRow>,
    /// Whose value was erased, and after which record.
    erased: BTreeMap<Token, u64>,
    /// The legal holds, sorted by id.
    holds: Vec<LegalHold>,
    faults: AppendFaults,
}

impl MemoryJournal {
    /// Opens the ledger named `name` on `disk`.
    ///
    /// # Errors
    ///
    /// When the ledger is not there to be read, or is not the one asked for.
    pub fn open(disk: &MemoryDisk, name: &str, mode: OpenMode) -> Result<Self, OpenError> {
        let mut ledgers = disk.ledgers();
        let identity = mode.identity(name, ledgers.get(name).map(|ledger| ledger.identity))?;
        ledgers.entry(name.to_owned()).or_insert_with(|| Ledger::new(identity, name));
        Ok(Self {
            disk: disk.clone(),
            name: name.to_owned(),
            identity,
            epoch: None,
            held: None,
            me: Arc::new(Holder::of_this_process()),
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    /// Returns what goes wrong with appends to this ledger, whoever makes them: nothing, until it
    /// is said.
    #[must_use]
    pub fn faults(&self) -> AppendFaults {
        self.with(|ledger| ledger.faults.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Ledger) -> T) -> T {
        let mut ledgers = self.disk.ledgers();
        work(ledgers.get_mut(&self.name).expect("an open ledger is never removed from its disk"))
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }
}

impl Journal for MemoryJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.writable()?;
        let me = Arc::downgrade(&self.me);
        let (head, epoch, left) = self.with(|ledger| {
            let left = ledger.lease_left().unwrap_or_default();
            ledger.epoch += 1;
            ledger.holder = me;
            (ledger.head(), ledger.epoch, left)
        });
        (self.epoch, self.held) = (Some(epoch), Some(epoch));
        Ok(self.identity.opening(head, epoch, left))
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        self.writable()?;
        let (mine, me) = (self.held, Arc::downgrade(&self.me));
        let (head, epoch) = self.with(|ledger| {
            let holder = ledger.holder_beside(&me).map(|it| Box::new(Holder::clone(&it)));
            let in_force = ledger.lease.filter(|(by, _)| *by == ledger.epoch);
            match in_force.filter(|(by, _)| Some(*by) != mine) {
                Some(_) => {
                    if let Some(left) = ledger.lease_left() {
                        return Err(JournalError::Leased { left, holder });
                    }
                }
                None if holder.is_some() => return Err(JournalError::InUse { holder }),
                None => {}
            }
            ledger.epoch += 1;
            ledger.lease = lease.map(|lease| (ledger.epoch, Instant::now() + lease));
            ledger.holder = me;
            Ok((ledger.head(), ledger.epoch))
        })?;
        (self.epoch, self.held) = (Some(epoch), Some(epoch));
        Ok(self.identity.opening(head, epoch, Duration::ZERO))
    }

    fn locked_by(&mut self) -> Result<Option<Holder>, JournalError> {
        let me = Arc::downgrade(&self.me);
        Ok(self.with(|ledger| ledger.holder_beside(&me).map(|it| Holder::clone(&it))))
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        self.with(|ledger| {
            if ledger.epoch != mine {
                return Err(JournalError::Fenced { mine, current: ledger.epoch });
            }
            ledger.lease = Some((mine, Instant::now() + lease));
            Ok(())
        })?;
        self.held = Some(mine);
        Ok(())
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let (mine, me) = (self.held.take(), Arc::downgrade(&self.me));
        self.with(|ledger| {
            ledger.lease = ledger.lease.filter(|(holder, _)| Some(*holder) != mine);
            if ledger.holder.ptr_eq(&me) {
                ledger.holder = Weak::new();
            }
        });
        Ok(())
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        Ok(self.with(|ledger| ledger.lease_left()))
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        let fault = self.faults().next();
        match fault {
            Some(AppendFault::Slow(delay)) => std::thread::sleep(delay),
            Some(AppendFault::Fenced) => self.with(|ledger| {
                ledger.epoch += 1;
                ledger.holder = Weak::new();
            }),
            Some(fault @ AppendFault::Refused) => return Err(fault.into_append_error()),
            Some(fault @ (AppendFault::UnknownLanded | AppendFault::UnknownLost)) => {
                // Whoever does not know what became of a commit gives its epoch up.
                self.epoch = None;
                if fault == AppendFault::UnknownLanded {
                    self.with(|ledger| ledger.append(commit, mine))?;
                }
                return Err(fault.unknown());
            }
            None => {}
        }
        self.with(|ledger| ledger.append(commit, mine))
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        Ok(self.epoch == Some(self.with(|ledger| ledger.epoch)))
    }

    /// It is refused as the next append will be.
    fn probe(&mut self) -> Result<(), JournalError> {
        match self.faults().coming() {
            Some(AppendFault::Refused) => {
                Err(JournalError::Medium("a test has the next append refused".into()))
            }
            _ => Ok(()),
        }
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn reopen(&self) -> Reopen {
        let (disk, name) = (self.disk.clone(), self.name.clone());
        let (its, of) = (disk.clone(), name.clone());
        Reopen::by(move || Self::open(&disk, &name, OpenMode::ReadOnly))
            .writing_by(move || Self::open(&its, &of, OpenMode::create()))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        Ok(self.with(|ledger| ledger.head()))
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        Ok(self.with(|ledger| {
            let start = ledger.rows.partition_point(|row| row.last() < from_seq);
            ledger.rows[start..].iter().take(max_rows).cloned().collect()
        }))
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        Ok(self.with(|ledger| ledger.vault.values().cloned().collect()))
    }

    fn erase(&mut self, token: Token) -> Result<bool, JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        self.with(|ledger| match (ledger.epoch, holding(&ledger.holds, [token])) {
            (current, _) if current != mine => Err(JournalError::Fenced { mine, current }),
            (_, Some(holds)) => Err(JournalError::Held { holds }),
            (_, None) => {
                // One without a value, too: what waits to be written may name it.
                ledger.erased.insert(token, ledger.head().seq);
                Ok(ledger.vault.remove(&token).is_some())
            }
        })
    }

    fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        Ok(self.with(|ledger| KeptTokens {
            kept: ledger.vault.keys().copied().collect(),
            erased: ledger.erased.iter().map(|(token, after)| (*token, *after)).collect(),
            ..KeptTokens::default()
        }))
    }

    fn note_erased(&mut self, tokens: &[Token]) -> Result<(), JournalError> {
        self.with(|ledger| {
            let after = ledger.head().seq;
            ledger.erased.extend(tokens.iter().map(|token| (*token, after)));
        });
        Ok(())
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        Ok(self.with(|ledger| ledger.holds.clone()))
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.writable()?;
        Ok(self.with(|ledger| {
            let place = ledger.holds.binary_search_by(|known| known.id.cmp(&hold.id));
            place.map_err(|place| ledger.holds.insert(place, hold.clone())).is_err()
        }))
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.writable()?;
        Ok(self.with(|ledger| {
            let hold = ledger.holds.iter_mut().find(|hold| hold.id == id);
            hold.filter(|hold| hold.released.is_none())
                .map(|hold| hold.released = Some(note.clone()))
                .is_some()
        }))
    }
}

impl MemoryDisk {
    /// A disk without ledgers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what goes wrong with appends to the ledger of this name; none, where it is not
    /// there.
    #[must_use]
    pub fn faults(&self, name: &str) -> Option<AppendFaults> {
        self.ledgers().get(name).map(|ledger| ledger.faults.clone())
    }

    fn ledgers(&self) -> MutexGuard<'_, BTreeMap<String, Ledger>> {
        // Nothing can panic between two writes of one commit, so a poisoned disk is still whole.
        self.ledgers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    fn new(identity: Identity, name: &str) -> Self {
        let genesis = Head::from_chain(&Chain::genesis(identity.algorithm, name));
        Self {
            identity,
            epoch: 0,
            lease: None,
            holder: Weak::new(),
            genesis,
            rows: Vec::new(),
            vault: BTreeMap::new(),
            erased: BTreeMap::new(),
            holds: Vec::new(),
            faults: AppendFaults::default(),
        }
    }

    /// The last writer, where it is there and another than `me`.
    fn holder_beside(&self, me: &Weak<Holder>) -> Option<Arc<Holder>> {
        self.holder.upgrade().filter(|_| !self.holder.ptr_eq(me))
    }

    /// For how long the last writer's lease is in force yet.
    fn lease_left(&self) -> Option<Duration> {
        let (_, until) = self.lease.filter(|(holder, _)| *holder == self.epoch)?;
        until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    fn head(&self) -> Head {
        self.rows.last().map_or(self.genesis, |row| Head { seq: row.last(), link: row.link })
    }

    fn append(&mut self, commit: &Commit, mine: u64) -> Result<(), AppendError> {
        let found = (self.head(), self.epoch);
        if found != (commit.previous, mine) {
            return Err(commit.append_error(mine, found));
        }
        for row in &commit.vault {
            self.vault.entry(row.token).or_insert_with(|| row.clone());
        }
        self.rows.extend_from_slice(&commit.rows);
        Ok(())
    }
}
