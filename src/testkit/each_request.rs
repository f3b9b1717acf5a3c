//! Any request of those that are declared.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::anything::AnyRequest;
use crate::request;

/// One of every kind of request that the contract has, each as likely.
pub fn requests() -> BoxedStrategy<AnyRequest> {
    Union::new([
        AnyRequest::drawn::<request::charge::CreateCharge>(),
        AnyRequest::drawn::<request::charge::PreviewCharge>(),
        AnyRequest::drawn::<request::charge::ListCharges>(),
        AnyRequest::drawn::<request::charge::ChargeCatalogue>(),
        AnyRequest::drawn::<request::charge::ChargeLimits>(),
        AnyRequest::drawn::<request::charge::GetCharge>(),
        AnyRequest::drawn::<request::transfer::CreateTransfer>(),
        AnyRequest::drawn::<request::conversion::CreateConversion>(),
        AnyRequest::drawn::<request::conversion::WithdrawCommission>(),
        AnyRequest::drawn::<request::payout::CreatePayout>(),
        AnyRequest::drawn::<request::payout::ListPayouts>(),
        AnyRequest::drawn::<request::sale::SaleCatalogue>(),
        AnyRequest::drawn::<request::sale::PreviewCashOut>(),
        AnyRequest::drawn::<request::sale::CreateCashOut>(),
        AnyRequest::drawn::<request::sale::ListCashOuts>(),
        AnyRequest::drawn::<request::sale::GetCashOut>(),
        AnyRequest::drawn::<request::sale::AcceptCashOut>(),
        AnyRequest::drawn::<request::sale::SetRefundAddress>(),
        AnyRequest::drawn::<request::balance::GetBalance>(),
        AnyRequest::drawn::<request::balance::GetBalanceAt>(),
        AnyRequest::drawn::<request::balance::ConsolidatedBalance>(),
        AnyRequest::drawn::<request::balance::ListCustomers>(),
        AnyRequest::drawn::<request::balance::GetStatement>(),
        AnyRequest::drawn::<request::balance::GetCommission>(),
        AnyRequest::drawn::<request::balance::CommissionStatement>(),
        AnyRequest::drawn::<request::account::CreateKey>(),
        AnyRequest::drawn::<request::account::CreateSandboxKey>(),
        AnyRequest::drawn::<request::account::SendPanelLink>(),
        AnyRequest::drawn::<request::account::GetAccount>(),
        AnyRequest::drawn::<request::account::UpdateAccount>(),
        AnyRequest::drawn::<request::account::RotateKey>(),
        AnyRequest::drawn::<request::account::TestWebhook>(),
        AnyRequest::drawn::<request::account::ListWebhookDeliveries>(),
        AnyRequest::drawn::<request::account::VerifyPix>(),
        AnyRequest::drawn::<request::account::LookUpKey>(),
        AnyRequest::drawn::<request::wallet::GetWallet>(),
        AnyRequest::drawn::<request::wallet::CreateWalletDeposit>(),
        AnyRequest::drawn::<request::wallet::ListWalletDeposits>(),
        AnyRequest::drawn::<request::wallet::CreateWalletPayment>(),
        AnyRequest::drawn::<request::wallet::ListWalletPayments>(),
        AnyRequest::drawn::<request::wallet::GetWalletPayment>(),
        AnyRequest::drawn::<request::wallet::QuoteWalletPayment>(),
        AnyRequest::drawn::<request::wallet::QuoteWalletWithdrawal>(),
        AnyRequest::drawn::<request::wallet::CreateWalletWithdrawal>(),
        AnyRequest::drawn::<request::wallet::GetWalletWithdrawal>(),
        AnyRequest::drawn::<request::wallet::ListWalletWithdrawals>(),
        AnyRequest::drawn::<request::agent::GetMesh>(),
        AnyRequest::drawn::<request::agent::RegisterAgent>(),
        AnyRequest::drawn::<request::agent::CreateReferral>(),
        AnyRequest::drawn::<request::agent::AgentNetwork>(),
        AnyRequest::drawn::<request::agent::AgentRewards>(),
        AnyRequest::drawn::<request::agent::ValidateAgent>(),
        AnyRequest::drawn::<request::agent::SetSettlementAddress>(),
        AnyRequest::drawn::<request::agent::SetMandate>(),
        AnyRequest::drawn::<request::agent::RequestProduction>(),
        AnyRequest::drawn::<request::sandbox::GetSandbox>(),
        AnyRequest::drawn::<request::sandbox::ListSandboxEvents>(),
        AnyRequest::drawn::<request::sandbox::PaySandboxCharge>(),
    ])
    .boxed()
}
