//! What follows from a decision, whichever domain's it is: the table in which domains register it.

use super::agent::reward;
use super::decision::lookup::Lookup;
use super::hold::shortfall;
use super::record::event::Event;
use super::state::State;
use super::suspense::hold_back;
use crate::time::Instant;

/// Adds what follows from what was decided of a command.
pub(super) fn of_command(state: &State, lookup: &Lookup, events: &mut Vec<Event>, at: Instant) {
    hold_back::follow(state, lookup, events, at);
    of_deadline(state, events);
}

/// Adds what follows from a deadline that came due.
pub(super) fn of_deadline(state: &State, events: &mut Vec<Event>) {
    shortfall::top_up(state, events);
    reward::accrue(state, events);
}
