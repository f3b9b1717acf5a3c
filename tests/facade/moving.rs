//! Accounts that move between ledgers: nothing lost, nothing twice, both journals sound, and a
//! balance proven in the ledger it left and in the one it entered.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use custody_ledger::fact::account::{AccountMoved, AccountOpened, TimePassed};
use custody_ledger::fact::charge::{PixReceived, PixReturned};
use custody_ledger::prelude::*;
use custody_ledger::request::account::{GetAccount, UpdateAccount};
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::view::Charge;
use custody_ledger::{AccountMove, Code, Ledger, ManualClock, MoveError, Signer};
use ledger_core::accounting::Control;
use ledger_core::contract::{Call, CallKind, CellReport, MovePlan, Side};
use ledger_core::ledger::Origin;
use ledger_core::time::{Instant, Span};
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{Checkpointer, CheckpointsFile, Policy, Prover};
use ledger_proofs::document::{Column, Proof};
use ledger_proofs::record_tree::RecordTree;
use ledger_store::audit::{Expect, audit};
use ledger_store::engine::Engine;
use ledger_store::{Journal, OpenMode, SqliteJournal};
use serde_json::Value;
use tempfile::TempDir;

use super::shop::{amount, ana, at_once, charge_of, e2e};

const KEY: &str = "svc_live_loja";

/// Two ledgers in a file each, with one vault key and one clock.
struct Cells {
    folder: TempDir,
    clock: Arc<ManualClock>,
    source: Ledger,
    target: Ledger,
}

fn loja() -> AccountName {
    AccountName::new("loja").unwrap()
}

fn bia() -> Party {
    Party::customer("bia").unwrap()
}

impl Cells {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").unwrap());
        let source = Self::open(folder.path(), &clock, "live-1");
        let target = Self::open(folder.path(), &clock, "live-2");
        let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), loja()).terms(at_once());
        source
            .report(&opened.key(KEY.try_into().unwrap()))
            .wait()
            .unwrap()
            .ensure_applied()
            .unwrap();
        Self { folder, clock, source, target }
    }

    fn open(folder: &Path, clock: &Arc<ManualClock>, name: &str) -> Ledger {
        let store = format!("sqlite:{}", folder.join(name).display());
        let ledger = Ledger::builder(store.as_str()).name(name).vault_key([7; 32]);
        ledger.clock(Arc::clone(clock)).open().wait().unwrap()
    }

    fn charge(&self, party: &Party, cents: i64, number: u32) -> Charge {
        let request = charge_of(party, cents, &format!("charge-{number}"));
        client(&self.source).ask(&request).wait().unwrap().answer
    }

    fn pay(&self, charge: &Charge, cents: i64, number: u32) -> Outcome {
        let received = PixReceived::new(e2e(number), amount(cents)).charge(charge.id.clone());
        self.source.report(&received).wait().unwrap().outcome
    }

    fn collect(&self, party: &Party, cents: i64, number: u32) {
        let charge = self.charge(party, cents, number);
        assert!(matches!(self.pay(&charge, cents, number), Outcome::Applied(_)));
    }

    fn moved(&self, id: &str) -> AccountMove {
        self.source.move_account(&loja(), &self.target, id).wait().unwrap()
    }

    /// Audits both, and gives what stands between them in each.
    fn audited(self) -> [i128; 2] {
        let Self { folder, source, target, .. } = self;
        [(source, "live-1"), (target, "live-2")].map(|(ledger, name)| {
            let head = ledger.shutdown().unwrap();
            let mut journal = reading(folder.path(), name);
            let report = audit(&mut *journal, name, Expect { heads: vec![head] }, |_| ()).unwrap();
            assert_eq!(report.head(), Some(head));
            let engine = Engine::start(writing(folder.path(), name), name, |_, _| ()).unwrap();
            let look = engine.decide(|sequencer| {
                let books = &sequencer.ledger().state.books;
                (books.trial_balance(), books.net_credit(Control::Cells))
            });
            let (trial, between) = look.wait().unwrap();
            assert_eq!(trial, 0);
            engine.stop().unwrap();
            between
        })
    }
}

fn reading(folder: &Path, name: &str) -> Box<dyn Journal> {
    Box::new(SqliteJournal::open(folder.join(name), name, OpenMode::ReadOnly).unwrap())
}

fn writing(folder: &Path, name: &str) -> Box<dyn Journal> {
    Box::new(SqliteJournal::open(folder.join(name), name, OpenMode::create()).unwrap())
}

fn client(ledger: &Ledger) -> Client {
    ledger.client(ApiKey::new(KEY).unwrap())
}

/// Returns what a ledger shows of a balance; nothing, where the account does not live.
fn available(ledger: &Ledger, party: &Party) -> i64 {
    let asked = GetBalance::new(party.clone());
    match client(ledger).ask(&asked).wait() {
        Ok(done) => done.answer.available.cents(),
        Err(Error::Refused(refusal)) => {
            assert_eq!(refusal.code(), Some(Code::Paused));
            0
        }
        Err(error) => panic!("{error}"),
    }
}

fn transfer(
    ledger: &Ledger,
    (from, to): (&Party, &Party),
    cents: i64,
    id: &str,
) -> Result<bool, String> {
    let id = ExternalId::new(id).unwrap();
    let asked = CreateTransfer::new(from.clone(), to.clone(), amount(cents), id);
    match client(ledger).ask(&asked).wait() {
        Ok(done) => Ok(done.is_repeated()),
        Err(Error::Refused(refusal)) => Err(refusal.code().map_or("?", Code::name).to_owned()),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_account_moves_with_its_key_terms_settings_and_balances() {
    let cells = Cells::new();
    cells.collect(&ana(), 10_000, 1);
    cells.collect(&bia(), 5_000, 2);
    let asked = UpdateAccount::new().partner_fee_bps(77);
    client(&cells.source).ask(&asked).wait().unwrap();
    let before = client(&cells.source).ask(&GetAccount::new()).wait().unwrap().answer;
    let owed = [ana(), bia(), Party::House].map(|party| available(&cells.source, &party));
    assert!(owed[0] > 0 && owed[1] > 0);

    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    let after = client(&cells.target).ask(&GetAccount::new()).wait().unwrap().answer;
    let terms = |view: &custody_ledger::view::Account| {
        let mut shown = serde_json::to_value(view).unwrap();
        // Whoever looks at another ledger looks at other addresses.
        shown["monitor_url"].take();
        shown
    };
    assert_eq!(terms(&after), terms(&before));
    let there = [ana(), bia(), Party::House].map(|party| available(&cells.target, &party));
    assert_eq!(there, owed);
    let here = [ana(), bia(), Party::House].map(|party| available(&cells.source, &party));
    assert_eq!(here, [0; 3]);

    // Nothing new is begun in the ledger that it left; what was asked there is answered there.
    let refused = transfer(&cells.source, (&ana(), &bia()), 1, "later").unwrap_err();
    assert_eq!(refused, "temporariamente_indisponivel");
    transfer(&cells.target, (&ana(), &bia()), 100, "later").unwrap();
    let [left, entered] = cells.audited();
    assert_eq!(left, i128::from(owed.iter().sum::<i64>()));
    assert_eq!(entered, -left);
}

#[test]
fn a_move_waits_for_what_is_open_and_carries_what_comes_later() {
    let cells = Cells::new();
    let paid = cells.charge(&ana(), 10_000, 1);
    let expires = cells.charge(&ana(), 3_000, 2);
    assert_eq!(cells.moved("mv-1"), AccountMove::Waiting { open: 2 });
    assert_eq!(cells.moved("mv-1"), AccountMove::Waiting { open: 2 });
    // What was begun goes on, and is read here; nothing new begins.
    assert!(matches!(cells.pay(&paid, 10_000, 1), Outcome::Applied(_)));
    let refused = transfer(&cells.source, (&ana(), &bia()), 1, "new").unwrap_err();
    assert_eq!(refused, "temporariamente_indisponivel");
    assert!(available(&cells.source, &ana()) > 0);
    assert_eq!(cells.moved("mv-1"), AccountMove::Waiting { open: 1 });
    cells.clock.advance(Span::hours(48));
    cells.source.report(&TimePassed::new()).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    let carried = available(&cells.target, &ana());
    assert_eq!(available(&cells.source, &ana()), 0);

    // The PIX of the charge that had expired waits for a person; the one that was paid goes back,
    // is booked where its charge is, and follows the account.
    assert!(matches!(cells.pay(&expires, 3_000, 2), Outcome::SetAside(_)));
    let back = EndToEndId::new("D9040088820261120120000000000001").unwrap();
    let back = PixReturned::new(paid.id, back, amount(4_000));
    let outcome = cells.source.report(&back).wait().unwrap().outcome;
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    assert_eq!(available(&cells.target, &ana()), carried);
    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    let kept = available(&cells.target, &ana());
    assert!(carried - 4_000 <= kept && kept < carried - 3_900, "{kept} of {carried}");
    let [left, entered] = cells.audited();
    assert_eq!((left, left + entered), (i128::from(kept), 0));
}

/// Reports the first `most` facts of a move, each once, to the files themselves; says whether the
/// move was over before.
fn reported(folder: &Path, most: usize) -> bool {
    let engine = |name| Engine::start(writing(folder, name), name, |_, _| ()).unwrap();
    let (source, target) = (engine("live-1"), engine("live-2"));
    let (mut made, mut over) = (0, false);
    while made < most && !over {
        let plan = source.decide(|sequencer| {
            let tokens = *sequencer.tokens();
            sequencer.views().moving("loja", "live-2", "mv-1", &tokens).unwrap()
        });
        let MovePlan { reports, last, .. } = plan.wait().unwrap();
        over = last;
        for CellReport { to, fact, body } in reports {
            let call = Call {
                at: Instant::parse("2026-11-20T12:00:01Z").unwrap(),
                origin: Origin::Call,
                ask: CallKind::Fact(fact.to_owned()),
                body,
                supplied: Value::Null,
                ip: None,
            };
            let engine = if to == Side::Source { &source } else { &target };
            let answer = engine.call(call).wait().unwrap().body;
            made += usize::from(answer["outcome"] == "applied");
            if made == most {
                over = false;
                break;
            }
        }
    }
    source.stop().unwrap();
    target.stop().unwrap();
    over
}

#[test]
fn a_move_that_was_cut_off_anywhere_goes_on_and_carries_everything_once() {
    let customers: Vec<_> = (0..3).map(|n| Party::customer(&format!("c-{n}")).unwrap()).collect();
    let mut facts = 0;
    loop {
        let mut cells = Cells::new();
        for (party, number) in customers.iter().zip(1..) {
            cells.collect(party, 1_000 * i64::from(number), number);
        }
        let owed: Vec<i64> =
            customers.iter().map(|party| available(&cells.source, party)).collect();
        for ledger in [&cells.source, &cells.target] {
            ledger.shutdown().unwrap();
        }
        let over = reported(cells.folder.path(), facts);
        for (ledger, name) in [(&mut cells.source, "live-1"), (&mut cells.target, "live-2")] {
            *ledger = Cells::open(cells.folder.path(), &cells.clock, name);
        }
        for _ in 0..2 {
            assert_eq!(cells.moved("mv-1"), AccountMove::Done, "after {facts} facts");
            let there: Vec<i64> =
                customers.iter().map(|party| available(&cells.target, party)).collect();
            assert_eq!(there, owed, "after {facts} facts");
        }
        let [left, entered] = cells.audited();
        let sum = i128::from(owed.iter().sum::<i64>());
        assert_eq!((left, left + entered), (sum, 0), "after {facts} facts");
        if over {
            break;
        }
        facts += 1;
    }
    // It leaves, arrives, each balance in both ledgers, has departed, and has arrived.
    assert_eq!(facts, 1 + 1 + 2 * customers.len() + 1 + 1 + 1, "one more than there are");
}

/// A step of Loja's way, as a mover reports it to the ledger that it leaves.
fn step(cells: &Cells, id: &str, step: &str) -> Outcome {
    let (id, to) = (FactId::new(id).unwrap(), "live-2".try_into().unwrap());
    let moved = AccountMoved::new(id, loja(), to, step.try_into().unwrap());
    cells.source.report(&moved).wait().unwrap().outcome
}

#[test]
fn a_step_that_was_reported_too_early_is_taken_when_its_time_comes() {
    let cells = Cells::new();
    cells.collect(&ana(), 10_000, 1);
    assert!(matches!(step(&cells, "mv-1.leaving.1", "leaving"), Outcome::Applied(_)));
    // A mover planned it before the last PIX was credited, and came after it.
    assert!(matches!(step(&cells, "mv-1.departed.1", "departed"), Outcome::SetAside(_)));
    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    assert!(available(&cells.target, &ana()) > 0);
}

#[test]
fn an_account_moves_on_and_never_back() {
    let cells = Cells::new();
    cells.collect(&ana(), 10_000, 1);
    let owed = available(&cells.source, &ana());
    transfer(&cells.source, (&ana(), &bia()), 100, "before").unwrap();
    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    transfer(&cells.target, (&ana(), &bia()), 50, "between").unwrap();

    // Where it lived, a request that was answered elsewhere might be begun anew.
    let back = cells.target.move_account(&loja(), &cells.source, "mv-2").wait().unwrap_err();
    assert!(matches!(&back, MoveError::NotTaken { answer, .. } if answer.contains("name_taken")));
    assert_eq!(transfer(&cells.source, (&ana(), &bia()), 100, "before"), Ok(true));

    // Nothing of it was carried, so it stays, and moves on to a third.
    let stays = AccountMoved::new(
        FactId::new("mv-2-stays").unwrap(),
        loja(),
        "live-1".try_into().unwrap(),
        "staying".try_into().unwrap(),
    );
    let outcome = cells.target.report(&stays).wait().unwrap().outcome;
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    let third = Cells::open(cells.folder.path(), &cells.clock, "live-3");
    let on = cells.target.move_account(&loja(), &third, "mv-3").wait().unwrap();
    assert_eq!(on, AccountMove::Done);
    assert_eq!((available(&third, &ana()), available(&third, &bia())), (owed - 150, 150));
    third.shutdown().unwrap();
    let [left, entered] = cells.audited();
    assert_eq!((left, entered), (i128::from(owed), 0));
}

#[test]
fn a_move_that_cannot_be_is_refused_and_changes_nothing() {
    let cells = Cells::new();
    let head = || (cells.source.head().unwrap(), cells.target.head().unwrap());
    let before = head();
    let refused = |account: &str, to: &Ledger, id: &str| {
        let account = AccountName::new(account).unwrap();
        cells.source.move_account(&account, to, id).wait().unwrap_err()
    };
    assert!(matches!(refused("loja", &cells.target, ""), MoveError::Id(40)));
    assert!(matches!(refused("loja", &cells.target, &"m".repeat(41)), MoveError::Id(40)));
    assert!(matches!(refused("loja", &cells.source, "m"), MoveError::SameLedger));
    assert!(matches!(refused("outra", &cells.target, "m"), MoveError::CannotLeave { .. }));
    let other = Ledger::builder("memory:").name("live-3").vault_key([8; 32]).open().wait().unwrap();
    assert!(matches!(refused("loja", &other, "m"), MoveError::VaultKeyDiffers));
    let tests =
        Ledger::builder("memory:").name("sandbox").vault_key([7; 32]).open().wait().unwrap();
    assert!(matches!(refused("loja", &tests, "m"), MoveError::EnvironmentDiffers));
    assert_eq!(head(), before);

    // A ledger to which it does not move takes no balance of it.
    let target =
        Ledger::builder("memory:").name("live-4").vault_key([7; 32]).open().wait().unwrap();
    let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), loja());
    target
        .report(&opened.key("svc_live_other".try_into().unwrap()))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    let taken = refused("loja", &target, "mv-2");
    assert!(matches!(&taken, MoveError::NotTaken { answer, .. } if answer.contains("name_taken")));
    assert_eq!(cells.audited(), [0, 0]);
}

/// A signed checkpoint of a ledger as it is in its file.
fn checkpoint(folder: &Path, name: &str) -> Checkpoint {
    let engine = Engine::start(writing(folder, name), name, |_, _| ()).unwrap();
    let file = CheckpointsFile::open(&folder.join("checkpoints")).unwrap();
    let signer = Signer::new("cells.example.com", [7; 32]).unwrap();
    let policy = Policy { records: 1, time: Duration::ZERO };
    let tree = RecordTree::in_memory();
    let journal = reading(folder, name);
    let mut keeper = Checkpointer::new(name, journal, tree, (&file, &signer), policy).unwrap();
    keeper.write(&engine).unwrap();
    engine.stop().unwrap();
    let text = std::fs::read_to_string(folder.join("checkpoints")).unwrap();
    let verifier = signer.of_ledger(name, "live").verifier();
    Checkpoint::find(&text, &verifier, None).unwrap()
}

/// Returns what a stranger reads off a proof of Ana's balance, checked against the checkpoint: what
/// is owed to her and what she owes.
fn proven(folder: &Path, name: &str, checkpoint: &Checkpoint) -> (u128, u128) {
    let tree = RecordTree::in_memory();
    let mut prover = Prover::new(reading(folder, name), name, tree, checkpoint.clone()).unwrap();
    let proof = Proof::parse(&prover.balance("loja", Some("ana")).unwrap().text()).unwrap();
    let signer = Signer::new("cells.example.com", [7; 32]).unwrap();
    proof.check(checkpoint, &signer.of_ledger(name, "live").verifier(), None).unwrap();
    let Proof::Balance(balance) = &proof else { panic!("{proof:?}") };
    let of_customers = |column: &&Column| column.column == "cust:BRL";
    let mut owed = balance.amounts.iter().filter(of_customers);
    let column = owed.next().unwrap_or_else(|| panic!("{:?}", balance.amounts));
    (column.to.0, column.by.0)
}

#[test]
fn a_balance_is_proven_in_the_ledger_it_left_and_in_the_one_it_entered() {
    let mut cells = Cells::new();
    cells.collect(&ana(), 10_000, 1);
    let owed = u128::try_from(available(&cells.source, &ana())).unwrap();
    let folder = cells.folder.path().to_owned();
    cells.source.shutdown().unwrap();
    let before = checkpoint(&folder, "live-1");
    cells.source = Cells::open(&folder, &cells.clock, "live-1");
    assert_eq!(cells.moved("mv-1"), AccountMove::Done);
    for ledger in [&cells.source, &cells.target] {
        ledger.shutdown().unwrap();
    }
    let (left, entered) = (checkpoint(&folder, "live-1"), checkpoint(&folder, "live-2"));
    assert_eq!(proven(&folder, "live-1", &before), (owed, 0));
    assert_eq!(proven(&folder, "live-1", &left), (0, 0));
    assert_eq!(proven(&folder, "live-2", &entered), (owed, 0));
}
