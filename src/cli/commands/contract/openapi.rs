//! `openapi`: the contract as `OpenAPI`, as a service publishes it.

use std::io::{Write, stdout};

use clap::Args;
use ledger_http::documents::Config;
use ledger_http::documents::openapi::openapi;

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// The address of the service that the document is of.
    #[arg(long, default_value = "http://localhost:8080")]
    base_url: String,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let document = openapi(&Config::at(&options.base_url));
    writeln!(stdout(), "{document:#}")?;
    Ok(())
}
