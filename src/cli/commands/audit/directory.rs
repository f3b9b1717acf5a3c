//! The directory of cells, which an audit proves beside the ledgers.

use std::io::Write;

use ledger_cells::directory::DIRECTORY;
use ledger_store::Head;

use super::{Audit, Form};
use crate::Failure;
use crate::commands::directory;

impl Audit {
    /// Proves the directory of cells, where the store holds one.
    pub(super) fn directory(&mut self) -> Result<(), Failure> {
        let mine = self.kept.iter().filter(|kept| kept.ledger == DIRECTORY);
        let heads: Vec<Head> = mine.map(|kept| kept.head).collect();
        match directory::verify_directory(&self.store, &heads) {
            Ok(None) => return Ok(()),
            Ok(Some(verified)) => match self.form {
                Form::Json => writeln!(std::io::stdout(), "{}", directory::summary(&verified))?,
                Form::Text => self.say(&format!("{}\n", directory::line(&verified)))?,
            },
            Err(Failure { lines, .. }) => self.wrong.extend(lines),
        }
        self.audited.push(DIRECTORY.to_owned());
        Ok(())
    }
}
