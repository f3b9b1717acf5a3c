//! Facts of USDT wallets.

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{
    AccountName, Bps, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, PixKey, Text,
};

list! { AnyFact:
    WalletConfigured, WalletDepositAssigned, WalletDepositSeen, WalletDepositConfirmed,
    WalletDepositDoubted, WalletDepositJudged, WalletDepositReversed, CryptoWithdrawalStarted,
    CryptoWithdrawalFunded, CryptoWithdrawalConverted, CryptoWithdrawalSent,
    CryptoWithdrawalUnknown, CryptoWithdrawalEvidence, WalletPaymentStarted, WalletPaymentSent,
    WalletPaymentConfirmed, WalletPaymentPaid, WalletPaymentFailed, WalletPaymentUnknown,
    WalletPaymentResolved,
}

part! {
    /// Of `WalletConfigured`: the networks, required at first, at most 100.
    WalletConfiguredNetwork {
        network: Text<32>, "the network";
        name?: Text<64>, "how it is shown";
        assets?: Vec<Text<255>>, "USDT and USDC, as far as it carries them; absent: USDT";
        eta_minutes?: u16, "how long a transfer takes";
        withdrawals?: bool, "whether withdrawals go there; absent: they do";
        network_fee?: Decimal, "USDT the network takes; absent, or zero: none";
    }
}

fact! {
    /// The USDT wallet is offered as follows; what is not named stays.
    WalletConfigured: "wallet.configured" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        networks?: Vec<WalletConfiguredNetwork>, "the networks, required at first, at most 100";
        enabled?: bool, "whether it operates; at first true";
        payments_enabled?: bool, "at first true";
        pix_key?: PixKey, "payments to a key; at first true";
        br_code?: bool, "payments of a code; at first true";
        withdrawals_enabled?: bool, "to external wallets; at first true";
        recipient_document_required?: bool, "at first false";
        min_deposit?: Decimal, "USDT; at first 1.000000";
        min_payment_brl?: Decimal, "reais, a decimal string; at first 6.00";
        withdrawal_fee?: Decimal, "USDT the network takes of a payment; at first none";
        deposit_validity_hours?: u16, "at first 1";
        open_deposits_max?: u16, "open deposit requests of an account; at first 5";
        quote_seconds?: u16, "how long a quote is valid; at first 300";
        tolerance_bps?: Bps, "how far below its estimate a withdrawal may arrive; at first 50";
        conversion_fee_bps?: Bps, "of a withdrawal in USDC; at first 0";
        strict_buffer?: bool, "a payment needs its whole buffer of 1%; at first false";
    }
}

fact! {
    /// An operator makes a deposit request for an account.
    WalletDepositAssigned: "wallet.deposit.assigned" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        amount: Decimal, "USDT";
        network?: Text<32>, "the network; absent: polygon";
        address: Text<128>, "where to send";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A transfer to the wallet was seen; what no request awaits exactly is under review.
    WalletDepositSeen: "wallet.deposit.seen" {
        deposit?: OperationId as "deposit_id",
            "the deposit, where the sender or the address tells it";
        address?: Text<128>, "where it arrived, which tells it otherwise";
        tx_hash: Text<128>, "the transaction";
        output_index?: u16, "the place of the output in it; absent: 0";
        asset: Text<32>, "the token";
        network: Text<32>, "the network";
        amount: Decimal, "how much";
    }
}

fact! {
    /// The network confirmed a transfer; told with token, network and amount, it implies that it
    /// was seen.
    WalletDepositConfirmed: "wallet.deposit.confirmed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        deposit: OperationId as "deposit_id", "the deposit";
        tx_hash: Text<128>, "the transaction";
        output_index?: u16, "the place of the output in it; absent: 0";
        asset?: Text<32>, "the token, when the news of the transfer may not have come";
        network?: Text<32>, "the network, with asset";
        amount?: Decimal, "how much, with asset";
    }
}

words! {
    /// Values of `cause`: reorg or compliance.
    WalletDepositDoubtedCause { Reorg = "reorg", Compliance = "compliance" }
}

fact! {
    /// A transfer that was seen is in doubt: it is under review until an operator decides.
    WalletDepositDoubted: "wallet.deposit.doubted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        deposit: OperationId as "deposit_id", "the deposit";
        tx_hash: Text<128>, "the transaction";
        output_index?: u16, "the place of the output in it; absent: 0";
        cause: WalletDepositDoubtedCause, "reorg or compliance";
    }
}

fact! {
    /// An operator lets a deposit under review in, or keeps it out.
    WalletDepositJudged: "wallet.deposit.judged" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        deposit: OperationId as "deposit_id", "the deposit";
        outcome: Text<16>,
            "cleared, returned (sent back once confirmed) or vanished (never confirmed)";
        account?: AccountName, "whose it is, when no request says it; with cleared";
        credited?: Decimal, "how much of it, the rest being sent back; absent: all; with cleared";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A deposit is undone after it was credited: a forced debit.
    WalletDepositReversed: "wallet.deposit.reversed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        deposit: OperationId as "deposit_id", "the deposit";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// The funding of a withdrawal from a wallet began.
    CryptoWithdrawalStarted: "wallet.withdrawal.started" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
    }
}

fact! {
    /// A withdrawal was funded: it left the wallet, and is owed to the address.
    CryptoWithdrawalFunded: "wallet.withdrawal.funded" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
    }
}

fact! {
    /// The USDT of a withdrawal became USDC; what was lost on the way the client bears.
    CryptoWithdrawalConverted: "wallet.withdrawal.converted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
        obtained: Decimal, "USDC";
    }
}

fact! {
    /// A withdrawal was sent and confirmed; less than its minimum waits for a person.
    CryptoWithdrawalSent: "wallet.withdrawal.sent" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
        tx_hash: Text<128>, "the transaction";
        received: Decimal, "what arrived";
        network_fee?: Decimal, "what the network took; absent: as quoted";
    }
}

fact! {
    /// Nobody knows how a withdrawal stands: it waits for evidence, and nothing moves.
    CryptoWithdrawalUnknown: "wallet.withdrawal.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
    }
}

fact! {
    /// An operator found out how a withdrawal stands, with proof.
    CryptoWithdrawalEvidence: "wallet.withdrawal.evidence" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        withdrawal: OperationId as "withdrawal_id", "the withdrawal";
        outcome: Text<16>,
            "resumed, completed, or failed: nothing left, and the whole reserve goes back";
        tx_hash?: Text<128>, "the transaction, required when completed";
        received?: Decimal, "what arrived in all, required when completed";
        network_fee?: Decimal, "what the network took, with received";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A payment from a wallet goes on: its order is created, accepted, or funded.
    WalletPaymentStarted: "wallet.payment.started" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
        step: Text<16>, "`order_created`, accepted (which implies it) or started";
        address?: Text<128>, "where the order is funded; required when accepted";
    }
}

fact! {
    /// What a payment's order costs was sent to it; more than that is ours to bear.
    WalletPaymentSent: "wallet.payment.sent" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
        tx_hash: Text<128>, "the transaction";
        amount?: Decimal, "what left; absent: what it costs";
    }
}

fact! {
    /// The network confirmed what was sent for a payment.
    WalletPaymentConfirmed: "wallet.payment.confirmed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
    }
}

fact! {
    /// The PIX of a payment was paid: its cost is taken, and the rest goes back.
    WalletPaymentPaid: "wallet.payment.paid" {
        payment: OperationId as "payment_id", "the payment";
        end_to_end_id: EndToEndId as "e2e", "the end-to-end id, which makes it known for ever";
        paid_at?: Instant, "when, by the provider's clock; absent: now";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        recipient_name?: Text<255>, "the recipient's name";
        recipient_document?: Text<32>, "the recipient's CPF or CNPJ, digits only, or a masked CPF";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
    }
}

fact! {
    /// A payment definitely failed: before it was sent the reserve goes back; after, it waits for
    /// an operator.
    WalletPaymentFailed: "wallet.payment.failed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
        error?: Text<32>,
            "`provedor_indisponivel` (default), `pix_key_invalida`, `limite_diario_recebedor` or \
             `cotacao_recusada`";
    }
}

fact! {
    /// Nobody knows how a payment stands: it waits for evidence, and nothing moves.
    WalletPaymentUnknown: "wallet.payment.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
    }
}

words! {
    /// Values of `outcome`: sent, paid or failed.
    WalletPaymentResolvedOutcome { Sent = "sent", Paid = "paid", Failed = "failed" }
}

fact! {
    /// An operator found out how a payment under review stands; or decides, once, what becomes of
    /// the reserve of one that failed after it was sent.
    WalletPaymentResolved: "wallet.payment.resolved" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payment: OperationId as "payment_id", "the payment";
        outcome: WalletPaymentResolvedOutcome,
            "sent, paid or failed; of a reserve: return, `consume_paid` or `consume_lost`";
        tx_hash?: Text<128>, "the transaction, required when sent";
        end_to_end_id?: EndToEndId as "e2e", "the PIX, required when paid or `consume_paid`";
        paid_at?: Instant, "when, with e2e";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        recipient_name?: Text<255>, "the recipient's name";
        recipient_document?: Text<32>, "the recipient's CPF or CNPJ, digits only, or a masked CPF";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        coins_lost?: bool, "with return: what was sent is our loss";
        decided_by: DecidedBy, "who decided, and why";
    }
}
