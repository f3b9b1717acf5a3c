//! Templates of entries, as the oracle sees them: a list of texts, each computed anew.

use ledger_core::accounting::Side;
use ledger_core::ledger::Outcome;
use ledger_core::ledger::product::{Leg, TemplatePosting};
use ledger_core::money::Amount;
use ledger_core::template::{Template, TemplateLeg};
use ledger_core::time::Instant;

use super::arithmetic::{holds, value};
use super::opening::ACCOUNT;
use crate::goal::Goal;
use crate::oracle::Oracle;

impl Oracle {
    pub(super) fn adopt_template(&mut self, template: &Template) -> Outcome {
        let latest = self.products.templates.iter().rev().find(|known| known.name == template.name);
        if latest == Some(template) {
            return Outcome::Known;
        }
        if !template.legs.iter().all(|leg| self.is_account(leg)) {
            return Outcome::SetAside(None);
        }
        self.products.templates.push(template.clone());
        self.reach(Goal::TemplateAdopted);
        Outcome::Applied(None)
    }

    /// Customers' money and accounts that each customer has name a holder; all others name none.
    fn is_account(&self, leg: &TemplateLeg) -> bool {
        let each = match &*leg.account {
            "cust.avail" => true,
            ACCOUNT => return false,
            "equity.funding" | "prov.pix" | "prov.pay" | "recv.prov" | "tariff.due" | "fx" => false,
            name => match self.products.accounts.iter().find(|known| *known.name == *name) {
                Some(declared) => declared.per_customer.is_on(),
                None => return false,
            },
        };
        each == leg.holder.is_some()
    }

    pub(super) fn post_by_template(&mut self, posting: &TemplatePosting, at: Instant) -> Outcome {
        let Some(legs) = self.legs_of(posting) else {
            self.reach(Goal::TemplateDidNotFit);
            return Outcome::SetAside(None);
        };
        let outcome = self.post_entry(&legs, at);
        if matches!(outcome, Outcome::Applied(_)) {
            self.reach(Goal::TemplatePosted);
        }
        outcome
    }

    /// The legs above zero that a template comes to; none where the posting does not fit it.
    fn legs_of(&self, posting: &TemplatePosting) -> Option<Vec<Leg>> {
        let mut named =
            self.products.templates.iter().filter(|known| known.name == posting.template);
        let template = match posting.version {
            Some(version) => named.nth(usize::try_from(version.checked_sub(1)?).ok()?)?,
            None => named.next_back()?,
        };
        let values = |name: &str| {
            let given = posting.amounts.iter().find(|given| *given.name == *name)?;
            Some(i128::from(given.value))
        };
        let fits = |amount: &ledger_core::template::AmountParameter| {
            let value = values(&amount.name);
            value.is_some_and(|value| value >= amount.from.into() && value <= amount.to.into())
        };
        let all_fit = template.amounts.iter().all(fits);
        let hold = template.conditions.iter().all(|text| holds(text, &values) == Some(true));
        if !all_fit || !hold || posting.amounts.len() != template.amounts.len() {
            return None;
        }
        let sums = template.legs.iter().map(|leg| {
            if &*leg.amount == "rest" { Some(None) } else { value(&leg.amount, &values).map(Some) }
        });
        let sums: Vec<Option<i128>> = sums.collect::<Option<_>>()?;
        let signed = |side| if side == Side::Credit { 1 } else { -1 };
        let over: i128 = template
            .legs
            .iter()
            .zip(&sums)
            .map(|(leg, sum)| signed(leg.side) * sum.unwrap_or(0))
            .sum();
        let legs = template.legs.iter().zip(sums).map(|(leg, sum)| {
            let cents = sum.unwrap_or(-over * signed(leg.side));
            assert!(cents >= 0, "a leg of an adopted template falls to {cents}: {template:?}");
            let holder = leg.holder.as_ref().map(|name| {
                let given = posting.holders.iter().find(|given| given.name == *name);
                given.expect("the actor names every holder").holder.clone()
            });
            let amount = Amount::new(i64::try_from(cents).ok()?)?;
            Some(Leg { account: leg.account.clone(), holder, side: leg.side, amount })
        });
        let legs: Vec<Leg> = legs.flatten().collect();
        let twice = |(place, leg): (usize, &Leg)| {
            legs[..place]
                .iter()
                .any(|other| (&other.account, &other.holder) == (&leg.account, &leg.holder))
        };
        let differ = !legs.iter().enumerate().any(twice);
        Some(legs).filter(|legs| !legs.is_empty() && differ)
    }
}
