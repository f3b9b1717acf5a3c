//! Erasing a person in a ledger that runs, and what that left in the medium's files.

use std::sync::{Mutex, PoisonError};

use crate::engines::engine::{Engine, EngineError, Ticket};
use crate::journal::{Head, Journal, JournalError, Token, in_one_line};
use crate::state::vault::{
    Certificate, Erased, ErasedRecords, LegalHold, OperatorNote, Person, holding_person,
    records_naming,
};

/// What the last erasure left, a sentence each.
#[derive(Debug, Default)]
pub(in crate::engines::engine) struct Unscrubbed(Mutex<Vec<String>>);

impl Unscrubbed {
    pub(in crate::engines::engine) fn set(&self, left: Vec<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = left;
    }

    fn get(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Engine {
    /// Erases a person: out of what this engine knows, and out of the journal's vault. Says what
    /// was known of them.
    ///
    /// Tables, the outbox and snapshots name persons by token, so nothing of them stands there; a
    /// [`Vault`](crate::Vault) that somebody opened before knows them until it is dropped. Whoever
    /// brings the person once more, with what is recorded then, makes them known anew. Repeated
    /// after an error, it may find that they are erased already.
    ///
    /// Whether a legal hold is in force is read first, on this thread: the ticket of somebody who
    /// is held says [`EngineError::Held`]. The tables that held the values are written anew, and
    /// what may be left elsewhere [`Engine::scrub_warnings`] says.
    ///
    /// ```
    /// # use ledger_core::contract::Line;
    /// # use ledger_core::ledger::Origin;
    /// # use ledger_store::{engine::Engine, MemoryDisk, MemoryJournal, OpenMode, Person};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// # let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    /// #     "body": {"id": "a-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
    /// # let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
    /// # engine.call(line.call(Origin::Call)).wait()?;
    /// let line = r#"{"at": "2026-11-20T12:00:01Z", "fact": "key.revoked", "body": {"id": "a-2",
    ///     "account": "loja", "actor": "bia", "reason": "Ana asked for it"}}"#;
    /// let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
    /// engine.call(line.call(Origin::Call)).wait()?;
    ///
    /// let reason = Person::default().text("Ana asked for it");
    /// assert_eq!(engine.erase(reason.clone()).wait()?.len(), 1);
    /// assert_eq!(engine.erase(reason).wait()?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn erase(&self, person: Person) -> Ticket<Vec<Erased>> {
        self.erase_with(person, |_| Ok(()))
    }

    /// Erases a person as [`Engine::erase`] does, once `beside` has erased what is kept of them in
    /// other tables of the medium: it is called when no legal hold is in force, and before the
    /// tables are written anew. It says why it could not.
    pub fn erase_with(
        &self,
        person: Person,
        beside: impl FnOnce(&Person) -> Result<(), String>,
    ) -> Ticket<Vec<Erased>> {
        let held = self.reopen.open().map_err(|error| error.to_string()).and_then(|mut journal| {
            holding_person(&mut *journal, &person).map_err(|error| in_one_line(&error))
        });
        match held {
            Ok(None) => match beside(&person) {
                Ok(()) => self.with_permit(|permit| permit.erase(person)),
                Err(error) => Ticket::from_error(EngineError::NotWritten(error)),
            },
            Ok(Some(holds)) => Ticket::from_error(EngineError::Held(holds)),
            Err(error) => Ticket::from_error(EngineError::NotWritten(error)),
        }
    }

    /// Erases a person as [`Engine::erase_with`] does, and certifies it: what was erased, by token
    /// and kind, and in how many records it is named, when and by whom, and where the journal
    /// ended. It reads the whole journal, and blocks.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the person is held, or nothing can be read or written. What cannot be
    /// certified is not erased.
    pub fn erase_certified(
        &self,
        person: Person,
        note: OperatorNote,
        beside: impl FnOnce(&Person) -> Result<(), String>,
    ) -> Result<Certificate, EngineError> {
        let (name, head) = (self.committed_now()?.name.clone(), self.head()?);
        let journal = self.reopen.open().map_err(|error| error.to_string());
        let counts = journal.and_then(|mut journal| {
            token_counts(&mut *journal, head, &person).map_err(|error| in_one_line(&error))
        });
        let counts = counts.map_err(EngineError::NotWritten)?;
        let erased = self.erase_with(person, beside).wait()?.into_iter().map(|erased| {
            let count = counts.iter().find(|(token, _)| *token == erased.token.0);
            ErasedRecords { erased, records: count.map_or(0, |(_, records)| *records) }
        });
        Ok(Certificate {
            ledger: name.to_string(),
            environment: name.environment(),
            head,
            note,
            erased: erased.collect(),
            left: self.scrub_warnings(),
        })
    }

    /// Places a legal hold, which erasures heed from then on; `false` where there is or was one of
    /// its name. Blocks.
    ///
    /// # Errors
    ///
    /// [`JournalError`] when the medium fails, or takes nothing beside the records.
    pub fn place_hold(&self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.beside()?.place_hold(hold)
    }

    /// Releases a legal hold; `false` where none of this name is in force. Blocks.
    ///
    /// # Errors
    ///
    /// As [`Engine::place_hold`].
    pub fn release_hold(&self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.beside()?.release_hold(id, note)
    }

    fn beside(&self) -> Result<Box<dyn Journal>, JournalError> {
        let opened = self.reopen.open_beside().ok_or(JournalError::ReadOnly)?;
        opened.map_err(|error| JournalError::Medium(Box::new(error)))
    }

    /// What the last erasure of this engine may have left in the files of its medium, and what to
    /// do about it, a sentence each; nothing where nothing is left.
    #[must_use]
    pub fn scrub_warnings(&self) -> Vec<String> {
        self.shared.unscrubbed.get()
    }
}

/// A person's tokens, and in how many records up to `head` each stands.
fn token_counts(
    journal: &mut dyn Journal,
    head: Head,
    person: &Person,
) -> Result<Vec<(Token, u64)>, JournalError> {
    let theirs = journal.vault()?.into_iter().filter(|row| person.has(row));
    let tokens: Vec<_> = theirs.map(|row| row.token).collect();
    let counts = records_naming(journal, head, &tokens)?;
    Ok(tokens.into_iter().zip(counts).collect())
}
