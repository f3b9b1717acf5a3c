//! One statement over the ledgers that an account lived in, held against that of a twin whose
//! account never moved.

use std::sync::Arc;

use custody_ledger::fact::account::{AccountOpened, PolicyAdopted};
use custody_ledger::fact::charge::{PixReceived, PixReturned};
use custody_ledger::fact::payout::{PayoutPaid, PayoutReturned};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::{GetBalance, GetStatement, StatementView};
use custody_ledger::request::payout::CreatePayout;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::PageSize;
use custody_ledger::{AccountMove, Cells, Code, Ledger, ManualClock};
use ledger_core::time::Span;
use serde_json::Value;

use super::shop::{CPF, amount, ana, at_once, charge_of, e2e};

const KEY: &str = "svc_live_loja";

/// Cells between which Loja moves, and a ledger in which the same is done with a Loja that stays.
struct Twins {
    cells: Cells,
    stays: Ledger,
    clock: Arc<ManualClock>,
    done: u32,
    /// How many PIX went back.
    back: u32,
    /// What was paid by PIX: the charge in a cell, and that of the twin.
    charges: Vec<[OperationId; 2]>,
    payouts: Vec<[OperationId; 2]>,
}

fn loja() -> AccountName {
    AccountName::new("loja").unwrap()
}

fn bia() -> Party {
    Party::customer("bia").unwrap()
}

fn key() -> ApiKey {
    ApiKey::new(KEY).unwrap()
}

/// An end-to-end id that begins with this letter, of this number.
fn other_e2e(letter: char, number: u32) -> EndToEndId {
    EndToEndId::new(&format!("{letter}90400888202611201200{number:011}")).unwrap()
}

impl Twins {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").unwrap());
        let open = |name: &str| {
            let ledger = Ledger::builder("memory:").name(name).vault_key([7; 32]).tick(None);
            ledger.clock(Arc::clone(&clock)).open().wait().unwrap()
        };
        let cells = ["cell-a", "cell-b", "cell-c"].map(open);
        let cells = Cells::open("memory:", cells).wait().unwrap();
        let stays = open("live");
        // One payer pays all of it.
        let policy = PolicyAdopted::new(FactId::new("pol-1").unwrap()).payer_ladder(false);
        for ledger in cells.ledgers().map(|(_, ledger)| ledger).chain([&stays]) {
            ledger.report(&policy).wait().unwrap().ensure_applied().unwrap();
        }
        let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), loja()).terms(at_once());
        let opened = opened.key(KEY.try_into().unwrap());
        assert!(matches!(cells.report(&opened).wait().unwrap().outcome, Outcome::Applied(_)));
        assert!(matches!(stays.report(&opened).wait().unwrap().outcome, Outcome::Applied(_)));
        Self { cells, stays, clock, done: 0, back: 0, charges: Vec::new(), payouts: Vec::new() }
    }

    /// A minute later, so that no two operations are of one instant; the number of the next.
    fn next(&mut self) -> u32 {
        self.clock.advance(Span::seconds(60));
        self.done += 1;
        self.done
    }

    fn collect(&mut self, party: &Party, cents: i64) {
        let number = self.next();
        let asked = charge_of(party, cents, &format!("charge-{number}"));
        let moved = self.cells.client(key()).ask(&asked).wait().unwrap().answer.id;
        let stayed = self.stays.client(key()).ask(&asked).wait().unwrap().answer.id;
        let paid = |charge: &OperationId| {
            PixReceived::new(e2e(number), amount(cents)).charge(charge.clone())
        };
        let outcomes = [
            self.cells.report(&paid(&moved)).wait().unwrap().outcome,
            self.stays.report(&paid(&stayed)).wait().unwrap().outcome,
        ];
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Applied(_))));
        self.charges.push([moved, stayed]);
    }

    fn transfer(&mut self, from: &Party, to: &Party, cents: i64) {
        let id = ExternalId::new(&format!("transfer-{}", self.next())).unwrap();
        let asked = CreateTransfer::new(from.clone(), to.clone(), amount(cents), id);
        let moved = self.cells.client(key()).ask(&asked).wait().map(|_| ());
        let stayed = self.stays.client(key()).ask(&asked).wait().map(|_| ());
        assert_eq!(format!("{moved:?}"), format!("{stayed:?}"));
    }

    /// A payout that is paid at once, where there is enough for it.
    fn pay_out(&mut self, from: &Party, cents: i64) {
        let number = self.next();
        let (document, pix) = (Document::new(CPF).unwrap(), PixKey::new("a@example.com").unwrap());
        let id = ExternalId::new(&format!("payout-{number}")).unwrap();
        let asked = CreatePayout::new(amount(cents), from.clone(), document, pix, id);
        let asked = asked.owner(CPF.try_into().unwrap());
        let moved = self.cells.client(key()).ask(&asked).wait();
        let stayed = self.stays.client(key()).ask(&asked).wait();
        assert_eq!(moved.is_ok(), stayed.is_ok());
        let (Ok(moved), Ok(stayed)) = (moved, stayed) else { return };
        let ids = [moved.answer.id, stayed.answer.id];
        let paid =
            |payout: &OperationId| PayoutPaid::new(payout.clone(), other_e2e('E', 9_000 + number));
        self.cells.report(&paid(&ids[0])).wait().unwrap().ensure_applied().unwrap();
        self.stays.report(&paid(&ids[1])).wait().unwrap().ensure_applied().unwrap();
        self.payouts.push(ids);
    }

    /// A part of what was paid goes back, and of what was paid out.
    fn goes_back(&mut self, ids: &[OperationId; 2], cents: i64, paid_out: bool) {
        let number = self.next();
        let id = || other_e2e('D', number);
        let outcomes = if paid_out {
            let back =
                |payout: &OperationId| PayoutReturned::new(payout.clone(), id(), amount(cents));
            [
                self.cells.report(&back(&ids[0])).wait().unwrap().outcome,
                self.stays.report(&back(&ids[1])).wait().unwrap().outcome,
            ]
        } else {
            let back = |charge: &OperationId| PixReturned::new(charge.clone(), id(), amount(cents));
            [
                self.cells.report(&back(&ids[0])).wait().unwrap().outcome,
                self.stays.report(&back(&ids[1])).wait().unwrap().outcome,
            ]
        };
        let applied = outcomes.each_ref().map(|outcome| matches!(outcome, Outcome::Applied(_)));
        assert_eq!(applied[0], applied[1], "{outcomes:?}");
        self.back += u32::from(applied[0]);
    }

    fn moves(&mut self, to: &str, id: &str) {
        self.next();
        let stands = self.cells.move_account(&loja(), to, id).wait().unwrap();
        assert_eq!(stands, AccountMove::Done);
    }

    /// The statement of the cells, asked for by pages of this size.
    fn whole(&self, party: &Party, view: Option<StatementView>, limit: u16) -> Vec<Value> {
        let client = self.cells.client(key());
        pages(|asked| client.ask(asked).wait().unwrap().answer, party, view, limit)
    }

    fn stayed(&self, party: &Party, view: Option<StatementView>) -> Vec<Value> {
        let client = self.stays.client(key());
        pages(|asked| client.ask(asked).wait().unwrap().answer, party, view, 200)
    }

    fn balance(&self, party: &Party) -> i64 {
        let asked = GetBalance::new(party.clone());
        let balance = self.cells.client(key()).ask(&asked).wait().unwrap().answer;
        balance.available.cents() + balance.blocked.cents()
    }

    /// Holds the whole statements of everybody against the twin's, in both views and by pages of
    /// any size; gives how many rows there were.
    fn agree(&self, parties: &[Party]) -> usize {
        let mut rows = 0;
        for party in parties {
            let whole = self.whole(party, None, 200);
            let balances: Vec<i64> =
                whole.iter().map(|row| cents(row, "saldo_apos_cents")).collect();
            let values: Vec<i64> = whole.iter().map(|row| cents(row, "valor_cents")).collect();
            for (place, after) in balances.iter().enumerate() {
                let before = balances.get(place + 1).copied().unwrap_or(0);
                assert_eq!(*after, before + values[place], "{party:?}: {:?}", whole[place]);
            }
            assert!(whole.iter().all(|row| row["tipo"] != "mudanca_de_livro"));
            assert_eq!(balances.first().copied().unwrap_or(0), self.balance(party), "{party:?}");
            assert_eq!(without_ids(&whole), without_ids(&self.stayed(party, None)), "{party:?}");
            for view in [None, Some(StatementView::Operations)] {
                let stayed = without_ids(&self.stayed(party, view));
                let whole = self.whole(party, view, 200);
                assert_eq!(without_ids(&whole), stayed, "{party:?} {view:?}");
                for limit in [1, 2, 3, 7] {
                    assert_eq!(self.whole(party, view, limit), whole, "{party:?} {view:?} {limit}");
                }
            }
            rows += whole.len();
        }
        rows
    }
}

fn cents(row: &Value, field: &str) -> i64 {
    row[field].as_i64().unwrap()
}

/// A page's rows, and the cursor of the next.
fn page(
    ask: &impl Fn(&GetStatement) -> custody_ledger::view::Statement,
    (party, view, limit): (&Party, Option<StatementView>, u16),
    before: Option<&str>,
) -> (Vec<Value>, Option<String>) {
    let mut asked = GetStatement::new(party.clone()).limit(PageSize::new(limit).unwrap());
    if let Some(view) = view {
        asked = asked.view(view);
    }
    if let Some(before) = before {
        asked = asked.before(before.try_into().unwrap());
    }
    let mut shown = serde_json::to_value(ask(&asked)).unwrap();
    let Value::Array(rows) = shown["items"].take() else { panic!("items are a list") };
    assert!(rows.len() <= usize::from(limit));
    assert_eq!(shown["has_more"], !shown["proxima_pagina"].is_null());
    (rows, shown["proxima_pagina"].as_str().map(str::to_owned))
}

fn pages(
    ask: impl Fn(&GetStatement) -> custody_ledger::view::Statement,
    party: &Party,
    view: Option<StatementView>,
    limit: u16,
) -> Vec<Value> {
    let (mut all, mut next) = page(&ask, (party, view, limit), None);
    while let Some(before) = next {
        let (rows, following) = page(&ask, (party, view, limit), Some(&before));
        assert!(!rows.is_empty(), "a page that was announced has a row");
        all.extend(rows);
        next = following;
    }
    all
}

/// Rows as they are of any ledger: ids say which one gave them.
fn without_ids(rows: &[Value]) -> Vec<Value> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        for id in ["movimento_id", "movimentos_ids", "origem_id"] {
            row[id].take();
        }
    }
    rows
}

#[test]
fn one_statement_goes_on_over_every_ledger_that_an_account_lived_in() {
    let mut twins = Twins::new();
    let caio = Party::customer("caio").unwrap();
    twins.collect(&ana(), 10_000);
    twins.collect(&bia(), 7_000);
    twins.collect(&Party::House, 3_000);
    twins.collect(&caio, 2_000);
    // Nothing of Caio's is left to be carried, and what he did stays in his statement.
    let everything = twins.balance(&caio);
    twins.transfer(&caio, &Party::House, everything);
    twins.pay_out(&ana(), 2_500);
    let parties = [ana(), bia(), Party::House, caio];
    twins.agree(&parties);
    twins.moves("cell-b", "mv-1");
    twins.agree(&parties);
    twins.transfer(&ana(), &bia(), 700);
    twins.collect(&bia(), 1_500);
    twins.agree(&parties);
    twins.moves("cell-c", "mv-2");
    twins.collect(&ana(), 4_000);
    twins.transfer(&bia(), &Party::House, 300);
    twins.agree(&parties);

    // What comes later in the ledgers that were left stands where it belongs, and is carried.
    let (first, later) = (twins.charges[0].clone(), twins.charges[4].clone());
    let paid_out = twins.payouts[0].clone();
    twins.goes_back(&first, 4_000, false);
    twins.transfer(&ana(), &bia(), 100);
    twins.goes_back(&later, 1_000, false);
    twins.goes_back(&paid_out, 2_500, true);
    twins.transfer(&bia(), &ana(), 50);
    twins.moves("cell-b", "mv-1");
    twins.moves("cell-c", "mv-2");
    let rows = twins.agree(&parties);
    assert!(rows > 20, "{rows} rows");
    twins.goes_back(&first, 1_000, false);
    twins.moves("cell-b", "mv-1");
    twins.moves("cell-c", "mv-2");
    assert!(twins.agree(&parties) > rows);
}

#[test]
fn whatever_is_done_between_two_moves_the_statement_is_that_of_an_account_that_stayed() {
    let mut back_after_a_move = 0;
    for seed in 1..=12_u64 {
        let mut twins = Twins::new();
        let mut state = seed;
        let mut below = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let parties = [ana(), bia(), Party::House];
        for party in &parties {
            twins.collect(party, 20_000);
        }
        let (one, two) = (5 + below(15), 22 + below(15));
        let mut back = 0;
        for step in 0..45 {
            if step == one {
                twins.moves("cell-b", "mv-1");
                back = twins.back;
            }
            if step == two {
                twins.moves("cell-c", "mv-2");
            }
            let party = &parties[usize::try_from(below(3)).unwrap()];
            let other = &parties[usize::try_from(below(3)).unwrap()];
            let cents = i64::try_from(100 + below(900)).unwrap();
            match below(6) {
                0 => twins.collect(party, 1_000 + cents),
                1 | 2 if party != other => twins.transfer(party, other, cents),
                3 => twins.pay_out(party, 500 + cents),
                4 => {
                    let which = usize::try_from(below(twins.charges.len() as u64)).unwrap();
                    let ids = twins.charges[which].clone();
                    twins.goes_back(&ids, cents, false);
                }
                _ if !twins.payouts.is_empty() => {
                    let which = usize::try_from(below(twins.payouts.len() as u64)).unwrap();
                    let ids = twins.payouts[which].clone();
                    twins.goes_back(&ids, cents, true);
                }
                _ => {}
            }
        }
        twins.moves("cell-b", "mv-1");
        twins.moves("cell-c", "mv-2");
        let rows = twins.agree(&parties);
        assert!(rows > 30, "seed {seed}: {rows} rows");
        back_after_a_move += twins.back - back;
    }
    assert!(back_after_a_move > 50, "{back_after_a_move} PIX went back after a move");
}

#[test]
fn a_page_that_was_begun_before_a_move_is_continued_after_it() {
    let mut twins = Twins::new();
    for number in 1..=6 {
        twins.collect(&ana(), 1_000 * number);
    }
    let before = twins.whole(&ana(), None, 200);
    let ask = |twins: &Twins, cursor: Option<&str>| {
        let client = twins.cells.client(key());
        page(&|asked| client.ask(asked).wait().unwrap().answer, (&ana(), None, 4), cursor)
    };
    let (mut rows, mut next) = ask(&twins, None);
    twins.moves("cell-b", "mv-1");
    twins.collect(&ana(), 9_000);
    let (more, following) = ask(&twins, next.as_deref());
    rows.extend(more);
    next = following;
    twins.moves("cell-c", "mv-2");
    let back = twins.charges[1].clone();
    twins.goes_back(&back, 500, false);
    while let Some(cursor) = next {
        let (more, following) = ask(&twins, Some(&cursor));
        rows.extend(more);
        next = following;
    }
    assert_eq!(rows, before);
    // A row's id goes on being where a page may begin, whichever ledger gave it.
    let whole = twins.whole(&ana(), None, 200);
    for (place, row) in whole.iter().enumerate() {
        let client = twins.cells.client(key());
        let asked = GetStatement::new(ana()).limit(PageSize::LARGEST);
        let asked = asked.before(row["movimento_id"].as_str().unwrap().try_into().unwrap());
        let shown = serde_json::to_value(client.ask(&asked).wait().unwrap().answer).unwrap();
        assert_eq!(shown["items"].as_array().unwrap()[..], whole[place + 1..]);
    }
}

#[test]
fn what_is_not_carried_yet_stands_in_the_statement_and_in_no_balance() {
    let mut twins = Twins::new();
    twins.collect(&ana(), 10_000);
    twins.moves("cell-b", "mv-1");
    let shown = twins.balance(&ana());
    let charge = twins.charges[0].clone();
    twins.goes_back(&charge, 4_000, false);
    let whole = twins.whole(&ana(), None, 200);
    assert_eq!(without_ids(&whole), without_ids(&twins.stayed(&ana(), None)));
    assert!(cents(&whole[0], "saldo_apos_cents") < shown);
    assert_eq!(twins.balance(&ana()), shown);
    twins.moves("cell-b", "mv-1");
    assert_eq!(twins.whole(&ana(), None, 200), whole);
    assert_eq!(twins.balance(&ana()), cents(&whole[0], "saldo_apos_cents"));
}

#[test]
fn while_an_account_waits_to_move_its_statement_is_whole() {
    let mut twins = Twins::new();
    twins.collect(&ana(), 10_000);
    twins.moves("cell-b", "mv-1");
    twins.collect(&ana(), 2_000);
    let open = charge_of(&ana(), 500, "open");
    twins.cells.client(key()).ask(&open).wait().unwrap();
    let waits = twins.cells.move_account(&loja(), "cell-c", "mv-2").wait().unwrap();
    assert_eq!(waits, AccountMove::Waiting { open: 1 });
    let whole = twins.whole(&ana(), None, 200);
    assert_eq!(without_ids(&whole), without_ids(&twins.stayed(&ana(), None)));
}

#[test]
fn what_one_ledger_refuses_of_a_statement_is_refused_over_several() {
    let mut twins = Twins::new();
    twins.collect(&ana(), 10_000);
    twins.collect(&bia(), 5_000);
    let of_bia = twins.whole(&bia(), None, 200)[0]["movimento_id"].as_str().unwrap().to_owned();
    let of_steps = twins.whole(&ana(), None, 200)[0]["movimento_id"].as_str().unwrap().to_owned();
    twins.moves("cell-b", "mv-1");
    let refused = |asked: &GetStatement, by: ApiKey| match twins.cells.client(by).ask(asked).wait()
    {
        Err(Error::Refused(refusal)) => refusal.code(),
        other => panic!("{other:?}"),
    };
    let of_ana = || GetStatement::new(ana());
    for cursor in [&of_bia, "1", "0", "x", "1000000000000000000000000"] {
        let asked = of_ana().before(cursor.try_into().unwrap());
        assert_eq!(refused(&asked, key()), Some(Code::RequestInvalid), "{cursor}");
    }
    let other_view = of_ana().before((&*of_steps).try_into().unwrap());
    let other_view = other_view.view(StatementView::Operations);
    assert_eq!(refused(&other_view, key()), Some(Code::RequestInvalid));
    let nobody = ApiKey::new("svc_live_nobody").unwrap();
    assert_eq!(refused(&of_ana(), nobody), Some(Code::KeyUnknown));
    let unknown = Party::customer("nobody").unwrap();
    assert_eq!(twins.whole(&unknown, None, 10), [Value::Null; 0]);
}
