//! Our movements in coins: on networks, and at the exchange.

use ledger_core::accounting::{CoinAccount, CoinMove};
use ledger_core::id::{ChainId, OpId};
use ledger_core::ledger::Event;

use super::{Context, Move, OwnBooks, new_movement};
use crate::canonical;
use crate::movement::{Class, Direction, Source, Status};
use crate::quantity::Quantity;

/// A move of an event with what the ledger calls its asset.
struct Coins<'a> {
    event: &'a Event,
    asset: Box<str>,
    amount: Quantity,
}

impl OwnBooks {
    /// Takes what a record moved in coins.
    pub(super) fn take_coins(&mut self, context: Context<'_>) {
        for event in &context.record.events {
            if let Some((op, address)) = event.address() {
                self.addresses.insert(op, address.into());
            }
            for part in event.entry().coin_moves() {
                let catalogue = &context.state.catalogue;
                let Some((asset, scale)) = catalogue.asset_of(part.asset) else { continue };
                let Some(amount) = Quantity::from_units(part.units.get(), scale) else { continue };
                let coins = Coins { event, asset: canonical::name(asset), amount };
                self.take_move(context, &coins, part);
            }
        }
    }

    fn take_move(&mut self, context: Context<'_>, coins: &Coins<'_>, part: CoinMove) {
        use CoinAccount::{Exchange, Gas, Transit, Treasury};
        match (part.debit, part.credit) {
            (Treasury(chain), Transit(_)) => self.confirm_deposit(context, coins, chain),
            (Treasury(to), Treasury(from)) => {
                self.push_on_chain(context, coins, (to, Direction::In, Class::Own));
                self.push_on_chain(context, coins, (from, Direction::Out, Class::Own));
            }
            (Treasury(chain), Gas) => {
                self.push_on_chain(context, coins, (chain, Direction::In, Class::Fee));
            }
            (Gas, Treasury(chain)) => {
                self.push_on_chain(context, coins, (chain, Direction::Out, Class::Fee));
            }
            (Treasury(chain), _) => {
                self.push_on_chain(context, coins, (chain, Direction::In, Class::Deposit));
            }
            (_, Treasury(_)) if coins.event.takes_back_deposit() => {
                self.take_back_deposit(coins);
            }
            (_, Treasury(chain)) => {
                self.push_on_chain(context, coins, (chain, Direction::Out, Class::Withdrawal));
            }
            (Transit(chain), _) => self.see_deposit(context, coins, chain),
            (_, Transit(_)) => self.lose_deposit(coins),
            _ => {}
        }
        match (part.debit, part.credit) {
            (Exchange, credit) => self.push_at_exchange(context, coins, (Direction::In, credit)),
            (debit, Exchange) => self.push_at_exchange(context, coins, (Direction::Out, debit)),
            _ => {}
        }
    }

    fn push_at_exchange(
        &mut self,
        context: Context<'_>,
        coins: &Coins<'_>,
        (direction, other): (Direction, CoinAccount),
    ) {
        let class = match (other, direction) {
            (CoinAccount::Fx, _) => Class::Fill,
            (_, Direction::In) => Class::Deposit,
            (_, Direction::Out) => Class::Withdrawal,
        };
        let account = self.account(Source::Exchange, "", &coins.asset);
        let moved = Move { account, direction, amount: coins.amount, class };
        let movement = new_movement(context, moved, coins.event.op());
        self.movements.push(movement);
    }

    fn push_on_chain(
        &mut self,
        context: Context<'_>,
        coins: &Coins<'_>,
        (chain, direction, class): (ChainId, Direction, Class),
    ) -> usize {
        let network = context.state.catalogue.chain_of(chain).unwrap_or_default();
        let network = canonical::name(network);
        let account = self.account(Source::Chain, &network, &coins.asset);
        let op = coins.event.op();
        let moved = Move { account, direction, amount: coins.amount, class };
        let mut movement = new_movement(context, moved, op);
        movement.id = coins.event.transaction().map(|hash| {
            let hash = hash.split_once('#').map_or(hash, |(hash, _)| hash);
            canonical::transaction(&network, hash)
        });
        if direction == Direction::Out {
            let address = op.and_then(|op| self.addresses.get(&op));
            movement.address = address.map(|address| canonical::wallet(&network, address));
        }
        self.movements.push(movement);
        self.movements.len() - 1
    }

    /// A deposit is on its network and does not count yet.
    fn see_deposit(&mut self, context: Context<'_>, coins: &Coins<'_>, chain: ChainId) {
        let place = self.push_on_chain(context, coins, (chain, Direction::In, Class::Deposit));
        self.movements[place].status = Status::Pending;
        if let Some(op) = coins.event.op() {
            self.pending.entry(op).or_default().push(place);
        }
    }

    /// A deposit counts: one that was seen, or else one that is told of in full.
    fn confirm_deposit(&mut self, context: Context<'_>, coins: &Coins<'_>, chain: ChainId) {
        match self.take_pending(coins) {
            Some(place) => self.movements[place].status = Status::Booked,
            None => {
                self.push_on_chain(context, coins, (chain, Direction::In, Class::Deposit));
            }
        }
    }

    /// A deposit vanished before it counted.
    fn lose_deposit(&mut self, coins: &Coins<'_>) {
        if let Some(place) = self.take_pending(coins) {
            self.movements[place].status = Status::Gone;
        }
    }

    fn take_pending(&mut self, coins: &Coins<'_>) -> Option<usize> {
        let op: OpId = coins.event.op()?;
        let places = self.pending.get_mut(&op)?;
        let movements = &self.movements;
        let fits = |place: &usize| movements[*place].amount == coins.amount;
        let hash = coins.event.transaction();
        let named = |place: &usize| {
            let id = movements[*place].id.as_deref();
            hash.zip(id).is_some_and(|(hash, id)| hash.eq_ignore_ascii_case(id))
        };
        let by_name = places.iter().position(|place| fits(place) && named(place));
        let at = by_name.or_else(|| places.iter().position(fits))?;
        Some(places.swap_remove(at))
    }

    /// Coins that were counted are not there: their deposit is gone.
    fn take_back_deposit(&mut self, coins: &Coins<'_>) {
        let op = coins.event.op();
        let deposits = self.movements.iter_mut().rev();
        let mut own = deposits
            .filter(|movement| movement.operation == op && movement.class == Class::Deposit);
        if let Some(movement) = own.find(|movement| movement.amount == coins.amount) {
            movement.status = Status::Gone;
        }
    }
}
