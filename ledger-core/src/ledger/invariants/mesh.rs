//! What agents are rewarded, and what their mandates let pass (INV-24, INV-42).

use super::{Holds, equal};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::agent::reward::on_volume;
use crate::machine::payout;
use crate::money::Cents;

/// Every agent's reward is a thousandth of what the agents it referred settled (INV-24).
pub(super) fn rewards_follow_volume(state: &State, _: &dyn Archive) -> Holds {
    for (agent, member) in state.members() {
        let brought = member.referred.iter().filter_map(|agent| state.member(*agent));
        let volume: i128 = brought.map(|member| member.volume).sum();
        equal("referred volume", member.referred_volume, volume)?;
        equal("reward", i128::from(state.reward(agent)), on_volume(volume))?;
    }
    Ok(())
}

/// Checks what `record`, just applied, created against the mandate (INV-42): ceilings hold at
/// the moment of each decision, not as a statement about sums afterwards (rulings 14).
pub(super) fn passed_within_mandate(state: &State, record: &Record) -> Holds {
    for (op, account, _) in record.events.iter().filter_map(Event::creation) {
        let Some(mandate) = state.mandate(account) else { continue };
        let Some(sent) = state.open(op).and_then(|known| known.machine.outgoing()) else {
            continue;
        };
        let used = state.sent_on(account, record.at);
        let before = used.minus(sent.amount.as_cents()).unwrap_or(Cents::ZERO);
        mandate
            .admits(sent.amount, before, sent.counterparty)
            .map_err(|excess| format!("{op:?} was created against the mandate: {excess:?}"))?;
    }
    Ok(())
}

/// No payout that `record`, just applied, requested is above the platform's limit (INV-42).
pub(super) fn passed_within_platform_limit(state: &State, record: &Record) -> Holds {
    for event in &record.events {
        let Event::Payout { op, event: payout::Event::Requested(order) } = event else { continue };
        let (account, amount) = (order.account, order.amount);
        let platform = state.terms(account, record.at).payout_most;
        if state.ceiling(account, platform) < amount.as_cents() {
            return Err(format!("{op:?} is above the platform's limit"));
        }
    }
    Ok(())
}
