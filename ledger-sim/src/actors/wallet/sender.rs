//! The sender of withdrawals from wallets: funds, converts, sends and finds out how they stand.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::wallet::{Fact as WalletFact, WithdrawalReport};
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};
use ledger_core::time::{Instant, Span};

use super::units;
use crate::oracle::{Oracle, Step, Withdrawal, WithdrawalStatus};
use crate::world::World;

/// What mostly becomes of a withdrawal.
pub(crate) fn expect_withdrawal(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(it) = oracle.withdrawals.get(&op) else { return };
    if it.status != WithdrawalStatus::UnderWay || world.rng.percent(30) {
        return;
    }
    let mut at = soon(world, world.now, 120);
    for report in [WithdrawalReport::Begin, WithdrawalReport::Fund] {
        if world.rng.percent(60) {
            report_withdrawal(world, at, op, report);
        }
        at = soon(world, at, 300);
    }
    if it.terms.converts() && world.rng.percent(70) {
        let obtained = draw_conversion(world, it);
        report_withdrawal(world, at, op, obtained);
        at = soon(world, at, 300);
    }
    if world.rng.percent(60) {
        let sent = draw_sent(world, it);
        report_withdrawal(world, at, op, WithdrawalReport::Send(sent));
    }
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    let recent: Vec<OpId> = world.withdrawals.iter().rev().take(20).copied().collect();
    let Some(op) = world.rng.pick(&recent).copied() else { return };
    let Some(it) = oracle.withdrawals.get(&op) else { return };
    if world.rng.percent(3) {
        // Of a withdrawal that nobody made.
        let nothing = OpId::new(Kind::CryptoWithdrawal, Seq(900_000_001));
        return report_withdrawal(world, world.now, nothing, WithdrawalReport::Begin);
    }
    // begin, fund, convert, send, lose, found sent, found failed, resumed
    let weights: [u32; 8] = match (it.status, it.step) {
        (WithdrawalStatus::UnderWay, Step::Reserved) => [24, 16, 8, 12, 16, 6, 12, 6],
        (WithdrawalStatus::UnderWay, Step::Funding) => [6, 36, 10, 14, 16, 4, 10, 4],
        (WithdrawalStatus::UnderWay, Step::Converting) => [4, 5, 42, 10, 18, 5, 12, 4],
        (WithdrawalStatus::UnderWay, Step::Processing) => [4, 5, 6, 42, 22, 6, 10, 5],
        (WithdrawalStatus::UnderReview, _) if it.sent.is_some() => [2, 3, 3, 40, 3, 40, 5, 4],
        (WithdrawalStatus::UnderReview, _) => [4, 5, 6, 12, 5, 26, 22, 20],
        (_, _) => [8, 8, 8, 34, 10, 14, 10, 8],
    };
    let finding = match world.rng.by_weight(&weights) {
        0 => return report_withdrawal(world, world.now, op, WithdrawalReport::Begin),
        1 => return report_withdrawal(world, world.now, op, WithdrawalReport::Fund),
        2 => {
            let obtained = draw_conversion(world, it);
            return report_withdrawal(world, world.now, op, obtained);
        }
        3 => {
            let sent = sent_again(world, oracle, op, it);
            return report_withdrawal(world, world.now, op, WithdrawalReport::Send(sent));
        }
        4 => return report_withdrawal(world, world.now, op, WithdrawalReport::Lose),
        5 => Finding::Completed(sent_again(world, oracle, op, it)),
        6 => Finding::Failed,
        _ => Finding::Resumed,
    };
    let decided_by = world.decided_by();
    let withdrawal = Some(op);
    submit(world, world.now, WalletFact::WithdrawalEvidence { withdrawal, finding, decided_by });
}

fn draw_conversion(world: &mut World, it: &Withdrawal) -> WithdrawalReport {
    let terms = &it.terms;
    let least = terms.minimum + terms.network_fee;
    let number = match world.rng.by_weight(&[45, 15, 15, 15, 10]) {
        0 => terms.estimated + terms.network_fee,
        1 => terms.amount,
        2 => least,
        3 => least.saturating_sub(1),
        _ => terms.amount + 1,
    };
    WithdrawalReport::Convert(units(number))
}

/// Mostly what was estimated, in a new transaction; sometimes in the one we know.
pub(in crate::actors) fn draw_sent(world: &mut World, it: &Withdrawal) -> Sent {
    let terms = &it.terms;
    let received = match world.rng.by_weight(&[45, 12, 15, 10, 8, 10]) {
        0 => terms.estimated,
        1 => terms.minimum,
        2 => terms.minimum.saturating_sub(1),
        3 => terms.amount,
        4 => terms.amount + 1,
        _ => terms.minimum.midpoint(terms.estimated),
    };
    let known = it.sent.as_ref().map(|sent| sent.hash.clone());
    let known = known.filter(|_| world.rng.percent(40));
    let network_fee = match world.rng.by_weight(&[60, 20, 20]) {
        0 => None,
        1 => Some(units(1)),
        _ => Some(units(terms.network_fee + 5)),
    };
    let hash = known.unwrap_or_else(|| world.transaction(None));
    Sent { hash, received: units(received), network_fee }
}

/// As it is sent; sometimes in a transaction that was claimed for it before.
fn sent_again(world: &mut World, oracle: &Oracle, op: OpId, it: &Withdrawal) -> Sent {
    let sent = draw_sent(world, it);
    let mut claims = oracle.erroneous_deliveries.values().rev().filter(|claim| claim.about == op);
    match claims.next().filter(|_| world.rng.percent(55)) {
        Some(claim) => Sent { hash: claim.hash.clone(), ..sent },
        None => sent,
    }
}

fn report_withdrawal(world: &mut World, at: Instant, op: OpId, report: WithdrawalReport) {
    submit(world, at, WalletFact::Withdrawal { withdrawal: Some(op), report });
}

fn submit(world: &mut World, at: Instant, reported: WalletFact) {
    world.report_at(at, reported);
}

fn soon(world: &mut World, from: Instant, seconds: i64) -> Instant {
    from.after(Span::seconds(u32::try_from(world.rng.within(0, seconds)).unwrap_or(0)))
}
