//! Money, instants and numbers as people read them.

use ledger_core::time::Instant;

use super::lang::Lang;

/// A whole number with its thousands apart.
pub(super) fn group_thousands(digits: &str, lang: Lang) -> String {
    let mark = match lang {
        Lang::Pt => '.',
        Lang::En => ',',
    };
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(mark);
        }
        text.push(digit);
    }
    text
}

/// A number of things.
pub(super) fn count(number: u64, lang: Lang) -> String {
    group_thousands(&number.to_string(), lang)
}

/// A decimal number as it stands on the wire, `-1234.50`, with its own number of decimals; below
/// zero with a true minus sign, so that digits stay aligned.
pub(super) fn decimal(text: &str, lang: Lang) -> String {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => ("\u{2212}", text),
        None => ("", text),
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let point = match lang {
        Lang::Pt => ",",
        Lang::En => ".",
    };
    let part = if part.is_empty() { String::new() } else { format!("{point}{part}") };
    format!("{sign}{}{part}", group_thousands(whole, lang))
}

/// Centavos as reais, without their sign: `1.234,50`.
pub(super) fn reais(cents: i128, lang: Lang) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    decimal(&format!("{sign}{}.{:02}", cents / 100, cents % 100), lang)
}

/// Centavos as reais, with their sign: `R$ 1.234,50`.
pub(super) fn brl(cents: i128, lang: Lang) -> String {
    format!("R$\u{a0}{}", reais(cents, lang))
}

/// An instant on the wall clock of Brasília, to the second: `20/11/2026 09:12:00`.
pub(super) fn local(at: Instant, lang: Lang) -> String {
    let text = at.in_brasilia();
    let (date, time) = text.split_once('T').unwrap_or((&text, ""));
    let time = time.get(..8).unwrap_or(time);
    match (lang, date.splitn(3, '-').collect::<Vec<_>>().as_slice()) {
        (Lang::Pt, [year, month, day]) => format!("{day}/{month}/{year} {time}"),
        _ => format!("{date} {time}"),
    }
}

/// How long ago, in the largest whole unit.
pub(super) fn age(since: Instant, now: Instant) -> String {
    let seconds = (now.micros() - since.micros()).max(0) / 1_000_000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_as_its_readers_write_it() {
        assert_eq!(brl(123_456_789, Lang::Pt), "R$\u{a0}1.234.567,89");
        assert_eq!(brl(-5, Lang::En), "R$\u{a0}\u{2212}0.05");
        assert_eq!(decimal("17.444444", Lang::Pt), "17,444444");
        assert_eq!(decimal("1000", Lang::En), "1,000");
        assert_eq!(count(999, Lang::Pt), "999");
    }

    #[test]
    fn an_instant_is_told_in_brasilia() {
        let at = Instant::parse("2026-11-20T02:30:00.25Z").unwrap();
        assert_eq!(local(at, Lang::Pt), "19/11/2026 23:30:00");
        assert_eq!(local(at, Lang::En), "2026-11-19 23:30:00");
        let later = Instant::parse("2026-11-20T05:30:00Z").unwrap();
        assert_eq!((age(at, later), age(later, at)), ("2 h".to_owned(), "0 s".to_owned()));
    }
}
