//! What a fact names is brought to one spelling before it is looked up (rulings 64).

use crate::id::{ChainId, Kind, OpId, Seq};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::command::Intent;
use crate::ledger::decision::lookup::operation;
use crate::ledger::fact::Fact;
use crate::ledger::record::spelling::transaction;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::registry::Operation;
use crate::ledger::sale::report::SaleReport;
use crate::ledger::state::State;
use crate::ledger::{purchase, wallet};
use crate::machine::cash_out;
use crate::machine::delivery::DeliveryReport;
use crate::machine::refund::RefundReport;
use crate::machine::wallet::payment::Finding as PaymentFound;
use crate::machine::wallet::withdrawal::Finding as WithdrawalFound;
use crate::network::Scheme;

impl State {
    /// Brings every transaction that a fact names to one spelling: the one that the operation it is
    /// about holds, which an older record may have written otherwise, or the canonical one.
    pub(in crate::ledger) fn spell(&self, archive: &impl Archive, what: &mut Intent) {
        let Intent::Fact(reported) = what else { return };
        let mut fact = &mut reported.fact;
        while let Fact::Described { fact: bare, .. } = fact {
            fact = bare;
        }
        if !matches!(fact, Fact::Sale { .. } | Fact::Purchase(_) | Fact::Wallet(_)) {
            return;
        }
        let named = fact.about().and_then(|op| operation(self, archive, op));
        let named = named.as_ref().map(|(_, known)| &**known);
        match fact {
            Fact::Sale { report, .. } => self.spell_sale(archive, named, report),
            Fact::Purchase(fact) => fact.transactions(|hash| self.spell_hash(named, None, hash)),
            Fact::Wallet(fact) => {
                fact.transactions(|chain, hash| self.spell_hash(named, chain, hash));
            }
            _ => {}
        }
    }

    fn spell_sale(
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
        deposit: &mut cash_out::Deposit,
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

    fn spell_hash(&self, named: Option<&Operation>, chain: Option<ChainId>, hash: &mut Box<str>) {
        if self.spell_as_held(named, chain, hash) {
            return;
        }
        let scheme = match chain.or_else(|| named?.machine.crypto().chain) {
            Some(chain) => self.scheme(chain),
            // Nothing says the network: hexadecimal digits are one number in either case.
            None if hash.starts_with("0x") || hash.starts_with("0X") => Scheme::Evm,
            None => Scheme::Tron,
        };
        *hash = transaction(scheme, hash);
    }

    /// The operation named holds the transaction on this network, or on any; whether it does.
    fn spell_as_held(
        &self,
        named: Option<&Operation>,
        chain: Option<ChainId>,
        hash: &mut Box<str>,
    ) -> bool {
        let held = named.map(|named| named.machine.crypto().transactions).unwrap_or_default();
        let mut held = held.into_iter().filter(|(on, _)| chain.is_none_or(|chain| chain == *on));
        let known = held.find(|(on, known)| {
            let scheme = self.scheme(*on);
            transaction(scheme, known) == transaction(scheme, hash)
        });
        known.map(|(_, known)| *hash = known.into()).is_some()
    }

    /// The deposit that brought the transaction, wherever a report says it arrived, has its
    /// spelling; whether there is one.
    fn spell_as_brought(&self, archive: &impl Archive, hash: &mut Box<str>) -> bool {
        for spelled in spellings(hash) {
            let Some(seq) = first_brought(archive, &spelled) else { continue };
            let unmatched = operation(self, archive, OpId::new(Kind::UnmatchedDeposit, seq));
            let known = unmatched.as_ref().map(|(_, known)| &**known);
            if !self.spell_as_held(known, None, hash) {
                *hash = spelled;
            }
            return true;
        }
        false
    }
}

/// The record that brought the deposit of a transaction, by the first of its sightings that did.
fn first_brought(archive: &impl Archive, hash: &str) -> Option<Seq> {
    let mut number = None;
    loop {
        let brought = first_seen(archive, &ExternalId::deposit(hash, number));
        let gone = || first_seen(archive, &ExternalId::vanishing(hash, number)).is_some();
        if brought.is_some() || !gone() {
            return brought;
        }
        number = Some(number.unwrap_or(1) + 1);
    }
}

/// A transaction that was reported confirmed or gone before anything said its network keeps the
/// spelling of that report; whether there was one.
fn spell_as_reported(archive: &impl Archive, hash: &mut Box<str>) -> bool {
    let reported = |scope, id: &str| ExternalId { scope, id: id.into() };
    let of = |id: &str| [Scope::Confirmation, Scope::Vanishing].map(|scope| reported(scope, id));
    let exactly = |id: &str| of(id).iter().any(|known| archive.seen(known).is_some());
    let somehow = |id: &str| of(id).iter().any(|known| first_seen(archive, known).is_some());
    let spellings = spellings(hash);
    let known = spellings.iter().find(|id| exactly(id));
    let known = known.or_else(|| spellings.iter().find(|id| somehow(id)));
    known.map(|spelled| *hash = spelled.clone()).is_some()
}

/// Every spelling in which some network knows what may be a transaction.
fn spellings(hash: &str) -> Vec<Box<str>> {
    let mut spellings = Scheme::ALL.map(|scheme| transaction(scheme, hash)).to_vec();
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

impl purchase::Fact {
    /// Every transaction that the fact names.
    fn transactions(&mut self, mut each: impl FnMut(&mut Box<str>)) {
        match self {
            Self::Delivery { command, .. } => {
                if let DeliveryReport::Confirm(hash) = &mut command.report {
                    each(hash);
                }
            }
            Self::DeliveryEvidence { sent: Some(hash), .. } => each(hash),
            _ => {}
        }
    }
}

impl wallet::Fact {
    /// Every transaction that the fact names, with its network where the fact says it.
    fn transactions(&mut self, mut each: impl FnMut(Option<ChainId>, &mut Box<str>)) {
        match self {
            Self::DepositSeen { transfer, .. } => {
                each(Some(transfer.chain), &mut transfer.mark.hash);
            }
            Self::DepositConfirmed { mark, transfer, .. } => {
                let chain = transfer.as_ref().map(|transfer| transfer.chain);
                each(chain, &mut mark.hash);
                if let Some(transfer) = transfer {
                    each(chain, &mut transfer.mark.hash);
                }
            }
            Self::DepositDoubted { mark, .. } => each(None, &mut mark.hash),
            Self::Payment { step: wallet::Step::Send(hash, _), .. }
            | Self::PaymentResolved {
                finding: wallet::PaymentFinding::Found(PaymentFound::Sent(hash)),
                ..
            } => each(None, hash),
            Self::Withdrawal { report: wallet::WithdrawalReport::Send(sent), .. }
            | Self::WithdrawalEvidence { finding: WithdrawalFound::Completed(sent), .. } => {
                each(None, &mut sent.hash);
            }
            _ => {}
        }
    }
}
