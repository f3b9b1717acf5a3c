//! Pages that are loaded anew by themselves, where the address asks for it.

use ledger_http::operators::Role;

use crate::decisions::Office;

const META: &str = "<meta http-equiv=\"refresh\"";

#[tokio::test]
async fn a_page_that_changes_is_loaded_anew_where_its_address_says_so() {
    let office = Office::open().await;
    let operation = format!("/live/operations/{}", office.id("payout", "payout_id"));
    let changing = ["/live/", "/live/waiting", "/live/webhooks", "/live/operations", &operation];
    for path in changing {
        let plain = office.get(path, "").await.text();
        assert!(!plain.contains(META) && !plain.contains("refresh=30&"), "{path}: {plain}");
        assert!(
            plain.contains("<a href=\"?refresh=30\">Refresh every 30 s</a>"),
            "{path}: {plain}"
        );
        let page = office.get(&format!("{path}?refresh=45"), "").await.text();
        assert_eq!(page.matches(&format!("{META} content=\"45\">")).count(), 1, "{path}: {page}");
        assert!(page.contains("<a href=\"?\">Stop refreshing every 45 s</a>"), "{path}: {page}");
        // Links and filters of the page remember it.
        for link in ["href=\"/live/?refresh=45\"", "href=\"/live/waiting?refresh=45\""] {
            assert!(page.contains(link), "{path}, {link}: {page}");
        }
        assert!(page.contains("href=\"?refresh=45&#38;lang=pt\""), "{path}: {page}");
        let hidden = "<input type=\"hidden\" name=\"refresh\" value=\"45\">";
        assert_eq!(page.contains(hidden), path == "/live/waiting", "{path}: {page}");
    }
    let inbox = office.get("/live/waiting?why=waiting&refresh=45", "").await.text();
    assert!(inbox.contains("href=\"?why=waiting\">Stop refreshing"), "{inbox}");
    assert!(inbox.contains("?why=unknown&#38;refresh=45"), "{inbox}");
    for wrong in ["4", "3601", "soon", "-30", "30s"] {
        let refused = office.get(&format!("/live/?refresh={wrong}"), "").await;
        assert_eq!(refused.status, 400, "{wrong}");
        assert!(refused.text().contains("seconds, from 5 to 3600"), "{}", refused.text());
    }
}

#[tokio::test]
async fn no_page_is_loaded_anew_while_something_is_filled_in() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let cookie = office.signed_in(&bia).await;
    let waiting = format!("/live/waiting/{}?refresh=30", office.id("waits", "suspense_id"));
    for (path, form) in [
        ("/live/decide?decision=fee.adjusted&refresh=30", "<form class=\"writing\""),
        (&*waiting, "<form class=\"writing\""),
        ("/live/query?refresh=30", ""),
        ("/live/accounts?refresh=30", ""),
    ] {
        let page = office.get(path, &cookie).await.text();
        assert!(page.contains(form), "{path}: {page}");
        assert!(!page.contains(META) && !page.contains(">Refresh every"), "{path}: {page}");
        // It is not forgotten on the way back.
        assert!(page.contains("href=\"/live/waiting?refresh=30\""), "{path}: {page}");
    }
}
