//! Amounts of money as providers write them, read exactly.

/// How an amount is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `1.234,56`: groups of three by points, centavos behind a comma.
    Comma,
    /// `1234.56`, or `1,234.56`.
    Point,
    /// `123456`: whole centavos.
    Cents,
}

/// The signs that stand for a minus: ASCII's, Unicode's, and the dashes that are typed for it.
const MINUSES: [char; 4] = ['-', '\u{2212}', '\u{2013}', '\u{2010}'];

impl Format {
    /// The format of this example.
    pub fn from_example(name: &str) -> Option<Self> {
        match name {
            "1.234,56" => Some(Self::Comma),
            "1234.56" => Some(Self::Point),
            "cents" => Some(Self::Cents),
            _ => None,
        }
    }

    /// The format as it is named.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comma => "1.234,56",
            Self::Point => "1234.56",
            Self::Cents => "cents",
        }
    }

    /// Centavos, with their sign; `None` for whatever is not written so, is of another currency, or
    /// has a fraction of one. A sign may stand before or behind; `R$` and `BRL` may stand with it.
    pub fn cents(self, text: &str) -> Option<i64> {
        let (negative, text) = strip_sign(text)?;
        let (group, point) = match self {
            Self::Comma => ('.', Some(',')),
            Self::Point => (',', Some('.')),
            Self::Cents => ('\0', None),
        };
        let (whole, fraction) = match point.and_then(|point| text.split_once(point)) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let whole = digits(&ungroup(whole, group)?)?;
        let cents = match (point, fraction) {
            (None, _) => whole,
            (Some(_), None) => whole.checked_mul(100)?,
            (Some(_), Some(fraction)) => {
                whole.checked_mul(100)?.checked_add(centavos(fraction)?)?
            }
        };
        Some(if negative { -cents } else { cents })
    }
}

/// The digits of an amount, and whether it is below zero.
fn strip_sign(text: &str) -> Option<(bool, &str)> {
    let mut text = text.trim();
    let (mut negative, mut signs, mut currencies) = (false, 0, 0);
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (negative, signs, text) = (true, 1, inner.trim());
    }
    loop {
        let before = text;
        if let Some(rest) = text.strip_prefix(MINUSES).or_else(|| text.strip_suffix(MINUSES)) {
            (negative, signs, text) = (true, signs + 1, rest);
        } else if let Some(rest) = text.strip_prefix('+').or_else(|| text.strip_suffix('+')) {
            (signs, text) = (signs + 1, rest);
        } else if let Some((is_debit, rest)) = side(text) {
            (negative, signs, text) = (is_debit, signs + 1, rest);
        } else if let Some(rest) = ["R$", "BRL"]
            .iter()
            .find_map(|name| text.strip_prefix(*name).or_else(|| text.strip_suffix(*name)))
        {
            (currencies, text) = (currencies + 1, rest);
        }
        text = text.trim();
        if text == before {
            break;
        }
    }
    (signs <= 1 && currencies <= 1).then_some((negative, text))
}

/// The amount before the side that stands behind it, `50,00 D` or `50,00 C`; whether it is a debit.
fn side(text: &str) -> Option<(bool, &str)> {
    let debit = text.strip_suffix('D');
    let rest = debit.or_else(|| text.strip_suffix('C'))?;
    rest.ends_with(char::is_whitespace).then_some((debit.is_some(), rest))
}

/// The centavos of a fraction: two places, or one; more of them say nothing more: zeros.
fn centavos(fraction: &str) -> Option<i64> {
    let value = |digit: u8| digit.is_ascii_digit().then(|| i64::from(digit - b'0'));
    match fraction.as_bytes() {
        [tenths] => Some(value(*tenths)? * 10),
        [tenths, cents, rest @ ..] if rest.iter().all(|digit| *digit == b'0') => {
            Some(value(*tenths)? * 10 + value(*cents)?)
        }
        _ => None,
    }
}

/// Digits without the signs between groups of three; `None` where groups are not of three.
fn ungroup(text: &str, group: char) -> Option<String> {
    let mut parts = text.split(group);
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let grouped = rest.iter().all(|part| part.len() == 3) && (1..=3).contains(&first.len());
    if !rest.is_empty() && !grouped {
        return None;
    }
    Some(format!("{first}{}", rest.concat()))
}

fn digits(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn amounts_are_read_exactly_or_not_at_all() {
        for (format, text, cents) in [
            (Format::Comma, "1.234,56", Some(123_456)),
            (Format::Comma, "-1.234.567,80", Some(-123_456_780)),
            (Format::Comma, "0,05", Some(5)),
            (Format::Comma, "10", Some(1_000)),
            (Format::Comma, "1234,5", Some(123_450)),
            (Format::Comma, "1234.56", None),
            (Format::Comma, "12.34,56", None),
            (Format::Comma, "1,234", None),
            (Format::Comma, "1,0é0", None),
            (Format::Comma, ",50", None),
            (Format::Point, "1234.56", Some(123_456)),
            (Format::Point, "1,234.56", Some(123_456)),
            (Format::Point, "+10.50000", Some(1_050)),
            (Format::Point, "000000000000100.00", Some(10_000)),
            (Format::Point, "100", Some(10_000)),
            (Format::Point, "10.505", None),
            (Format::Point, "1.234,56", None),
            (Format::Point, "R$ 10.00", Some(1_000)),
            (Format::Point, "1e3", None),
            (Format::Point, "10.", None),
            (Format::Cents, "123456", Some(123_456)),
            (Format::Cents, "1.00", None),
            (Format::Cents, "", None),
            (Format::Cents, "99999999999999999999", None),
            (Format::Point, "92233720368547758.08", None),
        ] {
            assert_eq!(format.cents(text), cents, "{} {text}", format.name());
        }
    }

    #[test]
    fn signs_and_currencies_are_read_wherever_banks_put_them() {
        for (text, cents) in [
            ("R$ -300,00", Some(-30_000)),
            ("-R$ 300,00", Some(-30_000)),
            ("R$\u{a0}50,00", Some(5_000)),
            ("\u{a0}\u{2212}60,00", Some(-6_000)),
            ("-\u{a0}60,00", Some(-6_000)),
            ("60,00-", Some(-6_000)),
            ("(60,00)", Some(-6_000)),
            ("60,00 D", Some(-6_000)),
            ("60,00 C", Some(6_000)),
            ("BRL 60,00", Some(6_000)),
            ("60,00 BRL", Some(6_000)),
            ("\u{2013}60,00", Some(-6_000)),
            ("--60,00", None),
            ("-60,00-", None),
            ("-(60,00)", None),
            ("-60,00 D", None),
            ("R$ R$ 60,00", None),
            ("US$ 60,00", None),
            ("$ 60,00", None),
            ("60,00 X", None),
            ("R$", None),
            ("-", None),
        ] {
            assert_eq!(Format::Comma.cents(text), cents, "{text}");
        }
    }

    proptest! {
        /// No amount changes its sign or its digits by the way it is written.
        #[test]
        fn what_is_written_is_what_is_read(cents in -99_999_999_999_i64..99_999_999_999) {
            let (whole, rest) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
            let digits = whole.to_string();
            let grouped: Vec<&str> = digits.as_bytes().rchunks(3).rev()
                .map(|group| std::str::from_utf8(group).unwrap()).collect();
            let minus = if cents < 0 { "-" } else { "" };
            let written = [
                (Format::Comma, format!("{minus}{},{rest:02}", grouped.join("."))),
                (Format::Comma, format!("R$ {minus}{whole},{rest:02}")),
                (Format::Comma, format!("{minus}R$\u{a0}{whole},{rest:02}000")),
                (Format::Point, format!("{minus}{}.{rest:02}", grouped.join(","))),
                (Format::Point, format!("{whole}.{rest:02}{minus}")),
                (Format::Cents, cents.to_string()),
            ];
            for (format, text) in &written {
                prop_assert_eq!(format.cents(text), Some(cents), "{} {}", format.name(), text);
            }
        }
    }
}
