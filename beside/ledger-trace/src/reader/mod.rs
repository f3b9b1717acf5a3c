//! The reader of records: which flows the events of a record are, and where a trace begins.

mod hold;
mod suspense;
mod unmatched_deposit;

use std::collections::BTreeMap;

use ledger_core::accounting::Account;
use ledger_core::id::OpId;
use ledger_core::ledger::{Event, ExternalId, Record, Scope};

use crate::account::LedgerAccount;
use crate::step::{Begins, Flow, Step};

/// Whose money is traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A PIX received, by its end-to-end id, compared byte for byte (rulings 64).
    Pix(Box<str>),
    /// An operation: what it brought into the ledger, or else what it took from others.
    Operation(OpId),
}

/// Reads the records of a journal, from the first on and in their order.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    subject: Option<Subject>,
    /// Holds that name a cause.
    causes: BTreeMap<OpId, OpId>,
}

impl Reader {
    /// A reader for a trace of `subject`; with none, nothing is followed and all is counted.
    #[must_use]
    pub const fn new(subject: Option<Subject>) -> Self {
        Self { subject, causes: BTreeMap::new() }
    }

    /// The holds placed so far for the money of this operation.
    pub fn holds_for(&self, cause: OpId) -> impl Iterator<Item = OpId> {
        self.causes.iter().filter(move |(_, of)| **of == cause).map(|(hold, _)| *hold)
    }

    /// Returns the steps of a record: one for each of its events that moves money.
    pub fn steps(&mut self, record: &Record) -> Vec<Step> {
        let mut steps = Vec::new();
        for (place, event) in record.events.iter().enumerate() {
            let op = event.op();
            self.causes.extend(hold::cause(event));
            let flows = flows(record, place);
            if flows.is_empty() {
                continue;
            }
            let cause = op.and_then(|op| self.causes.get(&op).copied());
            let later = op.filter(|op| op.seq() != record.seq);
            steps.push(Step {
                record: record.seq,
                event: u16::try_from(place).expect("a record has few events"),
                op,
                prefers: cause.or(later),
                begins: self.begins(record, event),
                flows,
            });
        }
        steps
    }

    fn begins(&self, record: &Record, event: &Event) -> Begins {
        match &self.subject {
            Some(Subject::Pix(id)) => {
                let pix = ExternalId { scope: Scope::ReceivedPix, id: id.clone() };
                if record.brings(&pix) { Begins::Incoming } else { Begins::Nothing }
            }
            Some(Subject::Operation(subject)) if event.op() == Some(*subject) => Begins::Drawn,
            _ => Begins::Nothing,
        }
    }
}

/// The flows of the event at this place of a record.
fn flows(record: &Record, place: usize) -> Vec<Flow> {
    let event = &record.events[place];
    let op = event.op();
    let slot = |account: LedgerAccount| account.slot(owner(record, place, account).or(op));
    let entry = event.entry();
    let reais = entry.moves().map(|moved| {
        let amount = u128::from(moved.amount.cents().unsigned_abs());
        (LedgerAccount::Reais(moved.debit), LedgerAccount::Reais(moved.credit), amount)
    });
    let coins = entry.coin_moves().map(|moved| {
        let place = |account| LedgerAccount::Coins(moved.asset, account);
        (place(moved.debit), place(moved.credit), moved.units.get())
    });
    let moves = reais.chain(coins).filter(|(from, to, _)| {
        // Where our own stands concerns nobody else, except that a wallet pays out of an exchange.
        let sells = *to == LedgerAccount::Reais(Account::Exchange);
        let pays = *from == LedgerAccount::Reais(Account::Fx) && op.is_some() && !sells;
        from.is_owed() || to.is_owed() || pays
    });
    let moves = moves.map(|(from, to, amount)| Flow { from: slot(from), to: slot(to), amount });
    moves.chain(unmatched_deposit::handed_over(event)).collect()
}

/// The operation that keeps what the event at this place moves in an account, where that is not its
/// own.
fn owner(record: &Record, place: usize, account: LedgerAccount) -> Option<OpId> {
    match account {
        LedgerAccount::Reais(Account::Frozen(_)) => hold::owner(record, place),
        LedgerAccount::Reais(Account::SuspensePix) => {
            suspense::owner(record, &record.events[place])
        }
        _ => None,
    }
}
