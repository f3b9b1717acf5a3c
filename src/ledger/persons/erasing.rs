//! Erasing persons in a ledger that runs, certified if need be, and the holds that forbid it.

use ledger_core::contract::Tokens;
use ledger_store::engine::EngineError;
use ledger_store::vault::{Certificate, Erased, LegalHold, OperatorNote};
use ledger_store::{Journal, JournalError, OpenMode, Person};

use crate::ledger::{Ledger, Pending};
use crate::value::DecidedBy;

/// Why a legal hold could be neither placed, nor released, nor read.
#[derive(Debug, thiserror::Error)]
#[error("the legal holds of the ledger cannot be read or written")]
pub struct HoldFailed(#[source] Box<dyn std::error::Error + Send + Sync>);

impl Ledger {
    /// Erases a person: what the vault keeps of it is gone, and every record and head stands.
    ///
    /// A person under a legal hold is not erased: [`EngineError::Held`] names the hold. What may be
    /// left in the files of the store [`Ledger::scrub_leftovers`] says.
    pub fn erase(&self, person: Person) -> Pending<Result<Vec<Erased>, EngineError>> {
        let ledger = self.clone();
        Pending::blocking(move || {
            let beside = |person: &Person| ledger.forget_words(person);
            ledger.0.engine.erase_with(person, beside).wait()
        })
    }

    /// Erases a person as [`Ledger::erase`] does, and certifies it: what was erased, by token and
    /// kind, and in how many records it is named, when and by whom, and where the journal ended. It
    /// reads the whole journal.
    ///
    /// ```
    /// use custody_ledger::fact::account::{AccountOpened, KeyRevoked};
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::{Person, value::DecidedBy};
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    /// let why = DecidedBy::new("bia", "Ana asked for it")?;
    /// let account = AccountName::new("loja")?;
    /// let revoked = KeyRevoked::new(FactId::new("a-2")?, account, why);
    /// ledger.report(&revoked).wait()?.ensure_applied()?;
    ///
    /// // A court asks for her data: until it is released, she is not erased.
    /// let ana = Person::default().text("Ana asked for it");
    /// let case = DecidedBy::new("caio", "case 0012, first instance")?;
    /// assert!(ledger.hold_person("0012", ana.clone(), &case).wait()?);
    /// let by = DecidedBy::new("bia", "request 17")?;
    /// let held = ledger.erase_certified(ana.clone(), &by).wait().unwrap_err().to_string();
    /// assert!(held.contains("the legal hold 0012 is in force"));
    ///
    /// assert!(ledger.release_person("0012", &case).wait()?);
    /// let certificate = ledger.erase_certified(ana, &by).wait()?;
    /// assert_eq!(certificate.erased.len(), 1);
    /// assert_eq!(certificate.erased[0].records, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn erase_certified(
        &self,
        person: Person,
        by: &DecidedBy,
    ) -> Pending<Result<Certificate, EngineError>> {
        let (ledger, note) = (self.clone(), self.note(by));
        Pending::blocking(move || {
            let beside = |person: &Person| ledger.forget_words(person);
            ledger.0.engine.erase_certified(person, note, beside)
        })
    }

    /// What the last erasure may have left in the files of the store, and what to do about it, a
    /// sentence each: `custody-ledger scrub` writes the whole store anew.
    #[must_use]
    pub fn scrub_leftovers(&self) -> Vec<String> {
        self.0.engine.scrub_warnings()
    }

    /// Places a legal hold of this name on a person, who is then not erased; `false` where there is
    /// or was one of its name. The name and the decision are kept in clear: they name no person.
    pub fn hold_person(
        &self,
        id: &str,
        person: Person,
        by: &DecidedBy,
    ) -> Pending<Result<bool, HoldFailed>> {
        let (ledger, id, note) = (self.clone(), id.to_owned(), self.note(by));
        Pending::blocking(move || {
            let mut journal = ledger.journal(OpenMode::create()).map_err(hold_failure)?;
            let tokens = Tokens::new(journal.identity().vault_key);
            let hold = LegalHold::new(&id, person.tokens(&tokens), note);
            journal.place_hold(&hold).map_err(hold_failure)
        })
    }

    /// Releases a legal hold; `false` where none of this name is in force.
    pub fn release_person(&self, id: &str, by: &DecidedBy) -> Pending<Result<bool, HoldFailed>> {
        let (ledger, id, note) = (self.clone(), id.to_owned(), self.note(by));
        Pending::blocking(move || {
            let mut journal = ledger.journal(OpenMode::create()).map_err(hold_failure)?;
            journal.release_hold(&id, &note).map_err(hold_failure)
        })
    }

    /// Every legal hold of the ledger, released ones too.
    pub fn legal_holds(&self) -> Pending<Result<Vec<LegalHold>, HoldFailed>> {
        let ledger = self.clone();
        Pending::blocking(move || {
            let mut journal = ledger.journal(OpenMode::ReadOnly).map_err(hold_failure)?;
            journal.holds().map_err(hold_failure)
        })
    }

    /// Forgets what operators wrote of a person beside the ledger.
    #[cfg(feature = "http")]
    fn forget_words(&self, person: &Person) -> Result<(), String> {
        let Ok(target) = self.0.store.target() else { return Ok(()) };
        let forgotten = ledger_http::operators::Operators::kept_in(target).forget(person);
        forgotten.map(drop).map_err(|error| error.to_string())
    }

    #[cfg(not(feature = "http"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // There are no operators' tables.
    fn forget_words(&self, _: &Person) -> Result<(), String> {
        Ok(())
    }

    fn journal(&self, mode: OpenMode) -> Result<Box<dyn Journal>, JournalError> {
        self.0.journal(mode).map_err(|error| JournalError::Medium(Box::new(error)))
    }

    fn note(&self, by: &DecidedBy) -> OperatorNote {
        let (by, reason) = (by.actor.as_str().to_owned(), by.reason.as_str().to_owned());
        OperatorNote { at: self.0.clock.now(), by, reason }
    }
}

fn hold_failure(error: JournalError) -> HoldFailed {
    HoldFailed(Box::new(error))
}
