//! Ledgers of any name in one store: what each is was chosen when it was made.

use std::sync::Arc;

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::prelude::*;
use custody_ledger::request::account::RotateKey;
use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination, GetCharge};
use custody_ledger::request::sale::CreateCashOut;
use custody_ledger::view::Charge;
use custody_ledger::{Builder, Environment, Ledger, ManualClock, OpenError};

use super::server;
use super::shop::{CPF, amount};

const LEDGERS: [(&str, Environment); 4] = [
    ("acme", Environment::Live),
    ("acme-tests", Environment::Sandbox),
    ("zeta", Environment::Live),
    ("zeta-tests", Environment::Sandbox),
];

/// What a key is made of.
const ENTROPY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn begin(environment: Environment) -> &'static str {
    match environment {
        Environment::Live => "svc_live_",
        Environment::Sandbox => "svc_test_",
    }
}

fn builder(store: &str, name: &str) -> Builder {
    let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").unwrap());
    Ledger::builder(store).name(name).clock(clock)
}

/// A client of an account whose key was made in the ledger.
fn client(ledger: &Ledger) -> Client {
    let first = format!("{}first", begin(ledger.environment()));
    let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), AccountName::new("l").unwrap());
    ledger
        .report(&opened.key(first.as_str().try_into().unwrap()))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    let rotate = RotateKey::new().entropy(ENTROPY.try_into().unwrap());
    let first = ledger.client(ApiKey::new(&first).unwrap());
    let made = first.ask(&rotate).wait().unwrap().answer;
    let shown = serde_json::to_value(&made).unwrap()["api_key"].to_string();
    assert!(shown[1..].starts_with(begin(ledger.environment())), "{}", ledger.environment());
    ledger.client(made.api_key)
}

fn charge_request() -> CreateCharge {
    let (payer, id) = (Document::new(CPF).unwrap(), ExternalId::new("charge-1").unwrap());
    let request = CreateCharge::new(amount(1_000), payer, Party::House, id);
    let request = request.destination(CreateChargeDestination::Balance);
    request.qr_copypaste("a code".try_into().unwrap())
}

/// Opens the ledgers of a store, and looks at each through its client.
fn each_is_what_it_was_made_for(store: &str) {
    let open = |(name, environment): (&str, Environment)| {
        let ledger = builder(store, name).environment(environment).open().wait().unwrap();
        assert_eq!(ledger.environment(), environment);
        ledger
    };
    let ledgers = LEDGERS.map(open);
    let clients = ledgers.each_ref().map(client);
    let mut charges: Vec<Charge> = Vec::new();
    for (loja, (name, environment)) in clients.iter().zip(LEDGERS) {
        let played = charge_request().sandbox_scenario("hold".try_into().unwrap());
        let played = loja.ask(&played).wait();
        match environment {
            Environment::Sandbox => charges.push(played.unwrap().answer),
            Environment::Live => {
                let Err(Error::Refused(refusal)) = played else { panic!("{name}: {played:?}") };
                assert_eq!(refusal.detail(), Some("sandbox_scenario is for test keys"));
                charges.push(loja.ask(&charge_request()).wait().unwrap().answer);
            }
        }
    }
    for (owner, loja) in clients.iter().enumerate() {
        for (charge, of) in charges.iter().zip(0..) {
            let found = loja.ask(&GetCharge::new(charge.id.clone())).wait();
            assert_eq!(found.is_ok(), owner == of, "{owner} {of}");
        }
    }
    // Reopened, each is what it was, and nothing else.
    let heads = ledgers.map(|ledger| ledger.shutdown().unwrap());
    for ((name, environment), head) in LEDGERS.into_iter().zip(heads) {
        let other = match environment {
            Environment::Live => Environment::Sandbox,
            Environment::Sandbox => Environment::Live,
        };
        let refused = builder(store, name).environment(other).open().wait().unwrap_err();
        assert!(matches!(refused, OpenError::Store(_)), "{refused:?}");
        let said =
            format!("ledger \"{name}\" was made for the environment {environment}, not {other}");
        assert_eq!(refused.to_string(), said);
        let again = builder(store, name).open().wait().unwrap();
        assert_eq!((again.environment(), again.head().unwrap()), (environment, head));
        again.shutdown().unwrap();
    }
}

#[test]
fn four_ledgers_of_a_file_are_each_what_they_were_made_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db");
    each_is_what_it_was_made_for(&format!("sqlite:{}", file.display()));
}

#[test]
fn four_ledgers_of_a_database_are_each_what_they_were_made_for() {
    each_is_what_it_was_made_for(&server::database());
}

#[test]
fn a_new_ledger_is_live_unless_it_is_said_or_named_sandbox() {
    for (built, environment) in [
        (Ledger::builder("memory:"), Environment::Live),
        (builder("memory:", "live"), Environment::Live),
        (builder("memory:", "loja-2"), Environment::Live),
        (builder("memory:", "sandbox"), Environment::Sandbox),
        (builder("memory:", "sandbox").environment(Environment::Live), Environment::Live),
        (Ledger::builder("memory:").environment(Environment::Sandbox), Environment::Sandbox),
    ] {
        let shown = format!("{built:?}");
        assert_eq!(built.open().wait().unwrap().environment(), environment, "{shown}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn a_sandbox_is_played_under_the_name_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let played = builder(&store, "loja-2").sandbox(7).open().wait().unwrap();
    assert_eq!(played.environment(), Environment::Sandbox);
    let loja = client(&played);
    let [asset, network] = ["usdt", "polygon"].map(|name| name.try_into().unwrap());
    let sale = CreateCashOut::new(asset, network, ExternalId::new("sale-1").unwrap());
    let key = PixKey::new("bia@exemplo.com.br").unwrap();
    let sold = loja.ask(&sale.amount("100.00".parse().unwrap()).pix_key(key)).wait().unwrap();
    assert!(sold.answer.id.as_str().starts_with("sbx_"), "{}", sold.answer.id);
    played.shutdown().unwrap();
    // Under its own name it is there again; what was made for real money is never played.
    assert!(builder(&store, "loja-2").open().wait().unwrap().head().unwrap().seq > 0);
    drop(builder(&store, "acme").open().wait().unwrap());
    for built in [
        builder(&store, "acme").sandbox(7),
        builder(&store, "acme").sandbox(7).environment(Environment::Live),
    ] {
        let refused = built.open().wait().unwrap_err();
        assert!(refused.to_string().ends_with("environment live, not sandbox"), "{refused}");
    }
}
