//! One round: a writer under load is killed, its standby takes over, and is held to what was said.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use custody_ledger::prelude::*;

use super::Options;
use super::transfers::{KEY, journal, received, transfer};
use super::writer::CLIENTS;

/// How long a round waits for what must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a writer acknowledged: the number and the id of each transfer.
type Acknowledgements = Receiver<(u64, String)>;

/// What a round came to.
pub struct Round {
    /// The number of the next transfer.
    pub next: u64,
    /// How many transfers the writer had acknowledged.
    pub acknowledged: usize,
    /// How long after the lapse of the lease the first answer came.
    pub delay: Duration,
}

/// Kills a writer that begins with transfer `from` once it has acknowledged so many.
pub fn play(options: &Options, from: u64, patience: u64) -> Result<Round, Box<dyn Error>> {
    let (mut writer, lines) = started(options, from)?;
    let standby = Ledger::builder(&options.store).lease(options.lease).standby().wait()?;
    let mut said = BTreeMap::new();
    while said.len() < usize::try_from(patience)? {
        let (number, id) = lines.recv_timeout(PATIENCE)?;
        said.insert(number, id);
    }
    let mut looking = journal(&options.store)?;
    // On Unix this is SIGKILL.
    writer.kill()?;
    writer.wait()?;
    // As late as it can be: what is left was told before now.
    let left = looking.lease_left()?.unwrap_or_default();
    let lapse = Instant::now() + left;
    // The pipe holds whatever was acknowledged and not yet read.
    said.extend(lines);
    let ledger = standby.promotion().wait()?;
    let client = ledger.client(ApiKey::new(KEY)?);
    received(&client)?;
    let delay = Instant::now().saturating_duration_since(lapse);
    let next = held_to(&client, from, &said)?;
    ledger.shutdown()?;
    Ok(Round { next, acknowledged: said.len(), delay })
}

/// What was acknowledged is there as it was answered, what was not is done by repeating it, and
/// each is done once; gives the number of the next transfer.
fn held_to(
    client: &Client,
    from: u64,
    said: &BTreeMap<u64, String>,
) -> Result<u64, Box<dyn Error>> {
    // Each client may have had one more under way.
    let next = said.last_key_value().map_or(from, |(last, _)| last + 1) + CLIENTS;
    for number in from..next {
        let request = transfer(number).map_err(|error| error.to_string())?;
        let done = client.ask(&request).wait()?;
        if let Some(id) = said.get(&number) {
            if !done.is_repeated() {
                return Err(format!("transfer {number} was acknowledged and is lost").into());
            }
            if *id != done.answer.id.to_string() {
                let now = &done.answer.id;
                return Err(format!("transfer {number} was {id} and is {now}").into());
            }
        }
    }
    match received(client)? {
        sum if u64::try_from(sum) == Ok(next) => Ok(next),
        sum => Err(format!("{next} centavos were transferred, and {sum} arrived").into()),
    }
}

/// A writer that has opened the ledger, and what it acknowledges from then on.
fn started(options: &Options, from: u64) -> Result<(Child, Acknowledgements), Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--store", &options.store, "--lease", &options.lease.as_millis().to_string()]);
    command.args(["--write-from", &from.to_string()]).stdout(Stdio::piped());
    let mut writer = command.spawn()?;
    let mut lines = BufReader::new(writer.stdout.take().ok_or("its output is a pipe")?);
    let mut first = String::new();
    lines.read_line(&mut first)?;
    if first != "open\n" {
        return Err("the writer does not open the ledger".into());
    }
    let (give, given) = channel();
    std::thread::spawn(move || {
        // A line that was cut short by the kill acknowledges nothing.
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
            if let Some((number, id)) = line.trim_end().split_once(' ')
                && let Ok(number) = number.parse()
            {
                let _ = give.send((number, id.to_owned()));
            }
            line.clear();
        }
    });
    Ok((writer, given))
}
