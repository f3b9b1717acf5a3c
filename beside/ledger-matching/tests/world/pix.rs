//! PIX that people send and receive.

use serde_json::json;

use super::happenings::KEY;
use super::time::{DAY, HOUR, SECOND};
use super::{BankLine, SINGLE, World};

impl World {
    /// A customer pays a charge; gives its label and its centavos.
    pub(super) fn charge(&mut self, at: i64, institution: &str) -> (String, i64) {
        let number = self.number();
        let cents = self.rng.between(10_000, 400_000);
        let label = format!("c{number}");
        self.tell(
            at - 90 * SECOND,
            Some(&label),
            json!({"key": KEY, "request": "POST /cashin/charge",
            "body": {"destino": "saldo", "customer_ref": "ana", "amount_cents": cents,
                "payer_tax_number": "52998224725", "external_id": format!("order-{number}")}}),
        );
        let e2e = self.pix_id('E', institution, at);
        let late = self.rng.between(5, 60) * SECOND;
        self.tell(
            at + late,
            None,
            json!({"fact": "pix.received", "body": {
            "cashin_id": format!("${label}.cashin_id"), "e2e": e2e, "amount_cents": cents,
            "paid_at": super::time::rfc3339(at)}}),
        );
        if institution == SINGLE {
            let reference = format!("order-{number}");
            self.bank.push(BankLine { at, kind: "PIX", cents, id: e2e, reference });
        }
        self.earned += cents / 2;
        (label, cents)
    }

    /// The provider sends a PIX back to its payer.
    pub(super) fn return_charge(&mut self, at: i64, (charge, cents): (String, i64)) {
        let id = self.pix_id('D', SINGLE, at);
        self.tell(
            at + 20 * SECOND,
            None,
            json!({"fact": "pix.returned", "body": {
            "cashin_id": format!("${charge}.cashin_id"), "return_id": id, "amount_cents": cents}}),
        );
        let reference = String::new();
        self.bank.push(BankLine { at, kind: "Devolução", cents: -cents, id, reference });
        self.spendable -= cents;
    }

    /// A PIX of nobody's charge, which goes back the next day.
    pub(super) fn stray_pix(&mut self, at: i64) {
        let number = self.number();
        let cents = self.rng.between(1_000, 9_000);
        let label = format!("s{number}");
        let (e2e, back) = (self.pix_id('E', SINGLE, at), self.pix_id('D', SINGLE, at + DAY));
        self.tell(
            at + 30 * SECOND,
            Some(&label),
            json!({"fact": "pix.received", "environment": "live",
            "body": {"e2e": e2e, "amount_cents": cents, "paid_at": super::time::rfc3339(at)}}),
        );
        self.tell(
            at + DAY + 30 * SECOND,
            None,
            json!({"fact": "suspense.returned", "body": {
            "id": format!("back-{number}"), "suspense_id": format!("${label}.suspense_id"),
            "return_id": back, "actor": "bia", "reason": "of nobody"}}),
        );
        let line = |at, kind, cents, id| BankLine { at, kind, cents, id, reference: String::new() };
        self.bank.push(line(at, "PIX", cents, e2e));
        self.bank.push(line(at + DAY, "Devolução", -cents, back));
    }

    /// Two payouts, of which one may come back; gives what the provider takes for them.
    pub(super) fn pay_out(&mut self, midnight: i64, day: i64) -> i64 {
        let mut tariffs = 0;
        for hour in [9, 16] {
            let at = midnight + hour * HOUR + self.rng.between(0, 3_000) * SECOND;
            let cents = self.rng.between(2_000, 60_000).min(self.spendable);
            if cents < 2_000 {
                continue;
            }
            self.spendable -= cents;
            let number = self.number();
            let label = format!("p{number}");
            self.tell(
                at,
                Some(&label),
                json!({"key": KEY, "request": "POST /payouts", "body": {
                "customer_ref": "ana", "amount_cents": cents, "pix_key": "ana@example.com",
                "tax_number": "52998224725", "external_id": format!("payout-{number}")}}),
            );
            let paid = at + 10 * SECOND;
            let e2e = self.pix_id('E', SINGLE, paid);
            self.tell(
                paid + 5 * SECOND,
                None,
                json!({"fact": "payout.paid",
                "body": {"payout_id": format!("${label}.payout_id"), "e2e": e2e}}),
            );
            let reference = format!("payout-{number}");
            self.bank.push(BankLine { at: paid, kind: "PIX", cents: -cents, id: e2e, reference });
            let (id, reference) = (String::new(), String::new());
            self.bank.push(BankLine { at: paid, kind: "Tarifa", cents: -35, id, reference });
            tariffs += 35;
            if hour == 9 && day % 4 == 3 {
                let at = paid + HOUR;
                let id = self.pix_id('D', SINGLE, at);
                self.tell(
                    at + 9 * SECOND,
                    None,
                    json!({"fact": "payout.returned", "body": {
                    "payout_id": format!("${label}.payout_id"), "return_id": id,
                    "amount_cents": cents}}),
                );
                let reference = String::new();
                self.bank.push(BankLine { at, kind: "Devolução", cents, id, reference });
            }
        }
        tariffs
    }
}
