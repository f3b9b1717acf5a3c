//! The directory of cells: every command in every state, stories, and every order of commands.

mod state_table;
mod stories;
mod walk;

use ledger_core::directory::{
    CellIdentity, Command, Directory, Event, Placement, Refusal, decide, evolve, follows,
};
use ledger_core::id::{Environment, KeyHash};

fn directory() -> Directory {
    Directory::new(Environment::Live)
}

fn add(name: &str) -> Command {
    let (environment, key_check) = (Environment::Live, [7; 32]);
    Command::AddCell(CellIdentity { name: name.into(), environment, key_check })
}

fn place(account: &str) -> Command {
    Command::Place { account: account.into(), placement: Placement::FewestAccounts }
}

fn place_in(account: &str, cell: &str) -> Command {
    Command::Place { account: account.into(), placement: Placement::Named(cell.into()) }
}

fn bind(key: u8, account: &str) -> Command {
    Command::BindKey { key: KeyHash([key; 32]), account: account.into() }
}

fn begin(id: &str, account: &str, to: &str) -> Command {
    Command::BeginMove { id: id.into(), account: account.into(), to: to.into() }
}

fn finish(id: &str) -> Command {
    Command::FinishMove { id: id.into() }
}

fn abandon(id: &str) -> Command {
    Command::AbandonMove { id: id.into() }
}

/// Returns what `command` makes of `directory`: judged, followed, remembered, and checked.
fn step(directory: &Directory, command: &Command) -> Result<(Directory, Option<Event>), Refusal> {
    let Some(event) = decide(directory, command)? else { return Ok((directory.clone(), None)) };
    assert!(follows(directory, &event), "{event:?} was decided and may not follow");
    let next = evolve(directory, &event);
    next.check().unwrap();
    assert_eq!(decide(&next, command), Ok(None), "{command:?} is done once it was done");
    Ok((next, Some(event)))
}

fn after(commands: impl IntoIterator<Item = Command>) -> Directory {
    commands.into_iter().fold(directory(), |directory, command| {
        step(&directory, &command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}")).0
    })
}

fn refused(directory: &Directory, command: &Command) -> Refusal {
    decide(directory, command).expect_err("it contradicts what the directory holds")
}
