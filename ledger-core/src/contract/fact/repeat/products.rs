//! Fields of product accounts, entries and templates: legs are compared with the moves of the
//! record, by the names that the wire gives their accounts.

use super::recorded::FirstReport;
use super::stated::{LegAccount, Legs, template_fields, unit_field};
use super::text::{FieldText, debug, token, word};
use crate::accounting::{Account, Commodity};
use crate::id::SubaccountId;
use crate::ledger::product::{Fact as ProductFact, Holder};
use crate::ledger::{Archive, Event, Fact, Ledger, Record};
use crate::machine::entry;

impl<A: Archive> FirstReport<'_, A> {
    /// Fields of product accounts, entries and templates.
    pub(super) fn entry_fields(&self) -> Vec<FieldText> {
        let mut fields: Vec<FieldText> =
            self.record.events.iter().flat_map(|event| self.product_fields(event)).collect();
        let legs = entry_legs(self.ledger, self.record);
        if !legs.is_empty() {
            let mut credited = legs.iter().filter(|(_, cents)| **cents > 0);
            if let Some(((_, Some(holder)), amount)) = credited.next() {
                fields.push(debug("of", holder));
                fields.push(("amount_cents", Some(amount.to_string())));
            }
            fields.push(debug("legs", &legs));
        }
        fields
    }

    fn product_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::ProductAccountDeclared { declared, .. } => {
                let asset = match &declared.commodity {
                    Some(Commodity::Asset(asset)) => self.asset(*asset).0,
                    Some(Commodity::Unit(_)) | None => ("asset", None),
                };
                vec![
                    word("name", &declared.name),
                    word("class", declared.class.name()),
                    ("per_customer", Some(declared.per_customer.is_on().to_string())),
                    ("overdraft", Some(declared.overdraft.is_on().to_string())),
                    asset,
                    unit_field(declared),
                ]
            }
            Event::TemplateAdopted { template, .. } => template_fields(template),
            Event::Entry { event: entry::Event::Posted { note, template, .. }, .. } => {
                let mut fields = vec![("description", note.map(token))];
                if let Some((version, name)) =
                    template.and_then(|number| named_template(self.ledger, number))
                {
                    fields.extend([word("template", name), ("version", Some(version.to_string()))]);
                }
                fields
            }
            _ => Vec::new(),
        }
    }
}

/// The fields of a posting by a template in which it comes to other legs than the record has.
pub(super) fn differing_posting<A: Archive>(
    fact: &Fact,
    ledger: &Ledger<A>,
    record: &Record,
) -> Vec<&'static str> {
    let Fact::Product(ProductFact::TemplatePosted { posting, .. }) = fact.bare() else {
        return Vec::new();
    };
    let number = record.events.iter().find_map(|event| match event {
        Event::Entry { event: entry::Event::Posted { template, .. }, .. } => *template,
        _ => None,
    });
    let of_template = |number: &u32| {
        named_template(ledger, *number).is_some_and(|(_, name)| *name == *posting.template)
    };
    let Some(number) = number.filter(of_template) else { return Vec::new() };
    let recorded = entry_legs(ledger, record);
    let Some(posted) = ledger.state.posted_legs(number, posting) else { return vec!["amounts"] };
    let named = posted.into_iter().map(|(name, given, units)| {
        let of = given.map(|(_, holder)| holder.clone());
        ((name.into(), of), units)
    });
    let posted: Legs = named.collect();
    let amounts = |legs: &Legs| {
        let mut amounts: Vec<i128> = legs.values().copied().collect();
        amounts.sort_unstable();
        amounts
    };
    match (amounts(&posted) == amounts(&recorded), posted.keys().eq(recorded.keys())) {
        (true, _) if posted == recorded => Vec::new(),
        (true, _) => vec!["holders"],
        (false, true) => vec!["amounts"],
        (false, false) => vec!["amounts", "holders"],
    }
}

/// The legs that a record's entry comes to.
fn entry_legs<A: Archive>(ledger: &Ledger<A>, record: &Record) -> Legs {
    let mut legs = Legs::new();
    for event in &record.events {
        let Event::Entry { event, .. } = event else { continue };
        let (entry::Event::Posted { moved, .. } | entry::Event::Reversed { moved, .. }) = event;
        let units = i128::from(moved.amount.cents());
        *legs.entry(account_leg(ledger, moved.credit)).or_default() += units;
        *legs.entry(account_leg(ledger, moved.debit)).or_default() -= units;
    }
    legs.retain(|_, cents| *cents != 0);
    legs
}

/// The account, as a leg names it.
pub(super) fn account_leg<A: Archive>(ledger: &Ledger<A>, account: Account) -> LegAccount {
    let state = &ledger.state;
    let declared = account.product();
    let name = declared.and_then(|own| state.product_account(own.number));
    let name = name.map_or(account.control().name(), |known| &known.name);
    let of = declared.map_or(account.subaccount(), |own| own.holder);
    (name.into(), of.and_then(|of| holder(ledger, of)))
}

fn holder<A: Archive>(ledger: &Ledger<A>, of: SubaccountId) -> Option<Holder> {
    let account = ledger.state.account(ledger.state.subaccount(of)?.account)?;
    let customer = ledger.archive.customer(of).map(Into::into);
    Some(Holder { account: account.name.clone(), customer })
}

/// The version and name of a template by its number in the ledger.
fn named_template<A: Archive>(ledger: &Ledger<A>, number: u32) -> Option<(u32, &str)> {
    let (version, template) = ledger.state.templates().nth(number as usize)?;
    Some((version, &template.name))
}
