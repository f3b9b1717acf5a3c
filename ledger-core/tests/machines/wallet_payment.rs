//! Wallet payment: its course, its reserve, its postings; Part A13, rulings 35, W60 and W62.

mod forged;

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{Kind, OpId, Token};
use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee, Pix};
use ledger_core::machine::wallet::payment::{
    Adjudication, Bearer, Command, Cost, Event, FailureReason, Finding, Order, Stage, State,
    decide, entry, evolve, follows, reserve,
};
use ledger_core::terms::{Deal, ServiceFees, Switch};

use crate::forged::applied;
use crate::grid::{name, page, steps};
use crate::legs::line;
use crate::samples::{PARTNER, POLYGON, SOMEBODY, USDT, amount, as_cents, at, op, units};
use crate::walk::{Tally, walk};

const RICH: i128 = 1_000_000_000;

fn cashout() -> OpId {
    op(Kind::CashOut, 12)
}

/// W60: R$ 100.00 at 35 bps and a reserve of R$ 1.00, at 5.40.
fn cost(number: u128) -> Cost {
    let fees = ServiceFees { house: as_cents(35), partner: as_cents(0) };
    let deal = Deal { net: amount(10_000), fees, reserve: as_cents(100), residue: as_cents(0) };
    Cost { units: units(number), deal }
}

fn order() -> Order {
    let payee = Payee {
        pix_key: Some(SOMEBODY),
        merchant: None,
        tax_number: None,
        counted_as: Token([8; 16]),
        key_type: None,
        owner: Some(KeyOwner::Unproven),
    };
    Order {
        account: PARTNER,
        usdt: USDT,
        chain: POLYGON,
        asked: AmountBasis::Net(amount(10_000)),
        net: amount(10_000),
        payee,
        estimate: units(18_768_519),
        fee: Some(units(100_000)),
        reserved: units(19_057_204),
        quote: None,
        external_id: Some("p-1".into()),
        created_at: at("2026-10-20T12:00:00Z"),
    }
}

fn pix(e2e: &str) -> Pix {
    Pix {
        e2e: e2e.into(),
        paid_at: at("2026-10-20T12:10:00Z"),
        receipt_url: None,
        receipt_pdf_url: None,
        verify_url: None,
    }
}

/// Returns what a payment begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

fn ordered() -> Command {
    Command::Order(cashout(), cost(18_768_519))
}

fn send() -> Command {
    Command::Send("0xf1".into(), None)
}

fn pay() -> Command {
    Command::Pay(pix("E1"))
}

const FAIL: Command = Command::Fail(FailureReason::Provider);
const RETURN: Command = Command::Resolve(Adjudication::Return(Switch::Off));
const RETURN_LOST: Command = Command::Resolve(Adjudication::Return(Switch::On));
const CONSUME: Command = Command::Resolve(Adjudication::Lost);

fn found_paid() -> Command {
    Command::Find(Finding::Paid(pix("E1")))
}

fn decided_paid() -> Command {
    Command::Resolve(Adjudication::Paid(pix("E1")))
}

fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let Verdict::Applied(events) = decide(state, command.clone()) else {
        panic!("{command:?} was not applied to {state:?}")
    };
    let after = events.iter().fold(state.clone(), |state, event| {
        assert!(follows(&state, event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event)
    });
    (after, events)
}

/// Where the payment that was requested stands after `facts`.
fn after(facts: impl IntoIterator<Item = Command>) -> State {
    let requested = evolve(&State::Absent, &first(order()));
    facts.into_iter().fold(requested, |state, fact| step(&state, fact).0)
}

fn sending() -> State {
    after([ordered(), Command::Accept, Command::Begin])
}

fn sent_and(commands: impl IntoIterator<Item = Command>) -> State {
    let sent = [ordered(), Command::Accept, send()];
    after(sent.into_iter().chain(commands))
}

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Order", ordered()),
        ("Accept", Command::Accept),
        ("Begin", Command::Begin),
        ("Send", send()),
        ("Confirm", Command::Confirm),
        ("Pay", pay()),
        ("Fail", FAIL),
        ("Lose", Command::Lose),
        ("FoundSent", Command::Find(Finding::Sent("0xf1".into()))),
        ("FoundPaid", found_paid()),
        ("FoundFail", Command::Find(Finding::Failed)),
        ("Return", RETURN),
    ];
    let states = [
        ("Absent", State::Absent),
        ("Reserved", after([])),
        ("Ordered", after([ordered()])),
        ("Accepted", after([ordered(), Command::Accept])),
        ("Sending", sending()),
        ("Sent", sent_and([])),
        ("Arrived", sent_and([Command::Confirm])),
        ("Lost", {
            let (lost, _) = step(&sending(), Command::Lose);
            lost
        }),
        ("Unknown", sent_and([Command::Lose])),
        ("Completed", sent_and([pay()])),
        ("Failed", after([FAIL])),
        ("AfterSend", sent_and([FAIL])),
        ("Returned", sent_and([FAIL, RETURN])),
        ("GivenUp", sent_and([FAIL, RETURN_LOST])),
        ("Consumed", sent_and([FAIL, CONSUME])),
        ("LostThere", sent_and([Command::Confirm, FAIL, CONSUME])),
        ("Recovered", sent_and([FAIL, RETURN_LOST, Command::Confirm])),
    ];
    let lines = states.map(|(name_of_state, state)| {
        let cells =
            columns.iter().map(|(_, command)| steps(&decide(&state, command.clone()), name));
        (name_of_state, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Order     Accept    Begin     Send      Confirm   Pay       Fail      Lose      FoundSent FoundPaid FoundFail Return
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Reserved  Ordered   set_aside set_aside set_aside set_aside set_aside Failed    set_aside set_aside set_aside set_aside set_aside
Ordered   known     Accepted  set_aside set_aside set_aside set_aside Failed    set_aside set_aside set_aside set_aside set_aside
Accepted  known     known     Begun     Begun+Sent set_aside set_aside Failed    set_aside set_aside set_aside set_aside set_aside
Sending   known     known     known     Sent      set_aside set_aside Failed    Questioned set_aside set_aside set_aside set_aside
Sent      known     known     known     known     Confirmed Confirmed+Completed FailedAfterSend Questioned known     set_aside set_aside set_aside
Arrived   known     known     known     known     known     Completed FailedAfterSend Questioned known     set_aside set_aside set_aside
Lost      known     known     known     Sent      set_aside set_aside set_aside known     Sent      set_aside Failed    set_aside
Unknown   known     known     known     known     Confirmed Confirmed+Completed set_aside known     Resumed   Confirmed+Completed FailedAfterSend set_aside
Completed known     known     known     known     known     known     set_aside known     known     set_aside set_aside set_aside
Failed    set_aside set_aside set_aside set_aside set_aside set_aside known     known     set_aside set_aside set_aside set_aside
AfterSend known     known     known     known     Confirmed set_aside known     known     known     set_aside set_aside Resolved
Returned  known     known     known     known     Confirmed set_aside known     known     known     set_aside set_aside set_aside
GivenUp   known     known     known     known     Recovered set_aside known     known     Recovered set_aside set_aside set_aside
Consumed  known     known     known     known     Recovered set_aside known     known     Recovered set_aside set_aside set_aside
LostThere known     known     known     known     known     set_aside known     known     Recovered set_aside set_aside set_aside
Recovered known     known     known     known     known     set_aside known     known     known     set_aside set_aside set_aside
"
    );
}

fn legs(title: &str, state: &State, command: Command) -> String {
    let (_, events) = step(state, command);
    line(title, &entry(events.last().unwrap()))
}

#[test]
fn every_event_and_its_legs() {
    let dear = Command::Send("0xf1".into(), Some(units(7)));
    let failed = || sent_and([FAIL]);
    let arrived = || sent_and([Command::Confirm, FAIL]);
    let (_, doubted) = step(&sending(), dear);
    let table = [
        line("Requested", &entry(&first(order()))),
        legs("Ordered", &after([]), ordered()),
        legs("Sent", &sending(), send()),
        line("Sent, and more", &entry(&doubted[0])),
        legs("Confirmed", &sent_and([]), Command::Confirm),
        legs("Completed", &sent_and([]), pay()),
        legs("Failed", &sending(), FAIL),
        legs("FailedAfterSend", &sent_and([]), FAIL),
        legs("Returned", &failed(), RETURN),
        legs("Returned, coins lost on their way", &failed(), RETURN_LOST),
        legs("Returned, coins lost once there", &arrived(), RETURN_LOST),
        legs("Found paid", &failed(), decided_paid()),
        legs("Lost on their way", &failed(), CONSUME),
        legs("Lost once there", &arrived(), CONSUME),
        legs("Recovered, ours", &sent_and([FAIL, RETURN_LOST]), Command::Confirm),
        legs("Recovered, the client's", &sent_and([FAIL, CONSUME]), Command::Confirm),
    ];
    assert_eq!(
        table.concat(),
        "\
Requested
  asset 0: Dr wal.avail[3] 19057204 / Cr wal.reserved[3] 19057204
Ordered: nothing
Sent
  asset 0: Dr transit[0] 18768519 / Cr treas[0] 18768519
Sent, and more
  asset 0: Dr transit[0] 18768519 / Cr treas[0] 18768519
  asset 0: Dr exp.slippage 7 / Cr treas[0] 7
Confirmed: nothing
Completed
  Dr fx 10135 / Cr prov.pay 10000, rev.cashout 35, rev.reserve 100
  asset 0: Dr wal.reserved[3] 18768519 / Cr fx 18768519
  asset 0: Dr wal.reserved[3] 100000 / Cr exp.gas 100000
  asset 0: Dr wal.reserved[3] 188685 / Cr wal.avail[3] 188685
Failed
  asset 0: Dr wal.reserved[3] 19057204 / Cr wal.avail[3] 19057204
FailedAfterSend: nothing
Returned
  asset 0: Dr wal.reserved[3] 19057204 / Cr wal.avail[3] 19057204
Returned, coins lost on their way
  asset 0: Dr wal.reserved[3] 19057204 / Cr wal.avail[3] 19057204
  asset 0: Dr exp.loss 18768519 / Cr transit[0] 18768519
Returned, coins lost once there
  asset 0: Dr wal.reserved[3] 19057204 / Cr wal.avail[3] 19057204
  asset 0: Dr exp.loss 18768519 / Cr treas[0] 18768519
Found paid
  Dr fx 10135 / Cr prov.pay 10000, rev.cashout 35, rev.reserve 100
  asset 0: Dr wal.reserved[3] 18768519 / Cr fx 18768519
  asset 0: Dr wal.reserved[3] 100000 / Cr exp.gas 100000
  asset 0: Dr wal.reserved[3] 188685 / Cr wal.avail[3] 188685
Lost on their way
  asset 0: Dr wal.reserved[3] 18768519 / Cr transit[0] 18768519
  asset 0: Dr wal.reserved[3] 100000 / Cr exp.gas 100000
  asset 0: Dr wal.reserved[3] 188685 / Cr wal.avail[3] 188685
Lost once there
  asset 0: Dr wal.reserved[3] 18768519 / Cr treas[0] 18768519
  asset 0: Dr wal.reserved[3] 100000 / Cr exp.gas 100000
  asset 0: Dr wal.reserved[3] 188685 / Cr wal.avail[3] 188685
Recovered, ours
  asset 0: Dr treas[0] 18768519 / Cr exp.loss 18768519
Recovered, the client's: nothing
"
    );
}

#[test]
fn w60_up_to_one_percent_more_is_reserved_and_less_only_where_that_is_allowed() {
    let total = units(18_868_519);
    let reserved = |available, strict| reserve(total, available, strict).map(Units::get);
    assert_eq!(reserved(RICH, Switch::Off), Some(19_057_204), "the floor");
    assert_eq!(reserved(19_057_204, Switch::On), Some(19_057_204));
    assert_eq!(reserved(19_057_203, Switch::Off), Some(19_057_203), "all that is available");
    assert_eq!(reserved(19_057_203, Switch::On), None);
    assert_eq!(reserved(18_868_519, Switch::Off), Some(18_868_519));
    for strict in [Switch::Off, Switch::On] {
        assert_eq!(reserved(18_868_518, strict), None);
        assert_eq!(reserved(-1, strict), None, "P:ReverseSpent");
    }
}

#[test]
fn an_order_above_the_reserve_fails_the_payment_before_anything_is_sent() {
    // P:CostAboveReserve: 18.957204 and the fee are all of the reserve.
    let dear = |number| step(&after([]), Command::Order(cashout(), cost(number))).0;
    let stage = |state: &State| state.progress().unwrap().stage;
    assert_eq!(stage(&dear(18_957_204)), Stage::Ordered);
    let failed = dear(18_957_205);
    assert_eq!(stage(&failed), Stage::Failed);
    assert_eq!(failed.progress().unwrap().reason, Some(FailureReason::Cost));
}

#[test]
fn more_than_the_cost_that_was_sent_is_ours_to_bear_and_looked_at() {
    let (state, events) = step(&sending(), Command::Send("0xf1".into(), Some(units(7))));
    assert_eq!(events.iter().map(name).collect::<Vec<_>>(), ["Sent", "Questioned"]);
    let (done, _) = step(&state, found_paid());
    assert_eq!(done.progress().unwrap().debited_units(), Some(units(18_868_519)), "INV-37");
}

#[test]
fn w62_a_reserve_is_decided_on_once() {
    let returned = sent_and([FAIL, RETURN]);
    for again in [RETURN, CONSUME, decided_paid()] {
        assert_eq!(decide(&returned, again), Verdict::SetAside);
    }
    assert_eq!(returned.progress().unwrap().stage, Stage::FailedAfterSend, "its status stays");
    assert!(returned.has_ended() && !sent_and([FAIL]).has_ended());
}

/// What may be reported of a payment that its reserve covers, but that the reserve goes back whole.
fn every_command() -> Vec<Command> {
    vec![
        ordered(),
        Command::Accept,
        Command::Begin,
        send(),
        Command::Confirm,
        pay(),
        FAIL,
        Command::Lose,
        Command::Find(Finding::Sent("0xf1".into())),
        found_paid(),
        Command::Find(Finding::Failed),
        RETURN_LOST,
        decided_paid(),
        CONSUME,
    ]
}

fn at_rest(state: &State, tally: &Tally) {
    let coin = |account| tally.coin(USDT, account);
    let reserved = coin(CoinAccount::WalletReserved(PARTNER));
    let available = coin(CoinAccount::WalletAvailable(PARTNER));
    let Some(progress) = state.progress() else {
        assert_eq!((reserved, available), (0, 0));
        return;
    };
    let all = progress.order.reserved.to_i128();
    let kept = if progress.is_reserved() { all } else { 0 };
    let taken = progress.debited_units().map_or(0, Units::to_i128);
    assert_eq!((reserved, available), (kept, -kept - taken), "{state:?}");
    let lost = coin(CoinAccount::Loss) + coin(CoinAccount::Transit(POLYGON));
    if progress.recovered.is_on() && progress.given_up() == Some(Bearer::House) {
        assert_eq!(lost + coin(CoinAccount::Treasury(POLYGON)), 0, "{state:?}");
        assert_eq!(coin(CoinAccount::Loss), 0, "what was lost is there");
    }
    if progress.stage == Stage::Completed {
        let (_, cost) = progress.cashout.unwrap();
        assert_eq!(taken, cost.units.to_i128() + 100_000, "INV-37");
    }
    assert!(taken <= all);
}

#[test]
fn the_reserve_stands_until_the_payment_is_settled_on_every_path() {
    let mut commands = every_command();
    commands.push(Command::Order(cashout(), cost(18_957_205)));
    let places = walk(State::Absent, 9, |state, tally| {
        let mut next = Vec::new();
        let begun = matches!(state, State::Absent).then(|| vec![first(order())]);
        let reported = applied(commands.iter().map(|command| decide(state, command.clone())));
        for events in begun.into_iter().chain(reported) {
            let (mut state, mut seen) = (state.clone(), tally.clone());
            let mut posted = None;
            for event in events {
                assert!(follows(&state, &event), "{event:?} after {state:?}");
                state = evolve(&state, &event);
                let entry = entry(&event);
                seen.add(&entry);
                at_rest(&state, &seen);
                // At most one step of a decision posts anything.
                if !entry.is_empty() {
                    assert!(posted.is_none(), "{event:?}");
                    posted = Some(entry);
                }
            }
            next.push((state, posted.unwrap_or(ledger_core::accounting::Entry::NONE)));
        }
        next
    });
    assert!(places.len() > 20, "{}", places.len());
}
