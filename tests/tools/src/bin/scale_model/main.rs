//! What one, ten and a thousand cells cost and carry, on paper, and whether a simulation with the
//! same measured constants agrees: the tables of docs/scale.md.
//!
//! ```console
//! $ cargo run --release -p ledger-tools --bin scale_model
//! ```
//!
//! It draws from one seed, so it prints the same on every machine.

mod cell;
mod dice;
mod measured;
mod paper;
mod placement;

use cell::Day;

/// Records of a year, over all cells.
const YEAR: f64 = 10e9;

/// How many cells are looked at.
const CELLS: [u32; 3] = [1, 10, 1_000];

fn main() {
    constants();
    by_cells();
    what_breaks_first();
    simulated();
    placed();
}

fn constants() {
    println!("### What was measured\n");
    println!("| Constant | Value | Measured by |");
    println!("|---|---|---|");
    for (what, value, unit, command) in measured::ALL {
        println!("| {what} | {} {unit} | {command} |", paper::count(value));
    }
}

fn by_cells() {
    println!("\n### Ten billion records a year, spread evenly\n");
    println!("| Of each cell | 1 cell | 10 cells | 1,000 cells |");
    println!("|---|---|---|---|");
    for (what, figure) in paper::ROWS {
        let row: Vec<String> = CELLS.iter().map(|cells| figure(YEAR / f64::from(*cells))).collect();
        println!("| {what} | {} |", row.join(" | "));
    }
    println!("\n| Of all cells | 1 cell | 10 cells | 1,000 cells |");
    println!("|---|---|---|---|");
    for (what, figure) in paper::TOTALS {
        let row: Vec<String> = CELLS.iter().map(|cells| figure(YEAR, *cells)).collect();
        println!("| {what} | {} |", row.join(" | "));
    }
}

fn what_breaks_first() {
    println!("\n### What breaks first\n");
    println!("| What one cell runs out of | At so many records a year |");
    println!("|---|---|");
    let mut limits = paper::limits();
    limits.sort_by(|one, other| one.1.total_cmp(&other.1));
    for (what, records) in limits {
        println!("| {what} | {} |", paper::count(records));
    }
}

/// A day's busiest hour, on paper and simulated, with the writer lost in its midst.
fn simulated() {
    println!("\n### The busiest hour, on paper and simulated\n");
    println!(
        "| Requests/s | Writer busy, paper | simulated | Median answer, simulated | 99 of 100 | \
         Back to normal after the writer was lost, paper | simulated |"
    );
    println!("|---|---|---|---|---|---|---|");
    for rate in [317.0, 3_170.0, 15_000.0, 30_000.0, 45_000.0] {
        let day = Day::simulate(rate);
        println!(
            "| {} | {:.3} | {:.3} | {:.2} ms | {:.2} ms | {:.2} s | {:.2} s |",
            paper::count(rate),
            paper::busy(rate),
            day.busy,
            day.median * 1e3,
            day.most * 1e3,
            paper::recovered(rate),
            day.recovered
        );
    }
}

/// Accounts are not alike: how much of everything the fullest cell has.
fn placed() {
    println!("\n### Accounts of unlike size\n");
    println!(
        "| Cells | Fullest cell, placed by hash | Fullest cell, placed where there is most room | \
         An even share |"
    );
    println!("|---|---|---|---|");
    for cells in CELLS {
        let (hashed, roomy) = placement::fullest(cells);
        let many = paper::count(f64::from(cells));
        println!("| {many} | {hashed:.4} | {roomy:.4} | {:.4} |", 1.0 / f64::from(cells));
    }
}
