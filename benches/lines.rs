//! Files of JSON lines through the program, beside parsing the same lines alone, by turns: transfers,
//! none of which names another line; charges, the PIX that pay them by label, transfers and payouts.
//!
//! ```console
//! $ cargo bench --bench lines
//! $ cargo bench --bench lines -- --lines 100000
//! ```
//!
//! Each file is run onto a new SQLite store, durable before it is answered, and then once more,
//! which executes again what is recorded and writes nothing.

#[path = "workload/process.rs"]
mod process;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ledger_core::contract::Line;
use process::number_after;

const TURNS: usize = 5;

const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// The opening of a ledger without limits by payer, whose account waits for nothing.
const OPENING: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"acc-1","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0,"sem_retencao":true}},"supplied":{"key":"svc_live_loja"}}
{"at":"2026-11-20T12:00:00Z","fact":"policy.adopted","environment":"live","body":{"id":"pol","payer_ladder":false}}
"#;

/// What a line of a client begins with.
const CLIENT: &str = r#""at":"2026-11-20T13:00:00Z","key":"svc_live_loja","request""#;

/// Between how many customers of an account money moves.
const CUSTOMERS: u64 = 500;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let count = number_after("--lines", 1_000_000);
    for (what, text) in [("transfers", transfers(count)), ("mixed", mixed(count))] {
        let file = folder.path().join("lines.jsonl");
        std::fs::write(&file, &text).expect("the disk takes it");
        let count = text.lines().count();
        let mut turns = [const { Vec::new() }; 3];
        for _ in 0..TURNS {
            let store = tempfile::tempdir_in(folder.path()).expect("a temporary folder");
            let store = store.path().join("new.db");
            turns[0].push(parse(&text));
            turns[1].push(run(&file, &store));
            turns[2].push(run(&file, &store));
        }
        for (work, took) in ["parsed alone", "run", "run again"].into_iter().zip(turns) {
            println!("{what}, {work}: {}", shown(count, took));
        }
    }
}

/// The median, and what it is a second.
fn shown(lines: usize, mut took: Vec<Duration>) -> String {
    took.sort_unstable();
    let (least, median, most) = (took[0], took[took.len() / 2], took[took.len() - 1]);
    let rate = lines as u128 * 1_000_000 / median.as_micros().max(1);
    format!("{lines} lines in {median:.2?} ({least:.2?} to {most:.2?}), {rate}/s")
}

fn parse(text: &str) -> Duration {
    let clock = Instant::now();
    for line in text.lines() {
        let parsed = Line::parse(line, |label| Ok(label.to_owned())).expect("it is well formed");
        std::hint::black_box(parsed);
    }
    clock.elapsed()
}

fn run(file: &Path, store: &Path) -> Duration {
    let clock = Instant::now();
    let mut command = Command::new(PROGRAM);
    command.arg("run").arg(file).arg("--store").arg(store);
    let ended = command.stdout(Stdio::null()).output().expect("the program runs");
    let took = clock.elapsed();
    let said = String::from_utf8_lossy(&ended.stderr);
    let all = [" 0 refused, 0 malformed", " 0 set aside"].iter().all(|none| said.contains(none));
    assert!(ended.status.success() && all, "{said}");
    took
}

fn transfers(count: u64) -> String {
    let mut text = OPENING.to_owned();
    for gift in 0..CUSTOMERS / 5 {
        let _ = writeln!(
            text,
            r#"{{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{{"id":"g{gift}","account":"loja","effect_cents":500000,"actor":"bia","reason":"start","evidence":"case"}}}}"#
        );
    }
    for customer in 0..CUSTOMERS {
        transfer(&mut text, ("casa", &named(customer)), 90_000, &format!("s-{customer}"));
    }
    for number in 0..count {
        let from = number * 31 % CUSTOMERS;
        let to = (from + 1 + number * 17 % (CUSTOMERS - 1)) % CUSTOMERS;
        let id = format!("t-{number}");
        transfer(&mut text, (&named(from), &named(to)), 1 + number % 20, &id);
    }
    text
}

fn mixed(count: u64) -> String {
    let mut text = OPENING.to_owned();
    for number in 0..count / 4 {
        let (customer, other) = (number % CUSTOMERS, (number + 1) % CUSTOMERS);
        let _ = writeln!(
            text,
            r#"{{{CLIENT}:"POST /cashin/charge","as":"k{number}","body":{{"amount_cents":10000,"destino":"saldo","customer_ref":"c{customer}","payer_tax_number":"52998224725","external_id":"c-{number}"}}}}
{{"at":"2026-11-20T13:00:00Z","fact":"pix.received","body":{{"cashin_id":"$k{number}.cashin_id","e2e":"E90400888202611200000000{number:08}","amount_cents":10000}}}}"#
        );
        let (from, to, id) = (named(customer), named(other), format!("t-{number}"));
        transfer(&mut text, (&from, &to), 1 + number % 900, &id);
        let _ = writeln!(
            text,
            r#"{{{CLIENT}:"POST /payouts","body":{{"amount_cents":{},"customer_ref":"c{customer}","pix_key":"a@example.com","tax_number":"52998224725","external_id":"p-{number}"}}}}"#,
            1_000 + number % 3_000
        );
    }
    text
}

fn named(customer: u64) -> String {
    format!("c{customer}")
}

fn transfer(text: &mut String, (from, to): (&str, &str), cents: u64, id: &str) {
    let _ = writeln!(
        text,
        r#"{{{CLIENT}:"POST /saldo/transferir","body":{{"from_customer_ref":"{from}","to_customer_ref":"{to}","amount_cents":{cents},"external_id":"{id}"}}}}"#
    );
}
