//! Random histories: steps of every kind of move, over a few accounts and small amounts.

mod progress;

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId, ProductAccount, Seq, SubaccountId};
use ledger_trace::{Begins, Flow, LedgerAccount, Step};

use Account as A;
use CoinAccount as C;

/// A small generator of random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `most`.
    pub fn upto(&mut self, most: u128) -> u128 {
        u128::from(self.next()) % (most + 1)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.upto(of.len() as u128 - 1)).unwrap()]
    }
}

/// The next steps that an operation allows.
#[derive(Clone, Copy)]
enum Open {
    Held { sub: SubaccountId, amount: u128 },
    Credited { sub: SubaccountId, left: u128 },
    Payout { sub: SubaccountId, amount: u128, fee: u128 },
    Paid { sub: SubaccountId, amount: u128, fee: u128 },
    Suspense { amount: u128 },
    Hold { sub: SubaccountId, amount: u128 },
    Bought { amount: u128, units: u128, fee: u128 },
    Order { units: u128 },
    Selling { units: u128, gross: u128 },
    Payment { units: u128 },
    Entry { sub: SubaccountId, amount: u128 },
}

pub struct History {
    random: Random,
    seq: u64,
    balances: BTreeMap<LedgerAccount, i128>,
    open: Vec<(OpId, Open)>,
    begun: bool,
}

const SUBS: u32 = 3;
const USDT: AssetId = AssetId(0);
const USDC: AssetId = AssetId(1);
const CHAIN: ChainId = ChainId(0);
const PARTNER: AccountId = AccountId(0);

impl History {
    pub fn new(seed: u64) -> Self {
        let random = Random(seed);
        Self { random, seq: 0, balances: BTreeMap::new(), open: Vec::new(), begun: false }
    }

    pub fn balances(&self) -> impl Iterator<Item = (LedgerAccount, i128)> {
        self.balances.iter().map(|(place, balance)| (*place, *balance))
    }

    fn balance(&self, place: LedgerAccount) -> u128 {
        self.balances.get(&place).copied().unwrap_or(0).max(0).unsigned_abs()
    }

    fn sub(&mut self) -> SubaccountId {
        SubaccountId(u32::try_from(self.random.upto(u128::from(SUBS) - 1)).unwrap())
    }

    fn part(&mut self, of: u128) -> u128 {
        if of == 0 { 0 } else { 1 + self.random.upto(of - 1) }
    }

    /// The next step; none where the action that was drawn cannot be done now.
    pub fn step(&mut self) -> Option<Step> {
        self.seq += 1;
        match self.random.upto(11) {
            0..=2 => self.pix(),
            3 => self.transfer(),
            4 => self.group(),
            5 => self.payout(),
            6 => self.hold(),
            7 => self.bring_coins(),
            8 => self.house(),
            9 => self.convert(),
            _ => self.go_on(),
        }
    }

    fn new_op(&self, kind: Kind) -> OpId {
        OpId::new(kind, Seq(self.seq))
    }

    fn made(&mut self, op: Option<OpId>, prefers: Option<OpId>, moves: &[Move]) -> Option<Step> {
        let moves = moves.iter().filter(|m| m.amount > 0);
        let flows: Vec<Flow> = moves
            .map(|m| {
                *self.balances.entry(m.from).or_default() -= i128::try_from(m.amount).unwrap();
                *self.balances.entry(m.to).or_default() += i128::try_from(m.amount).unwrap();
                let slot = |place: LedgerAccount, of: Option<OpId>| place.slot(of.or(op));
                let (from, to) = (slot(m.from, m.from_of), slot(m.to, m.to_of));
                Flow { from, to, amount: m.amount }
            })
            .collect();
        if flows.is_empty() {
            return None;
        }
        let mut begins = Begins::Nothing;
        if op.is_some() && !self.begun && self.random.upto(5) == 0 {
            begins = self.random.pick(&[Begins::Incoming, Begins::Drawn, Begins::Drawn]);
            self.begun = self.random.upto(1) == 0;
        }
        Some(Step { record: Seq(self.seq), event: 0, op, prefers, begins, flows })
    }

    fn pix(&mut self) -> Option<Step> {
        let amount = self.part(40);
        if self.random.upto(3) == 0 {
            let op = self.new_op(Kind::Suspense);
            self.open.push((op, Open::Suspense { amount }));
            return self.made(Some(op), None, &[reais(A::ProviderPix, A::SuspensePix, amount)]);
        }
        let (op, sub, fee) = (self.new_op(Kind::Charge), self.sub(), amount / 10);
        let held = self.random.upto(1) == 0;
        let to = if held { A::Held(sub) } else { A::Available(sub) };
        let left = amount - fee;
        let open = if held {
            Open::Held { sub, amount: left }
        } else {
            Open::Credited { sub, left: amount }
        };
        self.open.push((op, open));
        let moves = [reais(A::ProviderPix, to, amount), reais(to, A::DepositIncome, fee)];
        self.made(Some(op), None, &moves)
    }

    fn available(&self, sub: SubaccountId) -> u128 {
        self.balance(LedgerAccount::Reais(A::Available(sub)))
    }

    fn transfer(&mut self) -> Option<Step> {
        let (from, to) = (self.sub(), self.sub());
        let amount = self.part(self.available(from));
        let op = self.new_op(Kind::Transfer);
        let moved = reais(A::Available(from), A::Available(to), amount);
        (from != to).then(|| self.made(Some(op), None, &[moved])).flatten()
    }

    /// Legs that only the group as a whole can pay.
    fn group(&mut self) -> Option<Step> {
        let [a, b, c] = [0, 1, 2].map(|at| A::Available(SubaccountId(at)));
        let first = self.part(self.available(SubaccountId(0)));
        let second = self.part(self.available(SubaccountId(1)) + first);
        let op = self.new_op(Kind::Transfer);
        let mut moves = vec![reais(a, b, first), reais(b, c, second)];
        if self.random.upto(1) == 0 {
            moves.reverse();
        }
        // Where b stands below zero it cannot pay all of it.
        let below = self.balances.get(&LedgerAccount::Reais(b)).is_some_and(|balance| *balance < 0);
        (!below && first > 0).then(|| self.made(Some(op), None, &moves)).flatten()
    }

    fn payout(&mut self) -> Option<Step> {
        let (op, sub) = (self.new_op(Kind::Payout), self.sub());
        let whole = self.part(self.available(sub));
        let (fee, flight) = (whole / 5, A::PayoutInFlight(op));
        let amount = whole - fee;
        (whole > 0).then(|| self.open.push((op, Open::Payout { sub, amount, fee })));
        let from = A::Available(sub);
        self.made(Some(op), None, &[reais(from, flight, amount), reais(from, flight, fee)])
    }

    fn hold(&mut self) -> Option<Step> {
        let (op, sub) = (self.new_op(Kind::Hold), self.sub());
        let amount = self.part(self.available(sub));
        (amount > 0).then(|| self.open.push((op, Open::Hold { sub, amount })));
        let cause = self.some_charge();
        self.made(Some(op), cause, &[reais(A::Available(sub), A::Frozen(sub), amount)])
    }

    fn some_charge(&mut self) -> Option<OpId> {
        let ops = self.open.iter().map(|(op, _)| *op);
        let charges: Vec<OpId> = ops.filter(|op| op.kind() == Kind::Charge).collect();
        (!charges.is_empty()).then(|| self.random.pick(&charges))
    }

    /// Coins arrive: on an order, or as USDC that a wallet holds as USDT.
    fn bring_coins(&mut self) -> Option<Step> {
        let units = self.part(60);
        let transit = C::Transit(CHAIN);
        if self.random.upto(1) == 0 {
            let op = self.new_op(Kind::CashOut);
            self.open.push((op, Open::Order { units }));
            return self.made(Some(op), None, &[coins(USDT, transit, C::Deposited(op), units)]);
        }
        let op = self.new_op(Kind::WalletDeposit);
        let wallet = C::WalletAvailable(PARTNER);
        let moves = [coins(USDC, transit, C::Fx, units), coins(USDT, C::Fx, wallet, units)];
        self.made(Some(op), None, &moves)
    }

    /// The house pays tariffs, partners withdraw commission, balances are carried or corrected.
    fn house(&mut self) -> Option<Step> {
        let sub = self.sub();
        let (op, available) = (self.new_op(Kind::Adjustment), A::Available(sub));
        match self.random.upto(3) {
            0 => {
                let amount = self.part(self.balance(LedgerAccount::Reais(A::TariffDue)));
                self.made(None, None, &[reais(A::TariffDue, A::ProviderPay, amount)])
            }
            1 => {
                let op = self.new_op(Kind::CommissionWithdrawal);
                let comm = A::Commission(PARTNER);
                let amount = self.part(self.balance(LedgerAccount::Reais(comm)));
                self.made(Some(op), None, &[reais(comm, A::ConversionInFlight(op), amount)])
            }
            2 => {
                let amount = self.part(9);
                self.made(Some(op), None, &[reais(A::DepositIncome, available, amount)])
            }
            _ => {
                let amount = self.part(self.available(sub));
                self.made(Some(op), None, &[reais(available, A::Cells, amount)])
            }
        }
    }

    /// Custody buys coins, a wallet pays, a product posts an entry.
    fn convert(&mut self) -> Option<Step> {
        let sub = self.sub();
        match self.random.upto(2) {
            0 => {
                let op = self.new_op(Kind::Conversion);
                let whole = self.part(self.available(sub));
                let (fee, units) = (whole / 6, self.part(50));
                let (flight, amount) = (A::ConversionInFlight(op), whole - fee);
                if whole == 0 {
                    return None;
                }
                self.open.push((op, Open::Bought { amount, units, fee }));
                let moves = [
                    coins(USDT, C::Fx, C::DeliveryInFlight(op), units),
                    reais(A::Available(sub), flight, whole),
                    reais(flight, A::Fx, amount),
                ];
                self.made(Some(op), None, &moves)
            }
            1 => {
                let op = self.new_op(Kind::WalletPayment);
                let from = C::WalletAvailable(PARTNER);
                let units = self.part(self.balance(LedgerAccount::Coins(USDT, from)));
                if units == 0 {
                    return None;
                }
                self.open.push((op, Open::Payment { units }));
                self.made(Some(op), None, &[coins(USDT, from, C::WalletReserved(PARTNER), units)])
            }
            _ => {
                let op = self.new_op(Kind::Entry);
                let amount = self.part(self.available(sub));
                if amount == 0 {
                    return None;
                }
                self.open.push((op, Open::Entry { sub, amount }));
                self.made(Some(op), None, &[reais(A::Available(sub), product(), amount)])
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Move {
    from: LedgerAccount,
    to: LedgerAccount,
    amount: u128,
    from_of: Option<OpId>,
    to_of: Option<OpId>,
}

fn product() -> Account {
    A::ProductLiability(ProductAccount { number: 0, holder: None })
}

fn reais(from: Account, to: Account, amount: u128) -> Move {
    let (from, to) = (LedgerAccount::Reais(from), LedgerAccount::Reais(to));
    Move { from, to, amount, from_of: None, to_of: None }
}

fn coins(asset: AssetId, from: CoinAccount, to: CoinAccount, amount: u128) -> Move {
    let (from, to) = (LedgerAccount::Coins(asset, from), LedgerAccount::Coins(asset, to));
    Move { from, to, amount, from_of: None, to_of: None }
}
