//! What agents are rewarded, and what their mandates let pass (INV-24, INV-42).

use super::{Violation, broken, equal};
use crate::accounting::{Account, Control};
use crate::ledger::agent::reward::on_volume;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::payout;
use crate::money::Cents;

/// Every agent's reward is a thousandth of what the agents it referred settled, and all rewards
/// together are what the books owe.
pub(super) fn check(state: &State) -> Result<(), Violation> {
    for (agent, member) in state.members() {
        let brought = member.referred.iter().filter_map(|agent| state.member(*agent));
        let volume: i128 = brought.map(|member| member.volume).sum();
        equal("INV-24", "referred volume", member.referred_volume, volume)?;
        equal("INV-24", "reward", i128::from(state.reward(agent)), on_volume(volume))?;
    }
    let rewards = state.books.flights().filter_map(|(account, cents)| match account {
        Account::Reward(agent) if state.member(agent).is_some() => Some(i128::from(cents)),
        _ => None,
    });
    let (owed, sum) = (state.books.balance(Control::Reward), rewards.sum());
    equal("CONTROL", Control::Reward.name(), owed, sum)?;
    equal("CONTROL", "exp.reward", state.books.balance(Control::RewardExpense), sum)
}

/// What `record`, just applied, created is within the mandate and the platform's limit; ceilings
/// hold at the moment of each decision, not as a statement about sums afterwards (rulings 14).
pub(super) fn check_record(state: &State, record: &Record) -> Result<(), Violation> {
    for (op, account, _) in record.events.iter().filter_map(Event::created) {
        let sent = state.open(op).and_then(|known| known.machine.outgoing());
        let (Some(sent), Some(mandate)) = (sent, state.mandate(account)) else { continue };
        let used = state.sent_on(account, record.at);
        let before = used.minus(sent.amount.as_cents()).unwrap_or(Cents::ZERO);
        mandate.admits(sent.amount, before, sent.counterparty).map_err(|excess| {
            broken("INV-42", format!("{op:?} was created against the mandate: {excess:?}"))
        })?;
    }
    for event in &record.events {
        let Event::Payout { op, event: payout::Event::Requested(order) } = event else { continue };
        let (account, amount) = (order.account, order.amount);
        let platform = state.terms(account, record.at).payout_most;
        if state.ceiling(account, platform) < amount.as_cents() {
            return Err(broken("INV-42", format!("{op:?} is above the platform's limit")));
        }
    }
    Ok(())
}
