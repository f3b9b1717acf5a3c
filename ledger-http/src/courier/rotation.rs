//! Sees when secrets are replaced, although nothing is sent: the secret before it signs for 24
//! hours from then.

use std::collections::HashMap;

use ledger_core::id::AccountId;
use ledger_core::ledger::Credentials;
use ledger_core::time::{Instant, Span};

use super::directory::token_text;
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::{Ledgers, OpenLedger};

/// How often it is looked: a secret is known as replaced at most so much later.
const EVERY: Span = Span::seconds(5);

/// What each account had when it was looked last.
#[derive(Debug, Default)]
pub(super) struct Rotations {
    seen: HashMap<(String, AccountId), Credentials>,
    looked: HashMap<String, Instant>,
}

impl Rotations {
    /// Writes down what has changed.
    pub(super) async fn watch(
        &mut self,
        webhooks: &Webhooks,
        (ledgers, ledger): (&Ledgers, &OpenLedger),
        now: Instant,
    ) -> Result<(), CourierError> {
        let label = ledger.label().to_owned();
        if self.looked.get(&label).is_some_and(|looked| now < looked.after(EVERY)) {
            return Ok(());
        }
        let state = ledger.engine().committed_state().await?;
        // Of an account that moved on, what it left says nothing.
        let here = state.accounts().filter(|(_, known)| ledgers.lives_in(ledger, &known.name));
        let changed = here.filter_map(|(account, known)| {
            let credentials = known.credentials;
            let before = self.seen.get(&(label.clone(), account));
            let (url, secret) = (credentials.webhook?, credentials.secret?);
            let same = before == Some(&credentials);
            (!same).then(|| {
                (account, known.name.to_string(), credentials, token_text(url), token_text(secret))
            })
        });
        let changed: Vec<_> = changed.collect();
        let ledger = ledger.environment().name();
        for (account, name, credentials, url, secret) in changed {
            webhooks
                .with_store(move |store| {
                    let before = store.endpoint(ledger, &name)?;
                    let after = before.clone().with_settings(&url, &secret, now);
                    if before == after {
                        Ok(())
                    } else {
                        store.save_endpoint(ledger, &name, &after)
                    }
                })
                .await?;
            self.seen.insert((label.clone(), account), credentials);
        }
        self.looked.insert(label, now);
        Ok(())
    }
}
