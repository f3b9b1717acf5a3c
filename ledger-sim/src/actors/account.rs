//! Account holders: keys asked for, rotated, revoked and replaced; and what an account sets itself.

use ledger_core::id::{KeyHash, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::{AccountSettings, Enrolment, Intent, Owner, Request};
use ledger_core::money::Bps;
use ledger_core::terms::Switch;
use ledger_core::time::{Instant, Span};

use super::is_strangers;
use crate::oracle::Oracle;
use crate::world::{Client, World};

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    match world.rng.by_weight(&[34, 20, 26, 20]) {
        0 => settings(world, oracle, &client),
        1 => {
            let key = key(world);
            world.ask(client.id, Request::RotateKey(key));
        }
        2 => enrol(world),
        _ => look_after(world, &client),
    }
}

/// Mostly a key never given before; sometimes one that was.
pub(super) fn key(world: &mut World) -> KeyHash {
    if world.rng.percent(22)
        && let Some(known) = world.rng.pick(&world.keys)
    {
        return *known;
    }
    let mut bytes = [77; 32];
    let number = u64::try_from(world.keys.len()).unwrap_or(0);
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    world.keys.push(KeyHash(bytes));
    KeyHash(bytes)
}

/// Somebody without a key asks for an account; few addresses, so that one runs out of them.
fn enrol(world: &mut World) {
    let owner = Owner {
        name: Some(world.token(41)),
        email: world.rng.percent(60).then(|| world.token(42)),
        responsible: None,
        document: world.rng.percent(20).then(|| world.token(43)),
        country: world.rng.percent(20).then(|| "BR".into()),
    };
    let address = some_of(world, 44, 2);
    let key = key(world);
    // What opens the monitor is made of what makes the key.
    let mut monitor = Token([45; 16]);
    monitor.0[..15].copy_from_slice(&key.0[..15]);
    let asked = Enrolment { owner, key, monitor, address };
    world.plan(world.now, Intent::Enrolment(Box::new(asked)));
}

/// An operator replaces a key that was lost, or takes one.
fn look_after(world: &mut World, client: &Client) {
    let decided_by = world.decided_by();
    let account = if world.rng.percent(6) { "nobody".into() } else { client.name.clone() };
    if world.rng.percent(12)
        && world.clients.len() < 9
        && let Some(key) = world.rng.pick(&world.keys).copied()
    {
        // A new account under a key that was offered before.
        let name = world.fresh("outra");
        return world.report(AccountFact::Opened { name, key, terms: None });
    }
    if world.rng.percent(35) {
        world.report(AccountFact::KeyRevoked { account: account.clone(), decided_by });
        if world.rng.percent(30) {
            // Nobody comes in for a while.
            let wait = u32::try_from(world.rng.within(60, 7_200)).unwrap_or(60);
            let later = world.now.after(Span::seconds(wait));
            let key = key(world);
            return world.report_at(later, AccountFact::KeyReplaced { account, key, decided_by });
        }
    }
    let key = key(world);
    world.report(AccountFact::KeyReplaced { account, key, decided_by });
}

fn settings(world: &mut World, oracle: &Oracle, client: &Client) {
    let known = &oracle.accounts[client.id.0 as usize];
    let (secret, monitor) = (known.secret, known.monitor);
    let mut asked = AccountSettings::default();
    let switch = |on| if on { Switch::On } else { Switch::Off };
    if world.rng.percent(30) {
        asked.webhook = Some(some_of(world, 46, 3));
    }
    asked.rotate_secret = switch(world.rng.percent(25));
    asked.rotate_monitor = switch(world.rng.percent(20));
    let first = asked.webhook.is_some() && secret.is_none();
    let makes = [first || asked.rotate_secret.is_on(), asked.rotate_monitor.is_on()];
    let made = entropy(world, [secret, monitor], makes);
    asked.secret =
        made.map(|last| token(47, last)).filter(|_| first || asked.rotate_secret.is_on());
    asked.monitor = made.map(|last| token(48, last)).filter(|_| asked.rotate_monitor.is_on());
    for place in 0..3 {
        if world.rng.percent(15) {
            let most = if world.rng.percent(80) { 400 } else { 1_100 };
            let as_cents = u16::try_from(world.rng.below(most)).ok().and_then(Bps::new);
            match place {
                0 => asked.purchase_partner = as_cents,
                1 => asked.sale_partner = as_cents,
                _ => asked.payout_partner = as_cents,
            }
        }
    }
    if world.rng.percent(8) || asked == AccountSettings::default() {
        asked.settlement = Some("0x1".into());
    }
    world.ask(client.id, asked);
}

/// An entropy, which makes a secret, what opens the monitor, or both: mostly one never used;
/// sometimes that of what is in force, or none. What makes the one is not what made the other
/// elsewhere.
fn entropy(world: &mut World, in_force: [Option<Token>; 2], makes: [bool; 2]) -> Option<u8> {
    let first = match makes {
        [true, true] => 26,
        [false, true] => 13,
        [_, false] => 0,
    };
    let last = |token: Option<Token>, of| token.filter(|it| it.0[0] == of).map(|it| it.0[15]);
    match world.rng.below(10) {
        0 => None,
        1 => last(in_force[0], 47),
        2 => last(in_force[1], 48),
        _ => Some(first + u8::try_from(world.rng.below(13)).unwrap_or(0)),
    }
}

/// One of few.
fn some_of(world: &mut World, sort: u8, few: u64) -> Token {
    token(sort, u8::try_from(world.rng.below(few)).unwrap_or(0))
}

fn token(sort: u8, last: u8) -> Token {
    let mut bytes = [sort; 16];
    bytes[15] = last;
    Token(bytes)
}

/// Refused for the day, somebody asks again at its last microsecond and at the next day's first.
pub(crate) fn learn_day(world: &mut World, what: &Intent, until: Instant) {
    let strange = match what {
        Intent::Enrolment(asked) => is_strangers(&asked.key),
        _ => true,
    };
    let last = Instant::from_micros(until.micros() - 1).unwrap_or(until);
    for at in [last, until] {
        let rng = if strange { &mut world.odd.rng } else { &mut world.rng };
        if world.now < at && rng.percent(40) {
            world.plan(at, what.clone());
        }
    }
}
