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

impl Format {
    /// The format of this example.
    pub fn named(name: &str) -> Option<Self> {
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

    /// Centavos, with their sign; `None` for whatever is not written so, or has a fraction of one.
    pub fn cents(self, text: &str) -> Option<i64> {
        let text = text.trim();
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (group, point) = match self {
            Self::Comma => ('.', Some(',')),
            Self::Point => (',', Some('.')),
            Self::Cents => ('\0', None),
        };
        let (whole, fraction) = match point.and_then(|point| text.split_once(point)) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let whole = digits(&ungrouped(whole, group)?)?;
        let cents = match (point, fraction) {
            (None, _) => whole,
            (Some(_), None) => whole.checked_mul(100)?,
            (Some(_), Some(fraction)) => {
                let kept = match fraction.len() {
                    1 => digits(fraction)? * 10,
                    2 => digits(fraction)?,
                    // More places say nothing more: zeros.
                    3..=5 if fraction[2..].bytes().all(|byte| byte == b'0') => {
                        digits(fraction.get(..2)?)?
                    }
                    _ => return None,
                };
                whole.checked_mul(100)?.checked_add(kept)?
            }
        };
        Some(if negative { -cents } else { cents })
    }
}

/// Digits without the signs between groups of three; `None` where groups are not of three.
fn ungrouped(text: &str, group: char) -> Option<String> {
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
            (Format::Comma, ",50", None),
            (Format::Point, "1234.56", Some(123_456)),
            (Format::Point, "1,234.56", Some(123_456)),
            (Format::Point, "+10.50000", Some(1_050)),
            (Format::Point, "10.505", None),
            (Format::Point, "1.234,56", None),
            (Format::Point, "R$ 10.00", None),
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
}
