//! The unmatched deposit: crypto that no order takes (rulings 1, 2, 32; P:MultipleDeposits).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{Kind, OpId};
use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::Deposit;
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::machine::unmatched_deposit::{
    Command, Event, Order, State, decide, entry, evolve, follows,
};
use ledger_core::terms::Switch;

use crate::grid::{name, page, steps};
use crate::legs::coins;
use crate::samples::{PARTNER, POLYGON, USDT, applied, at, op, units};
use crate::walk::{Tally, walk};

fn this() -> OpId {
    op(Kind::UnmatchedDeposit, 12)
}

fn usdt(number: u128) -> Coins {
    Coins { asset: USDT, chain: POLYGON, units: units(number) }
}

/// Five USDT for an order that named its wallet.
fn order() -> Order {
    Order {
        deposit: Deposit {
            coins: usdt(5_000_000),
            hash: "0xa1".into(),
            from: Some("0xexchange".into()),
            seen_at: at("2026-10-20T12:00:00Z"),
            confirmations: None,
        },
        about: Some(op(Kind::CashOut, 9)),
        account: Some(PARTNER),
        to: Some("0xhome".into()),
        refund_alone: Some(units(5_000_000)),
        sighting: None,
    }
}

/// The same for nobody's order.
fn erroneous_delivery() -> Order {
    Order { about: None, account: None, to: None, refund_alone: None, ..order() }
}

/// More than is refunded without an operator.
fn large() -> Order {
    Order { refund_alone: Some(units(4_999_999)), ..order() }
}

/// For an order without a wallet.
fn homeless() -> Order {
    Order { to: None, ..order() }
}

fn receive(order: Order) -> Command {
    Command::Receive(Box::new(order))
}

fn split(order: Order) -> Command {
    Command::Split(Box::new(order))
}

fn to(wallet: &str) -> Command {
    Command::DecideRefund(Some(wallet.into()))
}

fn sent(hash: &str) -> Command {
    Command::Refund(RefundReport::Sent(hash.into()))
}

fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let events = applied(decide(state, command));
    let after = events.iter().fold(state.clone(), |state, event| {
        assert!(follows(&state, event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event)
    });
    (after, events)
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Absent, |state, command| step(&state, command).0)
}

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Receive", receive(order())),
        ("Split", split(order())),
        ("Confirm", Command::Confirm),
        ("Vanish", Command::Vanish),
        ("Decide", Command::DecideRefund(None)),
        ("DecideTo", to("0xnamed")),
        ("Sent", sent("0xb1")),
        ("Again", sent("0xb2")),
        ("Failed", Command::Refund(RefundReport::Failed)),
        ("Lost", Command::Refund(RefundReport::Lost)),
    ];
    let lost = Command::Refund(RefundReport::Lost);
    let states = [
        ("Absent", after([])),
        ("Waiting", after([receive(order())])),
        ("Stray", after([receive(erroneous_delivery()), Command::Confirm])),
        ("Vanished", after([receive(order()), Command::Vanish])),
        ("Refunding", after([receive(order()), Command::Confirm])),
        ("Large", after([receive(large()), Command::Confirm])),
        ("Homeless", after([split(homeless())])),
        ("Lost", after([split(order()), lost])),
        ("Refunded", after([split(order()), sent("0xb1")])),
    ];
    let lines = states.iter().map(|(title, state)| {
        let cells = columns.iter().map(|(_, command)| {
            let cell = steps(&decide(state, command.clone()), name);
            cell.replace("Confirmed+RefundDecided", "Confirm+R").replace("Refund", "R")
        });
        (*title, cells.collect())
    });
    assert_eq!(
        page(&columns.clone().map(|(title, _)| title), lines),
        "\
State     Receive   Split     Confirm   Vanish    Decide    DecideTo  Sent      Again     Failed    Lost
Absent    Received  SplitOff  set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Waiting   set_aside set_aside Confirm+R Vanished  set_aside set_aside set_aside set_aside set_aside set_aside
Stray     set_aside set_aside known     set_aside set_aside RDecided  set_aside set_aside set_aside set_aside
Vanished  set_aside set_aside set_aside known     set_aside set_aside set_aside set_aside set_aside set_aside
Refunding set_aside set_aside known     set_aside known     set_aside RSent     RSent     RFailed   RLost
Large     set_aside set_aside known     set_aside RAllowed  set_aside set_aside set_aside set_aside set_aside
Homeless  set_aside set_aside known     set_aside set_aside RAllowed  set_aside set_aside set_aside set_aside
Lost      set_aside set_aside known     set_aside set_aside set_aside RSent     RSent     RFailed   known
Refunded  set_aside set_aside known     set_aside set_aside set_aside known     set_aside set_aside set_aside
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let posted = |state: &State, command| {
        let (_, events) = step(state, command);
        let line = |event: &Event| {
            let entry = entry(this(), event);
            assert_eq!(entry.moves().count(), 0, "a receipt moves no reais");
            format!("{}\n{}", name(event), coins(&entry))
        };
        events.iter().map(line).collect::<String>()
    };
    let waiting = after([receive(order())]);
    let due = after([split(order())]);
    assert_eq!(
        [
            posted(&State::Absent, receive(order())),
            posted(&waiting, Command::Confirm),
            posted(&waiting, Command::Vanish),
            posted(&State::Absent, split(homeless())),
            posted(&after([split(homeless())]), to("0xnamed")),
            posted(&due, Command::Refund(RefundReport::Failed)),
            posted(&due, Command::Refund(RefundReport::Lost)),
            posted(&due, sent("0xb1")),
            posted(&after([receive(order()), Command::Confirm]), Command::Lose),
            posted(&after([receive(homeless()), Command::Confirm]), Command::Lose),
        ]
        .concat(),
        "\
Received
  asset 0: Dr transit[0] 5000000 / Cr susp.crypto 5000000
Confirmed
  asset 0: Dr treas[0] 5000000 / Cr transit[0] 5000000
RefundDecided
  asset 0: Dr susp.crypto 5000000 / Cr refund[UnmatchedDeposit#12] 5000000
Vanished
  asset 0: Dr susp.crypto 5000000 / Cr transit[0] 5000000
SplitOff
RefundAllowed
RefundFailed
RefundLost
RefundSent
  asset 0: Dr refund[UnmatchedDeposit#12] 5000000 / Cr treas[0] 5000000
Forgone
  asset 0: Dr refund[UnmatchedDeposit#12] 5000000 / Cr exp.loss 5000000
Forgone
  asset 0: Dr susp.crypto 5000000 / Cr exp.loss 5000000
"
    );
}

#[test]
fn it_goes_back_by_itself_only_where_its_order_named_a_wallet_and_it_is_small() {
    // COUT-52, COUT-20: its origin is never its destination.
    let confirmed = |order| after([receive(order), Command::Confirm]);
    assert!(confirmed(order()).refund().unwrap().is_under_way());
    let large = confirmed(large());
    assert_eq!(large.refund().unwrap().allowed, Switch::Off);
    let (allowed, _) = step(&large, Command::DecideRefund(None));
    assert!(allowed.refund().unwrap().is_under_way());
    for order in [erroneous_delivery(), homeless()] {
        let waits = confirmed(order);
        assert_eq!((waits.refund(), waits.in_suspense()), (None, Some(usdt(5_000_000))));
        assert_eq!(decide(&waits, Command::DecideRefund(None)), Verdict::SetAside);
        let (named, _) = step(&waits, to("0xnamed"));
        assert_eq!(named.refund().unwrap().to.as_deref(), Some("0xnamed"));
    }
}

#[test]
fn the_wallet_that_a_customer_confirmed_is_not_replaced() {
    // P:RefundImmutable.
    let small = Order { refund_alone: None, ..order() };
    let waits = after([receive(small), Command::Confirm]);
    assert_eq!(decide(&waits, to("0xnamed")), Verdict::SetAside);
    let (due, _) = step(&waits, to("0xhome"));
    assert_eq!(due.refund().unwrap().to.as_deref(), Some("0xhome"));
    let differs = Event::RefundDecided {
        coins: usdt(5_000_000),
        to: Some("0xnamed".into()),
        allowed: Switch::On,
    };
    assert!(!follows(&waits, &differs));
}

#[test]
fn events_that_no_receipt_decided_are_refused() {
    let refused = |state: &State, event: Event| assert!(!follows(state, &event), "{event:?}");
    let waiting = after([receive(order())]);
    refused(&State::Absent, Event::SplitOff(Box::new(erroneous_delivery())));
    refused(&State::Absent, Event::Confirmed(usdt(5_000_000)));
    refused(&waiting, Event::Received(Box::new(order())));
    refused(&waiting, Event::Confirmed(usdt(5_000_001)));
    refused(&waiting, Event::Vanished(usdt(4_999_999)));
    let decided = |number, to: Option<&str>| Event::RefundDecided {
        coins: usdt(number),
        to: to.map(Into::into),
        allowed: Switch::On,
    };
    refused(&waiting, decided(5_000_000, Some("0xhome")));
    let erroneous_delivery = after([receive(erroneous_delivery()), Command::Confirm]);
    assert!(follows(&erroneous_delivery, &decided(5_000_000, Some("0xnamed"))));
    refused(&erroneous_delivery, decided(5_000_000, None));
    refused(&erroneous_delivery, decided(5_000_001, Some("0xnamed")));
    let due = after([split(order())]);
    let sent = |number| Event::RefundSent { coins: usdt(number), hash: "0xb1".into() };
    assert!(follows(&due, &sent(5_000_000)));
    refused(&due, sent(5_000_001));
    refused(&due, Event::RefundAllowed { to: "0xhome".into() });
    refused(&after([split(homeless())]), sent(5_000_000));
    refused(&after([split(homeless())]), Event::RefundLost);
}

fn conserved(state: &State, tally: &Tally) {
    let coin = |account| tally.coin(USDT, account);
    let units = |coins: Option<Coins>| coins.map_or(0, |coins| coins.units.to_i128());
    let found = (coin(CoinAccount::Suspense), coin(CoinAccount::RefundDue(this())));
    assert_eq!(found, (units(state.in_suspense()), units(state.to_refund())), "{state:?}");
    let seen = matches!(state, State::Waiting(_, Switch::Off));
    let transit = if seen { -5_000_000 } else { 0 };
    assert_eq!(coin(CoinAccount::Transit(POLYGON)), transit, "{state:?}");
    assert!(!state.has_ended() || found == (0, 0), "INV-33: {state:?}");
}

#[test]
fn a_receipt_conserves_crypto_on_every_path() {
    for order in [order(), erroneous_delivery(), large(), homeless()] {
        let places = walk(State::Absent, 7, |state, _| {
            let commands = [
                receive(order.clone()),
                Command::Confirm,
                Command::Vanish,
                Command::DecideRefund(None),
                to("0xhome"),
                to("0xnamed"),
                sent("0xb1"),
                Command::Refund(RefundReport::Failed),
                Command::Refund(RefundReport::Lost),
            ];
            let steps = commands.into_iter().filter_map(|command| match decide(state, command) {
                Verdict::Applied(events) => Some(events[0].clone()),
                Verdict::Known | Verdict::SetAside => None,
            });
            steps.map(|event| (evolve(state, &event), entry(this(), &event))).collect()
        });
        for (state, tally) in &places {
            conserved(state, tally);
        }
        assert!(places.iter().any(|(state, _)| matches!(state, State::Vanished(_))));
        assert!(places.iter().any(|(state, _)| state.has_ended() && state.refund().is_some()));
    }
}
