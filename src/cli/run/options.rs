//! What `run` is asked.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ledger_store::heads::HeadsFile;

use super::lines;
use crate::Failure;
use crate::checkpoints::CheckpointOptions;
use crate::environments::Source;
use crate::store::StoreOption;

#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct Options {
    /// The file of JSON lines; - reads standard input.
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) store: StoreOption,
    /// The name of the input in the journal; absent: the file's own. Standard input has none unless
    /// it is given here, and a run of an input without a name is never resumed.
    #[arg(long, value_name = "NAME")]
    pub(super) source: Option<String>,
    /// Runs the file afresh, instead of going on where the journal ends.
    #[arg(long)]
    pub(super) again: bool,
    /// Gives the answers from line N on, those of lines recorded before included; absent: the
    /// answers of the lines that are executed now.
    #[arg(long, value_name = "N")]
    pub(super) answers_from: Option<u64>,
    /// Takes the ledgers over from a process that holds them; absent: that one is named, and
    /// nothing is run while it lives.
    #[arg(long)]
    pub(super) take_over: bool,
    /// Goes on from this head, RECORD:LINK, where a ledger ends whose later records are lost, and
    /// records that first; the refusal of a ledger that is not whole says the head. The lines of
    /// the lost records are executed again.
    #[arg(long, value_name = "HEAD")]
    pub(super) accept_loss: Option<String>,
    /// Supplies nothing in the provider's place, and plays nothing in the sandbox.
    #[arg(long)]
    pub(super) strict: bool,
    /// Exits with 1 where a line was malformed or refused, once every line was run; absent: a
    /// refusal is an answer like others.
    #[arg(long)]
    pub(super) fail_on_refused: bool,
    /// The seed of the sandbox's prices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) sandbox_seed: u64,
    /// Adds the webhook events and instructions of the lines answered to this file, as JSON lines;
    /// a run that is resumed adds what is missing there of the lines before.
    #[arg(long, value_name = "FILE")]
    pub(super) events: Option<PathBuf>,
    /// Adds the head of every commit to this file, a line each, for `audit --heads FILE`: on other
    /// media than the store, it proves later that nothing was rewritten or cut off.
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
    /// Of one ledger at most one head in so many seconds, and the last.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, requires = "heads")]
    heads_every: u64,
    #[command(flatten)]
    pub(super) checkpoints: CheckpointOptions,
    /// The vault key of new ledgers, 64 hexadecimal digits; random when absent.
    #[arg(long, value_name = "HEX")]
    pub(super) vault_key: Option<String>,
}

impl Options {
    /// Where the heads of commits are kept.
    pub(super) fn heads(&self) -> Result<Option<HeadsFile>, Failure> {
        let every = Duration::from_secs(self.heads_every);
        let open = |path: &PathBuf| {
            HeadsFile::open(path, every).map_err(|error| Failure::of_file(path, &error))
        };
        self.heads.as_ref().map(open).transpose()
    }

    /// Returns what the input is called, and whether an earlier run of it is gone on with.
    pub(super) fn source(&self) -> Result<Source, Failure> {
        let file = self.file.file_name().filter(|_| !lines::is_standard_input(&self.file));
        let file = file.map(|name| name.to_string_lossy().into_owned());
        let name = self.source.clone().or(file);
        if name.as_deref().is_some_and(|name| name.is_empty() || name == "-" || name.contains('/'))
        {
            return Err(Failure::new("--source is a name without /, and not - alone"));
        }
        let resumes = name.is_some() && !self.again;
        Ok(Source { name: name.unwrap_or_else(|| "-".to_owned()), resumes })
    }
}
