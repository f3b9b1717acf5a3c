//! Reservations of a service that embeds the ledger: whatever is captured, let go of or expires,
//! what was reserved is accounted for to the centavo.

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::fact::hold::{
    HoldReleased, ReservationCaptured, ReservationCapturedTo, ReservationMade,
};
use custody_ledger::fact::product::EntryLegOf;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::testkit::{self, TestLedger};
use custody_ledger::value::{DecidedBy, Instant, Span};
use proptest::prelude::*;

/// A step of a service with its reservation.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Captures so many centavos, and with `true` lets go of the rest.
    Capture(i64, bool),
    /// Lets go of so many centavos.
    Release(i64),
    /// So many hours pass.
    Pass(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (1..3_000_i64, prop::bool::weighted(0.1)).prop_map(|(c, last)| Step::Capture(c, last)),
        3 => (1..1_500_i64).prop_map(Step::Release),
        1 => (1..30_u32).prop_map(Step::Pass),
    ];
    prop::collection::vec(step, 1..20)
}

fn by() -> DecidedBy {
    DecidedBy::new("cartoes", "contract").expect("texts")
}

fn amount(cents: i64) -> Amount {
    Amount::new(cents).expect("above zero")
}

fn customer(name: &str) -> Party {
    Party::customer(name).expect("a name")
}

/// A shop whose customer ana has 100.00, of which 60.00 are reserved for three days.
fn reserved() -> (TestLedger, OperationId) {
    let account = AccountName::new("loja").expect("a name");
    let id = |text: &str| FactId::new(text).expect("an id");
    let opened = AccountOpened::new(id("acc-1"), account.clone());
    let gift = by().evidence("case-1").expect("a text");
    let gift = FeeAdjusted::new(id("gift-1"), account.clone(), Party::House, 10_000, gift);
    let to_ana = ExternalId::new("t-1").expect("an id");
    let to_ana = CreateTransfer::new(Party::House, customer("ana"), amount(10_000), to_ana);
    let shop = testkit::given("2026-11-20T12:00:00Z")
        .fact(&opened.key("svc_live_loja".try_into().expect("a key")))
        .fact(&gift)
        .with_request(&key(), &to_ana);
    let made = ReservationMade::new(id("rsv-1"), account, customer("ana"), amount(6_000), by());
    let made = made.expires_at(Instant::parse("2026-11-23T12:00:00Z").expect("an instant"));
    let Outcome::Applied(Some(hold)) = shop.ledger().report(&made).wait().unwrap().outcome else {
        panic!("it is reserved")
    };
    (shop, hold)
}

fn key() -> ApiKey {
    ApiKey::new("svc_live_loja").expect("a key")
}

/// Takes a step, and says how much of it was captured.
fn take(shop: TestLedger, hold: &OperationId, number: usize, step: Step) -> (TestLedger, i64) {
    let id = FactId::new(&format!("step-{number}")).expect("an id");
    let taken = match step {
        Step::Capture(cents, last) => {
            let account = AccountName::new("loja").expect("a name");
            let to = ReservationCapturedTo::new("cust.avail".parse().expect("a text"));
            let to = to.of(EntryLegOf::new(account, customer("posto")));
            let capture = ReservationCaptured::new(id, hold.clone(), amount(cents), to, by());
            let captured = shop.ledger().report(&capture.last(last)).wait().unwrap();
            if matches!(captured.outcome, Outcome::Applied(_)) { cents } else { 0 }
        }
        Step::Release(cents) => {
            let released = HoldReleased::new(id, hold.clone(), by()).amount(amount(cents));
            // More than is left is set aside.
            drop(shop.ledger().report(&released).wait().unwrap());
            0
        }
        Step::Pass(hours) => return (shop.later(Span::hours(hours)), 0),
    };
    (shop, taken)
}

/// Available and blocked.
fn balance(shop: &TestLedger, name: &str) -> [i64; 2] {
    let loja = shop.ledger().client(key());
    let balance = loja.ask(&GetBalance::new(customer(name))).wait().unwrap().answer;
    [balance.available.cents(), balance.blocked.cents()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn what_is_captured_let_go_and_left_is_what_was_reserved(steps in steps()) {
        let (mut shop, hold) = reserved();
        let mut captured = 0;
        for (number, step) in steps.into_iter().enumerate() {
            let (next, taken) = take(shop, &hold, number, step);
            shop = next;
            captured += taken;
            let [available, left] = balance(&shop, "ana");
            let released = available - 4_000;
            prop_assert!(left >= 0 && released >= 0);
            prop_assert_eq!(captured + released + left, 6_000);
            prop_assert_eq!(balance(&shop, "posto"), [captured, 0]);
        }
        shop = shop.later(Span::days(3));
        prop_assert_eq!(balance(&shop, "ana"), [10_000 - captured, 0]);
        shop.holds();
    }
}
