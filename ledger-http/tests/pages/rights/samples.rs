//! Requests, of each route at least one.

use super::callers::Listener;

/// A request that each caller makes.
///
/// Target and body name what a building has, such as `$payout`, and what is the caller's own:
/// `$caller`, `$credential` and `$token`, which the forms of their session carry.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub listener: Listener,
    pub method: &'static str,
    /// The route, as its router declares it.
    pub path: &'static str,
    /// Which of several requests of the route it is; `*` is one for what is another account's.
    pub case: &'static str,
    pub target: &'static str,
    /// JSON, or a form, or nothing.
    pub body: &'static str,
}

impl Sample {
    /// The route, and which of its requests: `GET /{ledger}/person: a document`.
    pub fn name(&self) -> String {
        match self.case {
            "" => self.route(),
            "*" => format!("{} *", self.route()),
            case => format!("{}: {case}", self.route()),
        }
    }

    /// The route: `GET /{ledger}/records`.
    pub fn route(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// All of them, in the order in which they are made.
pub fn samples() -> impl Iterator<Item = Sample> {
    let of = |listener, all: &'static [Row]| {
        all.iter().map(move |&(method, path, case, target, body)| Sample {
            listener,
            method,
            path,
            case,
            target,
            body,
        })
    };
    of(Listener::Console, CONSOLE)
        .chain(of(Listener::World, WORLD))
        .chain(of(Listener::Replicas, REPLICAS))
        .chain(of(Listener::Clients, CLIENTS))
}

/// Method, route, case, target and body.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

const fn get(path: &'static str, target: &'static str) -> Row {
    ("GET", path, "", target, "")
}

const CONSOLE: &[Row] = &[
    get("/", "/"),
    get("/{ledger}/", "/live/"),
    get("/{ledger}/solvency", "/live/solvency"),
    get("/{ledger}/trial-balance", "/live/trial-balance"),
    get("/{ledger}/days", "/live/days?from=2026-11-20&to=2026-11-20"),
    get("/{ledger}/days.csv", "/live/days.csv?from=2026-11-20&to=2026-11-20"),
    get("/{ledger}/entries", "/live/entries?account=susp.pix"),
    get("/{ledger}/accounts", "/live/accounts"),
    get("/{ledger}/accounts/{name}", "/live/accounts/$account"),
    get("/{ledger}/accounts/{name}/statement", "/live/accounts/$account/statement"),
    get(
        "/{ledger}/accounts/{name}/statement/file",
        "/live/accounts/$account/statement/file?from=2026-11-20&to=2026-11-20&as=csv",
    ),
    get("/{ledger}/operations", "/live/operations"),
    get("/{ledger}/operations/{id}", "/live/operations/$payout"),
    get("/{ledger}/waiting", "/live/waiting?with=me"),
    get("/{ledger}/waiting.csv", "/live/waiting.csv"),
    get("/{ledger}/waiting/{id}", "/live/waiting/$suspense"),
    ("POST", "/{ledger}/waiting/{id}", "", "/live/waiting/$suspense", "token=$token&with=me"),
    get("/{ledger}/person", "/live/person"),
    ("GET", "/{ledger}/person", "a document", "/live/person?document=$document", ""),
    get("/{ledger}/person/certificates/{id}", "/live/person/certificates/none"),
    get("/{ledger}/records", "/live/records"),
    get("/{ledger}/records/{seq}", "/live/records/8"),
    get("/{ledger}/fees", "/live/fees"),
    get("/{ledger}/limits", "/live/limits"),
    get("/{ledger}/requests", "/live/requests"),
    get("/{ledger}/query", "/live/query?sql=select+*+from+operations"),
    get("/{ledger}/query.csv", "/live/query.csv?sql=select+*+from+statement_rows"),
    get("/{ledger}/find", "/live/find?q=$document"),
    get("/{ledger}/webhooks", "/live/webhooks"),
    get("/{ledger}/webhooks/{account}", "/live/webhooks/$account"),
    get("/{ledger}/webhooks/{account}/{event}", "/live/webhooks/$account/$event"),
    (
        "POST",
        "/{ledger}/webhooks/{account}",
        "switched on",
        "/live/webhooks/$account",
        "token=$token&act=on",
    ),
    (
        "POST",
        "/{ledger}/webhooks/{account}",
        "sent again",
        "/live/webhooks/$account",
        "token=$token&act=resend&event=$event",
    ),
    get("/{ledger}/decide", "/live/decide?decision=payout.stopped&payout_id=$payout"),
    (
        "POST",
        "/{ledger}/decide",
        "a payout, shown",
        "/live/decide",
        "token=$token&decision=payout.stopped&payout_id=$payout&id=s&reason=why",
    ),
    (
        "POST",
        "/{ledger}/decide",
        "too large, shown",
        "/live/decide",
        "token=$token&decision=payout.stopped&payout_id=$large&id=s&reason=why",
    ),
    (
        "POST",
        "/{ledger}/decide",
        "a hold, confirmed",
        "/live/decide",
        "token=$token&decision=hold.placed&account=$account&kind=dispute&amount_cents=1\
         &id=form-$caller&reason=why&step=confirm",
    ),
    (
        "POST",
        "/{ledger}/decide",
        "an erasure, shown",
        "/live/decide",
        "token=$token&decision=person.erased&document=$document&id=e&reason=why",
    ),
    (
        "POST",
        "/{ledger}/decide",
        "declined",
        "/live/decide",
        "token=$token&decision=fee.adjusted&id=form-$caller&step=decline",
    ),
    (
        "POST",
        "/{ledger}/decide",
        "of another session",
        "/live/decide",
        "token=0&decision=payout.stopped&payout_id=$payout&id=s&reason=why&step=confirm",
    ),
    (
        "POST",
        "/decisions/{name}",
        "a fee",
        "/decisions/fee.adjusted",
        r#"{"id":"fee-$caller","account":"$account","effect_cents":5000,"reason":"why"}"#,
    ),
    (
        "POST",
        "/decisions/{name}",
        "a larger fee",
        "/decisions/fee.adjusted",
        r#"{"id":"large-$caller","account":"$account","effect_cents":5001,"reason":"why"}"#,
    ),
    (
        "POST",
        "/decisions/{name}",
        "a hold",
        "/decisions/hold.placed",
        r#"{"id":"hold-$caller","account":"$account","amount_cents":900000,"kind":"judicial","reason":"why"}"#,
    ),
    (
        "POST",
        "/decisions/{name}",
        "a legal hold",
        "/decisions/person.held",
        r#"{"id":"held-$caller","hold":"case-$caller","document":"$document","reason":"why"}"#,
    ),
    (
        "POST",
        "/decisions/{name}",
        "no decision",
        "/decisions/key.revoked",
        r#"{"id":"key-$caller","reason":"why"}"#,
    ),
    (
        "DELETE",
        "/decisions/{name}",
        "a proposal",
        "/decisions/fee.adjusted",
        r#"{"id":"door-$caller"}"#,
    ),
    (
        "POST",
        "/assignments/{operation}",
        "",
        "/assignments/$suspense",
        r#"{"with":"me","note":"asks the bank"}"#,
    ),
    ("POST", "/sign-in", "", "/sign-in", "credential=$credential"),
    ("POST", "/sign-out", "", "/sign-out", "token=$token"),
];

const WORLD: &[Row] = &[
    get("/health/live", "/health/live"),
    get("/health/ready", "/health/ready"),
    get("/metrics", "/metrics"),
    (
        "POST",
        "/facts/{name}",
        "",
        "/facts/fee.adjusted",
        r#"{"id":"fact-$caller","account":"$account","effect_cents":1,"actor":"ines","reason":"why"}"#,
    ),
    (
        "POST",
        "/lines",
        "",
        "/lines",
        r#"{"fact":"fee.adjusted","body":{"id":"line-$caller","account":"$account","effect_cents":1,"actor":"ines","reason":"why"}}"#,
    ),
    get("/instructions", "/instructions"),
    ("POST", "/instructions/{id}/acknowledge", "", "/instructions/$instruction/acknowledge", "{}"),
    get("/charges", "/charges?account=$account&external_id=carga-1"),
    get("/moves", "/moves"),
    ("POST", "/moves", "", "/moves", r#"{"id":"move-1","account":"$account","to":"live"}"#),
    get("/moves/{id}", "/moves/move-1"),
    ("POST", "/moves/{id}/abandon", "", "/moves/move-1/abandon", "{}"),
    ("POST", "/clock/accept", "", "/clock/accept", r#"{"actor":"ines","reason":"why"}"#),
];

const REPLICAS: &[Row] = &[
    get("/ledgers/{ledger}", "/ledgers/live"),
    get("/ledgers/{ledger}/commits", "/ledgers/live/commits?after=0&rows=1&wait=0"),
    ("POST", "/ledgers/{ledger}/values", "", "/ledgers/live/values", r#"{"tokens":[]}"#),
];

const CLIENTS: &[Row] = &[
    get("/", "/"),
    get("/health/live", "/health/live"),
    get("/health/ready", "/health/ready"),
    get("/docs", "/docs"),
    get("/openapi.json", "/openapi.json"),
    get("/llms.txt", "/llms.txt"),
    get("/quickstart", "/quickstart"),
    get("/mark.svg", "/mark.svg"),
    get("/.well-known/api-catalog", "/.well-known/api-catalog"),
    get("/.well-known/agent-card.json", "/.well-known/agent-card.json"),
    get("/.well-known/mcp.json", "/.well-known/mcp.json"),
    get("/.well-known/apis.json", "/.well-known/apis.json"),
    get("/mcp/server-card", "/mcp/server-card"),
    ("POST", "/mcp", "", "/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
    (
        "POST",
        "/mcp/onboarding",
        "",
        "/mcp/onboarding",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    ),
    get("/qr/{id}/{file}", "$qr"),
    get("/receipts/{id}/{tag}", "$receipt"),
    get("/verify/{e2e}", "/verify/$e2e"),
    get("/monitor/{token}", "/monitor/$credential"),
    get("/monitor/{token}/", "/monitor/$credential/"),
    get("/monitor/{token}/statement", "/monitor/$credential/statement"),
    get("/monitor/{token}/operations/{id}", "/monitor/$credential/operations/$my_payout"),
    ("GET", "/monitor/{token}/operations/{id}", "*", "/monitor/$credential/operations/$payout", ""),
    get("/monitor/{token}/records/{seq}", "/monitor/$credential/records/$my_record"),
    (
        "GET",
        "/monitor/{token}/records/{seq}",
        "*",
        "/monitor/$credential/records/$others_record",
        "",
    ),
    get("/painel", "/painel"),
    get("/painel/", "/painel/"),
    get("/painel/{ledger}/{account}", "/painel/live/$mine"),
    ("GET", "/painel/{ledger}/{account}", "*", "/painel/live/$account", ""),
    get("/painel/{ledger}/{account}/", "/painel/live/$mine/"),
    get("/painel/{ledger}/{account}/statement", "/painel/live/$mine/statement"),
    get("/painel/{ledger}/{account}/operations", "/painel/live/$mine/operations"),
    get("/painel/{ledger}/{account}/operations/{id}", "/painel/live/$mine/operations/$my_payout"),
    (
        "GET",
        "/painel/{ledger}/{account}/operations/{id}",
        "*",
        "/painel/live/$mine/operations/$payout",
        "",
    ),
    get("/painel/{ledger}/{account}/records/{seq}", "/painel/live/$mine/records/$my_record"),
    (
        "GET",
        "/painel/{ledger}/{account}/records/{seq}",
        "*",
        "/painel/live/$mine/records/$others_record",
        "",
    ),
    get("/painel/{ledger}/{account}/commission", "/painel/live/$mine/commission"),
    get("/painel/{ledger}/{account}/terms", "/painel/live/$mine/terms"),
    get("/painel/{ledger}/{account}/webhooks", "/painel/live/$mine/webhooks"),
    ("GET", "/painel/{ledger}/{account}/webhooks", "*", "/painel/live/$account/webhooks", ""),
    get("/painel/enter/{link}", "/painel/enter/$credential"),
    ("POST", "/painel/enter/{link}", "", "/painel/enter/$credential", "token=$token"),
    ("POST", "/painel/link", "", "/painel/link", "email=$caller%40example.com"),
    ("POST", "/painel/leave", "", "/painel/leave", "token=$token"),
    get("/webhooks/deliveries/{id}", "/webhooks/deliveries/$event"),
    ("POST", "/webhooks/deliveries/{id}/resend", "", "/webhooks/deliveries/$event/resend", ""),
    (
        "POST",
        "/webhooks/deliveries/recover",
        "",
        "/webhooks/deliveries/recover?since=2026-11-20T00:00:00Z",
        "",
    ),
    get("/webhooks/filter", "/webhooks/filter"),
    ("PUT", "/webhooks/filter", "", "/webhooks/filter", r#"{"events":[]}"#),
    get("/webhooks/events", "/webhooks/events"),
];
