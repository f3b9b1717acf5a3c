//! Our movements in reais: at the provider, and at the exchange.

use ledger_core::accounting::Account as Chart;
use ledger_core::id::OpId;

use super::{Context, Move, OwnBooks, new_movement};
use crate::day::Day;
use crate::movement::{Class, Direction, Source};
use crate::quantity::Quantity;

/// Reais in the books.
const BRL: &str = "brl";

/// Centavos of a record that crossed the edge of one account outside.
#[derive(Default)]
struct Crossing {
    /// By direction and class, with the operation.
    sums: Vec<(Direction, Class, Option<OpId>, i64)>,
}

impl Crossing {
    fn add(&mut self, (direction, class, op): (Direction, Class, Option<OpId>), cents: i64) {
        let same =
            |sum: &&mut (Direction, Class, Option<OpId>, i64)| (sum.0, sum.1) == (direction, class);
        match self.sums.iter_mut().find(same) {
            Some(sum) => sum.3 += cents,
            None => self.sums.push((direction, class, op, cents)),
        }
    }

    /// Takes out what is booked under an id of its own.
    fn take(&mut self, direction: Direction, mut cents: i64) {
        let sums = self.sums.iter_mut().filter(|sum| sum.0 == direction);
        for sum in sums.filter(|sum| sum.1 == Class::Other) {
            let part = cents.min(sum.3);
            sum.3 -= part;
            cents -= part;
        }
    }
}

impl OwnBooks {
    /// Takes what a record moved in reais: its PIX by their ids, and the rest.
    pub(super) fn take_reais(&mut self, context: Context<'_>) {
        let (mut provider, mut exchange) = (Crossing::default(), Crossing::default());
        for event in &context.record.events {
            let op = event.op();
            let goes_on = event.entry().moves().any(|part| is_float(part.debit));
            for part in event.entry().moves() {
                let (debit, credit, cents) = (part.debit, part.credit, part.amount.cents());
                if is_float(debit) != is_float(credit) {
                    let (direction, other) = if is_float(debit) {
                        (Direction::In, credit)
                    } else {
                        (Direction::Out, debit)
                    };
                    provider.add((direction, provider_class(other), op), cents);
                }
                if is_exchange(debit) != is_exchange(credit) {
                    let (direction, other) = if is_exchange(debit) {
                        (Direction::In, credit)
                    } else {
                        (Direction::Out, debit)
                    };
                    exchange.add((direction, exchange_class(other, direction, goes_on), op), cents);
                }
            }
        }
        self.take_pix(context, &mut provider);
        for (source, crossing) in [(Source::Provider, provider), (Source::Exchange, exchange)] {
            for (direction, class, op, cents) in crossing.sums {
                if cents > 0 {
                    // Without an id of a PIX it is money between accounts of our own.
                    let class = if class == Class::Other { Class::Own } else { class };
                    let account = self.account(source, "", BRL);
                    let amount = Quantity::from_cents(cents);
                    let moved = Move { account, direction, amount, class };
                    let movement = new_movement(context, moved, op);
                    self.movements.push(movement);
                }
            }
        }
    }

    fn take_pix(&mut self, context: Context<'_>, provider: &mut Crossing) {
        let first = self.pix_taken;
        self.pix_taken = self.pix.items.len();
        for place in first..self.pix_taken {
            let item = &self.pix.items[place];
            let class = match item.kind {
                ledger_reconcile::Kind::Payment => Class::Payment,
                ledger_reconcile::Kind::Return => Class::Return,
            };
            let (direction, cents, op) = (item.direction, item.cents, item.operation);
            let (id, day) = (item.id.clone(), Day::parse(&item.day));
            provider.take(direction, cents);
            let account = self.account(Source::Provider, "", BRL);
            let moved = Move { account, direction, amount: Quantity::from_cents(cents), class };
            let mut movement = new_movement(context, moved, op);
            if let Some(day) = day.filter(|day| *day != movement.day) {
                // It was paid on that day, and told of on another: at its end at the latest.
                (movement.day, movement.at) = (day, day.end());
            }
            movement.id = Some(id.into());
            self.movements.push(movement);
        }
    }
}

const fn is_float(account: Chart) -> bool {
    matches!(account, Chart::ProviderPix | Chart::ProviderPay)
}

const fn is_exchange(account: Chart) -> bool {
    matches!(account, Chart::Exchange)
}

/// The class of what crosses the floats' edge, by the account on the other side.
const fn provider_class(other: Chart) -> Class {
    match other {
        Chart::TariffDue => Class::Fee,
        Chart::Funding | Chart::Exchange => Class::Own,
        _ => Class::Other,
    }
}

/// The class of what crosses the exchange's edge: a trade, unless it goes on to the provider.
const fn exchange_class(other: Chart, direction: Direction, goes_on: bool) -> Class {
    match (other, direction) {
        (Chart::Fx, Direction::Out) if goes_on => Class::Withdrawal,
        (Chart::Fx, _) => Class::Fill,
        (_, Direction::In) => Class::Deposit,
        (_, Direction::Out) => Class::Withdrawal,
    }
}
