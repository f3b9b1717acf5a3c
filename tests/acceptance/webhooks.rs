//! Webhooks: names, envelopes, signatures, tests and deliveries (EVT; contract, 4.6, 5 and 6).

use std::collections::BTreeSet;

use ledger_core::contract::signature::{SignatureError, TOLERANCE, sign, verify};
use ledger_core::contract::{
    ALIAS_RETIRES, CHANGES, CONTRACT_VERSION, Change, Code, Environment, EventBody, Problem,
    Response, RouteKind, Secret, SupportCase, TOPICS, Word, sends_alias, topic, topic_of,
};
use ledger_core::time::{Instant, Span};
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, fields};

const NOON: &str = "2026-11-20T12:00:00Z";

/// The names of the contract's sixth section.
const NAMES: [&str; 22] = [
    "webhook.test",
    "cashin.delayed",
    "cashin.paid",
    "cashin.settled",
    "cashin.settlement_failed",
    "cashin.expired",
    "cashin.refunded",
    "cashin.failed",
    "cashin.held",
    "cashout.awaiting_deposit",
    "cashout.deposit_detected",
    "cashout.processing",
    "cashout.under_review",
    "cashout.refunding",
    "cashout.completed",
    "cashout.refunded",
    "cashout.expired",
    "cashout.failed",
    "cashout.awaiting_refund_address",
    "wallet.deposit_credited",
    "wallet.payment_completed",
    "wallet.payment_failed",
];

fn instant(text: &str) -> Instant {
    Instant::parse(text).unwrap()
}

fn submit(day: &mut Day, key: &str, request: &str, supplied: &Value) -> Response {
    let line = json!({ "at": NOON, "key": key, "request": request, "supplied": supplied });
    day.line(&line.to_string())
}

/// A day whose account has an address for webhooks, and its secret.
fn listening() -> (Day, Secret) {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let line = json!({
        "at": NOON, "key": KEY, "request": "PATCH /keys/me",
        "body": { "webhook_url": "https://loja.exemplo.com/pix" },
        "supplied": { "entropy": "5a".repeat(32) },
    });
    let secret = day.line(&line.to_string()).body["webhook_secret"].as_str().map(Secret::new);
    (day, secret.unwrap())
}

#[test]
fn evt_01_the_table_has_every_event_of_the_contract_and_no_name_twice() {
    let names: Vec<&str> = TOPICS.into_iter().map(topic).collect();
    assert_eq!(names[..22], NAMES);
    assert!(names[22..].iter().all(|name| name.starts_with("payout.")), "{names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for known in TOPICS {
        assert_eq!(topic_of(topic(known)), Some(known));
    }
}

#[test]
fn evt_01_a_reader_takes_names_it_does_not_know() {
    let body = json!({
        "id": "ev_1", "event": "cashin.lembrada", "created_at": NOON, "sequence": 7,
        "data": { "x": 1 }, "novo": true,
    });
    let read = EventBody::read(&body).unwrap();
    assert_eq!(
        (&read.name, read.name.text()),
        (&Word::Other("cashin.lembrada".into()), "cashin.lembrada")
    );
    assert_eq!(
        (read.sequence, &read.more["novo"], &read.data["x"]),
        (Some(7), &json!(true), &json!(1))
    );
    assert_eq!(EventBody::read(&json!({ "event": "cashin.paid" })), None);
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    for event in day.events() {
        let read = EventBody::read(event).unwrap();
        assert!(matches!(read.name, Word::Known(_)), "{event}");
    }
}

#[test]
fn evt_14_and_16_an_envelope_has_a_stable_id_and_a_sequence_that_grows() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    assert_eq!(day.give_back("d", NOON, 5_000), "applied");
    let events = day.events();
    let mut ids = BTreeSet::new();
    for event in events {
        let envelope = ["id", "event", "created_at", "api_version", "sequence", "data"];
        assert_eq!(fields(event), envelope);
        assert_eq!(event["api_version"], CONTRACT_VERSION);
        assert!(ids.insert(event["id"].to_string()), "{event}");
    }
    let sequences: Vec<_> =
        events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(events.len() >= 3 && sequences.is_sorted(), "{sequences:?}");
}

#[test]
fn evt_11_a_receiver_believes_what_was_signed_and_nothing_else() {
    let (mut day, secret) = listening();
    day.deposit("d", NOON, "a", 5_000);
    let body = day.events()[0].to_string();
    let at = instant(NOON);
    let header = sign(&secret, at, body.as_bytes());
    assert!(header.starts_with("t=1795176000,v1=") && header.len() == 80, "{header}");
    let check = |header: &str, body: &str, now: Instant| {
        verify(&secret, header, body.as_bytes(), now, TOLERANCE)
    };
    assert_eq!(check(&header, &body, at), Ok(()));
    assert_eq!(check(&header, &format!("{body} "), at), Err(SignatureError::Mismatch));
    let other = verify(&Secret::new("whk_other"), &header, body.as_bytes(), at, TOLERANCE);
    assert_eq!(other, Err(SignatureError::Mismatch));
    // The tolerance counts on both sides, its end included.
    for (now, fits) in [
        ("2026-11-20T12:05:00Z", true),
        ("2026-11-20T12:05:01Z", false),
        ("2026-11-20T11:55:00Z", true),
        ("2026-11-20T11:54:59Z", false),
    ] {
        let expected = if fits { Ok(()) } else { Err(SignatureError::Untimely) };
        assert_eq!(check(&header, &body, instant(now)), expected, "{now}");
    }
    // Another timestamp under the same signature is not what was signed.
    let moved = header.replace("t=1795176000", "t=1795176001");
    assert_eq!(check(&moved, &body, at), Err(SignatureError::Mismatch));
    // While a secret is being replaced, a header may carry two signatures.
    let old = sign(&Secret::new("whk_old"), at, body.as_bytes());
    let both = format!("{old},{}", header.split_once(',').unwrap().1);
    assert_eq!(check(&both, &body, at), Ok(()));
    assert_eq!(check(&format!("{header},v0=abc"), &body, at), Ok(()), "other schemes are ignored");
    let digits = header.split_once("v1=").unwrap().1;
    for broken in [
        "",
        "t=1795176000",
        digits,
        &format!("v1={digits}"),
        "t=,v1=",
        "t=x,v1=00",
        &format!("t=01795176000,v1={digits}"),
        &format!("t=+1795176000,v1={digits}"),
        &format!("t=1795176000,t=1795176000,v1={digits}"),
        &format!("t=1795176000,v1={}", &digits[1..]),
        &format!("t=1795176000,v1={}é", &digits[2..]),
    ] {
        assert_eq!(check(broken, &body, at), Err(SignatureError::Malformed), "{broken}");
    }
    // One bit of the signature.
    for place in 0..64 {
        let mut bytes = header.clone().into_bytes();
        let at_place = 16 + place;
        bytes[at_place] = if bytes[at_place] == b'0' { b'1' } else { b'0' };
        let flipped = String::from_utf8(bytes).unwrap();
        assert_eq!(check(&flipped, &body, at), Err(SignatureError::Mismatch), "{place}");
    }
}

#[test]
fn evt_11_the_signature_is_hmac_sha_256_of_timestamp_and_body() {
    // HMAC-SHA-256 under "key" of "0.The quick brown fox", reckoned elsewhere.
    let header = sign(&Secret::new("key"), Instant::default(), b"The quick brown fox");
    let known = "10c3ae5bdd0fd5c9ad60a05ea4051bb529622def626c0d64295951b2039454ed";
    assert_eq!(header, format!("t=0,v1={known}"));
}

#[test]
fn evt_12_a_test_tells_what_the_endpoint_answered_and_how_fast() {
    let mut day = Day::opened(NOON);
    let heard = json!({ "http_status": 204, "latency_ms": 87 });
    let answer = submit(&mut day, KEY, "POST /webhooks/test", &heard);
    assert_eq!((answer.status, &answer.body["erro"]), (409, &json!("webhook_nao_configurado")));
    let (mut day, secret) = listening();
    let before = day.digest();
    let account = day.sequencer().ledger().state.account_named("loja").unwrap();
    let event = day.sequencer().views().test_event(account, instant(NOON)).unwrap();
    let header = sign(&secret, instant(NOON), event.to_string().as_bytes());
    let endpoint = day.sequencer().views().endpoint(account).unwrap();
    assert_eq!(endpoint.url, "https://loja.exemplo.com/pix");
    let believed =
        verify(&endpoint.secret, &header, event.to_string().as_bytes(), instant(NOON), TOLERANCE);
    assert_eq!(believed, Ok(()));
    let answer = submit(&mut day, KEY, "POST /webhooks/test", &heard);
    assert_eq!((answer.status, &answer.body["status"]), (200, &json!(204)), "{}", answer.body);
    assert_eq!((&answer.body["latency_ms"], &answer.body["entregue"]), (&json!(87), &json!(true)));
    assert_eq!((&answer.body["event"], &event["event"]), (&event, &json!("webhook.test")));
    let broken = json!({ "http_status": 500, "latency_ms": 10 });
    assert_eq!(submit(&mut day, KEY, "POST /webhooks/test", &broken).body["entregue"], false);
    let silent = submit(&mut day, KEY, "POST /webhooks/test", &json!({}));
    assert_eq!((silent.status, &silent.body["erro"]), (502, &json!("endpoint_nao_respondeu")));
    assert_eq!(silent.body["acao"], "repetir");
    let wrong = submit(&mut day, KEY, "POST /webhooks/test", &json!({ "http_status": "200" }));
    assert_eq!(wrong.body["erro"], "formato_invalido");
    assert_eq!(day.digest(), before, "a test is no record");
}

#[test]
fn evt_12_without_a_queue_deliveries_cannot_be_read() {
    let (mut day, _) = listening();
    let answer = submit(&mut day, KEY, "GET /webhooks/deliveries", &json!({}));
    assert_eq!((answer.status, &answer.body["erro"]), (503, &json!("consulta_indisponivel")));
}

#[test]
fn evt_12_of_a_queue_of_everybodys_an_account_sees_its_own_deliveries() {
    let (mut day, _) = listening();
    day.deposit("d", NOON, "a", 5_000);
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    let deliveries: Vec<Value> = day
        .events()
        .iter()
        .map(|event| {
            json!({
                "id": event["id"], "event": event["event"], "status": "delivered", "attempts": 1,
                "http_status": 200, "created_at": event["created_at"],
            })
        })
        .collect();
    assert!(!deliveries.is_empty());
    let mut queue = deliveries.clone();
    queue.push(json!({
        "id": "ev_1_0_0000000000000000", "event": "cashin.paid", "status": "queued",
        "created_at": NOON,
    }));
    let supplied = json!({ "deliveries": queue });
    let own = submit(&mut day, KEY, "GET /webhooks/deliveries", &supplied);
    assert_eq!((own.status, &own.body["items"]), (200, &json!(deliveries)), "{}", own.body);
    assert_eq!(own.body["webhook_configurado"], true);
    let foreign = submit(&mut day, "svc_live_feira", "GET /webhooks/deliveries", &supplied);
    assert_eq!((foreign.status, &foreign.body["items"]), (200, &json!([])));
    assert_eq!(foreign.body["webhook_configurado"], false);
    for broken in [
        json!({ "deliveries": 1 }),
        json!({ "deliveries": [1] }),
        json!({ "deliveries": [{ "id": "x" }] }),
        json!({ "deliveries": [{ "id": "x", "event": "y", "created_at": NOON, "status": "lost" }] }),
        json!({ "deliveries": [{
            "id": "x", "event": "y", "created_at": NOON, "status": "queued", "secret": "whk_1",
        }] }),
    ] {
        let answer = submit(&mut day, KEY, "GET /webhooks/deliveries", &broken);
        assert_eq!(
            (answer.status, &answer.body["erro"]),
            (400, &json!("formato_invalido")),
            "{broken}"
        );
    }
}

#[test]
fn auth_09_a_case_for_support_has_the_ids_and_none_of_the_secrets() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("pedido-7", NOON, "a", 5_000);
    let charge = day.status(NOON, "pedido-7");
    let id = charge["cashin_id"].as_str().unwrap().to_owned();
    let sequencer = day.sequencer();
    let harness = sequencer.views();
    let op = ledger_core::id::OpId::parse(&id, &"live".into()).unwrap();
    let operation = harness.operation(op).unwrap();
    let problem = Problem::new(Code::FundsInsufficient, "pays to 52998224725 with svc_live_loja")
        .with("disponivel_cents", 5.into());
    let case = SupportCase::new(Environment::Live, instant(NOON))
        .with_refusal(&problem, RouteKind::Withdrawal)
        .with_request_id("req-12345678");
    let case = harness.escalated_operation(case, op, &operation);
    let body = case.body();
    assert_eq!(
        fields(&body),
        [
            "environment",
            "operation_id",
            "external_id",
            "timestamp",
            "http_status",
            "erro",
            "acao",
            "request_id",
            "last_status",
            "webhook_event_id",
        ]
    );
    assert_eq!((&body["operation_id"], &body["external_id"]), (&json!(id), &json!("pedido-7")));
    assert_eq!((&body["http_status"], &body["erro"]), (&json!(402), &json!("saldo_insuficiente")));
    assert_eq!((&body["last_status"], &body["timestamp"]), (&json!("paid"), &json!(NOON)));
    let shown = format!("{body} {case:?}");
    assert!(!shown.contains("52998224725") && !shown.contains("svc_live"), "{shown}");
    // Ids that are secrets or documents are left out.
    for (external, request) in [("52998224725", "svc_live_loja_1"), ("whk_0123456789", "short")] {
        day.deposit(external, NOON, "b", 5_000);
        let id = day.status(NOON, external)["cashin_id"].as_str().unwrap().to_owned();
        let op = ledger_core::id::OpId::parse(&id, &"live".into()).unwrap();
        let harness = day.sequencer().views();
        let operation = harness.operation(op).unwrap();
        let case = SupportCase::new(Environment::Live, instant(NOON)).with_request_id(request);
        let body = harness.escalated_operation(case, op, &operation).body();
        assert_eq!((&body["external_id"], &body["request_id"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn vsn_01_03_and_04_versions_and_dated_changes_are_data() {
    assert_eq!(CONTRACT_VERSION, "1.45.0");
    assert_eq!(ledger_core::contract::DOCUMENTATION_REVISION, "2026-09-17.4");
    let dated: Vec<_> = CHANGES.iter().filter_map(Change::first).collect();
    let expected = ["2026-11-09T03:00:00Z", "2026-10-15T03:00:00Z", "2026-08-29T03:00:00Z"];
    assert_eq!(dated, expected.map(instant));
    let versions: Vec<_> = CHANGES.iter().filter_map(|change| change.version).collect();
    assert_eq!(versions, ["1.43.1", "1.44.0"]);
    assert!(CHANGES.iter().all(|change| change.from.is_none() || change.first().is_some()));
    let retires = instant(ALIAS_RETIRES);
    let before = Instant::from_micros(retires.micros() - 1).unwrap();
    assert_eq!((sends_alias(before), sends_alias(retires)), (true, false), "ERR-07");
    assert!(sends_alias(before) && !sends_alias(retires.after(Span::days(1))));
}
