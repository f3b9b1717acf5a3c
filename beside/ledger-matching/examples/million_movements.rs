//! Measures statements of a million movements, unless another number is said, against as many of
//! ours: `cargo run --release -p ledger-matching --example million_movements -- 100000`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant as Clock;

use ledger_core::time::Instant;
use ledger_matching::read::columns::Columns;
use ledger_matching::read::{chain, exchange, provider};
use ledger_matching::{
    Account, Class, Day, Direction, Inputs, KeptMatches, OurMovement, OwnBooks, Period, Quantity,
    Rules, Source, Statement, Status, match_statements,
};

/// Midnight in Brasília, at which the day begins.
const BEGINS: i64 = 1_793_847_600_000_000;

const COLUMNS: &str = r#"
[provider.columns]
end_to_end_id = "e2e"
amount = "valor"
date = "dia"
[exchange.columns]
time = "time"
kind = "kind"
id = "id"
asset = "asset"
amount = "amount"
[exchange.kind]
deposit = ["deposit"]
"#;

const RULES: &str = r#"
[[rule]]
name = "arrivals"
source = "exchange"
window_minutes = 10
"#;

fn main() {
    let count = std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("a number"));
    let (mut books, mut files) = (OwnBooks::default(), Files::new());
    for number in 0..count {
        books.push(movement(number, &mut files));
    }
    let began = Clock::now();
    let statements = files.read();
    let read = began.elapsed().as_secs_f64();
    let rules = Rules::parse("rules.toml", RULES).expect("rules");
    let (from, to) = (statements[0].from.expect("a day"), statements[0].to.expect("a day"));
    let other = HashSet::new();
    let inputs = Inputs {
        books: &books,
        statements: &statements,
        rules: &rules,
        period: Period { from, to },
        other_environment: &other,
    };
    let mut kept = KeptMatches::new("live");
    let matched = match_statements(inputs, &mut kept);
    let first = began.elapsed().as_secs_f64() - read;
    assert_eq!((matched.pairs.len(), matched.open_count()), (count, 0));
    let again = match_statements(inputs, &mut kept);
    let second = began.elapsed().as_secs_f64() - read - first;
    assert_eq!((again.pairs.len(), again.matched_before), (0, count));
    let debug = if cfg!(debug_assertions) { "debug" } else { "release" };
    println!(
        "{count} movements, {debug}: read in {read:.1} s, matched in {first:.1} s, \
         matched before in {second:.1} s"
    );
}

/// The statements while they are written.
struct Files {
    bank: String,
    network: String,
    exchange: String,
}

impl Files {
    fn new() -> Self {
        Self {
            bank: "e2e,valor,dia\n".to_owned(),
            network: String::new(),
            exchange: "time,kind,id,asset,amount\n".to_owned(),
        }
    }

    fn read(&self) -> Vec<Statement> {
        let columns = Columns::parse("columns.toml", COLUMNS).expect("columns");
        let rules = Rules::default();
        let mapping = columns.provider.as_ref();
        let network = format!(
            r#"{{"source":"node","network":"polygon","from":"{}","to":"{}","at":"{}",
            "block":{{"number":1,"hash":"0x1"}},"addresses":["0xa1"],"transfers":[{}]}}"#,
            text(BEGINS),
            text(BEGINS + 86_400_000_000),
            text(BEGINS + 86_400_000_000),
            self.network.trim_end_matches(',')
        );
        let exchange_columns = columns.exchange.as_ref().expect("an exchange");
        vec![
            provider::read(("bank.csv", 0), self.bank.as_bytes(), mapping, &rules.provider)
                .expect("a list"),
            chain::read(("polygon.json", 1), network.as_bytes()).expect("a chain"),
            exchange::read(("exchange.csv", 2), self.exchange.as_bytes(), exchange_columns)
                .expect("an exchange"),
        ]
    }
}

fn text(at: i64) -> String {
    Instant::from_micros(at).expect("an instant").to_string()
}

/// Six in ten are PIX, three transfers on a network, one a deposit at the exchange without an id.
fn movement(number: usize, files: &mut Files) -> OurMovement {
    let place = i64::try_from(number).expect("few");
    let micros = BEGINS + place * 80_000 % 80_000_000_000;
    let at = Instant::from_micros(micros).expect("an instant");
    let cents = 1_000 + place;
    let (reais, rest) = (cents / 100, cents % 100);
    let account = |source, network: &str, asset: &str| {
        Arc::new(Account { source, network: network.into(), asset: asset.into() })
    };
    let (account, class, id) = match number % 10 {
        0..=5 => {
            let id = format!("E9040088820261105{number:016}");
            let _ = writeln!(files.bank, "{id},{reais}.{rest:02},{}", text(micros));
            (account(Source::Provider, "", "brl"), Class::Payment, Some(id))
        }
        6..=8 => {
            let id = format!("0x{number:064x}");
            let _ = write!(
                files.network,
                r#"{{"tx_hash":"{id}","time":"{}","asset":"USDT","from":"0xb2","to":"0xa1",
                "amount":"{reais}.{rest:02}"}},"#,
                text(micros)
            );
            (account(Source::Chain, "polygon", "usdt"), Class::Deposit, Some(id))
        }
        _ => {
            let time = text(micros);
            let _ = writeln!(files.exchange, "{time},deposit,{number},USDT,{reais}.{rest:02}");
            (account(Source::Exchange, "", "usdt"), Class::Deposit, None)
        }
    };
    OurMovement {
        record: number as u64 + 1,
        leg: 0,
        account,
        direction: Direction::In,
        amount: Quantity::from_cents(cents),
        class,
        status: Status::Booked,
        id: id.map(Into::into),
        fact: None,
        address: None,
        operation: None,
        day: Day::from_instant(at),
        at,
    }
}
