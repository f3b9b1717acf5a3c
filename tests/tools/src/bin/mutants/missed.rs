//! What cargo-mutants changed without a test of the core that failed.

use serde_json::Value;

/// A change somewhere in a file.
pub struct Mutant {
    pub title: String,
    pub file: String,
    /// From where to where, in lines and columns from one.
    span: [(usize, usize); 2],
    replacement: String,
}

/// Reads the missed changes of an `outcomes.json`.
pub fn read(text: &str) -> Result<Vec<Mutant>, String> {
    let outcomes: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let all = outcomes["outcomes"].as_array().ok_or("there are no outcomes")?;
    let missed = all.iter().filter(|outcome| outcome["summary"] == "MissedMutant");
    let mutant = |outcome: &Value| {
        let change = &outcome["scenario"]["Mutant"];
        let text = |field: &str| change[field].as_str().map(str::to_owned);
        let number = |end: &str, field: &str| {
            change["span"][end][field].as_u64().and_then(|number| usize::try_from(number).ok())
        };
        let place = |end: &str| number(end, "line").zip(number(end, "column"));
        let (start, end) = place("start").zip(place("end"))?;
        Some(Mutant {
            title: text("name")?,
            file: text("file")?,
            span: [start, end],
            replacement: text("replacement")?,
        })
    };
    let whole = missed.map(|outcome| mutant(outcome).ok_or(format!("what is this? {outcome}")));
    whole.collect()
}

impl Mutant {
    /// The text with the change in it.
    pub fn planted(&self, sound: &str) -> Result<String, String> {
        let place = |(line, column): (usize, usize)| {
            let before: usize = sound.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let line = sound[before..].lines().next()?;
            let mut into = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            into.nth(column - 1).map(|at| before + at)
        };
        let [start, end] = self.span.map(place);
        let (Some(start), Some(end)) = (start, end) else {
            return Err(format!("{}: there is no such place", self.title));
        };
        Ok([&sound[..start], &self.replacement, &sound[end..]].concat())
    }
}
