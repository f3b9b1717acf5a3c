//! `completions` and `man`: the commands as shells and manuals read them.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Failure, Program};

#[derive(Args)]
pub struct Completions {
    /// The shell that completes commands and options.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub struct Manual {
    /// The folder that is given a page for the program and one for each command, made where there
    /// is none; absent: the program's own page goes to standard output.
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

pub fn complete(options: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Program::command(), "custody-ledger", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

pub fn manual(options: &Manual) -> Result<(), Failure> {
    let Some(folder) = &options.to else {
        let mut page = Vec::new();
        Man::new(Program::command()).render(&mut page)?;
        return Ok(std::io::stdout().write_all(&page)?);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
    clap_mangen::generate_to(Program::command(), folder)
        .map_err(|error| Failure::of_file(folder, &error))
}
