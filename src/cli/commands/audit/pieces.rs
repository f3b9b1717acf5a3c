//! `audit --keep` and `audit --from`: the state of an audit, signed and kept, and gone on from.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_store::Journal;
use ledger_store::audit::{AuditedState, Expect, InProgress, Pieces, Stopped, audit_in_pieces};
use ledger_store::report::Report;
use ledger_store::signing::key::{Signer, Verifier};

use super::{Proof, progress};
use crate::Failure;
use crate::checkpoints::signer;
use crate::whole_file::whole;

#[derive(Args)]
pub struct PieceOptions {
    /// Keeps the state of the audit in this folder, a file a ledger, for a later audit to go on
    /// from: signed by --keep-key, once everything was proved.
    #[arg(long, value_name = "FOLDER", requires = "keep_key")]
    #[arg(conflicts_with_all = ["one by one", "sample", "follow"])]
    keep: Option<PathBuf>,
    /// The auditor's own secret key, as `checkpoint-key` makes it.
    #[arg(long, value_name = "FILE", requires = "keep")]
    keep_key: Option<PathBuf>,
    /// Keeps it after each so many records, too, so that an audit that is interrupted goes on.
    #[arg(long, value_name = "RECORDS", requires = "keep")]
    keep_every: Option<NonZeroU64>,
    /// Begins with the states in this folder that --keep wrote, and not with the first record;
    /// --key says whose signature is believed.
    #[arg(long, value_name = "FOLDER", requires = "keys")]
    #[arg(conflicts_with_all = ["one by one", "sample", "follow", "tables", "checkpoints"])]
    from: Option<PathBuf>,
    /// The public key of a ledger, NAME+HASH+BASE64, from a place that you trust: the auditor's of
    /// --from, the house's of --sample; once for each ledger.
    #[arg(long = "key", value_name = "PUBKEY")]
    pub keys: Vec<Verifier>,
}

/// Where states are kept and begun with; of each audit that does neither, everything is proved from
/// the first record.
pub struct InPieces {
    keep: Option<(PathBuf, Signer)>,
    every: Option<NonZeroU64>,
    from: Option<PathBuf>,
    keys: Vec<Verifier>,
}

impl PieceOptions {
    /// Tells whether the audit begins with a kept state.
    pub const fn begins(&self) -> bool {
        self.from.is_some()
    }

    pub fn read(&self) -> Result<InPieces, Failure> {
        let keep = match (&self.keep, &self.keep_key) {
            (Some(folder), Some(key)) => Some((folder.clone(), signer(key)?)),
            _ => None,
        };
        let (every, from, keys) = (self.keep_every, self.from.clone(), self.keys.clone());
        Ok(InPieces { keep, every, from, keys })
    }
}

/// The key among these that is of a ledger.
pub fn key_of<'a>(keys: &'a [Verifier], journal: &dyn Journal, name: &str) -> Option<&'a Verifier> {
    let environment = journal.identity().environment(name).name();
    keys.iter().find(|key| key.name().ends_with(&format!("/{name}/{environment}")))
}

/// The file of a ledger's state.
fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.audited"))
}

impl InPieces {
    /// Tells whether it begins with a kept state.
    pub const fn is_from_a_state(&self) -> bool {
        self.from.is_some()
    }

    /// Audits a ledger: from the state that was kept of it where that is asked for, and keeping its
    /// own.
    pub fn audit(
        &self,
        journal: &mut dyn Journal,
        name: &str,
        expect: Expect,
    ) -> Result<Report, Proof> {
        let from = self.from.as_deref().map(|folder| self.state(folder, journal, name));
        let from = from.transpose().map_err(Proof::Wrong)?;
        let pieces = Pieces { from: from.as_ref(), every: self.every };
        let keep = |stands: &InProgress<'_>| self.keep(stands, name);
        audit_in_pieces(journal, name, (expect, pieces), progress, keep).map_err(|stopped| {
            match stopped {
                Stopped::Finding(finding) => finding.into(),
                Stopped::State(refused) => Proof::Wrong(Failure::from(refused)),
                Stopped::Keep(failure) => Proof::Failure(failure),
            }
        })
    }

    /// The state of a ledger in a folder.
    fn state(
        &self,
        folder: &Path,
        journal: &mut dyn Journal,
        name: &str,
    ) -> Result<AuditedState, Failure> {
        let path = file(folder, name);
        let key = key_of(&self.keys, journal, name).ok_or_else(|| {
            Failure::new(format!(
                "--from: no --key is of ledger {name}; --environment audits one ledger alone"
            ))
        })?;
        AuditedState::open(&path, key, journal, name)
            .map_err(|error| Failure::of_file(&path, &error))
    }

    fn keep(&self, stands: &InProgress<'_>, name: &str) -> Result<(), Failure> {
        let Some((folder, key)) = &self.keep else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
        whole(&file(folder, name), |file| Ok(stands.write(file, key)?))
    }
}
