//! Public verification of a PIX, and the lookup of a key's owner (VER, COUT-72 to COUT-75, LIM-21).

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, OWNER, PAYER, fields, judged};
use crate::selling::{STANDARD, VOLUME};

const NOON: &str = "2026-11-20T12:00:00Z";
const RECEIVED: &str = "E9040088820261120120000000000001";
const SENT: &str = "E9040088820261120120000000000002";

/// The eight fields, in the contract's order.
const FIELDS: [&str; 8] = [
    "verificado",
    "pago",
    "valor_brl",
    "pago_em",
    "recebedor_iniciais",
    "instituicao",
    "liquidado_por",
    "comprovante_url",
];

/// Anybody asks, without a key.
fn verify(day: &mut Day, e2e: &str) -> Response {
    verify_with(day, e2e, &json!({}))
}

fn verify_with(day: &mut Day, e2e: &str, supplied: &Value) -> Response {
    let request = format!("GET /v1/verificar/{e2e}");
    let line = json!({ "at": NOON, "request": request, "supplied": supplied });
    day.line(&line.to_string())
}

/// A charge paid by a PIX of this id.
fn received(day: &mut Day, e2e: &str) {
    assert_eq!(day.charge("c", NOON, "a", 10_000).status, 200);
    let body = json!({
        "cashin_id": "$c.cashin_id", "e2e": e2e, "amount_cents": 10_000,
        "paid_at": "2026-11-20T12:00:00Z",
    });
    assert_eq!(day.report(NOON, "pix.received", &body), "applied");
}

fn lookup(day: &mut Day, key: &str, at: &str, query: &str, supplied: &Value) -> Response {
    let request = format!("GET /pix/keys/lookup{query}");
    let line = json!({ "at": at, "key": key, "request": request, "supplied": supplied });
    day.line(&line.to_string())
}

#[test]
fn ver_01_a_pix_received_is_shown_in_eight_fields_to_anybody() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    received(&mut day, RECEIVED);
    let before = day.digest();
    let answer = verify(&mut day, RECEIVED);
    assert_eq!((answer.status, fields(&answer.body)), (200, FIELDS.to_vec()));
    let expected = json!({
        "verificado": true, "pago": true, "valor_brl": "100.00", "pago_em": "2026-11-20T12:00:00Z",
        "recebedor_iniciais": "L.", "instituicao": "90400888", "liquidado_por": null,
        "comprovante_url": null,
    });
    assert_eq!(answer.body, expected);
    let supplied = json!({
        "instituicao": "Banco Exemplo", "liquidado_por": "PSP Exemplo",
        "comprovante_url": "https://recibos.exemplo.com/1", "recebedor_nome": "Maria de Souza Lima",
    });
    let verified = verify_with(&mut day, RECEIVED, &supplied);
    assert_eq!(fields(&verified.body), FIELDS, "VER-01: exactly these");
    assert_eq!(verified.body["recebedor_iniciais"], "M.S.L.");
    assert_eq!(verified.body["comprovante_url"], "https://recibos.exemplo.com/1");
    assert!(!verified.body.to_string().contains("Souza"), "VER-02");
    let wrong = verify_with(&mut day, RECEIVED, &json!({ "comprovante_url": "javascript:x" }));
    assert_eq!(wrong.body["erro"], "formato_invalido");
    assert_eq!(day.digest(), before, "a read leaves no record");
}

#[test]
fn ver_02_no_name_key_or_document_of_anybody_is_shown() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 50_000);
    received(&mut day, RECEIVED);
    assert_eq!(day.payout("p", NOON, "a", 5_050).status, 200);
    let body = json!({
        "payout_id": "$p.payout_id", "e2e": SENT,
        "recipient_name": "Ana Clara de Souza", "recipient_document": "11144477735",
    });
    assert_eq!(day.report(NOON, "payout.paid", &body), "applied");
    for e2e in [RECEIVED, SENT] {
        let text = verify(&mut day, e2e).body.to_string();
        let named = ["Ana", "Clara", "Souza", "11144477735", "444777"];
        let known = [PAYER, OWNER, "ana@exemplo.com.br", "loja", &OWNER[3..9]];
        for hidden in named.into_iter().chain(known) {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }
}

#[test]
fn ver_01_a_pix_sent_is_shown_and_stops_being_paid_when_all_of_it_came_back() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 50_000);
    assert_eq!(day.payout("p", NOON, "a", 5_050).status, 200);
    let body = json!({ "payout_id": "$p.payout_id", "e2e": SENT });
    assert_eq!(day.report(NOON, "payout.paid", &body), "applied");
    let view = verify(&mut day, SENT).body;
    assert_eq!((&view["pago"], &view["valor_brl"]), (&json!(true), &json!("50.50")));
    assert_eq!((&view["pago_em"], &view["recebedor_iniciais"]), (&json!(NOON), &Value::Null));
    for (cents, id, paid) in [(50, "1", true), (5_000, "2", false)] {
        let body = json!({
            "payout_id": "$p.payout_id", "return_id": format!("D904008882026112012000000000000{id}"),
            "amount_cents": cents,
        });
        assert_eq!(day.report(NOON, "payout.returned", &body), "applied");
        let view = verify(&mut day, SENT).body;
        assert_eq!((&view["verificado"], &view["pago"]), (&json!(true), &json!(paid)));
        assert_eq!(view["pago_em"], NOON, "it was paid then, whatever came after");
    }
}

#[test]
fn ver_01_a_pix_given_back_or_in_suspense_is_known() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    received(&mut day, RECEIVED);
    assert_eq!(day.give_back("c", NOON, 10_000), "applied");
    let view = verify(&mut day, RECEIVED).body;
    assert_eq!((&view["verificado"], &view["pago"]), (&json!(true), &json!(false)));
    let erroneous_delivery = "E9040088820261120120000000000009";
    let body = json!({ "e2e": erroneous_delivery, "amount_cents": 777 });
    assert_eq!(day.report_as("s", NOON, "pix.received", &body)["outcome"], "set_aside");
    let view = verify(&mut day, erroneous_delivery).body;
    assert_eq!((&view["verificado"], &view["valor_brl"]), (&json!(true), &json!("7.77")));
    assert_eq!(view["pago"], false, "it has paid for nothing");
    assert_eq!(view["recebedor_iniciais"], Value::Null, "nobody has it yet");
    let back = judged(json!({ "id": "b-1", "suspense_id": "$s.suspense_id" }));
    assert_eq!(day.report(NOON, "suspense.returned", &back), "applied");
    assert_eq!(verify(&mut day, erroneous_delivery).body["pago"], false);
}

#[test]
fn ver_01_a_purchase_and_a_pix_given_to_a_charge_by_hand_are_known() {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let body = json!({ "cashin_id": "$p.cashin_id", "e2e": RECEIVED, "amount_cents": 10_000 });
    assert_eq!(day.report(NOON, "pix.received", &body), "applied");
    assert_eq!(verify(&mut day, RECEIVED).body["valor_brl"], "100.00");
    assert_eq!(day.charge("c", NOON, "a", 10_000).status, 200);
    let body = json!({ "cashin_id": "$c.cashin_id", "e2e": SENT, "amount_cents": 10_001 });
    assert_eq!(day.report_as("s", NOON, "pix.received", &body)["outcome"], "set_aside");
    let attached = judged(
        json!({ "id": "a-1", "suspense_id": "$s.suspense_id", "cashin_id": "$c.cashin_id" }),
    );
    assert_eq!(day.report(NOON, "suspense.attached", &attached), "applied");
    let view = verify(&mut day, SENT).body;
    assert_eq!((&view["pago"], &view["recebedor_iniciais"]), (&json!(true), &json!("L.")));
}

#[test]
fn ver_01_the_pix_of_a_sale_is_shown_and_stops_being_paid_when_all_of_it_came_back() {
    for (back, still_paid) in [(1_000, true), (10_000, false)] {
        let mut day = Day::selling(NOON, VOLUME);
        day.selling_now("s", NOON, "100.00");
        assert_eq!(verify(&mut day, SENT).status, 404, "it is not paid yet");
        let paid = json!({ "e2e": SENT, "paid_at": "2026-11-20T11:59:59Z" });
        assert_eq!(day.sale_reports("s", NOON, "cashout.paid", paid), "applied");
        let view = verify(&mut day, SENT).body;
        assert_eq!((&view["pago"], &view["valor_brl"]), (&json!(true), &json!("100.00")));
        assert_eq!(view["pago_em"], "2026-11-20T11:59:59Z");
        assert_eq!(view["recebedor_iniciais"], Value::Null, "a key tells no name");
        assert!(!view.to_string().contains("ana"), "VER-02");
        let returned =
            json!({ "return_id": "D9040088820261120120000000000001", "amount_cents": back });
        assert_eq!(day.sale_reports("s", NOON, "cashout.pix_reversed", returned), "applied");
        let view = verify(&mut day, SENT).body;
        assert_eq!((&view["verificado"], &view["pago"]), (&json!(true), &json!(still_paid)));
    }
}

#[test]
fn ver_01_the_pix_of_a_wallets_payment_is_shown() {
    let mut day = Day::paying_with(NOON, "100");
    let asked = json!({ "brl_amount": "50.00", "pix_key": "ana@exemplo.com.br" });
    assert_eq!(day.pay_from_wallet("p", NOON, asked).status, 201);
    let wallet = format!("0x{}", "a1".repeat(20));
    for step in [
        json!({ "step": "order_created" }),
        json!({ "step": "accepted", "address": wallet }),
        json!({ "step": "started" }),
    ] {
        assert_eq!(day.payment_reports("p", NOON, "started", step), "applied");
    }
    assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
    assert_eq!(verify(&mut day, SENT).status, 404, "it is not paid yet");
    assert_eq!(day.payment_reports("p", NOON, "paid", json!({ "e2e": SENT })), "applied");
    let view = verify(&mut day, SENT).body;
    assert_eq!((&view["pago"], &view["valor_brl"]), (&json!(true), &json!("50.00")));
}

#[test]
fn a_pix_that_its_order_did_not_take_paid_for_nothing_and_neither_says_it_did() {
    let mut day = Day::selling(NOON, VOLUME);
    day.selling_now("s", NOON, "100.00");
    assert_eq!(day.sale_reports("s", NOON, "cashout.pix_impossible", json!({})), "applied");
    let paid = json!({ "e2e": SENT, "amount_cents": 10_000 });
    assert_eq!(day.sale_reports("s", NOON, "cashout.paid", paid), "set_aside");
    let view = verify(&mut day, SENT).body;
    assert_eq!((&view["verificado"], &view["pago"]), (&json!(true), &json!(false)));
    assert_eq!(day.order("s", NOON)["pix_e2e"], Value::Null);
}

#[test]
fn a_pix_proven_paid_after_its_payment_had_failed_is_paid_and_so_says_its_order() {
    let mut day = crate::wallet_payments::failed_after_send();
    let proven = json!({ "e2e": SENT });
    assert_eq!(crate::wallet_payments::resolve(&mut day, "consume_paid", proven), "applied");
    assert_eq!(verify(&mut day, SENT).body["pago"], true);
    let order = day.payment("p", NOON)["cashout_id"].as_str().unwrap().to_owned();
    let order = day.get(NOON, &format!("/cash-outs/{order}"));
    assert_eq!((&order["state"], &order["pix_e2e"]), (&json!("COMPLETED"), &json!(SENT)));
}

#[test]
fn ver_03_and_04_a_pix_nobody_knows_is_no_payment() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("c", NOON, "a", 10_000).status, 200);
    for e2e in [RECEIVED, "x", "E904", &RECEIVED.to_lowercase()] {
        let answer = verify(&mut day, e2e);
        assert_eq!((answer.status, &answer.body["erro"]), (404, &json!("nao_encontrado")), "{e2e}");
    }
    assert_eq!(day.adopt(NOON, json!({ "unknown_pix_answered": true })), "applied");
    let answer = verify(&mut day, RECEIVED);
    assert_eq!((answer.status, fields(&answer.body)), (200, FIELDS.to_vec()), "P:VerifyUnknown");
    assert_eq!((&answer.body["verificado"], &answer.body["pago"]), (&json!(false), &json!(false)));
    assert!(FIELDS[2..].iter().all(|name| answer.body[*name].is_null()));
}

#[test]
fn ver_06_test_payments_are_not_verified_where_real_ones_are() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let line = json!({
        "at": NOON, "fact": "pix.received", "environment": "sandbox",
        "body": { "e2e": RECEIVED, "amount_cents": 777 },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "set_aside");
    assert_eq!(verify(&mut day, RECEIVED).status, 404, "nothing moved");
    let line = json!({
        "at": NOON, "request": format!("GET /v1/verificar/{RECEIVED}"), "environment": "sandbox",
    });
    assert_eq!(day.line(&line.to_string()).status, 200, "who asks the sandbox is answered by it");
}

#[test]
fn ver_05_a_receivers_initials_are_those_of_the_name_the_key_was_asked_for_under() {
    let mut day = Day::new();
    let line = json!({
        "at": NOON, "request": "POST /keys", "ip": "203.0.113.7",
        "body": { "name": "Padaria do Zé e Filhos" }, "supplied": { "entropy": "07".repeat(32) },
    });
    let key = day.line(&line.to_string()).body["api_key"].as_str().unwrap().to_owned();
    let line = json!({
        "at": NOON, "as": "c", "key": key, "request": "POST /cashin/charge",
        "body": { "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": PAYER },
        "supplied": { "qr_copypaste": "code" },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    let body = json!({ "cashin_id": "$c.cashin_id", "e2e": RECEIVED, "amount_cents": 10_000 });
    assert_eq!(day.report(NOON, "pix.received", &body), "applied");
    assert_eq!(verify(&mut day, RECEIVED).body["recebedor_iniciais"], "P.F.");
}

#[test]
fn cout_72_an_owner_is_shown_as_the_provider_names_it_or_as_not_verified() {
    let mut day = Day::opened(NOON);
    let query = "?key=ana@exemplo.com.br&type=email";
    let nothing = lookup(&mut day, KEY, NOON, query, &json!({}));
    assert_eq!(nothing.status, 200);
    let expected = json!({
        "key": nothing.body["key"], "type": "email", "available": false, "verified": false,
        "verification_status": "not_performed", "name": null, "document": null, "institution": null,
    });
    assert_eq!(nothing.body, expected);
    assert!(!nothing.body.to_string().contains("ana@exemplo"), "the key is masked");
    let supplied = json!({ "lookup": {
        "found": true, "name": "Ana Prado", "document": "52998224725", "institution": "Banco X",
    } });
    let answer = lookup(&mut day, KEY, NOON, query, &supplied);
    assert_eq!((&answer.body["available"], &answer.body["verified"]), (&json!(true), &json!(true)));
    assert_eq!(
        (&answer.body["name"], &answer.body["document"]),
        (&json!("Ana Prado"), &json!("***.982.247-**"))
    );
    for (query, erro) in [
        ("", "pix_key_obrigatoria"),
        ("?key=ana", "pix_key_invalida"),
        ("?key=11144477735", "tipo_ambiguo"),
        ("?key=a@b.co&type=mail", "formato_invalido"),
        ("?chave=a@b.co", "requisicao_invalida"),
    ] {
        let answer = lookup(&mut day, KEY, NOON, query, &supplied);
        assert_eq!((answer.status, &answer.body["erro"]), (400, &json!(erro)), "{query}");
    }
    for broken in
        [json!({}), json!({ "found": true, "document": "5299822472" }), json!({ "found": 1 })]
    {
        let answer = lookup(&mut day, KEY, NOON, query, &json!({ "lookup": broken }));
        assert_eq!(answer.status, 400, "{broken}");
    }
    let line = json!({ "at": NOON, "request": format!("GET /pix/keys/lookup{query}") });
    assert_eq!(day.line(&line.to_string()).status, 401);
}

#[test]
fn cout_73_what_a_lookup_says_blocks_and_proves_nothing() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 50_000);
    let before = day.digest();
    let query = "?key=ana@exemplo.com.br";
    lookup(&mut day, KEY, NOON, query, &json!({ "lookup": { "found": false } }));
    assert_eq!(day.digest(), before, "nothing of it is kept");
    assert_eq!(day.payout("p", NOON, "a", 1_000).status, 200);

    let mut day = Day::selling(NOON, STANDARD);
    for (id, supplied) in [("a", json!({})), ("b", json!({ "lookup": { "found": false } }))] {
        let shown = lookup(&mut day, KEY, NOON, query, &supplied);
        assert_ne!(shown.body["verified"], true, "{supplied}");
        day.sold(id, NOON, "100.00");
        assert_eq!(day.accept(id, NOON).status, 200, "{supplied}");
    }
}

#[test]
fn cout_74_a_key_of_nobody_is_404() {
    let mut day = Day::opened(NOON);
    let supplied = json!({ "lookup": { "found": false } });
    let answer = lookup(&mut day, KEY, NOON, "?key=ana@exemplo.com.br", &supplied);
    assert_eq!((answer.status, &answer.body["erro"]), (404, &json!("chave_nao_encontrada")));
    assert_eq!(answer.body["acao"], "corrigir");
}

#[test]
fn cout_75_in_the_sandbox_the_owner_is_made_up_and_says_so() {
    let mut day = Day::new();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "sandbox",
        "body": { "id": "acc-1", "account": "feira" }, "supplied": { "key": "svc_test_feira" },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    let answer = lookup(&mut day, "svc_test_feira", NOON, "?key=ana@exemplo.com.br", &json!({}));
    assert_eq!((answer.status, &answer.body["source"]), (200, &json!("sandbox")));
    assert!(answer.body["name"].is_string());
}

#[test]
fn lim_21_five_keys_a_minute_are_looked_up_by_an_account() {
    let mut day = Day::opened(NOON);
    let before = day.digest();
    let query = "?key=ana@exemplo.com.br";
    for second in 0..5 {
        let at = format!("2026-11-20T12:00:{second:02}Z");
        assert_eq!(lookup(&mut day, KEY, &at, query, &json!({})).status, 200);
    }
    let sixth = lookup(&mut day, KEY, "2026-11-20T12:00:30Z", query, &json!({}));
    assert_eq!((sixth.status, &sixth.body["erro"]), (429, &json!("limite_consultas")));
    assert_eq!(
        (&sixth.body["acao"], &sixth.body["retry_after_seconds"]),
        (&json!("esperar"), &json!(30))
    );
    assert_eq!(lookup(&mut day, KEY, "2026-11-20T12:01:00Z", query, &json!({})).status, 200);
    assert_eq!(day.digest(), before, "a limit on reads is no record (P:LookupMemory)");
    assert_eq!(
        day.adopt("2026-11-20T12:02:30Z", json!({ "key_lookups_per_minute": 1 })),
        "applied"
    );
    let at = "2026-11-20T12:02:31Z";
    assert_eq!(lookup(&mut day, KEY, at, query, &json!({})).status, 200);
    assert_eq!(lookup(&mut day, KEY, at, query, &json!({})).status, 429);
}

#[test]
fn ver_01_a_pix_that_evidence_named_is_known() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 50_000);
    assert_eq!(day.payout("p", NOON, "a", 5_050).status, 200);
    let about = json!({ "id": "unk-1", "payout_id": "$p.payout_id" });
    assert_eq!(day.report(NOON, "payout.unknown", &about), "applied");
    let e2e = day.outside_id();
    let evidence = judged(json!({
        "id": "ev-1", "payout_id": "$p.payout_id", "outcome": "paid", "e2e": e2e,
    }));
    assert_eq!(day.report(NOON, "payout.evidence", &evidence), "applied");
    let line = json!({ "at": NOON, "request": format!("GET /v1/verificar/{e2e}") });
    let answer = day.line(&line.to_string());
    assert_eq!(
        (answer.status, &answer.body["valor_brl"]),
        (200, &json!("50.50")),
        "{}",
        answer.body
    );
    assert_eq!(answer.body["pago"], true);
}

#[test]
fn ver_01_a_purchase_that_went_back_to_its_payer_is_known_and_paid_no_more() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.bought("p", NOON, 10_000);
    let e2e = day.status(NOON, "p")["e2e"].as_str().unwrap().to_owned();
    let line = json!({ "at": NOON, "request": format!("GET /v1/verificar/{e2e}") }).to_string();
    assert_eq!(day.line(&line).body["pago"], true);
    assert_eq!(day.give_up("p", NOON, "pagador"), "applied");
    assert_eq!(day.status(NOON, "p")["status"], "refunded");
    let view = day.line(&line).body;
    assert_eq!((&view["verificado"], &view["pago"]), (&json!(true), &json!(false)));
}
