//! `listen`: the webhooks of a key, forwarded to a URL of this machine or any other.

use std::io::Write as _;

use clap::Args;
use ledger_core::contract::Secret;
use ledger_core::contract::signature::standard_secret;
use ledger_http::courier::{Forwarded, ListenFailed, Listener};
use ledger_http::system_clock;

use crate::Failure;
use crate::run::ending::Stop;

#[derive(Args)]
pub struct Options {
    /// Where every event is posted to.
    #[arg(long, value_name = "URL")]
    forward_to: String,
    /// The service that is listened to.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    #[arg(env = "CUSTODY_LEDGER_SERVER")]
    server: String,
    /// The key whose events they are.
    #[arg(long, value_name = "KEY", env = "CUSTODY_LEDGER_KEY", hide_env_values = true)]
    key: String,
    /// The secret that they are signed with; a random one, which is printed, unless said.
    #[arg(long, value_name = "SECRET", env = "CUSTODY_LEDGER_WEBHOOK_SECRET")]
    #[arg(hide_env_values = true)]
    secret: Option<String>,
    /// Ends after so many events: well, if each was answered 2xx.
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    exit_after: Option<u64>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let stop = Stop::listen()?;
    let (key, given) = (Secret::new(&options.key), options.secret.as_deref().map(Secret::new));
    let fresh = given.is_none();
    let mut listener = Listener::new(&options.server, key, &options.forward_to, given)
        .map_err(|error| Failure::because("nobody can listen", &error))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = async {
        while stop.signal().is_none() {
            tokio::time::sleep(super::serve::MOMENT).await;
        }
    };
    runtime.block_on(async {
        tokio::select! {
            () = ended => Ok(()),
            done = forward_events(options, &mut listener, fresh) => done,
        }
    })
}

async fn forward_events(
    options: &Options,
    listener: &mut Listener,
    fresh: bool,
) -> Result<(), Failure> {
    let refused = |error| match error {
        ListenFailed::Refused { status: 404, said }
            if said.starts_with("nao_encontrado") && is_root(&options.server) =>
        {
            Failure::new(format!(
                "{}: the service keeps no outbox, so it has no webhooks: `serve --outbox` does",
                options.server
            ))
        }
        error => Failure::because(&options.server, &error),
    };
    listener.begin().await.map_err(refused)?;
    let Options { server, forward_to, .. } = options;
    say(&format!("listening to {server}, forwarding to {forward_to}"))?;
    if fresh {
        let secret = listener.secret();
        let standard = standard_secret(secret);
        say(&format!("signed with {}, or {}", secret.expose(), standard.expose()))?;
    }
    let (clock, mut left, mut failed) = (system_clock(), options.exit_after, 0_u64);
    while left != Some(0) {
        let most = left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        for forwarded in listener.forward(clock(), most).await.map_err(refused)? {
            print_event(&forwarded)?;
            failed += u64::from(!forwarded.outcome.is_success());
            left = left.map(|left| left - 1);
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!("{failed} events were not answered with 2xx")));
    }
    Ok(())
}

/// Tells whether the URL of a service has no path: beneath another one nothing may be served.
fn is_root(server: &str) -> bool {
    let after_scheme = server.split_once("://").map_or(server, |(_, rest)| rest);
    !after_scheme.trim_end_matches('/').contains('/')
}

/// A line for each event.
fn print_event(forwarded: &Forwarded) -> Result<(), Failure> {
    let Forwarded { event, topic, outcome, took } = forwarded;
    let status = outcome.status().map_or_else(|| outcome.name().to_owned(), |it| it.to_string());
    say(&format!("{topic} {event} {status} {}ms", took.as_millis()))
}

fn say(line: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
