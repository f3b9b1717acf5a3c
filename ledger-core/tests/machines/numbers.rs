//! The numbers of a value as it is encoded, and the value with one of them changed.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

use minicbor::data::Type;
use minicbor::{Decode, Decoder, Encoder};

/// Where a number stands in a value, and what it is.
pub struct Number {
    #[allow(dead_code)] // Who looks at the events of one machine does not ask where.
    pub place: Vec<u64>,
    bytes: Range<usize>,
    pub value: i128,
}

pub fn numbers(encoded: &[u8]) -> Vec<Number> {
    let mut found = Vec::new();
    let mut decoder = Decoder::new(encoded);
    look(&mut decoder, &mut Vec::new(), &mut found);
    assert_eq!(decoder.position(), encoded.len());
    found
}

fn look(decoder: &mut Decoder<'_>, place: &mut Vec<u64>, found: &mut Vec<Number>) {
    let start = decoder.position();
    match decoder.datatype().expect("a value was encoded") {
        Type::Array | Type::Map => {
            let is_map = matches!(decoder.datatype(), Ok(Type::Map));
            let length = if is_map { decoder.map() } else { decoder.array() };
            for index in 0..length.expect("a value was encoded").expect("of known length") {
                let key = if is_map { decoder.u64().expect("fields are numbered") } else { index };
                place.push(key);
                look(decoder, place, found);
                place.pop();
            }
        }
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64 => {
            let value = i128::from(decoder.int().expect("a number"));
            found.push(Number { place: place.clone(), bytes: start..decoder.position(), value });
        }
        _ => decoder.skip().expect("a value was encoded"),
    }
}

/// The value with another number in this place, where that is a value at all.
pub fn with<T>(encoded: &[u8], number: &Number, value: i128) -> Option<T>
where
    T: for<'bytes> Decode<'bytes, ()>,
{
    let mut changed = encoded[..number.bytes.start].to_vec();
    let value = minicbor::data::Int::try_from(value).ok()?;
    Encoder::new(&mut changed).int(value).expect("memory");
    changed.extend(&encoded[number.bytes.end..]);
    minicbor::decode(&changed).ok()
}

/// Returns what a change of `one` into `other` is called: `name`, with the field that it changes
/// where that has a name.
pub fn titled(name: &str, one: &impl Debug, other: &impl Debug) -> String {
    let field = field(one, other);
    if field.is_empty() { name.to_owned() } else { format!("{name}: {field}") }
}

/// The names of the fields that lead to where two values differ.
fn field(one: &impl Debug, other: &impl Debug) -> String {
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let mut above: BTreeMap<usize, &str> = BTreeMap::new();
    for (line, differs) in one.lines().zip(other.lines()) {
        let depth = line.len() - line.trim_start().len();
        above.split_off(&depth);
        above.insert(depth, line.trim());
        if line != differs {
            break;
        }
    }
    let named = above.values().filter_map(|line| Some(line.split_once(": ")?.0));
    named.filter(|name| *name != "event").collect::<Vec<_>>().join(".")
}
