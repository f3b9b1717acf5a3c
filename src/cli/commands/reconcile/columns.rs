//! A provider's list as CSV, its columns named by a [`Mapping`].

use csv::{ReaderBuilder, StringRecord, Trim};

use super::line::{Direction, Faults, Kind, Line, List, line_of};
use super::mapping::{Encoding, Mapping};

/// Where each column stands.
struct Places {
    end_to_end_id: Option<usize>,
    return_id: Option<usize>,
    external_id: Option<usize>,
    txid: Option<usize>,
    amount: usize,
    date: usize,
    direction: Option<usize>,
    kind: Option<usize>,
}

/// Reads the list, or names every line that is wrong.
pub fn read(bytes: &[u8], mapping: &Mapping) -> Result<List, Faults> {
    let text = decoded(bytes, mapping.encoding)?;
    if text.trim().is_empty() {
        return Err(vec![(1, "the file is empty: a line of names is expected".to_owned())]);
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(mapping.delimiter)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| vec![(1, error.to_string())])?.clone();
    let places = places(&names, mapping)?;
    let (mut lines, mut faults, mut ignored) = (Vec::new(), Vec::new(), 0);
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let number = error.position().map_or(0, csv::Position::line);
                faults.push((number, fault_of(&error)));
                continue;
            }
        };
        let number = record.position().map_or(0, csv::Position::line);
        match line(&record, number, &places, mapping) {
            Ok(Some(line)) => lines.push(line),
            Ok(None) => ignored += 1,
            Err(what) => faults.push((number, what)),
        }
    }
    if faults.is_empty() { Ok(List { lines, ignored }) } else { Err(faults) }
}

/// What is wrong with a line, without its place, which is said before it.
fn fault_of(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} columns, and not {expected_len} as in the first line")
        }
        _ => error.to_string(),
    }
}

/// The file's text; the line at which it is none of this encoding.
fn decoded(bytes: &[u8], encoding: Encoding) -> Result<String, Faults> {
    match encoding {
        Encoding::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Utf8 => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => Ok(text.to_owned()),
                Err(error) => {
                    let line = line_of(bytes, error.valid_up_to());
                    let what = "this is not UTF-8; encoding = \"latin-1\" may be what it is";
                    Err(vec![(line, what.to_owned())])
                }
            }
        }
    }
}

fn places(names: &StringRecord, mapping: &Mapping) -> Result<Places, Faults> {
    let mut faults = Vec::new();
    let mut find = |name: &String| {
        let mut found = names.iter().enumerate().filter(|(_, known)| known == name);
        match (found.next(), found.next()) {
            (Some((place, _)), None) => place,
            (Some(_), Some(_)) => {
                faults.push((1, format!("the column \"{name}\" stands there twice")));
                0
            }
            (None, _) => {
                let known: Vec<&str> = names.iter().collect();
                let known = known.join(", ");
                faults.push((1, format!("no column is named \"{name}\": there are {known}")));
                0
            }
        }
    };
    let columns = &mapping.columns;
    let places = Places {
        end_to_end_id: columns.end_to_end_id.as_ref().map(&mut find),
        return_id: columns.return_id.as_ref().map(&mut find),
        external_id: columns.external_id.as_ref().map(&mut find),
        txid: columns.txid.as_ref().map(&mut find),
        amount: find(&columns.amount),
        date: find(&columns.date),
        direction: columns.direction.as_ref().map(&mut find),
        kind: columns.kind.as_ref().map(&mut find),
    };
    if faults.is_empty() { Ok(places) } else { Err(faults) }
}

/// A line; none where it is of a kind that is ignored; or what is wrong with it.
fn line(
    record: &StringRecord,
    number: u64,
    places: &Places,
    mapping: &Mapping,
) -> Result<Option<Line>, String> {
    let at = |place: Option<usize>| place.and_then(|place| record.get(place));
    let given = |place| at(place).filter(|text| !text.is_empty()).map(str::to_owned);
    let (e2e, return_id) = (given(places.end_to_end_id), given(places.return_id));
    let word = at(places.kind).unwrap_or_default();
    let is = |words: &[String]| words.iter().any(|known| known == word);
    let kind = match places.kind {
        Some(_) if is(&mapping.kind.ignore) => return Ok(None),
        Some(_) if is(&mapping.kind.returned) => Kind::Return,
        Some(_) if is(&mapping.kind.payment) => Kind::Payment,
        Some(_) => return Err(format!("\"{word}\" is none of the kinds of [kind]")),
        None if return_id.is_some() => Kind::Return,
        None => Kind::Payment,
    };
    let text = record.get(places.amount).unwrap_or_default();
    let cents = mapping.amount.cents(text);
    let cents = cents
        .ok_or_else(|| format!("\"{text}\" is no amount written as {}", mapping.amount.name()))?;
    let direction = match at(places.direction) {
        None if cents < 0 => Direction::Out,
        None => Direction::In,
        Some(word) if mapping.direction.incoming.iter().any(|known| known == word) => Direction::In,
        Some(word) if mapping.direction.outgoing.iter().any(|known| known == word) => {
            Direction::Out
        }
        Some(word) => return Err(format!("\"{word}\" is none of the words of [direction]")),
    };
    if cents == 0 {
        return Err("an amount of nothing".to_owned());
    }
    let text = record.get(places.date).unwrap_or_default();
    let when = mapping.date.read(text).ok_or_else(|| format!("\"{text}\" is no date"))?;
    let (id, returns) = match kind {
        Kind::Payment => (e2e, None),
        Kind::Return => (return_id.or_else(|| e2e.clone()), e2e),
    };
    let external_id = given(places.external_id).or_else(|| given(places.txid));
    if id.is_none() && external_id.is_none() {
        return Err("it has no id".to_owned());
    }
    let cents = cents.abs();
    Ok(Some(Line { number, id, returns, external_id, direction, kind, cents, when }))
}
