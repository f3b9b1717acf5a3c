//! The inbox of the console: what waits and what hangs, narrowed, summed, paged and kept.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;
use ledger_http::operators::Role;
use serde_json::json;

use crate::decisions::Office;
use crate::house::{Answer, House, is_a_page, sent};

async fn ask(house: &House, target: &str, language: &str) -> Answer {
    let request = Request::get(target).header("host", "127.0.0.1:8082");
    let request = request.header("accept-language", language).body(Body::empty()).unwrap();
    sent(console_router(&house.service, None), request).await
}

impl Office {
    async fn inbox(&self, query: &str) -> String {
        let answer = ask(&self.house, &format!("/live/waiting{query}"), "en").await;
        assert_eq!(answer.status, 200, "{query}");
        is_a_page(&answer);
        answer.text()
    }
}

/// The rows of the last table of a page, each its cells' texts.
fn rows(page: &str) -> Vec<Vec<String>> {
    let Some((_, table)) = page.rsplit_once("<tbody>") else { return Vec::new() };
    let table = table.split("</tbody>").next().unwrap();
    let text = |cell: &str| {
        let cell = cell.split("</td>").next().unwrap().split_once('>').unwrap().1;
        cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
    };
    let cells = |row: &str| row.split("<td").skip(1).map(text).collect();
    table.split("<tr>").skip(1).map(cells).collect()
}

#[tokio::test]
async fn what_waits_stands_with_whom_how_much_why_and_what_ends_it() {
    let office = Office::open().await;
    let page = office.inbox("").await;
    let all = rows(&page);
    assert_eq!(all.len(), 1, "the payout is eight minutes old: {page}");
    let suspense = office.id("waits", "suspense_id");
    let row: Vec<_> = all[0].iter().map(String::as_str).collect();
    let why = "Suspense: another amount than was ordered";
    let expected = [why, "100.01 BRL", "6 min", "a decision", "nobody", "loja", "", "carga-1"];
    assert_eq!((&row[..8], row[9]), (&expected[..], suspense));
    assert_eq!(row[8], "E9040088820261120120400000000001");
    let form = format!("/live/decide?decision=suspense.attached&#38;suspense_id={suspense}");
    assert!(page.contains(&form), "{page}");
    let form = ask(&office.house, &form.replace("&#38;", "&"), "en").await;
    assert_eq!(form.status, 200);
    let operation = ask(&office.house, &format!("/live/operations/{suspense}"), "en").await.text();
    for said in
        ["R$\u{a0}100.01", "another amount than was ordered", row[8], "decision=suspense.returned"]
    {
        assert!(operation.contains(said), "{said}: {operation}");
    }
}

#[tokio::test]
async fn a_payout_hangs_from_an_hour_after_its_request() {
    let office = Office::open().await;
    for (at, hangs) in [("2026-11-20T13:01:59Z", false), ("2026-11-20T13:02:00Z", true)] {
        office.set(at);
        let page = office.inbox("?kind=payout").await;
        assert_eq!(rows(&page).len(), usize::from(hangs), "{at}");
    }
    let page = office.inbox("?why=hanging").await;
    let payout = office.id("payout", "payout_id");
    let row = rows(&page).remove(0);
    let row: Vec<_> = row.iter().map(String::as_str).collect();
    let expected = [
        "PIX payout: requested for over 1 h",
        "50.00 BRL",
        "1 h",
        "the provider reports, or evidence",
        "nobody",
        "loja",
        "",
        "saque-1",
        "",
        payout,
    ];
    assert_eq!(row, expected);
    assert!(page.contains(&format!("decision=payout.evidence&#38;payout_id={payout}")), "{page}");
}

#[tokio::test]
async fn the_analysis_of_a_recovery_is_in_the_inbox_until_an_operator_decides_it() {
    let mut office = Office::open().await;
    for line in [
        r#"{"at":"2026-11-20T12:06:00Z","as":"second","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"saldo","payer_tax_number":"52998224725"}}"#,
        r#"{"at":"2026-11-20T12:07:00Z","fact":"pix.received","body":{"cashin_id":"$second.cashin_id","e2e":"E9040088820261120120700000000002","amount_cents":10000}}"#,
    ] {
        office.house.play(line).await;
    }
    let max = office.hired("max", &[Role::HoldFunds]);
    let charge = office.id("second", "cashin_id").to_owned();
    let about = |id: &str, more: serde_json::Value| {
        let mut body = json!({ "id": id, "recovery_id": "med 7", "cashin_id": charge,
            "reason": "the bank asks" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let amount = |cents: i64| json!({ "amount_cents": cents });
    let opened = office.decide(&max, "recovery.opened", &about("r-1", amount(7_000))).await;
    assert_eq!((opened.status, &opened.body()["outcome"]), (200, &json!("applied")));
    for (at, age, why) in [
        ("2026-11-27T12:09:59Z", "0 s", "until 2026-11-27 09:10:00"),
        ("2026-11-30T12:10:00Z", "3 d", "overdue since 2026-11-27 09:10:00"),
    ] {
        office.set(at);
        let page = office.inbox("?kind=charge&account=loja").await;
        let row = rows(&page).remove(0);
        let row: Vec<_> = row.iter().map(String::as_str).collect();
        let why = format!("PIX charge: recovery to decide ({why})");
        assert_eq!(row[..6], [&why, "70.00 BRL", age, "a decision", "nobody", "loja"]);
        let form =
            format!("decision=recovery.decided&#38;cashin_id={charge}&#38;recovery_id=med%207");
        assert!(page.contains(&form.replace("%20", "+")) || page.contains(&form), "{page}");
    }
    assert_eq!(rows(&office.inbox("?why=recovery+to+decide").await).len(), 1);
    let outcome = json!({ "outcome": "rejected" });
    let decided = office.decide(&max, "recovery.decided", &about("r-2", outcome)).await;
    assert_eq!(decided.status, 200, "{}", decided.text());
    assert_eq!(rows(&office.inbox("?kind=charge").await).len(), 0);
}

#[tokio::test]
async fn the_address_narrows_sums_rows_and_file_alike() {
    let office = Office::open().await;
    office.set("2026-11-20T14:00:00Z");
    for (query, payout, suspense) in [
        ("", true, true),
        ("?kind=payout", true, false),
        ("?kind=payout&older=1h", true, false),
        ("?kind=payout&older=2h", false, false),
        ("?older=110m", true, true),
        ("?older=117m", true, false),
        ("?account=loja", true, true),
        ("?account=%3Cb%3E", false, false),
        ("?why=waiting", false, true),
        ("?why=hanging", true, false),
        ("?why=suspense", false, true),
        ("?why=unknown", false, false),
        ("?kind=suspense&why=hanging", false, false),
    ] {
        let page = office.inbox(query).await;
        let found = rows(&page);
        let has = |amount: &str| found.iter().any(|row| row[1] == amount);
        let shown = (has("50.00 BRL"), has("100.01 BRL"));
        assert_eq!(shown, (payout, suspense), "{query}");
        let csv = ask(&office.house, &format!("/live/waiting.csv{query}"), "en").await;
        assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8", "{query}");
        let lines: Vec<_> = csv.text().lines().map(str::to_owned).collect();
        let kept = |what: &str| lines.iter().any(|line| line.contains(what));
        let kept = (kept(",payout,loja,,saque-1,,BRL,50.00,"), kept(",suspense,loja,,carga-1,ci_"));
        assert_eq!(kept, (payout, suspense), "{query}: {lines:?}");
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_read_is_answered_and_narrows_nothing() {
    let office = Office::open().await;
    let payout = office.id("payout", "payout_id");
    // Blanks around it are not read, here as in every view.
    let suspense = ask(&office.house, "/live/operations?kind=+suspense+", "en").await.text();
    assert!(!suspense.contains(payout), "{suspense}");
    for (view, wrong, right) in [
        ("waiting", "older=nonsense", "older=90m"),
        ("waiting", "why=overdue", "why=reserve+to+decide+on"),
        ("waiting", "kind=payouts", "kind=payout"),
        ("waiting", "after=x", "after=1"),
        ("waiting.csv", "older=1w", "older=1d"),
        ("operations", "kind=%3Cb%3E", "kind=charge"),
        ("operations", "after=po_1", &format!("after={payout}")),
        ("records", "before=last", "before=2"),
        ("accounts", "after=loja", "after=0"),
        ("entries", "account=rev.purchase&before=-1", "account=rev.purchase&before=9"),
        ("decide", "decision=pix.received", "decision=payout.stopped"),
    ] {
        let refused = ask(&office.house, &format!("/live/{view}?{wrong}"), "en").await;
        let (text, name) = (refused.text(), wrong.rsplit('&').next().unwrap());
        let name = name.split('=').next().unwrap();
        assert_eq!(refused.status, 400, "{view}?{wrong}: {text}");
        assert!(text.contains(&format!("{name} = ")) && !text.contains("<b>"), "{text}");
        for query in [right, &format!("{name}=")] {
            let query = if view == "entries" { right } else { query };
            let taken = ask(&office.house, &format!("/live/{view}?{query}"), "en").await;
            assert_eq!(taken.status, 200, "{view}?{query}");
        }
    }
}

#[tokio::test]
async fn a_filter_that_a_page_does_not_have_is_refused_with_those_that_it_has() {
    let office = Office::open().await;
    for (query, said) in [
        ("waiting?nosuch=1", "nosuch is no filter of this page; it takes kind, account,"),
        ("waiting?acount=loja", "acount is no filter of this page (the nearest: account)"),
        ("waiting.csv?acount=loja", "the nearest: account"),
        ("records?after=2", "after is no filter"),
        ("solvency?kind=payout", "kind is no filter"),
    ] {
        let refused = ask(&office.house, &format!("/live/{query}"), "en").await;
        let text = refused.text();
        assert_eq!(refused.status, 400, "{query}: {text}");
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[tokio::test]
async fn pages_of_the_inbox_keep_the_filter_and_leave_nothing_out() {
    let mut office = Office::open().await;
    for number in 0..101 {
        let body = format!(
            r#"{{"amount_cents":1000,"pix_key":"ana@exemplo.com.br","tax_number":"52998224725","external_id":"mais-{number}"}}"#
        );
        let line = format!(
            r#"{{"at":"2026-11-20T12:20:00Z","key":"svc_live_loja","request":"POST /payouts","body":{body}}}"#
        );
        office.house.play(&line).await;
    }
    office.set("2026-11-20T15:00:00Z");
    let first = office.inbox("?kind=payout&older=1h").await;
    assert!(first.contains(">1,060.00<"), "all of them are summed, not the page: {first}");
    let next = first.split("<p class=\"next\"><a href=\"").nth(1).expect("there is more");
    let next = next.split('"').next().unwrap().replace("&#38;", "&");
    assert!(next.contains("kind=payout") && next.contains("older=1h"), "{next}");
    let second = office.inbox(next.strip_prefix("/live/waiting").unwrap()).await;
    assert!(!second.contains("<p class=\"next\">"), "{second}");
    let mut ids: Vec<_> = [first, second].iter().flat_map(|page| rows(page)).collect();
    assert_eq!(ids.len(), 102);
    ids.dedup_by(|one, other| one[7] == other[7]);
    assert_eq!(ids.len(), 102, "none stands twice");
}

#[tokio::test]
async fn why_a_sale_is_under_review_stands_in_words() {
    let mut house = House::empty();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.jsonl");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if line.contains(r#""as":"sale-seen""#) {
            house.play(&line.replace(r#""asset":"usdt""#, r#""asset":"usdc""#)).await;
            break;
        }
        house.play(line).await;
    }
    for (language, why) in [
        ("en", "sale under review (another token or network, or too late)"),
        ("pt", "venda em análise (outro token ou rede, ou tarde demais)"),
    ] {
        let page = ask(&house, "/live/waiting?why=sale+under+review", language).await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains(why), "{why}: {}", page.text());
    }
}

#[tokio::test]
async fn what_awaits_a_report_waits_for_no_person_and_nothing_that_ended_does() {
    let mut house = House::empty();
    let mut kinds = BTreeSet::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.jsonl");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        house.play(line).await;
        for ledger in house.service.ledgers().all() {
            let state = ledger.engine().committed_state().await.unwrap();
            for (op, known) in state.open_operations() {
                if known.machine.awaited_amount().is_some() {
                    let id = op.text(&state.name);
                    assert!(known.machine.waits(state.now).is_none(), "{id} after {line}");
                    assert!(!known.machine.has_ended(), "{id} after {line}");
                    kinds.insert(op.kind().name());
                }
            }
        }
    }
    let expected = [
        "cash_out",
        "charge",
        "commission_withdrawal",
        "conversion",
        "crypto_withdrawal",
        "payout",
        "wallet_deposit",
        "wallet_payment",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}
