//! What a writer does, and whoever places holds: each adds an entry, and looks again at what it
//! goes by wherever it met another.

use std::sync::mpsc::{TryRecvError, sync_channel};
use std::time::Duration;

use tracing::warn;

use super::ObjectJournal;
use super::format::entry::Content;
use super::format::names::ValueLocation;
use super::format::state::State;
use super::format::wire::{Hold, Note};
use super::log::{Log, medium};
use super::posting::{PostError, Posted};
use super::store::requests::Failed;
use crate::bytes::chain::Chain;
use crate::journal::writer::holder::Holder;
use crate::journal::writer::lock::{Heed, LockState};
use crate::journal::writer::noted_file::NotedFile;
use crate::journal::{AppendError, Commit, Head, JournalError, Opening, Token};
use crate::state::vault::hold::{LegalHold, OperatorNote, holding};

/// How much is written to find out whether a store takes objects: as much as a large commit.
const PROBE_BYTES: usize = 64 * 1024;

/// A lease in microseconds.
fn micros(lease: Duration) -> u64 {
    u64::try_from(lease.as_micros()).unwrap_or(u64::MAX)
}

impl ObjectJournal {
    /// Takes over by an entry at the end of the log.
    pub(super) async fn take_over(
        &mut self,
        lease: Option<Duration>,
        heed: Heed,
    ) -> Result<Opening, JournalError> {
        self.log.follow().await?;
        match (self.log.prove_end().await, self.accepted) {
            // Nothing is moved under the hands of a writer that lives.
            (Err(JournalError::Lost { head, .. }), Some(accepted)) if head == accepted => {
                if let (Some(holder), Heed::Holders) = (self.held_by_another(), heed) {
                    self.ensure_claimable(holder).await?;
                }
                self.log.set_aside().await?;
            }
            (proved, _) => proved?,
        }
        let predecessor_lease = loop {
            let left = match self.held_by_another() {
                Some(holder) if heed == Heed::Nobody => match holder {
                    Some(holder) if holder.has_died() => None,
                    _ => self.remaining_lease().await?,
                },
                Some(holder) => {
                    self.ensure_claimable(holder).await?;
                    None
                }
                None => None,
            };
            let locked = self.locks.as_mut().is_some_and(|it| it.take(self.log.state.epoch + 1));
            let holder = Some(self.me.taking_over(locked).to_text());
            let content = Content::TakenOver { lease: lease.map(micros), holder };
            match self.log.post(self.nonce, content, &[]).await? {
                Posted::Met => self.log.follow().await?,
                Posted::Done => break left.unwrap_or_default(),
            }
        };
        let epoch = self.log.state.epoch;
        self.sights_its_own();
        self.held = Some(epoch);
        if let Some(locks) = &mut self.locks {
            locks.start_epoch(epoch);
        }
        // What an older writer has said, and did not come to do.
        self.log.finish_erasures().await.map_err(medium)?;
        self.log.clear_leftovers().await?;
        self.marked_alone().await;
        if let (true, Some(folder)) = (self.places.is_empty(), self.storage.folder()) {
            let places = self.log.names.lasting(folder).map(NotedFile::note);
            self.places = places
                .into_iter()
                .collect::<Result<_, _>>()
                .map_err(|error| JournalError::Medium(error.into()))?;
        }
        self.epoch = Some(epoch);
        Ok(self.identity.opening(self.log.state.head(), epoch, predecessor_lease))
    }

    /// The writer that took over last, where it is another than this one and has not ended; of one
    /// that has not named itself, nothing within.
    #[allow(clippy::option_option)] // The name of somebody who is known to be there.
    fn held_by_another(&self) -> Option<Option<Holder>> {
        let (state, mine) = (&self.log.state, self.held);
        if mine == Some(state.epoch) {
            return None;
        }
        match state.holder() {
            Some(holder) => (!holder.is(&self.me)).then_some(Some(holder)),
            None => state.lease().map(|_| None),
        }
    }

    /// Refuses to take over from a writer whose lease is in force, or that has none and lives.
    async fn ensure_claimable(&mut self, holder: Option<Holder>) -> Result<(), JournalError> {
        let state = self.lock_state(holder.as_ref());
        if state == LockState::Gone || holder.as_ref().is_some_and(Holder::has_died) {
            return Ok(());
        }
        let leased = self.log.state.lease().is_some();
        if let Some(left) = self.remaining_lease().await? {
            return Err(JournalError::Leased { left, holder: holder.map(Box::new) });
        }
        if !leased && state == LockState::Held {
            return Err(JournalError::InUse { holder: holder.map(Box::new) });
        }
        Ok(())
    }

    /// Returns what is known of the lock of the writer that took over last.
    fn lock_state(&self, holder: Option<&Holder>) -> LockState {
        match (&self.locks, holder) {
            (Some(locks), Some(holder)) if holder.locked => locks.state(self.log.state.epoch),
            _ => LockState::Free,
        }
    }

    /// The other writer whose lock says that its process lives.
    pub(super) async fn locked_by_another(&mut self) -> Result<Option<Holder>, JournalError> {
        self.log.follow().await?;
        let holder = self.held_by_another().flatten().filter(|holder| !holder.has_died());
        let state = self.lock_state(holder.as_ref());
        Ok(holder.filter(|_| state == LockState::Held))
    }

    pub(super) async fn append_entry(
        &mut self,
        mine: u64,
        commit: &Commit,
    ) -> Result<(), AppendError> {
        let not_written = |error: JournalError| AppendError::Failed(error.into());
        let mut kept = None;
        loop {
            let stands = |state: &State| (state.head(), state.epoch);
            if stands(&self.log.state) != (commit.previous, mine) {
                // The newest there is, for whoever is answered.
                self.log.follow().await.map_err(not_written)?;
            }
            if stands(&self.log.state) != (commit.previous, mine) {
                return Err(commit.append_error(mine, stands(&self.log.state)));
            }
            let (place, tokens) = match &kept {
                Some(kept) => kept,
                None => kept.insert(self.values_kept(mine, commit).await?),
            };
            let content = Content::from_commit(commit, tokens, place.number);
            match self.log.post(self.nonce, content, &commit.rows).await {
                Ok(Posted::Done) => return Ok(()),
                Ok(Posted::Met) => {}
                Err(PostError::Store(Failed::Refused(source))) => {
                    return Err(AppendError::Failed(source));
                }
                Err(PostError::Store(Failed::Unknown(source))) => {
                    return Err(AppendError::Unknown(source));
                }
                Err(PostError::Journal(error)) => return Err(not_written(error)),
            }
        }
    }

    /// Writes the values that a commit brings before the commit: whoever reads it then finds them,
    /// and values that no commit names are known by nobody and swept later.
    async fn values_kept(
        &mut self,
        mine: u64,
        commit: &Commit,
    ) -> Result<(ValueLocation, Vec<Token>), AppendError> {
        let place = ValueLocation { epoch: mine, number: self.log.state.next };
        let new = self.log.new_of(&commit.vault).await;
        let new = new.map_err(|error| AppendError::Failed(error.into()))?;
        let written = self.log.keep(&new, place).await;
        written.map_err(|failed| AppendError::Failed(failed.source()))?;
        Ok((place, new.iter().map(|row| row.token).collect()))
    }

    /// Joins small objects where there are enough, and learns of what was joined.
    pub(super) fn merge(&mut self) {
        if let Some(running) = &self.merging {
            match running.try_recv() {
                Err(TryRecvError::Empty) => return,
                Ok(Some(block)) => {
                    if let Err(error) = self.log.adopt(&block) {
                        warn!(%error, "a merged object is not used");
                    }
                }
                // Somebody else merged, or the store failed: following the log shows what there is.
                Ok(None) | Err(TryRecvError::Disconnected) => {
                    if let Err(error) = self.run(async |journal| journal.log.follow().await) {
                        warn!(%error, "the log is not followed");
                    }
                }
            }
            self.merging = None;
        }
        let merging = self.storage.merges();
        let Some(job) = self.log.job(merging) else { return };
        let (done, running) = sync_channel(1);
        let storage = self.storage.clone();
        let work = move || {
            let merged = storage.run(async || job.run().await);
            if let Err(failed) = &merged {
                warn!(error = %failed, "small objects are not merged");
            }
            // Whoever wrote may be gone.
            let _ = done.send(merged.unwrap_or_default());
        };
        if merging.inline {
            work();
        } else if let Err(error) = std::thread::Builder::new().name("merging".into()).spawn(work) {
            warn!(%error, "small objects are not merged");
            return;
        }
        self.merging = Some(running);
    }

    pub(super) async fn post_renewal(
        &mut self,
        mine: u64,
        lease: Duration,
    ) -> Result<(), JournalError> {
        let lease = micros(lease);
        self.post_entry(mine, |_| Ok(Some(Content::LeaseRenewed { lease }))).await?;
        self.sights_its_own();
        self.held = Some(mine);
        Ok(())
    }

    pub(super) async fn post_release(&mut self, mine: u64) -> Result<(), JournalError> {
        match self.post_entry(mine, |_| Ok(Some(Content::LeaseReleased))).await {
            // It was ended by whoever has taken over.
            Err(JournalError::Fenced { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => {
                self.marked_alone().await;
                Ok(())
            }
        }
    }

    pub(super) async fn post_erasure(
        &mut self,
        mine: u64,
        token: Token,
    ) -> Result<bool, JournalError> {
        if self.log.state.epoch == mine {
            self.log.look().await?;
        }
        let place = self.log.place_of(token).await?;
        let erased = self.post_entry(mine, |state| {
            if let Some(holds) = holding(&state.holds(), [token]) {
                return Err(JournalError::Held { holds });
            }
            Ok(place.map(|ValueLocation { epoch, number }| Content::Erased {
                token: token.into(),
                epoch,
                values_at: number,
            }))
        });
        if !erased.await? {
            return Ok(false);
        }
        let Some(place) = place else { return Ok(false) };
        self.log.requests.delete(&self.log.names.value(token, place)).await.map_err(medium)?;
        Ok(true)
    }

    /// Adds an entry of the writer of epoch `mine`, if by the state before it there is to be one;
    /// whether there was.
    async fn post_entry(
        &mut self,
        mine: u64,
        content: impl Fn(&State) -> Result<Option<Content>, JournalError>,
    ) -> Result<bool, JournalError> {
        loop {
            if self.log.state.epoch != mine {
                self.log.follow().await?;
                return Err(JournalError::Fenced { mine, current: self.log.state.epoch });
            }
            let Some(content) = content(&self.log.state)? else { return Ok(false) };
            if self.log.post(self.nonce, content, &[]).await? == Posted::Done {
                return Ok(true);
            }
        }
    }

    /// Writes an object that nobody reads, and deletes it.
    pub(super) async fn probe_store(&self) -> Result<(), JournalError> {
        let path = self.log.names.probe(u128::from_be_bytes(self.nonce));
        self.log.requests.overwrite(&path, vec![0; PROBE_BYTES]).await.map_err(medium)?;
        self.log.requests.delete(&path).await.map_err(medium)
    }

    pub(super) async fn hold_placed(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        let placed = Hold::from(hold);
        self.posted_by_anybody(|state| {
            let is_known = state.holds().iter().any(|known| known.id == hold.id);
            (!is_known).then(|| Content::HoldPlaced { hold: placed.clone() })
        })
        .await
    }

    pub(super) async fn hold_released(
        &mut self,
        id: &str,
        note: &OperatorNote,
    ) -> Result<bool, JournalError> {
        self.posted_by_anybody(|state| {
            let holds = state.holds();
            let is_held = holds.iter().any(|hold| hold.id == id && hold.released.is_none());
            is_held.then(|| Content::HoldReleased { id: id.to_owned(), note: Note::from(note) })
        })
        .await
    }

    async fn posted_by_anybody(
        &mut self,
        content: impl Fn(&State) -> Option<Content>,
    ) -> Result<bool, JournalError> {
        loop {
            self.log.follow().await?;
            self.log.assert_end().await?;
            let Some(content) = content(&self.log.state) else { return Ok(false) };
            if self.log.post(self.nonce, content, &[]).await? == Posted::Done {
                return Ok(true);
            }
        }
    }

    /// Leaves nothing behind of what was erased, as far as this program can.
    pub(super) async fn scrub_log(&mut self) -> Result<Vec<String>, JournalError> {
        self.log.follow().await?;
        self.log.finish_erasures().await.map_err(medium)?;
        let undeleted = self.log.sweep(self.epoch).await?;
        let mut left = Vec::new();
        if undeleted > 0 {
            left.push(format!(
                "{undeleted} values that nothing names could not be deleted: scrub again"
            ));
        }
        if self.storage.lock_seen().keeps_versions {
            left.push(
                "the bucket keeps versions of what is deleted: delete the versions of the \
                 objects under vault/, and switch versioning off or let a rule delete them"
                    .to_owned(),
            );
        }
        if let Some(folder) = self.storage.folder() {
            let folder = self.log.names.folder_of_values(folder);
            let removed = remove_unfinished(&folder);
            removed.map_err(|error| JournalError::Medium(error.into()))?;
        }
        Ok(left)
    }

    /// Reads the whole log anew, from its first entry, by names and not by lists.
    pub(super) async fn check_log(&mut self) -> Result<(), JournalError> {
        let genesis = Head::from_chain(&Chain::genesis(self.identity.algorithm, &self.name));
        self.log.follow().await?;
        self.log.prove_end().await?;
        let (requests, names) = (self.log.requests.clone(), self.log.names.clone());
        let mut anew = Log::from_the_first(requests, names, State::genesis(genesis)).await?;
        anew.reached.note(self.log.state.next - 1, &self.log.names.entries());
        anew.assert_end().await?;
        self.log.follow().await?;
        // Another writer may have gone on in between.
        let (found, known) = (anew.state.head(), self.log.state.head());
        if found.seq > known.seq || (found.seq == known.seq && found.link != known.link) {
            let source = format!("the log from its first entry ends at record {}", found.seq);
            return Err(JournalError::Damaged { seq: known.seq + 1, source: source.into() });
        }
        Ok(())
    }
}

/// Removes files that a writer to a folder was killed over: they are of values, and nobody lists
/// them. One that is just being written is written again. What was deleted is then deleted on the
/// disk as well.
fn remove_unfinished(folder: &std::path::Path) -> std::io::Result<()> {
    // There is none before the first value.
    let Ok(files) = std::fs::read_dir(folder) else { return Ok(()) };
    for file in files {
        let file = file?;
        if file.file_name().to_string_lossy().contains('#') {
            std::fs::remove_file(file.path())?;
        }
    }
    std::fs::File::open(folder)?.sync_all()
}
