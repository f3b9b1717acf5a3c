//! `look`: a page of the console as text, of the service that holds the ledgers.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_http::operators::look;

use super::audit::Language;
use super::find::{console_failure, credential};
use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// The page as its address has it, such as waiting, solvency, webhooks, operations/ID or
    /// accounts/NAME/statement; absent: the overview.
    #[arg(default_value = "")]
    view: String,
    /// What its address narrows it by.
    #[arg(value_name = "NAME=VALUE")]
    asked: Vec<String>,
    /// live or sandbox, or one of several ledgers.
    #[arg(long, default_value_t = Environment::Live.name().to_owned())]
    ledger: String,
    /// The file of the operator's credential; absent where the console is open to this machine.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CREDENTIAL_FILE")]
    credential_file: Option<PathBuf>,
    /// The console's listener of the service that holds the ledgers.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8082")]
    #[arg(env = "CUSTODY_LEDGER_CONSOLE_URL")]
    url: String,
    /// The language of the page.
    #[arg(long, value_enum, default_value = "en")]
    lang: Language,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let credential = options.credential_file.as_deref().map(credential).transpose()?;
    let target = target(options)?;
    let lang = match options.lang {
        Language::Pt => "pt",
        Language::En => "en",
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = look(&options.url, credential.as_deref(), &target, lang);
    let (status, text) =
        runtime.block_on(asked).map_err(|error| console_failure(&options.url, &error, None))?;
    if status != 200 {
        return Err(Failure::new(format!("{target}: {status}: {}", text.trim_end())));
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// The path of the page, and what it asks.
fn target(options: &Options) -> Result<String, Failure> {
    let (ledger, view) = (&options.ledger, options.view.trim_start_matches('/'));
    let mut target = format!("/{ledger}/{view}");
    for (place, pair) in options.asked.iter().enumerate() {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            Failure::new("what narrows a page is said as NAME=VALUE, with nothing before the =")
        })?;
        target.push(if place == 0 && !view.contains('?') { '?' } else { '&' });
        target.extend(form_urlencoded::byte_serialize(name.as_bytes()));
        target.push('=');
        target.extend(form_urlencoded::byte_serialize(value.as_bytes()));
    }
    Ok(target)
}
