//! What clients are told and the world is asked, one JSON line each, beside the answers of a run.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;

use ledger_core::contract::{Call, Handled, Response};
use ledger_sim::Sandbox;
use ledger_store::book::Book;
use serde_json::{Value, json};

use crate::Failure;

/// An answer, with what was told and asked by it.
pub struct Heard {
    /// The answer.
    pub response: Response,
    /// Webhook events and instructions, in order.
    pub told: Vec<Value>,
    /// What the other ledger is to be told because of it.
    pub onward: Option<Call>,
}

/// Where they go.
pub struct Events(BufWriter<File>);

impl Events {
    /// A file that a run which is resumed goes on with.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        Ok(Self(BufWriter::new(file)))
    }

    /// Writes what line `number` brought about.
    pub fn write(&mut self, number: u64, told: Vec<Value>) -> Result<(), Failure> {
        for mut value in told {
            value["line"] = number.into();
            writeln!(self.0, "{value}")?;
        }
        Ok(())
    }

    /// Everything written is in the file.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.0.flush()?)
    }
}

/// Handles a call after what the sandbox has to tell before it, if this is its ledger.
pub fn hear_all(book: &mut Book, call: &Call, weather: Option<Sandbox>, wanted: bool) -> Heard {
    let mut before = Vec::new();
    if let Some(sandbox) = weather {
        sandbox.before(book, call, |book, handled| {
            if wanted {
                before.extend(told(book, &handled));
            }
        });
    }
    let mut heard = hear(book, call, wanted);
    heard.told.splice(0..0, before);
    heard
}

/// Handles a call; events and instructions are rendered where somebody wants them.
pub fn hear(book: &mut Book, call: &Call, wanted: bool) -> Heard {
    let handled = book.handle(call);
    let told = if wanted { told(book, &handled) } else { Vec::new() };
    Heard { response: handled.response, told, onward: handled.onward }
}

fn told(book: &Book, handled: &Handled) -> Vec<Value> {
    let desk = book.desk();
    let events = handled.notices.iter().map(|notice| json!({ "told": desk.event(notice) }));
    let tasks = handled.instructions.iter();
    events.chain(tasks.map(|task| json!({ "asked": desk.instruction(task) }))).collect()
}
