//! A witness and tiles over HTTP, and the files of tiles.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use ledger_proofs::Hash;
use ledger_witness::tiles::{Tile, TilesError, export};
use ledger_witness::{
    Exchange, NotCosigned, WitnessClient, origin_hash, tiles_router, witness_router,
};
use tower::ServiceExt as _;

use crate::log::{Log, ORIGIN, sign, witness_in};

/// The status, the type and the body of an answer.
async fn answer(routes: &Router, request: Request<Body>) -> (u16, String, Vec<u8>) {
    let response = routes.clone().oneshot(request).await.unwrap();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.map_or(String::new(), |kind| kind.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    (status, kind, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn a_witness_answers_over_http_and_its_operator_hears_of_forks() {
    let folder = tempfile::tempdir().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let routes = witness_router(witness_in(&folder.path().join("w")).into(), move |handled| {
        let fork = handled.evidence.as_ref().is_some_and(|left| left.is_fork);
        told.lock().unwrap().push((handled.answer.status(), fork));
    });
    let (log, fork) = (Log::new(9, 0), Log::new(9, 7));
    let post = |body: String| Request::post("/add-checkpoint").body(Body::from(body)).unwrap();
    let monitored = format!("/{}/checkpoint", origin_hash(ORIGIN));
    assert_eq!(answer(&routes, get(&monitored)).await.0, 404);
    assert_eq!(answer(&routes, post(log.request(0, 5).to_string())).await.0, 200);
    let (status, kind, body) = answer(&routes, post(fork.request(0, 5).to_string())).await;
    assert_eq!((status, &*kind, &*body), (409, "text/x.tlog.size", &b"5\n"[..]));
    assert_eq!(answer(&routes, post("x".repeat(100_000))).await.0, 413);
    assert_eq!(answer(&routes, get("/add-checkpoint")).await.0, 405);
    assert_eq!(answer(&routes, get(&monitored)).await.0, 200);
    assert_eq!(*heard.lock().unwrap(), [(200, false), (409, true)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_asks_a_witness_over_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let witness = Arc::new(witness_in(&folder.path().join("w")));
    let key = witness.public();
    let routes = Router::new().nest("/prefix", witness_router(witness, |_| ()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/prefix/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let (client, log) = (WitnessClient::new().unwrap(), Log::new(50, 0));
    for (size, cosigned) in [(20, 0), (50, 0), (50, 50)] {
        let note = log.checkpoint(size);
        let exchange = Exchange::new(&note, &key, cosigned).unwrap();
        let prove = |old| Ok::<Vec<Hash>, std::io::Error>(log.proof(old, size));
        client.ask(&url, exchange, prove).await.unwrap();
    }
    let note = log.checkpoint(50);
    let ask = |url: &'static str| {
        let exchange = Exchange::new(&note, &key, 50).unwrap();
        client.ask(url, exchange, |old| Ok::<Vec<Hash>, std::io::Error>(log.proof(old, 50)))
    };
    let away = ask("http://127.0.0.1:1/").await.unwrap_err();
    assert!(matches!(away, NotCosigned::Unreachable(_)), "{away}");
}

#[test]
fn a_tree_has_the_tiles_of_the_specification_s_example() {
    let count = |size: u64| {
        let mut widths = BTreeMap::<(u8, bool), Vec<u64>>::new();
        for tile in Tile::of_tree(size) {
            widths.entry((tile.level, tile.width == 256)).or_default().push(tile.width);
        }
        widths
    };
    let example = count(70_000);
    assert_eq!((example[&(0, true)].len(), &*example[&(0, false)]), (273, &[112][..]));
    assert_eq!((example[&(1, true)].len(), &*example[&(1, false)]), (1, &[17][..]));
    assert_eq!((example.len(), &*example[&(2, false)]), (5, &[1][..]));
    let small = count(256);
    assert_eq!((small[&(0, true)].len(), &*small[&(1, false)]), (1, &[1][..]));
    assert_eq!((small.len(), count(0).len()), (2, 0));
    for wrong in [
        "tile/0/0",
        "tile/00/000",
        "tile/0/1234",
        "tile/0/x000/001",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/../checkpoint",
        "tile/entries/000",
        "0/000",
    ] {
        assert!(wrong.parse::<Tile>().is_err(), "{wrong}");
    }
}

/// Every file under a folder, by its path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                all.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    all
}

/// Writes the tiles of the first leaves of a log.
fn write(log: &Log, size: u64, folder: &Path) -> Result<u64, TilesError> {
    export(&mut log.stored.clone(), &log.checkpoint(size), folder)
}

#[test]
fn tiles_that_grew_are_those_that_are_written_at_once() {
    let (folder, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let log = Log::new(70_000, 0);
    let written: Vec<u64> = [1, 200, 256, 700, 70_000]
        .into_iter()
        .map(|size| write(&log, size, folder.path()).unwrap())
        .collect();
    assert_eq!(written[..4], [1, 1, 2, 3]);
    write(&log, 70_000, whole.path()).unwrap();
    let (grown, at_once) = (files(folder.path()), files(whole.path()));
    // What was partial on the way and has its full tile is gone.
    assert_eq!(grown, at_once);
    assert_eq!(at_once.len(), 1 + 274 + 2 + 1);
    assert_eq!(at_once["tile/0/001"].len(), 8_192);
}

#[test]
fn a_folder_of_another_tree_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let (log, fork) = (Log::new(600, 0), Log::new(600, 7));
    write(&log, 500, folder.path()).unwrap();
    let before = files(folder.path());
    let refused = write(&fork, 600, folder.path()).unwrap_err();
    assert!(matches!(refused, TilesError::OtherFolder(_)), "{refused}");
    let older = write(&log, 400, folder.path()).unwrap_err();
    assert!(matches!(older, TilesError::OtherFolder(_)), "{older}");
    let lie = sign(&format!("{ORIGIN}\n600\n{}\n", fork.root(600).base64()));
    let refused = export(&mut log.stored.clone(), &lie, folder.path()).unwrap_err();
    assert!(matches!(refused, TilesError::OtherTree { size: 600 }), "{refused}");
    assert_eq!(files(folder.path()), before);
}

#[tokio::test]
async fn tiles_are_served_by_their_own_paths_alone() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = folder.path().join("tiles");
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    let log = Log::new(300, 0);
    write(&log, 300, &tiles).unwrap();
    let routes = tiles_router(&tiles);
    let (status, kind, body) = answer(&routes, get("/checkpoint")).await;
    assert_eq!((status, &*kind), (200, "text/plain; charset=utf-8"));
    assert_eq!(String::from_utf8(body).unwrap(), log.checkpoint(300).to_string());
    let (status, kind, body) = answer(&routes, get("/tile/0/001.p/44")).await;
    assert_eq!((status, &*kind, body.len()), (200, "application/octet-stream", 44 * 32));
    for missing in [
        "/tile/0/001",
        "/tile/0/../../secret",
        "/tile/0/%2e%2e/%2e%2e/%2e%2e/secret",
        "/tile/entries/000",
        "/secret",
        "/tile/0/000.p/44",
    ] {
        assert_eq!(answer(&routes, get(missing)).await.0, 404, "{missing}");
    }
}
