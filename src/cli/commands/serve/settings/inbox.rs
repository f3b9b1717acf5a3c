//! After how long an operation stands in the console's inbox.

use ledger_core::id::Kind;
use ledger_core::time::Span;

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
}
