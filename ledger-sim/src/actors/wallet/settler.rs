//! The settler of payments from wallets: orders, funds, pays and finds out how they stand.

use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::wallet::{Fact as WalletFact, PaymentFinding, Step};
use ledger_core::ledger::{Fact, OperatorDecision, Request, SaleReport};
use ledger_core::machine::cash_out::{Command, DepositTo, Pix};
use ledger_core::machine::wallet::payment::{Adjudication, Finding};
use ledger_core::money::Amount;
use ledger_core::terms::{Policy, SaleLimits, Switch};
use ledger_core::time::Instant;

use super::payer::nobodys;
use super::units;
use crate::actors::purchase::market;
use crate::actors::sale::soon;
use crate::actors::values::amount;
use crate::domains::IntoFact as _;
use crate::oracle::{FailureReason, Oracle, Payment, PaymentStatus as Status};
use crate::world::World;

/// What mostly becomes of a payment.
pub(crate) fn expect_payment_from_wallet(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(it) = oracle.payments.get(&op).filter(|it| it.status == Status::Reserved) else {
        return;
    };
    if world.rng.percent(25) {
        return;
    }
    let (mut at, cost) = (soon(world, world.now, 60), it.estimate);
    let address = world.fresh("addr");
    let hash = world.transaction(None);
    let e2e = world.fresh("o");
    let left = world.rng.percent(10).then(|| units(cost));
    let steps = [
        (Step::Order, 75),
        (Step::Accept(address), 92),
        (Step::Begin, 70),
        (Step::Send(hash, left), 88),
        (Step::Confirm, 60),
        (Step::Pay(pix(e2e, at)), 75),
    ];
    for (step, often) in steps {
        if world.rng.percent(often) {
            report_step(world, at, op, step);
        } else if often > 80 {
            return;
        }
        at = soon(world, at, 120);
    }
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(3) {
        // Of a payment that nobody made.
        let e2e = world.fresh("o");
        let reported =
            if world.rng.percent(50) { Step::Begin } else { Step::Pay(pix(e2e, world.now)) };
        return report_step(world, world.now, nobodys(), reported);
    }
    let recent: Vec<OpId> = world.wallet_payments.iter().rev().take(24).copied().collect();
    let known = |op: &&OpId| oracle.payments.contains_key(op);
    let open = |op: &&OpId| oracle.payments.get(op).is_some_and(Payment::is_reserved);
    let open: Vec<OpId> = recent.iter().filter(open).copied().collect();
    let recent: Vec<OpId> = recent.iter().filter(known).copied().collect();
    let given_up = |op: &&OpId| oracle.payments[*op].is_given_up();
    let lost: Vec<OpId> = recent.iter().filter(given_up).copied().collect();
    if world.rng.percent(12)
        && let Some(op) = world.rng.pick(&lost).copied()
    {
        return lost_arrives(world, op, &oracle.payments[&op]);
    }
    let some = world.rng.pick(&open).copied().filter(|_| world.rng.percent(75));
    let Some(op) = some.or_else(|| world.rng.pick(&recent).copied()) else { return };
    let it = oracle.payments[&op].clone();
    match world.rng.by_weight(&[60, 30, 8, 12]) {
        3 => ceiling_falls(world, oracle, op, &it),
        0 => step(world, oracle, op, &it),
        1 => report_finding(world, oracle, op, &it),
        _ => of_its_order(world, op, &it),
    }
}

fn step(world: &mut World, oracle: &Oracle, op: OpId, it: &Payment) {
    market::refresh(world, oracle, "usdt");
    // order, accept, begin, send, confirm, pay, fail, lose
    let weights: [u32; 8] = match it.status {
        Status::Reserved => [40, 30, 4, 4, 2, 4, 8, 2],
        Status::Ordered => [6, 56, 6, 4, 2, 3, 10, 3],
        Status::Accepted => [4, 6, 34, 34, 2, 3, 10, 4],
        Status::Sending => [2, 4, 4, 50, 2, 4, 16, 20],
        Status::Sent => [2, 2, 4, 8, 26, 24, 22, 18],
        Status::UnderReview => [2, 2, 2, 10, 20, 16, 8, 6],
        Status::Completed => [4, 4, 4, 10, 16, 20, 10, 8],
        Status::Failed => [6, 6, 6, 10, 8, 16, 12, 6],
        Status::FailedAfterSend => [4, 4, 4, 8, 40, 10, 10, 8],
    };
    let step = match world.rng.by_weight(&weights) {
        0 => Step::Order,
        1 => Step::Accept(world.fresh("addr")),
        2 => Step::Begin,
        3 => {
            let left = draw_outflow(world, it);
            Step::Send(hash(world, oracle, op, it), left)
        }
        4 => Step::Confirm,
        5 => {
            let e2e = e2e(world, oracle, it);
            Step::Pay(pix(e2e, world.now))
        }
        6 => Step::Fail(
            *world
                .rng
                .pick(&[FailureReason::Provider, FailureReason::Key])
                .unwrap_or(&FailureReason::Provider),
        ),
        _ => Step::Lose,
    };
    report_step(world, world.now, op, step);
}

/// What an operator gave up as lost is there: the network confirms it, or somebody finds it.
fn lost_arrives(world: &mut World, op: OpId, it: &Payment) {
    match it.sent.clone().filter(|_| world.rng.percent(50)) {
        Some(hash) => resolve(world, op, PaymentFinding::Found(Finding::Sent(hash))),
        None => report_step(world, world.now, op, Step::Confirm),
    }
}

/// An agent's mandate comes to stand against what was sent, or no longer does when somebody looks.
fn mandate_changes(world: &mut World, op: OpId, it: &Payment) {
    let stands = it.status == Status::Sent;
    crate::actors::agent::binds(world, it.account, stands);
    match it.sent.clone().filter(|_| !stands) {
        Some(hash) => resolve(world, op, PaymentFinding::Found(Finding::Sent(hash))),
        None => report_step(world, world.now, op, Step::Confirm),
    }
}

/// For an instant recipients may have next to nothing, and the payment goes on in it.
fn ceiling_falls(world: &mut World, oracle: &Oracle, op: OpId, it: &Payment) {
    let bound = oracle.agent_of(it.account).is_some();
    let step = match it.status {
        Status::Sent | Status::UnderReview if bound && it.sent.is_some() => {
            return mandate_changes(world, op, it);
        }
        Status::Reserved => Step::Order,
        Status::Ordered => Step::Accept(world.fresh("addr")),
        _ => return step(world, oracle, op, it),
    };
    let policy = oracle.policy.clone();
    let limits = SaleLimits { recipient_daily: Amount::CENTAVO, ..policy.sale_limits() };
    let tight = Policy { sales: Some(limits), ..policy.clone() };
    let reported = WalletFact::Payment { payment: Some(op), step };
    let facts = [
        AccountFact::PolicyAdopted(tight).into_fact(),
        reported.into_fact(),
        AccountFact::PolicyAdopted(policy).into_fact(),
    ];
    for fact in facts {
        let id = world.fresh("wc");
        world.plan_fact(world.now, id, fact);
    }
}

/// Mostly a transaction of its own; sometimes one we know, as sent or as a claim, or another
/// payment's.
fn hash(world: &mut World, oracle: &Oracle, op: OpId, it: &Payment) -> Box<str> {
    let others = oracle.payments.values().rev().find_map(|other| other.sent.clone());
    let claims = || oracle.erroneous_deliveries.values().rev().filter(|claim| claim.about == op);
    let claimed = claims().next().map(|claim| claim.hash.clone());
    let fresh = world.transaction(None);
    match world.rng.by_weight(&[56, 18, 10, 16]) {
        1 => it.sent.clone().unwrap_or(fresh),
        2 => others.unwrap_or(fresh),
        3 => claimed.unwrap_or(fresh),
        _ => fresh,
    }
}

/// Mostly nobody reports what left; now and then it is more than the order costs, or less.
fn draw_outflow(world: &mut World, it: &Payment) -> Option<Units> {
    let (_, cost, _) = it.order?;
    match world.rng.by_weight(&[58, 14, 14, 14]) {
        0 => None,
        1 => Some(units(cost)),
        2 => Some(units(cost + 7)),
        _ => Some(units(cost - 1)),
    }
}

/// Mostly a PIX of its own; sometimes the one we know, or another payment's.
fn e2e(world: &mut World, oracle: &Oracle, it: &Payment) -> Box<str> {
    let others = oracle.payments.values().rev().find_map(|other| other.e2e.clone());
    let fresh = world.fresh("o");
    match world.rng.by_weight(&[80, 14, 6]) {
        1 => it.e2e.clone().unwrap_or(fresh),
        2 => others.unwrap_or(fresh),
        _ => fresh,
    }
}

/// A person found out, or decides on a reserve.
fn report_finding(world: &mut World, oracle: &Oracle, op: OpId, it: &Payment) {
    let fresh = (world.transaction(None), world.fresh("o"));
    let known = it.sent.clone().filter(|_| !world.rng.percent(15));
    // Mostly a PIX that nobody reported; often one that was claimed for this payment before.
    let claims = oracle.suspense.values().rev().filter(|claim| claim.payment == Some(op));
    let claimed = claims.map(|claim| claim.outside.clone()).next();
    let claimed = claimed.filter(|_| world.rng.percent(60));
    let pix = pix(claimed.unwrap_or(fresh.1), world.now);
    // sent, paid, failed; returned, returned and lost, paid, lost
    let weights: [u32; 7] = match it.status {
        Status::UnderReview => [30, 24, 30, 2, 2, 4, 2],
        Status::FailedAfterSend if it.fate.is_some() => [60, 6, 6, 6, 6, 8, 8],
        Status::FailedAfterSend => [2, 3, 3, 24, 20, 24, 22],
        _ => [3, 3, 3, 2, 2, 3, 2],
    };
    let finding = match world.rng.by_weight(&weights) {
        0 => PaymentFinding::Found(Finding::Sent(known.unwrap_or(fresh.0))),
        1 => PaymentFinding::Found(Finding::Paid(pix)),
        2 => PaymentFinding::Found(Finding::Failed),
        3 => PaymentFinding::Decided(Adjudication::Return(Switch::Off)),
        4 => PaymentFinding::Decided(Adjudication::Return(Switch::On)),
        5 => PaymentFinding::Decided(Adjudication::Paid(pix)),
        _ => PaymentFinding::Decided(Adjudication::Lost),
    };
    resolve(world, op, finding);
}

/// A report of its order, and what its client asks of that: it moves with its payment only.
fn of_its_order(world: &mut World, op: OpId, it: &Payment) {
    let Some((order, ..)) = it.order else { return report_step(world, world.now, op, Step::Order) };
    let e2e = world.fresh("o");
    let pix = pix(e2e, world.now);
    let report = match world.rng.by_weight(&[50, 10, 12, 12, 8, 8, 8]) {
        0 => SaleReport::Paid { pix, amount: None },
        1 => SaleReport::Paid { pix, amount: Some(amount(it.net + world.rng.within(0, 1))) },
        2 => SaleReport::Moved(Command::GiveUpPayment),
        3 => SaleReport::Moved(Command::FailSend),
        4 => {
            let address = world.fresh("addr");
            let supplied = Some(DepositTo { address, tag: None });
            return world.ask(it.account, Request::AcceptCashOut { order, supplied });
        }
        5 => {
            let return_id = world.fresh("b");
            let amount = amount(world.rng.within(1, it.net + 1));
            SaleReport::Reversed { return_id, amount }
        }
        _ => {
            let address = format!("0x{}5", "d".repeat(39)).into();
            return world.ask(it.account, Request::RefundAddress { order, address });
        }
    };
    world.report(Fact::Sale { order: Some(order), report });
}

/// The next step of a payment towards its end; some that failed go on waiting for a person.
pub(crate) fn end_payment(world: &mut World, op: OpId, it: &Payment) {
    let e2e = world.fresh("o");
    let pix = pix(e2e, world.now);
    if it.sent.is_some() && !it.confirmed {
        return report_step(world, world.now, op, Step::Confirm);
    }
    match it.status {
        Status::Reserved | Status::Ordered | Status::Accepted => {
            report_step(world, world.now, op, Step::Fail(FailureReason::Provider));
        }
        Status::Sending => report_step(world, world.now, op, Step::Lose),
        Status::UnderReview if it.sent.is_none() && world.rng.percent(50) => {
            let hash = world.transaction(None);
            resolve(world, op, PaymentFinding::Found(Finding::Sent(hash)));
        }
        Status::UnderReview if it.sent.is_some() && world.rng.percent(70) => {
            resolve(world, op, PaymentFinding::Found(Finding::Paid(pix)));
        }
        Status::UnderReview => {
            let (finding, decided_by) = (PaymentFinding::Found(Finding::Failed), world.proven());
            resolve_by(world, op, finding, decided_by);
        }
        Status::Sent => report_step(world, world.now, op, Step::Pay(pix)),
        Status::FailedAfterSend if it.fate.is_none() && world.rng.percent(30) => {
            let decision = match world.rng.below(3) {
                0 => Adjudication::Return(Switch::Off),
                1 => Adjudication::Paid(pix),
                _ => Adjudication::Lost,
            };
            resolve(world, op, PaymentFinding::Decided(decision));
        }
        Status::FailedAfterSend | Status::Completed | Status::Failed => {}
    }
}

fn pix(e2e: Box<str>, paid_at: Instant) -> Pix {
    Pix { e2e, paid_at, receipt_url: None, receipt_pdf_url: None, verify_url: None }
}

fn resolve(world: &mut World, op: OpId, finding: PaymentFinding) {
    let decided_by = world.decided_by();
    resolve_by(world, op, finding, decided_by);
}

fn resolve_by(world: &mut World, op: OpId, finding: PaymentFinding, decided_by: OperatorDecision) {
    let reported = WalletFact::PaymentResolved { payment: Some(op), finding, decided_by };
    world.report(reported);
}

fn report_step(world: &mut World, at: Instant, op: OpId, step: Step) {
    world.report_at(at, WalletFact::Payment { payment: Some(op), step });
}
