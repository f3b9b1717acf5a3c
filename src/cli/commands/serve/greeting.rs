//! What `serve` says when it begins: where it is, how to try it, and what it is not set to do.

use std::fmt::Display;
use std::io::Write as _;
use std::net::SocketAddr;

use ledger_core::id::Environment;
use ledger_http::Service;

use super::listeners::World;
use super::options::Log;
use super::settings::Settings;
use crate::store::Store;
use crate::{Failure, say};

/// What a person sees while it stands by, or reads.
pub(super) fn greet_waiting(
    does: &str,
    store: &dyn Display,
    address: SocketAddr,
) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "custody-ledger {does} {store} on http://{address}")?;
    Ok(out.flush()?)
}

/// What a person sees first: where it is, where the ledgers stand, and how to try it.
pub(super) fn greet(
    store: &Store,
    address: SocketAddr,
    world: Option<&World>,
    (console, replicas): (Option<SocketAddr>, Option<SocketAddr>),
    service: &Service,
) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let (base, version) = (format!("http://{address}"), env!("CARGO_PKG_VERSION"));
    let cells = service.ledgers().each_of(Environment::Live).count();
    match cells {
        1 => writeln!(out, "custody-ledger {version} serves {store} on {base}")?,
        _ => writeln!(out, "custody-ledger {version} serves {cells} cells by {store} on {base}")?,
    }
    if let Some(World { address, token, fresh, .. }) = world {
        write!(out, "the world reports on {address}")?;
        if let Some(token) = token.as_ref().filter(|_| *fresh) {
            write!(out, " with the token {}", token.expose())?;
        }
        writeln!(out)?;
    }
    if let Some(console) = console {
        writeln!(out, "the console is on http://{console}")?;
    }
    if let Some(replicas) = replicas {
        writeln!(out, "replicas follow on http://{replicas}")?;
    }
    for ledger in service.ledgers().all() {
        let (head, name) = (ledger.engine().head()?, ledger.label());
        writeln!(out, "{name}: {} records, head {}", head.seq, head.link)?;
    }
    writeln!(out, "\nA sandbox key, a PIX collected, the balance:\n")?;
    for line in example(&base) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\nWhen something is wrong: custody-ledger runbook")?;
    writeln!(out, "End it with Ctrl-C or SIGTERM.")?;
    Ok(out.flush()?)
}

/// The three lines that a shell takes as they are.
fn example(base: &str) -> [String; 3] {
    let json = "-H 'Content-Type: application/json'";
    let field = |name: &str| format!("sed 's/.*\"{name}\":\"\\([^\"]*\\)\".*/\\1/'");
    let charge = "{\"amount_cents\":5000,\"destino\":\"saldo\",\
                  \"payer_tax_number\":\"52998224725\",\"external_id\":\"first\"}";
    [
        format!(
            "KEY=$(curl -s {base}/keys/sandbox {json} -d '{{\"email\":\"you@example.com\"}}' | {})",
            field("api_key")
        ),
        format!(
            "curl -s -X POST -H \"X-API-Key: $KEY\" {base}/sandbox/cashin/$(curl -s \
             {base}/cashin/charge -H \"X-API-Key: $KEY\" {json} -d '{charge}' | {})/pay",
            field("cashin_id")
        ),
        format!("curl -s {base}/saldo -H \"X-API-Key: $KEY\""),
    ]
}

/// Says what nobody does for this service, and what that means for its clients.
pub(super) fn say_unset(settings: &Settings) {
    if settings.log == Log::Off {
        return;
    }
    if settings.supply_url.is_none() {
        say(
            "custody-ledger: no provider is asked, so nothing of real money is issued: supply-url \
             is not set",
        );
    }
    if !settings.outbox {
        say("custody-ledger: payouts of real money are taken, and nobody is told to pay them; \
             webhooks are not sent: outbox is not set");
        if settings.webhooks_to.is_some() {
            say("custody-ledger: webhooks-to does nothing: outbox is not set");
        }
    }
    match (&settings.mail_url, &settings.dashboard_secret_file) {
        (None, _) => {
            say("custody-ledger: links of the dashboard are not mailed: mail-url is not set");
        }
        (Some(_), None) => {
            say("custody-ledger: sessions of the dashboard end with this process: \
                 dashboard-secret-file is not set");
        }
        (Some(_), Some(_)) => {}
    }
}
