//! Entries by templates, as the ledger composes them (P:Templates).

use ledger_core::accounting::{Control, ProductClass, Side};
use ledger_core::ledger::product::{
    Fact as ProductFact, Holder, NamedAmount, NamedHolder, TemplatePosting,
};
use ledger_core::ledger::{Event, Fact, Outcome, SetAsideReason as Reason};
use ledger_core::machine::entry;
use ledger_core::template::{AmountParameter, Template, TemplateLeg};

use super::counter::decided_by;
use super::entries::{Became, declared, op};
use super::{Harness, instant};
use crate::samples::SOMEBODY;

/// A sale: the house keeps a fee that is given in basis points, at most 50.00.
pub(super) fn sale() -> Template {
    let amount = |name: &str, from, to| AmountParameter { name: name.into(), from, to };
    let leg = |account: &str, holder: Option<&str>, side, amount: &str| TemplateLeg {
        account: account.into(),
        holder: holder.map(Into::into),
        side,
        amount: amount.into(),
    };
    Template {
        name: "venda".into(),
        amounts: vec![amount("valor", 1, 1_000_000), amount("taxa", 0, 1_000)],
        holders: vec!["comprador".into(), "vendedor".into()],
        legs: vec![
            leg("cust.avail", Some("comprador"), Side::Debit, "valor"),
            leg("taxas.venda", None, Side::Credit, "min(half_even(valor * taxa / 10000), 5000)"),
            leg("cust.avail", Some("vendedor"), Side::Credit, "rest"),
        ],
        conditions: vec!["valor >= 100".into()],
    }
}

fn posting(buyer: &str, seller: &str, values: [i64; 2]) -> TemplatePosting {
    let amount = |(name, value): (&str, i64)| NamedAmount { name: name.into(), value };
    let holder = |(name, customer): (&str, &str)| NamedHolder {
        name: name.into(),
        holder: Holder { account: "shop".into(), customer: Some(customer.into()) },
    };
    TemplatePosting {
        template: "venda".into(),
        version: None,
        amounts: ["valor", "taxa"].into_iter().zip(values).map(amount).collect(),
        holders: [("comprador", buyer), ("vendedor", seller)].into_iter().map(holder).collect(),
    }
}

impl Harness {
    pub(super) fn adopt(&mut self, template: Template) -> Became {
        let (template, decided_by) = (Box::new(template), decided_by());
        self.came_to(Fact::Product(ProductFact::TemplateAdopted { template, decided_by }))
    }

    fn post_by(&mut self, posting: TemplatePosting) -> Became {
        let (posting, note, decided_by) = (Box::new(posting), Some(SOMEBODY), decided_by());
        self.came_to(Fact::Product(ProductFact::TemplatePosted { posting, note, decided_by }))
    }

    /// The numbers of the templates that the last record's entry quotes.
    fn quoted_templates(&self) -> Vec<Option<u32>> {
        let events = &self.records.last().unwrap().events;
        let quoted = events.iter().filter_map(|event| match event {
            Event::Entry { event: entry::Event::Posted { template, .. }, .. } => Some(*template),
            _ => None,
        });
        quoted.collect()
    }
}

/// Ana has 98.50, and the sale is adopted.
fn shop() -> Harness {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.adopt(sale()), Err(Reason::Unmatched)); // Nobody declared its account.
    harness.declare(declared("taxas.venda", ProductClass::Income)).unwrap();
    assert_eq!(harness.adopt(sale()), Ok(Outcome::Applied(None)));
    harness
}

#[test]
fn an_entry_by_a_template_moves_what_its_legs_come_to_and_quotes_it() {
    let mut harness = shop();
    op(harness.post_by(posting("ana", "bia", [5_000, 250])));
    assert_eq!(harness.quoted_templates(), [Some(0), Some(0)]);
    assert_eq!(harness.of_product(Control::ProductIncome), 125);
    assert_eq!(harness.available("bia"), 4_875);
    // Without a fee there is no leg of it.
    op(harness.post_by(posting("ana", "bia", [1_000, 0])));
    assert_eq!(harness.quoted_templates(), [Some(0)]);
}

#[test]
fn a_template_adopted_again_is_known_and_changed_it_is_the_next_version() {
    let mut harness = shop();
    assert_eq!(harness.adopt(sale()), Ok(Outcome::Known));
    let mut dearer = sale();
    dearer.legs[1].amount = "up(valor * taxa / 10000)".into();
    assert_eq!(harness.adopt(dearer), Ok(Outcome::Applied(None)));
    op(harness.post_by(posting("ana", "bia", [101, 250])));
    assert_eq!(
        (harness.quoted_templates(), harness.of_product(Control::ProductIncome)),
        (vec![Some(1); 2], 3)
    );
    let first = TemplatePosting { version: Some(1), ..posting("ana", "bia", [120, 250]) };
    op(harness.post_by(first));
    assert_eq!(harness.quoted_templates(), [Some(0); 2]);
    let versions: Vec<_> = harness.ledger.state.templates().map(|(version, _)| version).collect();
    assert_eq!(versions, [1, 2]);
}

#[test]
fn a_posting_that_does_not_fit_its_template_is_set_aside_and_moves_nothing() {
    let mut harness = shop();
    let had = harness.available("ana");
    let plain = posting("ana", "bia", [5_000, 250]);
    let renamed = |amounts| TemplatePosting { amounts, ..plain.clone() };
    let mut stranger = plain.clone();
    stranger.holders[1].holder.account = "nobody".into();
    for (posting, reason) in [
        (posting("ana", "bia", [99, 250]), Reason::OutsideTemplate), // Its condition.
        (posting("ana", "bia", [5_000, 1_001]), Reason::OutsideTemplate), // Its range.
        (posting("ana", "ana", [5_000, 250]), Reason::OutsideTemplate), // One account twice.
        (renamed(Box::default()), Reason::OutsideTemplate),
        (TemplatePosting { holders: Box::default(), ..plain.clone() }, Reason::OutsideTemplate),
        (TemplatePosting { version: Some(2), ..plain.clone() }, Reason::Unmatched),
        (TemplatePosting { template: "outra".into(), ..plain.clone() }, Reason::Unmatched),
        (stranger, Reason::Unmatched),
        (posting("ana", "bia", [10_001, 250]), Reason::AmountExceeds), // More than she has.
    ] {
        assert_eq!(harness.post_by(posting), Err(reason));
        assert_eq!(harness.available("ana"), had);
    }
}
