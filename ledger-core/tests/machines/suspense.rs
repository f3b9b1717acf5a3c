//! Suspense: Part A16; rulings 1, 2; P:MispaidPix, P:SecondPix.

use ledger_core::accounting::{Account, Control};
use ledger_core::id::{Kind, OpId, SubaccountId};
use ledger_core::machine::Verdict;
use ledger_core::machine::suspense::{
    Command, Direction, Event, Float, Order, State, decide, entry, evolve, follows,
};

use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::{amount, applied, at, op};
use crate::walk::walk;

fn order(direction: Direction, float: Float) -> Order {
    Order {
        amount: amount(9_999),
        direction,
        float,
        about: None,
        outside: "E1".into(),
        paid_at: at("2026-10-20T12:10:00Z"),
        recovery: None,
    }
}

fn money_in() -> Order {
    order(Direction::In, Float::Collection)
}

fn money_out() -> Order {
    order(Direction::Out, Float::Payout)
}

fn of_a_court() -> Order {
    order(Direction::In, Float::Court)
}

const ANA: SubaccountId = SubaccountId(1);

fn charge(seq: u64) -> OpId {
    op(Kind::Charge, seq)
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Absent, |state, command| {
        let event = applied(decide(&state, command));
        assert!(follows(&state, &event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, &event)
    })
}

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Receive", Command::Receive(money_in())),
        ("Attach", Command::Attach(charge(7))),
        ("AttachTo", Command::Attach(charge(8))),
        ("Return", Command::Return),
        ("SendBack", Command::SendBack("D1".into())),
        ("Take", Command::Take(of_a_court(), ANA)),
        ("TakeOver", Command::TakeOver(op(Kind::CashOut, 9))),
    ];
    let received = || Command::Receive(money_in());
    let states = [
        ("Absent", after([])),
        ("In", after([received()])),
        ("Out", after([Command::Receive(money_out())])),
        ("DepBack", after([Command::Receive(order(Direction::Out, Float::Collection))])),
        ("PayBack", after([Command::Receive(order(Direction::In, Float::Payout))])),
        ("Attached", after([received(), Command::Attach(charge(7))])),
        ("Returned", after([received(), Command::Return])),
        ("Court", after([Command::Take(of_a_court(), ANA)])),
        ("Taken", {
            after([Command::Receive(money_out()), Command::TakeOver(op(Kind::CashOut, 9))])
        }),
    ];
    let lines = states.map(|(name, state)| {
        let answer = |command| cell(&decide(&state, command));
        (name, columns.iter().map(|(_, command)| answer(command.clone())).collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Receive   Attach    AttachTo  Return    SendBack  Take      TakeOver
Absent    Received  set_aside set_aside set_aside set_aside Ordered   set_aside
In        known     Attached  Attached  Returned  SentBack  known     set_aside
Out       known     set_aside set_aside Returned  SentBack  known     TakenOver
DepBack   known     set_aside set_aside Returned  SentBack  known     TakenOver
PayBack   known     Attached  Attached  Returned  SentBack  known     TakenOver
Attached  known     known     set_aside set_aside set_aside known     set_aside
Returned  known     set_aside set_aside known     known     known     set_aside
Court     known     set_aside set_aside Returned  SentBack  known     set_aside
Taken     known     set_aside set_aside set_aside set_aside known     set_aside
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let mut table = String::new();
    for (name, float) in [("collection", Float::Collection), ("payout", Float::Payout)] {
        for (way, direction) in [("in", Direction::In), ("out", Direction::Out)] {
            let order = order(direction, float);
            let received = Event::Received(order.clone());
            table += &line(&format!("Received {way}, {name}"), &entry(&received));
            let sent_back = Event::SentBack { order: order.clone(), return_id: "D1".into() };
            assert_eq!(entry(&sent_back), entry(&Event::Returned(order.clone())));
            table += &line(&format!("Returned {way}, {name}"), &entry(&Event::Returned(order)));
        }
    }
    let ordered = Event::Ordered { order: of_a_court(), subaccount: ANA };
    table += &line("Ordered", &entry(&ordered));
    table += &line("Returned, court", &entry(&Event::Returned(of_a_court())));
    table += &line("Attached", &entry(&Event::Attached(charge(7))));
    for (what, order) in [
        ("a payment", money_out()),
        ("a deposit returned", order(Direction::Out, Float::Collection)),
        ("a payment returned", order(Direction::In, Float::Payout)),
    ] {
        let taken = Event::TakenOver { order, by: op(Kind::CashOut, 9) };
        table += &line(&format!("TakenOver, {what}"), &entry(&taken));
    }
    assert_eq!(
        table,
        "\
Received in, collection
  Dr prov.pix 9999 / Cr susp.pix 9999
Returned in, collection
  Dr susp.pix 9999 / Cr prov.pix 9999
Received out, collection
  Dr recv.prov 9999 / Cr prov.pix 9999
Returned out, collection
  Dr prov.pix 9999 / Cr recv.prov 9999
Received in, payout
  Dr prov.pay 9999 / Cr susp.pix 9999
Returned in, payout
  Dr susp.pix 9999 / Cr prov.pay 9999
Received out, payout
  Dr recv.prov 9999 / Cr prov.pay 9999
Returned out, payout
  Dr prov.pay 9999 / Cr recv.prov 9999
Ordered
  forced Dr cust.avail[1] 9999 / Cr susp.pix 9999
  -9999 principal
Returned, court
  Dr susp.pix 9999 / Cr prov.pix 9999
Attached: nothing
TakenOver, a payment
  Dr prov.pay 9999 / Cr recv.prov 9999
TakenOver, a deposit returned
  Dr prov.pix 9999 / Cr recv.prov 9999
TakenOver, a payment returned
  Dr susp.pix 9999 / Cr prov.pay 9999
"
    );
}

#[test]
fn only_money_that_came_in_is_attached() {
    let out = after([Command::Receive(money_out())]);
    assert_eq!(decide(&out, Command::Attach(charge(7))), Verdict::SetAside);
    assert!(!follows(&out, &Event::Attached(charge(7))));
}

#[test]
fn what_a_court_takes_is_no_pix_and_what_is_received_no_court_takes() {
    assert_eq!(decide(&State::Absent, Command::Receive(of_a_court())), Verdict::SetAside);
    assert!(!follows(&State::Absent, &Event::Received(of_a_court())));
    for order in [money_in(), money_out(), order(Direction::Out, Float::Court)] {
        let command = Command::Take(order.clone(), ANA);
        assert_eq!(decide(&State::Absent, command), Verdict::SetAside);
        assert!(!follows(&State::Absent, &Event::Ordered { order, subaccount: ANA }));
    }
    let waiting = after([Command::Take(of_a_court(), ANA)]);
    assert!(!follows(&waiting, &Event::Attached(charge(7))));
    assert!(entry(&Event::Ordered { order: of_a_court(), subaccount: ANA }).is_forced());
}

#[test]
fn a_pix_received_is_attached_and_all_else_is_taken_over_by_what_it_is_of() {
    let by = op(Kind::CashOut, 9);
    for waiting in
        [after([Command::Receive(money_in())]), after([Command::Take(of_a_court(), ANA)])]
    {
        assert_eq!(decide(&waiting, Command::TakeOver(by)), Verdict::SetAside);
        let State::Waiting(order) = waiting.clone() else { panic!("it waits") };
        assert!(!follows(&waiting, &Event::TakenOver { order, by }));
    }
    for (direction, float) in [(Direction::Out, Float::Collection), (Direction::In, Float::Payout)]
    {
        let order = order(direction, float);
        let waiting = after([Command::Receive(order.clone())]);
        let taken = Event::TakenOver { order, by };
        assert_eq!(decide(&waiting, Command::TakeOver(by)), Verdict::Applied(taken));
    }
    let waiting = after([Command::Receive(money_out())]);
    let other = Order { amount: amount(9_998), ..money_out() };
    assert!(!follows(&waiting, &Event::TakenOver { order: other, by }));
}

#[test]
fn what_goes_back_is_what_was_received() {
    let waiting = after([Command::Receive(money_in())]);
    assert!(follows(&waiting, &Event::Returned(money_in())));
    let other = Order { amount: amount(9_998), ..money_in() };
    assert!(!follows(&waiting, &Event::Returned(other)));
    assert!(!follows(&waiting, &Event::Returned(money_out())));
}

#[test]
fn money_in_suspense_ends_attached_or_returned_on_every_path() {
    for order in [money_in(), money_out()] {
        let commands = [
            Command::Receive(order.clone()),
            Command::Attach(charge(7)),
            Command::Attach(charge(8)),
            Command::Return,
            Command::SendBack("D1".into()),
            Command::TakeOver(op(Kind::CashOut, 9)),
        ];
        let decided = |state: &State| {
            let verdicts = commands.iter().map(|command| decide(state, command.clone()));
            let events = verdicts.filter_map(|verdict| match verdict {
                Verdict::Applied(event) => Some(event),
                Verdict::Known | Verdict::SetAside => None,
            });
            events.collect::<Vec<_>>()
        };
        let places = walk(State::Absent, 6, |state, _| {
            decided(state).iter().map(|event| (evolve(state, event), entry(event))).collect()
        });
        let events = [
            Event::Received(order.clone()),
            Event::Attached(charge(7)),
            Event::Attached(charge(8)),
            Event::Returned(order.clone()),
            Event::TakenOver { order: order.clone(), by: op(Kind::CashOut, 9) },
        ];
        for (state, tally) in &places {
            for event in &events {
                let possible = decided(state).contains(event);
                assert_eq!(follows(state, event), possible, "{event:?} at {state:?}");
            }
            let incoming = order.direction == Direction::In;
            let waits = match state {
                // An attachment is booked by the charge's own credit; a claim ends when taken over.
                State::Attached(..) if !incoming => 0,
                State::Waiting(_) | State::Attached(..) => 9_999,
                State::Absent | State::Returned(_) => 0,
            };
            let expected = if incoming { (waits, 0) } else { (0, -waits) };
            let seen = (tally.balance(Account::SuspensePix), tally.under(Control::ProviderClaim));
            assert_eq!(seen, expected, "{state:?}");
            let open = matches!(state, State::Absent | State::Waiting(_));
            assert_eq!(state.has_ended(), !open);
        }
    }
}
