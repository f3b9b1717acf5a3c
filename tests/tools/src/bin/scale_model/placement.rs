//! Accounts placed in cells, when they are as unlike as businesses are.

use super::dice::Dice;

/// Accounts, of which the n-th largest does a share of `1 / n`: Zipf's law.
const ACCOUNTS: u32 = 10_000;

/// The share of all work that the fullest of so many cells has: with accounts placed by their hash,
/// and with each placed, the largest first, where least is.
pub fn fullest(cells: u32) -> (f64, f64) {
    let mut dice = Dice(7);
    let whole: f64 = (1..=ACCOUNTS).map(|rank| 1.0 / f64::from(rank)).sum();
    let mut hashed = vec![0.0; usize::try_from(cells).expect("it fits a word")];
    let mut roomy = hashed.clone();
    for rank in 1..=ACCOUNTS {
        let share = 1.0 / f64::from(rank) / whole;
        let place = dice.next() % u64::from(cells);
        hashed[usize::try_from(place).expect("it fits a word")] += share;
        let least = roomy.iter_mut().min_by(|one, other| one.total_cmp(other));
        *least.expect("there is a cell") += share;
    }
    let most = |cells: &[f64]| cells.iter().copied().fold(0.0, f64::max);
    (most(&hashed), most(&roomy))
}
