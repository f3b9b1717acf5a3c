//! Persons erased, held and released by operators with the role `hold`: tried first, refused while
//! a legal hold is in force, and kept with who did it and why.

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;
use ledger_http::operators::Role;
use ledger_store::ServiceTables;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;
use serde_json::{Value, json};

use crate::decisions::Office;
use crate::house::sent;

const CPF: &str = "52998224725";

impl Office {
    async fn tried(&self, credential: &str, name: &str, body: &Value) -> (u16, Value) {
        let answer = self.submit(credential, name, body, true).await;
        (answer.status, answer.body())
    }

    async fn done(&self, credential: &str, name: &str, body: &Value) -> (u16, Value) {
        let answer = self.decide(credential, name, body).await;
        (answer.status, answer.body())
    }

    /// Everything kept of the person whose payout and charge the office has.
    async fn dossier(&self, credential: &str) -> Value {
        let request = Request::get(format!("/live/person?document={CPF}"))
            .header("host", "127.0.0.1:8082")
            .header("accept", "application/json")
            .header("authorization", format!("Bearer {credential}"));
        let request = request.body(Body::empty()).unwrap();
        let answer = sent(console_router(&self.house.service, None), request).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.body()
    }
}

fn erased(id: &str) -> Value {
    json!({ "id": id, "document": "529.982.247-25", "reason": "request 17" })
}

#[tokio::test]
async fn a_person_is_erased_once_shown_what_goes_and_what_stays() {
    let office = Office::open().await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let stood = office.head();
    let (status, tried) = office.tried(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!(status, 200, "{tried}");
    let kinds: Vec<&Value> =
        tried["person"]["values"].as_array().unwrap().iter().map(|value| &value["kind"]).collect();
    assert_eq!(kinds, ["document"], "{tried}");
    assert!(tried["person"]["records_that_stay"].as_u64().unwrap() >= 2, "{tried}");
    let open = tried["person"]["open_operations"].as_array().unwrap();
    assert!(open.contains(&json!(office.id("payout", "payout_id"))), "{tried}");
    assert!(!tried.to_string().contains(CPF), "{tried}");
    assert_eq!(office.dossier(&caio).await["values"][0]["value"], CPF, "it was tried alone");
    for (credential, body, status) in [
        (&bia, erased("e-1"), 403),
        (&caio, json!({ "id": "e-2", "reason": "request 17" }), 400),
        (&caio, json!({ "id": "e-2", "document": "1", "reason": "request 17" }), 400),
        (&caio, json!({ "id": "e-2", "document": CPF }), 400),
        // What is kept in clear names nobody.
        (&caio, json!({ "id": "e-2", "document": CPF, "reason": "of 529.982.247-25" }), 400),
        (&caio, json!({ "id": "e-2", "document": "11144477735", "reason": "nobody" }), 409),
    ] {
        let (found, answer) = office.done(credential, "person.erased", &body).await;
        assert_eq!(found, status, "{answer}");
    }
    let (status, done) = office.done(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!((status, &done["outcome"]), (200, &json!("applied")), "{done}");
    assert_eq!(done["erased"][0]["kind"], "document", "{done}");
    let dossier = office.dossier(&caio).await;
    assert_eq!(dossier["values"][0]["value"], Value::Null, "{dossier}");
    assert_eq!(dossier["erasures"][0]["kind"], "document", "{dossier}");
    // Said again it was done once; said otherwise under its id it is refused.
    let (_, again) = office.done(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!(again["outcome"], "known", "{again}");
    let other = json!({ "id": "e-1", "document": CPF, "reason": "another" });
    assert_eq!(office.done(&caio, "person.erased", &other).await.0, 409);
    assert_eq!(office.head(), stood, "nothing is recorded of it");
    let cookie = office.signed_in(&caio).await;
    let page = office.get("/live/person", &cookie).await.text();
    for said in ["person.erased", "request 17", ">caio<", ">done<"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!office.get("/live/person", "").await.text().contains("request 17"));
}

#[tokio::test]
async fn whom_a_legal_hold_covers_is_not_erased_until_it_is_released() {
    let office = Office::open().await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let held = json!({ "id": "h-1", "hold": "case 0012", "document": CPF, "reason": "a court" });
    let (_, tried) = office.tried(&caio, "person.held", &held).await;
    assert_eq!(tried["outcome"], "applied", "{tried}");
    assert_eq!(office.dossier(&caio).await["legal_holds"], json!([]), "it was tried alone");
    let (status, done) = office.done(&caio, "person.held", &held).await;
    assert_eq!((status, &done["held"]), (200, &json!("case 0012")), "{done}");
    let again = json!({ "id": "h-2", "hold": "case 0012", "document": CPF, "reason": "again" });
    assert_eq!(office.done(&caio, "person.held", &again).await.0, 409, "the name was used");
    for answer in [
        office.tried(&caio, "person.erased", &erased("e-1")).await,
        office.done(&caio, "person.erased", &erased("e-1")).await,
    ] {
        assert!(answer.0 == 409 && answer.1.to_string().contains("case 0012"), "{answer:?}");
    }
    let dossier = office.dossier(&caio).await;
    assert_eq!(dossier["values"][0]["value"], CPF);
    assert_eq!(dossier["legal_holds"][0]["placed"]["actor"], "caio", "{dossier}");
    let released = json!({ "id": "r-1", "hold": "case 0012", "reason": "the case is closed" });
    let unknown = json!({ "id": "r-1", "hold": "case 0013", "reason": "the case is closed" });
    assert_eq!(office.done(&caio, "person.released", &unknown).await.0, 404);
    assert_eq!(office.done(&caio, "person.released", &released).await.0, 200);
    assert_eq!(office.done(&caio, "person.erased", &erased("e-1")).await.0, 200);
}

#[tokio::test]
async fn an_erasure_waits_for_a_second_operator_where_the_policy_says_so() {
    let office = Office::wanting("person.erased").await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let dora = office.hired("dora", &[Role::HoldFunds]);
    let (_, proposed) = office.done(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!(proposed["outcome"], "proposed", "{proposed}");
    assert_eq!(office.dossier(&caio).await["values"][0]["value"], CPF);
    assert_eq!(office.done(&caio, "person.erased", &erased("e-1")).await.1["outcome"], "proposed");
    let page = office.get("/live/waiting", "").await.text();
    assert!(page.contains("decision=person.erased&#38;proposal=e-1"), "{page}");
    assert!(!page.contains(CPF) && !page.contains("529.982.247-25"), "{page}");
    let (status, done) = office.done(&dora, "person.erased", &erased("e-1")).await;
    assert_eq!((status, &done["outcome"]), (200, &json!("applied")), "{done}");
    assert_eq!(office.dossier(&dora).await["values"][0]["value"], Value::Null);
    let cookie = office.signed_in(&dora).await;
    assert!(office.get("/live/person", &cookie).await.text().contains(">caio, dora<"));
    assert!(!office.get("/live/waiting", "").await.text().contains("proposal=e-1"));
}

#[tokio::test]
async fn the_console_leads_from_a_person_to_what_may_be_decided_of_them() {
    let office = Office::open().await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let cookie = office.signed_in(&caio).await;
    let page = office.get(&format!("/live/person?document={CPF}"), &cookie).await.text();
    let link = format!("/live/decide?decision=person.erased&#38;document={CPF}");
    assert!(page.contains(&link), "{page}");
    let form = office.get(&link.replace("&#38;", "&"), &cookie).await.text();
    let token = form.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let said = format!(
        "token={token}&decision=person.erased&id=e-1&document={CPF}&reason=request+17&step="
    );
    let origin = (crate::deciding::ORIGIN, &*cookie);
    let shown = office.post("/live/decide", origin, &said).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    for text in ["What it is about", "document", "a journal is never rewritten", "po_"] {
        assert!(shown.text().contains(text), "{text}: {}", shown.text());
    }
    let done = office.post("/live/decide", origin, &format!("{said}confirm")).await;
    assert_eq!((done.status, done.header("location")), (303, "/live/person"), "{}", done.text());
    assert_eq!(office.dossier(&caio).await["values"][0]["value"], Value::Null);
}

#[tokio::test]
async fn an_erasure_through_the_service_is_certified_as_one_in_a_store() {
    let key = Signer::new("ledger.example.com", [7; 32]).unwrap();
    let office = Office::signing(key.clone()).await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let head = office.head();
    let (_, tried) = office.tried(&caio, "person.erased", &erased("e/1")).await;
    assert_eq!(tried.get("certificate"), None, "{tried}");
    let (_, done) = office.done(&caio, "person.erased", &erased("e/1")).await;
    let path = "/live/person/certificates/e%2F1";
    assert_eq!(done["certificate"], path, "{done}");
    let (_, again) = office.done(&caio, "person.erased", &erased("e/1")).await;
    assert_eq!(again, json!({ "outcome": "known", "certificate": path }));
    // The page that follows leads to it.
    let cookie = office.signed_in(&caio).await;
    let page = office.get("/live/person", &cookie).await.text();
    assert!(page.contains(&format!("<a href=\"{path}\">e/1.erased</a>")), "{page}");
    let file = office.get(path, &cookie).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"e-1.erased\"");
    assert_eq!(file.header("cache-control"), "no-store");
    let notes = Note::all(&file.text());
    let [note] = &notes[..] else { panic!("one certificate: {}", file.text()) };
    assert_eq!(note.verify(&key.of_ledger("live", "live").verifier()), Ok(()));
    let line = |name: &str| note.text.lines().find_map(|line| line.strip_prefix(name));
    let said = ["ledger ", "by ", "reason ", "records "].map(line);
    let head = head.to_string();
    assert_eq!(said, [Some("live"), Some("caio"), Some("request 17"), Some(&*head)]);
    let value = &done["erased"][0];
    let (kind, token) = (value["kind"].as_str().unwrap(), value["token"].as_str().unwrap());
    let value = line(&format!("erased {kind} {token} "));
    assert!(value.is_some_and(|records| records.parse::<u64>().unwrap() >= 2), "{}", note.text);
    assert!(!file.text().contains(CPF), "{}", file.text());
    for (cookie, status) in [(String::new(), 403), (office.signed_in(&bia).await, 403)] {
        assert_eq!(office.get(path, &cookie).await.status, status);
    }
    assert_eq!(office.get("/live/person/certificates/e-2", &cookie).await.status, 404);
    assert_eq!(office.get("/sandbox/person/certificates/e%2F1", &cookie).await.status, 404);
}

#[tokio::test]
async fn a_certificate_without_a_key_is_unsigned_and_of_both_who_decided() {
    let office = Office::wanting("person.erased").await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let dora = office.hired("dora", &[Role::HoldFunds]);
    let (_, proposed) = office.done(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!(proposed.get("certificate"), None, "{proposed}");
    let cookie = office.signed_in(&dora).await;
    let path = "/live/person/certificates/e-1";
    assert_eq!(office.get(path, &cookie).await.status, 404, "it waits");
    let (_, done) = office.done(&dora, "person.erased", &erased("e-1")).await;
    assert_eq!(done["certificate"], path, "{done}");
    let text = office.get(path, &cookie).await.text();
    assert!(text.starts_with("custody-ledger erasure 1\n"), "{text}");
    assert!(text.contains("\nby caio, dora\n") && Note::all(&text).is_empty(), "{text}");
}

#[tokio::test]
async fn an_erasure_that_no_certificate_can_be_kept_of_erases_nothing() {
    let office = Office::open().await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let mut tables = ServiceTables::open(&office.target(), "operator_certificates", &[]).unwrap();
    let broken = "ALTER TABLE operator_certificates RENAME COLUMN certificate TO other";
    tables.write(&[(broken.to_owned(), Vec::new())]).unwrap();
    let (status, answer) = office.done(&caio, "person.erased", &erased("e-1")).await;
    assert_eq!(status, 503, "{answer}");
    assert_eq!(office.dossier(&caio).await["values"][0]["value"], CPF);
}

#[tokio::test]
async fn what_operators_wrote_of_a_person_stands_in_the_dossier_until_erased() {
    let office = Office::wanting("person.erased").await;
    let caio = office.hired("caio", &[Role::HoldFunds]);
    let dora = office.hired("dora", &[Role::HoldFunds]);
    let (waits, payout) = (office.id("waits", "suspense_id"), office.id("payout", "payout_id"));
    let named = json!({ "with": "me", "note": "asked of 529.982.247-25" });
    assert_eq!(office.assigned(&caio, waits, &named).await.0, 200);
    let nameless = json!({ "with": "nobody", "note": "asks the bank" });
    assert_eq!(office.assigned(&caio, payout, &nameless).await.0, 200);
    office.done(&caio, "person.erased", &erased("e-1")).await;
    let dossier = office.dossier(&caio).await;
    let of = |name: &str, field: &str| -> Vec<Value> {
        let all = dossier[name].as_array().unwrap().iter();
        all.map(|it| json!([it[field], it["names_person"]])).collect()
    };
    let mut notes = of("notes", "note");
    notes.sort_by_key(Value::to_string);
    assert_eq!(notes, [json!(["asked of 529.982.247-25", true]), json!(["asks the bank", false])]);
    assert_eq!(of("proposals", "id"), [json!(["e-1", true])], "{dossier}");
    assert_eq!(dossier["proposals"][0]["body"]["document"], "529.982.247-25", "{dossier}");
    let cookie = office.signed_in(&caio).await;
    let page = office.get(&format!("/live/person?document={CPF}"), &cookie).await.text();
    let link = format!("<a href=\"/live/operations/{payout}\">{payout}</a>");
    for said in ["Notes of the inbox", "asks the bank", "Proposed decisions", &*link] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains("/live/operations/e-1"), "a proposal is no operation: {page}");
    // A dry run says what goes and what stays; the erasure does so.
    let (_, tried) = office.tried(&dora, "person.erased", &erased("e-1")).await;
    let words = ["words_of_operators", "words_that_stay"].map(|name| &tried["person"][name]);
    assert_eq!(words, [&json!(2), &json!(1)], "{tried}");
    assert_eq!(office.done(&dora, "person.erased", &erased("e-1")).await.1["outcome"], "applied");
    let dossier = office.dossier(&dora).await;
    assert_eq!(dossier["proposals"], json!([]), "{dossier}");
    assert!(!dossier.to_string().contains("529.982.247-25"), "{dossier}");
    let notes = dossier["notes"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["note"] == "asks the bank"), "{dossier}");
    assert!(notes.iter().all(|it| it["names_person"] == false), "{dossier}");
}
