//! `erase`: a person's data out of the vaults, by somebody and for a reason (rulings 11).
//!
//! Records name persons by token, so every head stands and every audit passes; views show what was
//! erased as erased. Who erased, when and why is kept in a file beside the store, by token.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::{Environment, Sort};
use ledger_core::pix::{Document, KeyType, Letters, PixKey};
use ledger_store::{OpenError, OpenMode, Person, VaultRow};
use serde_json::{Value, json};

use crate::Failure;
use crate::store::{self, Store};

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH or postgres://...
    store: String,
    /// A CPF or CNPJ: it is erased where it stands as a document, and as a PIX key.
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
    /// Who erases.
    #[arg(long)]
    actor: String,
    /// Why.
    #[arg(long)]
    reason: String,
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
    /// Where it is noted what was erased, by token; absent: beside the store's file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    let wanted = wanted(options)?;
    if wanted.is_empty() {
        return Err(Failure::new(
            "nothing is named: give --document, --pix-key, --email, --name or --text",
        ));
    }
    if options.actor.trim().is_empty() || options.reason.trim().is_empty() {
        return Err(Failure::new("--actor and --reason say who erases and why"));
    }
    let mut log = log(options, &store)?;
    let (mut ledgers, mut erased) = (0, 0);
    for environment in Environment::ALL {
        if only.is_some_and(|only| only != environment) {
            continue;
        }
        // Opened for reading first, since opening for writing makes what is missing.
        let rows = match store.open(environment, OpenMode::ReadOnly) {
            Ok(mut journal) => journal.vault()?,
            Err(OpenError::LedgerUnknown { .. }) if only.is_none() => continue,
            Err(error) => return Err(error.into()),
        };
        ledgers += 1;
        let theirs: Vec<_> = rows.iter().filter(|row| wanted.has(row)).collect();
        if theirs.is_empty() {
            continue;
        }
        let mut journal = store.open(environment, OpenMode::create())?;
        // An engine that runs meanwhile would go on believing that they are known.
        journal.claim(None)?;
        for row in theirs {
            let note = note(options, environment, row)?;
            if let Some(log) = &mut log {
                writeln!(log, "{note}").and_then(|()| log.sync_all())?;
            }
            if journal.erase(row.token)? {
                erased += 1;
                writeln!(std::io::stdout(), "{note}")?;
            }
        }
    }
    match (ledgers, erased) {
        (0, _) => Err(Failure::new(format!("{store} holds no ledger"))),
        (_, 0) => Err(Failure::new("nothing was erased: no vault holds any of it")),
        _ => Ok(()),
    }
}

/// Who is to be erased, in the form in which they are kept.
fn wanted(options: &Options) -> Result<Person, Failure> {
    let mut wanted = Person::default();
    for text in &options.document {
        let document = Document::parse(text, Letters::Accepted);
        // What was mistyped is not repeated: it may be somebody's.
        let document = document.ok_or_else(|| Failure::new("--document is no CPF or CNPJ"))?;
        wanted = wanted.document(&document);
    }
    for text in &options.pix_key {
        let kinds = ["cpf", "cnpj", "phone", "email", "random"].map(KeyType::parse);
        let keys = kinds.map(|kind| PixKey::parse(text, kind, Letters::Accepted).ok());
        if keys.iter().all(Option::is_none) {
            return Err(Failure::new("--pix-key is no PIX key of any kind"));
        }
        wanted = keys.iter().flatten().fold(wanted, Person::pix_key);
    }
    wanted = options.email.iter().fold(wanted, |wanted, text| wanted.email(text));
    wanted = options.name.iter().fold(wanted, |wanted, text| wanted.name(text));
    Ok(options.text.iter().fold(wanted, |wanted, text| wanted.text(text)))
}

/// The file that says who erased what, and why.
fn log(options: &Options, store: &Store) -> Result<Option<std::fs::File>, Failure> {
    let beside = match store {
        Store::Sqlite(path) if path.exists() => Some(store::beside(path, ".erasures.jsonl")),
        Store::Sqlite(_) | Store::Postgres(_) | Store::Memory(_) => None,
    };
    let Some(path) = options.log.clone().or(beside) else { return Ok(None) };
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let named = |error: std::io::Error| Failure::of_file(&path, &error);
    Ok(Some(file.map_err(named)?))
}

fn note(options: &Options, environment: Environment, row: &VaultRow) -> Result<Value, Failure> {
    let kinds = [
        (Sort::Document, "document"),
        (Sort::Name, "name"),
        (Sort::PixKey, "pix_key"),
        (Sort::Text, "text"),
        (Sort::Email, "email"),
    ];
    let kind = kinds.into_iter().find(|(sort, _)| *sort as u8 == row.kind).map(|(_, kind)| kind);
    let digits = row.token.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let token: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
    Ok(json!({
        "at": crate::commands::outbox::now()?.to_string(),
        "ledger": environment.name(),
        "erased": kind,
        "token": token,
        "actor": options.actor,
        "reason": options.reason,
    }))
}
