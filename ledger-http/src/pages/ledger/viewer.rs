//! Who looks at a page, in which language, and where other pages are for them.

use ledger_core::id::AccountId;
use ledger_store::export::Leg;
use ledger_store::sequencer::Sequencer;

pub(in crate::pages) use crate::edge::path::{form_encode, segment};
use crate::pages::lang::Lang;
use crate::pages::layout::Cell;

/// Who looks at a page.
#[derive(Clone)]
pub(in crate::pages) struct Viewer {
    pub(in crate::pages) lang: Lang,
    /// What the paths of their pages begin with.
    pub(in crate::pages) base: String,
    /// Whose private monitor it is; none for the operator, who sees everything.
    pub(in crate::pages) only: Option<AccountId>,
}

impl Viewer {
    /// A text of the page, in Portuguese and in English.
    pub(in crate::pages) fn t(&self, pt: &'static str, en: &'static str) -> String {
        self.lang.t(pt, en).to_owned()
    }

    pub(in crate::pages) fn operation(&self, id: &str) -> String {
        format!("{}/operations/{id}", self.base)
    }

    pub(in crate::pages) fn record(&self, seq: u64) -> String {
        format!("{}/records/{seq}", self.base)
    }

    /// An operation's id, leading to its page.
    pub(in crate::pages) fn operation_cell(&self, id: &str) -> Cell {
        Cell::code(id).to(self.operation(id))
    }

    /// A record's number, leading to its page.
    pub(in crate::pages) fn record_cell(&self, seq: u64) -> Cell {
        Cell::number(seq.to_string()).to(self.record(seq))
    }

    /// The page of an account's subaccount; the house where there is no customer.
    pub(in crate::pages) fn account(&self, account: &str, customer: Option<&str>) -> String {
        match self.only {
            None => with(&format!("{}/accounts/{}", self.base, segment(account)), customer),
            Some(_) => with(&format!("{}/", self.base), customer),
        }
    }

    /// The statement of a subaccount.
    pub(in crate::pages) fn statement(&self, account: &str, customer: Option<&str>) -> String {
        let path = match self.only {
            None => format!("{}/accounts/{}/statement", self.base, segment(account)),
            Some(_) => format!("{}/statement", self.base),
        };
        with(&path, customer)
    }

    /// Tells whether a leg is shown: of an account's monitor, only those on accounts kept for it.
    pub(super) fn sees(&self, sequencer: &Sequencer, leg: &Leg) -> bool {
        let Some(only) = self.only else { return true };
        let known = sequencer.ledger().state.account(only);
        let kept_for = leg.place.kept_for.first().map(String::as_str);
        let own = ["cust.", "wal.", "comm"].iter().any(|kind| leg.place.chart.starts_with(kind));
        own && known.is_some_and(|known| kept_for == Some(&*known.name))
    }
}

/// A path with `customer` in its query, if there is one.
fn with(path: &str, customer: Option<&str>) -> String {
    match customer {
        Some(customer) => format!("{path}?customer={}", form_encode(customer)),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_an_address_as_itself_alone() {
        let base = "/live".to_owned();
        let console = Viewer { lang: Lang::Pt, base, only: None };
        assert_eq!(
            console.account("a/b c", Some("x&y")),
            "/live/accounts/a%2Fb%20c?customer=x%26y"
        );
        let monitor = Viewer { only: Some(AccountId(3)), ..console };
        assert_eq!(monitor.statement("loja", None), "/live/statement");
    }
}
