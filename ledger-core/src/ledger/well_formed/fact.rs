//! What facts bring: their own ids and those of the world, accounts and subaccounts by name,
//! transactions, amounts.

use super::{amount, capabilities, customer, end_to_end, of, text, text_if};
use crate::ledger::command::{Fact, GiveUpTo, Reported};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::malformed::Malformed;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::payment_details::Beside;
use crate::ledger::sale::report::SaleReport;
use crate::ledger::wallet::{self, DepositFinding, Step};
use crate::machine::cash_out::{Command, Pix};
use crate::machine::charge::PixPayment;
use crate::machine::delivery::DeliveryReport;
use crate::machine::refund::RefundReport;

/// The longest name of a transaction: its hash, and the number of an output.
const TRANSACTION: usize = 128 + "#65535".len();

pub(super) fn check(reported: &Reported) -> Result<(), Refusal> {
    let fact = reported.fact.bare();
    match reported.id.as_deref() {
        Some(id) => text("id", id, 80)?,
        None if fact.kind().needs_id() => of("id", Err(Malformed::Missing))?,
        None => {}
    }
    if let Fact::Described { beside, .. } = &reported.fact {
        described(beside)?;
    }
    subject(fact)?;
    brought(fact)
}

impl FactKind {
    /// Whether a fact of this kind has an id of its own, by which it is known for ever; the others
    /// are known by what the world calls them, and the passing of time is no news twice.
    #[must_use]
    pub const fn needs_id(self) -> bool {
        !matches!(
            self,
            Self::PixReceived
                | Self::PixSeen
                | Self::PixReturned
                | Self::PayoutPaid
                | Self::PayoutReturned
                | Self::DepositSeen
                | Self::DepositConfirmed
                | Self::DepositVanished
                | Self::CashOutPaid
                | Self::CashOutReversed
                | Self::WalletDepositSeen
                | Self::WalletPaymentPaid
                | Self::TimePassed
        )
    }
}

/// The account, subaccount or agent that the fact names.
fn subject(fact: &Fact) -> Result<(), Refusal> {
    match fact {
        Fact::AccountOpened { name: account, .. }
        | Fact::TermsAdopted { account, .. }
        | Fact::KeyReplaced { account, .. }
        | Fact::KeyRevoked { account, .. } => text("account", account, 80),
        Fact::HoldPlaced { account, customer: name, .. }
        | Fact::FeeAdjusted { account, customer: name, .. }
        | Fact::BalanceWrittenOff { account, customer: name, .. }
        | Fact::CourtOrdered { account, customer: name, .. } => {
            text("account", account, 80)?;
            customer("customer_ref", name.as_deref())
        }
        Fact::AgentSuspended { agent, .. } | Fact::AgentReinstated { agent, .. } => {
            text("agent_id", agent, 80)
        }
        Fact::AgentActivated(newcomer) => {
            text("agent_id", &newcomer.id, 80)?;
            text("settlement_address", &newcomer.settlement, 128)?;
            text_if("referral", newcomer.referral.as_deref(), 64)?;
            capabilities(&newcomer.capabilities)
        }
        _ => Ok(()),
    }
}

/// What the fact brings: ids that the world gave, transactions, amounts.
fn brought(fact: &Fact) -> Result<(), Refusal> {
    match fact {
        Fact::PixReceived { payment: paid, .. } | Fact::PixSeen { payment: paid, .. } => {
            payment(paid)
        }
        Fact::ProviderReleased { payment: paid, .. } => paid.as_ref().map_or(Ok(()), payment),
        Fact::PixReturned { return_id, amount: returned, .. }
        | Fact::PayoutReturned { return_id, amount: returned, .. } => {
            end_to_end("return_id", return_id)?;
            amount("amount_cents", *returned)
        }
        Fact::PayoutPaid { e2e, amount: paid, .. } => {
            end_to_end("e2e", e2e)?;
            paid.map_or(Ok(()), |paid| amount("amount_cents", paid))
        }
        Fact::PayoutEvidence { paid: Some(e2e), .. } => end_to_end("e2e", e2e),
        Fact::Delivery { command, payment: paid, .. } => {
            if let DeliveryReport::Confirm(hash) = &command.report {
                transaction(hash)?;
            }
            paid.as_ref().map_or(Ok(()), payment)
        }
        Fact::DeliveryEvidence { sent: Some(hash), .. } => transaction(hash),
        Fact::DeliveryGivenUp { to: GiveUpTo::Payer(id), .. } => end_to_end("return_id", id),
        Fact::TreasuryMoved { amount: moved, .. }
        | Fact::HoldPlaced { amount: moved, .. }
        | Fact::BalanceWrittenOff { amount: moved, .. }
        | Fact::CourtOrdered { amount: moved, .. }
        | Fact::HoldReleased { amount: Some(moved), .. } => amount("amount_cents", *moved),
        Fact::RateQuoted { asset, quote } => {
            text("asset", asset, 32)?;
            // A price may come without its source.
            text_if("source", Some(&*quote.source).filter(|source| !source.is_empty()), 64)
        }
        Fact::CatalogueUpdated { listed, dropped } => {
            listed.iter().try_for_each(|listing| {
                pair("chain", &listing.asset_name, &listing.chain_name)?;
                text_if("eta", Some(&*listing.eta).filter(|eta| !eta.is_empty()), 64)
            })?;
            dropped.iter().try_for_each(|(asset, chain)| pair("chain", asset, chain))
        }
        Fact::MarketsUpdated { opened, closed } => {
            opened
                .iter()
                .try_for_each(|market| pair("network", &market.asset_name, &market.chain_name))?;
            closed.iter().try_for_each(|(asset, network)| pair("network", asset, network))
        }
        Fact::FeeAdjusted { given, charged, .. } => {
            of("effect_cents", Malformed::cents(*given))?;
            of("effect_cents", Malformed::cents(*charged))
        }
        Fact::Sale { report, .. } => of_a_sale(report),
        Fact::Wallet(fact) => of_a_wallet(fact),
        Fact::Described { fact, .. } => brought(fact),
        // Tokens, operations, and what is named by numbers of the ledger's own.
        Fact::AccountOpened { .. }
        | Fact::PolicyAdopted(_)
        | Fact::TermsAdopted { .. }
        | Fact::ProviderCancelled { .. }
        | Fact::PayoutSubmitted { .. }
        | Fact::PayoutRefused { .. }
        | Fact::PayoutUnknown { .. }
        | Fact::PayoutEvidence { paid: None, .. }
        | Fact::HoldReleased { amount: None, .. }
        | Fact::SuspenseAttached { .. }
        | Fact::SuspenseReturned { .. }
        | Fact::PayerReviewed { .. }
        | Fact::ProviderSettled { .. }
        | Fact::ProviderHeld { .. }
        | Fact::DeliveryEvidence { sent: None, .. }
        | Fact::DeliveryGivenUp { to: GiveUpTo::Custody, .. }
        | Fact::DeliveryResumed { .. }
        | Fact::PayoutStopped { .. }
        | Fact::PayoutCleared { .. }
        | Fact::CoinsMoved { .. }
        | Fact::ErroneousDeliverySettled { .. }
        | Fact::AgentActivated(_)
        | Fact::AgentSuspended { .. }
        | Fact::AgentReinstated { .. }
        | Fact::KeyReplaced { .. }
        | Fact::KeyRevoked { .. }
        | Fact::TimePassed => Ok(()),
    }
}

fn of_a_sale(report: &SaleReport) -> Result<(), Refusal> {
    match report {
        SaleReport::Seen(deposit) => {
            transaction(&deposit.hash)?;
            text_if("from", deposit.from.as_deref(), 128)
        }
        SaleReport::Confirmed { hash, deposit } => {
            let from = deposit.as_ref().and_then(|deposit| deposit.from.as_deref());
            transaction(hash)?;
            deposit.as_ref().map_or(Ok(()), |deposit| transaction(&deposit.hash))?;
            text_if("from", from, 128)
        }
        SaleReport::Vanished(hash) | SaleReport::Refund(RefundReport::Sent(hash)) => {
            transaction(hash)
        }
        SaleReport::Paid { pix: paid, amount: cents } => {
            pix(paid)?;
            cents.map_or(Ok(()), |cents| amount("amount_cents", cents))
        }
        SaleReport::Reversed { return_id, amount: cents } => {
            end_to_end("return_id", return_id)?;
            amount("amount_cents", *cents)
        }
        SaleReport::RefundDecided { to, .. } => text_if("refund_address", to.as_deref(), 128),
        SaleReport::Moved(Command::Arrive(cents) | Command::RefuseKey(cents)) => {
            amount("amount_cents", *cents)
        }
        SaleReport::Moved(_)
        | SaleReport::TokenReturned(_)
        | SaleReport::Stopped(_)
        | SaleReport::Cleared { .. }
        | SaleReport::Refund(RefundReport::Failed | RefundReport::Lost) => Ok(()),
    }
}

fn of_a_wallet(fact: &wallet::Fact) -> Result<(), Refusal> {
    if let Some(hash) = fact.sent_in() {
        transaction(hash)?;
    }
    if let Some(e2e) = fact.pix() {
        end_to_end("e2e", e2e)?;
    }
    if let Some(coins) = fact.coins() {
        transaction(&coins.mark.hash)?;
    }
    match fact {
        wallet::Fact::DepositAssigned { account, request, .. } => {
            text("account", account, 80)?;
            text("network", &request.network, 32)?;
            text_if("address", request.address.as_deref(), 128)
        }
        wallet::Fact::DepositSeen { address, .. } => text_if("address", address.as_deref(), 128),
        wallet::Fact::DepositConfirmed { mark, .. } | wallet::Fact::DepositDoubted { mark, .. } => {
            transaction(&mark.hash)
        }
        wallet::Fact::DepositJudged {
            finding: DepositFinding::Cleared { account, .. }, ..
        } => text_if("account", account.as_deref(), 80),
        wallet::Fact::Payment { step: Step::Accept(address), .. } => text("address", address, 128),
        wallet::Fact::Payment { step: Step::Pay(paid), .. } => pix(paid),
        wallet::Fact::Configured(settings) => settings.networks.iter().try_for_each(|network| {
            text("network", &network.name, 32)?;
            text("name", &network.title, 64)
        }),
        wallet::Fact::DepositJudged { .. }
        | wallet::Fact::DepositReversed { .. }
        | wallet::Fact::Withdrawal { .. }
        | wallet::Fact::Payment { .. }
        | wallet::Fact::PaymentResolved { .. }
        | wallet::Fact::WithdrawalEvidence { .. } => Ok(()),
    }
}

fn described(beside: &Beside) -> Result<(), Refusal> {
    match beside {
        Beside::Pix(details) => {
            text_if("institution", details.institution.as_deref(), 255)?;
            text_if("settled_by", details.settled_by.as_deref(), 255)?;
            text_if("receipt_url", details.receipt_url.as_deref(), 512)
        }
        Beside::Pages(pages) => pages.iter().try_for_each(|page| {
            text("chain", &page.chain, 32)?;
            text("tx_url", &page.template, 255)
        }),
    }
}

/// An asset and a network of a list, by their names.
fn pair(network: &'static str, asset: &str, name: &str) -> Result<(), Refusal> {
    text("asset", asset, 32)?;
    text(network, name, 32)
}

fn payment(paid: &PixPayment) -> Result<(), Refusal> {
    end_to_end("e2e", &paid.e2e)?;
    amount("amount_cents", paid.amount)
}

fn pix(paid: &Pix) -> Result<(), Refusal> {
    end_to_end("e2e", &paid.e2e)?;
    text_if("receipt_url", paid.receipt_url.as_deref(), 512)?;
    text_if("receipt_pdf_url", paid.receipt_pdf_url.as_deref(), 512)?;
    text_if("verify_url", paid.verify_url.as_deref(), 512)
}

fn transaction(hash: &str) -> Result<(), Refusal> {
    text("tx_hash", hash, TRANSACTION)
}
