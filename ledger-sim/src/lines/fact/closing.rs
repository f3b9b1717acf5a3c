//! Facts of statements and of the close of days as lines.

use ledger_core::accounting::{DayAccount, ReceivedStatement};
use ledger_core::coin::{Scale, Units};
use ledger_core::hexadecimal;
use ledger_core::ledger::closing::{DayReport, Fact};
use serde_json::{Value, json};

use crate::lines::{LineWriter, Unrepresentable, Written};

impl LineWriter<'_> {
    pub(super) fn closing_fact(&mut self, fact: &Fact) -> Written<Value> {
        Ok(match fact {
            Fact::StatementReceived { statement, decided_by } => {
                self.with_decision(statement_fields(statement), decided_by)
            }
            Fact::DayClosed { day, decided_by } => {
                let fields = self.day_fields(day)?;
                self.with_decision(fields, decided_by)
            }
            Fact::DayReopened { day, decided_by } => {
                let fields = json!({ "day": day.day_in_brasilia().to_string() });
                self.with_decision(fields, decided_by)
            }
        })
    }

    fn day_fields(&self, report: &DayReport) -> Written<Value> {
        let accounts = report.accounts.iter().map(|account| self.day_account(account));
        let statements = report.statements.iter();
        let statements = statements.map(|hash| json!({ "sha256": hexadecimal::digits(&hash.0) }));
        let open = report.open.iter();
        let open = open.map(|it| json!({ "reason": it.reason, "count": it.count.to_string() }));
        Ok(json!({
            "day": report.day.day_in_brasilia().to_string(),
            "accounts": accounts.collect::<Written<Vec<_>>>()?,
            "statements": statements.collect::<Vec<_>>(),
            "matching_sha256": report.matching.map(|hash| hexadecimal::digits(&hash.0)),
            "open": open.collect::<Vec<_>>(),
        }))
    }

    fn day_account(&self, account: &DayAccount) -> Written<Value> {
        let catalogue = &self.state.catalogue;
        let unknown = Unrepresentable("coins that were never on a catalogue");
        let (asset, scale) = match account.asset {
            None => (None, Scale::new(2)),
            Some(asset) => {
                let (name, scale) = catalogue.asset_of(asset).ok_or(unknown)?;
                (Some(name), Some(scale))
            }
        };
        let scale = scale.ok_or(unknown)?;
        let chain = match account.chain {
            None => None,
            Some(chain) => Some(catalogue.chain_of(chain).ok_or(unknown)?),
        };
        let text = |units: Option<Units>| units.map(|units| units.text(scale));
        Ok(json!({
            "name": account.account,
            "asset": asset,
            "chain": chain,
            "opening_debit": text(account.opening_debit),
            "opening_credit": text(account.opening_credit),
            "debits": text(account.debits),
            "credits": text(account.credits),
        }))
    }
}

fn statement_fields(statement: &ReceivedStatement) -> Value {
    let text = |units: Option<Units>| Some(units?.text(Scale::new(18)?));
    let totals = statement.totals.iter().map(|total| {
        json!({
            "name": total.account,
            "opening": text(total.opening),
            "closing": text(total.closing),
            "incoming": text(total.incoming),
            "outgoing": text(total.outgoing),
            "movements": Some(total.movements.to_string()).filter(|count| count != "0"),
        })
    });
    json!({
        "sha256": hexadecimal::digits(&statement.sha256.0),
        "source": statement.source.name(),
        "origin": Some(&statement.origin).filter(|origin| !origin.is_empty()),
        "begins": statement.begins.to_string(),
        "ends": statement.ends.to_string(),
        "made_at": statement.made_at.map(|at| at.to_string()),
        "totals": totals.collect::<Vec<_>>(),
    })
}
