//! The crate against a second implementation, over random histories under each rule. `TRACED=N`
//! runs so many histories; `TRACED_FROM=SEED` begins with another seed.
#![allow(missing_docs)] // The names of tests are sentences.

mod second;

use ledger_trace::Rule;
use second::{Compared, compare};

/// How many histories of each rule a test run compares.
const HISTORIES: u64 = 1_000;

/// How many actions a history draws; three of four become steps.
const ACTIONS: usize = 40;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("it is a number"))
}

fn compare_all(rule: Rule) {
    let (first, count) =
        (from_environment("TRACED_FROM", 1), from_environment("TRACED", HISTORIES));
    let mut all = Compared::default();
    for seed in first..first + count {
        all.add(compare(seed, ACTIONS, rule));
    }
    println!("{}: {all:?}", rule.name());
    assert!(all.advances > 0 && all.exchanges > 0 && all.steps > count * 20);
}

#[test]
fn two_implementations_agree_on_every_centavo_first_in_first_out() {
    compare_all(Rule::FirstIn);
}

#[test]
fn two_implementations_agree_on_every_centavo_last_in_first_out() {
    compare_all(Rule::LastIn);
}

#[test]
fn two_implementations_agree_on_every_centavo_in_proportion() {
    compare_all(Rule::Proportion);
}
