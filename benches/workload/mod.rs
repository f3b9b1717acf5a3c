//! The world the benches measure in: one account, many funded subaccounts, transfers between them.

#![allow(dead_code, clippy::must_use_candidate)] // Each bench uses its part of it.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AccountId, AssetId, ChainId, KeyHash, Kind, OpId, Seq, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    CashOutRequest, Cause, ChargeRequest, Command, Destination, Fact, GroupRequest, Intent,
    LegRequest, Outcome, Ownership, PayoutRequest, Reported, Request, SaleReport, TransferRequest,
};
use ledger_core::machine::cash_out::{AmountBasis, Deposit, DepositTo, KeyOwner, Payee, Pix};
use ledger_core::machine::charge::{Delivery, PixPayment, Qr};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::refund::Coins;
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{
    Listing, Market, Policy, Price, Quote, Rail, Rate, Release, Route, Switch, Terms,
};
use ledger_core::time::Instant;
use ledger_store::Algorithm;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;

/// What the program has, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// When the benches take place.
pub const NOON: i64 = 1_795_000_000_000_000;

const ACCOUNT: AccountId = AccountId(0);

/// How many records the ledger, its account and its offers take.
const OPENING: u64 = 5;

/// Names of subaccounts, resolved by string like any client's.
pub fn name(index: u32) -> String {
    format!("customer-{index:07}")
}

fn at() -> Instant {
    Instant::from_micros(NOON).expect("noon lies in range")
}

fn cents(cents: i64) -> Amount {
    Amount::new(cents).expect("benches use positive amounts")
}

fn command(what: Intent) -> Command {
    Command { at: at(), cause: Cause::default(), what }
}

/// A book of one account whose `count` subaccounts have R$ 5,999.00 each.
pub fn sequencer(count: u32) -> Sequencer {
    let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
    let mut sequencer = Sequencer::new("live", identity);
    for command in opening(count) {
        sequencer.execute(command).expect("the opening is accepted");
        if sequencer.pending() >= 1_000 {
            drop(sequencer.cut());
        }
    }
    drop(sequencer.cut());
    sequencer
}

/// The commands that open and fund `count` subaccounts.
pub fn opening(count: u32) -> Vec<Command> {
    let mut commands = founding();
    commands.extend(funding(0..count));
    commands
}

/// The commands that open the ledger, its account and its offers.
pub fn founding() -> Vec<Command> {
    let terms = Terms {
        release: Release::Immediate,
        retention_above: None,
        waiting_hours: 0,
        sale: Some(Rate { bps: Bps::new(200).expect("below the whole"), fixed: Cents::ZERO }),
        ..Terms::latest()
    };
    let opened = Fact::Account(AccountFact::Opened {
        name: "loja".into(),
        key: KeyHash([1; 32]),
        terms: Some(terms),
    });
    let policy = Policy { ladder: None, rate_age: None, ..Policy::default() };
    vec![
        reported("p", Fact::Account(AccountFact::PolicyAdopted(policy))),
        reported("a", opened),
        offered(),
        quoted(),
        bought(),
    ]
}

/// The commands that open and fund the subaccounts of these numbers, which follow the last.
pub fn funding(numbers: std::ops::Range<u32>) -> Vec<Command> {
    let mut commands = Vec::new();
    for index in numbers {
        commands.push(command(Intent::Request(
            ACCOUNT,
            Request::Charge(ChargeRequest {
                customer: Some(name(index).into()),
                qr: Some(Qr { copypaste: "qr".into(), image_url: None }),
                ..ChargeRequest::new(
                    cents(600_000),
                    Token([2; 16]),
                    Switch::On,
                    Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
                    Destination::Custody,
                )
            }),
        )));
        let charge = OpId::new(Kind::Charge, Seq(u64::from(index) * 2 + OPENING + 1));
        let payment = PixPayment {
            e2e: format!("E{index:031}").into(),
            amount: cents(600_000),
            paid_at: at(),
        };
        let received = Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment });
        commands.push(command(Intent::Fact(Reported { id: None, fact: received })));
    }
    commands
}

fn reported(id: &str, fact: Fact) -> Command {
    command(Intent::Fact(Reported { id: Some(id.into()), fact }))
}

fn offered() -> Command {
    let listing = Listing {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::SIX,
        rail: Rail::Instant,
        least: Units::new(5_006_500).expect("positive"),
        network_fee: None,
        deliverable: Switch::On,
        memo: Switch::Off,
        eta: "".into(),
        eta_seconds: 60,
    };
    reported(
        "c",
        Fact::Purchase(PurchaseFact::CatalogueUpdated {
            listed: vec![listing],
            dropped: Vec::new(),
        }),
    )
}

/// The pair that sellers deposit.
fn bought() -> Command {
    let market = Market {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::SIX,
        route: Route::Fast,
        least: None,
        most: None,
        offered: Switch::On,
        valid_minutes: 15,
        confirmations: 1,
        eta_minutes: 0,
    };
    reported(
        "m",
        Fact::Purchase(PurchaseFact::MarketsUpdated { opened: vec![market], closed: Vec::new() }),
    )
}

fn quoted() -> Command {
    let price = Price::parse("5.40").expect("a price");
    let quote = Quote { price, source: "exchange".into(), at: at() };
    reported("r", Fact::Purchase(PurchaseFact::RateQuoted { asset: "usdt".into(), quote }))
}

/// `count` purchases, each a request and the facts that it was paid, begun and sent: an event a
/// command. `seq` is the record before the first.
pub fn purchases(seq: u64, count: u64) -> Vec<Command> {
    (0..count)
        .flat_map(|index| {
            let number = seq + index * 4 + 1;
            let op = Some(OpId::new(Kind::Charge, Seq(number)));
            let wallet = "0x00000000000000000000000000000000000000aa".into();
            let request = Request::Charge(ChargeRequest {
                qr: Some(Qr { copypaste: "qr".into(), image_url: None }),
                external_id: Some(format!("purchase-{number:011}").into()),
                ..ChargeRequest::new(
                    cents(10_000),
                    Token([3; 16]),
                    Switch::On,
                    Delivery {
                        asset: "usdt".into(),
                        chain: "polygon".into(),
                        address: Some(wallet),
                    },
                    Destination::Crypto { memo: None },
                )
            });
            let e2e = format!("E9{number:030}").into();
            let payment = PixPayment { e2e, amount: cents(10_000), paid_at: at() };
            let report = |report| {
                Fact::Purchase(PurchaseFact::Delivery {
                    op,
                    command: delivery::Command { attempt: None, report },
                    payment: None,
                })
            };
            let hash = format!("0x{number:064x}").into();
            [
                command(Intent::Request(ACCOUNT, request)),
                command(Intent::Fact(Reported {
                    id: None,
                    fact: Fact::Charge(ChargeFact::PixReceived { charge: op, payment }),
                })),
                reported(&format!("begun-{number}"), report(DeliveryReport::Begin)),
                reported(&format!("sent-{number}"), report(DeliveryReport::Confirm(hash))),
            ]
        })
        .collect()
}

/// `count` payouts, each a request and the facts that it was submitted and paid: an event a
/// command.
pub fn payouts(town: u32, seq: u64, count: u64) -> Vec<Command> {
    (0..count)
        .flat_map(|index| {
            let number = seq + index * 3 + 1;
            let payout = Some(OpId::new(Kind::Payout, Seq(number)));
            let customer = u32::try_from(number % u64::from(town)).expect("below the town");
            let request = Request::Payout(PayoutRequest {
                customer: Some(name(customer).into()),
                external_id: Some(format!("payout-{number:013}").into()),
                ..PayoutRequest::new(cents(100), Token([4; 16]), Token([5; 16]), Ownership::Proven)
            });
            let e2e = format!("E8{number:030}").into();
            [
                command(Intent::Request(ACCOUNT, request)),
                reported(
                    &format!("submitted-{number}"),
                    Fact::Payout(PayoutFact::Submitted { payout }),
                ),
                command(Intent::Fact(Reported {
                    id: None,
                    fact: Fact::Payout(PayoutFact::Paid { payout, e2e, amount: None }),
                })),
            ]
        })
        .collect()
}

/// `count` sales of 20 USDT, each a request, its acceptance, and the facts that the deposit was
/// seen and confirmed and that the PIX was paid: a record a command. `seq` is the record before the
/// first.
pub fn sales(seq: u64, count: u64) -> Vec<Command> {
    (0..count)
        .flat_map(|index| {
            let number = seq + index * 5 + 1;
            let order = OpId::new(Kind::CashOut, Seq(number));
            let units = Units::new(20_000_000).expect("positive");
            let person = Token(u128::from(number).to_be_bytes());
            let request = Request::CashOut(Box::new(CashOutRequest {
                external_id: Some(format!("sale-{number:015}").into()),
                ..CashOutRequest::new(
                    "usdt".into(),
                    "polygon".into(),
                    AmountBasis::Units(units),
                    Payee {
                        pix_key: Some(Token([4; 16])),
                        merchant: None,
                        tax_number: Some(person),
                        counted_as: person,
                        key_type: None,
                        owner: Some(KeyOwner::Proven(person)),
                    },
                )
            }));
            let address = format!("0x{number:040x}").into();
            let supplied = Some(DepositTo { address, tag: None });
            let hash: Box<str> = format!("0x{number:064x}").into();
            let coins = Coins { asset: AssetId(0), chain: ChainId(0), units };
            let deposit = Deposit {
                coins,
                hash: hash.clone(),
                from: None,
                seen_at: at(),
                confirmations: None,
            };
            let pix = Pix {
                e2e: format!("E7{number:030}").into(),
                paid_at: at(),
                receipt_url: None,
                receipt_pdf_url: None,
                verify_url: None,
            };
            let report = |report| {
                let fact = Fact::Sale { order: Some(order), report };
                command(Intent::Fact(Reported { id: None, fact }))
            };
            [
                command(Intent::Request(ACCOUNT, request)),
                command(Intent::Request(ACCOUNT, Request::AcceptCashOut { order, supplied })),
                report(SaleReport::Seen(deposit)),
                report(SaleReport::Confirmed { hash, deposit: None }),
                report(SaleReport::Paid { pix, amount: None }),
            ]
        })
        .collect()
}

/// `count` transfers between random subaccounts of `town`, external ids of 20 characters, no
/// description; numbered from `first`.
pub fn transfers(town: u32, first: u64, count: u64) -> Vec<Command> {
    let mut seed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        u32::try_from(seed % u64::from(town)).expect("below the number of subaccounts")
    };
    (first..first + count)
        .map(|number| {
            let from = next();
            let to = (from + 1 + next() % (town - 1)) % town;
            command(Intent::Request(
                ACCOUNT,
                Request::Transfer(TransferRequest {
                    from: Some(name(from).into()),
                    to: Some(name(to).into()),
                    external_id: Some(format!("transfer-{number:011}").into()),
                    ..TransferRequest::new(cents(1 + i64::try_from(number % 7).expect("small")))
                }),
            ))
        })
        .collect()
}

/// `count` groups of three legs, each from one subaccount of `town` to the three after it.
pub fn groups(town: u32, first: u64, count: u64) -> Vec<Command> {
    let group = |number: u64| {
        let from = u32::try_from(number * 7_919 % u64::from(town)).expect("below the town");
        let leg = |to: u32| LegRequest {
            from: Some(name(from).into()),
            to: Some(name((from + to) % town).into()),
            amount: cents(i64::from(to)),
        };
        command(Intent::Request(
            ACCOUNT,
            Request::Group(GroupRequest {
                legs: (1..=3).map(leg).collect(),
                note: None,
                external_id: Some(format!("transfer-{number:011}").into()),
            }),
        ))
    };
    (first..first + count).map(group).collect()
}

/// The same transfers as dense numbers and amounts, for the floor.
pub fn moves(town: u32, first: u64, count: u64) -> Vec<(u32, u32, i64)> {
    let index = |customer: &Option<Box<str>>| -> u32 {
        let name = customer.as_deref().expect("benches name subaccounts");
        name[name.len() - 7..].parse().expect("names end in seven digits")
    };
    let commands = transfers(town, first, count);
    commands
        .iter()
        .map(|command| match &command.what {
            Intent::Request(_, Request::Transfer(request)) => {
                (index(&request.from), index(&request.to), request.amount.cents())
            }
            _ => unreachable!("only transfers"),
        })
        .collect()
}

/// How many bytes of a row one transfer takes, framing included.
pub fn bytes_of_a_transfer(town: u32) -> usize {
    let mut sequencer = sequencer(town.min(100));
    run(&mut sequencer, transfers(town.min(100), 0, 1_000));
    let commit = sequencer.cut().expect("a thousand records");
    commit.rows.iter().map(|row| row.payload.len()).sum::<usize>() / 1_000
}

/// Executes commands that must all be accepted.
pub fn run(sequencer: &mut Sequencer, commands: Vec<Command>) {
    for done in sequencer.execute_all(commands) {
        let done = matches!(done, Ok(Outcome::Created(_) | Outcome::Applied(_) | Outcome::Done));
        assert!(done, "every command of a bench is accepted");
    }
}
