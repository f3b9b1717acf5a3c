//! Every request, in one list.

use crate::declared::Declared;

/// Gives a macro the path of every request, in the order of the contract.
macro_rules! each_request {
    ($call:ident) => {
        $call! {
            charge::CreateCharge,
            charge::PreviewCharge,
            charge::ListCharges,
            charge::ChargeCatalogue,
            charge::ChargeLimits,
            charge::GetCharge,
            transfer::CreateTransfer,
            transfer::CreateTransferGroup,
            conversion::CreateConversion,
            conversion::WithdrawCommission,
            payout::CreatePayout,
            payout::ListPayouts,
            sale::SaleCatalogue,
            sale::PreviewCashOut,
            sale::CreateCashOut,
            sale::ListCashOuts,
            sale::GetCashOut,
            sale::AcceptCashOut,
            sale::SetRefundAddress,
            balance::GetBalance,
            balance::GetBalanceAt,
            balance::ConsolidatedBalance,
            balance::ListCustomers,
            balance::GetStatement,
            balance::GetCommission,
            balance::CommissionStatement,
            account::CreateKey,
            account::CreateSandboxKey,
            account::SendPanelLink,
            account::GetAccount,
            account::UpdateAccount,
            account::RotateKey,
            account::TestWebhook,
            account::ListWebhookDeliveries,
            account::VerifyPix,
            account::LookUpKey,
            wallet::GetWallet,
            wallet::CreateWalletDeposit,
            wallet::ListWalletDeposits,
            wallet::CreateWalletPayment,
            wallet::ListWalletPayments,
            wallet::GetWalletPayment,
            wallet::QuoteWalletPayment,
            wallet::QuoteWalletWithdrawal,
            wallet::CreateWalletWithdrawal,
            wallet::GetWalletWithdrawal,
            wallet::ListWalletWithdrawals,
            agent::GetMesh,
            agent::RegisterAgent,
            agent::CreateReferral,
            agent::AgentNetwork,
            agent::AgentRewards,
            agent::ValidateAgent,
            agent::SetSettlementAddress,
            agent::SetMandate,
            agent::RequestProduction,
            sandbox::GetSandbox,
            sandbox::ListSandboxEvents,
            sandbox::PaySandboxCharge,
        }
    };
}
#[cfg_attr(not(feature = "testkit"), allow(unused_imports))]
pub(crate) use each_request;

macro_rules! declared {
    ($($domain:ident::$name:ident),* $(,)?) => { &[$(super::$domain::$name::DECLARED),*] };
}

/// The declaration of every request.
#[doc(hidden)]
pub const DECLARED: &[Declared] = each_request!(declared);
