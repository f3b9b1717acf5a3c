//! Days of Brasília, from one midnight to the next.

use std::cell::Cell;

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta, TimeZone};
use chrono_tz::America::Sao_Paulo;

use super::{Instant, LATEST};

thread_local! {
    /// The day that was asked for last, which is nearly always the one asked for next: the calendar
    /// is searched for its summer times each time it is asked.
    static LAST: Cell<Option<Day>> = const { Cell::new(None) };
}

/// A calendar day in Brasília.
#[derive(Clone, Copy, Debug)]
pub(super) struct Day {
    pub(super) date: NaiveDate,
    /// Its first instant.
    pub(super) begins: Instant,
    /// The first instant of the next one.
    pub(super) ends: Instant,
}

impl Day {
    /// The day that this instant belongs to.
    pub(super) fn containing(at: Instant) -> Self {
        match LAST.get() {
            Some(day) if day.begins <= at && at < day.ends => day,
            _ => {
                let day = Self::by_the_calendar(at);
                LAST.set(Some(day));
                day
            }
        }
    }

    fn by_the_calendar(at: Instant) -> Self {
        let date = at.utc().with_timezone(&Sao_Paulo).date_naive();
        let begins = date.pred_opt().map_or(Instant(0), midnight_after);
        Self { date, begins, ends: midnight_after(date) }
    }
}

/// Where midnight does not exist (the nights when summer time began), the day begins at 01:00.
fn midnight_after(date: NaiveDate) -> Instant {
    let begins = date.checked_add_days(Days::new(1)).and_then(|date| {
        let midnight = date.and_time(NaiveTime::MIN);
        Sao_Paulo.from_local_datetime(&midnight).earliest().or_else(|| {
            let one = midnight + TimeDelta::hours(1);
            Sao_Paulo.from_local_datetime(&one).earliest()
        })
    });
    match begins {
        Some(day) => Instant::from_micros(day.timestamp_micros().max(0)).unwrap_or(Instant(LATEST)),
        None => Instant(LATEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_holds_the_instants_of_its_date_and_no_others() {
        let mut day = Day::by_the_calendar(Instant(0));
        let last = Day::by_the_calendar(Instant::parse("2100-01-01T00:00:00Z").unwrap()).date;
        while day.date < last {
            let next = Day::by_the_calendar(day.ends);
            assert_eq!(next.begins, day.ends);
            assert_eq!(Some(next.date), day.date.succ_opt());
            let hours = (day.begins.0..day.ends.0).step_by(3_600_000_000);
            for at in hours.chain([day.ends.0 - 1]).map(Instant) {
                assert_eq!(Day::by_the_calendar(at).date, day.date, "at {at}");
            }
            day = next;
        }
    }

    #[test]
    fn a_day_is_the_same_whichever_was_asked_for_before() {
        let texts = ["1970-01-01T00:00:00Z", "2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z"];
        let mut all: Vec<_> = texts.iter().map(|text| Instant::parse(text).unwrap()).collect();
        all.push(Instant(LATEST));
        for (before, at) in all.iter().flat_map(|before| all.iter().map(move |at| (*before, *at))) {
            Day::containing(before);
            let (day, known) = (Day::containing(at), Day::by_the_calendar(at));
            assert_eq!((day.date, day.begins, day.ends), (known.date, known.begins, known.ends));
        }
    }
}
