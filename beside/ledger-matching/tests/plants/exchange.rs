//! Differences at the exchange.

use super::{Case, Plant};
use crate::world::TradeLine;
use crate::world::time::DAY;

/// The number of the sale that is tampered with, as its order is called.
fn order_of(case: &Case) -> String {
    let trades = case.files.trades.iter().filter(|it| it.kind == "Trade");
    trades.map(|it| it.reference.clone()).nth(3).expect("a month has some")
}

fn fills(case: &mut Case) -> Vec<&mut TradeLine> {
    let order = order_of(case);
    case.files.trades.iter_mut().filter(|it| it.reference == order).collect()
}

fn row(case: &mut Case, kind: &str) -> usize {
    let places = case.files.trades.iter().enumerate().filter(|(_, it)| it.kind == kind);
    places.map(|(place, _)| place).nth(1).expect("a month has some")
}

const MISSING: (&str, &str) = ("ours only", "missing");
const UNREPORTED: (&str, &str) = ("theirs only", "unreported");
const BRL: (&str, &str) = ("exchange brl", "arithmetic");
const USDT: (&str, &str) = ("exchange usdt", "arithmetic");

pub const PLANTS: &[Plant] = &[
    Plant {
        name: "a fill is missing",
        change: |case| {
            let id = fills(case)[0].id.clone();
            case.files.trades.retain(|it| it.id != id);
        },
        findings: &[("differs", "netting"), ("differs", "netting")],
        balances: &[BRL, USDT],
    },
    Plant {
        name: "a fill twice",
        change: |case| {
            let again = fills(case)[0].clone();
            case.files.trades.push(again);
        },
        findings: &[("theirs only", "twice"), ("theirs only", "twice")],
        balances: &[],
    },
    Plant {
        name: "a trade that nobody told of",
        change: |case| {
            let mut strange = fills(case)[0].clone();
            (strange.id, strange.reference) = ("t-strange".to_owned(), "manual".to_owned());
            case.exchange_closes("usdt", -strange.amount);
            case.exchange_closes("brl", strange.counter_amount - strange.fee);
            case.files.trades.push(strange);
        },
        findings: &[UNREPORTED, UNREPORTED],
        balances: &[],
    },
    Plant {
        name: "another price",
        change: |case| {
            fills(case)[1].counter_amount += 50_000_000;
            case.exchange_closes("brl", 50_000_000);
        },
        findings: &[("differs", "netting")],
        balances: &[],
    },
    Plant {
        name: "another fee",
        change: |case| {
            let fee = fills(case)[1].fee;
            fills(case)[1].fee += fee;
            case.exchange_closes("brl", -fee);
        },
        findings: &[("differs", "fee")],
        balances: &[],
    },
    Plant {
        name: "a fee in another asset",
        change: |case| {
            let fill = fills(case).remove(1);
            let fee = fill.fee;
            (fill.fee, fill.fee_asset) = (1_000, "BNB");
            case.exchange_closes("brl", fee);
        },
        findings: &[("differs", "fee"), ("theirs only", "fee")],
        balances: &[],
    },
    Plant {
        name: "bought instead of sold",
        change: |case| {
            let (mut brl, mut usdt) = (0, 0);
            for fill in fills(case) {
                fill.side = "BUY";
                usdt += 2 * fill.amount;
                // The coin comes in, and the exchange takes nothing for it.
                fill.counter_amount -= fill.fee;
                brl -= 2 * fill.counter_amount;
                fill.fee = 0;
            }
            case.exchange_closes("usdt", usdt);
            case.exchange_closes("brl", brl);
        },
        findings: &[("differs", "sign"), ("differs", "sign")],
        balances: &[],
    },
    Plant {
        name: "on another day",
        change: |case| fills(case).into_iter().for_each(|fill| fill.at += DAY),
        findings: &[("differs", "day"), ("differs", "day")],
        balances: &[],
    },
    Plant {
        name: "a deposit is missing at the exchange",
        change: |case| {
            let place = row(case, "Deposit");
            case.files.trades.remove(place);
        },
        findings: &[MISSING],
        balances: &[USDT],
    },
    Plant {
        name: "two deposits of one amount",
        change: |case| {
            let place = row(case, "Deposit");
            let mut again = case.files.trades[place].clone();
            "dep-again".clone_into(&mut again.id);
            case.exchange_closes("usdt", again.amount);
            case.files.trades.push(again);
        },
        findings: &[("ambiguous", "ambiguous")],
        balances: &[],
    },
    Plant {
        name: "a withdrawal is missing at the exchange",
        change: |case| {
            let place = row(case, "Withdrawal");
            case.files.trades.remove(place);
        },
        findings: &[MISSING],
        balances: &[BRL],
    },
    Plant {
        name: "a withdrawal that was charged for",
        change: |case| {
            let place = row(case, "Withdrawal");
            let line = &mut case.files.trades[place];
            (line.fee, line.fee_asset) = (2_500_000, "BRL");
            case.exchange_closes("brl", -2_500_000);
        },
        findings: &[("theirs only", "fee")],
        balances: &[],
    },
    Plant {
        name: "less at the exchange than its movements say",
        change: |case| case.exchange_closes("usdt", -1),
        findings: &[],
        balances: &[USDT],
    },
];
