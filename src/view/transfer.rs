//! Answers about transfers between the balances of an account.

use ledger_core::time::Instant;

use super::answer::answer;
use crate::value::{Amount, Metadata, OperationId, Party};

answer! {
    /// What `POST /saldo/transferir` is answered.
    Transfer {
        id: OperationId as "transfer_id", "The id of the transfer.";
        status: String, "How it stands: it is done when it is answered.";
        amount: Amount as plain "amount_cents", "How much was moved.";
        from: Party as plain "from_customer_ref", "Who paid; casa is the house.";
        to: Party as plain "to_customer_ref", "Who received; casa is the house.";
        external_id: Option<String>, "The account's own id of it.";
        description: Option<String> as "descricao", "The note.";
        created_at: Instant as plain, "When it was made.";
        metadata?: Metadata, "Pairs of the account's own; none once erased.";
    }
}

answer! {
    /// What `POST /saldo/transferir` with `pernas` is answered.
    TransferGroup {
        id: OperationId as "transfer_id", "The id of the transfer.";
        status: String, "How it stands: it is done when it is answered.";
        amount: Amount as plain "amount_cents", "How much was moved, all legs together.";
        legs: Vec<MovedLeg> as "pernas", "Its legs, in the order asked for.";
        external_id: Option<String>, "The account's own id of it.";
        description: Option<String> as "descricao", "The note.";
        created_at: Instant as plain, "When it was made.";
        metadata?: Metadata, "Pairs of the account's own; none once erased.";
    }
}

answer! {
    /// Of `TransferGroup`: its legs, in the order asked for.
    MovedLeg {
        from: Party as plain "from_customer_ref", "Who paid; casa is the house.";
        to: Party as plain "to_customer_ref", "Who received; casa is the house.";
        amount: Amount as plain "amount_cents", "How much it moved.";
    }
}
