//! What was earned: fees by type and by schedule, commission, reserve, trading, rounding.

use ledger_core::accounting::Control;
use ledger_core::money::Bps;
use ledger_core::terms::{Rate, Tariff};

use super::Closing;
use crate::audits::report::flows::Pair;
use crate::audits::report::sheet::{Section, Value};

impl Closing<'_> {
    /// Income and expense by type, each with what was reversed.
    pub(super) fn fees(&self) -> Section {
        let rows = self.report.flows.results.iter().map(|(control, (credited, debited))| {
            vec![
                Value::code(control.name()),
                Value::word(control.class()),
                Value::reais(*credited),
                Value::reais(*debited),
                Value::reais(credited - debited),
            ]
        });
        let columns = &["account", "class", "credited", "debited", "net"];
        Section::table("fees", columns, rows.collect())
    }

    /// The fees in force, by account.
    pub(super) fn fee_schedules(&self) -> Section {
        let state = self.ledger();
        let rows = state.accounts().map(|(account, known)| {
            let terms = state.terms(account, state.now);
            let rate =
                |rate: Rate| Value::Fee { bps: rate.bps.get(), fixed: Some(rate.fixed.cents()) };
            let bps = |bps: Bps| Value::Fee { bps: bps.get(), fixed: None };
            let tariff = match terms.payout_tariff {
                Tariff::Fixed(cents) => Value::reais(cents.cents()),
                Tariff::Unknown => Value::Nothing,
            };
            vec![
                Value::text(&*known.name),
                rate(terms.deposit),
                bps(terms.payout_house),
                bps(terms.payout_partner),
                tariff,
                rate(terms.purchase),
                bps(terms.purchase_partner),
                rate(terms.conversion),
                terms.sale.map_or(Value::Nothing, rate),
            ]
        });
        let columns = &[
            "account",
            "deposit",
            "payout",
            "payout_partner",
            "payout_tariff",
            "purchase",
            "purchase_partner",
            "conversion",
            "sale",
        ];
        Section::table("fee_schedules", columns, rows.collect())
    }

    /// Returns what partners earned, what was reversed or withdrawn of it, and what is payable.
    pub(super) fn commission(&self) -> Section {
        let state = self.ledger();
        let rows = state.books.commissions().map(|(partner, known)| {
            let flow = self.report.flows.commission.get(&partner).copied().unwrap_or_default();
            let payable = i128::from(known.balance.cents());
            let name = state.account(partner).map_or("", |known| &*known.name);
            vec![
                Value::text(name),
                Value::reais(flow.accrued),
                Value::reais(-flow.reversed),
                Value::reais(-flow.withdrawn),
                Value::reais(payable),
                Value::Flag(flow.accrued - flow.reversed - flow.withdrawn == payable),
            ]
        });
        let columns = &["account", "accrued", "reversed", "withdrawn", "payable", "agrees"];
        Section::table("commission", columns, rows.collect())
    }

    /// The operational reserve from opening to closing, and what rounding left.
    pub(super) fn reserve(&self) -> Section {
        let flow = |control| self.report.flows.results.get(&control).copied().unwrap_or_default();
        let rows = [Control::ReserveIncome, Control::Rounding].into_iter().map(|control| {
            let (credited, debited) = flow(control);
            let closing = self.ledger().books.net_credit(control);
            vec![
                Value::code(control.name()),
                Value::reais(0),
                Value::reais(credited),
                Value::reais(-debited),
                Value::reais(closing),
                Value::Flag(credited - debited == closing),
            ]
        });
        let columns = &["account", "opening", "in", "out", "closing", "agrees"];
        Section::table("reserve", columns, rows.collect())
    }

    /// Returns what was exchanged for what, as the `fx` accounts were credited; debits below zero.
    pub(super) fn trading(&self) -> Section {
        let rows = self.report.flows.exchanged.iter().map(|(pair, (first, second))| {
            let (base, quote) = match *pair {
                Pair::Of(base, quote) => (Some(base), Some(quote)),
                Pair::Alone(one) => (one, None),
            };
            let (name, scale) = self.commodity(base);
            let first = Value::units(*first, &name, scale);
            let (against, second) = match quote {
                Some(quote) => {
                    let (name, scale) = self.commodity(quote);
                    (Value::text(&*name), Value::units(*second, &name, scale))
                }
                None => (Value::Nothing, Value::Nothing),
            };
            vec![Value::text(name), against, first, second]
        });
        let columns = &["commodity", "against", "position", "position_against"];
        Section::table("trading", columns, rows.collect())
    }
}
