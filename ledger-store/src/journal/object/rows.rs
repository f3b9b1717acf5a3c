//! Reading rows: from entries, whole, or from merged objects, by range.

use std::ops::Bound::{Excluded, Unbounded};
use std::sync::Arc;

use super::format::block::Block;
use super::format::entry::Entry;
use super::format::names::block_of;
use super::log::{Extent, Log, medium};
use super::store::requests::in_parallel;
use crate::journal::{JournalError, Row};

impl Log {
    /// The next rows holding record `seq` or a later one, at most `most`; only an empty answer
    /// means the end.
    pub(super) async fn read(&mut self, seq: u64, most: usize) -> Result<Vec<Row>, JournalError> {
        if seq > self.state.head().seq {
            self.follow().await?;
            if seq > self.state.head().seq {
                self.assert_end().await?;
            }
        }
        let (mut seq, mut rows) = (seq.max(1), Vec::new());
        while rows.len() < most && seq <= self.state.head().seq {
            let wanted = most - rows.len();
            let more = if seq > self.base.head().seq {
                self.rows_of_entries(seq, wanted).await
            } else {
                self.rows_of_a_block(seq, wanted).await
            };
            match more {
                Ok(more) => {
                    seq = more.last().map_or(seq, |row| row.last() + 1);
                    rows.extend(more);
                }
                // Rows before damage are still given.
                Err(JournalError::Damaged { .. }) if !rows.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }

    /// Rows of entries; none where they were merged meanwhile.
    async fn rows_of_entries(&mut self, seq: u64, most: usize) -> Result<Vec<Row>, JournalError> {
        let (mut wanted, mut count) = (Vec::new(), 0);
        for (number, known) in (self.base.next..).zip(&self.entries) {
            let rows = known.entry.rows().iter().filter(|row| row.last() >= seq).count();
            if rows > 0 && count < most {
                count += rows;
                wanted.push(number);
            }
        }
        let read = in_parallel(wanted.iter().copied(), async |number| {
            let known = self.entry_object(number).expect("it was found here");
            match &known.payload {
                Some(payload) => Ok(Some(Ok(payload.clone()))),
                None => {
                    let path = self.names.entry(number, known.follows);
                    let found = self.requests.get(&path).await?;
                    Ok(found.map(|found| payload_of(&known.entry, &found.bytes)))
                }
            }
        });
        let read = read.await.map_err(medium)?;
        let mut rows = Vec::with_capacity(count);
        for (number, payload) in wanted.into_iter().zip(read) {
            let Some(payload) = payload else {
                return if rows.is_empty() {
                    self.follow_moved_entry(number).await
                } else {
                    Ok(rows)
                };
            };
            let payload = match payload {
                Ok(payload) => payload,
                Err(_) if !rows.is_empty() => return Ok(rows),
                Err(reason) => {
                    let source = format!("entry {number}: {reason}").into();
                    return Err(JournalError::Damaged { seq, source });
                }
            };
            let mut at = 0;
            for row in self.entry_object(number).expect("it was found here").entry.rows() {
                let end = at + usize::try_from(row.bytes).unwrap_or(usize::MAX);
                if row.last() >= seq && rows.len() < most {
                    rows.push(row.with(&payload[at..end]));
                }
                at = end;
            }
        }
        Ok(rows)
    }

    /// An entry is gone: a merged object has it, or it is lost.
    async fn follow_moved_entry(&mut self, number: u64) -> Result<Vec<Row>, JournalError> {
        self.follow().await?;
        if number >= self.base.next {
            let seq = self.base.head().seq + 1;
            let source = format!("the object of entry {number} is missing").into();
            return Err(JournalError::Damaged { seq, source });
        }
        Ok(Vec::new())
    }

    async fn rows_of_a_block(&mut self, seq: u64, most: usize) -> Result<Vec<Row>, JournalError> {
        let block = self.block_with(seq).await?;
        let rows = block.rows(seq, most);
        let (Some((_, first)), Some((_, last))) = (rows.first(), rows.last()) else {
            let source = "a merged object lacks what it says it holds".into();
            return Err(JournalError::Damaged { seq, source });
        };
        let (start, end) = (first.start, last.end);
        let path = self.names.block(block.from());
        let found = self.requests.get_range(&path, start..end).await.map_err(medium)?;
        let bytes = found.map(|found| found.bytes).unwrap_or_default();
        let row = |(row, range): &(super::format::entry::RowHead, std::ops::Range<u64>)| {
            let at = |place: u64| usize::try_from(place - start).ok();
            Some(row.with(bytes.get(at(range.start)?..at(range.end)?)?))
        };
        let rows: Vec<Row> = rows.iter().map_while(row).collect();
        if rows.is_empty() {
            let source = format!("the object {path} is missing or cut off").into();
            return Err(JournalError::Damaged { seq, source });
        }
        Ok(rows)
    }

    /// The merged object that holds a record: by what is known of them, and by a list of the rest.
    async fn block_with(&mut self, seq: u64) -> Result<Arc<Block>, JournalError> {
        let holds = |block: &&Arc<Block>| {
            let index = &block.index;
            index.before.head().seq < seq && seq <= index.after.head().seq
        };
        if let Some(block) = self.last_read.as_ref().filter(holds) {
            return Ok(Arc::clone(block));
        }
        let mut hints: Option<Vec<u64>> = None;
        loop {
            let below = self.extents.iter().rev().find(|(_, extent)| extent.before < seq);
            let (from, next) = match below {
                Some((from, Extent { after, .. })) if *after >= seq => (*from, None),
                Some((from, extent)) => (*from, Some(extent.to + 1)),
                None => (0, Some(1)),
            };
            let Some(next) = next else {
                return self.block(from, seq).await?.ok_or_else(|| missing(from, seq));
            };
            let above =
                self.extents.range((Excluded(from), Unbounded)).next().map(|(from, _)| *from);
            let above = above.unwrap_or(self.base.next);
            if hints.is_none() && above > next {
                let listed = self.requests.list(&self.names.merged_folder(), None).await;
                let mut listed: Vec<u64> =
                    listed.map_err(medium)?.iter().filter_map(block_of).collect();
                listed.sort_unstable();
                hints = Some(listed);
            }
            let between = hints.iter().flatten().filter(|from| (next..above).contains(*from));
            let between: Vec<u64> = between.copied().collect();
            let tried = between.get(between.len() / 2).copied().unwrap_or(next);
            if self.block(tried, seq).await?.is_none() {
                if tried == next {
                    return Err(missing(next, seq));
                }
                // The list named what is not there.
                if let Some(hints) = &mut hints {
                    hints.retain(|hint| *hint != tried);
                }
            }
        }
    }
}

fn missing(from: u64, seq: u64) -> JournalError {
    let source = format!("the merged object from entry {from} on is missing").into();
    JournalError::Damaged { seq, source }
}

fn payload_of(known: &Entry, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (entry, payload) = Entry::decode(bytes)?;
    if entry != *known {
        return Err("it is not the one that was read before".to_owned());
    }
    Ok(bytes[payload..].to_vec())
}
