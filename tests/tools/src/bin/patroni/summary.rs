//! What the rounds of all clusters came to.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::round::Fault;

/// The rounds by fault.
#[derive(Default)]
pub struct Summary {
    faults: BTreeMap<Fault, Rounds>,
    /// Rows that were acknowledged to whoever wrote to each server by itself.
    rows: u64,
    /// Servers that have acknowledged some, of all clusters.
    servers: u64,
}

#[derive(Default)]
struct Rounds {
    /// The longest time without an answer of each round, in milliseconds.
    unanswered: Vec<u64>,
    acknowledged: u64,
    lost: u64,
    twice: i64,
    repeated: u64,
    reopened: u64,
}

impl Summary {
    /// Takes the lines that a cluster printed.
    pub fn take(&mut self, lines: &[String]) -> Result<(), Box<dyn Error>> {
        for line in lines {
            let fields: Vec<_> = line.split('\t').collect();
            match fields[..] {
                ["round", fault, unanswered, acknowledged, lost, twice, repeated, reopened] => {
                    let rounds = self.faults.entry(fault.parse()?).or_default();
                    rounds.unanswered.push(unanswered.parse()?);
                    rounds.acknowledged += acknowledged.parse::<u64>()?;
                    rounds.lost += lost.parse::<u64>()?;
                    rounds.twice += twice.parse::<i64>()?.abs();
                    rounds.repeated += repeated.parse::<u64>()?;
                    rounds.reopened += reopened.parse::<u64>()?;
                }
                ["end", rows, servers] => {
                    self.rows += rows.parse::<u64>()?;
                    self.servers += servers.parse::<u64>()?;
                }
                _ => return Err(format!("a line that nobody prints: {line}").into()),
            }
        }
        for rounds in self.faults.values_mut() {
            rounds.unanswered.sort_unstable();
        }
        Ok(())
    }

    /// Fails where anything was lost or done twice.
    pub fn check(&self) -> Result<(), Box<dyn Error>> {
        for (fault, rounds) in &self.faults {
            if rounds.lost > 0 || rounds.twice != 0 {
                let Rounds { lost, twice, .. } = rounds;
                return Err(format!("{fault}: {lost} lost, {twice} done twice").into());
            }
        }
        if self.rows == 0 || self.servers < 2 {
            return Err("no two servers were written to by themselves: nothing was proved".into());
        }
        Ok(())
    }
}

/// A table as it stands in docs/engines.md, and a line below it.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| Fault | Rounds | Acknowledged | Lost | Twice | Median | Worst |")?;
        writeln!(f, "|---|---|---|---|---|---|---|")?;
        let (mut count, mut repeated, mut reopened) = (0, 0, 0);
        for (fault, rounds) in &self.faults {
            let Rounds { unanswered, acknowledged, lost, twice, .. } = rounds;
            let number = unanswered.len();
            let [median, worst] = [number / 2, number - 1].map(|index| seconds(unanswered[index]));
            writeln!(
                f,
                "| {fault} | {number} | {acknowledged} | {lost} | {twice} | {median} | {worst} |"
            )?;
            count += number;
            repeated += rounds.repeated;
            reopened += rounds.reopened;
        }
        writeln!(
            f,
            "{count} rounds; {repeated} calls were repeated, {reopened} engines opened anew; \
             {} rows by {} servers, each there, and one writer at any time",
            self.rows, self.servers
        )
    }
}

/// Milliseconds, with one digit of seconds.
fn seconds(millis: u64) -> String {
    format!("{}.{} s", millis / 1_000, millis % 1_000 / 100)
}
