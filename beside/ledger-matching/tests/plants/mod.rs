//! Planted differences: what is changed in a month, and what the matching must call it.

pub mod bank;
pub mod chain;
pub mod exchange;
pub mod reports;

use std::collections::HashSet;

use crate::world::statements::Files;
use crate::world::{BankLine, Report, Transfer, World};

/// A month while something is planted in it.
pub struct Case {
    pub files: Files,
    pub reports: Vec<Report>,
    /// Ids of the other ledger.
    pub other: HashSet<Box<str>>,
    /// Lines behind the provider's.
    pub broken_line: Option<String>,
}

/// A difference, planted in a month that agreed.
pub struct Plant {
    pub name: &'static str,
    pub change: fn(&mut Case),
    /// The findings that it makes, in any order: outcome and reasons.
    pub findings: &'static [(&'static str, &'static str)],
    /// Accounts whose balances disagree, and why.
    pub balances: &'static [(&'static str, &'static str)],
}

impl Case {
    pub fn new(world: &World) -> Self {
        Self {
            files: Files::from_world(world),
            reports: world.reports.clone(),
            other: HashSet::new(),
            broken_line: None,
        }
    }

    /// A line of the provider of this kind, the same one each time; `out` where it leaves.
    pub fn line(&mut self, kind: &str, out: bool) -> &mut BankLine {
        let place = self.line_place(kind, out);
        &mut self.files.bank[place]
    }

    pub fn line_place(&self, kind: &str, out: bool) -> usize {
        let mut places = self
            .files
            .bank
            .iter()
            .enumerate()
            .filter(|(_, line)| line.kind == kind && (line.cents < 0) == out);
        places.nth(3).expect("a month has some").0
    }

    /// A transfer on Polygon that arrives from a seller.
    pub fn deposit(&mut self) -> &mut Transfer {
        let is_sale = |it: &&mut Transfer| {
            it.network == "polygon"
                && it.fee.is_none()
                && it.amount < 1_000_000_000
                && it.to == crate::world::HOT
        };
        self.files.transfers.iter_mut().filter(is_sale).nth(2).expect("a month has some")
    }

    /// A transfer on Polygon that delivers a conversion.
    pub fn delivery(&mut self) -> &mut Transfer {
        let is_delivery = |it: &&mut Transfer| it.network == "polygon" && it.fee.is_some();
        self.files.transfers.iter_mut().filter(is_delivery).nth(4).expect("a month has some")
    }

    /// The sum that an account outside really had at the end.
    pub fn chain_closes(&mut self, asset: &str, more: i64) {
        let end = self.files.chain_ends.iter_mut().find(|end| end.0 == "polygon" && end.1 == asset);
        end.expect("it is there").3 += more;
    }

    pub fn exchange_closes(&mut self, asset: &str, more: i64) {
        let end = self.files.exchange_ends.iter_mut().find(|end| end.0 == asset);
        end.expect("it is there").2 += more;
    }
}
