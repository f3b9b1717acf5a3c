//! Facts that operators report of statements and of the close of days.

use crate::accounting::{DayAccount, DayClose, OpenCount, ReceivedStatement};
use crate::id::{EvidenceHash, Seq};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::time::Instant;

facts! {
    /// The facts of statements and of the close of days.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// A statement of accounts outside was received.
        StatementReceived { statement: Box<ReceivedStatement>, decided_by: OperatorDecision }
            is FactKind::StatementReceived;
        /// A day is closed.
        DayClosed { day: Box<DayReport>, decided_by: OperatorDecision } is FactKind::DayClosed;
        /// The last day that was closed is opened again.
        DayReopened { day: Instant, decided_by: OperatorDecision } is FactKind::DayReopened;
    }
}

/// A day as it is reported to be closed: any instant of it in Brasília, its accounts and evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayReport {
    /// An instant of the day.
    pub day: Instant,
    /// Every account that had something or was booked on, each once.
    pub accounts: Vec<DayAccount>,
    /// The statements that it was held against.
    pub statements: Vec<EvidenceHash>,
    /// The result of the matching.
    pub matching: Option<EvidenceHash>,
    /// The items that are open, by reason.
    pub open: Vec<OpenCount>,
}

impl FactContext<'_> {
    /// A fact about statements or the close of days.
    pub(in crate::ledger) fn decide_closing(&self, fact: Fact) -> Decision {
        match fact {
            Fact::StatementReceived { statement, decided_by } => {
                attribute(self.statement_received(statement), decided_by)
            }
            Fact::DayClosed { day, decided_by } => {
                self.attributed_or_aside(self.day_closed(*day), decided_by)
            }
            Fact::DayReopened { day, decided_by } => {
                self.attributed_or_aside(self.day_reopened(day), decided_by)
            }
        }
    }

    /// A file is received once, whoever reports it.
    fn statement_received(&self, statement: Box<ReceivedStatement>) -> Decision {
        if self.state.domains.closings.has_received(&statement.sha256) {
            return already_known();
        }
        accept(vec![Event::StatementReceived(statement)])
    }

    /// Closes the day after the last one that is closed, as the books were at its end.
    fn day_closed(&self, report: DayReport) -> Result<Decision, Reason> {
        let DayReport { day, accounts, statements, matching, open } = report;
        let (begins, ends) = (day.day_begins_in_brasilia(), day.next_day_in_brasilia());
        let last = Seq::default();
        let mut close = DayClose { begins, ends, last, accounts, statements, matching, open };
        close.last = self.state.may_close(&close, self.at)?;
        Ok(accept(vec![Event::DayClosed(Box::new(close))]))
    }

    /// Opens the last day again; days before it stay closed (P:DayClose).
    fn day_reopened(&self, day: Instant) -> Result<Decision, Reason> {
        let (begins, ends) = (day.day_begins_in_brasilia(), day.next_day_in_brasilia());
        match self.state.closed_days() {
            Some((_, until)) if until == ends => Ok(accept(vec![Event::DayReopened { begins }])),
            Some((first, until)) if first <= begins && begins < until => Err(Reason::OutOfTurn),
            _ => Err(Reason::Unmatched),
        }
    }
}
