//! Each kind of difference, planted alone in a month: the matching names it as what it is, and
//! nothing besides.
#![allow(missing_docs)] // The names of tests are sentences.

mod plants;
mod world;

use ledger_matching::{
    Day, Inputs, KeptMatches, OwnBooks, Period, Report, Rules, match_statements,
};
use plants::{Case, Plant};
use world::World;
use world::statements::RULES;

/// The seed of the month.
const SEED: u64 = 7;

/// Names with reasons, sorted.
type Reasons = Vec<(String, String)>;

/// The result of a case: findings, balances, and how many lines cannot be read.
fn outcome(case: &Case, books: &OwnBooks) -> (Reasons, Reasons, usize) {
    let rules = Rules::parse("rules.toml", RULES).unwrap();
    let statements = match &case.broken_line {
        None => case.files.read().unwrap(),
        Some(line) => case.files.read_with(line).unwrap(),
    };
    let (from, to) = (Day::parse("2026-11-01").unwrap(), Day::parse("2026-11-30").unwrap());
    let period = Period { from, to };
    let (statements, rules, other_environment) = (&statements[..], &rules, &case.other);
    let inputs = Inputs { books, statements, rules, period, other_environment };
    let matched = match_statements(inputs, &mut KeptMatches::new("live"));
    let report = Report { ledger: "live", inputs, matched: &matched };
    let mut findings = Vec::new();
    for finding in report.findings() {
        let reasons: Vec<&str> = finding.reasons.iter().map(|reason| reason.name()).collect();
        findings.push((finding.outcome.to_owned(), reasons.join(", ")));
    }
    let balances = matched.balance_findings.iter();
    let mut balances: Reasons =
        balances.map(|it| (it.account.name(), it.reason.name().to_owned())).collect();
    findings.sort();
    balances.sort();
    (findings, balances, statements.iter().map(|it| it.unreadable.len()).sum())
}

fn sorted_reasons(pairs: &[(&str, &str)]) -> Reasons {
    let mut pairs: Vec<_> =
        pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect();
    pairs.sort();
    pairs
}

/// Plants each, and lists those that are called something else.
fn check(plants: &[Plant], tells_otherwise: bool) -> Vec<String> {
    let world = World::new(SEED);
    let books = world::ledger::books_of(&world.reports);
    let mut wrong = Vec::new();
    for Plant { name, change, findings, balances } in plants {
        let mut case = Case::new(&world);
        change(&mut case);
        let told = tells_otherwise.then(|| world::ledger::books_of(&case.reports));
        let (found, disagree, unreadable) = outcome(&case, told.as_ref().unwrap_or(&books));
        let expected = (
            sorted_reasons(findings),
            sorted_reasons(balances),
            usize::from(case.broken_line.is_some()),
        );
        if (&found, &disagree, unreadable) != (&expected.0, &expected.1, expected.2) {
            wrong.push(format!("{name}: {found:?} {disagree:?}, not {expected:?}"));
        }
    }
    wrong
}

#[test]
fn differences_at_the_provider_are_named() {
    assert_eq!(check(plants::bank::PLANTS, false), Vec::<String>::new());
}

#[test]
fn differences_on_a_network_are_named() {
    assert_eq!(check(plants::chain::PLANTS, false), Vec::<String>::new());
}

#[test]
fn differences_at_the_exchange_are_named() {
    assert_eq!(check(plants::exchange::PLANTS, false), Vec::<String>::new());
}

#[test]
fn differences_of_what_the_ledger_was_told_are_named() {
    assert_eq!(check(plants::reports::PLANTS, true), Vec::<String>::new());
}

#[test]
fn more_than_forty_kinds_of_difference_are_planted() {
    let all = [
        plants::bank::PLANTS,
        plants::chain::PLANTS,
        plants::exchange::PLANTS,
        plants::reports::PLANTS,
    ];
    let names: std::collections::BTreeSet<&str> =
        all.iter().flat_map(|plants| plants.iter()).map(|plant| plant.name).collect();
    assert!(names.len() >= 40, "{}", names.len());
}
