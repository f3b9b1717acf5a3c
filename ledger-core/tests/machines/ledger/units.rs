//! Accounts of products that are not kept in reais: units of their own, and assets (P:ProductUnits).

use ledger_core::accounting::{Account, CoinAccount, Commodity, Control, ProductClass, Side, Unit};
use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, OpId, ProductAccount, SubaccountId};
use ledger_core::ledger::product::{DeclaredAccount, Leg};
use ledger_core::ledger::{Event, Malformed, Outcome, SetAsideReason as Reason, State};
use ledger_core::machine::entry::{self, Movement};
use ledger_core::machine::hold;
use ledger_core::template::{AmountParameter, Template, TemplateLeg};
use ledger_core::terms::{Listing, Switch};

use super::entries::{declared, leg, op};
use super::reservations::own;
use super::{Harness, instant};
use crate::samples::{amount, listing};

/// The number of the unit `pontos`, the first commodity of these ledgers.
const POINTS: AssetId = AssetId(0);

fn counting(name: &str, class: ProductClass, unit: &str, decimals: u8) -> DeclaredAccount {
    let scale = Scale::new(decimals).unwrap();
    // The ledger gives the number, whatever the fact has.
    let unit = Unit { name: unit.into(), scale, asset: AssetId(77) };
    DeclaredAccount { commodity: Some(Commodity::Unit(unit)), ..declared(name, class) }
}

/// Points are owed to each customer and issued against an own account; their cost is in reais.
fn programme() -> Harness {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    let on = Switch::On;
    let points = counting("pontos", ProductClass::Liability, "pontos", 0);
    let issued = counting("emitidos", ProductClass::Equity, "pontos", 0);
    let each = DeclaredAccount { per_customer: on, ..points };
    let below = DeclaredAccount { overdraft: on, ..issued };
    let cost = declared("custo", ProductClass::Expense);
    let due = declared("resgates", ProductClass::Liability);
    for account in [each, below, cost, due] {
        assert_eq!(harness.declare(account), Ok(Outcome::Applied(None)));
    }
    harness
}

fn points_of(state: &State, holder: SubaccountId) -> i128 {
    let of = ProductAccount { number: 0, holder: Some(holder) };
    state.books.coin(POINTS, CoinAccount::ProductLiability(of))
}

/// Points given to a customer, with what they cost in reais.
fn points_given(points: i64, cents: i64) -> Vec<Leg> {
    vec![
        leg("emitidos", None, -points),
        leg("custo", None, -cents),
        leg("resgates", None, cents),
        leg("pontos", Some("ana"), points),
    ]
}

#[test]
fn an_entry_moves_points_and_their_cost_each_in_its_unit() {
    let mut harness = programme();
    op(harness.post(points_given(100, 200)));
    let ana = harness.named("ana");
    let state = &harness.ledger.state;
    assert_eq!(points_of(state, ana), 100);
    // Totals in reais leave points out.
    assert_eq!(harness.of_product(Control::ProductLiability), 200);
    assert_eq!(harness.of_product(Control::ProductEquity), 0);
    assert_eq!(state.books.coins().map(|(_, _, units)| units).sum::<i128>(), 0);
    assert_eq!(state.catalogue.asset_of(POINTS), Some(("pontos", Scale::new(0).unwrap())));
    assert_eq!(state.catalogue.asset("pontos"), None, "what names an asset names no unit");
}

#[test]
fn legs_that_balance_in_sum_and_not_in_each_unit_are_set_aside() {
    let mut harness = programme();
    let mixed = vec![leg("custo", None, -100), leg("pontos", Some("ana"), 100)];
    assert_eq!(harness.post(mixed), Err(Reason::UnitDiffers));
    let spent = vec![leg("cust.avail", Some("ana"), -100), leg("emitidos", None, 100)];
    assert_eq!(harness.post(spent), Err(Reason::UnitDiffers));
    assert_eq!(harness.ledger.state.books.coins().count(), 0);
}

#[test]
fn an_entry_in_several_units_is_taken_back_in_whole_or_in_part() {
    let mut harness = programme();
    let entry = op(harness.post(points_given(100, 200)));
    let flip = |leg: Leg| {
        let side = if leg.side == Side::Debit { Side::Credit } else { Side::Debit };
        Leg { side, ..leg }
    };
    let back = |points, cents| {
        Some(points_given(points, cents).into_iter().map(flip).collect::<Vec<Leg>>())
    };
    assert_eq!(harness.take_back(entry, back(101, 1)), Err(Reason::AmountExceeds));
    assert_eq!(harness.take_back(entry, back(30, 200)), Ok(Outcome::Applied(Some(entry))));
    let ana = harness.named("ana");
    assert_eq!(points_of(&harness.ledger.state, ana), 70);
    assert_eq!(harness.of_product(Control::ProductLiability), 0);

    let entry = op(harness.post(points_given(5, 10)));
    assert_eq!(harness.take_back(entry, None), Ok(Outcome::Applied(Some(entry))));
    assert_eq!(points_of(&harness.ledger.state, ana), 70);
}

#[test]
fn points_that_were_not_given_are_not_spent() {
    let mut harness = programme();
    op(harness.post(points_given(100, 200)));
    let spend =
        |points: i64| vec![leg("pontos", Some("ana"), -points), leg("emitidos", None, points)];
    assert_eq!(harness.post(spend(101)), Err(Reason::AmountExceeds));
    op(harness.post(spend(100)));
    assert_eq!(harness.post(spend(1)), Err(Reason::AmountExceeds));
}

#[test]
fn the_first_account_of_a_unit_gives_it_its_decimals() {
    let mut harness = programme();
    let other = |decimals| counting("campanha", ProductClass::Liability, "pontos", decimals);
    assert_eq!(harness.declare(other(2)), Err(Reason::UnitDiffers));
    assert_eq!(harness.declare(other(0)), Ok(Outcome::Applied(None)));
    assert_eq!(harness.declare(other(0)), Ok(Outcome::Known));
    assert_eq!(
        harness.declare(declared("campanha", ProductClass::Liability)),
        Err(Reason::NameTaken)
    );
    let miles = counting("milhas", ProductClass::Liability, "milhas", 2);
    assert_eq!(harness.declare(miles), Ok(Outcome::Applied(None)));
    let two = Some((AssetId(1), Scale::new(2).unwrap()));
    assert_eq!(harness.ledger.state.catalogue.unit("milhas"), two);
}

#[test]
fn a_unit_and_an_asset_never_bear_one_name() {
    let mut harness = Harness::trading(instant());
    let like = counting("x", ProductClass::Asset, "btc", 8);
    harness.list(Listing { asset_name: "btc".into(), ..listing(1, 0) });
    assert_eq!(harness.declare(like), Err(Reason::UnitDiffers));
    harness.declare(counting("y", ProductClass::Asset, "pontos", 6)).unwrap();
    let listed = harness.list(Listing { asset_name: "pontos".into(), ..listing(1, 0) });
    assert_eq!(listed, Outcome::SetAside(None));
    // An asset that is listed later gets the number after the unit's.
    let next = harness.ledger.state.catalogue.assets();
    assert_eq!(
        harness.list(Listing { asset_name: "eth".into(), ..listing(1, 0) }),
        Outcome::Applied(None)
    );
    let numbered = harness.ledger.state.catalogue.asset("eth").map(|(asset, _)| asset);
    assert_eq!(numbered, Some(AssetId(u16::try_from(next).unwrap())));
}

#[test]
fn names_of_units_are_short_plain_and_no_money() {
    for name in ["pontos", "a", "1", "abcdefghijklmnop"] {
        assert_eq!(Unit::well_named(name), Ok(()), "{name}");
    }
    for name in ["", "abcdefghijklmnopq", "Pontos", "meus-pontos", "brl", "usdt", "usdc", "depix"] {
        assert_eq!(Unit::well_named(name), Err(Malformed::UnitName), "{name}");
    }
}

#[test]
fn an_account_counts_an_asset_that_was_listed() {
    let mut harness = Harness::trading(instant());
    let (usdt, _) = harness.ledger.state.catalogue.asset("usdt").unwrap();
    let counting = |name, class, asset| DeclaredAccount {
        commodity: Some(Commodity::Asset(asset)),
        overdraft: Switch::On,
        ..declared(name, class)
    };
    let unlisted = counting("z", ProductClass::Asset, AssetId(99));
    assert_eq!(harness.declare(unlisted), Err(Reason::Unmatched));
    harness.declare(counting("cofre", ProductClass::Asset, usdt)).unwrap();
    harness.declare(counting("socios", ProductClass::Equity, usdt)).unwrap();
    op(harness.post(vec![leg("cofre", None, -5), leg("socios", None, 5)]));
    let socios = CoinAccount::ProductEquity(ProductAccount { number: 1, holder: None });
    assert_eq!(harness.ledger.state.books.coin(usdt, socios), 5);
    // The house's own coins and customers' are not for products' entries.
    for name in ["treas", "wal.avail"] {
        let legs = vec![leg(name, None, -5), leg("socios", None, 5)];
        assert_eq!(harness.post(legs), Err(Reason::Unmatched), "{name}");
    }
}

#[test]
fn a_capture_is_of_reais() {
    let mut harness = programme();
    let hold = op(harness.reserve("ana", 3_000, None));
    assert_eq!(harness.capture(hold, 1, own("emitidos")), Err(Reason::UnitDiffers));
    let to = Account::ProductEquity(ProductAccount { number: 1, holder: None });
    let (subaccount, amount) = (harness.named("ana"), amount(5));
    let event = hold::Event::Captured { subaccount, amount, to, note: None };
    assert!(harness.replayed(Event::Hold { op: hold, event }).is_err());
}

#[test]
fn a_template_is_adopted_where_it_balances_in_each_unit() {
    let mut harness = programme();
    let leg = |account: &str, holder: Option<&str>, side, amount: &str| TemplateLeg {
        account: account.into(),
        holder: holder.map(Into::into),
        side,
        amount: amount.into(),
    };
    let template = |points: &str| Template {
        name: "premio".into(),
        amounts: vec![AmountParameter { name: "valor".into(), from: 1, to: 1_000 }],
        holders: vec!["quem".into()],
        legs: vec![
            leg("emitidos", None, Side::Debit, "valor"),
            leg("custo", None, Side::Debit, "2 * valor"),
            leg("resgates", None, Side::Credit, "rest"),
            leg("pontos", Some("quem"), Side::Credit, points),
        ],
        conditions: Vec::new(),
    };
    // The rest is what is left in sum; points alone do not come out.
    assert_eq!(harness.adopt(template("down(valor / 2)")), Err(Reason::UnitDiffers));
    assert_eq!(harness.adopt(template("valor")), Ok(Outcome::Applied(None)));
}

#[test]
fn a_journal_that_moves_another_unit_than_was_declared_is_refused() {
    let mut harness = programme();
    let entry = op(harness.post(points_given(1, 1)));
    let seq = harness.ledger.state.seq.next();
    let next = OpId::new(entry.kind(), seq);
    let of = |number| ProductAccount { number, holder: None };
    let said = |credit: Account, asset| {
        let debit = Account::ProductEquity(of(1));
        let moved = Movement { debit, credit, amount: amount(5), asset };
        let event = entry::Event::Posted { moved, note: None, last: Switch::On, template: None };
        harness.replayed(Event::Entry { op: next, event }).is_ok()
    };
    let ana = ProductAccount { number: 0, holder: Some(harness.named("ana")) };
    let (points, cents) = (Account::ProductLiability(ana), Account::ProductLiability(of(3)));
    assert!(said(points, Some(POINTS)));
    assert!(!said(points, None));
    assert!(!said(points, Some(AssetId(1))));
    assert!(!said(cents, Some(POINTS)));
    assert!(!said(Account::Fx, Some(POINTS)));
    let unit = |asset, decimals| {
        let mut declared = counting("outra", ProductClass::Asset, "pontos", decimals);
        if let Some(Commodity::Unit(unit)) = &mut declared.commodity {
            unit.asset = asset;
        }
        let declared = Box::new(declared);
        harness.replayed(Event::ProductAccountDeclared { number: 4, declared }).is_ok()
    };
    assert!(unit(POINTS, 0) && !unit(POINTS, 1) && !unit(AssetId(1), 0));
}

#[test]
fn a_snapshot_keeps_units() {
    let mut harness = programme();
    op(harness.post(points_given(100, 200)));
    let state = &harness.ledger.state;
    let bytes = minicbor::to_vec(state.snapshot()).unwrap();
    let restored = State::restore("live", minicbor::decode(&bytes).unwrap(), []).unwrap();
    assert!(restored.books.coins().eq(state.books.coins()));
    assert_eq!(restored.catalogue.unit("pontos"), state.catalogue.unit("pontos"));
}
