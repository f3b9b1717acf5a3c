//! What a fact about wallets names: its transactions, and what is looked up before it is judged.

use super::report::{Fact, PaymentFinding, Step, WithdrawalReport};
use crate::id::{ChainId, Kind, OpId, Seq};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::decision::lookup::{Lookup, claim_record, operation};
use crate::ledger::record::observation::{Observed, TxObservation};
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::state::State;
use crate::machine::wallet::deposit::{Mark, Transfer};
use crate::machine::wallet::payment::Finding as PaymentFound;
use crate::machine::wallet::withdrawal::Finding as WithdrawalFound;
use crate::network::address;

impl Fact {
    /// Every transaction that the fact names, with its network where the fact says it.
    pub(in crate::ledger) fn transactions(
        &mut self,
        mut each: impl FnMut(Option<ChainId>, &mut Box<str>),
    ) {
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
            Self::Payment { step: Step::Send(hash, _), .. }
            | Self::PaymentResolved {
                finding: PaymentFinding::Found(PaymentFound::Sent(hash)),
                ..
            } => each(None, hash),
            Self::Withdrawal { report: WithdrawalReport::Send(sent), .. }
            | Self::WithdrawalEvidence { finding: WithdrawalFound::Completed(sent), .. } => {
                each(None, &mut sent.hash);
            }
            _ => {}
        }
    }
}

impl Lookup {
    /// What a fact about a wallet needs: who has the coins, and the order that moves with them.
    pub(in crate::ledger) fn add_wallet(
        &mut self,
        (state, archive): (&State, &impl Archive),
        fact: &Fact,
    ) {
        self.claimed = fact.sent_in().and_then(|hash| claim_record(archive, fact.about(), hash));
        let named = |op: Option<OpId>| op.and_then(|op| operation(state, archive, op));
        self.coins_seen = fact.transfer().and_then(|transfer| first_seen(archive, &transfer));
        if let Some(transfer) = fact.coins()
            && let hash = transfer.deposited_as()
            && state.came_to_wallet(archive, transfer.chain, &hash).is_none()
        {
            let seen = matches!(fact, Fact::DepositSeen { .. });
            let reported = if seen { Observed::Deposit } else { Observed::Confirmation };
            let taken = TxObservation::of_wallet(archive, (reported, &hash), fact.about());
            self.observation = taken.map(Box::new);
        }
        let op = self.coins_seen.map(|seq| OpId::new(Kind::WalletDeposit, seq));
        let having =
            fact.coins().and_then(|coins| state.domains.wallets.having(coins.chain, &coins.mark));
        self.holder = named(having.or(op));
        if let Fact::DepositSeen { address: Some(address), transfer, .. } = fact {
            let Transfer { chain, units, .. } = *transfer;
            let spelled = address::canonical(state.scheme(chain), address);
            self.request = named(state.domains.wallets.keeping(chain, &spelled, units));
        }
        // The order that pays a payment's PIX moves with it.
        let payment = self.operation.as_ref().and_then(|(_, known)| known.wallet_payment());
        if let Some((payment, sent)) = payment.and_then(|it| it.progress()).zip(fact.sent_in()) {
            let came = state.came_to_wallet(archive, payment.order.chain, sent);
            self.coins_seen = self.coins_seen.or(came);
        }
        let lost = payment.and_then(|payment| payment.progress()?.coins_lost());
        self.lost_coins_seen = lost.and_then(|coins| first_seen(archive, &coins.outside()));
        let order = payment.and_then(|payment| payment.progress()?.cashout);
        if let Some((order, _)) = order {
            self.order = named(Some(order));
            self.holder = None;
        }
        if let Fact::Payment { payment: Some(op), step: Step::Accept(_) } = fact {
            let funds = |hash: &str| ExternalId { scope: Scope::Deposit, id: hash.into() };
            let claims = state.claims_about(*op);
            let unused =
                claims.filter(|(_, claim)| first_seen(archive, &funds(&claim.hash)).is_none());
            self.sent_early = unused.map(|(claim, _)| claim).collect();
        }
    }
}

impl State {
    /// The record that brought the coins of this transaction and output to a wallet, where the
    /// books count them: one transaction is counted once (rulings 8 and 64).
    pub(in crate::ledger) fn came_to_wallet(
        &self,
        archive: &impl Archive,
        chain: ChainId,
        transaction: &str,
    ) -> Option<Seq> {
        let (hash, index) = transaction.rsplit_once('#').unwrap_or((transaction, "0"));
        let mark = Mark { hash: hash.into(), index: index.parse().ok()? };
        let came = first_seen(archive, &mark.outside(chain))?;
        let holder = self.domains.wallets.having(chain, &mark);
        let holder = holder.and_then(|op| operation(self, archive, op));
        let gone = holder.is_some_and(|(_, known)| {
            known.wallet_deposit().is_some_and(|state| state.gone_transfer().is_some())
        });
        (!gone).then_some(came)
    }
}
