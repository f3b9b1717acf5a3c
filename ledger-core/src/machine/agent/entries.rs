//! The entries of an agent: none, whatever happens to it.

use super::Event;
use crate::accounting::Entry;

/// Accounts for `event`: an agent is an identity, and moves no money by what it is.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    match event {
        Event::Registered(_)
        | Event::Admitted(_)
        | Event::SandboxUsed
        | Event::Validated
        | Event::MandateSet(_)
        | Event::Activated(_)
        | Event::Suspended
        | Event::Reinstated => Entry::NONE,
    }
}
