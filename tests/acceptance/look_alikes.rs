//! Names of subaccounts that pass for another are refused (P:LookAlikes).

use serde_json::{Value, json};

use crate::day::{Day, KEY, judged, payout_body};

const NOON: &str = "2026-11-20T12:00:00Z";

/// Names that look like `casa`, or like `ana`.
const NAMES: [&str; 12] = [
    "casa ",
    " casa",
    "casa\u{200b}",
    "\u{feff}casa",
    "ca\u{ad}sa",
    "\u{202e}asac",
    "ana\u{200d}",
    "a\u{2060}na",
    "\u{2066}ana\u{2069}",
    "ana\u{a0}",
    "\u{3000}ana",
    "\u{2800}",
];

fn funded() -> Day {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "ana", 50_000);
    day
}

#[test]
fn no_request_opens_or_names_a_subaccount_that_passes_for_another() {
    for name in NAMES {
        let mut day = funded();
        let before = day.digest();
        let charge = json!({
            "destino": "saldo", "amount_cents": 5_000, "customer_ref": name,
            "payer_tax_number": crate::day::OWNER,
        });
        let mut payout = payout_body("p", 1_000);
        payout["customer_ref"] = name.into();
        let transfer = |from: &str, to: &str| {
            json!({
                "from_customer_ref": from, "to_customer_ref": to, "amount_cents": 100,
                "external_id": "t",
            })
        };
        for (route, body) in [
            ("POST /cashin/charge", charge),
            ("POST /payouts", payout),
            ("POST /saldo/transferir", transfer("ana", name)),
            ("POST /saldo/transferir", transfer(name, "ana")),
        ] {
            let refused = day.ask(NOON, route, &body);
            let detail = refused.body["detail"].as_str().unwrap();
            assert_eq!(
                (refused.status, &refused.body["erro"]),
                (400, &json!("formato_invalido")),
                "{route} {name:?}: {}",
                refused.body
            );
            assert!(detail.contains("customer_ref must not begin"), "{detail}");
        }
        let escaped: Vec<String> = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let escaped = escaped.concat();
        for path in ["/saldo", "/saldo/extrato"] {
            let line = json!({
                "at": NOON, "key": KEY, "request": format!("GET {path}?customer_ref={escaped}"),
            });
            let refused = day.line(&line.to_string());
            assert_eq!(refused.body["erro"], "formato_invalido", "{path} {name:?}");
        }
        assert_eq!(day.digest(), before, "{name:?}");
    }
}

#[test]
fn no_fact_names_a_subaccount_that_passes_for_another() {
    for name in NAMES {
        let mut day = funded();
        let hold = json!({
            "id": "h-1", "account": "loja", "customer_ref": name, "kind": "judicial",
            "amount_cents": 100,
        });
        let line = json!({
            "at": NOON, "fact": "hold.placed", "environment": "live", "body": judged(hold),
        });
        let refused = day.line(&line.to_string());
        assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("formato_invalido")));
    }
}

#[test]
fn plain_names_of_every_script_are_taken() {
    for name in ["ana maria", "José", "日本", "Ana_1.b-c@d", "Casa Verde", "عميل"] {
        let mut day = Day::with_terms(NOON, "{}");
        let charge: Value = json!({
            "destino": "saldo", "amount_cents": 5_000, "customer_ref": name,
            "payer_tax_number": crate::day::OWNER,
        });
        assert_eq!(day.ask(NOON, "POST /cashin/charge", &charge).status, 200, "{name}");
    }
}
