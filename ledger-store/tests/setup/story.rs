//! A story of JSON lines, the same every time: every kind of event comes to pass in a few hundred.

mod mesh;
mod trade;

use ledger_core::contract::Response;
use ledger_core::time::{Instant, Span};

const CPF: &str = "52998224725";
const JUDGED: &str = r#""actor":"bia","reason":"seen","evidence":"case-1""#;
const CUSTOMERS: [&str; 5] = ["ana", "bia", "caio", "dora", "edu"];

/// Numbers that look random and never change (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }
}

/// A charge or payout that the story still has something to tell of.
struct StoryOperation {
    id: String,
    account: &'static str,
    customer: &'static str,
    cents: u64,
}

struct Author<F> {
    say: F,
    at: Instant,
    dice: Dice,
    number: u64,
    pending: Vec<StoryOperation>,
    delayed: Vec<StoryOperation>,
    paid: Vec<StoryOperation>,
    sent: Vec<StoryOperation>,
    completed: Vec<StoryOperation>,
    suspense: Vec<String>,
    holds: Vec<String>,
    bought: Vec<StoryOperation>,
    referral: Option<String>,
}

/// Says `steps` lines, after the few that open two accounts, to whoever answers them.
pub fn each_line(steps: usize, say: impl FnMut(&str) -> Response) {
    let mut author = Author {
        say,
        at: Instant::parse("2026-11-20T12:00:00Z").unwrap(),
        dice: Dice(7),
        number: 0,
        pending: Vec::new(),
        delayed: Vec::new(),
        paid: Vec::new(),
        sent: Vec::new(),
        completed: Vec::new(),
        suspense: Vec::new(),
        holds: Vec::new(),
        bought: Vec::new(),
        referral: None,
    };
    author.open();
    for _ in 0..steps {
        author.step();
    }
}

impl<F: FnMut(&str) -> Response> Author<F> {
    fn open(&mut self) {
        // Deposits of the shop are available at once; those of the fair stand held for a day.
        self.world(
            "account.opened",
            r#""account":"loja","terms":{"liberacao":"imediata","carencia_horas":0,"partner_saque_fee_bps":50,"partner_fee_bps":100,"saque_taxa_estimada_cents":30}"#,
            r#","supplied":{"key":"svc_live_loja"}"#,
        );
        self.world(
            "account.opened",
            r#""account":"feira","terms":{"carencia_horas":0}"#,
            r#","supplied":{"key":"svc_live_feira"}"#,
        );
        self.world(
            "treasury.moved",
            r#""from":"equity.funding","to":"prov.pay","amount_cents":50000000"#,
            "",
        );
        self.open_market();
    }

    fn step(&mut self) {
        self.number += 1;
        match self.dice.below(100) {
            0..17 => self.charge(),
            17..34 => self.receive(),
            34..44 => self.trade(),
            44..54 => self.transfer(),
            54..64 => self.payout(),
            64..78 => self.payout_reports(),
            78..82 => self.deposit_reports(),
            82..87 => self.suspense(),
            87..93 => self.hold(),
            93..97 => self.correction(),
            97 => self.mesh(),
            _ => self.world_reports(),
        }
    }

    /// A line that asks.
    fn ask(&mut self, account: &str, request: &str, body: &str, supplied: &str) -> Response {
        let at = self.now();
        (self.say)(&format!(
            r#"{{"at":"{at}","key":"svc_live_{account}","request":"{request}","body":{{{body}}}{supplied}}}"#
        ))
    }

    /// A line that reports, under an id of its own.
    fn world(&mut self, fact: &str, body: &str, more: &str) -> Response {
        self.number += 1;
        let id = format!(r#""id":"fact-{}","#, self.number);
        self.fact(fact, &(id + body), more)
    }

    fn fact(&mut self, fact: &str, body: &str, more: &str) -> Response {
        let at = self.now();
        (self.say)(&format!(r#"{{"at":"{at}","fact":"{fact}","body":{{{body}}}{more}}}"#))
    }

    fn now(&mut self) -> Instant {
        let seconds = u32::try_from(self.dice.below(60)).unwrap();
        self.at = self.at.after(Span::seconds(seconds));
        self.at
    }

    fn outside(&mut self, letter: char) -> String {
        self.number += 1;
        format!("{letter}90400888202611201200{:011}", self.number)
    }

    fn party(&mut self) -> (&'static str, &'static str) {
        let account = if self.dice.below(4) == 0 { "feira" } else { "loja" };
        (account, CUSTOMERS[self.dice.index(CUSTOMERS.len())])
    }

    fn take(dice: &mut Dice, from: &mut Vec<StoryOperation>) -> Option<StoryOperation> {
        if from.is_empty() { None } else { Some(from.swap_remove(dice.index(from.len()))) }
    }

    fn charge(&mut self) {
        let (account, customer) = self.party();
        let cents = 500 + self.dice.below(8_000);
        let number = self.number;
        let body = format!(
            r#""amount_cents":{cents},"destino":"saldo","customer_ref":"{customer}","payer_tax_number":"{CPF}","payer_name":"Fulano de Tal","external_id":"charge-{number}""#
        );
        let supplied = format!(r#","supplied":{{"qr_copypaste":"code-{number}"}}"#);
        let answer = self.ask(account, "POST /cashin/charge", &body, &supplied);
        if let Some(id) = id_of(&answer, "cashin_id") {
            self.pending.push(StoryOperation { id, account, customer, cents });
        }
    }

    fn receive(&mut self) {
        let Some(known) = Self::take(&mut self.dice, &mut self.pending) else {
            return self.charge();
        };
        let exact = self.dice.below(8) != 0;
        let cents = if exact { known.cents } else { known.cents + 1 };
        let e2e = self.outside('E');
        let body = format!(r#""cashin_id":"{}","e2e":"{e2e}","amount_cents":{cents}"#, known.id);
        let answer = self.fact("pix.received", &body, "");
        match id_of(&answer, "suspense_id") {
            Some(id) => {
                self.suspense.push(id);
                self.pending.push(known);
            }
            None if cents > 6_000 => self.delayed.push(known),
            None => self.paid.push(known),
        }
    }

    fn transfer(&mut self) {
        let (account, from) = self.party();
        let to = if self.dice.below(3) == 0 { "casa" } else { CUSTOMERS[self.dice.index(5)] };
        let cents = 1 + self.dice.below(900);
        let number = self.number;
        let body = format!(
            r#""from_customer_ref":"{from}","to_customer_ref":"{to}","amount_cents":{cents},"descricao":"note {number}","external_id":"transfer-{number}""#
        );
        self.ask(account, "POST /saldo/transferir", &body, "");
    }

    fn payout(&mut self) {
        let (account, customer) = self.party();
        let cents = 1 + self.dice.below(2_000);
        let number = self.number;
        let body = format!(
            r#""amount_cents":{cents},"customer_ref":"{customer}","tax_number":"{CPF}","pix_key":"{CPF}","external_id":"payout-{number}""#
        );
        let answer = self.ask(account, "POST /payouts", &body, "");
        if let Some(id) = id_of(&answer, "payout_id") {
            self.sent.push(StoryOperation { id, account, customer, cents });
        }
    }

    fn payout_reports(&mut self) {
        if self.dice.below(3) == 0 && !self.completed.is_empty() {
            return self.payout_comes_back();
        }
        let Some(known) = Self::take(&mut self.dice, &mut self.sent) else { return self.payout() };
        let body = format!(r#""payout_id":"{}""#, known.id);
        match self.dice.below(6) {
            0 => {
                self.world("payout.refused", &body, "");
            }
            1 => {
                self.world("payout.unknown", &body, "");
                if self.dice.below(2) == 0 {
                    let body = format!(r#"{body},"outcome":"not_paid",{JUDGED}"#);
                    self.world("payout.evidence", &body, "");
                }
            }
            2 => {
                self.world("payout.submitted", &body, "");
                self.sent.push(known);
            }
            _ => {
                let e2e = self.outside('E');
                self.fact("payout.paid", &format!(r#"{body},"e2e":"{e2e}""#), "");
                self.completed.push(known);
            }
        }
    }

    fn payout_comes_back(&mut self) {
        let Some(known) = Self::take(&mut self.dice, &mut self.completed) else { return };
        let cents = 1 + self.dice.below(known.cents + 1);
        let back = self.outside('D');
        let body =
            format!(r#""payout_id":"{}","return_id":"{back}","amount_cents":{cents}"#, known.id);
        self.fact("payout.returned", &body, "");
    }

    fn deposit_reports(&mut self) {
        if self.dice.below(2) == 0
            && let Some(known) = Self::take(&mut self.dice, &mut self.delayed)
        {
            let body = format!(r#""cashin_id":"{}""#, known.id);
            self.world("provider.released", &body, "");
            return self.paid.push(known);
        }
        if self.dice.below(4) == 0
            && let Some(known) = Self::take(&mut self.dice, &mut self.pending)
        {
            let body = format!(r#""cashin_id":"{}""#, known.id);
            self.world("provider.cancelled", &body, "");
            return;
        }
        let from = if self.delayed.len() > 2 { &mut self.delayed } else { &mut self.paid };
        let Some(known) = Self::take(&mut self.dice, from) else { return };
        let cents = 1 + self.dice.below(known.cents);
        let back = self.outside('D');
        let body =
            format!(r#""cashin_id":"{}","return_id":"{back}","amount_cents":{cents}"#, known.id);
        self.fact("pix.returned", &body, "");
    }

    fn suspense(&mut self) {
        let Some(id) = self.suspense.pop() else { return self.receive() };
        let charge = self.pending.first().map(|known| known.id.clone());
        match charge.filter(|_| self.dice.below(2) == 0) {
            Some(charge) => {
                let body = format!(r#""suspense_id":"{id}","cashin_id":"{charge}",{JUDGED}"#);
                self.world("suspense.attached", &body, "");
                let known = self.pending.remove(0);
                self.paid.push(known);
            }
            None => {
                let body = format!(r#""suspense_id":"{id}",{JUDGED}"#);
                self.world("suspense.returned", &body, "");
            }
        }
    }

    fn hold(&mut self) {
        if self.dice.below(2) == 0
            && let Some(id) = self.holds.pop()
        {
            let all = self.dice.below(2) == 0;
            let part = if all { "" } else { r#""amount_cents":1,"# };
            let body = format!(r#""hold_id":"{id}",{part}{JUDGED}"#);
            self.world("hold.released", &body, "");
            return;
        }
        let (account, customer) = self.party();
        let cause = self.paid.last().filter(|paid| paid.account == account);
        let (customer, cause) = match cause {
            Some(paid) => (paid.customer, format!(r#""cashin_id":"{}","#, paid.id)),
            None => (customer, String::new()),
        };
        let kinds = ["dispute", "precautionary", "judicial", "administrative"];
        let kind = kinds[self.dice.index(4)];
        let cents = 1 + self.dice.below(3_000);
        let body = format!(
            r#""account":"{account}","customer_ref":"{customer}",{cause}"kind":"{kind}","amount_cents":{cents},{JUDGED}"#
        );
        if let Some(id) = id_of(&self.world("hold.placed", &body, ""), "hold_id") {
            self.holds.push(id);
        }
    }

    fn correction(&mut self) {
        let (account, customer) = self.party();
        let party = format!(r#""account":"{account}","customer_ref":"{customer}""#);
        match self.dice.below(3) {
            0 => {
                let body = format!(r#"{party},"amount_cents":10,{JUDGED}"#);
                self.world("balance.written_off", &body, "");
            }
            1 => {
                self.world("fee.adjusted", &format!(r#"{party},"effect_cents":-25,{JUDGED}"#), "");
            }
            _ => {
                self.world("fee.adjusted", &format!(r#"{party},"effect_cents":25,{JUDGED}"#), "");
            }
        }
    }

    fn world_reports(&mut self) {
        let days = 1 + self.dice.below(20);
        match self.dice.below(3) {
            0 => {
                self.world("policy.adopted", &format!(r#""shortfall_watch_days":{days}"#), "");
            }
            1 => {
                let body = format!(r#""account":"feira","deposito_fee_bps":{days}"#);
                self.world("terms.adopted", &body, "");
            }
            _ => {
                self.at = self.at.after(Span::hours(9));
                self.fact("time.passed", "", "");
            }
        }
    }
}

fn id_of(answer: &Response, name: &str) -> Option<String> {
    let id = answer.body.get(name)?.as_str()?.to_owned();
    (answer.status == 200).then_some(id)
}
