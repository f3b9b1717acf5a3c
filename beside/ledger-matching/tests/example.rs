//! The day of `docs/matching.md`: its books and its statements, as the page's commands read them.
#![allow(missing_docs)] // The names of tests are sentences.

mod world;

use std::collections::HashSet;

use ledger_matching::read::columns::Columns;
use ledger_matching::read::{chain, exchange, provider};
use ledger_matching::{Inputs, KeptMatches, Period, Report, Rules, match_statements};
use world::Report as WorldReport;

const COLUMNS: &str = include_str!("../../../examples/matching/columns.toml");
const RULES: &str = include_str!("../../../examples/matching/rules.toml");
const DAY: &str = include_str!("../../../examples/matching/day.jsonl");
const BANK: &str = include_str!("../../../examples/matching/bank.csv");
const TRON: &str = include_str!("../../../examples/matching/tron.json");
const EXCHANGE: &str = include_str!("../../../examples/matching/exchange.csv");

#[test]
fn one_pix_of_the_example_is_with_the_provider_alone() {
    let told = DAY.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let label = line["as"].as_str().map(str::to_owned);
        WorldReport { at: 0, label, line }
    });
    let books = world::ledger::books_of(&told.collect::<Vec<_>>());
    let columns = Columns::parse("columns.toml", COLUMNS).unwrap();
    let rules = Rules::parse("rules.toml", RULES).unwrap();
    let mapping = columns.provider.as_ref();
    let statements = [
        provider::read(("bank.csv", 0), BANK.as_bytes(), mapping, &rules.provider).unwrap(),
        chain::read(("tron.json", 1), TRON.as_bytes()).unwrap(),
        exchange::read(
            ("exchange.csv", 2),
            EXCHANGE.as_bytes(),
            columns.exchange.as_ref().unwrap(),
        )
        .unwrap(),
    ];
    let period = Period { from: statements[0].from.unwrap(), to: statements[0].to.unwrap() };
    let other = HashSet::new();
    let (books, statements, rules) = (&books, &statements[..], &rules);
    let inputs = Inputs { books, statements, rules, period, other_environment: &other };
    let matched = match_statements(inputs, &mut KeptMatches::new("live"));
    let report = Report { ledger: "live", inputs, matched: &matched };
    let json = report.json(true);
    assert_eq!(report.open_count(), 1, "{:#} {:#}", json["findings"], json["balance_findings"]);
    let finding = &json["findings"][0];
    assert_eq!(
        (&finding["outcome"], &finding["by"][0]),
        (&"theirs only".into(), &"unreported".into())
    );
    assert_eq!(finding["theirs"][0]["line"], 8);
    assert_eq!(finding["theirs"][0]["amount"], "25.00");
    let hash = json["statements"][0]["sha256"].as_str().unwrap();
    assert_eq!(hash.len(), 64);
    assert_eq!(json["balances"].as_array().unwrap().len(), 5);
}
