//! The report of an audit as text, for people.

use std::fmt;

use ledger_core::coin::units_text;
use ledger_core::ledger::invariants;

use super::flows::Remark;
use super::{Begun, Closing, Coverage, Line, Report, TrialAccount, TrialBalance, reais};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ledger {}", self.name)?;
        let environment = self.name.environment();
        if *self.name != *environment.name() {
            write!(f, " ({environment})")?;
        }
        let Some(closing) = &self.closing else { return writeln!(f, ": verified") };
        write_starting_point(f, closing.begun.as_ref())?;
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
        let (reais_of, assets) = closing.trial.split_first().expect("reais are always there");
        for TrialAccount { name, net_credit, .. } in &reais_of.accounts {
            let side = |sum: i128| if sum == 0 { String::new() } else { reais(sum) };
            let (debit, credit) = (side(-net_credit.min(&0)), side(*net_credit.max(&0)));
            writeln!(f, "    {name:<16}{debit:>18}{credit:>18}")?;
        }
        let equal = if reais_of.is_even() { "equal" } else { "NOT EQUAL" };
        let (debits, credits) = (reais(reais_of.debits()), reais(reais_of.credits()));
        writeln!(f, "    {:<16}{debits:>18}{credits:>18}  {equal}", "")?;
        crypto(f, assets)?;
        commissions(f, closing)?;
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
        let remarks = self.flows.remarks.iter().map(|remark| {
            let Remark { record, what, of, id } = remark;
            format!("record {record}: {}, record {of}: {id}", what.word())
        });
        let remarks: Vec<String> = remarks.collect();
        if !remarks.is_empty() {
            list(f, "remarks", &remarks)?;
        }
        let mut invariants: Vec<&str> = invariants::of_the_state().map(|it| it.id).collect();
        invariants.sort_unstable();
        writeln!(f, "  invariants           {} hold: {}", invariants.len(), invariants.join(", "))
    }
}

/// From which record on it is verified, and on whose word what came before stands.
fn write_starting_point(f: &mut fmt::Formatter<'_>, begun: Option<&Begun>) -> fmt::Result {
    let Some(Begun { record, signed_by }) = begun else { return writeln!(f, ": verified") };
    writeln!(f, ": verified from record {} on", record + 1)?;
    writeln!(f, "  begun with     the state at record {record} that {signed_by} signed")?;
    writeln!(
        f,
        "  not proved     records 1 to {record}: they were not read, and all that is said of them \
         and counted in them is that state's"
    )
}

/// The trial balance of every asset.
fn crypto(f: &mut fmt::Formatter<'_>, assets: &[TrialBalance]) -> fmt::Result {
    for balance in assets {
        let verdict = if balance.is_even() { "sums to zero" } else { "DOES NOT SUM TO ZERO" };
        writeln!(f, "  trial balance  {}, {verdict}", balance.commodity)?;
        for TrialAccount { name, net_credit, .. } in &balance.accounts {
            let text = units_text(net_credit.unsigned_abs(), balance.scale);
            let (debit, credit) =
                if *net_credit < 0 { (text, String::new()) } else { (String::new(), text) };
            writeln!(f, "    {name:<16}{debit:>26}{credit:>26}")?;
        }
    }
    Ok(())
}

/// Returns what partners are owed.
fn commissions(f: &mut fmt::Formatter<'_>, closing: &Closing) -> fmt::Result {
    for (index, (name, cents)) in closing.commissions.iter().enumerate() {
        let head = if index == 0 { "commission" } else { "" };
        writeln!(f, "  {head:<14} {name}: {} owed", reais((*cents).into()))?;
    }
    Ok(())
}

/// Returns what customers are owed against what is held, negatives gross (rulings 24).
fn coverage(f: &mut fmt::Formatter<'_>, closing: &Closing) -> fmt::Result {
    let Coverage { owed, flight, suspense, held, receivable } = closing.coverage;
    writeln!(
        f,
        "  coverage       owed to customers {}, in flight {}, in suspense {}; assets {}; receivable \
         from negative balances {}",
        reais(owed),
        reais(flight),
        reais(suspense),
        reais(held),
        reais(receivable)
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
