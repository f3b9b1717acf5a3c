//! Decisions from the console, as a browser takes them: signed in, shown first, confirmed.

use axum::body::Body;
use axum::http::Request;
use ledger_http::operators::Role;
use ledger_http::{Token, console_router};

use crate::decisions::Office;
use crate::house::{Answer, is_form_page, sent};

const HOST: &str = "127.0.0.1:8082";
pub const ORIGIN: &str = "http://127.0.0.1:8082";
const FORM: &str = "application/x-www-form-urlencoded";

impl Office {
    pub async fn get(&self, target: &str, cookie: &str) -> Answer {
        let request = Request::get(target).header("host", HOST).header("cookie", cookie);
        let request = request.header("accept-language", "en").body(Body::empty()).unwrap();
        sent(console_router(&self.house.service, None), request).await
    }

    pub async fn post(&self, path: &str, (origin, cookie): (&str, &str), form: &str) -> Answer {
        let request = Request::post(path).header("host", HOST).header("content-type", FORM);
        let request = request.header("cookie", cookie).header("origin", origin);
        let request = request.header("accept-language", "en");
        let request = request.body(Body::from(form.to_owned())).unwrap();
        sent(console_router(&self.house.service, None), request).await
    }

    /// The cookie of a session that a credential begins.
    pub async fn signed_in(&self, credential: &str) -> String {
        let form = format!("to=/live/decide&credential={credential}");
        let answer = self.post("/sign-in", (ORIGIN, ""), &form).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/live/decide"));
        let cookie = answer.header("set-cookie");
        assert!(cookie.ends_with("; Path=/; Max-Age=43200; SameSite=Lax; HttpOnly"), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    }
}

/// Returns what the form of a decision carries, as a browser sends it.
fn carried(page: &str) -> String {
    inputs(page.split("<form class=\"writing\"").nth(1).expect("there is a form to fill in"))
}

/// The form that takes what was shown.
fn confirming(page: &str) -> String {
    let form = page.split("<form class=\"search\"").find(|form| form.contains("\"confirm\""));
    inputs(form.expect("it can be confirmed"))
}

fn inputs(form: &str) -> String {
    let value = |input: &str, name: &str| {
        let value = input.split(&format!("{name}=\"")).nth(1)?.split('"').next()?;
        Some(value.replace(' ', "+"))
    };
    let inputs = form.split("</form>").next().unwrap().split("<input").skip(1);
    let pairs = inputs.filter_map(|input| {
        Some(format!("{}={}", value(input, " name")?, value(input, " value")?))
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[tokio::test]
async fn a_decision_is_filled_in_shown_confirmed_and_stands_on_its_operation() {
    let office = Office::open().await;
    let credential = office.hired("bia", &[Role::Decide]);
    let payout = office.id("payout", "payout_id").to_owned();
    let page = office.get(&format!("/live/operations/{payout}"), "").await.text();
    let link = format!("/live/decide?decision=payout.stopped&#38;payout_id={payout}");
    assert!(page.contains(&link), "the operation leads to what may be decided of it: {page}");
    let suspense = office.id("waits", "suspense_id");
    let waits = office.get(&format!("/live/operations/{suspense}"), "").await.text();
    assert!(waits.contains("is never written off") && !page.contains("written off"), "{waits}");
    let link = link.replace("&#38;", "&");
    let asks = office.get(&link, "").await;
    assert_eq!(asks.status, 200);
    is_form_page(&asks);
    assert!(asks.text().contains("type=\"password\""), "whoever is not signed in is asked to");
    let cookie = office.signed_in(&credential).await;
    let empty = office.get(&link, &cookie).await.text();
    let form = carried(&empty).replace("reason=", "reason=to+be+looked+at");
    assert!(form.contains(&format!("payout_id={payout}")), "{form}");
    let stood = office.head();
    let shown = office.post("/live/decide", (ORIGIN, &cookie), &form).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    is_form_page(&shown);
    assert_eq!(office.head(), stood, "nothing was recorded");
    let confirm = confirming(&shown.text());
    let done = office.post("/live/decide", (ORIGIN, &cookie), &confirm).await;
    let record = format!("/live/records/{}", stood + 1);
    assert_eq!((done.status, done.header("location")), (303, &*record), "{}", done.text());
    assert_eq!(office.head(), stood + 1);
    // Pressed twice, it was taken once.
    let again = office.post("/live/decide", (ORIGIN, &cookie), &confirm).await;
    assert_eq!((again.status, again.header("location")), (303, &*record));
    assert_eq!(office.head(), stood + 1);
    for target in [format!("/live/operations/{payout}"), record] {
        let page = office.get(&target, &cookie).await.text();
        let decided = page.split("<h2>Decisions</h2>").nth(1).expect("who decided stands there");
        let decided = decided.split("</section>").next().unwrap();
        for said in ["<td>bia</td>", "<td>to be looked at</td>", "Payout"] {
            assert!(decided.contains(said), "{said} in {decided}");
        }
    }
    // What decides about nothing is refused on the page.
    let stale = carried(&office.get(&link, &cookie).await.text());
    let stale = stale.replace("reason=", "reason=again");
    let refused = office.post("/live/decide", (ORIGIN, &cookie), &stale).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    is_form_page(&refused);
    assert!(refused.text().contains("status_invalido"));
    assert_eq!(office.head(), stood + 1);
}

#[tokio::test]
async fn a_form_of_another_site_or_session_decides_nothing() {
    let office = Office::open().await;
    let bia = office.signed_in(&office.hired("bia", &[Role::Decide])).await;
    let eva = office.signed_in(&office.hired("eva", &[Role::Decide])).await;
    let payout = office.id("payout", "payout_id");
    let link = format!("/live/decide?decision=payout.stopped&payout_id={payout}&reason=why");
    let form = format!("{}&step=confirm", carried(&office.get(&link, &bia).await.text()));
    let stood = office.head();
    let other_host = "http://127.0.0.1:9999";
    for (origin, cookie) in [
        ("https://evil.example", &*bia),
        (other_host, &bia),
        ("null", &bia),
        (ORIGIN, &eva),
        (ORIGIN, ""),
    ] {
        let refused = office.post("/live/decide", (origin, cookie), &form).await;
        assert_eq!(refused.status, 403, "{origin} {cookie}");
    }
    let guess = format!("credential={}", "0".repeat(64));
    assert_eq!(office.post("/sign-in", ("https://evil.example", ""), &guess).await.status, 403);
    assert_eq!(office.post("/sign-in", (ORIGIN, ""), &guess).await.status, 401);
    assert_eq!(office.post("/sign-out", (ORIGIN, &bia), "token=x").await.status, 403);
    assert_eq!(office.head(), stood);
    let token = form.split('&').find(|pair| pair.starts_with("token=")).unwrap();
    let left = office.post("/sign-out", (ORIGIN, &bia), token).await;
    assert!(left.status == 303 && left.header("set-cookie").starts_with("operador=; "));
    assert_eq!(office.post("/live/decide", (ORIGIN, &bia), &form).await.status, 403);
    assert_eq!(office.head(), stood);
}

#[tokio::test]
async fn a_page_shows_the_form_of_a_decision_to_whoever_may_take_it() {
    let office = Office::open().await;
    for (role, decides, holds) in [
        (Role::Look, false, false),
        (Role::Decide, true, false),
        (Role::DecideAbove, true, false),
        (Role::HoldFunds, false, true),
    ] {
        let cookie = office.signed_in(&office.hired(role.name(), &[role])).await;
        for (decision, may) in [("payout.stopped", decides), ("hold.placed", holds)] {
            let link = format!("/live/decide?decision={decision}&reason=why");
            let page = office.get(&link, &cookie).await;
            assert_eq!(page.text().contains("name=\"reason\""), may, "{role} {decision}");
            let token =
                page.text().split("name=\"token\" value=\"").nth(1).unwrap()[..64].to_owned();
            let form = format!("token={token}&decision={decision}&id=x&step=confirm");
            let sent = office.post("/live/decide", (ORIGIN, &cookie), &form).await;
            assert_eq!(sent.status == 403, !may, "{role} {decision}: {}", sent.status);
        }
    }
}

#[tokio::test]
async fn an_operator_opens_a_console_with_a_token_until_removed() {
    let office = Office::open().await;
    let credential = office.hired("bia", &[Role::Look]);
    let cookie = office.signed_in(&credential).await;
    let token = || Token::new("0123456789abcdef0123456789abcdef").unwrap();
    let look = async |name: &'static str, value: String| {
        let request = Request::get("/live/").header("host", "console.example").header(name, value);
        let routes = console_router(&office.house.service, Some(token()));
        sent(routes, request.body(Body::empty()).unwrap()).await.status
    };
    let bearer = format!("Bearer {credential}");
    assert_eq!(look("authorization", bearer.clone()).await, 200);
    assert_eq!(look("cookie", cookie.clone()).await, 200);
    assert_eq!(look("authorization", "Bearer op_wrong".to_owned()).await, 401);
    office.operators.remove("bia", office.now()).unwrap();
    assert_eq!(look("authorization", bearer).await, 401);
    assert_eq!(look("cookie", cookie).await, 401);
}
