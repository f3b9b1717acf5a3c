//! What becomes of a sale once something was deposited: the exchange, the PIX provider, and the
//! operators who look after both.

use ledger_core::id::OpId;
use ledger_core::machine::cash_out::Command;
use ledger_core::terms::{Route, Switch};

use super::refunder;
use super::report::{
    about_nothing, clear, given_back, liquidation, pay, proceeds, reais, report_move, reverse,
    stop, token_back,
};
use crate::oracle::{Liquidation, Oracle, Phase, Reason, Sale};
use crate::world::World;

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(4) {
        return about_nothing(world);
    }
    let Some(op) = choose(world, oracle) else { return };
    let sale = oracle.sales[&op].clone();
    if world.rng.percent(4) {
        return anything(world, op, &sale);
    }
    let agents = oracle.agent_of(sale.account).is_some() && sale.payment.is_none();
    if agents && world.rng.percent(45) && binds(world, op, &sale) {
        return;
    }
    match sale.phase {
        Phase::Quoted | Phase::Awaiting | Phase::Expired | Phase::Failed => early(world, op, &sale),
        Phase::Detected => report_on_detected(world, op, &sale),
        Phase::Secured => report_on_secured(world, op, &sale),
        Phase::Paying => paying(world, op, &sale),
        Phase::Review(reason) => review(world, op, &sale, reason),
        Phase::Completed => report_on_completed(world, op, &sale),
        Phase::Refunding if sale.route == Route::Liquid && world.rng.percent(25) => {
            match sale.handed {
                None => report_move(world, op, Command::HandOver),
                Some(_) => token_back(world, op, &sale),
            }
        }
        Phase::Refunding => refunder::act(world, op, sale.refund.as_ref(), Some(&sale)),
    }
}

/// An agent's mandate comes to stand against a payment that waits, or no longer does; whether there
/// is one.
fn binds(world: &mut World, op: OpId, sale: &Sale) -> bool {
    let sold = sale.is_sold();
    match sale.phase {
        Phase::Paying if sale.attempts.again_at.is_some() => {
            crate::actors::agent::binds(world, sale.account, true);
        }
        Phase::Secured if sold => crate::actors::agent::binds(world, sale.account, true),
        Phase::Review(reason) if reason.is_ceiling() => {
            crate::actors::agent::binds(world, sale.account, false);
            clear(world, op);
        }
        _ => return false,
    }
    true
}

/// Mostly an order of late on which something is to be done.
fn choose(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    let known = |op: &&OpId| oracle.sales.contains_key(op);
    let busy = |op: &&OpId| {
        let phase = oracle.sales[op].phase;
        let early = matches!(phase, Phase::Quoted | Phase::Awaiting | Phase::Expired);
        !early && !matches!(phase, Phase::Failed) && !oracle.sales[op].is_over()
    };
    let recent: Vec<OpId> = world.sales.iter().rev().filter(known).take(40).copied().collect();
    let open: Vec<OpId> = recent.iter().filter(busy).copied().collect();
    let some = world.rng.pick(&open).copied().filter(|_| world.rng.percent(85));
    some.or_else(|| world.rng.pick(&recent).copied())
}

/// Before anything was deposited: the route may be lost.
fn early(world: &mut World, op: OpId, sale: &Sale) {
    match world.rng.by_weight(&[10, 8, 4, 80, 4]) {
        0 => report_move(world, op, Command::Cancel),
        1 => pay(world, op, sale, world.now),
        4 => reverse(world, op, sale),
        2 => report_move(world, op, Command::Delay),
        _ => {}
    }
}

fn report_on_detected(world: &mut World, op: OpId, sale: &Sale) {
    if sale.delayed && world.rng.percent(60) {
        return report_move(world, op, Command::Resume);
    }
    match world.rng.by_weight(&[30, 6, 10, 6]) {
        0 => report_move(world, op, Command::Delay),
        1 => report_move(world, op, Command::Cancel),
        2 => refunder::act(world, op, None, Some(sale)),
        _ => report_move(world, op, Command::Resume),
    }
}

/// Sold first: by a swap on its network, or at an exchange whose proceeds are forwarded.
fn report_on_secured(world: &mut World, op: OpId, sale: &Sale) {
    let weights: [u32; 10] = match sale.liquidation {
        // start, fill, fail, lose, forward, arrive, pay begins, paid, refund, delay
        Liquidation::None => [50, 14, 3, 3, 2, 2, 4, 8, 8, 6],
        Liquidation::Selling(_) => [4, 50, 14, 14, 2, 2, 3, 6, 3, 2],
        Liquidation::Lost(_) => [2, 40, 40, 4, 2, 2, 2, 2, 4, 2],
        Liquidation::Sold(_) => [3, 6, 3, 3, 34, 24, 18, 8, 3, 2],
        Liquidation::Forwarding(_) => [3, 6, 3, 3, 8, 50, 14, 8, 3, 2],
        Liquidation::Done => [4, 4, 4, 4, 6, 8, 50, 14, 4, 2],
    };
    let command = match world.rng.by_weight(&weights) {
        0 => Command::StartSale,
        1 => Command::Fill(proceeds(world, sale)),
        2 => Command::FailSale,
        3 => Command::LoseSale,
        4 => Command::Forward,
        5 => Command::Arrive(reais(world, sale)),
        6 => Command::StartPayment,
        7 => return pay(world, op, sale, world.now),
        8 => return refunder::decide(world, op, Some(sale)),
        _ if sale.delayed => Command::Resume,
        _ => Command::Delay,
    };
    report_move(world, op, command);
}

fn paying(world: &mut World, op: OpId, sale: &Sale) {
    let liquid = sale.route == Route::Liquid;
    if liquid && world.rng.percent(30) {
        // The token goes to the provider, and comes back where the PIX cannot be paid.
        return match sale.handed {
            None => report_move(world, op, Command::HandOver),
            Some(_) if world.rng.percent(50) => token_back(world, op, sale),
            Some(_) => report_move(world, op, Command::GiveUpPayment),
        };
    }
    let failing = sale.attempts.first.is_some() && sale.attempts.again_at.is_none();
    // paid, failed, lost, key refused, impossible, stop, handed over, token returned, delay, leg
    let weights = match (sale.attempts.lost, failing) {
        (true, _) => [24, 22, 5, 4, 3, 26, 4, 4, 2, 4],
        (false, true) => [14, 60, 6, 4, 3, 2, 4, 3, 2, 3],
        (false, false) => [40, 16, 16, 12, 4, 2, 8, 4, 4, 3],
    };
    let command = match world.rng.by_weight(&weights) {
        0 => return pay(world, op, sale, world.now),
        1 => Command::FailSend,
        2 => Command::LosePayment,
        3 => Command::RefuseKey(given_back(world, sale)),
        4 => Command::GiveUpPayment,
        5 => return stop(world, op),
        6 => Command::HandOver,
        7 if liquid => return token_back(world, op, sale),
        7 => Command::GiveUpPayment,
        8 if sale.delayed => Command::Resume,
        8 => Command::Delay,
        _ => liquidation(world, sale),
    };
    if command == Command::HandOver && !liquid && !world.rng.percent(10) {
        return pay(world, op, sale, world.now);
    }
    report_move(world, op, command);
}

fn review(world: &mut World, op: OpId, sale: &Sale, reason: Reason) {
    match reason {
        Reason::Stopped => match world.rng.by_weight(&[34, 30, 8, 8, 10, 10]) {
            0 => pay(world, op, sale, world.now),
            1 => report_move(world, op, Command::FailSend),
            2 => report_move(world, op, Command::GiveUpPayment),
            3 => {
                let back = given_back(world, sale);
                report_move(world, op, Command::RefuseKey(back));
            }
            4 => report_move(world, op, Command::HandOver),
            _ => stop(world, op),
        },
        Reason::SaleLost => match world.rng.by_weight(&[45, 40, 8, 7]) {
            0 => {
                let proceeds = proceeds(world, sale);
                report_move(world, op, Command::Fill(proceeds));
            }
            1 => report_move(world, op, Command::FailSale),
            2 => report_move(world, op, Command::LoseSale),
            _ => pay(world, op, sale, world.now),
        },
        Reason::ReturnAwaited => match world.rng.below(8) {
            0 => report_move(world, op, Command::GiveUpPayment),
            1 => pay(world, op, sale, world.now),
            _ => token_back(world, op, sale),
        },
        // What waits to be tried again and may not be is mostly given up.
        reason if reason.is_ceiling() && sale.attempts.count > 0 && world.rng.percent(50) => {
            refunder::decide(world, op, Some(sale));
        }
        Reason::RecipientDay
        | Reason::RecipientOrder
        | Reason::MandateOperation
        | Reason::MandateDay
        | Reason::MandateRecipient => match world.rng.by_weight(&[40, 34, 5, 8, 5, 5, 3]) {
            0 => clear(world, op),
            1 => refunder::decide(world, op, Some(sale)),
            2 => pay(world, op, sale, world.now),
            3 => report_move(world, op, Command::GiveUpPayment),
            4 => report_move(world, op, Command::FailSend),
            5 => report_move(world, op, Command::LosePayment),
            _ => {
                let back = given_back(world, sale);
                report_move(world, op, Command::RefuseKey(back));
            }
        },
        Reason::KeyRefused
        | Reason::Strange
        | Reason::Short
        | Reason::TooMuch
        | Reason::Unpriced => match world.rng.by_weight(&[45, 50, 5]) {
            0 => clear(world, op),
            1 => refunder::decide(world, op, Some(sale)),
            _ => pay(world, op, sale, world.now),
        },
    }
}

/// After the PIX: it may come back, a second one may be reported, and the liquidation goes on.
fn report_on_completed(world: &mut World, op: OpId, sale: &Sale) {
    if sale.route == Route::Liquid && world.rng.percent(25) {
        return match sale.kept {
            Switch::On => token_back(world, op, sale),
            Switch::Off => report_move(world, op, Command::HandOver),
        };
    }
    if sale.refund.is_some() && world.rng.percent(60) {
        return refunder::act(world, op, sale.refund.as_ref(), Some(sale));
    }
    let unsold = !matches!(sale.liquidation, Liquidation::None | Liquidation::Done);
    let own = if unsold { 60 } else { 8 };
    match world.rng.by_weight(&[34, 10, 6, 5, own]) {
        0 => reverse(world, op, sale),
        1 => pay(world, op, sale, world.now),
        2 => report_move(world, op, Command::LosePayment),
        3 => report_move(world, op, Command::HandOver),
        _ => {
            let command = liquidation(world, sale);
            report_move(world, op, command);
        }
    }
}

/// Any report at all, wherever the order stands.
fn anything(world: &mut World, op: OpId, sale: &Sale) {
    let all = [
        Command::Cancel,
        Command::Delay,
        Command::Resume,
        Command::StartSale,
        Command::Fill(proceeds(world, sale)),
        Command::FailSale,
        Command::LoseSale,
        Command::Forward,
        Command::Arrive(reais(world, sale)),
        Command::StartPayment,
        Command::FailSend,
        Command::GiveUpPayment,
        Command::RefuseKey(given_back(world, sale)),
        Command::LosePayment,
        Command::HandOver,
    ];
    match world.rng.below(19) {
        15 => clear(world, op),
        16 => stop(world, op),
        17 => token_back(world, op, sale),
        18 => reverse(world, op, sale),
        place => report_move(world, op, all[usize::try_from(place).unwrap_or(0)].clone()),
    }
}
