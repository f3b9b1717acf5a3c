//! How a file's bytes are letters: UTF-8, UTF-16 by its mark, or the Latin letters of Windows.

use crate::line::line_of;

/// What a columns file or an XML declaration says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// ISO-8859-1 and Windows-1252, which has it within.
    Latin1,
}

/// What Windows-1252 has between 0x80 and 0x9F; the rest of it is ISO-8859-1.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The text of a file without its mark; or the line at which it is none of this encoding, and why.
/// Where nothing says the encoding, what is not UTF-8 is taken for Latin letters.
pub fn decode(bytes: &[u8], encoding: Option<Encoding>) -> Result<String, (u64, String)> {
    if let Some(text) = by_mark(bytes)? {
        return Ok(text);
    }
    match (encoding, std::str::from_utf8(bytes)) {
        (Some(Encoding::Latin1), _) | (None, Err(_)) => Ok(latin(bytes)),
        (_, Ok(text)) => Ok(text.to_owned()),
        (Some(Encoding::Utf8), Err(error)) => {
            let what = "this is not UTF-8; encoding = \"latin-1\" may be what it is";
            Err((line_of(bytes, error.valid_up_to()), what.to_owned()))
        }
    }
}

/// The text of an XML file, by its mark, or by the encoding that its declaration names.
pub fn decoded_xml(bytes: &[u8]) -> Result<String, (u64, String)> {
    let declared = bytes.split(|byte| *byte == b'>').next().unwrap_or_default();
    let declared = String::from_utf8_lossy(declared).to_ascii_lowercase();
    let named = |name: &str| declared.starts_with("<?xml") && declared.contains(name);
    let latin = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252"].map(named);
    let encoding = if latin.contains(&true) { Encoding::Latin1 } else { Encoding::Utf8 };
    decode(bytes, Some(encoding)).map_err(|(line, what)| {
        let what = what.split(';').next().unwrap_or_default().to_owned();
        (line, what)
    })
}

/// The text of a file that begins with a byte order mark, or as UTF-16 does without one.
fn by_mark(bytes: &[u8]) -> Result<Option<String>, (u64, String)> {
    let wide = |of: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|pair| of(*pair));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        match text {
            Ok(text) if rest.is_empty() => Ok(Some(text)),
            _ => Err((1, "this is not UTF-16, though it begins so".to_owned())),
        }
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => match std::str::from_utf8(rest) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(error) => {
                let line = line_of(rest, error.valid_up_to());
                Err((line, "this is not UTF-8, though its mark says so".to_owned()))
            }
        },
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [first, 0, ..] if *first != 0 => wide(u16::from_le_bytes, bytes),
        [0, second, ..] if *second != 0 => wide(u16::from_be_bytes, bytes),
        _ => Ok(None),
    }
}

fn latin(bytes: &[u8]) -> String {
    let of = |byte: &u8| match byte {
        0x80..=0x9f => WINDOWS.chars().nth(usize::from(byte - 0x80)).unwrap_or('\u{fffd}'),
        _ => char::from(*byte),
    };
    bytes.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str, of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn letters_are_read_whatever_the_encoding() {
        let text = "Descrição; R$ 5,00 – água\r\n";
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            marked(b"\xef\xbb\xbf", text.as_bytes().to_vec()),
            marked(b"\xff\xfe", wide(text, u16::to_le_bytes)),
            marked(b"\xfe\xff", wide(text, u16::to_be_bytes)),
            wide(text, u16::to_le_bytes),
            wide(text, u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes, None).as_deref(), Ok(text), "{bytes:?}");
        }
        let windows = b"Descri\xe7\xe3o; R$ 5,00 \x96 \xe1gua\r\n";
        assert_eq!(decode(windows, None).as_deref(), Ok(text));
        assert_eq!(decode(windows, Some(Encoding::Latin1)).as_deref(), Ok(text));
        assert_eq!(decode(b"\x80\x9f\xff", None).as_deref(), Ok("€Ÿÿ"));
    }

    #[test]
    fn what_is_of_another_encoding_than_it_says_is_named_by_its_line() {
        let (line, what) = decode(b"a\nb\xe7\n", Some(Encoding::Utf8)).unwrap_err();
        assert_eq!((line, &what[..18]), (2, "this is not UTF-8;"));
        assert_eq!(decode(b"\xef\xbb\xbfa\n\n\xe7", None).unwrap_err().0, 3);
        assert!(decode(b"\xff\xfea\0b", None).is_err(), "half a letter");
        assert!(decode(b"\xff\xfe\x00\xd8", None).is_err(), "half a pair");
        let declared = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe1</a>";
        assert!(decoded_xml(declared).unwrap().ends_with("<a>á</a>"));
        assert_eq!(decoded_xml(b"<a>\n\xe1</a>").unwrap_err(), (2, "this is not UTF-8".into()));
    }
}
