//! The span that is asked for: from one day to another, cut into days or months.

use ledger_core::time::Instant;

/// What a span is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// Calendar days of Brasília.
    Day,
    /// Calendar months of Brasília.
    Month,
}

/// From the beginning of one day or month in Brasília to the end of another.
///
/// ```
/// use ledger_store::days::{Period, Span};
///
/// let november = Span::parse("2026-11", "2026-11", Period::Day).expect("it is a month");
/// assert_eq!(november.periods().count(), 30);
/// assert_eq!(november.begins().to_string(), "2026-11-01T03:00:00Z");
/// // Months are shown whole.
/// assert_eq!(Span::parse("2026-11-20", "2026-11-21", Period::Month), november.by(Period::Month));
/// assert_eq!(Span::parse("2026-11-21", "2026-11-20", Period::Day), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    begins: Instant,
    ends: Instant,
    by: Period,
}

impl Span {
    /// Reads the first and the last day or month, as `2026-11-20` or `2026-11`; `None` where either
    /// is none, or the last comes before the first. Months are taken whole by [`Period::Month`].
    #[must_use]
    pub fn parse(from: &str, to: &str, by: Period) -> Option<Self> {
        let first = |text: &str| noon(text).or_else(|| noon(&format!("{text}-01")));
        let (from, to_first) = (first(from)?, first(to)?);
        let to = if noon(to).is_some() { to_first } else { month_ends(to_first) };
        let to = if to == to_first { to.next_day_in_brasilia() } else { to };
        Self::between(from.day_begins_in_brasilia(), to, by)
    }

    /// The month, as far as it has come, that an instant is in.
    #[must_use]
    pub fn month_to(at: Instant, by: Period) -> Option<Self> {
        Self::between(month_begins(at), at.next_day_in_brasilia(), by)
    }

    fn between(begins: Instant, ends: Instant, by: Period) -> Option<Self> {
        let (begins, ends) = match by {
            Period::Day => (begins, ends),
            Period::Month => (month_begins(begins), month_ends(last_before(ends))),
        };
        (begins < ends).then_some(Self { begins, ends, by })
    }

    /// The same span cut otherwise.
    #[must_use]
    pub fn by(self, by: Period) -> Option<Self> {
        Self::between(self.begins, self.ends, by)
    }

    /// Its first instant.
    #[must_use]
    pub const fn begins(&self) -> Instant {
        self.begins
    }

    /// The first instant after it.
    #[must_use]
    pub const fn ends(&self) -> Instant {
        self.ends
    }

    /// The first instant of each period, and the first after it, the earliest first.
    pub fn periods(self) -> impl Iterator<Item = (Instant, Instant)> {
        let mut next = self.begins;
        std::iter::from_fn(move || {
            let begins = next;
            next = match self.by {
                Period::Day => begins.next_day_in_brasilia(),
                Period::Month => month_ends(begins),
            };
            // The calendar's last day has no next one.
            (begins < self.ends && begins < next).then_some((begins, next))
        })
    }

    /// The name of the period that begins then: `2026-11-20`, or `2026-11`.
    pub(super) fn name(self, begins: Instant) -> String {
        let day = begins.day_in_brasilia().to_string();
        match self.by {
            Period::Day => day,
            Period::Month => day[..7].to_owned(),
        }
    }
}

/// Noon in Brasília on the day that the text names.
fn noon(text: &str) -> Option<Instant> {
    Instant::parse(&format!("{text}T12:00:00-03:00")).filter(|_| text.len() == 10)
}

pub(super) fn last_before(at: Instant) -> Instant {
    Instant::from_micros(at.micros() - 1).unwrap_or(at)
}

fn month_begins(at: Instant) -> Instant {
    let month = &at.day_in_brasilia().to_string()[..7];
    noon(&format!("{month}-01")).map_or(at, Instant::day_begins_in_brasilia)
}

fn month_ends(at: Instant) -> Instant {
    let month = |at: Instant| at.day_in_brasilia().to_string()[..7].to_owned();
    let (this, mut next) = (month(at), at.next_day_in_brasilia());
    while month(next) == this && next < next.next_day_in_brasilia() {
        next = next.next_day_in_brasilia();
    }
    next
}
