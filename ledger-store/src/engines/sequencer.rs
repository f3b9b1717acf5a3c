//! The sequencer: a ledger with its vault, deciding, encoding and chaining, without I/O.
//!
//! What it decides waits in an open commit until [`Sequencer::cut`] takes it; whether that became
//! durable is the engine's affair. The simulator drives a sequencer with a medium of its own.

mod evidence;
mod execute;
mod hand_out;
mod loss;
pub(crate) mod only_read;
mod persons;
mod preview;
pub(crate) mod read_ahead;
mod recorded;
mod replay;
mod verified;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ledger_core::contract::{
    Call, CallOutcome, Personal, RateLimiter, Response, Sort, Tokens, Unproved, Views,
};
use ledger_core::ledger::{Execution, Instruction, Ledger, Notification, Record};
use ledger_core::{contract, id};

use crate::bytes::commit_builder::{CommitBuilder, RecordBatch};
pub use crate::engines::replay_error::ReplayError;
use crate::journal::{Commit, Head, Identity};
use crate::state::archive::JournalArchive;
use crate::state::vault::{Erased, Person, Token, Vault};
use crate::tables::projection::{OutboxDraft, Pending};

pub use evidence::Evidence;
pub use hand_out::HandOut;
pub use only_read::leaves_nothing;
pub use preview::Preview;
pub use recorded::{Differs, Recorded};

/// A ledger that decides, and remembers what is not yet durable.
///
/// ```
/// use ledger_core::contract::Line;
/// use ledger_core::ledger::Origin;
/// use ledger_store::Algorithm;
/// use ledger_store::journal::Identity;
/// use ledger_store::sequencer::Sequencer;
///
/// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
/// let mut sequencer = Sequencer::new("live", identity);
/// let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "time.passed"}"#;
/// let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
/// assert_eq!(sequencer.call(&line.call(Origin::Call)).status, 200);
///
/// // Decided, and to be appended to a journal before anybody is answered.
/// let commit = sequencer.cut().expect("a record waits");
/// assert_eq!((commit.head(), sequencer.pending()), (sequencer.head(), 0));
/// ```
#[derive(Debug)]
pub struct Sequencer {
    ledger: Ledger<JournalArchive>,
    vault: Vault,
    tokens: Tokens,
    recent: RateLimiter,
    commit_builder: CommitBuilder,
    draft: RecordBatch,
    execution: Execution,
    tally: Tally,
    /// What is to be erased in the journal, too.
    erased: Vec<Token>,
    /// How often something was begun that may leave it changed.
    begun: u64,
    /// What is to be sent and carried out by what was decided since it was last taken, where an
    /// outbox is kept.
    outbox: Option<OutboxDraft>,
    /// Tells whether what is replayed must be in the one encoding that is written, and memory to
    /// find out.
    exact: Option<Vec<u8>>,
}

/// How much was asked of a sequencer, by whatever door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls handled and commands executed, reads and repeats included.
    pub commands: u64,
    /// Those of them that were refused: by the rules, or for what they said.
    pub refusals: u64,
}

impl Tally {
    fn count(&mut self, refused: bool) {
        self.commands += 1;
        self.refusals += u64::from(refused);
    }
}

impl Sequencer {
    /// An empty sequencer of the ledger of this name and identity.
    #[must_use]
    pub fn new(name: &str, identity: Identity) -> Self {
        let chain = crate::bytes::chain::Chain::genesis(identity.algorithm, name);
        let archive = JournalArchive::new(name, identity);
        let ledger = Ledger::new(identity.ledger_name(name), archive);
        Self {
            vault: Vault::default(),
            tokens: Tokens::new(identity.vault_key),
            recent: RateLimiter::default(),
            commit_builder: CommitBuilder::new(chain, ledger.archive.anchors()),
            ledger,
            draft: RecordBatch::default(),
            execution: Execution::quiet(),
            tally: Tally::default(),
            erased: Vec::new(),
            begun: 0,
            outbox: None,
            exact: None,
        }
    }

    /// From now on [`Sequencer::take_outbox_entries`] gives what follows from what is decided.
    pub(crate) fn keep_outbox(&mut self) {
        self.outbox.get_or_insert_default();
    }

    /// From now on, what is decided is held against the invariants: what breaks one is a
    /// [`Sequencer::fault`].
    pub fn watch(&mut self) {
        self.ledger.watch();
    }

    /// Keeps an outbox, and is watched, where `other` does and is.
    pub(crate) fn work_as(&mut self, other: &Self) {
        if other.outbox.is_some() {
            self.keep_outbox();
        }
        if other.ledger.is_watched() {
            self.watch();
        }
    }

    /// What is to be sent and carried out by what was decided since this was last taken.
    pub(crate) fn take_outbox_entries(&mut self) -> Vec<Pending> {
        self.outbox.as_mut().map(OutboxDraft::take).unwrap_or_default()
    }

    /// The same, refusing whatever is replayed in other bytes than a ledger writes.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { exact: Some(Vec::new()), ..self }
    }

    /// Handles a call of the contract module. The answer holds once the next commit is durable.
    pub fn call(&mut self, call: &Call) -> Response {
        self.handle(call).response
    }

    /// Handles a call, and gives with the answer what clients are notified of and the world is
    /// asked by it.
    pub fn handle(&mut self, call: &Call) -> CallOutcome {
        self.begun += 1;
        let handled = contract::handle(
            &mut self.ledger,
            &mut self.vault,
            &self.tokens,
            &mut self.recent,
            call,
        );
        self.journal(&handled.records);
        let effects = (&handled.notifications[..], &handled.instructions[..]);
        self.tell_outbox(&handled.records, effects);
        self.tally.count(handled.response.status >= 400);
        handled
    }

    /// Returns what views, events and instructions are rendered from.
    ///
    /// ```
    /// # use ledger_store::{Algorithm, journal::Identity, sequencer::Sequencer};
    /// # let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
    /// # let sequencer = Sequencer::new("live", identity);
    /// // The vault never knew her name, or it was erased.
    /// let ana = sequencer.tokens().name("Ana");
    /// assert_eq!(sequencer.views().value(ana.token), "[apagado]");
    /// ```
    #[must_use]
    pub fn views(&self) -> Views<'_, JournalArchive, Vault> {
        Views { state: &self.ledger.state, archive: &self.ledger.archive, vault: &self.vault }
    }

    /// Keeps personal values that commands of [`Sequencer::execute`] name by token.
    ///
    /// # Errors
    ///
    /// [`Unproved`] when its token or mask is not derived from it under this ledger's key.
    pub fn learn(&mut self, personal: Personal) -> Result<(), Unproved> {
        let Personal { token, sort, value, mask } = &personal;
        self.tokens.prove(*token, *sort as u8, value, mask)?;
        self.begun += 1;
        contract::Vault::learn(&mut self.vault, personal);
        Ok(())
    }

    /// Forgets a person, and texts that mention them; says what was known. Records go on naming the
    /// tokens, and whoever brings the person once more makes them known anew.
    ///
    /// In the journal they are erased by whoever takes [`Sequencer::take_erased`], before the next
    /// commit is appended and after those that were cut already.
    pub fn erase(&mut self, person: &Person) -> Vec<Erased> {
        self.begun += 1;
        let mut erased = Vec::new();
        let mut tokens: Vec<Token> = person.tokens(&self.tokens).map(|token| token.0).collect();
        let mut mentions = self.vault.theirs(person);
        mentions.retain(|token| !tokens.contains(token));
        tokens.extend(mentions);
        for token in tokens {
            let kind = self.vault.get(token).map(|secret| secret.kind);
            let sort = Sort::ALL.into_iter().find(|sort| Some(*sort as u8) == kind);
            erased.extend(sort.map(|sort| Erased { token: id::Token(token), sort }));
            self.vault.erase(token);
            // Known or not: somebody may have brought it to the journal by another way.
            self.erased.push(token);
        }
        erased
    }

    /// The tokens whose values are to be erased in the journal.
    pub fn take_erased(&mut self) -> Vec<Token> {
        std::mem::take(&mut self.erased)
    }

    /// Keeps nothing that can be read back from the journal, nor what reads it, until it is needed.
    pub(crate) fn rest(&mut self) {
        self.ledger.archive.rest();
    }

    /// Takes what was decided since the last cut; `None` when that is nothing.
    ///
    /// # Panics
    ///
    /// When there is a [`Sequencer::fault`]: what was decided on it must not be written.
    pub fn cut(&mut self) -> Option<Commit> {
        if self.stage() { self.commit_builder.frame(1) } else { None }
    }

    /// Stages what was decided since the last cut, for [`Sequencer::commit_builder`] to frame in
    /// this order; `false` when that is nothing.
    pub(crate) fn stage(&mut self) -> bool {
        self.begun += 1;
        let fault = self.fault();
        assert!(fault.is_none(), "what was decided on a fault is never cut: {fault:?}");
        let (vault, tokens) = (&mut self.vault, &self.tokens);
        self.commit_builder.stage(&mut self.draft, || {
            let new = vault.take_new();
            let proved = new.iter().all(|row| row.prove(tokens).is_ok());
            assert!(proved, "a value goes to the vault under the token derived from it");
            new
        })
    }

    /// Who frames what is staged.
    pub(crate) fn commit_builder(&self) -> CommitBuilder {
        self.commit_builder.clone()
    }

    /// Why something that had left memory could not be read back from the journal, if that
    /// happened, or which invariant would break, where that is watched: what was decided since the
    /// last cut is void, and the sequencer must be opened anew.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let broken = || self.ledger.first_violation().map(ToString::to_string);
        self.ledger.archive.fault().or_else(broken)
    }

    /// Changes the books behind the ledger's back, as a mistake of this program would.
    #[cfg(test)]
    pub(crate) const fn books_in_error(&mut self) -> &mut ledger_core::ledger::State {
        &mut self.ledger.state
    }

    /// Up to which record the journal holds what this sequencer decided.
    ///
    /// Whoever appends raises it, so that records may leave memory; they are read back from the
    /// journal when they are asked for. A sequencer that no journal was opened for keeps
    /// everything.
    #[must_use]
    pub fn durable(&self) -> Arc<AtomicU64> {
        Arc::clone(self.ledger.archive.durable())
    }

    /// How many records wait for the next cut.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.draft.count()
    }

    /// How often something was begun that may leave it changed: the same number before and after a
    /// panic says that the sequencer is as it was.
    pub(crate) const fn change_attempts(&self) -> u64 {
        self.begun
    }

    /// How much was asked of it since this was last taken.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Where the chain stands, records that wait for the next cut included; those are linked for
    /// it, and again when they are framed.
    #[must_use]
    pub fn head(&self) -> Head {
        let readers = self.ledger.archive.readers_chain();
        readers.map_or_else(|| self.commit_builder.head(&self.draft), |it| Head::from_chain(&it))
    }

    /// The ledger as decided.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger<JournalArchive> {
        &self.ledger
    }

    /// The vault beside it.
    #[must_use]
    pub const fn vault(&self) -> &Vault {
        &self.vault
    }

    /// Derives this ledger's tokens.
    #[must_use]
    pub const fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    fn tell_outbox(&mut self, records: &[Record], effects: (&[Notification], &[Instruction])) {
        if let Some(draft) = &mut self.outbox {
            draft.add(&self.ledger, records, effects);
        }
    }

    fn journal(&mut self, records: &[Record]) {
        for record in records {
            let bytes = self.ledger.archive.recent_bytes(record.seq);
            self.draft.add(bytes.expect("it was remembered when it was applied"));
        }
    }
}
