//! The value of a template's expression, as the oracle computes it: it splits the text at its
//! weakest operator, and builds nothing of it.

/// Where the numbers behind names come from.
type Values<'a> = &'a dyn Fn(&str) -> Option<i128>;

type Compare = fn(i128, i128) -> bool;

/// The value of an expression; none where it is not one.
pub(super) fn value(text: &str, values: Values<'_>) -> Option<i128> {
    let text = text.trim();
    for operators in ["+-", "*"] {
        if let Some((left, operator, right)) = split_last(text, operators) {
            let (left, right) = (value(left, values)?, value(right, values)?);
            return Some(match operator {
                '+' => left + right,
                '-' => left - right,
                _ => left * right,
            });
        }
    }
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let Some((word, inside)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return values(text);
    };
    let two = |separator| {
        let (left, _, right) = split_last(inside, separator)?;
        Some((value(left, values)?, value(right, values)?))
    };
    Some(match word {
        "" => value(inside, values)?,
        "min" => two(",").map(|(a, b)| if a < b { a } else { b })?,
        "max" => two(",").map(|(a, b)| if a < b { b } else { a })?,
        rounding => {
            let (over, by) = two("/")?;
            let rest = ((over % by) + by) % by;
            let below = (over - rest) / by;
            let nearest_is_above = 2 * rest > by || (2 * rest == by && below % 2 != 0);
            let goes_up = match rounding {
                "down" => false,
                "up" => rest != 0,
                _ => nearest_is_above,
            };
            below + i128::from(goes_up)
        }
    })
}

/// Tells whether a comparison holds; none where it is not one.
pub(super) fn holds(text: &str, values: Values<'_>) -> Option<bool> {
    let signs: [(&str, Compare); 5] = [
        ("<=", |a, b| a <= b),
        (">=", |a, b| a >= b),
        ("<", |a, b| a < b),
        (">", |a, b| a > b),
        ("=", |a, b| a == b),
    ];
    signs.into_iter().find_map(|(sign, compare)| {
        let (left, right) = text.split_once(sign)?;
        Some(compare(value(left, values)?, value(right, values)?))
    })
}

/// The text around the last of these operators that stands in no parentheses.
fn split_last<'a>(text: &'a str, operators: &str) -> Option<(&'a str, char, &'a str)> {
    let mut depth = 0;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            letter if depth == 0 && operators.contains(letter) => {
                return Some((&text[..at], letter, &text[at + 1..]));
            }
            _ => {}
        }
    }
    None
}
