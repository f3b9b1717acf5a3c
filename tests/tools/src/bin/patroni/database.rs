//! Single statements on one server, as someone with a database shell would run them.

use std::error::Error;
use std::future::Future;

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::runtime::Builder;

/// Runs `sql` on the database of this URL.
pub fn execute(url: &str, sql: &str) -> Result<(), Box<dyn Error>> {
    let executed = async {
        let mut connection = PgConnection::connect(url).await?;
        connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        connection.close().await
    };
    wait(executed)?.map_err(|error| format!("{url}: {sql}: {error}").into())
}

/// The numbers that `sql` asks the database of this URL for.
pub fn numbers(url: &str, sql: &str) -> Result<Vec<i64>, Box<dyn Error>> {
    let asked = async {
        let mut connection = PgConnection::connect(url).await?;
        let numbers = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await?;
        connection.close().await?;
        Ok::<_, sqlx::Error>(numbers)
    };
    wait(asked)?.map_err(|error| format!("{url}: {sql}: {error}").into())
}

fn wait<F: Future>(future: F) -> std::io::Result<F::Output> {
    Ok(Builder::new_current_thread().enable_all().build()?.block_on(future))
}
