//! A month of 4,240 operations with 67 things waiting, as lines that `run` reads; and what an
//! operator is to find in it, counted here and never read from a ledger.

use std::fmt::Write as _;

use ledger_core::time::{Instant, Span};
use serde_json::{Value, json};

const MINUTE: i64 = 60_000_000;
pub const DAY: i64 = 24 * 60 * MINUTE;
/// What the house keeps of a deposit.
const FEE: i64 = 100;
/// How many accounts and customers trade; the customers take turns.
const ACCOUNTS: usize = 10;
const CUSTOMERS: usize = 200;
/// How many operations of each kind make the month, beside those that wait.
const CHARGES: usize = 2_400;
const PAYOUTS: usize = 1_197;
const TRANSFERS: usize = 557;
/// How many operations there are, and how many of them wait or hang.
pub const OPERATIONS: usize = 4_240;
pub const WAITING: usize = 67;

/// The customer of one remembered day, and what names their money.
pub const ACCOUNT: &str = "loja-3";
pub const CUSTOMER: &str = "carla";
pub const DOCUMENT: &str = "52998224725";
pub const EXTERNAL: &str = "saque-da-carla";
pub const E2E: &str = "E90400888202611201204CARLA000777";
pub const AMOUNT: i64 = 12_347;

/// The lines, and what was counted as they were written.
#[derive(Default)]
pub struct Month {
    lines: Vec<(i64, Value)>,
    e2e: u32,
    pub operations: usize,
    /// The remembered day, in Brasília.
    pub day: String,
    /// What waits or hangs, by why: how many and how much.
    pub unknown: (usize, i64),
    pub suspense: (usize, i64),
    pub stopped: (usize, i64),
    pub hanging: (usize, i64),
    pub held: (usize, i64),
    /// Payouts that have not ended for an hour.
    pub payouts_over_an_hour: (usize, i64),
    /// What came in, went out and was earned.
    received: i64,
    paid_out: i64,
    fees: i64,
    funded: i64,
}

fn add(sum: &mut (usize, i64), cents: i64) {
    sum.0 += 1;
    sum.1 += cents;
}

/// A CPF with its check digits.
fn cpf(number: usize) -> String {
    let mut digits: Vec<usize> = format!("{:09}", 100_000_000 + number)
        .bytes()
        .map(|digit| usize::from(digit - b'0'))
        .collect();
    for _ in 0..2 {
        let first = digits.len() + 1;
        let sum: usize = digits.iter().enumerate().map(|(at, digit)| digit * (first - at)).sum();
        digits.push((sum * 10) % 11 % 10);
    }
    digits.iter().map(usize::to_string).collect()
}

fn account(number: usize) -> String {
    format!("loja-{}", number % ACCOUNTS)
}

impl Month {
    /// The month that ends at this moment.
    pub fn until(end: Instant) -> Self {
        let mut month = Self::default();
        let begin = end.micros() - 30 * DAY;
        month.open(begin);
        let first = begin + 60 * MINUTE;
        let step = (28 * DAY) / i64::try_from(CHARGES).expect("it fits");
        for number in 0..CHARGES {
            let at = first + step * i64::try_from(number).expect("it fits");
            month.trade(number, at);
        }
        let noon = Instant::from_micros(end.micros() - 10 * DAY).expect("it is a moment");
        let noon = noon.day_begins_in_brasilia().after(Span::hours(12));
        month.remembered_day(noon.micros());
        noon.in_brasilia()[..10].clone_into(&mut month.day);
        month.wait(end.micros());
        month.notify(end.micros() - 20 * MINUTE);
        month.lines.sort_by_key(|(at, _)| *at);
        month
    }

    /// The lines as `run` reads them.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, line) in &self.lines {
            let mut line = line.clone();
            line["at"] = Instant::from_micros(*at).expect("it is a moment").to_string().into();
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Returns what is owed, and what is held against it: what came in less what left.
    pub const fn owed_and_held(&self) -> (i64, i64) {
        let held = self.funded + self.received - self.paid_out;
        (self.received - self.fees - self.paid_out, held)
    }

    fn fact(&mut self, at: i64, name: &str, label: &str, body: &Value) {
        self.lines.push((at, json!({ "as": label, "fact": name, "body": body })));
    }

    fn request(&mut self, at: i64, account: &str, route: &str, label: &str, body: &Value) {
        let key = format!("svc_live_{account}");
        self.lines.push((at, json!({ "as": label, "key": key, "request": route, "body": body })));
    }

    /// The next end-to-end id, which no other PIX has.
    fn e2e(&mut self) -> String {
        self.e2e += 1;
        format!("E90400888202611201204{:011}", self.e2e)
    }

    fn open(&mut self, at: i64) {
        let terms = json!({
            "deposito_fee_bps": 0, "deposito_fee_fixed_cents": FEE, "saque_fee_bps": 0,
            "partner_saque_fee_bps": 0, "saque_taxa_provedor_tipo": "fixo",
            "saque_taxa_estimada_cents": 0, "sem_retencao": true, "liberacao": "imediata",
            "carencia_horas": 0,
        });
        let held = json!({
            "deposito_fee_bps": 0, "deposito_fee_fixed_cents": FEE, "sem_retencao": false,
            "retencao_acima_cents": 50_000, "retencao_horas": 2, "carencia_horas": 0,
        });
        let policy = json!({ "id": "politica", "payer_ladder": false });
        self.lines
            .push((at, json!({ "fact": "policy.adopted", "environment": "live", "body": policy })));
        let names = (0..ACCOUNTS).map(account).map(|name| (name, &terms));
        let others = [("padaria", &terms), ("farmacia", &terms), ("mercado", &held)];
        for (name, terms) in names.chain(others.map(|(name, terms)| (name.to_owned(), terms))) {
            let body = json!({ "id": format!("conta-{name}"), "account": name, "terms": terms });
            let supplied = json!({ "key": format!("svc_live_{name}") });
            let line = json!({ "fact": "account.opened", "environment": "live", "body": body,
                "supplied": supplied });
            self.lines.push((at, line));
        }
        self.funded = 100_000_000;
        let float = json!({ "id": "fundo", "from": "equity.funding", "to": "prov.pay",
            "amount_cents": self.funded });
        self.fact(at, "treasury.moved", "fundo", &float);
    }

    /// A charge that is paid at once.
    fn charge(&mut self, at: i64, of: (&str, &str, &str), cents: i64) {
        let (account, customer, document) = of;
        self.operations += 1;
        let label = format!("c{}", self.operations);
        let body = json!({ "amount_cents": cents, "destino": "saldo", "customer_ref": customer,
            "payer_tax_number": document, "external_id": format!("venda-{label}") });
        self.request(at, account, "POST /cashin/charge", &label, &body);
        let e2e = self.e2e();
        self.pix(at + MINUTE / 2, Some(&label), &e2e, cents);
        self.fees += FEE;
    }

    fn pix(&mut self, at: i64, charge: Option<&str>, e2e: &str, cents: i64) {
        let mut body = json!({ "e2e": e2e, "amount_cents": cents });
        if let Some(charge) = charge {
            body["cashin_id"] = format!("${charge}.cashin_id").into();
        }
        self.fact(at, "pix.received", &format!("p-{e2e}"), &body);
        self.received += cents;
    }

    /// A payout that was asked for; its label.
    fn payout(&mut self, at: i64, of: (&str, &str), cents: i64, external_id: &str) -> String {
        self.operations += 1;
        let label = format!("s{}", self.operations);
        let body = json!({ "customer_ref": of.1, "amount_cents": cents,
            "pix_key": "ana@exemplo.com.br", "tax_number": cpf(900_000), "external_id": external_id });
        self.request(at, of.0, "POST /payouts", &label, &body);
        label
    }

    fn paid(&mut self, at: i64, payout: &str, e2e: &str, cents: i64) {
        let body = json!({ "payout_id": format!("${payout}.payout_id"), "e2e": e2e });
        self.fact(at, "payout.paid", &format!("{payout}-paid"), &body);
        self.paid_out += cents;
    }

    /// What is told of a payout by a fact with an id of its own.
    fn told(&mut self, at: i64, payout: &str, name: &str, more: &[(&str, &str)]) {
        let mut body = json!({ "id": format!("{payout}-{name}"),
            "payout_id": format!("${payout}.payout_id") });
        for (field, value) in more {
            body[*field] = (*value).into();
        }
        self.fact(at, name, &format!("{payout}-told"), &body);
    }

    /// A transfer from a customer to the house.
    fn transfer(&mut self, at: i64, of: (&str, &str), cents: i64) {
        self.operations += 1;
        let external_id = format!("repasse-{}", self.operations);
        let body = json!({ "from_customer_ref": of.1, "to_customer_ref": "casa",
            "amount_cents": cents, "external_id": external_id });
        self.request(at, of.0, "POST /saldo/transferir", &external_id, &body);
    }

    /// One customer's turn: a deposit, and of some of it a payout or a transfer.
    fn trade(&mut self, number: usize, at: i64) {
        let person = number % CUSTOMERS;
        let (account, customer) = (account(person), format!("cliente-{person}"));
        let spread = i64::try_from(number * 37 % 900).expect("it fits");
        let cents = 20_000 + spread * 10;
        self.charge(at, (&account, &customer, &cpf(person)), cents);
        let of = (&*account, &*customer);
        if number.is_multiple_of(2) && number / 2 < PAYOUTS {
            let cents = cents / 20 * 10;
            let external_id = format!("saque-{number}");
            let payout = self.payout(at + 2 * MINUTE, of, cents, &external_id);
            let e2e = self.e2e();
            self.paid(at + 3 * MINUTE, &payout, &e2e, cents);
        } else if !number.is_multiple_of(2) && number / 2 < TRANSFERS {
            self.transfer(at + 2 * MINUTE, of, 500);
        }
    }

    /// A day of one customer: a deposit, a payout that was refused, one that was paid.
    fn remembered_day(&mut self, at: i64) {
        let of = (ACCOUNT, CUSTOMER);
        self.charge(at, (ACCOUNT, CUSTOMER, DOCUMENT), 50_000);
        let refused = self.payout(at + 10 * MINUTE, of, 30_000, "saque-recusado");
        self.told(at + 11 * MINUTE, &refused, "payout.refused", &[]);
        let paid = self.payout(at + 12 * MINUTE, of, AMOUNT, EXTERNAL);
        self.paid(at + 13 * MINUTE, &paid, E2E, AMOUNT);
    }

    /// Everything that waits for somebody, at most a day before the end.
    fn wait(&mut self, end: i64) {
        let mut at = end - DAY;
        let mut next = |minutes: i64| {
            at += minutes * MINUTE;
            at
        };
        for number in 0..8 {
            let cents = 1_000 + number;
            let asked = next(20);
            let payout = self.waiting_payout(asked, cents, "duvida", number);
            self.told(asked + MINUTE, &payout, "payout.unknown", &[]);
            add(&mut self.unknown, cents);
            add(&mut self.payouts_over_an_hour, cents);
        }
        for number in 0..4 {
            let cents = 2_000 + number;
            let asked = next(20);
            let payout = self.waiting_payout(asked, cents, "parado", number);
            let why = [("actor", "bia"), ("reason", "to be looked at")];
            self.told(asked + MINUTE, &payout, "payout.stopped", &why);
            add(&mut self.stopped, cents);
            add(&mut self.payouts_over_an_hour, cents);
        }
        for number in 0..12 {
            let cents = 3_000 + number;
            self.waiting_payout(next(20), cents, "demora", number);
            add(&mut self.hanging, cents);
            add(&mut self.payouts_over_an_hour, cents);
        }
        for number in 0..20 {
            let cents = 4_000 + number;
            let e2e = self.e2e();
            self.operations += 1;
            self.pix(next(10), None, &e2e, cents);
            add(&mut self.suspense, cents);
        }
        for number in 0..5 {
            self.centavo_too_much(next(10), 6_000 + number * 10, number);
        }
        for number in 0..18 {
            let cents = 60_000 + number * 10;
            self.charge(next(10), ("mercado", "feira", &cpf(800_000)), cents);
            // The fee is taken once the provider lets the deposit go.
            self.fees -= FEE;
            add(&mut self.held, cents);
        }
        // Younger than an hour: nobody has to look at these yet.
        for number in 0..5 {
            self.waiting_payout(end - (50 - number) * MINUTE, 5_000 + number, "recente", number);
        }
    }

    fn waiting_payout(&mut self, at: i64, cents: i64, why: &str, number: i64) -> String {
        let person = usize::try_from(number).expect("it fits");
        let (account, customer) = (account(person), format!("cliente-{person}"));
        self.payout(at, (&account, &customer), cents, &format!("{why}-{number}"))
    }

    /// A charge whose payer sent a centavo more, which waits to be attached to it.
    fn centavo_too_much(&mut self, at: i64, cents: i64, number: i64) {
        self.operations += 2;
        let label = format!("a-mais-{number}");
        let body = json!({ "amount_cents": cents, "destino": "saldo", "customer_ref": "cliente-5",
            "payer_tax_number": cpf(5), "external_id": label });
        self.request(at, "loja-5", "POST /cashin/charge", &label, &body);
        let e2e = self.e2e();
        self.pix(at + MINUTE, Some(&label), &e2e, cents + 1);
        add(&mut self.suspense, cents + 1);
    }

    /// Two accounts that are sent webhooks, of three deposits each.
    fn notify(&mut self, at: i64) {
        for (number, account) in ["padaria", "farmacia"].into_iter().enumerate() {
            let url = json!({ "webhook_url": format!("https://{account}.example/{account}") });
            self.request(at, account, "PATCH /keys/me", &format!("{account}-url"), &url);
            for sale in 1..=3 {
                self.charge(at + sale * MINUTE, (account, "balcao", &cpf(700 + number)), 2_500);
            }
        }
    }
}
