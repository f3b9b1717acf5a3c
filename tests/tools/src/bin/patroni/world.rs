//! The rounds of one cluster, within namespaces that end with it.

use std::error::Error;
use std::io::Read as _;
use std::path::Path;

use custody_ledger::prelude::*;

use super::cluster::Cluster;
use super::database;
use super::probe::{self, Probes};
use super::round::{self, Fault, Record, Round};
use super::setup::Share;
use super::transfers;

/// Plays the rounds, and prints a line for each, in fields that tabs divide.
pub fn play(share: &Share, folder: &Path, python: &Path) -> Result<(), Box<dyn Error>> {
    end_with_whoever_began();
    let mut cluster = Cluster::start(folder, python)?;
    let leader = cluster.whole()?;
    for name in ["books", probe::DATABASE] {
        let url = cluster.url_of(leader, "postgres");
        database::execute(&url, &format!("CREATE DATABASE {name}"))?;
    }
    database::execute(&cluster.url_of(leader, probe::DATABASE), probe::TABLE)?;
    let ledger = Ledger::open(&*cluster.url()).wait()?;
    transfers::begin(&ledger)?;
    ledger.shutdown()?;

    let probes = Probes::begin(&cluster);
    let mut record = Record::default();
    for number in (share.first..share.rounds).step_by(share.step) {
        let fault = Fault::of_round(number);
        let round = round::play(&mut cluster, fault, &mut record);
        let round = round.map_err(|error| format!("round {number}, {fault}: {error}"))?;
        let Round { unanswered, acknowledged, lost, twice, repeated, reopened } = round;
        let millis = unanswered.as_millis();
        println!(
            "round\t{fault}\t{millis}\t{acknowledged}\t{lost}\t{twice}\t{repeated}\t{reopened}"
        );
    }
    let leader = cluster.whole()?;
    let (rows, servers) = probes.end(&cluster.url_of(leader, probe::DATABASE))?;
    let (lost, twice) = round::held_to(&cluster.url(), &mut record, 0)?;
    if lost > 0 || twice != 0 {
        return Err(format!("after all rounds {lost} are lost, {twice} done twice").into());
    }
    println!("end\t{rows}\t{servers}");
    Ok(())
}

/// Whoever began this holds the other end of the input: when it is gone, so are all processes here.
fn end_with_whoever_began() {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(1);
    });
}
