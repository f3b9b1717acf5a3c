//! How sales end when faults stop: everything unknown is found out, and operators decide what waits
//! for them.

use ledger_core::id::OpId;
use ledger_core::ledger::{Fact, SaleReport};
use ledger_core::machine::cash_out::Command;
use ledger_core::machine::refund::RefundReport;

use super::report::{pay, proceeds, reais, report_move, token_back};
use crate::oracle::{Liquidation, Phase, Reason, Sale, Way};
use crate::wallets::wallet;
use crate::world::World;

/// The next step of a sale towards its end, in this round of such steps; a refund of it goes to a
/// wallet on this network.
pub(crate) fn end_sale(world: &mut World, op: OpId, sale: &Sale, network: &str, round: u64) {
    if let Some(due) = &sale.refund {
        let report = if due.is_under_way() || due.way == Way::Lost {
            SaleReport::Refund(RefundReport::Sent(world.transaction(None)))
        } else {
            let to = due.to.is_none().then(|| wallet(network, 1));
            SaleReport::RefundDecided { to, decided_by: Some(world.decided_by()) }
        };
        return submit(world, op, report);
    }
    let unconfirmed = sale.deposits.iter().find(|held| !held.confirmed);
    if let Some(hash) = unconfirmed.map(|held| held.hash.clone()) {
        return submit(world, op, SaleReport::Confirmed { hash, deposit: None });
    }
    match sale.phase {
        Phase::Detected if sale.delayed => report_move(world, op, Command::Resume),
        Phase::Secured => report_on_secured(world, op, sale, network),
        Phase::Paying | Phase::Review(Reason::Stopped) => {
            if world.rng.percent(70) {
                pay(world, op, sale, world.now);
            } else {
                report_move(world, op, Command::GiveUpPayment);
            }
        }
        Phase::Review(Reason::SaleLost) => {
            let reported = proceeds(world, sale);
            let sold = world.rng.percent(50);
            report_move(world, op, if sold { Command::Fill(reported) } else { Command::FailSale });
        }
        Phase::Review(Reason::ReturnAwaited) => token_back(world, op, sale),
        // What was tried, and a ceiling stands against, is found paid or given up.
        Phase::Review(_) if sale.is_paying() => {
            if world.rng.percent(30) {
                pay(world, op, sale, world.now);
            } else {
                report_move(world, op, Command::GiveUpPayment);
            }
        }
        // What cannot go on is refunded, and what cannot be refunded goes on.
        Phase::Review(_)
            if if round < 4 { world.rng.percent(40) } else { round.is_multiple_of(2) } =>
        {
            let decided_by = world.decided_by();
            submit(world, op, SaleReport::Cleared { pix_key: None, decided_by });
        }
        _ => {
            decide(world, op, sale, network);
        }
    }
}

fn report_on_secured(world: &mut World, op: OpId, sale: &Sale, network: &str) {
    match sale.liquidation {
        Liquidation::None if world.rng.percent(50) => report_move(world, op, Command::StartSale),
        Liquidation::None => {
            decide(world, op, sale, network);
        }
        // The liquidation says the rest.
        Liquidation::Selling(_) | Liquidation::Lost(_) => {}
        Liquidation::Sold(_) | Liquidation::Forwarding(_) | Liquidation::Done => {
            report_move(world, op, Command::StartPayment);
        }
    }
}

fn decide(world: &mut World, op: OpId, sale: &Sale, network: &str) {
    let to = sale.wallet.is_none().then(|| wallet(network, 1));
    let decided_by = Some(world.decided_by());
    submit(world, op, SaleReport::RefundDecided { to, decided_by });
}

/// The next step of the liquidation, whatever became of its sale.
pub(crate) fn end_leg(world: &mut World, op: OpId, sale: &Sale) {
    let command = match sale.liquidation {
        Liquidation::None | Liquidation::Done => return,
        Liquidation::Selling(_) | Liquidation::Lost(_) if world.rng.percent(70) => {
            Command::Fill(proceeds(world, sale))
        }
        Liquidation::Selling(_) | Liquidation::Lost(_) => Command::FailSale,
        Liquidation::Sold(_) | Liquidation::Forwarding(_) => Command::Arrive(reais(world, sale)),
    };
    report_move(world, op, command);
}

fn submit(world: &mut World, op: OpId, report: SaleReport) {
    world.report(Fact::Sale { order: Some(op), report });
}
