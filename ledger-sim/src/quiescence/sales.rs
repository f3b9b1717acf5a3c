//! When faults stop, sales come to rest: paid or refunded, with nothing in flight and nothing at an
//! exchange; and so does crypto that no order took.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{Fact, SaleReport};
use ledger_core::machine::refund::RefundReport;

use crate::actors;
use crate::failure::wrong::Mismatch;
use crate::oracle::{
    Liquidation, Payment, Phase, Sale, UnmatchedDeposit, UnmatchedDepositStatus, Way,
};
use crate::run::Run;
use crate::wallets::wallet;

/// Each round takes every sale and unmatched deposit a step further; none needs so many.
const ROUNDS: u64 = 12;

impl Run {
    /// The world says of every sale and unmatched deposit what comes next, until nothing is left to
    /// be said.
    pub(crate) fn end_sales(&mut self) -> Result<(), Mismatch> {
        for round in 0..ROUNDS {
            // What only waits for its deadline has it.
            let sales = self.oracle.sales.iter();
            let sales = sales.filter(|(_, sale)| !is_at_rest(sale) && sale.payment.is_none());
            let sales: Vec<(OpId, Sale)> = sales.map(|(op, it)| (*op, it.clone())).collect();
            let unmatched = self.oracle.unmatched.iter();
            let unmatched = unmatched.filter(|(_, unmatched)| !unmatched.is_over());
            let unmatched: Vec<(OpId, UnmatchedDeposit)> =
                unmatched.map(|(op, it)| (*op, it.clone())).collect();
            if sales.is_empty() && unmatched.is_empty() {
                break;
            }
            for (op, sale) in sales {
                if !sale.is_over() {
                    let network = self.oracle.refund_network(op).unwrap_or("polygon");
                    actors::end_sale(&mut self.world, op, &sale, network, round);
                }
                actors::end_leg(&mut self.world, op, &sale);
            }
            for (op, unmatched) in unmatched {
                self.end_unmatched(op, &unmatched);
            }
            self.say_what_is_planned()?;
        }
        Ok(())
    }

    fn end_unmatched(&mut self, op: OpId, unmatched: &UnmatchedDeposit) {
        let network = self.oracle.refund_network(op).unwrap_or("polygon");
        let world = &mut self.world;
        let report = match (&unmatched.refund, unmatched.phase) {
            (Some(due), _) if due.is_under_way() || due.way == Way::Lost => {
                SaleReport::Refund(RefundReport::Sent(world.transaction(None)))
            }
            (None, UnmatchedDepositStatus::Unconfirmed) => {
                SaleReport::Confirmed { hash: unmatched.hash.clone(), deposit: None }
            }
            (refund, _) => {
                let known = refund.as_ref().and_then(|due| due.to.as_ref());
                let named = known.or(unmatched.wallet.as_ref()).is_some();
                let to = (!named).then(|| wallet(network, 1));
                SaleReport::RefundDecided { to, decided_by: Some(world.decided_by()) }
            }
        };
        world.report(Fact::Sale { order: Some(op), report });
    }

    /// Every sale ended, and no crypto of one is in flight, in transit or at an exchange (INV-33).
    pub(crate) fn sales_are_at_rest(&self) -> Result<(), Mismatch> {
        // The order of a payment rests where its payment does, or waits with it.
        let waits = |sale: &Sale| {
            let payment = sale.payment.map(|op| &self.oracle.payments[&op]);
            payment.is_some_and(Payment::waits_for_person)
        };
        let mut sales = self.oracle.sales.iter();
        if let Some((op, sale)) = sales.find(|(_, sale)| !is_at_rest(sale) && !waits(sale)) {
            return Err(format!(
                "{op:?} does not come to rest: {:?}, {:?}",
                sale.phase, sale.liquidation
            ));
        }
        if let Some((op, it)) = self.oracle.unmatched.iter().find(|(_, it)| !it.is_over()) {
            return Err(format!("{op:?} does not come to rest: {:?}, {:?}", it.phase, it.refund));
        }
        let books = &self.subject.ledger.state.books;
        let left = books.coins().find(|(asset, account, units)| match account {
            CoinAccount::Deposited(_) | CoinAccount::RefundDue(_) | CoinAccount::Exchange => true,
            // What came for a wallet and waits for a person may still be on its way.
            CoinAccount::Transit(chain) => *units != -self.oracle.wallet_transit(*asset, *chain),
            _ => false,
        });
        match left {
            Some(left) => Err(format!("at rest there is still {left:?}")),
            None if self.oracle.totals.exchange != 0 => Err("reais rest at an exchange".into()),
            None => Ok(()),
        }
    }

    pub(crate) fn report_ends_of_sales(&mut self) {
        for sale in self.oracle.sales.values().filter(|sale| sale.payment.is_none()) {
            let end = match sale.phase {
                Phase::Expired if sale.accepted.is_some() => "expired, accepted",
                Phase::Expired => "expired",
                Phase::Failed => "failed",
                Phase::Completed => "completed",
                Phase::Refunding if sale.e2e.is_some() => "refunded after it was paid",
                Phase::Refunding => "refunded",
                _ => "waits for a person",
            };
            self.report.count_end("cash-out", end);
        }
        for unmatched in self.oracle.unmatched.values() {
            let gone = unmatched.phase == UnmatchedDepositStatus::Vanished;
            self.report.count_end("receipt", if gone { "vanished" } else { "refunded" });
        }
    }
}

/// Tells whether it ended or waits for its deadline alone, and its liquidation too.
fn is_at_rest(sale: &Sale) -> bool {
    let waits = matches!(sale.phase, Phase::Quoted | Phase::Awaiting);
    (waits || sale.is_over()) && matches!(sale.liquidation, Liquidation::None | Liquidation::Done)
}
