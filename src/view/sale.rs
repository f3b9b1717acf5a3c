//! Answers about cash-out orders: crypto sold for a PIX.

use ledger_core::time::Instant;
use rust_decimal::Decimal;

use super::answer::{answer, open_words};
use super::status::CashOutState;
use crate::value::{Metadata, OperationId};

open_words! {
    /// What `path` of [`Market`] may be.
    SalePath { Fast = "FAST", Dex = "DEX", Convert = "CONVERT", DepixLiquid = "depix_liquid" }
}

answer! {
    /// Of [`SaleAsset`]: the networks that it is sold on.
    Market {
        network: String, "The network.";
        path: Option<SalePath>, "By which way it is sold.";
        available: bool, "Whether it is sold at present.";
        min: Option<Decimal> as plain, "The least of an order.";
        max: Option<Decimal> as plain, "The most of an order.";
        decimals: u64, "How exact amounts are.";
        quote_valid_minutes: u64, "How long a quote is valid.";
        confirmations_required: u64, "How many a deposit needs.";
        eta_minutes: Option<u64>, "How long a deposit takes to count.";
    }
}

answer! {
    /// Of [`SaleCatalogue`]: what is sold, and where.
    SaleAsset {
        asset: String, "The asset.";
        networks: Vec<Market>, "The networks that it is sold on.";
    }
}

answer! {
    /// What `GET /catalog` is answered.
    SaleCatalogue {
        assets: Vec<SaleAsset>, "What is sold, and where.";
    }
}

open_words! {
    /// What `pix_key_type` of [`CashOutPreview`] may be.
    KeyType { Cpf = "cpf", Cnpj = "cnpj", Phone = "phone", Email = "email", Random = "random" }
}

answer! {
    /// What `POST /cash-outs/preview` is answered.
    CashOutPreview {
        path: Option<SalePath>, "By which way the crypto is sold.";
        asset: String, "What is sold.";
        network: String, "The network that it is deposited on.";
        amount: Decimal as plain, "What is to be deposited.";
        brl_amount: Decimal as plain, "What the recipient receives.";
        fee_brl: Option<Decimal> as plain, "The fees of the order, already counted.";
        reserve_brl: Option<Decimal> as plain, "The operational reserve, already counted.";
        pix_key_reserve_usd: Option<Decimal> as plain, "The reserve of a payment to a key.";
        br_code_buffer_usd: Option<Decimal> as plain "copia_e_cola_buffer_usd",
            "The reserve of a payment of a code.";
        rate: Option<Decimal> as plain, "The price of one unit.";
        rate_source: Option<String>, "Where the price is from.";
        pix_key: Option<String>, "The key that is paid, masked.";
        pix_key_type: Option<KeyType>, "What that key is.";
        br_code: Option<String>, "The Copia e Cola code that is paid.";
        merchant_name: Option<String>, "The recipient that the code names.";
        payee_document: Option<String> as "payee_tax_number",
            "The recipient's CPF or CNPJ, masked.";
        refund_address: Option<String>, "The return wallet.";
        external_id: Option<String>, "The account's own id of it.";
        expires_at: Option<Instant> as plain, "Until when the quote is valid.";
    }

    /// What `POST /cash-outs` is answered.
    CashOut {
        id: OperationId as "cashout_id", "The id of the order, opaque.";
        state: CashOutState, "How the order stands; COMPLETED confirms the PIX.";
    } .. {
        deposit_address: Option<String>, "Where to deposit; only after it was accepted.";
        deposit_tag: Option<String>, "The memo that the deposit needs.";
        deposit_from: Option<String>, "Where the deposit came from; never a return wallet.";
        deposit_tx_hash: Option<String>, "The transaction of the deposit.";
        amount_received: Option<Decimal> as plain, "What was deposited.";
        asset_received: Option<String>, "The asset that was deposited.";
        network_received: Option<String>, "The network that it was deposited on.";
        brl_paid: Option<Decimal> as plain, "What the recipient was paid.";
        brl_reversed: Option<Decimal> as plain, "What of it came back.";
        refund_amount: Option<Decimal> as plain, "What is returned.";
        refund_tx_hash: Option<String>, "The transaction of the return.";
        end_to_end_id: Option<String> as "pix_e2e", "The end-to-end id of the PIX.";
        pix_paid_at: Option<Instant> as plain, "When the PIX was paid.";
        receipt_url: Option<String>, "Where the receipt is.";
        receipt_pdf_url: Option<String>, "Where the receipt is as a PDF.";
        verify_url: Option<String>, "Where anybody can verify the PIX.";
        timeline: Vec<CashOutStep>, "The states that it entered.";
        confirmations: Option<u64>, "How many the deposit has.";
        confirmations_required: Option<u64>, "How many it needs.";
        confirmations_complete: Option<bool>, "Whether it has them.";
        review_reason: Option<String>, "Why it waits for a person.";
        surplus_refunds: Vec<SurplusRefund>, "What it did not take.";
        created_at: Instant as plain, "When it was created.";
        updated_at: Instant as plain, "When it last changed.";
        payment?: OperationId as "payment_id", "The wallet payment that it serves.";
        funding_source?: String, "What pays for it, where that is the wallet.";
        refund_address_checked?: bool, "False where nobody can check the return wallet.";
        recipient_name?: String, "The recipient's name.";
        recipient_document?: String, "The recipient's CPF or CNPJ, masked.";
        institution?: String, "The recipient's institution.";
        settled_by?: String, "Who settled the PIX.";
        metadata?: Metadata, "Pairs of the account's own; none once erased.";
    }
}

answer! {
    /// Of [`CashOut`]: the states that it entered.
    CashOutStep {
        state: CashOutState, "The state that was entered.";
        at: Instant as plain, "When it was entered.";
    }
}

answer! {
    /// Of [`CashOut`]: what it did not take.
    SurplusRefund {
        id: OperationId as "receipt_id", "The id of what arrived.";
        state: CashOutState, "How its return stands.";
        amount: Decimal as plain, "How much it is.";
        asset: Option<String>, "The asset.";
        network: Option<String>, "The network.";
        deposit_tx_hash: Option<String>, "The transaction that brought it.";
        refund_address: Option<String>, "The wallet that it returns to.";
        refund_tx_hash: Option<String>, "The transaction that returned it.";
    }
}

answer! {
    /// What `GET /cash-outs` is answered.
    CashOuts {
        cash_outs: Vec<CashOut>, "The orders of this external id.";
    }
}
