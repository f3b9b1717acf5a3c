//! Days as JSON, and as a file of CSV.

use serde_json::{Value, json};

use super::{DayBook, DayLine, Days};
use crate::tables::export::decimal;

/// The columns of the file.
const COLUMNS: &str =
    "period,over,commodity,class,account,network,opening,debits,credits,closing,earned\r\n";

impl Days {
    /// All of it as a file of CSV (RFC 4180), a line an account and period; amounts are decimal
    /// numbers, debits positive, and `earned` is empty where an account is no result.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = COLUMNS.to_owned();
        for DayBook { name, over, lines, .. } in &self.periods {
            for line in lines {
                let amount = |amount: i128| decimal(amount, line.scale);
                let fields = [
                    name.clone(),
                    over.to_string(),
                    line.commodity.clone(),
                    line.class.name().to_owned(),
                    line.account.to_owned(),
                    line.network.clone(),
                    amount(line.opening),
                    amount(line.debits),
                    amount(line.credits),
                    amount(line.closing()),
                    line.earnings().map(amount).unwrap_or_default(),
                ];
                text.push_str(&fields.join(","));
                text.push_str("\r\n");
            }
        }
        text
    }

    /// All of it as JSON; amounts are decimal strings, debits positive, and what was earned by kind
    /// stands beside the accounts, expenses below zero.
    #[must_use]
    pub fn json(&self) -> Value {
        let account = |line: &DayLine| {
            let amount = |amount: i128| decimal(amount, line.scale);
            json!({
                "commodity": line.commodity,
                "class": line.class.name(),
                "account": line.account,
                "network": line.network,
                "opening": amount(line.opening),
                "debits": amount(line.debits),
                "credits": amount(line.credits),
                "closing": amount(line.closing()),
            })
        };
        let income = |line: &DayLine| {
            let earned = decimal(line.earnings().filter(|earned| *earned != 0)?, line.scale);
            Some(json!({
                "account": line.account, "commodity": line.commodity, "earned": earned,
            }))
        };
        let period = |book: &DayBook| {
            json!({
                "name": book.name,
                "begins": book.begins.to_string(),
                "ends": book.ends.to_string(),
                "over": book.over,
                "records": book.records,
                "accounts": book.lines.iter().map(account).collect::<Vec<_>>(),
                "income": book.lines.iter().filter_map(income).collect::<Vec<_>>(),
            })
        };
        self.periods.iter().map(period).collect()
    }
}
