//! Reading, writing and erasing the values of tokens.

use std::collections::HashSet;

use futures_util::future::join_all;
use minicbor::{Decode, Encode};

use super::format::entry::to_cbor;
use super::format::names::{ValueLocation, value_of};
use super::log::{Log, medium};
use super::store::requests::{Failed, in_parallel};
use super::vault_index::erased_value;
use crate::journal::JournalError;
use crate::state::vault::named::KeptTokens;
use crate::state::vault::row::{Token, VaultRow};

/// A value as its object writes it.
#[derive(Encode, Decode)]
struct Value {
    #[n(0)]
    kind: u8,
    #[n(1)]
    text: String,
    #[n(2)]
    mask: String,
}

impl Log {
    /// Reads for tokens what was not read for them yet.
    async fn catch_up(&mut self) -> Result<(), JournalError> {
        while self.vault_index.next < self.state.next {
            let number = self.vault_index.next;
            if let Some(known) = self.entry_object(number) {
                let entry = known.entry.clone();
                self.vault_index.apply(&entry);
                continue;
            }
            let within = self.extents.range(..=number).next_back();
            let from = within.filter(|(_, extent)| number <= extent.to).map_or(number, |it| *it.0);
            let Some(block) = self.block(from, 1).await? else {
                return Err(self.damage_error(number, "neither it nor a merged object is there"));
            };
            while let Some(merged) = block.entry(self.vault_index.next) {
                self.vault_index.apply(&merged.entry);
            }
        }
        Ok(())
    }

    /// Where the value of a token is, by all that is known of the log.
    pub(super) async fn place_of(
        &mut self,
        token: Token,
    ) -> Result<Option<ValueLocation>, JournalError> {
        self.catch_up().await?;
        Ok(self.vault_index.tokens.get(&token).copied())
    }

    /// Which of these rows are of tokens that have no value yet.
    pub(super) async fn new_of<'a>(
        &mut self,
        rows: &'a [VaultRow],
    ) -> Result<Vec<&'a VaultRow>, JournalError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        self.catch_up().await?;
        let mut new: Vec<&VaultRow> = Vec::new();
        for row in rows {
            let known = self.vault_index.tokens.contains_key(&row.token);
            if !known && new.iter().all(|other| other.token != row.token) {
                new.push(row);
            }
        }
        Ok(new)
    }

    /// Writes values before the commit that names them.
    pub(super) async fn keep(
        &self,
        rows: &[&VaultRow],
        place: ValueLocation,
    ) -> Result<(), Failed> {
        in_parallel(rows, async |row| {
            let VaultRow { token, kind, value, mask } = (*row).clone();
            let bytes = to_cbor(&Value { kind, text: value, mask });
            self.requests.overwrite(&self.names.value(token, place), bytes).await
        })
        .await
        .map(drop)
    }

    /// Every value, in the order of tokens.
    pub(super) async fn values(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.look_at_values().await?;
        self.assert_end().await?;
        self.catch_up().await?;
        let places =
            self.vault_index.tokens.iter().map(|(token, place)| (*token, *place)).collect();
        self.values_at(places).await
    }

    /// The values that are kept for these tokens, in the order of tokens.
    pub(super) async fn values_of(
        &mut self,
        tokens: &[Token],
    ) -> Result<Vec<VaultRow>, JournalError> {
        self.catch_up().await?;
        let place = |token: &Token| Some((*token, *self.vault_index.tokens.get(token)?));
        let places = tokens.iter().filter_map(place).collect();
        self.values_at(places).await
    }

    /// Of which tokens there are values, and which were erased. Which values there were, only the
    /// log says: records that came without theirs name others.
    pub(super) async fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        self.assert_end().await?;
        self.catch_up().await?;
        let before = self.vault_index.tokens.clone();
        let listed = self.requests.list(&self.names.values(), None).await.map_err(medium)?;
        let there: HashSet<_> = listed.iter().filter_map(value_of).collect();
        // What was erased meanwhile stands in the log before its object is deleted.
        self.follow().await?;
        self.catch_up().await?;
        let kept = &self.vault_index;
        let gone = before.iter().filter(|(token, place)| {
            !there.contains(&(**token, **place)) && kept.tokens.get(*token) == Some(*place)
        });
        let mut lost = kept.lost.clone();
        lost.extend(gone.map(|(token, _)| *token));
        Ok(KeptTokens {
            kept: kept.tokens.keys().filter(|token| !lost.contains(*token)).copied().collect(),
            erased: kept.erased.clone(),
            lost: lost.into_iter().collect(),
            since: u64::MAX,
        })
    }

    async fn values_at(
        &mut self,
        mut places: Vec<(Token, ValueLocation)>,
    ) -> Result<Vec<VaultRow>, JournalError> {
        places.sort_unstable_by_key(|(token, _)| *token);
        let read = in_parallel(places, async |(token, place)| {
            Ok((token, self.requests.get(&self.names.value(token, place)).await?))
        });
        let read = read.await.map_err(medium)?;
        let mut rows = Vec::with_capacity(read.len());
        for (token, found) in read {
            let Some(found) = found else {
                // Erased since, or by hand: nobody has it any more.
                if self.vault_index.tokens.remove(&token).is_some() {
                    self.vault_index.lost.insert(token);
                }
                continue;
            };
            let Value { kind, text: value, mask } = minicbor::decode(&found.bytes)
                .map_err(|error| JournalError::Medium(error.into()))?;
            rows.push(VaultRow { token, kind, value, mask });
        }
        Ok(rows)
    }

    /// Deletes the values whose erasure stands in the entries that are not merged: whoever wrote
    /// one may not have come to it.
    pub(super) async fn finish_erasures(&self) -> Result<(), Failed> {
        let places = self.entries.iter().filter_map(|known| erased_value(&known.entry.content));
        let paths = places.map(|(token, place)| self.names.value(token, place));
        in_parallel(paths, async |path| self.requests.delete(&path).await).await.map(drop)
    }

    /// Deletes values that no commit names and none will: those of writers that were overtaken,
    /// and, for the writer itself, of its own commits that failed. How many could not be deleted.
    pub(super) async fn sweep(&mut self, writer: Option<u64>) -> Result<usize, JournalError> {
        self.catch_up().await?;
        let listed = self.requests.list(&self.names.values(), None).await.map_err(medium)?;
        let epoch = self.state.epoch;
        let over = |place: ValueLocation| place.epoch < epoch || Some(place.epoch) == writer;
        let named = |token: Token, place| self.vault_index.tokens.get(&token) == Some(&place);
        let left = listed.iter().filter(|path| {
            value_of(path).is_some_and(|(token, place)| over(place) && !named(token, place))
        });
        let deleted = join_all(left.map(|path| self.requests.delete(path))).await;
        Ok(deleted.into_iter().filter(Result::is_err).count())
    }
}
