//! Who may ask what: every route of every listener by every role, with the status of each answer,
//! and what each role reads in clear.

mod asking;
mod building;
mod callers;
mod planted;
mod routes;
mod samples;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use axum::body::Body;
use axum::http::Request;
use ledger_core::contract::Access;
use ledger_http::console_router;
use ledger_http::documents::operations::operations;

use crate::house::sent_from;
use building::Building;
use callers::{Caller, Listener};
use samples::samples;

/// Columns of the first part of a row.
const WIDTH: usize = 51;

/// A row of a table: what it is about, and a cell for each caller.
fn row(what: &str, cells: impl IntoIterator<Item = String>) -> String {
    let mut line = format!("{what:<WIDTH$}");
    for cell in cells {
        write!(line, "{cell:>4}").expect("a string takes it");
    }
    line + "\n"
}

fn heading(what: &str) -> String {
    row(what, Caller::ALL.map(|caller| caller.letter().to_string()))
}

/// Compares a table with its file, which a person has looked through.
fn is_as_stated(file: &str, made: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/rights");
    let path = format!("{folder}/{file}");
    if std::env::var("GOLDEN").is_ok_and(|mode| mode == "write") {
        std::fs::write(&path, made).expect("the table is written");
    }
    let stated = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = made.lines().zip(stated.lines()).filter(|(made, stated)| made != stated);
    let differing: Vec<_> = differing.map(|(made, stated)| format!("{made}\n{stated}")).collect();
    assert!(
        made == stated,
        "{file} states otherwise, each row here first:\n{}\nif it is right, look the file through \
         after GOLDEN=write cargo test -p ledger-http --test pages rights",
        differing.join("\n")
    );
}

#[tokio::test]
async fn every_route_has_a_row_and_every_row_a_route() {
    let building = Building::open().await;
    for listener in Listener::ALL {
        let declared: BTreeSet<_> =
            routes::declared(&building.routers[&listener]).into_iter().collect();
        let of_listener = samples().filter(|sample| sample.listener == listener);
        let asked: BTreeSet<_> = of_listener.map(|sample| sample.route()).collect();
        assert_eq!(declared, asked, "{listener:?}: on the left declared, on the right asked for");
        assert!(!declared.is_empty(), "{listener:?}");
    }
}

#[tokio::test]
async fn every_role_is_answered_on_every_route_as_the_table_states() {
    let building = Building::open().await;
    let mut table = String::from(callers::LEGEND);
    let mut last = None;
    for sample in samples() {
        if last != Some(sample.listener) {
            table += "\n";
            table += &heading(sample.listener.title());
            last = Some(sample.listener);
        }
        let mut statuses = Vec::new();
        for caller in Caller::ALL {
            let answer = building.ask(caller, &sample, "*/*").await;
            assert!(answer.status < 500, "{caller:?} {}: {}", sample.route(), answer.text());
            statuses.push(answer.status.to_string());
        }
        table += &row(&sample.name(), statuses);
    }
    is_as_stated("statuses.txt", &table);
}

/// The contract's own routes ask for the key of an account, which none of these is.
#[tokio::test]
async fn no_role_passes_for_the_key_of_an_account() {
    let building = Building::open().await;
    for operation in operations() {
        let path = operation.path.replace(['{', '}'], "x");
        for caller in Caller::ALL {
            let credential = building.credential(caller).unwrap_or_default();
            let request = Request::builder()
                .method(operation.method.name())
                .uri(&path)
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {credential}"))
                .header("x-api-key", credential);
            let request = request.body(Body::from("{}")).unwrap();
            let answer = building.send(Listener::Clients, request).await;
            let is_open = operation.shape.access == Access::Anybody;
            assert_eq!(answer.status == 401, !is_open, "{caller:?} {path}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn a_console_without_a_token_lets_this_machine_do_what_the_token_lets() {
    let building = Building::open().await;
    let reads =
        |sample: &samples::Sample| sample.listener == Listener::Console && sample.method == "GET";
    for sample in samples().filter(reads) {
        let with_token = building.ask(Caller::Console, &sample, "*/*").await;
        for (host, passes) in [("localhost:8082", true), ("inner.example.com", false)] {
            let request = Request::get(building.filled(Caller::Console, sample.target, ""))
                .header("host", host)
                .body(Body::empty())
                .unwrap();
            let routes = console_router(&building.house.service, None);
            let answer = sent_from(building.next_peer(), routes, request).await;
            let status = if passes { with_token.status } else { 403 };
            assert_eq!(answer.status, status, "{host} {}", sample.route());
        }
    }
}

#[tokio::test]
async fn every_role_reads_in_clear_what_the_table_states_and_nothing_else() {
    let building = Building::open().await;
    let secrets = planted::secrets(&building);
    let mut table = String::from(callers::LEGEND);
    table += "\n";
    table += &heading("What is read in clear");
    let mut seen = Vec::new();
    for caller in Caller::ALL {
        seen.push(building.read_by(caller).await);
    }
    for (name, texts) in &secrets {
        let cells = seen.iter().map(|answers| {
            let shows = answers.iter().any(|(_, text)| texts.iter().any(|it| text.contains(it)));
            if shows { "yes" } else { "-" }.to_owned()
        });
        table += &row(name, cells);
    }
    let shown = |(caller, answers): (&Caller, &Vec<(String, String)>)| {
        let by = |(name, texts): &(&str, Vec<String>)| {
            let has = |text: &String| texts.iter().any(|it| text.contains(it));
            let places = answers.iter().filter(|(_, text)| has(text)).map(|(place, _)| &**place);
            let places: BTreeSet<_> = places.collect();
            format!("{caller:?} reads {name} in {places:?}")
        };
        secrets.iter().map(by).collect::<Vec<_>>()
    };
    // Where it was read, for whoever looks into a difference.
    let places: Vec<_> = Caller::ALL.iter().zip(&seen).flat_map(shown).collect();
    println!("{}", places.join("\n"));
    is_as_stated("reads.txt", &table);
}
