//! The sandbox as a provider: what it supplies, and that it reports every step by itself.

use ledger_store::provider::supply::{Entropy, SecretFor};
use ledger_store::provider::{
    Answer, ChargeAnswer, ChargeToIssue, Delivery, DepositAddress, DepositToTake, Order, OrderKind,
    Outcome, PaidFromWallet, PixPaid, Provider, QrCode, Refund, Sale, SendPix, Sold, Transaction,
    WalletPayment, WalletWithdrawal, Withdrawn,
};

use super::Sandbox;

/// What shows that something can neither be paid nor receive funds (COUT-13, WAL-13).
const FICTIONAL: &str = "sandbox-receives-nothing-";

/// Nothing is carried out: [`Sandbox::advance`] reports by itself what becomes of each order, and
/// when, so a driver over it acknowledges what it is given.
impl Provider for Sandbox {
    fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        let copypaste = format!("{FICTIONAL}{}", charge.external_id.unwrap_or("pix"));
        Answer::Known(ChargeAnswer::Issued(QrCode { copypaste, image_url: None }))
    }

    fn deposit_address(&self, deposit: &DepositToTake<'_>) -> Answer<DepositAddress> {
        let about = deposit.cashout_id.or(deposit.network).unwrap_or("polygon");
        Answer::Known(DepositAddress { address: format!("{FICTIONAL}{about}"), tag: None })
    }

    fn carries_out(&self, _: OrderKind) -> bool {
        true
    }

    fn send_pix(&self, _: &Order<SendPix>) -> Outcome<PixPaid> {
        Outcome::Reported
    }

    fn deliver(&self, _: &Order<Delivery>) -> Outcome<Transaction> {
        Outcome::Reported
    }

    fn sell(&self, _: &Order<Sale>) -> Outcome<Sold> {
        Outcome::Reported
    }

    fn refund(&self, _: &Order<Refund>) -> Outcome<Transaction> {
        Outcome::Reported
    }

    fn withdraw(&self, _: &Order<WalletWithdrawal>) -> Outcome<Withdrawn> {
        Outcome::Reported
    }

    fn pay_from_wallet(&self, _: &Order<WalletPayment>) -> Outcome<PaidFromWallet> {
        Outcome::Reported
    }
}

/// A provider that makes no keys.
pub(super) struct NoEntropy;

impl Entropy for NoEntropy {
    fn hex(&self, _: SecretFor<'_>) -> Option<String> {
        None
    }
}
