//! `simulate`: one seed, one history.

use clap::Args;

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many simulated days.
    #[arg(long, default_value_t = 30)]
    days: u32,
}

pub fn run(_options: &Options) -> Result<(), Failure> {
    Err(Failure::new("not yet"))
}
