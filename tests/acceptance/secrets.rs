//! Secrets and personal data: in no answer, no record, no debug text (INV-46, AUTH-11, AUTH-12).

use std::process::Command;

use ledger_core::contract::{Environment, Line};
use ledger_core::id::Seq;
use ledger_core::ledger::Origin;
use ledger_store::{Journal, OpenMode, SqliteJournal, codec};
use serde_json::json;

use crate::custody_day::LINES;
use crate::day::{AT_ONCE, Day, KEY, judged, payout_body};
use crate::killed::{Folder, PROGRAM, finished, run};
use crate::market::purchase;
use crate::settlement_day;

const NOON: &str = "2026-11-20T12:00:00Z";

/// Everything in the example that no answer and no record may show.
const SECRETS: [&str; 13] = [
    "52998224725",
    "11144477735",
    "12345678909",
    "39053344705",
    "86288366757",
    "11222333000181",
    "ana.prado@exemplo.com.br",
    "Ana.Prado@Exemplo.com.br",
    "carla@exemplo.com.br",
    "+5511987654321",
    "123e4567-e12b-12d1-a456-426655440000",
    "svc_live_loja",
    "svc_test_loja",
];

/// What nobody's record may show besides: names and free text (rulings 11).
const PERSONAL: [&str; 8] = [
    "Joana Lima",
    "mensalidade",
    "bia",
    "the payer contests",
    "checked with the exchange",
    "customer unreachable",
    "Maria Souza",
    "stmt-1",
];

/// A day on which every kind of secret is planted, in requests, in facts, in reads and in mistakes.
fn planted() -> Day {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    day.overhear();
    day.market(NOON);
    let document =
        json!({ "id": "r-1", "payer_tax_number": "11222333000181", "finding": "identified" });
    day.report(NOON, "payer.reviewed", &judged(document));
    for (id, payer) in [("a", "39053344705"), ("b", "86288366757"), ("c", "11222333000181")] {
        let mut body = purchase(15_000);
        body["payer_tax_number"] = payer.into();
        body["payer_name"] = "Maria Souza".into();
        assert_eq!(day.ask_as(id, NOON, "POST /cashin/charge", body).status, 200);
        assert_eq!(day.pix(id, NOON, 15_000), "applied");
        assert_eq!(day.sent(id, NOON), "applied");
        day.get(NOON, &format!("/cashin/limits?payer_tax={payer}"));
        day.status(NOON, id);
        assert_eq!(day.buy(&format!("{id}-too-much"), NOON, 700_000).status, 403);
    }
    day.deposit("d", NOON, "ana", 5_000);
    assert_eq!(day.deposit_of("e", NOON, "12345678909", 15_000), "applied");
    let keys = [
        ("11144477735", Some("cpf"), "11144477735"),
        ("52998224725", None, "52998224725"),
        ("11222333000181", None, "11222333000181"),
        ("carla@exemplo.com.br", None, "52998224725"),
        ("+5511987654321", None, "52998224725"),
        ("123e4567-e12b-12d1-a456-426655440000", None, "52998224725"),
    ];
    for (index, (key, kind, owner)) in keys.into_iter().enumerate() {
        let mut body = payout_body(&format!("o-{index}"), 100);
        body["pix_key"] = key.into();
        body["tax_number"] = owner.into();
        if let Some(kind) = kind {
            body["pix_key_type"] = kind.into();
        }
        let made = day.ask(NOON, "POST /payouts", &body);
        assert_eq!(made.status, 200, "{}", made.body);
        body["amount_cents"] = 200.into();
        assert_eq!(day.ask(NOON, "POST /payouts", &body).status, 409);
        body["external_id"] = "short".into();
        body["amount_cents"] = 900_000.into();
        assert_eq!(day.ask(NOON, "POST /payouts", &body).status, 402);
        body["pix_key_type"] = "random".into();
        body["pix_key"] = format!("{key}x").into();
        assert_eq!(day.ask(NOON, "POST /payouts", &body).status, 400);
    }
    assert_eq!(day.convert("v", NOON, "", 5_000).status, 200);
    assert_eq!(day.give_up("v", NOON, "saldo"), "applied");
    let line = json!({ "at": NOON, "key": "svc_live_loja_wrong_key", "request": "GET /saldo" });
    assert_eq!(day.line(&line.to_string()).status, 401);
    day
}

fn shows_none(what: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{what} shows {secret}: {text}");
    }
}

/// The days that are searched.
fn days() -> Vec<Day> {
    let lived = |lines: &str| {
        let mut day = Day::new();
        day.overhear();
        for line in lines.lines() {
            day.line(line);
        }
        day
    };
    vec![lived(LINES), lived(settlement_day::LINES), planted()]
}

#[test]
fn inv_46_no_answer_event_or_instruction_shows_a_secret() {
    for day in days() {
        assert!(day.overheard().len() > 40);
        for heard in day.overheard() {
            shows_none("an answer", &heard.answer);
            shows_none("the debug text of what a call came to", &heard.debug);
        }
        for event in day.events() {
            shows_none("an event", &event.to_string());
        }
        for instruction in day.instructions() {
            shows_none("an instruction", &instruction.to_string());
        }
    }
}

#[test]
fn inv_46_no_record_and_no_byte_of_the_journal_shows_a_secret_or_a_name() {
    for mut day in days() {
        for environment in Environment::ALL {
            shows_none("the debug text of a book", &format!("{:?}", day.book_of(environment)));
            let Some(commit) = day.cut(environment) else { continue };
            let mut seq = 0;
            for row in &commit.rows {
                for frame in row.frames() {
                    seq += 1;
                    let bytes = frame.unwrap().record;
                    let record = codec::decode(Seq(seq), bytes).unwrap();
                    let debug = format!("{record:?}");
                    shows_none("a record", &debug);
                    let plain = String::from_utf8_lossy(bytes);
                    shows_none("the bytes of a record", &plain);
                    for personal in PERSONAL {
                        assert!(!debug.contains(personal), "AUTH-12: {debug}");
                        assert!(!plain.contains(personal), "AUTH-12: {debug}");
                    }
                }
            }
            assert!(seq > 0);
        }
    }
}

#[test]
fn inv_46_no_line_and_no_call_shows_a_secret_in_its_debug_text() {
    for text in LINES.lines().chain(settlement_day::LINES.lines()) {
        let line = Line::parse(text, |name| Ok(name.to_owned())).unwrap();
        shows_none("the debug text of a line", &format!("{line:?}"));
        shows_none("the debug text of a call", &format!("{:?}", line.call(Origin::Call)));
    }
    for target in ["/cashin/limits?payer_tax=39053344705", "/saldo?customer_ref=52998224725"] {
        let line = json!({ "at": NOON, "key": KEY, "request": format!("GET {target}") });
        let line = Line::parse(&line.to_string(), |name| Ok(name.to_owned())).unwrap();
        shows_none("the debug text of a read", &format!("{:?}", line.call(Origin::Call)));
    }
}

#[test]
fn inv_46_neither_the_program_nor_its_audit_shows_a_secret_and_the_rows_of_the_store_neither() {
    let folder = Folder::new("secrets");
    for (name, lines) in [("custody", LINES), ("settlement", settlement_day::LINES)] {
        let file = folder.file(name, "day.jsonl", lines);
        let store = folder.path().join(format!("{name}.db"));
        let output = finished(run(&file, &store));
        shows_none("standard output", &String::from_utf8(output.stdout).unwrap());
        shows_none("standard error", &String::from_utf8(output.stderr).unwrap());
        let reading = [
            vec!["audit", store.to_str().unwrap()],
            vec!["saldo", store.to_str().unwrap(), "loja", "--customer", "ana"],
            vec!["extrato", store.to_str().unwrap(), "loja", "--customer", "ana"],
            vec!["explain", store.to_str().unwrap(), "loja", "--customer", "ana"],
            vec!["explain", store.to_str().unwrap(), "loja"],
            vec!["extrato", store.to_str().unwrap(), "loja", "--visao", "operacoes", "--json"],
        ];
        for arguments in reading {
            let mut command = Command::new(PROGRAM);
            command.args(&arguments);
            let output = finished(command);
            shows_none(arguments[0], &String::from_utf8(output.stdout).unwrap());
            shows_none(arguments[0], &String::from_utf8(output.stderr).unwrap());
        }
        for environment in Environment::ALL {
            let mut journal =
                SqliteJournal::open(&store, environment.name(), OpenMode::ReadOnly).unwrap();
            for row in journal.read(1, usize::MAX >> 1).unwrap() {
                shows_none("a row of the journal", &format!("{row:?}"));
                for frame in row.frames() {
                    let bytes = String::from_utf8_lossy(frame.unwrap().record).into_owned();
                    shows_none("the bytes of a journal", &bytes);
                    for personal in PERSONAL {
                        assert!(!bytes.contains(personal), "rulings 11: {personal}");
                    }
                }
            }
        }
    }
}

#[test]
fn rulings_10_a_key_made_of_entropy_is_shown_once_and_opens_its_account() {
    let entropy = "0123456789abcdef".repeat(4);
    let line = json!({
        "at": "2026-11-20T12:00:00Z", "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-1", "account": "loja" }, "supplied": { "entropy": entropy },
    });
    let mut day = Day::new();
    let first = day.line(&line.to_string()).body;
    let key = first["api_key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_live_"), "{key}");
    let again = day.line(&line.to_string()).body;
    assert_eq!(again, json!({ "outcome": "known" }), "never redisplayed (AUTH-03)");
    let read = json!({ "at": "2026-11-20T12:00:00Z", "key": key, "request": "GET /saldo" });
    assert_eq!(day.line(&read.to_string()).status, 200);
    let commit = day.cut(Environment::Live).unwrap();
    for frame in commit.rows.iter().flat_map(|row| row.frames()) {
        let record = codec::decode(Seq(1), frame.unwrap().record).unwrap();
        let debug = format!("{record:?}");
        assert!(!debug.contains(&key) && !debug.contains(&entropy), "{debug}");
    }
}
