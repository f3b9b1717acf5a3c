//! What is odd in a world: names that look like others, and callers that nobody knows.
//!
//! It is drawn apart, in some worlds only, so that everything else is as it would be without.

use std::collections::{BTreeMap, BTreeSet};

use crate::rng::Rng;
use crate::settings::Faults;

/// Which stream of a seed it is drawn from: none that the world draws from. It has no world whose
/// records stand in a file (`mutated`).
const STREAM: u64 = 0x6f64_6473_616e_64a6;
/// How many worlds in a hundred have any of it.
const WORLDS: u64 = 50;

/// The odd things of a world, if it has any.
pub(crate) struct Odd {
    pub(crate) rng: Rng,
    happens: bool,
    /// For each kind of name the last that others are to look like.
    known: BTreeMap<&'static str, Box<str>>,
    /// The names that looked like one: each is given once.
    given: BTreeSet<Box<str>>,
}

impl Odd {
    pub(crate) fn from_seed(seed: u64, faults: Faults) -> Self {
        let mut rng = Rng::new(seed ^ STREAM);
        let happens = rng.percent(WORLDS) && faults != Faults::None;
        Self { rng, happens, known: BTreeMap::new(), given: BTreeSet::new() }
    }

    /// Tells whether something happens that happens so often in ten thousand.
    pub(crate) fn happens(&mut self, bps: u64) -> bool {
        self.happens && self.rng.bps(bps)
    }

    /// A name like the last of its kind that was looked at, which may be this one from now on.
    pub(crate) fn alike(
        &mut self,
        kind: &'static str,
        name: &str,
        like: impl FnOnce(&str, &mut Rng) -> Box<str>,
    ) -> Option<Box<str>> {
        let Some(known) = self.known.get(kind).filter(|_| self.rng.percent(65)) else {
            self.known.insert(kind, name.into());
            return None;
        };
        let like = like(known, &mut self.rng);
        self.given.insert(like.clone()).then_some(like)
    }
}
