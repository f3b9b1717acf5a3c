//! The tables, column by column: the one place that says what there is.

pub(super) mod extent;
pub(super) mod labels;
pub mod table;

use super::schema::table::{Again, Column, Rows, Table, integer, maybe_integer, maybe_text, text};

/// The version of these tables, kept with every checkpoint.
pub const VERSION: i64 = 2;

/// Every table that is filled from records, in the order `docs/PROJECTIONS.md` has them.
pub const TABLES: [&Table; 8] = [
    &OPERATIONS,
    &STATEMENT_ROWS,
    &BALANCES,
    &OPEN_HOLDS,
    &COMMISSIONS,
    &COMMISSION_ROWS,
    &COIN_BALANCES,
    &OUTBOX,
];

/// Those tables, and the checkpoints.
pub const EVERY_TABLE: [&Table; TABLES.len() + 2] = {
    let mut every = [&CHECKPOINT; TABLES.len() + 2];
    every[TABLES.len()] = &OUTBOX_CHECKPOINT;
    let mut place = 0;
    while place < TABLES.len() {
        every[place] = TABLES[place];
        place += 1;
    }
    every
};

/// What most tables have alike: rows that stand where their key is, and no index beside that.
const STANDING: Table = Table {
    name: "",
    about: "",
    columns: &[],
    key: 0,
    again: Again::Replaces,
    rows: Rows::Standing,
    key_index: None,
    indexes: &[],
};

/// Operations as they stand.
pub const OPERATIONS: Table = Table {
    name: "operations",
    about: "An operation as it stands, open or ended.",
    columns: &[
        text("operation", "Its id, as clients see it."),
        text(
            "kind",
            "charge, transfer, payout, hold, suspense, adjustment, conversion, \
             commission_withdrawal, stray, cash_out, receipt, wallet_deposit, wallet_payment, \
             crypto_withdrawal or quote.",
        ),
        maybe_text("account", "The API account, where it belongs to one."),
        maybe_integer("subaccount", "Whose balance it is about: see balances."),
        maybe_text("customer", "That subaccount's customer_ref; null for the house."),
        maybe_integer("counterparty", "Of a transfer: the subaccount credited."),
        maybe_text("external_id", "The client's own id for it."),
        text("state", "Where its machine stands, in this project's words."),
        maybe_text("status", "The contract's status, where it has one."),
        maybe_text("settlement_status", "The contract's settlement_status, where it has one."),
        maybe_integer("amount_cents", "Its amount, in centavos; of an adjustment, signed."),
        maybe_integer("fee_cents", "Its fees in centavos, once they are fixed."),
        maybe_integer("returned_cents", "What of it went back, in centavos."),
        maybe_text("asset", "The asset delivered, or gone astray."),
        maybe_text("network", "The network it is delivered on."),
        maybe_text("coins", "How much of the asset, as a decimal number."),
        maybe_text("end_to_end", "The end-to-end id or return id of its PIX."),
        maybe_text("transaction_hash", "The transaction of its delivery."),
        text("created_at", "When it was created."),
        text("updated_at", "When it last changed."),
        integer("created_seq", "The record that created it."),
        integer("last_seq", "The last record that touched it."),
    ],
    key: 1,
    indexes: &[("operations_by_external_id", "(ledger, account, kind, external_id)")],
    ..STANDING
};

/// The rows of every statement; none is ever changed.
pub const STATEMENT_ROWS: Table = Table {
    name: "statement_rows",
    about: "A row of a subaccount's statement: a leg on its custody accounts. Written once.",
    columns: &[
        integer("subaccount", "Whose: see balances."),
        integer("number", "Its number in this statement, from 1, without a gap."),
        integer("seq", "The record that posted it."),
        integer("event", "The event within the record; rows of one event are one step."),
        text("posted_at", "When it was posted."),
        text("kind", "What it tells of, in this project's words."),
        text("nature", "principal or fee."),
        text("operation", "The operation it belongs to."),
        integer("value_cents", "What it added, in centavos; negative when it took."),
        integer("balance_after_cents", "The whole balance after it, blocked money included."),
        maybe_text("note_token", "The token of the client's description, if there was one."),
    ],
    key: 2,
    rows: Rows::Added,
    key_index: Some("statement_rows_key"),
    indexes: &[("statement_rows_by_operation", "(ledger, operation)")],
    ..STANDING
};

/// The balance of each subaccount, as it stands.
pub const BALANCES: Table = Table {
    name: "balances",
    about: "The balance of a subaccount, or of an account's house, as it stands.",
    columns: &[
        integer("subaccount", "Its number in this ledger, in the order opened."),
        integer("account_number", "The number of its API account."),
        text("account", "The name of its API account."),
        maybe_text("customer", "Its customer_ref; null for the house."),
        integer("available_cents", "What may be spent; negative only after a forced debit."),
        integer("held_cents", "Credited, and not yet available."),
        integer("frozen_cents", "Blocked by holds."),
        integer("balance_cents", "All three together: the sum of its statement rows."),
        integer("row_count", "How many statement rows it has."),
        maybe_text("waiting_until", "When the waiting period of its first deposit ends or ended."),
        integer("last_seq", "The last record that touched it."),
    ],
    key: 1,
    indexes: &[("balances_by_customer", "(ledger, account, customer)")],
    ..STANDING
};

/// The holds that have not ended.
pub const OPEN_HOLDS: Table = Table {
    name: "open_holds",
    about: "A hold that blocks, or watches for what it could not take. Gone when it ends.",
    columns: &[
        text("operation", "The hold's id."),
        integer("subaccount", "Whose money: see balances."),
        text("kind", "dispute, precautionary, judicial, administrative or reservation."),
        maybe_text("cause", "The charge whose PIX is the cause, if one is."),
        integer("requested_cents", "How much is wanted: the sum of the four that follow."),
        integer("blocked_cents", "How much is blocked now."),
        integer("released_cents", "How much was let go."),
        integer("settled_cents", "How much was given to forced debits, or captured."),
        integer("short_cents", "How much could not be taken."),
        text("watch_until", "Until when it watches for what is short."),
        maybe_text("ends_at", "When it ends by itself, if it does."),
        text("placed_at", "When it was placed."),
        integer("last_seq", "The last record that touched it."),
    ],
    key: 1,
    indexes: &[("open_holds_by_subaccount", "(ledger, subaccount)")],
    ..STANDING
};

/// What each partner is owed, as it stands.
pub const COMMISSIONS: Table = Table {
    name: "commissions",
    about: "What a partner is owed, as it stands.",
    columns: &[
        integer("account_number", "The number of its API account."),
        text("account", "The name of its API account."),
        integer("balance_cents", "Owed; negative only after a reversal."),
        integer("row_count", "How many rows its ledger has."),
        integer("last_seq", "The last record that touched it."),
    ],
    key: 1,
    ..STANDING
};

/// Rows of commissions.
pub const COMMISSION_ROWS: Table = Table {
    name: "commission_rows",
    about: "A row of a partner's commission. Written once.",
    columns: &[
        integer("account_number", "Whose: see commissions."),
        integer("number", "Its number in this ledger of commission, from 1, without a gap."),
        integer("seq", "The record that posted it."),
        integer("event", "The event within the record."),
        text("posted_at", "When it was posted."),
        text("kind", "What it tells of, in this project's words."),
        text("operation", "The operation it belongs to."),
        integer("value_cents", "What it added, in centavos; negative when it took."),
        integer("balance_after_cents", "What was owed after it."),
    ],
    key: 2,
    rows: Rows::Added,
    key_index: Some("commission_rows_key"),
    ..STANDING
};

/// Balances of crypto, and of products' accounts that are not kept in reais.
pub const COIN_BALANCES: Table = Table {
    name: "coin_balances",
    about: "An account of crypto or of a product's unit that is not empty, as it stands.",
    columns: &[
        text("asset", "The asset or the unit."),
        text("account", "The account's name in the chart: treas, flight.deliv, prod.income, ..."),
        text(
            "kept_for",
            "The network, operation or product's account that it is of; empty where of none.",
        ),
        text("units", "Its net credit in the asset's smallest units: negative for a stock."),
        text("amount", "The same as a decimal number of the asset."),
        integer("last_seq", "The last record that touched it."),
    ],
    key: 3,
    ..STANDING
};

/// What clients are notified of and the world is asked.
pub const OUTBOX: Table = Table {
    name: "outbox",
    about: "A notice to a client or an instruction to the world, with whether it was acknowledged.",
    columns: &[
        integer("seq", "The record it follows from."),
        integer("place", "Its place among what that record tells and asks, from 0."),
        text("kind", "notice or instruction."),
        text("topic", "The event's name (cashin.paid), or the instruction's (pix.send)."),
        text("operation", "The operation it is about."),
        maybe_text("account", "The API account of that operation, where it belongs to one."),
        text("id", "What it is acknowledged by; of a notice, the id of its event."),
        text("idempotency_key", "The same for ever for the same notice or task."),
        text("record_check", "The first 16 digits of the record's link: which past it is of."),
        text("recorded_at", "The record's instant."),
        maybe_text(
            "body",
            "The JSON told, persons named by tokens; null while a rebuild has not come to it.",
        ),
        maybe_text("acknowledged_at", "When it was acknowledged; null while it is pending."),
    ],
    key: 2,
    again: Again::Keeps(
        "acknowledged_at",
        "CASE WHEN outbox.record_check = excluded.record_check AND outbox.id = excluded.id \
         THEN outbox.acknowledged_at END",
    ),
    rows: Rows::Added,
    indexes: &[
        ("outbox_of_kind", "(ledger, kind, seq, place) WHERE acknowledged_at IS NULL"),
        ("outbox_in_line", "(ledger, operation, kind, seq, place) WHERE acknowledged_at IS NULL"),
    ],
    ..STANDING
};

/// The columns of a checkpoint.
const HOW_FAR: &[Column] = &[
    integer("seq", "The last record they contain; 0 before the first."),
    text("link", "The chain's link after it, 64 hexadecimal digits."),
    maybe_text("as_of", "That record's instant."),
    integer("version", "The version of the tables."),
    integer("outbox_pruned_seq", "Up to this record the outbox was pruned; 0 for never."),
    text("outbox_pruned_check", "The first 16 digits of that record's link; empty for none."),
];

/// How far an outbox is that an engine keeps by itself.
pub const OUTBOX_CHECKPOINT: Table = Table {
    name: "outbox_checkpoint",
    about: "How far an outbox is that the ledger's engine keeps, whether there are other tables or \
            not: what it says is the fold of all records up to here.",
    columns: HOW_FAR,
    ..STANDING
};

/// How far the tables are.
pub const CHECKPOINT: Table = Table {
    name: "projection_checkpoint",
    about: "How far a ledger's tables are: what they say is the fold of all records up to here.",
    columns: HOW_FAR,
    ..STANDING
};
