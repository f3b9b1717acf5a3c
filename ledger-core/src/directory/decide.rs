//! Judging what a directory is asked to do, and why it refuses.

use thiserror::Error;

use super::{
    CellIdentity, Command, Directory, Event, LONGEST_NAME, Move, MoveStage, Placement, Residence,
    is_name,
};
use crate::id::{Environment, KeyHash};

/// Why a command is refused, in the order in which the rules are tested. Asked again as it stands,
/// each is refused again, unless the directory changed meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A text is empty, or too long to be a name.
    #[error("a name of 1 to {LONGEST_NAME} bytes was expected, and this has {bytes}")]
    NameMalformed {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A ledger of another environment than the directory's.
    #[error("cell {cell} is of the environment {given}, and the directory is of {directory}")]
    EnvironmentDiffers {
        /// The name of the ledger.
        cell: Box<str>,
        /// The environment of the ledger.
        given: Environment,
        /// The environment of the directory.
        directory: Environment,
    },
    /// Another ledger is a cell under this name.
    #[error("another ledger is cell {cell}: this one has the same name and another vault key")]
    CellNameTaken {
        /// The name that another ledger has.
        cell: Box<str>,
    },
    /// No cell has this name.
    #[error("no cell of the directory is named {cell}")]
    CellUnknown {
        /// The name that no cell has.
        cell: Box<str>,
    },
    /// There is no cell at all to place an account in.
    #[error("the directory has no cells")]
    NoCells,
    /// The account lives in another cell than the one it is to be placed in.
    #[error("account {account} lives in cell {cell}, and cannot be placed in {asked}")]
    PlacedElsewhere {
        /// The name of the account.
        account: Box<str>,
        /// The cell it lives in.
        cell: Box<str>,
        /// The cell it was to be placed in.
        asked: Box<str>,
    },
    /// No account of this name is placed.
    #[error("no account of the directory is named {account}")]
    AccountUnknown {
        /// The name that no account has.
        account: Box<str>,
    },
    /// The key is of another account.
    #[error("the key is of account {bound}, and cannot be of {account}")]
    KeyTaken {
        /// The account whose key it is.
        bound: Box<str>,
        /// The account that it was to be of.
        account: Box<str>,
    },
    /// The id of the move is that of a move of something else, or to somewhere else.
    #[error("move {id} is of account {account} to cell {to}: an id is of one move")]
    MoveDiffers {
        /// The id of the earlier move.
        id: Box<str>,
        /// The account that is or was moved under it.
        account: Box<str>,
        /// The cell that the earlier move goes to.
        to: Box<str>,
    },
    /// The account is moving already.
    #[error("account {account} is moving already, by move {id}")]
    AlreadyMoving {
        /// The name of the account.
        account: Box<str>,
        /// The id of the move under way.
        id: Box<str>,
    },
    /// The account lives in the cell it is to be moved to.
    #[error("account {account} lives in cell {cell}: it cannot move to where it is")]
    AlreadyThere {
        /// The name of the account.
        account: Box<str>,
        /// The cell that it lives in.
        cell: Box<str>,
    },
    /// The account lived in that cell: a request that was answered elsewhere since might be begun
    /// there anew, by a router whose directory is old.
    #[error("account {account} lived in cell {cell}, and never comes back to a cell that it left")]
    LivedThere {
        /// The name of the account.
        account: Box<str>,
        /// The cell that it left.
        cell: Box<str>,
    },
    /// No move has this id.
    #[error("no move of the directory has the id {id}")]
    MoveUnknown {
        /// The id that no move has.
        id: Box<str>,
    },
    /// The move has ended otherwise than is asked.
    #[error("move {id} is {stage}, and stays so")]
    MoveEnded {
        /// The id of the move that has ended.
        id: Box<str>,
        /// How it has ended.
        stage: MoveStage,
    },
}

/// Judges `command`. `Ok(None)` says that it is done already, so asking again is harmless.
///
/// # Errors
///
/// The [`Refusal`], when the command contradicts what the directory holds.
pub fn decide(directory: &Directory, command: &Command) -> Result<Option<Event>, Refusal> {
    match command {
        Command::AddCell(identity) => add_cell(directory, identity),
        Command::Place { account, placement } => place(directory, account, placement),
        Command::BindKey { key, account } => bind_key(directory, *key, account),
        Command::BeginMove { id, account, to } => begin_move(directory, id, account, to),
        Command::FinishMove { id } => end_move(directory, id, MoveStage::Finished),
        Command::AbandonMove { id } => end_move(directory, id, MoveStage::Abandoned),
    }
}

fn add_cell(directory: &Directory, identity: &CellIdentity) -> Result<Option<Event>, Refusal> {
    let CellIdentity { name, environment, key_check } = identity;
    well_named(name)?;
    if *environment != directory.environment() {
        let (cell, given) = (name.clone(), *environment);
        let directory = directory.environment();
        return Err(Refusal::EnvironmentDiffers { cell, given, directory });
    }
    match directory.cell(name) {
        Some(known) if known.key_check == *key_check => Ok(None),
        Some(_) => Err(Refusal::CellNameTaken { cell: name.clone() }),
        None => Ok(Some(Event::CellAdded { cell: name.clone(), key_check: *key_check })),
    }
}

fn place(
    directory: &Directory,
    account: &str,
    placement: &Placement,
) -> Result<Option<Event>, Refusal> {
    well_named(account)?;
    let named = match placement {
        Placement::Named(cell) => Some(cell_named(directory, cell)?),
        Placement::FewestAccounts => None,
    };
    if let Some(placed) = directory.account(account) {
        return match named {
            Some(asked) if *asked != *placed.cell => Err(Refusal::PlacedElsewhere {
                account: account.into(),
                cell: (*placed.cell).into(),
                asked: asked.into(),
            }),
            Some(_) | None => Ok(None),
        };
    }
    let fewest = || directory.with_fewest_accounts().map(|cell| &*cell.name);
    let cell = named.or_else(fewest).ok_or(Refusal::NoCells)?;
    Ok(Some(Event::AccountPlaced { account: account.into(), cell: cell.into() }))
}

fn bind_key(directory: &Directory, key: KeyHash, account: &str) -> Result<Option<Event>, Refusal> {
    account_named(directory, account)?;
    match directory.account_of_key(&key) {
        Some(bound) if *bound.account == *account => Ok(None),
        Some(bound) => {
            let bound = (*bound.account).into();
            Err(Refusal::KeyTaken { bound, account: account.into() })
        }
        None => Ok(Some(Event::KeyBound { key, account: account.into() })),
    }
}

fn begin_move(
    directory: &Directory,
    id: &str,
    account: &str,
    to: &str,
) -> Result<Option<Event>, Refusal> {
    well_named(id)?;
    if let Some(known) = directory.move_of(id) {
        let same = *known.account == *account && *known.to == *to;
        return if same { Ok(None) } else { Err(differs(known)) };
    }
    let residence = account_named(directory, account)?;
    cell_named(directory, to)?;
    if let Some(moving) = &residence.moving {
        let (account, id) = (account.into(), (**moving).into());
        return Err(Refusal::AlreadyMoving { account, id });
    }
    if *residence.cell == *to {
        return Err(Refusal::AlreadyThere { account: account.into(), cell: to.into() });
    }
    if residence.before.iter().any(|left| **left == *to) {
        return Err(Refusal::LivedThere { account: account.into(), cell: to.into() });
    }
    Ok(Some(Event::MoveBegun {
        id: id.into(),
        account: account.into(),
        from: (*residence.cell).into(),
        to: to.into(),
    }))
}

fn end_move(directory: &Directory, id: &str, asked: MoveStage) -> Result<Option<Event>, Refusal> {
    let unknown = || Refusal::MoveUnknown { id: id.into() };
    let Move { account, from, to, stage, .. } = directory.move_of(id).ok_or_else(unknown)?;
    let (id, account) = (Box::from(id), Box::from(&**account));
    match (stage, asked) {
        (MoveStage::UnderWay, MoveStage::Finished) => {
            Ok(Some(Event::MoveFinished { id, account, to: (**to).into() }))
        }
        (MoveStage::UnderWay, MoveStage::Abandoned) => {
            Ok(Some(Event::MoveAbandoned { id, account, from: (**from).into() }))
        }
        (ended, asked) if *ended == asked => Ok(None),
        (ended, _) => Err(Refusal::MoveEnded { id, stage: *ended }),
    }
}

fn differs(known: &Move) -> Refusal {
    Refusal::MoveDiffers {
        id: (*known.id).into(),
        account: (*known.account).into(),
        to: (*known.to).into(),
    }
}

fn well_named(text: &str) -> Result<(), Refusal> {
    if is_name(text) { Ok(()) } else { Err(Refusal::NameMalformed { bytes: text.len() }) }
}

fn cell_named<'a>(directory: &'a Directory, name: &str) -> Result<&'a str, Refusal> {
    let cell = directory.cell(name).map(|cell| &*cell.name);
    cell.ok_or_else(|| Refusal::CellUnknown { cell: name.into() })
}

fn account_named<'a>(directory: &'a Directory, name: &str) -> Result<&'a Residence, Refusal> {
    directory.account(name).ok_or_else(|| Refusal::AccountUnknown { account: name.into() })
}
