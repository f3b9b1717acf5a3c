//! Where each setting comes from: a flag, a variable, or a line of the file; errors name it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

use clap::CommandFactory as _;
use ledger_core::contract::nearest_name;

use super::Settings;
use crate::{Failure, Program};

/// The beginning of the names of the program's variables.
const PREFIX: &str = "CUSTODY_LEDGER_";

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
    pub fn new(file: Option<&Path>, text: &str, said: &toml::Table) -> Self {
        let path = file.unwrap_or(Path::new("")).display();
        let filed =
            names(text).map(|(line, name)| (name.to_owned(), format!("set in {path}:{line}")));
        let said = said.iter().map(|(name, value)| {
            let variable = format!("{PREFIX}{}", name.to_uppercase().replace('-', "_"));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let by_variable = std::env::var(&variable).is_ok_and(|held| held == text);
            let by = if by_variable { variable } else { format!("--{name}") };
            (name.clone(), format!("set by {by}"))
        });
        Self(filed.chain(said).collect())
    }

    /// The failure of a setting that needs another one; `why` follows it.
    pub fn missing_failure(&self, name: &str, needed: &str, why: &str) -> Failure {
        self.wrong_failure(name, &format!("needs {needed}, which is not set{why}"))
    }

    /// The failure of a setting that must be something else, as `right` says.
    pub fn wrong_failure(&self, name: &str, right: &str) -> Failure {
        let origin = self.0.get(name).map(|origin| format!(" ({origin})")).unwrap_or_default();
        Failure::new(format!("the settings: {name}{origin} {right}"))
    }
}

/// The names before an equals sign at the beginning of a line, with the line's number and without
/// quotation marks.
fn names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter_map(|(number, line)| {
        let (name, _) = line.split_once('=')?;
        Some((number, name.trim().trim_matches(['"', '\''])))
    })
}

/// The failure of a file that sets what is accepted once, by whoever starts the service.
pub fn once_fault(path: &Path, text: &str, table: &toml::Table) -> Option<Failure> {
    let once = ["accept-clock", "accept-loss"];
    let name = once.into_iter().find(|name| table.contains_key(*name))?;
    let line = names(text).find(|(_, known)| *known == name).map(|(line, _)| format!(":{line}"));
    Some(Failure::new(format!(
        "{}{}: {name} is accepted once, and no setting of a file: start with --{name}",
        path.display(),
        line.unwrap_or_default()
    )))
}

/// Refuses a variable whose name is nearly that of a setting, and none of the program.
pub fn assert_variables(set: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let known = variables(&Program::command());
    for name in set {
        let Some(name) = name.to_str().filter(|name| !known.contains(*name)) else { continue };
        let Some(rest) = name.strip_prefix(PREFIX) else { continue };
        let names = known.iter().filter_map(|name| name.strip_prefix(PREFIX));
        if let Some(near) = nearest_name(rest, names) {
            return Err(Failure::new(format!(
                "the settings: the variable {name} is none; the nearest is {PREFIX}{near}"
            )));
        }
    }
    Ok(())
}

/// The variables that a command and those below it read.
fn variables(command: &clap::Command) -> BTreeSet<String> {
    let read = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str());
    let below = command.get_subcommands().flat_map(variables);
    read.map(str::to_owned).chain(below).collect()
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
pub fn setting_fault(path: &Path, text: &str) -> Option<Failure> {
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
        format!("{name} must be {}", in_words(expected))
    };
    Some(Failure::new(format!("{}:{line}: {why}", path.display())))
}

/// A type of a setting as people call it.
fn in_words(expected: &str) -> &str {
    match expected {
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "a boolean" => "true or false",
        "a sequence" => "a list, such as [\"a\", \"b\"]",
        other => other,
    }
}

/// The number of the line at a place of a text, and the name before its equals sign.
fn line_at(text: &str, place: Option<Range<usize>>) -> (usize, &str) {
    let start = place.map_or(0, |place| place.start).min(text.len());
    let before = text.get(..start).unwrap_or(text);
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    (number, line.split('=').next().unwrap_or_default().trim())
}
