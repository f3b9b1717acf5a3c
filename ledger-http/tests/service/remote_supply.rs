//! A provider's service that is asked by POST, answers well, badly, late or not at all.

use std::time::Duration;

use ledger_core::contract::{Secret, signature};
use ledger_core::time::{Instant, Span};
use ledger_http::courier::Patience;
use ledger_http::{LineFormat, LineLog, RemoteSupply, Silent, SupplySettings};
use serde_json::{Value, json};

use crate::receiver::{Receiver, Reply, Seen};
use crate::served::{Answer, KEY, Lines, Served};

/// 24 bytes from 0 to 23.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

const WITH_KEY: &[(&str, &str)] = &[("x-api-key", KEY)];

struct SupplySetup {
    provider: Receiver,
    served: Served,
    log: Lines,
}

fn settings(provider: &Receiver) -> SupplySettings {
    let url = format!("http://{}/supply", provider.address);
    let mut settings = SupplySettings::new(&url, SECRET).unwrap();
    let soon = Duration::from_millis(300);
    settings.patience = Patience { connect: soon, whole: soon };
    settings.pause = Duration::from_millis(5);
    settings
}

fn supply_setup() -> SupplySetup {
    let provider = Receiver::start();
    let settings = settings(&provider);
    setup_with(provider, settings)
}

fn setup_with(provider: Receiver, settings: SupplySettings) -> SupplySetup {
    let log = Lines::default();
    let lines = LineLog::new(LineFormat::Text, log.clone());
    let supply = RemoteSupply::new(settings, lines).unwrap();
    let served = Served::with(64, |service| service.supply(supply));
    served.open_account();
    SupplySetup { provider, served, log }
}

impl SupplySetup {
    fn answers(&self, body: &str) {
        self.provider.always("/supply", Reply { body: body.to_owned(), ..Reply::with_status(200) });
    }

    fn charge(&self, change: &Value) -> Answer {
        let mut body = json!({ "amount_cents": 5_000, "destino": "saldo",
            "payer_tax_number": "52998224725", "external_id": "c-1" });
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.served.post("/cashin/charge", WITH_KEY, &body)
    }

    fn seen(&self) -> Vec<Seen> {
        self.provider.seen_on("/supply")
    }
}

/// A BR Code of this amount.
fn code(amount: &str) -> String {
    let account = "0014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000";
    let code = format!(
        "00020126580{}52040000530398654{:02}{amount}5802BR5913Fulano de Tal6008BRASILIA62070503***6304",
        &account[1..],
        amount.len()
    );
    let mut crc = 0xffff_u16;
    for byte in code.bytes() {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
        }
    }
    format!("{code}{crc:04X}")
}

fn issued() -> String {
    json!({ "qr_copypaste": code("50.00"), "qr_image_url": "https://banco.example/1.png" })
        .to_string()
}

#[test]
fn a_charge_has_the_code_that_is_asked_for_by_signed_post_under_one_key() {
    let asked = supply_setup();
    asked.answers(&issued());
    let made = asked.charge(&json!({}));
    assert_eq!((made.status, &made.body()["qr_copypaste"]), (200, &json!(code("50.00"))));
    assert_eq!(asked.charge(&json!({})).body()["cashin_id"], made.body()["cashin_id"]);
    let other = asked.charge(&json!({ "amount_cents": 4_000 }));
    assert_eq!(other.status, 502, "a code of fifty reais is none of forty: {}", other.text);
    let seen = asked.seen();
    assert_eq!(seen.len(), 5, "once, once again, and three times in vain");
    let event = seen[0].event();
    let id = event["idempotency_key"].as_str().unwrap();
    assert_eq!(
        event,
        json!({ "question": "qr_code", "idempotency_key": id, "environment": "live",
            "body": { "account": "loja", "external_id": "c-1", "amount_cents": 5_000,
                "payer_tax_number": "52998224725" } })
    );
    let digits = "000102030405060708090a0b0c0d0e0f1011121314151617";
    let secret = Secret::new(&format!("whk_{digits}"));
    let at = asked.served.clock.now().micros() / 1_000_000;
    let stamp: i64 = seen[0].header("webhook-timestamp").parse().unwrap();
    assert!((at..at + 10).contains(&stamp), "{stamp}");
    let stamp = Instant::from_micros(stamp * 1_000_000).unwrap();
    let signed = signature::sign_standard(&[secret], id, stamp, seen[0].body.as_bytes());
    assert_eq!((seen[0].header("webhook-id"), seen[0].header("webhook-signature")), (id, &*signed));
    let keys: Vec<Value> =
        seen.iter().map(|seen| seen.event()["idempotency_key"].clone()).collect();
    assert_eq!(keys[0], keys[1], "the same request has the same key");
    assert_ne!(keys[1], keys[2], "another amount has another");
    assert_eq!(keys[2], keys[4], "what is asked again within a request has its own");
}

#[test]
fn charges_without_an_id_of_their_own_have_a_key_each() {
    let asked = supply_setup();
    asked.answers(&issued());
    let [one, two] = [(); 2].map(|()| asked.charge(&json!({ "external_id": null })));
    assert_eq!((one.status, two.status), (200, 200), "{}", one.text);
    let keys = asked.seen().into_iter().map(|seen| seen.event()["idempotency_key"].clone());
    let keys: Vec<Value> = keys.collect();
    assert!(keys.len() == 2 && keys[0] != keys[1], "{keys:?}");
}

#[test]
fn what_is_no_answer_books_nothing_and_is_logged_by_the_question_and_its_fault() {
    let asked = supply_setup();
    let large = format!(r#"{{"qr_copypaste":"{}"}}"#, "0".repeat(30_000));
    let other = json!({ "qr_copypaste": code("51.00") }).to_string();
    let image = json!({ "qr_copypaste": code("50.00"), "qr_image_url": "http://x" }).to_string();
    let more = json!({ "qr_copypaste": code("50.00"), "529.982.247-25": 1 }).to_string();
    for (answer, fault) in [
        ("", "it is no JSON"),
        ("<html>", "it is no JSON"),
        (r#"{"qr_copypaste":"#, "it is no JSON"),
        (r#"{"unknown":true,"unknown":true}"#, "it is no JSON"),
        ("[]", "it is no object"),
        ("null", "it is no object"),
        ("{}", "it lacks qr_copypaste"),
        (r#"{"unknown":false}"#, "it lacks qr_copypaste"),
        (r#"{"qr_copypaste":17}"#, "qr_copypaste is not what it must be: a text of 1 to 1024"),
        (r#"{"qr_copypaste":""}"#, "qr_copypaste is not what it must be"),
        (r#"{"qr_copypaste":"\u0000"}"#, "qr_copypaste is not what it must be"),
        (r#"{"qr_copypaste":"0002"}"#, "qr_copypaste is no BR Code"),
        (&other, "qr_copypaste is of another amount"),
        (&image, "qr_image_url is no https:// address"),
        (&more, "it has ***.***.***-**"),
        (&large, "it has 20000 bytes or more"),
    ] {
        asked.answers(answer);
        let refused = asked.charge(&json!({}));
        let body = refused.body();
        assert_eq!((refused.status, &body["erro"]), (502, &json!("provedor_indisponivel")));
        assert_eq!(body["acao"], "repetir", "{answer}");
        let log = asked.log.text();
        let line = log.lines().last().unwrap();
        assert!(line.contains(" qr_code 3 bad_answer 200 "), "{answer}: {line}");
        assert!(line.contains(&format!(": {fault}")), "{answer}: {line}");
    }
    // So whoever is on call hears of it: 16 questions, each asked three times.
    let metrics = asked.served.world().get("/metrics").text;
    let counted = |outcome: &str, count: u32| {
        let of = format!("question=\"qr_code\",outcome=\"{outcome}\"");
        format!("custody_ledger_questions_total{{{of}}} {count}\n")
    };
    for line in [counted("bad_answer", 48), counted("answered", 0)] {
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
    let log = asked.log.text();
    assert!(!log.contains("52998224725") && !log.contains("529.982"), "{log}");
    let listed = asked.served.get("/cashin/charges?external_id=c-1", WITH_KEY);
    assert_eq!(listed.body()["charges"], json!([]), "nothing was booked");
    asked.answers(&issued());
    assert_eq!(asked.charge(&json!({})).status, 200, "and it can be asked again");
}

#[test]
fn a_question_is_asked_three_times_by_one_key_and_no_longer_than_that() {
    let asked = supply_setup();
    asked.answers(&issued());
    let slow = Reply { after: Duration::from_secs(1), ..Reply::with_status(200) };
    asked.provider.next("/supply", Reply::with_status(503));
    asked.provider.next("/supply", slow.clone());
    assert_eq!(asked.charge(&json!({})).status, 200);
    let keys = asked.seen().into_iter().map(|seen| seen.event()["idempotency_key"].clone());
    let keys: std::collections::BTreeSet<String> = keys.map(|key| key.to_string()).collect();
    assert_eq!((asked.seen().len(), keys.len()), (3, 1));
    let log = asked.log.text();
    let outcomes: Vec<&str> = log.lines().filter_map(|line| line.split(' ').nth(6)).collect();
    assert_eq!(outcomes, ["refused", "timed_out", "answered"], "{log}");

    for reply in [
        slow,
        Reply::with_status(500),
        Reply::with_status(404),
        Reply::with_status(301).with("location", "/other"),
    ] {
        let before = asked.seen().len();
        asked.provider.always("/supply", reply);
        let refused = asked.charge(&json!({ "external_id": "c-2" }));
        assert_eq!(
            (refused.status, &refused.body()["erro"]),
            (502, &json!("provedor_indisponivel"))
        );
        assert_eq!(asked.seen().len(), before + 3);
    }
}

#[test]
fn no_more_questions_are_under_way_than_is_set() {
    let provider = Receiver::start();
    let mut none = settings(&provider);
    none.at_once = 0;
    let asked = setup_with(provider, none);
    asked.answers(&issued());
    let refused = asked.charge(&json!({}));
    assert_eq!((refused.status, &refused.body()["erro"]), (502, &json!("provedor_indisponivel")));
    let silent = asked.served.get("/pix/keys/lookup?key=bia%40exemplo.com.br", WITH_KEY);
    assert_eq!((silent.status, &silent.body()["available"]), (200, &json!(false)));
    assert_eq!(asked.seen().len(), 0);
}

#[test]
fn a_question_of_one_of_several_ledgers_names_it_and_its_charge_is_found_there() {
    let provider = Receiver::start();
    provider.always("/supply", Reply { body: issued(), ..Reply::with_status(200) });
    let supply = RemoteSupply::new(settings(&provider), Silent).unwrap();
    let served = Served::in_cells(&["cell-a", "cell-b"], |service, _| service.supply(supply));
    for account in ["loja", "outra"] {
        let opened = json!({ "id": account, "account": account }).to_string();
        let opened = served.world().post("/facts/account.opened", &opened).body();
        let key = opened["api_key"].as_str().unwrap().to_owned();
        let body = json!({ "amount_cents": 5_000, "destino": "saldo", "external_id": "c-1",
            "payer_tax_number": "52998224725" });
        let made = served.post("/cashin/charge", &[("x-api-key", &key)], &body);
        assert_eq!(made.status, 200, "{}", made.text);
        let found = format!("/charges?account={account}&external_id=c-1");
        assert_eq!(served.world().get(&found).body()["cashin_id"], made.body()["cashin_id"]);
    }
    let ledgers: Vec<Value> =
        provider.seen().iter().map(|seen| seen.event()["ledger"].clone()).collect();
    assert_eq!(ledgers, ["cell-a", "cell-b"]);
}

#[test]
fn a_provider_that_does_not_know_is_believed() {
    let asked = supply_setup();
    asked.answers(r#"{"unknown":true}"#);
    let refused = asked.charge(&json!({}));
    assert_eq!((refused.status, &refused.body()["erro"]), (504, &json!("provedor_sem_resposta")));
    assert_eq!((&refused.body()["acao"], asked.seen().len()), (&json!("repetir"), 1));
    asked.answers(r#"{"payer_refused":"case-7"}"#);
    let refused = asked.charge(&json!({}));
    assert_eq!(refused.body()["erro"], "pagador_recusado_pelo_provedor", "{}", refused.text);
}

#[test]
fn nobody_is_asked_for_what_the_ledger_refuses() {
    let asked = supply_setup();
    asked.answers(&issued());
    for body in [
        json!({ "amount_cents": 0 }),
        json!({ "amount_cents": -5 }),
        json!({ "amount_cents": "5000" }),
        json!({ "amount_cents": null }),
        json!({ "payer_tax_number": "52998224726" }),
        json!({ "external_id": "x".repeat(65) }),
        json!({ "payer_name": "x".repeat(256) }),
    ] {
        let refused = asked.charge(&body);
        assert_eq!(refused.status, 400, "{body}: {}", refused.text);
    }
    let body = json!({ "amount_cents": 5_000, "payer_tax_number": "52998224725" });
    assert_eq!(
        asked.served.post("/cashin/charge", &[("x-api-key", "svc_live_x")], &body).status,
        401
    );
    let dry = [("x-api-key", KEY), ("prefer", "dry-run")];
    let dry = asked.served.post("/cashin/charge", &dry, &body);
    assert_eq!(dry.header("preference-applied"), "dry-run", "{}", dry.text);
    assert_eq!(asked.seen().len(), 0);
}

#[test]
fn a_key_is_looked_up_and_trouble_with_that_is_no_trouble_of_whoever_asks() {
    let asked = supply_setup();
    let lookup = || {
        // So many are looked up a minute.
        asked.served.clock.advance(Span::seconds(60));
        asked.served.get("/pix/keys/lookup?key=bia%40exemplo.com.br", WITH_KEY)
    };
    asked.answers(r#"{"found":true,"name":"Bia","document":"***.982.247-**"}"#);
    let found = lookup();
    assert_eq!((&found.body()["name"], found.status), (&json!("Bia"), 200));
    let body = json!({ "account": "loja", "key": "bia@exemplo.com.br" });
    assert_eq!(asked.seen()[0].event()["body"], body);
    asked.answers(r#"{"found":false}"#);
    assert_eq!(lookup().body()["erro"], "chave_nao_encontrada");
    for bad in [
        r#"{"found":false,"name":"Bia"}"#,
        r#"{"found":true,"document":"529.982.247-26"}"#,
        r#"{"found":"yes"}"#,
        "{}",
    ] {
        asked.answers(bad);
        let silent = lookup();
        assert_eq!((silent.status, &silent.body()["available"]), (200, &json!(false)), "{bad}");
        assert!(asked.log.text().lines().last().unwrap().contains("bad_answer"), "{bad}");
    }
}

/// An account that sells and has a wallet.
fn trading(served: &Served) {
    let terms = json!({ "id": "t-1", "account": "loja", "carteira_usdt": true,
        "cashout_fee_bps": 200, "cashout_fee_fixed_cents": 200 });
    let wallet = json!({ "id": "w-1", "networks": [{ "network": "polygon", "name": "Polygon",
        "assets": ["USDT"], "eta_minutes": 2, "network_fee": "0.1" }], "min_deposit": "5" });
    for (name, body) in [
        ("terms.adopted", terms),
        (
            "catalog.updated",
            json!({ "id": "c-1", "items": [{ "asset": "usdt", "chain": "polygon",
            "rail": "instant", "minBuyAmount": "5", "eta": "1 min", "etaSeconds": 60 }] }),
        ),
        ("wallet.configured", wallet),
        (
            "markets.updated",
            json!({ "id": "m-1", "items":
            [{ "asset": "usdt", "network": "polygon", "path": "FAST" }] }),
        ),
        ("rate.quoted", json!({ "id": "r-1", "asset": "usdt", "brl_per_unit": "5.40" })),
    ] {
        served.report(name, &body, &Value::Null);
    }
}

fn sells(served: &Served) -> String {
    let order = json!({ "asset": "usdt", "network": "polygon", "amount": "20",
        "pix_key": "52998224725", "pix_key_type": "cpf", "external_id": "v-1" });
    let made = served.post("/cash-outs", WITH_KEY, &order);
    assert!(made.status < 300, "{}", made.text);
    format!("/cash-outs/{}/accept", made.body()["cashout_id"].as_str().unwrap())
}

#[test]
fn deposits_have_the_address_that_is_asked_for_and_only_one_of_their_network() {
    let asked = supply_setup();
    trading(&asked.served);
    let accept = sells(&asked.served);
    let deposit = json!({ "amount": "100", "network": "polygon" });
    for bad in [r#"{"address":"0x52"}"#, r#"{"address":"TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"}"#] {
        asked.answers(bad);
        for path in [&*accept, "/carteira-usdt/deposits"] {
            let refused = asked.served.post(path, WITH_KEY, &deposit);
            assert_eq!(
                (refused.status, &refused.body()["erro"]),
                (502, &json!("provedor_indisponivel")),
                "{path}"
            );
        }
        assert!(asked.log.text().contains("deposit_address 3 bad_answer 200"));
    }
    asked.answers(&json!({ "address": WALLET }).to_string());
    let made = asked.served.post("/carteira-usdt/deposits", WITH_KEY, &deposit);
    assert_eq!((made.status, &made.body()["address"]), (201, &json!(WALLET)), "{}", made.text);
    let accepted = asked.served.post(&accept, WITH_KEY, &json!({}));
    assert_eq!(accepted.status, 200, "{}", accepted.text);
    let seen = asked.seen();
    let body = |place: usize| seen[place].event()["body"].clone();
    let wallets = json!({ "account": "loja", "network": "polygon", "amount": "100" });
    assert_eq!(body(seen.len() - 2), wallets);
    let id = accept.split('/').nth(2).unwrap();
    let orders = json!({ "account": "loja", "cashout_id": id, "asset": "usdt",
        "network": "polygon", "amount": "20.000000" });
    assert_eq!(body(seen.len() - 1), orders);
    // Accepted once, its address is known.
    assert_eq!(asked.served.post(&accept, WITH_KEY, &json!({})).status, 200);
    assert_eq!(asked.seen().len(), seen.len());
}

#[test]
fn without_a_provider_what_needs_one_is_not_to_be_repeated() {
    let served = Served::start();
    trading(&served);
    let accept = sells(&served);
    let deposit = json!({ "amount": "100", "network": "polygon" });
    for (path, code, action) in [
        (&*accept, "liquidante_indisponivel", "esperar"),
        ("/carteira-usdt/deposits", "carteira_indisponivel", "falar_com_suporte"),
    ] {
        let refused = served.post(path, WITH_KEY, &deposit).body();
        assert_eq!((&refused["erro"], &refused["acao"]), (&json!(code), &json!(action)));
    }
}

#[test]
fn the_world_finds_the_charge_of_a_code() {
    let asked = supply_setup();
    asked.answers(&issued());
    let made = asked.charge(&json!({})).body();
    let world = asked.served.world();
    let query = |pairs: &[(&str, &str)]| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs);
        world.get(&format!("/charges?{}", query.finish()))
    };
    let id = json!({ "cashin_id": made["cashin_id"] });
    assert_eq!(query(&[("account", "loja"), ("external_id", "c-1")]).body(), id);
    assert_eq!(query(&[("qr_copypaste", &code("50.00"))]).body(), id);
    let without = [("account", "loja"), ("external_id", ""), ("qr_copypaste", &code("50.00"))];
    assert_eq!(query(&without).body(), id);
    for none in [
        &[("account", "loja"), ("external_id", "c-2")][..],
        &[("account", "outra"), ("external_id", "c-1")],
        &[("qr_copypaste", "x")],
    ] {
        assert_eq!(query(none).status, 404, "{none:?}");
    }
    for wrong in [&[][..], &[("account", "loja")], &[("qr_copypaste", "x"), ("amount", "1")]] {
        assert_eq!(query(wrong).status, 400, "{wrong:?}");
    }
}
