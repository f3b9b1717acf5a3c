//! Movers: each reports what is to be reported next, and may be gone at any message.

use super::world::{ACCOUNTS, Moving, World};
use super::{CELLS, PlantedMistake};
use ledger_core::contract::{CellReport, MovePlan, Side};

impl World {
    /// An account is to move to a cell in which it never lived.
    pub(super) fn begin_move(&mut self) {
        let number = self.rng.index(ACCOUNTS);
        let to = self.rng.index(CELLS);
        let account = &self.accounts[number];
        if account.is_moving() || account.homes.contains(&to) {
            return;
        }
        let from = *account.homes.last().expect("it lives somewhere");
        let id = format!("mv-{}", self.next_number());
        let account = &mut self.accounts[number];
        account.homes.push(to);
        account.moves.push(Moving { id, from, to, done: false });
    }

    /// A mover goes on with an account that moves, or looks after one that has moved.
    pub(super) fn go_on_moving(&mut self) {
        let number = self.rng.index(ACCOUNTS);
        self.move_on(number);
    }

    /// What follows an account to where it is, and then its last move.
    pub(super) fn move_on(&mut self, account: usize) {
        for number in 0..self.accounts[account].moves.len() {
            self.go_on(account, number);
        }
    }

    /// One round of a move: what is to be reported, each after the one before was answered.
    fn go_on(&mut self, account: usize, number: usize) {
        let known = &self.accounts[account];
        let Moving { id, from, to, done } = &known.moves[number];
        let (id, from, to, done) = (id.clone(), *from, *to, *done);
        if done && self.mistake == Some(PlantedMistake::NothingFollows) {
            return;
        }
        let (name, there) = (known.name.clone(), format!("cell-{to}"));
        let source = &self.cells[from];
        let tokens = *source.tokens();
        let Some(MovePlan { reports, last, .. }) =
            source.views().moving(&name, &there, &id, &tokens)
        else {
            return;
        };
        for CellReport { to: side, fact, mut body } in reports {
            let carries = fact == "balance.carried";
            let comes = carries && side == Side::Target;
            if comes && self.mistake == Some(PlantedMistake::IdsMadeAnew) {
                let anew = format!("{}-{}", body["id"].as_str().unwrap_or_default(), self.steps);
                body["id"] = anew.into();
            }
            let cell = if side == Side::Source { from } else { to };
            let follows = carries && done && side == Side::Source;
            let Some(answer) = self.tell(cell, fact, body) else { return };
            let taken = matches!(answer.body["outcome"].as_str(), Some("applied" | "known"));
            self.report.followed += u64::from(follows && answer.body["outcome"] == "applied");
            if !taken {
                return;
            }
            // A mover may be gone at any moment, and another begins anew.
            if !self.healed && self.rng.percent(5) {
                return;
            }
        }
        let moving = &mut self.accounts[account].moves[number];
        if last && !moving.done {
            moving.done = true;
            self.report.moves += 1;
        }
    }
}
