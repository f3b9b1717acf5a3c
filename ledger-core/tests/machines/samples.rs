//! Values that tests of every machine use.

use std::fmt::Debug;

use ledger_core::id::{AccountId, CustodyId, Kind, OpId, Seq, Token};
use ledger_core::machine::Verdict;
use ledger_core::money::{Amount, Balance, Bps, Share};
use ledger_core::time::Instant;

pub const PARTNER: AccountId = AccountId(3);
pub const ANA: CustodyId = CustodyId(1);
pub const BIA: CustodyId = CustodyId(2);
pub const SOMEBODY: Token = Token([7; 16]);

pub fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

pub fn share(cents: i64) -> Share {
    Share::new(cents).unwrap()
}

pub fn balance(cents: i64) -> Balance {
    Balance::new(cents)
}

pub fn bps(bps: u16) -> Bps {
    Bps::new(bps).unwrap()
}

pub fn at(text: &str) -> Instant {
    Instant::parse(text).unwrap()
}

pub fn op(kind: Kind, seq: u64) -> OpId {
    OpId::new(kind, Seq(seq))
}

/// What a verdict applied.
pub fn applied<Event: Debug>(verdict: Verdict<Event>) -> Event {
    match verdict {
        Verdict::Applied(event) => event,
        other => panic!("{other:?} where an event was expected"),
    }
}
