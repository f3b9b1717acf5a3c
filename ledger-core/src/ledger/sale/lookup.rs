//! What a report of a sale names, brought to one spelling and looked up before it is judged.

use super::report::SaleReport;
use crate::id::OpId;
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::decision::lookup::{Lookup, operation};
use crate::ledger::decision::spelling::spell_as_reported;
use crate::ledger::record::ExternalId;
use crate::ledger::record::observation::TxObservation;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::machine::cash_out::Deposit;
use crate::machine::refund::RefundReport;
use crate::network::Scheme;

impl State {
    /// Brings every transaction of a report to one spelling.
    pub(in crate::ledger) fn spell_sale(
        &self,
        archive: &impl Archive,
        named: Option<&Operation>,
        report: &mut SaleReport,
    ) {
        match report {
            SaleReport::Seen(deposit) => {
                self.spell_deposit(archive, named, deposit);
            }
            SaleReport::Confirmed { hash, deposit: Some(deposit) } => {
                self.spell_deposit(archive, named, deposit);
                hash.clone_from(&deposit.hash);
            }
            SaleReport::Confirmed { hash, deposit: None } | SaleReport::Vanished(hash) => {
                let known = self.spell_as_held(named, None, hash)
                    || self.spell_as_brought(archive, hash)
                    || spell_as_reported(archive, hash);
                if !known {
                    self.spell_hash(named, None, hash);
                }
            }
            SaleReport::Refund(RefundReport::Sent(hash)) => self.spell_hash(named, None, hash),
            _ => {}
        }
    }

    /// A deposit says its network; one that was reported of another network before is the same.
    fn spell_deposit(
        &self,
        archive: &impl Archive,
        named: Option<&Operation>,
        deposit: &mut Deposit,
    ) {
        let chain = deposit.coins.chain;
        let exact = self.scheme(chain) == Scheme::Exact;
        if self.spell_as_held(named, Some(chain), &mut deposit.hash)
            || !exact && self.spell_as_brought(archive, &mut deposit.hash)
        {
            return;
        }
        self.spell_hash(named, Some(chain), &mut deposit.hash);
    }
}

impl Lookup {
    /// What a report of a sale needs: which sighting of a transaction it is about, and who has it.
    pub(in crate::ledger) fn add_sale(
        &mut self,
        (state, archive): (&State, &impl Archive),
        order: Option<OpId>,
        report: &SaleReport,
    ) {
        let named = |op| operation(state, archive, op);
        let observed = report.observation();
        let known = self.operation.as_ref().zip(observed);
        let split = known.and_then(|((_, known), (_, hash))| known.split_by(hash, named));
        // What vanishes is the whole transaction, of which a surplus is a part.
        let order = split.as_ref().map(|(op, _)| *op).or(order);
        self.operation = split.or(self.operation.take());
        let about = (order, self.operation.as_ref().map(|(_, known)| &**known));
        if let Some(observed) = observed {
            let (reported, hash) = observed;
            let coins = report.coins();
            let elsewhere =
                coins.and_then(|it| state.came_to_wallet(archive, it.chain, hash)).is_some();
            let reported = (reported, hash, coins);
            let (observation, taken) =
                TxObservation::gather(archive, reported, about, elsewhere, named);
            self.holder = taken;
            self.observation = Some(Box::new(observation));
        }
        let hash = match report {
            SaleReport::Refund(RefundReport::Sent(hash)) | SaleReport::Vanished(hash) => Some(hash),
            _ => None,
        };
        let holder = self.holder.as_ref().map(|(op, _)| *op).or(order);
        // What an order went on without may have vanished while the order had it.
        let named = self.holder.as_ref().or(self.operation.as_ref());
        let before = named.and_then(|(_, known)| known.unmatched_deposit()?.order()?.about);
        let before = before.filter(|_| matches!(report, SaleReport::Vanished(_)));
        let mut about = holder.into_iter().chain(before);
        self.claimed = hash.and_then(|hash| {
            about.find_map(|op| first_seen(archive, &ExternalId::delivery(op, hash)))
        });
    }
}
