//! What values look like that commands bring, by whatever door: the wire's readers and the check
//! of typed commands ask here.

use core::net::Ipv4Addr;

use thiserror::Error;

use crate::money::{Amount, Cents};
use crate::network::address::may_be_wallet;
use crate::pix::EndToEnd;
use crate::template::Unproven;

pub use crate::money::LARGEST_AMOUNT;

/// The name that the house balance goes by where a subaccount may be named (P:CasaReserved).
const HOUSE: &str = "casa";

/// How the ledger's own names of coins that came back begin: reports of them name no transaction.
pub(in crate::ledger) const RETURNED: &str = "returned ";

/// What is wrong with a value; a sentence that begins with the field's name.
///
/// ```
/// use ledger_core::ledger::Malformed;
///
/// assert_eq!(Malformed::customer("ana"), Ok(()));
/// assert_eq!(Malformed::customer("casa"), Err(Malformed::House));
/// assert_eq!(Malformed::external_id(""), Err(Malformed::Empty));
/// assert_eq!(Malformed::Empty.to_string(), "must not be empty");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// It must be given and is not.
    #[error("is required")]
    Missing,
    /// It is a text without a character.
    #[error("must not be empty")]
    Empty,
    /// It has more characters than this.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// It holds a NUL, a line break, or another control character.
    #[error("must not contain control characters")]
    ControlCharacter,
    /// It is supplied, and has no byte or more than this.
    #[error("must be a string of 1 to {0} bytes")]
    Supplied(usize),
    /// It is the name of the house, which is meant by leaving the field out.
    #[error("\"casa\" names the house balance; omit the field instead")]
    House,
    /// It looks like another name: it begins or ends with a blank, or holds what nobody sees.
    #[error("must not begin or end with a blank, or hold characters that are not seen")]
    LookAlike,
    /// It is no name of a transaction or a wallet.
    #[error("must be printable ASCII without blanks")]
    Reference,
    /// It is no end-to-end id or return id.
    #[error("must be 32 letters and digits")]
    EndToEnd,
    /// It is no plain word.
    #[error("must be 1 to 64 lower-case letters, digits and _")]
    Word,
    /// It is no name that a product may give an account.
    #[error(
        "must be at most 64 lower-case letters, digits, _ and points, and begin with no word of the \
         chart of accounts"
    )]
    AccountName,
    /// It is no name that a product may give a unit.
    #[error("must be 1 to 16 lower-case letters and digits, and name no money and no coin of ours")]
    UnitName,
    /// It is no list of legs.
    #[error("must be 2 to {0} legs")]
    EntryLegs(usize),
    /// A leg is of the account of another.
    #[error("must be legs of different accounts")]
    LegTwice,
    /// Its debits are other than its credits.
    #[error("must balance: debits are {debits} centavos, credits {credits}")]
    Unbalanced {
        /// The sum of its debits, in centavos.
        debits: i128,
        /// The sum of its credits, in centavos.
        credits: i128,
    },
    /// It is no wallet on Polygon.
    #[error("must be a wallet on Polygon")]
    Wallet,
    /// It is nowhere that webhooks may go.
    #[error("must be an https:// address, without user or fragment")]
    Webhook,
    /// It is a token, and nobody said what it stands for.
    #[error("is a token whose value is not known: learn it first")]
    Unlearned,
    /// It is no list of 1 to 100 legs.
    #[error("must be a list of 1 to 100 objects")]
    Legs,
    /// It is a template that is not proven to balance.
    #[error("cannot be adopted: {0}")]
    Template(Unproven),
    /// It is more than one request or fact may name.
    #[error("must be a JSON integer of centavos, from 1 to {LARGEST_AMOUNT}")]
    Amount,
}

impl Malformed {
    /// Checks text of 1 to `most` characters, none of them a control character (P:CharCount).
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn text(text: &str, most: usize) -> Result<(), Self> {
        if text.is_empty() {
            return Err(Self::Empty);
        }
        // Almost every text is this, and needs no second look.
        if text.len() <= most && is_plain(text.as_bytes()) {
            return Ok(());
        }
        if text.chars().count() > most {
            return Err(Self::TooLong(most));
        }
        if text.chars().any(char::is_control) { Err(Self::ControlCharacter) } else { Ok(()) }
    }

    /// Checks what a network names a transaction or a wallet by: printable ASCII without a blank,
    /// so that it has no other spelling than its network's (P:LookAlikes).
    ///
    /// # Errors
    ///
    /// As [`Malformed::text`], and for any other character; the ledger's own names of coins that
    /// came back have one blank.
    pub fn reference(text: &str, most: usize) -> Result<(), Self> {
        Self::text(text, most)?;
        let name = text.strip_prefix(RETURNED).unwrap_or(text);
        let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic());
        if plain { Ok(()) } else { Err(Self::Reference) }
    }

    /// Checks an address that a provider supplies: 1 to `most` bytes, as
    /// [`Malformed::reference`] has them.
    ///
    /// # Errors
    ///
    /// When it is anything else.
    pub fn provider_address(text: &str, most: usize) -> Result<(), Self> {
        Self::provider_text(text, most)?;
        Self::reference(text, most)
    }

    /// Checks a subaccount's name: 1 to 80 characters, and never `casa` (P:CasaReserved).
    ///
    /// # Errors
    ///
    /// As [`Malformed::text`], and for `casa`.
    pub fn customer(name: &str) -> Result<(), Self> {
        Self::text(name, 80)?;
        if name == HOUSE { Err(Self::House) } else { Ok(()) }
    }

    /// Checks the name of a subaccount that is not known yet: as [`Malformed::customer`], and that
    /// it does not pass for another name (P:LookAlikes).
    ///
    /// # Errors
    ///
    /// As [`Malformed::customer`], and for blanks at its ends, blanks other than a plain one, and
    /// characters that nobody sees.
    pub fn new_customer(name: &str) -> Result<(), Self> {
        Self::customer(name)?;
        Self::look_alike(name)
    }

    /// The same of a name alone, whatever else may be wrong with it.
    pub(in crate::ledger) fn look_alike(name: &str) -> Result<(), Self> {
        let blank = |c: char| c.is_whitespace() && c != ' ' && !c.is_control();
        let hidden = name.chars().any(|c| blank(c) || is_unseen(c));
        let parted = name.starts_with(' ') || name.ends_with(' ');
        if hidden || parted { Err(Self::LookAlike) } else { Ok(()) }
    }

    /// Checks an account's own id: 1 to 64 characters (LIM-19).
    ///
    /// # Errors
    ///
    /// As [`Malformed::text`].
    pub fn external_id(id: &str) -> Result<(), Self> {
        Self::text(id, 64)
    }

    /// Checks an end-to-end id or return id: 32 letters and digits.
    ///
    /// # Errors
    ///
    /// As [`Malformed::text`], and for anything else.
    pub fn end_to_end(id: &str) -> Result<(), Self> {
        Self::text(id, 64)?;
        EndToEnd::parse(id).map(drop).ok_or(Self::EndToEnd)
    }

    /// Checks the wallet that an agent is settled to, which is on Polygon.
    ///
    /// # Errors
    ///
    /// As [`Malformed::text`], and for anything else (rulings 65).
    pub fn settlement(address: &str) -> Result<(), Self> {
        Self::text(address, 128)?;
        if may_be_wallet("polygon", address) { Ok(()) } else { Err(Self::Wallet) }
    }

    /// Checks what a provider supplies: 1 to `most` bytes of whatever it uses.
    ///
    /// # Errors
    ///
    /// When it is empty or longer.
    pub fn provider_text(text: &str, most: usize) -> Result<(), Self> {
        if (1..=most).contains(&text.len()) { Ok(()) } else { Err(Self::Supplied(most)) }
    }

    /// Checks a plain word: what an agent can do, or a service's own word for a reservation.
    ///
    /// # Errors
    ///
    /// When it is anything but 1 to 64 lower-case letters, digits and `_`.
    pub fn word(name: &str) -> Result<(), Self> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        let sound = (1..=64).contains(&name.len()) && name.bytes().all(plain);
        if sound { Ok(()) } else { Err(Self::Word) }
    }

    /// Checks an address that webhooks may go to: https, a host, no user, no fragment (KEY-18).
    ///
    /// # Errors
    ///
    /// When it is anything else.
    pub fn webhook(text: &str) -> Result<(), Self> {
        let rest = text.strip_prefix("https://").ok_or(Self::Webhook)?;
        let plain = text.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}#".contains(&b));
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host_name, port) = rest[..end].split_once(':').unwrap_or((&rest[..end], "443"));
        let digits = port.bytes().all(|b| b.is_ascii_digit());
        let port = digits && port.parse::<u16>().is_ok_and(|port| port > 0);
        let host = host_name.len() <= 253 && host_name.split('.').all(Self::is_host_label);
        let public = is_public_host(host_name);
        let fits = text.len() <= 2_048 && plain && port && host && public;
        if fits { Ok(()) } else { Err(Self::Webhook) }
    }

    /// Checks centavos that may be none.
    ///
    /// # Errors
    ///
    /// When they are more than [`LARGEST_AMOUNT`].
    pub fn cents(cents: Cents) -> Result<(), Self> {
        if cents.cents() <= LARGEST_AMOUNT { Ok(()) } else { Err(Self::Amount) }
    }

    /// Checks an amount: it is above zero by its type, and bounded here.
    ///
    /// # Errors
    ///
    /// When it is more than [`LARGEST_AMOUNT`].
    pub fn amount(amount: Amount) -> Result<(), Self> {
        if amount.cents() <= LARGEST_AMOUNT { Ok(()) } else { Err(Self::Amount) }
    }

    /// Tells whether text may stand between the dots of a host's name.
    pub(crate) fn is_host_label(label: &str) -> bool {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let edges = !label.starts_with('-') && !label.ends_with('-');
        (1..=63).contains(&label.len()) && label.bytes().all(plain) && edges
    }
}

/// Tells whether a host may be one of the internet: a name that is not this machine's, or an
/// address of IPv4 in its usual form that is neither private nor reserved. Clients of HTTP read a
/// host whose last label is a number as an address in whatever form it is written.
fn is_public_host(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let last = host.rsplit('.').next().unwrap_or_default();
    let digits = last.strip_prefix("0x").unwrap_or(last);
    let number = last.bytes().all(|b| b.is_ascii_digit())
        || digits != last && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if number {
        return host.parse().is_ok_and(is_public_address);
    }
    !matches!(last, "localhost" | "local" | "internal" | "localdomain")
}

/// Tells whether an address of IPv4 is one of the whole internet, by the registry of special
/// purposes.
fn is_public_address(address: Ipv4Addr) -> bool {
    let special = |of: [u8; 4], bits: u32| {
        let network = u32::from(Ipv4Addr::from(of));
        (u32::from(address) ^ network) >> (32 - bits) == 0
    };
    let shared = special([100, 64, 0, 0], 10) || special([198, 18, 0, 0], 15);
    let assigned = special([0, 0, 0, 0], 8) || special([192, 0, 0, 0], 24);
    let relays = special([192, 88, 99, 0], 24) || special([240, 0, 0, 0], 4);
    let local = address.is_private() || address.is_loopback() || address.is_link_local();
    let unusable = address.is_multicast() || address.is_documentation();
    !(shared || assigned || relays || local || unusable)
}

/// Tells whether nobody sees it: soft hyphens, fillers, joiners, marks of direction, selectors,
/// tags and byte order marks (Unicode's `Default_Ignorable_Code_Point`), and a blank of Braille.
const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Tells whether every byte is printable ASCII: eight are looked at at once, as every transfer
/// brings three texts.
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // The top bit of a byte is set where it is below a space, above `~`, or beside such a byte.
    let unusual = |eight: &[u8; 8]| {
        let word = u64::from_ne_bytes(*eight);
        let below = word.wrapping_sub(ONES * 0x20) & !word;
        (below | word | word.wrapping_add(ONES)) & TOPS != 0
    };
    let Some(last) = bytes.last_chunk() else {
        return bytes.iter().all(|b| matches!(b, b' '..=b'~'));
    };
    !unusual(last) && !bytes.as_chunks().0.iter().any(unusual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_byte_is_plain_by_itself_whatever_stands_beside_it(
            bytes in prop::collection::vec(prop_oneof![8 => 0x1e..0x81_u8, 1 => any::<u8>()], 0..40),
        ) {
            let plain = bytes.iter().all(|b| matches!(b, b' '..=b'~'));
            prop_assert_eq!(is_plain(&bytes), plain);
        }
    }

    #[test]
    fn one_unusual_byte_is_found_in_every_place() {
        for unusual in [0, 0x1f, 0x7f, 0x80, 0xff] {
            for length in 1..30 {
                for place in 0..length {
                    let mut bytes = vec![b'~'; length];
                    assert!(is_plain(&bytes), "{length}");
                    bytes[place] = unusual;
                    assert!(!is_plain(&bytes), "{unusual} at {place} of {length}");
                }
            }
        }
    }
}
