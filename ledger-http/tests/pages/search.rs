//! Search: one box that finds whatever names a thing, and says by what.

use axum::body::Body;
use axum::http::Request;
use ledger_http::operators::Role;
use ledger_http::{console_router, world_router};
use serde_json::Value;

use crate::decisions::Office;
use crate::house::{Answer, House, is_a_page, sent};

async fn find(house: &House, ledger: &str, text: &str, headers: &[(&str, &str)]) -> Answer {
    let query: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    let mut request = Request::get(format!("/{ledger}/find?q={query}"));
    for (name, value) in [("host", "127.0.0.1:8082")].iter().chain(headers) {
        request = request.header(*name, *value);
    }
    sent(console_router(&house.service, None), request.body(Body::empty()).unwrap()).await
}

/// Returns what is found, as `matched kind id`.
async fn found(house: &House, text: &str) -> Vec<String> {
    let answer = find(house, "live", text, &[("accept", "application/json")]).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let text = |hit: &Value, name: &str| hit[name].as_str().map(str::to_owned);
    let hits = answer.body()["items"].as_array().unwrap().clone();
    let shown = hits.iter().map(|hit| {
        let id = text(hit, "id").unwrap_or_else(|| hit["id"].to_string());
        format!("{} {} {id}", text(hit, "matched").unwrap(), text(hit, "kind").unwrap())
    });
    shown.collect()
}

#[tokio::test]
async fn whatever_names_a_thing_finds_it() {
    let office = Office::open().await;
    let (payout, charge) = (office.id("payout", "payout_id"), office.id("charge", "cashin_id"));
    let suspense = office.id("waits", "suspense_id");
    let payout_by = |by: &str| vec![format!("{by} payout {payout}")];
    let suspense_by = |by: &str| vec![format!("{by} suspense {suspense}")];
    for (text, expected) in [
        (payout, payout_by("operation id")),
        (&payout[..20], payout_by("beginning of the id")),
        (&payout[..15], payout_by("beginning of the id")),
        ("saque-1", payout_by("external id")),
        (" saque-1 ", payout_by("external id")),
        ("carga-1", vec![format!("external id charge {charge}")]),
        ("loja", vec!["account account loja".to_owned()]),
        ("3", vec!["record record 3".to_owned()]),
        ("E9040088820261120120400000000001", suspense_by("PIX id")),
        ("R$ 50,00", payout_by("amount")),
        ("50.00", payout_by("amount")),
        ("100,01", suspense_by("amount")),
        ("R$ 100", vec![format!("amount charge {charge}")]),
        ("gift-1", found(&office.house, "gift-1").await),
        ("529.982.247-25", found(&office.house, "52998224725").await),
        ("50,01", Vec::new()),
        ("ana@exemplo.com", Vec::new()),
        ("52998224726", Vec::new()),
        ("po_0000000000ff", Vec::new()),
        ("<script>", Vec::new()),
        ("", Vec::new()),
    ] {
        assert_eq!(found(&office.house, text).await, expected, "{text}");
    }
    // A person stands in records by a token: whoever knows the document finds what names it.
    let of_person = found(&office.house, "52998224725").await;
    for (kind, id) in [("payout", payout), ("charge", charge)] {
        assert!(of_person.contains(&format!("person {kind} {id}")), "{of_person:?}");
    }
    let key = found(&office.house, "ana@exemplo.com.br").await;
    assert_eq!(key, payout_by("person"));
    assert!(found(&office.house, "gift-1").await[0].starts_with("fact's id adjustment "));
}

#[tokio::test]
async fn a_transaction_and_an_address_are_found_in_another_spelling() {
    let (bought, sold) = (format!("0x{}", "ab".repeat(32)), format!("0x{}", "cd".repeat(32)));
    let mut house = House::empty();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.jsonl");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        house.play(&line.replace("0xbuy", &bought).replace("0xs1", &sold)).await;
    }
    for (hash, by) in [(bought, "text of a record charge ci_"), (sold, "transaction cash_out co_")]
    {
        let as_kept = found(&house, &hash).await;
        assert!(as_kept.iter().any(|hit| hit.starts_with(by)), "{hash}: {as_kept:?}");
        let digits = hash[2..].to_uppercase();
        for other in [format!("0x{digits}"), digits] {
            assert_eq!(found(&house, &other).await, as_kept, "{other}");
        }
    }
    let as_kept = found(&house, "0x52908400098527886e0f7030069857d2e4169ee7").await;
    assert!(!as_kept.is_empty());
    let checked = found(&house, "0x52908400098527886E0F7030069857D2E4169EE7").await;
    assert_eq!(checked, as_kept);
}

#[tokio::test]
async fn one_hit_leads_straight_there_and_several_are_listed() {
    let office = Office::open().await;
    let payout = office.id("payout", "payout_id");
    let one = find(&office.house, "live", "saque-1", &[]).await;
    assert_eq!((one.status, one.header("location")), (303, &*format!("/live/operations/{payout}")));
    let several = find(&office.house, "live", "52998224725", &[("accept-language", "en")]).await;
    assert_eq!(several.status, 200);
    is_a_page(&several);
    let text = several.text();
    for said in [payout, office.id("charge", "cashin_id"), ">person<", "R$\u{a0}50.00", ">loja<"] {
        assert!(text.contains(said), "{said} in {text}");
    }
    let nothing = find(&office.house, "live", "<b>nobody</b>", &[]).await;
    assert_eq!(nothing.status, 200);
    is_a_page(&nothing);
    assert!(!nothing.text().contains("<b>nobody"));
    // One of the last requests is found by its id.
    let answered = office.house.ask("/saldo", &[("x-api-key", "svc_live_loja")]).await;
    let id = answered.header("x-request-id");
    let request = find(&office.house, "live", id, &[]).await.text();
    assert!(request.contains(&format!("/live/requests?id={id}")), "{request}");
    // A fact that was refused is no request of a client.
    let fact = Request::post("/facts/pix.recieved").body(Body::from("{}")).unwrap();
    let fact = sent(world_router(&office.house.service, None), fact).await;
    assert_eq!(fact.status, 400, "{}", fact.text());
    let page = Request::get("/live/requests").header("host", "127.0.0.1").body(Body::empty());
    let page = sent(console_router(&office.house.service, None), page.unwrap()).await.text();
    assert!(page.contains(id) && !page.contains(fact.header("x-request-id")), "{page}");
    // Another ledger has other operations; a long text is cut off.
    let other = find(&office.house, "sandbox", "saque-1", &[]).await;
    assert!(other.text().contains("/live/find?q=saque-1"), "{}", other.text());
    assert_eq!(find(&office.house, "live", &"x".repeat(5_000), &[]).await.status, 200);
}

#[tokio::test]
async fn a_search_is_logged_under_the_operators_name_and_not_by_its_text() {
    let office = Office::open().await;
    let credential = office.hired("bia", &[Role::Look]);
    let bearer = format!("Bearer {credential}");
    let asked = Request::get("/live/find?q=52998224725").header("host", "console.example");
    let asked = asked.header("authorization", bearer).body(Body::empty()).unwrap();
    let token = ledger_http::Token::new("0123456789abcdef0123456789abcdef").unwrap();
    let answer = sent(console_router(&office.house.service, Some(token)), asked).await;
    assert_eq!(answer.status, 200);
    find(&office.house, "live", "saque-1", &[]).await;
    let log = office.log();
    let searches: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line.get("search").is_some())
        .collect();
    assert_eq!(searches.len(), 2, "{log}");
    let said = |at: usize| (searches[at]["operator"].as_str(), searches[at]["person"].as_bool());
    assert_eq!((said(0), said(1)), ((Some("bia"), Some(true)), (None, Some(false))));
    assert_ne!(searches[0]["search"], searches[1]["search"]);
    assert!(!log.contains("52998224725") && !log.contains("saque-1"), "{log}");
}
