//! A provider's list as CSV, its columns named by a [`Mapping`].

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::encoding::decode;
use crate::line::{
    BalanceEnd, Direction, Faults, FaultyLines, Kind, Line, List, Other, StatedBalance, id_of,
    is_return,
};
use crate::mapping::Mapping;

/// How many lines may stand before the names.
const PREAMBLE: usize = 100;

/// Where each column stands.
struct Places {
    end_to_end_id: Option<usize>,
    return_id: Option<usize>,
    external_id: Option<usize>,
    txid: Option<usize>,
    amount: Amounts,
    date: usize,
    direction: Option<usize>,
    kind: Option<usize>,
    /// How many names there are.
    width: usize,
}

/// Where the amount stands: in one column with a sign, or in one of two.
enum Amounts {
    Signed(usize),
    Two { credit: usize, debit: usize },
}

impl List {
    /// Reads a list of columns, as a mapping names them. Lines that cannot be read are named in the
    /// list.
    ///
    /// # Errors
    ///
    /// [`Faults`], where the file is none that the mapping describes.
    pub fn from_csv(bytes: &[u8], mapping: &Mapping) -> Result<Self, Faults> {
        read(bytes, mapping).map_err(Faults)
    }
}

fn read(bytes: &[u8], mapping: &Mapping) -> Result<List, FaultyLines> {
    let text = decode(bytes, mapping.encoding).map_err(|fault| vec![fault])?;
    if text.trim().is_empty() {
        return Err(vec![(1, "the file is empty: a line of names is expected".to_owned())]);
    }
    let (passed, names) = names(&text, mapping);
    let places = places(&names, passed + 1, mapping)?;
    let below = text.split_inclusive('\n').skip(usize::try_from(passed).unwrap_or(usize::MAX));
    let below: String = below.collect();
    let mut reader = ReaderBuilder::new()
        .delimiter(mapping.delimiter)
        .trim(Trim::All)
        .flexible(true)
        .from_reader(below.as_bytes());
    let mut list = List::default();
    for record in reader.records() {
        let number = |at: Option<&csv::Position>| passed + at.map_or(0, csv::Position::line);
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                list.unreadable.push((number(error.position()), error.to_string()));
                continue;
            }
        };
        let number = number(record.position());
        match line(&record, number, &places, mapping) {
            Ok(Read::Pix(line)) => list.lines.push(line),
            Ok(Read::Ignored) => list.ignored += 1,
            Ok(Read::NoPix(moved)) => {
                list.no_pix.push(other_line(&record, number, moved, &places, mapping));
            }
            Ok(Read::Balance(end, cents)) => {
                list.balances.push(StatedBalance { number, end, cents });
            }
            Ok(Read::Nothing) => {}
            Err(what) => list.unreadable.push((number, what)),
        }
    }
    Ok(list)
}

/// The line of names, and how many lines stand before it: the first that has all that are wanted,
/// else the first that has most of them.
fn names(text: &str, mapping: &Mapping) -> (u64, StringRecord) {
    let wanted = wanted_columns(mapping);
    let record = |line: &str| {
        let reader = ReaderBuilder::new()
            .delimiter(mapping.delimiter)
            .has_headers(false)
            .trim(Trim::All)
            .from_reader(line.as_bytes());
        reader.into_records().next().and_then(Result::ok).unwrap_or_default()
    };
    let first = mapping.names_line.map(|line| line - 1);
    let lines = (0..).zip(text.split_inclusive('\n'));
    let candidates = lines
        .filter(|(before, _)| first.is_none_or(|first| first == *before))
        .take(PREAMBLE)
        .map(|(before, line)| (before, record(line)));
    let has = |names: &StringRecord| {
        wanted.iter().filter(|name| names.iter().any(|known| known == **name)).count()
    };
    let mut best = (first.unwrap_or(0), StringRecord::new());
    let mut most = None;
    for (before, names) in candidates {
        let count = has(&names);
        if most.is_none_or(|most| count > most) && !names.is_empty() {
            (best, most) = ((before, names), Some(count));
        }
    }
    best
}

/// The names of all columns that a mapping names.
fn wanted_columns(mapping: &Mapping) -> Vec<&str> {
    let columns = &mapping.columns;
    let optional = [
        &columns.end_to_end_id,
        &columns.return_id,
        &columns.external_id,
        &columns.txid,
        &columns.amount,
        &columns.credit,
        &columns.debit,
        &columns.direction,
        &columns.kind,
    ];
    let optional = optional.into_iter().flatten();
    optional.chain([&columns.date]).map(String::as_str).collect()
}

fn places(names: &StringRecord, line: u64, mapping: &Mapping) -> Result<Places, FaultyLines> {
    let mut faults = Vec::new();
    let mut find = |name: &String| {
        let mut found = names.iter().enumerate().filter(|(_, known)| known == name);
        match (found.next(), found.next()) {
            (Some((place, _)), None) => place,
            (Some(_), Some(_)) => {
                faults.push((line, format!("the column \"{name}\" stands there twice")));
                0
            }
            (None, _) => {
                let known: Vec<&str> = names.iter().collect();
                let known = known.join(", ");
                faults.push((line, format!("no column is named \"{name}\": there are {known}")));
                0
            }
        }
    };
    let columns = &mapping.columns;
    let mut optional = |name: &Option<String>| name.as_ref().map(&mut find);
    let amount =
        match (optional(&columns.amount), optional(&columns.credit), optional(&columns.debit)) {
            (Some(amount), _, _) => Amounts::Signed(amount),
            (None, credit, debit) => {
                Amounts::Two { credit: credit.unwrap_or(0), debit: debit.unwrap_or(0) }
            }
        };
    let places = Places {
        end_to_end_id: optional(&columns.end_to_end_id),
        return_id: optional(&columns.return_id),
        external_id: optional(&columns.external_id),
        txid: optional(&columns.txid),
        amount,
        direction: optional(&columns.direction),
        kind: optional(&columns.kind),
        date: find(&columns.date),
        width: names.len(),
    };
    if faults.is_empty() { Ok(places) } else { Err(faults) }
}

/// What a line turned out to be.
enum Read {
    Pix(Line),
    /// No PIX: it names none.
    NoPix(Option<(Direction, i64)>),
    /// The account's balance before the lines, or after them.
    Balance(BalanceEnd, i64),
    /// Of a kind that is ignored.
    Ignored,
    /// A line without anything in it.
    Nothing,
}

/// Reads a line, or says what is wrong with it.
fn line(
    record: &StringRecord,
    number: u64,
    places: &Places,
    mapping: &Mapping,
) -> Result<Read, String> {
    let mut cells = record.iter().filter(|cell| !cell.is_empty());
    let Some(first) = cells.next() else { return Ok(Read::Nothing) };
    if let Some(end) = mapping.balance.end_of(first, kind_word(record, places)) {
        let (direction, cents) = direction_and_cents(record, places, mapping)?;
        let cents = if direction == Direction::Out { -cents } else { cents };
        return Ok(Read::Balance(end, cents));
    }
    if mapping.footer.iter().any(|word| first.starts_with(&**word)) {
        return Ok(Read::NoPix(None));
    }
    let at = |place: Option<usize>| place.and_then(|place| record.get(place));
    let given = |place| at(place).and_then(id_of);
    let (e2e, return_id) = (given(places.end_to_end_id), given(places.return_id));
    let names: Vec<String> =
        [given(places.external_id), given(places.txid)].into_iter().flatten().collect();
    let has_id = e2e.is_some() || return_id.is_some() || !names.is_empty();
    let word = at(places.kind).unwrap_or_default();
    let is = |words: &[String]| words.iter().any(|known| known == word);
    let kind = match places.kind {
        Some(_) if is(&mapping.kind.ignore) => return Ok(Read::Ignored),
        Some(_) if is(&mapping.kind.other) => {
            return Ok(Read::NoPix(Some(movement(record, places, mapping)?)));
        }
        Some(_) if is(&mapping.kind.returned) => Kind::Return,
        Some(_) if is(&mapping.kind.payment) => Kind::Payment,
        Some(_) if has_id || !word.is_empty() => {
            return Err(format!("\"{word}\" is none of the kinds of [kind]"));
        }
        _ if return_id.is_some() || e2e.as_deref().is_some_and(is_return) => Kind::Return,
        _ => Kind::Payment,
    };
    // Without a word for what it is, a line that names no PIX is none.
    if !has_id && (places.kind.is_none() || word.is_empty()) {
        return Ok(Read::NoPix(movement(record, places, mapping).ok()));
    }
    let more = record.iter().skip(places.width).any(|cell| !cell.is_empty());
    if record.len() < places.width || more {
        let (len, width) = (record.len(), places.width);
        return Err(format!("{len} columns, and not {width} as in the line of names"));
    }
    let (direction, cents) = movement(record, places, mapping)?;
    let text = record.get(places.date).unwrap_or_default();
    let when = mapping.date.read(text).ok_or_else(|| format!("\"{text}\" is no date"))?;
    let (id, returns) = match kind {
        Kind::Payment => (e2e, None),
        Kind::Return => (return_id.or_else(|| e2e.clone()), e2e),
    };
    if id.is_none() && names.is_empty() {
        return Err("it has no id".to_owned());
    }
    Ok(Read::Pix(Line { number, id, returns, names, direction, kind, cents, when }))
}

/// A line that is no PIX, with what it says of its day and of what it is.
fn other_line(
    record: &StringRecord,
    number: u64,
    moved: Option<(Direction, i64)>,
    places: &Places,
    mapping: &Mapping,
) -> Other {
    let when = record.get(places.date).and_then(|text| mapping.date.read(text));
    let word = kind_word(record, places).filter(|word| !word.is_empty()).map(str::to_owned);
    Other { number, moved, when, word }
}

fn kind_word<'a>(record: &'a StringRecord, places: &Places) -> Option<&'a str> {
    places.kind.and_then(|place| record.get(place))
}

/// Which way a line went, and how many centavos, above zero.
fn movement(
    record: &StringRecord,
    places: &Places,
    mapping: &Mapping,
) -> Result<(Direction, i64), String> {
    let (direction, cents) = direction_and_cents(record, places, mapping)?;
    if cents == 0 { Err("an amount of nothing".to_owned()) } else { Ok((direction, cents)) }
}

/// Which way a line goes, and how many centavos without their sign.
fn direction_and_cents(
    record: &StringRecord,
    places: &Places,
    mapping: &Mapping,
) -> Result<(Direction, i64), String> {
    let read = |place: usize| {
        let text = record.get(place).unwrap_or_default();
        let wrong = || format!("\"{text}\" is no amount written as {}", mapping.amount.name());
        mapping.amount.cents(text).ok_or_else(wrong)
    };
    let (direction, cents) = match places.amount {
        Amounts::Signed(place) => {
            let cents = read(place)?;
            let signed = if cents < 0 { Direction::Out } else { Direction::In };
            (by_word(record, places, mapping)?.unwrap_or(signed), cents)
        }
        Amounts::Two { credit, debit } => {
            let of = |place: usize| match record.get(place) {
                None | Some("") => Ok(0),
                Some(_) => read(place),
            };
            match (of(credit)?, of(debit)?) {
                (cents, 0) if cents >= 0 => (Direction::In, cents),
                // A debit bears a minus in some files, and none in others.
                (0, cents) => (Direction::Out, cents),
                _ => return Err("it is credited and debited at once".to_owned()),
            }
        }
    };
    Ok((direction, cents.abs()))
}

/// The direction by the word of its column, where there is such a column.
fn by_word(
    record: &StringRecord,
    places: &Places,
    mapping: &Mapping,
) -> Result<Option<Direction>, String> {
    let Some(word) = places.direction.and_then(|place| record.get(place)) else { return Ok(None) };
    let is = |words: &[String]| words.iter().any(|known| known == word);
    if is(&mapping.direction.incoming) {
        Ok(Some(Direction::In))
    } else if is(&mapping.direction.outgoing) {
        Ok(Some(Direction::Out))
    } else {
        Err(format!("\"{word}\" is none of the words of [direction]"))
    }
}
