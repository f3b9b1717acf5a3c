//! After how long an operation stands in the console's inbox, and which decisions want a second
//! operator.

use ledger_core::id::Kind;
use ledger_core::time::Span;

use ledger_http::operators::DecisionRequest;

use super::Settings;
use crate::Failure;

impl Settings {
    /// The kinds whose bound is said, with it.
    pub fn hanging(&self) -> Result<Vec<(Kind, Span)>, Failure> {
        let bound = |text: &String| {
            let (name, minutes) = text.split_once('=')?;
            let kind = Kind::all().find(|kind| kind.name() == name)?;
            let seconds = minutes.parse::<u32>().ok()?.checked_mul(60)?;
            Some((kind, Span::seconds(seconds)))
        };
        let wrong = |text| {
            let names: Vec<_> = Kind::all().map(Kind::name).collect();
            let names = names.join(", ");
            Failure::new(format!("hanging-after: {text}: KIND=MINUTES, KIND one of {names}"))
        };
        let all = self.hanging_after.iter();
        all.map(|text| bound(text).ok_or_else(|| wrong(text))).collect()
    }

    /// The decisions that want a second operator, each above so many centavos.
    pub fn second_operator(&self) -> Result<Vec<(String, i64)>, Failure> {
        second_operator(&self.second_operator)
    }
}

/// Reads `DECISION` or `DECISION=CENTAVOS`.
pub fn second_operator(said: &[String]) -> Result<Vec<(String, i64)>, Failure> {
    let read = |text: &String| {
        let (name, cents) = text.split_once('=').unwrap_or((text, "0"));
        let wrong = |why: &str| {
            Failure::new(format!("second-operator: {text}: DECISION or DECISION=CENTAVOS; {why}"))
        };
        DecisionRequest::new(name).map_err(|error| {
            wrong(&format!("{error}; DECISION is one of {}", DecisionRequest::names().join(", ")))
        })?;
        let cents = cents.parse().ok().filter(|cents| *cents >= 0);
        let cents = cents.ok_or_else(|| wrong("CENTAVOS is a whole number from 0"))?;
        Ok((name.to_owned(), cents))
    };
    said.iter().map(read).collect()
}
