//! Promises of the simulator: one seed is one history, many seeds pass and reach every goal, and a
//! disagreement is caught with the line that shows it again.

use ledger_sim::{Faults, Report, Settings, run_many, simulate};

fn passes(settings: Settings) -> Report {
    simulate(&settings).unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn five_hundred_seeds_pass_and_reach_every_goal() {
    let report = run_many(0..500, 1_000, 2).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(report.runs, 500);
    assert_eq!(report.unreached(), [], "{report}");
}

#[test]
fn the_same_seed_gives_the_same_history() {
    let run = || passes(Settings::commands(11, 1_500));
    assert_eq!(run().history(), run().history());
}

#[test]
fn another_seed_gives_another_history() {
    let run = |seed| passes(Settings::commands(seed, 300));
    assert_ne!(run(1).history(), run(2).history());
}

#[test]
fn threads_change_nothing_but_the_time_it_takes() {
    let run = |threads| {
        let report = run_many(40..48, 400, threads).unwrap_or_else(|failure| panic!("{failure}"));
        (report.history(), report.commands, report.records)
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_run_may_last_for_days_instead_of_commands() {
    let report = passes(Settings::days(5, 20));
    assert!(report.commands > 250, "{report}");
}

#[test]
fn a_calm_world_has_no_crash() {
    for level in [Faults::None, Faults::Fair] {
        let report = passes(Settings::commands(9, 6_000).with_faults(level));
        assert_eq!(report.crashes == 0, level == Faults::None, "{report}");
    }
}

#[test]
fn a_wrong_oracle_is_caught_and_the_first_line_runs_it_again() {
    let settings = Settings::commands(3, 1_000).with_a_wrong_oracle();
    let failure = simulate(&settings).expect_err("the oracle's fee is off by one");
    let told = failure.to_string();
    assert!(told.starts_with("simulate --seed 3 --commands 1000 --faults storm\n"), "{told}");
    assert!(told.contains("rev.deposit"), "{told}");
    assert!(failure.last.len() <= 20, "{told}");
}
