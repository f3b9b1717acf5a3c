//! One command put to ledger and oracle, and all that it touched compared.

use std::borrow::Cow;

use ledger_core::ledger::wallet::{Fact as WalletFact, Step};
use ledger_core::ledger::{Command, Execution, Fact, FactKind, Intent, Reported};

use crate::checker;
use crate::failure::wrong::Mismatch;
use crate::failure::wrong::caught;
use crate::oracle::Oracle;
use crate::settings::{Judges, Planted};
use crate::system_under_test::SystemUnderTest;
use crate::system_under_test::store::Store;
use crate::world::nothing_but_time;

/// Ledger and oracle side by side, each command judged and durable before the next.
pub(crate) struct Pair {
    pub(crate) oracle: Oracle,
    pub(crate) subject: SystemUnderTest,
    planted: Option<Planted>,
}

impl Pair {
    /// Both empty, in memory, of a ledger of this name.
    pub(crate) fn new(name: &'static str, planted: Option<Planted>) -> Result<Self, Mismatch> {
        let mut oracle = Oracle::new(planted);
        oracle.ledger = name;
        Ok(Self { oracle, subject: SystemUnderTest::with_name(&Store::Memory, name)?, planted })
    }

    /// Returns what the ledger made of `command`, which the oracle foresaw.
    pub(crate) fn say(&mut self, command: &Command) -> Result<Execution, Mismatch> {
        caught(|| {
            let mut execution = Execution::quiet();
            judge(&mut self.oracle, &mut self.subject, command, self.planted, &mut execution)?;
            self.subject.append(self.subject.waiting())?;
            Ok(execution)
        })
    }

    /// Compares everything, and checks every invariant over everything.
    pub(crate) fn end(&self) -> Result<(), Mismatch> {
        caught(|| {
            checker::compare_all(&self.oracle, &self.subject)?;
            self.subject.check_all()
        })
    }
}

/// Puts `command` to both and writes what the ledger made of it over `execution`; the oracle
/// foresaw it, where it is one of the judges. Says how many deadlines it brought due.
pub(crate) fn judge(
    oracle: &mut Oracle,
    subject: &mut SystemUnderTest,
    command: &Command,
    planted: Option<Planted>,
    execution: &mut Execution,
) -> Result<u64, Mismatch> {
    let predicted = oracle.execute(&with_planted(command, planted));
    subject.execute_into(command.clone(), execution)?;
    if subject.judges == Judges::OutcomeAlone {
        return Ok(predicted.deadlines);
    }
    if predicted.answer != execution.answer {
        let (expected, found) = (predicted.answer, &execution.answer);
        return Err(format!("the oracle answers {expected:?}, the ledger {found:?}"));
    }
    checker::recoveries::compare_reason(oracle, execution)?;
    checker::compare_notices(oracle, execution)?;
    checker::compare_dates(oracle, command, &execution.records)?;
    checker::compare_touched(oracle, subject, execution.records.is_empty())?;
    Ok(predicted.deadlines)
}

/// Returns what the oracle hears: what was said, unless a mistake is planted in its ears.
fn with_planted(command: &Command, planted: Option<Planted>) -> Cow<'_, Command> {
    let unheard = |reported: &Reported| match planted {
        Some(Planted::ReturnUnheard) => reported.fact.kind() == FactKind::PixReturned,
        Some(Planted::PaymentUnheard) => match &reported.fact {
            Fact::Wallet(reported) => {
                matches!(**reported, WalletFact::Payment { step: Step::Send(..), .. })
            }
            _ => false,
        },
        Some(Planted::OraclePanics) => {
            assert!(
                reported.fact.kind() != FactKind::PixReturned,
                "planted: the oracle heard of a return"
            );
            false
        }
        Some(Planted::DepositFee | Planted::WorldPanics(_)) | None => false,
    };
    match &command.what {
        Intent::Fact(reported) if unheard(reported) => {
            Cow::Owned(Command { what: nothing_but_time(), ..command.clone() })
        }
        _ => Cow::Borrowed(command),
    }
}
