//! Who waits until a record is durable, or until nothing is written any more.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

/// Those who wait, by the number of the record they wait for.
#[derive(Debug, Default)]
pub(super) struct Waiters(BTreeMap<u64, Vec<oneshot::Sender<()>>>);

impl Waiters {
    /// The number that no record reaches: who waits for it waits for the end.
    pub(super) const END: u64 = u64::MAX;

    /// Joins those who wait for record `seq`.
    pub(super) fn join(&mut self, seq: u64) -> oneshot::Receiver<()> {
        let (wake, woken) = oneshot::channel();
        let those = self.0.entry(seq).or_default();
        those.retain(|one| !one.is_closed());
        those.push(wake);
        woken
    }

    /// Wakes those who wait for record `durable` or one before it; by [`Waiters::END`], everybody.
    pub(super) fn wake(&mut self, durable: u64) {
        while self.0.first_key_value().is_some_and(|(seq, _)| *seq <= durable) {
            let Some((_, those)) = self.0.pop_first() else { return };
            for one in those {
                // Who waits no longer needs no waking.
                let _ = one.send(());
            }
        }
    }
}
