//! What the routes answer to whoever asks them by hand.

use ledger_http::{CommitSource, RemoteJournal, Token, router, world_router};
use ledger_store::{MemoryDisk, OpenError};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use axum::body::Body;
use axum::http::Request;

use crate::faults::Faults;
use crate::writer::{LIVE, OPEN, Writer, secret};

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

/// Status and body of a GET with a secret.
fn get(writer: &Writer, path: &str, secret: &str) -> (u16, Vec<u8>) {
    let url = format!("http://{}{path}", writer.address);
    let mut asked = agent().get(&url);
    if !secret.is_empty() {
        asked = asked.header("authorization", format!("Bearer {secret}"));
    }
    let mut answer = asked.call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_to_vec().unwrap())
}

fn detail(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap();
    body["detail"].as_str().unwrap().to_owned()
}

const ROUTES: [&str; 4] =
    ["/ledgers/live", "/ledgers/live/commits?after=0", "/ledgers/nobody", "/nowhere"];

#[test]
fn nobody_without_the_secret_is_answered_anything() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    writer.say(OPEN);
    let own = secret();
    let own = own.expose();
    let longer = format!("{own}x");
    for wrong in ["", "secret", &own[..own.len() - 1], &longer, &own.to_uppercase()] {
        for path in ROUTES {
            let (status, body) = get(&writer, path, wrong);
            assert_eq!(status, 401, "{path} {wrong}");
            let missing = "Authorization is missing: it is Bearer and the secret of replicas";
            let said = if wrong.is_empty() { missing } else { "this secret is not the service's" };
            assert_eq!(detail(&body), said, "{path}");
        }
        let url = format!("http://{}/ledgers/live/values", writer.address);
        let asked = agent().post(&url).header("authorization", format!("Bearer {wrong}"));
        assert_eq!(asked.send_json(json!({ "tokens": [] })).unwrap().status(), 401, "{wrong}");
    }
    let source = CommitSource::new(&format!("http://{}", writer.address), Token::random().unwrap());
    match RemoteJournal::open(&source.unwrap(), LIVE).unwrap_err() {
        OpenError::Unreachable { server, source } => {
            assert!(server.contains("127.0.0.1"), "{server}");
            assert!(source.to_string().contains("does not take the secret (401)"), "{source}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_asked_for_wrongly_is_named() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    writer.say(OPEN);
    let own = secret();
    for (path, status, said) in [
        ("/ledgers/live/commits?after=2", 409, "record 2 is not there: the journal ends at 1"),
        ("/ledgers/live/commits?after=18446744073709551615", 409, "is not there"),
        ("/ledgers/live/commits?after=2&wait=5", 409, "is not there"),
        ("/ledgers/live/commits?after=-1", 400, "after must be"),
        ("/ledgers/live/commits?rows=0", 400, "rows must be"),
        ("/ledgers/live/commits?rows=65", 400, "rows must be"),
        ("/ledgers/live/commits?wait=31", 400, "wait must be"),
        ("/ledgers/live/commits?before=1", 400, "the query may have"),
        ("/ledgers/nobody", 404, "no ledger of this service"),
        ("/ledgers/nobody/commits", 404, "no ledger of this service"),
        ("/nowhere", 404, "no such path"),
    ] {
        let (found, body) = get(&writer, path, own.expose());
        assert_eq!(found, status, "{path}");
        assert!(detail(&body).contains(said), "{path}: {}", detail(&body));
    }
    for (wrong, status) in [
        (json!({}), 400),
        (json!({ "tokens": ["ab"] }), 400),
        (json!({ "tokens": vec!["00".repeat(16); 1_001] }), 400),
    ] {
        let url = format!("http://{}/ledgers/live/values", writer.address);
        let asked = agent().post(&url).header("authorization", format!("Bearer {}", own.expose()));
        assert_eq!(asked.send_json(wrong).unwrap().status(), status);
    }
    match RemoteJournal::open(&writer.source, "nobody").unwrap_err() {
        OpenError::LedgerUnknown { name } => assert_eq!(name, "nobody"),
        other => panic!("{other}"),
    }
    for wrong in ["", "writer", "ftp://writer", "https://", "https://u:p@writer", "https://w?a=b"] {
        let error = CommitSource::new(wrong, secret()).unwrap_err();
        assert!(error.to_string().contains("no URL of a service"), "{wrong}: {error}");
    }
}

#[tokio::test]
async fn clients_and_the_world_have_no_such_routes() {
    let writer =
        tokio::task::spawn_blocking(|| Writer::start(&MemoryDisk::new(), 0, &Faults::none()));
    let writer = writer.await.unwrap();
    let own = secret();
    let world = world_router(&writer.service, own.clone());
    for routes in [router(&writer.service), world] {
        for path in &ROUTES[..2] {
            let bearer = format!("Bearer {}", own.expose());
            let request = Request::get(*path).header("authorization", bearer);
            let answer = routes.clone().oneshot(request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.unwrap().status(), 404, "{path}");
        }
    }
    tokio::task::spawn_blocking(move || drop(writer)).await.unwrap();
}

#[test]
fn a_page_has_no_more_rows_than_are_asked_for_and_ends_with_the_head() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    writer.say(OPEN);
    for number in 0..20 {
        writer.charge(number);
    }
    let own = secret();
    let length = |query: &str| {
        let (status, body) = get(&writer, &format!("/ledgers/live/commits?{query}"), own.expose());
        assert_eq!(status, 200, "{query}");
        assert!(body.starts_with(b"custody-ledger commits 1\n"), "{query}");
        body.len()
    };
    let empty = length("after=21");
    assert_eq!(empty, 25 + 32 + 8 + 32);
    assert_eq!(length("after=21&wait=1"), empty);
    assert!(empty < length("after=20") && length("after=20") == length("after=20&wait=30"));
    assert!(length("after=0&rows=1") < length("after=0&rows=2"));
    assert!(length("after=0&rows=20") < length("after=0&rows=64"));
    assert_eq!(length("after=0&rows=21"), length("rows=64"));
}
