//! Accounts of a product's own, and what its entries may move.

use ledger_core::accounting::{Account, Control, ProductClass, RowKind, Side};
use ledger_core::id::{OpId, ProductAccount, Seq, SubaccountId};
use ledger_core::ledger::product::{DeclaredAccount, Fact as ProductFact, Holder, Leg};
use ledger_core::ledger::{Archive, Event, Fact, Malformed, Operation, Outcome, SetAsideReason};
use ledger_core::machine::entry::{self, Movement};
use ledger_core::terms::Switch;

use super::counter::decided_by;
use super::{Harness, instant};
use crate::samples::{SOMEBODY, amount};

pub(super) fn declared(name: &str, class: ProductClass) -> DeclaredAccount {
    let (per_customer, overdraft) = (Switch::Off, Switch::Off);
    DeclaredAccount { name: name.into(), class, per_customer, overdraft, commodity: None }
}

pub(super) fn leg(name: &str, customer: Option<&str>, cents: i64) -> Leg {
    let holder = |customer: &str| {
        let customer = Some(customer).filter(|name| *name != "casa").map(Into::into);
        Holder { account: "shop".into(), customer }
    };
    let side = if cents > 0 { Side::Credit } else { Side::Debit };
    Leg { account: name.into(), holder: customer.map(holder), side, amount: amount(cents.abs()) }
}

impl Harness {
    /// Returns what became of a fact, or why it was set aside.
    pub(super) fn came_to(&mut self, fact: Fact) -> Became {
        let outcome = self.fact(fact);
        let events = &self.records.last().unwrap().events;
        let why = events.iter().find_map(|event| match event {
            Event::SetAside { reason, .. } => *reason,
            _ => None,
        });
        match outcome {
            Outcome::SetAside(_) => Err(why.unwrap()),
            outcome => Ok(outcome),
        }
    }

    pub(super) fn declare(&mut self, declared: DeclaredAccount) -> Became {
        let decided_by = decided_by();
        self.came_to(Fact::Product(ProductFact::AccountDeclared { declared, decided_by }))
    }

    pub(super) fn post(&mut self, legs: Vec<Leg>) -> Became {
        let (legs, note, decided_by) = (legs.into(), Some(SOMEBODY), decided_by());
        self.came_to(Fact::Product(ProductFact::EntryPosted { legs, note, decided_by }))
    }

    pub(super) fn take_back(&mut self, entry: OpId, legs: Option<Vec<Leg>>) -> Became {
        let (entry, decided_by) = (Some(entry), decided_by());
        let legs = legs.map(Into::into);
        self.came_to(Fact::Product(ProductFact::EntryReversed { entry, legs, decided_by }))
    }

    pub(super) fn available(&self, customer: &str) -> i64 {
        let subaccount = self.named(customer);
        self.ledger.state.books.subaccount(subaccount).available.cents()
    }

    pub(super) fn of_product(&self, control: Control) -> i128 {
        self.ledger.state.books.balance(control)
    }
}

/// Ana has 98.50; a fee's account and a pool of rewards are declared.
fn shop() -> Harness {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    for (name, class) in
        [("taxas.disputa", ProductClass::Income), ("premios", ProductClass::Liability)]
    {
        assert_eq!(harness.declare(declared(name, class)), Ok(Outcome::Applied(None)));
    }
    harness
}

pub(super) type Became = Result<Outcome, SetAsideReason>;

pub(super) fn op(outcome: Became) -> OpId {
    let Ok(Outcome::Applied(Some(op))) = outcome else { panic!("{outcome:?}") };
    op
}

#[test]
fn an_entry_moves_each_leg_and_its_rows_say_so() {
    let mut harness = shop();
    let had = harness.available("ana");
    let posted = harness.post(vec![
        leg("cust.avail", Some("ana"), -1_500),
        leg("taxas.disputa", None, 1_000),
        leg("cust.avail", Some("bia"), 400),
        leg("premios", None, 100),
    ]);
    let entry = op(posted);
    assert_eq!((harness.available("ana"), harness.available("bia")), (had - 1_500, 400));
    let owed = [Control::ProductIncome, Control::ProductLiability];
    assert_eq!(owed.map(|control| harness.of_product(control)), [1_000, 100]);
    // Ana's three rows are one for each account that her money went to.
    let ana = harness.named("ana");
    let rows = harness.ledger.state.books.subaccount(ana).rows;
    let last = (rows - 2..=rows).map(|number| harness.ledger.archive.row(ana, number).unwrap());
    let said: Vec<_> = last.map(|row| (row.kind, row.value.cents(), row.note, row.op)).collect();
    let row = |cents| (RowKind::Entry, cents, Some(SOMEBODY), entry);
    assert_eq!(said, [row(-1_000), row(-400), row(-100)]);
}

#[test]
fn a_name_is_declared_once() {
    let mut harness = shop();
    let again = declared("premios", ProductClass::Liability);
    assert_eq!(harness.declare(again.clone()), Ok(Outcome::Known));
    let other = DeclaredAccount { class: ProductClass::Equity, ..again };
    assert_eq!(harness.declare(other), Err(SetAsideReason::NameTaken));
}

#[test]
fn names_of_the_chart_are_reserved() {
    let wrong = Err(Malformed::AccountName);
    for name in
        ["rev.disputa", "cust.avail", "treas", "prod.x", "wal.x", "", "a..b", ".a", "A", "1a"]
    {
        assert_eq!(DeclaredAccount::well_named(name), wrong, "{name}");
    }
    assert_eq!(DeclaredAccount::well_named(&"a".repeat(65)), wrong);
    for name in ["revenda", "taxas.cartao_2", "a"] {
        assert_eq!(DeclaredAccount::well_named(name), Ok(()), "{name}");
    }
}

#[test]
fn legs_are_few_different_and_balance() {
    let two = [leg("premios", None, -5), leg("taxas.disputa", None, 5)];
    assert_eq!(Leg::check_balance(&two), Ok(()));
    assert_eq!(Leg::check_balance(&two[..1]), Err(Malformed::EntryLegs(100)));
    let many: Vec<_> = (0..101).map(|n| leg(&format!("a{n}"), None, 1)).collect();
    assert_eq!(Leg::check_balance(&many), Err(Malformed::EntryLegs(100)));
    let twice = [leg("premios", None, -5), leg("premios", None, 5)];
    assert_eq!(Leg::check_balance(&twice), Err(Malformed::LegTwice));
    let uneven = [leg("premios", None, -5), leg("taxas.disputa", None, 4)];
    let (debits, credits) = (5, 4);
    assert_eq!(Leg::check_balance(&uneven), Err(Malformed::Unbalanced { debits, credits }));
}

#[test]
fn nobody_spends_what_is_not_there() {
    let mut harness = shop();
    let had = harness.available("ana");
    let spend = |cents: i64| {
        vec![leg("cust.avail", Some("ana"), -cents), leg("taxas.disputa", None, cents)]
    };
    assert_eq!(harness.post(spend(had + 1)), Err(SetAsideReason::AmountExceeds));
    let stranger = vec![leg("cust.avail", Some("zoe"), -1), leg("taxas.disputa", None, 1)];
    assert_eq!(harness.post(stranger), Err(SetAsideReason::AmountExceeds));
    op(harness.post(spend(had)));
    assert_eq!(harness.available("ana"), 0);
}

#[test]
fn an_account_falls_below_zero_only_where_it_may() {
    let mut harness = shop();
    let give = |from: &str| vec![leg(from, None, -30), leg("cust.avail", Some("ana"), 30)];
    assert_eq!(harness.post(give("premios")), Err(SetAsideReason::AmountExceeds));
    let overdrawn =
        DeclaredAccount { overdraft: Switch::On, ..declared("campanha", ProductClass::Liability) };
    harness.declare(overdrawn).unwrap();
    op(harness.post(give("campanha")));
    assert_eq!(harness.of_product(Control::ProductLiability), -30);
}

#[test]
fn what_each_customer_has_one_of_is_named_with_the_customer() {
    let mut harness = shop();
    let per_customer = Switch::On;
    let points = DeclaredAccount { per_customer, ..declared("pontos", ProductClass::Liability) };
    harness.declare(points).unwrap();
    let fund = |leg: Leg| vec![self::leg("equity.funding", None, -40), leg];
    let unmatched = Err(SetAsideReason::Unmatched);
    assert_eq!(harness.post(fund(leg("pontos", None, 40))), unmatched);
    assert_eq!(harness.post(fund(leg("premios", Some("ana"), 40))), unmatched);
    assert_eq!(harness.post(fund(leg("prov.pix", Some("ana"), 40))), unmatched);
    assert_eq!(harness.post(fund(leg("cust.avail", None, 40))), unmatched);
    assert_eq!(harness.post(fund(leg("cells", None, 40))), unmatched);
    assert_eq!(harness.post(fund(leg("nunca", None, 40))), unmatched);
    op(harness.post(fund(leg("pontos", Some("ana"), 40))));
    op(harness.post(
        fund(leg("pontos", Some("casa"), 2))
            .into_iter()
            .map(|leg| Leg { amount: amount(2), ..leg })
            .collect(),
    ));
    let of = |holder| Account::ProductLiability(ProductAccount { number: 2, holder: Some(holder) });
    let books = &harness.ledger.state.books;
    let house = SubaccountId(0);
    assert_eq!([harness.named("ana"), house].map(|id| books.flight(of(id))), [40, 2]);
}

#[test]
fn an_entry_is_taken_back_once_in_whole_or_in_part() {
    let mut harness = shop();
    let had = harness.available("ana");
    let fee = || vec![leg("cust.avail", Some("ana"), -1_500), leg("taxas.disputa", None, 1_500)];
    let entry = op(harness.post(fee()));
    assert_eq!(harness.take_back(entry, None), Ok(Outcome::Applied(Some(entry))));
    assert_eq!(harness.available("ana"), had);
    assert_eq!(harness.take_back(entry, None), Err(SetAsideReason::OutOfTurn));

    let entry = op(harness.post(fee()));
    let back = |cents: i64| {
        Some(vec![leg("cust.avail", Some("ana"), cents), leg("taxas.disputa", None, -cents)])
    };
    let exceeds = Err(SetAsideReason::AmountExceeds);
    assert_eq!(harness.take_back(entry, back(1_501)), exceeds);
    assert_eq!(harness.take_back(entry, back(-1)), exceeds);
    let elsewhere = vec![leg("cust.avail", Some("bia"), 1), leg("taxas.disputa", None, -1)];
    assert_eq!(harness.take_back(entry, Some(elsewhere)), exceeds);
    assert_eq!(harness.take_back(entry, back(600)), Ok(Outcome::Applied(Some(entry))));
    assert_eq!(harness.available("ana"), had - 900);
    let kept = harness.ledger.archive.ended_operation(entry).unwrap();
    let told = harness
        .records
        .iter()
        .filter(|record| record.events.iter().any(|event| event.op() == Some(entry)));
    assert_eq!(Operation::after(entry, told), Some(kept));
    assert_eq!(harness.take_back(entry, back(1)), Err(SetAsideReason::OutOfTurn));
}

#[test]
fn money_that_went_on_is_not_taken_back() {
    let mut harness = shop();
    let gift = vec![leg("equity.funding", None, -700), leg("cust.avail", Some("bia"), 700)];
    let entry = op(harness.post(gift));
    harness.pay(Some("bia"), 500).unwrap();
    assert_eq!(harness.take_back(entry, None), Err(SetAsideReason::AmountExceeds));
}

#[test]
fn a_journal_with_moves_of_what_nobody_declared_is_refused() {
    let mut harness = shop();
    let fees = ProductAccount { number: 0, holder: None };
    let said = |credit: Account, op: OpId| Event::Entry {
        op,
        event: entry::Event::Posted {
            moved: Movement { debit: Account::Funding, credit, amount: amount(5), asset: None },
            note: None,
            last: Switch::On,
            template: None,
        },
    };
    let op = op(harness.post(vec![leg("equity.funding", None, -5), leg("taxas.disputa", None, 5)]));
    let next = OpId::new(op.kind(), Seq(op.seq().0 + 1));
    let replays = |harness: &Harness, event: Event| {
        let mut ledger = harness.ledger.clone();
        let mut record = harness.records.last().unwrap().clone();
        record.seq = record.seq.next();
        (record.events, record.outside) = (vec![event], None);
        ledger.replay(&record).is_ok()
    };
    assert!(replays(&harness, said(Account::ProductIncome(fees), next)));
    for credit in [
        Account::ProductExpense(fees),
        Account::ProductIncome(ProductAccount { number: 9, ..fees }),
        Account::ProductIncome(ProductAccount { holder: Some(SubaccountId(0)), ..fees }),
    ] {
        assert!(!replays(&harness, said(credit, next)), "{credit}");
    }
    // A posting stands in the record that it is named after, and nowhere else.
    assert!(!replays(&harness, said(Account::ProductIncome(fees), op)));
}
