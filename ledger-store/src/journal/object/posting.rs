//! Adding an entry: an object at the next number, made only if there is none.

use std::sync::Arc;

use super::format::block::Block;
use super::format::entry::{Content, Entry};
use super::log::{Log, medium};
use super::store::requests::{Created, Failed};
use crate::journal::{JournalError, Row};

/// How adding an entry ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// It is the next entry.
    Done,
    /// Another stands there, and is known now: whoever adds looks again whether it still holds what
    /// it goes by.
    Met,
}

/// Why an entry was not added.
#[derive(Debug)]
pub(super) enum PostError {
    /// The store failed.
    Store(Failed),
    /// What stands there cannot be read.
    Journal(JournalError),
}

impl From<JournalError> for PostError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<PostError> for JournalError {
    fn from(error: PostError) -> Self {
        match error {
            PostError::Store(failed) => medium(failed),
            PostError::Journal(error) => error,
        }
    }
}

impl Log {
    /// Adds an entry of this writer, or of somebody who is none.
    pub(super) async fn post(
        &mut self,
        nonce: [u8; 16],
        content: Content,
        rows: &[Row],
    ) -> Result<Posted, PostError> {
        let takes_over = matches!(content, Content::TakenOver { .. });
        let (number, follows) = (self.state.next, self.state.epoch);
        let entry = Entry { epoch: follows + u64::from(takes_over), nonce: nonce.into(), content };
        let path = self.names.entry(number, follows);
        match self.requests.create(&path, entry.encode(rows)).await.map_err(PostError::Store)? {
            Created::Theirs(found) => {
                self.take_in(found)?;
                Ok(Posted::Met)
            }
            Created::Ours if entry.is_foreign() => match self.merged_block(number).await? {
                None => self.complete_post(entry),
                Some(block) if block.entry(number).is_some_and(|there| there.entry == entry) => {
                    // The answer took so long that it was merged meanwhile.
                    self.follow().await?;
                    let overtaken = takes_over && self.state.epoch != entry.epoch;
                    Ok(if overtaken { Posted::Met } else { Posted::Done })
                }
                Some(_) => {
                    // It stands where an entry was that is merged and deleted, and counts for
                    // nothing.
                    self.requests.delete(&path).await.map_err(PostError::Store)?;
                    self.follow().await?;
                    Ok(Posted::Met)
                }
            },
            Created::Ours => self.complete_post(entry),
        }
    }

    fn complete_post(&mut self, entry: Entry) -> Result<Posted, PostError> {
        self.push(entry, None, None)?;
        Ok(Posted::Done)
    }

    /// The merged object that holds the entry of this number, by those that are there now.
    ///
    /// A writer need not ask: what may be deleted of its epoch it wrote itself, and went beyond.
    async fn merged_block(&mut self, number: u64) -> Result<Option<Arc<Block>>, JournalError> {
        let seq = self.base.head().seq + 1;
        while let Some(block) = self.block(self.base.next, seq).await? {
            if block.to() >= number {
                return Ok(Some(block));
            }
            self.adopt(&block)?;
        }
        Ok(None)
    }

    /// Looks whether anybody has added an entry, as far as a writer must know: nobody else's entry
    /// that follows on its epoch is ever deleted.
    pub(super) async fn look(&mut self) -> Result<(), JournalError> {
        loop {
            let path = self.names.entry(self.state.next, self.state.epoch);
            let Some(found) = self.requests.get(&path).await.map_err(medium)? else {
                return Ok(());
            };
            self.take_in(found)?;
        }
    }
}
