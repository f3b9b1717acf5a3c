//! Time: RFC 3339 to the microsecond, and the calendar day of Brasília (W38, W51, P:NextDay).

use ledger_core::time::{Instant, Span};
use proptest::prelude::*;

use crate::samples::at;

const LATEST: i64 = 253_402_300_799_999_999;

fn micros(text: &str) -> Option<i64> {
    Instant::parse(text).map(Instant::micros)
}

#[test]
fn offsets_and_fractions_are_read_to_the_microsecond() {
    let noon = 1_792_497_600_000_000;
    for (text, expected) in [
        ("2026-10-20T12:00:00Z", noon),
        ("2026-10-20T12:00:00+00:00", noon),
        ("2026-10-20T09:00:00-03:00", noon),
        ("2026-10-21T01:30:00+13:30", noon),
        ("2026-10-20T12:00:00.5Z", noon + 500_000),
        ("2026-10-20T12:00:00.000001Z", noon + 1),
        ("2026-10-20T12:00:00.999999Z", noon + 999_999),
        ("2026-10-20T12:00:00.000001000Z", noon + 1),
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T21:00:00-03:00", 0),
        ("9999-12-31T23:59:59.999999Z", LATEST),
    ] {
        assert_eq!(micros(text), Some(expected), "{text}");
    }
}

#[test]
fn text_without_an_offset_is_refused() {
    for text in ["2026-10-20T12:00:00", "2026-10-20T12:00:00 ", "2026-10-20", "12:00:00Z", ""] {
        assert_eq!(micros(text), None, "{text}");
    }
}

#[test]
fn a_fraction_finer_than_microseconds_is_refused() {
    for text in [
        "2026-10-20T12:00:00.0000001Z",
        "2026-10-20T12:00:00.000000001Z",
        "2026-10-20T12:00:00.1234567Z",
    ] {
        assert_eq!(micros(text), None, "{text}");
    }
}

#[test]
fn a_fraction_finer_than_nanoseconds_is_refused_too() {
    assert_eq!(micros("2026-10-20T12:00:00.0000000001Z"), None);
    assert_eq!(micros("2026-10-20T12:00:00.1234560000001Z"), None);
}

#[test]
fn a_leap_second_is_refused() {
    for text in ["2016-12-31T23:59:60Z", "2016-12-31T20:59:60-03:00", "2026-10-20T12:00:60.5Z"] {
        assert_eq!(micros(text), None, "{text}");
    }
}

#[test]
fn years_outside_1970_to_9999_are_refused() {
    for text in [
        "1969-12-31T23:59:59.999999Z",
        "1970-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "+10000-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z",
    ] {
        assert_eq!(micros(text), None, "{text}");
    }
    assert_eq!(Instant::from_micros(-1), None);
    assert_eq!(Instant::from_micros(LATEST + 1), None);
    assert!(Instant::from_micros(LATEST).is_some());
}

#[test]
fn what_is_no_instant_is_refused() {
    for text in [
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-10-20T24:00:00Z",
        "2026-10-20T12:60:00Z",
        "2026-10-20T12:00Z",
        "2026-10-20T12:00:00.Z",
        "2026-10-20T12:00:00-0300",
        "2026-10-20T12:00:00+24:00",
        " 2026-10-20T12:00:00Z",
        "2026-10-20T12:00:00Z ",
        "2026-10-20T12:00:00Zé",
        "20261020T120000Z",
    ] {
        assert_eq!(micros(text), None, "{text}");
    }
}

#[test]
fn only_the_minus_sign_of_rfc_3339_is_one() {
    assert_eq!(micros("2026-10-20T09:00:00\u{2212}03:00"), None);
}

#[test]
fn the_fraction_is_shown_only_where_there_is_one() {
    for text in ["2026-10-20T12:00:00Z", "2026-10-20T12:00:00.500Z", "2026-10-20T12:00:00.000001Z"]
    {
        assert_eq!(at(text).to_string(), text);
    }
    assert_eq!(at("2026-10-20T09:00:00-03:00").to_string(), "2026-10-20T12:00:00Z");
}

#[test]
fn the_next_day_begins_at_midnight_of_brasilia() {
    // W38: 10:00 in Brasília; W51: the last and the first instant of a day.
    for (now, next) in [
        ("2026-10-20T13:00:00Z", "2026-10-21T03:00:00Z"),
        ("2026-10-21T02:59:59.999999Z", "2026-10-21T03:00:00Z"),
        ("2026-10-21T03:00:00Z", "2026-10-22T03:00:00Z"),
        ("2026-12-31T23:00:00-03:00", "2027-01-01T00:00:00-03:00"),
        ("2028-02-28T12:00:00-03:00", "2028-02-29T00:00:00-03:00"),
    ] {
        assert_eq!(at(now).next_day_in_brasilia(), at(next), "{now}");
    }
}

#[test]
fn summer_time_moved_midnight_until_2019() {
    for (now, next) in [
        // Within summer time, two hours behind.
        ("2018-12-01T12:00:00-02:00", "2018-12-02T00:00:00-02:00"),
        // It began when midnight would have been: 2018-11-04 starts at 01:00.
        ("2018-11-03T12:00:00-03:00", "2018-11-04T01:00:00-02:00"),
        ("2018-11-03T23:59:59.999999-03:00", "2018-11-04T03:00:00Z"),
        ("2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"),
        // It ended at midnight: the hour from 23:00 was lived twice, the day began once.
        ("2019-02-16T23:30:00-02:00", "2019-02-17T00:00:00-03:00"),
        ("2019-02-16T23:30:00-03:00", "2019-02-17T00:00:00-03:00"),
        // Never again since.
        ("2019-11-02T12:00:00-03:00", "2019-11-03T00:00:00-03:00"),
    ] {
        assert_eq!(at(now).next_day_in_brasilia(), at(next), "{now}");
    }
}

#[test]
fn a_day_in_brasilia_changes_at_three_in_the_morning_of_utc() {
    // W51.
    let day = |text: &str| at(text).day_in_brasilia().to_string();
    assert_eq!(day("2026-10-20T02:59:59Z"), "2026-10-19");
    assert_eq!(day("2026-10-20T03:00:00Z"), "2026-10-20");
    assert_eq!(at("2026-10-20T02:59:59Z").in_brasilia(), "2026-10-19T23:59:59-03:00");
}

#[test]
fn no_instant_lies_after_the_latest() {
    let latest = Instant::from_micros(LATEST).unwrap();
    assert_eq!(latest.after(Span::days(1)), latest);
    assert_eq!(latest.next_day_in_brasilia(), latest);
    assert_eq!(at("2026-10-20T12:00:00Z").after(Span::days(u32::MAX)), latest);
}

#[test]
fn spans_count_microseconds() {
    let noon = at("2026-10-20T12:00:00Z");
    assert_eq!(noon.after(Span::hours(24)), at("2026-10-21T12:00:00Z"));
    assert_eq!(noon.after(Span::days(1)), noon.after(Span::hours(24)));
    assert_eq!(noon.after(Span::seconds(900)), at("2026-10-20T12:15:00Z"));
    assert_eq!(noon.after(Span::hours(2)).since(noon).whole_hours(), 2);
    assert_eq!(noon.since(noon.after(Span::hours(2))), Span::default());
    assert_eq!(Span::seconds(2).micros(), 2_000_000);
}

proptest! {
    #[test]
    fn an_instant_reads_as_it_was_written(micros in 0..=LATEST) {
        let instant = Instant::from_micros(micros).unwrap();
        prop_assert_eq!(Instant::parse(&instant.to_string()), Some(instant));
        prop_assert_eq!(Instant::parse(&instant.in_brasilia()), Some(instant));
    }

    #[test]
    fn a_day_ends_one_microsecond_before_the_next(micros in 0..LATEST - 86_400_000_000) {
        let instant = Instant::from_micros(micros).unwrap();
        let next = instant.next_day_in_brasilia();
        let last = Instant::from_micros(next.micros() - 1).unwrap();
        prop_assert!(instant < next);
        prop_assert!(next.since(instant) <= Span::hours(25));
        prop_assert_eq!(last.day_in_brasilia(), instant.day_in_brasilia());
        prop_assert_eq!(next.day_in_brasilia(), instant.day_in_brasilia().succ_opt().unwrap());
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}", near in "[0-9TZ:.+−\\- é]{0,32}") {
        for text in [text, near] {
            if let Some(instant) = Instant::parse(&text) {
                prop_assert!(0 <= instant.micros() && instant.micros() <= LATEST);
            }
        }
    }
}
