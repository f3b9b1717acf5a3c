//! The private monitor of an account, opened as its owner does.

use serde_json::json;

use crate::house::{BASE, House, KEY, is_a_page, links};

/// The service of the file, and the address of its account's monitor.
async fn monitored() -> (House, String) {
    let house = House::lived_in().await;
    let me = house.send("PATCH", "/keys/me", KEY, &json!({ "rotate_monitor_token": true })).await;
    let url = match me["monitor_url"].as_str() {
        Some(url) => url.to_owned(),
        None => house.ask("/keys/me", &[("x-api-key", KEY)]).await.body()["monitor_url"]
            .as_str()
            .unwrap()
            .to_owned(),
    };
    (house, url)
}

/// AUTH-10: the monitor is opened by its address, and every link of it by the same; what it shows
/// is the account's own.
#[tokio::test]
async fn every_number_leads_to_its_entries_and_every_entry_to_its_record() {
    let (house, url) = monitored().await;
    assert!(url.starts_with(&format!("{BASE}/monitor/")), "{url}");
    let (mut todo, mut seen) = (vec![url.strip_prefix(BASE).unwrap().to_owned()], Vec::new());
    while let Some(target) = todo.pop() {
        let answer = house.get(&target).await;
        assert_eq!(answer.status, 200, "{target}");
        is_a_page(&answer);
        let text = answer.text();
        for secret in
            ["52998224725", "FULANO", "ana@exemplo.com.br", "prov.pix", "rev.deposit", KEY]
        {
            assert!(!text.contains(secret), "{secret} in {target}");
        }
        seen.push(target);
        for link in links(&text) {
            if !seen.contains(&link) && !todo.contains(&link) {
                todo.push(link);
            }
        }
    }
    for part in ["/statement?customer=ana", "/operations/po_", "/operations/ci_", "/records/"] {
        assert!(seen.iter().any(|seen| seen.contains(part)), "{part} in {seen:?}");
    }
    let page = house.get(&format!("{url}?customer=ana")).await.text();
    assert!(page.contains("R$\u{a0}324,20"), "{page}");
}

/// The owner reads words and reais, where programs read fields and centavos.
#[tokio::test]
async fn an_operation_is_told_in_words_and_reais() {
    let (house, url) = monitored().await;
    let page = house.get(&url).await.text();
    let account = house.ask("/saldo/consolidado", &[("x-api-key", KEY)]).await.body();
    assert_eq!(account["total_cents"], 34_420);
    for part in ["Total da conta", "R$\u{a0}344,20", "casa e 2 clientes"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let of_customer = house.get(&format!("{url}?customer=ana")).await.text();
    assert!(!of_customer.contains("Total da conta"), "{of_customer}");
    let payout = house.answers["payout"]["payout_id"].as_str().unwrap();
    let page = house.get(&format!("{url}/operations/{payout}")).await.text();
    for part in
        ["Concluído", "R$\u{a0}50,00", "R$\u{a0}51,00", "Saque PIX", "saque-pix-1", "Saldo após"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    for field in ["amount_cents", "_cents", "cust.", "completed", "true", "Payout"] {
        assert!(!page.contains(field), "{field} in {page}");
    }
    let english = [("accept-language", "en")];
    let page = house.ask(&format!("{url}/operations/{payout}"), &english).await.text();
    assert!(page.contains("Completed") && page.contains("Balance after"), "{page}");
}

/// AUTH-10, KEY-08: an address that was replaced opens nothing from then on.
#[tokio::test]
async fn a_monitor_that_was_rotated_is_gone() {
    let (house, url) = monitored().await;
    assert_eq!(house.get(&url).await.status, 200);
    house.send("PATCH", "/keys/me", KEY, &json!({ "rotate_monitor_token": true })).await;
    for target in [&url, &format!("{url}/statement"), &format!("{BASE}/monitor/mon_x")] {
        let answer = house.get(target).await;
        assert_eq!(answer.status, 404, "{target}");
        is_a_page(&answer);
    }
}

#[tokio::test]
async fn what_is_another_accounts_is_not_shown() {
    let house = House::lived_in().await;
    let body = json!({ "name": "Vizinha" });
    let key = house.send("POST", "/keys", "", &body).await;
    let url = key["monitor_url"].as_str().unwrap();
    let payout = house.answers["payout"]["payout_id"].as_str().unwrap();
    for (path, status) in [
        (String::new(), 200),
        (format!("/operations/{payout}"), 404),
        ("/records/8".to_owned(), 404),
        ("/records/0".to_owned(), 404),
        ("/records/99999".to_owned(), 404),
        ("/statement?customer=ana".to_owned(), 404),
        ("/statement?before=x".to_owned(), 200),
    ] {
        assert_eq!(house.get(&format!("{url}{path}")).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn a_clients_text_is_shown_as_text() {
    let (house, url) = monitored().await;
    let name = "<script>alert(1)</script>";
    let body = json!({ "amount_cents": 100, "from_customer_ref": "ana", "to_customer_ref": "bia",
        "external_id": "t-<b>\"x", "descricao": name });
    house.send("POST", "/saldo/transferir", KEY, &body).await;
    let page = house.get(&format!("{url}/statement?customer=bia")).await;
    is_a_page(&page);
    let text = page.text();
    assert!(text.contains("alert(1)") && text.contains("&#60;script&#62;"), "{text}");
    let id = text.split("/operations/tr_").nth(1).unwrap().split('"').next().unwrap();
    let page = house.get(&format!("{url}/operations/tr_{id}")).await;
    is_a_page(&page);
    assert!(page.text().contains("t-&#60;b&#62;&#34;x"), "{}", page.text());
}
