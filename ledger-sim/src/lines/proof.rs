//! Every command the world says, written as a line and read back: the same command, up to who stands
//! for whom.

use std::collections::BTreeSet;

use ledger_core::ledger::{Command, Execution, What};
use serde_json::Value;

use super::{LEDGER, NoForm, Writer, label};
use crate::run::Run;
use crate::script::Script;
use crate::settings::Settings;
use crate::store::Store;
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
