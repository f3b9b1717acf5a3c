//! An event as text for people: the names that docs/FORMAT.md gives its fields, and their values
//! as money, instants and links.
//!
//! At run time the names of fields are known to `Debug` alone, whose output this reads; a page
//! shows none of it as it stands.

use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive as _, Event};
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

use super::viewer::Viewer;
use super::words;
use crate::pages::format::{brl, count, decimal, local};
use crate::pages::layout::{Cell, Section};

/// The field of an event that holds what happened to what the others name.
const EVENT: &str = "event";

/// Returns what an event says, field by field.
pub(super) fn section(sequencer: &Sequencer, event: &Event, viewer: &Viewer) -> Section {
    let text = format!("{event:?}");
    let mut writing = Writing { sequencer, viewer, rows: Vec::new() };
    writing.value(&[], &Value::read(&text));
    Section::Facts { title: words::event(event), rows: writing.rows }
}

/// A value in the form that `Debug` gives it.
#[derive(Debug, PartialEq)]
enum Value<'a> {
    /// A number, a unit variant, or the text of a type that writes itself.
    Word(&'a str),
    Text(String),
    List(Vec<Value<'a>>),
    /// A type's or variant's name with what it holds; a name is empty where there is none.
    Named(&'a str, Vec<(&'a str, Value<'a>)>),
}

impl<'a> Value<'a> {
    fn read(text: &'a str) -> Self {
        Reading { rest: text }.value()
    }
}

/// The rest of a text that is not read yet.
struct Reading<'a> {
    rest: &'a str,
}

impl<'a> Reading<'a> {
    fn value(&mut self) -> Value<'a> {
        self.rest = self.rest.trim_start();
        if self.skip("\"") {
            return Value::Text(self.text());
        }
        if self.skip("[") {
            return Value::List(self.items("]").into_iter().map(|(_, value)| value).collect());
        }
        let end = self.rest.find([' ', '(', '[', '{', ',', ')', ']', '}']);
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if self.skip("(") {
            Value::Named(word, self.items(")"))
        } else if self.skip(" {") || self.skip("{") {
            Value::Named(word, self.items("}"))
        } else {
            Value::Word(word)
        }
    }

    /// The items up to `close`, each with its name where it has one.
    fn items(&mut self, close: &str) -> Vec<(&'a str, Value<'a>)> {
        let mut items = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            if self.rest.is_empty() || self.skip(close) {
                return items;
            }
            let end = self.rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
            let (name, rest) = self.rest.split_at(end.unwrap_or_default());
            let name = rest.strip_prefix(": ").map_or("", |rest| {
                self.rest = rest;
                name
            });
            let before = self.rest.len();
            items.push((name, self.value()));
            if self.rest.len() == before {
                self.rest = ""; // Nothing that is known begins here.
            }
        }
    }

    /// The text up to its closing quotation mark, without escapes.
    fn text(&mut self) -> String {
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &self.rest[place + 1..];
                    return text;
                }
                '\\' => match letters.next().map(|(_, letter)| letter) {
                    Some('u') => {
                        let digits = letters.by_ref().skip(1).map(|(_, letter)| letter);
                        let digits: String = digits.take_while(|letter| *letter != '}').collect();
                        let code = u32::from_str_radix(&digits, 16).ok();
                        text.extend(code.and_then(char::from_u32));
                    }
                    Some('n' | 'r' | 't') => text.push(' '),
                    other => text.extend(other),
                },
                letter => text.push(letter),
            }
        }
        self.rest = "";
        text
    }

    fn skip(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// The rows of an event while they are written.
struct Writing<'a> {
    sequencer: &'a Sequencer,
    viewer: &'a Viewer,
    rows: Vec<(String, Cell)>,
}

impl Writing<'_> {
    /// Adds the rows of a value that stands under these names.
    fn value(&mut self, names: &[&str], value: &Value<'_>) {
        match value {
            Value::Word("None" | "") => {}
            Value::Word(word) => self.row(names, self.word(word)),
            Value::Text(text) => self.row(names, Cell::text(text)),
            Value::List(items) => items.iter().for_each(|item| self.value(names, item)),
            Value::Named("Some" | "", parts) => self.parts(names, parts),
            Value::Named(name, parts) => match self.leaf(name, parts) {
                Some(cell) => self.row(names, cell),
                None => self.variants(names, name, parts),
            },
        }
    }

    /// Adds the names of variants within one another as one row, then what the last one holds.
    fn variants<'v>(
        &mut self,
        names: &[&str],
        name: &'v str,
        mut parts: &'v [(&'v str, Value<'v>)],
    ) {
        let mut variants = vec![words::apart(name)];
        while let [("", Value::Named(inner, more))] = parts
            && !matches!(*inner, "Some" | "")
            && self.leaf(inner, more).is_none()
        {
            variants.push(words::apart(inner));
            parts = more;
        }
        // A type that only repeats the field's name says nothing, as the event's does in its title.
        let last = names.last().map(|last| last.replace('_', " "));
        if variants.len() > 1 || last.is_some_and(|last| !variants[0].ends_with(&last)) {
            self.row(names, Cell::text(variants.join(" · ")));
        }
        let names = names.strip_suffix(&[EVENT]).unwrap_or(names);
        self.parts(names, parts);
    }

    fn parts(&mut self, names: &[&str], parts: &[(&str, Value<'_>)]) {
        for (name, value) in parts {
            let more = Some(*name).filter(|name| !name.is_empty());
            let names: Vec<&str> = names.iter().copied().chain(more).collect();
            self.value(&names, value);
        }
    }

    fn row(&mut self, names: &[&str], cell: Cell) {
        let name = if names.is_empty() { EVENT.to_owned() } else { names.join(" · ") };
        self.rows.push((name.replace('_', " "), cell));
    }

    /// A word alone: an operation, a truth, a number or the name of a variant.
    fn word(&self, word: &str) -> Cell {
        let state = &self.sequencer.ledger().state;
        if let Some(op) = operation(word) {
            return self.viewer.operation_cell(&op.text(&state.name));
        }
        match word {
            "true" => Cell::text(self.viewer.t("sim", "yes")),
            "false" => Cell::text(self.viewer.t("não", "no")),
            _ => match word.parse() {
                Ok(number) => Cell::number(count(number, self.viewer.lang)),
                Err(_) if word.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                    Cell::text(words::apart(word))
                }
                Err(_) => Cell::code(word),
            },
        }
    }

    /// A type of one value whose name says how that is read; none for a variant.
    fn leaf(&self, name: &str, parts: &[(&str, Value<'_>)]) -> Option<Cell> {
        let [("", Value::Word(word))] = parts else { return None };
        let (viewer, lang) = (self.viewer, self.viewer.lang);
        let catalogue = &self.sequencer.ledger().state.catalogue;
        let number = word.parse::<i128>().ok();
        Some(match (name, number) {
            ("Amount" | "Cents" | "Balance", Some(cents)) => Cell::text(brl(cents, lang)),
            ("Price", _) => Cell::text(format!("R$\u{a0}{}", decimal(word, lang))),
            ("Bps", Some(bps)) => {
                let percent = decimal(&format!("{}.{:02}", bps / 100, bps % 100), lang);
                Cell::text(format!("{percent}\u{a0}%"))
            }
            ("Instant", Some(micros)) => {
                let at = Instant::from_micros(i64::try_from(micros).ok()?)?;
                Cell::text(local(at, lang))
            }
            ("Span", Some(micros)) => {
                let seconds = decimal(&(micros / 1_000_000).to_string(), lang);
                Cell::text(format!("{seconds}\u{a0}s"))
            }
            ("Units", Some(units)) => {
                let least = viewer.t("unidades mínimas", "smallest units");
                Cell::text(format!("{} {least}", decimal(&units.to_string(), lang)))
            }
            ("Seq", Some(seq)) => viewer.record_cell(u64::try_from(seq).ok()?),
            ("AccountId", Some(id)) => self.account(AccountId(u32::try_from(id).ok()?), None),
            ("SubaccountId", Some(id)) => self.subaccount(SubaccountId(u32::try_from(id).ok()?)),
            ("AssetId", Some(id)) => {
                Cell::text(catalogue.asset_or_number(AssetId(u16::try_from(id).ok()?)).0)
            }
            ("ChainId", Some(id)) => {
                Cell::text(catalogue.chain_of(ChainId(u16::try_from(id).ok()?)).unwrap_or(word))
            }
            ("AgentId", Some(id)) => Cell::number(id.to_string()),
            ("Scale", Some(places)) => Cell::number(places.to_string()),
            ("Token" | "KeyHash" | "ChainLink" | "EvidenceHash", _) => {
                Cell::code(word.replace("..", "…"))
            }
            ("Document" | "PixKey" | "Secret", _) => Cell::code(*word),
            _ => return None,
        })
    }

    fn account(&self, id: AccountId, customer: Option<&str>) -> Cell {
        let Some(known) = self.sequencer.ledger().state.account(id) else {
            return Cell::number(id.0.to_string());
        };
        let text = [Some(&*known.name), customer].into_iter().flatten();
        let text = text.collect::<Vec<_>>().join(" / ");
        Cell::text(text).to(self.viewer.account(&known.name, customer))
    }

    fn subaccount(&self, id: SubaccountId) -> Cell {
        match self.sequencer.ledger().state.subaccount(id) {
            Some(known) => {
                self.account(known.account, self.sequencer.ledger().archive.customer(id))
            }
            None => Cell::number(id.0.to_string()),
        }
    }
}

/// `Payout#9`: the payout that record 9 created.
fn operation(word: &str) -> Option<OpId> {
    let (kind, seq) = word.split_once('#')?;
    let kind = Kind::all().find(|known| format!("{known:?}") == kind)?;
    Some(OpId::new(kind, Seq(seq.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_debug_gives_a_value_is_read() {
        #[derive(Debug)]
        #[allow(dead_code)] // Only `Debug` looks at them.
        enum Sample {
            Nothing,
            Pair(u8, Option<&'static str>),
            Fields { list: Vec<(u8, bool)>, inner: Box<Sample> },
        }
        let inner = Box::new(Sample::Pair(7, Some("a \"b\", {c}\u{1}")));
        let said = Sample::Fields { list: vec![(1, true)], inner };
        let text = format!("{said:?}");
        let pair = Value::Named("", vec![("", Value::Word("1")), ("", Value::Word("true"))]);
        let some = Value::Named("Some", vec![("", Value::Text("a \"b\", {c}\u{1}".to_owned()))]);
        let inner = Value::Named("Pair", vec![("", Value::Word("7")), ("", some)]);
        let fields = vec![("list", Value::List(vec![pair])), ("inner", inner)];
        assert_eq!(Value::read(&text), Value::Named("Fields", fields));
        assert_eq!(Value::read(&format!("{:?}", Sample::Nothing)), Value::Word("Nothing"));
        let op = OpId::new(Kind::Payout, Seq(9));
        assert_eq!(operation(&format!("{op:?}")), Some(op));
    }

    #[test]
    fn what_is_no_debug_text_ends() {
        for text in ["", "(", "a(\"", "a { b: ", "a(}", "[)", "\"\\u{"] {
            let _ = Value::read(text);
        }
    }
}
