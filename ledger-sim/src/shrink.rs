//! A failure shrunk: the shortest list of lines found that still fails the same way.

use std::time::{Duration, Instant};

use ledger_core::id::Token;
use ledger_core::ledger::wallet::{PaymentRequest, Request as Asked};
use ledger_core::ledger::{Command, Fact, Judgement, Reported, Request, State, What};
use ledger_core::machine::cash_out::{Asked as By, Payee};
use ledger_core::terms::Review;
use ledger_core::time::Span;
use serde_json::Value;

use crate::failure::Failure;
use crate::feed::fed_run;
use crate::lines::{NoForm, Writer};
use crate::run::Run;
use crate::script::Script;
use crate::settings::Planted;
use crate::store::Store;
use crate::subject::{Subject, Wrong};

/// A short list of lines that fails as a whole run did.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// JSON lines, in the form that `run --strict` reads.
    pub lines: Vec<String>,
    /// How the list fails.
    pub what: String,
    /// How many commands the run had said.
    pub of: usize,
    /// How many lists were tried.
    pub tried: u64,
}

impl Shrunk {
    /// The lines as a file.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// Shrinks a failure for as long as `patience` lasts: lines are taken out while what is left fails
/// the same way, then what a line need not say. Where the lines do not fail as the run did, and fail
/// all the same, that failure is shrunk: ledger and oracle never differ over what both were told.
///
/// # Errors
///
/// Why no list of lines shows the failure: it takes a crash, a store, or a command that no line says.
pub fn shrink(failure: &Failure, patience: Duration) -> Result<Shrunk, String> {
    let until = Instant::now() + patience;
    let commands = said_again(failure)?;
    let of = commands.len();
    let (lines, left_out) = written(&commands);
    let (kind, planted) = (kind(&failure.what), failure.settings.planted);
    let mut search = Search { kind, planted, until, tried: 0 };
    let found = search.fails(&lines).or_else(|| search.fails_otherwise(&lines));
    let Some(mut found) = found else {
        let out: Vec<&str> = left_out.iter().map(|form| form.0).collect();
        let out = if out.is_empty() { "none".to_owned() } else { out.join(", ") };
        return Err(format!(
            "said as lines, one after the other and without a crash, nothing fails; \
             commands that no line says: {out}"
        ));
    };
    search.take_out(&mut found);
    search.say_less(&mut found);
    search.take_out(&mut found);
    let Found { lines, what } = found;
    Ok(Shrunk { lines, what, of, tried: search.tried })
}

/// What the run said until it failed.
fn said_again(failure: &Failure) -> Result<Vec<Command>, String> {
    let run = match &failure.fed {
        Some(bytes) => fed_run(bytes, failure.settings.planted),
        None => Run::remembering(failure.settings),
    };
    let mut run = run?;
    match run.through(&mut |_| ()) {
        Err(what) if kind(&what) == kind(&failure.what) => Ok(run.said()),
        Err(what) => Err(format!("in memory the run fails otherwise: {what}")),
        Ok(()) => Err("in memory the run does not fail: it takes the store".to_owned()),
    }
}

/// The commands as lines, and what had to be left out.
fn written(commands: &[Command]) -> (Vec<String>, Vec<NoForm>) {
    let mut writer = Writer::new();
    let mut left_out = Vec::new();
    // As it was said: what is derived of a ledger's name is that of the run's.
    let Ok(mut subject) = Subject::new(&Store::Memory) else { return Default::default() };
    for (number, command) in commands.iter().enumerate() {
        let state = &subject.ledger.state;
        let place = writer.write(command, state).or_else(|form| {
            let near = nearly(command, number, state);
            writer.write(&near, state).map_err(|_| form)
        });
        let Ok(execution) = subject.execute(command.clone()) else { break };
        if subject.append(subject.waiting()).is_err() {
            break;
        }
        match place {
            Ok(place) => writer.learn(place, &execution),
            Err(form) => {
                left_out.push(form);
                if execution.records.iter().any(|record| !record.cause.deadline) {
                    let filler = filler(command, number);
                    let _ = writer.write(&filler, &subject.ledger.state);
                }
            }
        }
    }
    left_out.sort_unstable();
    left_out.dedup();
    (writer.finish(), left_out)
}

/// A record in the place of one that no line brings, so that what comes after it has its number:
/// ids, and the decimals that tell deposits apart, follow from numbers.
fn filler(command: &Command, number: usize) -> Command {
    let judgement = Judgement { actor: Token([1; 16]), reason: Token([2; 16]), evidence: None };
    let fact = Fact::PayerReviewed { payer: Token([4; 16]), review: Review::Identified, judgement };
    let id = Some(format!("instead-of-{number}").into());
    Command { what: What::Fact(Reported { id, fact }), ..command.clone() }
}

/// The nearest to a command that a line may say: whether it fails the same way is tried, not argued.
fn nearly(command: &Command, number: usize, state: &State) -> Command {
    let mut near = command.clone();
    if let What::Request(_, Request::Wallet(asked)) = &mut near.what
        && let Asked::Payment(request) = asked
    {
        to_a_key(request);
    }
    if let What::Fact(told) = &mut near.what {
        told.id.get_or_insert_with(|| format!("unnamed-{number}").into());
        if let Fact::PolicyAdopted(policy) = &mut told.fact {
            // On the wire the wallet is told by a fact of its own.
            policy.wallet.clone_from(&state.policy.wallet);
            policy.rate_age = policy.rate_age.or(state.policy.rate_age);
            policy.precaution = policy.precaution.or(state.policy.precaution);
            let interval = state.policy.commission_interval;
            policy.commission_interval = policy.commission_interval.or(interval);
            // A watch is told in days.
            let days = policy.shortfall_watch.whole_hours().div_ceil(24);
            policy.shortfall_watch = Span::days(u32::try_from(days).unwrap_or(1));
        }
    }
    near
}

/// The same to the key alone: no line says a code, nor whose a key is.
fn to_a_key(request: &mut PaymentRequest) {
    let (Some(net), Some(key)) = (request.net, request.payee.pix_key) else { return };
    if let By::Code(_) = request.asked {
        (request.asked, request.quote) = (By::Net(net), None);
    }
    request.payee = Payee { tax_number: None, counted_as: key, ..request.payee };
}

/// A list that fails, down to the line it fails at.
struct Found {
    lines: Vec<String>,
    what: Wrong,
}

struct Search {
    kind: String,
    planted: Option<Planted>,
    until: Instant,
    tried: u64,
}

impl Search {
    /// The list without what it does not reach and what cannot be read, if it fails the same way.
    fn fails(&mut self, lines: &[String]) -> Option<Found> {
        self.played(lines).filter(|found| kind(&found.what) == self.kind)
    }

    /// The same, if it fails in any way, which is the one that is looked for from now on.
    fn fails_otherwise(&mut self, lines: &[String]) -> Option<Found> {
        let found = self.played(lines)?;
        self.kind = kind(&found.what);
        Some(found)
    }

    fn played(&mut self, lines: &[String]) -> Option<Found> {
        self.tried += 1;
        let mut script = Script::new(self.planted).ok()?;
        let mut read = Vec::with_capacity(lines.len());
        let mut wrong = None;
        for line in lines {
            match script.say(line) {
                Ok(Ok(())) => read.push(line.clone()),
                Ok(Err(_)) => {}
                Err(what) => {
                    read.push(line.clone());
                    wrong = Some(what);
                    break;
                }
            }
        }
        let what = wrong.or_else(|| script.end().err())?;
        Some(Found { lines: read, what })
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.until
    }

    /// Takes out stretches of lines, halves first and single lines at last, from the end on.
    fn take_out(&mut self, found: &mut Found) {
        let mut length = found.lines.len().div_ceil(2);
        loop {
            let mut end = found.lines.len();
            let before = end;
            while end > 0 && self.has_time() {
                let start = end.saturating_sub(length);
                let mut lines = found.lines.clone();
                lines.drain(start..end);
                if let Some(less) = self.fails(&lines) {
                    *found = less;
                }
                end = start.min(found.lines.len());
            }
            if !self.has_time() || length == 1 && found.lines.len() == before {
                return;
            }
            length = length.div_ceil(2);
        }
    }

    /// Leaves out of each line's body what need not be said.
    fn say_less(&mut self, found: &mut Found) {
        let mut place = 0;
        while place < found.lines.len() && self.has_time() {
            if !self.shorten(found, place) {
                place += 1;
            }
        }
    }

    /// Whether one field of the line at `place` could be left out.
    fn shorten(&mut self, found: &mut Found, place: usize) -> bool {
        for shorter in shorter(&found.lines[place]) {
            let mut lines = found.lines.clone();
            lines[place] = shorter;
            let as_long = |less: &Found| less.lines.len() == found.lines.len();
            if let Some(less) = self.fails(&lines).filter(as_long) {
                *found = less;
                return true;
            }
        }
        false
    }
}

/// The line without one field of its body, for each of them.
fn shorter(line: &str) -> Vec<String> {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let names = line["body"].as_object().into_iter().flat_map(|body| body.keys().cloned());
    let without = |name: String| {
        let mut line = line.clone();
        line["body"].as_object_mut()?.shift_remove(&name);
        Some(line.to_string())
    };
    names.collect::<Vec<_>>().into_iter().filter_map(without).collect()
}

/// What kind of failure it is: the law, or what is compared, without numbers and names.
fn kind(what: &str) -> String {
    let head = what.split(": the oracle has").next().unwrap_or(what);
    let law = head.strip_prefix("law ").and_then(|rest| rest.split(':').next());
    if let Some(law) = law {
        return format!("law {law}");
    }
    let mut kind = String::new();
    let mut quoted = false;
    for letter in head.chars() {
        quoted ^= letter == '"';
        if !quoted && !letter.is_ascii_digit() {
            kind.push(letter);
        }
    }
    kind
}
