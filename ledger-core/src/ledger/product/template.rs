//! Entries posted by templates: products as data (P:Templates).

use super::index::{Adopted, is_open_to_products};
use super::posting::{PostedLeg, TemplatePosting};
use crate::accounting::Account;
use crate::id::{Kind, OpId, SubaccountId, Token};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::entry;
use crate::template::{Template, TemplateLeg};

impl FactContext<'_> {
    /// A template is adopted as the next version of its name; adopted again as it stands, it is
    /// known. Each leg names an account that exists, and debits equal credits in each commodity.
    pub(super) fn template_adopted(&self, template: Box<Template>) -> Decision {
        let products = &self.state.domains.products;
        let latest = products.template(&template.name, None);
        if latest.is_some_and(|(_, latest)| latest.template == *template) {
            return already_known();
        }
        let anybody = |leg: Option<&str>| leg.map(|_| SubaccountId(0));
        let stands = |leg: &TemplateLeg| {
            is_open_to_products(&leg.account)
                && self.account_of_leg(&leg.account, anybody(leg.holder.as_deref())).is_some()
        };
        if !template.legs.iter().all(stands) {
            return self.aside(Reason::Unmatched);
        }
        if self.state.unproven_unit(&template).is_some() {
            return self.aside(Reason::UnitDiffers);
        }
        let (number, version) = products.next_template(&template.name);
        accept(vec![Event::TemplateAdopted { number, version, template }])
    }

    /// An entry whose amounts follow from a template.
    pub(super) fn template_posted(
        &self,
        posting: &TemplatePosting,
        note: Option<Token>,
    ) -> Result<Decision, Reason> {
        let products = &self.state.domains.products;
        let adopted = products.template(&posting.template, posting.version);
        let (number, adopted) = adopted.ok_or(Reason::Unmatched)?;
        let mut events = Vec::new();
        let legs = self.template_legs(adopted, posting, &mut events)?;
        self.may_stand(&legs, None)?;
        let op = OpId::new(Kind::Entry, self.state.seq.next());
        let template = Some(number);
        let event = |moved, last| entry::Event::Posted { moved, note, last, template };
        Ok(self.entry_decision(op, &legs, events, event))
    }

    /// The account of each leg above zero, with what it adds to its credit balance.
    fn template_legs(
        &self,
        adopted: &Adopted,
        posting: &TemplatePosting,
        events: &mut Vec<Event>,
    ) -> Result<Vec<(Account, i128)>, Reason> {
        let posted = posting.legs(adopted).ok_or(Reason::OutsideTemplate)?;
        let mut legs: Vec<(Account, i128)> = Vec::with_capacity(posted.len());
        for (name, given, units) in posted {
            let known = given.and_then(|(place, _)| *self.lookup.holders.get(place)?);
            let named = (name, given.map(|(_, holder)| holder));
            let account = self.resolved_account(named, known, None, events)?;
            if legs.iter().any(|(known, _)| *known == account) {
                return Err(Reason::OutsideTemplate);
            }
            legs.push((account, units));
        }
        Ok(legs)
    }
}

impl State {
    /// The templates that were adopted, in the order of their numbers, each with its version.
    pub fn templates(&self) -> impl Iterator<Item = (u32, &Template)> {
        self.domains.products.templates.iter().map(|known| (known.version, &known.template))
    }

    /// Returns the legs that a posting comes to by the template of this number; none where it does
    /// not fit.
    pub(crate) fn posted_legs<'a>(
        &'a self,
        number: u32,
        posting: &'a TemplatePosting,
    ) -> Option<Vec<PostedLeg<'a>>> {
        posting.legs(self.domains.products.templates.get(number as usize)?)
    }
}
