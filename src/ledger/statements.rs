//! Statements of a span of time.

use std::future::Future;
use std::pin::Pin;

use ledger_core::time::Instant;

use super::pending::Begin;
use super::{Client, Pending};
use crate::answer::Done;
use crate::error::Error;
use crate::request::balance::GetStatement;
use crate::value::{PageSize, Party, Text};
use crate::view::{Movement, Statement};

impl Client {
    /// Reads the rows of a statement that were recorded at `from` or later and before `to`, newest
    /// first, with as many requests as they have pages. It reads the newer ones too, a page at a
    /// time: for a year of old books the tables of a projection are quicker.
    ///
    /// ```
    /// # use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::value::Instant;
    ///
    /// # let ledger = Ledger::open("memory:").wait()?;
    /// # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    /// let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    /// let day = |text: &str| Instant::parse(text).expect("an instant");
    /// let (from, to) = (day("2026-11-20T03:00:00Z"), day("2026-11-21T03:00:00Z"));
    /// let rows = loja.statement_between(&Party::House, from, to).wait()?;
    /// assert!(rows.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn statement_between(
        &self,
        party: &Party,
        from: Instant,
        to: Instant,
    ) -> Pending<Result<Vec<Movement>, Error>> {
        let (client, party) = (self.clone(), party.clone());
        Pending::new(Pages { client, party, span: (from, to), before: None, rows: Vec::new() })
    }
}

/// The pages of a statement, newest first, as far as they were read.
struct Pages {
    client: Client,
    party: Party,
    span: (Instant, Instant),
    before: Option<String>,
    rows: Vec<Movement>,
}

impl Pages {
    fn next_page(&self) -> Result<Pending<Result<Done<Statement>, Error>>, Error> {
        let mut request = GetStatement::new(self.party.clone()).limit(PageSize::LARGEST);
        if let Some(before) = &self.before {
            let cursor: Text<255> = serde_json::from_value(before.as_str().into())?;
            request = request.before(cursor);
        }
        Ok(self.client.ask(&request))
    }

    /// Takes what a page has of the span; tells whether older pages may have more of it.
    fn take(&mut self, page: Done<Statement>) -> bool {
        let Statement::Entries(page) = page.answer else { return false };
        let (from, to) = self.span;
        let reaches = page.items.last().is_some_and(|oldest| oldest.created_at >= from);
        let within = |row: &Movement| from <= row.created_at && row.created_at < to;
        self.rows.extend(page.items.into_iter().filter(within));
        self.before = page.next;
        page.has_more && reaches && self.before.is_some()
    }
}

impl Begin<Result<Vec<Movement>, Error>> for Pages {
    fn wait(mut self: Box<Self>) -> Result<Vec<Movement>, Error> {
        loop {
            let page = self.next_page()?.wait()?;
            if !self.take(page) {
                return Ok(self.rows);
            }
        }
    }

    fn await_it(
        mut self: Box<Self>,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Movement>, Error>> + Send>> {
        Box::pin(async move {
            loop {
                let page = self.next_page()?.await?;
                if !self.take(page) {
                    return Ok(self.rows);
                }
            }
        })
    }
}
