//! The pump: what the provider has to tell by itself, told.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::engines::engine::EngineError;
use crate::engines::provider::{Provider, Report, Reports, TellError};

/// Asks the provider now and then, until it is ended or the ledger is.
pub(super) fn pump(
    provider: &dyn Provider,
    reports: &Reports,
    every: Duration,
    ended: &Receiver<()>,
) {
    while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        let Ok(told) = catch_unwind(AssertUnwindSafe(|| provider.poll())) else {
            tracing::error!("the provider panicked over what it has to tell");
            continue;
        };
        for report in told {
            match reports.tell(&report) {
                Ok(_) => confirm(provider, &report),
                Err(TellError::Engine(EngineError::Ended | EngineError::Fenced)) => return,
                // It is given again: by then the ledger may write, or somebody has mended it.
                Err(error) => tracing::error!(%error, "what the provider told is not in the books"),
            }
        }
    }
}

fn confirm(provider: &dyn Provider, report: &Report) {
    if catch_unwind(AssertUnwindSafe(|| provider.confirm(report))).is_err() {
        tracing::error!(fact = report.fact, "the provider panicked over what it told");
    }
}
