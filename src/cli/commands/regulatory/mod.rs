//! Reports to authorities and clients, by `ledger_regulatory`, a command a file.

mod client_report;
mod cosif;
mod position;
mod rows;

use clap::Subcommand;
use ledger_store::days::{Period, Span};

use crate::Failure;

/// The commands of reports.
#[derive(Subcommand)]
pub enum ReportCommand {
    /// Shows what is in custody: each asset's total, own and clients', with its price and source.
    Position(position::Options),
    /// Writes a client's report of a period in Portuguese: assets, movements, sources of quotes.
    ClientReport(client_report::Options),
    /// Lists what moved in a period, classified: purchases, sales, swaps, transfers, fees.
    Rows(rows::Options),
    /// Writes a month's trial balance by COSIF accounts, under a declared mapping.
    Cosif(cosif::Options),
}

pub fn run(report: &ReportCommand) -> Result<(), Failure> {
    match report {
        ReportCommand::Position(options) => position::run(options),
        ReportCommand::ClientReport(options) => client_report::run(options),
        ReportCommand::Rows(options) => rows::run(options),
        ReportCommand::Cosif(options) => cosif::run(options),
    }
}

/// Returns the days from one day or month to another.
fn days_between(from: &str, to: &str) -> Result<Span, Failure> {
    Span::parse(from, to, Period::Day).ok_or_else(|| {
        Failure::new("--from and --to are days, 2026-11-20, or months, 2026-11, in their order")
    })
}
