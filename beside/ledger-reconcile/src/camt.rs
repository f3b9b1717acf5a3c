//! An account statement of ISO 20022, camt.053 of any version: what says which PIX moved.
//!
//! ```text
//! Document / BkToCstmrStmt / Stmt / Ntry     Amt CdtDbtInd Sts BookgDt ValDt
//!                            NtryDtls / TxDtls     Amt Refs/EndToEndId Refs/TxId RtrInf
//! ```
//!
//! An entry of several transactions is as many lines, each with an amount of its own. What names
//! no PIX, such as a tariff, is counted as that.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::balance::BalanceElement;
use crate::encoding::decoded_xml;
use crate::line::{
    Direction, Faults, FaultyLines, Kind, Line, List, Other, When, id_of, is_pix, is_return,
    line_of,
};
use crate::{amount, date};

/// An amount, and its currency where one is said.
#[derive(Clone, Default)]
struct Money {
    number: u64,
    text: String,
    currency: Option<String>,
}

impl Money {
    fn is_foreign(&self) -> bool {
        self.currency.as_deref().is_some_and(|currency| currency != "BRL")
    }
}

/// What an entry says of all its transactions.
#[derive(Clone, Default)]
struct Entry {
    number: u64,
    amount: Option<Money>,
    direction: Option<String>,
    status: Option<String>,
    booked: Option<String>,
    value: Option<String>,
    reversal: bool,
    /// The bank's own words for it.
    words: Option<String>,
    /// References of the entry itself, of which the id of a PIX is one.
    references: Vec<String>,
    transactions: Vec<Transaction>,
}

/// What a transaction says.
#[derive(Clone, Default)]
struct Transaction {
    number: u64,
    /// `Amt`, else `AmtDtls/TxAmt`, else `AmtDtls/InstdAmt`.
    amounts: [Option<Money>; 3],
    direction: Option<String>,
    end_to_end_id: Option<String>,
    /// What we, or the payer, may have called it: `TxId`, `InstrId`.
    names: Vec<String>,
    /// What others call it, of which the id of a PIX is one.
    references: Vec<String>,
    original: Option<String>,
    returned: bool,
}

impl List {
    /// Reads an account statement of ISO 20022, camt.053 of any version. Entries that cannot be
    /// read are named in the list.
    ///
    /// # Errors
    ///
    /// [`Faults`], where the file is none.
    pub fn from_camt(bytes: &[u8]) -> Result<Self, Faults> {
        read(bytes).map_err(Faults)
    }
}

fn read(bytes: &[u8]) -> Result<List, FaultyLines> {
    let text = decoded_xml(bytes).map_err(|fault| vec![fault])?;
    let bytes = text.as_bytes();
    let mut reading = Reading { bytes, ..Reading::default() };
    let mut reader = Reader::from_str(&text);
    loop {
        let place = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = reader.read_event().map_err(|error| {
            let place = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            vec![(line_of(bytes, place), format!("this is no XML: {error}"))]
        })?;
        match event {
            Event::Start(element) => reading.begins(&element, place),
            Event::Empty(element) => {
                reading.begins(&element, place);
                reading.ends();
            }
            Event::Text(text) => reading.text += &text.xml10_content(),
            Event::CData(text) => reading.text += &text.xml10_content(),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => reading.text.push(character),
                _ => reading.text.push(entity_char(reference.as_ref())),
            },
            Event::End(_) => reading.ends(),
            Event::Eof => break,
            _ => {}
        }
    }
    reading.finish()
}

/// The letter of an entity that XML names itself; a question mark for any other.
fn entity_char(entity: &str) -> char {
    match entity {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => '?',
    }
}

#[derive(Default)]
struct Reading<'a> {
    bytes: &'a [u8],
    /// Up to where lines are counted, and how many have ended by then.
    counted: usize,
    lines_passed: u64,
    path: Vec<String>,
    text: String,
    /// The number of the line and the currency of the amount that is being read.
    money: (u64, Option<String>),
    /// The currency of the account whose statement is being read, where it is said.
    account: Option<String>,
    entry: Option<Entry>,
    balance: Option<BalanceElement>,
    is_statement: bool,
    list: List,
}

impl Reading<'_> {
    fn begins(&mut self, element: &BytesStart<'_>, place: usize) {
        let name = element.local_name().as_ref().to_owned();
        self.text.clear();
        let number = self.line_at(place);
        match &*name {
            "BkToCstmrStmt" => self.is_statement = true,
            "Stmt" => self.account = None,
            "Ntry" => self.entry = Some(Entry { number, ..Entry::default() }),
            "Bal" => self.balance = Some(BalanceElement::at_line(number)),
            "TxDtls" => {
                if let Some(entry) = &mut self.entry {
                    entry.transactions.push(Transaction { number, ..Transaction::default() });
                }
            }
            "Amt" => {
                let currency = element.attributes().flatten().find_map(|attribute| {
                    (attribute.key.as_ref() == "Ccy").then(|| attribute.value.into_owned())
                });
                self.money = (number, currency);
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
        let parent = self.path.last().map_or("", String::as_str);
        let Some(entry) = &mut self.entry else {
            match (parent, &*name, &mut self.balance) {
                ("Acct", "Ccy", _) => self.account = Some(text),
                ("Stmt", "CreDtTm", _) => self.list.made = Some(text),
                (_, "Bal", Some(balance)) => match balance.to_statement_balance() {
                    Ok(stated) => self.list.balances.extend(stated),
                    Err(what) => self.list.unreadable.push((balance.number, what)),
                },
                (_, _, Some(balance)) => balance.take(parent, &name, &text),
                _ => {}
            }
            return;
        };
        if name == "Ntry" {
            let entry = self.entry.take().expect("it is there");
            return self.add_entry(entry);
        }
        let money = || {
            let (number, currency) = self.money.clone();
            Some(Money { number, text: text.clone(), currency })
        };
        let within = |name: &str| self.path.iter().any(|known| known == name);
        if within("TxDtls") || name == "TxDtls" {
            let Some(it) = entry.transactions.last_mut() else { return };
            match (parent, &*name) {
                ("TxDtls", "Amt") => it.amounts[0] = money(),
                ("TxAmt", "Amt") => it.amounts[1] = money(),
                ("InstdAmt", "Amt") => it.amounts[2] = money(),
                ("TxDtls", "CdtDbtInd") => it.direction = Some(text),
                ("Refs", "EndToEndId") => it.end_to_end_id = id_of(&text),
                ("Refs", "TxId" | "InstrId") => it.names.extend(id_of(&text)),
                ("Refs", _) | ("Prtry", "Ref") if !text.is_empty() => it.references.push(text),
                ("TxDtls", "RtrInf") => it.returned = true,
                (_, "OrgnlEndToEndId") => it.original = id_of(&text),
                _ => {}
            }
            return;
        }
        match (parent, &*name) {
            ("Ntry", "Amt") => entry.amount = money(),
            ("Ntry", "CdtDbtInd") => entry.direction = Some(text),
            ("Ntry", "RvslInd") => entry.reversal = text == "true" || text == "1",
            // A code of its own since version 8, and a text before.
            ("Ntry", "Sts") if !text.is_empty() => entry.status = Some(text),
            ("Sts", "Cd") => entry.status = Some(text),
            ("BookgDt", "Dt" | "DtTm") => entry.booked = Some(text),
            ("ValDt", "Dt" | "DtTm") => entry.value = Some(text),
            ("Ntry", "AddtlNtryInf") if !text.is_empty() => entry.words = Some(text),
            ("Ntry", "NtryRef" | "AcctSvcrRef") => entry.references.push(text),
            _ => {}
        }
    }

    fn add_entry(&mut self, mut entry: Entry) {
        if entry.status.as_deref().is_some_and(|status| status != "BOOK") {
            self.list.ignored += 1;
            return;
        }
        // An entry without details may name its PIX itself; a tariff names none.
        if entry.transactions.is_empty() {
            let number = entry.number;
            entry.transactions.push(Transaction { number, ..Transaction::default() });
        }
        let alone = entry.transactions.len() == 1;
        for mut transaction in std::mem::take(&mut entry.transactions) {
            if alone {
                transaction.references.extend(entry.references.iter().cloned());
            }
            let number = transaction.number;
            let foreign = self.account.as_deref().is_some_and(|currency| currency != "BRL");
            let Some(ids) = transaction.ids().filter(|_| !foreign) else {
                let moved = line_moved(&entry, &transaction, alone);
                let moved = moved.ok().filter(|_| !foreign);
                let when = booked_at(&entry).1;
                self.list.no_pix.push(Other { number, moved, when, word: entry.words.clone() });
                continue;
            };
            let place = money(&entry, &transaction, alone).filter(|it| it.is_foreign());
            let number = place.map_or(number, |money| money.number);
            match line(&entry, &transaction, ids, alone) {
                Ok(line) => self.list.lines.push(line),
                Err(what) => self.list.unreadable.push((number, what)),
            }
        }
    }

    fn finish(self) -> Result<List, FaultyLines> {
        if !self.path.is_empty() {
            let end = line_of(self.bytes, self.bytes.len());
            Err(vec![(end, format!("the file ends within {}", self.path.join("/")))])
        } else if !self.is_statement {
            let what = "no account statement is in it (BkToCstmrStmt, camt.053)";
            Err(vec![(1, what.to_owned())])
        } else {
            Ok(self.list)
        }
    }
}

/// The ids by which a transaction is found.
struct Ids {
    id: Option<String>,
    returns: Option<String>,
    names: Vec<String>,
    is_return: bool,
}

impl Transaction {
    /// Its ids; none where nothing names a PIX or an operation. The id of a PIX stands in
    /// `EndToEndId`, or in whichever reference has its layout; what the bank calls an entry is no
    /// name of ours.
    fn ids(&self) -> Option<Ids> {
        let laid_out = |ids: &[String]| ids.iter().filter(|id| is_pix(id)).cloned().collect();
        let given: Vec<String> = self.end_to_end_id.iter().cloned().collect();
        let pix: [Vec<String>; 3] =
            [laid_out(&given), laid_out(&self.names), laid_out(&self.references)];
        let pix = pix.concat();
        let is_return = |id: &&String| is_return(id);
        let back = pix.iter().find(is_return);
        let sent = pix.iter().find(|id| !is_return(id));
        let names: Vec<String> =
            given.iter().chain(&self.names).filter(|name| !is_pix(name)).cloned().collect();
        let returned = self.returned || back.is_some();
        let id = match (returned, back, sent) {
            (true, Some(back), _) => Some(back.clone()),
            (_, _, Some(sent)) => Some(sent.clone()),
            // An id of another layout is one all the same: it is compared as it is.
            _ => self.end_to_end_id.clone(),
        };
        let returns = self.original.clone().or_else(|| sent.cloned());
        let returns = returns.filter(|_| returned);
        (id.is_some() || !names.is_empty() || returns.is_some()).then_some(Ids {
            id,
            returns,
            names,
            is_return: returned,
        })
    }
}

/// The amount of a transaction: its own, or the entry's where it is alone.
fn money<'a>(entry: &'a Entry, of: &'a Transaction, alone: bool) -> Option<&'a Money> {
    let own = of.amounts.iter().flatten().next();
    own.or_else(|| entry.amount.as_ref().filter(|_| alone))
}

/// Which way a transaction went, and how many centavos.
fn line_moved(entry: &Entry, of: &Transaction, alone: bool) -> Result<(Direction, i64), String> {
    let money = money(entry, of, alone);
    let money = money.ok_or("one transaction of several has no amount of its own (Amt)")?;
    if money.is_foreign() {
        return Err("an amount in another currency than BRL".to_owned());
    }
    let text = &money.text;
    let cents = amount::Format::Point.cents(text).filter(|cents| *cents > 0);
    let cents = cents.ok_or_else(|| format!("\"{text}\" is no amount of BRL"))?;
    match of.direction.as_ref().or(entry.direction.as_ref()).map(String::as_str) {
        Some("CRDT") => Ok((Direction::In, cents)),
        Some("DBIT") => Ok((Direction::Out, cents)),
        other => {
            let word = other.unwrap_or_default();
            Err(format!("\"{word}\" is neither CRDT nor DBIT (CdtDbtInd)"))
        }
    }
}

/// The date of booking, as it is written and as it is read.
fn booked_at(entry: &Entry) -> (String, Option<When>) {
    let text = entry.booked.as_ref().or(entry.value.as_ref()).cloned().unwrap_or_default();
    let when = date::Format::ISO.read(&text);
    (text, when)
}

fn line(entry: &Entry, of: &Transaction, ids: Ids, alone: bool) -> Result<Line, String> {
    let (direction, cents) = line_moved(entry, of, alone)?;
    let (text, when) = booked_at(entry);
    let when: When =
        when.ok_or_else(|| format!("\"{text}\" is no date of booking (BookgDt, ValDt)"))?;
    let kind = if ids.is_return || entry.reversal { Kind::Return } else { Kind::Payment };
    let Ids { id, returns, names, .. } = ids;
    let returns = match kind {
        Kind::Payment => None,
        // A reversal that names one PIX names the one that it reverses.
        Kind::Return => returns.or_else(|| id.clone()),
    };
    Ok(Line { number: of.number, id, returns, names, direction, kind, cents, when })
}
