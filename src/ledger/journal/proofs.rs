//! Checkpoints of an open ledger, and proofs against them.

use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{
    CheckpointError, Checkpointer, KeptCheckpoints, Policy, Prover, ProverError,
};
use ledger_proofs::document::Proof;
use ledger_proofs::record_tree::RecordTree;
use ledger_store::Journal;
use ledger_store::sequencer::Recorded;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;

use super::{CheckpointsFile, JournalFailed};
use crate::ledger::{Ledger, Pending};
use crate::value::{AccountName, OperationId, Party};

/// A claim to be proved against a checkpoint; see [`Ledger::prove`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// This record is in the ledger: its number, from 1.
    Record(u64),
    /// These are all records of an operation up to the checkpoint.
    Operation(OperationId),
    /// This balance is a part of all that is owed.
    Balance(AccountName, Party),
    /// Nothing was changed since this earlier checkpoint.
    Since(Note),
}

/// Signs the checkpoints of an open ledger as it grows; see [`Ledger::checkpoints`]. Its methods
/// block.
#[derive(Debug)]
pub struct Checkpoints {
    ledger: Ledger,
    keeper: Checkpointer,
}

impl Ledger {
    /// Begins to sign checkpoints with a key whose name is the service's. They are added to a file,
    /// where one is given, and nothing is signed that does not go on from its last one.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::journal::{Checkpoint, Claim, Policy, Signer};
    /// use custody_ledger::prelude::*;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    ///
    /// # let secret = [7; 32]; // A service draws it once and keeps it.
    /// let signer = Signer::new("ledger.example.com", secret)?;
    /// let policy = Policy { records: 1_000, time: Duration::from_secs(60) };
    /// let mut checkpoints = ledger.checkpoints(&signer, None, policy).wait()?;
    /// let note = checkpoints.sign()?.expect("a record was written");
    ///
    /// // Whoever has the note and the key checks the proof without the ledger.
    /// let checkpoint = Checkpoint::parse(&note.text)?;
    /// let proofs = ledger.prove(&checkpoint, [Claim::Record(1)]).wait()?;
    /// assert!(proofs[0].text().contains("\"record\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoints(
        &self,
        key: &Signer,
        file: Option<&CheckpointsFile>,
        policy: Policy,
    ) -> Pending<Result<Checkpoints, JournalFailed<CheckpointError>>> {
        let (ledger, key) = (self.clone(), key.clone());
        let kept = KeptCheckpoints { file: file.cloned(), table: None };
        self.reading(move |journal, name| {
            let tree = RecordTree::in_memory();
            let keeper = Checkpointer::new(name, journal, tree, (kept, &key), policy)?;
            Ok(Checkpoints { ledger, keeper })
        })
    }

    /// Proves claims against a checkpoint that was signed, in their order: what the documents are,
    /// and how a stranger checks them, stands in `docs/PROOFS.md`.
    ///
    /// It reads the whole journal, once for all of them.
    pub fn prove(
        &self,
        checkpoint: &Checkpoint,
        claims: impl IntoIterator<Item = Claim>,
    ) -> Pending<Result<Vec<Proof>, JournalFailed<ProverError>>> {
        let (checkpoint, claims) = (checkpoint.clone(), Vec::from_iter(claims));
        self.reading(move |journal, name| prove(journal, name, checkpoint, &claims))
    }
}

fn prove(
    mut journal: Box<dyn Journal>,
    name: &str,
    checkpoint: Checkpoint,
    claims: &[Claim],
) -> Result<Vec<Proof>, ProverError> {
    let then = if claims.iter().any(|claim| matches!(claim, Claim::Operation(_))) {
        Some(Recorded::after(&mut *journal, name, checkpoint.size)?.0)
    } else {
        None
    };
    let mut prover = Prover::new(journal, name, RecordTree::in_memory(), checkpoint)?;
    let prove = |claim: &Claim| match claim {
        Claim::Record(record) => prover.record(*record),
        Claim::Operation(id) => {
            prover.operation(then.as_ref().expect("it was opened for them"), id.as_str())
        }
        Claim::Balance(account, party) => prover.balance(account.as_str(), party.name()),
        Claim::Since(earlier) => prover.since(earlier),
    };
    claims.iter().map(prove).collect()
}

impl Checkpoints {
    /// Signs a checkpoint if it is time for one.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`], above all where the ledger is not what was signed before.
    pub fn sign_when_due(&mut self) -> Result<Option<Note>, CheckpointError> {
        let engine = &self.ledger.0.engine;
        if self.keeper.is_due(engine)? { self.keeper.sign(engine) } else { Ok(None) }
    }

    /// Signs a checkpoint of the ledger as it stands; none where the last one is of the same
    /// record.
    ///
    /// # Errors
    ///
    /// As of [`Checkpoints::sign_when_due`].
    pub fn sign(&mut self) -> Result<Option<Note>, CheckpointError> {
        self.keeper.sign(&self.ledger.0.engine)
    }
}
