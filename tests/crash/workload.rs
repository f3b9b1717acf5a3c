//! The lines of a busy town: custody, purchases, conversions, payouts and their news, from one
//! seed.

use std::fmt::Write as _;

use super::dice::Dice;

/// One document pays for everything: the ladder of payers is off.
const CPF: &str = "52998224725";

/// Where crypto goes.
const WALLET: &str = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";

/// What everything else stands on: accounts, policies, prices, stock and the means to pay.
const OPENING: [&str; 10] = [
    r#""fact":"account.opened","environment":"live","body":{"id":"acc","account":"loja","terms":{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,"partner_fee_bps":150}},"supplied":{"key":"svc_live_loja"}"#,
    r#""fact":"account.opened","environment":"sandbox","body":{"id":"acc","account":"teste","terms":{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_test_loja"}"#,
    r#""fact":"policy.adopted","environment":"live","body":{"id":"pol","payer_ladder":false,"rate_max_age_seconds":3600}"#,
    r#""fact":"policy.adopted","environment":"sandbox","body":{"id":"pol","payer_ladder":false}"#,
    r#""fact":"catalog.updated","environment":"live","body":{"id":"cat","items":[{"asset":"usdt","chain":"polygon","rail":"instant","minBuyAmount":"1","eta":"1 min","etaSeconds":60}]}"#,
    r#""fact":"rate.quoted","environment":"live","body":{"id":"rate","asset":"usdt","brl_per_unit":"5.40","source":"exchange"}"#,
    r#""fact":"treasury.moved","environment":"live","body":{"id":"stock","from":"equity.funding","to":"treas","asset":"usdt","chain":"polygon","amount":"1000000"}"#,
    r#""fact":"treasury.moved","environment":"live","body":{"id":"float","from":"equity.funding","to":"prov.pay","amount_cents":100000000}"#,
    r#""fact":"treasury.moved","environment":"sandbox","body":{"id":"float","from":"equity.funding","to":"prov.pay","amount_cents":100000000}"#,
    r#""key":"svc_live_loja","request":"PATCH /keys/me","body":{"settlement_address":"0x8617e340b3d01fa5f11f306f4090fd50e238070d"}"#,
];

/// An operation that waits for news of it, by the label of the line that made it.
enum Waiting {
    Charge { label: usize, cents: usize, crypto: bool },
    Delivery { label: usize },
    Payout { label: usize },
    Unknown { label: usize },
}

struct Town {
    dice: Dice,
    text: String,
    lines: usize,
    waiting: Vec<Waiting>,
}

/// So many lines of business from one seed, the opening included.
///
/// Most lines refer to an earlier answer, so that they are written one by one; now and then a
/// street of transfers goes by, which is written in large commits.
pub fn lines(seed: u64, count: usize) -> String {
    let mut town = Town::opened(seed);
    while town.lines < count {
        town.business();
    }
    town.text
}

/// A street: a few lines to stand on, and then transfers that wait for no answer.
pub fn street(count: usize) -> String {
    let mut town = Town::opened(7);
    while town.lines < count {
        town.transfer();
    }
    town.text
}

impl Town {
    /// A town where everybody has something to spend, on both sides.
    fn opened(seed: u64) -> Self {
        let mut town =
            Self { dice: Dice(seed), text: String::new(), lines: 0, waiting: Vec::new() };
        for line in OPENING {
            town.line(line);
        }
        for customer in 0..5 {
            for key in ["svc_live_loja", "svc_test_loja"] {
                let label = town.charge(key, customer, 90_000);
                town.received(label, 90_000);
            }
        }
        town
    }

    /// One line, five seconds after the last: charges that nobody pays expire on the way.
    fn line(&mut self, rest: &str) {
        let second = self.lines * 5;
        let (day, hour) = (20 + second / 86_400, second / 3_600 % 24);
        let (minute, second) = (second / 60 % 60, second % 60);
        let at = format!("2026-11-{day}T{hour:02}:{minute:02}:{second:02}Z");
        self.lines += 1;
        writeln!(self.text, r#"{{"at":"{at}",{rest}}}"#).unwrap();
    }

    fn business(&mut self) {
        match self.dice.below(40) {
            0..6 => {
                let (key, customer) = (self.key(), self.dice.below(5));
                let cents = 2_000 + self.dice.below(9_000);
                let label = self.charge(key, customer, cents);
                self.waiting.push(Waiting::Charge { label, cents, crypto: false });
            }
            6..10 => self.purchase(),
            10..14 => self.payout(),
            14..16 => self.conversion(),
            16..30 => self.report(),
            30 => {
                for _ in 0..10 + self.dice.below(30) {
                    self.transfer();
                }
            }
            31..34 => self.transfer(),
            34 => self.line(r#""fact":"time.passed""#),
            35 => {
                let (id, cents) = (self.lines, 30 + self.dice.below(40));
                self.line(&format!(
                    r#""fact":"rate.quoted","environment":"live","body":{{"id":"rate-{id}","asset":"usdt","brl_per_unit":"5.{cents}","source":"exchange"}}"#
                ));
            }
            36 => self.line(
                r#""key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"c-1","to_customer_ref":"c-1","amount_cents":1}"#,
            ),
            37 => self.line(r#""key":"svc_live_loja","request":"POST /payouts","body":{"amount_cents":0}"#),
            _ => {
                let (key, customer) = (self.key(), self.dice.below(5));
                self.line(&format!(r#""key":"{key}","request":"GET /saldo?customer_ref=c-{customer}""#));
            }
        }
    }

    /// One line in five is of the sandbox's account.
    fn key(&mut self) -> &'static str {
        if self.dice.below(5) == 0 { "svc_test_loja" } else { "svc_live_loja" }
    }

    fn charge(&mut self, key: &str, customer: usize, cents: usize) -> usize {
        let label = self.lines;
        self.line(&format!(
            r#""as":"l{label}","key":"{key}","request":"POST /cashin/charge","body":{{"destino":"saldo","amount_cents":{cents},"customer_ref":"c-{customer}","payer_tax_number":"{CPF}","external_id":"x-{label}"}}"#
        ));
        label
    }

    fn purchase(&mut self) {
        let (label, cents) = (self.lines, 3_000 + self.dice.below(20_000));
        self.line(&format!(
            r#""as":"l{label}","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{cents},"payer_tax_number":"{CPF}","external_id":"x-{label}"}}"#
        ));
        self.waiting.push(Waiting::Charge { label, cents, crypto: true });
    }

    fn received(&mut self, label: usize, cents: usize) {
        self.line(&format!(
            r#""fact":"pix.received","body":{{"cashin_id":"$l{label}.cashin_id","e2e":"E90400888202611201200{label:011}","amount_cents":{cents}}}"#
        ));
    }

    fn payout(&mut self) {
        let (label, key, customer) = (self.lines, self.key(), self.dice.below(5));
        let cents = 100 + self.dice.below(900);
        self.line(&format!(
            r#""as":"l{label}","key":"{key}","request":"POST /payouts","body":{{"amount_cents":{cents},"customer_ref":"c-{customer}","tax_number":"{CPF}","pix_key":"{CPF}","external_id":"x-{label}"}}"#
        ));
        self.waiting.push(Waiting::Payout { label });
    }

    fn conversion(&mut self) {
        let (label, customer) = (self.lines, self.dice.below(5));
        let cents = 2_000 + self.dice.below(2_000);
        self.line(&format!(
            r#""as":"l{label}","key":"svc_live_loja","request":"POST /saldo/sacar-cripto","body":{{"customer_ref":"c-{customer}","amount_cents":{cents},"asset":"usdt","chain":"polygon","payout_address":"{WALLET}","tax_number":"{CPF}","external_id":"x-{label}"}}"#
        ));
        self.waiting.push(Waiting::Delivery { label });
    }

    fn transfer(&mut self) {
        let (label, from) = (self.lines, self.dice.below(5));
        let (to, cents) = ((from + 1 + self.dice.below(4)) % 5, 1 + self.dice.below(50));
        self.line(&format!(
            r#""key":"svc_live_loja","request":"POST /saldo/transferir","body":{{"from_customer_ref":"c-{from}","to_customer_ref":"c-{to}","amount_cents":{cents},"external_id":"x-{label}"}}"#
        ));
    }

    /// News of an operation under way; where there is none, a transfer.
    fn report(&mut self) {
        if self.waiting.is_empty() {
            return self.transfer();
        }
        let place = self.dice.below(self.waiting.len());
        match self.waiting.swap_remove(place) {
            Waiting::Charge { label, cents, crypto } => {
                // Now and then not what was asked for: it goes to suspense.
                let divergent = self.dice.below(12) == 0;
                self.received(label, cents + usize::from(divergent));
                if crypto && !divergent {
                    self.waiting.push(Waiting::Delivery { label });
                }
            }
            Waiting::Delivery { label } => self.delivery(label),
            Waiting::Payout { label } => self.outcome(label),
            Waiting::Unknown { label } => {
                let id = self.lines;
                self.line(&format!(
                    r#""fact":"payout.evidence","body":{{"id":"evidence-{id}","payout_id":"$l{label}.payout_id","outcome":"not_paid","actor":"bia","reason":"not on the statement","evidence":"stmt-{id}"}}"#
                ));
            }
        }
    }

    fn delivery(&mut self, label: usize) {
        let (id, word) = (self.lines, *self.dice.pick(&["started", "failed", "sent", "sent"]));
        let hash = if word == "sent" { format!(r#","tx_hash":"0x{id}""#) } else { String::new() };
        self.line(&format!(
            r#""fact":"delivery.{word}","body":{{"id":"delivery-{id}","cashin_id":"$l{label}.cashin_id"{hash}}}"#
        ));
        if word != "sent" {
            self.waiting.push(Waiting::Delivery { label });
        }
    }

    fn outcome(&mut self, label: usize) {
        let id = self.lines;
        match self.dice.below(5) {
            0 => self.line(&format!(
                r#""fact":"payout.refused","body":{{"id":"refused-{id}","payout_id":"$l{label}.payout_id"}}"#
            )),
            1 => {
                self.line(&format!(
                    r#""fact":"payout.unknown","body":{{"id":"unknown-{id}","payout_id":"$l{label}.payout_id"}}"#
                ));
                self.waiting.push(Waiting::Unknown { label });
            }
            _ => self.line(&format!(
                r#""fact":"payout.paid","body":{{"payout_id":"$l{label}.payout_id","e2e":"E90400888202611201201{label:011}"}}"#
            )),
        }
    }
}
