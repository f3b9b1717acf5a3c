//! How long a server may say nothing.

use std::time::Duration;

/// What `work` gives within `limit`, or an error that says that there was no answer.
pub(super) async fn within<T>(
    limit: Duration,
    work: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        let text = format!("no answer for {} seconds", limit.as_secs_f64());
        Err(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text)))
    })
}
