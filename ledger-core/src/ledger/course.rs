//! Applying the events of machines: where each operation stands, and what is known for ever by it.

use std::sync::Arc;

use super::archive::Archive;
use super::due;
use super::event::Event;
use super::operation::{Machine, Operation};
use super::record::{Outside, Record};
use super::state::State;
use crate::id::{Kind, OpId, Seq};
use crate::machine::{cash_out, charge, conversion, hold, payout, receipt, stray, suspense};
use crate::time::Instant;

impl State {
    pub(super) fn charge(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &charge::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = charge::State::Absent;
        let state = before.as_ref().and_then(Operation::charge).unwrap_or(&absent);
        if op.kind() != Kind::Charge || !charge::follows(state, event) {
            return Err("the charge is not where this could happen to it");
        }
        let after = charge::evolve(state, event, record.at);
        if let charge::Event::Credited { credit, .. } = event {
            let known = self.custody.get_mut(credit.custody.0 as usize);
            let known = known.ok_or("a credit goes to a subaccount that exists")?;
            known.deposited = true;
            known.waiting_until = known.waiting_until.or(credit.waiting_until);
        }
        self.count(state, &after, record.at);
        self.keep_part(op, state, &after);
        self.settle(archive, op, before, Machine::Charge(after), record.at)
    }

    pub(super) fn payout(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &payout::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = payout::State::Absent;
        let state = before.as_ref().and_then(Operation::payout).unwrap_or(&absent);
        if op.kind() != Kind::Payout || !payout::follows(state, event) {
            return Err("the payout is not where this could happen to it");
        }
        let after = payout::evolve(state, event, record.at);
        match event {
            payout::Event::Requested(order) => {
                if let Some(usage) = self.usage.get_mut(order.account.0 as usize) {
                    usage.pay_out(order.amount, record.at);
                }
            }
            payout::Event::Failed { amount, .. } => {
                if let Some(order) = state.order()
                    && let Some(usage) = self.usage.get_mut(order.account.0 as usize)
                {
                    usage.unpay(*amount, order.created_at);
                }
            }
            _ => {}
        }
        self.settle(archive, op, before, Machine::Payout(after), record.at)
    }

    pub(super) fn conversion(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &conversion::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = conversion::State::Absent;
        let state = before.as_ref().and_then(Operation::conversion).unwrap_or(&absent);
        let kind = matches!(op.kind(), Kind::Conversion | Kind::CommissionWithdrawal);
        if !kind || !conversion::follows(state, event) {
            return Err("the conversion is not where this could happen to it");
        }
        let after = conversion::evolve(state, event, record.at);
        if let conversion::Event::Requested(order) = event {
            let of_commission = order.source == conversion::Source::Commission;
            if of_commission != (op.kind() == Kind::CommissionWithdrawal) {
                return Err("a conversion is named after what it takes from");
            }
            if of_commission {
                let known = self.accounts.get_mut(order.account.0 as usize);
                let known = known.ok_or("commission is withdrawn by an account that exists")?;
                Arc::make_mut(known).commission_withdrawn_at = Some(record.at);
            }
        }
        self.settle(archive, op, before, Machine::Conversion(after), record.at)
    }

    pub(super) fn stray(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &stray::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = stray::State::Absent;
        let state = before.as_ref().and_then(Operation::stray).unwrap_or(&absent);
        if op.kind() != Kind::Stray || !stray::follows(state, event) {
            return Err("the stray crypto is not where this could happen to it");
        }
        let after = stray::evolve(state, event);
        self.settle(archive, op, before, Machine::Stray(after), record.at)
    }

    pub(super) fn cash_out(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &cash_out::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = cash_out::State::Absent;
        let state = before.as_ref().and_then(Operation::cash_out).unwrap_or(&absent);
        if op.kind() != Kind::CashOut || !cash_out::follows(state, event) {
            return Err("the cash-out order is not where this could happen to it");
        }
        let after = cash_out::evolve(state, event, record.at);
        self.count_recipient(state, &after, record.at);
        self.settle(archive, op, before, Machine::CashOut(after), record.at)
    }

    pub(super) fn receipt(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &receipt::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = receipt::State::Absent;
        let state = before.as_ref().and_then(Operation::receipt).unwrap_or(&absent);
        if op.kind() != Kind::Receipt || !receipt::follows(state, event) {
            return Err("the receipt is not where this could happen to it");
        }
        let after = receipt::evolve(state, event);
        self.settle(archive, op, before, Machine::Receipt(after), record.at)?;
        let created = Event::Receipt { op, event: event.clone() };
        match created.receipt_about() {
            Some((order, _)) => self.tell_of_receipt(archive, order, op, record.at),
            None => Ok(()),
        }
    }

    /// The order that a new receipt is about lists it (rulings 50).
    fn tell_of_receipt(
        &mut self,
        archive: &mut impl Archive,
        order: OpId,
        receipt: OpId,
        at: Instant,
    ) -> Result<(), &'static str> {
        let Some(before) = self.current(archive, order) else { return Ok(()) };
        let after = before.machine.clone().with_receipt(receipt);
        if after == before.machine {
            return Ok(());
        }
        self.settle(archive, order, Some(before), after, at)
    }

    pub(super) fn hold(
        &mut self,
        archive: &mut impl Archive,
        at: Instant,
        op: OpId,
        event: &hold::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = hold::State::Absent;
        let state = before.as_ref().and_then(Operation::hold).unwrap_or(&absent);
        if op.kind() != Kind::Hold || !hold::follows(state, event) {
            return Err("the hold is not where this could happen to it");
        }
        let after = hold::evolve(state, event);
        let watching =
            |state: &hold::State| matches!(state, hold::State::Open(open) if due::watches(open));
        let (was_watching, is_watching) = (watching(state), watching(&after));
        let custody = after.standing().expect("evolve never leaves a hold absent").order.custody;
        let known = self.custody.get_mut(custody.0 as usize);
        let known = known.ok_or("a hold is on a subaccount that exists")?;
        known.watchers = known.watchers + u32::from(is_watching) - u32::from(was_watching);
        if after.has_ended() {
            self.holds.remove(&(custody, op));
        } else {
            self.holds.insert((custody, op));
        }
        self.settle(archive, op, before, Machine::Hold(after), at)
    }

    pub(super) fn suspense(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &suspense::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = suspense::State::Absent;
        let state = before.as_ref().and_then(Operation::suspense).unwrap_or(&absent);
        if op.kind() != Kind::Suspense || !suspense::follows(state, event) {
            return Err("what was put aside is not where this could happen to it");
        }
        let after = suspense::evolve(state, event);
        self.settle(archive, op, before, Machine::Suspense(after), record.at)
    }
}

/// Keeps what the event makes known for ever.
pub(super) fn learn(
    archive: &mut impl Archive,
    event: &Event,
    record: &Record,
) -> Result<(), &'static str> {
    if let Some((op, account, Some(external_id))) = event.created() {
        // One id names one operation (INV-25).
        let has_it = archive.learn_identity(account, op.kind(), external_id, op);
        (has_it == op).then_some(()).ok_or("this id named another operation before")?;
    }
    // What ends a claim was made known by the claim.
    let mut fresh = event.outsides().filter(|outside| !record.takes_over(outside));
    fresh.try_for_each(|outside| learn_outside(archive, &outside, record.seq))
}

/// One fact happens once, for ever (INV-26).
pub(super) fn learn_outside(
    archive: &mut impl Archive,
    outside: &Outside,
    seq: Seq,
) -> Result<(), &'static str> {
    let first = archive.learn_outside(outside, seq);
    (first == seq).then_some(()).ok_or("this fact was brought by another record before")
}
