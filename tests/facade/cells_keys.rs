//! Keys that facts bring to accounts of several cells: a key is one account's over all of them.

use custody_ledger::fact::account::{AccountOpened, KeyReplaced, KeyRevoked};
use custody_ledger::fact::agent::AgentActivated;
use custody_ledger::prelude::*;
use custody_ledger::request::agent::RegisterAgent;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::DecidedBy;
use custody_ledger::{AccountMove, Cells, Environment, Ledger, SetAsideReason};
use serde_json::{Value, json};

use super::cells::{account, in_memory};

/// A fact of a key, by its id, the account or agent it names, and the key that it brings.
#[derive(Clone, Copy)]
enum Keyed {
    Opens(&'static str, &'static str, &'static str),
    Makes(&'static str, &'static str, &'static str),
    Replaces(&'static str, &'static str, &'static str),
    Revokes(&'static str, &'static str),
    Activates(&'static str, &'static str, &'static str),
}

use Keyed::{Activates, Makes, Opens, Replaces, Revokes};

/// Two accounts, each in a cell of its own where there are several.
const OPENED: [Keyed; 2] = [Opens("a-1", "loja", "loja"), Opens("a-2", "bazar", "bazar")];

const ADA: &str = "ag_0000000000010123456789abcdef";

fn id(id: &str) -> FactId {
    FactId::new(id).unwrap()
}

fn opening(fact: &str, name: &str, key: &str) -> AccountOpened {
    AccountOpened::new(id(fact), account(name))
        .key(format!("svc_live_{key}").as_str().try_into().unwrap())
}

impl Keyed {
    fn report(self, cells: &Cells) -> Value {
        let text = |key: &str| format!("svc_live_{key}").as_str().try_into().unwrap();
        let by = DecidedBy::new("bia", "a test").unwrap();
        let reported = match self {
            Opens(fact, name, key) => cells.report(&opening(fact, name, key)),
            Makes(fact, name, digit) => {
                let opened = AccountOpened::new(id(fact), account(name));
                cells.report(&opened.entropy(digit.repeat(64).as_str().try_into().unwrap()))
            }
            Replaces(fact, name, key) => {
                cells.report(&KeyReplaced::new(id(fact), account(name), by).key(text(key)))
            }
            Revokes(fact, name) => cells.report(&KeyRevoked::new(id(fact), account(name), by)),
            Activates(fact, agent, key) => {
                let wallet = "0x52908400098527886E0F7030069857D2E4169EE7".try_into().unwrap();
                let named = ["Ada", "ada@example.com"].map(|text| text.try_into().unwrap());
                let ([name, contact], can) = (named, vec!["brl_to_pix".try_into().unwrap()]);
                let agent = agent.try_into().unwrap();
                let fact = AgentActivated::new(id(fact), agent, name, contact, can, wallet);
                cells.report(&fact.key(text(key)))
            }
        };
        reported.wait().unwrap().body
    }
}

fn aside(reason: &str) -> Value {
    json!({ "outcome": "set_aside", "reason": reason })
}

fn applied() -> Value {
    json!({ "outcome": "applied" })
}

fn known() -> Value {
    json!({ "outcome": "known" })
}

/// Set aside at first, and known since.
fn known_aside(reason: &str) -> Value {
    json!({ "outcome": "known", "first_outcome": "set_aside", "reason": reason })
}

/// Holds what cells answer against what is expected, and that against one ledger's answer.
fn assert_answers(pair: [&Cells; 2], rows: &[(Keyed, Value)]) {
    for (number, (fact, expected)) in rows.iter().enumerate() {
        let [one, several] = pair.map(|cells| fact.report(cells));
        assert_eq!(one, *expected, "row {number}, by one ledger");
        assert_eq!(several, *expected, "row {number}, by several");
    }
}

fn opened() -> [Cells; 2] {
    let pair = [&["one"][..], &["cell-a", "cell-b", "cell-c"]].map(in_memory);
    for cells in &pair {
        assert_eq!(OPENED.map(|fact| fact.report(cells)), [applied(), applied()]);
    }
    let homes = ["loja", "bazar"].map(|name| pair[1].directory().cell_of(name).map(str::to_owned));
    assert_eq!(homes, [Some("cell-a".into()), Some("cell-b".into())]);
    pair
}

#[test]
fn a_key_that_is_anothers_is_judged_over_all_cells_as_by_one_ledger() {
    let [one, cells] = opened();
    let other = json!({ "outcome": "known", "campos_divergentes": ["account"] });
    let made = Makes("a-9", "banca", "5");
    let rows = [
        // An account that is there, by its own key, by another's and by a fresh one.
        (OPENED[0], known()),
        (Opens("a-3", "loja", "loja"), known()),
        (Opens("a-1", "feira", "loja"), other.clone()),
        (Opens("a-4", "bazar", "loja"), aside("id_taken")),
        (Opens("a-5", "bazar", "fresh"), aside("name_taken")),
        // A key that is replaced, and one that was.
        (Replaces("r-1", "bazar", "loja"), aside("id_taken")),
        (Replaces("r-1", "bazar", "loja"), known_aside("id_taken")),
        (Replaces("r-2", "nobody", "loja"), aside("id_taken")),
        (Replaces("r-3", "nobody", "fresh"), aside("unmatched")),
        (Replaces("r-4", "bazar", "bazar-2"), applied()),
        (Replaces("r-4", "bazar", "bazar-2"), known()),
        (Replaces("r-4", "bazar", "loja"), known()),
        (OPENED[1], known()),
        (Opens("a-6", "feira", "bazar"), aside("id_taken")),
        (Opens("a-7", "loja", "bazar"), aside("id_taken")),
        (Replaces("r-5", "loja", "bazar"), aside("id_taken")),
        (Replaces("r-6", "bazar", "bazar"), aside("id_taken")),
        // An agent's.
        (Activates("g-1", ADA, "bazar-2"), aside("id_taken")),
        (Activates("g-1", ADA, "bazar-2"), known_aside("id_taken")),
        (Activates("g-2", ADA, "ada"), applied()),
        (Activates("g-3", ADA, "loja"), known()),
        (Opens("a-8", "feira", "ada"), aside("id_taken")),
        // A key that is revoked.
        (Revokes("v-1", "loja"), applied()),
        (Replaces("r-7", "bazar", "loja"), aside("id_taken")),
        (Opens("a-10", "feira", "loja"), aside("id_taken")),
        (OPENED[0], known()),
    ];
    assert_answers([&one, &cells], &rows);
    // A key that the ledger makes of what is supplied is shown to whoever gets it.
    let [first, second] = [&one, &cells].map(|cells| made.report(cells));
    assert_eq!(first, second);
    assert_eq!(first["outcome"], "applied");
    let again = Makes("a-11", "feira", "5");
    assert_answers([&one, &cells], &[(again, aside("id_taken")), (made, known())]);
    assert_eq!(cells.directory().cell_of("feira"), None);
}

#[test]
fn a_key_of_an_account_that_moved_is_judged_as_if_it_had_not() {
    let [one, cells] = opened();
    let first = [(Replaces("r-1", "loja", "loja-2"), applied())];
    assert_answers([&one, &cells], &first);
    let moved = cells.move_account(&account("loja"), "cell-c", "mv-1").wait().unwrap();
    assert_eq!(moved, AccountMove::Done);
    let rows = [
        // Of the keys it had, the last one came along.
        (OPENED[0], known()),
        (Replaces("r-1", "loja", "loja-2"), known()),
        (Replaces("r-2", "loja", "loja"), aside("id_taken")),
        (Opens("a-3", "loja", "loja"), aside("id_taken")),
        (Opens("a-4", "loja", "loja-2"), known()),
        (Opens("a-5", "feira", "loja"), aside("id_taken")),
        (Opens("a-6", "feira", "loja-2"), aside("id_taken")),
        (Replaces("r-3", "bazar", "loja-2"), aside("id_taken")),
        (Replaces("r-4", "loja", "loja-3"), applied()),
        (Opens("a-7", "feira", "loja-3"), aside("id_taken")),
        (Opens("a-8", "loja", "loja-3"), known()),
        (Opens("a-9", "loja", "loja-2"), aside("id_taken")),
    ];
    assert_answers([&one, &cells], &rows);
    assert_eq!(cells.directory().cell_of("feira"), None);
}

#[test]
fn of_two_accounts_opened_at_once_with_one_key_one_is_opened() {
    let cells = in_memory(&["cell-a", "cell-b"]);
    for number in 1..=20 {
        let key = format!("key-{number}");
        let names = ["loja", "bazar"].map(|name| format!("{name}-{number}"));
        let outcomes = std::thread::scope(|scope| {
            let both = names.each_ref().map(|name| {
                let fact = opening(name, name, &key);
                scope.spawn(|| cells.report(&{ fact }).wait().unwrap().outcome)
            });
            both.map(|report| report.join().unwrap())
        });
        let opened = outcomes.iter().filter(|it| matches!(it, Outcome::Applied(_))).count();
        assert_eq!(opened, 1, "{outcomes:?}");
        let taken = |it: &Outcome| matches!(it, Outcome::SetAside(aside) if aside.reason == SetAsideReason::IdTaken);
        assert!(outcomes.iter().any(taken), "{outcomes:?}");
        let directory = cells.directory();
        assert_eq!(directory.accounts().count(), number);
        let client = cells.client(ApiKey::new(&format!("svc_live_{key}")).unwrap());
        client.ask(&GetBalance::new(Party::House)).wait().unwrap();
    }
}

#[test]
fn an_agent_that_registers_again_is_the_same_over_all_cells() {
    let answers = [&["one"][..], &["cell-a", "cell-b"]].map(|names| {
        let open =
            |name: &&str| Ledger::builder("memory:").name(name).environment(Environment::Sandbox);
        let ledgers: Vec<_> = names.iter().map(|name| open(name).open().wait().unwrap()).collect();
        let cells = Cells::open("memory:", ledgers).wait().unwrap();
        let registers = |name: &str| {
            let (name, contact) = (name.try_into().unwrap(), "ada@example.com".try_into().unwrap());
            let asked = RegisterAgent::new(name, contact, vec!["brl_to_pix".try_into().unwrap()]);
            cells.ask(&asked.entropy("5".repeat(64).as_str().try_into().unwrap())).wait()
        };
        let [first, again] = ["Ada", "Ada"].map(|name| registers(name).unwrap());
        assert_eq!(first.answer.id, again.answer.id);
        assert!(again.is_repeated(), "{again:?}");
        let Err(Error::Refused(refusal)) = registers("Eva") else { panic!("it is another agent") };
        assert_eq!(cells.directory().accounts().count(), 1);
        (refusal.status(), refusal.to_string())
    });
    assert_eq!(answers[0], answers[1]);
}
