//! Every answer reads as its type, and is written again byte by byte as it was.

use std::collections::BTreeSet;

use custody_ledger::view::*;
use ledger_core::contract::{AnswerField, AnswerType, CallKind, RouteShape, route_of, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
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

/// Reads a body as the type of this name, and writes it again.
macro_rules! types {
    ($($name:ident)*) => {
        fn written_again(schema: &str, body: &str) -> String {
            match schema {
                $(stringify!($name) => again::<$name>(schema, body),)*
                other => panic!("answers called {other} have no type"),
            }
        }
    };
}

types! {
    Account Agent AgentNetwork AgentRewards Balance BalanceAt CashOut CashOutPreview CashOuts
    Charge ChargeCatalogue ChargeDetail ChargeLimits ChargePreview Charges Commission
    CommissionStatement CommissionWithdrawal ConsolidatedBalance CreatedKey CreatedSandboxKey
    CreatedWalletWithdrawal Customers KeyOwner Mesh PanelLink Payout Payouts ProductionAccess
    Referral RegisteredAgent RotatedKey SaleCatalogue Sandbox SandboxEvents Statement Transfer
    TransferGroup     UpdatedAccount Verification Wallet WalletDeposit WalletDeposits WalletPayment WalletPayments
    WalletQuote WalletWithdrawal WalletWithdrawalQuote WalletWithdrawals WebhookDeliveries
    WebhookTest
}

fn again<T: Serialize + DeserializeOwned>(schema: &str, body: &str) -> String {
    let typed: T =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{schema}: {error}: {body}"));
    serde_json::to_string(&typed).unwrap()
}

#[test]
fn every_answer_of_the_examples_is_written_again_byte_by_byte() {
    let mut read = BTreeSet::new();
    for (lines, answers) in EXAMPLES {
        let lines: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect();
        for answer in answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let line = usize::try_from(answer["line"].as_u64().unwrap()).unwrap();
            let answered = answer["status"].as_u64().is_some_and(|status| status < 300);
            let Some(route) = route_for(&lines[line - 1]).filter(|_| answered) else { continue };
            let (schema, body) = (route.answer.schema, answer["body"].to_string());
            assert_eq!(written_again(schema, &body), body, "line {line}");
            read.insert(schema);
        }
    }
    assert!(read.len() >= 34, "the examples show {read:?}");
}

/// What the reference gives as an example of each answer reads as its type.
#[test]
fn every_answer_that_is_declared_reads_as_its_type() {
    for shape in routes::<JournalArchive, Vault>() {
        let answer = &shape.answer;
        // Its rows are of two views, and an example of both together is of neither.
        if answer.schema == "Statement" {
            continue;
        }
        for nulls in [false, true] {
            written_again(answer.schema, &sample(answer.fields, nulls).to_string());
        }
        if let Some(variant) = answer.variant {
            let answer = &variant.answer;
            written_again(answer.schema, &sample(answer.fields, false).to_string());
        }
    }
}

/// An object of all these fields; with `nulls`, null wherever that may stand.
fn sample(fields: &[AnswerField], nulls: bool) -> Value {
    let value = |field: &AnswerField| match field.holds {
        // An operation that a ledger shows has begun, and so how it is settled is always said.
        _ if nulls && field.nullable && field.name != "settlement_status" => Value::Null,
        AnswerType::Object(_, fields) => sample(fields, nulls),
        AnswerType::Objects(_, fields) => json!([sample(fields, nulls)]),
        _ => field.example(),
    };
    fields.iter().map(|field| (field.name.to_owned(), value(field))).collect()
}

/// The route that a line asks for.
fn route_for(line: &Value) -> Option<&'static RouteShape> {
    let kind = match (line["request"].as_str(), line["command"].as_str()) {
        (Some(request), _) => {
            let (method, target) = request.split_once(' ').expect("a method and a target");
            let (method, target) = (method.to_owned(), target.to_owned());
            CallKind::Request { method, target, key: None }
        }
        (None, Some(name)) => CallKind::Command { name: name.to_owned(), key: None },
        (None, None) => return None,
    };
    route_of::<JournalArchive, Vault>(&kind)
}
