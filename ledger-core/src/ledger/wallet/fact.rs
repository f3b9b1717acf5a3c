//! What the world reports of wallets.

use super::report::{Fact, WithdrawalReport};
use crate::id::ChainId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, attribute};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::wallet::deposit::{Mark, Transfer};
use crate::machine::wallet::payment;
use crate::machine::wallet::withdrawal::Command;
use crate::terms::Policy;

impl payment::Progress {
    /// The coins it sent, as they would be reported as a deposit, where they were given up as lost.
    pub(in crate::ledger) fn coins_lost(&self) -> Option<Transfer> {
        self.given_up()?;
        let ((_, cost), hash) = self.cashout.zip(self.sent.clone())?;
        let payment::Order { usdt, chain, .. } = *self.order;
        let mark = Mark { hash, index: 0 };
        Some(Transfer { asset: usdt, chain, units: cost.units, mark, usdt: Some(usdt) })
    }
}

impl Transfer {
    /// The identity by which it is known for ever.
    #[must_use]
    pub fn outside(&self) -> ExternalId {
        self.mark.outside(self.chain)
    }

    /// The transaction, as the report of a sale's deposit names it.
    pub(in crate::ledger) fn deposited_as(&self) -> Box<str> {
        match &self.mark {
            Mark { hash, index: 0 } => hash.clone(),
            Mark { hash, index } => format!("{hash}#{index}").into(),
        }
    }
}

impl Mark {
    /// The identity of what it marks on this network.
    pub(in crate::ledger) fn outside(&self, chain: ChainId) -> ExternalId {
        let Self { hash, index } = self;
        let id = format!("{} {hash}:{index}", chain.0).into();
        ExternalId { scope: Scope::ReceivedCoins, id }
    }
}

impl FactContext<'_> {
    /// A fact about wallets.
    pub(in crate::ledger) fn wallet(&self, fact: Fact) -> Decision {
        match fact {
            // A sale's deposit brought the coins (rulings 64).
            Fact::DepositSeen { .. } | Fact::DepositConfirmed { .. }
                if self.lookup.observation.is_some() =>
            {
                self.aside(Reason::IdTaken)
            }
            Fact::Configured(settings) if !self.state.catalogue.numbers_wallet(&settings) => {
                self.aside(Reason::ListingDiffers)
            }
            Fact::Configured(settings) => {
                let wallet = Some(Box::new(settings));
                let policy = Policy { wallet, ..Policy::clone(&self.state.policy) };
                accept(vec![Event::PolicyAdopted(Box::new(policy))])
            }
            Fact::DepositAssigned { account, request, decided_by } => {
                attribute(self.deposit_assigned(&account, &request), decided_by)
            }
            Fact::DepositSeen { transfer, .. } => self.wallet_deposit_seen(&transfer),
            Fact::DepositConfirmed { mark, transfer, .. } => {
                self.wallet_deposit_confirmed(&mark, transfer.as_ref())
            }
            Fact::DepositDoubted { mark, doubt, .. } => self.deposit_doubted(&mark, doubt),
            Fact::DepositJudged { finding, decided_by, .. } => {
                attribute(self.deposit_decided(&finding), decided_by)
            }
            Fact::DepositReversed { decided_by, .. } => {
                attribute(self.deposit_reversed(), decided_by)
            }
            Fact::Withdrawal { report, .. } => self.withdrawal_moves(match report {
                WithdrawalReport::Begin => Command::Begin,
                WithdrawalReport::Fund => Command::Fund,
                WithdrawalReport::Convert(obtained) => Command::Convert(obtained),
                WithdrawalReport::Send(sent) => Command::Send(sent),
                WithdrawalReport::Lose => Command::Lose,
            }),
            Fact::Payment { step, .. } => self.payment_moves(step),
            Fact::PaymentResolved { finding, decided_by, .. } => {
                attribute(self.payment_judged(finding, decided_by), decided_by)
            }
            Fact::WithdrawalEvidence { finding, decided_by, .. } => {
                attribute(self.withdrawal_moves(Command::Find(finding)), decided_by)
            }
        }
    }
}
