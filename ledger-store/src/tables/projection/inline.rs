//! Inline: an engine that answers when its tables have it.

use super::Projector;
use crate::engines::engine::Follower;
use crate::journal::{Commit, in_one_line};

/// Given to an engine's builder, tables are never behind an answer; where they fail, the engine
/// stops and says so.
impl Follower for Projector {
    fn follow(&mut self, commit: &Commit) -> Result<(), String> {
        Self::follow(self, commit).map_err(|error| in_one_line(&error))
    }
}
