//! Comparison of who has access: accounts with their keys and credentials, and agents.

use ledger_core::accounting::Account;
use ledger_core::id::{AccountId, AgentId};
use ledger_core::machine::agent::Stage;

use super::equal_named;
use crate::failure::wrong::Mismatch;
use crate::oracle::{AgentStep, Oracle};
use crate::system_under_test::SystemUnderTest;

pub(super) fn compare(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    for (place, expected) in (0..).zip(&oracle.accounts) {
        let id = AccountId(place);
        let state = &subject.ledger.state;
        let reported = || format!("{id:?}: key, wallet, owner, webhook, secret, monitor");
        let found = state.account(id).ok_or_else(|| format!("{id:?} does not exist"))?;
        let credentials = found.credentials;
        equal_named(
            reported,
            (
                expected.key,
                expected.settlement.as_deref(),
                expected.owner.as_ref(),
                (expected.webhook, expected.secret, expected.monitor),
            ),
            (
                found.key,
                found.settlement.as_deref(),
                found.owner.as_ref(),
                (credentials.webhook, credentials.secret, credentials.monitor),
            ),
        )?;
        let opens = expected.key.map(|key| state.account_of_key(&key));
        equal_named(|| format!("what {id:?}'s key opens"), expected.key.map(|_| Some(id)), opens)?;
        let terms = oracle.terms(id, oracle.now);
        equal_named(|| format!("{id:?}'s terms"), terms, state.terms(id, state.now))?;
    }
    compare_agents(oracle, subject)
}

fn compare_agents(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    let state = &subject.ledger.state;
    equal_named(|| "agents".into(), oracle.agents.len(), state.members().count())?;
    for ((place, expected), (id, found)) in oracle.agents.iter().enumerate().zip(state.members()) {
        let reported =
            || format!("{id:?}: step, whether stopped, mandate, volume, reward, referrer");
        let step = found.state.stage().map(|stage| match stage {
            Stage::Registered => AgentStep::Registered,
            Stage::SandboxActive => AgentStep::SandboxActive,
            Stage::Validated => AgentStep::Validated,
            Stage::ProductionActive => AgentStep::ProductionActive,
        });
        let agent = found.state.agent().ok_or_else(|| format!("{id:?} is nobody"))?;
        let reward = i128::from(state.books.flight(Account::Reward(id)));
        let referrer = expected.referrer.and_then(|place| u32::try_from(place).ok());
        equal_named(
            reported,
            (
                (Some(expected.step), expected.stopped, expected.mandate.as_ref()),
                (expected.volume, oracle.reward_of(place), referrer.map(AgentId)),
                (&*expected.id, expected.account, &expected.referrals),
            ),
            (
                (step, found.state.is_suspended(), agent.mandate.as_ref()),
                (found.volume, reward, agent.referrer),
                (&*agent.profile.id, agent.profile.account, &found.referrals),
            ),
        )?;
    }
    Ok(())
}
