//! Engines that spread tables over nodes, as Citus does: an append is durable there only where the
//! whole of it is done on the node that has the ledger.
//!
//! Done from elsewhere, the same statements become a transaction of several nodes, which loses what
//! it acknowledged when one of them dies (docs/engines.md). So a database that could do so is not
//! written to.

use sqlx::postgres::PgConnection;

/// The tables of a journal, all keyed by the ledger.
const TABLES: [&str; 4] = ["ledger", "ledger_lease", "journal", "vault"];

/// How each table is spread: where it is, the number of those that lie together.
const SPREAD: &str = "\
    SELECT name, colocationid::bigint
    FROM unnest($1::text[]) AS asked (name)
        LEFT JOIN pg_dist_partition ON logicalrelid = to_regclass(name)";

/// With which tables the function that appends lies, if it is done where its first argument is.
const ROUTED: &str = "\
    SELECT colocationid::bigint FROM pg_dist_object
    WHERE objid = 'journal_append'::regproc AND distribution_argument_index = 0";

/// Nodes that would acknowledge what they may lose, each with the setting.
const HASTY: &str = "\
    SELECT format('node %s:%s runs with %s', nodename, nodeport, result)
    FROM run_command_on_workers($$
        SELECT coalesce(string_agg(name || ' ' || setting, ', ' ORDER BY name), '') FROM pg_settings
        WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'
            OR name = 'synchronous_commit' AND setting IN ('off', 'local')
    $$)
    WHERE NOT success OR result <> ''
    ORDER BY nodename, nodeport LIMIT 1";

/// Why an append of ours would be no one node's, or not durable there; none where all is on this
/// server.
pub(super) async fn fault(connection: &mut PgConnection) -> sqlx::Result<Option<String>> {
    let spreads = "SELECT to_regclass('pg_dist_partition') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(spreads).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let tables = TABLES.map(str::to_owned).to_vec();
    let spread: Vec<(String, Option<i64>)> =
        sqlx::query_as(SPREAD).bind(tables).fetch_all(&mut *connection).await?;
    let of = |table: &str| spread.iter().find(|(name, _)| name == table).and_then(|it| it.1);
    let Some(together) = spread.iter().find_map(|(_, number)| *number) else { return Ok(None) };
    if let Some(table) = TABLES.iter().find(|table| of(table) != Some(together)) {
        return Ok(Some(format!(
            "table {table} does not lie with the others: distribute {} by ledger, colocated",
            TABLES.join(", ")
        )));
    }
    let routed: Vec<Option<i64>> = sqlx::query_scalar(ROUTED).fetch_all(&mut *connection).await?;
    if routed != [Some(together)] {
        let why = "journal_append is not done where its ledger is: run SELECT \
                   create_distributed_function(oid::regprocedure, 'of_ledger', colocate_with => \
                   'journal') FROM pg_proc WHERE proname = 'journal_append'";
        return Ok(Some(why.to_owned()));
    }
    let hasty: Vec<String> = sqlx::query_scalar(HASTY).fetch_all(connection).await?;
    Ok(hasty.into_iter().next())
}
