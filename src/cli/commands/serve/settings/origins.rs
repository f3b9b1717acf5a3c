//! Where each setting comes from: a flag, a variable, or a line of the file; errors name it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use ledger_core::contract::nearest_name;

use super::Settings;
use crate::Failure;

/// Where each setting that is set comes from, as errors say it.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<String, String>);

/// Settings are the same wherever they come from.
impl PartialEq for Origins {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Origins {
    /// Of a file's settings, and of those said by flags and variables, which stand over them.
    pub fn new(file: Option<&Path>, in_file: &toml::Table, said: &toml::Table) -> Self {
        let path = file.unwrap_or(Path::new("")).display();
        let filed = in_file.keys().map(|name| (name.clone(), format!("set in {path}")));
        let said = said.iter().map(|(name, value)| {
            let variable = format!("CUSTODY_LEDGER_{}", name.to_uppercase().replace('-', "_"));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let by_variable = std::env::var(&variable).is_ok_and(|held| held == text);
            let by = if by_variable { variable } else { format!("--{name}") };
            (name.clone(), format!("set by {by}"))
        });
        Self(filed.chain(said).collect())
    }

    /// The failure of a setting that needs another one; `why` follows it.
    pub fn lacks(&self, name: &str, needed: &str, why: &str) -> Failure {
        let origin = self.0.get(name).map(|origin| format!(" ({origin})")).unwrap_or_default();
        Failure::new(format!("the settings: {name}{origin} needs {needed}, which is not set{why}"))
    }
}

/// Reads a file of settings, as its text and as a table.
pub fn read(path: &Path) -> Result<(String, toml::Table), Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let table = text.parse::<toml::Table>().map_err(|error| {
        let (line, _) = line_at(&text, error.span());
        Failure::new(format!("{}:{line}: {}", path.display(), error.message()))
    })?;
    Ok((text, table))
}

/// The first setting of a file that is none, by its line and name; none where all are settings.
pub fn first_wrong(path: &Path, text: &str) -> Option<Failure> {
    let error = toml::from_str::<Settings>(text).err()?;
    let (line, name) = line_at(text, error.span());
    // Only what is expected, and not what stands there: it may be a secret.
    let (what, expected) =
        error.message().split_once(", expected ").unwrap_or((error.message(), ""));
    let why = if what.starts_with("unknown field") {
        let near = nearest_name(name, expected.split('`').skip(1).step_by(2));
        let near = near.map(|near| format!("; the nearest is {near}")).unwrap_or_default();
        format!("{name} is no setting{near}: `serve --help` lists them as flags")
    } else if expected.is_empty() {
        format!("{name}: {what}")
    } else {
        format!("{name} must be {expected}")
    };
    Some(Failure::new(format!("{}:{line}: {why}", path.display())))
}

/// The number of the line at a place of a text, and the name before its equals sign.
fn line_at(text: &str, place: Option<Range<usize>>) -> (usize, &str) {
    let start = place.map_or(0, |place| place.start).min(text.len());
    let before = text.get(..start).unwrap_or(text);
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    (number, line.split('=').next().unwrap_or_default().trim())
}
