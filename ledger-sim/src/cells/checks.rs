//! What must hold of all cells together once everything is settled, from answers alone.

use std::collections::BTreeMap;

use ledger_core::accounting::Control;
use ledger_core::id::Kind;
use ledger_core::ledger::{Archive as _, invariants};

use super::CELLS;
use super::world::{ACCOUNTS, CUSTOMERS, World};

/// A subaccount: an account, and a customer or the house.
type Party = (usize, &'static str);

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
            let Some((cell, answer)) = asked.answer.as_ref().filter(|_| asked.is_done()) else {
                continue;
            };
            let (account, cell, kind, answer) =
                (asked.account, *cell, asked.kind, answer.body.clone());
            let party = |field: &str| {
                let name = answer[field].as_str().unwrap_or(HOUSE);
                let known = CUSTOMERS.into_iter().find(|known| *known == name);
                (account, known.unwrap_or(HOUSE))
            };
            let id = asked.id.clone();
            match kind {
                Kind::Transfer => {
                    let amount = answer["amount_cents"].as_i64().unwrap_or_default();
                    *sums.entry(party("from_customer_ref")).or_default() -= amount;
                    *sums.entry(party("to_customer_ref")).or_default() += amount;
                }
                Kind::Charge => {
                    let target = format!("/cashin/charges?external_id={id}");
                    let shown = self.read(cell, account, target)["charges"][0].clone();
                    let cents = |field: &str| shown[field].as_i64().unwrap_or_default();
                    let party = party("customer_ref");
                    let paid = shown["paid_at"].is_string() && shown["status"] == "paid";
                    let net = cents("amount_cents") - cents("returned_cents");
                    *sums.entry(party_of(&shown, party)).or_default() += if paid { net } else { 0 };
                }
                Kind::Payout => {
                    let target = format!("/payouts?external_id={id}");
                    let shown = self.read(cell, account, target)["payouts"][0].clone();
                    let cents = |field: &str| shown[field].as_i64().unwrap_or_default();
                    let failed = shown["status"] == "failed";
                    let net =
                        if failed { 0 } else { cents("debited_cents") - cents("returned_cents") };
                    *sums.entry(party_of(&shown, party("customer_ref"))).or_default() -= net;
                }
                _ => unreachable!("no client of these asks for it"),
            }
        }
        sums
    }
}

/// Whose an operation is, as it is shown.
fn party_of(shown: &serde_json::Value, (account, otherwise): Party) -> Party {
    let name = shown["customer_ref"].as_str();
    let known = name.and_then(|name| CUSTOMERS.into_iter().find(|known| *known == name));
    (account, known.unwrap_or(otherwise))
}

/// Tells whether an answer says that the account is in another cell: one that it left says so, and
/// one in which it never was does not know it.
fn is_elsewhere(answer: &serde_json::Value, left: bool) -> bool {
    let code = if left { "temporariamente_indisponivel" } else { "chave_desconhecida" };
    answer["erro"] == code
}
