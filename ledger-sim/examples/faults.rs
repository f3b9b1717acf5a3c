//! A service that puts its own workload under the simulator's faults: a shop that sells by PIX.
//!
//! ```text
//! cargo run --release -p ledger-sim --example faults -- 200
//! ```
//!
//! It says how many histories it runs. Facts come twice, late and out of order, writers are lost
//! and acknowledgements too; the ledger's invariants are checked after every record, and so is the
//! shop's own: it never spends what it does not have.

use std::collections::VecDeque;
use std::process::ExitCode;

use ledger_core::id::{AccountId, KeyHash, OpId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{
    Cause, ChargeRequest, Command, Destination, Fact, Intent, Ledger, Origin, Outcome, OwnAccount,
    Ownership, PayoutRequest, Record, Refusal, Reported, Request,
};
use ledger_core::machine::charge::{Delivery, PixPayment, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::Switch;
use ledger_core::time::{Instant, Span};
use ledger_sim::{Faults, Report, Workload, with_faults};
use ledger_store::archive::MemoryArchive;

/// How many sales a history has.
const SALES: u32 = 60;

fn main() -> ExitCode {
    let histories = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut all = Report::new();
    for seed in 0..histories {
        match with_faults(seed, Faults::Many, &mut Shop::new()) {
            Ok(report) => all.merge(&report),
            Err(wrong) => {
                eprintln!("seed {seed}: {wrong}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{} histories, {} commands, {} crashes", all.runs, all.commands, all.crashes);
    ExitCode::SUCCESS
}

/// A shop: it charges, hears of PIX, and pays its supplier.
struct Shop {
    now: Instant,
    count: u32,
    plans: VecDeque<Intent>,
}

impl Shop {
    fn new() -> Self {
        let name: Box<str> = "loja".into();
        let opened =
            Fact::Account(AccountFact::Opened { name, key: KeyHash([1; 32]), terms: None });
        let amount = Amount::new(10_000_000).expect("positive");
        let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
        let funded = Fact::Treasury(TreasuryFact::Moved { from, to, amount });
        let reported = |id: &str, fact| Intent::Fact(Reported { id: Some(id.into()), fact });
        Self {
            now: Instant::parse("2026-11-20T12:00:00Z").expect("an instant"),
            count: 0,
            plans: [reported("opened", opened), reported("funded", funded)].into(),
        }
    }

    fn sale(&mut self) -> Request {
        self.count += 1;
        Request::Charge(ChargeRequest {
            qr: Some(Qr { copypaste: "00020126".into(), image_url: None }),
            external_id: Some(format!("sale-{}", self.count).into()),
            ..ChargeRequest::new(
                Amount::new(1_000 + i64::from(self.count)).expect("positive"),
                Token([2; 16]),
                Switch::On,
                Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
                Destination::Custody,
            )
        })
    }

    /// The provider reports that a charge was paid, by the order it was charged for.
    fn pay(&mut self, charge: OpId, amount: Amount) {
        let e2e = format!("E{:031}", charge.number()).into();
        let payment = PixPayment { e2e, amount, paid_at: self.now };
        let fact = Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment });
        self.plans.push_back(Intent::Fact(Reported { id: None, fact }));
    }

    fn supply(&mut self) -> Request {
        let (key, owner) = (Token([3; 16]), Token([4; 16]));
        let amount = Amount::new(400).expect("positive");
        Request::Payout(PayoutRequest {
            external_id: Some(format!("supply-{}", self.count).into()),
            ..PayoutRequest::new(amount, key, owner, Ownership::Unknown)
        })
    }
}

impl Workload for Shop {
    fn next(&mut self, ledger: &Ledger<MemoryArchive>) -> Option<Command> {
        self.now = self.now.after(Span::seconds(2));
        let shop = ledger.state.account_named("loja");
        let what = match (self.plans.pop_front(), shop) {
            (Some(what), _) => what,
            // A fault holds back the news that the account was opened.
            (None, None) => Intent::Fact(Reported { id: None, fact: Fact::TimePassed }),
            (None, Some(shop)) if self.count < SALES => {
                let sale = self.sale();
                if self.count.is_multiple_of(4) {
                    let supply = Intent::Request(shop, self.supply());
                    self.plans.push_back(supply);
                }
                Intent::Request(shop, sale)
            }
            (None, Some(_)) => return None,
        };
        Some(Command { at: self.now, cause: Cause::new(Origin::Call), what })
    }

    fn on_response(&mut self, command: &Command, answer: &Result<Outcome, Refusal>) {
        if let (Intent::Request(AccountId(_), Request::Charge(asked)), Ok(outcome)) =
            (&command.what, answer)
            && let Outcome::Created(op) | Outcome::Repeated(op) = outcome
        {
            self.pay(*op, asked.amount);
        }
    }

    fn check(&mut self, ledger: &Ledger<MemoryArchive>, _: &Record) -> Result<(), String> {
        let shop = ledger.state.account_named("loja").and_then(|id| ledger.state.account(id));
        let Some(shop) = shop else { return Ok(()) };
        let left = ledger.state.spendable(shop.house).cents();
        if left < 0 { Err(format!("the shop spent {} more than it had", -left)) } else { Ok(()) }
    }
}
