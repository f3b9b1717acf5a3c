//! What a killed run had made durable and not given can still be had: every answer, every event.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::dice::Dice;
use super::program::{answers, finished, killed, run, typed};
use super::running::Running;
use super::undisturbed::Undisturbed;

/// How often the run is killed.
const KILLS: usize = 25;

#[test]
fn killed_at_any_moment_a_run_loses_no_answer_and_no_event() {
    let whole = Undisturbed::town(17, 1_500);
    let events_of = |name: &str| whole.store(&format!("{name}.events.jsonl"));
    let to = |mut command: Command, store: &str| {
        command.args(["--events", &events_of(store)]);
        command
    };
    let store_of = |name: &str| whole.store(&format!("{name}.db"));
    let run_to = |store: &str| to(run(&whole.file, &store_of(store)), store);
    finished(run_to("undisturbed"));
    let expected = fs::read_to_string(events_of("undisturbed")).unwrap();
    assert!(expected.lines().count() > 300, "{}", expected.lines().count());

    let mut dice = Dice(18);
    let each = whole.answers.len() / KILLS;
    let (mut kills, mut unheard) = (0, 0);
    for _ in 0..KILLS {
        let moment = Duration::from_micros(dice.below(3_000) as u64);
        let command = to(typed(&whole.file, &store_of("killed")), "killed");
        let running = Running::start(command, Some(&whole.file));
        let (heard, ran) = killed(running, 1 + dice.below(each), moment);
        kills += usize::from(ran);
        let written = fs::read_to_string(events_of("killed")).unwrap();
        unheard += usize::from(!expected.starts_with(&written) || heard.is_empty());
        whole.assert_agrees(&heard);
    }
    assert!(kills > KILLS / 2, "{kills} {unheard}");
    finished(run_to("killed"));
    let written = fs::read_to_string(events_of("killed")).unwrap();
    assert_eq!(written.lines().count(), expected.lines().count());
    assert_eq!(written, expected);

    let mut all = run_to("killed");
    all.args(["--answers-from", "1"]);
    let said = finished(all);
    assert_eq!(answers(&said.out), whole.answers);
    assert_eq!(fs::read_to_string(events_of("killed")).unwrap(), expected);
}
