//! `verify-reserves`: checks a file of reserves, a proof and leaves, without any store.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::coin::{Scale, units_text};
use ledger_reserves::{HolderProof, Kind, LeavesFile, ReservesFile};
use ledger_store::signing::key::Verifier;

use super::{file, read};
use crate::Failure;
use crate::commands::proof::verify::verification_failure;

#[derive(Args)]
pub struct Options {
    /// The file of reserves.
    file: PathBuf,
    /// The public key of the ledger, NAME+HASH+BASE64, from a place that you trust.
    #[arg(long, value_name = "PUBKEY")]
    key: String,
    /// One holder's proof, which must be in the sums of the file; may stand again.
    #[arg(long, value_name = "FILE")]
    proof: Vec<PathBuf>,
    /// Every leaf, which are added up anew.
    #[arg(long, value_name = "FILE")]
    leaves: Option<PathBuf>,
    /// The public key of a signer of statements whom you trust; may stand again. Absent: each
    /// signer is shown, and trusted.
    #[arg(long, value_name = "PUBKEY")]
    signer: Vec<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let key: Verifier =
        options.key.parse().map_err(|error| verification_failure(Path::new("--key"), &error))?;
    let file = file(&options.file)?;
    let leaves = options.leaves.as_deref().map(|path| {
        LeavesFile::parse(&read(path)?).map_err(|error| verification_failure(path, &error))
    });
    let faults = file.verify(&key, leaves.transpose()?.as_ref());
    let mut faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    faults.extend(options.strangers(&file));
    for path in &options.proof {
        match HolderProof::parse(&read(path)?).and_then(|proof| {
            proof.check(&file)?;
            Ok(proof)
        }) {
            Ok(proof) => print_proof(path, &proof, &file)?,
            Err(refused) => faults.push(format!("proof: {}: {refused}", path.display())),
        }
    }
    if faults.is_empty() {
        return print(&file);
    }
    let faults = faults.join("\n  ");
    Err(Failure::new(format!("{}: not verified\n  {faults}", options.file.display())))
}

impl Options {
    /// Statements of signers who are not among those that are trusted.
    fn strangers(&self, file: &ReservesFile) -> Vec<String> {
        let signers = file.statements.iter().filter_map(|known| known.signer.as_deref());
        let mut strangers: Vec<_> =
            signers.filter(|known| !self.signer.iter().any(|trusted| trusted == known)).collect();
        strangers.dedup();
        let trusted = self.signer.is_empty();
        let named = strangers.into_iter().filter(|_| !trusted);
        named.map(|known| format!("signer: {known} is none that you trust")).collect()
    }
}

/// Prints what is owed and what is held, and who says so.
pub fn print(file: &ReservesFile) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} at record {}, {}", file.origin, file.record, file.time)?;
    for asset in &file.assets {
        let scale = Scale::new(asset.decimals).unwrap_or(Scale::SIX);
        let text = |units: u128| units_text(units, scale);
        let (name, result, by) = (&asset.asset, asset.result.name(), text(asset.by.0));
        let (total, clients, own) = (text(asset.total.0), text(asset.clients.0), text(asset.own.0));
        writeln!(
            out,
            "{name}: owed {total}, held {clients} for clients, {result} by {by}; own {own}"
        )?;
        for class in asset.owed.iter().filter(|class| class.owed.0 + class.owed_by.0 > 0) {
            let by = match class.owed_by.0 {
                0 => String::new(),
                by => format!(", and {} owed by them", text(by)),
            };
            writeln!(out, "  {} {}{by}", class.class, text(class.owed.0))?;
        }
    }
    for held in &file.statements {
        let place = held.network.as_deref().unwrap_or("account");
        let by = match held.kind {
            Kind::Ethereum | Kind::Bitcoin => "itself",
            Kind::File => held.signer.as_deref().unwrap_or_default(),
        };
        writeln!(out, "{} in {place} {}, {}, signed by {by}", held.asset, held.source, held.as_of)?;
    }
    Ok(())
}

fn print_proof(path: &Path, proof: &HolderProof, file: &ReservesFile) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}: every part is in the sums", path.display())?;
    for part in &proof.parts {
        let decimals = file.asset(&part.asset).map_or(2, |asset| asset.decimals);
        let amount = units_text(part.amount.0, Scale::new(decimals).unwrap_or(Scale::SIX));
        writeln!(out, "  {} {} of {}: {amount}", part.asset, part.class, part.holder.0.join(" "))?;
    }
    Ok(())
}
