//! An account statement of ISO 20022, camt.053 of any version: what says which PIX moved.
//!
//! ```text
//! Document / BkToCstmrStmt / Stmt / Ntry     Amt CdtDbtInd Sts BookgDt
//!                            NtryDtls / TxDtls     Amt Refs/EndToEndId Refs/TxId RtrInf
//! ```
//!
//! An entry of several transactions is as many lines, each with an amount of its own.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::line::{Direction, Faults, Kind, Line, List, When, line_of};
use super::{amount, date};

/// What an entry says of all its transactions.
#[derive(Clone, Default)]
struct Entry {
    number: u64,
    amount: Option<String>,
    direction: Option<String>,
    status: Option<String>,
    booked: Option<String>,
    reversal: bool,
    transactions: Vec<Transaction>,
}

/// What a transaction says.
#[derive(Clone, Default)]
struct Transaction {
    number: u64,
    amount: Option<String>,
    direction: Option<String>,
    end_to_end_id: Option<String>,
    tx_id: Option<String>,
    original: Option<String>,
    returned: bool,
}

/// Reads the statement, or names every entry that is wrong.
pub fn read(bytes: &[u8]) -> Result<List, Faults> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        vec![(line_of(bytes, error.valid_up_to()), "this is not UTF-8".to_owned())]
    })?;
    let mut reading = Reading { bytes, ..Reading::default() };
    let mut reader = Reader::from_str(text);
    loop {
        let place = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = reader.read_event().map_err(|error| {
            let place = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            vec![(line_of(bytes, place), format!("this is no XML: {error}"))]
        })?;
        match event {
            Event::Start(element) => {
                let name = element.local_name().as_ref().to_owned();
                let currency = element.attributes().flatten().find_map(|attribute| {
                    (attribute.key.as_ref() == "Ccy").then(|| attribute.value.into_owned())
                });
                reading.begins(name, currency.as_deref(), place);
            }
            Event::Text(text) => reading.text += &text.xml10_content(),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => reading.text.push(character),
                _ => reading.text.push('?'),
            },
            Event::End(_) => reading.ends(),
            Event::Eof => break,
            _ => {}
        }
    }
    reading.finished()
}

#[derive(Default)]
struct Reading<'a> {
    bytes: &'a [u8],
    /// Up to where lines are counted, and how many have ended by then.
    counted: usize,
    lines_passed: u64,
    path: Vec<String>,
    text: String,
    entry: Option<Entry>,
    is_statement: bool,
    lines: Vec<Line>,
    ignored: usize,
    faults: Faults,
}

impl Reading<'_> {
    fn begins(&mut self, name: String, currency: Option<&str>, place: usize) {
        self.text.clear();
        let number = self.line_at(place);
        match &*name {
            "BkToCstmrStmt" => self.is_statement = true,
            "Ntry" => self.entry = Some(Entry { number, ..Entry::default() }),
            "TxDtls" => {
                if let Some(entry) = &mut self.entry {
                    entry.transactions.push(Transaction { number, ..Transaction::default() });
                }
            }
            "Amt" if currency.is_some_and(|currency| currency != "BRL") => {
                self.faults.push((number, "an amount in another currency than BRL".to_owned()));
            }
            _ => {}
        }
        self.path.push(name);
    }

    /// The number, from 1, of the line in which a place stands that is no earlier than the last one
    /// asked for: lines are counted once, however many elements there are.
    fn line_at(&mut self, place: usize) -> u64 {
        let place = place.min(self.bytes.len());
        self.lines_passed += line_of(&self.bytes[self.counted..place], place) - 1;
        self.counted = place;
        self.lines_passed + 1
    }

    fn ends(&mut self) {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        let Some(name) = self.path.pop() else { return };
        let Some(entry) = &mut self.entry else { return };
        let parent = self.path.last().map_or("", String::as_str);
        let within = |name: &str| self.path.iter().any(|known| known == name);
        let transaction = entry.transactions.last_mut().filter(|_| within("TxDtls"));
        match (transaction, parent, &*name) {
            (Some(it), "TxDtls" | "TxAmt", "Amt") => it.amount = Some(text),
            (Some(it), "TxDtls", "CdtDbtInd") => it.direction = Some(text),
            (Some(it), "Refs", "EndToEndId") => it.end_to_end_id = known(text),
            (Some(it), "Refs", "TxId") => it.tx_id = known(text),
            (Some(it), "TxDtls", "RtrInf") => it.returned = true,
            (Some(it), _, "OrgnlEndToEndId") => it.original = known(text),
            (None, "Ntry", "Amt") => entry.amount = Some(text),
            (None, "Ntry", "CdtDbtInd") => entry.direction = Some(text),
            (None, "Ntry", "RvslInd") => entry.reversal = text == "true" || text == "1",
            // A code of its own since version 8, and a text before.
            (None, "Ntry", "Sts") if !text.is_empty() => entry.status = Some(text),
            (None, "Sts", "Cd") => entry.status = Some(text),
            (None, "BookgDt", "Dt" | "DtTm") => entry.booked = Some(text),
            (_, _, "Ntry") => {
                let entry = self.entry.take().expect("it is there");
                self.entered(entry);
            }
            _ => {}
        }
    }

    fn entered(&mut self, mut entry: Entry) {
        if entry.status.as_deref().is_some_and(|status| status != "BOOK") {
            self.ignored += 1;
            return;
        }
        if entry.transactions.is_empty() {
            let number = entry.number;
            self.faults.push((number, "an entry without details has no id (TxDtls)".to_owned()));
            return;
        }
        let alone = entry.transactions.len() == 1;
        for transaction in std::mem::take(&mut entry.transactions) {
            let number = transaction.number;
            match line(&entry, transaction, alone) {
                Ok(line) => self.lines.push(line),
                Err(what) => self.faults.push((number, what)),
            }
        }
    }

    fn finished(mut self) -> Result<List, Faults> {
        if !self.path.is_empty() {
            let end = line_of(self.bytes, self.bytes.len());
            self.faults.push((end, format!("the file ends within {}", self.path.join("/"))));
        } else if !self.is_statement {
            let what = "no account statement is in it (BkToCstmrStmt, camt.053)";
            self.faults.push((1, what.to_owned()));
        }
        if self.faults.is_empty() {
            Ok(List { lines: self.lines, ignored: self.ignored })
        } else {
            Err(self.faults)
        }
    }
}

/// An id, unless it says that there is none.
fn known(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty() && text != "NOTPROVIDED")
}

fn line(entry: &Entry, of: Transaction, alone: bool) -> Result<Line, String> {
    let text = of.amount.or_else(|| entry.amount.clone().filter(|_| alone));
    let text = text.ok_or("one transaction of several has no amount of its own (Amt)")?;
    let cents = amount::Format::Point.cents(&text).filter(|cents| *cents > 0);
    let cents = cents.ok_or_else(|| format!("\"{text}\" is no amount of BRL"))?;
    let direction = match of.direction.as_ref().or(entry.direction.as_ref()).map(String::as_str) {
        Some("CRDT") => Direction::In,
        Some("DBIT") => Direction::Out,
        other => {
            let word = other.unwrap_or_default();
            return Err(format!("\"{word}\" is neither CRDT nor DBIT (CdtDbtInd)"));
        }
    };
    let text = entry.booked.clone().unwrap_or_default();
    let when: When = date::Format::Iso
        .read(&text)
        .ok_or_else(|| format!("\"{text}\" is no date of booking (BookgDt)"))?;
    let kind = if of.returned || entry.reversal { Kind::Return } else { Kind::Payment };
    let (id, returns) = match (kind, of.end_to_end_id) {
        (Kind::Payment, id) => (id, None),
        // The id of the return, where it has one, and that of what it returns.
        (Kind::Return, id) => (id.clone(), of.original.or(id)),
    };
    let external_id = of.tx_id;
    if id.is_none() && external_id.is_none() {
        return Err("it has neither an EndToEndId nor a TxId".to_owned());
    }
    Ok(Line { number: of.number, id, returns, external_id, direction, kind, cents, when })
}
