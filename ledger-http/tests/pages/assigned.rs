//! With whom a row of the inbox is: taken, given on, given back, narrowed by, and gone in the end.

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;
use ledger_http::operators::Role;
use ledger_store::ServiceTables;
use ledger_store::vault::Person;
use serde_json::{Value, json};

use crate::deciding::ORIGIN;
use crate::decisions::Office;
use crate::house::sent;

impl Office {
    /// The answer to an assignment by the door.
    pub async fn assigned(&self, credential: &str, id: &str, body: &Value) -> (u16, Value) {
        let request = Request::post(format!("/assignments/{id}?ledger=live"))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {credential}"));
        let request = request.body(Body::from(body.to_string())).unwrap();
        let answer = sent(console_router(&self.house.service, None), request).await;
        (answer.status, answer.body())
    }

    async fn narrowed(&self, with: &str, cookie: &str) -> String {
        let answer = self.get(&format!("/live/waiting?with={with}"), cookie).await;
        assert_eq!(answer.status, 200);
        answer.text()
    }
}

/// Returns what a form of the page carries that is sent by the button of this name, but its fields.
fn hidden(page: &str, go: &str) -> String {
    let form = page.split("<form").find(|form| form.contains(&format!(">{go}</button>")));
    let form = form.unwrap_or_else(|| panic!("no button {go}: {page}"));
    let inputs = form.split("<input type=\"hidden\" ").skip(1);
    let value = |input: &str, name: &str| {
        let value = input.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next();
        value.unwrap().to_owned()
    };
    let pairs = inputs.map(|input| format!("{}={}", value(input, "name"), value(input, "value")));
    pairs.collect::<Vec<_>>().join("&")
}

#[tokio::test]
async fn a_row_is_taken_noted_given_on_and_given_back_by_whoever_may_decide() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let eva = office.hired("eva", &[Role::HoldFunds]);
    let id = office.id("waits", "suspense_id").to_owned();
    let (page, stood) = (format!("/live/waiting/{id}"), office.head());
    assert!(office.narrowed("nobody", "").await.contains(&format!("href=\"{page}\">nobody<")));
    let [first, second] = [office.signed_in(&bia).await, office.signed_in(&eva).await];
    let seen = office.get(&page, &first).await.text();
    let form = hidden(&seen, "Take it upon me");
    let stale = hidden(&office.get(&page, &second).await.text(), "Take it upon me");
    for (origin, cookie, status) in
        [("http://evil.example", &first, 403), (ORIGIN, &second, 403), (ORIGIN, &first, 303)]
    {
        let answer = office.post(&page, (origin, cookie), &form).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    // Eva looked before that: she does not take it from bia unseen.
    let answer = office.post(&page, (ORIGIN, &second), &stale).await;
    assert_eq!(answer.status, 409, "{}", answer.text());
    let mine = office.narrowed("me", &first).await;
    assert!(mine.contains(&format!("href=\"{page}\">bia<")), "{mine}");
    assert!(!office.narrowed("me", &second).await.contains(&page));
    assert!(!office.narrowed("nobody", "").await.contains(&page));
    // It is given on with a note, which stands on the operation and in the file.
    let seen = office.get(&page, &first).await.text();
    let form = format!("{}&with=eva&note=asks+the+bank", hidden(&seen, "Write it down"));
    assert_eq!(office.post(&page, (ORIGIN, &first), &form).await.status, 303);
    let inbox = office.narrowed("eva", "").await;
    assert!(inbox.contains(">eva · asks the bank<"), "{inbox}");
    let operation = office.get(&format!("/live/operations/{id}"), "").await.text();
    assert!(operation.contains(">eva</a>") && operation.contains("asks the bank"), "{operation}");
    let file = office.get("/live/waiting.csv", "").await.text();
    assert!(file.lines().next().unwrap().ends_with(",with,note"), "{file}");
    assert!(file.lines().nth(1).unwrap().ends_with(",eva,asks the bank"), "{file}");
    let form = hidden(&office.get(&page, &second).await.text(), "Give it back");
    assert_eq!(office.post(&page, (ORIGIN, &second), &form).await.status, 303);
    assert!(office.narrowed("nobody", "").await.contains(">nobody · asks the bank<"));
    assert_eq!(office.head(), stood, "the ledger knows nothing of it");
}

#[tokio::test]
async fn the_door_assigns_and_refuses_what_makes_no_sense() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let lia = office.hired("lia", &[Role::Look]);
    let id = office.id("waits", "suspense_id").to_owned();
    let long = "x".repeat(281);
    for (credential, of, body, status) in [
        ("op_nobody", &*id, json!({ "with": "me" }), 401),
        (&*lia, &*id, json!({ "with": "me" }), 403),
        (&*bia, "su_00000000000000000000000000ff", json!({ "with": "me" }), 404),
        (&*bia, &*id, json!({ "with": "zoe" }), 400),
        (&*bia, &*id, json!({ "with": 7 }), 400),
        (&*bia, &*id, json!({ "note": long }), 400),
        (&*bia, &*id, json!({ "note": "two\nlines" }), 400),
    ] {
        let (found, answer) = office.assigned(credential, of, &body).await;
        assert_eq!(found, status, "{answer}");
    }
    let (_, taken) = office.assigned(&bia, &id, &json!({ "with": "me" })).await;
    assert_eq!((&taken["with"], &taken["note"]), (&json!("bia"), &json!("")), "{taken}");
    let (_, noted) = office.assigned(&bia, &id, &json!({ "note": " of 529.982.247-25 " })).await;
    assert_eq!((&noted["with"], &noted["note"]), (&json!("bia"), &json!("of 529.982.247-25")));
    let (_, given) = office.assigned(&bia, &id, &json!({ "with": "lia" })).await;
    assert_eq!((&given["with"], &given["changed_by"]), (&json!("lia"), &json!("bia")));
    // A removed operator is given nothing.
    office.operators.remove("lia", office.now()).unwrap();
    assert_eq!(office.assigned(&bia, &id, &json!({ "with": "lia" })).await.0, 400);
    // What says something of a person goes when they are erased.
    let person = Person::default().name("52998224725");
    assert_eq!(office.operators.forget(&person).unwrap(), 1);
    assert!(office.narrowed("lia", "").await.contains(">lia<"));
    for word in ["me", "nobody"] {
        assert!(office.operators.add(word, &[], 0, office.now()).is_err(), "{word}");
    }
}

#[tokio::test]
async fn an_assignment_is_gone_when_its_operation_has_ended() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let id = office.id("waits", "suspense_id").to_owned();
    let note = json!({ "with": "me", "note": "calls the payer" });
    assert_eq!(office.assigned(&bia, &id, &note).await.0, 200);
    let back = json!({ "id": "b-1", "suspense_id": id, "reason": "sent back" });
    let done = office.decide(&bia, "suspense.returned", &back).await;
    assert_eq!(done.status, 200, "{}", done.text());
    assert!(!office.narrowed("bia", "").await.contains(&id));
    assert_eq!(office.get(&format!("/live/waiting/{id}"), "").await.status, 404);
    assert_eq!(office.assigned(&bia, &id, &note).await.0, 409);
    let mut tables = ServiceTables::open(&office.target(), "operator_assignments", &[]).unwrap();
    let kept = tables.read("SELECT operation FROM operator_assignments", &[]).unwrap();
    assert!(kept.is_empty(), "{kept:?}");
}
