//! Certificates of erasure: the file that `erase` writes, and `verify-erasure`, which checks one.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::signing::note::Note;
use ledger_store::vault::Certificate;

use crate::Failure;
use crate::checkpoints::signer;
use crate::whole_file::creation_failure;

#[derive(Args)]
pub struct Options {
    /// The file that `erase --certificate` wrote.
    file: PathBuf,
    /// The public key of the ledger, NAME+HASH+BASE64, from a place that you trust.
    #[arg(long, value_name = "PUBKEY")]
    key: String,
}

/// `verify-erasure`: shows what the key has signed of the file's certificates.
pub fn verify(options: &Options) -> Result<(), Failure> {
    let wrong = |error: &(dyn std::error::Error + 'static)| {
        Failure::because(&format!("{}: not verified", options.file.display()), error)
    };
    let key: Verifier = options.key.parse().map_err(|error| wrong(&error))?;
    let text = std::fs::read_to_string(&options.file).map_err(|error| wrong(&error))?;
    let notes = Note::all(&text);
    if notes.is_empty() {
        let path = options.file.display();
        return Err(Failure::new(format!("{path}: not verified: it holds no signed certificate")));
    }
    // A certificate for each ledger: one of them is of this key.
    let mut refused = None;
    for note in notes.iter().filter(|note| Certificate::is_text_of_one(&note.text)) {
        match note.verify(&key) {
            Ok(()) => {
                write!(std::io::stdout(), "{}", note.text)?;
                return Ok(());
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.map_or_else(
        || Failure::new(format!("{}: what is signed is no certificate", options.file.display())),
        |error| wrong(&error),
    ))
}

/// A new file for certificates, made before anything is erased; empty until it is written, and
/// removed if it never is.
pub struct CertificateFile {
    path: PathBuf,
    file: File,
    signer: Option<Signer>,
    is_written: bool,
}

impl CertificateFile {
    /// Makes the file; none where none is wanted.
    pub fn create(path: Option<&Path>, key: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let signer = key.map(signer).transpose()?;
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.map_err(|error| creation_failure(path, "--certificate", &error))?;
        Ok(Some(Self { path: path.to_owned(), file, signer, is_written: false }))
    }

    /// Writes the certificates, each with its signature if there is a key.
    pub fn write(&mut self, certificates: &[Certificate]) -> Result<(), Failure> {
        let text: Vec<_> = certificates.iter().map(|it| it.issue(self.signer.as_ref())).collect();
        let named = |error: std::io::Error| Failure::of_file(&self.path, &error);
        self.file.write_all(text.join("\n").as_bytes()).map_err(named)?;
        self.file.sync_all().map_err(named)?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for CertificateFile {
    fn drop(&mut self) {
        if !self.is_written {
            // What is empty certifies nothing, and stays if it cannot be removed.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
