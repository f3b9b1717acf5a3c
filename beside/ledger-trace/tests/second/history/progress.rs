//! The next steps of open operations.

use ledger_core::accounting::{Account as A, CoinAccount as C};
use ledger_core::id::{Kind, OpId};
use ledger_trace::Step;

use super::{CHAIN, History, Move, Open, PARTNER, USDT, coins, product, reais};

impl History {
    /// An open operation goes on.
    pub(super) fn go_on(&mut self) -> Option<Step> {
        if self.open.is_empty() {
            return None;
        }
        let at = usize::try_from(self.random.upto(self.open.len() as u128 - 1)).unwrap();
        let (op, open) = self.open.remove(at);
        let (some, flip) = (Some(op), self.random.upto(1) == 0);
        match open {
            Open::Held { sub, amount } => {
                self.open.push((op, Open::Credited { sub, left: amount }));
                self.made(some, some, &[reais(A::Held(sub), A::Available(sub), amount)])
            }
            Open::Credited { sub, left } => {
                let (back, to) = (self.part(left), A::Available(sub));
                if back < left {
                    self.open.push((op, Open::Credited { sub, left: left - back }));
                }
                let moves =
                    [reais(to, A::ProviderPix, back), reais(A::DepositIncome, to, back / 10)];
                self.made(some, some, &moves)
            }
            Open::Payout { sub, amount, fee } => {
                let flight = A::PayoutInFlight(op);
                if flip {
                    let to = A::Available(sub);
                    return self.made(some, some, &[reais(flight, to, amount + fee)]);
                }
                self.open.push((op, Open::Paid { sub, amount, fee }));
                let half = fee / 2;
                let moves = [
                    reais(flight, A::ProviderPay, amount),
                    reais(flight, A::PayoutIncome, half),
                    reais(flight, A::Commission(PARTNER), (fee - half).div_ceil(2)),
                    reais(flight, A::TariffDue, (fee - half) / 2),
                ];
                self.made(some, some, &moves)
            }
            Open::Paid { sub, amount, fee } => {
                let (to, back) = (A::Available(sub), self.part(amount));
                let half = fee / 2;
                let moves = [
                    reais(A::ProviderPay, to, back),
                    reais(A::PayoutIncome, to, half),
                    reais(A::Commission(PARTNER), to, (fee - half).div_ceil(2)),
                ];
                self.made(some, some, &moves)
            }
            Open::Suspense { amount } if flip => {
                let charge = self.new_op(Kind::Charge);
                let to = self.sub();
                self.open.push((charge, Open::Credited { sub: to, left: amount }));
                let moved = reais(A::SuspensePix, A::Available(to), amount);
                self.made(Some(charge), None, &[Move { from_of: some, ..moved }])
            }
            Open::Suspense { amount } => {
                self.made(some, some, &[reais(A::SuspensePix, A::ProviderPix, amount)])
            }
            Open::Hold { sub, amount } => {
                let freed = self.part(amount);
                if freed < amount {
                    self.open.push((op, Open::Hold { sub, amount: amount - freed }));
                }
                let to = if flip { A::Available(sub) } else { A::ProviderPix };
                self.made(some, some, &[reais(A::Frozen(sub), to, freed)])
            }
            Open::Bought { amount, units, fee } => self.deliver(op, flip, amount, units, fee),
            Open::Order { units } => {
                let gross = self.part(80);
                self.open.push((op, Open::Selling { units, gross }));
                let moves = [
                    reais(A::Fx, A::SaleInFlight(op), gross),
                    coins(USDT, C::Deposited(op), C::Fx, units),
                ];
                self.made(some, some, &moves)
            }
            Open::Selling { units, gross } => self.sold(op, flip, units, gross),
            Open::Payment { units } => self.paid(op, units),
            Open::Entry { sub, amount } => {
                let back = self.part(amount);
                self.made(some, some, &[reais(product(), A::Available(sub), back)])
            }
        }
    }

    fn deliver(
        &mut self,
        op: OpId,
        sent: bool,
        amount: u128,
        units: u128,
        fee: u128,
    ) -> Option<Step> {
        let (flight, delivery) = (A::ConversionInFlight(op), C::DeliveryInFlight(op));
        if sent {
            let gas = units / 7;
            let moves = [
                reais(flight, A::ConversionIncome, fee / 2),
                reais(flight, A::Commission(PARTNER), fee - fee / 2),
                coins(USDT, delivery, C::Treasury(CHAIN), units - gas),
                coins(USDT, delivery, C::Gas, gas),
            ];
            return self.made(Some(op), Some(op), &moves);
        }
        let sub = self.sub();
        let moves = [
            reais(A::Fx, flight, amount),
            coins(USDT, delivery, C::Fx, units),
            reais(flight, A::Available(sub), amount + fee),
        ];
        self.made(Some(op), Some(op), &moves)
    }

    fn sold(&mut self, op: OpId, done: bool, units: u128, gross: u128) -> Option<Step> {
        let flight = A::SaleInFlight(op);
        if done {
            let fee = gross / 9;
            let moves =
                [reais(flight, A::ProviderPay, gross - fee), reais(flight, A::SaleIncome, fee)];
            return self.made(Some(op), Some(op), &moves);
        }
        let due = C::RefundDue(op);
        let moves = [coins(USDT, C::Fx, due, units), reais(flight, A::Fx, gross)];
        self.made(Some(op), Some(op), &moves)
    }

    fn paid(&mut self, op: OpId, units: u128) -> Option<Step> {
        let (reserved, cost) = (C::WalletReserved(PARTNER), self.part(units));
        let (net, fee) = (self.part(70), self.random.upto(9));
        let moves = [
            reais(A::Fx, A::ProviderPay, net),
            reais(A::Fx, A::SaleIncome, fee),
            reais(A::Fx, A::Commission(PARTNER), fee / 2),
            coins(USDT, reserved, C::Fx, cost),
            coins(USDT, reserved, C::WalletAvailable(PARTNER), units - cost),
        ];
        self.made(Some(op), Some(op), &moves)
    }
}
