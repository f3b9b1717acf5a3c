//! The console's days: they add up, end where the books are, and are kept as a file.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use ledger_core::accounting::Control;
use ledger_core::contract::Environment;
use ledger_http::console_router;
use serde_json::{Value, json};

use crate::house::{Answer, House, KEY, is_a_page, sent};

/// A house of the file's day, with a deposit late the next evening in Brasília, and a transfer in
/// the next month.
async fn lived_on() -> House {
    let mut house = House::lived_in().await;
    for line in [
        r#"{"at":"2026-11-22T02:29:00Z","as":"till","key":"KEY","request":"POST /cashin/charge",
            "body":{"amount_cents":250000,"destino":"saldo","customer_ref":"carla",
            "payer_tax_number":"52998224725","external_id":"deposito-2"}}"#,
        r#"{"at":"2026-11-22T02:30:00Z","fact":"pix.received","body":{
            "cashin_id":"$till.cashin_id","e2e":"E9040088820261122023000000000011",
            "amount_cents":250000}}"#,
        r#"{"at":"2026-12-02T12:00:00Z","key":"KEY","request":"POST /saldo/transferir",
            "body":{"amount_cents":100,"from_customer_ref":"carla","to_customer_ref":"bia",
            "external_id":"transf-9"}}"#,
    ] {
        house.play(&line.replace("KEY", KEY)).await;
    }
    house
}

async fn ask(house: &House, target: &str) -> Answer {
    let request = Request::get(target).header("host", "127.0.0.1:8082");
    let request = request.header("accept-language", "en").body(Body::empty()).unwrap();
    sent(console_router(&house.service, None), request).await
}

/// Smallest units of a decimal number.
fn units(text: &str) -> i128 {
    text.replace('.', "").parse().unwrap()
}

/// By period, commodity and account of the file: opening, debits, credits, closing.
fn read(csv: &str) -> BTreeMap<(String, String, String), [i128; 4]> {
    let mut lines = csv.lines();
    let head = "period,over,commodity,class,account,network,opening,debits,credits,closing,earned";
    assert_eq!(lines.next(), Some(head));
    let row = |line: &str| {
        let of: Vec<&str> = line.split(',').collect();
        let account = format!("{} {}", of[4], of[5]);
        let key = (of[0].to_owned(), of[2].to_owned(), account.trim().to_owned());
        (key, [of[6], of[7], of[8], of[9]].map(units))
    };
    lines.map(row).collect()
}

#[tokio::test]
async fn days_end_where_the_books_are_and_each_begins_where_the_one_before_ended() {
    let house = lived_on().await;
    let answer = ask(&house, "/live/days.csv?from=2026-11-01&to=2026-12-31").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/csv; charset=utf-8"));
    let found = read(&answer.text());
    let mut periods: Vec<&String> = found.keys().map(|(period, ..)| period).collect();
    periods.dedup();
    assert_eq!(periods.len(), 13, "{periods:?}");
    let key = |day: &str| (day.to_owned(), "BRL".to_owned(), "prov.pix".to_owned());
    assert_eq!(found[&key("2026-11-21")][1], 250_000, "the evening counts in Brasília");
    assert_eq!(found[&key("2026-11-22")][1], 0);
    let mut before = BTreeMap::new();
    for period in &periods {
        let mut sums = BTreeMap::<&str, i128>::new();
        let mut after = BTreeMap::new();
        for ((_, commodity, account), [opening, debits, credits, closing]) in
            found.iter().filter(|((of, ..), _)| of == *period)
        {
            assert_eq!(opening + debits - credits, *closing, "{period} {account}");
            let key = (commodity.clone(), account.clone());
            assert_eq!(before.remove(&key).unwrap_or_default(), *opening, "{period} {account}");
            *sums.entry(commodity).or_default() += closing;
            after.insert(key, *closing);
        }
        assert!(before.values().all(|amount| *amount == 0), "{period} {before:?}");
        assert!(sums.values().all(|sum| *sum == 0), "{period} {sums:?}");
        before = after;
    }
    let state = house
        .service
        .ledgers()
        .for_environment(Environment::Live)
        .engine()
        .committed_state()
        .await
        .unwrap();
    for control in Control::ALL {
        let key = ("BRL".to_owned(), control.name().to_owned());
        let closing = before.get(&key).copied().unwrap_or_default();
        assert_eq!(closing, -state.books.net_credit(control), "{}", control.name());
    }
}

#[tokio::test]
async fn a_day_is_a_link_and_leads_to_its_entries_and_its_file() {
    let house = lived_on().await;
    let answer = ask(&house, "/live/days?from=2026-11-20&to=2026-11-21").await;
    assert_eq!(answer.status, 200);
    is_a_page(&answer);
    let page = answer.text();
    for link in [
        "/live/days?from=2026-11-20&#38;to=2026-11-20",
        "/live/days.csv?from=2026-11-20&#38;to=2026-11-21",
        "/live/entries?account=cust.avail",
    ] {
        assert!(page.contains(link), "{link} in {page}");
    }
    let month = ask(&house, "/live/days?from=2026-11-20&to=2026-11&by=month").await.text();
    assert!(month.contains("/live/days?from=2026-11-01&#38;to=2026-11-30&#38;by=month"), "{month}");
    // The first month has no earlier one.
    assert!(!month.contains("2026-10"), "{month}");
    assert!(month.contains("from=2026-12&#38;to=2026-12&#38;by=month"), "{month}");
}

#[tokio::test]
async fn what_is_no_span_is_answered_by_a_page_that_says_so() {
    let house = House::lived_in().await;
    for (query, status) in [
        ("by=week", 400),
        ("from=yesterday", 400),
        ("from=2026-11-21&to=2026-11-20", 400),
        ("from=1970-01-01", 422),
    ] {
        for path in ["days", "days.csv"] {
            let answer = ask(&house, &format!("/live/{path}?{query}")).await;
            assert_eq!(answer.status, status, "{path} {query}");
            is_a_page(&answer);
        }
    }
    let answer = ask(&house, "/live/days?from=2027-01").await;
    assert_eq!(answer.status, 400, "the last record is earlier");
    let none = ask(&House::empty(), "/live/days").await;
    assert_eq!(none.status, 200, "of an empty ledger");
    let answer = ask(&house, "/live/days?from=2099-01&to=2099-01").await;
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("had not come so far"));
}

/// The statement of a period of an account or a customer, from its own page.
#[tokio::test]
async fn a_statement_is_kept_as_a_file_of_the_days_that_are_asked_for() {
    let house = lived_on().await;
    let page = ask(&house, "/live/accounts/loja?customer=carla").await.text();
    assert!(page.contains("action=\"/live/accounts/loja/statement/file\""), "{page}");
    let file = async |query: &str| {
        ask(&house, &format!("/live/accounts/loja/statement/file?customer=carla&{query}")).await
    };
    let csv = file("from=2026-11-20&to=2026-12&as=csv").await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"statement.csv\"");
    let rows = csv.text().lines().count() - 1;
    let parts = [("2026-11-20", "2026-11-21"), ("2026-11-22", "2026-12-31")];
    let mut of_parts = 0;
    for (from, to) in parts {
        let part = file(&format!("from={from}&to={to}&as=csv")).await.text();
        of_parts += part.lines().count() - 1;
    }
    assert!(rows >= 2 && rows == of_parts, "{rows} {of_parts}");
    let ofx = file("from=2026-11-20&to=2026-12&as=ofx").await;
    assert_eq!((ofx.status, ofx.header("content-type")), (200, "application/x-ofx"));
    let ofx: String = ofx.bytes.iter().copied().map(char::from).collect();
    assert_eq!(ofx.matches("<FITID>").count(), rows, "{ofx}");
    let html = file("from=2026-11-20&to=2026-12&as=html").await;
    assert_eq!(html.status, 200);
    is_a_page(&html);
    assert_eq!(html.text().matches("<tr><td>").count(), rows);
    for (query, status) in [
        ("from=yesterday&to=2026-11&as=csv", 400),
        ("from=2026-11&to=2026-11&as=pdf", 400),
        ("from=2026-11&as=csv", 400),
    ] {
        assert_eq!(file(query).await.status, status, "{query}");
    }
    let nobody =
        "/live/accounts/loja/statement/file?customer=nobody&from=2026-11&to=2026-11&as=csv";
    assert_eq!(ask(&house, nobody).await.status, 404);
}

/// The facts of the page's section on closing, each a row of two cells.
async fn closing(house: &House) -> String {
    let page = ask(house, "/live/days").await.text();
    let (_, section) = page.split_once("Close</h2>").unwrap_or_else(|| panic!("{page}"));
    section.split_once("</section>").unwrap().0.to_owned()
}

#[tokio::test]
async fn days_that_are_closed_are_told_with_the_checklist_of_the_next() {
    let mut house = lived_on().await;
    let none = closing(&house).await;
    assert!(none.contains("none"), "{none}");
    for text in ["balances in each commodity", "/live/waiting", "/live/operations"] {
        assert!(none.contains(text), "{text}: {none}");
    }
    let csv = ask(&house, "/live/days.csv?from=2026-11-20&to=2026-11-20").await.text();
    let account = |line: &str| {
        let of: Vec<&str> = line.split(',').collect();
        let above = |text: &str| (units(text) > 0).then(|| text.to_owned());
        json!({
            "name": of[4], "debits": above(of[7]), "credits": above(of[8]),
            "asset": Some(of[2]).filter(|asset| *asset != "BRL"),
            "chain": Some(of[5]).filter(|network| !network.is_empty()),
            "opening_debit": above(of[6]), "opening_credit": of[6].strip_prefix('-'),
        })
    };
    let accounts: Vec<Value> = csv.lines().skip(1).map(account).collect();
    let close = json!({
        "at": "2026-12-02T12:01:00Z", "fact": "day.closed", "body": {
            "id": "c-1", "day": "2026-11-20", "accounts": accounts,
            "actor": "bia", "reason": "close of the day",
        },
    });
    house.play(&close.to_string()).await;
    let one = closing(&house).await;
    for text in ["2026-11-20 – 2026-11-20", "custody-ledger close 2026-11-21"] {
        assert!(one.contains(text), "{text}: {one}");
    }
}
