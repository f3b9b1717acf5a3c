//! The writer that is killed: several clients, each with one transfer at a time.

use std::error::Error;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use custody_ledger::prelude::*;

use super::transfers::{KEY, transfer};

/// How many clients transfer at once.
pub const CLIENTS: u64 = 4;

/// Opens the ledger and transfers until it is killed, from this number on. It says on standard
/// output that it is open, and then each transfer that was acknowledged: its number and its id.
pub fn write(store: &str, lease: Duration, from: u64) -> Result<(), Box<dyn Error>> {
    let ledger = Ledger::builder(store).lease(lease).open().wait()?;
    let out = Mutex::new(std::io::stdout());
    say(&out, "open")?;
    let client = ledger.client(ApiKey::new(KEY)?);
    let next = AtomicU64::new(from);
    let transfers = || -> Result<(), Box<dyn Error + Send + Sync>> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let done = client.ask(&transfer(number)?).wait()?;
            say(&out, &format!("{number} {}", done.answer.id))?;
        }
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(transfers)).collect();
        for client in clients {
            match client.join() {
                Ok(ended) => ended.map_err(|error| error.to_string())?,
                Err(_) => return Err("a client panicked".into()),
            }
        }
        Ok(())
    })
}

/// A line in one piece.
fn say(out: &Mutex<impl Write>, line: &str) -> std::io::Result<()> {
    let mut out = out.lock().map_err(|_| std::io::Error::other("a client panicked"))?;
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}
