//! What an audit shows (spec: PIX facts, "What an audit report shows").

mod text;
mod waiting;

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::coin::Scale;
use ledger_core::id::LedgerName;
use ledger_core::ledger::invariants::Violation;
use ledger_core::ledger::{Archive, Event, Machine, Record, State};
use ledger_core::machine::hold;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

pub use self::waiting::waits;
use crate::chain::Link;
use crate::heads::Proved;
use crate::journal::Head;
use crate::movements::Movements;
use crate::sequencer::Sequencer;

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
    closing: Option<Closing>,
}

#[derive(Clone, Debug)]
struct Closing {
    head: Head,
    state: Link,
    trial: Vec<(Control, i128)>,
    subaccounts: Vec<Line>,
    holds: Vec<String>,
    waiting: Vec<String>,
    negative: i128,
    coins: Vec<Coins>,
    commissions: Vec<(String, i64)>,
    kept: Proved,
}

/// One account of one asset.
#[derive(Clone, Debug)]
struct Coins {
    asset: String,
    account: String,
    net: i128,
    scale: Scale,
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

    /// Counts a record, just applied to `state`.
    ///
    /// # Errors
    ///
    /// When what entries add up to is not what the books hold.
    pub(crate) fn count(&mut self, record: &Record, state: &State) -> Result<(), Violation> {
        self.records += 1;
        self.events += record.events.len() as u64;
        self.deadlines += u64::from(record.cause.deadline);
        let judged = |event: &&Event| matches!(event, Event::Judged(_));
        self.judged += record.events.iter().filter(judged).count() as u64;
        let first = self.span.map_or(record.at, |(first, _)| first);
        self.span = Some((first, record.at));
        self.movements.count(record, state)
    }

    pub(crate) fn close(&mut self, sequencer: &Sequencer, state: Link, kept: &[Head]) {
        let ledger = sequencer.ledger();
        let books = &ledger.state.books;
        let now = ledger.state.now;
        let trial = Control::ALL.map(|control| (control, books.net_credit(control)));
        let subaccounts = subaccounts(sequencer, &self.movements);
        let negative =
            books.subaccounts().map(|(_, b)| i128::from(b.available.cents().min(0))).sum();
        let mut holds: Vec<String> = Vec::new();
        let mut waiting: Vec<String> = Vec::new();
        for (op, operation) in ledger.state.open_operations() {
            let age = now.since(operation.created_at).whole_hours();
            let id = op.text(&ledger.state.name);
            match &operation.machine {
                Machine::Hold(hold::State::Open(open)) => holds.push(format!(
                    "{:?} {id}: {} blocked of {}, short {}, {age} h old",
                    open.order.kind,
                    reais(open.blocked().cents().into()),
                    reais(open.order.requested.cents().into()),
                    reais(open.shortfall().cents().into()),
                )),
                machine => waiting.extend(waits(machine, &id, age, now)),
            }
        }
        self.closing = Some(Closing {
            head: sequencer.head(),
            state,
            trial: trial.into(),
            subaccounts,
            holds,
            waiting,
            negative,
            coins: coins(sequencer),
            commissions: commissions(sequencer),
            kept: Proved::by(kept),
        });
    }
}

/// Every subaccount's opening (nothing), movements and closing.
fn subaccounts(sequencer: &Sequencer, movements: &Movements) -> Vec<Line> {
    let ledger = sequencer.ledger();
    let mut lines = Vec::new();
    for (account, known) in ledger.state.accounts() {
        for (subaccount, buckets) in ledger.state.subaccounts_of(account, None) {
            let moved = movements.of(subaccount);
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

/// What is owed to partners, by account.
fn commissions(sequencer: &Sequencer) -> Vec<(String, i64)> {
    let state = &sequencer.ledger().state;
    let name = |account| state.account(account).map_or("", |known| &*known.name).to_owned();
    let owed = state.books.commissions();
    owed.map(|(account, known)| (name(account), known.balance.cents())).collect()
}

/// Every account of crypto that is not empty; deliveries under way as one.
fn coins(sequencer: &Sequencer) -> Vec<Coins> {
    let state = &sequencer.ledger().state;
    let mut lines: Vec<Coins> = Vec::new();
    for (asset, account, net) in state.books.coins() {
        let (name, scale) = state.catalogue.asset_of(asset).unwrap_or(("?", Scale::SIX));
        let account = match account {
            CoinAccount::Treasury(chain) | CoinAccount::Transit(chain) => {
                let chain = state.catalogue.chain_of(chain).unwrap_or("?");
                format!("{} {chain}", account.name())
            }
            other => other.name().to_owned(),
        };
        match lines.iter_mut().find(|known| known.asset == name && known.account == account) {
            Some(known) => known.net += net,
            None => lines.push(Coins { asset: name.to_owned(), account, net, scale }),
        }
    }
    lines
}

fn reais(cents: i128) -> String {
    match i64::try_from(cents) {
        Ok(cents) => Balance::new(cents).to_string(),
        Err(_) => format!("{cents} centavos"),
    }
}
