//! Mandates: what an agent lets itself send, and to whom (AGT-12 to AGT-18, INV-42, W65).

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::agent::AGENT;
use crate::day::{Day, KEY, OWNER, judged, payout_body};

const NOON: &str = "2026-10-20T12:00:00Z";
const BIA: &str = "39053344705";

/// An agent under this mandate with R$ 1,000,000.00 to spend.
fn agency(mandate: &Value) -> Day {
    let mut day = Day::agency(NOON, mandate);
    day.deposit("d", NOON, "", 100_000_000);
    day
}

/// A payout to the owner's own document.
fn to_owner(day: &mut Day, id: &str, cents: i64) -> Response {
    let mut body = payout_body(id, cents);
    body["pix_key"] = OWNER.into();
    day.ask(NOON, "POST /payouts", &body)
}

fn mandate(day: &mut Day, at: &str, body: &Value) -> Value {
    let answer = day.ask(at, &format!("POST /mesh/agents/{AGENT}/mandate"), body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["mandate"].clone()
}

fn is_above(answer: &Response, most: i64) {
    assert_eq!(
        (answer.status, &answer.body["erro"], &answer.body["acao"]),
        (403, &json!("mandate_valor_acima_do_teto"), &json!("corrigir")),
        "{}",
        answer.body
    );
    assert_eq!(answer.body["limits"]["max_amount_cents"], most);
}

fn is_a_stranger(answer: &Response) {
    assert_eq!(
        (answer.status, &answer.body["erro"], &answer.body["acao"]),
        (403, &json!("mandate_contraparte_nao_autorizada"), &json!("corrigir")),
        "{}",
        answer.body
    );
}

#[test]
fn w65_the_mandate_stops_what_is_above_it_and_widens_nothing() {
    let mut day = agency(&json!({
        "max_por_operacao_cents": 500_000, "max_diario_cents": 1_000_000, "contrapartes": [OWNER],
    }));
    is_above(&day.payout("a", NOON, "", 500_001), 500_000);
    assert_eq!(to_owner(&mut day, "b", 500_000).status, 200);
    assert_eq!(to_owner(&mut day, "c", 500_000).status, 200);
    is_above(&day.payout("d", NOON, "", 600), 0);
    let mut body = payout_body("e", 600);
    body["tax_number"] = BIA.into();
    mandate(&mut day, NOON, &json!({ "contrapartes": [OWNER] }));
    is_a_stranger(&day.ask(NOON, "POST /payouts", &body));
    mandate(&mut day, NOON, &json!({ "max_por_operacao_cents": 30_000_000 }));
    let refused = day.payout("f", NOON, "", 25_000_001);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_acima_do_maximo")));
    assert_eq!(refused.body["limits"]["max_amount_cents"], 25_000_000);
    assert_eq!(day.payout("f", NOON, "", 25_000_000).status, 200);
}

#[test]
fn inv_42_what_is_in_force_is_the_lower_of_mandate_and_platform() {
    let mut day = agency(&json!({}));
    for (own, in_force) in [(None, 25_000_000), (Some(30_000_000), 25_000_000), (Some(7), 7)] {
        let body = own.map_or(json!({}), |own| json!({ "max_por_operacao_cents": own }));
        let shown = mandate(&mut day, NOON, &body);
        assert_eq!(shown["teto_por_operacao_cents"], in_force, "{shown}");
        assert_eq!(shown["max_por_operacao_cents"], json!(own));
    }
}

#[test]
fn agt_17_nothing_named_is_the_platforms_limit_and_zero_lets_nothing_pass() {
    let mut day = agency(&json!({ "max_por_operacao_cents": null, "contrapartes": [] }));
    assert_eq!(day.payout("a", NOON, "", 25_000_000).status, 200, "no bound of its own");
    mandate(&mut day, NOON, &json!({ "max_por_operacao_cents": 0 }));
    is_above(&day.payout("b", NOON, "", 1), 0);
    mandate(&mut day, NOON, &json!({ "max_diario_cents": 0 }));
    is_above(&day.payout("b", NOON, "", 1), 0);
    mandate(&mut day, NOON, &json!({}));
    assert_eq!(day.payout("b", NOON, "", 1).status, 200);
}

#[test]
fn agt_16_an_edit_raises_or_lowers_and_touches_new_operations_only() {
    let mut day = agency(&json!({ "max_por_operacao_cents": 1_000 }));
    assert_eq!(day.payout("a", NOON, "", 1_000).status, 200);
    mandate(&mut day, NOON, &json!({ "max_por_operacao_cents": 10 }));
    is_above(&day.payout("b", NOON, "", 11), 10);
    assert_eq!(day.payout("a", NOON, "", 1_000).status, 200, "the original, repeated");
    assert_eq!(day.paid("a", NOON), "applied", "what was agreed goes on");
    mandate(&mut day, NOON, &json!({ "max_por_operacao_cents": 2_000 }));
    assert_eq!(day.payout("b", NOON, "", 2_000).status, 200, "AGT-15: edited, it passes");
}

#[test]
fn agt_18_a_day_of_brasilia_counts_what_was_sent_and_has_not_come_to_nothing() {
    let mut day = agency(&json!({ "max_diario_cents": 10_000 }));
    assert_eq!(day.payout("a", NOON, "", 4_000).status, 200);
    assert_eq!(day.convert("b", NOON, "", 5_000).status, 200, "a conversion counts as well");
    let above = day.payout("c", NOON, "", 1_001);
    is_above(&above, 1_000);
    assert_eq!(above.body["libera_em"], "2026-10-21T03:00:00Z");
    // A payout that fails, one that comes back whole and a conversion given up free the day.
    let refused = json!({ "id": "ref-a", "payout_id": "$a.payout_id" });
    assert_eq!(day.report(NOON, "payout.refused", &refused), "applied");
    is_above(&day.payout("c", NOON, "", 5_001), 5_000);
    assert_eq!(day.payout("c", NOON, "", 5_000).status, 200);
    assert_eq!(day.paid("c", NOON), "applied");
    for (cents, left) in [(4_999, 0), (1, 5_000)] {
        let back = json!({
            "payout_id": "$c.payout_id", "return_id": day.outside_id(), "amount_cents": cents,
        });
        assert_eq!(day.report(NOON, "payout.returned", &back), "applied");
        is_above(&day.payout("e", NOON, "", 5_001), left);
    }
    let given_up = judged(json!({ "id": "up-b", "cashin_id": "$b.cashin_id", "to": "saldo" }));
    assert_eq!(day.report(NOON, "delivery.given_up", &given_up), "applied");
    assert_eq!(day.payout("e", NOON, "", 10_000).status, 200);
    // A transfer between own balances sends nothing; the next day begins at Brasília's midnight.
    assert_eq!(day.transfer("t", NOON, "casa", "ana", 50_000).status, 200);
    is_above(&day.payout("f", "2026-10-21T02:59:59Z", "", 1), 0);
    assert_eq!(day.payout("f", "2026-10-21T03:00:00Z", "", 10_000).status, 200);
    // What fails of yesterday gives today nothing.
    let late = json!({ "id": "ref-e", "payout_id": "$e.payout_id" });
    assert_eq!(day.report("2026-10-21T03:00:00Z", "payout.refused", &late), "applied");
    is_above(&day.payout("g", "2026-10-21T03:00:00Z", "", 1), 0);
}

#[test]
fn agt_14_who_receives_is_the_tax_number_of_a_payout_and_of_a_conversion() {
    let mut day = agency(&json!({ "contrapartes": [BIA, BIA] }));
    is_a_stranger(&day.payout("a", NOON, "", 100));
    is_a_stranger(&day.convert("b", NOON, "", 5_000));
    let mut body = payout_body("a", 100);
    body["tax_number"] = BIA.into();
    body["pix_key"] = BIA.into();
    assert_eq!(day.ask(NOON, "POST /payouts", &body).status, 200);
    let shown = mandate(&mut day, NOON, &json!({ "contrapartes": [OWNER, BIA] }));
    let masked = shown["contrapartes"].as_array().unwrap();
    assert_eq!(masked.len(), 2);
    assert!(!shown.to_string().contains(OWNER) && !shown.to_string().contains(BIA), "{shown}");
    assert_eq!(to_owner(&mut day, "c", 100).status, 200);
}

#[test]
fn rulings_6_the_mandate_comes_after_the_feature_and_before_the_destination() {
    let tight = json!({ "max_por_operacao_cents": 10 });
    let mut day = agency(&tight);
    let mut stranger = payout_body("x", 50);
    stranger["pix_key"] = "11144477735".into();
    stranger["pix_key_type"] = "cpf".into();
    is_above(&day.ask(NOON, "POST /payouts", &stranger), 10);
    let mut unpayable = json!({
        "amount_cents": 50, "tax_number": OWNER, "asset": "nothing", "chain": "nowhere",
        "payout_address": "x",
    });
    is_above(&day.ask(NOON, "POST /saldo/sacar-cripto", &unpayable), 10);
    unpayable["amount_cents"] = 10.into();
    let refused = day.ask(NOON, "POST /saldo/sacar-cripto", &unpayable);
    assert_eq!(refused.body["erro"], "asset_invalido");
    // Above the mandate and above what there is: the mandate.
    is_above(&day.payout("y", NOON, "never-seen", 26_000_000), 10);
    assert_eq!(day.payout("z", NOON, "", 10).status, 200);
    day.agree_for(AGENT, NOON, r#"{"payout_enabled":false}"#);
    let refused = day.payout("y", NOON, "", 50);
    assert_eq!(refused.body["erro"], "payout_nao_liberado");
    let mut changed = payout_body("z", 11);
    changed["external_id"] = "z".into();
    assert_eq!(day.ask(NOON, "POST /payouts", &changed).body["erro"], "external_id_divergente");
}

#[test]
fn a_mandate_that_is_not_in_shape_is_named_and_changes_nothing() {
    let mut day = agency(&json!({ "max_por_operacao_cents": 10 }));
    let route = format!("POST /mesh/agents/{AGENT}/mandate");
    let before = day.digest();
    for (body, erro, what) in [
        (json!({ "max_diario_cents": -1 }), "amount_invalido", "max_diario_cents"),
        (json!({ "max_por_operacao_cents": 1.5 }), "amount_invalido", "max_por_operacao_cents"),
        (json!({ "contrapartes": "x" }), "formato_invalido", "contrapartes"),
        (json!({ "contrapartes": [OWNER, "12345678900"] }), "documento_invalido", "[1]"),
        (json!({ "contrapartes": [7] }), "documento_invalido", "[0]"),
    ] {
        let answer = day.ask(NOON, &route, &body);
        assert_eq!((answer.status, &answer.body["erro"]), (400, &json!(erro)), "{body}");
        assert!(answer.body["detail"].as_str().unwrap().contains(what), "{}", answer.body);
    }
    assert_eq!(day.digest(), before);
    let other = day.ask_with(KEY, NOON, "POST /mesh/agents/ag_x/mandate", &json!({}));
    assert_eq!((other.status, &other.body["erro"]), (404, &json!("nao_encontrado")));
}

#[test]
fn sbx_17_the_sandbox_refuses_with_the_same_codes() {
    let mut day = Day::new();
    let body =
        json!({ "name": "Ada", "contact": "ada@example.com", "capabilities": ["brl_to_pix"] });
    let made = day.ask_with("", NOON, "POST /mesh/agents", &body);
    let (id, key) = (made.body["agent_id"].clone(), made.body["api_key"].clone());
    let (id, key) = (id.as_str().unwrap(), key.as_str().unwrap());
    let tight = json!({ "max_por_operacao_cents": 10, "contrapartes": [OWNER] });
    let set = day.ask_with(key, NOON, &format!("POST /mesh/agents/{id}/mandate"), &tight);
    assert_eq!(set.status, 200, "{}", set.body);
    is_above(&day.ask_with(key, NOON, "POST /payouts", &payout_body("a", 11)), 10);
    let mut body = payout_body("a", 10);
    body["tax_number"] = BIA.into();
    is_a_stranger(&day.ask_with(key, NOON, "POST /payouts", &body));
    let short = day.ask_with(key, NOON, "POST /payouts", &payout_body("a", 10));
    assert_eq!(short.body["erro"], "saldo_insuficiente");
}

#[test]
fn agt_18_a_sale_counts_from_its_quote_until_it_comes_to_nothing() {
    let mut day = agency(&json!({
        "max_por_operacao_cents": 10_000, "max_diario_cents": 15_000, "contrapartes": [OWNER],
    }));
    day.markets(NOON);
    let sale = |day: &mut Day, field: &str, value: &str, key: &str| {
        let mut body = json!({ "asset": "usdt", "network": "polygon", "pix_key": key });
        body[field] = value.into();
        if key == OWNER {
            body["pix_key_type"] = "cpf".into();
        }
        day.ask(NOON, "POST /cash-outs", &body)
    };
    is_above(&sale(&mut day, "brl_amount", "100.01", OWNER), 10_000);
    is_above(&sale(&mut day, "amount", "50", OWNER), 10_000);
    is_a_stranger(&sale(&mut day, "brl_amount", "100.00", "ana@exemplo.com.br"));
    let quoted = sale(&mut day, "brl_amount", "100.00", OWNER);
    assert_eq!(quoted.status, 200, "{}", quoted.body);
    is_above(&sale(&mut day, "brl_amount", "50.01", OWNER), 5_000);
    is_above(&day.payout("a", NOON, "", 5_001), 5_000);
    assert_eq!(to_owner(&mut day, "a", 5_000).status, 200);
    let later = "2026-10-20T12:16:00Z";
    mandate(&mut day, later, &json!({ "max_diario_cents": 15_000 }));
    assert_eq!(day.payout("b", later, "", 10_000).status, 200, "the quote expired");
}
