//! The operator's console, over a ledger in which everything has happened.

use axum::body::Body;
use axum::http::Request;
use ledger_http::{Token, console_router};

use crate::house::{Answer, House, is_a_page, is_form_page, links, sent};

const LOCAL: (&str, &str) = ("host", "127.0.0.1:8082");

async fn ask(house: &House, token: Option<&str>, target: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let token = token.map(|token| Token::new(token).unwrap());
    sent(console_router(&house.service, token), request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn every_link_of_every_view_opens_in_both_languages() {
    let house = House::lived_in().await;
    let (mut todo, mut seen) = (vec!["/live/".to_owned()], Vec::new());
    while let Some(target) = todo.pop() {
        let answer = ask(&house, None, &target, &[LOCAL]).await;
        assert_eq!(answer.status, 200, "{target}");
        let promises = if target.contains("/decide") { is_form_page } else { is_a_page };
        promises(&answer);
        let text = answer.text();
        for secret in
            ["52998224725", "FULANO", "ana@exemplo.com.br", "bia@exemplo.com.br", "svc_live_"]
        {
            assert!(!text.contains(secret), "{secret} in {target}");
        }
        seen.push(target);
        // A file is kept, and is no page.
        for link in links(&text).into_iter().filter(|link| !link.contains(".csv")) {
            if !seen.contains(&link) && !todo.contains(&link) {
                todo.push(link);
            }
        }
    }
    for view in ["solvency", "trial-balance", "accounts", "operations", "waiting", "records"] {
        assert!(seen.contains(&format!("/live/{view}")), "{view}");
        assert!(seen.contains(&format!("/sandbox/{view}")), "{view}");
        let english = [LOCAL, ("accept-language", "en")];
        let answer = ask(&house, None, &format!("/live/{view}"), &english).await;
        assert!(answer.text().contains("<html lang=\"en\">"), "{view}");
    }
    for view in ["fees", "limits", "requests", "entries?account=rev.purchase", "operations/po_"] {
        assert!(seen.iter().any(|seen| seen.starts_with(&format!("/live/{view}"))), "{view}");
    }
}

#[tokio::test]
async fn the_numbers_of_the_books_are_those_of_the_ledger() {
    let house = House::lived_in().await;
    let page = |path: &'static str| {
        let house = &house;
        async move { ask(house, None, path, &[LOCAL]).await.text() }
    };
    let trial = page("/live/trial-balance").await;
    // Debits and credits are equal in every commodity.
    let sums: Vec<&str> = trial
        .split("class=\"number total\">")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    assert_eq!(sums.len() % 2, 0);
    assert!(sums.len() >= 4, "{sums:?}");
    for pair in sums.chunks(2) {
        assert_eq!(pair[0], pair[1], "{sums:?}");
    }
    let account = page("/live/accounts/loja?customer=ana").await;
    assert!(account.contains("R$\u{a0}324,20"), "{account}");
    // The link after a record follows from the link before it and its bytes.
    let record = page("/live/records/8").await;
    let codes: Vec<&str> = record
        .split("class=\"code\">")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    let link = |text: &&&str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let found: Vec<&&str> = codes.iter().filter(link).collect();
    assert_eq!(found.len(), 2, "{codes:?}");
    let before = page("/live/records/7").await;
    assert!(before.contains(*found[0]), "the link before 8 is the link of 7");
}

#[tokio::test]
async fn a_console_with_a_token_asks_for_it() {
    let house = House::empty();
    let token = "0123456789abcdef0123456789abcdef";
    let closed = ask(&house, Some(token), "/live/", &[LOCAL]).await;
    assert_eq!((closed.status, closed.header("www-authenticate").is_empty()), (401, false));
    is_a_page(&closed);
    // `any:0123…` and `any:wrong`, in base64.
    let right = "Basic YW55OjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm";
    let bearer = format!("Bearer {token}");
    for (given, status) in [
        (right, 200),
        (&*bearer, 200),
        ("Basic YW55Ondyb25n", 401),
        ("Bearer wrong", 401),
        ("x", 401),
    ] {
        let answer = ask(&house, Some(token), "/live/", &[("authorization", given)]).await;
        assert_eq!(answer.status, status, "{given}");
    }
}

#[tokio::test]
async fn a_console_without_a_token_answers_to_local_names_alone() {
    let house = House::empty();
    for (host, status) in [("127.0.0.1:8082", 200), ("localhost:8082", 200), ("[::1]:8082", 200)] {
        assert_eq!(ask(&house, None, "/live/", &[("host", host)]).await.status, status, "{host}");
    }
    for host in ["evil.example:8082", "10.0.0.7:8082"] {
        let answer = ask(&house, None, "/live/", &[("host", host)]).await;
        assert_eq!(answer.status, 403, "{host}");
        is_a_page(&answer);
    }
    assert_eq!(ask(&house, None, "/live/", &[]).await.status, 403);
}

#[tokio::test]
async fn a_ledger_without_records_is_shown_as_of_no_moment() {
    for (language, text) in
        [("en", "There are no records yet."), ("pt-BR", "Ainda não há registros.")]
    {
        let language = ("accept-language", language);
        let page = ask(&House::empty(), None, "/live/waiting", &[LOCAL, language]).await;
        assert!(page.text().contains(text), "{}", page.text());
        assert!(!page.text().contains("1969"), "{}", page.text());
    }
}

#[tokio::test]
async fn nothing_of_the_console_is_written_to() {
    let house = House::lived_in().await;
    let before = house.service.ledgers().all().map(|ledger| ledger.engine().head().unwrap());
    let before: Vec<_> = before.collect();
    for target in ["/live/", "/live/operations", "/live/records/8", "/live/accounts/loja"] {
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let request = Request::builder().method(method).uri(target).header(LOCAL.0, LOCAL.1);
            let request = request.body(Body::from("{}")).unwrap();
            let answer = sent(console_router(&house.service, None), request).await;
            assert_eq!(answer.status, 405, "{method} {target}");
            assert_eq!(answer.header("allow"), "GET,HEAD", "{method} {target}");
            assert_eq!(answer.body()["erro"], "metodo_nao_permitido", "{method} {target}");
        }
    }
    let after: Vec<_> =
        house.service.ledgers().all().map(|ledger| ledger.engine().head().unwrap()).collect();
    assert_eq!(before, after);
}

#[tokio::test]
async fn an_id_leads_to_what_it_names() {
    let house = House::lived_in().await;
    let payout = house.answers["payout"]["payout_id"].as_str().unwrap();
    let find = |q: String| {
        let house = &house;
        async move { ask(house, None, &format!("/live/find?q={q}"), &[LOCAL]).await }
    };
    for (text, to) in [
        (payout.to_owned(), format!("/live/operations/{payout}")),
        ("12".to_owned(), "/live/records/12".to_owned()),
        ("loja".to_owned(), "/live/accounts/loja".to_owned()),
    ] {
        let answer = find(text).await;
        assert_eq!((answer.status, answer.header("location")), (303, &*to));
    }
    let pix = find("E9040088820261120122600000000003".to_owned()).await;
    assert!(pix.header("location").starts_with("/live/operations/"), "{}", pix.text());
    for nothing in ["", "9999", "%3Cb%3E", "po_000000000010cd579f0154616092"] {
        let answer = find(nothing.to_owned()).await;
        assert_eq!(answer.status, 200, "{nothing}");
        is_a_page(&answer);
        assert!(!answer.text().contains("<b>"));
    }
    for gone in
        ["/mars/", "/live/nowhere", "/live/records/9999", "/live/operations/x", "/live/accounts/x"]
    {
        let answer = ask(&house, None, gone, &[LOCAL]).await;
        assert_eq!(answer.status, 404, "{gone}");
        is_a_page(&answer);
    }
}

#[tokio::test]
async fn a_record_says_its_events_as_text_for_people() {
    let house = House::lived_in().await;
    let mut titles = std::collections::BTreeSet::new();
    for ledger in ["live", "sandbox"] {
        for seq in 1.. {
            let answer = ask(&house, None, &format!("/{ledger}/records/{seq}"), &[LOCAL]).await;
            if answer.status == 404 {
                break;
            }
            let page = answer.text();
            let body = page.rsplit("</style>").next().unwrap();
            let debug = ["Some(", "Id(", "Amount(", "Cents(", "Units(", "Instant(", "Token(", " {"];
            for form in debug {
                assert!(!body.contains(form), "{form} in /{ledger}/records/{seq}: {body}");
            }
            titles.extend(
                body.split("<h2>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()),
            );
        }
    }
    assert!(titles.len() > 40, "{titles:?}");
    let payout = house.answers["payout"]["payout_id"].as_str().unwrap();
    let seq = u64::from_str_radix(&payout[3..15], 16).unwrap();
    let page = ask(&house, None, &format!("/live/records/{seq}"), &[LOCAL]).await.text();
    let said = page.split("Payout · requested</h2>").nth(1).unwrap();
    let (said, _) = said.split_once("</section>").unwrap();
    let operation = format!("<dt>op</dt><dd class=\"code\"><a href=\"/live/operations/{payout}\">");
    for row in [&*operation, "<dt>amount</dt><dd>R$\u{a0}", "\"/live/accounts/loja\">loja</a>"] {
        assert!(said.contains(row), "{row}: {said}");
    }
}

#[tokio::test]
async fn an_operation_says_at_its_head_how_much_whose_and_to_whom() {
    let house = House::lived_in().await;
    let payout = house.answers["payout"]["payout_id"].as_str().unwrap();
    let english = [LOCAL, ("accept-language", "en")];
    let page = ask(&house, None, &format!("/live/operations/{payout}"), &english).await.text();
    let (head, rest) = page.split_once("<h2>").unwrap();
    for row in ["<dt>Amount</dt><dd>R$\u{a0}50.00", "<dt>Customer</dt><dd>ana", "saque-pix-1"] {
        assert!(head.contains(row), "{row}: {head}");
    }
    assert!(head.contains("<dt>External id</dt>") && head.contains("<dt>PIX key</dt>"), "{head}");
    assert!(rest.contains("Customers, available (cust.avail)"), "{rest}");
    for view in ["days", "solvency", "trial-balance"] {
        let page = ask(&house, None, &format!("/live/{view}"), &[LOCAL]).await.text();
        assert!(page.contains("PIX recebidos, no provedor (prov.pix)"), "{view}: {page}");
    }
}
