//! Lanes: what is due goes by account, so that a delivery's turn depends neither on how much waits
//! nor on whose it is.
//!
//! A lane has room for a few attempts at once, for more while its endpoint takes them at once, and
//! for the few again after a failure. Endpoints that keep the courier waiting share a bound of
//! their own.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::Environment;
use ledger_core::time::Instant;

/// An endpoint that says nothing for so long is a slow one.
const SLOW: Duration = Duration::from_secs(1);

/// By how much the room of an endpoint that takes everything grows at most.
const GROWS: usize = 8;

/// How many attempts may wait for slow endpoints, for each that may be under way to others.
const WAIT: usize = 4;

/// Whose lane it is.
pub(super) type LaneKey = (Environment, String);

/// The lane whose turn it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) key: LaneKey,
    /// How many of its attempts are under way.
    pub(super) under_way: usize,
    /// How many may begin.
    pub(super) free: usize,
}

/// All lanes, and which of them come next.
#[derive(Debug)]
pub(super) struct Lanes {
    at_once: usize,
    per_account: usize,
    all: HashMap<LaneKey, Lane>,
    /// Those with something due, first those that answer, then the slow ones.
    ready: [VecDeque<LaneKey>; 2],
    /// Those whose first is due later.
    later: BTreeSet<(Instant, LaneKey)>,
    /// How many attempts are under way to endpoints that answer, and to slow ones.
    under_way: [usize; 2],
}

#[derive(Debug)]
struct Lane {
    room: usize,
    under_way: usize,
    is_slow: bool,
    /// When it answered last, or was first asked.
    heard: Clock,
    /// Tells whether it stands in `ready`.
    is_ready: bool,
    /// Tells whether something is due for which there was no room.
    waits: bool,
    /// When it comes next, where it stands in `later`.
    later: Option<Instant>,
}

impl Lanes {
    pub(super) fn new(at_once: usize, per_account: usize) -> Self {
        let per_account = per_account.max(1);
        let (all, later) = (HashMap::new(), BTreeSet::new());
        let (ready, under_way) = (Default::default(), [0; 2]);
        Self { at_once: at_once.max(1), per_account, all, ready, later, under_way }
    }

    /// Something of an account is due at this instant.
    pub(super) fn due(&mut self, key: LaneKey, at: Instant) {
        let lane = self.all.entry(key.clone()).or_insert_with(|| Lane::new(self.per_account));
        if lane.is_ready || lane.waits || lane.later.is_some_and(|later| later <= at) {
            return;
        }
        if let Some(before) = lane.later.replace(at) {
            self.later.remove(&(before, key.clone()));
        }
        self.later.insert((at, key));
    }

    /// The lane whose turn it is at `now`, if there is one with room.
    pub(super) fn next(&mut self, now: Instant) -> Option<Turn> {
        while let Some((at, key)) = self.later.pop_first() {
            if now < at {
                self.later.insert((at, key));
                break;
            }
            if let Some(lane) = self.all.get_mut(&key) {
                lane.later = None;
            }
            self.ready(&key);
        }
        for slow in 0..self.ready.len() {
            let most = if slow == 0 { self.at_once } else { WAIT * self.at_once };
            while let Some(left) = most.checked_sub(self.under_way[slow]).filter(|left| *left > 0) {
                let Some(key) = self.ready[slow].pop_front() else { break };
                let Some(lane) = self.all.get_mut(&key) else { continue };
                lane.is_ready = false;
                let free = lane.free();
                if usize::from(lane.is_slow) != slow {
                    // It has become slow, or quick, since it was placed.
                    self.ready(&key);
                } else if free == 0 {
                    lane.waits = true;
                } else {
                    return Some(Turn { under_way: lane.under_way, free: free.min(left), key });
                }
            }
        }
        None
    }

    /// So many attempts of a lane have begun, and the next of it is due then, if one waits.
    pub(super) fn begin_attempts(
        &mut self,
        key: &LaneKey,
        count: usize,
        next: Option<Instant>,
        now: Instant,
    ) {
        let Some(lane) = self.all.get_mut(key) else { return };
        if lane.under_way == 0 {
            lane.heard = Clock::now();
        }
        lane.under_way += count;
        self.under_way[usize::from(lane.is_slow)] += count;
        match next {
            Some(at) if at <= now => self.ready(key),
            Some(at) => self.due(key.clone(), at),
            None => {}
        }
    }

    /// An attempt has ended; its endpoint took what it was sent, or did not, after so long.
    pub(super) fn end_attempt(&mut self, key: &LaneKey, taken: bool, took: Duration) {
        let Some(lane) = self.all.get_mut(key) else { return };
        // All that is under way in the lane counts among the slow or among the others, whichever it
        // is: it is taken out before that may change, and put back after.
        self.under_way[usize::from(lane.is_slow)] -= lane.under_way;
        lane.under_way = lane.under_way.saturating_sub(1);
        lane.heard = Clock::now();
        lane.is_slow = SLOW <= took;
        let grows = taken && !lane.is_slow;
        lane.room =
            if grows { (lane.room + 1).min(GROWS * self.per_account) } else { self.per_account };
        self.under_way[usize::from(lane.is_slow)] += lane.under_way;
        if std::mem::take(&mut lane.waits) {
            self.ready(key);
        }
    }

    /// Finds endpoints that keep attempts waiting.
    pub(super) fn find_slow(&mut self) {
        for lane in self.all.values_mut() {
            if lane.under_way > 0 && !lane.is_slow && SLOW <= lane.heard.elapsed() {
                lane.is_slow = true;
                self.under_way[0] -= lane.under_way;
                self.under_way[1] += lane.under_way;
            }
        }
    }

    /// Begins nothing more of a lane until something of it is due anew: its ledger or the tables
    /// are away, and asking at once again would only keep the courier busy.
    pub(super) fn pause(&mut self, key: &LaneKey) {
        let Some(lane) = self.all.get_mut(key) else { return };
        lane.waits = false;
        if std::mem::take(&mut lane.is_ready) {
            self.ready.iter_mut().for_each(|ready| ready.retain(|other| other != key));
        }
    }

    /// Forgets what waits; what is under way goes on.
    pub(super) fn forget(&mut self) {
        self.later.clear();
        self.ready.iter_mut().for_each(VecDeque::clear);
        for lane in self.all.values_mut() {
            (lane.is_ready, lane.waits, lane.later) = (false, false, None);
        }
    }

    fn ready(&mut self, key: &LaneKey) {
        let Some(lane) = self.all.get_mut(key).filter(|lane| !lane.is_ready) else { return };
        lane.is_ready = true;
        if let Some(later) = lane.later.take() {
            self.later.remove(&(later, key.clone()));
        }
        self.ready[usize::from(lane.is_slow)].push_back(key.clone());
    }
}

impl Lane {
    fn new(room: usize) -> Self {
        let (is_ready, waits, is_slow) = (false, false, false);
        Self { room, under_way: 0, is_slow, heard: Clock::now(), is_ready, waits, later: None }
    }

    /// How many may begin: none until there is room for half of them, as each look costs a read.
    fn free(&self) -> usize {
        let free = self.room.saturating_sub(self.under_way);
        if self.under_way == 0 || self.room <= 2 * free { free } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::time::Span;

    use super::*;

    const QUICK: Duration = Duration::from_millis(5);

    fn noon() -> Instant {
        Instant::parse("2026-11-20T12:00:00Z").unwrap()
    }

    fn key(name: &str) -> LaneKey {
        (Environment::Live, name.to_owned())
    }

    /// Begins all that may begin of what is endless for each lane.
    fn begin_all(lanes: &mut Lanes) -> HashMap<String, usize> {
        let mut begun = HashMap::new();
        while let Some(Turn { key, free, .. }) = lanes.next(noon()) {
            lanes.begin_attempts(&key, free, Some(noon()), noon());
            *begun.entry(key.1).or_default() += free;
        }
        begun
    }

    #[test]
    fn an_endpoint_that_takes_everything_is_sent_more_at_once_and_after_a_failure_few() {
        let mut lanes = Lanes::new(1_000, 4);
        lanes.due(key("loja"), noon());
        assert_eq!(begin_all(&mut lanes)["loja"], 4);
        for _ in 0..1_000 {
            lanes.end_attempt(&key("loja"), true, QUICK);
            begin_all(&mut lanes);
        }
        let lane = &lanes.all[&key("loja")];
        assert_eq!(lane.room, 32);
        assert!((16..=32).contains(&lane.under_way), "{lane:?}");
        lanes.end_attempt(&key("loja"), false, QUICK);
        assert_eq!(begin_all(&mut lanes).len(), 0, "more than four are under way");
    }

    #[test]
    fn slow_endpoints_leave_the_room_of_the_others_alone() {
        let mut lanes = Lanes::new(8, 4);
        for slow in ["a", "b", "c"] {
            lanes.due(key(slow), noon());
        }
        assert_eq!(begin_all(&mut lanes).len(), 2, "eight at once");
        lanes.due(key("quick"), noon());
        assert_eq!(begin_all(&mut lanes).len(), 0);
        for lane in lanes.all.values_mut() {
            lane.heard = Clock::now().checked_sub(SLOW).unwrap();
        }
        lanes.find_slow();
        let begun = begin_all(&mut lanes);
        assert_eq!((begun["c"], begun["quick"]), (4, 4));
        // One that answers again is among the others again.
        lanes.end_attempt(&key("a"), true, QUICK);
        assert!(!lanes.all[&key("a")].is_slow);
        assert_eq!(lanes.under_way, [11, 4]);
    }

    #[test]
    fn a_lane_that_is_paused_begins_nothing_until_something_is_due_anew() {
        let mut lanes = Lanes::new(8, 1);
        lanes.due(key("a"), noon());
        assert_eq!(begin_all(&mut lanes)["a"], 1);
        lanes.end_attempt(&key("a"), false, QUICK);
        lanes.pause(&key("a"));
        assert_eq!(lanes.next(noon()), None);
        lanes.due(key("a"), noon());
        assert_eq!(lanes.next(noon()).map(|turn| turn.key), Some(key("a")));
    }

    #[test]
    fn lanes_take_turns_and_what_is_due_later_waits() {
        let mut lanes = Lanes::new(2, 1);
        lanes.due(key("later"), noon().after(Span::seconds(5)));
        for name in ["a", "b", "c"] {
            lanes.due(key(name), noon());
        }
        assert_eq!(begin_all(&mut lanes).len(), 2);
        lanes.end_attempt(&key("a"), true, QUICK);
        assert_eq!(begin_all(&mut lanes).into_keys().collect::<Vec<_>>(), ["c"]);
        lanes.end_attempt(&key("b"), false, QUICK);
        lanes.end_attempt(&key("c"), false, QUICK);
        let mut turns = Vec::new();
        while let Some(Turn { key, .. }) = lanes.next(noon().after(Span::seconds(5))) {
            lanes.begin_attempts(&key, 1, None, noon());
            lanes.end_attempt(&key, true, QUICK);
            turns.push(key.1);
        }
        assert_eq!(turns, ["a", "b", "c", "later"]);
    }
}
