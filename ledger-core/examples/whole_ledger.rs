//! The whole ledger without an engine: commands in, records out, and the records alone bring
//! another ledger to the same state.
//!
//! ```console
//! $ cargo run -p ledger-core --example whole_ledger
//! ```

use std::error::Error;

use ledger_core::id::{AccountId, KeyHash, Token};
use ledger_core::ledger::product::Holder;
use ledger_core::ledger::{
    Archive as _, Cause, Command, Fact, Intent, Ledger, MapArchive, OperatorDecision, Outcome,
    Refusal, Reported, Request, TransferRequest, account, product,
};
use ledger_core::money::Amount;
use ledger_core::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut ledger = Ledger::new("live", MapArchive::default());
    let at = Instant::parse("2026-11-20T12:00:00Z").ok_or("it is RFC 3339")?;
    let brl = |cents| Amount::new(cents).expect("it is above zero");
    let mut execute = |what| ledger.execute(Command { at, cause: Cause::default(), what }).answer;

    // Facts are never refused. An account is opened; Ana brings five hundred reais from elsewhere.
    let fact = |id: &str, fact| Intent::Fact(Reported { id: Some(id.into()), fact });
    let opened = account::Fact::Opened { name: "loja".into(), key: KeyHash([1; 32]), terms: None };
    assert_eq!(execute(fact("conta-1", Fact::Account(opened))), Ok(Outcome::Applied(None)));
    let holder = Holder { account: "loja".into(), customer: Some("ana".into()) };
    let text = Token([2; 16]); // Stands for a text, which the service keeps.
    let decided_by = OperatorDecision { actor: text, reason: text, evidence: None };
    let brought =
        product::Fact::BalanceOpened { holder, amount: brl(50_000), note: None, decided_by };
    assert!(matches!(execute(fact("saldo-1", Fact::Product(brought))), Ok(Outcome::Applied(_))));

    // Requests may be refused, and a repeat does nothing twice.
    let mut transfer = |id: &str, cents| {
        let (from, to) = (Some("ana".into()), Some("bia".into()));
        let external_id = Some(id.into());
        let request = TransferRequest { from, to, external_id, ..TransferRequest::new(brl(cents)) };
        execute(Intent::Request(AccountId(0), Request::Transfer(request)))
    };
    assert!(matches!(transfer("t-1", 20_000), Ok(Outcome::Created(_))));
    assert!(matches!(transfer("t-1", 20_000), Ok(Outcome::Repeated(_))));
    assert!(matches!(transfer("t-2", 30_001), Err(Refusal::FundsInsufficient { .. })));

    // The records are the ledger.
    let mut replayed = Ledger::new("live", MapArchive::default());
    for record in ledger.archive.records() {
        replayed.replay(record)?;
    }
    assert_eq!(replayed.state, ledger.state);
    let ana = replayed.archive.subaccount(AccountId(0), "ana").ok_or("she has a balance")?;
    for row in replayed.archive.statement(ana) {
        println!("{:?}: {}, {} after", row.kind, row.value.cents(), row.balance_after.cents());
    }
    Ok(())
}
