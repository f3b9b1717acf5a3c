//! The carrier of instructions of sales, refunds and wallets: asks for what there may be, and
//! does whatever it was handed, whatever has become of that meanwhile.

use ledger_core::id::OpId;
use ledger_core::ledger::wallet::{Fact as WalletFact, Step, WithdrawalReport};
use ledger_core::ledger::{Fact, InstructionKey, SaleReport, TaskKind};
use ledger_core::machine::cash_out::{Command, Pix};
use ledger_core::machine::refund::RefundReport;
use ledger_core::machine::wallet::withdrawal::Finding;
use ledger_core::time::Instant;

use super::sale::refunder::decide;
use super::sale::report::{proceeds, stop};
use super::sale::soon;
use super::wallet::sender::draw_sent;
use crate::oracle::{FailureReason, Liquidation, Oracle, Phase, Sale};
use crate::world::World;

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let key = match world.rng.by_weight(&[52, 14, 14, 20]) {
        0 => of_sale(world, oracle),
        1 => of_unmatched(world, oracle),
        2 => {
            let op = world.rng.pick_late(&world.withdrawals).copied();
            op.map(|op| InstructionKey { op, kind: TaskKind::Withdraw, attempt: 1 })
        }
        _ => {
            let op = world.rng.pick_late(&world.wallet_payments).copied();
            op.map(|op| InstructionKey { op, kind: TaskKind::Pay, attempt: 1 })
        }
    };
    if let Some(key) = key {
        world.hand_out(key);
    }
}

/// Mostly what a late order asks for; sometimes what it may have asked for before.
fn of_sale(world: &mut World, oracle: &Oracle) -> Option<InstructionKey> {
    let recent = world.sales.iter().rev().take(60);
    let sales = recent.filter_map(|op| Some((*op, oracle.sales.get(op)?)));
    let due = sales.clone().filter_map(|(op, sale)| Some((op, due_of(sale)?)));
    let due = due.collect::<Vec<_>>();
    if let Some((op, (kind, attempt))) = world.rng.pick(&due).copied()
        && world.rng.percent(75)
    {
        return Some(InstructionKey { op, kind, attempt });
    }
    let sold = sales.filter(|(_, sale)| sale.sold.is_some() && sale.payment.is_none());
    let sold = sold.map(|(op, _)| op).collect::<Vec<_>>();
    let op = world.rng.pick(&sold).copied()?;
    let kind = *world.rng.pick(&[TaskKind::PaySale, TaskKind::Refund, TaskKind::Sell])?;
    let attempt = if kind == TaskKind::Sell { 1 } else { 1 + u32::from(world.rng.percent(30)) };
    Some(InstructionKey { op, kind, attempt })
}

/// The instruction that an order waits for where it stands.
fn due_of(sale: &Sale) -> Option<(TaskKind, u32)> {
    let unsold = sale.liquidation == Liquidation::None && sale.sold.is_some();
    match (&sale.refund, sale.phase) {
        (Some(due), _) if due.is_under_way() => Some((TaskKind::Refund, due.attempt)),
        (None, Phase::Secured | Phase::Completed) if unsold => Some((TaskKind::Sell, 1)),
        (None, Phase::Paying) if sale.attempts.again_at.is_none() && sale.payment.is_none() => {
            Some((TaskKind::PaySale, sale.attempts.count))
        }
        _ => None,
    }
}

fn of_unmatched(world: &mut World, oracle: &Oracle) -> Option<InstructionKey> {
    let due = oracle.unmatched.iter().rev().filter_map(|(op, it)| Some((*op, it.refund.as_ref()?)));
    let standing = world.rng.percent(75);
    let due = due.filter(|(_, due)| due.is_under_way() || !standing).take(12);
    let due = due.map(|(op, due)| (op, due.attempt)).collect::<Vec<_>>();
    let (op, attempt) = world.rng.pick(&due).copied()?;
    Some(InstructionKey { op, kind: TaskKind::Refund, attempt })
}

/// Plans the reports of what was handed out.
pub(crate) fn carry_out(world: &mut World, oracle: &Oracle, key: InstructionKey) {
    let InstructionKey { op, kind, .. } = key;
    let at = soon(world, world.now, 900);
    match kind {
        TaskKind::SendPix => super::payout::send(world, op),
        TaskKind::Deliver => {}
        TaskKind::Withdraw => withdraw(world, oracle, (op, at)),
        TaskKind::Pay => {
            let hash = world.transaction(None);
            let step = match world.rng.by_weight(&[70, 15, 15]) {
                0 => Step::Send(hash, None),
                1 => Step::Fail(FailureReason::Provider),
                _ => Step::Lose,
            };
            let moved = WalletFact::Payment { payment: Some(op), step };
            world.report_at(at, moved);
        }
        TaskKind::Refund => {
            let hash = world.transaction(None);
            let report = match world.rng.by_weight(&[70, 15, 15]) {
                0 => SaleReport::Refund(RefundReport::Sent(hash)),
                1 => SaleReport::RefundFailed { attempt: key.attempt },
                _ => SaleReport::Refund(RefundReport::Lost),
            };
            report_sale(world, (op, at), report);
            // Operators decide on it while it is under way.
            if world.rng.percent(30) {
                decide(world, op, oracle.sales.get(&op));
            }
        }
        TaskKind::Sell | TaskKind::PaySale => {
            if let Some(sale) = oracle.sales.get(&op) {
                settle(world, sale, kind, (op, at));
            }
        }
    }
}

fn settle(world: &mut World, sale: &Sale, kind: TaskKind, (op, at): (OpId, Instant)) {
    let (e2e, proceeds) = (world.fresh("o"), proceeds(world, sale));
    let way = world.rng.by_weight(&[70, 15, 15]);
    let report = match (kind, way) {
        (TaskKind::Sell, 0) => SaleReport::Moved(Command::Fill(proceeds)),
        (TaskKind::Sell, 1) => SaleReport::Moved(Command::FailSale),
        (TaskKind::Sell, _) => SaleReport::Moved(Command::LoseSale),
        (_, 0) => {
            let (paid_at, receipt_url) = (at, None);
            let pix = Pix { e2e, paid_at, receipt_url, receipt_pdf_url: None, verify_url: None };
            SaleReport::Paid { pix, amount: None }
        }
        (_, 1) => SaleReport::Moved(Command::FailSend),
        _ => SaleReport::Moved(Command::LosePayment),
    };
    report_sale(world, (op, at), report);
    // Operators take it over, or send the crypto back, while it is under way.
    if kind == TaskKind::PaySale && world.rng.percent(30) {
        stop(world, op);
    }
    if world.rng.percent(12) {
        decide(world, op, Some(sale));
    }
}

fn withdraw(world: &mut World, oracle: &Oracle, (op, at): (OpId, Instant)) {
    let Some(it) = oracle.withdrawals.get(&op) else { return };
    let report = if world.rng.percent(80) {
        WithdrawalReport::Send(draw_sent(world, it))
    } else {
        WithdrawalReport::Lose
    };
    let moved = WalletFact::Withdrawal { withdrawal: Some(op), report };
    world.report_at(at, moved);
    if world.rng.percent(15) {
        let (finding, decided_by) = (Finding::Failed, world.proven());
        let found = WalletFact::WithdrawalEvidence { withdrawal: Some(op), finding, decided_by };
        world.report(found);
    }
}

fn report_sale(world: &mut World, (op, at): (OpId, Instant), report: SaleReport) {
    world.report_at(at, Fact::Sale { order: Some(op), report });
}
