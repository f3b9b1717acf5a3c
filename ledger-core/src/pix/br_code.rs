//! BR Codes (Copia e Cola): a PIX to be paid, as text of tags, lengths and values.
//!
//! ```text
//! 0002 01 | 26.. 00 br.gov.bcb.pix, 01 key or 25 URL | 52.. | 5303 986 | 54.. | ... | 6304 CRC
//! ```
//!
//! Lengths count bytes. Text is refused in this order: size, frame, checksum, then what it says.

use std::fmt;

use super::document::Letters;
pub use super::frame::BrCodeError;
use super::frame::LONGEST;
use super::frame::{Field, field, required_value, split};
use super::key::{KeyType, PixKey};
use crate::money::Amount;

/// The sum at the end of a code: polynomial 1021, beginning with FFFF.
const CHECKSUM: crc::Crc<u16> = crc::Crc::<u16>::new(&crc::CRC_16_IBM_3740);

/// A code that was read, and the code itself.
///
/// It names people and what they pay: its `Debug` shows the masked key and no more (AUTH-11).
///
/// ```
/// use ledger_core::pix::{BrCode, BrCodeError, Reuse};
///
/// let text = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
///             5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
/// let code = BrCode::parse(text)?;
/// assert_eq!((code.merchant(), code.reuse()), ("Fulano de Tal", Reuse::Again));
/// assert_eq!(code.amount(), None); // Whoever pays says how much.
///
/// let mistyped = text.replace("Fulano", "Fulana");
/// assert_eq!(BrCode::parse(&mistyped), Err(BrCodeError::Checksum));
/// # Ok::<(), BrCodeError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BrCode {
    text: Box<str>,
    payee: Payee,
    reuse: Reuse,
    amount: Option<Amount>,
    merchant: Box<str>,
    city: Box<str>,
    txid: Option<Box<str>>,
}

/// Where the PIX goes.
#[derive(Clone, PartialEq, Eq)]
pub enum Payee {
    /// To a key: a static code.
    Key(PixKey),
    /// To what the provider behind this address says, and for as much: a dynamic code.
    /// The address has no scheme.
    Url(Box<str>),
}

/// How often a code may be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Once: tag 01 says `12`.
    Once,
    /// Any number of times; also what a code means that does not say.
    Again,
}

impl BrCode {
    /// Reads a code.
    ///
    /// # Errors
    ///
    /// [`BrCodeError`]: the first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, BrCodeError> {
        if text.len() > LONGEST {
            return Err(BrCodeError::TooLong { bytes: text.len() });
        }
        let fields = split(text, 0)?;
        verify_checksum(text, &fields)?;
        if fields.first().map(|first| (first.tag, first.value)) != Some((0, "01")) {
            return Err(BrCodeError::Unfit { tag: 0 });
        }
        let (tag, account) = pix_account(&fields)?;
        let payee = payee(tag, &account)?;
        let category = required_value(&fields, 52)?;
        fit(52, category.len() == 4 && category.bytes().all(|b| b.is_ascii_digit()))?;
        fit(53, required_value(&fields, 53)? == "986")?;
        fit(58, required_value(&fields, 58)? == "BR")?;
        Ok(Self {
            reuse: reuse(&fields)?,
            amount: field(&fields, 54).map(amount).transpose()?.flatten(),
            merchant: required_name(&fields, 59)?,
            city: required_name(&fields, 60)?,
            txid: txid(&fields, &payee)?,
            payee,
            text: text.into(),
        })
    }

    /// The code as it was given: what is handed to whoever pays it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where the PIX goes.
    #[must_use]
    pub const fn payee(&self) -> &Payee {
        &self.payee
    }

    /// How often it may be paid.
    #[must_use]
    pub const fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// Returns what is to be paid, where the code says so: one of zero reais says nothing, and
    /// whoever pays says how much. In a dynamic code what stands behind the URL prevails.
    #[must_use]
    pub const fn amount(&self) -> Option<Amount> {
        self.amount
    }

    /// The name of the merchant, as the code gives it (tag 59; COUT-25).
    #[must_use]
    pub fn merchant(&self) -> &str {
        &self.merchant
    }

    /// The merchant's city, as the code gives it (tag 60).
    #[must_use]
    pub fn city(&self) -> &str {
        &self.city
    }

    /// The transaction id, unless the code says that there is none (`***`, or no word of it).
    #[must_use]
    pub fn txid(&self) -> Option<&str> {
        self.txid.as_deref()
    }
}

/// The address of a dynamic code as it is compared (rulings 66): without scheme, query and
/// fragment, the host in lower case, and nothing percent-encoded that need not be.
///
/// ```
/// use ledger_core::pix::location;
///
/// let address = "pix.example.com/cob/8b3d";
/// assert_eq!(location("pix.example.com/cob/8b3d?valor=10"), address);
/// assert_eq!(location("HTTPS://Pix.Example.com:443/cob/%38b3d#x"), address);
/// assert_ne!(location("pix.example.com/COB/8b3d"), address);
/// ```
#[must_use]
pub fn location(url: &str) -> String {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| {
        url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let rest = &url[scheme.map_or(0, str::len)..];
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix(":443").or(host.strip_suffix(":80")).unwrap_or(&host);
    let (host, path) = (host.trim_end_matches('.'), unescape(path));
    let path = path.trim_end_matches('/');
    if path.is_empty() { host.to_owned() } else { format!("{host}/{path}") }
}

/// A path whose letters, digits and `-._~` are not percent-encoded.
fn unescape(path: &str) -> String {
    let mut parts = path.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.map(char::from) {
            Some(plain) if plain.is_ascii_alphanumeric() || "-._~".contains(plain) => {
                text.push(plain);
                text.push_str(&part[2..]);
            }
            Some(_) => {
                text.push('%');
                text.push_str(&part[..2].to_ascii_uppercase());
                text.push_str(&part[2..]);
            }
            None => {
                text.push('%');
                text.push_str(part);
            }
        }
    }
    text
}

/// That the last field, and no other, is the checksum of all that stands before its value.
fn verify_checksum(text: &str, fields: &[Field<'_>]) -> Result<(), BrCodeError> {
    let at = fields.iter().position(|field| field.tag == 63);
    match at {
        None => Err(BrCodeError::Missing { tag: 63 }),
        Some(at) if at + 1 < fields.len() => Err(BrCodeError::NotLast),
        Some(at) => {
            let given = fields[at].value;
            let summed = CHECKSUM.checksum(&text.as_bytes()[..text.len() - given.len()]);
            let right = given.eq_ignore_ascii_case(&format!("{summed:04X}"));
            if right { Ok(()) } else { Err(BrCodeError::Checksum) }
        }
    }
}

/// The one merchant account of PIX, with its tag. Others may stand beside it.
fn pix_account<'a>(fields: &[Field<'a>]) -> Result<(u8, Vec<Field<'a>>), BrCodeError> {
    let mut found = None;
    for account in fields.iter().filter(|field| (26..=51).contains(&field.tag)) {
        let inside = split(account.value, account.at)?;
        let of_pix = field(&inside, 0).is_some_and(|id| id.eq_ignore_ascii_case("br.gov.bcb.pix"));
        if of_pix && found.replace((account.tag, inside)).is_some() {
            return Err(BrCodeError::TwoPayees);
        }
    }
    found.ok_or(BrCodeError::NotPix)
}

fn payee(tag: u8, account: &[Field<'_>]) -> Result<Payee, BrCodeError> {
    match (field(account, 1), field(account, 25)) {
        (Some(key), None) => {
            // A code bears its key in canonical form, where a phone begins with `+`: eleven digits
            // that would be ambiguous elsewhere are a CPF here. One of more than 77 bytes finds no
            // room.
            let bare = key.len() == 11 && key.bytes().all(|b| b.is_ascii_digit());
            let declared = bare.then_some(KeyType::Cpf);
            // In old printed codes a blank stands for the `@` of an e-mail.
            let printed = (!key.contains('@')).then(|| key.replacen(' ', "@", 1));
            let key = printed.as_deref().unwrap_or(key);
            let key = PixKey::parse(key, declared, Letters::Accepted);
            key.map(Payee::Key).map_err(|_| BrCodeError::Unfit { tag })
        }
        (None, Some(url)) => {
            fit(tag, !url.is_empty() && url.bytes().all(|b| b.is_ascii_graphic()))?;
            Ok(Payee::Url(url.into()))
        }
        (Some(_), Some(_)) => Err(BrCodeError::TwoPayees),
        (None, None) => Err(BrCodeError::Unfit { tag }),
    }
}

fn reuse(fields: &[Field<'_>]) -> Result<Reuse, BrCodeError> {
    match field(fields, 1) {
        None | Some("11") => Ok(Reuse::Again),
        Some("12") => Ok(Reuse::Once),
        Some(_) => Err(BrCodeError::Unfit { tag: 1 }),
    }
}

/// Reais with at most two decimals, 13 characters in all; `10.` is ten. Banks write a code of zero
/// reais where they mean one that is open (`0`, `0.00`), so that is no amount.
fn amount(text: &str) -> Result<Option<Amount>, BrCodeError> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let reais = !whole.is_empty() && digits(whole) && decimals.len() <= 2 && digits(decimals);
    fit(54, text.len() <= 13 && reais)?;
    // Twelve digits and two decimals can be counted.
    let cents = format!("{whole}{decimals:0<2}").parse().ok();
    cents.map(Amount::new).ok_or(BrCodeError::Unfit { tag: 54 })
}

fn required_name(fields: &[Field<'_>], tag: u8) -> Result<Box<str>, BrCodeError> {
    let name = required_value(fields, tag)?;
    fit(tag, !name.trim().is_empty() && !name.chars().any(char::is_control))?;
    Ok(name.into())
}

/// The id in tag 62: at most 25 characters in a static code and 35 in a dynamic one. The central
/// bank's own example has a hyphen in it, so more than letters and digits may stand there.
fn txid(fields: &[Field<'_>], payee: &Payee) -> Result<Option<Box<str>>, BrCodeError> {
    let Some(template) = fields.iter().find(|field| field.tag == 62) else { return Ok(None) };
    let inside = split(template.value, template.at)?;
    let longest = match payee {
        Payee::Key(_) => 25,
        Payee::Url(_) => 35,
    };
    match field(&inside, 5) {
        None | Some("***") => Ok(None),
        Some(id) => {
            let plain = id.bytes().all(|b| b.is_ascii_graphic());
            fit(62, (1..=longest).contains(&id.len()) && plain)?;
            Ok(Some(id.into()))
        }
    }
}

fn fit(tag: u8, fits: bool) -> Result<(), BrCodeError> {
    if fits { Ok(()) } else { Err(BrCodeError::Unfit { tag }) }
}

impl fmt::Debug for BrCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { payee, reuse, amount, .. } = self;
        write!(f, "BrCode({payee:?}, {reuse:?}, {amount:?})")
    }
}

impl fmt::Debug for Payee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => key.fmt(f),
            Self::Url(_) => f.write_str("Url(***)"),
        }
    }
}
