//! Promises of the simulator: one seed is one history, many seeds pass and reach every goal, and a
//! disagreement is caught with the line that shows it again.

use ledger_sim::{Failure, Faults, Report, Settings, Store, run_many, run_while, simulate};

fn passes(settings: Settings) -> Report {
    simulate(&settings).unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn a_thousand_seeds_pass_and_reach_every_goal() {
    let report = run_many(1..1001, 1_000, 2).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(report.runs, 1_000);
    assert_eq!(report.unreached_goals(), [], "{report}");
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
fn a_seed_that_fails_keeps_no_other_from_being_run_and_all_that_fail_are_counted() {
    let settings = |seed| {
        let sound = Settings::commands(seed, 400);
        if seed % 3 == 0 { sound.with_a_wrong_oracle() } else { sound }
    };
    let seen = std::sync::Mutex::new(Vec::new());
    let watch = |done: &Result<Report, Failure>| {
        seen.lock().unwrap().push(done.is_ok());
        true
    };
    let failures = run_while(21..29, &settings, &Store::Memory, 2, &watch);
    let failures = failures.expect_err("the fee of three of them is off by one");
    let failed: Vec<u64> = failures.failures.iter().map(|it| it.settings.seed).collect();
    assert_eq!((failed, failures.passed.runs), (vec![21, 24, 27], 5));
    assert_eq!(seen.into_inner().unwrap().iter().filter(|passed| **passed).count(), 5);
    let text = failures.to_string();
    assert!(text.starts_with("3 of 8 seeds failed\n"), "{text}");
    for seed in [21, 24, 27] {
        let line = format!("\n  simulate --seed {seed} --commands 400 --faults many: at command ");
        assert!(text.contains(&line), "{text}");
    }
    assert_eq!(failures.lowest().settings.seed, 21);
    assert!(!failures.lowest().last.is_empty());
}

#[test]
fn no_seed_is_begun_once_nobody_wants_another() {
    let settings = |seed| Settings::commands(seed, 50);
    let report = run_while(1..9, &settings, &Store::Memory, 1, &|_| false);
    assert_eq!(report.map(|report| report.runs).map_err(|failures| failures.count()), Ok(1));
}

#[test]
fn a_run_may_last_for_days_instead_of_commands() {
    let report = passes(Settings::days(4, 20));
    assert!(report.commands > 250, "{report}");
}

#[test]
fn a_calm_world_has_no_crash() {
    for level in [Faults::None, Faults::Few] {
        let report = passes(Settings::commands(9, 6_000).with_faults(level));
        assert_eq!(report.crashes == 0, level == Faults::None, "{report}");
    }
}

#[test]
fn a_wrong_oracle_is_caught_and_the_first_line_runs_it_again() {
    let settings = Settings::commands(3, 1_000).with_a_wrong_oracle();
    let failure = simulate(&settings).expect_err("the oracle's fee is off by one");
    let text = failure.to_string();
    assert!(text.starts_with("simulate --seed 3 --commands 1000 --faults many\n"), "{text}");
    assert!(text.contains("rev.deposit"), "{text}");
    assert!(failure.last.len() <= 20, "{text}");
}
