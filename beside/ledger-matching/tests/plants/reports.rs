//! Differences in what the ledger was told.

use serde_json::json;

use super::{Case, Plant};
use crate::world::Report;
use crate::world::time::DAY;

/// The place of a fact of this name, the same one each time.
fn fact(case: &Case, name: &str, number: usize) -> usize {
    let places = case.reports.iter().enumerate().filter(|(_, it)| it.line["fact"] == name);
    places.map(|(place, _)| place).nth(number).expect("a month has some")
}

/// The place of a PIX received that the provider posts on its own line.
fn received(case: &Case, number: usize) -> usize {
    let is_single = |it: &Report| {
        let e2e = it.line["body"]["e2e"].as_str();
        it.line["fact"] == "pix.received" && e2e.is_some_and(|id| id.starts_with("E90400888"))
    };
    let places = case.reports.iter().enumerate().filter(|(_, it)| is_single(it));
    places.map(|(place, _)| place).nth(number).expect("a month has some")
}

/// A deposit on Polygon whose payment is taken out of the month, on both sides.
fn unpaid_sale(case: &mut Case) -> usize {
    let place = case
        .reports
        .iter()
        .position(|it| {
            it.line["fact"] == "deposit.confirmed" && it.line["body"]["network"] == "polygon"
        })
        .expect("a month has some");
    let order = case.reports[place].line["body"]["cashout_id"].clone();
    let is_payment =
        |it: &Report| it.line["fact"] == "cashout.paid" && it.line["body"]["cashout_id"] == order;
    let payment = case.reports.iter().position(is_payment).expect("it is paid");
    let e2e = case.reports.remove(payment).line["body"]["e2e"].clone();
    let line = case.files.bank.iter().position(|line| line.id == e2e).expect("it is a line");
    case.files.bank_ends.1 -= case.files.bank.remove(line).cents;
    place
}

pub const PLANTS: &[Plant] = &[
    Plant {
        name: "a PIX received was not told",
        change: |case| {
            let place = received(case, 90);
            case.reports.remove(place);
        },
        findings: &[("theirs only", "unreported")],
        balances: &[],
    },
    Plant {
        name: "a PIX was told with another amount",
        change: |case| {
            let place = received(case, 90);
            let body = &mut case.reports[place].line["body"];
            body["amount_cents"] = json!(body["amount_cents"].as_i64().unwrap() - 1);
        },
        findings: &[("differs", "amount")],
        balances: &[],
    },
    Plant {
        name: "a transaction was told by another hash",
        change: |case| {
            let place = fact(case, "delivery.sent", 5);
            case.reports[place].line["body"]["tx_hash"] = json!(format!("0x{}", "cd".repeat(32)));
        },
        findings: &[("ours only", "missing"), ("theirs only", "unreported")],
        balances: &[],
    },
    Plant {
        name: "a deposit was seen and never confirmed",
        change: |case| {
            let place = unpaid_sale(case);
            case.reports[place].line["fact"] = json!("deposit.seen");
        },
        findings: &[("differs", "unconfirmed")],
        balances: &[],
    },
    Plant {
        name: "a deposit was told to have vanished",
        change: |case| {
            let place = unpaid_sale(case);
            case.reports[place].line["fact"] = json!("deposit.seen");
            let mut vanished = case.reports[place].clone();
            let body = &vanished.line["body"];
            let body = json!({"cashout_id": body["cashout_id"], "tx_hash": body["tx_hash"]});
            vanished.line["fact"] = json!("deposit.vanished");
            vanished.line["body"] = body;
            case.reports.insert(place + 1, vanished);
        },
        findings: &[("differs", "vanished")],
        balances: &[],
    },
    Plant {
        name: "the tariffs of a day were not booked",
        change: |case| {
            let booked = case.reports.iter().position(|it| {
                it.line["body"]["to"] == "tariff.due" && it.line["body"]["amount_cents"] == 70
            });
            case.reports.remove(booked.expect("a month has some"));
        },
        findings: &[("theirs only", "fee"), ("theirs only", "fee")],
        balances: &[],
    },
    Plant {
        name: "the gas of a day was booked otherwise",
        change: |case| {
            let booked = case
                .reports
                .iter_mut()
                .find(|it| it.line["body"]["asset"] == "trx" && it.line["body"]["to"] == "exp.gas");
            booked.expect("a month has some").line["body"]["amount"] = json!("1.5");
        },
        findings: &[("differs", "fee")],
        balances: &[],
    },
    Plant {
        name: "a PIX was told to be of the day before",
        change: |case| {
            let place = received(case, 40);
            let at = crate::world::time::rfc3339(case.reports[place].at - DAY);
            case.reports[place].line["body"]["paid_at"] = json!(at);
        },
        findings: &[("differs", "day")],
        balances: &[],
    },
    Plant {
        name: "own coins were booked that never came",
        change: |case| {
            case.files.transfers.retain(|it| it.amount != 10_000_000_000);
            case.chain_closes("usdt", -10_000_000_000);
        },
        findings: &[("ours only", "missing")],
        balances: &[],
    },
];
