//! Holds the public API of a crate, as rustdoc describes it, against the text that is kept of it.
//!
//! ```text
//! public_api target/doc/ledger_core.json docs/api/ledger-core.txt
//! ```
//!
//! `.ci/api` does so for every crate; with `GOLDEN=write` the text is written.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [described, kept] = &arguments[..] else {
        eprintln!("usage: public_api JSON TEXT");
        return ExitCode::FAILURE;
    };
    let is_written = env::var("GOLDEN").is_ok_and(|golden| golden == "write");
    match run(Path::new(described), Path::new(kept), is_written) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(described: &Path, kept: &Path, is_written: bool) -> Result<(), String> {
    // Implementations that derive or the compiler gives follow from what is listed.
    let api = public_api::Builder::from_rustdoc_json(described)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}: use Rust 1.95", described.display()))?;
    let found: BTreeSet<String> = api.items().map(ToString::to_string).collect();
    if is_written {
        let text: String = found.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        return fs::write(kept, text).map_err(|error| format!("{}: {error}", kept.display()));
    }
    let text = fs::read_to_string(kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    let known: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let gone = known.difference(&found).map(|line| format!("- {line}\n"));
    let new = found.difference(&known).map(|line| format!("+ {line}\n"));
    let differences: String = gone.chain(new).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}: the public API has changed:\n{differences}\
         if it is meant: GOLDEN=write ./.ci/api, and a line in CHANGELOG.md",
        kept.display()
    ))
}
