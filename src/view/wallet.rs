//! Answers about USDT wallets.

use ledger_core::time::Instant;
use rust_decimal::Decimal;

use super::answer::{answer, open_words};
use crate::value::OperationId;

answer! {
    /// Of [`Wallet`]: what payments need.
    PixRules {
        recipient_document_required: bool, "Whether a recipient's document is needed.";
    }
}

answer! {
    /// Of [`Wallet`]: the networks that deposits come by.
    WalletNetwork {
        network: String, "The network.";
        name: String, "What it is called.";
        assets: Vec<String>, "What it takes.";
        eta_minutes: Option<u64>, "How long a deposit takes.";
    }
}

answer! {
    /// Of [`Wallet`]: what it holds.
    WalletBalance {
        available: Decimal as plain, "What can be spent.";
        reserved: Decimal as plain, "What payments under way hold.";
        confirming: Decimal as plain, "What is seen and not credited yet.";
    }
}

answer! {
    /// Of [`Wallet`]: what can be paid.
    PaymentMethods {
        pix_key: bool, "Whether keys are paid.";
        br_code: bool, "Whether Copia e Cola codes are paid.";
    }
}

answer! {
    /// What `GET /carteira-usdt` is answered.
    Wallet {
        enabled: bool, "Whether the wallet is ready.";
        funding_source: String, "What pays: always the wallet.";
        currency: String, "What it counts in.";
        pix_rules: PixRules, "What payments need.";
        networks: Vec<WalletNetwork>, "The networks that deposits come by.";
        balance: WalletBalance, "What it holds.";
        min_deposit: Option<Decimal> as plain, "The least of a deposit.";
        min_payment_brl: Option<Decimal> as plain, "The least of a payment.";
        deposit_validity_hours: u64, "How long a deposit request is valid.";
        payments_enabled: bool, "Whether payments are made at present.";
        payment_methods: PaymentMethods, "What can be paid.";
        sandbox?: bool, "Whether it was made by a test key.";
    }
}

open_words! {
    /// What `status` of [`WalletDeposit`] may be.
    WalletDepositStatus {
        Waiting = "waiting",
        Confirming = "confirming",
        Available = "available",
        Expired = "expired",
        UnderReview = "under_review",
        Reversed = "reversed",
    }
}

open_words! {
    /// What `origin` of [`WalletDeposit`] may be.
    WalletDepositOrigin { Request = "request", AssignedBySupport = "assigned_by_support" }
}

answer! {
    /// What `POST /carteira-usdt/deposits` is answered.
    WalletDeposit {
        id: OperationId as "deposit_id", "The id of the request.";
        status: WalletDepositStatus, "How it stands.";
        amount_to_send: Option<Decimal> as plain, "Exactly what to send: its decimals name it.";
        amount_received: Option<Decimal> as plain, "What arrived.";
        address: Option<String>, "Where to send it.";
        network: Option<String>, "The network.";
        network_name: Option<String>, "What that is called.";
        asset: Option<String>, "What is sent.";
        accepted_assets: Option<Vec<String>>, "What may be sent.";
        expires_at: Option<Instant> as plain, "Until when it is valid.";
        created_at: Instant as plain, "When it was made.";
        credited_at: Option<Instant> as plain, "When it was credited.";
        origin: WalletDepositOrigin, "Who made it.";
        sandbox: bool, "Whether it was made by a test key.";
        instructions?: String, "What to show to whoever sends.";
    }
}

answer! {
    /// What `GET /carteira-usdt/deposits` is answered.
    WalletDeposits {
        items: Vec<WalletDeposit>, "The 100 latest requests.";
    }
}

open_words! {
    /// What `status` of [`WalletPayment`] may be.
    WalletPaymentStatus {
        Reserved = "reservado",
        OrderCreated = "ordem_criada",
        Accepted = "aceita",
        Withdrawing = "sacando",
        Sent = "enviado",
        UnderReview = "revisao",
        Completed = "concluido",
        Failed = "falhou",
        FailedAfterSending = "falhou_apos_envio",
    }
}

open_words! {
    /// What `payment_method` of [`WalletPayment`] may be.
    PaymentMethod { PixKey = "pix_key", BrCode = "br_code" }
}

answer! {
    /// What `POST /carteira-usdt/payments` is answered.
    WalletPayment {
        id: OperationId as "payment_id", "The id of the payment.";
        external_id: Option<String>, "The account's own id of it.";
        status: WalletPaymentStatus, "How it stands; revisao is no failure.";
        is_final: bool as "final", "Whether it has ended.";
        payment_method: PaymentMethod, "What is paid.";
        brl_amount: Decimal as plain, "What the recipient receives.";
        pix_key: Option<String>, "The key that is paid, masked.";
        usdt_reserved: Decimal as plain, "What was reserved.";
        usdt_debited: Option<Decimal> as plain, "What it cost in the end.";
        usdt_order: Option<Decimal> as plain, "What the order that paid it sold.";
        withdrawal_fee: Option<Decimal> as plain, "What withdrawing cost.";
        cash_out: Option<OperationId> as "cashout_id", "The order that paid it.";
        error: Option<String>, "Why it failed.";
        end_to_end_id: Option<String> as "pix_e2e", "The end-to-end id of the PIX.";
        recipient_name: Option<String>, "The recipient's name.";
        recipient_document: Option<String>, "The recipient's CPF or CNPJ, masked.";
        receipt_url: Option<String>, "Where the receipt is.";
        created_at: Instant as plain, "When it was made.";
        updated_at: Instant as plain, "When it last changed.";
        sandbox: bool, "Whether it was made by a test key.";
        usdt_returned?: Decimal as plain, "What of a failed one was given back.";
        reserve_status?: String, "What becomes of the reserve of a failed one.";
    }
}

answer! {
    /// What `GET /carteira-usdt/payments` is answered.
    WalletPayments {
        items: Vec<WalletPayment>, "The 100 latest payments.";
    }
}

answer! {
    /// What `POST /carteira-usdt/quote` is answered.
    WalletQuote {
        id: OperationId as "quote_id", "The id of the quote.";
        funding_source: String, "What pays: always the wallet.";
        payment_method: PaymentMethod, "What would be paid.";
        brl_amount: Decimal as plain, "What the recipient would receive.";
        usdt_order: Decimal as plain, "What the order would sell.";
        withdrawal_fee: Decimal as plain, "What withdrawing would cost.";
        usdt_total: Option<Decimal> as plain, "Both together.";
        expires_at: Instant as plain, "Until when it is valid.";
        sandbox: bool, "Whether it was made by a test key.";
    }
}

answer! {
    /// What `wallet.withdrawal.quote` is answered.
    WalletWithdrawalQuote {
        id: OperationId as "quote_id", "The id of the quote.";
        funding_source: String, "What pays: always the wallet.";
        amount: Decimal as plain, "What leaves the balance.";
        usdt_total: Decimal as plain, "The same.";
        asset: String, "What is received.";
        network: String, "The network.";
        address: String, "The external wallet.";
        minimum_received: Decimal as plain, "The least that arrives.";
        amount_estimated: Decimal as plain, "What is expected to arrive.";
        expires_at: Instant as plain, "Until when it is valid.";
        sandbox: bool, "Whether it was made by a test key.";
        network_fee: Decimal as plain, "What the network takes.";
        conversion_fee_estimated: Decimal as plain, "What conversion is expected to cost.";
        fee_mode: String, "Fees are taken from the amount.";
        note: String, "The same in Portuguese.";
    }
}

open_words! {
    /// What `status` of [`CreatedWalletWithdrawal`] may be.
    WalletWithdrawalStatus {
        Reserved = "reserved",
        Funding = "funding",
        Converting = "converting",
        Processing = "processing",
        UnderReview = "under_review",
        Completed = "completed",
        Failed = "failed",
    }
}

answer! {
    /// What `wallet.withdrawal.get` is answered.
    WalletWithdrawal {
        id: OperationId as "withdrawal_id", "The id of the withdrawal.";
        external_id: Option<String>, "The account's own id of it.";
        quote: OperationId as "quote_id", "The quote that it is of.";
        funding_source: String, "What pays: always the wallet.";
        amount: Decimal as plain, "What leaves the balance.";
        asset: String, "What is received.";
        network: String, "The network.";
        address: String, "The external wallet.";
        status: WalletWithdrawalStatus, "How it stands; `under_review` is no failure.";
        is_final: bool as "final", "Whether it has ended.";
        sandbox: bool, "Whether it was made by a test key.";
        network_name: Option<String>, "What the network is called.";
        amount_estimated: Decimal as plain, "What is expected to arrive.";
        minimum_received: Decimal as plain, "The least that arrives.";
        amount_received: Option<Decimal> as plain, "What arrived.";
        network_fee: Option<Decimal> as plain, "What the network takes.";
        usdt_reserved: Decimal as plain, "What was reserved.";
        usdt_debited: Option<Decimal> as plain, "What it cost in the end.";
        tx_hash: Option<String>, "The transaction.";
        created_at: Instant as plain, "When it was made.";
        updated_at: Instant as plain, "When it last changed.";
        completed_at: Option<Instant> as plain, "When it arrived.";
        note: Option<String>, "What to know of it, in Portuguese.";
    }

    /// What `wallet.withdrawal.create` is answered.
    CreatedWalletWithdrawal {} .. {
        duplicate_prevented?: bool, "Whether a second one was prevented.";
        requested_external_id?: String, "How that was asked for.";
    }
}

answer! {
    /// What `wallet.withdrawal.list` is answered.
    WalletWithdrawals {
        items: Vec<WalletWithdrawal>, "The latest withdrawals.";
    }
}
