//! The liquidation of a sale as the oracle sees it: it moves by reports of its own, whatever the
//! order does (A9, A10; rulings 31).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::cash_out::{Command, Proceeds};
use ledger_core::terms::Route;
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Coin, Phase, Reason, Sale};
use crate::goal::Goal;
use crate::oracle::Oracle;

/// Where the liquidation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Liquidation {
    None,
    Selling(Coin),
    Lost(Coin),
    /// Sold, and still at the exchange.
    Sold(Got),
    Forwarding(Got),
    Done,
}

/// What a swap or an exchange gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Got {
    Coins(Coin),
    Reais(i64),
}

impl Got {
    fn from_proceeds(proceeds: Proceeds) -> Self {
        match proceeds {
            Proceeds::Coins(coins) => {
                let (asset, chain, units) = (coins.asset.0, coins.chain.0, coins.units.get());
                Self::Coins(Coin { asset, chain, units })
            }
            Proceeds::Reais(amount) => Self::Reais(amount.cents()),
        }
    }
}

impl Sale {
    /// Tells whether what was deposited may still be sold: it is neither refunded nor waits for a
    /// person.
    fn may_sell(&self) -> bool {
        let stands = matches!(self.phase, Phase::Secured | Phase::Paying | Phase::Completed);
        let first = matches!(self.route, Route::Dex | Route::Convert);
        stands && first && self.refund.is_none() && self.liquidation == Liquidation::None
    }

    /// Tells whether the exchange may say that it was sold after all: our stock is gone, whatever
    /// became of the order.
    fn may_be_filled(&self) -> bool {
        let stands = [Phase::Secured, Phase::Paying, Phase::Completed, Phase::Refunding];
        let first = matches!(self.route, Route::Dex | Route::Convert);
        first && stands.contains(&self.phase) && self.sold.is_some()
    }

    /// Tells whether it was sold, and the proceeds are ours or on their way to be.
    pub(crate) const fn is_sold(&self) -> bool {
        matches!(
            self.liquidation,
            Liquidation::Sold(_) | Liquidation::Forwarding(_) | Liquidation::Done
        )
    }
}

impl Oracle {
    pub(super) fn leg_moves(&mut self, op: OpId, command: &Command, at: Instant) -> Outcome {
        let sale = &self.sales[&op];
        let forwards = sale.route == Route::Convert;
        match (command, sale.liquidation) {
            (Command::StartSale, Liquidation::None) if sale.may_sell() => {
                self.begin_sale(op);
            }
            (Command::StartSale, Liquidation::None) => return ASIDE,
            (Command::StartSale, _) | (Command::LoseSale, Liquidation::Lost(_)) => {
                return Outcome::Known;
            }
            (Command::Fill(reported), Liquidation::Sold(got) | Liquidation::Forwarding(got))
                if Got::from_proceeds(*reported) == got =>
            {
                return Outcome::Known;
            }
            // On a network there are no reais to be had.
            (Command::Fill(Proceeds::Reais(_)), _) if !forwards => return ASIDE,
            (Command::Fill(proceeds), Liquidation::None) if sale.may_be_filled() => {
                // That it was sold implies that selling began (rulings 8).
                let coin = self.begin_sale(op);
                self.fill_sale(op, coin, Got::from_proceeds(*proceeds));
                self.reach(Goal::FilledUnbegun);
            }
            (Command::Fill(proceeds), Liquidation::Selling(coin) | Liquidation::Lost(coin)) => {
                self.fill_sale(op, coin, Got::from_proceeds(*proceeds));
            }
            (Command::FailSale, Liquidation::Selling(coin) | Liquidation::Lost(coin)) => {
                self.unsold(op, coin);
            }
            (Command::LoseSale, Liquidation::Selling(coin)) if sale.phase == Phase::Secured => {
                self.sale(op).liquidation = Liquidation::Lost(coin);
                self.review(op, Reason::SaleLost);
            }
            (Command::Forward, Liquidation::Sold(got)) => {
                self.sale(op).liquidation = Liquidation::Forwarding(got);
            }
            (Command::Forward, Liquidation::Forwarding(_))
            | (Command::Forward | Command::Arrive(_), Liquidation::Done)
                if forwards =>
            {
                return Outcome::Known;
            }
            (Command::Arrive(cents), Liquidation::Sold(got) | Liquidation::Forwarding(got)) => {
                self.receive_proceeds(op, got, cents.cents(), at);
            }
            (_, _) => return ASIDE,
        }
        self.note(op);
        APPLIED
    }

    fn begin_sale(&mut self, op: OpId) -> Coin {
        let sale = self.sale(op);
        let coin = sale.sold.expect("what is secured was priced").0;
        sale.liquidation = Liquidation::Selling(coin);
        // What is sold after it was paid changes nothing that a client sees.
        let notifies = sale.phase == Phase::Secured;
        self.shift(coin, CoinAccount::Exchange, coin.stock());
        if notifies {
            self.notify(op, Topic::CashOutProcessing);
        } else {
            self.reach(Goal::SoldAfterPayment);
        }
        coin
    }

    fn fill_sale(&mut self, op: OpId, coin: Coin, got: Got) {
        let sale = self.sale(op);
        let forwards = sale.route == Route::Convert;
        let was_lost = matches!(sale.liquidation, Liquidation::Lost(_));
        sale.liquidation = if forwards { Liquidation::Sold(got) } else { Liquidation::Done };
        if sale.phase == Phase::Review(Reason::SaleLost) {
            sale.phase = Phase::Secured;
        }
        self.shift(coin, CoinAccount::Fx, CoinAccount::Exchange);
        match got {
            Got::Coins(got) => {
                self.shift(got, CoinAccount::Exchange, CoinAccount::Fx);
                if !forwards {
                    self.shift(got, got.stock(), CoinAccount::Exchange);
                }
            }
            Got::Reais(cents) => {
                self.totals.exchange += cents;
                self.totals.fx += cents;
            }
        }
        if was_lost {
            self.reach(Goal::LostSwapFound);
        }
    }

    /// The swap definitely failed: the liquidation is reversed, and the deposit goes back.
    fn unsold(&mut self, op: OpId, coin: Coin) {
        let sale = self.sale(op);
        sale.liquidation = Liquidation::None;
        let goes_back = matches!(sale.phase, Phase::Secured | Phase::Review(Reason::SaleLost));
        self.shift(coin, coin.stock(), CoinAccount::Exchange);
        if goes_back {
            self.refund_deposit(op, false);
            self.reach(Goal::SwapFailed);
        }
    }

    /// The proceeds are with the payout provider, and the payment begins.
    fn receive_proceeds(&mut self, op: OpId, got: Got, cents: i64, at: Instant) {
        match got {
            Got::Coins(got) => self.shift(got, CoinAccount::Fx, CoinAccount::Exchange),
            Got::Reais(proceeds) => {
                self.totals.exchange -= proceeds;
                self.totals.fx -= proceeds;
            }
        }
        self.totals.provider_pay += cents;
        self.totals.fx += cents;
        let sale = self.sale(op);
        sale.liquidation = Liquidation::Done;
        if sale.phase == Phase::Secured {
            self.sold_pays(op, at);
        }
    }
}
