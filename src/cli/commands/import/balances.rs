//! `import --balances`: balances that customers had elsewhere, all checked before the first is
//! reported (P:OpeningBalances).

use std::collections::{BTreeMap, VecDeque};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::contract::{Call, CallKind, Response};
use ledger_core::ledger::Origin;
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use ledger_store::OpenMode;
use ledger_store::engine::Ticket;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::balances_file::{self, OpeningBalance};
use crate::commands::reporting::{self, FactOutcome};
use crate::store::Store;
use crate::{Failure, table};

#[derive(Args)]
pub struct BalancesOptions {
    /// Brings opening balances from this CSV, whose columns are account, `customer_ref` (empty: the
    /// house), `amount_cents` and, if wanted, description.
    #[arg(long, value_name = "FILE", conflicts_with = "file", requires_all = ["actor", "reason"])]
    pub balances: Option<PathBuf>,
    /// The ledger of the balances: live, sandbox, or one of several ledgers.
    #[arg(long, default_value = "live", requires = "balances")]
    ledger: String,
    /// Who decided to bring the balances.
    #[arg(long, requires = "balances")]
    actor: Option<String>,
    /// The reason for bringing them, which the records keep.
    #[arg(long, requires = "balances")]
    reason: Option<String>,
    /// Checks the file and prints the sums; reports nothing.
    #[arg(long, requires = "balances")]
    dry_run: bool,
    /// The sum of the file in centavos; any other is refused.
    #[arg(long, value_name = "CENTAVOS", requires = "balances")]
    total: Option<i128>,
    /// The instant at which they are reported, RFC 3339; absent: now.
    #[arg(long, value_name = "INSTANT", requires = "balances")]
    at: Option<String>,
}

/// How many reports may wait for their answers.
const WINDOW: usize = 1_024;

pub fn run(path: &Path, options: &BalancesOptions, store: &str) -> Result<(), Failure> {
    let store = Store::parse(store)?;
    let balances = read_balances(path, options, &store)?;
    let (sums, total) = sums(&balances);
    if let Some(expected) = options.total.filter(|expected| *expected != total) {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path} sums to {total} centavos, and --total is {expected}: nothing is reported"
        )));
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{sums}")?;
    if options.dry_run {
        return Ok(writeln!(out, "dry run: {} balances, nothing is reported", balances.len())?);
    }
    let counts = report_all(&balances, options, &store)?;
    let Counts { applied, known, aside } = &counts;
    writeln!(out, "applied {applied}, known {known}, set aside {}", aside.len())?;
    if aside.is_empty() { Ok(()) } else { Err(Failure::new(aside.join("\n"))) }
}

/// Reads the file against the ledger as it stands, which must exist.
fn read_balances(
    path: &Path,
    options: &BalancesOptions,
    store: &Store,
) -> Result<Vec<OpeningBalance>, Failure> {
    let name = &options.ledger;
    let mut journal = store.open_named(name, OpenMode::ReadOnly)?;
    let sequencer = Sequencer::open(&mut *journal, name, |_, _| ())?;
    let state = &sequencer.ledger().state;
    balances_file::read(path, |account| state.account_named(account).is_some())
}

/// A table of how many balances each account has and their sum, and the sum of all in centavos.
fn sums(balances: &[OpeningBalance]) -> (comfy_table::Table, i128) {
    let mut accounts: BTreeMap<&str, (usize, i128)> = BTreeMap::new();
    for balance in balances {
        let (count, sum) = accounts.entry(&balance.account).or_default();
        *count += 1;
        *sum += i128::from(balance.amount.cents());
    }
    let total = accounts.values().map(|(_, sum)| sum).sum();
    let mut table = table::with_header(["account", "balances", "R$"]);
    let all = ("all", (balances.len(), total));
    for (account, (count, sum)) in accounts.into_iter().chain([all]) {
        table.add_row([account.to_owned(), count.to_string(), reais(sum)]);
    }
    table::align(&mut table, |place| place > 0);
    (table, total)
}

/// A sum in reais; one beyond any balance in centavos.
fn reais(cents: i128) -> String {
    let small = i64::try_from(cents).map(|cents| table::reais(Balance::new(cents)));
    small.unwrap_or_else(|_| format!("{cents} centavos"))
}

/// How the ledger took the balances.
#[derive(Default)]
struct Counts {
    applied: usize,
    known: usize,
    /// The lines that it set aside, each with the reason.
    aside: Vec<String>,
}

impl Counts {
    fn add(&mut self, line: u64, response: &Response) -> Result<(), Failure> {
        match reporting::fact_outcome(response) {
            FactOutcome::Applied => self.applied += 1,
            FactOutcome::Known => self.known += 1,
            FactOutcome::SetAside(reason) => {
                self.aside.push(format!("line {line} is set aside: {reason}"));
            }
            FactOutcome::Refused(why) => return Err(Failure::new(format!("line {line}: {why}"))),
        }
        Ok(())
    }
}

/// Reports each balance, many at a time; every one that is counted is durable.
fn report_all(
    balances: &[OpeningBalance],
    options: &BalancesOptions,
    store: &Store,
) -> Result<Counts, Failure> {
    let name = &options.ledger;
    let named = reporting::named_instant(options.at.as_deref())?;
    let engine = reporting::open(store, name)?;
    let at = reporting::come_to(store, name, &engine, named)?;
    let mut counts = Counts::default();
    let mut awaited: VecDeque<(u64, Ticket<Response>)> = VecDeque::new();
    for balance in balances {
        if awaited.len() == WINDOW {
            count_first(&mut awaited, &mut counts)?;
        }
        awaited.push_back((balance.line, engine.call(fact(balance, options, at))));
    }
    while !awaited.is_empty() {
        count_first(&mut awaited, &mut counts)?;
    }
    engine.stop()?;
    Ok(counts)
}

fn count_first(
    awaited: &mut VecDeque<(u64, Ticket<Response>)>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let Some((line, ticket)) = awaited.pop_front() else { return Ok(()) };
    counts.add(line, &ticket.wait()?)
}

fn fact(balance: &OpeningBalance, options: &BalancesOptions, at: Instant) -> Call {
    let text = |option: &Option<String>| option.clone().unwrap_or_default();
    Call {
        at,
        origin: Origin::Call,
        ask: CallKind::Fact("balance.opened".to_owned()),
        body: balance.fact_body(&text(&options.actor), &text(&options.reason)),
        supplied: Value::Null,
        ip: None,
    }
}
