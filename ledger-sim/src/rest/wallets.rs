//! How the operations of wallets, and agents, come to rest.

use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::Fact;
use ledger_core::ledger::wallet::{DepositFinding, Fact as Told};
use ledger_core::machine::wallet::deposit::Rejection;
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};

use crate::oracle::{AgentStep, DepositStatus, Network, Use, WithdrawalStatus};
use crate::run::Run;

impl Run {
    /// Networks confirm or lose what was seen, and operators find out what became of withdrawals;
    /// some of what waits for a person goes on waiting.
    pub(super) fn end_wallets(&mut self) {
        let deposits = self.oracle.wallet_deposits.iter();
        let seen: Vec<_> = deposits
            .filter(|(_, it)| {
                matches!(it.status, DepositStatus::Confirming | DepositStatus::UnderReview)
            })
            .map(|(op, it)| (*op, it.status, it.network, it.transfer.clone()))
            .collect();
        for (op, status, network, transfer) in seen {
            let Some(transfer) = transfer else { continue };
            let (deposit, world) = (Some(op), &mut self.world);
            let told = if status == DepositStatus::Confirming {
                Told::DepositConfirmed { deposit, mark: transfer.mark, transfer: None }
            } else if world.rng.percent(60) {
                let finding = match network {
                    Network::Confirmed => DepositFinding::Rejected(Rejection::Returned),
                    _ => DepositFinding::Rejected(Rejection::Vanished),
                };
                Told::DepositJudged { deposit, finding, judgement: world.judgement() }
            } else {
                continue;
            };
            world.tell(Fact::Wallet(Box::new(told)));
        }
        let open = self.oracle.withdrawals.iter();
        let open: Vec<(OpId, u128, bool)> = open
            .filter(|(_, it)| {
                matches!(it.status, WithdrawalStatus::UnderWay | WithdrawalStatus::UnderReview)
            })
            .map(|(op, it)| (*op, it.terms.estimated, it.sent.is_some()))
            .collect();
        for (op, estimated, arrived) in open {
            let world = &mut self.world;
            let judgement = world.judgement();
            let received = Units::new(estimated).expect("something was estimated to arrive");
            let finding = if arrived || world.rng.percent(60) {
                let hash = world.fresh("0xw");
                Finding::Completed(Sent { hash, received, network_fee: None })
            } else {
                Finding::Failed
            };
            let told = Told::WithdrawalEvidence { withdrawal: Some(op), finding, judgement };
            world.tell(Fact::Wallet(Box::new(told)));
        }
    }

    /// A deposit that waits for a person may; nothing else of a wallet is still open.
    pub(super) fn wallets_are_at_rest(&self) -> Result<(), String> {
        for (op, it) in &self.oracle.wallet_deposits {
            if matches!(it.status, DepositStatus::Waiting | DepositStatus::Confirming) {
                return Err(format!("{op:?} does not come to rest: {:?}", it.status));
            }
        }
        for (op, it) in &self.oracle.withdrawals {
            if matches!(it.status, WithdrawalStatus::UnderWay | WithdrawalStatus::UnderReview) {
                return Err(format!("{op:?} does not come to rest: {:?}", it.status));
            }
        }
        let open = self.oracle.quotes.iter().find(|(_, it)| it.used == Use::Not);
        open.map_or(Ok(()), |(op, _)| Err(format!("{op:?} is still open")))
    }

    pub(super) fn tell_wallets(&mut self) {
        for it in self.oracle.wallet_deposits.values() {
            let kind = if it.wanted.is_some() { "wallet deposit" } else { "coins found" };
            self.report.ended(
                kind,
                match it.status {
                    DepositStatus::Waiting => "waiting",
                    DepositStatus::Expired => "expired",
                    DepositStatus::Confirming => "confirming",
                    DepositStatus::UnderReview => "waits for a person",
                    DepositStatus::Available => "available",
                    DepositStatus::Reversed if it.credited.is_some() => "reversed after its credit",
                    DepositStatus::Reversed => "rejected",
                },
            );
        }
        for it in self.oracle.quotes.values() {
            self.report.ended(
                "quote",
                match it.used {
                    Use::Not => "open",
                    Use::By(_) => "used",
                    Use::Lapsed => "lapsed",
                },
            );
        }
        for it in self.oracle.withdrawals.values() {
            self.report.ended(
                "crypto withdrawal",
                match it.status {
                    WithdrawalStatus::UnderWay => "under way",
                    WithdrawalStatus::UnderReview => "waits for a person",
                    WithdrawalStatus::Completed => "completed",
                    WithdrawalStatus::Failed => "failed",
                },
            );
        }
        for agent in &self.oracle.agents {
            self.report.ended(
                "agent",
                match agent.step {
                    _ if agent.stopped => "suspended",
                    AgentStep::Registered => "registered",
                    AgentStep::SandboxActive => "active in the sandbox",
                    AgentStep::Validated => "validated",
                    AgentStep::ProductionActive => "active in production",
                },
            );
        }
    }
}
