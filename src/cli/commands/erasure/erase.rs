//! `erase`: a person's data out of the vaults, by somebody and for a reason (rulings 11).
//!
//! Records name persons by token, so every head stands and every audit passes; views show what was
//! erased as erased. Who erased, when and why is kept in a file beside the store, by token.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::{Environment, Sort};
use ledger_core::id;
use ledger_http::operators::Operators;
use ledger_store::journal::{Scrub, claim_when_unlocked};
use ledger_store::vault::{
    Certificate, Erased, ErasedRecords, OperatorNote, VaultRow, holding_person, records_naming,
};
use ledger_store::{Journal, OpenMode, Person};
use serde_json::{Value, json};

use super::certificate::CertificateFile;
use super::{LedgerOptions, OperatorOptions, PersonOptions, noted_in};
use crate::Failure;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    ledgers: LedgerOptions,
    #[command(flatten)]
    person: PersonOptions,
    #[command(flatten)]
    operator: OperatorOptions,
    /// Where it is noted what was erased, by token; absent: beside the store's file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Writes a certificate to this new file: what was erased, when and by whom, and of which head.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Signs the certificate with this secret key, as `checkpoint-key` makes it.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    checkpoint_key: Option<PathBuf>,
}

/// A ledger in which something of the person stands.
struct PersonRows {
    environment: Environment,
    theirs: Vec<VaultRow>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = options.ledgers.store()?;
    let person = options.person.person()?;
    let note = options.operator.note()?;
    let found = find_rows(options, &store, &person)?;
    // Before the store's files are written anew, which leaves no copy of it.
    let words = match store.target() {
        Some(target) => Operators::kept_in(target).forget(&person)?,
        None => 0,
    };
    if words > 0 {
        let (at, by) = (note.at.to_string(), &note.by);
        let said = json!({ "at": at, "erased": "words_of_operators", "count": words, "actor": by,
            "reason": note.reason });
        writeln!(std::io::stdout(), "{said}")?;
    }
    let Some(last) = found.last().map(|found| found.environment) else {
        if words > 0 {
            return Ok(());
        }
        return Err(Failure::new("nothing was erased: no vault holds any of it"));
    };
    let key = options.checkpoint_key.as_deref();
    let mut certificates = CertificateFile::create(options.certificate.as_deref(), key)?;
    let (mut log, mut written) = (None, Vec::new());
    for PersonRows { environment, theirs } in found {
        let mut journal = store.open(environment, OpenMode::create())?;
        // An engine that runs meanwhile would go on believing that they are known.
        let head = claim_when_unlocked(&mut *journal, None)?.head;
        if log.is_none() {
            log = noted_in(options.log.as_deref(), &store, ".erasures.jsonl")?;
        }
        let tokens: Vec<_> = theirs.iter().map(|row| row.token).collect();
        let counts = match &certificates {
            Some(_) => records_naming(&mut *journal, head, &tokens)?,
            None => vec![0; tokens.len()],
        };
        let mut erased = Vec::new();
        for (row, records) in theirs.iter().zip(counts) {
            let Some(known) = to_erased(row) else { continue };
            let noted = log_entry(&note, environment, &known);
            if let Some(log) = &mut log {
                writeln!(log, "{noted}").and_then(|()| log.sync_all())?;
            }
            if journal.erase(row.token)? {
                writeln!(std::io::stdout(), "{noted}")?;
                erased.push(ErasedRecords { erased: known, records });
            }
        }
        let left = Vec::new();
        let (ledger, note) = (environment.name().to_owned(), note.clone());
        written.push(Certificate { ledger, environment, head, note, erased, left });
        if environment == last {
            let left = scrub_files(&mut *journal, Scrub::Whole)?;
            for certificate in &mut written {
                certificate.left.clone_from(&left);
            }
        }
    }
    if let Some(certificates) = &mut certificates {
        certificates.write(&written)?;
    }
    Ok(())
}

/// Leaves no copy of what was erased in the store's files, and says what may be left.
pub fn scrub_files(journal: &mut dyn Journal, scrub: Scrub) -> Result<Vec<String>, Failure> {
    let left = journal.scrub(scrub)?;
    for left in &left {
        writeln!(std::io::stderr(), "left: {left}")?;
    }
    Ok(left)
}

/// Returns what stands of the person in each ledger; nothing is erased of one who is held in any.
fn find_rows(
    options: &Options,
    store: &Store,
    person: &Person,
) -> Result<Vec<PersonRows>, Failure> {
    let mut found = Vec::new();
    for environment in options.ledgers.environments(store)? {
        let mut journal = store.open(environment, OpenMode::ReadOnly)?;
        if let Some(holds) = holding_person(&mut *journal, person)? {
            return Err(Failure::new(format!(
                "{}: held and not erased: the legal hold {holds} is in force; `release-person` \
                 ends it",
                environment.name()
            )));
        }
        let rows = journal.vault()?.into_iter();
        let theirs: Vec<_> = rows.filter(|row| person.has(row)).collect();
        if !theirs.is_empty() {
            found.push(PersonRows { environment, theirs });
        }
    }
    Ok(found)
}

/// Returns what a row of the vault would be erased as.
fn to_erased(row: &VaultRow) -> Option<Erased> {
    let sort = Sort::ALL.into_iter().find(|sort| *sort as u8 == row.kind);
    sort.map(|sort| Erased { token: id::Token(row.token), sort })
}

fn log_entry(note: &OperatorNote, environment: Environment, erased: &Erased) -> Value {
    json!({
        "at": note.at.to_string(),
        "ledger": environment.name(),
        "erased": erased.kind(),
        "token": erased.token_text(),
        "actor": note.by,
        "reason": note.reason,
    })
}
