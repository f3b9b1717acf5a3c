//! What an audit shows (spec: PIX facts, "What an audit report shows"), as text.

use std::fmt;

use ledger_core::accounting::{Class, CoinAccount, Control};
use ledger_core::coin::{Scale, units_text};
use ledger_core::ledger::invariants::{self, Violation};
use ledger_core::ledger::{Archive, Event, Machine, Record, State};
use ledger_core::machine::cash_out::{Stage, Waits};
use ledger_core::machine::suspense::Direction;
use ledger_core::machine::wallet::{deposit, payment, withdrawal};
use ledger_core::machine::{
    charge, conversion, delivery, erroneous_delivery, hold, payout, suspense,
};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use crate::chain::Link;
use crate::heads::Proved;
use crate::journal::Head;
use crate::movements::Movements;
use crate::sequencer::Sequencer;

/// The report of one ledger.
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
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
    /// A report that has seen nothing.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
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
                Machine::Suspense(suspense::State::Waiting(order)) => {
                    let what = match order.direction {
                        Direction::In => "suspense",
                        Direction::Out => "claim on the provider",
                    };
                    let sum = reais(order.amount.cents().into());
                    waiting.push(format!("{what} {id}: {sum}, {age} h old"));
                }
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

/// What an operation waits for, if a person should know.
fn waits(machine: &Machine, id: &str, age: u64, now: Instant) -> Option<String> {
    match machine {
        Machine::Charge(charge::State::Delayed(arrived)) => {
            let until = arrived.until.filter(|until| *until < now)?;
            let sum = reais(arrived.left().cents().into());
            let late = now.since(until).whole_hours();
            Some(format!("provider hold {id}: {sum}, {late} h overdue"))
        }
        Machine::Charge(charge::State::UnderReview(arrived)) => {
            let sum = reais(arrived.left().cents().into());
            Some(format!("PIX under review {id}: {sum}, {age} h old"))
        }
        Machine::Charge(charge::State::Bought(bought)) => {
            let sum = reais(bought.left().cents().into());
            match (bought.end, &bought.delivery) {
                (Some(_), _) => Some(format!("halted purchase {id}: {sum}, {age} h old")),
                (None, delivery::State::Unknown(_)) => {
                    Some(format!("unknown delivery {id}: {sum}, {age} h old"))
                }
                (None, _) => None,
            }
        }
        Machine::Conversion(conversion::State::Paid(progress)) => match progress.delivery {
            delivery::State::Unknown(_) => {
                let sum = reais(progress.order.amount.cents().into());
                Some(format!("unknown delivery {id}: {sum}, {age} h old"))
            }
            _ => None,
        },
        Machine::Payout(payout::State::Uncertain(order)) => {
            let sum = reais(order.amount.cents().into());
            Some(format!("unknown payout {id}: {sum}, {age} h old"))
        }
        Machine::Payout(payout::State::UnderReview(order)) => {
            let sum = reais(order.amount.cents().into());
            Some(format!("stopped payout {id}: {sum}, {age} h old"))
        }
        Machine::ErroneousDelivery(erroneous_delivery::State::Waiting(order)) => {
            Some(format!("claim on crypto {id}: {} units, {age} h old", order.units))
        }
        Machine::CashOut(state) => {
            let progress = state.progress()?;
            let sum = progress.order.coins.units.text(progress.order.scale);
            let asset = &progress.order.asset_name;
            let what = match (progress.stage, progress.refund_waits_for()) {
                (Stage::Review(reason), _) => format!("sale under review ({reason:?})"),
                (Stage::Refunding, Some(Waits::Address)) => "refund without a wallet".to_owned(),
                (Stage::Refunding, Some(Waits::Operator)) => "refund for an operator".to_owned(),
                (Stage::Refunding, Some(Waits::Evidence)) => "unknown refund".to_owned(),
                (Stage::Paying, _) if progress.attempts.lost.is_on() => "unknown sale".to_owned(),
                _ => return None,
            };
            Some(format!("{what} {id}: {sum} {asset}, {age} h old"))
        }
        Machine::UnmatchedDeposit(state) => {
            let order = state.order()?;
            let waits = state.refund().is_none_or(|refund| !refund.is_under_way());
            let units = order.deposit.coins.units;
            waits.then(|| format!("crypto nobody takes {id}: {units} units, {age} h old"))
        }
        Machine::WalletDeposit(deposit::State::UnderReview(progress)) => {
            let units = progress.transfer.units;
            Some(format!("wallet deposit under review {id}: {units} units, {age} h old"))
        }
        Machine::WalletPayment(payment::State::Known(progress)) => {
            let what = match progress.stage {
                payment::Stage::UnderReview => "wallet payment under review",
                payment::Stage::FailedAfterSend if progress.is_reserved() => "reserve to decide on",
                _ => return None,
            };
            let units = progress.order.reserved;
            Some(format!("{what} {id}: {units} units, {age} h old"))
        }
        Machine::CryptoWithdrawal(withdrawal::State::UnderReview(progress)) => {
            let units = progress.order.terms.amount;
            Some(format!("wallet withdrawal under review {id}: {units} units, {age} h old"))
        }
        _ => None,
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Ledger {}: verified", self.name)?;
        let Some(closing) = &self.closing else { return Ok(()) };
        writeln!(f, "  head           record {} link {}", closing.head.seq, closing.head.link)?;
        writeln!(f, "  kept heads     {}", closing.kept)?;
        writeln!(f, "  state          {} (two replays agree)", closing.state)?;
        writeln!(
            f,
            "  read           {} records ({} of them deadlines), {} events, {} decided by a person",
            self.records, self.deadlines, self.events, self.judged
        )?;
        if let Some((first, last)) = self.span {
            writeln!(f, "  from           {first}  (Brasília {})", first.in_brasilia())?;
            writeln!(f, "  to             {last}  (Brasília {})", last.in_brasilia())?;
        }
        writeln!(f, "  trial balance  BRL, in reais")?;
        let (mut debits, mut credits) = (0_i128, 0_i128);
        for (control, net) in closing.trial.iter().filter(|(_, net)| *net != 0) {
            let (debit, credit) = if *net < 0 { (-net, 0) } else { (0, *net) };
            debits += debit;
            credits += credit;
            let side = |sum: i128| if sum == 0 { String::new() } else { reais(sum) };
            let name = control.name();
            writeln!(f, "    {name:<16}{:>18}{:>18}", side(debit), side(credit))?;
        }
        let equal = if debits == credits { "equal" } else { "NOT EQUAL" };
        writeln!(f, "    {:<16}{:>18}{:>18}  {equal}", "", reais(debits), reais(credits))?;
        crypto(f, closing)?;
        coverage(f, closing)?;
        writeln!(
            f,
            "  roll-forward   {:<28}{:>6}{:>16}{:>16}{:>16}",
            "subaccount", "rows", "in", "out", "closing"
        )?;
        for line in &closing.subaccounts {
            let Line { name, rows, credited, debited, closing } = line;
            let agreed = credited + debited == i128::from(*closing);
            writeln!(
                f,
                "                 {name:<28}{rows:>6}{:>16}{:>16}{:>16}{}",
                reais(*credited),
                reais(*debited),
                reais((*closing).into()),
                if agreed { "" } else { "  ROWS DISAGREE" }
            )?;
        }
        list(f, "holds", &closing.holds)?;
        list(f, "waiting", &closing.waiting)?;
        let mut invariants: Vec<&str> = invariants::of_the_state().map(|it| it.id).collect();
        invariants.sort_unstable();
        writeln!(f, "  invariants           {} hold: {}", invariants.len(), invariants.join(", "))
    }
}

/// The trial balance of every asset, and what partners are owed.
fn crypto(f: &mut fmt::Formatter<'_>, closing: &Closing) -> fmt::Result {
    let mut asset = "";
    for line in &closing.coins {
        if line.asset != asset {
            asset = &line.asset;
            let sum: i128 = closing.coins.iter().filter(|l| l.asset == *asset).map(|l| l.net).sum();
            let verdict = if sum == 0 { "sums to zero" } else { "DOES NOT SUM TO ZERO" };
            writeln!(f, "  trial balance  {asset}, {verdict}")?;
        }
        let text = units_text(line.net.unsigned_abs(), line.scale);
        let (debit, credit) =
            if line.net < 0 { (text, String::new()) } else { (String::new(), text) };
        writeln!(f, "    {:<16}{debit:>26}{credit:>26}", line.account)?;
    }
    for (index, (name, cents)) in closing.commissions.iter().enumerate() {
        let head = if index == 0 { "commission" } else { "" };
        writeln!(f, "  {head:<14} {name}: {} owed", reais((*cents).into()))?;
    }
    Ok(())
}

/// What customers are owed against what is held, negatives gross (rulings 24).
fn coverage(f: &mut fmt::Formatter<'_>, closing: &Closing) -> fmt::Result {
    let sum = |wanted: &[Control]| -> i128 {
        closing.trial.iter().filter(|(c, _)| wanted.contains(c)).map(|(_, net)| *net).sum()
    };
    let owed = sum(&[Control::Available, Control::Held, Control::Frozen]) - closing.negative;
    let flight = sum(&[
        Control::PixInFlight,
        Control::PayoutInFlight,
        Control::ConversionInFlight,
        Control::SaleInFlight,
    ]);
    let suspense = sum(&[Control::SuspensePix]);
    let held: i128 = closing
        .trial
        .iter()
        .filter(|(control, _)| control.class() == Class::Asset)
        .map(|(_, net)| -net)
        .sum();
    writeln!(
        f,
        "  coverage       owed to customers {}, in flight {}, in suspense {}; assets {}; receivable \
         from negative balances {}",
        reais(owed),
        reais(flight),
        reais(suspense),
        reais(held),
        reais(-closing.negative)
    )
}

fn list(f: &mut fmt::Formatter<'_>, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return writeln!(f, "  {title:<14} none");
    }
    for (index, line) in lines.iter().enumerate() {
        let head = if index == 0 { title } else { "" };
        writeln!(f, "  {head:<14} {line}")?;
    }
    Ok(())
}
