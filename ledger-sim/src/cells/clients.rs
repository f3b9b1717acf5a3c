//! Clients that ask until they are answered, and the world that pays and refuses.

use ledger_core::contract::CallKind;
use ledger_core::id::Kind;
use serde_json::{Value, json};

use super::PlantedMistake;
use super::checks::{charge_moved, payout_moved, transfer_moved};
use super::world::{ACCOUNTS, CUSTOMERS, ClientRequest, Moved, World};

impl World {
    /// A client asks for something new.
    pub(super) fn ask(&mut self) {
        let number = self.next_number();
        let account = self.rng.index(ACCOUNTS);
        let customer = |world: &mut Self| CUSTOMERS[world.rng.index(CUSTOMERS.len())];
        let (of, amount) = (customer(self), self.rng.within(100, 5_000));
        let id = format!("x-{number}");
        let mut body = json!({ "amount_cents": amount, "customer_ref": of, "external_id": id });
        let (kind, target, supplied, fate, moved): (_, _, _, _, Moved) =
            match self.rng.by_weight(&[40, 25, 35]) {
                0 => {
                    body["amount_cents"] = (amount * 4).into();
                    body["destino"] = "saldo".into();
                    body["payer_tax_number"] = "52998224725".into();
                    let fate = self.of_a_charge(number, amount * 4);
                    let supplied = json!({ "qr_copypaste": "a code" });
                    (Kind::Charge, "/cashin/charge", supplied, fate, charge_moved)
                }
                1 => {
                    body["pix_key"] = "a@example.com".into();
                    body["tax_number"] = "52998224725".into();
                    let fate = self.of_a_payout(number, amount);
                    let supplied = json!({ "owner": "52998224725" });
                    (Kind::Payout, "/payouts", supplied, fate, payout_moved)
                }
                _ => {
                    let to = customer(self);
                    let fields = body.as_object_mut().expect("it is an object");
                    fields.remove("customer_ref");
                    body["from_customer_ref"] = of.into();
                    body["to_customer_ref"] = if to == of { "casa" } else { to }.into();
                    (Kind::Transfer, "/saldo/transferir", Value::Null, Vec::new(), transfer_moved)
                }
            };
        let (answer, acknowledged) = (None, 0);
        self.asked.push(ClientRequest {
            account,
            id,
            kind,
            target,
            body,
            supplied,
            answer,
            fate,
            acknowledged,
            moved,
        });
        self.try_once(self.asked.len() - 1);
    }

    /// What becomes of a charge: it is paid, sometimes late, and some of it goes back.
    fn of_a_charge(&mut self, number: u64, amount: i64) -> Vec<(&'static str, Value)> {
        let e2e = format!("E9040088820261120{number:015}");
        let paid = json!({ "e2e": e2e, "amount_cents": amount });
        let back = json!({
            "return_id": format!("D9040088820261120{number:015}"),
            "amount_cents": self.rng.within(1, amount),
        });
        match self.rng.by_weight(&[2, 58, 40]) {
            0 => Vec::new(),
            1 => vec![("pix.received", paid)],
            _ => vec![("pix.received", paid), ("pix.returned", back)],
        }
    }

    fn of_a_payout(&mut self, number: u64, amount: i64) -> Vec<(&'static str, Value)> {
        let e2e = format!("E9040088820261121{number:015}");
        let paid = json!({ "e2e": e2e, "amount_cents": amount });
        let back = json!({
            "return_id": format!("D9040088820261121{number:015}"),
            "amount_cents": self.rng.within(1, amount),
        });
        match self.rng.by_weight(&[25, 45, 30]) {
            0 => vec![("payout.refused", json!({ "id": format!("refused-{number}") }))],
            1 => vec![("payout.paid", paid)],
            _ => vec![("payout.paid", paid), ("payout.returned", back)],
        }
    }

    /// A client that was not answered asks again.
    pub(super) fn ask_again(&mut self) {
        let waiting = self.asked.iter().enumerate().filter(|(_, asked)| asked.answer.is_none());
        let waiting: Vec<usize> = waiting.map(|(number, _)| number).collect();
        if let Some(number) = self.rng.pick(&waiting).copied() {
            self.report.retries += 1;
            self.try_once(number);
        }
    }

    /// Asks each cell that the account left, which begins nothing new, and then the one it lives
    /// in: so a request that was carried out anywhere is answered by whoever did. A router whose
    /// directory is old knows fewer cells.
    fn try_once(&mut self, number: usize) {
        let ClientRequest { account, .. } = self.asked[number];
        let mut homes = self.accounts[account].homes.clone();
        if !self.healed && self.rng.percent(10) {
            homes.truncate(self.rng.index(homes.len()) + 1);
        }
        if self.mistake == Some(PlantedMistake::FormerCellsNotAsked) {
            let moving = usize::from(self.accounts[account].is_moving());
            homes = vec![homes[homes.len().saturating_sub(1 + moving)]];
        }
        for cell in homes {
            let ClientRequest { body, supplied, .. } = &self.asked[number];
            let (body, supplied) = (body.clone(), supplied.clone());
            let target = self.asked[number].target.to_owned();
            let key = Some(self.accounts[account].key.clone());
            let ask = CallKind::Request { method: "POST".to_owned(), target, key };
            let Some(answer) = self.send(cell, ask, body, supplied) else { return };
            match answer.body["erro"].as_str() {
                // It is on its way: the next cell may have it, or will.
                Some("temporariamente_indisponivel" | "chave_desconhecida") => {}
                _ => {
                    self.report.requests += 1;
                    self.asked[number].answer = Some((cell, answer));
                    return;
                }
            }
        }
    }

    /// The world pays, refuses or takes back something.
    pub(super) fn happen(&mut self) {
        // What comes back comes late, when the account it was paid to may have moved.
        let back = self.rng.percent(8);
        let open = |asked: &ClientRequest| {
            asked.is_done() && !asked.is_settled() && back == (asked.acknowledged > 0)
        };
        let waiting = self.asked.iter().enumerate().filter(|(_, asked)| open(asked));
        let waiting: Vec<usize> = waiting.map(|(number, _)| number).collect();
        if let Some(number) = self.rng.pick(&waiting).copied() {
            self.tell_fate(number);
        }
    }

    /// Reports what happens next with an operation to the cell that gave its id.
    fn tell_fate(&mut self, number: usize) {
        let ClientRequest { fate, acknowledged, kind, answer, .. } = &self.asked[number];
        let (Some((fact, body)), Some((cell, answer))) = (fate.get(*acknowledged), answer) else {
            return;
        };
        let (cell, fact, mut body) = (*cell, *fact, body.clone());
        let field = kind.field();
        body[field] = answer.body[field].clone();
        if self.tell(cell, fact, body).is_some() {
            self.asked[number].acknowledged += 1;
        }
    }

    /// A refusal is not kept: a message that came twice may have been refused once, and done once.
    pub(super) fn ask_what_was_refused(&mut self) {
        for asked in &mut self.asked {
            asked.answer = asked.answer.take().filter(|(_, answer)| answer.status == 200);
        }
    }

    /// Asks for an answer that is missing, and lets happen what is to happen.
    pub(super) fn finish(&mut self, number: usize) {
        if self.asked[number].answer.is_none() {
            self.try_once(number);
        } else if self.asked[number].is_done() {
            self.tell_fate(number);
        } else {
            self.asked[number].acknowledged = self.asked[number].fate.len();
        }
    }
}
