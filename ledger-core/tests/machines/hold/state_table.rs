//! Every command in every state of a hold, and every event's legs.

use ledger_core::machine::hold::{Command, Event, entry};

use super::{after, capture, decide, place, release, reserve, step, take, with};
use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::ANA;

#[test]
fn every_command_in_every_state() {
    let rich = with(5_000, 0);
    let columns = [
        ("Place", place()),
        ("TopUp", Command::TopUp),
        ("Lapse", Command::Lapse),
        ("Part", release(100)),
        ("Whole", Command::Release(None)),
        ("Take", take(100)),
        ("Return", Command::Return(crate::samples::amount(100))),
        ("Reserve", reserve()),
        ("Capture", capture(100)),
    ];
    let short = || (place(), with(600, 0));
    let states = [
        ("Absent", after([])),
        ("Full", after([(place(), rich)])),
        ("Short", after([short()])),
        ("Lapsed", after([short(), (Command::Lapse, rich)])),
        ("Empty", after([(place(), with(0, 0))])),
        ("Closed", after([short(), (Command::Release(None), rich)])),
        ("Reserved", after([(reserve(), rich)])),
        ("Captured", after([(reserve(), rich), (capture(900), rich)])),
        ("Over", after([(reserve(), rich), (capture(1_000), rich)])),
    ];
    let lines = states.map(|(name, state)| {
        let cells = columns.iter().map(|(_, command)| cell(&decide(&state, command.clone(), rich)));
        (name, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Place     TopUp     Lapse     Part      Whole     Take      Return    Reserve   Capture
Absent    Placed    set_aside set_aside set_aside set_aside set_aside set_aside Placed    set_aside
Full      known     known     Lapsed    Released  Released  Taken     Returned  known     set_aside
Short     known     ToppedUp  Lapsed    Released  Released  Taken     Returned  known     set_aside
Lapsed    known     known     known     Released  Released  Taken     Returned  known     set_aside
Empty     known     ToppedUp  Lapsed    set_aside Released  set_aside set_aside known     set_aside
Closed    known     known     known     known     known     set_aside set_aside known     set_aside
Reserved  known     known     Lapsed    Released  Released  set_aside set_aside known     Captured
Captured  known     known     Lapsed    Released  Released  set_aside set_aside known     Captured
Over      known     known     known     known     known     set_aside set_aside known     set_aside
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let event =
        |steps: &[(Command, _)], command, now| step(&after(steps.iter().cloned()), command, now).1;
    let (blind, rich, mixed) = (with(0, 0), with(5_000, 0), with(700, 300));
    let events = [
        ("Placed on available", event(&[], place(), rich)),
        ("Placed on the held part and available", event(&[], place(), mixed)),
        ("Placed on the held part alone", event(&[], place(), with(0, 1_000))),
        ("Placed on nothing", event(&[], place(), blind)),
        ("ToppedUp", event(&[(place(), with(600, 0))], Command::TopUp, rich)),
        ("Lapsed", event(&[(place(), blind)], Command::Lapse, blind)),
        ("Released to available", event(&[(place(), rich)], release(400), blind)),
        ("Released to both", event(&[(place(), mixed)], Command::Release(None), mixed)),
        ("Released, all matured", event(&[(place(), mixed)], Command::Release(None), blind)),
        ("Taken", event(&[(place(), mixed)], take(400), blind)),
        (
            "Returned",
            event(&[(place(), rich)], Command::Return(crate::samples::amount(400)), blind),
        ),
        ("Reserved", event(&[], reserve(), rich)),
        ("Captured", event(&[(reserve(), rich)], capture(400), blind)),
    ];
    for (title, event) in &events {
        let subaccount = match event {
            Event::Placed { order, .. } => order.subaccount,
            Event::ToppedUp { subaccount, .. }
            | Event::Released { subaccount, .. }
            | Event::Taken { subaccount, .. }
            | Event::Captured { subaccount, .. }
            | Event::Returned { subaccount, .. } => *subaccount,
            Event::Lapsed => ANA,
        };
        assert_eq!(subaccount, ANA, "{title}");
    }
    let table: String = events.iter().map(|(title, event)| line(title, &entry(event))).collect();
    assert_eq!(
        table,
        "\
Placed on available
  Dr cust.avail[1] 1000 / Cr cust.frozen[1] 1000
Placed on the held part and available
  Dr cust.avail[1] 700 / Cr cust.frozen[1] 700
Placed on the held part alone: nothing
Placed on nothing: nothing
ToppedUp
  Dr cust.avail[1] 400 / Cr cust.frozen[1] 400
Lapsed: nothing
Released to available
  Dr cust.frozen[1] 400 / Cr cust.avail[1] 400
Released to both
  Dr cust.frozen[1] 700 / Cr cust.avail[1] 700
Released, all matured
  Dr cust.frozen[1] 1000 / Cr cust.avail[1] 1000
Taken
  Dr cust.frozen[1] 400 / Cr cust.avail[1] 400
Returned: nothing
Reserved
  Dr cust.avail[1] 1000 / Cr cust.frozen[1] 1000
Captured
  Dr cust.frozen[1] 400 / Cr cust.avail[2] 400
  -400 principal, +400 principal
"
    );
}
