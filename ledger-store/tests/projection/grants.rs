//! On PostgreSQL the roles of `grants/projections.sql` can do what they are for, and no more.

use ledger_core::time::Instant;
use ledger_store::engine::Engine;
use ledger_store::projection::{Projector, Tables, Target, prove};
use ledger_store::{MemoryDisk, Vault};

use crate::setup::server;
use crate::setup::{LIVE, memory, shell, write};
use crate::{journal, lived};

const GRANTS: &str = include_str!("../../grants/projections.sql");

#[test]
fn each_role_does_what_it_is_for_and_no_more() {
    let story = lived(20, 200);
    let url = server::database();
    let of =
        |role: &str| Target::Postgres(url.replace("ledger@", &format!("{role}@")).parse().unwrap());
    let half = &story.commits[..story.commits.len() / 2];
    let owner = Target::Postgres(url.parse().unwrap());
    Projector::open(&mut journal(half), LIVE, &owner).unwrap();
    for role in ["projector", "sender", "analyst", "reader", "writer"] {
        server::execute(&url, &format!("CREATE ROLE ledger_{role} LOGIN")).unwrap();
    }
    server::execute(&url, GRANTS).unwrap();

    let mut whole = journal(&story.commits);
    Projector::open(&mut whole, LIVE, &of("ledger_projector")).unwrap();
    prove(&mut whole, LIVE, &of("ledger_reader")).unwrap().unwrap();
    // Who may make no index gets by without one.
    server::execute(&url, "DROP INDEX operations_by_external_id").unwrap();
    Projector::rebuild(&mut whole, LIVE, &of("ledger_projector")).unwrap();
    prove(&mut whole, LIVE, &of("ledger_reader")).unwrap().unwrap();

    let mut sender = Tables::open_writing(&of("ledger_sender"), LIVE).unwrap().unwrap();
    let first = sender.pending(None, 1, &Vault::default()).unwrap().remove(0);
    sender.acknowledge(&first.id, Instant::default()).unwrap();
    let sender_url = url.replace("ledger@", "ledger_sender@");
    for forbidden in [
        "UPDATE outbox SET body = '{}'",
        "DELETE FROM outbox",
        "UPDATE projection_checkpoint SET seq = 0",
        "SELECT * FROM balances",
    ] {
        assert!(server::execute(&sender_url, forbidden).is_err(), "{forbidden}");
    }
    let analyst = of("ledger_analyst");
    assert!(!shell::query(&analyst, "SELECT account FROM balances").is_empty());
    let analyst_url = url.replace("ledger@", "ledger_analyst@");
    for forbidden in ["SELECT * FROM outbox", "UPDATE balances SET held_cents = 0"] {
        assert!(server::execute(&analyst_url, forbidden).is_err(), "{forbidden}");
    }
    assert!(Projector::rebuild(&mut whole, LIVE, &analyst).is_err());

    // An engine goes on with the outbox, and empties nothing.
    let disk = MemoryDisk::new();
    let mut journal = memory(&disk);
    write(&mut journal, &story.commits);
    let engine = Engine::builder(LIVE).outbox(of("ledger_writer")).start(Box::new(journal));
    engine.unwrap().stop().unwrap();
    prove(&mut whole, LIVE, &of("ledger_reader")).unwrap().unwrap();
    let writer_url = url.replace("ledger@", "ledger_writer@");
    for forbidden in ["DELETE FROM outbox", "SELECT * FROM balances"] {
        assert!(server::execute(&writer_url, forbidden).is_err(), "{forbidden}");
    }
}
