//! What becomes of a payment's reserve: rulings 35; W62; P:PostFinalResolution.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::machine::wallet::deposit::{Mark, Transfer};
use ledger_core::machine::wallet::payment::Adjudication;

use super::payment::{Fate, Payment};
use super::payment_fact::APPLIED;
use super::{Network, coins_id};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle};

impl Oracle {
    /// What it cost goes there; never more than was reserved (P:CostAboveReserve).
    pub(in crate::oracle) fn consume(&mut self, op: OpId, to: CoinAccount) {
        let it = self.payments[&op].clone();
        let (_, cost, _) = it.order.expect("the caller looked");
        let left = it.reserved - cost - it.fee;
        let from = CoinAccount::WalletReserved(it.account);
        self.coins(it.usdt, from, to, cost);
        self.coins(it.usdt, from, CoinAccount::Gas, it.fee);
        let wallet = CoinAccount::WalletAvailable(it.account);
        self.credit_wallet((it.usdt, from), (it.usdt, wallet), left);
        if left > 0 {
            self.reach(Goal::PaymentLeft);
        }
    }

    /// The reserve goes back whole.
    pub(in crate::oracle) fn give_reserve_back(&mut self, op: OpId) {
        let it = self.payments[&op].clone();
        let from = CoinAccount::WalletReserved(it.account);
        let wallet = CoinAccount::WalletAvailable(it.account);
        self.credit_wallet((it.usdt, from), (it.usdt, wallet), it.reserved);
    }

    /// Coins that were given up as lost are there: our loss is taken back, and what the client lost
    /// waits for a person to say whose it is (rulings 1). Once; else they never were given up.
    pub(in crate::oracle) fn coins_recovered(&mut self, op: OpId, it: &Payment) -> Outcome {
        let ours = it.fate == Some(Fate::ReturnedAndLost);
        if it.recovered || !ours && it.fate != Some(Fate::Lost) {
            return Outcome::Known;
        }
        self.payment(op).recovered = true;
        let (_, cost, _) = it.order.expect("what was sent has an order");
        let stock = CoinAccount::Treasury(ChainId(it.chain));
        if ours {
            self.coins(it.usdt, stock, CoinAccount::Loss, cost);
            self.reach(Goal::LostCoinsRecovered);
            return APPLIED;
        }
        let coins = Transfer {
            asset: AssetId(it.usdt),
            chain: ChainId(it.chain),
            units: Units::new(cost).expect("an order costs something"),
            mark: Mark { hash: it.sent.clone().expect("what is lost was sent"), index: 0 },
            usdt: Some(AssetId(it.usdt)),
        };
        if self.seen.insert((IdScope::Coins, coins_id(&coins))) {
            self.coins(it.usdt, stock, CoinAccount::Suspense, cost);
            self.coins_found(coins, Network::Confirmed);
        }
        self.reach(Goal::ClientsCoinsRecovered);
        APPLIED
    }

    /// A reserve kept after the send is returned or consumed, once; the status stays (W62).
    pub(in crate::oracle) fn adjudicate(
        &mut self,
        op: OpId,
        it: &Payment,
        decision: &Adjudication,
    ) -> Outcome {
        let (order, cost, _) = it.order.expect("what was sent has an order");
        let chain = ChainId(it.chain);
        let stands =
            if it.confirmed { CoinAccount::Treasury(chain) } else { CoinAccount::Transit(chain) };
        let fate = match decision {
            Adjudication::Paid(pix) => {
                self.consumed_by_pix(op, &pix.e2e);
                self.reach(Goal::ReserveConsumedPaid);
                Fate::Paid
            }
            Adjudication::Lost => {
                self.consume(op, stands);
                self.reach(Goal::ReserveConsumedLost);
                Fate::Lost
            }
            Adjudication::Return(lost) => {
                self.give_reserve_back(op);
                if lost.is_on() {
                    self.coins(it.usdt, CoinAccount::Loss, stands, cost);
                    self.reach(Goal::ReserveReturnedLost);
                    Fate::ReturnedAndLost
                } else {
                    self.reach(Goal::ReserveReturned);
                    Fate::Returned
                }
            }
        };
        self.payment(op).fate = Some(fate);
        match fate {
            Fate::Paid => {}
            // What may still arrive is waited for.
            Fate::Returned if !it.confirmed => {}
            Fate::Lost | Fate::ReturnedAndLost if !it.confirmed => {
                self.vanish_for_wallet(order);
                self.fail_for_wallet(order);
            }
            _ => self.fail_for_wallet(order),
        }
        APPLIED
    }
}
