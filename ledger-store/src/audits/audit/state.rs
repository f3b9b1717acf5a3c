//! The state of an audit, kept and signed by the auditor: what an audit of what came since begins
//! with.
//!
//! ```text
//! file = "custody-ledger audited state 1" LF ‖ body ‖ note ‖ bytes of the note (8, little endian)
//! body = snapshot of the ledger ‖ the auditor's own books
//! note = a signed note over these lines:
//!        NAME/LEDGER/ENVIRONMENT           who signed, for which ledger
//!        custody-ledger audited state 1
//!        records N                         up to which record everything was proved
//!        chain ALGORITHM LINK              the chain after it
//!        first LINK                        the chain before the first record
//!        state HASH                        the state hash that the audit came to
//!        body HASH                         BLAKE3 of the body
//! ```
//!
//! What is in it is read by the version that wrote it and by no other, as snapshots are.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::books::AuditBooks;
use crate::audits::digest::digest;
use crate::audits::report::Begun;
use crate::bytes::chain::{Chain, Link};
use crate::bytes::located_record::{LocateError, locate_record};
use crate::bytes::signing::key::{Signer, Verifier};
use crate::bytes::signing::note::{Note, NoteRefused};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Identity, Journal, JournalError};
use crate::state::snapshot::{self, Unused};

/// What a file begins with, and the second line of what is signed.
const KIND: &str = "custody-ledger audited state 1";

/// The longest note that is believed.
const LONGEST_NOTE: u64 = 4_096;

/// An audit as it stands after a record: everything up to it was proved.
pub struct InProgress<'a> {
    pub(super) sequencer: &'a Sequencer,
    pub(super) books: &'a AuditBooks,
    pub(super) identity: Identity,
    /// The state hash.
    pub(super) state: Link,
}

/// A state that was kept, whose signature is of the key and whose place is in the journal.
#[derive(Clone, Debug)]
pub struct AuditedState {
    /// As it was opened: another may take its place meanwhile.
    file: Arc<File>,
    signed_by: String,
    head: Head,
    state: Link,
    /// How many bytes the body has.
    length: u64,
    body: Link,
}

/// Why a state is not begun with.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
pub enum StateRefused {
    /// It cannot be read.
    #[error("the state cannot be read")]
    Unreadable(#[from] io::Error),
    /// It is no state of an audit.
    #[error("this is no state of an audit: {0}")]
    Malformed(&'static str),
    /// The key did not sign it.
    #[error("the state is not believed")]
    Note(#[from] NoteRefused),
    /// It is of another ledger.
    #[error("the state is of {found}, and not of ledger {name}")]
    OtherLedger {
        name: String,
        /// Who signed it, and for which ledger.
        found: String,
    },
    /// What was signed is not what follows it.
    #[error("the state was changed since {0} signed it")]
    Changed(String),
    /// The journal ends before it.
    #[error("the state is of {records} records, and the journal ends at record {last}")]
    PastTheEnd {
        records: u64,
        /// The last record of the journal.
        last: u64,
    },
    /// The journal has another link there.
    #[error(
        "the journal has another past than was audited: at record {record} the state says link \
         {signed}, and the journal {found}"
    )]
    OtherPast { record: u64, signed: Link, found: Link },
    /// The journal cannot be read there.
    #[error("the journal cannot be read where the state ends")]
    Journal(#[from] JournalError),
    /// The row of the journal there is broken.
    #[error("the journal is broken where the state ends")]
    Row(#[source] LocateError),
    /// It is for another version or vault, or damaged before it was signed.
    #[error("the state cannot be gone on from: audit from the first record, and keep it anew")]
    Unused(#[from] Unused),
    /// What was restored is not what was audited.
    #[error("what is restored has the state hash {found}, and {signed} was audited")]
    OtherState { signed: Link, found: Link },
}

impl InProgress<'_> {
    /// The record up to which everything was proved, and its link.
    #[must_use]
    pub fn head(&self) -> Head {
        self.sequencer.head()
    }

    /// Writes the state, signed by the auditor's `key` under the ledger's name, and says as which.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or the journal cannot be read back.
    pub fn write(&self, into: &mut impl Write, key: &Signer) -> io::Result<()> {
        let Self { sequencer, books, identity, state } = self;
        let name = &*sequencer.ledger().state.name;
        let signer = key.of_ledger(name, identity.environment(name).name());
        writeln!(into, "{KIND}")?;
        let mut body = Hashing { into: &mut *into, hasher: blake3::Hasher::new() };
        snapshot::write(&mut body, sequencer, *identity)?;
        books.write_to(&mut body)?;
        if let Some(fault) = sequencer.fault() {
            return Err(io::Error::other(fault));
        }
        let body = Link(*body.hasher.finalize().as_bytes());
        let Head { seq, link } = sequencer.head();
        let first = Chain::genesis(identity.algorithm, name).link();
        let algorithm = identity.algorithm;
        let text = format!(
            "{}\n{KIND}\nrecords {seq}\nchain {algorithm} {link}\nfirst {first}\nstate {state}\n\
             body {body}\n",
            signer.name()
        );
        let note = Note::sign(&text, &signer).to_string();
        into.write_all(note.as_bytes())?;
        into.write_all(&(note.len() as u64).to_le_bytes())
    }
}

/// What was signed, line by line.
struct Signed {
    origin: String,
    head: Head,
    algorithm: String,
    first: Link,
    state: Link,
    body: Link,
}

impl Signed {
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let origin = lines.next()?.to_owned();
        lines.next().filter(|kind| *kind == KIND)?;
        let mut after = |word: &str| lines.next()?.strip_prefix(word)?.strip_prefix(' ');
        let seq = after("records")?.parse().ok()?;
        let (algorithm, link) = after("chain")?.split_once(' ')?;
        let head = Head { seq, link: link.parse().ok()? };
        let algorithm = algorithm.to_owned();
        let first = after("first")?.parse().ok()?;
        let state = after("state")?.parse().ok()?;
        let body = after("body")?.parse().ok()?;
        lines.next().is_none().then_some(Self { origin, head, algorithm, first, state, body })
    }
}

impl AuditedState {
    /// Reads what was signed, checks that `key` did and that the body is as it was, and that the
    /// journal of the ledger named `name` holds the state's last record under the same link. Of the
    /// journal no more is read than that record's row and the one before.
    ///
    /// # Errors
    ///
    /// [`StateRefused`], saying what does not match.
    pub fn open(
        path: &Path,
        key: &Verifier,
        journal: &mut dyn Journal,
        name: &str,
    ) -> Result<Self, StateRefused> {
        let mut file = File::open(path)?;
        let (note, length) = note_of(&mut file)?;
        note.verify(key)?;
        let signed = Signed::parse(&note.text);
        let signed =
            signed.ok_or(StateRefused::Malformed("what was signed says something else"))?;
        let Signed { origin, head, algorithm, first, state, body } = signed;
        let identity = journal.identity();
        let environment = identity.environment(name).name();
        let mine = origin == key.name() && origin.ends_with(&format!("/{name}/{environment}"));
        let same = first == Chain::genesis(identity.algorithm, name).link();
        if !mine || !same || algorithm != identity.algorithm.to_string() {
            return Err(StateRefused::OtherLedger { name: name.to_owned(), found: origin });
        }
        let opened = Self { file: Arc::new(file), signed_by: origin, head, state, length, body };
        opened.is_as_signed()?;
        opened.is_in(journal, name)?;
        Ok(opened)
    }

    /// The last record of the state, and its link.
    #[must_use]
    pub const fn head(&self) -> Head {
        self.head
    }

    /// The name of the key that signed it.
    #[must_use]
    pub fn signed_by(&self) -> &str {
        &self.signed_by
    }

    pub(super) fn to_begun(&self) -> Begun {
        Begun { record: self.head.seq, signed_by: self.signed_by.clone() }
    }

    /// Tells whether the body is what was signed.
    fn is_as_signed(&self) -> Result<(), StateRefused> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(begin()))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file.take(self.length))?;
        if *hasher.finalize().as_bytes() == self.body.0 {
            Ok(())
        } else {
            Err(StateRefused::Changed(self.signed_by.clone()))
        }
    }

    /// Tells whether the journal holds its last record under the same link.
    fn is_in(&self, journal: &mut dyn Journal, name: &str) -> Result<(), StateRefused> {
        let Head { seq: record, link: signed } = self.head;
        let last = journal.head()?.seq;
        if last < record {
            return Err(StateRefused::PastTheEnd { records: record, last });
        }
        let there = locate_record(journal, name, record).map_err(StateRefused::Row)?;
        match there.chain.link() {
            found if found == signed => Ok(()),
            found => Err(StateRefused::OtherPast { record, signed, found }),
        }
    }

    /// The ledger and the auditor's books as they stood.
    pub(super) fn restore(
        &self,
        name: &str,
        identity: Identity,
    ) -> Result<(Sequencer, AuditBooks), StateRefused> {
        self.is_as_signed()?;
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(begin()))?;
        let mut body = BufReader::with_capacity(1 << 18, file.take(self.length));
        let resumed = snapshot::read_parts(&mut body, name, identity)?;
        let books = AuditBooks::take(identity.ledger_name(name), &mut body)?;
        if resumed.head != self.head || body.read(&mut [0])? > 0 {
            return Err(StateRefused::Malformed("its parts are of several moments"));
        }
        let found = digest(&resumed.ledger);
        if found != self.state {
            return Err(StateRefused::OtherState { signed: self.state, found });
        }
        Ok((Sequencer::resume(name, identity, resumed.ledger, resumed.head), books))
    }
}

/// Where the body begins.
const fn begin() -> u64 {
    KIND.len() as u64 + 1
}

/// The note of a file, and how many bytes its body has.
fn note_of(file: &mut File) -> Result<(Note, u64), StateRefused> {
    // Whoever opens a pipe waits until somebody writes to it.
    if !file.metadata()?.is_file() {
        return Err(StateRefused::Malformed("it is no regular file"));
    }
    let foreign = || StateRefused::Malformed("it has not the parts of one");
    let whole = file.metadata()?.len();
    let mut kind = vec![0; KIND.len() + 1];
    if whole < begin() + 8 || file.read_exact(&mut kind).is_err() {
        return Err(foreign());
    }
    if kind.strip_suffix(b"\n") != Some(KIND.as_bytes()) {
        return Err(foreign());
    }
    let mut length = [0; 8];
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let body = whole.checked_sub(begin() + 8).and_then(|rest| rest.checked_sub(length));
    let body = body.filter(|_| length <= LONGEST_NOTE).ok_or_else(foreign)?;
    file.seek(SeekFrom::Start(begin() + body))?;
    let mut text = String::new();
    let read = file.take(length).read_to_string(&mut text);
    let [note] = <[Note; 1]>::try_from(Note::all(&text)).map_err(|_| foreign())?;
    // In no other form than it was written in: every byte counts.
    if read.is_err() || note.to_string() != text {
        return Err(foreign());
    }
    Ok((note, body))
}

/// Writes on, and hashes what was written.
struct Hashing<W> {
    into: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.into.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.into.flush()
    }
}

impl std::fmt::Debug for InProgress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProgress").field("head", &self.head()).finish_non_exhaustive()
    }
}
