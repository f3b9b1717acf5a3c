//! `GET /sandbox/events`: what the sandbox sent an account, latest first (SBX-11, EVT-15).

use serde_json::{Value, json};

use crate::contract::error::{Code, Problem};
use crate::contract::input::cursor;
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::id::{AccountId, Seq};
use crate::ledger::{Archive, Notification, read_back};

/// What cursors of this listing are issued for.
const EVENTS: u8 = 4;

/// How many records one page looks at, at most: a page may be short, and `has_more` says so.
const LOOKED_AT: u64 = 10_000;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// A page of events, each as it was sent: `data` shows its operation as it stood then.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for a cursor not issued for this account.
    pub(super) fn sandbox_events(
        &self,
        account: AccountId,
        limit: usize,
        before: Option<&str>,
    ) -> Result<Value, Problem> {
        let ledger = &*self.state.name;
        let end = (self.state.seq.0 + 1) * Notification::A_RECORD;
        let before = match before {
            None => end,
            Some(text) => cursor::read(ledger, EVENTS, account, 0, text).ok_or_else(|| {
                let detail = "before must be the proxima_pagina of this account";
                Problem::new(Code::RequestInvalid, detail)
            })?,
        };
        let last = before.div_ceil(Notification::A_RECORD).min(self.state.seq.0 + 1);
        let first = last.saturating_sub(LOOKED_AT).max(1);
        let mut next = if first == 1 { 0 } else { first * Notification::A_RECORD };
        let mut items = Vec::new();
        'page: for seq in (first..last).rev() {
            for notification in self.read_back(account, Seq(seq)).into_iter().rev() {
                let place = notification.sequence();
                if items.len() == limit && place < before {
                    next = place + 1;
                    break 'page;
                }
                if place < before {
                    items.push(Value::from(self.event(&notification)));
                }
            }
        }
        let more = next > 0;
        let page = more.then(|| cursor::issue(ledger, EVENTS, account, 0, next));
        Ok(json!({ "items": items, "has_more": more, "proxima_pagina": page }))
    }

    fn read_back(&self, account: AccountId, seq: Seq) -> Vec<Notification> {
        let record = self.archive.record(seq);
        let reported = record.map(|record| read_back(self.archive, &record)).unwrap_or_default();
        let own = |notification: &Notification| notification.operation.account() == Some(account);
        reported.into_iter().filter(own).collect()
    }
}
