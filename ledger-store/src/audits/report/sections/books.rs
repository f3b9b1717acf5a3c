//! What the books hold: trial balance, coverage, sub-ledgers, roll-forward.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::accounting::Class;
use ledger_core::id::{AssetId, SubaccountId};

use super::Closing;
use crate::audits::report::TrialBalance;
use crate::audits::report::sheet::{Section, Value};
use crate::tables::export::{IN_PARTS, balances, is_in_flight};

/// The accounts of the chart that are owed to customers, in reais and in crypto.
const CUSTOMERS: [&str; 6] =
    ["cust.avail", "cust.held", "cust.frozen", "wal.avail", "wal.reserved", "wal.confirming"];

/// Those of what waits for a person.
const SUSPENSE: [&str; 2] = ["susp.pix", "susp.crypto"];

impl Closing<'_> {
    /// That debits equal credits in every commodity.
    pub(super) fn sums(&self) -> Section {
        let rows = self.trial.iter().map(|balance| {
            let amount = |units| Value::units(units, &balance.commodity, balance.scale);
            vec![
                Value::text(&*balance.commodity),
                amount(balance.debits()),
                amount(balance.credits()),
                Value::Flag(balance.is_even()),
            ]
        });
        Section::table("sums", &["commodity", "debits", "credits", "equal"], rows.collect())
    }

    pub(super) fn trial_balance(&self) -> Section {
        let rows = self.trial.iter().flat_map(|balance| {
            balance.accounts.iter().map(|account| {
                let amount = |units| match units {
                    0 => Value::Nothing,
                    units => Value::units(units, &balance.commodity, balance.scale),
                };
                vec![
                    Value::text(&*balance.commodity),
                    Value::code(&*account.name),
                    Value::word(account.class),
                    amount(-account.net_credit.min(0)),
                    amount(account.net_credit.max(0)),
                ]
            })
        });
        let columns = &["commodity", "account", "class", "debit", "credit"];
        Section::table("trial_balance", columns, rows.collect())
    }

    /// Returns what is held against what is owed, balances below zero gross (rulings 24).
    pub(super) fn coverage(&self) -> Section {
        let below: i128 = self.below_zero().map(|(_, cents)| -i128::from(cents)).sum();
        let rows = self.trial.iter().map(|balance| {
            let owed = |is: &dyn Fn(&str) -> bool| sum(balance, Class::Liability, is);
            let receivable = if balance.commodity == "BRL" { below } else { 0 };
            let held = -sum(balance, Class::Asset, &|_| true);
            let customers = owed(&|name| CUSTOMERS.contains(&name)) + receivable;
            let suspense = owed(&|name| SUSPENSE.contains(&name));
            let flight = owed(&|name| is_in_flight(name));
            let others = owed(&|_| true) + receivable - customers - suspense - flight;
            let surplus = held + receivable - customers - suspense - flight - others;
            let amount = |units| Value::units(units, &balance.commodity, balance.scale);
            vec![
                Value::text(&*balance.commodity),
                amount(held),
                amount(receivable),
                amount(customers),
                amount(flight),
                amount(suspense),
                amount(others),
                amount(surplus),
                Value::Flag(0 <= surplus),
            ]
        });
        let columns = &[
            "commodity",
            "held",
            "receivable",
            "owed_to_customers",
            "in_flight",
            "in_suspense",
            "owed_to_others",
            "surplus",
            "covered",
        ];
        Section::table("coverage", columns, rows.collect())
    }

    /// Returns what was held and owed in the course of time, balances below zero taken off.
    pub(super) fn over_time(&self) -> Section {
        let samples = self.report.samples.closing_samples(self.ledger());
        // What is nothing now and was something once, or will be, is nothing now.
        let assets: BTreeSet<Option<AssetId>> =
            samples.iter().flat_map(|sample| sample.sums.keys().copied()).collect();
        let rows = samples.iter().flat_map(|sample| {
            assets.iter().map(|asset| {
                let sums = sample.sums.get(asset).copied().unwrap_or_default();
                let (commodity, scale) = self.commodity(*asset);
                let amount = |units| Value::units(units, &commodity, scale);
                let customers = match asset {
                    None => Value::reais(sample.customers),
                    Some(_) => Value::Nothing,
                };
                vec![
                    Value::At(sample.at),
                    Value::text(&*commodity),
                    amount(sums.held),
                    amount(sums.owed),
                    customers,
                ]
            })
        });
        let columns = &["at", "commodity", "held", "owed", "customers"];
        Section::table("over_time", columns, rows.collect())
    }

    /// That what is kept in parts comes to what its control account says.
    pub(super) fn control(&self) -> Section {
        let mut parts: BTreeMap<&str, i128> = BTreeMap::new();
        for leg in balances(self.sequencer).iter().filter(|leg| leg.commodity == "BRL") {
            *parts.entry(leg.place.chart).or_default() -= leg.amount;
        }
        let rows = IN_PARTS.into_iter().map(|control| {
            let sub = parts.get(control.name()).copied().unwrap_or_default();
            let whole = self.ledger().books.net_credit(control);
            let equal = Value::Flag(sub == whole);
            vec![Value::code(control.name()), Value::reais(sub), Value::reais(whole), equal]
        });
        let columns = &["account", "sub_ledgers", "control", "equal"];
        Section::table("control", columns, rows.collect())
    }

    /// Opening, movements and closing of every subaccount; a ledger opens with nothing.
    pub(super) fn roll_forward(&self) -> Section {
        let state = self.ledger();
        let subaccounts = state.accounts().flat_map(|(id, _)| state.subaccounts_of(id, None));
        let rows = subaccounts.map(|(subaccount, buckets)| {
            let moved = self.report.movements.of_subaccount(subaccount);
            let closing = i128::from(buckets.total().cents());
            let [account, customer] = self.whose(subaccount);
            vec![
                account,
                customer,
                Value::Count(buckets.rows.into()),
                Value::reais(0),
                Value::reais(moved.credited),
                Value::reais(moved.debited),
                Value::reais(closing),
                Value::Flag(moved.credited + moved.debited == closing),
            ]
        });
        let columns = &["account", "customer", "rows", "opening", "in", "out", "closing", "agrees"];
        Section::table("roll_forward", columns, rows.collect())
    }

    /// Returns what customers owe whose balance a forced debit took below zero.
    pub(super) fn receivables(&self) -> Section {
        let rows = self.below_zero().map(|(subaccount, cents)| {
            let [account, customer] = self.whose(subaccount);
            vec![account, customer, Value::reais(-cents)]
        });
        Section::table("receivables", &["account", "customer", "owed"], rows.collect())
    }

    /// Each subaccount whose available part is below zero, and by how many centavos, below zero.
    fn below_zero(&self) -> impl Iterator<Item = (SubaccountId, i64)> {
        let subaccounts = self.ledger().books.subaccounts();
        subaccounts
            .map(|(id, buckets)| (id, buckets.available.cents()))
            .filter(|(_, cents)| *cents < 0)
    }
}

/// The sum of the accounts of a class whose chart name is so, in smallest units, credits positive.
fn sum(balance: &TrialBalance, class: Class, is: &dyn Fn(&str) -> bool) -> i128 {
    let accounts = balance.accounts.iter().filter(|account| account.class == class);
    // The network stands behind the name of the chart.
    let chart = |name: &str| name.split(' ').next().is_some_and(is);
    accounts.filter(|account| chart(&account.name)).map(|account| account.net_credit).sum()
}
