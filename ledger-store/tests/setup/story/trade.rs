//! The part of the story that deals in crypto: purchases, conversions, commission, deliveries.

use ledger_core::contract::Response;

use super::{Author, CPF, JUDGED, StoryOperation, id_of};

const WALLET: &str = r#""asset":"usdt","chain":"polygon","payout_address":"0x00112233445566778899aabbccddeeff00112233""#;

impl<F: FnMut(&str) -> Response> Author<F> {
    /// USDT on Polygon, for payers without a ladder.
    pub(super) fn open_market(&mut self) {
        self.world(
            "policy.adopted",
            r#""payer_ladder":false,"rate_max_age_seconds":65535,"commission_interval_hours":1"#,
            "",
        );
        self.world(
            "catalog.updated",
            r#""items":[{"asset":"usdt","chain":"polygon","rail":"instant","minBuyAmount":"0.5","withdrawFee":"0.1"}]"#,
            "",
        );
        self.quote();
        self.world(
            "treasury.moved",
            r#""from":"equity.funding","to":"treas","asset":"usdt","chain":"polygon","amount":"50000""#,
            "",
        );
    }

    pub(super) fn trade(&mut self) {
        match self.dice.below(10) {
            0 => self.quote(),
            1..4 => self.purchase(),
            4 | 5 => self.conversion(),
            _ => self.delivery_reports(),
        }
    }

    fn quote(&mut self) {
        let cents = 500 + self.dice.below(90);
        let price = format!("{}.{:02}", cents / 100, cents % 100);
        let body = format!(r#""asset":"usdt","brl_per_unit":"{price}","source":"exchange""#);
        self.world("rate.quoted", &body, "");
    }

    /// A purchase, paid at once: received, or seen and then settled or held.
    fn purchase(&mut self) {
        let (account, customer) = self.party();
        let cents = 600 + self.dice.below(8_000);
        let number = self.number;
        let body = format!(
            r#""amount_cents":{cents},"destino":"cripto","customer_ref":"{customer}",{WALLET},"payer_tax_number":"{CPF}","external_id":"purchase-{number}""#
        );
        let supplied = format!(r#","supplied":{{"qr_copypaste":"code-{number}"}}"#);
        let answer = self.ask(account, "POST /cashin/charge", &body, &supplied);
        let Some(id) = id_of(&answer, "cashin_id") else { return };
        let e2e = self.outside('E');
        let paid = format!(r#""cashin_id":"{id}","e2e":"{e2e}","amount_cents":{cents}"#);
        let about = format!(r#""cashin_id":"{id}""#);
        if self.dice.below(3) == 0 {
            self.fact("pix.seen", &paid, "");
            if self.dice.below(2) == 0 {
                self.world("provider.held", &about, "");
                self.world("provider.released", &about, "");
            } else {
                self.world("provider.settled", &about, "");
            }
        } else {
            self.fact("pix.received", &paid, "");
        }
        self.bought.push(StoryOperation { id, account, customer, cents });
    }

    fn conversion(&mut self) {
        let (account, customer) = self.party();
        let cents = 400 + self.dice.below(1_500);
        let number = self.number;
        let body = format!(
            r#""amount_cents":{cents},"customer_ref":"{customer}","tax_number":"{CPF}",{WALLET},"external_id":"conversion-{number}""#
        );
        let answer = self.ask(account, "POST /saldo/sacar-cripto", &body, "");
        if let Some(id) = id_of(&answer, "cashin_id") {
            self.bought.push(StoryOperation { id, account, customer, cents });
        }
    }

    fn delivery_reports(&mut self) {
        let Some(known) = Self::take(&mut self.dice, &mut self.bought) else {
            return self.purchase();
        };
        let body = format!(r#""cashin_id":"{}""#, known.id);
        let goes_on = match self.dice.below(12) {
            0..3 => self.report("delivery.started", &body),
            3 => self.report("delivery.accepted", &body),
            4 => self.report("delivery.failed", &body),
            5 => {
                self.report("delivery.unknown", &body);
                let body = format!(r#"{body},"outcome":"not_sent",{JUDGED}"#);
                self.report("delivery.evidence", &body)
            }
            6 => {
                let body = format!(r#"{body},"to":"saldo",{JUDGED}"#);
                self.report("delivery.given_up", &body)
            }
            7 => self.give_back(&known),
            _ => {
                let hash = self.number;
                self.report("delivery.sent", &format!(r#"{body},"tx_hash":"0x{hash:08x}""#));
                // Some come back after they were delivered, and some are reported twice.
                match self.dice.below(4) {
                    0 => self.give_back(&known),
                    1 => true,
                    _ => false,
                }
            }
        };
        if goes_on {
            self.bought.push(known);
        }
    }

    fn give_back(&mut self, known: &StoryOperation) -> bool {
        let cents = 1 + self.dice.below(known.cents);
        let (id, back) = (&known.id, self.outside('D'));
        let body = format!(r#""cashin_id":"{id}","return_id":"{back}","amount_cents":{cents}"#);
        self.fact("pix.returned", &body, "");
        true
    }

    fn report(&mut self, fact: &str, body: &str) -> bool {
        self.world(fact, body, "");
        true
    }
}
