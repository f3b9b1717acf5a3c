//! The contract's words for ours: statuses, row kinds, fields.

use crate::accounting::{Nature, RowKind};
use crate::ledger::{Field, Machine, Operation};
use crate::machine::{charge, hold, payout};

/// A field's name in the request.
#[must_use]
pub const fn field(field: Field) -> &'static str {
    match field {
        Field::Amount => "amount_cents",
        Field::Customer => "customer_ref",
        Field::From => "from_customer_ref",
        Field::To => "to_customer_ref",
        Field::Note => "descricao",
        Field::Payer => "payer_tax_number",
        Field::PayerName => "payer_name",
        Field::AllowHold => "allow_hold",
        Field::Asset => "asset",
        Field::Chain => "chain",
        Field::Address => "payout_address",
        Field::PixKey => "pix_key",
        Field::TaxNumber => "tax_number",
    }
}

/// A charge's `status` (CIN-47).
#[must_use]
pub const fn charge_status(state: &charge::State) -> Option<&'static str> {
    match state {
        charge::State::Absent => None,
        charge::State::Pending(_) => Some("pending"),
        charge::State::Expired(_) => Some("expired"),
        charge::State::Failed(_) => Some("failed"),
        charge::State::Delayed(_) => Some("delayed"),
        charge::State::Paid(_) => Some("paid"),
        charge::State::Refunded(_) => Some("refunded"),
    }
}

/// A charge's `settlement_status` (CIN-48, P:SaldoSettlement, P:SettlementFailed).
#[must_use]
pub fn settlement_status(state: &charge::State) -> Option<&'static str> {
    match state {
        charge::State::Absent => None,
        charge::State::Pending(_) | charge::State::Delayed(_) => Some("pending"),
        charge::State::Expired(_) | charge::State::Failed(_) => Some("failed"),
        charge::State::Paid(paid) => {
            Some(if paid.settled_at.is_some() { "sent" } else { "pending" })
        }
        charge::State::Refunded(refunded) => {
            Some(if refunded.settled_at.is_some() { "sent" } else { "failed" })
        }
    }
}

/// A payout's `status` (P:PayoutStates).
#[must_use]
pub const fn payout_status(state: &payout::State) -> Option<&'static str> {
    match state {
        payout::State::Absent => None,
        payout::State::Requested(_) => Some("requested"),
        payout::State::Submitted(_) => Some("submitted"),
        payout::State::Uncertain(_) => Some("uncertain"),
        payout::State::Failed(_) => Some("failed"),
        payout::State::Completed(_) => Some("completed"),
        payout::State::Returned(_) => Some("returned"),
    }
}

/// Status and label of any operation; none for what is not known (STM-09).
#[must_use]
pub fn status(operation: &Operation) -> Option<(&'static str, &'static str)> {
    let status = match &operation.machine {
        Machine::Charge(state) => charge_status(state)?,
        Machine::Payout(state) => payout_status(state)?,
        Machine::Transfer(_) | Machine::Adjustment(_) => "concluida",
        Machine::Hold(_) | Machine::Suspense(_) => return None,
    };
    Some((status, label(status)))
}

/// What people read for a status.
const fn label(status: &str) -> &'static str {
    match status.as_bytes() {
        b"pending" => "Pendente",
        b"expired" => "Expirada",
        b"failed" => "Falhou",
        b"delayed" => "Retida no provedor",
        b"paid" => "Paga",
        b"refunded" => "Devolvida",
        b"requested" => "Solicitado",
        b"submitted" => "Enviado",
        b"uncertain" => "Resultado desconhecido",
        b"completed" => "Concluído",
        b"returned" => "Devolvido",
        _ => "Concluída",
    }
}

/// A statement row's `tipo` (P:TipoNames; `baixa` is ours).
#[must_use]
pub const fn row_kind(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Deposit => "deposito",
        RowKind::Payout => "saque_pix",
        RowKind::TransferIn => "transferencia_entrada",
        RowKind::TransferOut => "transferencia_saida",
        RowKind::Reversal => "estorno",
        RowKind::FeeAdjustment => "ajuste_taxa",
        RowKind::WriteOff => "baixa",
    }
}

/// What a row says of itself where the client gave no description.
#[must_use]
pub const fn row_label(kind: RowKind, nature: Nature) -> &'static str {
    match (kind, nature) {
        (RowKind::Deposit, Nature::Fee) => "Taxa do depósito",
        (RowKind::Deposit, _) => "Depósito PIX",
        (RowKind::Payout, Nature::Fee) => "Taxa do saque PIX",
        (RowKind::Payout, _) => "Saque PIX",
        (RowKind::TransferIn, _) => "Transferência recebida",
        (RowKind::TransferOut, _) => "Transferência enviada",
        (RowKind::Reversal, Nature::Fee) => "Estorno de taxa",
        (RowKind::Reversal, _) => "Estorno",
        (RowKind::FeeAdjustment, _) => "Ajuste de taxa",
        (RowKind::WriteOff, _) => "Baixa de saldo negativo",
    }
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
