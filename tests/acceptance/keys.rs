//! Keys and accounts: asked for, shown once, replaced, revoked, set (KEY, AUTH; contract, 4.1 and
//! 5).

use ledger_core::contract::{Environment, Response, Secret};
use ledger_core::id::Seq;
use ledger_store::codec;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, judged};
use crate::killed::{Folder, finished, run};
use crate::market::{WALLET, conversion};

const NOON: &str = "2026-11-20T12:00:00Z";
const HOME: &str = "203.0.113.7";

/// Entropy of its own for each number.
fn entropy(number: u8) -> String {
    format!("{number:02x}").repeat(32)
}

/// A request without a key, from an address, with entropy.
fn public(day: &mut Day, at: &str, request: &str, body: &Value, from: &str, seed: u8) -> Response {
    let line = json!({
        "at": at, "request": request, "body": body, "ip": from,
        "supplied": { "entropy": entropy(seed) },
    });
    day.line(&line.to_string())
}

fn production(day: &mut Day, body: &Value, seed: u8) -> Response {
    public(day, NOON, "POST /keys", body, HOME, seed)
}

/// A request with this key, and entropy.
fn with_key(day: &mut Day, key: &str, request: &str, body: &Value, seed: u8) -> Response {
    let line = json!({
        "at": NOON, "key": key, "request": request, "body": body,
        "supplied": { "entropy": entropy(seed) },
    });
    day.line(&line.to_string())
}

#[allow(clippy::needless_pass_by_value)] // Those who call it write the body in place.
fn patch(day: &mut Day, body: Value, seed: u8) -> Response {
    with_key(day, KEY, "PATCH /keys/me", &body, seed)
}

fn read(day: &mut Day, key: &str, target: &str) -> Response {
    let line = json!({ "at": NOON, "key": key, "request": format!("GET {target}") });
    day.line(&line.to_string())
}

fn rotate(day: &mut Day, key: &str, seed: u8) -> Response {
    let line = json!({
        "at": NOON, "key": key, "command": "key.rotate",
        "supplied": { "entropy": entropy(seed) },
    });
    day.line(&line.to_string())
}

fn text<'a>(body: &'a Value, pointer: &str) -> &'a str {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer}: {body}"))
}

fn refused(answer: &Response) -> (u16, &str) {
    (answer.status, answer.body["erro"].as_str().unwrap_or_default())
}

#[test]
fn key_01_a_test_key_is_made_for_an_e_mail_and_opens_the_sandbox_alone() {
    let mut day = Day::new();
    let body = json!({ "email": "ana@exemplo.com.br", "name": "Ana Prado" });
    let made = public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, 1);
    assert_eq!((made.status, &made.body["sandbox"]), (200, &json!(true)), "{}", made.body);
    let key = text(&made.body, "/api_key").to_owned();
    assert!(key.starts_with("svc_test_") && !text(&made.body, "/como_usar").is_empty(), "{key}");
    let me = read(&mut day, &key, "/keys/me");
    assert_eq!((me.status, text(&me.body, "/key/tipo")), (200, "teste"));
    assert_eq!(text(&me.body, "/key/email"), "a***@exemplo.com.br");
    let sandbox = &day.book_of(Environment::Sandbox).ledger().state;
    assert_eq!(
        (sandbox.accounts().count(), day.sequencer().ledger().state.accounts().count()),
        (1, 0)
    );
}

#[test]
fn key_02_a_test_key_needs_a_valid_e_mail() {
    let mut day = Day::new();
    for body in [
        json!({}),
        json!({ "email": null }),
        json!({ "email": "ana" }),
        json!({ "email": 5 }),
        json!({ "name": "Ana" }),
    ] {
        let answer = public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, 1);
        assert_eq!(refused(&answer), (400, "email_obrigatorio"), "{body}");
        assert_eq!(answer.body["acao"], "corrigir");
    }
    let body = json!({ "email": "a@b.co", "emial": "x" });
    let answer = public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, 1);
    assert_eq!(answer.status, 200, "rulings 55: {}", answer.body);
    assert_eq!(answer.body["campos_ignorados"], json!(["emial"]));
}

#[test]
fn key_05_a_production_key_is_shown_once_with_limits_and_links() {
    let mut day = Day::new();
    let body = json!({
        "name": "Loja da Ana", "email": "ana@exemplo.com.br", "responsavel_legal": "Ana Prado",
        "documento": "52998224725", "documento_pais": "br",
    });
    let line = json!({
        "at": NOON, "request": "POST /keys", "body": body, "ip": HOME,
        "supplied": {
            "entropy": entropy(1), "base_url": "https://api.exemplo.com/",
            "grupos_obrigatorios": [{ "nome": "avisos" }],
        },
    });
    let made = day.line(&line.to_string());
    assert_eq!(made.status, 200, "{}", made.body);
    let key = text(&made.body, "/api_key").to_owned();
    assert!(key.starts_with("svc_live_"), "{key}");
    assert!(text(&made.body, "/monitor_url").starts_with("https://api.exemplo.com/monitor/mon_"));
    assert_eq!(made.body["dashboard_url"], "https://api.exemplo.com/painel");
    assert_eq!(made.body["grupos_obrigatorios"], json!([{ "nome": "avisos" }]));
    assert_eq!(made.body["limits"]["per_operation"]["cashin"]["min_brl_cents"], 101);
    assert_eq!(made.body["key"]["documento"], "***.982.247-**");
    let me = read(&mut day, &key, "/keys/me");
    assert_eq!((me.status, &me.body["payout"]["enabled"]), (200, &json!(true)), "CUS-44");
    assert_eq!(day.get_with(&key, NOON, "/saldo")["custodia_ativa"], true, "CUS-44");
    assert!(!me.body.to_string().contains(&key), "AUTH-03: {}", me.body);
    let first = format!("{made:?}");
    assert!(!first.contains(&key) && !first.contains("mon_"), "AUTH-11: {first}");
    // KEY-04: the owner's document is no payer's.
    let charge = json!({ "destino": "saldo", "amount_cents": 5_000 });
    let answer = with_key(&mut day, &key, "POST /cashin/charge", &charge, 9);
    assert_eq!(refused(&answer), (400, "campos_obrigatorios"));
}

#[test]
fn key_03_what_is_supplied_is_validated() {
    let cases = [
        (json!({}), "campos_obrigatorios"),
        (json!({ "name": "" }), "formato_invalido"),
        (json!({ "name": "Loja", "email": "ana" }), "email_invalido"),
        (json!({ "name": "Loja", "documento": "52998224724" }), "documento_invalido"),
        (json!({ "name": "Loja", "documento": 52_998_224_725_i64 }), "documento_invalido"),
        (json!({ "name": "Loja", "documento": "1", "documento_pais": "PT" }), "documento_invalido"),
        (json!({ "name": "Loja", "documento_pais": "BRA" }), "formato_invalido"),
        (json!({ "name": "Loja", "documento_pais": "XX" }), "formato_invalido"),
    ];
    for (body, erro) in cases {
        let mut day = Day::new();
        let before = day.digest();
        let answer = production(&mut day, &body, 1);
        assert_eq!(refused(&answer), (400, erro), "{body}");
        assert_eq!(day.digest(), before, "{body}");
    }
    let abroad = json!({ "name": "Loja", "documento": "PT 509.442-013", "documento_pais": "pt" });
    assert_eq!(production(&mut Day::new(), &abroad, 1).status, 200);
    let misspelt = production(&mut Day::new(), &json!({ "name": "Loja", "cnpj": "x" }), 1);
    assert_eq!(misspelt.body["campos_ignorados"], json!(["cnpj"]), "rulings 55");
}

#[test]
fn key_15_keys_of_one_ledger_open_nothing_in_the_other_and_inv_47_nothing_of_theirs_reaches_it() {
    let mut day = Day::opened(NOON);
    for (environment, key) in [("live", "svc_test_x_1"), ("sandbox", "svc_live_x_1")] {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": environment,
            "body": { "id": "acc-9", "account": "x" }, "supplied": { "key": key },
        });
        let answer = day.line(&line.to_string());
        assert_eq!(refused(&answer), (400, "formato_invalido"), "{key}");
    }
    let body = json!({ "email": "ana@exemplo.com.br" });
    let made = public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, 1);
    let test = text(&made.body, "/api_key").to_owned();
    let before = day.digest();
    let charge = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
    let line = json!({ "at": NOON, "key": test, "request": "POST /cashin/charge", "body": charge });
    assert_eq!(day.line(&line.to_string()).status, 200);
    assert_eq!(
        with_key(&mut day, &test, "PATCH /keys/me", &json!({ "partner_fee_bps": 9 }), 2).status,
        200
    );
    assert_eq!(day.digest(), before, "INV-47: the live ledger heard nothing of it");
    let hash = day.sequencer().tokens().api_key(&test);
    assert_eq!(day.sequencer().ledger().state.account_of_key(&hash), None);
    // A key of the other kind is not made where it does not belong.
    let line = json!({
        "at": NOON, "request": "POST /keys", "environment": "sandbox", "ip": HOME,
        "body": { "name": "Loja" }, "supplied": { "entropy": entropy(3) },
    });
    assert_eq!(refused(&day.line(&line.to_string())), (404, "nao_encontrado"));
}

#[test]
fn key_13_a_rotated_key_is_dead_and_the_account_is_the_same() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "ana", 20_000);
    assert_eq!(patch(&mut day, json!({ "webhook_url": "https://loja.co/x" }), 1).status, 200);
    let before = read(&mut day, KEY, "/saldo?customer_ref=ana").body;
    let rotated = rotate(&mut day, KEY, 2);
    assert_eq!((rotated.status, text(&rotated.body, "/account")), (200, "loja"));
    let key = text(&rotated.body, "/api_key").to_owned();
    assert_eq!(refused(&read(&mut day, KEY, "/saldo")), (401, "chave_desconhecida"));
    assert_eq!(read(&mut day, &key, "/saldo?customer_ref=ana").body, before, "KEY-14");
    let charges = read(&mut day, &key, "/cashin/charges?external_id=d").body;
    assert_eq!(charges["charges"][0]["status"], "paid", "KEY-14: charges stay");
    assert_eq!(read(&mut day, &key, "/keys/me").body["webhook_url"], "https://loja.co/x");
    let body = conversion("ana", 10_000);
    let spent = with_key(&mut day, &key, "POST /saldo/sacar-cripto", &body, 5);
    assert_eq!(spent.status, 200, "{}", spent.body);
    // The dead key is dead for ever: nobody gets it again.
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-9", "account": "other" }, "supplied": { "key": KEY },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "set_aside");
    assert_eq!(refused(&read(&mut day, KEY, "/saldo")), (401, "chave_desconhecida"));
}

#[test]
fn key_13_entropy_that_was_used_makes_no_second_key() {
    let mut day = Day::opened(NOON);
    let body = json!({ "name": "Loja" });
    let made = production(&mut day, &body, 1);
    let key = text(&made.body, "/api_key").to_owned();
    let before = day.digest();
    let again = production(&mut day, &body, 1);
    assert_eq!(refused(&again), (409, "conflito"));
    assert_eq!((&again.body["acao"], day.digest()), (&json!("corrigir"), before));
    assert_eq!(refused(&rotate(&mut day, KEY, 1)), (409, "conflito"));
    assert_eq!(rotate(&mut day, &key, 2).status, 200);
    assert_eq!(
        refused(&rotate(&mut day, KEY, 1)),
        (409, "conflito"),
        "a dead key is not made again"
    );
    let line = json!({ "at": NOON, "key": KEY, "command": "key.rotate" });
    assert_eq!(refused(&day.line(&line.to_string())), (400, "formato_invalido"), "no entropy");
}

#[test]
fn key_13_keys_of_the_old_form_are_valid_as_long_as_nobody_replaces_them() {
    let mut day = Day::opened(NOON);
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-9", "account": "antiga" }, "supplied": { "key": "svc_antiga_2026" },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    assert_eq!(read(&mut day, "svc_antiga_2026", "/saldo").status, 200);
    let rotated = rotate(&mut day, "svc_antiga_2026", 1);
    assert!(text(&rotated.body, "/api_key").starts_with("svc_live_"));
    assert_eq!(refused(&read(&mut day, "svc_antiga_2026", "/saldo")), (401, "chave_desconhecida"));
}

#[test]
fn key_19_a_new_key_begins_empty_and_a_replaced_one_does_not() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "", 20_000);
    let made = production(&mut day, &json!({ "name": "Loja" }), 1);
    let new = text(&made.body, "/api_key").to_owned();
    assert_eq!(read(&mut day, &new, "/saldo").body["disponivel_cents"], 0);
    // Lost: an operator revokes it, and gives the account another.
    let revoked = judged(json!({ "id": "rev-1", "account": "loja" }));
    assert_eq!(day.report(NOON, "key.revoked", &revoked), "applied");
    assert_eq!(refused(&read(&mut day, KEY, "/saldo")), (401, "chave_desconhecida"));
    let line = json!({
        "at": NOON, "fact": "key.replaced", "body": judged(json!({ "id": "rep-1", "account": "loja" })),
        "supplied": { "entropy": entropy(2) },
    });
    let replaced = day.line(&line.to_string());
    assert_eq!(replaced.body["outcome"], "applied", "{}", replaced.body);
    let key = text(&replaced.body, "/api_key").to_owned();
    assert_eq!(read(&mut day, &key, "/saldo").body["disponivel_cents"], 19_900);
    assert_eq!(day.line(&line.to_string()).body, json!({ "outcome": "known" }), "shown once");
    for (fact, account) in [("key.revoked", "nobody"), ("key.replaced", "nobody")] {
        let body = judged(json!({ "id": format!("{fact}-n"), "account": account }));
        let line = json!({
            "at": NOON, "fact": fact, "body": body, "supplied": { "entropy": entropy(3) },
        });
        assert_eq!(day.line(&line.to_string()).body["outcome"], "set_aside", "{fact}");
    }
}

#[test]
fn lim_18_an_address_gets_five_production_keys_a_day() {
    let mut day = Day::new();
    let body = json!({ "name": "Loja" });
    // 02:59:59 UTC is the last second of the day of Brasília.
    let late = "2026-11-21T02:59:59Z";
    for seed in 1..=5 {
        assert_eq!(production(&mut day, &body, seed).status, 200);
    }
    let before = day.digest();
    let sixth = public(&mut day, late, "POST /keys", &body, HOME, 6);
    assert_eq!(refused(&sixth), (429, "rate_limit"), "{}", sixth.body);
    assert_eq!(sixth.body["acao"], "esperar");
    assert_eq!(sixth.body["retry_after_seconds"], 1);
    assert_eq!(day.digest(), before, "a refusal changes nothing");
    let mapped = public(&mut day, late, "POST /keys", &body, "::ffff:203.0.113.7", 6);
    assert_eq!(refused(&mapped), (429, "rate_limit"), "the same address, written otherwise");
    assert_eq!(public(&mut day, late, "POST /keys", &body, "203.0.113.8", 7).status, 200);
    assert_eq!(public(&mut day, "2026-11-21T03:00:00Z", "POST /keys", &body, HOME, 8).status, 200);
    for seed in 20..25 {
        let host = format!("2001:db8:0:1::{seed}");
        assert_eq!(
            public(&mut day, "2026-11-21T03:00:00Z", "POST /keys", &body, &host, seed).status,
            200
        );
    }
    let neighbour =
        public(&mut day, "2026-11-21T03:00:00Z", "POST /keys", &body, "2001:db8:0:1:f::1", 30);
    assert_eq!(
        refused(&neighbour),
        (429, "rate_limit"),
        "a network of 64 bits is one subscriber's"
    );
    // An adapter that forgets the address gets an error that says so.
    let line = json!({
        "at": "2026-11-21T03:00:00Z", "request": "POST /keys", "body": body,
        "supplied": { "entropy": entropy(31) },
    });
    assert_eq!(refused(&day.line(&line.to_string())), (400, "requisicao_invalida"));
}

#[test]
fn key_16_test_keys_are_counted_by_address() {
    let mut day = Day::new();
    let line = json!({
        "at": NOON, "fact": "policy.adopted", "environment": "sandbox",
        "body": { "id": "pol-9", "test_keys_per_ip": 2 },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    let body = json!({ "email": "ana@exemplo.com.br" });
    for seed in 1..=2 {
        assert_eq!(public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, seed).status, 200);
    }
    let third = public(&mut day, NOON, "POST /keys/sandbox", &body, HOME, 3);
    assert_eq!(refused(&third), (429, "limite_de_chaves_teste"));
    assert_eq!(third.body["acao"], "esperar");
    assert_eq!(third.body["retry_after_seconds"], 15 * 3_600);
    assert_eq!(public(&mut day, NOON, "POST /keys/sandbox", &body, "198.51.100.1", 3).status, 200);
}

#[test]
fn key_06_what_is_said_of_a_key_has_its_limits_its_monitor_and_its_fees() {
    let ladder = json!({
        "first_transaction_cents": 20_000, "first_24h_cents": 20_000, "mature_day_cents": 20_000,
        "held_max_cents": 600_000, "hold_hours": 24,
    });
    let mut day = Day::with_ladder(NOON, "{}");
    assert_eq!(patch(&mut day, json!({ "rotate_monitor_token": true }), 1).status, 200);
    let me = read(&mut day, KEY, "/keys/me").body;
    let limits = json!({
        "tier": "sem_teto",
        "per_operation": {
            "cashin": { "min_brl_cents": 101, "max_brl_cents": 600_000 },
            "payout": { "min_brl_cents": 1, "max_brl_cents": 25_000_000 },
            "cashout": { "min_brl_cents": 600, "max_brl_cents": 25_000_000 },
        },
        "daily": { "cashin_max_cents": null, "payout_max_cents": null },
        "daily_limit_applies_to": [],
        "payer_ladder": ladder,
        "recipient_ceiling": { "max_brl_cents": 10_000_000 },
    });
    assert_eq!(me["limits"], limits);
    assert!(text(&me, "/monitor_url").contains("/monitor/mon_"));
    assert_eq!(me["payout"]["enabled"], true);
    let fees = [
        ("deposito_fee_bps", 0),
        ("deposito_fee_fixed_cents", 100),
        ("admin_fee_bps", 330),
        ("admin_fee_fixed_cents", 100),
        ("saque_fee_bps", 150),
        ("saque_fee_total_bps", 150),
        ("saque_cripto_fee_bps", 0),
        ("saque_cripto_conversao_fee_bps", 330),
        ("saque_cripto_conversao_fee_fixed_cents", 0),
        ("cashout_fee_bps", 200),
        ("cashout_fee_fixed_cents", 200),
        ("cashout_reserve_cents", 100),
        ("depix_fee_bps", 150),
        ("depix_fee_fixed_cents", 100),
    ];
    for (name, published) in fees {
        assert_eq!(me[name], published, "{name}");
    }
    // What is agreed is what is said.
    let terms = json!({
        "cashin_min_cents": 500, "cashin_daily_max_cents": 50_000, "payout_daily_max_cents": 70_000,
        "payout_enabled": false, "saque_fee_bps": 180, "partner_saque_fee_bps": 20,
    });
    assert_eq!(day.agree(NOON, terms), "applied");
    let me = read(&mut day, KEY, "/keys/me").body;
    let limits = &me["limits"];
    assert_eq!(limits["per_operation"]["cashin"]["min_brl_cents"], 500);
    assert_eq!(limits["tier"], "com_teto");
    assert_eq!(limits["daily_limit_applies_to"], json!(["cashin", "payout"]));
    let daily = json!({ "cashin_max_cents": 50_000, "payout_max_cents": 70_000 });
    assert_eq!(limits["daily"], daily);
    assert_eq!(me["payout"]["enabled"], false);
    let effective = [&me["saque_fee_bps"], &me["saque_fee_total_bps"]];
    assert_eq!(effective, [&json!(180), &json!(200)]);
}

#[test]
fn key_07_several_settings_are_one_decision() {
    let mut day = Day::opened(NOON);
    let body = json!({
        "webhook_url": "https://loja.exemplo.com/pix", "settlement_address": WALLET,
        "rotate_monitor_token": true, "partner_fee_bps": 100, "partner_cashout_fee_bps": 50,
        "partner_saque_fee_bps": 25,
    });
    let records = day.sequencer().ledger().state.seq;
    let set = patch(&mut day, body.clone(), 1);
    assert_eq!(set.status, 200, "{}", set.body);
    assert_eq!(day.sequencer().ledger().state.seq, Seq(records.0 + 1), "one record");
    let secret = text(&set.body, "/webhook_secret").to_owned();
    assert!(secret.starts_with("whk_"), "{secret}");
    let me = read(&mut day, KEY, "/keys/me").body;
    assert_eq!(me["webhook_secret"], Value::Null, "shown once");
    for field in ["settlement_address", "webhook_url", "partner_fee_bps", "partner_saque_fee_bps"] {
        assert_eq!(me[field], body[field], "{field}");
    }
    assert_eq!(
        (&me["partner_cashout_fee_bps"], &me["saque_fee_total_bps"]),
        (&json!(50), &json!(175))
    );
    // One that is wrong leaves none of the others behind.
    let before = day.digest();
    let mut wrong = body.clone();
    wrong["settlement_address"] = "0x1".into();
    wrong["webhook_url"] = "https://other.exemplo.com".into();
    assert_eq!(refused(&patch(&mut day, wrong, 2)), (400, "payout_address_invalido"));
    assert_eq!(day.digest(), before);
    let misspelt = patch(&mut day, json!({ "webhook": "https://x.co" }), 2);
    assert_eq!(refused(&misspelt), (400, "campos_obrigatorios"), "nothing that is known is given");
    assert_eq!(refused(&patch(&mut day, json!({}), 2)), (400, "campos_obrigatorios"));
    // What is so already leaves no record.
    let same = json!({ "webhook_url": "https://loja.exemplo.com/pix", "partner_fee_bps": 100 });
    let answer = patch(&mut day, same, 3);
    assert_eq!((answer.status, answer.body.get("webhook_secret")), (200, None));
    assert_eq!(day.digest(), before);
}

#[test]
fn key_08_each_credential_is_rotated_without_the_others() {
    let mut day = Day::opened(NOON);
    let first = patch(&mut day, json!({ "webhook_url": "https://loja.co/x" }), 1);
    let secret = text(&first.body, "/webhook_secret").to_owned();
    let monitor = patch(&mut day, json!({ "rotate_monitor_token": true }), 2);
    assert_eq!(monitor.body.get("webhook_secret"), None);
    let link = text(&monitor.body, "/monitor_url").to_owned();
    let account = day.sequencer().ledger().state.account_named("loja").unwrap();
    let endpoint = |day: &Day| day.sequencer().views().endpoint(account).unwrap();
    assert_eq!(endpoint(&day).secret.expose(), secret, "the monitor's rotation left it");
    let rotated = patch(&mut day, json!({ "rotate_webhook_secret": true }), 3);
    let next = text(&rotated.body, "/webhook_secret").to_owned();
    assert_ne!(next, secret);
    assert_eq!(endpoint(&day).secret.expose(), next);
    assert_eq!(text(&rotated.body, "/monitor_url"), link, "the secret's rotation left it");
    assert_eq!(read(&mut day, KEY, "/saldo").status, 200, "and the key");
    let elsewhere = patch(&mut day, json!({ "webhook_url": "https://loja.co/y" }), 4);
    assert_eq!(elsewhere.body.get("webhook_secret"), None, "another address, the same secret");
    assert_eq!(endpoint(&day).secret.expose(), next);
    let off = json!({ "rotate_webhook_secret": false, "rotate_monitor_token": false });
    assert_eq!(text(&patch(&mut day, off, 5).body, "/monitor_url"), link);
    let same = patch(&mut day, json!({ "rotate_webhook_secret": true }), 3);
    assert_eq!(refused(&same), (409, "conflito"), "the same entropy makes the same secret");
    let bare = json!({
        "at": NOON, "key": KEY, "request": "PATCH /keys/me",
        "body": { "rotate_monitor_token": true },
    });
    assert_eq!(refused(&day.line(&bare.to_string())), (400, "formato_invalido"), "no entropy");
}

#[test]
fn key_07_the_first_address_needs_a_secret() {
    let mut day = Day::opened(NOON);
    let line = json!({
        "at": NOON, "key": KEY, "request": "PATCH /keys/me",
        "body": { "webhook_url": "https://loja.co/x" },
    });
    let before = day.digest();
    assert_eq!(refused(&day.line(&line.to_string())), (400, "formato_invalido"));
    assert_eq!(day.digest(), before, "nothing is sent unsigned");
}

#[test]
fn auth_10_a_monitor_link_opens_by_hash_until_it_is_rotated() {
    let mut day = Day::opened(NOON);
    let token = |answer: &Response| {
        let link = text(&answer.body, "/monitor_url").to_owned();
        Secret::new(link.strip_prefix("/monitor/").unwrap())
    };
    let first = token(&patch(&mut day, json!({ "rotate_monitor_token": true }), 1));
    let account = day.sequencer().ledger().state.account_named("loja").unwrap();
    let opened = |day: &Day, token: &Secret| {
        let sequencer = day.sequencer();
        sequencer.views().monitored_account(sequencer.tokens(), token)
    };
    assert_eq!(opened(&day, &first), Ok(account));
    let second = token(&patch(&mut day, json!({ "rotate_monitor_token": true }), 2));
    let refused = opened(&day, &first).unwrap_err();
    assert_eq!(refused.code.name(), "nao_autenticado", "the old link is dead at once");
    assert_eq!(opened(&day, &second), Ok(account));
    let read = read(&mut day, KEY, "/keys/me").body;
    assert!(text(&read, "/monitor_url").ends_with(second.expose()), "GET /keys/me has it");
}

#[test]
fn key_11_the_panel_link_is_answered_alike_and_not_without_end() {
    let mut day = Day::new();
    let body = json!({ "name": "Loja", "email": "Ana@Exemplo.com.br" });
    assert_eq!(production(&mut day, &body, 1).status, 200);
    let before = day.digest();
    let ask = |day: &mut Day, email: &str, from: &str, at: &str| {
        public(day, at, "POST /keys/painel-link", &json!({ "email": email }), from, 1)
    };
    let known = ask(&mut day, "ana@exemplo.com.br", "198.51.100.1", NOON);
    assert_eq!((known.status, &known.body["ok"]), (200, &json!(true)));
    for email in ["bia@exemplo.com.br", "no e-mail at all"] {
        assert_eq!(ask(&mut day, email, "198.51.100.2", NOON), known, "{email}");
    }
    let sequencer = day.sequencer();
    let registered = sequencer.views().accounts_by_email(sequencer.tokens(), "ana@exemplo.com.br");
    assert_eq!(registered.len(), 1, "whoever embeds the ledger knows whom to write");
    assert!(sequencer.views().monitor(registered[0]).is_some());
    assert!(
        sequencer.views().accounts_by_email(sequencer.tokens(), "bia@exemplo.com.br").is_empty()
    );
    // By address, for whichever e-mail.
    for number in 0..5 {
        assert_eq!(ask(&mut day, &format!("x{number}@y.co"), HOME, NOON).status, 200);
    }
    let sixth = ask(&mut day, "z@y.co", HOME, NOON);
    assert_eq!(refused(&sixth), (429, "muitas_tentativas"));
    assert_eq!(sixth.body["retry_after_seconds"], 3_600);
    // Nobody uses up another address's (rulings 71).
    for number in 0..12 {
        let from = format!("198.51.100.{}", 10 + number % 4);
        assert_eq!(ask(&mut day, "ANA@exemplo.com.br", &from, NOON).status, 200);
    }
    assert_eq!(ask(&mut day, "z@y.co", HOME, "2026-11-20T13:00:00Z").status, 200, "an hour later");
    assert_eq!(day.digest(), before, "no record is left");
    let missing = public(&mut day, NOON, "POST /keys/painel-link", &json!({}), "198.51.100.9", 1);
    assert_eq!(refused(&missing), (400, "email_obrigatorio"));
}

#[test]
fn key_10_a_partners_share_is_at_most_a_thousand() {
    for field in ["partner_fee_bps", "partner_cashout_fee_bps", "partner_saque_fee_bps"] {
        for value in [json!(1_001), json!(-1), json!("100"), json!(1.5), json!(100_000)] {
            let mut day = Day::opened(NOON);
            let before = day.digest();
            let answer = patch(&mut day, json!({ field: value }), 1);
            assert_eq!(refused(&answer), (400, "valor_invalido"), "{field}: {value}");
            assert!(text(&answer.body, "/detail").contains(field));
            assert_eq!(day.digest(), before);
        }
        for value in [0, 1_000] {
            let mut day = Day::opened(NOON);
            let answer = patch(&mut day, json!({ field: value }), 1);
            assert_eq!((answer.status, &answer.body[field]), (200, &json!(value)));
        }
    }
    let mut day = Day::opened(NOON);
    assert_eq!(day.agree(NOON, json!({ "saque_fee_bps": 9_500 })), "applied");
    let answer = patch(&mut day, json!({ "partner_saque_fee_bps": 501 }), 1);
    assert_eq!(refused(&answer), (400, "valor_invalido"), "something must be left");
}

#[test]
fn key_09_and_com_08_a_partners_share_is_of_new_operations_whenever_terms_change() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 100_000);
    // Agreed before for a later day: the partner's choice outlives it.
    let later = json!({ "effective_from": "2026-11-21T12:00:00Z", "saque_fee_bps": 200 });
    assert_eq!(day.agree(NOON, later), "applied");
    let before = day.payout("p", NOON, "a", 10_000).body;
    assert_eq!(patch(&mut day, json!({ "partner_saque_fee_bps": 100 }), 1).status, 200);
    let after = day.payout("q", NOON, "a", 10_000).body;
    assert_eq!(
        (&before["fee_partner_cents"], &after["fee_partner_cents"]),
        (&json!(0), &json!(100))
    );
    assert_eq!(day.payout("p", NOON, "a", 10_000).body["fee_partner_cents"], 0, "not retroactive");
    let next = day.payout("r", "2026-11-21T12:00:00Z", "a", 10_000).body;
    assert_eq!(
        (&next["fee_partner_cents"], &next["fee_service_cents"]),
        (&json!(100), &json!(200))
    );
}

#[test]
fn key_18_webhooks_go_to_https_alone() {
    for url in ["http://loja.co/x", "loja.co", "", "https://", "https://a:b@loja.co", "ftp://x.co"]
    {
        let mut day = Day::opened(NOON);
        let answer = patch(&mut day, json!({ "webhook_url": url }), 1);
        assert_eq!(refused(&answer), (400, "webhook_url_invalida"), "{url}");
        assert_eq!(answer.body["acao"], "corrigir");
    }
    let answer = patch(&mut Day::opened(NOON), json!({ "webhook_url": 5 }), 1);
    assert_eq!(refused(&answer), (400, "webhook_url_invalida"));
}

#[test]
fn auth_06_what_is_wrong_with_a_key_says_which_401_it_is() {
    let mut day = Day::opened(NOON);
    let line = json!({ "at": NOON, "request": "GET /keys/me" });
    assert_eq!(refused(&day.line(&line.to_string())), (401, "chave_ausente"));
    let cases = [
        ("", "chave_obrigatoria"),
        ("  ", "chave_obrigatoria"),
        ("loja", "chave_incorreta"),
        ("Bearer svc_live_loja", "chave_incorreta"),
        ("svc_", "chave_incorreta"),
        ("svc_live_nobody", "chave_desconhecida"),
        ("svc_test_nobody", "chave_desconhecida"),
    ];
    for (key, erro) in cases {
        let answer = read(&mut day, key, "/keys/me");
        assert_eq!(
            (refused(&answer), &answer.body["acao"]),
            ((401, erro), &json!("corrigir")),
            "{key}"
        );
        if 4 < key.trim().len() {
            assert!(!answer.body.to_string().contains(key), "{}", answer.body);
        }
    }
}

#[test]
fn auth_11_no_record_answer_or_debug_text_shows_a_credential_twice() {
    let mut day = Day::new();
    day.overhear();
    let body = json!({
        "name": "Loja da Ana", "email": "ana@exemplo.com.br", "responsavel_legal": "Ana Prado",
        "documento": "52998224725",
    });
    let made = production(&mut day, &body, 1).body;
    let key = text(&made, "/api_key").to_owned();
    let link = text(&made, "/monitor_url").trim_start_matches("/monitor/").to_owned();
    let set = json!({ "webhook_url": "https://loja.exemplo.com/pix-da-ana" });
    let secret = with_key(&mut day, &key, "PATCH /keys/me", &set, 2).body;
    let secret = text(&secret, "/webhook_secret").to_owned();
    let next = rotate(&mut day, &key, 3).body;
    let next = text(&next, "/api_key").to_owned();
    read(&mut day, &next, "/keys/me");
    read(&mut day, &key, "/keys/me");
    for once in [&key, &next, &secret] {
        let shown = day.overheard().iter().filter(|heard| heard.answer.contains(once.as_str()));
        assert_eq!(shown.count(), 1, "{once} is shown once");
    }
    for heard in day.overheard() {
        for hidden in [&key, &next, &secret, &link] {
            assert!(!heard.debug.contains(hidden.as_str()), "{}", heard.debug);
        }
    }
    assert_eq!(format!("{:?} {}", Secret::new(&key), Secret::new(&key)), "Secret(..) ***");
    let debug = format!("{:?}", day.sequencer());
    let commit = day.cut(Environment::Live).unwrap();
    let personal =
        ["Loja da Ana", "Ana Prado", "ana@exemplo.com.br", "52998224725", "pix-da-ana", HOME];
    let mut seq = 0;
    for frame in commit.rows.iter().flat_map(|row| row.frames()) {
        seq += 1;
        let bytes = frame.unwrap().record;
        let record = format!("{:?}", codec::decode(Seq(seq), bytes).unwrap());
        let plain = String::from_utf8_lossy(bytes);
        for hidden in personal.iter().copied().chain([&*key, &*next, &*secret, &*link]) {
            assert!(!record.contains(hidden) && !plain.contains(hidden), "{hidden}: {record}");
            assert!(!debug.contains(hidden), "{hidden}");
        }
    }
    assert!(seq > 2);
}

#[test]
fn snapshots_keep_credentials_dead_keys_and_the_days_count() {
    let mut day = Day::new();
    let body = json!({ "name": "Loja", "email": "ana@exemplo.com.br" });
    let made = production(&mut day, &body, 1).body;
    let key = text(&made, "/api_key").to_owned();
    assert_eq!(rotate(&mut day, &key, 2).status, 200);
    let state = &day.sequencer().ledger().state;
    let open = state.open_operations().map(|(op, known)| (op, known.clone()));
    let again = ledger_core::ledger::State::restore("live", state.snapshot(), open).unwrap();
    let hash = day.sequencer().tokens().api_key(&key);
    assert!(again.knows_key(&hash) && again.account_of_key(&hash).is_none());
    let (_, before) = state.accounts().next().unwrap();
    let (_, after) = again.accounts().next().unwrap();
    assert_eq!(before, after);
    let address = day.sequencer().tokens().address(HOME.parse().unwrap());
    assert_eq!(again.keys_issued(address, again.now), 1);
}

#[test]
fn the_program_knows_a_key_from_the_line_after_the_one_that_made_it() {
    let folder = Folder::new("keys");
    let seed = entropy(0x5e);
    let (live, trial) = (format!("svc_live_{}", &seed[..48]), format!("svc_test_{}", &seed[..48]));
    let supplied = json!({ "entropy": seed });
    let lines = [
        json!({ "at": NOON, "request": "POST /keys", "ip": HOME, "body": { "name": "Loja" },
                "supplied": supplied }),
        json!({ "at": NOON, "key": live, "request": "GET /keys/me" }),
        json!({ "at": NOON, "request": "POST /keys/sandbox", "ip": HOME,
                "body": { "email": "ana@exemplo.com.br" }, "supplied": supplied }),
        json!({ "at": NOON, "key": trial, "request": "GET /keys/me" }),
        json!({ "at": NOON, "key": live, "request": "PATCH /keys/me",
                "body": { "webhook_url": "https://loja.co/x" } }),
        json!({ "at": NOON, "key": live, "command": "key.rotate" }),
        json!({ "at": NOON, "key": live, "request": "GET /keys/me" }),
    ];
    let lines = lines.map(|line| line.to_string()).join("\n");
    let file = folder.file("keys", "day.jsonl", &lines);
    let store = folder.path().join("keys.db");
    let output = finished(run(&file, &store));
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let statuses: Vec<_> =
        answers.iter().map(|answer| answer["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 401], "{answers:?}");
    assert_eq!(answers[1]["body"]["key"]["tipo"], "producao");
    assert_eq!(answers[3]["body"]["key"]["tipo"], "teste");
    assert!(answers[4]["body"]["webhook_secret"].is_string(), "the provider was played");
    assert!(answers[5]["body"]["api_key"].as_str().unwrap().starts_with("svc_live_"));
    // Run again, every line is recorded or a read: nothing is made twice.
    let again = finished(run(&file, &store));
    let again = String::from_utf8(again.stdout).unwrap();
    assert!(!again.contains("api_key"), "{again}");
}

#[test]
fn key_20_an_account_has_its_releases_at_once_and_a_tier() {
    let ceiling = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "cashin_daily_max_cents":50000}"#;
    for (terms, available, tier) in
        [(AT_ONCE, 4_900, "sem_teto"), (ceiling, 4_900, "com_teto"), ("{}", 0, "sem_teto")]
    {
        let mut day = Day::with_terms(NOON, terms);
        day.deposit("d", NOON, "a", 5_000);
        assert_eq!(day.balance(NOON, "a").0, available, "{terms}");
        assert_eq!(day.get(NOON, "/keys/me")["limits"]["tier"], tier, "{terms}");
    }
}
