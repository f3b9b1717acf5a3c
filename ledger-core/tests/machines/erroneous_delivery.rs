//! Stray: crypto that was sent although it should not have been; rulings 1, 2.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::Kind;
use ledger_core::machine::Verdict;
use ledger_core::machine::erroneous_delivery::{
    Command, End, Event, Order, State, decide, entry, evolve, follows,
};

use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::{POLYGON, USDT, applied, op, units};
use crate::walk::walk;

fn order() -> Order {
    Order {
        asset: USDT,
        chain: POLYGON,
        units: units(17_437_037),
        about: op(Kind::Charge, 7),
        hash: "0xb2".into(),
        again: None,
    }
}

fn claim() -> Command {
    Command::Claim(order())
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Absent, |state, command| {
        let event = applied(decide(&state, command));
        assert!(follows(&state, &event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, &event)
    })
}

fn settle(end: End) -> Command {
    Command::Settle(end)
}

#[test]
fn every_command_in_every_state() {
    let columns =
        [("Claim", claim()), ("Recover", settle(End::Recovered)), ("Lose", settle(End::Lost))];
    let states = [
        ("Absent", after([])),
        ("Waiting", after([claim()])),
        ("Recovered", after([claim(), settle(End::Recovered)])),
        ("Lost", after([claim(), settle(End::Lost)])),
    ];
    let lines = states.map(|(name, state)| {
        let answer = |command| cell(&decide(&state, command));
        (name, columns.iter().map(|(_, command)| answer(command.clone())).collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Claim     Recover   Lose
Absent    Claimed   set_aside set_aside
Waiting   set_aside Settled   Settled
Recovered set_aside known     set_aside
Lost      set_aside set_aside known
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let settled = |end| Event::Settled { order: order(), end };
    let table = [
        line("Claimed", &entry(&Event::Claimed(order()))),
        line("Settled, recovered", &entry(&settled(End::Recovered))),
        line("Settled, lost", &entry(&settled(End::Lost))),
    ];
    assert_eq!(
        table.concat(),
        "\
Claimed
  asset 0: Dr recv.prov 17437037 / Cr treas[0] 17437037
Settled, recovered
  asset 0: Dr treas[0] 17437037 / Cr recv.prov 17437037
Settled, lost
  asset 0: Dr exp.loss 17437037 / Cr recv.prov 17437037
"
    );
}

#[test]
fn what_is_settled_is_what_was_claimed() {
    let waiting = after([claim()]);
    let settled = |order| Event::Settled { order, end: End::Lost };
    assert!(follows(&waiting, &settled(order())));
    for other in [
        Order { units: units(17_437_036), ..order() },
        Order { hash: "0xc3".into(), ..order() },
        Order { about: op(Kind::Charge, 8), ..order() },
    ] {
        assert!(!follows(&waiting, &settled(other)));
    }
    assert!(!follows(&State::Absent, &settled(order())));
    assert!(!follows(&waiting, &Event::Claimed(order())));
}

#[test]
fn a_claim_ends_recovered_or_lost_on_every_path() {
    let commands = [claim(), settle(End::Recovered), settle(End::Lost)];
    let decided = |state: &State| {
        let verdicts = commands.iter().map(|command| decide(state, command.clone()));
        let events = verdicts.filter_map(|verdict| match verdict {
            Verdict::Applied(event) => Some(event),
            Verdict::Known | Verdict::SetAside => None,
        });
        events.collect::<Vec<_>>()
    };
    let places = walk(State::Absent, 4, |state, _| {
        decided(state).iter().map(|event| (evolve(state, event), entry(event))).collect()
    });
    let mut events = vec![Event::Claimed(order())];
    events.extend([End::Recovered, End::Lost].map(|end| Event::Settled { order: order(), end }));
    assert_eq!(places.len(), 4);
    for (state, tally) in &places {
        for event in &events {
            assert_eq!(follows(state, event), decided(state).contains(event), "{event:?}");
        }
        let coin = |account| tally.coin(USDT, account);
        let all = 17_437_037;
        let expected = match state {
            State::Absent => (0, 0, 0),
            State::Waiting(_) => (-all, all, 0),
            State::Settled(_, End::Recovered) => (0, 0, 0),
            State::Settled(_, End::Lost) => (0, all, -all),
        };
        let claimed = coin(CoinAccount::ProviderClaim);
        let seen = (claimed, coin(CoinAccount::Treasury(POLYGON)), coin(CoinAccount::Loss));
        assert_eq!(seen, expected, "{state:?}");
        assert_eq!(state.has_ended(), matches!(state, State::Settled(..)));
    }
}
