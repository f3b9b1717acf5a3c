//! The checklist of a day: what is done, what a person looks at, and what keeps it from being
//! closed.

use ledger_core::time::Instant;
use serde_json::{Value, json};

use crate::day::{DayToClose, Late, OpenItems};
use crate::evidence::Evidence;

/// The result of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is in order.
    Done,
    /// A person looks at it; the day may be closed.
    Look,
    /// The day may be closed only if a person accepts it.
    Differs,
    /// The day may not be closed.
    Blocks,
}

/// One line of the checklist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, a word.
    pub name: &'static str,
    /// The result, which may keep the day from being closed.
    pub verdict: Verdict,
    /// A sentence for people.
    pub text: String,
}

/// The checks of a day, in the order in which a person goes through them.
#[derive(Clone, Debug)]
pub struct Checklist {
    /// Every check of the day, those that are done included.
    pub checks: Vec<Check>,
}

impl Verdict {
    /// Its word: `done`, `look`, `differs` or `blocks`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Look => "look",
            Self::Differs => "differs",
            Self::Blocks => "blocks",
        }
    }
}

impl Checklist {
    /// Goes through a day and its evidence, at an instant of the clock.
    #[must_use]
    pub fn new(day: &DayToClose, evidence: &Evidence, now: Instant) -> Self {
        let checks = vec![
            over(day, now),
            order(day),
            trial_balance(day),
            statements(evidence),
            matching(evidence),
            open_items("open", &day.open, "waits or is held"),
            late("late", &day.late, "came on the day and belongs to a day before"),
            late("came_after", &day.came_after, "came after the day and belongs to it"),
        ];
        Self { checks }
    }

    /// The checks that keep the day from being closed.
    pub fn blockers(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.verdict == Verdict::Blocks)
    }

    /// The checks that a person must accept.
    pub fn differences(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.verdict == Verdict::Differs)
    }

    /// All of it as JSON: a list of objects of `check`, `verdict` and `text`.
    #[must_use]
    pub fn json(&self) -> Value {
        let checks = self.checks.iter().map(|check| {
            json!({ "check": check.name, "verdict": check.verdict.name(), "text": check.text })
        });
        checks.collect()
    }
}

fn check(name: &'static str, verdict: Verdict, text: impl Into<String>) -> Check {
    Check { name, verdict, text: text.into() }
}

fn over(day: &DayToClose, now: Instant) -> Check {
    let name = day.day;
    match &day.book {
        None => check("over", Verdict::Blocks, format!("the ledger had no record by {name}")),
        Some(book) if book.ends <= now.max(day.now) => {
            check("over", Verdict::Done, format!("{name} is over, record {} last", day.last))
        }
        Some(_) => check("over", Verdict::Blocks, format!("{name} is not over")),
    }
}

fn order(day: &DayToClose) -> Check {
    if day.history.is_closed(day.day) {
        return check("order", Verdict::Blocks, format!("{} is closed already", day.day));
    }
    match day.history.last_closed() {
        None => check("order", Verdict::Done, "it is the first day that is closed"),
        Some(last) if last.close.ends == day.day.end().day_begins_in_brasilia() => {
            check("order", Verdict::Done, format!("{}, the day before, is closed", last.day()))
        }
        Some(last) => {
            let text =
                format!("{} is the last closed day: its next one is closed first", last.day());
            check("order", Verdict::Blocks, text)
        }
    }
}

fn trial_balance(day: &DayToClose) -> Check {
    let lines = day.book.iter().flat_map(|book| &book.lines);
    let mut sums: std::collections::BTreeMap<&str, [i128; 2]> = std::collections::BTreeMap::new();
    for line in lines {
        let [opening, moved] = sums.entry(&line.commodity).or_default();
        *opening += line.opening;
        *moved += line.debits - line.credits;
    }
    let accounts = day.book.as_ref().map_or(0, |book| book.lines.len());
    match sums.iter().find(|(_, sums)| **sums != [0, 0]) {
        Some((commodity, _)) => {
            check("balanced", Verdict::Blocks, format!("accounts in {commodity} do not sum to nil"))
        }
        None => {
            check("balanced", Verdict::Done, format!("{accounts} accounts sum to nil each way"))
        }
    }
}

fn statements(evidence: &Evidence) -> Check {
    match evidence.statements.len() {
        0 => check("statements", Verdict::Differs, "no statement of the day was received"),
        count => check("statements", Verdict::Done, format!("{count} statements of the day")),
    }
}

fn matching(evidence: &Evidence) -> Check {
    let Some(matched) = &evidence.matched else {
        return check("matching", Verdict::Look, "nothing was matched by this command");
    };
    match &matched.open[..] {
        [] => check("matching", Verdict::Done, format!("{} movements agree", matched.matched)),
        open => {
            let text = format!("{} movements agree; {}", matched.matched, words(open));
            check("matching", Verdict::Differs, text)
        }
    }
}

fn open_items(name: &'static str, open: &[OpenItems], what: &str) -> Check {
    match open {
        [] => check(name, Verdict::Done, format!("nothing {what}")),
        open => check(name, Verdict::Look, words(open)),
    }
}

fn late(name: &'static str, late: &[Late], what: &str) -> Check {
    match late {
        [] => check(name, Verdict::Done, format!("nothing {what}")),
        late => {
            let each = late.iter().map(|it| format!("{} of {}", it.amount, it.belongs_to));
            check(name, Verdict::Look, format!("{what}: {}", each.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn words(open: &[OpenItems]) -> String {
    let each = open.iter().map(|it| format!("{} {}", it.count, it.reason));
    each.collect::<Vec<_>>().join(", ")
}
