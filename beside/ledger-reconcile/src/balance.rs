//! The balances that an account statement of ISO 20022 states.

use crate::amount;
use crate::line::{BalanceEnd, StatedBalance};

/// A `Bal` of a statement while it is read.
#[derive(Clone, Default)]
pub struct BalanceElement {
    pub number: u64,
    code: Option<String>,
    amount: Option<String>,
    direction: Option<String>,
}

impl BalanceElement {
    /// An element that begins at this line.
    pub fn at_line(number: u64) -> Self {
        Self { number, ..Self::default() }
    }

    /// Takes the text of an element that stands within it.
    pub fn take(&mut self, parent: &str, name: &str, text: &str) {
        let into = match (parent, name) {
            ("CdOrPrtry", "Cd") => &mut self.code,
            ("Bal", "Amt") => &mut self.amount,
            ("Bal", "CdtDbtInd") => &mut self.direction,
            _ => return,
        };
        *into = Some(text.to_owned());
    }

    /// The balance, where it is one of a statement's ends: opening or closing, as booked. The
    /// closing balance of the day before opens a statement as well.
    ///
    /// # Errors
    ///
    /// The fault, in words.
    pub fn to_statement_balance(&self) -> Result<Option<StatedBalance>, String> {
        let end = match self.code.as_deref() {
            Some("OPBD" | "PRCD") => BalanceEnd::Opening,
            Some("CLBD") => BalanceEnd::Closing,
            _ => return Ok(None),
        };
        let text = self.amount.as_deref().unwrap_or_default();
        let cents = amount::Format::Point.cents(text);
        let cents = cents.ok_or_else(|| format!("\"{text}\" is no balance in BRL"))?;
        let sign = if self.direction.as_deref() == Some("DBIT") { -1 } else { 1 };
        Ok(Some(StatedBalance { number: self.number, end, cents: cents * sign }))
    }
}
