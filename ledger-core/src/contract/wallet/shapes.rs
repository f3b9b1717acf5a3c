//! The facts about wallets: names, shapes and examples.

use crate::contract::fact::need::Need;
use crate::contract::fact::need::Need::{Optional, Required};
use crate::contract::fact::payment_details::{
    INSTITUTION, RECEIPT_URL, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY,
};
use crate::contract::fact::shapes::{ACCOUNT, ACTOR, EVIDENCE, FactShape, ID, REASON};
use crate::ledger::FactKind;

const DEPOSIT: (&str, Need, &str) = ("deposit_id", Required, "the deposit");
const PAYMENT: (&str, Need, &str) = ("payment_id", Required, "the payment");
const WITHDRAWAL: (&str, Need, &str) = ("withdrawal_id", Required, "the withdrawal");
const HASH: (&str, Need, &str) = ("tx_hash", Required, "the transaction");
const OUTPUT: (&str, Need, &str) =
    ("output_index", Optional, "the place of the output in it; absent: 0");
const NETWORK: (&str, Need, &str) = ("network", Required, "the network");

/// These facts, in the order people meet them.
pub const WALLETS: [FactShape; 20] = [
    FactShape {
        kind: FactKind::WalletConfigured,
        name: "wallet.configured",
        meaning: "The USDT wallet is offered as follows; what is not named stays.",
        fields: &[
            ID,
            (
                "networks",
                Optional,
                "the networks, required at first, at most 100: network (required), name, assets (USDT, USDC), eta_minutes (at most 65,535), withdrawals, network_fee",
            ),
            ("enabled", Optional, "boolean: whether it operates; at first true"),
            ("payments_enabled", Optional, "boolean; at first true"),
            ("pix_key", Optional, "boolean: payments to a key; at first true"),
            ("br_code", Optional, "boolean: payments of a code; at first true"),
            ("withdrawals_enabled", Optional, "boolean: to external wallets; at first true"),
            ("recipient_document_required", Optional, "boolean; at first false"),
            ("min_deposit", Optional, "USDT; at first 1.000000"),
            ("min_payment_brl", Optional, "reais, a decimal string; at first 6.00"),
            ("withdrawal_fee", Optional, "USDT the network takes of a payment; at first none"),
            ("deposit_validity_hours", Optional, "at first 1"),
            ("open_deposits_max", Optional, "open deposit requests of an account; at first 5"),
            ("quote_seconds", Optional, "how long a quote is valid; at first 300"),
            (
                "tolerance_bps",
                Optional,
                "how far below its estimate a withdrawal may arrive; at first 50",
            ),
            ("conversion_fee_bps", Optional, "of a withdrawal in USDC; at first 0"),
            (
                "strict_buffer",
                Optional,
                "boolean: a payment needs its whole buffer of 1%; at first false",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"wallet.configured","body":{"id":"wal-1","networks":[{"network":"polygon","name":"Polygon","assets":["USDT"],"eta_minutes":2,"network_fee":"0.1"}],"min_deposit":"5","withdrawal_fee":"0.1"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositAssigned,
        name: "wallet.deposit.assigned",
        meaning: "An operator makes a deposit request for an account.",
        fields: &[
            ID,
            ACCOUNT,
            ("amount", Required, "USDT, a decimal string"),
            ("network", Optional, "the network; absent: polygon"),
            ("address", Required, "where to send"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"wallet.deposit.assigned","body":{"id":"asg-1","account":"loja","amount":"250","address":"0x52908400098527886e0f7030069857d2e4169ee7","actor":"bia","reason":"asked for by phone"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositSeen,
        name: "wallet.deposit.seen",
        meaning: "A transfer to the wallet was seen; what no request awaits exactly is under review.",
        fields: &[
            ("deposit_id", Optional, "the deposit, where the sender or the address tells it"),
            ("address", Optional, "where it arrived, which tells it otherwise"),
            HASH,
            OUTPUT,
            ("asset", Required, "the token"),
            NETWORK,
            ("amount", Required, "how much, a decimal string"),
        ],
        example: r#"{"at":"2026-11-20T12:10:00Z","fact":"wallet.deposit.seen","body":{"deposit_id":"$w1.deposit_id","tx_hash":"0xd1","asset":"USDT","network":"polygon","amount":"100.000117"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositConfirmed,
        name: "wallet.deposit.confirmed",
        meaning: "The network confirmed a transfer; told with token, network and amount, it implies \
                  that it was seen.",
        fields: &[
            ID,
            DEPOSIT,
            HASH,
            OUTPUT,
            ("asset", Optional, "the token, when the news of the transfer may not have come"),
            ("network", Optional, "the network, with asset"),
            ("amount", Optional, "how much, with asset"),
        ],
        example: r#"{"at":"2026-11-20T12:12:00Z","fact":"wallet.deposit.confirmed","body":{"id":"conf-1","deposit_id":"$w1.deposit_id","tx_hash":"0xd1"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositDoubted,
        name: "wallet.deposit.doubted",
        meaning: "A transfer that was seen is in doubt: it is under review until an operator decides.",
        fields: &[ID, DEPOSIT, HASH, OUTPUT, ("cause", Required, "reorg or compliance")],
        example: r#"{"at":"2026-11-20T12:11:00Z","fact":"wallet.deposit.doubted","body":{"id":"dbt-1","deposit_id":"$w1.deposit_id","tx_hash":"0xd1","cause":"reorg"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositJudged,
        name: "wallet.deposit.judged",
        meaning: "An operator lets a deposit under review in, or keeps it out.",
        fields: &[
            ID,
            DEPOSIT,
            (
                "outcome",
                Required,
                "cleared, returned (sent back once confirmed) or vanished (never confirmed)",
            ),
            ("account", Optional, "whose it is, when no request says it; with cleared"),
            (
                "credited",
                Optional,
                "how much of it, the rest being sent back; absent: all; with cleared",
            ),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T14:00:00Z","fact":"wallet.deposit.judged","body":{"id":"jdg-1","deposit_id":"$w1.deposit_id","outcome":"cleared","actor":"bia","reason":"sent without the trailing decimals"}}"#,
    },
    FactShape {
        kind: FactKind::WalletDepositReversed,
        name: "wallet.deposit.reversed",
        meaning: "A deposit is undone after it was credited: a forced debit.",
        fields: &[ID, DEPOSIT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T16:00:00Z","fact":"wallet.deposit.reversed","body":{"id":"rev-2","deposit_id":"$w1.deposit_id","actor":"bia","reason":"the network reorganised"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalStarted,
        name: "wallet.withdrawal.started",
        meaning: "The funding of a withdrawal from a wallet began.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:20:00Z","fact":"wallet.withdrawal.started","body":{"id":"wst-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalFunded,
        name: "wallet.withdrawal.funded",
        meaning: "A withdrawal was funded: it left the wallet, and is owed to the address.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:21:00Z","fact":"wallet.withdrawal.funded","body":{"id":"wfu-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalConverted,
        name: "wallet.withdrawal.converted",
        meaning: "The USDT of a withdrawal became USDC; what was lost on the way the client bears.",
        fields: &[ID, WITHDRAWAL, ("obtained", Required, "USDC, a decimal string")],
        example: r#"{"at":"2026-11-20T12:22:00Z","fact":"wallet.withdrawal.converted","body":{"id":"wcv-1","withdrawal_id":"$x2.withdrawal_id","obtained":"20"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalSent,
        name: "wallet.withdrawal.sent",
        meaning: "A withdrawal was sent and confirmed; less than its minimum waits for a person.",
        fields: &[
            ID,
            WITHDRAWAL,
            HASH,
            ("received", Required, "what arrived, a decimal string"),
            ("network_fee", Optional, "what the network took; absent: as quoted"),
        ],
        example: r#"{"at":"2026-11-20T12:23:00Z","fact":"wallet.withdrawal.sent","body":{"id":"wse-1","withdrawal_id":"$x1.withdrawal_id","tx_hash":"0xe1","received":"19.9"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalUnknown,
        name: "wallet.withdrawal.unknown",
        meaning: "Nobody knows how a withdrawal stands: it waits for evidence, and nothing moves.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:24:00Z","fact":"wallet.withdrawal.unknown","body":{"id":"wun-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalEvidence,
        name: "wallet.withdrawal.evidence",
        meaning: "An operator found out how a withdrawal stands, with proof.",
        fields: &[
            ID,
            WITHDRAWAL,
            (
                "outcome",
                Required,
                "resumed, completed, or failed: nothing left, and the whole reserve goes back",
            ),
            ("tx_hash", Optional, "the transaction, required when completed"),
            ("received", Optional, "what arrived in all, required when completed"),
            ("network_fee", Optional, "what the network took, with received"),
            ACTOR,
            REASON,
            ("evidence", Required, "a reference to the proof"),
        ],
        example: r#"{"at":"2026-11-20T15:00:00Z","fact":"wallet.withdrawal.evidence","body":{"id":"wev-1","withdrawal_id":"$x1.withdrawal_id","outcome":"failed","actor":"bia","reason":"the node never took it","evidence":"log-77"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentStarted,
        name: "wallet.payment.started",
        meaning: "A payment from a wallet goes on: its order is created, accepted, or funded.",
        fields: &[
            ID,
            PAYMENT,
            ("step", Required, "order_created, accepted (which implies it) or started"),
            ("address", Optional, "where the order is funded; required when accepted"),
        ],
        example: r#"{"at":"2026-11-20T12:30:00Z","fact":"wallet.payment.started","body":{"id":"pst-1","payment_id":"$y1.payment_id","step":"accepted","address":"0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentSent,
        name: "wallet.payment.sent",
        meaning: "What a payment's order costs was sent to it; more than that is ours to bear.",
        fields: &[ID, PAYMENT, HASH, ("amount", Optional, "what left; absent: what it costs")],
        example: r#"{"at":"2026-11-20T12:31:00Z","fact":"wallet.payment.sent","body":{"id":"pse-1","payment_id":"$y1.payment_id","tx_hash":"0xf1"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentConfirmed,
        name: "wallet.payment.confirmed",
        meaning: "The network confirmed what was sent for a payment.",
        fields: &[ID, PAYMENT],
        example: r#"{"at":"2026-11-20T12:32:00Z","fact":"wallet.payment.confirmed","body":{"id":"pco-1","payment_id":"$y1.payment_id"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentPaid,
        name: "wallet.payment.paid",
        meaning: "The PIX of a payment was paid: its cost is taken, and the rest goes back.",
        fields: &[
            PAYMENT,
            ("e2e", Required, "the end-to-end id, which makes it known for ever"),
            ("paid_at", Optional, "when, by the provider's clock; absent: now"),
            RECEIPT_URL,
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
        ],
        example: r#"{"at":"2026-11-20T12:33:00Z","fact":"wallet.payment.paid","body":{"payment_id":"$y1.payment_id","e2e":"E9040088820261120123300123873190"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentFailed,
        name: "wallet.payment.failed",
        meaning: "A payment definitely failed: before it was sent the reserve goes back; after, it \
                  waits for an operator.",
        fields: &[
            ID,
            PAYMENT,
            (
                "error",
                Optional,
                "provedor_indisponivel (default), pix_key_invalida, limite_diario_recebedor or cotacao_recusada",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:33:00Z","fact":"wallet.payment.failed","body":{"id":"pfa-1","payment_id":"$y1.payment_id"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentUnknown,
        name: "wallet.payment.unknown",
        meaning: "Nobody knows how a payment stands: it waits for evidence, and nothing moves.",
        fields: &[ID, PAYMENT],
        example: r#"{"at":"2026-11-20T12:34:00Z","fact":"wallet.payment.unknown","body":{"id":"pun-1","payment_id":"$y1.payment_id"}}"#,
    },
    FactShape {
        kind: FactKind::WalletPaymentResolved,
        name: "wallet.payment.resolved",
        meaning: "An operator found out how a payment under review stands; or decides, once, what \
                  becomes of the reserve of one that failed after it was sent.",
        fields: &[
            ID,
            PAYMENT,
            (
                "outcome",
                Required,
                "sent, paid or failed; of a reserve: return, consume_paid or consume_lost",
            ),
            ("tx_hash", Optional, "the transaction, required when sent"),
            ("e2e", Optional, "the PIX, required when paid or consume_paid"),
            ("paid_at", Optional, "when, with e2e"),
            RECEIPT_URL,
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            ("coins_lost", Optional, "boolean, with return: what was sent is our loss"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T16:00:00Z","fact":"wallet.payment.resolved","body":{"id":"prs-1","payment_id":"$y1.payment_id","outcome":"return","actor":"bia","reason":"the provider gave everything back"}}"#,
    },
];
