//! Typed commands come to a book by the same rules as lines do, and what was journaled before there
//! was a rule is read as it was written.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use ledger_core::accounting::Control;
use ledger_core::contract::Secret;
use ledger_core::id::{AccountId, KeyHash, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{
    AccountSettings, Cause, ChargeRequest, Command, Destination, Fact, Intent, Ledger, Malformed,
    Outcome, OwnAccount, Ownership, PayoutRequest, Refusal, Reported, Request, TransferRequest,
};
use ledger_core::machine::charge::{Delivery, PixPayment, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::Switch;
use ledger_core::time::Instant;
use ledger_store::archive::MemoryArchive;
use ledger_store::engine::Engine;
use ledger_store::journal::{Journal, MemoryDisk};
use ledger_store::sequencer::Sequencer;
use ledger_store::{Chain, Commit, FrameWriter, codec};
use setup::{IDENTITY, LIVE, memory};

const SHOP: AccountId = AccountId(0);

const SOMEBODY: Token = Token([7; 16]);

fn at() -> Instant {
    Instant::parse("2026-11-20T12:00:00Z").unwrap()
}

fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

fn command(what: Intent) -> Command {
    Command { at: at(), cause: Cause::default(), what }
}

fn told(id: Option<&str>, fact: Fact) -> Command {
    command(Intent::Fact(Reported { id: id.map(Into::into), fact }))
}

fn request_command(request: Request) -> Command {
    command(Intent::Request(SHOP, request))
}

fn opened() -> Command {
    let (name, key) = ("loja".into(), KeyHash([1; 32]));
    told(Some("acc"), Fact::Account(AccountFact::Opened { name, key, terms: None }))
}

/// A book whose account is open.
fn sequencer() -> Sequencer {
    let mut sequencer = setup::sequencer();
    sequencer.execute(opened()).unwrap();
    sequencer
}

fn transfer() -> TransferRequest {
    let (from, to) = (Some("ana".into()), Some("bia".into()));
    TransferRequest { from, to, ..TransferRequest::new(amount(100)) }
}

fn charge() -> ChargeRequest {
    ChargeRequest {
        customer: Some("ana".into()),
        qr: Some(Qr { copypaste: "code".into(), image_url: None }),
        ..ChargeRequest::new(
            amount(5_000),
            SOMEBODY,
            Switch::On,
            Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
            Destination::Custody,
        )
    }
}

fn payout() -> PayoutRequest {
    PayoutRequest::new(amount(5_000), SOMEBODY, SOMEBODY, Ownership::Proven)
}

fn funded() -> Fact {
    let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
    Fact::Treasury(TreasuryFact::Moved { from, to, amount: amount(5_000) })
}

fn received(e2e: &str) -> Fact {
    let payment = PixPayment { e2e: e2e.into(), amount: amount(5_000), paid_at: at() };
    Fact::Charge(ChargeFact::PixReceived { charge: None, payment })
}

/// Returns what is wrong with the command, and that it left nothing behind.
fn refused(sequencer: &mut Sequencer, command: Command) -> (&'static str, Malformed) {
    let before = (sequencer.head(), sequencer.ledger().state.seq);
    let refusal = sequencer.execute(command.clone()).unwrap_err();
    assert_eq!((sequencer.head(), sequencer.ledger().state.seq), before);
    assert_eq!(sequencer.execute_all(vec![command]), [Err(refusal.clone())]);
    let Refusal::Malformed { field, why } = refusal else { panic!("{refusal:?}") };
    (field, why)
}

#[test]
fn a_typed_fact_without_an_id_is_not_taken_and_one_with_an_id_is_applied_once() {
    let mut sequencer = sequencer();
    let missing = ("id", Malformed::Missing);
    assert_eq!(refused(&mut sequencer, told(None, funded())), missing);
    let of = |sequencer: &Sequencer| sequencer.ledger().state.books.balance(Control::ProviderPay);
    let once = sequencer.execute(told(Some("t-1"), funded()));
    assert_eq!(once, Ok(Outcome::Applied(None)));
    assert_eq!(sequencer.execute(told(Some("t-1"), funded())), Ok(Outcome::Known));
    assert_eq!(of(&sequencer).abs(), 5_000);
    // What the world calls by a name of its own needs no other, and the passing of time none.
    let e2e = "E9040088820261120120300123873170";
    assert!(matches!(sequencer.execute(told(None, received(e2e))), Ok(Outcome::SetAside(_))));
    assert_eq!(sequencer.execute(told(None, received(e2e))), Ok(Outcome::Known));
    assert!(sequencer.execute(told(None, Fact::TimePassed)).is_ok());
}

#[test]
fn a_typed_command_brings_no_value_that_the_wire_would_refuse() {
    let mut sequencer = sequencer();
    let customers = [
        ("casa", Malformed::House),
        ("", Malformed::Empty),
        ("an\0a", Malformed::ControlCharacter),
        (&"a".repeat(100_000), Malformed::TooLong(80)),
        (&"á".repeat(81), Malformed::TooLong(80)),
    ];
    for (name, why) in customers {
        let customer = Some(name.into());
        let from = TransferRequest { from: customer.clone(), ..transfer() };
        let to = TransferRequest { to: customer.clone(), ..transfer() };
        let charge = ChargeRequest { customer: customer.clone(), ..charge() };
        let payout = PayoutRequest { customer, ..payout() };
        for (field, request) in [
            ("from_customer_ref", Request::Transfer(from)),
            ("to_customer_ref", Request::Transfer(to)),
            ("customer_ref", Request::Charge(charge)),
            ("customer_ref", Request::Payout(payout)),
        ] {
            assert_eq!(refused(&mut sequencer, request_command(request)), (field, why));
        }
    }
    let long = "x".repeat(1 << 20);
    for (id, why) in [("", Malformed::Empty), (&*long, Malformed::TooLong(64))] {
        let external_id = Some(id.into());
        let request = Request::Payout(PayoutRequest { external_id, ..payout() });
        assert_eq!(refused(&mut sequencer, request_command(request)), ("external_id", why));
        let why = if id.is_empty() { why } else { Malformed::TooLong(80) };
        assert_eq!(refused(&mut sequencer, told(Some(id), funded())), ("id", why));
    }
    for e2e in ["E904", "E904008882021012800080012387317_"] {
        let command = told(None, received(e2e));
        assert_eq!(refused(&mut sequencer, command), ("e2e", Malformed::EndToEnd));
    }
    let dropped = vec![("usdt".into(), "poly\ngon".into())];
    let catalogue = told(
        Some("c-1"),
        Fact::Purchase(PurchaseFact::CatalogueUpdated { listed: Vec::new(), dropped }),
    );
    assert_eq!(refused(&mut sequencer, catalogue), ("chain", Malformed::ControlCharacter));
    let much = Request::Transfer(TransferRequest { amount: amount(i64::MAX / 8), ..transfer() });
    assert_eq!(refused(&mut sequencer, request_command(much)), ("amount_cents", Malformed::Amount));
    // The longest that passes, passes.
    let to = Some("á".repeat(80).into());
    let answer =
        sequencer.execute(request_command(Request::Transfer(TransferRequest { to, ..transfer() })));
    assert!(matches!(answer, Err(Refusal::FundsInsufficient { .. })), "{answer:?}");
}

#[test]
fn typed_settings_send_webhooks_nowhere_but_to_https() {
    let mut sequencer = sequencer();
    let settings = |webhook, secret| {
        let webhook = Some(webhook);
        request_command(Request::Settings(Box::new(AccountSettings {
            webhook,
            secret,
            ..Default::default()
        })))
    };
    let secret = sequencer.tokens().credential(&Secret::new("whsec_1"));
    let signed = Some(secret.token);
    sequencer.learn(secret).unwrap();
    for (url, why) in [
        ("http://loja.example/hook", Some(Malformed::Webhook)),
        ("https://bia@loja.example/hook", Some(Malformed::Webhook)),
        ("https://loja.example/hook", None),
    ] {
        let url = sequencer.tokens().text(url);
        let token = url.token;
        let field = "webhook_url";
        let unlearned = refused(&mut sequencer, settings(token, signed));
        assert_eq!(unlearned, (field, Malformed::Unlearned));
        sequencer.learn(url).unwrap();
        match why {
            Some(why) => {
                assert_eq!(refused(&mut sequencer, settings(token, signed)), (field, why));
            }
            None => assert_eq!(sequencer.execute(settings(token, signed)), Ok(Outcome::Done)),
        }
    }
}

#[test]
fn an_engine_checks_what_it_is_given_and_counts_it_as_refused() {
    let engine = Engine::start(Box::new(memory(&MemoryDisk::new())), LIVE, |_, _| ()).unwrap();
    engine.execute(opened()).wait().unwrap().unwrap();
    let refusal = engine.execute(told(None, funded())).wait().unwrap();
    assert_eq!(refusal, Err(Refusal::Malformed { field: "id", why: Malformed::Missing }));
    assert_eq!(engine.counters().refusals, 1);
    assert_eq!(engine.stop().unwrap().seq, 1);
}

#[test]
fn a_journal_written_before_commands_were_checked_is_read_with_its_head() {
    // The core takes commands as they are, as a store did once.
    let mut ledger = Ledger::new(LIVE, MemoryArchive::new());
    let mut commands = vec![opened(), told(None, funded()), told(None, funded())];
    commands.push(told(None, received("E1")));
    for customer in ["casa", "", "an\0a", &"a".repeat(100_000)] {
        let (customer, external_id) = (Some(customer.into()), Some("".into()));
        commands.push(request_command(Request::Charge(ChargeRequest {
            customer,
            external_id,
            ..charge()
        })));
    }
    let mut rows = FrameWriter::new(Chain::genesis(IDENTITY.algorithm, LIVE));
    for command in commands {
        for record in ledger.execute(command).records {
            let mut bytes = Vec::new();
            codec::encode(&record, &mut bytes);
            rows.push(&bytes);
        }
    }
    let row = rows.cut().unwrap();
    let disk = MemoryDisk::new();
    let mut journal = memory(&disk);
    let previous = journal.open_writer().unwrap().head;
    let commit = Commit { previous, rows: vec![row], vault: Vec::new() };
    journal.append(&commit).unwrap();
    drop(journal);

    let again = Sequencer::open_exact(&mut memory(&disk), LIVE, |_, _| ()).unwrap();
    assert_eq!(again.head(), commit.head());
    assert!(again.head().seq >= 5, "{}", again.head().seq);
    // And goes on, by the rules there are now.
    let engine = Engine::start(Box::new(memory(&disk)), LIVE, |_, _| ()).unwrap();
    assert!(engine.execute(told(None, funded())).wait().unwrap().is_err());
    assert!(engine.execute(told(Some("t-1"), funded())).wait().unwrap().is_ok());
    assert_eq!(engine.stop().unwrap().seq, commit.head().seq + 1);
}
