//! Matches of earlier runs, kept in a file: a movement is matched once, and never again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use ledger_core::hexadecimal::{bytes, digits};
use sha2::{Digest as _, Sha256};

use crate::day::Day;
use crate::difference::Pair;
use crate::movement::{Account, OurMovement, TheirMovement};
use crate::quantity::Quantity;
use crate::statement::FileError;

/// The first line of a file, before the ledger's name.
const HEAD: &str = "custody-ledger matches 1 ";

/// The key of a movement of theirs in whichever statement it stands: half of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MovementKey([u8; 16]);

/// The matches so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptMatches {
    ledger: String,
    /// Movements of theirs with their amounts.
    theirs: HashMap<MovementKey, Quantity>,
    /// Movements of ours by record and leg.
    ours: HashSet<(u64, u16)>,
    /// Lines of the file in the order in which they came.
    lines: Vec<String>,
    carried: BTreeMap<String, CarriedBalance>,
}

/// How an account stood at the end of its last statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedBalance {
    /// The statement's last day.
    pub day: Day,
    /// The closing balance of that statement.
    pub closing: Quantity,
    /// How much more our control account had.
    pub difference: Quantity,
}

/// The keys of movements, in their order: of several that no id tells apart, each has a number
/// within its statement.
#[must_use]
pub fn keys_of(theirs: &[&TheirMovement]) -> Vec<MovementKey> {
    let mut alike: HashMap<(u32, MovementKey), u32> = HashMap::new();
    theirs
        .iter()
        .map(|movement| {
            let key = key_of(movement, 0);
            if movement.id.is_some() {
                return key;
            }
            let number = alike.entry((movement.position.statement, key)).or_default();
            *number += 1;
            key_of(movement, *number)
        })
        .collect()
}

fn key_of(movement: &TheirMovement, number: u32) -> MovementKey {
    let account = &movement.account;
    let mut hash = Sha256::new();
    let mut take = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    take(account.source.name());
    take(&account.network);
    take(&account.asset);
    take(movement.direction.name());
    take(movement.class.name());
    match &movement.id {
        Some(id) => {
            take(id);
            take(&movement.index.map_or_else(String::new, |index| index.to_string()));
        }
        None => {
            take(&movement.at.to_string());
            take(&movement.amount.to_string());
            take(&movement.names.join(" "));
            take(movement.word.as_deref().unwrap_or_default());
            take(&number.to_string());
        }
    }
    let digest = hash.finalize();
    let mut key = [0; 16];
    key.copy_from_slice(&digest[..16]);
    MovementKey(key)
}

impl KeptMatches {
    /// Nothing, of the ledger of this name.
    #[must_use]
    pub fn new(ledger: &str) -> Self {
        Self { ledger: ledger.to_owned(), ..Self::default() }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] naming the line that is wrong, or the ledger that the file is of.
    pub fn parse(file: &str, text: &str, ledger: &str) -> Result<Self, FileError> {
        let mut kept = Self::new(ledger);
        let mut lines = text.lines();
        let head = lines.next().and_then(|head| head.strip_prefix(HEAD));
        match head {
            None => return Err(FileError::one(file, 1, 1, "this is no file of kept matches")),
            Some(name) if name != ledger => {
                let reason = format!("these are matches of the {name} ledger, not of {ledger}");
                let column = u32::try_from(HEAD.len() + 1).unwrap_or(u32::MAX);
                return Err(FileError::one(file, 1, column, reason));
            }
            Some(_) => {}
        }
        for (number, line) in (2..).zip(lines) {
            kept.take_line(line).ok_or_else(|| {
                FileError::one(file, number, 1, "this is no match and no balance")
            })?;
        }
        Ok(kept)
    }

    fn take_line(&mut self, line: &str) -> Option<()> {
        let mut parts = line.split('\t');
        match parts.next()? {
            "match" => {
                let key = MovementKey(bytes(parts.next()?)?.try_into().ok()?);
                self.theirs.insert(key, Quantity::parse(parts.next()?)?);
                for part in parts.next()?.split(',') {
                    let (record, leg) = part.split_once('.')?;
                    self.ours.insert((record.parse().ok()?, leg.parse().ok()?));
                }
                self.lines.push(line.to_owned());
            }
            "balance" => {
                let account = parts.next()?.to_owned();
                let day = Day::parse(parts.next()?)?;
                let closing = Quantity::parse(parts.next()?)?;
                let difference = Quantity::parse(parts.next()?)?;
                self.carried.insert(account, CarriedBalance { day, closing, difference });
            }
            _ => return None,
        }
        parts.next().is_none().then_some(())
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}{}\n", self.ledger);
        for line in &self.lines {
            text += line;
            text.push('\n');
        }
        for (account, CarriedBalance { day, closing, difference }) in &self.carried {
            let _ = writeln!(text, "balance\t{account}\t{day}\t{closing}\t{difference}");
        }
        text
    }

    /// How many movements of theirs are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.theirs.len()
    }

    /// Tells whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.theirs.is_empty()
    }

    /// The amount that a movement of theirs had when it was matched.
    pub(crate) fn amount_of(&self, key: &MovementKey) -> Option<Quantity> {
        self.theirs.get(key).copied()
    }

    /// Tells whether a movement of ours was matched.
    pub(crate) fn has_ours(&self, own: &OurMovement) -> bool {
        self.ours.contains(&(own.record, own.leg))
    }

    /// How an account stood at the end of its last statement.
    pub(crate) fn last_balance(&self, account: &Account) -> Option<&CarriedBalance> {
        self.carried.get(&account.name())
    }

    /// Keeps how an account stands, unless a later day of it is kept.
    pub(crate) fn carry(&mut self, account: &Account, balance: CarriedBalance) {
        let later = self.last_balance(account).is_some_and(|known| known.day > balance.day);
        if !later {
            self.carried.insert(account.name(), balance);
        }
    }

    /// Keeps a pair.
    pub(crate) fn add(
        &mut self,
        pair: &Pair,
        (keys, theirs): (&[MovementKey], &[&TheirMovement]),
        ours: &[OurMovement],
    ) {
        let mut records = String::new();
        for place in &pair.ours {
            let OurMovement { record, leg, .. } = ours[*place];
            let gap = if records.is_empty() { "" } else { "," };
            let _ = write!(records, "{gap}{record}.{leg}");
            self.ours.insert((record, leg));
        }
        for place in &pair.theirs {
            let (key, amount) = (keys[*place], theirs[*place].amount);
            self.theirs.insert(key, amount);
            self.lines.push(format!("match\t{}\t{amount}\t{records}", digits(&key.0)));
        }
    }
}
