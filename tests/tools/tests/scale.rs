//! The tables of docs/scale.md are those that the model prints, and its paper agrees with its
//! simulation.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

use std::fs;
use std::process::Command;

/// What stands around the tables.
const BEGIN: &str = "<!-- printed by `cargo run --release -p ledger-tools --bin scale_model` -->\n";
const END: &str = "<!-- end of what is printed -->";

/// How far apart paper and simulation may be.
const APART: f64 = 0.05;

fn printed() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_scale_model")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_document_shows_what_the_model_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scale.md");
    let document = fs::read_to_string(path).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (shown, after) = rest.split_once(END).unwrap();
    let printed = printed();
    if std::env::var("GOLDEN").is_ok_and(|it| it == "write") {
        fs::write(path, [before, BEGIN, "\n", &printed, "\n", END, after].concat()).unwrap();
        return;
    }
    assert_eq!(shown.trim(), printed.trim(), "GOLDEN=write writes it anew");
}

#[test]
fn paper_and_simulation_agree_on_how_busy_a_writer_is_and_how_soon_it_has_caught_up() {
    let printed = printed();
    let (_, table) = printed.split_once("### The busiest hour").unwrap();
    let (table, _) = table.split_once("\n###").unwrap();
    let mut compared = 0;
    for line in table.lines().filter(|line| line.contains(" ms |")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |cell: usize| -> f64 { cells[cell].trim_end_matches(" s").parse().unwrap() };
        // Both have the two seconds of the take-over, which would hide how far apart they are.
        for (paper, simulated, both, printed_to) in [(2, 3, 0.0, 0.0005), (6, 7, 2.0, 0.005)] {
            let (paper, simulated) = (number(paper) - both, number(simulated) - both);
            assert!((paper - simulated).abs() <= APART * simulated + 2.0 * printed_to, "{line}");
            compared += 1;
        }
    }
    assert_eq!(compared, 10, "{table}");
}
