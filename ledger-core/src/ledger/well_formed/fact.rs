//! What facts bring: their own ids and those of the world, accounts and subaccounts by name,
//! transactions, amounts.

use super::value::{amount, end_to_end, of, pix, text, text_if, transaction};
use crate::ledger::command::Reported;
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::fact::Fact;
use crate::ledger::malformed::Malformed;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::payment_details::Beside;
use crate::ledger::sale::report::SaleReport;
use crate::ledger::wallet::{self, DepositFinding, Step};
use crate::machine::cash_out::Command;
use crate::machine::refund::RefundReport;

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
                | Self::InstructionHandedOut
                | Self::TimePassed
        )
    }
}

fn brought(fact: &Fact) -> Result<(), Refusal> {
    match fact {
        Fact::Account(fact) => fact.check(),
        Fact::Charge(fact) => fact.check(),
        Fact::Payout(fact) => fact.check(),
        Fact::Hold(fact) => fact.check(),
        Fact::Suspense(fact) => fact.check(),
        Fact::Adjustment(fact) => fact.check(),
        Fact::Purchase(fact) => fact.check(),
        Fact::Treasury(fact) => fact.check(),
        Fact::Sale { report, .. } => of_a_sale(report),
        Fact::Agent(fact) => fact.check(),
        Fact::Wallet(fact) => of_a_wallet(fact),
        Fact::Cell(fact) => fact.check(),
        Fact::Described { fact, .. } => brought(fact),
        Fact::HandedOut(_) | Fact::TimePassed => Ok(()),
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
