//! The report of an audit as text, for people.

use std::fmt;

use ledger_core::accounting::{Class, Control};
use ledger_core::coin::units_text;
use ledger_core::ledger::invariants;

use super::{Closing, Line, Report, reais};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ledger {}", self.name)?;
        let environment = self.name.environment();
        if *self.name != *environment.name() {
            write!(f, " ({environment})")?;
        }
        writeln!(f, ": verified")?;
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
