//! Points in a unit of a product's own: whatever is given, spent and taken back, points and their
//! worth in reais stand apart, and neither is spent twice.

use custody_ledger::fact::Fact;
use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::product::{
    EntryLeg, EntryLegOf, EntryPosted, EntryReversed, ProductAccountDeclared,
    ProductAccountDeclaredClass as Class, ProductUnit, TemplateAdopted, TemplateAmount,
    TemplateLeg,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::testkit::{self, TestLedger};
use custody_ledger::value::{DecidedBy, Text};
use custody_ledger::{FirstOutcome, SetAsideReason};
use proptest::prelude::*;

/// A step of a programme of points, whose points are worth 2 centavos each.
#[derive(Clone, Copy, Debug)]
enum Step {
    Give(i64),
    Spend(i64),
    /// Takes back what was given at first, once.
    TakeBack,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (1..200_i64).prop_map(Step::Give),
        5 => (1..200_i64).prop_map(Step::Spend),
        1 => Just(Step::TakeBack),
    ];
    prop::collection::vec(step, 1..16)
}

fn by() -> DecidedBy {
    DecidedBy::new("pontos", "regra 1").expect("texts")
}

fn id(text: &str) -> FactId {
    FactId::new(text).expect("an id")
}

fn text<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).expect("a text")
}

fn leg(name: &str) -> EntryLeg {
    EntryLeg::new(text(name))
}

fn of_ana(name: &str) -> EntryLeg {
    let ana = Party::customer("ana").expect("a name");
    leg(name).of(EntryLegOf::new("loja".parse().expect("a name"), ana))
}

fn amount(number: i64) -> Amount {
    Amount::new(number).expect("above zero")
}

fn account(name: &str, class: Class) -> ProductAccountDeclared {
    ProductAccountDeclared::new(id(name), name.parse().expect("a text"), class, by())
}

fn unit(decimals: u16) -> ProductUnit {
    ProductUnit::new("pontos".parse().expect("a text"), decimals)
}

fn programme() -> TestLedger {
    let opened = AccountOpened::new(id("acc-1"), AccountName::new("loja").expect("a name"));
    testkit::given("2026-11-20T12:00:00Z")
        .fact(&opened.key("svc_live_loja".try_into().expect("a key")))
        .fact(&account("pontos", Class::Liability).per_customer(true).unit(unit(0)))
        .fact(&account("emitidos", Class::Asset).unit(unit(0)))
        .fact(&account("custo", Class::Expense))
        .fact(&account("provisao", Class::Liability))
}

/// Reports an entry of so many points, and twice as many centavos.
fn post(shop: &TestLedger, number: usize, step: Step) -> Option<OperationId> {
    let legs = match step {
        Step::Give(points) => vec![
            leg("emitidos").debit(amount(points)),
            of_ana("pontos").credit(amount(points)),
            leg("custo").debit(amount(2 * points)),
            leg("provisao").credit(amount(2 * points)),
        ],
        Step::Spend(points) => vec![
            of_ana("pontos").debit(amount(points)),
            leg("emitidos").credit(amount(points)),
            leg("provisao").debit(amount(2 * points)),
            of_ana("cust.avail").credit(amount(2 * points)),
        ],
        Step::TakeBack => return None,
    };
    let posted = EntryPosted::new(id(&format!("step-{number}")), legs, by());
    match shop.ledger().report(&posted).wait().unwrap().outcome {
        Outcome::Applied(entry) => entry,
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn points_are_spent_once_and_paid_at_their_worth(steps in steps()) {
        let shop = programme();
        let (mut left, mut spent, mut first) = (0, 0, None);
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Give(points) => {
                    let entry = post(&shop, number, step).expect("nothing is in its way");
                    first = first.or(Some((entry, points, false)));
                    left += points;
                }
                Step::Spend(points) => {
                    let done = post(&shop, number, step).is_some();
                    prop_assert_eq!(done, points <= left);
                    left -= if done { points } else { 0 };
                    spent += if done { points } else { 0 };
                }
                Step::TakeBack => {
                    let Some((entry, points, back)) = &mut first else { continue };
                    let reversed = EntryReversed::new(id(&format!("step-{number}")), entry.clone(), by());
                    let outcome = shop.ledger().report(&reversed).wait().unwrap().outcome;
                    let done = matches!(outcome, Outcome::Applied(_));
                    prop_assert_eq!(done, !*back && *points <= left);
                    left -= if done { *points } else { 0 };
                    *back |= done;
                }
            }
            let loja = shop.ledger().client("svc_live_loja".try_into().expect("a key"));
            let ana = GetBalance::new(Party::customer("ana").expect("a name"));
            // Until points were given, she is nobody yet.
            let available = match loja.ask(&ana).wait() {
                Ok(said) => said.answer.available.cents(),
                Err(Error::Refused(_)) => 0,
                Err(error) => panic!("{error}"),
            };
            prop_assert_eq!(available, 2 * spent);
        }
        shop.holds();
    }
}

#[test]
fn an_entry_that_does_not_balance_in_each_unit_is_refused_by_the_units_name() {
    let shop = programme();
    let legs = vec![of_ana("pontos").debit(amount(5)), of_ana("cust.avail").credit(amount(5))];
    let refused = shop.ledger().report(&EntryPosted::new(id("mixed"), legs, by())).wait();
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("legs must balance in pontos: debits are 5, credits 0"), "{said}");
}

/// Reports a fact before there are the accounts that it names, and again once one of them counts
/// points; gives both outcomes.
fn repeated(fact: &impl Fact) -> [Outcome; 2] {
    let shop = testkit::given("2026-11-20T12:00:00Z");
    let first = shop.ledger().report(fact).wait().unwrap().outcome;
    let shop = shop.fact(&account("pontos", Class::Liability).unit(unit(0)));
    let shop = shop.fact(&account("custo", Class::Expense));
    let again = shop.ledger().report(fact).wait().unwrap();
    assert_eq!(again.seq, None);
    [first, again.outcome]
}

#[test]
fn a_fact_that_is_known_stays_so_whatever_units_were_declared_since() {
    let legs = vec![leg("custo").debit(amount(5)), leg("pontos").credit(amount(5))];
    let posted = EntryPosted::new(id("entry"), legs, by());
    let amounts = vec![TemplateAmount::new(text("valor"), amount(1).into(), amount(100).into())];
    let legs = vec![
        TemplateLeg::new(text("custo")).debit(text("valor")),
        TemplateLeg::new(text("pontos")).credit(text("rest")),
    ];
    let adopted = TemplateAdopted::new(id("template"), text("premio"), amounts, legs, by());
    for [first, again] in [repeated(&posted), repeated(&adopted)] {
        let Outcome::SetAside(aside) = first else { panic!("{first:?}") };
        assert_eq!(aside.reason, SetAsideReason::Unmatched);
        assert_eq!(again, Outcome::Known(FirstOutcome::SetAside(aside)));
    }
}

#[test]
fn a_unit_keeps_its_decimals() {
    let shop = programme();
    let other = account("campanha", Class::Liability).unit(unit(2));
    let outcome = shop.ledger().report(&other).wait().unwrap().outcome;
    let Outcome::SetAside(aside) = outcome else { panic!("{outcome:?}") };
    assert_eq!(aside.reason, SetAsideReason::UnitDiffers);
}
