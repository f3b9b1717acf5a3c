//! What PostgreSQL's codes say of a failure (its documentation, appendix A): whether anything may
//! have been written, whether the table is damaged, and whether the server goes on.

use sqlx::postgres::{PgDatabaseError, PgSeverity};

/// The server's own code for what it refused.
fn code(error: &sqlx::Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}

/// How much of the server an error ends: a statement, its session, or all of it.
fn severity(error: &sqlx::Error) -> Option<PgSeverity> {
    let error = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
    Some(error.severity())
}

/// Tells whether `error` came from a server that goes on serving this connection.
pub(super) fn keeps_connection(error: &sqlx::Error) -> bool {
    const LEAVING: [&str; 6] = ["08", "25P03", "25P04", "57", "58", "XX"];
    if severity(error) == Some(PgSeverity::Panic) {
        return false;
    }
    match code(error) {
        // What a server that only follows another says to whoever would write: another is meant.
        Some(code) if code == "25006" => false,
        Some(code) => code == "57014" || !LEAVING.iter().any(|class| code.starts_with(class)),
        None => matches!(error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::RowNotFound),
    }
}

/// Tells whether the server, or its standby once it is promoted, may answer a new connection
/// otherwise.
pub(super) fn may_recover(error: &sqlx::Error) -> bool {
    !keeps_connection(error)
}

/// Tells whether `error` says that the server undid the statement or never began it.
///
/// Anything else, a lost connection above all, may have left a whole commit behind. So may a server
/// that breaks down: it may have written the commit to its log before it found no room for more.
pub(super) fn surely_not_written(error: &sqlx::Error) -> bool {
    // Data, integrity, state, rights and syntax, resources, limits, what another holds.
    const UNDONE: [&str; 7] = ["22", "23", "25", "42", "53", "54", "55"];
    // Serialisation failure, deadlock, cancelled.
    const ROLLED_BACK: [&str; 3] = ["40001", "40P01", "57014"];
    let ends_a_statement = severity(error) == Some(PgSeverity::Error);
    ends_a_statement
        && code(error).is_some_and(|code| {
            UNDONE.iter().any(|class| code.starts_with(class)) || ROLLED_BACK.contains(&&code[..])
        })
}

/// Tells whether `error` says that the table is not as it was written.
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::ColumnDecode { .. })
        || code(error).is_some_and(|code| ["XX001", "XX002"].contains(&&code[..]))
}
