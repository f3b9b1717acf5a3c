//! A store of events in memory.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use disintegrate::{Event, EventStore, PersistedEvent, StreamItem, StreamQuery};
use futures::stream::{self, BoxStream, StreamExt as _};

use super::PayoutMoved;

/// Every event, by its number from 1.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Vec<Stored>>>);

pub type Stored = PersistedEvent<i64, PayoutMoved>;

/// A decision that was made without knowing of an event meanwhile.
#[derive(Debug, thiserror::Error)]
#[error("another decision came first")]
pub struct Stale;

impl Memory {
    /// All of them; nobody else has them meanwhile.
    pub fn events(&self) -> MutexGuard<'_, Vec<Stored>> {
        self.0.lock().expect("nobody panics who holds it")
    }
}

#[async_trait]
impl EventStore<i64, PayoutMoved> for Memory {
    type Error = Stale;

    fn stream<'a, QE>(
        &'a self,
        query: &'a StreamQuery<i64, QE>,
    ) -> BoxStream<'a, Result<StreamItem<i64, QE>, Stale>>
    where
        QE: TryFrom<PayoutMoved> + Event + 'static + Clone + Send + Sync,
        <QE as TryFrom<PayoutMoved>>::Error: Error + 'static + Send + Sync,
    {
        let stored = self.events().clone();
        let end = StreamItem::End(stored.last().map_or(0, PersistedEvent::id));
        let found = stored.into_iter().filter_map(|event| {
            let event = PersistedEvent::new(event.id(), event.into_inner().try_into().ok()?);
            query.matches(&event).then_some(StreamItem::Event(event))
        });
        stream::iter(found.chain([end]).map(Ok).collect::<Vec<_>>()).boxed()
    }

    async fn append<QE>(
        &self,
        events: Vec<PayoutMoved>,
        query: StreamQuery<i64, QE>,
        last: i64,
    ) -> Result<Vec<Stored>, Stale>
    where
        QE: Event + 'static + Clone + Send + Sync,
    {
        let concerns = |event: &Stored| {
            let ids = event.domain_ids();
            query
                .filters()
                .iter()
                .any(|it| it.identifiers().iter().all(|(k, v)| ids.get(k) == Some(v)))
        };
        let mut stored = self.events();
        if stored.iter().any(|event| last < event.id() && concerns(event)) {
            return Err(Stale);
        }
        Ok(keep(&mut stored, events))
    }

    async fn append_without_validation(
        &self,
        events: Vec<PayoutMoved>,
    ) -> Result<Vec<Stored>, Stale> {
        Ok(keep(&mut self.events(), events))
    }
}

fn keep(stored: &mut Vec<Stored>, events: Vec<PayoutMoved>) -> Vec<Stored> {
    let next = stored.last().map_or(1, |last| last.id() + 1);
    let events: Vec<_> = (next..).zip(events).map(|(id, it)| PersistedEvent::new(id, it)).collect();
    stored.extend(events.iter().cloned());
    events
}
