//! What clients are notified of and the world is asked, one JSON line each, beside the answers of a
//! run.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome, Response};
use ledger_sim::Sandbox;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use crate::Failure;

/// An answer, with the notifications and instructions that came of it.
pub struct Heard {
    /// The answer to the line.
    pub response: Arc<Response>,
    /// Webhook events and instructions, in order.
    pub effects: Vec<Value>,
    /// What the other ledger is to carry out because of it.
    pub onward: Option<Box<Call>>,
}

/// Where they go.
pub struct Events {
    file: BufWriter<File>,
    /// How often each line stands in the file that a run which is resumed found.
    found: HashMap<[u64; 2], u32>,
}

impl Events {
    /// A file that is added to. A run that is resumed adds what is missing of the lines before.
    pub fn open(path: &Path, resumed: bool) -> Result<Self, Failure> {
        let named = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
        let open = || -> std::io::Result<Self> {
            let mut options = OpenOptions::new();
            options.append(true).create(true);
            // Standard output and the like cannot be read back.
            if !path.exists() || path.is_file() {
                options.read(true);
            }
            let file = options.open(path)?;
            let found =
                if path.is_file() { existing_lines(&file, resumed)? } else { HashMap::new() };
            Ok(Self { file: BufWriter::new(file), found })
        };
        open().map_err(named)
    }

    /// Writes what line `number` brought about, unless it stands in the file already.
    pub fn write(&mut self, number: u64, effects: Vec<Value>) -> Result<(), Failure> {
        for mut value in effects {
            value["line"] = number.into();
            let line = value.to_string();
            match self.found.get_mut(&mark(line.as_bytes())) {
                Some(times) if *times > 0 => *times -= 1,
                _ => writeln!(self.file, "{line}")?,
            }
        }
        Ok(())
    }

    /// No line that comes now was answered before.
    pub fn go_on(&mut self) {
        self.found = HashMap::new();
    }

    /// Everything written is in the file.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.file.flush()?)
    }
}

/// The lines that a file holds, if they are asked for. A last line that a kill cut short is taken
/// away, since it will be written again; one that only lacks its end is given it.
fn existing_lines(mut file: &File, wanted: bool) -> std::io::Result<HashMap<[u64; 2], u32>> {
    let mut found = HashMap::new();
    let length = file.seek(SeekFrom::End(0))?;
    if length == 0 {
        return Ok(found);
    }
    file.seek(SeekFrom::Start(0))?;
    let (mut from, mut line, mut whole) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        let read = from.read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(found);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if text.len() == line.len() && serde_json::from_slice::<Value>(text).is_err() {
            file.set_len(whole)?;
            return Ok(found);
        }
        if wanted {
            *found.entry(mark(text)).or_insert(0) += 1;
        }
        if text.len() == line.len() {
            file.write_all(b"\n")?;
        }
        whole += read as u64;
    }
}

/// Tells one line from another: two hashes of 64 bits.
fn mark(line: &[u8]) -> [u64; 2] {
    [0_u8, 1].map(|which| {
        let mut hasher = DefaultHasher::new();
        (which, line).hash(&mut hasher);
        hasher.finish()
    })
}

/// Handles a call after what the sandbox has to tell before it, if this is its ledger.
pub fn hear_all(
    sequencer: &mut Sequencer,
    call: &Call,
    sandbox: Option<Sandbox>,
    wanted: bool,
) -> Heard {
    let mut before = Vec::new();
    if let Some(sandbox) = sandbox {
        sandbox.before(sequencer, call, |sequencer, handled| {
            if wanted {
                before.extend(effects(sequencer, &handled));
            }
        });
    }
    let mut heard = hear(sequencer, call, wanted);
    heard.effects.splice(0..0, before);
    heard
}

/// Handles a call; events and instructions are rendered where somebody wants them.
fn hear(sequencer: &mut Sequencer, call: &Call, wanted: bool) -> Heard {
    let handled = sequencer.handle(call);
    let effects = if wanted { effects(sequencer, &handled) } else { Vec::new() };
    Heard { response: Arc::new(handled.response), effects, onward: handled.onward.map(Box::new) }
}

fn effects(sequencer: &Sequencer, handled: &CallOutcome) -> Vec<Value> {
    let views = sequencer.views();
    let events = handled
        .notifications
        .iter()
        .map(|notification| json!({ "event": views.event(notification) }));
    let tasks = handled.instructions.iter();
    events.chain(tasks.map(|task| json!({ "instruction": views.instruction(task) }))).collect()
}
