//! The same by arithmetic alone.

use super::measured;

/// Seconds of a year.
const YEAR: f64 = 365.25 * 86_400.0;

/// How many times the mean the busiest hour of the busiest day has.
const PEAK: f64 = 10.0;

/// Subaccounts for each thousand records of a year.
const SUBACCOUNTS: f64 = 1.0;

/// What a machine of a cell has: bytes of memory and of disk, and how long it may take to open.
const MEMORY: f64 = 64.0 * GIB;
const DISK: f64 = 4.0 * 1024.0 * GIB;
const PATIENCE: f64 = 60.0;

/// How busy a writer may be in the busiest hour, so that it catches up after a loss.
const BUSY: f64 = 0.5;

/// How long a full audit may take: a night.
const NIGHT: f64 = 8.0 * 3_600.0;

const GIB: f64 = 1_073_741_824.0;

/// A line of a table: what it is, and its figure for so many records a year.
type Row = (&'static str, fn(f64) -> String);

/// The same for all cells together.
type Total = (&'static str, fn(f64, u32) -> String);

pub const ROWS: [Row; 9] = [
    ("records a year", count),
    ("requests/s, mean", |year| count(year / YEAR)),
    ("requests/s in the busiest hour", |year| count(year / YEAR * PEAK)),
    ("writer busy in that hour", |year| format!("{:.4}", busy(year / YEAR * PEAK))),
    ("file, a year's growth", |year| bytes(year * measured::DISK)),
    ("memory after a year", |year| bytes(memory(year))),
    ("opened from a snapshot after a year", |year| {
        time(year * measured::SNAPSHOT / measured::OPENED)
    }),
    ("opened from the first record", |year| time(year / measured::REPLAYED)),
    ("a full audit of the year", |year| time(year / measured::AUDITED)),
];

pub const TOTALS: [Total; 4] = [
    ("files, a year's growth", |year, _| bytes(year * measured::DISK)),
    ("memory after a year", |year, cells| {
        let each = year / f64::from(cells);
        bytes(memory(each) * f64::from(cells))
    }),
    ("as objects: kept, dollars a month after a year", |year, _| {
        format!("${:.0}", year * measured::OBJECTS / 1e9 * 0.023)
    }),
    ("as objects: commits 10 ms apart all year, dollars a month", |_, cells| {
        let commits = YEAR / 12.0 * 100.0;
        format!("${:.0}", commits * measured::PUT * f64::from(cells))
    }),
];

/// Records a year at which a cell runs out of each.
pub fn limits() -> Vec<(&'static str, f64)> {
    vec![
        ("memory: 64 GiB, a year kept", MEMORY / (memory(1e9) / 1e9)),
        ("disk: 4 TiB, a year kept", DISK / measured::DISK),
        (
            "opening from a snapshot within a minute",
            PATIENCE * measured::OPENED / measured::SNAPSHOT,
        ),
        ("a full audit within a night", NIGHT * measured::AUDITED),
        (
            "half of what a writer can answer, in the busiest hour",
            BUSY / measured::REQUEST / PEAK * YEAR,
        ),
    ]
}

fn memory(year: f64) -> f64 {
    year * measured::ENDED + year / 1e3 * SUBACCOUNTS * measured::SUBACCOUNT
}

/// The share of time in which a writer decides or writes, at so many requests a second.
///
/// A commit begins when the one before it is written, or when somebody asks; it takes one sync and
/// the time of each that shares it. Those that come during one share the next, and where none came
/// there is a pause until the first does.
pub fn busy(rate: f64) -> f64 {
    let mut size = 1.0;
    for _ in 0..200 {
        let took = measured::SYNC + size * measured::REQUEST;
        // What comes in it, and one at least: who finds nothing waits for the first.
        let come = rate * took;
        size = come + (-come).exp();
    }
    let took = measured::SYNC + size * measured::REQUEST;
    let pause = (-(rate * took)).exp() / rate;
    took / (took + pause)
}

/// Seconds from the loss of the writer until what came meanwhile is done beside what goes on
/// coming.
pub fn recovered(rate: f64) -> f64 {
    let waiting = rate * measured::TAKE_OVER;
    let spare = 1.0 / measured::REQUEST - rate;
    measured::TAKE_OVER + waiting / spare
}

/// A number with as many digits as say something.
pub fn count(number: f64) -> String {
    let (number, unit) = match number {
        it if it >= 1e9 => (it / 1e9, " billion"),
        it if it >= 1e6 => (it / 1e6, " million"),
        it => (it, ""),
    };
    let whole = number.fract() == 0.0;
    let digits = if whole { 0 } else { usize::from(number < 100.0) + usize::from(number < 1.0) };
    let text = format!("{number:.digits$}");
    if number >= 1_000.0 {
        let (head, tail) = text.split_at(text.len() - 3);
        return format!("{head},{tail}{unit}");
    }
    text + unit
}

fn bytes(number: f64) -> String {
    match number {
        it if it >= 1024.0 * GIB => format!("{:.1} TiB", it / GIB / 1024.0),
        it if it >= GIB => format!("{:.1} GiB", it / GIB),
        it => format!("{:.0} MiB", it / GIB * 1024.0),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        it if it >= 7_200.0 => format!("{:.1} h", it / 3_600.0),
        it if it >= 120.0 => format!("{:.0} min", it / 60.0),
        it if it >= 10.0 => format!("{it:.0} s"),
        it => format!("{it:.2} s"),
    }
}
