//! `person`: everything that a ledger keeps of a person, for a court or for the person.
//!
//! It is read beside whoever holds the store; who read it, when and why is noted in a file.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_http::operators::Operators;
use ledger_http::{Dossier, PageLang, dossier_page};
use ledger_store::sequencer::Sequencer;
use ledger_store::vault::{Erased, Mentions};
use ledger_store::{OpenMode, Person};
use serde_json::json;

use super::{OperatorOptions, document, noted_in};
use crate::Failure;
use crate::commands::audit::page::Language;
use crate::store::{self, Store, StoreFirst};
use crate::whole_file::whole;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The person's CPF or CNPJ.
    #[arg(long)]
    document: String,
    #[command(flatten)]
    operator: OperatorOptions,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Writes a page to be read and printed to this file instead of JSON.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The language of the page.
    #[arg(long, value_enum, default_value = "pt", requires = "html")]
    lang: Language,
    /// Where it is noted who read what and why; absent: beside the store's file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let (store, name) = (Store::parse(options.store.name())?, environment.name());
    let person = Person::default().document(&document(&options.document)?);
    let note = options.operator.note()?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let mentions = Mentions::read(&mut *journal, &person)?;
    let values = mentions.values.iter();
    let tokens: Vec<_> =
        values.map(|value| Erased { token: value.token, sort: value.sort }.token_text()).collect();
    // What cannot be noted is not shown.
    if let Some(mut log) = noted_in(options.log.as_deref(), &store, ".readings.jsonl")? {
        let line = json!({ "at": note.at.to_string(), "ledger": name, "read": tokens,
            "actor": note.by, "reason": note.reason });
        writeln!(log, "{line}").and_then(|()| log.sync_all())?;
    }
    let mut dossier = Dossier::new(mentions);
    let sequencer = Sequencer::open(&mut *journal, name, |_, _| ())?;
    while dossier.go_on(&sequencer) {}
    if let Some(target) = store.target() {
        let operators = Operators::kept_in(target);
        dossier.add_words(operators.words_about(name, &person, &dossier.operation_ids())?);
    }
    if dossier.is_empty() {
        return Err(Failure::new(format!("the {name} ledger names no such person")));
    }
    let found = dossier.json();
    match &options.html {
        Some(path) => {
            let lang = match options.lang {
                Language::Pt => PageLang::Pt,
                Language::En => PageLang::En,
            };
            let page = dossier_page(name, &found, lang);
            whole(path, |file| Ok(file.write_all(page.as_bytes())?))
        }
        None => Ok(writeln!(std::io::stdout(), "{found:#}")?),
    }
}
