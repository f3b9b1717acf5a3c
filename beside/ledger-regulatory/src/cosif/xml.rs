//! The trial balance as document 4010, and as JSON with what it stands on.

use std::fmt::Write as _;

use ledger_store::export::{centavos, decimal};
use serde_json::{Value, json};

use super::mapping::Side;
use super::month::CosifBalance;

impl CosifBalance {
    /// Returns document 4010 as XML: a first delivery, or one that replaces it. The layout has no
    /// sign; each balance is on the side of its account.
    ///
    /// Codes, months and the CNPJ are letters, digits and hyphens, which need no escape.
    #[must_use]
    pub fn xml(&self, replaces: bool) -> String {
        let delivery = if replaces { "S" } else { "I" };
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<documento codigoDocumento=\"4010\" \
             cnpj=\"{}\" dataBase=\"{}\" tipoRemessa=\"{delivery}\">\n  <contas>\n",
            self.cnpj, self.month
        );
        for account in &self.accounts {
            let balance = decimal(account.centavos, centavos());
            let code = &account.code;
            let _ = writeln!(text, "    <conta codigoConta=\"{code}\" saldo=\"{balance}\"/>");
        }
        text.push_str("  </contas>\n</documento>\n");
        text
    }

    /// Returns the trial balance as JSON, with the record and the prices that it stands on.
    #[must_use]
    pub fn json(&self) -> Value {
        let accounts = self.accounts.iter().map(|account| {
            json!({
                "code": account.code,
                "side": match account.side { Side::Debit => "debit", Side::Credit => "credit" },
                "balance": decimal(account.centavos, centavos()),
                "sum": account.is_sum,
            })
        });
        let prices = self.prices.iter().map(|(asset, price)| {
            json!({
                "asset": asset,
                "reais": price.text,
                "source": price.source,
                "at": price.at.map(|at| at.to_string()),
            })
        });
        json!({
            "report": "custody-ledger cosif 1",
            "ledger": self.ledger,
            "month": self.month,
            "over": self.over,
            "record": self.head.seq,
            "link": self.head.link.to_string(),
            "accounts": accounts.collect::<Vec<_>>(),
            "debits": decimal(self.total, centavos()),
            "credits": decimal(self.total, centavos()),
            "prices": prices.collect::<Vec<_>>(),
        })
    }
}
