//! Dates and instants as providers write them; without an offset they are Brasília's, three hours
//! behind UTC, as they have been since 2019.

use ledger_core::time::Instant;

use super::line::When;

/// How a date is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `2026-11-20`, perhaps with a time behind a blank or a `T`, and an offset.
    Iso,
    /// `20/11/2026`, perhaps with a time behind a blank.
    DayFirst,
}

impl Format {
    /// The format of this example.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "2026-11-20" => Some(Self::Iso),
            "20/11/2026" => Some(Self::DayFirst),
            _ => None,
        }
    }

    /// When it was; `None` for whatever is no date written so.
    pub fn read(self, text: &str) -> Option<When> {
        let text = text.trim();
        let (date, rest) = text.split_at_checked(10)?;
        let date = match self {
            Self::Iso => date.to_owned(),
            Self::DayFirst => {
                let parts: Vec<&str> = date.split('/').collect();
                let [day, month, year] = parts[..] else { return None };
                format!("{year}-{month}-{day}")
            }
        };
        if rest.is_empty() {
            let at = Instant::parse(&format!("{date}T12:00:00-03:00"))?;
            return Some(When { day: date, at: at.to_string() });
        }
        let time = rest.strip_prefix([' ', 'T'])?;
        let has_offset = time.ends_with(['Z', 'z']) || time.contains(['+', '-']);
        let offset = if has_offset { "" } else { "-03:00" };
        // A time without seconds is one at the minute's beginning.
        let seconds = if time.len() == 5 { ":00" } else { "" };
        let at = Instant::parse(&format!("{date}T{time}{seconds}{offset}"))?;
        Some(When { day: at.day_in_brasilia().to_string(), at: at.to_string() })
    }
}

/// Whether this is a day as it is given on the command line.
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Format::Iso.read(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_brasilia() {
        for (format, text, expected) in [
            (Format::Iso, "2026-11-20", Some(("2026-11-20", "2026-11-20T15:00:00Z"))),
            (Format::Iso, "2026-11-20 23:59:59", Some(("2026-11-20", "2026-11-21T02:59:59Z"))),
            (Format::Iso, "2026-11-21T02:59:59Z", Some(("2026-11-20", "2026-11-21T02:59:59Z"))),
            (
                Format::Iso,
                "2026-11-20T10:00:00+02:00",
                Some(("2026-11-20", "2026-11-20T08:00:00Z")),
            ),
            (Format::DayFirst, "20/11/2026 09:30", Some(("2026-11-20", "2026-11-20T12:30:00Z"))),
            (Format::DayFirst, "20/11/2026", Some(("2026-11-20", "2026-11-20T15:00:00Z"))),
            (Format::Iso, "2026-02-30", None),
            (Format::Iso, "20/11/2026", None),
            (Format::DayFirst, "2026-11-20", None),
            (Format::DayFirst, "31/11/2026", None),
            (Format::Iso, "2026-11-20 25:00:00", None),
            (Format::Iso, "", None),
            (Format::Iso, "amanhã, ou depois", None),
        ] {
            let read = format.read(text);
            let read = read.as_ref().map(|when| (&*when.day, &*when.at));
            assert_eq!(read, expected, "{text}");
        }
    }
}
