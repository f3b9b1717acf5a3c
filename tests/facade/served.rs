//! The contract over HTTP, of ledgers that a service has open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use custody_ledger::http::router;
use custody_ledger::{Ledger, ServeError};

use super::shop::{Shop, ana};

fn sandbox() -> Ledger {
    Ledger::builder("memory:").sandbox(7).tick(None).open().wait().unwrap()
}

/// The answer to one request, whole.
async fn answer_to(address: std::net::SocketAddr, head: &'static str) -> String {
    let ask = move || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(head.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    tokio::task::spawn_blocking(ask).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_open_ledger_is_asked_over_http_beside_its_own_service() {
    let shop = tokio::task::spawn_blocking(|| {
        let shop = Shop::built(Ledger::builder("memory:").outbox());
        shop.collect(&ana(), 1_234, 1);
        Arc::new(shop)
    });
    let shop = shop.await.unwrap();
    let test = tokio::task::spawn_blocking(sandbox).await.unwrap();
    let service = shop.ledger.http(&test).await.unwrap().build().unwrap();
    let routes = axum::Router::new().nest("/ledger", router(&service));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async { axum::serve(listener, routes).await });
    let answer = answer_to(
        address,
        "GET /ledger/saldo?customer_ref=ana HTTP/1.1\r\nhost: here\r\nx-api-key: svc_live_loja\r\n\
         connection: close\r\n\r\n",
    );
    let answer = answer.await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // The account takes a fee of R$ 1.00.
    assert!(answer.contains("\"disponivel_cents\":1134"), "{answer}");
    let refused = "GET /ledger/saldo HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n";
    assert!(answer_to(address, refused).await.starts_with("HTTP/1.1 401"));
    serving.abort();
    let head = tokio::task::spawn_blocking(move || shop.ledger.shutdown()).await.unwrap();
    assert!(head.unwrap().seq > 0);
}

#[test]
fn a_ledger_in_place_of_one_of_another_environment_is_refused() {
    let (live, test) = (Ledger::open("memory:").wait().unwrap(), sandbox());
    let swapped = test.http(&live).wait().unwrap_err();
    assert!(matches!(swapped, ServeError::Environment { .. }), "{swapped}");
    assert!(live.http(&live).wait().is_err());
    assert!(live.http(&test).wait().is_ok());
}
