//! The contract's words for ours: statuses, row kinds.

use crate::accounting::{Nature, RowKind};
use crate::ledger::Topic;
use crate::machine::cash_out::{self, Phase, ReviewReason, Stage, Waits};
use crate::machine::purchase::End;
use crate::machine::{charge, conversion, delivery, hold, payout};

/// The wire's `status` of a charge; none before it exists (CIN-47).
#[must_use]
pub fn charge_status(state: &charge::State) -> Option<&'static str> {
    match state {
        charge::State::Absent => None,
        charge::State::Pending(_) => Some("pending"),
        charge::State::Expired(_) => Some("expired"),
        charge::State::Failed(_) => Some("failed"),
        charge::State::UnderReview(_) => Some("under_review"),
        charge::State::Delayed(_) => Some("delayed"),
        charge::State::Bought(bought) if bought.is_refunded() => Some("refunded"),
        charge::State::Paid(_) | charge::State::Bought(_) => Some("paid"),
        charge::State::Refunded(_) => Some("refunded"),
    }
}

/// A charge's `settlement_status` (CIN-48, P:SaldoSettlement, P:SettlementFailed).
#[must_use]
pub fn settlement_status(state: &charge::State) -> Option<&'static str> {
    match state {
        charge::State::Absent => None,
        charge::State::Pending(_) | charge::State::UnderReview(_) | charge::State::Delayed(_) => {
            Some("pending")
        }
        charge::State::Bought(bought) => Some(match bought.end {
            Some(End::Returned | End::Credited(..)) => "failed",
            Some(End::Halted) => "pending",
            None => delivery_status(&bought.delivery),
        }),
        charge::State::Expired(_) | charge::State::Failed(_) => Some("failed"),
        charge::State::Paid(paid) => {
            Some(if paid.settled_at.is_some() { "sent" } else { "pending" })
        }
        charge::State::Refunded(refunded) => {
            Some(if refunded.settled_at.is_some() { "sent" } else { "failed" })
        }
    }
}

/// A delivery's `settlement_status` (P:Entregando, P:Incerto).
#[must_use]
pub const fn delivery_status(state: &delivery::State) -> &'static str {
    match state {
        delivery::State::Waiting => "pending",
        delivery::State::Sending(_) | delivery::State::Retrying(_) => "sending",
        delivery::State::Accepted(_) => "entregando",
        delivery::State::Unknown(_) => "incerto",
        delivery::State::Sent(_) => "sent",
    }
}

/// A conversion's `status`: it is paid when it is requested (CUS-35).
#[must_use]
pub const fn conversion_status(state: &conversion::State) -> Option<&'static str> {
    match state {
        conversion::State::Absent => None,
        conversion::State::Paid(_) => Some("paid"),
        conversion::State::Refunded(_) => Some("refunded"),
    }
}

/// The wire's `settlement_status` of a conversion; none before it exists.
#[must_use]
pub fn conversion_settlement(state: &conversion::State) -> Option<&'static str> {
    match state {
        conversion::State::Absent => None,
        conversion::State::Paid(progress) => Some(delivery_status(&progress.delivery)),
        conversion::State::Refunded(_) => Some("failed"),
    }
}

/// The wire's `status` of a payout; none before it exists (P:PayoutStates).
#[must_use]
pub const fn payout_status(state: &payout::State) -> Option<&'static str> {
    match state {
        payout::State::Absent => None,
        payout::State::Requested(_) => Some("requested"),
        payout::State::UnderReview(_) => Some("under_review"),
        payout::State::Submitted(_) => Some("submitted"),
        payout::State::Uncertain(_) => Some("uncertain"),
        payout::State::Failed(_) => Some("failed"),
        payout::State::Completed(_) => Some("completed"),
        payout::State::Returned(_) => Some("returned"),
    }
}

/// The `status` of a row that undoes another: its own, whatever the operation came to.
pub const REVERSED: &str = "reversed";

/// A cash-out order's `state`: one of eighteen (COUT-02).
#[must_use]
pub fn cash_out_state(progress: &cash_out::Progress) -> &'static str {
    phase(progress.phase())
}

/// A phase of an order on the wire.
#[must_use]
pub const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::QuoteCreated => "QUOTE_CREATED",
        Phase::AwaitingDeposit => "AWAITING_DEPOSIT",
        Phase::DepositDetected => "DEPOSIT_DETECTED",
        Phase::DepositConfirmed => "DEPOSIT_CONFIRMED",
        Phase::Selling => "SELLING",
        Phase::Sold => "SOLD",
        Phase::Forwarding => "FORWARDING",
        Phase::PayingOut => "PAYING_OUT",
        Phase::Completed => "COMPLETED",
        Phase::ManualReview => "MANUAL_REVIEW",
        Phase::RefundingCrypto => "REFUNDING_CRYPTO",
        Phase::Refunded => "REFUNDED",
        Phase::Expired => "EXPIRED",
        Phase::Failed => "FAILED",
        Phase::Delayed => "DELAYED",
        Phase::AwaitingRefundAddress => "AWAITING_REFUND_ADDRESS",
        Phase::Processing => "PROCESSING",
        Phase::Refunding => "REFUNDING",
    }
}

/// Why an order waits for a person; the words are ours.
#[must_use]
pub fn review(progress: &cash_out::Progress) -> Option<&'static str> {
    match progress.stage {
        Stage::Review(reason) => Some(match reason {
            ReviewReason::Strange if progress.is_only_late() => "deposito_atrasado",
            ReviewReason::Strange => "deposito_divergente",
            ReviewReason::Short => "deposito_insuficiente",
            ReviewReason::TooMuch => "acima_do_limite",
            ReviewReason::Unpriced => "sem_cotacao",
            ReviewReason::KeyRefused => "chave_recusada",
            ReviewReason::Stopped => "pagamento_desconhecido",
            ReviewReason::SaleLost => "venda_desconhecida",
            ReviewReason::ReturnAwaited => "aguarda_devolucao",
            ReviewReason::RecipientDay => "limite_diario_recebedor",
            ReviewReason::RecipientOrder => "limite_recebedor_por_ordem",
            ReviewReason::MandateOperation => "mandato_por_operacao",
            ReviewReason::MandateDay => "mandato_diario",
            ReviewReason::MandateRecipient => "mandato_contraparte",
        }),
        Stage::Refunding => match progress.refund_waits_for() {
            Some(Waits::Operator) => Some("devolucao_acima_do_limite"),
            Some(Waits::Evidence) => Some("devolucao_desconhecida"),
            _ => None,
        },
        _ => None,
    }
}

/// What people read for a status; none for one that is not known, which is never read as done
/// (STM-09).
#[must_use]
pub const fn label(status: &str) -> Option<&'static str> {
    Some(match status.as_bytes() {
        b"pending" => "Pendente",
        b"expired" => "Expirada",
        b"failed" => "Falhou",
        b"delayed" => "Retida no provedor",
        b"under_review" => "Em análise",
        b"paid" => "Paga",
        b"refunded" => "Devolvida",
        b"requested" => "Solicitado",
        b"submitted" => "Enviado",
        b"uncertain" => "Resultado desconhecido",
        b"completed" => "Concluído",
        b"returned" => "Devolvido",
        b"reversed" => "Estornado",
        b"QUOTE_CREATED" => "Cotação criada",
        b"AWAITING_DEPOSIT" => "Aguardando depósito",
        b"DEPOSIT_DETECTED" => "Depósito detectado",
        b"DEPOSIT_CONFIRMED" => "Depósito confirmado",
        b"SELLING" => "Vendendo",
        b"SOLD" => "Vendido",
        b"FORWARDING" => "Encaminhando",
        b"PROCESSING" | b"PAYING_OUT" => "Pagando",
        b"COMPLETED" | b"concluida" => "Concluída",
        b"MANUAL_REVIEW" => "Em análise",
        b"REFUNDING" | b"REFUNDING_CRYPTO" => "Devolvendo",
        b"REFUNDED" => "Devolvida",
        b"EXPIRED" => "Expirada",
        b"FAILED" => "Falhou",
        b"DELAYED" => "Atrasada",
        b"AWAITING_REFUND_ADDRESS" => "Aguardando carteira de devolução",
        _ => return None,
    })
}

/// What a statement's row is called: its `tipo` (P:TipoNames; `baixa`, `lancamento` and
/// `mudanca_de_livro` are ours), and what it says of itself, and a fee's row of itself.
const fn row_words(kind: RowKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        RowKind::Deposit => ("deposito", "Depósito PIX", "Taxa do depósito"),
        RowKind::Payout => ("saque_pix", "Saque PIX", "Taxa do saque PIX"),
        RowKind::TransferIn => alike("transferencia_entrada", "Transferência recebida"),
        RowKind::TransferOut => alike("transferencia_saida", "Transferência enviada"),
        RowKind::Reversal => ("estorno", "Estorno", "Estorno de taxa"),
        RowKind::FeeAdjustment => alike("ajuste_taxa", "Ajuste de taxa"),
        RowKind::WriteOff => alike("baixa", "Baixa de saldo negativo"),
        RowKind::Conversion => {
            ("saque_cripto", "Conversão em cripto", "Taxa da conversão em cripto")
        }
        RowKind::CommissionEarned => alike("comissao", "Comissão"),
        RowKind::CommissionReversed => alike("estorno_comissao", "Estorno de comissão"),
        RowKind::CommissionWithdrawn => alike("saque_comissao", "Saque de comissão"),
        RowKind::CommissionRestored => {
            alike("devolucao_saque_comissao", "Devolução de saque de comissão")
        }
        RowKind::CourtOrder => alike("ordem_judicial", "Ordem judicial"),
        RowKind::Entry => alike("lancamento", "Lançamento"),
        RowKind::Carried => alike("mudanca_de_livro", "Mudança da conta para outro livro"),
    }
}

const fn alike(
    tipo: &'static str,
    label: &'static str,
) -> (&'static str, &'static str, &'static str) {
    (tipo, label, label)
}

/// A statement row's `tipo`.
#[must_use]
pub const fn row_kind(kind: RowKind) -> &'static str {
    row_words(kind).0
}

/// What a row says of itself where the client gave no description.
#[must_use]
pub const fn row_label(kind: RowKind, nature: Nature) -> &'static str {
    let (_, label, fee) = row_words(kind);
    if matches!(nature, Nature::Fee) { fee } else { label }
}

/// A hold's kind in facts.
#[must_use]
pub fn hold_kind(name: &str) -> Option<hold::Kind> {
    match name {
        "dispute" => Some(hold::Kind::Dispute),
        "precautionary" => Some(hold::Kind::Precautionary),
        "judicial" => Some(hold::Kind::Judicial),
        "administrative" => Some(hold::Kind::Administrative),
        _ => None,
    }
}

/// Every event of the wire (EVT-01): those of section 6 in its order, and those of payouts, which
/// the contract calls `payout.*` and names no further (P:PayoutEvents).
pub const TOPICS: [Topic; 27] = [
    Topic::WebhookTest,
    Topic::ChargeDelayed,
    Topic::ChargePaid,
    Topic::ChargeSettled,
    Topic::SettlementFailed,
    Topic::ChargeExpired,
    Topic::ChargeRefunded,
    Topic::ChargeFailed,
    Topic::ChargeHeld,
    Topic::CashOutAccepted,
    Topic::DepositDetected,
    Topic::CashOutProcessing,
    Topic::CashOutUnderReview,
    Topic::CashOutRefunding,
    Topic::CashOutCompleted,
    Topic::CashOutRefunded,
    Topic::CashOutExpired,
    Topic::CashOutFailed,
    Topic::RefundAddressAwaited,
    Topic::WalletDepositCredited,
    Topic::WalletPaymentCompleted,
    Topic::WalletPaymentFailed,
    Topic::PayoutCreated,
    Topic::PayoutProcessing,
    Topic::PayoutCompleted,
    Topic::PayoutFailed,
    Topic::PayoutReturned,
];

/// The wire's name of the event that a notification of this topic is sent as.
#[must_use]
pub const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::WebhookTest => "webhook.test",
        Topic::ChargeDelayed => "cashin.delayed",
        Topic::ChargePaid => "cashin.paid",
        Topic::ChargeSettled => "cashin.settled",
        Topic::SettlementFailed => "cashin.settlement_failed",
        Topic::ChargeExpired => "cashin.expired",
        Topic::ChargeRefunded => "cashin.refunded",
        Topic::ChargeFailed => "cashin.failed",
        Topic::ChargeHeld => "cashin.held",
        Topic::CashOutAccepted => "cashout.awaiting_deposit",
        Topic::DepositDetected => "cashout.deposit_detected",
        Topic::CashOutProcessing => "cashout.processing",
        Topic::CashOutUnderReview => "cashout.under_review",
        Topic::CashOutRefunding => "cashout.refunding",
        Topic::CashOutCompleted => "cashout.completed",
        Topic::CashOutRefunded => "cashout.refunded",
        Topic::CashOutExpired => "cashout.expired",
        Topic::CashOutFailed => "cashout.failed",
        Topic::RefundAddressAwaited => "cashout.awaiting_refund_address",
        Topic::WalletDepositCredited => "wallet.deposit_credited",
        Topic::WalletPaymentCompleted => "wallet.payment_completed",
        Topic::WalletPaymentFailed => "wallet.payment_failed",
        Topic::PayoutCreated => "payout.created",
        Topic::PayoutProcessing => "payout.processing",
        Topic::PayoutCompleted => "payout.completed",
        Topic::PayoutFailed => "payout.failed",
        Topic::PayoutReturned => "payout.returned",
    }
}

/// The event of this name; none for one that is not known.
#[must_use]
pub fn topic_of(name: &str) -> Option<Topic> {
    TOPICS.into_iter().find(|known| topic(*known) == name)
}
