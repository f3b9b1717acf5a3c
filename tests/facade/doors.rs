//! Requests and facts through the typed door.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::{GetBalance, GetBalanceAt, GetStatement};
use custody_ledger::request::payout::ListPayouts;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::{DecidedBy, Span};
use custody_ledger::view::{PayoutStatus, Statement, StatementKind};
use custody_ledger::{
    Action, Clock as _, Code, EngineError, EngineStatus, FirstOutcome, Follower, Ledger, OpenError,
    Outcome, Task,
};

use ledger_store::Commit;

use super::shop::{Shop, amount, ana};

#[test]
fn a_request_that_is_asked_again_is_answered_as_it_stands_and_pays_once() {
    let shop = Shop::over("memory:");
    shop.collect(&ana(), 10_000, 1);
    let first = shop.payout(&ana(), 2_500, "p-1").unwrap();
    assert!(!first.is_repeated() && first.seq.is_some());
    assert_eq!(first.answer.status, PayoutStatus::Requested);
    assert!(matches!(first.instructions[0].task, Task::SendPix(_)));
    let again = shop.payout(&ana(), 2_500, "p-1").unwrap();
    assert!(again.is_repeated() && again.instructions.is_empty());
    assert_eq!(again.answer, first.answer);
    let listed = shop.loja.ask(&ListPayouts::new("p-1".try_into().unwrap())).wait().unwrap();
    assert_eq!(listed.answer.payouts, [first.answer]);
}

#[test]
fn a_fact_that_is_reported_again_is_known_and_booked_once() {
    let shop = Shop::over("memory:");
    let before = shop.available(&Party::House);
    let bia = DecidedBy::new("bia", "a gift").unwrap().evidence("case-1").unwrap();
    let id = FactId::new("gift-1").unwrap();
    let gift = FeeAdjusted::new(id, AccountName::new("loja").unwrap(), Party::House, 5_000, bia);
    let first = shop.ledger.report(&gift).wait().unwrap();
    let Outcome::Applied(Some(adjustment)) = first.outcome else { panic!("{first:?}") };
    let again = shop.ledger.report(&gift).wait().unwrap().outcome;
    assert_eq!(again, Outcome::Known(FirstOutcome::Applied(Some(adjustment))));
    assert_eq!(shop.available(&Party::House), before + 5_000);
}

#[test]
fn a_refusal_says_why_and_what_to_do_and_brings_its_numbers() {
    let shop = Shop::over("memory:");
    let refused = shop.payout(&ana(), 2_500, "p-1").unwrap_err();
    let refusal = refused.refusal().expect("the ledger refuses it");
    assert_eq!(refusal.code(), Some(Code::FundsInsufficient));
    assert_eq!((refusal.erro(), refusal.status()), ("saldo_insuficiente", 402));
    assert_eq!(refusal.number("disponivel_cents"), Some(0));
    assert_eq!(refusal.action(), Action::Correct);
    assert!(refusal.to_string().contains("0 centavos may be spent"), "{refusal}");
}

#[test]
fn a_transfer_moves_between_balances_and_both_statements_show_it() {
    let shop = Shop::over("memory:");
    shop.collect(&ana(), 10_000, 1);
    let before = shop.available(&ana());
    let transfer =
        CreateTransfer::new(ana(), Party::House, amount(1_000), "t-1".try_into().unwrap());
    shop.loja.ask(&transfer).wait().unwrap();
    assert_eq!(shop.available(&ana()), before - 1_000);
    let house = shop.loja.ask(&GetStatement::new(Party::House)).wait().unwrap().answer;
    let Statement::Entries(page) = &house else { panic!("{house:?}") };
    let row = &page.items[0];
    assert_eq!((&row.kind, row.amount.cents()), (&StatementKind::TransferIn, 1_000));
}

#[test]
fn a_ledger_that_was_taken_over_answers_that_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let first = Shop::over(&store);
    first.collect(&ana(), 10_000, 1);
    let second = Shop::built(Ledger::builder(&store).take_over());
    second.collect(&ana(), 10_000, 2);
    let late = first.payout(&ana(), 1_000, "p-1").unwrap_err();
    assert!(matches!(late, Error::Engine(EngineError::Fenced)), "{late}");
    let read = first.loja.ask(&GetBalance::new(ana())).wait().unwrap_err();
    assert!(matches!(read, Error::Engine(_)), "{read}");
}

#[test]
fn a_reader_sees_what_was_answered_and_ends_with_the_ledger() {
    let shop = Shop::over("memory:");
    assert!(shop.loja.reader(&ana()).wait().unwrap().is_none());
    shop.collect(&ana(), 10_000, 1);
    let reader = shop.loja.reader(&ana()).wait().unwrap().unwrap();
    assert_eq!(reader.read().unwrap().available.cents(), shop.available(&ana()));
    shop.payout(&ana(), 1_000, "p-1").unwrap();
    let after = reader.read().unwrap();
    assert_eq!(after.available.cents(), shop.available(&ana()));
    assert_eq!(after.seq, shop.ledger.head().unwrap().seq);
    assert_eq!(shop.ledger.status(), EngineStatus::Writing);
    let head = shop.ledger.shutdown().unwrap();
    assert_eq!(shop.ledger.status(), EngineStatus::Stopped(Ok(head)));
    assert_eq!(reader.read().unwrap_err(), EngineError::Ended);
    let nobody = shop.ledger.client(ApiKey::new("svc_live_nobody").unwrap());
    assert_eq!(nobody.reader(&Party::House).wait().unwrap_err(), EngineError::Ended);
}

/// Waits with the first commit that it is to wait with until it is let go.
struct HeldUp {
    holds: Arc<AtomicBool>,
    held: SyncSender<()>,
    let_go: Receiver<()>,
}

impl Follower for HeldUp {
    fn follow(&mut self, _: &Commit) -> Result<(), String> {
        if self.holds.swap(false, Ordering::SeqCst) {
            self.held.send(()).unwrap();
            self.let_go.recv().unwrap();
        }
        Ok(())
    }
}

#[test]
fn the_balance_of_an_instant_is_asked_and_answered_in_types() {
    let shop = Shop::over("memory:");
    let before = shop.clock.now();
    shop.clock.advance(Span::hours(1));
    shop.collect(&ana(), 10_000, 1);
    let after = shop.clock.now();
    shop.clock.advance(Span::hours(1));
    shop.collect(&ana(), 10_000, 2);
    let at = |at| shop.loja.ask(&GetBalanceAt::new(ana(), at)).wait().map(|done| done.answer);
    assert_eq!(at(before).unwrap().balance.cents(), 0);
    let then = at(after).unwrap();
    assert_eq!((then.balance.cents(), then.as_of), (9_900, after));
    assert_eq!(at(shop.clock.now()).unwrap().balance.cents(), 19_800);
    let refused = at(shop.clock.now().after(Span::hours(1))).unwrap_err();
    assert!(refused.to_string().contains("em must not lie in the future"), "{refused}");
}

#[test]
fn readers_wait_for_nobody_although_whoever_decides_is_held_up() {
    let ((held, arrived), (release, let_go)) = (sync_channel(0), sync_channel(0));
    let holds = Arc::new(AtomicBool::new(false));
    let held_up = HeldUp { holds: Arc::clone(&holds), held, let_go };
    let shop = Shop::built(Ledger::builder("memory:").tick(None).follower(held_up));
    shop.collect(&ana(), 10_000, 1);
    let reader = shop.loja.reader(&ana()).wait().unwrap().unwrap();
    let (before, last) = (reader.read().unwrap(), shop.ledger.head().unwrap());
    let asked = shop.loja.ask(&GetBalance::new(ana())).wait().unwrap().answer;
    assert_eq!(reader.balance().unwrap(), asked);

    holds.store(true, Ordering::SeqCst);
    std::thread::scope(|scope| {
        let paying = scope.spawn(|| shop.payout(&ana(), 1_000, "p-1").unwrap());
        arrived.recv().unwrap();
        // One caller's commit is written by the thread that decides: nothing else is decided now.
        let waits = scope.spawn(|| shop.available(&ana()));
        for _ in 0..1_000 {
            assert_eq!(reader.read().unwrap(), before);
            assert_eq!(reader.balance().unwrap(), asked);
        }
        assert_eq!(shop.ledger.head().unwrap(), last);
        assert!(!waits.is_finished() && !paying.is_finished());
        release.send(()).unwrap();
        let paid = paying.join().unwrap();
        assert_eq!(
            reader.read_at(paid.seq.unwrap()).wait().unwrap().available.cents(),
            waits.join().unwrap()
        );
    });
    assert_ne!(reader.balance().unwrap().available, asked.available);
}

#[test]
fn the_name_of_no_store_is_refused_without_repeating_it() {
    for name in ["ledger.db", "mysql://root:secret@db/x", "sqlite:", "memory:x"] {
        let refused = Ledger::open(name).wait().unwrap_err();
        assert!(matches!(refused, OpenError::Name(_)), "{name}: {refused}");
        assert!(!refused.to_string().contains("secret"), "{refused}");
    }
}

#[tokio::test]
async fn everything_is_awaited_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let ledger = Ledger::open(&store).await.unwrap();
    let nobody = ledger.client(ApiKey::new("svc_live_nobody").unwrap());
    let refused = nobody.ask(&GetBalance::new(ana())).await.unwrap_err();
    assert!(refused.refusal().is_some());
    let head = tokio::task::spawn_blocking(move || ledger.shutdown()).await.unwrap();
    assert_eq!(head.unwrap().seq, 0);
}
