//! What must hold of all cells together once everything is settled, from answers alone.

use std::collections::BTreeMap;

use ledger_core::accounting::Control;
use ledger_core::ledger::{Archive as _, invariants};
use serde_json::Value;

use super::CELLS;
use super::world::{ACCOUNTS, CUSTOMERS, Party, World};

const HOUSE: &str = "casa";

impl World {
    pub(super) fn check(&mut self) -> Result<(), String> {
        self.every_cell_is_sound()?;
        self.nothing_is_between_cells()?;
        self.everything_was_done_once()?;
        self.balances_are_what_was_answered()
    }

    fn every_cell_is_sound(&self) -> Result<(), String> {
        for (number, cell) in self.cells.iter().enumerate() {
            let ledger = cell.ledger();
            invariants::check_all(&ledger.state, &ledger.archive)
                .and_then(|()| invariants::check_statements(&ledger.state, &ledger.archive))
                .map_err(|broken| format!("cell {number}: {broken:?}"))?;
        }
        Ok(())
    }

    fn nothing_is_between_cells(&self) -> Result<(), String> {
        for account in &self.accounts {
            for left in account.homes.iter().rev().skip(1) {
                let state = &self.cells[*left].ledger().state;
                let settled = state.account_named(&account.name).map(|id| state.is_settled(id));
                if settled != Some(true) {
                    return Err(format!("{} left something in cell {left}", account.name));
                }
            }
        }
        let books = self.cells.iter().map(|cell| &cell.ledger().state.books);
        match books.map(|books| books.net_credit(Control::Cells)).sum::<i128>() {
            0 => Ok(()),
            cents => Err(format!("{cents} centavos are between cells")),
        }
    }

    /// What was asked under one id was carried out by one cell, or by none where it was refused.
    fn everything_was_done_once(&mut self) -> Result<(), String> {
        for number in 0..self.asked.len() {
            let asked = &self.asked[number];
            let (account, id, done, kind) =
                (asked.account, asked.id.clone(), asked.is_done(), asked.kind);
            let mut by = Vec::new();
            for cell in 0..CELLS {
                let sequencer = &self.cells[cell];
                let ledger = sequencer.ledger();
                let Some(of) = ledger.state.account_named(&self.accounts[account].name) else {
                    continue;
                };
                by.extend(ledger.archive.identity(of, kind, &id).map(|_| cell));
            }
            if by.len() != usize::from(done) {
                return Err(format!("{id} of account {account} was carried out by cells {by:?}"));
            }
        }
        Ok(())
    }

    /// Each balance is what its own operations come to, and stands where the account lives.
    fn balances_are_what_was_answered(&mut self) -> Result<(), String> {
        let expected = self.expected_balances();
        for account in 0..ACCOUNTS {
            let homes = self.accounts[account].homes.clone();
            let home = homes.last().copied();
            for cell in 0..CELLS {
                for customer in CUSTOMERS.into_iter().chain([HOUSE]) {
                    let target = match customer {
                        HOUSE => "/saldo".to_owned(),
                        customer => format!("/saldo?customer_ref={customer}"),
                    };
                    let answer = self.read(cell, account, target);
                    let due = expected.get(&(account, customer)).copied().unwrap_or(0);
                    let stands = if home == Some(cell) {
                        answer["disponivel_cents"] == due && answer["bloqueado_cents"] == 0
                    } else {
                        is_elsewhere(&answer, homes.contains(&cell))
                    };
                    if !stands {
                        let name = &self.accounts[account].name;
                        return Err(format!(
                            "cell {cell}: {customer} of {name} has {answer}, and not {due}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns what every balance comes to by what clients were answered about their own
    /// operations.
    fn expected_balances(&mut self) -> BTreeMap<Party, i64> {
        let mut sums: BTreeMap<Party, i64> = BTreeMap::new();
        for number in 0..self.asked.len() {
            let asked = &self.asked[number];
            if asked.is_done() {
                for (party, cents) in (asked.moved)(self, number) {
                    *sums.entry(party).or_default() += cents;
                }
            }
        }
        sums
    }

    /// An operation as its cell shows it in a list, and whose it is.
    fn operation(&mut self, number: usize, path: &str, list: &str) -> (Party, Value) {
        let asked = &self.asked[number];
        let (account, target) = (asked.account, format!("{path}?external_id={}", asked.id));
        let (cell, answer) = asked.answer.as_ref().expect("it was carried out");
        let (cell, of) = (*cell, customer_in(&answer.body, "customer_ref"));
        let shown = self.read(cell, account, target)[list][0].clone();
        ((account, customer_in(&shown, "customer_ref").or(of).unwrap_or(HOUSE)), shown)
    }
}

pub(super) fn transfer_moved(world: &mut World, number: usize) -> Vec<(Party, i64)> {
    let asked = &world.asked[number];
    let answer = asked.answer.as_ref().map(|(_, answer)| &answer.body);
    let answer = answer.expect("it was carried out");
    let party = |field: &str| (asked.account, customer_in(answer, field).unwrap_or(HOUSE));
    let amount = cents_in(answer, "amount_cents");
    vec![(party("from_customer_ref"), -amount), (party("to_customer_ref"), amount)]
}

pub(super) fn charge_moved(world: &mut World, number: usize) -> Vec<(Party, i64)> {
    let (party, shown) = world.operation(number, "/cashin/charges", "charges");
    let paid = shown["paid_at"].is_string() && shown["status"] == "paid";
    let net = cents_in(&shown, "amount_cents") - cents_in(&shown, "returned_cents");
    vec![(party, if paid { net } else { 0 })]
}

pub(super) fn payout_moved(world: &mut World, number: usize) -> Vec<(Party, i64)> {
    let (party, shown) = world.operation(number, "/payouts", "payouts");
    let net = cents_in(&shown, "debited_cents") - cents_in(&shown, "returned_cents");
    vec![(party, if shown["status"] == "failed" { 0 } else { -net })]
}

fn cents_in(shown: &Value, field: &str) -> i64 {
    shown[field].as_i64().unwrap_or_default()
}

/// The customer that a field names, if it names one of ours.
fn customer_in(shown: &Value, field: &str) -> Option<&'static str> {
    let name = shown[field].as_str()?;
    CUSTOMERS.into_iter().find(|known| *known == name)
}

/// Tells whether an answer says that the account is in another cell: one that it left says so, and
/// one in which it never was does not know it.
fn is_elsewhere(answer: &Value, left: bool) -> bool {
    let code = if left { "temporariamente_indisponivel" } else { "chave_desconhecida" };
    answer["erro"] == code
}
