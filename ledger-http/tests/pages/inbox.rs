//! The inbox of the console: what waits and what hangs, narrowed, summed, paged and kept.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use ledger_http::console_router;

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
    let expected =
        ["Suspense: suspense", "100.01 BRL", "6 min", "a decision", "nobody", "", "", "carga-1"];
    assert_eq!((&row[..8], row[8]), (&expected[..], suspense));
    let form = format!("/live/decide?decision=suspense.attached&#38;suspense_id={suspense}");
    assert!(page.contains(&form), "{page}");
    let form = ask(&office.house, &form.replace("&#38;", "&"), "en").await;
    assert_eq!(form.status, 200);
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
        payout,
    ];
    assert_eq!(row, expected);
    assert!(page.contains(&format!("decision=payout.evidence&#38;payout_id={payout}")), "{page}");
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
        ("?account=loja", true, false),
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
        let kept = (kept(",payout,loja,,saque-1,,BRL,50.00,"), kept(",suspense,,,carga-1,ci_"));
        assert_eq!(kept, (payout, suspense), "{query}: {lines:?}");
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_read_is_answered_and_narrows_nothing() {
    let office = Office::open().await;
    let payout = office.id("payout", "payout_id");
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
