//! Every command the world says, written as a line and read back: the same command, up to who stands
//! for whom.

use std::collections::BTreeSet;

use ledger_core::contract::{FACTS, Line, Tokens, read};
use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::{Command, Execution, Origin, What};
use ledger_store::Vault;
use serde_json::Value;

use super::{LEDGER, NoForm, Writer, label};
use crate::run::Run;
use crate::script::Script;
use crate::settings::Settings;
use crate::store::{Store, VAULT_KEY};
use crate::subject::Subject;

const SEEDS: u64 = 120;
const COMMANDS: u64 = 700;

/// What this world says and no line does. Each is refused by the contract's reader, or set aside by
/// the ledger whoever says it.
const WITHOUT_A_FORM: [&str; 10] = [
    "a block of the kind that only time places",
    "a correction in both directions",
    "a correction of nothing",
    "a decision whose evidence is missing",
    "a fact without an id of its own",
    "a policy that takes a span away",
    "a policy whose span is no whole number of its unit",
    "a price told before its time",
    "news of a delivery that name a PIX where none belongs",
    "own money moved to where it was",
];

/// The same history twice: as it was said, and as its lines are read.
struct Proof {
    said: Subject,
    read: Script,
    writer: Writer,
    without: BTreeSet<NoForm>,
}

impl Proof {
    fn new() -> Self {
        Self {
            said: Subject::named(&Store::Memory, LEDGER).expect("memory"),
            read: Script::new(None).expect("memory"),
            writer: Writer::new(),
            without: BTreeSet::new(),
        }
    }

    fn both(&mut self, command: &Command) {
        let place = self.writer.write(command, &self.said.ledger.state);
        let again = match place {
            Ok(place) => self.read_back(place, command),
            Err(form) => {
                self.without.insert(form);
                self.named_for_the_wire(command).unwrap_or_else(|| command.clone())
            }
        };
        let said = executed(&mut self.said, command);
        let read = executed(self.read.subject(), &again);
        assert_eq!(said.answer, read.answer, "{command:?}\n{again:?}");
        assert_eq!(said.records.len(), read.records.len(), "{command:?}\n{again:?}");
        if let Ok(place) = place {
            self.writer.learn(place, &said);
            self.read.bind(label(place), &read);
        }
    }

    /// What the reader makes of a line: written once more it is the same line, and read once more
    /// the same command.
    fn read_back(&mut self, place: usize, command: &Command) -> Command {
        let text = Value::Object(self.writer.lines[place].clone()).to_string();
        let read = self.read.read(&text);
        let read = read.unwrap_or_else(|no| panic!("{text}\n{}\n{command:?}", no.detail));
        assert_eq!(read.at, command.at, "{text}");
        let line = self.writer.said(&read, &self.read.subject().ledger.state);
        let line = line.unwrap_or_else(|form| panic!("{form:?}: {text}"));
        assert_eq!(Value::Object(line).to_string(), text);
        assert_eq!(self.read.read(&text).expect("it was read before"), read);
        read
    }

    /// A fact without an id, with the persons the lines have for its own: it is written as if it had
    /// one.
    fn named_for_the_wire(&mut self, command: &Command) -> Option<Command> {
        let mut named = command.clone();
        let What::Fact(told) = &mut named.what else { return None };
        told.id = Some("unnamed".into());
        let line = self.writer.said(&named, &self.said.ledger.state).ok()?;
        let mut read = self.read.read(&Value::Object(line).to_string()).ok()?;
        if let What::Fact(told) = &mut read.what {
            told.id = None;
        }
        Some(read)
    }
}

fn executed(subject: &mut Subject, command: &Command) -> Execution {
    let execution = subject.execute(command.clone()).unwrap_or_else(|wrong| panic!("{wrong}"));
    subject.append(subject.waiting()).unwrap_or_else(|wrong| panic!("{wrong}"));
    execution
}

fn history(seed: u64) -> Vec<Command> {
    let mut run = Run::remembering(Settings::commands(seed, COMMANDS)).expect("memory");
    run.through(&mut |_| ()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    run.said()
}

/// Facts that this world does not report yet, and no line says.
const UNSAID: [&str; 2] = ["news of an agent", "news of the USDT wallet"];

/// The id of an operation of the kind that a field names, and that nobody knows.
fn unknown(field: &str) -> String {
    use Kind::{CashOut, Charge, Hold, Payout, Receipt, Stray, Suspense};
    let kinds = [CashOut, Charge, Hold, Payout, Receipt, Stray, Suspense];
    let kind = kinds.into_iter().find(|kind| kind.field() == field);
    kind.map_or("none".to_owned(), |kind| OpId::new(kind, Seq(900_000)).text(LEDGER))
}

/// The command of a documented example, of an operation that nobody knows.
fn example(script: &mut Script, text: &str) -> Command {
    let line = Line::parse(text, |name| Ok(unknown(name.split('.').nth(1).unwrap_or_default())));
    let call = line.unwrap_or_else(|no| panic!("{text}: {}", no.detail)).call(Origin::Call);
    let ledger = &mut script.subject().ledger;
    let read = read(ledger, &mut Vault::default(), &Tokens::new(VAULT_KEY), &call);
    read.unwrap_or_else(|no| panic!("{text}: {}", no.detail))
}

#[test]
fn every_documented_fact_is_written_with_all_its_fields_and_read_back() {
    let (mut unsaid, mut left_out) = (BTreeSet::new(), Vec::new());
    for shape in &FACTS {
        let mut script = Script::new(None).expect("memory");
        for known in ["catalog.updated", "markets.updated"] {
            let shape = FACTS.iter().find(|shape| shape.name == known).expect("it is documented");
            let command = example(&mut script, shape.example);
            executed(script.subject(), &command);
        }
        let command = example(&mut script, shape.example);
        let mut writer = Writer::new();
        let line = match writer.said(&command, &script.subject().ledger.state) {
            Ok(line) => Value::Object(line),
            Err(form) => {
                unsaid.insert(form.0);
                continue;
            }
        };
        let original: Value = serde_json::from_str(shape.example).expect("JSON");
        assert_eq!(line["fact"], original["fact"]);
        for name in original["body"].as_object().into_iter().flat_map(|body| body.keys()) {
            if line["body"][name].is_null() {
                left_out.push(format!("{name} of {}", shape.name));
            }
        }
        let read = example(&mut script, &line.to_string());
        let again = writer.said(&read, &script.subject().ledger.state);
        assert_eq!(Value::Object(again.expect("it was written before")), line, "{}", shape.name);
    }
    assert_eq!(left_out, Vec::<String>::new());
    assert_eq!(unsaid.into_iter().collect::<Vec<_>>(), UNSAID);
}

#[test]
fn every_command_is_written_as_a_line_and_read_back_as_itself() {
    let (mut without, mut said) = (BTreeSet::new(), 0);
    for seed in 0..SEEDS {
        let mut proof = Proof::new();
        let commands = history(seed);
        said += commands.len();
        for command in &commands {
            proof.both(command);
        }
        let Proof { said, mut read, without: forms, .. } = proof;
        let (said, read) = (&said.ledger.state.books, &read.subject().ledger.state.books);
        assert!(said.custodies().eq(read.custodies()), "seed {seed}: balances differ");
        without.extend(forms);
    }
    let without: Vec<&str> = without.into_iter().map(|form| form.0).collect();
    assert_eq!(without, WITHOUT_A_FORM, "of {said} commands");
}
