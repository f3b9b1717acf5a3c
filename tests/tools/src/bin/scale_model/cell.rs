//! One cell, simulated: requests come when they come, share the commit that begins when the one
//! before it is written, and for a while there is no writer.

use std::collections::VecDeque;

use super::dice::Dice;
use super::measured;

/// Seconds that are simulated, and when the writer is lost.
const LASTS: f64 = 60.0;
const LOST_AT: f64 = 30.0;

/// What was seen.
pub struct Day {
    /// The share of time in which something was decided or written, while there was a writer.
    pub busy: f64,
    /// Seconds to an answer, in the middle, of requests before the loss.
    pub median: f64,
    /// Seconds within which 99 of 100 were answered, before the loss.
    pub most: f64,
    /// Seconds from the loss until a commit holds no more than before it.
    pub recovered: f64,
}

impl Day {
    /// So many requests a second.
    pub fn simulate(rate: f64) -> Self {
        let mut dice = Dice(2_026);
        let mut coming = dice.wait(rate);
        let mut waiting = VecDeque::new();
        let (mut now, mut worked) = (0.0, 0.0);
        let mut answers = Vec::new();
        let mut usual = 0;
        let mut recovered = None;
        while now < LASTS {
            while coming <= now {
                waiting.push_back(coming);
                coming += dice.wait(rate);
            }
            let lost = LOST_AT..LOST_AT + measured::TAKE_OVER;
            if lost.contains(&now) {
                now = lost.end;
                continue;
            }
            if waiting.is_empty() {
                now = coming;
                continue;
            }
            let took = commit(waiting.len());
            now += took;
            if now < LOST_AT {
                worked += took;
                usual = usual.max(waiting.len());
                answers.extend(waiting.drain(..).map(|came| now - came));
            } else {
                let many = waiting.len();
                waiting.clear();
                if now > lost.end && many <= usual {
                    recovered.get_or_insert(now - LOST_AT);
                }
            }
        }
        answers.sort_unstable_by(f64::total_cmp);
        let (median, most) = (answers[answers.len() / 2], answers[answers.len() * 99 / 100]);
        let recovered = recovered.unwrap_or(f64::INFINITY);
        Self { busy: worked / LOST_AT, median, most, recovered }
    }
}

/// Seconds that a commit of so many takes: deciding and answering them, and one sync of the disk.
#[allow(clippy::cast_precision_loss)] // Far fewer than 2^53.
fn commit(requests: usize) -> f64 {
    measured::SYNC + requests as f64 * measured::REQUEST
}
