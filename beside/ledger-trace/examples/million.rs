//! Measures operations of a thousand customers under a rule, a million unless it is said:
//! `cargo run --release -p ledger-trace --example million -- proportion 100000`.

use std::time::Instant;

use ledger_core::accounting::Account as A;
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use ledger_trace::{Begins, Flow, LedgerAccount, Rule, Step, Tracer};

/// How many customers there are.
const CUSTOMERS: u64 = 1_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rule = arguments.next().map_or(Rule::FirstIn, |name| name.parse().expect("a rule"));
    let count = arguments.next().map_or(1_000_000, |text| text.parse().expect("a number"));
    let (began, mut tracer, mut hops) = (Instant::now(), Tracer::new(rule), 0_u64);
    for number in 1..=count {
        for step in operation(number) {
            tracer.step(&step, &mut |_| hops += 1);
        }
    }
    let parts = tracer.slots().count();
    let seconds = began.elapsed().as_secs_f64();
    println!("{}: {count} operations, {seconds:.1} s, {hops} hops, {parts} parts", rule.name());
}

/// Three in ten are PIX received, three transfers, four payouts that are paid.
fn operation(number: u64) -> Vec<Step> {
    let customer = |salt: u64| {
        let mixed = number.wrapping_mul(salt) >> 7;
        A::Available(SubaccountId(u32::try_from(mixed % CUSTOMERS).expect("few customers")))
    };
    let (mine, other) = (customer(0x9e37_79b9_7f4a_7c15), customer(0xbf58_476d_1ce4_e5b9));
    match number % 10 {
        0..=2 => {
            let op = OpId::new(Kind::Charge, Seq(number));
            let moves = [(A::ProviderPix, mine, 10_000), (mine, A::DepositIncome, 100)];
            vec![step(op, &moves)]
        }
        3..=5 => vec![step(OpId::new(Kind::Transfer, Seq(number)), &[(mine, other, 700)])],
        _ => {
            let op = OpId::new(Kind::Payout, Seq(number));
            let flight = A::PayoutInFlight(op);
            let paid = [
                (flight, A::ProviderPay, 6_000),
                (flight, A::PayoutIncome, 60),
                (flight, A::Commission(AccountId(0)), 30),
            ];
            vec![step(op, &[(mine, flight, 6_000), (mine, flight, 90)]), step(op, &paid)]
        }
    }
}

fn step(op: OpId, moves: &[(A, A, u128)]) -> Step {
    let slot = |account: A| LedgerAccount::Reais(account).slot(Some(op));
    let flow = |(from, to, amount): &(A, A, u128)| Flow {
        from: slot(*from),
        to: slot(*to),
        amount: *amount,
    };
    let moves = moves.iter().filter(|(from, to, _)| from != to);
    let flows = moves.map(flow).collect();
    let (record, begins) = (op.seq(), Begins::Nothing);
    Step { record, event: 0, op: Some(op), prefers: None, begins, flows }
}
