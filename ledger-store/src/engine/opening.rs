//! How an engine opens its book: from a snapshot that can be trusted, or from the first record.

use ledger_core::ledger::Record;
use tracing::{debug, warn};

use crate::book::{Book, ReplayError};
use crate::journal::Journal;
use crate::snapshot::{Began, Snapshots, Unused};

/// The book of a journal, from its snapshot where there is one to be trusted.
pub(crate) fn opened(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
    observe: impl FnMut(&Book, &Record),
) -> Result<Book, ReplayError> {
    let Some(snapshots) = snapshots else {
        return Book::open(journal, name, observe);
    };
    let (book, began) = Book::open_with(journal, name, snapshots, observe)?;
    match began {
        Began::After(head) => debug!(record = head.seq, "opened from a snapshot"),
        Began::First(Unused::None) => debug!("there is no snapshot yet"),
        Began::First(why) => warn!(%why, "the snapshot costs time"),
    }
    Ok(book)
}
