//! One sale near the recipient's ceiling, accepted just before midnight in Brasília.

use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{CashOutRequest, Intent};
use ledger_core::machine::cash_out::{AmountBasis, Command};
use ledger_core::terms::{Price, Quote};
use ledger_core::time::Instant;

use super::Small;
use super::ground::{by_client, cents, intent};
use super::sold::{
    BACK, FAST, accept, clear_sale, confirm_deposit, move_sale, order, pay_sale, refund_decided,
    see_deposit, to_somebody,
};
use crate::oracle::Oracle;

/// An order of R$ 60,000.00 that waits for its deposit, two minutes before midnight.
pub(super) const ACCEPTED: Small = Small {
    name: "a sale accepted before midnight",
    begins: before_midnight,
    opening: |_| {
        let price = Price::parse("5.4")?;
        let quote = Quote { price, source: "exchange".into(), at: before_midnight() };
        intent("price of the night", PurchaseFact::RateQuoted { asset: "usdt".into(), quote })
    },
    more: &[|_| sell("s-1", 6_000_000), |it| accept(it, Some("0xdeposit"))],
    alphabet: &[&[
        ("deposited", |it| see_deposit(it, &FAST, "0x1", order_units(it)?)),
        ("confirmed", |it| confirm_deposit(it, "k-1", "0x1")),
        ("twice as much deposited", |it| see_deposit(it, &FAST, "0x2", order_units(it)? * 2)),
        ("that confirmed", |it| confirm_deposit(it, "k-2", "0x2")),
        ("to the same recipient", |_| sell("s-2", 4_000_000)),
        ("more than it may have", |_| sell("s-3", 4_000_001)),
        ("let go on", |it| clear_sale(it, "y-1")),
        ("a refund decided, and where to", |it| refund_decided(it, "r-1", Some(BACK))),
        ("paid", |it| pay_sale(it, "o-1")),
        ("a send failed", |it| move_sale(it, "x-1", Command::FailSend)),
    ]],
};

/// The instant 2026-11-21T02:58:00Z, two minutes before midnight in Brasília.
fn before_midnight() -> Instant {
    Instant::from_micros(1_795_229_880_000_000).expect("this century")
}

fn sell(external_id: &str, net: i64) -> Option<Intent> {
    by_client(CashOutRequest {
        external_id: Some(external_id.into()),
        ..CashOutRequest::new(
            FAST.asset.into(),
            FAST.network.into(),
            AmountBasis::Net(cents(net)),
            to_somebody(),
        )
    })
}

/// Returns what the order asks for, in units.
fn order_units(oracle: &Oracle) -> Option<u128> {
    Some(oracle.sales[&order(oracle)?].coin.units)
}
