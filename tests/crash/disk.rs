//! A disk as its writer knows it: what was synced is there; of what was written since, anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::dice::Dice;

/// The least that a disk writes at once.
const SECTOR: usize = 512;

/// What came to pass, as the shim wrote it down.
pub enum Event {
    Written {
        file: String,
        place: usize,
        bytes: Vec<u8>,
    },
    Cut {
        file: String,
        length: usize,
    },
    Synced {
        file: String,
    },
    Removed {
        file: String,
    },
    /// So much was said on standard output.
    Said {
        text: Vec<u8>,
    },
}

/// Reads what the shim wrote down.
pub fn events(log: &Path) -> Vec<Event> {
    let log = fs::read(log).unwrap();
    let (mut rest, mut events) = (&log[..], Vec::new());
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let line = std::str::from_utf8(&rest[..end]).unwrap();
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [what, place, length, file] = words[..] else { panic!("the shim wrote {line}") };
        let (place, length) = (place.parse().unwrap(), length.parse::<usize>().unwrap());
        let (bytes, file) = (rest[end + 1..end + 1 + length].to_vec(), file.to_owned());
        rest = &rest[end + 1 + length..];
        events.push(match what {
            "W" => Event::Written { file, place, bytes },
            "T" => Event::Cut { file, length: place },
            "S" => Event::Synced { file },
            "U" => Event::Removed { file },
            "A" => Event::Said { text: bytes },
            _ => panic!("the shim wrote {line}"),
        });
    }
    events
}

/// What becomes of writes that no sync followed when the power goes.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    Dropped,
    Kept,
    /// Each is kept, dropped or torn, whatever becomes of the others.
    Any,
}

enum Pending {
    Write { place: usize, bytes: Vec<u8> },
    Cut { length: usize },
}

#[derive(Default)]
struct File {
    synced: Vec<u8>,
    pending: Vec<Pending>,
}

/// The files of a store.
#[derive(Default)]
pub struct Disk(BTreeMap<String, File>);

impl Disk {
    /// Learns what came to pass.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::Written { file, place, bytes } => {
                let pending = Pending::Write { place: *place, bytes: bytes.clone() };
                self.0.entry(file.clone()).or_default().pending.push(pending);
            }
            Event::Cut { file, length } => {
                let pending = Pending::Cut { length: *length };
                self.0.entry(file.clone()).or_default().pending.push(pending);
            }
            Event::Synced { file } => {
                let file = self.0.entry(file.clone()).or_default();
                let mut synced = std::mem::take(&mut file.synced);
                for pending in file.pending.drain(..) {
                    pending.befall(&mut synced, usize::MAX);
                }
                file.synced = synced;
            }
            Event::Removed { file } => _ = self.0.remove(file),
            Event::Said { .. } => {}
        }
    }

    /// How many writes a power loss would decide over.
    pub fn pending(&self) -> usize {
        self.0.values().map(|file| file.pending.len()).sum()
    }

    /// Returns what is left of each file when the power goes now.
    pub fn after_power_loss(&self, fate: Fate, dice: &mut Dice) -> BTreeMap<&str, Vec<u8>> {
        let left = |(name, file): (&'static str, &File)| {
            let mut bytes = file.synced.clone();
            for pending in &file.pending {
                let sectors = match fate {
                    Fate::Dropped => 0,
                    Fate::Kept => usize::MAX,
                    Fate::Any => [0, usize::MAX, dice.below(9)][dice.below(3)],
                };
                pending.befall(&mut bytes, sectors);
            }
            (name, bytes)
        };
        let ends = ["", "-wal"];
        let files = self.0.iter().filter_map(|(path, file)| {
            let end = ends.into_iter().rev().find(|end| path.ends_with(&format!(".db{end}")))?;
            Some((end, file))
        });
        files.map(left).collect()
    }
}

impl Pending {
    /// Befalls `bytes`, as far as this many sectors of it go.
    fn befall(&self, bytes: &mut Vec<u8>, sectors: usize) {
        match self {
            Self::Cut { length } if sectors > 0 => bytes.resize(*length, 0),
            Self::Cut { .. } => {}
            Self::Write { place, bytes: written } => {
                let edge = (place / SECTOR).saturating_add(sectors).saturating_mul(SECTOR);
                let count = edge.saturating_sub(*place).min(written.len());
                if count > 0 {
                    let end = place + count;
                    bytes.resize(bytes.len().max(end), 0);
                    bytes[*place..end].copy_from_slice(&written[..count]);
                }
            }
        }
    }
}
