//! The days that are compared.

use thiserror::Error;

use crate::date;
use crate::line::List;

/// The days that are compared, YYYY-MM-DD in Brasília, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
}

/// Text that bounds no period.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PeriodError {
    /// A bound is no day.
    #[error("{0} is no day: YYYY-MM-DD")]
    NoDay(String),
    /// The first day is after the last.
    #[error("{from} is after {to}")]
    Reversed {
        /// The first day.
        from: String,
        /// The last day.
        to: String,
    },
    /// The list has no line, and the bounds are not both said.
    #[error("no line is below the names, and it is not said which days it is of")]
    Empty,
}

impl Period {
    /// The period between two days; where one is not said, it is the earliest or latest of the
    /// list.
    ///
    /// # Errors
    ///
    /// [`PeriodError`].
    pub fn over(list: &List, from: Option<&str>, to: Option<&str>) -> Result<Self, PeriodError> {
        let day = |text: &str| {
            let text = text.to_owned();
            if date::is_day(&text) { Ok(text) } else { Err(PeriodError::NoDay(text)) }
        };
        let days = || list.lines.iter().map(|line| line.when.day.clone());
        let from = from.map(day).transpose()?.or_else(|| days().min());
        let to = to.map(day).transpose()?.or_else(|| days().max());
        match (from, to) {
            (Some(from), Some(to)) if from <= to => Ok(Self { from, to }),
            (Some(from), Some(to)) => Err(PeriodError::Reversed { from, to }),
            _ => Err(PeriodError::Empty),
        }
    }
}
