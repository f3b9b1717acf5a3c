//! What is logged of an operator who sends webhooks again or switches an endpoint on.

use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// One act of an operator about an account's endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointAct {
    /// When it was asked for, by the service's clock.
    pub at: Instant,
    /// The operator's name.
    pub operator: String,
    /// What was asked for: `resend`, `resend_many`, `recover` or `switch_on`.
    pub act: &'static str,
    /// The name of the account.
    pub account: String,
    /// What came of it: `delivered-200`, `queued-3`, `on`.
    pub outcome: String,
}

impl EndpointAct {
    /// The line, with its end.
    ///
    /// ```
    /// use ledger_core::time::Instant;
    /// use ledger_http::{EndpointAct, LineFormat};
    ///
    /// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let (account, outcome) = ("loja".to_owned(), "queued-3".to_owned());
    /// let act = EndpointAct { at, operator: "bia".to_owned(), act: "recover", account, outcome };
    /// let line = "2026-11-20T12:00:00Z endpoint bia recover \"loja\" queued-3\n";
    /// assert_eq!(act.line(LineFormat::Text), line);
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, operator, act, account, outcome } = self;
        match format {
            // An account is named by whoever opens it: in quotes nothing ends the line.
            LineFormat::Text => format!("{at} endpoint {operator} {act} {account:?} {outcome}\n"),
            LineFormat::Json => {
                let line = json!({ "at": at.to_string(), "endpoint": act, "operator": operator,
                    "account": account, "outcome": outcome });
                format!("{line}\n")
            }
        }
    }
}
