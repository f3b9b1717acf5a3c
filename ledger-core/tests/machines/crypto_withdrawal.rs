//! Crypto withdrawal and the quote it is made with; Part A14, rulings 38, W63.

mod forged;

use std::collections::BTreeMap;

use ledger_core::accounting::{CoinAccount, CoinMove, Entry};
use ledger_core::coin::Units;
use ledger_core::id::{AssetId, Kind, OpId};
use ledger_core::machine::Verdict;
use ledger_core::machine::wallet::quote;
use ledger_core::machine::wallet::withdrawal::{
    Command, Event, Finding, Order, Sent, State, Terms, decide, entry, evolve, follows,
};
use ledger_core::terms::Stablecoin;

use crate::forged::applied;
use crate::grid::{cell, name, page, request_cell, steps};
use crate::legs::line;
use crate::samples::{self, PARTNER, POLYGON, USDT, WALLET, at, op, units};
use crate::walk::{Tally, walk};

const USDC: AssetId = AssetId(1);

fn this() -> OpId {
    op(Kind::CryptoWithdrawal, 9)
}

/// W63: 50 USDT, of which the network takes 0.10.
fn terms(coin: Stablecoin) -> Terms {
    let (asset, conversion_fee, estimated, minimum) = match coin {
        Stablecoin::Usdt => (USDT, None, 49_900_000, 49_650_500),
        Stablecoin::Usdc => (USDC, Some(units(50_000)), 49_850_000, 49_600_750),
    };
    Terms {
        account: PARTNER,
        coin,
        asset,
        usdt: USDT,
        chain: POLYGON,
        network: "polygon".into(),
        title: "Polygon".into(),
        address: WALLET.into(),
        amount: units(50_000_000),
        network_fee: Some(units(100_000)),
        conversion_fee,
        estimated: units(estimated),
        minimum: units(minimum),
    }
}

/// Returns what a withdrawal begins with.
fn first(coin: Stablecoin) -> Event {
    Event::Requested(Box::new(Order {
        quote: op(Kind::Quote, 8),
        terms: terms(coin),
        external_id: "w-1".into(),
        created_at: at("2026-10-20T12:00:00Z"),
    }))
}

fn sent(hash: &str, received: u128) -> Sent {
    Sent { hash: hash.into(), received: units(received), network_fee: None }
}

fn send(received: u128) -> Command {
    Command::Send(sent("0xe1", received))
}

fn completed(received: u128) -> Command {
    Command::Find(Finding::Completed(sent("0xe2", received)))
}

const RESUMED: Command = Command::Find(Finding::Resumed);
const FAILED: Command = Command::Find(Finding::Failed);

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

/// Where a withdrawal that was requested stands after `facts`.
fn after(coin: Stablecoin, facts: impl IntoIterator<Item = Command>) -> State {
    facts.into_iter().fold(evolve(&State::Absent, &first(coin)), |state, fact| step(&state, fact).0)
}

fn usdt(facts: impl IntoIterator<Item = Command>) -> State {
    after(Stablecoin::Usdt, facts)
}

fn usdc(facts: impl IntoIterator<Item = Command>) -> State {
    after(Stablecoin::Usdc, facts)
}

fn converted(obtained: u128) -> Command {
    Command::Convert(units(obtained))
}

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Begin", Command::Begin),
        ("Fund", Command::Fund),
        ("Convert", converted(49_950_000)),
        ("Send", send(49_850_000)),
        ("Short", send(49_600_749)),
        ("Lose", Command::Lose),
        ("Resume", RESUMED),
        ("Complete", completed(49_850_000)),
        ("Fail", FAILED),
        ("FoundShort", Command::Find(Finding::Completed(sent("0xe1", 49_600_749)))),
        ("Other", Command::Send(sent("0xe9", 49_850_000))),
    ];
    let processing = || usdc([Command::Fund, converted(49_950_000)]);
    let states = [
        ("Absent", State::Absent),
        ("Reserved", usdc([])),
        ("Funding", usdc([Command::Begin])),
        ("Converting", usdc([Command::Fund])),
        ("Processing", processing()),
        ("InUsdt", usdt([Command::Fund])),
        ("Unknown", usdc([Command::Fund, converted(49_950_000), Command::Lose])),
        ("Short", usdc([Command::Fund, converted(49_950_000), send(49_600_749)])),
        ("Completed", usdc([Command::Fund, converted(49_950_000), send(49_850_000)])),
        ("Failed", usdc([Command::Fund, FAILED])),
    ];
    let lines = states.map(|(name_of_state, state)| {
        let cells =
            columns.iter().map(|(_, command)| steps(&decide(&state, command.clone()), name));
        (name_of_state, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Begin     Fund      Convert   Send      Short     Lose      Resume    Complete  Fail      FoundShort Other
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Reserved  Begun     Begun+Funded Begun+Funded+Converted Begun+Funded+Converted+Completed Begun+Funded+Converted+Questioned Questioned known     Begun+Funded+Converted+Completed Failed    Begun+Funded+Converted+Questioned Begun+Funded+Converted+Completed
Funding   known     Funded    Funded+Converted Funded+Converted+Completed Funded+Converted+Questioned Questioned known     Funded+Converted+Completed Failed    Funded+Converted+Questioned Funded+Converted+Completed
Converting known     known     Converted Converted+Completed Converted+Questioned Questioned known     Converted+Completed Failed    Converted+Questioned Converted+Completed
Processing known     known     known     Completed Questioned Questioned known     Completed Questioned+Failed Questioned Completed
InUsdt    known     known     set_aside Completed Questioned Questioned known     Completed Questioned+Failed Questioned Completed
Unknown   known     known     set_aside Completed Questioned known     Resumed   Completed Failed    Questioned Completed
Short     known     known     set_aside known     known     known     set_aside Completed set_aside Completed set_aside
Completed known     known     known     known     known     known     set_aside set_aside set_aside known     set_aside
Failed    set_aside set_aside set_aside set_aside set_aside known     set_aside set_aside known     set_aside set_aside
"
    );
}

fn legs(title: &str, state: &State, command: Command) -> String {
    let (_, events) = step(state, command);
    let last = events.last().unwrap();
    line(title, &entry(this(), last))
}

#[test]
fn every_event_and_its_legs_of_usdt() {
    let funded = || usdt([Command::Fund]);
    let dear = || {
        let network_fee = Some(units(1_000_000));
        Command::Send(Sent { network_fee, ..sent("0xe1", 49_900_000) })
    };
    let table = [
        line("Requested", &entry(this(), &first(Stablecoin::Usdt))),
        legs("Begun", &usdt([]), Command::Begin),
        legs("Funded", &usdt([Command::Begin]), Command::Fund),
        legs("Questioned", &funded(), Command::Lose),
        legs("Resumed", &usdt([Command::Fund, Command::Lose]), RESUMED),
        legs("Completed, as estimated", &funded(), send(49_900_000)),
        legs("Completed, a little less", &funded(), send(49_700_000)),
        legs("Completed, dearer than quoted", &funded(), dear()),
        legs("Completed, more than was owed", &funded(), send(50_000_007)),
        legs("Failed, reserved", &usdt([]), FAILED),
        legs("Failed, funded", &usdt([Command::Fund, Command::Lose]), FAILED),
    ];
    assert_eq!(
        table.concat(),
        "\
Requested
  asset 0: Dr wal.avail[3] 50000000 / Cr wal.reserved[3] 50000000
Begun: nothing
Funded
  asset 0: Dr wal.reserved[3] 50000000 / Cr flight.wdr[CryptoWithdrawal#9] 50000000
Questioned: nothing
Resumed: nothing
Completed, as estimated
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 49900000 / Cr treas[0] 49900000
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 100000 / Cr exp.gas 100000
Completed, a little less
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 49700000 / Cr treas[0] 49700000
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 100000 / Cr exp.gas 100000
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 200000 / Cr wal.avail[3] 200000
Completed, dearer than quoted
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 49900000 / Cr treas[0] 49900000
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 100000 / Cr exp.gas 100000
Completed, more than was owed
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 50000000 / Cr treas[0] 50000000
  asset 0: Dr exp.loss 7 / Cr treas[0] 7
Failed, reserved
  asset 0: Dr wal.reserved[3] 50000000 / Cr wal.avail[3] 50000000
Failed, funded
  asset 0: Dr flight.wdr[CryptoWithdrawal#9] 50000000 / Cr wal.avail[3] 50000000
"
    );
}

#[test]
fn every_event_and_its_legs_of_usdc() {
    let converting = || usdc([Command::Fund]);
    let processing = || usdc([Command::Fund, converted(49_950_000)]);
    let lost = || usdc([Command::Fund, converted(49_950_000), Command::Lose]);
    let table = [
        legs("Funded", &usdc([]), Command::Fund),
        legs("Converted", &converting(), converted(49_950_000)),
        legs("Converted, at a gain", &converting(), converted(50_000_001)),
        legs("Completed, as estimated", &processing(), send(49_850_000)),
        legs("Completed, a little less", &processing(), send(49_700_000)),
        legs("Failed, before conversion", &converting(), FAILED),
        legs("Failed, after conversion", &lost(), FAILED),
    ];
    assert_eq!(
        table.concat(),
        "\
Funded
  asset 0: Dr wal.reserved[3] 50000000 / Cr fx 50000000
  asset 1: Dr fx 50000000 / Cr flight.wdr[CryptoWithdrawal#9] 50000000
Converted
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 50000 / Cr fx 50000
Converted, at a gain: nothing
Completed, as estimated
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 49850000 / Cr treas[0] 49850000
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 100000 / Cr exp.gas 100000
Completed, a little less
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 49700000 / Cr treas[0] 49700000
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 100000 / Cr exp.gas 100000
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 150000 / Cr fx 150000
  asset 0: Dr fx 150000 / Cr wal.avail[3] 150000
Failed, before conversion
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 50000000 / Cr fx 50000000
  asset 0: Dr fx 50000000 / Cr wal.avail[3] 50000000
Failed, after conversion
  asset 1: Dr flight.wdr[CryptoWithdrawal#9] 49950000 / Cr fx 49950000
  asset 0: Dr fx 50000000 / Cr wal.avail[3] 50000000
"
    );
}

#[test]
fn w63_what_arrives_is_at_least_the_minimum_or_waits_for_a_person() {
    let status = |received| usdt([Command::Fund, send(received)]);
    assert!(matches!(status(49_900_000), State::Completed(_)));
    assert!(matches!(status(49_650_500), State::Completed(_)), "the minimum itself");
    assert!(matches!(status(49_650_499), State::UnderReview(_)), "INV-39");
    let short = status(49_650_499);
    let rest = decide(&short, completed(49_650_499));
    assert_eq!(rest, Verdict::SetAside, "nor does a person complete it with less");
    assert_eq!(decide(&short, FAILED), Verdict::SetAside, "something left");
    let (whole, _) = step(&short, completed(49_900_000));
    assert!(matches!(whole, State::Completed(_)), "with what was sent after");
}

#[test]
fn a_conversion_that_gives_less_than_minimum_and_fee_waits_for_a_person() {
    let gave = |obtained| usdc([Command::Fund, converted(obtained)]);
    assert!(matches!(gave(49_700_750), State::UnderWay(_)));
    assert!(matches!(gave(49_700_749), State::UnderReview(_)));
}

#[test]
fn what_was_debited_is_at_most_what_was_reserved() {
    // WDR-16.
    for received in [49_650_500, 49_700_000, 49_900_000, 50_000_007] {
        let state = usdt([Command::Fund, send(received)]);
        let progress = state.progress().unwrap();
        assert!(progress.debited_units().unwrap() <= progress.order.terms.amount, "{received}");
    }
}

#[test]
fn an_event_of_another_withdrawal_may_not_follow() {
    let processing = usdt([Command::Fund]);
    let of = |flight| Event::Completed {
        terms: Box::new(terms(Stablecoin::Usdt)),
        flight: units(flight),
        sent: sent("0xe1", 49_900_000),
    };
    assert!(follows(&processing, &of(50_000_000)));
    assert!(!follows(&processing, &of(50_000_001)));
    let other = Box::new(Terms { amount: units(7), ..terms(Stablecoin::Usdt) });
    assert!(!follows(&usdt([Command::Begin]), &Event::Funded(other)));
    let funded = Event::Funded(Box::new(terms(Stablecoin::Usdt)));
    assert!(!follows(&usdt([]), &funded), "it begins first");
}

fn at_rest(state: &State, tally: &Tally, asset: AssetId) {
    let flight = tally.coin(asset, CoinAccount::WithdrawalInFlight(this()));
    let reserved = tally.coin(USDT, CoinAccount::WalletReserved(PARTNER));
    let available = tally.coin(USDT, CoinAccount::WalletAvailable(PARTNER));
    let all = 50_000_000;
    let Some(progress) = state.progress() else {
        assert_eq!((flight, reserved, available), (0, 0, 0));
        return;
    };
    let owed = progress.flight.map_or(0, Units::to_i128);
    let expected = match state {
        State::Absent => unreachable!("it stands nowhere"),
        State::UnderWay(_) | State::UnderReview(_) => {
            (owed, if progress.flight.is_some() { 0 } else { all }, -all)
        }
        State::Completed(_) => (0, 0, -progress.debited_units().unwrap().to_i128()),
        State::Failed(_) => (0, 0, 0),
    };
    assert_eq!((flight, reserved, available), expected, "{state:?}");
    assert_eq!(state.has_ended(), matches!(state, State::Completed(_) | State::Failed(_)));
}

#[test]
fn coins_stand_where_the_withdrawal_stands_on_every_path() {
    for (coin, asset) in [(Stablecoin::Usdt, USDT), (Stablecoin::Usdc, USDC)] {
        let commands = [
            Command::Begin,
            Command::Fund,
            converted(49_950_000),
            send(49_850_000),
            send(49_600_749),
            Command::Lose,
            RESUMED,
            completed(49_700_000),
            FAILED,
        ];
        let places = walk(State::Absent, 8, |state, tally| {
            let mut next = Vec::new();
            let begun = matches!(state, State::Absent).then(|| vec![first(coin)]);
            let reported = applied(commands.iter().map(|command| decide(state, command.clone())));
            for events in begun.into_iter().chain(reported) {
                // The steps of one decision are one entry to the walk, and checked one by one here.
                let (mut state, mut seen) = (state.clone(), tally.clone());
                let mut moves = Vec::new();
                for event in events {
                    assert!(follows(&state, &event), "{event:?} after {state:?}");
                    state = evolve(&state, &event);
                    let entry = entry(this(), &event);
                    seen.add(&entry);
                    at_rest(&state, &seen, asset);
                    moves.extend(entry.coin_moves());
                }
                next.push((state, moves));
            }
            next.into_iter().map(|(state, moves)| (state, netted(&moves))).collect()
        });
        assert!(places.len() > 9, "{}", places.len());
        for (state, tally) in &places {
            at_rest(state, tally, asset);
        }
    }
}

/// The moves of several entries as one, those that only pass through an account left out.
fn netted(moves: &[CoinMove]) -> Entry {
    let mut sums: BTreeMap<(AssetId, CoinAccount), i128> = BTreeMap::new();
    for m in moves {
        *sums.entry((m.asset, m.debit)).or_default() -= m.units.to_i128();
        *sums.entry((m.asset, m.credit)).or_default() += m.units.to_i128();
    }
    let mut entry = Entry::NONE;
    for asset in [USDT, USDC] {
        let of = |sign: i128| {
            let mine = sums.iter().filter(move |((known, _), _)| *known == asset);
            let signed = mine.filter(move |(_, sum)| 0 < **sum * sign);
            signed.map(|((_, account), sum)| (*account, sum.unsigned_abs())).collect::<Vec<_>>()
        };
        let (mut debits, mut credits) = (of(-1), of(1));
        while let (Some((debit, owed)), Some((credit, due))) =
            (debits.last_mut(), credits.last_mut())
        {
            let part = (*owed).min(*due);
            entry = entry.coins(asset, *debit, *credit, units(part));
            (*owed, *due) = (*owed - part, *due - part);
            debits.retain(|(_, left)| *left != 0);
            credits.retain(|(_, left)| *left != 0);
        }
    }
    entry
}

#[test]
fn a_quote_is_used_once_and_for_a_while() {
    use quote::{Event, Offer, Order, Refusal, State, decide, evolve, follows, request};
    let order = Order {
        account: PARTNER,
        offer: Offer::Withdrawal(Box::new(terms(Stablecoin::Usdt))),
        created_at: at("2026-10-20T12:00:00Z"),
        expires_at: at("2026-10-20T12:05:00Z"),
    };
    let issued = Event::Issued(Box::new(order));
    let open = evolve(&State::Absent, &issued);
    assert!(!follows(&open, &issued));
    let used = evolve(&open, &request(&open, this()).unwrap());
    let lapsed = evolve(&open, &samples::applied(decide(&open)));
    let states = [
        ("Absent", State::Absent),
        ("Open", open),
        ("Used", used.clone()),
        ("Lapsed", lapsed.clone()),
    ];
    let lines = states.map(|(name, state)| {
        let used = request(&state, this()).map(Verdict::Applied);
        (name, vec![request_cell(&used), cell(&decide(&state))])
    });
    assert_eq!(
        page(&["Use", "Lapse"], lines),
        "\
State     Use       Lapse
Absent    -         set_aside
Open      Used      Lapsed
Used      -         known
Lapsed    -         known
"
    );
    assert_eq!(request(&used, this()), Err(Refusal::Used { by: this() }));
    assert_eq!(request(&lapsed, this()), Err(Refusal::Expired));
    assert_eq!(request(&State::Absent, this()), Err(Refusal::Unknown));
    assert!(used.has_ended() && lapsed.has_ended());
    assert!(!follows(&State::Absent, &Event::Lapsed));
}
