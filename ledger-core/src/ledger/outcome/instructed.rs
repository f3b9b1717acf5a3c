//! Every instruction, from when it was given to when it was answered or called off (OUT-04,
//! OUT-06, OUT-13).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::{Findings, delivery_event, violates};
use crate::id::OpId;
use crate::ledger::notification::{Instruction, InstructionKey, Task, TaskKind};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::{
    cash_out, charge, conversion, delivery, payout, purchase, unmatched_deposit, wallet,
};

/// The last instruction of each operation and meaning.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Instructed {
    #[n(0)]
    known: BTreeMap<(OpId, Meaning), IssuedInstruction>,
}

/// What an operation asks of the world; it asks for each at most once at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
enum Meaning {
    #[n(0)]
    SendPix,
    #[n(1)]
    Deliver,
    #[n(2)]
    Sell,
    #[n(3)]
    PaySale,
    #[n(4)]
    Refund,
    #[n(5)]
    Withdraw,
    #[n(6)]
    Pay,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
#[cbor(array)]
struct IssuedInstruction {
    #[n(0)]
    attempt: u32,
    #[n(1)]
    course: Course,
    /// Tells whether it was handed to whoever carries it out.
    #[n(2)]
    handed_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
enum Course {
    /// Neither answered nor called off; an unknown outcome is no answer.
    #[n(0)]
    Open,
    /// It definitely came to nothing: another may follow.
    #[n(1)]
    Failed,
    /// It was stopped before it was sent, or a person took it over.
    #[n(2)]
    CalledOff,
    /// It was done.
    #[n(3)]
    Done,
}

impl Instructed {
    /// A person calls off what was handed out by evidence alone.
    pub(super) fn call_off_instructions(&self, record: &Record, found: &mut Findings) {
        let unproven = |event: &Event| match event {
            Event::Judged(decision) => decision.evidence.is_none(),
            _ => false,
        };
        if !record.events.iter().any(unproven) {
            return;
        }
        for event in &record.events {
            let (op, meaning) = match event {
                Event::Payout {
                    op,
                    event: payout::Event::Stopped | payout::Event::Failed { .. },
                } => (*op, Meaning::SendPix),
                event => match delivery_event(event) {
                    Some((op, delivery::Event::Failed)) => (op, Meaning::Deliver),
                    _ => continue,
                },
            };
            let given = self.known.get(&(op, meaning));
            if given.is_some_and(|given| given.handed_out && given.course == Course::Open) {
                let what =
                    format!("{op:?}: {meaning:?} was handed out, and is called off by a word");
                violates(found, "OUT-13", what);
            }
        }
    }

    /// What was handed out stood at that moment.
    pub(super) fn handed_out(&mut self, event: &Event, found: &mut Findings) {
        let Some(InstructionKey { op, kind, attempt }) = event.hands_out() else { return };
        let meaning = meaning_of_kind(kind);
        let given = self.known.get_mut(&(op, meaning));
        let stands = |given: &&mut IssuedInstruction| {
            given.attempt == attempt && given.course == Course::Open
        };
        match given.filter(stands) {
            Some(given) => given.handed_out = true,
            // A step that a report implies may come before its instruction.
            None if matches!(event, Event::HandedOut { .. }) => {
                let what =
                    format!("{op:?}: {meaning:?} {attempt} is handed out, and does not stand");
                violates(found, "OUT-13", what);
            }
            None => {}
        }
    }

    pub(super) fn charge(&mut self, op: OpId, event: &charge::Event) {
        if let charge::Event::Purchase(event) = event {
            self.purchase(op, event);
        }
    }

    pub(super) fn conversion(&mut self, op: OpId, event: &conversion::Event) {
        match event {
            conversion::Event::Requested(_) => {}
            conversion::Event::Delivery { event, .. } => self.delivery(op, event),
            conversion::Event::Refunded { .. } => {
                self.ends(op, Meaning::Deliver, Course::CalledOff);
            }
        }
    }

    pub(super) fn unmatched_deposit(&mut self, op: OpId, event: &unmatched_deposit::Event) {
        use unmatched_deposit::Event as E;
        match event {
            E::RefundSent { .. } => self.ends(op, Meaning::Refund, Course::Done),
            E::RefundFailed => self.ends(op, Meaning::Refund, Course::Failed),
            E::Forgone { .. } => self.ends(op, Meaning::Refund, Course::CalledOff),
            _ => {}
        }
    }

    pub(super) fn withdrawal(&mut self, op: OpId, event: &wallet::withdrawal::Event) {
        use wallet::withdrawal::Event as E;
        match event {
            E::Completed { .. } => self.ends(op, Meaning::Withdraw, Course::Done),
            E::Failed { .. } => self.ends(op, Meaning::Withdraw, Course::Failed),
            // A person has it; only that it goes on instructs it again.
            E::Questioned(_) => self.ends(op, Meaning::Withdraw, Course::CalledOff),
            _ => {}
        }
    }

    pub(super) fn payment(&mut self, op: OpId, event: &wallet::payment::Event) {
        use wallet::payment::Event as E;
        match event {
            E::Completed { .. } => self.ends(op, Meaning::Pay, Course::Done),
            E::Failed { .. } | E::FailedAfterSend(_) => self.ends(op, Meaning::Pay, Course::Failed),
            _ => {}
        }
    }

    pub(super) fn payout(&mut self, op: OpId, event: &payout::Event) {
        match event {
            payout::Event::Stopped => self.ends(op, Meaning::SendPix, Course::CalledOff),
            payout::Event::Failed { .. } => self.ends(op, Meaning::SendPix, Course::Failed),
            payout::Event::Completed { .. } => self.ends(op, Meaning::SendPix, Course::Done),
            _ => {}
        }
    }

    fn purchase(&mut self, op: OpId, event: &purchase::Event) {
        match event {
            purchase::Event::Delivery(event) => self.delivery(op, event),
            purchase::Event::Paid { .. }
            | purchase::Event::Cleared
            | purchase::Event::ReturnedDelivered { .. }
            | purchase::Event::ReturnedCredited { .. } => {}
            // Whatever else becomes of a purchase stops its delivery; one that goes on is
            // instructed anew.
            _ => self.ends(op, Meaning::Deliver, Course::CalledOff),
        }
    }

    fn delivery(&mut self, op: OpId, event: &delivery::Event) {
        match event {
            delivery::Event::Sent { .. } => self.ends(op, Meaning::Deliver, Course::Done),
            delivery::Event::Failed => self.ends(op, Meaning::Deliver, Course::Failed),
            _ => {}
        }
    }

    pub(super) fn sale(&mut self, op: OpId, event: &cash_out::Event) {
        use cash_out::Event as E;
        match event {
            E::SaleFilled { .. } => self.ends(op, Meaning::Sell, Course::Done),
            E::SaleFailed(_) => self.ends(op, Meaning::Sell, Course::Failed),
            E::SendFailed { .. } | E::KeyRefused(_) | E::PaymentUnwound(_) => {
                self.ends(op, Meaning::PaySale, Course::Failed);
            }
            E::Completed { .. } => self.ends(op, Meaning::PaySale, Course::Done),
            E::Failed => {
                self.ends(op, Meaning::PaySale, Course::Failed);
                self.ends(op, Meaning::Sell, Course::CalledOff);
            }
            E::RefundDecided { .. } => self.ends(op, Meaning::Sell, Course::CalledOff),
            E::RefundForgone { .. } => self.ends(op, Meaning::Refund, Course::CalledOff),
            E::RefundSent { .. } => self.ends(op, Meaning::Refund, Course::Done),
            E::RefundFailed => self.ends(op, Meaning::Refund, Course::Failed),
            _ => {}
        }
    }

    fn ends(&mut self, op: OpId, meaning: Meaning, course: Course) {
        if let Some(given) = self.known.get_mut(&(op, meaning))
            && given.course == Course::Open
        {
            given.course = course;
        }
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction, found: &mut Findings) {
        let op = instruction.op;
        let (meaning, attempt) = meaning_of(&instruction.task);
        let given = IssuedInstruction { attempt, course: Course::Open, handed_out: false };
        let Some(before) = self.known.insert((op, meaning), given) else { return };
        let reason = match before.course {
            Course::Open => "the one before is neither answered nor called off",
            Course::Done => "the one before was done",
            Course::Failed if attempt <= before.attempt => "it has the number of one that failed",
            Course::Failed | Course::CalledOff => return,
        };
        violates(found, "OUT-04", format!("{op:?}: {meaning:?} {attempt} again: {reason}"));
    }

    pub(super) fn open(&self) -> impl Iterator<Item = (OpId, &'static str)> + '_ {
        // What an order is paid from may be sold after its end, whenever we like: it is ours then.
        let awaited = |meaning: Meaning| meaning != Meaning::Sell;
        let open = self
            .known
            .iter()
            .filter(move |((_, meaning), given)| given.course == Course::Open && awaited(*meaning));
        open.map(|((op, meaning), _)| (*op, meaning.name()))
    }
}

impl Meaning {
    const fn name(self) -> &'static str {
        match self {
            Self::SendPix => "send a PIX",
            Self::Deliver => "deliver crypto",
            Self::Sell => "sell a deposit",
            Self::PaySale => "pay a sale",
            Self::Refund => "refund crypto",
            Self::Withdraw => "withdraw from a wallet",
            Self::Pay => "pay from a wallet",
        }
    }
}

/// The meaning of a task and its attempt; a task without attempts is the same one each time.
fn meaning_of(task: &Task) -> (Meaning, u32) {
    (meaning_of_kind(task.kind()), task.attempt())
}

const fn meaning_of_kind(kind: TaskKind) -> Meaning {
    match kind {
        TaskKind::SendPix => Meaning::SendPix,
        TaskKind::Deliver => Meaning::Deliver,
        TaskKind::Sell => Meaning::Sell,
        TaskKind::PaySale => Meaning::PaySale,
        TaskKind::Refund => Meaning::Refund,
        TaskKind::Withdraw => Meaning::Withdraw,
        TaskKind::Pay => Meaning::Pay,
    }
}

/// Reports payments that were debited by the record, and not instructed by it.
pub(super) fn check_instructed(
    record: &Record,
    instructions: &[Instruction],
    found: &mut Findings,
) {
    for event in &record.events {
        let op = match event {
            Event::Payout { op, event: payout::Event::Requested(_) }
            | Event::Conversion { op, event: conversion::Event::Requested(_) }
            | Event::CryptoWithdrawal { op, event: wallet::withdrawal::Event::Requested(_) }
            | Event::WalletPayment { op, event: wallet::payment::Event::Requested(_) } => *op,
            _ => continue,
        };
        if !instructions.iter().any(|given| given.op == op) {
            violates(found, "OUT-06", format!("{op:?} was debited, and nothing is instructed"));
        }
    }
}
