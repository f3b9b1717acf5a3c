//! Asking twice changes nothing; asking otherwise under the same name is refused; a refusal leaves
//! nothing behind (rulings 7 and 8, IDEM-01 to IDEM-03, IDEM-06 to IDEM-09, IDEM-11, IDEM-12,
//! CIN-17).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, judged, payout_body};

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-21T12:00:00Z";

fn charge_body() -> Value {
    json!({
        "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": "39053344705",
        "payer_name": "Joana", "customer_ref": "a", "external_id": "x",
    })
}

fn transfer_body() -> Value {
    json!({
        "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 100,
        "descricao": "aluguel", "external_id": "x",
    })
}

fn paying_body() -> Value {
    let mut body = payout_body("x", 1_000);
    body["customer_ref"] = "a".into();
    body
}

/// Every kind of request, under the one `external_id` x.
fn requests() -> [(&'static str, Value); 3] {
    [
        ("POST /cashin/charge", charge_body()),
        ("POST /saldo/transferir", transfer_body()),
        ("POST /payouts", paying_body()),
    ]
}

fn funded() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    day.deposit("e", NOON, "b", 20_000);
    day
}

fn adopt(day: &mut Day, fact: &str, body: Value) {
    let Value::Object(mut body) = body else { unreachable!("a body is an object") };
    body.insert("id".into(), day.outside_id().into());
    assert_eq!(day.report(NOON, fact, &Value::Object(body)), "applied");
}

#[test]
fn idem_01_a_repeat_answers_the_original_and_changes_nothing() {
    let mut day = funded();
    for (request, body) in requests() {
        let first = day.ask(NOON, request, &body);
        assert_eq!(first.status, 200, "{request}: {}", first.body);
        let before = day.digest();
        assert_eq!(day.ask(NOON, request, &body), first, "{request}");
        assert_eq!(day.digest(), before, "{request}");
    }
}

#[test]
fn idem_07_each_kind_has_names_of_its_own_and_no_name_means_no_repeat() {
    let mut day = funded();
    for (request, mut body) in requests() {
        assert_eq!(day.ask(NOON, request, &body).status, 200, "{request}");
        body.as_object_mut().unwrap().remove("external_id");
        let ids = ["cashin_id", "transfer_id", "payout_id"];
        let id =
            |body: &Value| ids.into_iter().find_map(|name| body[name].as_str().map(str::to_owned));
        let first = day.ask(NOON, request, &body);
        let second = day.ask(NOON, request, &body);
        assert_eq!((first.status, second.status), (200, 200));
        assert_ne!(id(&first.body).unwrap(), id(&second.body).unwrap(), "{request}");
    }
}

#[test]
fn idem_07_accounts_do_not_share_names() {
    let mut day = funded();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    let mine = day.ask(NOON, "POST /cashin/charge", &charge_body()).body;
    let mut body = charge_body();
    body["amount_cents"] = 7_777.into();
    let line = json!({
        "at": NOON, "key": "svc_live_feira", "request": "POST /cashin/charge", "body": body,
    });
    let theirs = day.line(&line.to_string());
    assert_eq!((theirs.status, &theirs.body["amount_cents"]), (200, &json!(7_777)));
    let target = format!("GET /cashin/{}/status", mine["cashin_id"].as_str().unwrap());
    let line = json!({ "at": NOON, "key": "svc_live_feira", "request": target });
    assert_eq!(day.line(&line.to_string()).status, 404, "nor see each other's charges");
}

#[test]
fn rulings_7_a_repeat_answers_the_original_in_whatever_state_it_is_now() {
    let mut day = funded();
    let first = day.charge("c", NOON, "a", 5_000).body;
    assert_eq!(first["status"], "pending");
    assert_eq!(day.charge("c", "2026-10-20T12:15:00Z", "a", 5_000).body["status"], "expired");
    assert_eq!(day.payout("p", NOON, "a", 1_000).body["status"], "requested");
    assert_eq!(day.paid("p", LATER), "applied");
    let again = day.payout("p", LATER, "a", 1_000).body;
    assert_eq!(again["status"], "completed");
    assert_eq!(again["created_at"], "2026-10-20T12:15:00Z", "an earlier instant is the ledger's");
}

#[test]
fn rulings_7_a_repeat_is_answered_when_the_feature_has_been_switched_off_since() {
    let mut day = funded();
    let firsts = requests().map(|(request, body)| day.ask(NOON, request, &body));
    adopt(
        &mut day,
        "terms.adopted",
        json!({ "account": "loja", "custodia_ativa": false, "payout_enabled": false }),
    );
    for ((request, body), first) in requests().into_iter().zip(firsts) {
        assert_eq!(day.ask(NOON, request, &body), first, "{request}");
        let mut other = body;
        other["external_id"] = "y".into();
        let refused = day.ask(NOON, request, &other);
        assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("custodia_desligada")));
    }
}

#[test]
fn idem_09_a_repeat_never_fails_for_balance_or_limits() {
    let mut day = funded();
    let first = day.payout("p", NOON, "a", 19_000);
    assert_eq!(first.status, 200);
    adopt(&mut day, "terms.adopted", json!({ "account": "loja", "payout_max_cents": 100 }));
    assert_eq!(day.payout("p", NOON, "a", 19_000), first);
}

#[test]
fn rulings_7_a_divergent_repeat_names_the_fields_that_differ() {
    let charge: &[(&str, Value)] = &[
        ("amount_cents", json!(10_001)),
        ("customer_ref", json!("b")),
        ("customer_ref", json!(null)),
        ("customer_ref", json!("never-seen")),
        ("payer_tax_number", json!("52998224725")),
        ("payer_name", json!("João")),
        ("payer_name", json!(null)),
        ("allow_hold", json!(false)),
        ("asset", json!("usdc")),
        ("chain", json!("tron")),
        ("payout_address", json!("0x1")),
    ];
    let transfer: &[(&str, Value)] = &[
        ("amount_cents", json!(101)),
        ("from_customer_ref", json!("casa")),
        ("to_customer_ref", json!("casa")),
        ("to_customer_ref", json!("never-seen")),
        ("descricao", json!("outro")),
        ("descricao", json!(null)),
    ];
    let payout: &[(&str, Value)] = &[
        ("amount_cents", json!(1_001)),
        ("customer_ref", json!(null)),
        ("pix_key", json!("outra@exemplo.com.br")),
        ("tax_number", json!("11144477735")),
    ];
    let mut day = funded();
    for ((request, body), changes) in requests().into_iter().zip([charge, transfer, payout]) {
        assert_eq!(day.ask(NOON, request, &body).status, 200);
        let before = day.digest();
        for (field, value) in changes {
            let mut changed = body.clone();
            changed[*field] = value.clone();
            let refused = day.ask(NOON, request, &changed);
            assert_eq!(refused.status, 409, "{request} {field}: {}", refused.body);
            assert_eq!(refused.body["erro"], "external_id_divergente");
            assert_eq!(refused.body["acao"], "corrigir");
            assert_eq!(refused.body["campos_divergentes"], json!([field]), "{request}");
        }
        assert_eq!(day.digest(), before, "{request}");
    }
}

#[test]
fn rulings_7_all_differing_fields_are_named_at_once() {
    let mut day = funded();
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &charge_body()).status, 200);
    let mut changed = charge_body();
    changed["amount_cents"] = 9_000.into();
    changed["customer_ref"] = "b".into();
    let refused = day.ask(NOON, "POST /cashin/charge", &changed);
    let mut named: Vec<_> =
        refused.body["campos_divergentes"].as_array().unwrap().iter().map(Value::as_str).collect();
    named.sort_unstable();
    assert_eq!(named, [Some("amount_cents"), Some("customer_ref")]);
}

#[test]
fn idem_11_defaults_and_canonical_forms_are_no_difference() {
    let mut day = funded();
    let first = day.ask(NOON, "POST /cashin/charge", &charge_body());
    let mut explicit = charge_body();
    for (field, value) in
        [("allow_hold", json!(true)), ("asset", json!("usdt")), ("chain", json!("polygon"))]
    {
        explicit[field] = value;
    }
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &explicit), first);
    let first = day.ask(NOON, "POST /payouts", &paying_body());
    let mut shouted = paying_body();
    shouted["pix_key"] = "ANA@Exemplo.COM.BR".into();
    assert_eq!(day.ask(NOON, "POST /payouts", &shouted), first);

    let mut abroad = paying_body();
    abroad["external_id"] = "y".into();
    abroad["pix_key"] = "+5511987654321".into();
    let first = day.ask(NOON, "POST /payouts", &abroad);
    assert_eq!(first.status, 200, "{}", first.body);
    abroad["pix_key"] = "11987654321".into();
    abroad["pix_key_type"] = "phone".into();
    assert_eq!(day.ask(NOON, "POST /payouts", &abroad), first, "the country is Brazil's");
}

#[test]
fn idem_03_the_switch_gives_the_literal_reading_and_takes_it_back() {
    let mut day = funded();
    let first = day.ask(NOON, "POST /cashin/charge", &charge_body());
    let mut changed = charge_body();
    changed["amount_cents"] = 9_000.into();
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &changed).status, 409);
    adopt(&mut day, "policy.adopted", json!({ "divergent_charge_is_refused": false }));
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &changed), first, "the same charge with 200");
    assert_eq!(day.ask(NOON, "POST /payouts", &paying_body()).status, 200);
    let mut other = paying_body();
    other["amount_cents"] = 1.into();
    assert_eq!(day.ask(NOON, "POST /payouts", &other).status, 409, "it is for charges alone");
    adopt(&mut day, "policy.adopted", json!({ "divergent_charge_is_refused": true }));
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &changed).status, 409);
}

#[test]
fn idem_08_a_refused_request_leaves_nothing_and_its_name_is_free() {
    let mut day = funded();
    let before = day.digest();
    let charge = |cents: i64| {
        json!({
            "destino": "saldo", "amount_cents": cents, "payer_tax_number": "39053344705",
            "customer_ref": "never-seen", "external_id": "x",
        })
    };
    let transfer = |cents: i64| {
        json!({
            "from_customer_ref": "a", "to_customer_ref": "seen-by-none", "amount_cents": cents,
            "external_id": "x",
        })
    };
    let refusals = [
        ("POST /cashin/charge", charge(600_001), charge(600_000), 400),
        ("POST /saldo/transferir", transfer(19_901), transfer(10), 409),
        ("POST /payouts", payout_body("x", 1), paying_body(), 402),
    ];
    for (request, wrong, _, status) in &refusals {
        let refused = day.ask(NOON, request, wrong);
        assert_eq!(refused.status, *status, "{request}: {}", refused.body);
        assert_eq!(day.ask(NOON, request, wrong), refused, "and the same again (ERR-05)");
    }
    assert_eq!(day.digest(), before, "no subaccount, no identity, no record");
    for (request, _, right, _) in &refusals {
        assert_eq!(day.ask(NOON, request, right).status, 200, "{request}");
    }
}

#[test]
fn rulings_8_a_fact_is_known_for_ever_whatever_it_says_the_second_time() {
    let mut day = funded();
    assert_eq!(day.charge("c", NOON, "a", 5_000).status, 200);
    assert_eq!(day.payout("p", NOON, "a", 1_000).status, 200);
    let ids: [String; 4] = std::array::from_fn(|_| day.outside_id());
    let facts = |extra: i64| {
        [
            (
                "pix.received",
                json!({ "cashin_id": "$c.cashin_id", "e2e": ids[0], "amount_cents": 5_000 + extra }),
            ),
            (
                "pix.returned",
                json!({ "cashin_id": "$c.cashin_id", "return_id": ids[1], "amount_cents": 1_000 + extra }),
            ),
            ("payout.paid", json!({ "payout_id": "$p.payout_id", "e2e": ids[2] })),
            (
                "payout.returned",
                json!({ "payout_id": "$p.payout_id", "return_id": ids[3], "amount_cents": 500 + extra }),
            ),
            (
                "treasury.moved",
                json!({ "id": "f-1", "from": "equity.funding", "to": "prov.pay", "amount_cents": 1_000 + extra }),
            ),
            (
                "fee.adjusted",
                judged(
                    json!({ "id": "f-2", "account": "loja", "customer_ref": "a", "effect_cents": 25 + extra }),
                ),
            ),
            (
                "hold.placed",
                judged(
                    json!({ "id": "f-3", "account": "loja", "customer_ref": "a", "kind": "judicial", "amount_cents": 100 + extra }),
                ),
            ),
        ]
    };
    for (fact, body) in facts(0) {
        assert_eq!(day.report(NOON, fact, &body), "applied", "{fact}");
    }
    assert_eq!(day.report("2031-10-20T12:00:00Z", "time.passed", &json!({})), "applied");
    let before = day.digest();
    for extra in [0, 1] {
        for (fact, body) in facts(extra) {
            assert_eq!(day.report("2031-10-20T12:00:00Z", fact, &body), "known", "{fact}");
        }
    }
    assert_eq!(day.digest(), before);
}

#[test]
fn a_known_fact_names_what_the_original_created() {
    let mut day = funded();
    let body = judged(json!({
        "id": "h-1", "account": "loja", "customer_ref": "a", "kind": "judicial", "amount_cents": 100,
    }));
    let first = day.report_as("", NOON, "hold.placed", &body);
    let again = day.report_as("", NOON, "hold.placed", &body);
    assert_eq!(again["outcome"], "known");
    assert_eq!(again["hold_id"], first["hold_id"]);
}

#[test]
fn a_charge_without_a_qr_leaves_nothing_behind_and_may_be_asked_again() {
    let mut day = funded();
    let before = day.digest();
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge", "body": charge_body(),
        "supplied": {},
    });
    let refused = day.line(&line.to_string());
    assert_eq!((refused.status, &refused.body["erro"]), (504, &json!("provedor_sem_resposta")));
    assert_eq!(day.digest(), before);
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &charge_body()).status, 200);
    assert_eq!(day.line(&line.to_string()).status, 200, "a repeat needs no QR");
}
