//! A file is made: the trees, the statements and the checkpoint come together and are signed.

use std::collections::BTreeSet;

use ledger_proofs::Hash;
use ledger_proofs::checkpoint::{Checkpoint, CheckpointRefused};
use ledger_proofs::document::Digits;
use ledger_proofs::record_tree::{RecordTree, TreeError};
use ledger_store::Journal;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;
use thiserror::Error;

use crate::chart::BRL;
use crate::fault::Fault;
use crate::file::{
    AccountBalance, AssetReserves, ClassSum, Coverage, ReservesFile, SignedUnits, VERSION,
};
use crate::holder::Salts;
use crate::liabilities::{AssetOwed, Liabilities, LiabilitiesError};
use crate::statement::{Kind, Statement};
use crate::trees::{ClassTree, Trees, TreesError};

/// The record that a file stands on, and its way to a checkpoint that was signed.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The signed checkpoint that covers the record.
    pub note: Note,
    /// The root of the tree over the records up to the file's.
    root: Hash,
    /// From that root to the checkpoint's.
    path: Vec<Hash>,
}

/// The error of a file that cannot be made.
#[derive(Debug, Error)]
pub enum ReservesError {
    /// The checkpoint cannot be read.
    #[error("the checkpoint")]
    Checkpoint(#[from] CheckpointRefused),
    /// The tree over the records cannot be used.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The checkpoint is of other records than the ledger's.
    #[error("the checkpoint at {0} records is not of this ledger: its root is another")]
    OtherRoot(u64),
    /// Holders and trial balance disagree.
    #[error(transparent)]
    Liabilities(#[from] LiabilitiesError),
    /// There are no trees.
    #[error(transparent)]
    Trees(#[from] TreesError),
    /// A statement names an asset or a network that the ledger does not know.
    #[error("statement of {place}: the ledger knows no {unknown}")]
    Unknown {
        /// The address or account, as the statement names it.
        place: String,
        /// The asset, or the network.
        unknown: String,
    },
    /// The file would be refused.
    #[error("{}", list(.0))]
    Faults(Vec<Fault>),
    /// Sums of statements leave 128 bits.
    #[error("overflow: what is held of {0} leaves 128 bits")]
    Overflow(String),
}

fn list(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Anchor {
    /// The way from a record to a checkpoint of as many records or more; `tree` follows the journal
    /// of the ledger named `name` first.
    ///
    /// # Errors
    ///
    /// [`ReservesError`] where the checkpoint is not of this ledger, or earlier.
    pub fn new(
        journal: &mut dyn Journal,
        name: &str,
        mut tree: RecordTree,
        (record, note): (u64, Note),
    ) -> Result<Self, ReservesError> {
        let checkpoint = Checkpoint::parse(&note.text)?;
        tree.follow(journal, name)?;
        if tree.root(checkpoint.size)? != checkpoint.root {
            return Err(ReservesError::OtherRoot(checkpoint.size));
        }
        let root = tree.root(record)?;
        let path = tree.consistency(record, checkpoint.size)?;
        Ok(Self { note, root, path })
    }
}

impl Trees {
    /// The trees of a ledger as it stands, whose journal has this vault key; assets of which only
    /// statements know are listed as owed to nobody.
    ///
    /// # Errors
    ///
    /// [`ReservesError`].
    pub fn read(
        sequencer: &Sequencer,
        vault_key: &[u8; 32],
        statements: &[Statement],
        least: u64,
    ) -> Result<Self, ReservesError> {
        let mut liabilities = Liabilities::read(sequencer)?;
        let catalogue = &sequencer.ledger().state.catalogue;
        let assets =
            (0..=u16::MAX).map_while(|number| catalogue.asset_of(ledger_core::id::AssetId(number)));
        let assets: Vec<_> = assets.collect();
        let chains =
            (0..=u16::MAX).map_while(|number| catalogue.chain_of(ledger_core::id::ChainId(number)));
        let chains: BTreeSet<&str> = chains.collect();
        for statement in statements {
            let unknown = |unknown: &str| ReservesError::Unknown {
                place: statement.source.clone(),
                unknown: unknown.to_owned(),
            };
            if let Some(network) = &statement.network
                && statement.kind == Kind::Ethereum
                && !chains.contains(&**network)
            {
                return Err(unknown(&format!("network {network}")));
            }
            if statement.asset == BRL {
                continue;
            }
            let known = assets.iter().find(|(name, _)| *name == statement.asset);
            let (name, scale) =
                known.ok_or_else(|| unknown(&format!("asset {}", statement.asset)))?;
            liabilities.with_asset(name, scale.decimals());
        }
        let salts = Salts::new(vault_key, liabilities.record);
        Ok(Self::new(liabilities, salts, least)?)
    }
}

impl ReservesFile {
    /// Makes the file of these trees and statements and signs it; nothing is signed that would be
    /// refused.
    ///
    /// # Errors
    ///
    /// [`ReservesError`].
    pub fn new(
        trees: &Trees,
        statements: Vec<Statement>,
        within_hours: u32,
        (anchor, signer): (Anchor, &Signer),
    ) -> Result<Self, ReservesError> {
        let file = Self::new_unchecked(trees, statements, within_hours, (anchor, signer))?;
        let faults = file.verify(&signer.verifier(), None);
        if faults.is_empty() { Ok(file) } else { Err(ReservesError::Faults(faults)) }
    }

    /// As [`ReservesFile::new`] of a house that signs what will be refused: for tests.
    #[doc(hidden)]
    pub fn new_unchecked(
        trees: &Trees,
        mut statements: Vec<Statement>,
        within_hours: u32,
        (anchor, signer): (Anchor, &Signer),
    ) -> Result<Self, ReservesError> {
        statements.sort_by_key(Statement::identity);
        let asset = |(owed, classes): (&AssetOwed, &[ClassTree])| asset(owed, classes, &statements);
        let assets = trees.each().map(asset).collect::<Result<_, _>>()?;
        let file = Self {
            reserves: VERSION,
            origin: signer.name().to_owned(),
            record: trees.liabilities.record,
            time: trees.liabilities.time.to_string(),
            root: anchor.root,
            path: anchor.path,
            checkpoint: anchor.note.to_string(),
            within_hours,
            assets,
            statements,
            signature: String::new(),
        };
        Ok(file.sign(signer))
    }
}

fn asset(
    owed: &AssetOwed,
    classes: &[ClassTree],
    statements: &[Statement],
) -> Result<AssetReserves, ReservesError> {
    let asset = owed.asset.clone();
    let overflow = || ReservesError::Overflow(asset.clone());
    let add = |sum: u128, more: u128| sum.checked_add(more);
    let sums = owed.classes.iter().zip(classes).map(|(owed, known)| ClassSum {
        class: known.class.name().to_owned(),
        leaves: known.tree.leaves().len() as u64,
        root: known.tree.root().hash,
        owed: Digits(known.tree.root().sum),
        owed_by: Digits(known.owed_by),
        accounts: owed.accounts.iter().map(balance).collect(),
    });
    let sums: Vec<ClassSum> = sums.collect();
    let total = sums.iter().try_fold(0, |sum, class| add(sum, class.owed.0));
    let total = total.ok_or_else(overflow)?;
    let mine: Vec<_> = statements.iter().filter(|it| it.asset == asset).collect();
    let clients = mine.iter().try_fold(0, |sum, it| add(sum, it.clients.0)).ok_or_else(overflow)?;
    let own = mine.iter().try_fold(0, |sum, it| add(sum, it.own.0)).ok_or_else(overflow)?;
    let (result, by) = Coverage::compare(clients, total);
    let mut made = AssetReserves {
        asset,
        decimals: owed.decimals,
        owed: sums,
        root: Hash([0; 32]),
        total: Digits(total),
        clients: Digits(clients),
        own: Digits(own),
        result,
        by: Digits(by),
    };
    made.root = made.root_over_classes();
    Ok(made)
}

fn balance((account, net): &(&'static str, i128)) -> AccountBalance {
    AccountBalance { account: (*account).to_owned(), balance: SignedUnits(*net) }
}
