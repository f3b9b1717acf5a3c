//! The partner's dashboard: a link by mail, the session it begins, and what it shows.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use ledger_core::time::{Instant, Span};
use ledger_http::panel::settings::PanelSettings;
use ledger_http::panel::{Panel, PostTask};
use ledger_http::{LineFormat, LineLog, router};
use ledger_store::projection::Target;
use serde_json::{Value, json};

use crate::house::{Answer, BASE, House, is_a_page, sent};
use crate::log::Lines;
use crate::mailbox::Mailbox;

const MAIL: &str = "ana@exemplo.com.br";
/// Another e-mail, which registered no account.
const OTHER: &str = "bia@exemplo.com.br";
const FORM: &str = "application/x-www-form-urlencoded";

/// A service with a dashboard, and the account of an e-mail.
struct Partner {
    house: House,
    clock: Arc<AtomicI64>,
    log: Lines,
    key: Value,
    _post: PostTask,
    _folder: tempfile::TempDir,
}

impl Partner {
    async fn with_mailbox(mailbox: &Mailbox) -> Self {
        Self::mailed_at(mailbox.address, vec![Duration::from_millis(50); 100]).await
    }

    async fn mailed_at(address: std::net::SocketAddr, waits: Vec<Duration>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = format!("smtp://{address}").parse().unwrap();
        let from = "Painel <painel@example.com>".parse().unwrap();
        let settings = PanelSettings { waits, ..PanelSettings::new(server, from) };
        let panel = Panel::open(&Target::Sqlite(folder.path().join("t.db")), settings).unwrap();
        let noon = Instant::parse("2026-11-20T12:00:00Z").unwrap();
        let clock = Arc::new(AtomicI64::new(noon.micros()));
        let (hand, log) = (Arc::clone(&clock), Lines::default());
        let lines = LineLog::new(LineFormat::Text, log.clone());
        let house = House::built(|builder| {
            let now = move || Instant::from_micros(hand.load(Ordering::SeqCst)).unwrap();
            builder.clock(now).access_log(lines).panel(panel)
        });
        let post = PostTask::start(&house.service).unwrap().unwrap();
        let body = json!({ "name": "Loja", "email": MAIL });
        let key = house.send("POST", "/keys", "", &body).await;
        Self { house, clock, log, key, _post: post, _folder: folder }
    }

    fn advance(&self, span: Span) {
        let micros = i64::try_from(span.micros()).unwrap();
        self.clock.fetch_add(micros, Ordering::SeqCst);
    }

    fn account(&self) -> &str {
        self.key["key"]["account"].as_str().unwrap()
    }

    /// Asks for links by the API.
    async fn ask(&self, email: &str) -> Answer {
        let request = Request::post("/keys/painel-link").header("content-type", "application/json");
        let body = json!({ "email": email }).to_string();
        sent(router(&self.house.service), request.body(Body::from(body)).unwrap()).await
    }

    /// Sends a form as the page of an origin does.
    async fn post(&self, path: &str, origin: Option<&str>, cookie: &str, form: &str) -> Answer {
        let mut request = Request::post(path).header("content-type", FORM).header("cookie", cookie);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let request = request.body(Body::from(form.to_owned())).unwrap();
        sent(router(&self.house.service), request).await
    }

    async fn get(&self, path: &str, cookie: &str) -> Answer {
        self.house.ask(path, &[("cookie", cookie)]).await
    }

    /// Waits until the log says so.
    async fn logged(&self, said: &str) {
        let began = std::time::Instant::now();
        while !self.log.text().contains(said) {
            assert!(began.elapsed() < Duration::from_secs(30), "{}", self.log.text());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The path of the link in a mail.
    async fn link(&self, mailbox: &Mailbox) -> String {
        let number = mailbox.count();
        assert_eq!(self.ask(MAIL).await.status, 200);
        path_in(&mailbox.mail(number).await)
    }

    /// The cookie of a session that a new link begins.
    async fn signed_in(&self, mailbox: &Mailbox) -> String {
        let link = self.link(mailbox).await;
        let answer = self.post(&link, Some(BASE), "", "").await;
        assert_eq!((answer.status, answer.header("location")), (303, "/painel"));
        answer.header("set-cookie").split(';').next().unwrap().to_owned()
    }
}

fn path_in(mail: &str) -> String {
    let link = mail.split("/painel/enter/").nth(1).expect("the mail has a link");
    let link: String = link.chars().take_while(char::is_ascii_alphanumeric).collect();
    assert_eq!(link.len(), 64, "{mail}");
    format!("/painel/enter/{link}")
}

/// KEY-11: whether an e-mail is registered, neither the answer nor a mail to somebody else says.
#[tokio::test]
async fn a_known_and_an_unknown_mail_are_answered_alike_and_one_mail_leaves() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let unknown = partner.ask(OTHER).await;
    let known = partner.ask(MAIL).await;
    assert_eq!((known.status, &known.bytes), (200, &unknown.bytes));
    let names = |answer: &Answer| answer.headers.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&known), names(&unknown));
    let mail = mailbox.mail(0).await;
    assert!(mail.contains("TO:<ana@exemplo.com.br>"), "{mail}");
    let monitor = partner.key["monitor_url"].as_str().unwrap();
    assert!(mail.contains(monitor), "AUTH-10: the monitor's link is recovered\n{mail}");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(mailbox.count(), 1);
    let log = partner.log.text();
    assert!(log.contains(" mail 1 sent 250 "), "{log}");
    let said = [path_in(&mail).split_off(14), MAIL.to_owned(), OTHER.to_owned()];
    assert!(!said.iter().any(|said| log.contains(said)), "{log}");
}

#[tokio::test]
async fn auth_04_a_link_is_used_by_its_button_alone_and_once() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let link = partner.link(&mailbox).await;
    for _ in 0..2 {
        // As a scanner of mail does.
        let page = partner.get(&link, "").await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains("method=\"post\""), "{}", page.text());
    }
    for origin in [None, Some("null"), Some("https://evil.example"), Some("https://api.example.co")]
    {
        let answer = partner.post(&link, origin, "", "").await;
        assert_eq!(answer.status, 403, "{origin:?}");
        assert_eq!(answer.header("set-cookie"), "");
    }
    let answer = partner.post(&link, Some(BASE), "", "").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/painel"));
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-painel="), "{cookie}");
    for part in ["; Path=/;", "; Max-Age=604800", "; SameSite=Lax", "; HttpOnly", "; Secure"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    for target in [link.as_str(), "/painel/enter/x", "/painel/enter/%00"] {
        let again = partner.post(target, Some(BASE), "", "").await;
        assert_eq!((again.status, again.header("set-cookie")), (404, ""), "{target}");
        assert_eq!(partner.get(target, "").await.status, 404, "{target}");
    }
    let late = partner.link(&mailbox).await;
    partner.advance(Span::seconds(15 * 60));
    assert_eq!(partner.post(&late, Some(BASE), "", "").await.status, 404, "15 minutes are over");
}

#[tokio::test]
async fn the_dashboard_shows_the_accounts_of_its_mail_and_no_others() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let other = json!({ "name": "Vizinha", "email": OTHER });
    let other = partner.house.send("POST", "/keys", "", &other).await;
    let charge = |external: &str| {
        json!({ "amount_cents": 5_000, "destino": "saldo", "payer_tax_number": "52998224725",
            "external_id": external })
    };
    let key = |account: &Value| account["api_key"].as_str().unwrap().to_owned();
    let (house, mut ids) = (&partner.house, Vec::new());
    for account in [&partner.key, &other] {
        let made = house.send("POST", "/cashin/charge", &key(account), &charge("a-1")).await;
        ids.push(made["cashin_id"].as_str().unwrap().to_owned());
    }
    let cookie = partner.signed_in(&mailbox).await;
    let (account, neighbour) = (partner.account(), other["key"]["account"].as_str().unwrap());
    let home = partner.get("/painel", &cookie).await;
    assert_eq!(home.status, 200);
    assert!(home.text().contains(account) && !home.text().contains(neighbour), "{}", home.text());
    let base = format!("/painel/live/{account}");
    let operation = format!("/operations/{}", ids[0]);
    for path in
        ["", "/", "/statement", "/operations", "/commission", "/terms", "/webhooks", &operation]
    {
        let page = partner.get(&format!("{base}{path}"), &cookie).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("referrer-policy"), "same-origin");
        assert!(page.header("content-security-policy").contains("default-src 'none'"));
        let text = page.text();
        assert!(!text.contains("<script") && !text.contains(&key(&partner.key)), "{text}");
    }
    let open = partner.get(&format!("{base}/operations"), &cookie).await.text();
    assert!(open.contains(&ids[0]) && !open.contains(&ids[1]), "{open}");
    for path in [
        format!("/painel/live/{neighbour}/"),
        format!("/painel/live/{neighbour}/operations/{}", ids[1]),
        format!("{base}/operations/{}", ids[1]),
        format!("{base}/records/2"),
        format!("/painel/sandbox/{account}/"),
        "/painel/elsewhere/x/".to_owned(),
    ] {
        assert_eq!(partner.get(&path, &cookie).await.status, 404, "{path}");
    }
    // The key is another credential: it is rotated, and the session goes on (AUTH-04).
    house.send("POST", "/keys/me/rotate", &key(&partner.key), &json!({})).await;
    assert_eq!(partner.get(&base, &cookie).await.status, 200);
}

#[tokio::test]
async fn auth_04_a_session_ends_unused_or_signed_out_and_no_other_cookie_opens_it() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let account = format!("/painel/live/{}/", partner.account());
    let cookie = partner.signed_in(&mailbox).await;
    let forged = format!("__Host-painel={}", "0".repeat(64));
    for cookie in ["", "painel=x", "__Host-painel=", &forged] {
        let page = partner.get("/painel", cookie).await;
        assert!(page.text().contains("type=\"email\""), "{cookie}: {}", page.text());
        let answer = partner.get(&account, cookie).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/painel"), "{cookie}");
    }
    let home = partner.get("/painel", &cookie).await.text();
    let token = home.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let signing_out = format!("token={token}");
    let unmade = format!("token={}", "0".repeat(64));
    for (origin, form) in [
        (Some(BASE), ""),
        (Some(BASE), unmade.as_str()),
        (Some("https://evil.example"), &signing_out),
        (None, &signing_out),
    ] {
        let answer = partner.post("/painel/leave", origin, &cookie, form).await;
        assert_eq!(answer.status, 403, "{origin:?} {form}");
    }
    assert_eq!(partner.get(&account, &cookie).await.status, 200, "nobody signed it out");
    partner.advance(Span::hours(11));
    assert_eq!(partner.get(&account, &cookie).await.status, 200);
    partner.advance(Span::hours(11));
    assert_eq!(partner.get(&account, &cookie).await.status, 200, "use has renewed it");
    partner.advance(Span::hours(12));
    assert_eq!(partner.get(&account, &cookie).await.status, 303, "it was not used for 12 hours");
    let cookie = partner.signed_in(&mailbox).await;
    let home = partner.get("/painel", &cookie).await.text();
    let token = home.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let left = partner.post("/painel/leave", Some(BASE), &cookie, &format!("token={token}")).await;
    assert_eq!(left.status, 303);
    assert!(left.header("set-cookie").contains("Max-Age=0"), "{}", left.header("set-cookie"));
    assert_eq!(partner.get(&account, &cookie).await.status, 303);
}

#[tokio::test]
async fn the_page_asks_as_the_api_does_and_both_are_counted_together() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let form = |email: &str| format!("email={}", email.replace('@', "%40"));
    let page = partner.get("/painel", "").await;
    assert!(page.text().contains("action=\"/painel/link\""), "{}", page.text());
    let foreign = partner.post("/painel/link", Some("https://x.example"), "", &form(MAIL)).await;
    assert_eq!(foreign.status, 403);
    let known = partner.post("/painel/link", Some(BASE), "", &form(MAIL)).await;
    let unknown = partner.post("/painel/link", Some(BASE), "", &form(OTHER)).await;
    is_a_page(&known);
    assert_eq!((known.status, &known.bytes), (200, &unknown.bytes));
    path_in(&mailbox.mail(0).await);
    assert_eq!(partner.post("/painel/link", Some(BASE), "", "").await.status, 400);
    for _ in 0..3 {
        assert_eq!(partner.ask("x@example.com").await.status, 200);
    }
    // Five an hour from one address, whichever e-mails they name.
    for email in [MAIL, OTHER] {
        assert_eq!(partner.post("/painel/link", Some(BASE), "", &form(email)).await.status, 429);
        assert_eq!(partner.ask(email).await.status, 429);
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again_and_one_that_refuses_is_not() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    let partner = Partner::mailed_at(address, vec![Duration::from_millis(50); 400]).await;
    assert_eq!(partner.ask(MAIL).await.status, 200, "the answer does not wait");
    partner.logged(" mail 1 later - ").await;
    let mailbox = Mailbox::on(address);
    path_in(&mailbox.mail(0).await);
    mailbox.answers("451 try later");
    assert_eq!(partner.ask(MAIL).await.status, 200);
    partner.logged(" later 451 ").await;
    mailbox.answers("250 ok");
    mailbox.mail(1).await;
    mailbox.answers("550 no such mailbox");
    assert_eq!(partner.ask(MAIL).await.status, 200);
    partner.logged(" mail 1 refused 550 ").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let log = partner.log.text();
    assert_eq!((log.matches("refused").count(), mailbox.count()), (1, 2), "{log}");
    assert!(!log.contains("exemplo"), "{log}");
}

#[tokio::test]
async fn a_server_that_stays_away_is_given_up() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    let partner = Partner::mailed_at(address, vec![Duration::from_millis(1); 2]).await;
    assert_eq!(partner.ask(MAIL).await.status, 200);
    partner.logged(" mail 3 given_up - ").await;
}

#[tokio::test]
async fn without_mail_the_answer_is_the_same_and_nobody_signs_in() {
    let mailbox = Mailbox::start();
    let partner = Partner::with_mailbox(&mailbox).await;
    let house = House::empty();
    let body = json!({ "email": MAIL });
    let answer = house.send("POST", "/keys/painel-link", "", &body).await;
    assert_eq!(answer, partner.ask(MAIL).await.body());
    for path in ["/painel", "/painel/enter/x"] {
        let page = house.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        is_a_page(&page);
    }
    assert_eq!(house.get("/painel/live/x/").await.status, 303);
}
