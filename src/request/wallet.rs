//! Requests of USDT wallets.

use crate::declared::list;
use crate::request::{Account, request};
use crate::value::{Decimal, ExternalId, OperationId, PixKey, Text};

list! { AnyRequest:
    GetWallet, CreateWalletDeposit, ListWalletDeposits, CreateWalletPayment, ListWalletPayments,
    GetWalletPayment, QuoteWalletPayment, QuoteWalletWithdrawal, CreateWalletWithdrawal,
    GetWalletWithdrawal, ListWalletWithdrawals,
}

request! {
    /// Show the wallet: `GET /carteira-usdt`.
    ///
    /// Balance, networks and limits of the USDT wallet.
    ///
    /// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
    GetWallet: "GET /carteira-usdt", Account => Wallet;
}

request! {
    /// Request a deposit: `POST /carteira-usdt/deposits`.
    ///
    /// Gives an address and the exact amount to send.
    ///
    /// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada`,
    /// `muitos_pedidos_abertos`, `rede_indisponivel`, `valor_abaixo_do_minimo` or `valor_invalido`.
    CreateWalletDeposit: "POST /carteira-usdt/deposits", Account => WalletDeposit;
    body {
        amount: Decimal, "how much USDT";
        network?: Text<32>, "the network; absent: polygon";
    }
}

request! {
    /// List deposits: `GET /carteira-usdt/deposits`.
    ///
    /// The 100 latest requests.
    ///
    /// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
    ListWalletDeposits: "GET /carteira-usdt/deposits", Account => WalletDeposits;
}

request! {
    /// Pay a PIX from the wallet: `POST /carteira-usdt/payments`.
    ///
    /// Reserves USDT, pays the PIX, and debits what it cost. Send `brl_amount` with `pix_key`, or
    /// `br_code`.
    ///
    /// It may be refused for `br_code_indisponivel`, `br_code_invalido`, `br_code_sem_valor`,
    /// `campos_conflitantes`, `carteira_indisponivel`, `carteira_nao_liberada`,
    /// `cotacao_divergente`, `cotacao_expirada`, `cotacao_recusada`, `external_id_divergente`,
    /// `funding_source_invalido`, `limite_diario_recebedor`, `pagamentos_indisponiveis`,
    /// `pix_key_invalida`, `pix_key_obrigatoria`, `saldo_insuficiente`, `tipo_ambiguo`,
    /// `valor_abaixo_do_minimo` or `valor_invalido`.
    CreateWalletPayment: "POST /carteira-usdt/payments", Account => WalletPayment;
    body {
        funding_source?: Text<16>, "`crypto_usdt`, or absent";
        brl_amount?: Decimal, "what is to be paid, in reais";
        br_code?: Text<512>, "a Copia e Cola code, which says what is paid and to whom";
        pix_key?: PixKey as "pix_key" and "pix_key_type",
            "the key that is paid; required without a code";
        quote_id?: OperationId, "the quote it was shown, with `br_code`";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
    }
    supplied {
        owner?: Text<1024>,
            "the document that a lookup found the key to be of; without it, whose key it is is not \
             checked";
    }
}

request! {
    /// List payments: `GET /carteira-usdt/payments`.
    ///
    /// The 100 latest payments.
    ///
    /// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
    ListWalletPayments: "GET /carteira-usdt/payments", Account => WalletPayments;
}

request! {
    /// Show a payment: `GET /carteira-usdt/payments/{payment_id}`.
    ///
    /// A payment as it stands.
    ///
    /// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada` or `nao_encontrado`.
    GetWalletPayment: "GET /carteira-usdt/payments/{payment_id}", Account => WalletPayment;
    target {
        payment: OperationId as "payment_id", "which: `payment_id`";
    }
}

request! {
    /// Quote a payment: `POST /carteira-usdt/quote`.
    ///
    /// An estimate without effect: at confirmation up to 1 % more is reserved, and the rest
    /// returns.
    ///
    /// It may be refused for `br_code_indisponivel`, `br_code_invalido`, `br_code_sem_valor`,
    /// `campos_conflitantes`, `carteira_indisponivel`, `carteira_nao_liberada`,
    /// `funding_source_invalido`, `pagamentos_indisponiveis`, `pix_key_invalida`,
    /// `pix_key_obrigatoria`, `tipo_ambiguo`, `valor_abaixo_do_minimo` or `valor_invalido`.
    QuoteWalletPayment: "POST /carteira-usdt/quote", Account => WalletQuote;
    body {
        funding_source?: Text<16>, "`crypto_usdt`, or absent";
        brl_amount?: Decimal, "what is to be paid, in reais";
        br_code?: Text<512>, "a Copia e Cola code, which says what is paid and to whom";
        pix_key?: PixKey as "pix_key" and "pix_key_type",
            "the key that is paid; required without a code";
    }
}

request! {
    /// Quote a withdrawal: `wallet.withdrawal.quote`.
    ///
    /// What would arrive in an external wallet.
    ///
    /// It may be refused for `asset_invalido`, `carteira_indisponivel`, `carteira_nao_liberada`,
    /// `funding_source_invalido`, `payout_address_invalido`, `rede_indisponivel`,
    /// `saque_indisponivel`, `valor_abaixo_do_minimo` or `valor_invalido`.
    QuoteWalletWithdrawal: "wallet.withdrawal.quote", Account => WalletWithdrawalQuote;
    body {
        funding_source?: Text<16>, "`crypto_usdt`, or absent";
        asset?: Text<16>, "USDT or USDC; absent: USDT";
        network?: Text<32>, "the network; absent: polygon";
        address: Text<128>, "the external wallet";
        amount: Decimal, "how much USDT leaves";
    }
}

request! {
    /// Withdraw to an external wallet: `wallet.withdrawal.create`.
    ///
    /// Withdraws what was quoted.
    ///
    /// It may be refused for `asset_invalido`, `carteira_indisponivel`, `carteira_nao_liberada`,
    /// `cotacao_divergente`, `cotacao_expirada`, `cotacao_recusada`, `external_id_divergente`,
    /// `funding_source_invalido`, `saldo_insuficiente`, `saque_indisponivel`,
    /// `valor_abaixo_do_minimo` or `valor_invalido`.
    CreateWalletWithdrawal: "wallet.withdrawal.create", Account => CreatedWalletWithdrawal;
    body {
        funding_source?: Text<16>, "`crypto_usdt`, or absent";
        quote_id: OperationId, "the quote it was shown";
        asset?: Text<16>, "as quoted";
        network?: Text<32>, "as quoted";
        address?: Text<128>, "the external wallet";
        amount?: Decimal, "as quoted";
        external_id: ExternalId, "the account's own id";
    }
}

request! {
    /// Show a withdrawal: `wallet.withdrawal.get`.
    ///
    /// A withdrawal as it stands.
    ///
    /// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada` or `nao_encontrado`.
    GetWalletWithdrawal: "wallet.withdrawal.get", Account => WalletWithdrawal;
    body {
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
    }
}

request! {
    /// List withdrawals: `wallet.withdrawal.list`.
    ///
    /// The latest withdrawals.
    ///
    /// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
    ListWalletWithdrawals: "wallet.withdrawal.list", Account => WalletWithdrawals;
}
