//! Samples of accounts that move between ledgers.

use ledger_core::id::{KeyHash, Kind};
use ledger_core::ledger::{
    Carried, Cause, Credentials, Event, Owner, Record, ReplacedSecret, Residence,
};

use super::catalogue::{
    ACCOUNT, ANA, Absent, Given, Options, as_cents, at, name, op, record, terms, token,
};

fn carried(options: Options) -> Carried {
    Carried {
        key: KeyHash([0xf1; 32]),
        terms: vec![(at(1), terms(options)), (at(2), terms(options))],
        settlement: options.optional("0x00000000000000000000000000000000000000f2".into()),
        commission_withdrawn_at: options.optional(at(3)),
        owner: options.optional(Owner { name: Some(token(0xf3)), ..Owner::default() }),
        credentials: Credentials {
            webhook: options.optional(token(0xf4)),
            secret: options.optional(token(0xf5)),
            monitor: options.optional(token(0xf6)),
        },
        replaced_secret: options.optional(ReplacedSecret { secret: token(0xf7), at: at(4) }),
        day: (at(5), at(6)),
        charged: as_cents(401),
        paid_out: as_cents(402),
        // Frozen samples lack it; a sample of its own has it.
        opening_closed: None,
    }
}

/// Where an account may live, each with a name for its sample.
fn residences() -> [(&'static str, Residence); 5] {
    let other = || "live-2".into();
    [
        ("here", Residence::Here),
        ("leaving", Residence::Leaving(other())),
        ("carrying", Residence::Carrying(other())),
        ("departed", Residence::Departed(other())),
        ("arriving", Residence::Arriving(other())),
    ]
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = Vec::new();
    for (word, residence) in residences() {
        let event = Event::ResidenceChanged { account: ACCOUNT, residence };
        samples.push((format!("{}-{word}", name(&event)), alone(event)));
    }
    for (options, suffix) in [(Given, ""), (Absent, "-bare")] {
        let carried = Box::new(carried(options));
        let event = Event::AccountCarried { account: ACCOUNT, ledger: "live".into(), carried };
        samples.push((format!("{}{suffix}", name(&event)), alone(event)));
        for (direction, given, taken) in [("", 403, 0), ("-out", 0, 404)] {
            let event = Event::BalanceCarried {
                op: op(Kind::Adjustment),
                subaccount: ANA,
                commission_of: options.optional(ACCOUNT),
                given: as_cents(given),
                taken: as_cents(taken),
                deposited: true,
                waiting_until: options.optional(at(7)),
            };
            samples.push((format!("{}{direction}{suffix}", name(&event)), alone(event)));
        }
    }
    let carried = Box::new(Carried { opening_closed: Some(true), ..carried(Absent) });
    let closed = Event::AccountCarried { account: ACCOUNT, ledger: "live".into(), carried };
    samples.push((format!("{}-opening-closed", name(&closed)), alone(closed)));
    samples
}
