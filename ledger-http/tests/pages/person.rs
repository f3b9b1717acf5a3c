//! Person: everything kept of one, for whoever has the role, and each reading logged.

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;
use ledger_http::operators::Role;
use serde_json::{Value, json};

use crate::decisions::Office;
use crate::house::{Answer, is_a_page, is_form_page, sent};

const DOCUMENT: &str = "529.982.247-25";

impl Office {
    async fn person(&self, credential: &str, query: &str, accept: &str) -> Answer {
        let mut request = Request::get(format!("/live/person{query}"));
        let bearer = format!("Bearer {credential}");
        for (name, value) in [("host", "127.0.0.1:8082"), ("accept", accept)] {
            request = request.header(name, value);
        }
        if !credential.is_empty() {
            request = request.header("authorization", bearer);
        }
        let request = request.header("accept-language", "en").body(Body::empty()).unwrap();
        sent(console_router(&self.house.service, None), request).await
    }
}

#[tokio::test]
async fn whoever_may_hold_reads_everything_of_a_person() {
    let mut office = Office::open().await;
    for line in [
        r#"{"at":"2026-11-20T12:05:00Z","as":"paid","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"saldo","payer_tax_number":"52998224725","external_id":"carga-2"}}"#,
        r#"{"at":"2026-11-20T12:06:00Z","fact":"pix.received","body":{"cashin_id":"$paid.cashin_id","e2e":"E9040088820261120120600000000002","amount_cents":10000}}"#,
    ] {
        office.house.play(line).await;
    }
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let bia = office.hired("bia", &[Role::Decide]);
    let (payout, charge) = (office.id("payout", "payout_id"), office.id("charge", "cashin_id"));
    let suspense = office.id("waits", "suspense_id");
    let stop = json!({ "id": "stop-1", "payout_id": payout, "reason": "to be looked at" });
    assert_eq!(office.decide(&bia, "payout.stopped", &stop).await.status, 200);
    let paid = office.id("paid", "cashin_id");
    let mut hold = json!({ "id": "court-1", "account": "loja", "amount_cents": 500,
        "kind": "judicial", "reason": "case 12" });
    let other = office.decide(&caio, "hold.placed", &hold).await;
    assert_eq!(other.status, 200, "{}", other.text());
    (hold["id"], hold["cashin_id"]) = (json!("court-2"), json!(paid));
    let answer = office.decide(&caio, "hold.placed", &hold).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let query = format!("?document={DOCUMENT}");
    let read = office.person(&caio, &query, "application/json").await;
    assert_eq!(read.status, 200, "{}", read.text());
    let found = read.body();
    let ids: Vec<_> = found["operations"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    // What of her charge is in suspense is hers; a hold on the account is not.
    for id in [payout, charge, suspense, paid] {
        assert!(ids.contains(&&json!(id)), "{id}: {found:#}");
    }
    let holds = found["holds"].as_array().unwrap();
    assert_eq!((ids.len(), holds.len()), (4, 1), "{found:#}");
    assert_eq!((&holds[0]["cause"], &holds[0]["blocked_cents"]), (&json!(paid), &json!(500)));
    assert_eq!(found["accounts"], json!(["loja"]));
    let decisions = found["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 2, "{found:#}");
    let decision = &decisions[0];
    assert_eq!((&decision["actor"], &decision["operations"]), (&json!("bia"), &json!([payout])));
    let value = |kind: &str| {
        let values = found["values"].as_array().unwrap();
        values.iter().find(|it| it["kind"] == kind).map(|it| it["value"].clone())
    };
    assert_eq!(value("document"), Some(json!("52998224725")));
    let page = office.person(&caio, &query, "text/html").await;
    assert_eq!(page.status, 200);
    is_form_page(&page);
    for said in [payout, charge, suspense, "to be looked at", "52998224725", "saque-1"] {
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
    let log = office.log();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let read: Vec<_> = lines.filter(|line| line.get("search").is_some()).collect();
    assert_eq!(read.len(), 2, "{log}");
    assert!(read.iter().all(|line| line["operator"] == "caio" && line["person"] == true), "{log}");
    assert!(!log.contains("52998224725") && !log.contains("529.982"), "{log}");
}

#[tokio::test]
async fn no_other_role_reads_a_person_and_nothing_is_logged_of_what_was_refused() {
    let office = Office::open().await;
    let mut others = vec![String::new()];
    for (name, role) in [("lia", Role::Look), ("bia", Role::Decide), ("eva", Role::DecideAbove)] {
        others.push(office.hired(name, &[role]));
    }
    for credential in &others {
        for accept in ["application/json", "text/html"] {
            let query = format!("?document={DOCUMENT}");
            let refused = office.person(credential, &query, accept).await;
            assert_eq!(refused.status, 403, "{credential}");
            let text = refused.text();
            assert!(!text.contains(office.id("payout", "payout_id")), "{text}");
        }
        let form = office.person(credential, "", "text/html").await;
        assert_eq!(form.status, 200);
    }
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let mistyped = office.person(&caio, "?document=52998224726", "text/html").await;
    assert_eq!(mistyped.status, 400);
    is_a_page(&mistyped);
    assert!(!mistyped.text().contains("52998224726"), "it may be somebody's");
    let nobody = office.person(&caio, "?document=11144477735", "application/json").await;
    assert_eq!((nobody.status, &nobody.body()["operations"]), (200, &json!([])));
    assert_eq!(office.log().matches("\"search\"").count(), 1, "{}", office.log());
}
