//! How the operations of wallets, and agents, come to rest.

use std::collections::BTreeMap;

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::wallet::{DepositFinding, Fact as WalletFact};
use ledger_core::machine::erroneous_delivery;
use ledger_core::machine::wallet::deposit::Rejection;
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};

use crate::actors;
use crate::failure::wrong::Mismatch;
use crate::oracle::{
    AgentStep, DepositStatus, Fate, Network, PaymentStatus, Use, Waiting, WithdrawalStatus,
};
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
            let reported = if status == DepositStatus::Confirming {
                WalletFact::DepositConfirmed { deposit, mark: transfer.mark, transfer: None }
            } else if world.rng.percent(60) {
                let finding = match network {
                    Network::Confirmed => DepositFinding::Rejected(Rejection::Returned),
                    _ => DepositFinding::Rejected(Rejection::Vanished),
                };
                WalletFact::DepositJudged { deposit, finding, decided_by: world.decided_by() }
            } else {
                continue;
            };
            world.report(reported);
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
            let decided_by = world.decided_by();
            let received = Units::new(estimated).expect("something was estimated to arrive");
            let finding = if arrived || world.rng.percent(60) {
                let hash = world.fresh("0xw");
                Finding::Completed(Sent { hash, received, network_fee: None })
            } else {
                Finding::Failed
            };
            let reported =
                WalletFact::WithdrawalEvidence { withdrawal: Some(op), finding, decided_by };
            world.report(reported);
        }
    }

    /// Every payment ends or waits for a person: the world says what comes next, step by step.
    pub(super) fn end_payments(&mut self) -> Result<(), Mismatch> {
        for _ in 0..5 {
            let open = self.oracle.payments.iter();
            let open = open.filter(|(_, it)| it.is_reserved() || it.is_awaited());
            let open: Vec<_> = open.map(|(op, it)| (*op, it.clone())).collect();
            for (op, it) in open {
                if it.sent.is_none() {
                    self.end_claims_of(op, it.order.map(|(order, ..)| order));
                }
                actors::end_payment(&mut self.world, op, &it);
            }
            self.say_what_is_planned()?;
        }
        Ok(())
    }

    /// Brings back all that is claimed of a payment, so that it may fail.
    fn end_claims_of(&mut self, op: OpId, order: Option<OpId>) {
        let claims: Vec<OpId> = self.oracle.claims_open(op).map(|(claim, _)| claim).collect();
        for claim in claims {
            let (end, decided_by) = (erroneous_delivery::End::Recovered, self.world.proven());
            let erroneous_delivery = Some(claim);
            self.world.report(PurchaseFact::ErroneousDeliverySettled {
                erroneous_delivery,
                end,
                decided_by,
            });
        }
        for op in [Some(op), order].into_iter().flatten() {
            for claim in self.oracle.waiting_about(op, Waiting::is_payment) {
                let (suspense, decided_by) = (Some(claim), self.world.proven());
                self.world.report(SuspenseFact::Returned { suspense, return_id: None, decided_by });
            }
        }
    }

    /// What is reserved is of payments that wait for a person, and of nothing else.
    fn payments_are_at_rest(&self) -> Result<(), Mismatch> {
        let mut reserved: BTreeMap<AccountId, i128> = BTreeMap::new();
        for (op, it) in &self.oracle.payments {
            if it.is_awaited() || it.is_reserved() && !it.waits_for_person() {
                return Err(format!("{op:?} does not come to rest: {:?}", it.status));
            }
            if it.waits_for_person() {
                let units = i128::try_from(it.reserved).expect("the simulator moves few coins");
                *reserved.entry(it.account).or_default() += units;
            }
        }
        let books = &self.subject.ledger.state.books;
        let found = books.coins().filter_map(|(_, account, units)| match account {
            CoinAccount::WalletReserved(account) => Some((account, units)),
            _ => None,
        });
        let found: BTreeMap<AccountId, i128> = found.collect();
        if found == reserved {
            Ok(())
        } else {
            Err(format!("at rest {found:?} is reserved, and {reserved:?} waits for a person"))
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
        self.payments_are_at_rest()?;
        let open = self.oracle.quotes.iter().find(|(_, it)| it.used == Use::Not);
        open.map_or(Ok(()), |(op, _)| Err(format!("{op:?} is still open")))
    }

    pub(super) fn report_wallets(&mut self) {
        for it in self.oracle.wallet_deposits.values() {
            let kind = if it.wanted.is_some() { "wallet deposit" } else { "coins found" };
            self.report.count_end(
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
            self.report.count_end(
                "quote",
                match it.used {
                    Use::Not => "open",
                    Use::By(_) => "used",
                    Use::Lapsed => "lapsed",
                },
            );
        }
        for it in self.oracle.withdrawals.values() {
            self.report.count_end(
                "crypto withdrawal",
                match it.status {
                    WithdrawalStatus::UnderWay => "under way",
                    WithdrawalStatus::UnderReview => "waits for a person",
                    WithdrawalStatus::Completed => "completed",
                    WithdrawalStatus::Failed => "failed",
                },
            );
        }
        for it in self.oracle.payments.values() {
            self.report.count_end(
                "wallet payment",
                match (it.status, it.fate) {
                    (PaymentStatus::Completed, _) => "paid",
                    (PaymentStatus::Failed, _) => "failed",
                    (_, None) => "waits for a person",
                    (_, Some(Fate::Returned)) => "failed after its send, returned",
                    (_, Some(Fate::ReturnedAndLost)) => "failed after its send, returned, lost",
                    (_, Some(Fate::Paid)) => "failed after its send, paid",
                    (_, Some(Fate::Lost)) => "failed after its send, consumed",
                },
            );
        }
        for agent in &self.oracle.agents {
            self.report.count_end(
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
