//! Dates and instants as providers write them; without an offset they are Brasília's, three hours
//! behind UTC, as they have been since 2019.

use ledger_core::time::Instant;

use crate::line::When;

/// How a date is written; a time may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    parts: [Part; 3],
    /// What stands between the parts, if anything does.
    separator: Option<char>,
    /// Tells whether the year has its last two digits only.
    short_year: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Day,
    Month,
    Year,
}

/// The dates by whose example a format is named.
pub const EXAMPLES: &str = "\"2026-11-20\", \"20/11/2026\", \"20-11-2026\", \"20.11.2026\", \
                            \"20/11/26\", \"11/20/2026\" and \"20261120\"";

impl Format {
    /// `2026-11-20`, as ISO 8601 has it.
    pub const ISO: Self = Self {
        parts: [Part::Year, Part::Month, Part::Day],
        separator: Some('-'),
        short_year: false,
    };

    /// The format of this example.
    pub fn from_example(name: &str) -> Option<Self> {
        use Part::{Day, Month, Year};
        let format = |parts, separator| Self { parts, separator, short_year: false };
        match name {
            "2026-11-20" => Some(Self::ISO),
            "20/11/2026" => Some(format([Day, Month, Year], Some('/'))),
            "20-11-2026" => Some(format([Day, Month, Year], Some('-'))),
            "20.11.2026" => Some(format([Day, Month, Year], Some('.'))),
            "11/20/2026" => Some(format([Month, Day, Year], Some('/'))),
            "20261120" => Some(format([Year, Month, Day], None)),
            "20/11/26" => Some(Self { short_year: true, ..format([Day, Month, Year], Some('/')) }),
            _ => None,
        }
    }

    /// When it was; `None` for whatever is no date written so.
    pub fn read(self, text: &str) -> Option<When> {
        let (date, rest) = self.date(text.trim())?;
        let rest = rest.trim();
        if rest.is_empty() || is_offset(rest) {
            // A date with an offset is the day that it says: there is no time that could move it.
            let at = Instant::parse(&format!("{date}T12:00:00-03:00"))?;
            return Some(When { day: date, at: at.to_string() });
        }
        let at = Instant::parse(&format!("{date}T{}", time(rest)?))?;
        Some(When { day: at.day_in_brasilia().to_string(), at: at.to_string() })
    }

    /// The date that the text begins with, YYYY-MM-DD, and what follows it.
    fn date(self, text: &str) -> Option<(String, &str)> {
        let (mut year, mut month, mut day) = ("", "", "");
        let mut rest = text;
        for (place, part) in self.parts.into_iter().enumerate() {
            if place > 0
                && let Some(separator) = self.separator
            {
                rest = rest.strip_prefix(separator)?;
            }
            let length = if part == Part::Year && !self.short_year { 4 } else { 2 };
            let (digits, after) = rest.split_at_checked(length)?;
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            rest = after;
            match part {
                Part::Day => day = digits,
                Part::Month => month = digits,
                Part::Year => year = digits,
            }
        }
        let century = if self.short_year { "20" } else { "" };
        // A longer number is no date.
        let ends = !rest.starts_with(|next: char| next.is_ascii_digit());
        ends.then(|| (format!("{century}{year}-{month}-{day}"), rest))
    }
}

/// Tells whether this is a day as it is given on the command line.
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Format::ISO.read(text).is_some()
}

/// A time of RFC 3339 with its offset, from one as it is written behind a date.
fn time(text: &str) -> Option<String> {
    let text = text.strip_prefix(['T', ',', '-']).unwrap_or(text).trim();
    let words = ["às ", "ÀS ", "as ", "at "];
    let text = words.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | ',' | 'h')));
    let (clock, rest) = text.split_at(end.unwrap_or(text.len()));
    let clock = clock.replace(',', ".").replace('h', ":");
    let (clock, fraction) =
        clock.split_once('.').map_or((&*clock, ""), |(clock, rest)| (clock, rest));
    let (hours, rest_of_clock) = clock.split_once(':')?;
    let (minutes, seconds) = rest_of_clock.split_once(':').unwrap_or((rest_of_clock, "00"));
    let (half, rest) = half_of_day(rest.trim());
    let hours: u32 = hours.parse().ok().filter(|_| (1..=2).contains(&hours.len()))?;
    let hours = match half {
        None => hours,
        Some(_) if !(1..=12).contains(&hours) => return None,
        Some(Half::Morning) => hours % 12,
        Some(Half::Afternoon) => hours % 12 + 12,
    };
    let fraction = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
    let offset = offset(rest.trim())?;
    Some(format!("{hours:02}:{minutes}:{seconds}{fraction}{offset}"))
}

#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

/// Which half of the day a time of twelve hours is in, and what follows.
fn half_of_day(text: &str) -> (Option<Half>, &str) {
    for (words, half) in
        [(["a.m.", "a. m.", "am"], Half::Morning), (["p.m.", "p. m.", "pm"], Half::Afternoon)]
    {
        for word in words {
            let begins = text.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word));
            if begins.is_some() {
                return (Some(half), &text[word.len()..]);
            }
        }
    }
    (None, text)
}

/// An offset of RFC 3339, from one as it is written behind a time; Brasília's where there is none.
fn offset(text: &str) -> Option<String> {
    let text = text.trim_matches(['(', ')', '[', ']']);
    let bare = ["UTC", "GMT"].iter().find_map(|zone| text.strip_prefix(zone));
    match (text, bare) {
        ("" | "BRT", _) => return Some("-03:00".to_owned()),
        ("Z" | "z", _) | (_, Some("")) => return Some("Z".to_owned()),
        _ => {}
    }
    let text = bare.unwrap_or(text);
    let digits: String = text.get(1..)?.chars().filter(|c| *c != ':').collect();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let sign = text.chars().next().filter(|sign| matches!(sign, '+' | '-') && is_number)?;
    match digits.len() {
        1 => Some(format!("{sign}0{digits}:00")),
        2 => Some(format!("{sign}{digits}:00")),
        4 => Some(format!("{sign}{}:{}", &digits[..2], &digits[2..])),
        _ => None,
    }
}

/// Tells whether this stands behind a date as its offset: `Z`, `+02:00`, `-03:00`.
fn is_offset(text: &str) -> bool {
    let form = |text: &str| text.len() == 6 && text.starts_with(['+', '-']) && text.contains(':');
    (text == "Z" || form(text)) && offset(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(when: Option<&When>) -> Option<(&str, &str)> {
        when.map(|when| (&*when.day, &*when.at))
    }

    #[test]
    fn days_are_those_of_brasilia() {
        let noon = Some(("2026-11-20", "2026-11-20T15:00:00Z"));
        let morning = Some(("2026-11-20", "2026-11-20T12:30:00Z"));
        for (format, text, expected) in [
            ("2026-11-20", "2026-11-20", noon),
            ("2026-11-20", "2026-11-20 23:59:59", Some(("2026-11-20", "2026-11-21T02:59:59Z"))),
            ("2026-11-20", "2026-11-21T02:59:59Z", Some(("2026-11-20", "2026-11-21T02:59:59Z"))),
            (
                "2026-11-20",
                "2026-11-20T10:00:00+02:00",
                Some(("2026-11-20", "2026-11-20T08:00:00Z")),
            ),
            ("2026-11-20", "2026-11-20Z", noon),
            ("2026-11-20", "2026-11-20-03:00", noon),
            (
                "2026-11-20",
                "2026-11-20T09:30:00.123",
                Some(("2026-11-20", "2026-11-20T12:30:00.123Z")),
            ),
            ("20/11/2026", "20/11/2026 09:30", morning),
            ("20/11/2026", "20/11/2026 às 09:30", morning),
            ("20/11/2026", "20/11/2026, 09:30:00", morning),
            ("20/11/2026", "20/11/2026 - 09h30", morning),
            ("20/11/2026", "20/11/2026 9:30 AM", morning),
            ("20/11/2026", "20/11/2026 09:30:00 a. m.", morning),
            ("20/11/2026", "20/11/2026 12:30:00 UTC", morning),
            ("20/11/2026", "20/11/2026 09:30 (GMT-3)", morning),
            ("20/11/2026", "20/11/2026 09:30:00 -0300", morning),
            ("20/11/2026", "20/11/2026 12:05 AM", Some(("2026-11-20", "2026-11-20T03:05:00Z"))),
            ("20/11/2026", "20/11/2026 12:05 pm", Some(("2026-11-20", "2026-11-20T15:05:00Z"))),
            (
                "20/11/2026",
                "20/11/2026 11:59:50 p.m.",
                Some(("2026-11-20", "2026-11-21T02:59:50Z")),
            ),
            ("20/11/2026", "20/11/2026", noon),
            ("20-11-2026", "20-11-2026", noon),
            ("20.11.2026", "20.11.2026", noon),
            ("20/11/26", "20/11/26 09:30", morning),
            ("11/20/2026", "11/20/2026", noon),
            ("20261120", "20261120", noon),
            ("20261120", "202611201", None),
            ("2026-11-20", "2026-02-30", None),
            ("2026-11-20", "20/11/2026", None),
            ("20/11/2026", "2026-11-20", None),
            ("20/11/2026", "31/11/2026", None),
            ("20/11/2026", "20/11/2026 13:05 PM", None),
            ("20/11/2026", "20/11/2026 00:05 AM", None),
            ("20/11/2026", "20/11/2026 09", None),
            ("20/11/2026", "20/11/2026 09:30 EST", None),
            ("20/11/2026", "20/11/2026 logo", None),
            ("2026-11-20", "2026-11-20 25:00:00", None),
            ("2026-11-20", "", None),
            ("2026-11-20", "amanhã, ou depois", None),
        ] {
            let when = Format::from_example(format).unwrap().read(text);
            assert_eq!(read(when.as_ref()), expected, "{text}");
        }
        assert_eq!(Format::from_example("20/11"), None);
    }

    #[test]
    fn every_hour_of_twelve_is_the_hour_of_twenty_four() {
        let format = Format::from_example("20/11/2026").unwrap();
        for hour in 0..24 {
            let (half, short) = (if hour < 12 { "AM" } else { "PM" }, (hour + 11) % 12 + 1);
            let whole = format.read(&format!("20/11/2026 {hour:02}:07:09"));
            let twelve = format.read(&format!("20/11/2026 {short}:07:09 {half}"));
            assert_eq!(read(twelve.as_ref()), read(whole.as_ref()), "{hour}");
            assert!(whole.is_some());
        }
    }
}
