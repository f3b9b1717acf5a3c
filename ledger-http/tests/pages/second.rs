//! A second operator: the first proposes, another confirms or declines, and never the same.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;
use ledger_http::operators::{DecisionRequest, Role};
use ledger_store::ServiceTables;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::deciding::ORIGIN;
use crate::decisions::Office;
use crate::house::{Answer, sent};

fn courtesy(id: &str, cents: i64) -> Value {
    json!({ "id": id, "account": "loja", "effect_cents": cents, "reason": "a courtesy" })
}

impl Office {
    /// A decision, which must be answered so.
    async fn says(&self, credential: &str, body: &Value, status: u16, outcome: &str) -> Value {
        let answer = self.decide(credential, "fee.adjusted", body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        let found = answer.body();
        let said = found["outcome"].as_str().or(found["erro"].as_str());
        assert_eq!(said, Some(outcome), "{found}");
        found
    }

    async fn inbox_of(&self, ledger: &str) -> String {
        let request = Request::get(format!("/{ledger}/waiting")).header("host", "127.0.0.1:8082");
        let request = request.header("accept-language", "en").body(Body::empty()).unwrap();
        let answer: Answer = sent(console_router(&self.house.service, None), request).await;
        assert_eq!(answer.status, 200);
        answer.text()
    }

    async fn actor_of(&self, record: &Value) -> String {
        let request = Request::get(format!("/live/records/{record}"));
        let request = request.header("host", "127.0.0.1:8082").body(Body::empty()).unwrap();
        sent(console_router(&self.house.service, None), request).await.text()
    }
}

#[tokio::test]
async fn what_wants_a_second_operator_waits_until_another_says_the_same() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    let stood = office.head();
    office.says(&bia, &courtesy("c-0", 1_000), 200, "applied").await;
    assert_eq!(office.head(), stood + 1, "up to the bound one is enough");
    let large = courtesy("c-1", 1_001);
    for _ in 0..2 {
        let proposed = office.says(&bia, &large, 200, "proposed").await;
        assert_eq!(proposed["second_operator"], true);
    }
    assert_eq!(office.head(), stood + 1, "said twice by one, it is not confirmed");
    let page = office.inbox_of("live").await;
    assert!(page.contains("decision=fee.adjusted&#38;proposal=c-1"), "{page}");
    assert!(page.contains(">bia<"), "{page}");
    assert!(!office.inbox_of("sandbox").await.contains("proposal=c-1"));
    // Said otherwise it is another decision.
    office.says(&eva, &courtesy("c-1", 1_002), 409, "external_id_divergente").await;
    let done = office.says(&eva, &large, 200, "applied").await;
    assert_eq!(office.head(), stood + 2);
    assert!(office.actor_of(&done["record"]).await.contains("bia, eva"));
    assert!(!office.inbox_of("live").await.contains("proposal=c-1"));
    // Both may say it again, and nobody else.
    for one in [&bia, &eva] {
        office.says(one, &large, 200, "known").await;
    }
    let ana = office.hired("ana", &[Role::DecideAbove]);
    office.says(&ana, &large, 409, "external_id_divergente").await;
    assert_eq!(office.head(), stood + 2);
}

#[tokio::test]
async fn nobody_confirms_whose_role_does_not_include_it() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let large = courtesy("c-1", 6_000);
    office.says(&bia, &large, 200, "proposed").await;
    let stood = office.head();
    for (name, role) in [("lia", Role::Look), ("rui", Role::Decide), ("caio", Role::HoldFunds)] {
        let credential = office.hired(name, &[role]);
        office.says(&credential, &large, 403, "nao_permitido").await;
    }
    assert_eq!(office.head(), stood);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    office.says(&eva, &large, 200, "applied").await;
}

#[tokio::test]
async fn what_nobody_confirms_within_a_day_lapses() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    let large = courtesy("c-1", 6_000);
    office.says(&bia, &large, 200, "proposed").await;
    let stood = office.head();
    office.set("2026-11-21T12:10:00Z");
    assert!(!office.inbox_of("live").await.contains("proposal=c-1"));
    office.says(&eva, &large, 200, "proposed").await;
    assert!(office.inbox_of("live").await.contains(">eva<"));
    office.says(&bia, &large, 200, "applied").await;
    assert!(office.head() > stood);
}

#[tokio::test]
async fn a_proposal_is_seen_on_the_console_and_declined_by_whoever_may_take_it() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    let lia = office.hired("lia", &[Role::Look]);
    let [first, second, looks] =
        [office.signed_in(&bia).await, office.signed_in(&eva).await, office.signed_in(&lia).await];
    let target = "/live/decide?decision=fee.adjusted&proposal=c-1";
    let token = async |cookie: &str| {
        let page = office.get(target, cookie).await.text();
        let token = page.split("name=\"token\" value=\"").nth(1).expect("a form carries it");
        (token.split('"').next().unwrap().to_owned(), page)
    };
    let said = "decision=fee.adjusted&id=c-1&account=loja&effect_cents=6000&reason=a+courtesy";
    let form = format!("token={}&{said}&step=confirm", token(&first).await.0);
    let answer = office.post("/live/decide", (ORIGIN, &first), &form).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/live/waiting"));
    assert!(office.inbox_of("live").await.contains("proposal=c-1"));
    let (_, page) = token(&second).await;
    assert!(page.contains("Proposed by bia: c-1.") && page.contains("value=\"6000\""), "{page}");
    for (cookie, status) in [(&looks, 403), (&second, 303)] {
        assert!(office.inbox_of("live").await.contains("proposal=c-1"));
        let token = token(cookie).await.0;
        let form = format!("token={token}&decision=fee.adjusted&id=c-1&step=decline");
        let answer = office.post("/live/decide", (ORIGIN, cookie), &form).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    assert!(!office.inbox_of("live").await.contains("proposal=c-1"));
    let stood = office.head();
    office.says(&eva, &courtesy("c-1", 6_000), 200, "proposed").await;
    assert_eq!(office.head(), stood, "it was declined, and is proposed anew");
}

#[tokio::test]
async fn a_proposal_is_declined_by_the_door_and_only_where_it_waits() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let lia = office.hired("lia", &[Role::Look]);
    office.says(&bia, &courtesy("c-1", 6_000), 200, "proposed").await;
    let stood = office.head();
    let declined = async |credential: &str, id: &str, ledger: &str| {
        let request = DecisionRequest::new("fee.adjusted").unwrap().field("id", id).unwrap();
        let request = request.of_ledger(ledger).decline();
        let (status, body) =
            request.carry_out(&office.house.service, credential).await.expect("it answers");
        (status, body["outcome"].as_str().or(body["erro"].as_str()).unwrap().to_owned())
    };
    let nothing = (404, "nao_encontrado".to_owned());
    assert_eq!(declined(&bia, "c-2", "live").await, nothing);
    assert_eq!(declined(&bia, "c-1", "sandbox").await, nothing);
    assert_eq!(declined(&lia, "c-1", "live").await, (403, "nao_permitido".to_owned()));
    assert!(office.inbox_of("live").await.contains("proposal=c-1"));
    assert_eq!(declined(&bia, "c-1", "live").await, (200, "declined".to_owned()));
    assert!(!office.inbox_of("live").await.contains("proposal=c-1"));
    assert_eq!(declined(&bia, "c-1", "live").await, nothing);
    assert_eq!(office.head(), stood, "nothing is recorded of it");
}

#[tokio::test]
async fn nobody_declines_what_they_may_not_take() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let rui = office.hired("rui", &[Role::Decide]);
    for (id, cents, status) in [("c-1", 6_000, 403), ("c-2", 5_000, 200)] {
        office.says(&bia, &courtesy(id, cents), 200, "proposed").await;
        let request = DecisionRequest::new("fee.adjusted").unwrap().field("id", id).unwrap();
        let request = request.of_ledger("live").decline();
        let answer = request.carry_out(&office.house.service, &rui).await.unwrap();
        assert_eq!(answer.0, status, "{}", answer.1);
    }
    let page = office.inbox_of("live").await;
    assert!(page.contains("proposal=c-1") && !page.contains("proposal=c-2"), "{page}");
}

#[tokio::test]
async fn what_was_carried_out_by_a_process_that_died_waits_no_more() {
    let office = Office::wanting_seconds().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    let large = courtesy("c-1", 6_000);
    for (id, carried_out) in [("c-1", true), ("c-2", false)] {
        let body = courtesy(id, 6_000);
        office.says(&bia, &body, 200, "proposed").await;
        if carried_out {
            office.says(&eva, &body, 200, "applied").await;
        }
        // As it stands between the claim and its end.
        let mut tables = ServiceTables::open(&office.target(), "operator_proposals", &[]).unwrap();
        let sql = "UPDATE operator_proposals SET outcome = 'confirming', ended_by = 'eva', \
            body = $2 WHERE id = $1";
        let values = vec![id.into(), body.to_string().into()];
        assert_eq!(tables.write(&[(sql.to_owned(), values)]).unwrap(), 1);
    }
    let stood = office.head();
    let page = office.inbox_of("live").await;
    assert!(!page.contains("proposal=c-1") && page.contains("proposal=c-2"), "{page}");
    office.says(&eva, &large, 200, "known").await;
    assert_eq!(office.head(), stood);
    // What was not carried out is nobody's to decline meanwhile, and hers to confirm.
    let request = DecisionRequest::new("fee.adjusted").unwrap().field("id", "c-2").unwrap();
    let request = request.of_ledger("live").decline();
    let declined = request.carry_out(&office.house.service, &bia).await.unwrap();
    assert_eq!((declined.0, &declined.1["erro"]), (409, &json!("status_invalido")));
    office.says(&eva, &courtesy("c-2", 6_000), 200, "applied").await;
    assert_eq!(office.head(), stood + 1);
    assert!(!office.inbox_of("live").await.contains("proposal=c-2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn confirmed_and_declined_at_once_it_ends_in_exactly_one_of_the_two() {
    let office = Arc::new(Office::wanting_seconds().await);
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let eva = office.hired("eva", &[Role::DecideAbove]);
    let mut ended = [0, 0];
    for round in 0..40 {
        let id = format!("c-{round}");
        office.says(&bia, &courtesy(&id, 6_000), 200, "proposed").await;
        let stood = office.head();
        let barrier = Arc::new(Barrier::new(2));
        let one = tokio::spawn({
            let (office, barrier) = (Arc::clone(&office), Arc::clone(&barrier));
            let (eva, body) = (eva.clone(), courtesy(&id, 6_000));
            async move {
                barrier.wait().await;
                let answer = office.decide(&eva, "fee.adjusted", &body).await.body();
                answer["outcome"].as_str().or(answer["erro"].as_str()).unwrap().to_owned()
            }
        });
        let other = tokio::spawn({
            let (office, bia, id) = (Arc::clone(&office), bia.clone(), id.clone());
            async move {
                let request = DecisionRequest::new("fee.adjusted").unwrap();
                let request = request.field("id", &id).unwrap().of_ledger("live").decline();
                barrier.wait().await;
                // Sometimes it is behind, and has looked it up when the other writes.
                tokio::time::sleep(Duration::from_micros(150 * (round % 8))).await;
                request.carry_out(&office.house.service, &bia).await.unwrap().0
            }
        });
        let (confirmed, declined) = (one.await.unwrap(), other.await.unwrap());
        let is_recorded = office.head() > stood;
        assert_eq!(is_recorded, confirmed == "applied", "{round}: {confirmed} {declined}");
        assert_ne!(is_recorded, declined == 200, "{round}: {confirmed} {declined}");
        ended[usize::from(is_recorded)] += 1;
    }
    assert!(ended.iter().all(|times| *times > 0), "each came first at times: {ended:?}");
}
