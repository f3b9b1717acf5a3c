//! The world the benches measure in: one account, many funded subaccounts, transfers between them.

#![allow(dead_code, clippy::must_use_candidate)] // Each bench uses its part of it.

use ledger_core::id::{AccountId, KeyHash, Token};
use ledger_core::ledger::{
    Cause, ChargeRequest, Command, Fact, Outcome, Reported, Request, TransferRequest, What,
};
use ledger_core::machine::charge::{Delivery, Qr, Receipt};
use ledger_core::money::Amount;
use ledger_core::terms::{Release, Switch, Terms};
use ledger_core::time::Instant;
use ledger_store::Algorithm;
use ledger_store::book::Book;
use ledger_store::journal::Identity;

/// When the benches take place.
pub const NOON: i64 = 1_795_000_000_000_000;

const ACCOUNT: AccountId = AccountId(0);

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

fn command(what: What) -> Command {
    Command { at: at(), cause: Cause::default(), what }
}

/// A book of one account whose `count` subaccounts have R$ 5,999.00 each.
pub fn book(count: u32) -> Book {
    let identity = Identity { algorithm: Algorithm::Blake3, vault_key: [7; 32] };
    let mut book = Book::new("live", identity);
    for command in opening(count) {
        book.execute(command).expect("the opening is accepted");
        if book.pending() >= 1_000 {
            drop(book.cut());
        }
    }
    drop(book.cut());
    book
}

/// The commands that open and fund `count` subaccounts.
pub fn opening(count: u32) -> Vec<Command> {
    let terms = Terms {
        release: Release::Immediate,
        retention_above: None,
        waiting_hours: 0,
        ..Terms::published()
    };
    let opened =
        Fact::AccountOpened { name: "loja".into(), key: KeyHash([1; 32]), terms: Some(terms) };
    let mut commands = vec![command(What::Fact(Reported { id: Some("a".into()), fact: opened }))];
    for index in 0..count {
        commands.push(command(What::Request(
            ACCOUNT,
            Request::Charge(ChargeRequest {
                customer: Some(name(index).into()),
                amount: cents(600_000),
                payer: Token([2; 16]),
                payer_name: None,
                allow_hold: Switch::On,
                delivery: Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
                qr: Some(Qr { copypaste: "qr".into(), image_url: None }),
                external_id: None,
            }),
        )));
        let charge = ledger_core::id::OpId::new(
            ledger_core::id::Kind::Charge,
            ledger_core::id::Seq(u64::from(index) * 2 + 2),
        );
        let receipt =
            Receipt { e2e: format!("E{index:031}").into(), amount: cents(600_000), paid_at: at() };
        let received = Fact::PixReceived { charge: Some(charge), receipt };
        commands.push(command(What::Fact(Reported { id: None, fact: received })));
    }
    commands
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
            command(What::Request(
                ACCOUNT,
                Request::Transfer(TransferRequest {
                    from: Some(name(from).into()),
                    to: Some(name(to).into()),
                    amount: cents(1 + i64::try_from(number % 7).expect("small")),
                    note: None,
                    external_id: Some(format!("transfer-{number:011}").into()),
                }),
            ))
        })
        .collect()
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
            What::Request(_, Request::Transfer(request)) => {
                (index(&request.from), index(&request.to), request.amount.cents())
            }
            _ => unreachable!("only transfers"),
        })
        .collect()
}

/// How many bytes of a row one transfer takes, framing included.
pub fn bytes_of_a_transfer(town: u32) -> usize {
    let mut book = book(town.min(100));
    run(&mut book, transfers(town.min(100), 0, 1_000));
    let commit = book.cut().expect("a thousand records");
    commit.rows.iter().map(|row| row.payload.len()).sum::<usize>() / 1_000
}

/// Executes commands that must all be accepted.
pub fn run(book: &mut Book, commands: Vec<Command>) {
    for command in commands {
        let done = book.execute(command);
        assert!(matches!(done, Ok(Outcome::Created(_))), "{done:?}");
    }
}
