//! Tables that stand beside a journal, of one database with it, and say how far it went: none of
//! them is ever written before the records that it speaks of.

use sqlx::{
    AssertSqlSafe, ColumnIndex, Connection as _, Decode, Encode, Executor, IntoArguments, Row as _,
    Type,
};

use crate::journal::database::{SqlDatabase, has_table};
use crate::journal::{Head, JournalError};

/// What a server answers to a role that may not read a table.
const DENIED: &str = "42501";

/// Each table, and the statement that gives the last record it speaks of.
const TABLES: [(&str, &str); 3] = [
    (
        "projection_checkpoint",
        "SELECT coalesce(max(seq), 0) FROM projection_checkpoint WHERE ledger = $1",
    ),
    ("outbox_checkpoint", "SELECT coalesce(max(seq), 0) FROM outbox_checkpoint WHERE ledger = $1"),
    (
        "ledger_checkpoint",
        "SELECT coalesce(max(records), 0) FROM ledger_checkpoint WHERE ledger = $1",
    ),
];

/// The last record of a journal that a table beside it speaks of.
#[derive(Clone, Copy, Debug)]
pub(in crate::journal) struct Evidence {
    seq: u64,
    table: &'static str,
}

/// The table that speaks of the most records of the ledger of this name.
pub(in crate::journal) async fn read_evidence<D>(
    connection: &mut D::Connection,
    name: &str,
) -> sqlx::Result<Option<Evidence>>
where
    D: SqlDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    str: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Decode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
{
    let mut most: Option<Evidence> = None;
    for (table, select) in TABLES {
        if !has_table::<D>(connection, table).await? {
            continue;
        }
        let row = match sqlx::query(select).bind(name).fetch_one(&mut *connection).await {
            Ok(row) => row,
            // A writer that may not read a table is told nothing by it.
            Err(sqlx::Error::Database(error))
                if error.code().is_some_and(|code| code == DENIED) =>
            {
                continue;
            }
            Err(error) => return Err(error),
        };
        let seq = u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default();
        if most.is_none_or(|most| most.seq < seq) {
            most = Some(Evidence { seq, table });
        }
    }
    Ok(most)
}

/// The tables that are made of records, and of which each can be made again of those that are left.
const MADE: [&str; 2] = ["projection_checkpoint", "outbox_checkpoint"];

/// Sets tables made of a journal's records back to before the first, where they speak of more than
/// it has: whoever fills them next makes them of the records there are. What was signed says what
/// it says for ever, and is left.
pub(in crate::journal) async fn set_back<D>(
    connection: &mut D::Connection,
    (name, genesis): (&str, Head),
    head: Head,
) -> sqlx::Result<()>
where
    D: SqlDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    str: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Decode<'v, D> + Encode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
{
    let last = i64::try_from(head.seq).unwrap_or(i64::MAX);
    let link = genesis.link.to_string();
    let mut transaction = connection.begin().await?;
    for table in MADE {
        if !has_table::<D>(&mut transaction, table).await? {
            continue;
        }
        let set_back = format!(
            "UPDATE {table} SET seq = 0, link = $2, as_of = NULL, outbox_pruned_seq = CASE WHEN \
             outbox_pruned_seq > $3 THEN 0 ELSE outbox_pruned_seq END, outbox_pruned_check = CASE \
             WHEN outbox_pruned_seq > $3 THEN '' ELSE outbox_pruned_check END \
             WHERE ledger = $1 AND seq > $3"
        );
        let set_back = sqlx::query(AssertSqlSafe(set_back)).bind(name).bind(&*link).bind(last);
        if D::rows_affected(&set_back.execute(&mut *transaction).await?) == 0
            || !has_table::<D>(&mut transaction, "outbox").await?
        {
            continue;
        }
        // As a rebuild does: what was acknowledged of records that are left stays acknowledged.
        for sql in [
            "DELETE FROM outbox WHERE ledger = $1 AND acknowledged_at IS NULL",
            "UPDATE outbox SET body = NULL WHERE ledger = $1",
        ] {
            sqlx::query(sql).bind(name).execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await
}

/// Tells whether a journal that ends at `head` holds every record that tables beside it speak of.
pub(in crate::journal) fn assert_holds(
    head: Head,
    evidence: Option<Evidence>,
) -> Result<(), JournalError> {
    let Some(Evidence { seq, table }) = evidence.filter(|it| it.seq > head.seq) else {
        return Ok(());
    };
    let first = head.seq + 1;
    let missing = format!("rows of the table journal with records {first} to {seq}");
    Err(JournalError::loss(head, missing, format!("table {table} speaks of record {seq}")))
}
