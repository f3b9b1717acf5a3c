//! What an audit shows (spec: PIX facts, "What an audit report shows").

mod flows;
mod samples;
mod saved;
mod sections;
mod sheet;
mod text;
mod trial_balance;

use ledger_core::accounting::Control;
use ledger_core::id::LedgerName;
use ledger_core::ledger::invariants::Violation;
use ledger_core::ledger::{Archive, Event, Ledger, Record, State};
use ledger_core::machine::hold;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

pub use self::sheet::{Amount, Holds, Section, Sheet, Value};
pub use self::trial_balance::{TrialAccount, TrialBalance};
use crate::audits::heads::Proved;
use crate::audits::movements::Movements;
use crate::bytes::chain::Link;
use crate::engines::sequencer::Sequencer;
use crate::journal::Head;
use crate::state::archive::JournalArchive;

/// The report of one ledger.
#[derive(Clone, Debug)]
pub struct Report {
    name: LedgerName,
    records: u64,
    events: u64,
    deadlines: u64,
    judged: u64,
    span: Option<(Instant, Instant)>,
    movements: Movements,
    flows: flows::Flows,
    samples: samples::Samples,
    closing: Option<Closing>,
}

/// With what an audit began, for its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The last record that was not read.
    pub(crate) record: u64,
    /// Who signed the state.
    pub(crate) signed_by: String,
}

#[derive(Clone, Debug)]
struct Closing {
    head: Head,
    state: Link,
    trial: Vec<TrialBalance>,
    subaccounts: Vec<Line>,
    holds: Vec<String>,
    waiting: Vec<String>,
    coverage: Coverage,
    commissions: Vec<(String, i64)>,
    kept: Proved,
    /// With what the audit began, where that is not the first record.
    begun: Option<Begun>,
    sheet: Sheet,
}

/// What customers are owed in reais against what is held, in centavos.
#[derive(Clone, Debug)]
struct Coverage {
    owed: i128,
    flight: i128,
    suspense: i128,
    held: i128,
    /// What customers owe whose balance is below zero.
    receivable: i128,
}

#[derive(Clone, Debug)]
struct Line {
    name: String,
    rows: u32,
    credited: i128,
    debited: i128,
    closing: i64,
}

impl Report {
    /// A report of the ledger of this name that has seen nothing.
    #[must_use]
    pub fn new(name: LedgerName) -> Self {
        Self {
            name,
            records: 0,
            events: 0,
            deadlines: 0,
            judged: 0,
            span: None,
            movements: Movements::default(),
            flows: flows::Flows::default(),
            samples: samples::Samples::new(),
            closing: None,
        }
    }

    /// The head the chain came to; none before the report was closed.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        self.closing.as_ref().map(|closing| closing.head)
    }

    /// The state hash both replays came to; none before the report was closed.
    #[must_use]
    pub fn state(&self) -> Option<Link> {
        self.closing.as_ref().map(|closing| closing.state)
    }

    /// All its figures as data; none before the report was closed.
    #[must_use]
    pub fn sheet(&self) -> Option<&Sheet> {
        self.closing.as_ref().map(|closing| &closing.sheet)
    }

    /// Counts a record, just applied to `ledger`.
    ///
    /// # Errors
    ///
    /// When what entries add up to is not what the books hold.
    pub(crate) fn count(
        &mut self,
        record: &Record,
        ledger: &Ledger<JournalArchive>,
    ) -> Result<(), Violation> {
        let state = &ledger.state;
        self.records += 1;
        self.events += record.events.len() as u64;
        self.deadlines += u64::from(record.cause.deadline);
        let judged = |event: &&Event| matches!(event, Event::Judged(_));
        self.judged += record.events.iter().filter(judged).count() as u64;
        let first = self.span.map_or(record.at, |(first, _)| first);
        self.span = Some((first, record.at));
        self.flows.count(record, ledger);
        self.samples.pass(state);
        self.movements.count(record, state)
    }

    /// Closes the report of a ledger of this state hash, that was audited from there on.
    pub(crate) fn close(
        &mut self,
        sequencer: &Sequencer,
        (state, begun): (Link, Option<Begun>),
        kept: &[Head],
    ) {
        let ledger = sequencer.ledger();
        let now = ledger.state.now;
        let mut holds: Vec<String> = Vec::new();
        let mut waiting: Vec<String> = Vec::new();
        for (op, operation) in ledger.state.open_operations() {
            let age = now.since(operation.created_at).whole_hours();
            let id = || op.text(&ledger.state.name);
            if let Some(hold::State::Open(open)) = operation.hold() {
                holds.push(format!(
                    "{:?} {}: {} blocked of {}, short {}, {age} h old",
                    open.order.kind,
                    id(),
                    reais(open.blocked_cents().cents().into()),
                    reais(open.order.requested.cents().into()),
                    reais(open.shortfall().cents().into()),
                ));
            }
            if let Some(known) = operation.machine.waits(now) {
                let (age, overdue) = known.overdue().map_or((age, "old"), |late| (late, "overdue"));
                let (why, sum) = (known.why(), known.sum().text());
                waiting.push(format!("{why} {}: {sum}, {age} h {overdue}", id()));
            }
        }
        let trial = TrialBalance::all(sequencer);
        let begun_with = begun.as_ref();
        let closing = sections::Closing {
            report: self,
            sequencer,
            trial: &trial,
            state,
            begun: begun_with,
            kept,
        };
        let sheet = closing.sheet();
        self.closing = Some(Closing {
            head: sequencer.head(),
            state,
            subaccounts: subaccounts(sequencer, &self.movements),
            holds,
            waiting,
            coverage: Coverage::from_state(&ledger.state),
            commissions: commissions(sequencer),
            trial,
            kept: Proved::by(kept),
            begun,
            sheet,
        });
    }
}

impl Coverage {
    fn from_state(state: &State) -> Self {
        use ledger_core::accounting::Class;
        let books = &state.books;
        let sum = |wanted: &[Control]| -> i128 {
            wanted.iter().map(|control| books.net_credit(*control)).sum()
        };
        let negative: i128 =
            books.subaccounts().map(|(_, b)| i128::from(b.available.cents().min(0))).sum();
        let assets = Control::ALL.into_iter().filter(|control| control.class() == Class::Asset);
        Self {
            owed: sum(&[Control::Available, Control::Held, Control::Frozen]) - negative,
            flight: sum(&[
                Control::PixInFlight,
                Control::PayoutInFlight,
                Control::ConversionInFlight,
                Control::SaleInFlight,
            ]),
            suspense: sum(&[Control::SuspensePix]),
            held: -assets.map(|control| books.net_credit(control)).sum::<i128>(),
            receivable: -negative,
        }
    }
}

/// Every subaccount's opening (nothing), movements and closing.
fn subaccounts(sequencer: &Sequencer, movements: &Movements) -> Vec<Line> {
    let ledger = sequencer.ledger();
    let mut lines = Vec::new();
    for (account, known) in ledger.state.accounts() {
        for (subaccount, buckets) in ledger.state.subaccounts_of(account, None) {
            let moved = movements.of_subaccount(subaccount);
            let name = ledger.archive.customer(subaccount).unwrap_or("casa");
            lines.push(Line {
                name: format!("{} / {name}", known.name),
                rows: buckets.rows,
                credited: moved.credited,
                debited: moved.debited,
                closing: buckets.total().cents(),
            });
        }
    }
    lines
}

/// Returns what is owed to partners, by account.
fn commissions(sequencer: &Sequencer) -> Vec<(String, i64)> {
    let state = &sequencer.ledger().state;
    let name = |account| state.account(account).map_or("", |known| &*known.name).to_owned();
    let owed = state.books.commissions();
    owed.map(|(account, known)| (name(account), known.balance.cents())).collect()
}

fn reais(cents: i128) -> String {
    match i64::try_from(cents) {
        Ok(cents) => Balance::new(cents).to_string(),
        Err(_) => format!("{cents} centavos"),
    }
}
