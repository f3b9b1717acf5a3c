//! A Copia e Cola says how much is paid and to whom: nothing beside it may say so again (COUT-23,
//! WAL-38).

use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{STANDARD, VOLUME, markets};

const NOON: &str = "2026-11-20T12:00:00Z";
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                    520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA\
                    62070503***630436D9";

/// Fields of which each by itself says what a code says.
fn beside() -> [(&'static str, Value); 3] {
    [
        ("brl_amount", json!("10.00")),
        ("pix_key", json!("ana@exemplo.com.br")),
        ("pix_key_type", json!("email")),
    ]
}

#[test]
fn a_sale_to_a_code_names_no_amount_and_no_key_beside_it() {
    let mut day = Day::selling(NOON, STANDARD);
    let amount = ("amount", json!("10"));
    for (field, value) in beside().into_iter().chain([amount]) {
        let mut body = json!({ "asset": "usdt", "network": "polygon", "br_code": CODE });
        body[field] = value;
        for route in ["POST /cash-outs", "POST /cash-outs/preview"] {
            let answer = day.ask(NOON, route, &body);
            let refusal = (answer.status, &answer.body["erro"]);
            assert_eq!(refusal, (400, &json!("campos_conflitantes")), "{field}: {route}");
        }
    }
    let body = json!({ "asset": "usdt", "network": "polygon", "br_code": CODE });
    assert_eq!(day.ask(NOON, "POST /cash-outs", &body).status, 200);
}

#[test]
fn a_payment_of_a_code_names_no_amount_and_no_key_beside_it() {
    let mut day = Day::walleted(NOON);
    let opened = json!({ "id": day.outside_id(), "items": markets() });
    assert_eq!(day.report(NOON, "markets.updated", &opened), "applied");
    assert_eq!(day.agree(NOON, serde_json::from_str(VOLUME).unwrap()), "applied");
    for (field, value) in beside() {
        let mut body = json!({ "br_code": CODE });
        body[field] = value;
        for route in ["POST /carteira-usdt/payments", "POST /carteira-usdt/quote"] {
            let answer = day.ask(NOON, route, &body);
            let refusal = (answer.status, &answer.body["erro"]);
            assert_eq!(refusal, (400, &json!("campos_conflitantes")), "{field}: {route}");
        }
    }
    let quoted = day.ask(NOON, "POST /carteira-usdt/quote", &json!({ "br_code": CODE }));
    assert_eq!(quoted.status, 200, "{}", quoted.body);
}
