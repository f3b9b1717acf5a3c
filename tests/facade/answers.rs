//! Every answer of the examples reads as its type, and is written again as it was.

use std::collections::BTreeSet;

use custody_ledger::view::{
    Balance, CashOut, CashOuts, Charge, ChargeDetail, Charges, Payout, Payouts, StatementPage,
    Transfer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const EXAMPLES: [(&str, &str); 2] = [
    (
        include_str!("../../examples/whole-contract.jsonl"),
        include_str!("../../examples/whole-contract.answers.jsonl"),
    ),
    (
        include_str!("../../examples/sandbox.jsonl"),
        include_str!("../../examples/sandbox.answers.jsonl"),
    ),
];

#[test]
fn what_is_read_as_a_type_is_written_as_it_came() {
    let mut read = BTreeSet::new();
    for (lines, answers) in EXAMPLES {
        for answer in answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let line = usize::try_from(answer["line"].as_u64().unwrap_or_default()).unwrap();
            let Some(asked) = line.checked_sub(1).and_then(|line| lines.lines().nth(line)) else {
                continue;
            };
            let asked: Value = serde_json::from_str(asked).unwrap_or(json!({}));
            let Some(route) = asked["request"].as_str().filter(|_| answer["status"] == 200) else {
                continue;
            };
            read.extend(reads(route, &answer["body"]));
        }
    }
    assert!(read.len() >= 7, "{read:?}");
}

fn reads(route: &str, body: &Value) -> Option<&'static str> {
    let path = route.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    Some(match parts[..] {
        ["POST ", "cashin", "charge"] => same::<Charge>(route, body),
        ["GET ", "cashin", "charges"] => same::<Charges>(route, body),
        ["GET ", "cashin", _, "status"] | ["POST ", "saldo", "sacar-cripto"] => {
            same::<ChargeDetail>(route, body)
        }
        ["POST ", "saldo", "transferir"] => same::<Transfer>(route, body),
        ["POST ", "payouts"] => same::<Payout>(route, body),
        ["GET ", "payouts"] => same::<Payouts>(route, body),
        ["GET ", "cash-outs"] => same::<CashOuts>(route, body),
        ["POST ", "cash-outs", "preview"] => return None,
        ["POST " | "GET ", "cash-outs", ..] => same::<CashOut>(route, body),
        ["GET ", "saldo"] => same::<Balance>(route, body),
        ["GET ", "saldo", "extrato"] => same::<StatementPage>(route, body),
        _ => return None,
    })
}

fn same<T: Serialize + DeserializeOwned>(route: &str, body: &Value) -> &'static str {
    let typed: T = serde_json::from_value(body.clone())
        .unwrap_or_else(|error| panic!("{route}: {error}: {body}"));
    assert_eq!(&serde_json::to_value(&typed).unwrap(), body, "{route}");
    std::any::type_name::<T>()
}
