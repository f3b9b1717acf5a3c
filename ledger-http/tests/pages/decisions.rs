//! Decisions of operators over HTTP: tried first, refused where they decide about nothing, and
//! recorded under the name of whoever took them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::body::Body;
use axum::http::Request;
use ledger_core::contract::{Environment, FACTS};
use ledger_core::time::{Instant, Span};
use ledger_http::operators::{Operators, Role};
use ledger_http::{LineFormat, LineLog, ServiceBuilder, console_router};
use ledger_store::projection::Target;
use ledger_store::signing::key::Signer;
use serde_json::{Value, json};

use crate::house::{Answer, House, sent};
use crate::log::Lines;

/// Facts about keys and agents, which name who decided and are none of the console's.
const OTHERS: [&str; 16] = [
    "key.replaced",
    "key.revoked",
    "agent.suspended",
    "agent.reinstated",
    "product_account.declared",
    "entry.posted",
    "entry.reversed",
    "reservation.made",
    "reservation.captured",
    "template.adopted",
    "template.posted",
    "balance.opened",
    "opening_balances.closed",
    "statement.received",
    "day.closed",
    "day.reopened",
];

/// A service with operators, an account with a payout that waits, and a PIX in suspense.
pub struct Office {
    pub house: House,
    pub operators: Operators,
    clock: Arc<AtomicI64>,
    log: Lines,
    folder: tempfile::TempDir,
}

impl Office {
    pub async fn open() -> Self {
        Self::built(|builder| builder).await
    }

    /// The same, in which a fee of more than R$ 10,00 wants a second operator.
    pub async fn wanting_seconds() -> Self {
        Self::built(|builder| builder.second_operator([("fee.adjusted".to_owned(), 1_000)])).await
    }

    /// The same, in which this decision wants one whatever it is about.
    pub async fn wanting(decision: &str) -> Self {
        Self::built(|builder| builder.second_operator([(decision.to_owned(), 0)])).await
    }

    /// The same, which signs certificates of erasure.
    pub async fn signing(key: Signer) -> Self {
        Self::built(|builder| builder.certificate_key(key)).await
    }

    async fn built(more: impl FnOnce(ServiceBuilder) -> ServiceBuilder) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let operators = Operators::kept_in(Target::Sqlite(folder.path().join("t.db")));
        let clock = Arc::new(AtomicI64::new(0));
        let (hand, its, log) = (Arc::clone(&clock), operators.clone(), Lines::default());
        let lines = LineLog::new(LineFormat::Json, log.clone());
        let mut house = House::built(|builder| {
            let now = move || Instant::from_micros(hand.load(Ordering::SeqCst)).unwrap();
            more(builder.clock(now).access_log(lines).operators(its))
        });
        for line in [
            r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"conta-1","account":"loja","terms":{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
            r#"{"at":"2026-11-20T12:01:00Z","fact":"fee.adjusted","body":{"id":"gift-1","account":"loja","effect_cents":1000000,"actor":"ines","reason":"a gift"}}"#,
            r#"{"at":"2026-11-20T12:02:00Z","as":"payout","key":"svc_live_loja","request":"POST /payouts","body":{"amount_cents":5000,"pix_key":"ana@exemplo.com.br","tax_number":"52998224725","external_id":"saque-1"}}"#,
            r#"{"at":"2026-11-20T12:03:00Z","as":"charge","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"saldo","payer_tax_number":"52998224725","external_id":"carga-1"}}"#,
            r#"{"at":"2026-11-20T12:04:00Z","as":"waits","fact":"pix.received","body":{"cashin_id":"$charge.cashin_id","e2e":"E9040088820261120120400000000001","amount_cents":10001}}"#,
        ] {
            house.play(line).await;
        }
        let office = Self { house, operators, clock, log, folder };
        office.set("2026-11-20T12:10:00Z");
        office
    }

    pub fn set(&self, at: &str) {
        self.clock.store(Instant::parse(at).unwrap().micros(), Ordering::SeqCst);
    }

    pub fn now(&self) -> Instant {
        Instant::from_micros(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    /// The credential of a new operator.
    pub fn hired(&self, name: &str, roles: &[Role]) -> String {
        self.operators.add(name, roles, 5_000, self.now()).unwrap()
    }

    pub fn id(&self, label: &str, field: &str) -> &str {
        self.house.answers[label][field].as_str().unwrap()
    }

    /// The database of the operators.
    pub fn target(&self) -> Target {
        Target::Sqlite(self.folder.path().join("t.db"))
    }

    pub fn log(&self) -> String {
        self.log.text()
    }

    pub fn head(&self) -> u64 {
        self.house.service.ledgers().for_environment(Environment::Live).engine().head().unwrap().seq
    }

    pub async fn decide(&self, credential: &str, name: &str, body: &Value) -> Answer {
        self.submit(credential, name, body, false).await
    }

    pub async fn submit(&self, credential: &str, name: &str, body: &Value, dry: bool) -> Answer {
        let mut request = Request::post(format!("/decisions/{name}"))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {credential}"));
        if dry {
            request = request.header("prefer", "dry-run");
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        sent(console_router(&self.house.service, None), request).await
    }
}

#[tokio::test]
async fn a_decision_is_shown_first_and_taken_once_under_the_operators_name() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let stop = json!({ "id": "stop-1", "payout_id": office.id("payout", "payout_id"),
        "reason": "to be looked at" });
    let stood = office.head();
    let dry = office.submit(&bia, "payout.stopped", &stop, true).await;
    assert_eq!((dry.status, dry.header("preference-applied")), (200, "dry-run"), "{}", dry.text());
    assert_eq!((&dry.body()["dry_run"], &dry.body()["outcome"]), (&json!(true), &json!("applied")));
    assert_eq!(office.head(), stood, "nothing was recorded");
    let done = office.decide(&bia, "payout.stopped", &stop).await;
    assert_eq!((done.status, done.header("preference-applied")), (200, ""), "{}", done.text());
    assert_eq!(done.body()["outcome"], "applied");
    assert_eq!((&done.body()["record"], office.head()), (&json!(stood + 1), stood + 1));
    // Said again, it was taken once; said otherwise under its id, it is refused.
    let again = office.decide(&bia, "payout.stopped", &stop).await;
    assert_eq!((again.status, &again.body()["outcome"]), (200, &json!("known")));
    let mut other = stop.clone();
    other["reason"] = json!("another reason");
    let cleared = office.decide(&bia, "payout.cleared", &stop).await;
    for refused in [office.decide(&bia, "payout.stopped", &other).await, cleared] {
        assert_eq!(refused.status, 409, "{}", refused.text());
        assert_eq!(refused.body()["erro"], "external_id_divergente");
    }
    let eva = office.hired("eva", &[Role::Decide]);
    let hers = office.decide(&eva, "payout.stopped", &stop).await;
    assert_eq!(hers.status, 409, "the decision was another's: {}", hers.text());
    assert_eq!(office.head(), stood + 1);
    let log = office.log.text();
    assert!(log.lines().count() >= 6, "each request is a line: {log}");
    for secret in [&bia[3..], &eva[3..], "to be looked at"] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[tokio::test]
async fn what_decides_about_nothing_is_refused_and_leaves_nothing_behind() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::DecideAbove, Role::HoldFunds]);
    let payout = office.id("payout", "payout_id").to_owned();
    let said = |id: &str, payout: &str| json!({ "id": id, "payout_id": payout, "reason": "why" });
    let stood = office.head();
    let charge = office.id("charge", "cashin_id").to_owned();
    for (status, name, body) in [
        (404, "payout.stopped", said("a", "po_00000000000000000000000000ff")),
        (409, "payout.stopped", said("b", &charge)),
        (
            404,
            "hold.placed",
            json!({ "id": "c", "account": "ninguem", "kind": "dispute",
            "amount_cents": 1, "reason": "why" }),
        ),
        (404, "payout.paid", said("d", &payout)),
        (404, "key.revoked", said("d", &payout)),
        (409, "payout.cleared", said("e", &payout)),
        (400, "payout.stopped", json!({ "id": "f", "payout_id": payout })),
        (
            400,
            "payout.stopped",
            json!({ "id": "f", "payout_id": payout, "reason": "why",
            "actor": "ines" }),
        ),
    ] {
        for dry in [true, false] {
            let refused = office.submit(&bia, name, &body, dry).await;
            assert_eq!(refused.status, status, "{name} {body}: {}", refused.text());
        }
    }
    assert_eq!(office.head(), stood, "nothing was recorded");
    // Once it may have been sent, a stop asks for evidence.
    let mut office = office;
    let submitted = r#"{"at":"2026-11-20T12:10:00Z","fact":"payout.submitted","body":{"id":"sub-1","payout_id":"$payout.payout_id"}}"#;
    office.house.play(submitted).await;
    let judged = |evidence: Option<&str>| {
        json!({ "id": "ev-1", "payout_id": payout,
        "outcome": "not_paid", "reason": "why", "evidence": evidence })
    };
    let stood = office.head();
    let refused = office.decide(&bia, "payout.evidence", &judged(None)).await;
    assert_eq!((refused.status, &refused.body()["reason"]), (422, &json!("outcome_unknown")));
    assert_eq!(office.head(), stood);
    let done = office.decide(&bia, "payout.evidence", &judged(Some("stmt-1"))).await;
    assert_eq!((done.status, &done.body()["outcome"]), (200, &json!("applied")));
    // It stands so already.
    let mut again = judged(Some("stmt-1"));
    again["id"] = json!("ev-2");
    let refused = office.decide(&bia, "payout.evidence", &again).await;
    assert_eq!((refused.status, &refused.body()["erro"]), (409, &json!("status_invalido")));
}

#[tokio::test]
async fn a_pix_in_suspense_is_attached_to_its_charge() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::DecideAbove]);
    let attach = json!({ "id": "att-1", "suspense_id": office.id("waits", "suspense_id"),
        "cashin_id": office.id("charge", "cashin_id"), "reason": "a centavo too much" });
    let dry = office.submit(&bia, "suspense.attached", &attach, true).await;
    assert_eq!(dry.status, 200, "{}", dry.text());
    assert!(dry.text().contains("\"susp.pix\""), "it says what it books: {}", dry.text());
    let done = office.decide(&bia, "suspense.attached", &attach).await;
    assert_eq!((done.status, &done.body()["outcome"]), (200, &json!("applied")), "{}", done.text());
}

#[tokio::test]
async fn every_role_decides_what_is_its_own_and_nothing_else() {
    let office = Office::open().await;
    let operators: Vec<_> =
        Role::ALL.into_iter().map(|role| (role, office.hired(role.name(), &[role]))).collect();
    let is_hold = |name: &str| {
        let holds = ["hold.placed", "hold.released", "court.ordered"];
        holds.contains(&name) || name.starts_with("recovery.")
    };
    for shape in FACTS {
        let is_decision = shape.field("actor").is_some() && !OTHERS.contains(&shape.name);
        for (role, credential) in &operators {
            // A body that says nothing is looked at by whoever may decide.
            let answer = office.decide(credential, shape.name, &json!({})).await;
            let expected = match role {
                _ if !is_decision => 404,
                Role::Decide | Role::DecideAbove if !is_hold(shape.name) => 400,
                Role::HoldFunds if is_hold(shape.name) => 400,
                _ => 403,
            };
            assert_eq!(answer.status, expected, "{role} {}: {}", shape.name, answer.text());
        }
    }
    let stood = office.head();
    let by = |role: Role| &operators.iter().find(|(known, _)| *known == role).unwrap().1;
    let adjusted = |cents: i64| {
        json!({ "id": format!("fee-{cents}"), "account": "loja",
        "effect_cents": cents, "reason": "courtesy" })
    };
    for (role, cents, status) in [
        (Role::Look, 1, 403),
        (Role::HoldFunds, 1, 403),
        (Role::Decide, 5_001, 403),
        (Role::Decide, -5_001, 403),
        (Role::Decide, 5_000, 200),
        (Role::DecideAbove, 5_001, 200),
    ] {
        for dry in [true, false] {
            let answer = office.submit(by(role), "fee.adjusted", &adjusted(cents), dry).await;
            assert_eq!(answer.status, status, "{role} {cents}: {}", answer.text());
        }
    }
    assert_eq!(office.head(), stood + 2);
    // What a payout is about counts, although a stop books nothing.
    let clear = |id: &str| {
        json!({ "id": id, "payout_id": office.id("payout", "payout_id"),
        "reason": "looked at" })
    };
    let stopped = office.decide(by(Role::Decide), "payout.stopped", &clear("s-1")).await;
    assert_eq!(stopped.status, 200, "{}", stopped.text());
    office.operators.change("decide", &[Role::Decide], 4_999).unwrap();
    let refused = office.decide(by(Role::Decide), "payout.cleared", &clear("c-1")).await;
    assert_eq!((refused.status, &refused.body()["up_to_cents"]), (403, &json!(4_999)));
    let cleared = office.decide(by(Role::DecideAbove), "payout.cleared", &clear("c-1")).await;
    assert_eq!(cleared.status, 200, "{}", cleared.text());
    let placed = json!({ "id": "h-1", "account": "loja", "kind": "judicial",
        "amount_cents": 900_000, "reason": "an order" });
    let placed = office.decide(by(Role::HoldFunds), "hold.placed", &placed).await;
    assert_eq!(placed.status, 200, "{}", placed.text());
    let hold = placed.body()["hold_id"].as_str().unwrap().to_owned();
    let freed = json!({ "id": "f-1", "hold_id": hold, "reason": "it is over" });
    assert_eq!(office.decide(by(Role::DecideAbove), "hold.released", &freed).await.status, 403);
    assert_eq!(office.decide(by(Role::HoldFunds), "hold.released", &freed).await.status, 200);
}

#[tokio::test]
async fn a_payout_above_the_bound_of_an_operator_is_not_theirs_to_stop() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    office.operators.change("bia", &[Role::Decide], 4_999).unwrap();
    let stop = json!({ "id": "stop-1", "payout_id": office.id("payout", "payout_id"),
        "reason": "to be looked at" });
    let stood = office.head();
    for dry in [true, false] {
        let refused = office.submit(&bia, "payout.stopped", &stop, dry).await;
        assert_eq!((refused.status, &refused.body()["up_to_cents"]), (403, &json!(4_999)));
    }
    assert_eq!(office.head(), stood);
    office.operators.change("bia", &[Role::Decide], 5_000).unwrap();
    assert_eq!(office.decide(&bia, "payout.stopped", &stop).await.status, 200);
}

#[tokio::test]
async fn a_credential_opens_nothing_once_its_operator_is_removed() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let body = json!({});
    assert_eq!(office.decide(&bia, "fee.adjusted", &body).await.status, 400);
    office.operators.remove("bia", office.now()).unwrap();
    let refused = office.decide(&bia, "fee.adjusted", &body).await;
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, "Bearer"));
    assert_eq!(refused.body()["erro"], "nao_autenticado");
    let again = office.hired("bia", &[Role::Decide]);
    assert_eq!(office.decide(&bia, "fee.adjusted", &body).await.status, 401);
    assert_eq!(office.decide(&again, "fee.adjusted", &body).await.status, 400);
}

#[tokio::test]
async fn an_address_that_guesses_is_not_heard_for_five_minutes() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    for guess in 0..10 {
        let answer = office.decide(&format!("op_{guess}"), "fee.adjusted", &json!({})).await;
        assert_eq!(answer.status, 401);
    }
    let locked = office.decide(&bia, "fee.adjusted", &json!({})).await;
    assert_eq!((locked.status, locked.header("retry-after")), (429, "300"), "{}", locked.text());
    let later = office.now().after(Span::seconds(300));
    office.clock.store(later.micros(), Ordering::SeqCst);
    assert_eq!(office.decide(&bia, "fee.adjusted", &json!({})).await.status, 400);
}

#[tokio::test]
async fn a_query_that_names_no_ledger_decides_nothing() {
    let office = Office::open().await;
    let bia = office.hired("bia", &[Role::Decide]);
    let (body, stood) = (
        json!({ "id": "fee-1", "account": "loja", "effect_cents": 1,
        "reason": "courtesy" }),
        office.head(),
    );
    for query in ["environment=live", "dry_run=true", "="] {
        let refused = office.decide(&bia, &format!("fee.adjusted?{query}"), &body).await;
        assert_eq!((refused.status, office.head()), (400, stood), "{query}: {}", refused.text());
    }
}

#[tokio::test]
async fn an_operator_is_one_word_in_every_record_and_may_look() {
    let office = Office::open().await;
    let taken = |name: &str| office.operators.add(name, &[Role::Decide], 1, office.now()).is_ok();
    let long = "b".repeat(81);
    for (name, fits) in [
        ("", false),
        ("bia souza", false),
        ("bia\nines", false),
        ("bi\u{e1}", false),
        (&*long, false),
        (&long[1..], true),
        ("bia.s_1-x@y", true),
    ] {
        assert_eq!(taken(name), fits, "{name:?}");
    }
    for listed in office.operators.list().unwrap() {
        assert_eq!(listed.operator.roles, [Role::Look, Role::Decide]);
    }
}
