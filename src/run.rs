//! `run`: JSON lines in, answers out, each durable before it is given.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::{Ask, Call, Code, Environment, Line, Problem, Response, Route};
use ledger_core::ledger::Origin;
use ledger_core::time::{Instant, Span};
use ledger_sim::Sandbox;
use ledger_store::engine::Ticket;
use serde_json::{Value, json};

use crate::Failure;
use crate::balances;
use crate::events::{self, Events, Heard};
use crate::house::{House, OPENING};
use crate::labels::{Labels, ids_of};
use crate::provider;
use crate::store::{self, Store};

/// How many lines may wait for their answers.
const WINDOW: usize = 4_096;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

#[derive(Args)]
pub struct Options {
    /// The file of JSON lines; - reads standard input.
    file: PathBuf,
    /// Where the ledgers are kept: PATH, sqlite:PATH, postgres://... or memory:.
    #[arg(long, default_value = "ledger.db")]
    store: String,
    /// Runs the file afresh, instead of going on where the journal ends.
    #[arg(long)]
    again: bool,
    /// Supplies nothing in the provider's place, and plays nothing in the sandbox.
    #[arg(long)]
    strict: bool,
    /// The seed of the sandbox's prices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    sandbox_seed: u64,
    /// Adds the webhook events and instructions of the lines answered to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// The vault key of new ledgers, 64 hexadecimal digits; random when absent.
    #[arg(long, value_name = "HEX")]
    vault_key: Option<String>,
}

/// Counts for the line that ends a run.
#[derive(Default)]
struct Counts {
    lines: u64,
    skipped: u64,
    answered: u64,
    refused: u64,
    malformed: u64,
    applied: u64,
    known: u64,
    set_aside: u64,
}

/// A line whose answer is awaited.
struct Awaited {
    number: u64,
    label: Option<String>,
    /// No answer comes to a line behind one that was not written.
    told: Vec<(Environment, Ticket<Option<Heard>>)>,
    /// Where what it has for the live ledger is said to come from.
    onward: Option<Origin>,
}

struct Run {
    house: House,
    labels: Labels,
    source: String,
    store: Store,
    passes: Vec<(Environment, u32, u64)>,
    strict: bool,
    sandbox: Sandbox,
    events: Option<Events>,
    awaited: VecDeque<Awaited>,
    counts: Counts,
    /// The latest instant of a line that could be read.
    latest: Option<Instant>,
    out: std::io::BufWriter<std::io::StdoutLock<'static>>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let stdin = options.file.as_os_str() == "-";
    let source = match options.file.file_name() {
        Some(name) if !stdin => name.to_string_lossy().into_owned(),
        _ => "-".to_owned(),
    };
    let mut input: Box<dyn BufRead> = if stdin {
        Box::new(std::io::stdin().lock())
    } else {
        let file = std::fs::File::open(&options.file)
            .map_err(|error| Failure::new(format!("{}: {error}", options.file.display())))?;
        Box::new(BufReader::new(file))
    };
    let key = options.vault_key.as_deref().map(store::vault_key).transpose()?;
    let store = Store::parse(&options.store)?;
    let house = House::open(&store, key, &source)?;
    let passes = passes(&house, options.again);
    let mut run = Run {
        house,
        labels: Labels::default(),
        source,
        store,
        passes,
        strict: options.strict,
        sandbox: Sandbox::new(options.sandbox_seed),
        events: options.events.as_deref().map(Events::open).transpose()?,
        awaited: VecDeque::new(),
        counts: Counts::default(),
        latest: None,
        out: std::io::BufWriter::new(std::io::stdout().lock()),
    };
    run.say_where_it_resumes();
    let mut text = Vec::new();
    let mut number = 0;
    loop {
        text.clear();
        let read = input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut text)?;
        if read == 0 {
            break;
        }
        number += 1;
        let whole = text.ends_with(b"\n");
        if !whole && read as u64 > LONGEST_LINE {
            skip_rest(&mut input)?;
            run.malformed(number, &Problem::new(Code::FormatInvalid, "the line is too long"))?;
            continue;
        }
        match std::str::from_utf8(&text) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => run.line(number, text.trim())?,
            Err(_) => {
                run.malformed(number, &Problem::new(Code::FormatInvalid, "the line is no UTF-8"))?;
            }
        }
    }
    run.drain(0)?;
    run.out.flush().map_err(Failure::unheard)?;
    if let Some(events) = &mut run.events {
        events.flush()?;
    }
    run.summary()
}

/// Which run of the file this is for each ledger, and after which line it goes on.
fn passes(house: &House, again: bool) -> Vec<(Environment, u32, u64)> {
    let pass = |(environment, desk): (Environment, &crate::house::Desk)| {
        let progress = &desk.progress;
        if again && progress.begun {
            (environment, progress.pass + 1, 0)
        } else {
            (environment, progress.pass, progress.last)
        }
    };
    let mut passes: Vec<_> = house.desks().map(pass).collect();
    // A run afresh is one run for both ledgers, even if only one of them had recorded a line.
    let latest = passes.iter().map(|(_, pass, _)| *pass).max().unwrap_or(0);
    for (_, pass, last) in &mut passes {
        if *pass < latest {
            (*pass, *last) = (latest, 0);
        }
    }
    passes
}

/// Whether a request asks for production, which the live ledger must hear of.
fn asks_for_production(target: &str) -> bool {
    target.starts_with("/mesh/agents/") && target.ends_with("/production-request")
}

fn skip_rest(input: &mut Box<dyn BufRead>) -> std::io::Result<()> {
    let mut rest = Vec::new();
    loop {
        rest.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)?;
        if read == 0 || rest.ends_with(b"\n") {
            return Ok(());
        }
    }
}

impl Run {
    fn say_where_it_resumes(&self) {
        for (environment, _, last) in self.passes.iter().filter(|(_, _, last)| *last > 0) {
            let name = environment.name();
            eprintln!("{name}: lines up to {last} are recorded already; going on after them");
        }
    }

    fn line(&mut self, number: u64, text: &str) -> Result<(), Failure> {
        self.counts.lines += 1;
        if text.contains('$') {
            // What a label stands for may be in an answer that is still awaited.
            self.drain(0)?;
        }
        let labels = &self.labels;
        let parsed = Line::parse(text, |name| labels.refer(name));
        let mut line = match parsed {
            Ok(line) => line,
            Err(problem) => return self.malformed(number, &problem),
        };
        self.latest = self.latest.max(Some(line.at));
        if let Some(label) = line.label.as_deref()
            && let Err(problem) = self.labels.claim(label, number)
        {
            return self.malformed(number, &problem);
        }
        let hash = self.house.desk(Environment::Live).tokens.line(text);
        let targets = self.house.route(&line);
        if !self.strict {
            let tokens = self.house.desk(Environment::Live).tokens;
            provider::supply(&mut line, &targets, hash, |text| tokens.line(text));
        }
        let label = line.label.clone();
        let opens = match &line.ask {
            Ask::Fact(name) => OPENING.contains(&&**name) && line.supplied.get("key").is_none(),
            Ask::Request { target, .. } => line.ask.home().is_some() || asks_for_production(target),
            Ask::Command { .. } => false,
        };
        let onward = Some(self.origin(Environment::Live, number, text)).filter(|_| opens);
        let shows_key = opens || line.supplied.get("entropy").is_some();
        let mut told = Vec::new();
        for environment in targets {
            let origin = self.origin(environment, number, text);
            if number <= self.pass(environment).1 {
                self.skip(number, environment, &line, origin, onward.clone())?;
                continue;
            }
            let call = line.clone().call(origin);
            let (wanted, plays) = (self.events.is_some(), !self.strict);
            let weather = Some(self.sandbox).filter(|_| plays);
            let desk = self.house.desk(environment);
            let turn = desk.turn.clone();
            let ticket = desk.engine.decide(move |book| {
                turn.take(book, |book| events::hear_all(book, &call, weather, wanted))
            });
            told.push((environment, ticket));
        }
        if told.is_empty() {
            self.counts.skipped += 1;
            return Ok(());
        }
        self.awaited.push_back(Awaited { number, label, told, onward });
        // A key shown once may be used by the very next line.
        self.drain(if shows_key { 0 } else { WINDOW })
    }

    /// Which run of the file this is for a ledger, and after which line it goes on.
    fn pass(&self, environment: Environment) -> (u32, u64) {
        let mut passes = self.passes.iter();
        let found = passes.find(|(known, _, _)| *known == environment);
        let (_, pass, last) = found.expect("every environment has a pass");
        (*pass, *last)
    }

    /// Where a line comes from, as a ledger records it.
    fn origin(&self, environment: Environment, number: u64, text: &str) -> Origin {
        let hash = self.house.desk(environment).tokens.line(text);
        let (source, pass) = (self.source.as_str().into(), self.pass(environment).0);
        Origin::Line { source, pass, number, hash }
    }

    /// A line that is recorded already: its text must be the same; its label is restored, and what
    /// it had for the live ledger told, where that had not come to it.
    fn skip(
        &mut self,
        number: u64,
        environment: Environment,
        line: &Line,
        origin: Origin,
        onward: Option<Origin>,
    ) -> Result<(), Failure> {
        let Origin::Line { pass, hash, .. } = origin else {
            unreachable!("a line comes from a file")
        };
        let desk = self.house.desk(environment);
        let recorded = desk.progress.line(number);
        if let Some(recorded) = recorded.filter(|recorded| recorded.pass == pass)
            && recorded.hash != hash
        {
            let name = environment.name();
            return Err(Failure::new(format!(
                "{} line {number}: the {name} journal records another text for it; run the file it \
                 was recorded from, or this one with --again",
                self.source
            )));
        }
        let production = matches!(
            &line.ask, Ask::Request { target, .. } if asks_for_production(target)
        );
        // Only the line that was granted production is recorded; one that was refused is not.
        if production && recorded.is_some_and(|recorded| recorded.pass == pass) {
            let call = line.clone().call(origin.clone());
            let heard = desk.engine.decide(move |book| events::hear(book, &call, false)).wait()?;
            if let (Some(call), Some(onward)) = (heard.onward, onward) {
                self.pass_on(number, call, onward)?;
            }
        }
        let desk = self.house.desk(environment);
        let recorded = desk.progress.line(number);
        let Some(label) = line.label.clone() else { return Ok(()) };
        let ids = match recorded.filter(|recorded| recorded.pass == pass) {
            Some(recorded) => recorded.ids.clone(),
            None => self.repeated(environment, line, origin)?,
        };
        if !ids.is_empty() {
            self.labels.bind(&label, ids);
        }
        Ok(())
    }

    /// The ids of a skipped line that recorded nothing, if it repeated something known.
    ///
    /// What is not known it must not create, so only an `external_id` already used is asked again.
    fn repeated(
        &self,
        environment: Environment,
        line: &Line,
        origin: Origin,
    ) -> Result<Vec<(String, String)>, Failure> {
        let engine = &self.house.desk(environment).engine;
        if let Ask::Request { key, target: asked, .. } | Ask::Command { key, name: asked } =
            &line.ask
        {
            let id = line.body.get("external_id").and_then(Value::as_str).map(str::to_owned);
            let (Some(id), Some(key)) = (id, key.clone()) else { return Ok(Vec::new()) };
            let asked = asked.clone();
            let used = engine.decide(move |book| {
                use ledger_core::id::Kind;
                use ledger_core::ledger::Archive;
                let kind = match asked.as_str() {
                    "/cashin/charge" => Kind::Charge,
                    "/saldo/sacar-cripto" => Kind::Conversion,
                    "commission.withdraw" => Kind::CommissionWithdrawal,
                    "/saldo/transferir" => Kind::Transfer,
                    "/cash-outs" => Kind::CashOut,
                    "/carteira-usdt/deposits" => Kind::WalletDeposit,
                    "/carteira-usdt/payments" => Kind::WalletPayment,
                    "wallet.withdrawal.create" => Kind::CryptoWithdrawal,
                    _ => Kind::Payout,
                };
                let ledger = book.ledger();
                let account = ledger.state.account_of_key(&book.tokens().api_key(&key));
                account.is_some_and(|known| ledger.archive.identity(known, kind, &id).is_some())
            });
            if !used.wait()? {
                return Ok(Vec::new());
            }
        }
        Ok(ids_of(&engine.call(line.clone().call(origin)).wait()?))
    }

    /// A line that could not be read: answered, counted, named by its number.
    fn malformed(&mut self, number: u64, problem: &Problem) -> Result<(), Failure> {
        self.counts.malformed += 1;
        self.drain(0)?;
        // Before any line could be read, the contract of today is the one that answers.
        let at = self.latest.unwrap_or(Instant::default().after(Span::days(u32::MAX)));
        let response = Response::problem(problem, Route::Other, at, None);
        self.print(number, response)
    }

    /// Prints answers until at most `left` are awaited.
    fn drain(&mut self, left: usize) -> Result<(), Failure> {
        while self.awaited.len() > left {
            let Some(Awaited { number, label, told, onward }) = self.awaited.pop_front() else {
                break;
            };
            let mut answer: Option<Response> = None;
            for (environment, ticket) in told {
                let heard = ticket.wait().map_err(|error| error.to_string()).and_then(|heard| {
                    heard.ok_or_else(|| "not written: a line before it was not".to_owned())
                });
                let Heard { response, told, onward: call } = heard.map_err(|error| {
                    Failure::new(format!("{} line {number}: {}: {error}", self.source, self.store))
                })?;
                if let Some(events) = &mut self.events {
                    events.write(number, told)?;
                }
                self.house.learn_key(environment, &response.body);
                if let (Some(call), Some(onward)) = (call, &onward) {
                    self.pass_on(number, call, onward.clone())?;
                }
                let worse = answer.as_ref().is_none_or(|known| known.status < response.status);
                if worse {
                    answer = Some(response);
                }
            }
            let Some(response) = answer else { continue };
            if let Some(label) = &label {
                self.labels.bind(label, ids_of(&response));
            }
            self.count(&response);
            self.print(number, response)?;
        }
        Ok(())
    }

    /// Tells the live ledger what the sandbox has for it, unless this line told it before.
    fn pass_on(&mut self, number: u64, call: Call, origin: Origin) -> Result<(), Failure> {
        if number <= self.pass(Environment::Live).1 {
            return Ok(());
        }
        let desk = self.house.desk(Environment::Live);
        let turn = desk.turn.clone();
        let call = Call { origin, ..call };
        let told = desk
            .engine
            .decide(move |book| turn.take(book, |book| events::hear(book, &call, false)))
            .wait()?;
        let lost = || {
            let (source, store) = (&self.source, &self.store);
            Failure::new(format!("{source} line {number}: {store}: not written to the live ledger"))
        };
        let answer = told.ok_or_else(lost)?.response;
        match answer.body.get("outcome").and_then(Value::as_str) {
            Some("applied" | "known") => Ok(()),
            _ => {
                eprintln!(
                    "{} line {number}: the live ledger answered {}",
                    self.source, answer.body
                );
                Ok(())
            }
        }
    }

    fn count(&mut self, response: &Response) {
        match (response.status, response.body.get("outcome").and_then(Value::as_str)) {
            (200, Some("applied")) => self.counts.applied += 1,
            (200, Some("known")) => self.counts.known += 1,
            (200, Some("set_aside")) => self.counts.set_aside += 1,
            (200, _) => self.counts.answered += 1,
            _ => self.counts.refused += 1,
        }
    }

    fn print(&mut self, number: u64, mut response: Response) -> Result<(), Failure> {
        if let (true, Some(Value::String(detail))) =
            (response.status >= 400, response.body.get_mut("detail"))
        {
            *detail = format!("line {number}: {detail}");
        }
        let line = json!({ "line": number, "status": response.status, "body": response.body });
        writeln!(self.out, "{line}").map_err(Failure::unheard)?;
        if self.awaited.is_empty() {
            self.out.flush().map_err(Failure::unheard)?;
            if let Some(events) = &mut self.events {
                events.flush()?;
            }
        }
        Ok(())
    }

    fn summary(&self) -> Result<(), Failure> {
        let mut rows = Vec::new();
        let mut heads = Vec::new();
        for (environment, desk) in self.house.desks() {
            let told = desk.engine.decide(|book| (balances::rows(book), book.head())).wait()?;
            rows.extend(told.0.into_iter().map(|row| (environment, row)));
            heads.push((environment, told.1));
        }
        eprintln!("{}", balances::table(&rows));
        for (environment, head) in heads.iter().filter(|(_, head)| head.seq > 0) {
            eprintln!("{}: {} records, head {}", environment.name(), head.seq, head.link);
        }
        let c = &self.counts;
        eprintln!(
            "{} lines: {} answered, {} refused, {} malformed; facts: {} applied, {} known, {} set \
             aside; {} recorded before",
            c.lines, c.answered, c.refused, c.malformed, c.applied, c.known, c.set_aside, c.skipped
        );
        Ok(())
    }
}
