//! A ledger whose store takes no commit, as a full disk does: who asks is told what is so.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use ledger_http::documents::Config;
use ledger_http::{Ledgers, OpenLedger, Service, Token, console_router, world_router};
use ledger_store::engine::Engine;
use ledger_store::journal::AppendFault;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};

use crate::house::{Answer, BASE, sent};

/// A service whose live ledger's store refuses every append.
fn full() -> Service {
    let open = |name: &str| {
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let journal = MemoryJournal::open(&MemoryDisk::new(), name, mode).unwrap();
        let faults = journal.faults();
        let engine = Engine::builder(name).start(Box::new(journal)).unwrap();
        (OpenLedger::new(Arc::new(engine)).unwrap(), faults)
    };
    let ((live, faults), (sandbox, _)) = (open("live"), open("sandbox"));
    let next = faults.appends() + 1;
    (next..next + 1_000).for_each(|append| faults.at(append, AppendFault::Refused));
    let service = Service::builder(Ledgers::new(live, sandbox)).documents(Config::at(BASE));
    service.build().unwrap()
}

async fn reported(service: &Service) -> Answer {
    let request = Request::post("/facts/account.opened").header("content-type", "application/json");
    let body = Body::from(r#"{"id":"o-1","account":"loja"}"#);
    sent(world_router(service, None::<Token>), request.body(body).unwrap()).await
}

async fn get(routes: Router, target: &str, accept: &str) -> Answer {
    let request = Request::get(target).header("host", "127.0.0.1:8082").header("accept", accept);
    let request = request.header("accept-language", "en").header("x-api-key", "svc_live_loja");
    sent(routes, request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn whoever_opens_the_console_after_the_disk_filled_is_told_why_and_what_to_do() {
    let service = full();
    assert_eq!(reported(&service).await.status, 503);
    for (target, accept) in [
        ("/live/", "text/html"),
        ("/live/waiting", "text/plain"),
        ("/live/solvency", "text/html"),
        ("/live/records", "text/html"),
    ] {
        let answer = get(console_router(&service, None), target, accept).await;
        let text = answer.text();
        assert_eq!(answer.status, 200, "{target}: {text}");
        for said in ["live: nothing is written", "custody-ledger runbook CommitsFailing"] {
            assert!(text.contains(said), "{target}: no {said}: {text}");
        }
    }
}

#[tokio::test]
async fn a_fact_without_an_answer_is_not_told_of_an_external_id() {
    let service = full();
    let fact = reported(&service).await.body();
    let again = "whether it was recorded is not known: send it again as it was";
    assert_eq!(fact["erro"], "temporariamente_indisponivel", "{fact}");
    assert_eq!(fact["detail"], again);
}
