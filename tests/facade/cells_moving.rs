//! Accounts that move between cells of one directory, asked and paid by whoever knows only that.

use std::sync::Arc;

use custody_ledger::fact::account::{AccountMoved, AccountOpened};
use custody_ledger::fact::charge::PixReceived;
use custody_ledger::fact::product::{BalanceOpened, EntryLegOf, OpeningBalancesClosed};
use custody_ledger::prelude::*;
use custody_ledger::request::account::RotateKey;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::charge::GetCharge;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::DecidedBy;
use custody_ledger::view::Charge;
use custody_ledger::{
    AccountMove, Cells, Code, DirectoryCommand, Ledger, ManualClock, MoveError, SetAsideReason,
};
use tempfile::TempDir;

use super::shop::{amount, ana, at_once, charge_of, e2e};

const KEY: &str = "svc_live_loja";

struct CellFolder {
    folder: TempDir,
    clock: Arc<ManualClock>,
}

fn loja() -> AccountName {
    AccountName::new("loja").unwrap()
}

fn bia() -> Party {
    Party::customer("bia").unwrap()
}

impl CellFolder {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").unwrap());
        Self { folder: tempfile::tempdir().unwrap(), clock }
    }

    fn store(&self, file: &str) -> String {
        format!("sqlite:{}", self.folder.path().join(file).display())
    }

    fn ledger(&self, name: &str, vault_key: [u8; 32]) -> Ledger {
        let ledger = Ledger::builder(self.store(name).as_str()).name(name).vault_key(vault_key);
        ledger.clock(Arc::clone(&self.clock)).open().wait().unwrap()
    }

    fn cells(&self) -> Cells {
        let ledgers = ["cell-a", "cell-b", "cell-c"].map(|name| self.ledger(name, [7; 32]));
        Cells::open(self.store("directory.db").as_str(), ledgers).wait().unwrap()
    }

    /// Cells in which Loja is opened, in the first.
    fn with_loja(&self) -> Cells {
        let cells = self.cells();
        let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), loja()).terms(at_once());
        let reported = cells.report(&opened.key(KEY.try_into().unwrap())).wait().unwrap();
        assert!(matches!(reported.outcome, Outcome::Applied(_)), "{reported:?}");
        cells
    }
}

fn charge(cells: &Cells, cents: i64, id: &str) -> Result<Done<Charge>, Error> {
    let request = charge_of(&ana(), cents, id);
    cells.client(ApiKey::new(KEY).unwrap()).ask(&request).wait()
}

fn collect(cells: &Cells, cents: i64, number: u32) -> Charge {
    let charge = charge(cells, cents, &format!("charge-{number}")).unwrap().answer;
    let paid = PixReceived::new(e2e(number), amount(cents)).charge(charge.id.clone());
    assert!(matches!(cells.report(&paid).wait().unwrap().outcome, Outcome::Applied(_)));
    charge
}

fn transfer(cells: &Cells, (from, to): (Party, Party), cents: i64, id: &str) -> Result<bool, Code> {
    let id = ExternalId::new(id).unwrap();
    let asked = CreateTransfer::new(from, to, amount(cents), id);
    match cells.client(ApiKey::new(KEY).unwrap()).ask(&asked).wait() {
        Ok(done) => Ok(done.is_repeated()),
        Err(Error::Refused(refusal)) => Err(refusal.code().unwrap()),
        Err(error) => panic!("{error}"),
    }
}

fn available(cells: &Cells, party: &Party) -> i64 {
    let asked = GetBalance::new(party.clone());
    let client = cells.client(ApiKey::new(KEY).unwrap());
    client.ask(&asked).wait().unwrap().answer.available.cents()
}

fn moved(cells: &Cells, to: &str, id: &str) -> Result<AccountMove, MoveError> {
    cells.move_account(&loja(), to, id).wait()
}

#[test]
fn an_account_that_is_closed_for_opening_balances_stays_closed_where_it_moves() {
    let place = CellFolder::new();
    let cells = place.with_loja();
    let decided = || DecidedBy::new("bia", "migration").unwrap();
    let bring = |id: &str| {
        let of = EntryLegOf::new(loja(), ana());
        let brought = BalanceOpened::new(FactId::new(id).unwrap(), of, amount(500), decided());
        cells.report(&brought).wait().unwrap().ensure_applied()
    };
    bring("opening-1").unwrap();
    let closed = OpeningBalancesClosed::new(FactId::new("closed-1").unwrap(), loja(), decided());
    cells.report(&closed).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(moved(&cells, "cell-b", "mv-1").unwrap(), AccountMove::Done);
    assert_eq!(available(&cells, &ana()), 500);
    assert_eq!(bring("opening-2").unwrap_err().reason, SetAsideReason::OpeningClosed);
}

/// Returns what a client is answered by a key: whether it was answered before, or why it is
/// refused.
fn transfer_by(cells: &Cells, key: &ApiKey, id: &str) -> Result<bool, Code> {
    let id = ExternalId::new(id).unwrap();
    let asked = CreateTransfer::new(ana(), bia(), amount(100), id);
    match cells.client(key.clone()).ask(&asked).wait() {
        Ok(done) => Ok(done.is_repeated()),
        Err(Error::Refused(refusal)) => Err(refusal.code().unwrap()),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_key_that_was_replaced_after_a_move_is_answered_for_what_was_asked_before_it() {
    let place = CellFolder::new();
    let cells = place.with_loja();
    let charge = collect(&cells, 10_000, 1);
    assert_eq!(transfer(&cells, (ana(), bia()), 100, "t-1"), Ok(false));
    assert_eq!(moved(&cells, "cell-b", "mv-1").unwrap(), AccountMove::Done);
    let old = ApiKey::new(KEY).unwrap();
    let rotate = RotateKey::new().entropy("5e".repeat(32).as_str().try_into().unwrap());
    let new = cells.client(old.clone()).ask(&rotate).wait().unwrap().answer.api_key;

    // Its answer may have been lost, and the key replaced since: it is not done a second time.
    assert_eq!(transfer_by(&cells, &new, "t-1"), Ok(true));
    assert_eq!(transfer_by(&cells, &new, "t-2"), Ok(false));
    // The key that was replaced opens nothing, neither where the account lives nor where it lived.
    assert_eq!(transfer_by(&cells, &old, "t-1"), Err(Code::KeyUnknown));
    let shown = cells.client(old).ask(&GetCharge::new(charge.id.clone())).wait().unwrap_err();
    assert_eq!(shown.refusal().unwrap().code(), Some(Code::KeyUnknown));
    cells.client(new).ask(&GetCharge::new(charge.id)).wait().unwrap();
}

#[test]
fn a_move_that_was_begun_and_forgotten_goes_on_after_everything_was_opened_again() {
    let place = CellFolder::new();
    let cells = place.with_loja();
    collect(&cells, 10_000, 1);
    let owed = available(&cells, &ana());
    let open = charge(&cells, 700, "open").unwrap().answer;
    assert_eq!(moved(&cells, "cell-b", "mv-1").unwrap(), AccountMove::Waiting { open: 1 });
    assert_eq!(transfer(&cells, (ana(), bia()), 1, "new"), Err(Code::Paused));
    for (_, ledger) in cells.ledgers() {
        ledger.shutdown().unwrap();
    }
    drop(cells);

    let cells = place.cells();
    assert_eq!(cells.directory().moves_under_way().count(), 1);
    assert_eq!(available(&cells, &ana()), owed);
    let paid = PixReceived::new(e2e(2), amount(700)).charge(open.id);
    assert!(matches!(cells.report(&paid).wait().unwrap().outcome, Outcome::Applied(_)));
    let owed = available(&cells, &ana());
    assert_eq!(moved(&cells, "cell-b", "mv-1").unwrap(), AccountMove::Done);
    assert_eq!(available(&cells, &ana()), owed);
    assert_eq!(cells.directory().moves_under_way().count(), 0);
}

#[test]
fn a_move_that_cannot_be_leaves_nothing_in_the_directory() {
    let place = CellFolder::new();
    let cells = place.with_loja();
    assert_eq!(moved(&cells, "cell-b", "mv-1").unwrap(), AccountMove::Done);
    let before = cells.directory();
    let refused = |to: &str, id: &str| moved(&cells, to, id).unwrap_err().to_string();
    assert_eq!(refused("cell-z", "mv-2"), "no cell of the directory is named cell-z");
    assert_eq!(
        refused("cell-a", "mv-2"),
        "account loja lived in cell cell-a, and never comes back to a cell that it left"
    );
    let source_is_target = "the account is in that ledger: source and target are one";
    assert_eq!(refused("cell-b", "mv-2"), source_is_target);
    assert_eq!(refused("cell-c", &"m".repeat(41)), "the id of a move has 1 to 40 characters");
    let differs = "move mv-1 is of account loja to cell cell-b: an id is of one move";
    assert_eq!(refused("cell-c", "mv-1"), differs);
    let other = AccountName::new("outra").unwrap();
    let unknown = cells.move_account(&other, "cell-b", "mv-2").wait().unwrap_err();
    assert_eq!(unknown.to_string(), "no account of the directory is named outra");
    assert_eq!(cells.directory(), before);

    let ledgers = [("cell-a", [7; 32]), ("cell-b", [8; 32])];
    let elsewhere = CellFolder::new();
    let ledgers = ledgers.map(|(name, vault_key)| elsewhere.ledger(name, vault_key));
    let cells = Cells::open("memory:", ledgers).wait().unwrap();
    let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), loja());
    cells.report(&opened.key(KEY.try_into().unwrap())).wait().unwrap().ensure_applied().unwrap();
    let before = cells.directory();
    assert!(matches!(moved(&cells, "cell-b", "mv-1"), Err(MoveError::VaultKeyDiffers)));
    assert_eq!(cells.directory(), before);
}

#[test]
fn a_move_to_a_cell_that_is_gone_is_given_up_and_the_account_works_as_before() {
    let place = CellFolder::new();
    let cells = place.with_loja();
    collect(&cells, 10_000, 1);
    let owed = available(&cells, &ana());
    let (_, gone) = cells.ledgers().find(|(name, _)| *name == "cell-b").unwrap();
    gone.shutdown().unwrap();
    let (id, to, account) = ("mv-1".into(), "cell-b".into(), "loja".into());
    cells.record(DirectoryCommand::BeginMove { id, account, to }).wait().unwrap();
    let (to, step) = ("cell-b".try_into().unwrap(), "leaving".try_into().unwrap());
    let id = FactId::new("mv-1.leaving.1").unwrap();
    cells
        .report(&AccountMoved::new(id, loja(), to, step))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    // Whether it was done where the account is on its way to, nobody can say there.
    let refused = charge(&cells, 10_000, "charge-2").unwrap_err();
    assert!(matches!(refused, Error::Engine(_)), "{refused:?}");
    cells.abandon_move("mv-1").wait().unwrap();
    cells.abandon_move("mv-1").wait().unwrap();
    assert_eq!(transfer(&cells, (ana(), bia()), 1, "t-1"), Ok(false));
    assert_eq!(available(&cells, &ana()), owed - 1);
    let unknown = cells.abandon_move("mv-9").wait().unwrap_err().to_string();
    assert_eq!(unknown, "no move of the directory has the id mv-9");
}
