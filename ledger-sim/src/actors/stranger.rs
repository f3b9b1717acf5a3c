//! Callers without keys: one address asks for keys by every route there is, until it gets no more.

use ledger_core::id::{KeyHash, Token};
use ledger_core::ledger::{Enrolment, Intent, Owner, Public, Registration};

use crate::world::World;

/// What a stranger's keys end with, and nobody else's.
const STRANGE: u8 = 78;

pub(super) fn act(world: &mut World) {
    if !world.odd.happens(world.faults.scale(50)) {
        return;
    }
    let mut address = Token([44; 16]);
    address.0[15] = u8::try_from(world.odd.rng.below(2)).unwrap_or(0);
    let asks = 2 + world.odd.rng.below(6);
    world.inject("addresses that ask for keys by every route");
    for _ in 0..asks {
        let key = fresh_key(world);
        let what = if world.odd.rng.percent(50) {
            Intent::Public(Public::Register(Box::new(registration(key, address))))
        } else {
            Intent::Enrolment(Box::new(enrolment(key, address)))
        };
        world.plan(world.now, what);
    }
}

pub(crate) fn is_strangers(key: &KeyHash) -> bool {
    key.0[31] == STRANGE
}

fn fresh_key(world: &mut World) -> KeyHash {
    let mut bytes = [STRANGE; 32];
    bytes[..8].copy_from_slice(&world.odd.rng.below(u64::MAX).to_le_bytes());
    KeyHash(bytes)
}

fn registration(key: KeyHash, address: Token) -> Registration {
    let (name, contact) = (Token([51; 16]), Token([52; 16]));
    let capabilities = vec!["usdt_to_pix".into()];
    Registration { key, name, contact, capabilities, referral: None, address: Some(address) }
}

fn enrolment(key: KeyHash, address: Token) -> Enrolment {
    let name = Some(Token([41; 16]));
    let owner = Owner { name, email: None, responsible: None, document: None, country: None };
    // What opens the monitor is made of what makes the key.
    let mut monitor = Token([45; 16]);
    monitor.0[..15].copy_from_slice(&key.0[..15]);
    Enrolment { owner, key, monitor, address }
}
