//! `serve`: both ledgers of a store over HTTP, or several of real money, with bank, exchange and
//! networks played for test keys.

mod cell;
mod cells;
mod clock;
mod greeting;
mod listeners;
mod open_files;
mod opening;
mod options;
mod replica;
mod secret_file;
pub mod settings;

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ledger_http::courier::{CourierTask, Webhooks};
use ledger_http::documents::Config;
use ledger_http::operators::Operators;
use ledger_http::panel::{Panel, PostTask};
use ledger_http::push::PushTask;
use ledger_http::server::{Connections, Listening, Running, ticker};
use ledger_http::{
    Ledgers, LineFormat, LineLog, OpenLedger, RemoteSupply, Service, ServiceBuilder, Silent,
    SupplySettings, commits_router, console_router, opening_router, router, system_clock,
    world_router,
};
use ledger_store::engine::{EngineStatus, WritingFails};
use ledger_store::machine_clock::MachineClock;
use ledger_store::projection::{TableQueries, Target};

use crate::checkpoints::{Checkpoints, signer};
use crate::run::ending::Stop;
use crate::store::Store;
use crate::{Failure, loss, say};
use clock::ServiceClock;
use greeting::{greet, greet_waiting, say_unset};
pub(in crate::commands) use listeners::bind;
use listeners::{World, console, replicas};
use opening::{StandingBy, open};
use options::Log;
pub use options::Options;
use replica::{Followed, Reading};
use settings::Settings;

/// How often it is looked whether a deadline has come, or something is played.
const TICK: Duration = Duration::from_millis(250);

/// How often it is looked whether it is to end.
pub(in crate::commands) const MOMENT: Duration = Duration::from_millis(50);

pub fn run(options: &Options) -> Result<(), Failure> {
    let settings = Settings::from_options(options)?;
    if options.print_config {
        std::io::stdout().write_all(settings.redacted_text()?.as_bytes())?;
        return Ok(());
    }
    let (pushed, supplied) = (settings.push_settings()?, settings.supply_settings()?);
    let store = settings.own_store()?;
    let stop = Stop::listen()?;
    let listener = bind("listen", &settings.listen)?;
    let mut world = World::from_settings(&settings)?;
    let console = console(&settings)?;
    let followers = replicas(&settings)?;
    let address = listener.local_addr()?;
    let connections = Connections {
        most: open_files::room_for(settings.connections),
        header_read: Duration::from_secs(settings.header_seconds),
        drain: Duration::from_secs(settings.drain_seconds),
    };
    let looked_at = console.as_ref().map(|(listener, _)| listener.local_addr()).transpose()?;
    let followed_at = followers.as_ref().map(|(listener, _)| listener.local_addr()).transpose()?;
    // Whoever asks before there is something to serve is told so, on every listener.
    let world_at = world.as_mut().and_then(|world| world.listening.take());
    let (console_at, console) = console.unzip();
    let (followers_at, followers) = followers.unzip();
    let beside = [world_at, console_at.map(Listening::from), followers_at.map(Listening::from)];
    let listeners = [Some(Listening::from(listener))].into_iter().chain(beside).flatten();
    let waits = opening_router(system_clock());
    let sites = listeners.map(|listener| (listener, waits.clone())).collect();
    let running = Running::start(sites, connections, None)?;
    if let Some(head) = &settings.accept_loss {
        if settings.standby || settings.replica_of.is_some() || !settings.cell.is_empty() {
            let why =
                "--accept-loss is said of one store, by whoever writes it: `run` takes it too";
            return Err(Failure::new(why));
        }
        loss::accept(&store, head)?;
    }
    let ledgers = ledgers(&store, &settings, (&running, address), &stop)?;
    let Some(ledgers) = ledgers else { return Ok(()) };
    store.say_who_reads();
    for (name, fault) in unlocked_ledgers(&ledgers, &settings) {
        say(&format!(
            "custody-ledger: {name} is held by no lock, so a second process takes it over unasked: \
             {fault}; set lease-seconds"
        ));
    }
    let mut checkpoints = Checkpoints::open(&store, settings.checkpoints())?;
    let webhooks = webhooks(&store, &settings)?;
    let queries = console.as_ref().map(|_| queries(&store, &settings)).transpose()?.flatten();
    let panel = panel(&store, &settings)?;
    let mut clock = ServiceClock::new(&store, &ledgers, &settings)?;
    let operators = store.target().filter(|_| console.is_some()).map(Operators::kept_in);
    let people = (panel, operators);
    let at = (address, clock.machine());
    let service = service((ledgers, supplied), &settings, at, webhooks, queries, people)?;
    let world_routes = world.as_ref().map(|world| world_router(&service, world.token.clone()));
    let routes = [
        Some(router(&service)),
        world_routes,
        console.map(|token| console_router(&service, token)),
        followers.map(|secret| commits_router(&service, secret)),
    ];
    running.replace(routes.into_iter().flatten());
    greet(&store, address, world.as_ref(), (looked_at, followed_at), &service)?;
    let ticker = ticker(service.clone(), TICK);
    let courier = CourierTask::start(&service)
        .map_err(|error| Failure::because("the courier cannot begin", &error))?;
    let push = pushed.map(|settings| PushTask::start(&service, settings)).transpose();
    let push = push.map_err(|error| Failure::because("instructions cannot be pushed", &error))?;
    let post =
        PostTask::start(&service).map_err(|error| Failure::because("mail cannot begin", &error))?;
    say_unset(&settings);
    // A ledger that was taken over from has nothing more to serve.
    let goes_on = |status| {
        use EngineStatus::{Failing, LeaseLapsed, Writing};
        matches!(status, Writing | LeaseLapsed | Failing(_))
    };
    let serves = || service.ledgers().all().all(|ledger| goes_on(ledger.engine().status()));
    let (mut said, mut failing) = (Vec::new(), Vec::new());
    while stop.signal().is_none() && serves() {
        std::thread::sleep(MOMENT);
        for ledger in service.ledgers().all() {
            let written = checkpoints.look(ledger.environment(), ledger.engine());
            say_once(&mut said, written);
            say_failing(&mut failing, ledger);
        }
        say_once(&mut said, clock.look(service.ledgers()));
    }
    service.close();
    if !running.end() {
        say("custody-ledger: some requests were still under way, and their clients were left");
    }
    drop((ticker, post));
    // What is under way is answered and written down while the ledgers are open.
    if let Some(courier) = courier {
        courier.stop();
    }
    if let Some(push) = push {
        push.stop();
    }
    say_once(&mut said, clock.end(service.ledgers()));
    end(&service, &mut checkpoints)
}

/// Both ledgers, once they are open for writing; nothing where it is to end before.
fn ledgers(
    store: &Store,
    settings: &Settings,
    (running, address): (&Running, SocketAddr),
    stop: &Stop,
) -> Result<Option<Ledgers>, Failure> {
    if settings.replica_of.is_some() {
        let reading = Reading::begin(Followed::from_settings(store, settings)?, settings)?;
        running.replace([reading.routes()]);
        greet_waiting("reads", reading.upstream(), address)?;
        reading.await_promotion(stop)
    } else if settings.standby {
        let standing_by = StandingBy { store, settings };
        standing_by
            .await_promotion(running, stop, || greet_waiting("stands by for", store, address))
    } else if settings.cell.is_empty() {
        open(store, settings).map(Some)
    } else {
        cells::open(store, settings).map(Some)
    }
}

/// The ledgers that neither a lease nor a lock keeps for this process, and why no lock does.
fn unlocked_ledgers(ledgers: &Ledgers, settings: &Settings) -> Vec<(String, String)> {
    let all = ledgers.all().filter(|_| settings.lease().is_none());
    let fault = |ledger: &OpenLedger| {
        Some((ledger.label().to_owned(), ledger.engine().lock_fault()?.to_owned()))
    };
    all.filter_map(|ledger| fault(ledger)).collect()
}

/// Says once that a ledger's store takes no commit, and once that it takes them again.
fn say_failing(said: &mut Vec<(String, WritingFails)>, ledger: &OpenLedger) {
    let (name, known) = (ledger.label(), said.iter().position(|(of, _)| of == ledger.label()));
    match (ledger.engine().status(), known) {
        (EngineStatus::Failing(failing), None) => {
            say(&format!(
                "custody-ledger: {name}: nothing is written, and what needs it is answered 503: {} \
                 (what to do: custody-ledger runbook CommitsFailing)",
                failing.why
            ));
            said.push((name.to_owned(), failing));
        }
        (EngineStatus::Writing, Some(place)) => {
            let (_, failed) = said.swap_remove(place);
            let seconds = failed.since.elapsed().as_secs();
            say(&format!("custody-ledger: {name}: it is written again, after {seconds} s"));
        }
        _ => {}
    }
}

/// Serving goes on without checkpoints: what keeps them from being written is said once.
fn say_once(said: &mut Vec<String>, written: Result<(), Failure>) {
    let Err(failure) = written else { return };
    let text = failure.to_string();
    if !said.contains(&text) {
        say(&text);
        said.push(text);
    }
}

/// Where webhooks are kept, beside the tables that they come from.
fn webhooks(store: &Store, settings: &Settings) -> Result<Option<Webhooks>, Failure> {
    let (Some(webhooks), Some(tables)) = (settings.webhooks()?, store.target()) else {
        return Ok(None);
    };
    let opened = Webhooks::open(&tables, webhooks);
    opened
        .map(Some)
        .map_err(|error| Failure::because(&format!("{store}: webhooks cannot be kept"), &error))
}

/// The tables that the console's queries read: those in the store's file, unless it is said. On
/// PostgreSQL it must be said, since the store's own role reads the vault too.
fn queries(store: &Store, settings: &Settings) -> Result<Option<TableQueries>, Failure> {
    let target = match &settings.console_query_store {
        Some(name) => Some(Store::target_of(name)?),
        None => store.target().filter(|target| matches!(target, Target::Sqlite(_))),
    };
    Ok(target.map(TableQueries::new))
}

/// Where the dashboard's links and sessions are kept, and how its links are mailed.
fn panel(store: &Store, settings: &Settings) -> Result<Option<Panel>, Failure> {
    let Some(panel) = settings.panel()? else { return Ok(None) };
    let Some(tables) = store.target() else {
        return Err(Failure::new(format!(
            "mail-url needs a store that keeps sessions, and {store} does not"
        )));
    };
    let opened = Panel::open(&tables, panel);
    opened
        .map(Some)
        .map_err(|error| Failure::because(&format!("{store}: the dashboard cannot begin"), &error))
}

fn service(
    (ledgers, supplied): (Ledgers, Option<SupplySettings>),
    settings: &Settings,
    (address, clock): (SocketAddr, Arc<MachineClock>),
    webhooks: Option<Webhooks>,
    queries: Option<TableQueries>,
    (panel, operators): (Option<Panel>, Option<Operators>),
) -> Result<Service, Failure> {
    let base_url = settings.base_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let mut documents = Config::at(&base_url);
    if let Some(url) = &settings.docs_url {
        documents.docs_url.clone_from(url);
    }
    let builder: ServiceBuilder = Service::builder(ledgers).limits(settings.limits()?);
    let builder = builder.hanging_after(settings.hanging()?);
    let builder = builder.second_operator(settings.second_operator()?);
    let mut builder = builder.witnessed_by(clock).documents(documents);
    if let Some(path) = &settings.metrics_token_file {
        builder = builder.metrics_token(secret_file::read(path)?);
    }
    if let Some(webhooks) = webhooks {
        builder = builder.webhooks(webhooks);
    }
    if let Some(queries) = queries {
        builder = builder.table_queries(queries);
    }
    if let Some(panel) = panel {
        builder = builder.panel(panel);
    }
    if let Some(operators) = operators {
        builder = builder.operators(operators);
    }
    if let Some(checkpoints) = settings.checkpoints() {
        builder = builder.certificate_key(signer(checkpoints.key)?);
    }
    let format = match settings.log {
        Log::Json => Some(LineFormat::Json),
        Log::Text => Some(LineFormat::Text),
        Log::Off => None,
    };
    let log = || format.map(|format| LineLog::new(format, std::io::stderr()));
    if let Some(supplied) = supplied {
        let supply = match log() {
            Some(log) => RemoteSupply::new(supplied, log),
            None => RemoteSupply::new(supplied, Silent),
        };
        let supply = supply.map_err(|error| Failure::because("no provider is asked", &error))?;
        builder = builder.supply(supply);
    }
    if let Some(log) = log() {
        builder = builder.access_log(log);
    }
    let randomness = "the system gives no randomness";
    builder.build().map_err(|error| Failure::because(randomness, &error))
}

/// Writes the last checkpoints, stops the engines, and says where the chains end.
fn end(service: &Service, checkpoints: &mut Checkpoints) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut said = Vec::new();
    for ledger in service.ledgers().all() {
        let name = ledger.label();
        say_once(&mut said, checkpoints.write(ledger.environment(), ledger.engine()));
        let head = ledger.engine().stop().map_err(|error| {
            Failure::because(&format!("ledger {name} had ended before"), &error)
        })?;
        writeln!(out, "{name}: {} records, head {}", head.seq, head.link)?;
    }
    checkpoints.stop();
    Ok(out.flush()?)
}
