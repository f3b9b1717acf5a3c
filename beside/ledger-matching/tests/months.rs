//! Clean months: four ledgers that describe one month agree in everything. `MATCHED=N` runs so
//! many months; `MATCHED_FROM=SEED` begins with another seed.
#![allow(missing_docs)] // The names of tests are sentences.

mod world;

use std::collections::HashSet;

use ledger_matching::{Day, Inputs, KeptMatches, Period, Report, Rules, match_statements};
use world::World;
use world::statements::{Files, RULES};

/// How many months a test run has.
const MONTHS: u64 = 20;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("it is a number"))
}

#[test]
fn clean_months_have_no_difference() {
    let (first, count) = (from_environment("MATCHED_FROM", 1), from_environment("MATCHED", MONTHS));
    let rules = Rules::parse("rules.toml", RULES).unwrap();
    let (mut movements, mut pairs) = (0, 0);
    for seed in first..first + count {
        let world = World::new(seed);
        let books = world::ledger::books_of(&world.reports);
        let statements = Files::from_world(&world).read().unwrap();
        let other = HashSet::new();
        let (from, to) = (Day::parse("2026-11-01").unwrap(), Day::parse("2026-11-30").unwrap());
        let period = Period { from, to };
        let (books, statements, rules) = (&books, &statements[..], &rules);
        let inputs = Inputs { books, statements, rules, period, other_environment: &other };
        let matched = match_statements(inputs, &mut KeptMatches::new("live"));
        let report = Report { ledger: "live", inputs, matched: &matched };
        let json = report.json(false);
        assert_eq!(
            report.open_count(),
            0,
            "seed {seed}: {:#} {:#}",
            json["findings"],
            json["balance_findings"]
        );
        for held in &matched.balances {
            assert_eq!(held.difference().to_string(), "0.00", "seed {seed}: {held:?}");
        }
        assert_eq!(matched.balances.len(), 7, "seed {seed}");
        movements += statements.iter().map(|it| it.movements.len()).sum::<usize>();
        pairs += matched.pairs.len();
    }
    println!("{count} months, {movements} movements, {pairs} pairs");
    assert!(pairs > 300 * usize::try_from(count).unwrap());
}
