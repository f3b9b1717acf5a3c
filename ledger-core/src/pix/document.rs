//! CPF and CNPJ: check digits and masks.

use std::fmt;

/// Tells whether a CNPJ may contain letters (IN RFB 2.229/2024; rulings 43).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Accepted, in all places but those of the check digits.
    Accepted,
    /// Refused: digits only.
    Refused,
}

/// A CPF (11 digits) or CNPJ (14 characters) whose check digits hold.
///
/// Its `Debug` shows the mask only (AUTH-11).
///
/// ```
/// use ledger_core::pix::{Document, Letters};
///
/// let cpf = Document::parse("52998224725", Letters::Accepted).expect("its check digits hold");
/// assert_eq!(cpf.mask(), "***.982.247-**");
/// assert_eq!(Document::parse("52998224724", Letters::Accepted), None);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Document(Box<str>);

impl Document {
    /// Reads bare characters, no punctuation; `None` when the length, an alphabet or a check digit
    /// is wrong, or when all characters are equal.
    #[must_use]
    pub fn parse(text: &str, letters: Letters) -> Option<Self> {
        let bytes = text.as_bytes();
        let equal = bytes.iter().all(|b| Some(b) == bytes.first());
        let sound = match bytes.len() {
            11 => bytes.iter().all(u8::is_ascii_digit) && checks(bytes, 11),
            14 => {
                let (root, digits) = bytes.split_at(12);
                let alphabet = |b: &u8| match letters {
                    Letters::Accepted => b.is_ascii_digit() || b.is_ascii_uppercase(),
                    Letters::Refused => b.is_ascii_digit(),
                };
                root.iter().all(alphabet)
                    && digits.iter().all(u8::is_ascii_digit)
                    && checks(bytes, 9)
            }
            _ => false,
        };
        (sound && !equal).then(|| Self(text.into()))
    }

    /// The bare characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The document with enough hidden that it cannot be restored (P:MaskFormat).
    #[must_use]
    pub fn mask(&self) -> String {
        let t = &self.0;
        if t.len() == 11 {
            format!("***.{}.{}-**", &t[3..6], &t[6..9])
        } else {
            format!("{}.***.***/****-{}", &t[..2], &t[12..])
        }
    }
}

/// Tells whether the last two characters are the check digits of those before: weights count up
/// from the right, starting again at 2 after `cycle`. A character's value is its ASCII code less
/// 48.
fn checks(bytes: &[u8], cycle: u32) -> bool {
    let body = bytes.len() - 2;
    (0..2).all(|place| {
        let covered = &bytes[..body + place];
        let sum: u32 = covered
            .iter()
            .rev()
            .zip((2..=cycle).cycle())
            .map(|(b, weight)| (u32::from(*b) - 48) * weight)
            .sum();
        let digit = match sum % 11 {
            0 | 1 => 0,
            rest => 11 - rest,
        };
        u32::from(bytes[body + place]) - 48 == digit
    })
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({})", self.mask())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(text: &str) -> bool {
        Document::parse(text, Letters::Accepted).is_some()
    }

    #[test]
    fn published_vectors_pass() {
        for text in [
            "11144477735",
            "52998224725",
            "11222333000181",
            "12345678000195",
            "12ABC34501DE35",
            "00000000000191",
        ] {
            assert!(sound(text), "{text}");
        }
    }

    #[test]
    fn wrong_check_digits_lengths_and_alphabets_are_refused() {
        for text in [
            "11144477734",
            "1114447773",
            "111444777350",
            "11222333000180",
            "12ABC34501DE34",
            "12abc34501de35",
            "12ABC34501DEA5",
            "529.982.247-25",
            "",
            "ééééééé",
        ] {
            assert!(!sound(text), "{text}");
        }
    }

    #[test]
    fn equal_characters_are_refused() {
        assert!(!sound("00000000000"));
        assert!(!sound("11111111111"));
        assert!(!sound("00000000000000"));
    }

    #[test]
    fn letters_are_refused_when_the_switch_is_off() {
        assert!(Document::parse("12ABC34501DE35", Letters::Refused).is_none());
        assert!(Document::parse("11222333000181", Letters::Refused).is_some());
    }

    #[test]
    fn debug_output_shows_the_mask_only() {
        let cpf = Document::parse("52998224725", Letters::Accepted).unwrap();
        assert_eq!(format!("{cpf:?}"), "Document(***.982.247-**)");
    }
}
