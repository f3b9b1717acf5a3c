//! The commands about persons: erased, held from being erased, and what is left of them scrubbed.

pub mod certificate;
pub mod erase;
pub mod hold;
pub mod person;
pub mod scrub;

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_core::pix::{Document, KeyType, Letters, PixKey};
use ledger_store::vault::OperatorNote;
use ledger_store::{OpenError, OpenMode, Person};

use crate::Failure;
use crate::store::{self, Store, StoreFirst};

/// Whom a command is about.
#[derive(Args)]
pub struct PersonOptions {
    /// A CPF or CNPJ: wherever it stands as a document, and as a PIX key.
    #[arg(long)]
    document: Vec<String>,
    /// A PIX key.
    #[arg(long)]
    pix_key: Vec<String>,
    /// An e-mail address: where it registered a key, and as a PIX key.
    #[arg(long)]
    email: Vec<String>,
    /// A name, letter by letter as it was given: of everybody who bears it.
    #[arg(long)]
    name: Vec<String>,
    /// A free text, letter by letter: a description, a reason, a reference.
    #[arg(long)]
    text: Vec<String>,
}

/// Who does it, and why.
#[derive(Args)]
pub struct OperatorOptions {
    /// Who does it.
    #[arg(long, visible_alias = "by", value_name = "NAME")]
    actor: String,
    /// Why; kept in clear, so it names no person.
    #[arg(long)]
    reason: String,
}

impl PersonOptions {
    /// The person, in the form in which they are kept.
    fn person(&self) -> Result<Person, Failure> {
        let mut wanted = Person::default();
        for text in &self.document {
            wanted = wanted.document(&document(text)?);
        }
        for text in &self.pix_key {
            let kinds = ["cpf", "cnpj", "phone", "email", "random"].map(KeyType::parse);
            let keys = kinds.map(|kind| PixKey::parse(text, kind, Letters::Accepted).ok());
            if keys.iter().all(Option::is_none) {
                return Err(Failure::new("--pix-key is no PIX key of any kind"));
            }
            wanted = keys.iter().flatten().fold(wanted, Person::pix_key);
        }
        wanted = self.email.iter().fold(wanted, |wanted, text| wanted.email(text));
        wanted = self.name.iter().fold(wanted, |wanted, text| wanted.name(text));
        wanted = self.text.iter().fold(wanted, |wanted, text| wanted.text(text));
        if wanted.is_empty() {
            return Err(Failure::new(
                "nothing is named: give --document, --pix-key, --email, --name or --text",
            ));
        }
        Ok(wanted)
    }
}

impl OperatorOptions {
    /// The note of it, as of now.
    fn note(&self) -> Result<OperatorNote, Failure> {
        let says = |text: &str| !text.trim().is_empty() && !text.chars().any(char::is_control);
        if !says(&self.actor) || !says(&self.reason) {
            return Err(Failure::new(
                "--actor and --reason say who it is and why, a line each: they must not be empty",
            ));
        }
        let at = super::outbox::now()?;
        Ok(OperatorNote { at, by: self.actor.clone(), reason: self.reason.clone() })
    }
}

fn document(text: &str) -> Result<Document, Failure> {
    // What was mistyped is not repeated: it may be somebody's.
    let document = Document::parse(text, Letters::Accepted);
    document.ok_or_else(|| Failure::new("--document is no CPF or CNPJ"))
}

/// The file in which it is noted who did what, and why; absent: beside the store's file.
fn noted_in(
    path: Option<&Path>,
    store: &Store,
    ending: &str,
) -> Result<Option<std::fs::File>, Failure> {
    let beside = match store {
        Store::Sqlite(path) if path.exists() => Some(store::beside(path, ending)),
        Store::Sqlite(_) | Store::Postgres(_) | Store::Objects(_) | Store::Memory(_) => None,
    };
    let Some(path) = path.map(Path::to_owned).or(beside) else { return Ok(None) };
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
    let named = |error: std::io::Error| Failure::of_file(&path, &error);
    Ok(Some(file.map_err(named)?))
}

/// Which ledgers a command is about.
#[derive(Args)]
pub struct LedgerOptions {
    #[command(flatten)]
    store: StoreFirst,
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
}

impl LedgerOptions {
    fn store(&self) -> Result<Store, Failure> {
        Store::parse(self.store.name())
    }

    /// Those that are in the store: the one of this name, which must be, or any.
    fn environments(&self, store: &Store) -> Result<Vec<Environment>, Failure> {
        match &self.environment {
            Some(only) => existing(store, &[store::environment(only)?], true),
            None => existing(store, &Environment::ALL, false),
        }
    }
}

/// Those of these ledgers that are in the store. They are opened for reading, since opening for
/// writing makes what is missing.
fn existing(
    store: &Store,
    asked: &[Environment],
    each_must_be: bool,
) -> Result<Vec<Environment>, Failure> {
    let mut found = Vec::new();
    for environment in asked {
        match store.open(*environment, OpenMode::ReadOnly) {
            Ok(_) => found.push(*environment),
            Err(OpenError::LedgerUnknown { .. }) if !each_must_be => {}
            Err(error) => return Err(error.into()),
        }
    }
    if found.is_empty() {
        return Err(Failure::new(format!("{store} holds no ledger")));
    }
    Ok(found)
}
