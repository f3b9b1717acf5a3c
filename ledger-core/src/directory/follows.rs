//! Which event of a directory may come next; written apart from the deciding, so that each checks
//! the other.

use super::{Directory, Event, MoveStage, is_name};

/// Tells whether `event` may follow what the directory holds.
#[must_use]
pub fn follows(directory: &Directory, event: &Event) -> bool {
    match event {
        Event::CellAdded { cell, .. } => is_name(cell) && !directory.cells.contains_key(&**cell),
        Event::AccountPlaced { account, cell } => {
            is_name(account)
                && !directory.accounts.contains_key(&**account)
                && directory.cells.contains_key(&**cell)
        }
        Event::KeyBound { key, account } => {
            !directory.keys.contains_key(key) && directory.accounts.contains_key(&**account)
        }
        Event::MoveBegun { id, account, from, to } => {
            let lives_there = directory.accounts.get(&**account).is_some_and(|residence| {
                *residence.cell == **from
                    && residence.moving.is_none()
                    && !residence.before.iter().any(|left| **left == **to)
            });
            is_name(id)
                && !directory.moves.contains_key(&**id)
                && directory.cells.contains_key(&**to)
                && from != to
                && lives_there
        }
        Event::MoveFinished { id, account, to } => {
            directory.moves.get(&**id).is_some_and(|begun| {
                begun.stage == MoveStage::UnderWay
                    && *begun.account == **account
                    && *begun.to == **to
            })
        }
        Event::MoveAbandoned { id, account, from } => {
            directory.moves.get(&**id).is_some_and(|begun| {
                begun.stage == MoveStage::UnderWay
                    && *begun.account == **account
                    && *begun.from == **from
            })
        }
    }
}
