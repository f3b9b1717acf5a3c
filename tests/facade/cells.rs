//! Several ledgers with one directory: where accounts go, and what finds its way to them.

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::agent::AgentActivated;
use custody_ledger::fact::charge::PixReceived;
use custody_ledger::fact::product::{BalanceOpened, EntryLegOf};
use custody_ledger::prelude::*;
use custody_ledger::request::account::VerifyPix;
use custody_ledger::request::agent::{CreateReferral, RegisterAgent};
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::{DecidedBy, OperationId};
use custody_ledger::{
    Cells, CellsBuilder, CellsError, CellsRefused, DirectoryCommand as Command, Environment,
    Ledger, Outcome, Placement,
};
use tempfile::TempDir;

use super::shop::{amount, ana, at_once, charge_of, e2e};

/// Ledgers in files of a folder, and the directory beside them.
struct CellFolder {
    folder: TempDir,
}

impl CellFolder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn store(&self, file: &str) -> String {
        format!("sqlite:{}", self.folder.path().join(file).display())
    }

    fn ledger(&self, name: &str) -> Ledger {
        Ledger::builder(self.store(&format!("{name}.db"))).name(name).open().wait().unwrap()
    }

    fn opened(&self, names: &[&str]) -> Result<Cells, CellsError> {
        let ledgers: Vec<Ledger> = names.iter().map(|name| self.ledger(name)).collect();
        Cells::open(self.store("directory.db"), ledgers).wait()
    }

    fn cells(&self, names: &[&str]) -> Cells {
        self.opened(names).unwrap()
    }
}

/// Ledgers of one key, so that what is made of it is the same in each.
pub(super) fn in_memory(names: &[&str]) -> Cells {
    let open = |name: &&str| Ledger::builder("memory:").name(name).vault_key([7; 32]).open();
    let ledgers: Vec<Ledger> = names.iter().map(|name| open(name).wait().unwrap()).collect();
    Cells::open("memory:", ledgers).wait().unwrap()
}

pub(super) fn account(name: &str) -> AccountName {
    AccountName::new(name).unwrap()
}

fn key(name: &str) -> ApiKey {
    ApiKey::new(&format!("svc_live_{name}")).unwrap()
}

fn opening(name: &str) -> AccountOpened {
    let id = FactId::new(&format!("open-{name}")).unwrap();
    let opened = AccountOpened::new(id, account(name)).terms(at_once());
    opened.key(format!("svc_live_{name}").as_str().try_into().unwrap())
}

fn open(cells: &Cells, name: &str) {
    let reported = cells.report(&opening(name)).wait().unwrap();
    assert!(matches!(reported.outcome, Outcome::Applied(_)), "{reported:?}");
}

fn available(cells: &Cells, name: &str) -> i64 {
    let asked = cells.client(key(name)).ask(&GetBalance::new(ana())).wait().unwrap();
    asked.answer.available.cents()
}

fn charged(cells: &Cells, name: &str, id: &str) -> OperationId {
    let request = charge_of(&ana(), 500, id);
    cells.client(key(name)).ask(&request).wait().unwrap().answer.id
}

fn pays(charge: OperationId, number: u32) -> PixReceived {
    PixReceived::new(e2e(number), amount(500)).charge(charge)
}

fn head(cells: &Cells, name: &str) -> u64 {
    let (_, ledger) = cells.ledgers().find(|(known, _)| *known == name).unwrap();
    ledger.head().unwrap().seq
}

#[test]
fn accounts_go_where_the_fewest_are_and_what_concerns_them_follows() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    for name in ["loja", "bazar", "feira"] {
        open(&cells, name);
    }
    let homes =
        ["loja", "bazar", "feira"].map(|name| cells.directory().cell_of(name).unwrap().to_owned());
    assert_eq!(homes, ["cell-a", "cell-b", "cell-a"]);
    let charge = charged(&cells, "bazar", "c-1");
    let paid = cells.report(&pays(charge, 1)).wait().unwrap();
    assert!(matches!(paid.outcome, Outcome::Applied(_)), "{paid:?}");
    assert_eq!(
        ["loja", "bazar", "feira"].map(|name| 0 < available(&cells, name)),
        [false, true, false]
    );
    // Of cell-a there are two openings, of cell-b an opening, a charge and its payment.
    assert_eq!((head(&cells, "cell-a"), head(&cells, "cell-b")), (2, 3));
}

#[test]
fn an_opening_balance_goes_to_the_cell_of_its_holder() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    for name in ["loja", "bazar"] {
        open(&cells, name);
    }
    let id = FactId::new("opening-1").unwrap();
    let of = EntryLegOf::new(account("bazar"), ana());
    let decided = DecidedBy::new("bia", "migration").unwrap();
    let brought = BalanceOpened::new(id, of, amount(500), decided);
    let reported = cells.report(&brought).wait().unwrap();
    assert!(matches!(reported.outcome, Outcome::Applied(_)), "{reported:?}");
    assert_eq!(available(&cells, "bazar"), 500);
    assert_eq!((head(&cells, "cell-a"), head(&cells, "cell-b")), (1, 2));
}

#[test]
fn a_fact_that_opens_no_account_places_none() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    // Nobody here supplies the key that it lacks.
    let keyless = AccountOpened::new(FactId::new("acc-9").unwrap(), account("mercado"));
    let alone = Ledger::builder("memory:").name("cell-a").open().wait().unwrap();
    let refused = |error: Error| match error {
        Error::Refused(refused) => refused.to_string(),
        other => panic!("{other:?}"),
    };
    let answer = refused(cells.report(&keyless).wait().unwrap_err());
    assert_eq!(answer, refused(alone.report(&keyless).wait().unwrap_err()));
    assert_eq!(cells.directory().cell_of("mercado"), None);
    // So the next goes where the fewest are, as if nothing had been reported.
    open(&cells, "loja");
    assert_eq!(cells.directory().cell_of("loja"), Some("cell-a"));
}

#[test]
fn an_account_that_was_placed_before_a_crash_is_opened_where_it_was_placed() {
    let place = CellFolder::new();
    let cells = place.cells(&["cell-a", "cell-b"]);
    open(&cells, "loja");
    let chosen = cells.place(&account("bazar"), Placement::FewestAccounts).wait().unwrap();
    assert_eq!(chosen, "cell-b");
    // The process is gone before the account was opened; then there is an empty cell more.
    drop(cells);
    let cells = place.cells(&["cell-a", "cell-b", "cell-0"]);
    assert_eq!(&*cells.directory().with_fewest_accounts().unwrap().name, "cell-0");
    open(&cells, "bazar");
    assert_eq!(cells.directory().cell_of("bazar"), Some("cell-b"));
    assert_eq!((head(&cells, "cell-0"), head(&cells, "cell-b")), (0, 1));
    // Reported once more, it is known there.
    let again = cells.report(&opening("bazar")).wait().unwrap();
    assert!(matches!(again.outcome, Outcome::Known(_)));
}

#[test]
fn a_key_is_looked_for_once_and_known_from_then_on() {
    let place = CellFolder::new();
    let before = place.ledger("cell-b");
    before.report(&opening("loja")).wait().unwrap().ensure_applied().unwrap();
    before.shutdown().unwrap();
    drop(before);
    let cells = place.cells(&["cell-a", "cell-b"]);
    // What was there before is placed when the cells are opened; its key is not known yet.
    assert_eq!(cells.directory().cell_of("loja"), Some("cell-b"));
    assert_eq!(cells.directory().keys(), 0);
    assert_eq!(available(&cells, "loja"), 0);
    assert_eq!(cells.directory().keys(), 1);
    // What was opened beside the cells is found by its key too, and placed where it is.
    let (_, ledger) = cells.ledgers().find(|(name, _)| *name == "cell-b").unwrap();
    ledger.report(&opening("bazar")).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(available(&cells, "bazar"), 0);
    assert_eq!(cells.directory().cell_of("bazar"), Some("cell-b"));
    drop(cells);
    let cells = place.cells(&["cell-a", "cell-b"]);
    assert_eq!(cells.directory().keys(), 2);
    assert_eq!([available(&cells, "loja"), available(&cells, "bazar")], [0, 0]);
    assert_eq!(cells.directory().keys(), 2);
}

#[test]
fn a_key_that_opens_nothing_is_refused_and_not_remembered() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    let asked = cells.client(key("nobody")).ask(&GetBalance::new(ana())).wait();
    let Err(Error::Refused(refusal)) = asked else { panic!("{asked:?}") };
    assert_eq!(refusal.status(), 401);
    assert_eq!(cells.directory().keys(), 0);
}

#[test]
fn an_account_of_a_name_that_another_cell_has_is_found_before_it_is_opened_twice() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    let (_, ledger) = cells.ledgers().find(|(name, _)| *name == "cell-b").unwrap();
    ledger.report(&opening("loja")).wait().unwrap().ensure_applied().unwrap();
    let again = cells.report(&opening("loja")).wait().unwrap();
    assert!(matches!(again.outcome, Outcome::Known(_)));
    assert_eq!((head(&cells, "cell-a"), head(&cells, "cell-b")), (0, 1));
    let elsewhere = Placement::Named("cell-a".into());
    let refused = cells.place(&account("loja"), elsewhere).wait().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "account loja lives in cell cell-b, and cannot be placed in cell-a"
    );
}

#[test]
fn one_pix_is_known_once_over_all_cells_with_the_answer_that_one_ledger_gives() {
    let [alone, apart] = [&["one"][..], &["one", "two"]].map(in_memory);
    let answers = [&alone, &apart].map(|cells| {
        open(cells, "loja");
        open(cells, "bazar");
        let [first, second] = ["loja", "bazar"].map(|name| charged(cells, name, "c-1"));
        let paid = cells.report(&pays(first, 1)).wait().unwrap();
        assert!(matches!(paid.outcome, Outcome::Applied(_)), "{paid:?}");
        let again = cells.report(&pays(second.clone(), 1)).wait().unwrap();
        assert!(matches!(again.outcome, Outcome::Known(_)));
        assert_eq!(available(cells, "bazar"), 0);
        // The charge that was named wrongly is still there to be paid.
        let paid = cells.report(&pays(second, 2)).wait().unwrap();
        assert!(matches!(paid.outcome, Outcome::Applied(_)), "{paid:?}");
        again.body
    });
    assert_eq!(apart.directory().cell_of("bazar"), Some("two"));
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn of_two_reports_of_one_pix_at_once_one_is_booked() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    open(&cells, "loja");
    open(&cells, "bazar");
    for number in 1..=20 {
        let id = format!("c-{number}");
        let charges = ["loja", "bazar"].map(|name| charged(&cells, name, &id));
        let outcomes = std::thread::scope(|scope| {
            let both = charges.map(|charge| {
                scope.spawn(|| cells.report(&pays(charge, number)).wait().unwrap().outcome)
            });
            both.map(|report| report.join().unwrap())
        });
        let booked = outcomes.iter().filter(|it| matches!(it, Outcome::Applied(_))).count();
        assert_eq!(booked, 1, "{outcomes:?}");
    }
    let paid = available(&cells, "loja") + available(&cells, "bazar");
    let one = {
        open(&cells, "feira");
        charged(&cells, "feira", "c-0")
    };
    cells.report(&pays(one, 99)).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(paid, 20 * available(&cells, "feira"));
}

#[test]
fn what_nobody_claims_goes_to_the_cell_that_is_named_for_it() {
    let open_one = |name: &str| Ledger::builder("memory:").name(name).open().wait().unwrap();
    let builder = Cells::builder("memory:").cell(open_one("cell-a")).cell(open_one("cell-b"));
    let cells = builder.unclaimed_cell("cell-b").open().wait().unwrap();
    let unnamed = PixReceived::new(e2e(1), amount(500));
    let aside = cells.report(&unnamed).wait().unwrap();
    assert!(aside.ensure_applied().unwrap_err().waiting.is_some(), "{aside:?}");
    assert_eq!((head(&cells, "cell-a"), head(&cells, "cell-b")), (0, 1));
    // Named later, it is known where it waits.
    open(&cells, "loja");
    assert_eq!(cells.directory().cell_of("loja"), Some("cell-a"));
    let charge = charged(&cells, "loja", "c-1");
    let again = cells.report(&pays(charge, 1)).wait().unwrap();
    assert!(matches!(again.outcome, Outcome::Known(_)));
    assert_eq!(available(&cells, "loja"), 0);
}

#[test]
fn an_agent_that_was_referred_lives_in_the_cell_of_its_referrer() {
    let cells = in_memory(&["cell-a", "cell-b", "cell-c"]);
    let activated = |number: u8| {
        let id = FactId::new(&format!("act-{number}")).unwrap();
        let agent = format!("ag_0000000000{number:02x}0123456789abcdef");
        let wallet = "0x52908400098527886E0F7030069857D2E4169EE7".try_into().unwrap();
        let (name, contact) = ("Ada".try_into().unwrap(), "ada@example.com".try_into().unwrap());
        let can = vec!["brl_to_pix".try_into().unwrap()];
        let fact =
            AgentActivated::new(id, agent.as_str().try_into().unwrap(), name, contact, can, wallet);
        (agent, fact.key(format!("svc_live_agent{number}").as_str().try_into().unwrap()))
    };
    open(&cells, "loja");
    let (referrer, fact) = activated(1);
    cells.report(&fact).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(cells.directory().cell_of(&referrer), Some("cell-b"));
    let asked = CreateReferral::new("brl_to_pix".try_into().unwrap());
    let given = cells.client(key("agent1")).ask(&asked).wait().unwrap().answer;
    let given = serde_json::to_value(&given).unwrap();
    let referral = given["referral_id"].as_str().unwrap_or_else(|| panic!("{given}"));
    for number in 2..4 {
        let (newcomer, fact) = activated(number);
        let fact = fact.referral(referral.try_into().unwrap());
        let reported = cells.report(&fact).wait().unwrap();
        assert!(matches!(reported.outcome, Outcome::Applied(_)), "{reported:?}");
        assert_eq!(cells.directory().cell_of(&newcomer), Some("cell-b"));
        // Reported again, it is where it is.
        assert!(matches!(cells.report(&fact).wait().unwrap().outcome, Outcome::Known(_)));
    }
    let (other, fact) = activated(4);
    cells.report(&fact).wait().unwrap().ensure_applied().unwrap();
    assert_eq!(cells.directory().cell_of(&other), Some("cell-c"));
}

#[test]
fn a_key_that_anybody_asks_for_is_made_where_the_fewest_are() {
    let open = |name: &str| {
        let ledger = Ledger::builder("memory:").name(name).environment(Environment::Sandbox);
        ledger.open().wait().unwrap()
    };
    let cells = Cells::open("memory:", [open("cell-a"), open("cell-b")]).wait().unwrap();
    for (number, expected) in [(1, [1, 0]), (2, [1, 1]), (3, [2, 1])] {
        let can = vec!["brl_to_pix".try_into().unwrap()];
        let (name, contact) = ("Ada".try_into().unwrap(), "ada@example.com".try_into().unwrap());
        let asked = RegisterAgent::new(name, contact, can);
        let entropy = format!("{number:02}").repeat(32);
        let asked = asked.entropy(entropy.as_str().try_into().unwrap());
        let made = cells.ask(&asked).wait().unwrap().answer;
        let counts: Vec<usize> = cells.directory().cells().map(|cell| cell.accounts).collect();
        assert_eq!(counts, expected);
        // It is known by its key at once.
        assert_eq!(cells.directory().keys(), number);
        let balance = cells.client(made.api_key.unwrap());
        let balance = balance.ask(&GetBalance::new(Party::House));
        assert_eq!(balance.wait().unwrap().answer.available.cents(), 0);
        assert_eq!(cells.directory().keys(), number);
    }
}

#[test]
fn a_pix_is_verified_by_the_cell_that_knows_it() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    open(&cells, "loja");
    open(&cells, "bazar");
    for (number, name) in [(1, "loja"), (2, "bazar")] {
        cells
            .report(&pays(charged(&cells, name, "c-1"), number))
            .wait()
            .unwrap()
            .ensure_applied()
            .unwrap();
        cells.ask(&VerifyPix::new(e2e(number))).wait().unwrap();
    }
    let unknown = cells.ask(&VerifyPix::new(e2e(3))).wait();
    let Err(Error::Refused(refusal)) = unknown else { panic!("{unknown:?}") };
    assert_eq!(refusal.status(), 404);
}

#[test]
fn a_move_that_is_finished_takes_the_key_along() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    open(&cells, "loja");
    assert_eq!(available(&cells, "loja"), 0);
    let (id, to) = (Box::<str>::from("move-1"), "cell-b".into());
    let begin = Command::BeginMove { id: id.clone(), account: "loja".into(), to };
    assert!(cells.record(begin.clone()).wait().unwrap().is_some());
    assert_eq!(cells.record(begin).wait().unwrap(), None);
    assert_eq!(available(&cells, "loja"), 0);
    cells.record(Command::FinishMove { id }).wait().unwrap();
    // Nobody brought the account there: the other ledger refuses its key.
    let asked = cells.client(key("loja")).ask(&GetBalance::new(ana())).wait();
    assert!(matches!(asked, Err(Error::Refused(_))), "{asked:?}");
}

#[test]
fn ledgers_that_do_not_belong_together_are_refused_and_nothing_is_made() {
    let place = CellFolder::new();
    let sandbox = Ledger::builder("memory:").name("tests").environment(Environment::Sandbox);
    let [live, sandbox] = [place.ledger("cell-a"), sandbox.open().wait().unwrap()];
    let store = place.store("directory.db");
    let none: [Ledger; 0] = [];
    let namesake = Ledger::builder("memory:").name("cell-a").open().wait().unwrap();
    for (ledgers, expected) in [
        (none.to_vec(), "none was given"),
        (vec![live.clone(), sandbox], "ledger cell-a is of the environment live, and ledger tests"),
        (vec![live.clone(), namesake], "two of the ledgers are named cell-a"),
    ] {
        let refused = Cells::open(&store, ledgers).wait().unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
    }
    let unknown = Cells::builder(&store).cell(live).unclaimed_cell("cell-z").open().wait();
    assert!(
        matches!(unknown, Err(CellsError::Refused(CellsRefused::UnclaimedUnknown { .. }))),
        "{unknown:?}"
    );
    assert!(!place.folder.path().join("directory.db").exists());
}

#[test]
fn cells_of_a_directory_are_all_there_and_are_themselves() {
    let place = CellFolder::new();
    drop(place.cells(&["cell-a", "cell-b"]));
    let missing = place.opened(&["cell-a"]).unwrap_err();
    assert_eq!(missing.to_string(), "cell cell-b of the directory is none of the ledgers");
    let another = Ledger::builder("memory:").name("cell-b").open().wait().unwrap();
    let refused = Cells::open(place.store("directory.db"), [place.ledger("cell-a"), another]);
    let refused = refused.wait().unwrap_err().to_string();
    assert_eq!(
        refused,
        "another ledger is cell cell-b: this one has the same name and another vault key"
    );
    drop(place.cells(&["cell-a", "cell-b"]));
}

#[test]
fn an_account_that_two_ledgers_have_is_named() {
    let place = CellFolder::new();
    for name in ["cell-a", "cell-b"] {
        let ledger = place.ledger(name);
        ledger.report(&opening("loja")).wait().unwrap().ensure_applied().unwrap();
        ledger.shutdown().unwrap();
    }
    let refused = place.opened(&["cell-a", "cell-b"]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "account loja is in ledger cell-b, and the directory says that it lives in cell-a"
    );
}

#[test]
fn cells_that_were_taken_over_from_place_nothing_more() {
    let place = CellFolder::new();
    let old = place.cells(&["cell-a", "cell-b"]);
    let taken = |name: &&str| {
        let store = place.store(&format!("{name}.db"));
        Ledger::builder(store).name(name).take_over().open().wait().unwrap()
    };
    let ledgers = ["cell-a", "cell-b"].iter().map(taken);
    let builder = Cells::builder(place.store("directory.db"));
    let new = ledgers.fold(builder, CellsBuilder::cell).take_over().open().wait().unwrap();
    let placed = old.place(&account("loja"), Placement::FewestAccounts).wait();
    assert!(matches!(placed, Err(Error::Engine(_) | Error::Directory(_))), "{placed:?}");
    assert_eq!(new.directory().cell_of("loja"), None);
}

#[test]
fn cells_are_opened_and_asked_in_async_code() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let open = |name: &str| Ledger::builder("memory:").name(name).open();
        let ledgers = [open("cell-a").await.unwrap(), open("cell-b").await.unwrap()];
        let cells = Cells::open("memory:", ledgers).await.unwrap();
        cells.report(&opening("loja")).await.unwrap().ensure_applied().unwrap();
        for _ in 0..2 {
            let asked = cells.client(key("loja")).ask(&GetBalance::new(ana())).await.unwrap();
            assert_eq!(asked.answer.available.cents(), 0);
        }
    });
}
