//! What an answer names that its call made, and that never changes.

use crate::id::LedgerName;
use crate::ledger::{Event, Record};
use crate::machine::agent;
use crate::machine::wallet::deposit::{self, Origin};

/// The fields of an answer that tell what a record made: the ids, and what must be sent to a
/// deposit.
#[must_use]
pub fn created_ids(record: &Record, ledger: &LedgerName) -> Vec<(&'static str, String)> {
    let mut made = Vec::new();
    for event in &record.events {
        let id = event.op().filter(|op| op.seq() == record.seq);
        if let Some(id) = id.map(|op| (op.field(), op.text(ledger)))
            && !made.contains(&id)
        {
            made.push(id);
        }
        match event {
            Event::Agent { event: agent::Event::Registered(profile), .. } => {
                made.push(("agent_id", profile.id.to_string()));
            }
            Event::ReferralGiven { referral, .. } => {
                made.push(("referral_id", referral.to_string()));
            }
            Event::WalletDeposit { event: deposit::Event::Requested(order), .. }
                if order.origin == Origin::Request =>
            {
                made.push((
                    crate::contract::wallet::TO_SEND,
                    crate::contract::wallet::six(order.amount),
                ));
            }
            _ => {}
        }
    }
    made
}
