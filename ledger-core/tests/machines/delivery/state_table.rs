//! Every piece of news in every state of a delivery, and every event's legs.

use ledger_core::accounting::{Account, Entry};
use ledger_core::machine::delivery::{
    Command, DeliveryReport, DeliveryTerms, Earned, Event, decide, entry, undone,
};
use ledger_core::terms::ServiceFees;

use super::{confirm, earned, flight, states, this};
use crate::grid::{name, page, steps};
use crate::legs::line;
use crate::samples::{as_cents, delivery_terms, fees};

/// The page of what is reported of one attempt, or of the one under way.
fn effects_of(attempt: Option<u32>) -> String {
    let columns = [
        ("Begin", DeliveryReport::Begin),
        ("Accept", DeliveryReport::Accept),
        ("Confirm", confirm("0xa1")),
        ("Another", confirm("0xb2")),
        ("Fail", DeliveryReport::Fail),
        ("Lose", DeliveryReport::Lose),
    ];
    let lines = states().map(|(state, at)| {
        let cells = columns.iter().map(|(_, report)| {
            let command = Command { attempt, report: report.clone() };
            steps(&decide(&at, command, delivery_terms(), earned()), name)
        });
        (state, cells.collect())
    });
    page(&columns.each_ref().map(|(column, _)| *column), lines)
}

#[test]
fn every_news_of_the_attempt_under_way_in_every_state() {
    assert_eq!(
        effects_of(None),
        "\
State     Begin     Accept    Confirm   Another   Fail      Lose
Waiting   Begun     Begun+Accepted Begun+Sent Begun+Sent Begun+Failed Begun+Unknown
Sending   known     Accepted  Sent      Sent      Failed    Unknown
Accepted  known     known     Sent      Sent      Failed    Unknown
Unknown   known     known     Sent      Sent      Failed    known
Retrying  BegunAgain known     Sent      Sent      known     known
Again     known     Accepted  Sent      Sent      Failed    Unknown
Sent      known     known     known     set_aside set_aside known
"
    );
}

#[test]
fn every_news_of_the_first_attempt_in_every_state() {
    assert_eq!(
        effects_of(Some(1)),
        "\
State     Begin     Accept    Confirm   Another   Fail      Lose
Waiting   Begun     Begun+Accepted Begun+Sent Begun+Sent Begun+Failed Begun+Unknown
Sending   known     Accepted  Sent      Sent      Failed    Unknown
Accepted  known     known     Sent      Sent      Failed    Unknown
Unknown   known     known     Sent      Sent      Failed    known
Retrying  known     known     Sent      Sent      known     known
Again     known     known     Sent      Sent      known     known
Sent      known     known     known     set_aside set_aside known
"
    );
}

#[test]
fn every_news_of_the_second_attempt_in_every_state() {
    assert_eq!(
        effects_of(Some(2)),
        "\
State     Begin     Accept    Confirm   Another   Fail      Lose
Waiting   set_aside set_aside Begun+Sent Begun+Sent set_aside set_aside
Sending   set_aside set_aside Sent      Sent      set_aside set_aside
Accepted  set_aside set_aside Sent      Sent      set_aside set_aside
Unknown   set_aside set_aside Sent      Sent      set_aside set_aside
Retrying  BegunAgain BegunAgain+Accepted Sent      Sent      BegunAgain+Failed BegunAgain+Unknown
Again     known     Accepted  Sent      Sent      Failed    Unknown
Sent      set_aside set_aside known     set_aside known     set_aside
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let sent = |delivery_terms: DeliveryTerms, fees: ServiceFees| Event::Sent {
        delivery_terms,
        earned: Earned { fees, ..earned() },
        hash: "0xa1".into(),
        attempt: None,
    };
    let free = DeliveryTerms { network_fee: None, ..delivery_terms() };
    let house = ServiceFees { partner: as_cents(0), ..fees() };
    let events = [
        ("Begun", Event::Begun(delivery_terms())),
        ("BegunAgain", Event::BegunAgain { attempt: 2 }),
        ("Accepted", Event::Accepted),
        ("Failed", Event::Failed),
        ("Unknown", Event::Unknown),
        ("Sent", sent(delivery_terms(), fees())),
        ("Sent, the network takes nothing", sent(free, fees())),
        ("Sent, no partner", sent(delivery_terms(), house)),
        ("Sent, no fees", sent(delivery_terms(), ServiceFees::default())),
    ];
    let mut table: String = events
        .iter()
        .map(|(title, event)| line(title, &entry(this(), event, flight(), Account::PurchaseIncome)))
        .collect();
    let back = undone(Entry::NONE, this(), Some(delivery_terms()), flight());
    table += &line("undone", &back);
    table += &line("undone, nothing bought", &undone(Entry::NONE, this(), None, flight()));
    assert_eq!(table, TABLE);
}

const TABLE: &str = "\
Begun
  Dr flight.pix_in[Charge#7] 9470 / Cr fx 9470
  asset 0: Dr fx 17537037 / Cr flight.deliv[Charge#7] 17537037
BegunAgain: nothing
Accepted: nothing
Failed: nothing
Unknown: nothing
Sent
  Dr flight.pix_in[Charge#7] 530 / Cr rev.purchase 430, comm[3] 100
  asset 0: Dr flight.deliv[Charge#7] 17437037 / Cr treas[0] 17437037
  asset 0: Dr flight.deliv[Charge#7] 100000 / Cr exp.gas 100000
Sent, the network takes nothing
  Dr flight.pix_in[Charge#7] 530 / Cr rev.purchase 430, comm[3] 100
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr treas[0] 17537037
Sent, no partner
  Dr flight.pix_in[Charge#7] 430 / Cr rev.purchase 430
  asset 0: Dr flight.deliv[Charge#7] 17437037 / Cr treas[0] 17437037
  asset 0: Dr flight.deliv[Charge#7] 100000 / Cr exp.gas 100000
Sent, no fees
  asset 0: Dr flight.deliv[Charge#7] 17437037 / Cr treas[0] 17437037
  asset 0: Dr flight.deliv[Charge#7] 100000 / Cr exp.gas 100000
undone
  Dr fx 9470 / Cr flight.pix_in[Charge#7] 9470
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr fx 17537037
undone, nothing bought: nothing
";
