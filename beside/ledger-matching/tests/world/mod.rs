//! A world of its own: what people, banks, networks and an exchange did in a month. From it come
//! the requests and facts of the ledger, and, apart from those, three statements.
#![allow(dead_code)] // Each test plays a part of it.

mod coins;
mod happenings;
pub mod ledger;
mod pix;
mod rng;
pub mod statements;
pub mod time;

use serde_json::Value;

use rng::Rng;

/// A wallet of ours on Polygon, as an explorer writes it.
pub const HOT: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
/// A wallet of ours on Tron.
pub const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
/// The exchange's address for our deposits.
pub const AT_EXCHANGE: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
/// The institution whose PIX the provider posts one by one, and the one whose it sums.
pub const SINGLE: &str = "90400888";
pub const BATCHED: &str = "22222222";

/// A line of the provider's account.
#[derive(Clone, Debug)]
pub struct BankLine {
    pub at: i64,
    pub kind: &'static str,
    /// Below zero where it leaves.
    pub cents: i64,
    pub id: String,
    pub reference: String,
}

/// A transfer on a network; amounts in millionths.
#[derive(Clone, Debug)]
pub struct Transfer {
    pub network: &'static str,
    pub at: i64,
    pub hash: String,
    pub index: u32,
    pub asset: &'static str,
    pub from: String,
    pub to: String,
    pub amount: i64,
    pub fee: Option<(&'static str, i64)>,
    pub status: &'static str,
    pub block_hash: Option<String>,
}

/// A line of the exchange; amounts in millionths.
#[derive(Clone, Debug, Default)]
pub struct TradeLine {
    pub at: i64,
    pub kind: &'static str,
    pub id: String,
    pub reference: String,
    pub side: &'static str,
    pub asset: &'static str,
    pub amount: i64,
    pub counter_asset: &'static str,
    pub counter_amount: i64,
    pub fee: i64,
    pub fee_asset: &'static str,
    pub address: String,
}

/// Something that is told to the ledger.
#[derive(Clone, Debug)]
pub struct Report {
    pub at: i64,
    pub label: Option<String>,
    pub line: Value,
}

/// A month, as it happened.
pub struct World {
    pub bank: Vec<BankLine>,
    pub transfers: Vec<Transfer>,
    pub trades: Vec<TradeLine>,
    pub reports: Vec<Report>,
    /// Balances of accounts outside when the month began: centavos, or millionths by network and
    /// asset.
    pub bank_opening: i64,
    pub chain_opening: Vec<(&'static str, &'static str, i64)>,
    pub exchange_opening: Vec<(&'static str, i64)>,
    rng: Rng,
    count: u64,
    /// The sum that may be paid out, less a margin.
    spendable: i64,
    /// The sum that came in today, and may be paid out from tomorrow on.
    earned: i64,
}

impl World {
    /// A world in which nothing happened.
    pub fn empty() -> Self {
        Self {
            bank: Vec::new(),
            transfers: Vec::new(),
            trades: Vec::new(),
            reports: Vec::new(),
            bank_opening: 0,
            chain_opening: Vec::new(),
            exchange_opening: vec![("brl", 0), ("usdt", 0)],
            rng: Rng::new(0),
            count: 0,
            spendable: 0,
            earned: 0,
        }
    }

    /// Makes the month of a seed.
    pub fn new(seed: u64) -> Self {
        let mut world = Self { rng: Rng::new(seed), ..Self::empty() };
        world.begin();
        for day in 0..30 {
            world.live(day);
        }
        world.reports.sort_by_key(|report| report.at);
        world.bank.sort_by_key(|line| line.at);
        world.transfers.sort_by_key(|transfer| transfer.at);
        world.trades.sort_by_key(|trade| trade.at);
        world
    }

    /// A number that nothing else of the month has.
    fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    fn hash(&mut self, network: &str) -> String {
        let digits = self.rng.digits(64);
        if network == "tron" { digits } else { format!("0x{digits}") }
    }

    fn pix_id(&mut self, letter: char, institution: &str, at: i64) -> String {
        let rest = self.rng.digits(11);
        format!("{letter}{institution}{}{rest}", time::minute_of_pix(at))
    }

    fn tell(&mut self, at: i64, label: Option<&str>, mut line: Value) {
        line["at"] = Value::String(time::rfc3339(at));
        self.reports.push(Report { at, label: label.map(str::to_owned), line });
    }
}
