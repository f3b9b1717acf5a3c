//! Pairs that matched are kept: further statements go on from there, and nothing is matched again.
#![allow(missing_docs)] // The names of tests are sentences.

mod world;

use std::collections::HashSet;

use ledger_matching::{
    Day, Inputs, KeptMatches, MatchResult, OwnBooks, Period, Report, Rules, Statement,
    match_statements,
};
use world::World;
use world::statements::{Files, RULES};
use world::time::{DAY, month_begins};

/// The files of the days from the first to before the last, with what accounts had at both ends.
fn files_of_days(world: &World, from: i64, to: i64) -> Files {
    let (begins, ends) = (month_begins() + from * DAY, month_begins() + to * DAY);
    let before = Files::from_world(&cut(world, i64::MIN, begins));
    let until = Files::from_world(&cut(world, i64::MIN, ends));
    let mut files = Files::from_world(&cut(world, begins, ends));
    files.bank_ends = (before.bank_ends.1, until.bank_ends.1);
    for (place, end) in files.chain_ends.iter_mut().enumerate() {
        (end.2, end.3) = (before.chain_ends[place].3, until.chain_ends[place].3);
    }
    for (place, end) in files.exchange_ends.iter_mut().enumerate() {
        (end.1, end.2) = (before.exchange_ends[place].2, until.exchange_ends[place].2);
    }
    files.days = (from, to);
    files
}

/// The movements outside between two instants.
fn cut(world: &World, from: i64, to: i64) -> World {
    let mut part = World::empty();
    part.bank = world.bank.iter().filter(|it| it.at >= from && it.at < to).cloned().collect();
    part.transfers =
        world.transfers.iter().filter(|it| it.at >= from && it.at < to).cloned().collect();
    part.trades = world.trades.iter().filter(|it| it.at >= from && it.at < to).cloned().collect();
    part.bank_opening = world.bank_opening;
    part.chain_opening.clone_from(&world.chain_opening);
    part.exchange_opening.clone_from(&world.exchange_opening);
    part
}

fn match_days(
    books: &OwnBooks,
    statements: &[Statement],
    days: (&str, &str),
    kept: &mut KeptMatches,
) -> (MatchResult, serde_json::Value) {
    let rules = Rules::parse("rules.toml", RULES).unwrap();
    let other = HashSet::new();
    let period = Period { from: Day::parse(days.0).unwrap(), to: Day::parse(days.1).unwrap() };
    let inputs = Inputs { books, statements, rules: &rules, period, other_environment: &other };
    let matched = match_statements(inputs, kept);
    let json = Report { ledger: "live", inputs, matched: &matched }.json(false);
    (matched, json)
}

#[test]
fn a_month_in_three_parts_is_matched_once() {
    let world = World::new(11);
    let books = world::ledger::books_of(&world.reports);
    let mut kept = KeptMatches::new("live");
    let mut movements = 0;
    for (from, to, days) in [
        (0, 10, ("2026-11-01", "2026-11-10")),
        (10, 20, ("2026-11-11", "2026-11-20")),
        (20, 30, ("2026-11-21", "2026-11-30")),
    ] {
        let statements = files_of_days(&world, from, to).read().unwrap();
        movements += statements.iter().map(|it| it.movements.len()).sum::<usize>();
        // As the file has it: what is read is what was written.
        kept = KeptMatches::parse("kept", &kept.text(), "live").unwrap();
        let (matched, json) = match_days(&books, &statements, days, &mut kept);
        assert_eq!(
            matched.open_count(),
            0,
            "{days:?}: {:#} {:#}",
            json["findings"],
            json["balance_findings"]
        );
        assert_eq!(matched.matched_before, 0);
    }
    assert_eq!(kept.len(), movements);

    let again = Files::from_world(&world).read().unwrap();
    let (matched, json) = match_days(&books, &again, ("2026-11-01", "2026-11-30"), &mut kept);
    assert_eq!(
        (matched.pairs.len(), matched.matched_before),
        (0, movements),
        "{:#}",
        json["findings"]
    );
    assert_eq!(matched.open_count(), 0, "{:#}", json["findings"]);
}

#[test]
fn a_statement_that_says_otherwise_later_is_named() {
    let world = World::new(12);
    let books = world::ledger::books_of(&world.reports);
    let mut kept = KeptMatches::new("live");
    let days = ("2026-11-01", "2026-11-30");
    let mut files = Files::from_world(&world);
    let (first, _) = match_days(&books, &files.read().unwrap(), days, &mut kept);
    assert_eq!(first.open_count(), 0);
    files.bank.iter_mut().find(|line| line.kind == "PIX").unwrap().cents += 1;
    files.bank_ends.1 += 1;
    let (second, json) = match_days(&books, &files.read().unwrap(), days, &mut kept);
    assert_eq!(second.open_count(), 1, "{:#}", json["findings"]);
    assert_eq!(json["findings"][0]["by"][0], "changed");
}

#[test]
fn kept_matches_of_another_ledger_are_refused() {
    let text = KeptMatches::new("sandbox").text();
    let refused = KeptMatches::parse("kept", &text, "live").unwrap_err().to_string();
    assert_eq!(refused, "kept:1:26: these are matches of the sandbox ledger, not of live");
    let refused = KeptMatches::parse("kept", "custody-ledger matches 1 live\nmatch\tzz\n", "live");
    assert_eq!(refused.unwrap_err().to_string(), "kept:2:1: this is no match and no balance");
}
