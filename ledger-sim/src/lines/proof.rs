//! Every command the world says, written as a line and read back: the same command, up to who
//! stands for whom.

use std::collections::BTreeSet;

use ledger_core::contract::{FACTS, Line, Tokens, read};
use ledger_core::id::{Kind, OpId, Seq, Token};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    Command, Execution, Fact, Intent, Origin, Public, Registration, Request, SaleReport,
};
use ledger_core::time::Instant;
use ledger_store::Vault;
use serde_json::Value;

use super::people::Sort;
use super::{LEDGER, Unrepresentable, Writer, label};
use crate::run::Run;
use crate::run::script::Script;
use crate::settings::Settings;
use crate::spelling::canonical;
use crate::system_under_test::SystemUnderTest;
use crate::system_under_test::store::{Store, VAULT_KEY};

const SEEDS: u64 = 200;
const COMMANDS: u64 = 700;

/// What this world says and no line does. Each is refused by the contract's reader, or set aside by
/// the ledger whoever says it; or the wire says it in other words.
const WITHOUT_A_FORM: [&str; 13] = [
    "a block of the kind that only time places",
    "a correction in both directions",
    "a correction of nothing",
    // The machine's clock was set back before it was told.
    "a deposit seen before its time",
    "a fact without an id of its own",
    // The reader takes 0 to 1,000.
    "a partner's share beyond any",
    "a policy whose span is no whole number of its unit",
    // So was it here.
    "a price told before its time",
    // Without entropy there is nothing to make one of.
    "a secret replaced by none",
    // Agents register in the sandbox; these lines are of real money.
    "an agent that registers beside real money",
    // The route names an agent, and the key must be its own.
    "an agent's request by whoever is none",
    "news that name a PIX or a receipt where none belongs",
    "own crypto that was never on the catalogue",
];

/// What is reported beside a PIX or a network is shown and moves nothing, so the world never says
/// it.
const BESIDE: &str = "reported beside the fact";

/// Fields that some fact declares and no line of it has, each with its reason.
const UNWRITTEN: &[(&str, &str)] = &[
    ("institution", BESIDE),
    ("networks", BESIDE),
    ("payer_tax_number", BESIDE),
    ("receipt_pdf_url", BESIDE),
    ("receipt_url", BESIDE),
    ("recipient_document", BESIDE),
    ("recipient_name", BESIDE),
    ("settled_by", BESIDE),
    ("verify_url", BESIDE),
];

/// Keys of real money are counted otherwise than those of the world's ledger, so an account that
/// had a key there may have none here: the door refuses what it asks before either ledger hears of
/// it.
const KEYLESS: Unrepresentable = Unrepresentable("a request of an account without a key");

fn tx_hash(line: &Value) -> Option<&str> {
    line.pointer("/body/tx_hash")?.as_str()
}

/// The same history twice: as it was said, and as its lines are read.
struct Proof {
    said: SystemUnderTest,
    read: Script,
    writer: Writer,
    without: BTreeSet<Unrepresentable>,
    /// The fields that lines of facts had, each with the fact's name.
    fields: BTreeSet<(String, String)>,
}

impl Proof {
    fn new() -> Self {
        Self {
            said: SystemUnderTest::with_name(&Store::Memory, LEDGER).expect("memory"),
            read: Script::new(None).expect("memory"),
            writer: Writer::new(),
            without: BTreeSet::new(),
            fields: BTreeSet::new(),
        }
    }

    fn both(&mut self, command: &Command) {
        let place = self.writer.write(command, &self.said.ledger.state);
        let again = match place {
            Ok(place) => self.read_back(place, command),
            Err(KEYLESS) => return,
            Err(form) => {
                self.without.insert(form);
                let registered = self.registered_for_the_wire(command);
                let again = registered.or_else(|| self.named_for_the_wire(command));
                again.unwrap_or_else(|| command.clone())
            }
        };
        let said = execute(&mut self.said, command);
        let read = execute(self.read.subject(), &again);
        assert_eq!(said.answer, read.answer, "{command:?}\n{again:?}");
        assert_eq!(said.records.len(), read.records.len(), "{command:?}\n{again:?}");
        if let Ok(place) = place {
            self.writer.learn(place, &said);
            self.read.bind(label(place), &read);
        }
    }

    /// Returns why a command has no line where the machine's clock was set back before it was told:
    /// so few histories have one that each deposit and each price is tried.
    fn without_when_set_back(&mut self, command: &Command) -> Option<Unrepresentable> {
        let Intent::Fact(reported) = &command.what else { return None };
        let happened = match reported.fact.bare() {
            Fact::Sale { report: SaleReport::Seen(deposit), .. } => deposit.seen_at,
            Fact::Purchase(PurchaseFact::RateQuoted { quote, .. }) => quote.at,
            _ => return None,
        };
        let at = Instant::from_micros(happened.micros() - 1)?;
        let earlier = Command { at, ..command.clone() };
        self.writer.write(&earlier, &self.said.ledger.state).err()
    }

    /// Returns what the reader makes of a line: written once more it is the same line, and read
    /// once more the same command.
    fn read_back(&mut self, place: usize, command: &Command) -> Command {
        let line = &self.writer.lines[place];
        if let (Some(Value::String(fact)), Some(Value::Object(body))) =
            (line.get("fact"), line.get("body"))
        {
            self.fields.extend(body.keys().map(|name| (fact.clone(), name.clone())));
        }
        let text = Value::Object(line.clone()).to_string();
        let mut known = Value::Object(line.clone());
        // Output 0 is no output (rulings 64).
        if let Some(body) = known.get_mut("body").and_then(Value::as_object_mut)
            && body.get("output") == Some(&0.into())
        {
            body.shift_remove("output");
        }
        let read = self.read.read(&text);
        let read = read.unwrap_or_else(|no| panic!("{text}\n{}\n{command:?}", no.detail));
        assert_eq!(read.at, command.at, "{text}");
        self.learn_secrets(command, &read);
        let line = self.writer.write_line(&read, &self.read.subject().ledger.state);
        let line = Value::Object(line.unwrap_or_else(|form| panic!("{form:?}: {text}")));
        // A transaction has one spelling once it is read (rulings 64).
        if let (Some(said), Some(read)) = (known.pointer_mut("/body/tx_hash"), tx_hash(&line))
            && said.as_str().map(canonical) == Some(canonical(read))
        {
            *said = read.into();
        }
        assert_eq!(line.to_string(), known.to_string());
        assert_eq!(self.read.read(&text).expect("it was read before"), read);
        read
    }

    /// What is made of an entropy is another token to the reader, and stands for the same entropy.
    fn learn_secrets(&mut self, said: &Command, read: &Command) {
        let mut same = |sort, said: Option<Token>, read: Option<Token>| {
            let people = &mut self.writer.people;
            let text = said.and_then(|token| people.find_text(sort, token)).cloned();
            if let (Some(text), Some(read)) = (text, read) {
                people.learn(sort, [read; 2], &text);
            }
        };
        match (&said.what, &read.what) {
            (Intent::Enrolment(said), Intent::Enrolment(read)) => {
                same(Sort::Monitor, Some(said.monitor), Some(read.monitor));
            }
            (
                Intent::Request(_, Request::Settings(said)),
                Intent::Request(_, Request::Settings(read)),
            ) => {
                same(Sort::Secret, said.secret, read.secret);
                same(Sort::Monitor, said.monitor, read.monitor);
            }
            _ => {}
        }
    }

    /// An agent that registers, with the persons and the key that the lines have for it.
    fn registered_for_the_wire(&mut self, command: &Command) -> Option<Command> {
        let Intent::Public(Public::Register(asked)) = &command.what else { return None };
        let (tokens, people) = (Tokens::new(VAULT_KEY), &mut self.writer.people);
        let registration = Registration {
            key: tokens.api_key(&people.key(asked.key)),
            name: tokens.name(&people.name(asked.name)).token,
            contact: tokens.text(&people.text(asked.contact)).token,
            ..(**asked).clone()
        };
        let what = Intent::Public(Public::Register(Box::new(registration)));
        Some(Command { what, ..command.clone() })
    }

    /// A fact without an id, with the persons the lines have for its own: it is written as if it
    /// had one.
    fn named_for_the_wire(&mut self, command: &Command) -> Option<Command> {
        let mut named = command.clone();
        let Intent::Fact(reported) = &mut named.what else { return None };
        reported.id = Some("unnamed".into());
        let line = self.writer.write_line(&named, &self.said.ledger.state).ok()?;
        let mut read = self.read.read(&Value::Object(line).to_string()).ok()?;
        if let Intent::Fact(reported) = &mut read.what {
            reported.id = None;
        }
        Some(read)
    }
}

fn execute(subject: &mut SystemUnderTest, command: &Command) -> Execution {
    let execution = subject.execute(command.clone()).unwrap_or_else(|wrong| panic!("{wrong}"));
    subject.append(subject.waiting()).unwrap_or_else(|wrong| panic!("{wrong}"));
    execution
}

fn history(seed: u64) -> Vec<Command> {
    let mut run = Run::remembering(Settings::commands(seed, COMMANDS)).expect("memory");
    run.through(&mut |_| ()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    let mut said = run.into_commands();
    for command in &mut said {
        if let Intent::Public(Public::Register(asked)) = &mut command.what {
            // Agents register in the sandbox: no line of this ledger says from where.
            asked.address = None;
        }
    }
    said
}

/// The id of an operation of the kind that a field names, and that nobody knows.
fn unknown(field: &str) -> String {
    use Kind::{
        CashOut, Charge, CryptoWithdrawal, ErroneousDelivery, Hold, Payout, Suspense,
        UnmatchedDeposit, WalletDeposit, WalletPayment,
    };
    let mut kinds = [
        CashOut,
        Charge,
        CryptoWithdrawal,
        Hold,
        Payout,
        UnmatchedDeposit,
        ErroneousDelivery,
        Suspense,
        WalletDeposit,
        WalletPayment,
    ]
    .into_iter();
    let kind = kinds.find(|kind| kind.field() == field);
    kind.map_or("none".to_owned(), |kind| OpId::new(kind, Seq(900_000)).text(&LEDGER.into()))
}

/// The command of a documented example, of an operation that nobody knows.
fn example(script: &mut Script, text: &str) -> Command {
    let line = Line::parse(text, |name| Ok(unknown(name.split('.').nth(1).unwrap_or_default())));
    let call = line.unwrap_or_else(|no| panic!("{text}: {}", no.detail)).call(Origin::Call);
    let ledger = &mut script.subject().ledger;
    let read = read(ledger, &mut Vault::default(), &Tokens::new(VAULT_KEY), &call);
    read.unwrap_or_else(|no| panic!("{text}: {}", no.detail)).0
}

#[test]
fn every_documented_fact_is_written_with_all_its_fields_and_read_back() {
    let mut left_out = Vec::new();
    for shape in FACTS {
        let mut script = Script::new(None).expect("memory");
        for known in ["catalog.updated", "markets.updated"] {
            let shape = FACTS.iter().find(|shape| shape.name == known).expect("it is documented");
            let command = example(&mut script, shape.example);
            execute(script.subject(), &command);
        }
        let command = example(&mut script, shape.example);
        let mut writer = Writer::new();
        let line = writer.write_line(&command, &script.subject().ledger.state);
        let line = line.unwrap_or_else(|form| panic!("{}: {}", shape.name, form.0));
        let line = Value::Object(line);
        let original: Value = serde_json::from_str(shape.example).expect("JSON");
        assert_eq!(line["fact"], original["fact"]);
        for name in original["body"].as_object().into_iter().flat_map(|body| body.keys()) {
            if line["body"][name].is_null() {
                left_out.push(format!("{name} of {}", shape.name));
            }
        }
        let read = example(&mut script, &line.to_string());
        let again = writer.write_line(&read, &script.subject().ledger.state);
        assert_eq!(Value::Object(again.expect("it was written before")), line, "{}", shape.name);
    }
    assert_eq!(left_out, Vec::<String>::new());
}

/// The fields that some fact declares and no line of it has.
fn unwritten(written: &BTreeSet<(String, String)>) -> BTreeSet<&'static str> {
    // In a history of one ledger no account moves to another: that is for the simulator of cells.
    // Days are closed by a person who adds all accounts up, which no actor of the world does.
    let elsewhere = [
        "account.moved",
        "account.arriving",
        "balance.carried",
        "statement.received",
        "day.closed",
        "day.reopened",
    ];
    let facts = FACTS.iter().filter(|shape| !elsewhere.contains(&shape.name));
    let fields = facts.flat_map(|shape| shape.fields.iter().map(|it| (shape.name, it.name)));
    let known =
        |(fact, field): &(&str, &str)| written.contains(&((*fact).to_owned(), (*field).to_owned()));
    fields.filter(|it| !known(it)).map(|(_, field)| field).collect()
}

#[test]
fn every_command_is_written_as_a_line_and_read_back_as_itself() {
    let (mut without, mut written, mut said) = (BTreeSet::new(), BTreeSet::new(), 0);
    for seed in 0..SEEDS {
        let mut proof = Proof::new();
        let commands = history(seed);
        said += commands.len();
        for command in &commands {
            let set_back = proof.without_when_set_back(command);
            proof.without.extend(set_back);
            proof.both(command);
        }
        let Proof { said, mut read, without: forms, fields, .. } = proof;
        let (said, read) = (&said.ledger.state.books, &read.subject().ledger.state.books);
        assert!(said.subaccounts().eq(read.subaccounts()), "seed {seed}: balances differ");
        without.extend(forms);
        written.extend(fields);
    }
    let reasons: BTreeSet<&str> = UNWRITTEN.iter().map(|(field, _)| *field).collect();
    assert_eq!(unwritten(&written), reasons);
    let without: Vec<&str> = without.into_iter().map(|form| form.0).collect();
    assert_eq!(without, WITHOUT_A_FORM, "of {said} commands");
}
