//! Agents: they register, bind themselves by a mandate, go into production, refer others; and the
//! policy that stops them.

use ledger_core::id::{AccountId, AgentId, KeyHash, Seq, Token};
use ledger_core::ledger::agent::Fact as AgentFact;
use ledger_core::ledger::{
    AccountSettings, AgentRequest, Intent, Newcomer, PayoutRequest, Public, Refusal, Registration,
    Request,
};
use ledger_core::money::Cents;
use ledger_core::terms::Mandate;
use ledger_core::time::Instant;

use super::account;
use super::values::external_id;
use crate::oracle::{AgentStep, Oracle};
use crate::world::World;

/// How many agents there may be: more would leave nothing for the others to do.
const MOST: usize = 5;

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    // An agent knows its account once it was answered.
    let known = oracle.agents.iter().filter(|agent| world.client_of(agent.account).is_some());
    let known: Vec<_> = known.collect();
    let Some(agent) = world.rng.pick(&known).copied() else { return come(world, oracle) };
    let (account, id, step) = (agent.account, agent.id.clone(), agent.step);
    let ask = |world: &mut World, asked| world.ask(account, asked);
    let next = match step {
        AgentStep::Registered | AgentStep::SandboxActive => 0,
        AgentStep::Validated => 2,
        AgentStep::ProductionActive => 3,
    };
    let mut weights = [6, 26, 7, 9, 22, 14, 5, 2];
    weights[next] += 20;
    match world.rng.by_weight(&weights) {
        0 => ask(world, AgentRequest::Validate),
        1 => {
            let mandate = mandate(world);
            ask(world, AgentRequest::Mandate(Box::new(mandate)));
        }
        2 => {
            let key = account::key(world);
            ask(world, AgentRequest::Activate { key });
        }
        3 => {
            let capability = *world.rng.pick(&["usdt_to_pix", "pix_to_usdt"]).unwrap_or(&"");
            ask(world, AgentRequest::Refer { capability: capability.into() });
        }
        4 => come(world, oracle),
        5 => police(world, id, agent.stopped),
        6 => {
            let wallet = format!("0x{}7", "c".repeat(39)).into();
            let settings =
                AccountSettings { settlement: Some(wallet), ..AccountSettings::default() };
            world.ask(account, settings);
        }
        _ => {
            // An account that is no agent's.
            let Some(client) = world.client() else { return };
            world.ask(client.id, AgentRequest::Validate);
        }
    }
}

/// An agent registers, or comes from the other ledger; mostly by a referral of another.
fn come(world: &mut World, oracle: &Oracle) {
    let known = oracle.agents.iter().flat_map(|agent| &agent.referrals);
    let known: Vec<Box<str>> = known.map(|(_, referral)| referral.clone()).collect();
    let referral = world.rng.pick(&known).cloned().filter(|_| !world.rng.percent(15));
    let referral = referral.or_else(|| world.rng.percent(10).then(|| "rf_unknown".into()));
    let full = oracle.agents.len() >= MOST;
    // Who came already comes again; a key that is dead lets nobody in.
    let key = if full { some_key(world) } else { account::key(world) };
    let capabilities = vec!["usdt_to_pix".into()];
    if world.rng.percent(35) {
        let (name, contact) = (some(51), some(52));
        let asked =
            Registration { key, name, contact, capabilities, referral: None, address: None };
        let what = Intent::Public(Public::Register(Box::new(asked)));
        if world.rng.percent(25) {
            world.plan(world.now, what.clone());
        }
        return world.plan(world.now, what);
    }
    let newest = oracle.agents.last().map(|agent| agent.id.clone());
    let id = newest.filter(|_| full || world.rng.percent(10));
    let id = id.unwrap_or_else(|| format!("ag_{:028x}", world.rng.below(u64::MAX)).into());
    // An id that this ledger gives itself, before it does: told of an agent whose record was lost.
    let id = if world.odd.happens(world.faults.scale(1_500)) {
        let number = oracle.seq + 1 + world.odd.rng.below(40);
        AgentId::text(Seq(number), oracle.ledger).into()
    } else {
        id
    };
    let newcomer = Newcomer {
        id,
        key,
        name: some(53),
        contact: some(54),
        capabilities,
        referral,
        address: None,
        settlement: format!("0x{}8", "c".repeat(39)).into(),
        mandate: mandate(world),
    };
    world.report(AgentFact::Activated(Box::new(newcomer)));
}

fn some_key(world: &mut World) -> KeyHash {
    let known = world.rng.pick(&world.keys).copied();
    known.unwrap_or_else(|| account::key(world))
}

/// A mandate: tight, loose, of nothing, or without bounds.
fn mandate(world: &mut World) -> Mandate {
    let rng = &mut world.rng;
    let ceiling = |cents: i64| Cents::new(cents);
    let per_operation = match rng.below(10) {
        0 => ceiling(0),
        1..5 => ceiling(rng.within(500, 20_000)),
        _ => None,
    };
    let daily = match rng.below(10) {
        0..6 => ceiling(rng.within(1_000, 30_000)),
        6 => ceiling(90_000_000),
        _ => None,
    };
    let named = rng.percent(25);
    // Documents of payees, and of those whom sellers have paid.
    let few = (0..30).map(|last| (8, last)).chain((150..157).map(|who| (who, who)));
    let few = few.filter(|_| named).map(|(of, last)| {
        let mut bytes = [of; 16];
        bytes[15] = last;
        Token(bytes)
    });
    Mandate::new(per_operation, daily, few.collect())
}

/// An agent lets itself send nothing at all from now on, or to nobody known, or whatever it likes.
pub(super) fn binds(world: &mut World, account: AccountId, tight: bool) {
    let mandate = match tight {
        true if world.rng.percent(40) => Mandate::new(None, None, vec![Token([7; 16])]),
        true => Mandate::new(Some(Cents::ZERO), None, Vec::new()),
        false => Mandate::default(),
    };
    world.ask(account, AgentRequest::Mandate(Box::new(mandate)));
}

/// Policy stops an agent for a while, or lets it go on.
fn police(world: &mut World, agent: Box<str>, stopped: bool) {
    let agent = if world.rng.percent(4) { format!("ag_{}", "f".repeat(28)).into() } else { agent };
    let decided_by = world.decided_by();
    let stops = stopped == world.rng.percent(8);
    if stops {
        let wait = u32::try_from(world.rng.within(60, 7_200)).unwrap_or(60);
        let later = world.now.after(ledger_core::time::Span::seconds(wait));
        let again = world.decided_by();
        let reported = AgentFact::Reinstated { agent: agent.clone(), decided_by: again };
        world.report_at(later, reported);
        world.report(AgentFact::Suspended { agent, decided_by });
    } else {
        world.report(AgentFact::Reinstated { agent, decided_by });
    }
}

/// Refused by its mandate, an agent asks for exactly what would pass, and at the end of the day.
pub(crate) fn learn_mandate(world: &mut World, what: &Intent, refusal: &Refusal) {
    let Refusal::MandateExceeded { most, until } = refusal else { return };
    let Intent::Request(account, Request::Payout(request)) = what else { return };
    // Rarely enough that refusals of what is asked again die out.
    let amount = most.amount().filter(|_| world.rng.percent(40));
    if let Some(amount) = amount {
        let more = world.rng.percent(30);
        let cents = amount.cents() + i64::from(more);
        let amount = super::values::amount(cents);
        pay(world, *account, PayoutRequest { amount, ..request.clone() }, world.now);
    }
    let Some(until) = until else { return };
    let last = Instant::from_micros(until.micros() - 1).unwrap_or(*until);
    for at in [last, *until] {
        if world.now < at && world.rng.percent(20) {
            pay(world, *account, request.clone(), at);
        }
    }
}

fn pay(world: &mut World, account: AccountId, request: PayoutRequest, at: Instant) {
    let external_id = external_id(world);
    let again = PayoutRequest { external_id, ..request };
    world.plan(at, Intent::Request(account, Request::Payout(again)));
}

fn some(of: u8) -> Token {
    Token([of; 16])
}

#[cfg(test)]
mod tests {
    use ledger_core::ledger::{Cause, Command, Origin};

    use super::*;
    use crate::settings::Faults;

    /// Whoever was not answered asks for nothing: a crash may still take the account away.
    #[test]
    fn an_agent_asks_for_nothing_before_it_knows_its_account() {
        let mut oracle = Oracle::new(None);
        let mut world = World::new(7, Faults::Many);
        while let Some(command) = world.next_planned(&oracle) {
            oracle.execute(&command);
        }
        let (name, contact) = (some(51), some(52));
        let key = KeyHash([9; 32]);
        let capabilities = vec!["usdt_to_pix".into()];
        let asked =
            Registration { key, name, contact, capabilities, referral: None, address: None };
        let what = Intent::Public(Public::Register(Box::new(asked)));
        let (at, cause) = (world.now, Cause::new(Origin::Call));
        let answer = oracle.execute(&Command { at, cause, what: what.clone() }).answer;
        assert_eq!(oracle.agents.len(), 1);
        let asks = |world: &mut World| {
            (0..400).for_each(|_| act(world, &oracle));
            let planned = std::iter::from_fn(|| world.next_planned(&oracle));
            planned.filter(|it| matches!(it.what, Intent::Request(..))).count()
        };
        assert_eq!(asks(&mut world), 0);
        world.learn(&what, &answer, &oracle);
        assert!(asks(&mut world) > 50);
    }
}
