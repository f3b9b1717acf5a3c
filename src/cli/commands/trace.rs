//! `trace`: where money went and where it came from, by `ledger_trace`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_store::OpenMode;
use ledger_store::moment::Moment;
use ledger_trace::{Holders, Rule, Traced};
use serde_json::Value;

use crate::Failure;
use crate::store::{self, Store, StoreOption};
use crate::whole_file::fresh;

/// The examples of the command's help.
const EXAMPLES: &str = "Examples:\n  \
    custody-ledger trace ledger.db E9040088820261120120300123873170\n  \
    custody-ledger trace ledger.db saque-17 --back --rule proportion\n  \
    custody-ledger trace ledger.db E9040088820261120120300123873170 --evidence pix.json\n  \
    custody-ledger trace ledger.db --check pix.json";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A PIX by its end-to-end id, an operation by its id or external id, the id of a return, a
    /// transaction in any spelling; the store may stand before it.
    #[arg(value_name = "WHAT", num_args = 1..=2, required_unless_present = "check")]
    words: Vec<String>,
    #[command(flatten)]
    store: StoreOption,
    /// Which money of an account leaves first.
    #[arg(long, value_enum, default_value_t = Order::Fifo)]
    rule: Order,
    /// Shows where the money came from instead.
    #[arg(long)]
    back: bool,
    /// The ledger as it stood at a moment: so many records, a day or an RFC 3339 instant.
    #[arg(long, value_name = "RECORD|DAY|INSTANT")]
    at: Option<Moment>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Lines for people, or JSON.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Writes the evidence, with records and links, to this new file as well.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["back", "check"])]
    evidence: Option<PathBuf>,
    /// Names customers as clients do, in the evidence; absent: by a letter and a number.
    #[arg(long, requires = "evidence")]
    holders: bool,
    /// Traces again what a file of evidence is of, and names what the journal has otherwise.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["back", "at", "rule", "format"])]
    check: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// First in, first out.
    Fifo,
    /// Last in, first out.
    Lifo,
    /// In proportion, by the largest remainder.
    Proportion,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let name = environment.name();
    if let Some(file) = &options.check {
        // The only word that may stand here is the store.
        let store = options.words.first().map_or_else(|| options.store.name(), String::as_str);
        let mut journal = Store::parse(store)?.open(environment, OpenMode::ReadOnly)?;
        let differing = Traced::check(&mut *journal, name, &read(file)?);
        let differing =
            differing.map_err(|error| Failure::because(&file.display().to_string(), &error))?;
        if differing.is_empty() {
            writeln!(std::io::stdout(), "{}: the journal has the same", file.display())?;
            return Ok(());
        }
        let lines: Vec<_> =
            differing.iter().map(|part| format!("the journal has another {part}")).collect();
        return Err(Failure::new(lines.join("\n")));
    }
    let (store, what) = options.store.before(&options.words)?;
    let mut journal = Store::parse(store)?.open(environment, OpenMode::ReadOnly)?;
    let rule = match options.rule {
        Order::Fifo => Rule::FirstIn,
        Order::Lifo => Rule::LastIn,
        Order::Proportion => Rule::Proportion,
    };
    let traced = Traced::read(&mut *journal, name, (what, rule), options.at)
        .map_err(|error| Failure::because(what, &error))?;
    if let Some(path) = &options.evidence {
        let holders = if options.holders { Holders::Named } else { Holders::Masked };
        let evidence = traced.evidence(holders);
        fresh(path, "--evidence", |file| {
            writeln!(file, "{evidence:#}").map_err(|error| Failure::of_file(path, &error))
        })?;
    }
    let shown =
        if options.back { traced.backward(Holders::Named) } else { traced.forward(Holders::Named) };
    match options.format {
        Format::Text => write!(std::io::stdout(), "{}", Traced::text(&shown))?,
        Format::Json => writeln!(std::io::stdout(), "{shown:#}")?,
    }
    Ok(())
}

fn read(path: &Path) -> Result<Value, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}
