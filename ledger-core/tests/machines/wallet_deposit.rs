//! Wallet deposit: requests, transfers, what a person decides; Part A12, rulings 33 and 34.

mod forged;

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{AssetId, ChainId, Kind};
use ledger_core::machine::Verdict;
use ledger_core::machine::wallet::deposit::{
    Command, Doubt, Event, Mark, Order, Origin, Rejection, State, Transfer, decide, entry, evolve,
    follows,
};
use ledger_core::terms::Stablecoin;

use crate::forged::applied as decided_by;
use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::{PARTNER, POLYGON, USDT, WALLET, applied, at, op, units};
use crate::walk::{Tally, walk};

const USDC: AssetId = AssetId(1);
const DAI: AssetId = AssetId(2);

/// W59: 100 and a suffix of 137 millionths.
fn order() -> Order {
    Order {
        account: PARTNER,
        chain: POLYGON,
        network: "polygon".into(),
        title: "Polygon".into(),
        accepted: vec![(Stablecoin::Usdt, USDT), (Stablecoin::Usdc, USDC)],
        address: WALLET.into(),
        requested: units(100_000_000),
        amount: units(100_000_137),
        origin: Origin::Request,
        created_at: at("2026-10-20T12:00:00Z"),
        expires_at: at("2026-10-20T13:00:00Z"),
    }
}

fn mark(hash: &str) -> Mark {
    Mark { hash: hash.into(), index: 0 }
}

fn transfer(asset: AssetId, number: u128) -> Transfer {
    let usdt = (asset != DAI).then_some(USDT);
    Transfer { asset, chain: POLYGON, units: units(number), mark: mark("0xd1"), usdt }
}

fn exact() -> Transfer {
    transfer(USDT, 100_000_137)
}

/// Where a deposit that began with `first` stands after `facts`.
fn from(first: Event, facts: impl IntoIterator<Item = Command>) -> State {
    let begun = evolve(&State::Absent, &first, at("2026-10-20T12:30:00Z"));
    facts.into_iter().fold(begun, |state, fact| {
        let event = applied(decide(&state, fact));
        assert!(follows(&state, &event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, &event, at("2026-10-20T12:30:00Z"))
    })
}

/// Where the deposit that was requested stands after `facts`.
fn after(facts: impl IntoIterator<Item = Command>) -> State {
    from(first(order()), facts)
}

/// Returns what a deposit that is asked for begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

/// Returns what one that nobody asked for begins with.
fn found(transfer: Transfer) -> Event {
    applied(decide(&State::Absent, find(transfer)))
}

fn find(transfer: Transfer) -> Command {
    Command::Find { transfer, about: None }
}

fn see(transfer: Transfer) -> Command {
    Command::See(transfer)
}

fn confirm() -> Command {
    Command::Confirm(mark("0xd1"))
}

fn doubt() -> Command {
    Command::Doubt(mark("0xd1"), Doubt::Reorganisation)
}

fn clear() -> Command {
    Command::Clear { account: None, credited: None }
}

const RETURNED: Command = Command::Reject(Rejection::Returned);
const VANISHED: Command = Command::Reject(Rejection::Vanished);

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Find", find(exact())),
        ("Expire", Command::Expire),
        ("See", see(exact())),
        ("Differ", see(transfer(USDT, 100_000_000))),
        ("Another", see(Transfer { mark: mark("0xe2"), ..exact() })),
        ("Confirm", confirm()),
        ("Doubt", doubt()),
        ("Clear", clear()),
        ("Return", RETURNED),
        ("Vanish", VANISHED),
        ("Reverse", Command::Reverse),
    ];
    let wrong = || see(transfer(USDT, 100_000_000));
    let states = [
        ("Absent", State::Absent),
        ("Waiting", after([])),
        ("Expired", after([Command::Expire])),
        ("Seen", after([see(exact())])),
        ("Review", after([wrong()])),
        ("Settled", after([wrong(), confirm()])),
        ("Found", from(found(exact()), [])),
        ("Available", after([see(exact()), confirm()])),
        ("Cleared", after([wrong(), confirm(), clear()])),
        ("Returned", after([wrong(), confirm(), RETURNED])),
        ("Vanished", after([wrong(), VANISHED])),
        ("Reversed", after([see(exact()), confirm(), Command::Reverse])),
        ("Again", after([wrong(), VANISHED, wrong()])),
    ];
    let lines = states.map(|(name, state)| {
        let answer = |command| decide(&state, command);
        (name, columns.iter().map(|(_, command)| cell(&answer(command.clone()))).collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Find      Expire    See       Differ    Another   Confirm   Doubt     Clear     Return    Vanish    Reverse
Absent    Found     set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Waiting   set_aside Expired   Seen      Mismatched Seen      set_aside set_aside set_aside set_aside set_aside set_aside
Expired   set_aside set_aside Mismatched Mismatched Mismatched set_aside set_aside set_aside set_aside set_aside set_aside
Seen      set_aside set_aside known     known     set_aside Credited  Doubted   set_aside set_aside set_aside set_aside
Review    set_aside set_aside known     known     set_aside Settled   known     set_aside set_aside Rejected  set_aside
Settled   set_aside set_aside known     known     set_aside known     known     Cleared   Rejected  set_aside set_aside
Found     set_aside set_aside known     known     set_aside Settled   known     set_aside set_aside Rejected  set_aside
Available set_aside set_aside known     known     set_aside known     set_aside known     set_aside set_aside Reversed
Cleared   set_aside set_aside known     known     set_aside known     set_aside known     set_aside set_aside Reversed
Returned  set_aside set_aside known     known     set_aside known     set_aside set_aside known     set_aside set_aside
Vanished  set_aside set_aside MinedAgain MinedAgain set_aside Reappeared set_aside set_aside set_aside known     set_aside
Reversed  set_aside set_aside MinedAgain MinedAgain set_aside known     set_aside set_aside set_aside set_aside known
Again     set_aside set_aside known     known     set_aside Settled   known     set_aside set_aside Rejected  set_aside
"
    );
}

fn table(transfer: &Transfer) -> String {
    let (account, copy) = (PARTNER, || transfer.clone());
    let credited = units(100_000_000);
    let doubt = Doubt::Compliance;
    let rejected = |rejection| Event::Rejected { transfer: copy(), rejection };
    [
        line("Requested", &entry(&first(order()))),
        line("Expired", &entry(&Event::Expired)),
        line("Seen", &entry(&Event::Seen { account, transfer: copy() })),
        line("Mismatched", &entry(&Event::Mismatched(copy()))),
        line("Found", &entry(&Event::Found { transfer: copy(), about: None })),
        line("Credited", &entry(&Event::Credited { account, transfer: copy() })),
        line("Doubted", &entry(&Event::Doubted { account, transfer: copy(), doubt })),
        line("Settled", &entry(&Event::Settled(copy()))),
        line("Cleared", &entry(&Event::Cleared { account, transfer: copy(), credited })),
        line("Rejected, returned", &entry(&rejected(Rejection::Returned))),
        line("Rejected, vanished", &entry(&rejected(Rejection::Vanished))),
        line("Reappeared", &entry(&Event::Reappeared(copy()))),
        line("Reversed", &entry(&Event::Reversed { account, transfer: copy(), credited })),
        line("MinedAgain", &entry(&Event::MinedAgain(copy()))),
    ]
    .concat()
}

#[test]
fn every_event_and_its_legs_of_usdt() {
    assert_eq!(
        table(&exact()),
        "\
Requested: nothing
Expired: nothing
Seen
  asset 0: Dr transit[0] 100000137 / Cr wal.confirming[3] 100000137
Mismatched
  asset 0: Dr transit[0] 100000137 / Cr susp.crypto 100000137
Found
  asset 0: Dr transit[0] 100000137 / Cr susp.crypto 100000137
Credited
  asset 0: Dr treas[0] 100000137 / Cr transit[0] 100000137
  asset 0: Dr wal.confirming[3] 100000137 / Cr wal.avail[3] 100000137
Doubted
  asset 0: Dr wal.confirming[3] 100000137 / Cr susp.crypto 100000137
Settled
  asset 0: Dr treas[0] 100000137 / Cr transit[0] 100000137
Cleared
  asset 0: Dr susp.crypto 100000000 / Cr wal.avail[3] 100000000
  asset 0: Dr susp.crypto 137 / Cr treas[0] 137
Rejected, returned
  asset 0: Dr susp.crypto 100000137 / Cr treas[0] 100000137
Rejected, vanished
  asset 0: Dr susp.crypto 100000137 / Cr transit[0] 100000137
Reappeared
  asset 0: Dr treas[0] 100000137 / Cr susp.crypto 100000137
Reversed
  asset 0: Dr wal.avail[3] 100000000 / Cr treas[0] 100000000
MinedAgain
  asset 0: Dr transit[0] 100000137 / Cr susp.crypto 100000137
"
    );
    let (account, transfer, credited) = (PARTNER, exact(), units(1));
    assert!(entry(&Event::Reversed { account, transfer, credited }).is_forced());
}

#[test]
fn every_event_and_its_legs_of_usdc_goes_through_the_exchange_pair_at_par() {
    // Rulings 34; WAL-21.
    assert_eq!(
        table(&transfer(USDC, 100_000_137)),
        "\
Requested: nothing
Expired: nothing
Seen
  asset 1: Dr transit[0] 100000137 / Cr fx 100000137
  asset 0: Dr fx 100000137 / Cr wal.confirming[3] 100000137
Mismatched
  asset 1: Dr transit[0] 100000137 / Cr susp.crypto 100000137
Found
  asset 1: Dr transit[0] 100000137 / Cr susp.crypto 100000137
Credited
  asset 1: Dr treas[0] 100000137 / Cr transit[0] 100000137
  asset 0: Dr wal.confirming[3] 100000137 / Cr wal.avail[3] 100000137
Doubted
  asset 0: Dr wal.confirming[3] 100000137 / Cr fx 100000137
  asset 1: Dr fx 100000137 / Cr susp.crypto 100000137
Settled
  asset 1: Dr treas[0] 100000137 / Cr transit[0] 100000137
Cleared
  asset 1: Dr susp.crypto 100000000 / Cr fx 100000000
  asset 0: Dr fx 100000000 / Cr wal.avail[3] 100000000
  asset 1: Dr susp.crypto 137 / Cr treas[0] 137
Rejected, returned
  asset 1: Dr susp.crypto 100000137 / Cr treas[0] 100000137
Rejected, vanished
  asset 1: Dr susp.crypto 100000137 / Cr transit[0] 100000137
Reappeared
  asset 1: Dr treas[0] 100000137 / Cr susp.crypto 100000137
Reversed
  asset 0: Dr wal.avail[3] 100000000 / Cr fx 100000000
  asset 1: Dr fx 100000000 / Cr treas[0] 100000000
MinedAgain
  asset 1: Dr transit[0] 100000137 / Cr susp.crypto 100000137
"
    );
}

#[test]
fn a_millionth_another_token_or_another_network_is_under_review() {
    // WAL-19, W59.
    let elsewhere = Transfer { chain: ChainId(9), ..exact() };
    let usdc_only = Order { accepted: vec![(Stablecoin::Usdc, USDC)], ..order() };
    for other in [
        transfer(USDT, 100_000_000),
        transfer(USDT, 100_000_138),
        transfer(DAI, 100_000_137),
        elsewhere,
    ] {
        let state = after([see(other)]);
        assert!(matches!(state, State::UnderReview(_)), "{state:?}");
    }
    let refused = from(first(usdc_only), [see(exact())]);
    assert!(matches!(refused, State::UnderReview(_)), "USDT is not taken there");
    assert!(matches!(after([see(transfer(USDC, 100_000_137))]), State::Confirming(_)));
}

#[test]
fn what_is_let_in_is_confirmed_of_a_token_at_par_for_one_account_and_at_most_what_arrived() {
    let cleared = |state: &State, account, credited| {
        let command = Command::Clear { account, credited };
        matches!(decide(state, command), Verdict::Applied(_))
    };
    let found = from(found(exact()), [confirm()]);
    assert!(!cleared(&found, None, None), "nobody says whose it is");
    assert!(cleared(&found, Some(PARTNER), None));
    assert!(cleared(&found, Some(PARTNER), Some(units(1))));
    assert!(!cleared(&found, Some(PARTNER), Some(units(100_000_138))));
    let dai = after([see(transfer(DAI, 5)), confirm()]);
    assert!(!cleared(&dai, None, None), "DAI is no USDT");
    let late = after([Command::Expire, see(exact()), confirm()]);
    assert!(cleared(&late, None, None));
    assert!(!cleared(&late, Some(ledger_core::id::AccountId(4)), None), "it is another's");
}

#[test]
fn an_event_of_another_deposit_may_not_follow() {
    let seen = after([see(exact())]);
    let other = Transfer { units: units(1), ..exact() };
    let stranger = ledger_core::id::AccountId(4);
    assert!(follows(&seen, &Event::Credited { account: PARTNER, transfer: exact() }));
    assert!(!follows(&seen, &Event::Credited { account: PARTNER, transfer: other }));
    assert!(!follows(&seen, &Event::Credited { account: stranger, transfer: exact() }));
    let waiting = after([]);
    assert!(!follows(&waiting, &Event::Mismatched(exact())), "what was asked for is no mismatch");
    let credited = after([see(exact()), confirm()]);
    let reversed = |credited| Event::Reversed { account: PARTNER, transfer: exact(), credited };
    assert!(follows(&credited, &reversed(units(100_000_137))));
    assert!(!follows(&credited, &reversed(units(100_000_138))));
    let found = Event::Found { transfer: exact(), about: Some(op(Kind::WalletDeposit, 7)) };
    assert!(follows(&State::Absent, &found) && !follows(&waiting, &found));
}

#[test]
fn news_of_another_transfer_is_not_the_deposits() {
    let other = || mark("0xe2");
    for state in [
        after([see(exact())]),
        after([see(transfer(USDT, 100_000_000))]),
        after([see(exact()), confirm()]),
    ] {
        let report = [Command::Confirm(other()), Command::Doubt(other(), Doubt::Reorganisation)];
        for command in report {
            assert_eq!(decide(&state, command), Verdict::SetAside, "{state:?}");
        }
    }
}

#[test]
fn coins_that_come_again_leave_the_amount_to_others_and_are_nobodys_credit() {
    // INV-38: the request is over, and another may await the same amount by now.
    for gone in [
        after([see(transfer(USDT, 7)), VANISHED]),
        after([see(exact()), confirm(), Command::Reverse]),
    ] {
        assert!(gone.gone_transfer().is_some() && gone.awaits().is_none());
        let coins = gone.arrival().unwrap().transfer.clone();
        let event = applied(decide(&gone, see(coins)));
        let again = evolve(&gone, &event, at("2026-10-20T12:40:00Z"));
        assert!(again.awaits().is_none(), "{again:?}");
        assert_eq!(again.arrival().unwrap().credit, None);
        assert_eq!(again.account(), Some(PARTNER));
    }
    let gone = after([see(transfer(USDT, 7)), VANISHED]);
    let more = applied(decide(&gone, see(transfer(USDT, 8))));
    let again = evolve(&gone, &more, at("2026-10-20T12:40:00Z"));
    assert_eq!(again.arrival().unwrap().transfer, transfer(USDT, 8), "what is there now");
    let elsewhere = Transfer { chain: ChainId(9), ..transfer(USDT, 7) };
    assert_eq!(decide(&gone, see(elsewhere.clone())), Verdict::Known);
    assert!(!follows(&gone, &Event::MinedAgain(elsewhere)));
    let returned = after([see(transfer(USDT, 7)), confirm(), RETURNED]);
    assert!(!follows(&returned, &Event::MinedAgain(transfer(USDT, 7))), "it was there, and went");
}

/// Where coins stand on every path, and what the network says of them, agree.
fn at_rest(state: &State, tally: &Tally, asset: AssetId) {
    let coin = |asset, account| tally.coin(asset, account);
    let all = 100_000_137;
    let transit = coin(asset, CoinAccount::Transit(POLYGON));
    let suspense = coin(asset, CoinAccount::Suspense);
    let confirming = coin(USDT, CoinAccount::WalletConfirming(PARTNER));
    let available = coin(USDT, CoinAccount::WalletAvailable(PARTNER));
    let expected = match state {
        State::Absent | State::Waiting(_) | State::Expired(_) => (0, 0, 0, 0),
        State::Confirming(_) => (-all, 0, all, 0),
        State::UnderReview(arrival) => match arrival.chain {
            ledger_core::machine::wallet::deposit::OnChain::Seen => (-all, all, 0, 0),
            _ => (0, all, 0, 0),
        },
        State::Available(_) => (0, 0, 0, all),
        State::Reversed(_) => (0, 0, 0, 0),
    };
    assert_eq!((transit, suspense, confirming, available), expected, "{state:?}");
    let ended = matches!(state, State::Expired(_) | State::Available(_) | State::Reversed(_));
    assert_eq!(state.has_ended(), ended);
}

#[test]
fn coins_stand_where_the_deposit_stands_on_every_path() {
    for asset in [USDT, USDC] {
        let exact = transfer(asset, 100_000_137);
        let commands = [
            find(exact.clone()),
            Command::Expire,
            see(exact),
            confirm(),
            doubt(),
            Command::Clear { account: Some(PARTNER), credited: None },
            RETURNED,
            VANISHED,
            Command::Reverse,
        ];
        let decided = |state: &State| {
            let begun = matches!(state, State::Absent).then(|| first(order()));
            let reported =
                decided_by(commands.iter().map(|command| decide(state, command.clone())));
            begun.into_iter().chain(reported).collect::<Vec<_>>()
        };
        let places = walk(State::Absent, 8, |state, _| {
            let step =
                |event: &Event| (evolve(state, event, at("2026-10-20T12:30:00Z")), entry(event));
            decided(state).iter().map(step).collect()
        });
        assert!(places.len() > 12, "{}", places.len());
        for (state, tally) in &places {
            at_rest(state, tally, asset);
            for event in decided(state) {
                assert!(follows(state, &event));
            }
        }
    }
}
