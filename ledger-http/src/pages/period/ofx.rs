//! The statement as OFX 1.0.2: SGML whose elements with a value end with the line.
//!
//! `FITID` is the operation's id and the row's number, so a file of another period that overlaps
//! names the same rows alike. Instants are those of Brasília, `LEDGERBAL` is the balance at the end
//! of the period.

use std::fmt::Write as _;

use ledger_core::time::Instant;

use super::reading::{Line, PeriodStatement};
use crate::pages::lang::Lang;

const HEAD: &str = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\n\
    ENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\
    \r\n";

/// The most letters of an account's id, of a text, and of the institution's name.
const ACCOUNT: usize = 22;
const TEXT: usize = 255;
const INSTITUTION: usize = 32;

/// The bytes of the file, in Windows-1252.
pub(super) fn render(statement: &PeriodStatement) -> Vec<u8> {
    let mut text = HEAD.to_owned();
    let language = match statement.lang {
        Lang::Pt => "POR",
        Lang::En => "ENG",
    };
    let institution = statement.institution.as_deref().unwrap_or("custody-ledger");
    let status = "<STATUS>\r\n<CODE>0\r\n<SEVERITY>INFO\r\n</STATUS>\r\n";
    let server = ofx_timestamp(statement.as_of);
    let mut put = |line: std::fmt::Arguments<'_>| {
        text.write_fmt(line).and_then(|()| text.write_str("\r\n")).expect("a string takes all");
    };
    put(format_args!("<OFX>\r\n<SIGNONMSGSRSV1>\r\n<SONRS>\r\n{status}<DTSERVER>{server}"));
    put(format_args!("<LANGUAGE>{language}"));
    put(format_args!("<FI>\r\n<ORG>{}\r\n</FI>", value(institution, INSTITUTION)));
    put(format_args!("</SONRS>\r\n</SIGNONMSGSRSV1>\r\n<BANKMSGSRSV1>\r\n<STMTTRNRS>"));
    put(format_args!("<TRNUID>0\r\n{status}<STMTRS>\r\n<CURDEF>BRL"));
    put(format_args!("<BANKACCTFROM>\r\n<BANKID>0\r\n<ACCTID>{}", account_id(statement)));
    put(format_args!("<ACCTTYPE>CHECKING\r\n</BANKACCTFROM>\r\n<BANKTRANLIST>"));
    put(format_args!("<DTSTART>{}", ofx_timestamp(statement.span.begins())));
    put(format_args!("<DTEND>{}", ofx_timestamp(statement.until())));
    for line in &statement.lines {
        put(format_args!("<STMTTRN>\r\n<TRNTYPE>{}", kind(line)));
        put(format_args!("<DTPOSTED>{}\r\n<TRNAMT>{}", ofx_timestamp(line.at), line.value));
        put(format_args!("<FITID>{}.{}", line.operation, line.number));
        put(format_args!("<MEMO>{}\r\n</STMTTRN>", value(&line.text, TEXT)));
    }
    put(format_args!("</BANKTRANLIST>\r\n<LEDGERBAL>\r\n<BALAMT>{}", statement.closing()));
    put(format_args!("<DTASOF>{}\r\n</LEDGERBAL>", ofx_timestamp(statement.until())));
    put(format_args!("</STMTRS>\r\n</STMTTRNRS>\r\n</BANKMSGSRSV1>\r\n</OFX>"));
    text.chars().map(byte).collect()
}

fn kind(line: &Line) -> &'static str {
    match (line.value.cents() < 0, line.is_fee) {
        (true, true) => "FEE",
        (true, false) => "DEBIT",
        (false, _) => "CREDIT",
    }
}

/// An instant as OFX has it: `20261120091200.000[-3:BRT]`.
fn ofx_timestamp(at: Instant) -> String {
    let local = at.in_brasilia();
    let digits: String = local.chars().take(19).filter(char::is_ascii_digit).collect();
    let millis = at.micros() / 1_000 % 1_000;
    // Until 2019 there was summer time.
    let zone = if local.ends_with("-02:00") { "-2:BRST" } else { "-3:BRT" };
    format!("{digits}.{millis:03}[{zone}]")
}

/// The account and the customer, or their beginning and a hash where they are too long.
fn account_id(statement: &PeriodStatement) -> String {
    let customer = statement.customer.as_deref();
    let whole = match customer {
        Some(customer) => format!("{}/{customer}", statement.account),
        None => statement.account.clone(),
    };
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if whole.len() <= ACCOUNT && whole.chars().all(plain) {
        return whole;
    }
    let hash = blake3::hash(whole.as_bytes()).to_hex();
    let begins: String = whole.chars().filter(|letter| plain(*letter)).take(ACCOUNT - 9).collect();
    format!("{begins}-{}", &hash[..8])
}

/// A value of an element: one line, its marks escaped, no longer than it may be.
fn value(text: &str, most: usize) -> String {
    let mut value = String::new();
    for letter in text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }) {
        let escaped = match letter {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            _ => "",
        };
        let length = if escaped.is_empty() { 1 } else { escaped.len() };
        if value.chars().count() + length > most {
            break;
        }
        if escaped.is_empty() { value.push(letter) } else { value.push_str(escaped) }
    }
    value.trim().to_owned()
}

/// A letter in Windows-1252, as far as it is the same as in Latin-1.
fn byte(letter: char) -> u8 {
    match u32::from(letter) {
        code @ (0..0x80 | 0xA0..0x100) => u8::try_from(code).expect("it is below 256"),
        _ => b'?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_line_and_closes_nothing() {
        assert_eq!(value("a<b>&\r\nc\u{7}", 255), "a&lt;b&gt;&amp;  c");
        assert_eq!(value("&&&", 9), "&amp;", "half a mark is none");
        assert_eq!("não \u{20ac}".chars().map(byte).collect::<Vec<_>>(), b"n\xe3o ?");
    }

    #[test]
    fn an_instant_has_the_offset_that_brasilia_had() {
        let at = |text| ofx_timestamp(Instant::parse(text).unwrap());
        assert_eq!(at("2026-11-22T02:30:00.25Z"), "20261121233000.250[-3:BRT]");
        assert_eq!(at("2018-12-01T12:00:00Z"), "20181201100000.000[-2:BRST]");
    }
}
