//! `runbook`: what to do when something pages, or when `serve` ends with an error; the same text as
//! docs/runbook.md, for whoever has nothing but the program.

use std::io::Write as _;

use clap::Args;

use crate::Failure;

const RUNBOOK: &str = include_str!("../../../docs/runbook.md");

#[derive(Args)]
pub struct Options {
    /// The alert, such as `CommitsFailing`, or words of a heading or of the error that `serve`
    /// ended with; absent: what there is.
    about: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let Some(about) = &options.about else {
        for heading in RUNBOOK.lines().filter(|line| line.starts_with('#')) {
            writeln!(out, "{heading}")?;
        }
        return Ok(out.flush()?);
    };
    let found = search(about);
    if found.is_empty() {
        return Err(Failure::new(format!(
            "the runbook has nothing on {about}: `custody-ledger runbook` lists what it has"
        )));
    }
    for part in found {
        writeln!(out, "{part}\n")?;
    }
    Ok(out.flush()?)
}

/// The sections whose heading has the words; else the rows and sections whose text has them.
fn search(about: &str) -> Vec<&'static str> {
    let about = about.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&about);
    let sections = RUNBOOK.split("\n#").skip(1).map(|part| part.trim_matches(['#', ' ', '\n']));
    let headed: Vec<_> =
        sections.clone().filter(|part| part.lines().next().is_some_and(has)).collect();
    if !headed.is_empty() {
        return headed;
    }
    let rows: Vec<_> = errors().filter(|(says, _)| has(says)).map(|(_, row)| row).collect();
    if rows.is_empty() { sections.filter(|part| has(part)).collect() } else { rows }
}

/// The errors that end `serve`, each with its row.
fn errors() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = RUNBOOK.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| Some((row.split('`').nth(1)?, row)))
}

/// A failure of `serve` with what is to be done about it, where the runbook knows it.
pub fn with_advice(mut failure: Failure) -> Failure {
    let text = failure.to_string();
    if let Some((says, _)) = errors().find(|(says, _)| text.contains(says)) {
        failure.lines.push(format!("  what to do: custody-ledger runbook '{says}'"));
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alert_a_word_and_an_error_lead_to_what_is_to_be_done() {
        assert!(search("CommitsFailing")[0].contains("Make room, or bring the database back"));
        assert!(search("fenced")[0].starts_with("LedgerFenced"));
        assert!(search("provider")[0].starts_with("ProviderSilent"));
        assert!(search("full disk")[0].starts_with("CommitsFailing"));
        let said = "another writer has taken over this ledger";
        assert!(search(said)[0].contains("`--standby`"));
        assert!(search("nothing of the kind").is_empty());
        let failure = with_advice(Failure::new(format!("live: {said}")));
        assert!(failure.to_string().ends_with(&format!("runbook '{said}'")), "{failure}");
        let other = with_advice(Failure::new("something else"));
        assert_eq!(other.to_string(), "custody-ledger: something else");
    }
}
