//! Templates of entries: what is read, what is proven, and that what is proven holds (P:Templates).

use ledger_core::accounting::Side;
use ledger_core::template::{
    AmountParameter, Inapplicable, Program, Template, TemplateLeg, Unproven, Unreadable,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A template of these amounts and legs, each of an account of its own.
pub fn template(amounts: &[(&str, i64, i64)], legs: &[(Side, &str)]) -> Template {
    let amount = |(name, from, to): &(&str, i64, i64)| AmountParameter {
        name: (*name).into(),
        from: from.cast_unsigned(),
        to: to.cast_unsigned(),
    };
    let leg = |(place, (side, amount)): (usize, &(Side, &str))| TemplateLeg {
        account: format!("conta{place}").into(),
        holder: None,
        side: *side,
        amount: (*amount).into(),
    };
    Template {
        name: "venda".into(),
        amounts: amounts.iter().map(amount).collect(),
        holders: Vec::new(),
        legs: legs.iter().enumerate().map(leg).collect(),
        conditions: Vec::new(),
    }
}

fn proven(template: &Template) -> Result<Program, Unproven> {
    let program = Program::read(template)?;
    program.prove().map(|()| program)
}

/// A sale of up to a million reais, whose fee is up to the whole, and what the seller has of it.
fn sale(fee: &str) -> Template {
    let amounts = [("valor", 1, 100_000_000), ("taxa", 0, 10_000)];
    template(&amounts, &[(Side::Debit, "valor"), (Side::Credit, fee), (Side::Credit, "rest")])
}

#[test]
fn a_fee_within_the_amount_is_proven_however_it_is_rounded() {
    for fee in [
        "down(valor * taxa / 10000)",
        "up(valor * taxa / 10000)",
        "half_even(valor * taxa / 10000)",
        "min(up(valor * taxa / 10000), 500)",
        "min(valor, max(up(valor * taxa / 10000), 500))",
        "valor - down(valor * (10000 - taxa) / 10000)",
    ] {
        assert!(proven(&sale(fee)).is_ok(), "{fee}");
    }
}

#[test]
fn a_leg_that_may_fall_below_zero_is_named() {
    for (fee, leg) in [
        ("up(valor * taxa / 10000) + 1", 2),
        ("max(up(valor * taxa / 10000), 500)", 2),
        ("down(valor * taxa / 9999)", 2),
        ("down((valor - 2) / 3)", 1),
    ] {
        assert_eq!(proven(&sale(fee)), Err(Unproven::BelowZero { leg }), "{fee}");
    }
}

#[test]
fn legs_without_a_rest_balance_where_their_sums_are_the_same() {
    let amounts = [("valor", 1, 1_000)];
    let legs =
        |rest| [(Side::Debit, "valor"), (Side::Credit, "down(valor / 3)"), (Side::Credit, rest)];
    assert!(proven(&template(&amounts, &legs("valor - down(valor / 3)"))).is_ok());
    let uneven = template(&amounts, &legs("valor - up(valor / 3)"));
    assert_eq!(proven(&uneven), Err(Unproven::Unbalanced));
    let rests = template(&amounts, &[(Side::Debit, "rest"), (Side::Credit, "rest")]);
    assert_eq!(proven(&rests), Err(Unproven::Rests { leg: 1 }));
}

#[test]
fn what_leaves_the_largest_amount_or_the_machine_is_refused() {
    let largest = 100_000_000_000_000;
    let legs = |amount| [(Side::Debit, amount), (Side::Credit, "rest")];
    let twice = template(&[("valor", 0, largest)], &legs("valor + valor"));
    assert_eq!(proven(&twice), Err(Unproven::TooLarge { leg: 0 }));
    let powers = template(&[("valor", 0, largest)], &legs("valor * valor * valor * valor"));
    assert_eq!(proven(&powers), Err(Unproven::Overflow));
    let ranged = |from, to| proven(&template(&[("valor", from, to)], &legs("valor")));
    assert!(ranged(0, largest).is_ok());
    for (from, to) in [(-1, 5), (6, 5), (0, largest + 1)] {
        assert_eq!(ranged(from, to), Err(Unproven::Range { at: 0 }));
    }
}

#[test]
fn a_text_that_is_no_expression_says_where() {
    let expected = |expected, at| Unreadable::Expected { expected, at };
    for (text, problem) in [
        ("", expected("a number, an amount or a parenthesis", 1)),
        ("valor valor", expected("an operator", 7)),
        ("valor +", expected("a number, an amount or a parenthesis", 8)),
        ("(valor", expected("a closing parenthesis", 7)),
        ("min(valor)", expected("a comma", 10)),
        ("down(valor)", expected("a division sign", 11)),
        ("down(valor / 0)", expected("a divisor above zero", 14)),
        ("down(valor / taxa)", expected("a whole number", 14)),
        ("valor * preço", Unreadable::Unknown { at: 9 }),
        ("é", expected("a number, an amount or a parenthesis", 1)),
        ("1 + 100000000000001", Unreadable::TooLarge { at: 5 }),
        (&"(".repeat(60), Unreadable::TooDeep),
    ] {
        assert_eq!(proven(&sale(text)), Err(Unproven::Leg { leg: 1, problem }), "{text}");
    }
}

#[test]
fn names_are_words_that_name_one_thing() {
    for name in ["rest", "min", "half_even", "Valor", "1a", "", "taxa"] {
        let mut other = sale("valor");
        other.amounts[0].name = name.into();
        let named = Err(Unproven::Name { list: "amounts", at: usize::from(name == "taxa") });
        assert_eq!(proven(&other), named, "{name}");
    }
    let mut held = sale("valor");
    held.holders = vec!["taxa".into()];
    assert_eq!(proven(&held), Err(Unproven::Name { list: "holders", at: 0 }));
    held.holders = Vec::new();
    held.legs[0].holder = Some("ninguem".into());
    assert_eq!(proven(&held), Err(Unproven::Holder { leg: 0 }));
    held.legs[0].holder = None;
    held.legs[1].account = held.legs[0].account.clone();
    assert_eq!(proven(&held), Err(Unproven::LegTwice { leg: 1 }));
}

#[test]
fn lists_have_as_many_items_as_they_may() {
    let many = |count: usize| {
        let mut wide = sale("0");
        let filler = wide.legs[1].clone();
        let account = |place: usize| TemplateLeg {
            account: format!("conta{place}").into(),
            ..filler.clone()
        };
        wide.legs = wide.legs.iter().cloned().chain((3..count).map(account)).collect();
        proven(&wide).map(drop)
    };
    assert_eq!(many(100), Ok(()));
    assert_eq!(many(101), Err(Unproven::Count { list: "legs", least: 2, most: 100 }));
    let mut none = sale("0");
    none.amounts = Vec::new();
    assert_eq!(proven(&none), Err(Unproven::Count { list: "amounts", least: 1, most: 16 }));
}

#[test]
fn a_proof_that_would_take_long_is_given_up() {
    let sum = "(valor + taxa + 1)";
    let product = [sum; 10].join(" * ");
    assert!(proven(&sale(&product)).is_err());
    let nested =
        (0..12).fold("valor".to_owned(), |inner, n| format!("min({inner}, max(valor, {n}))"));
    let began = std::time::Instant::now();
    let _ = proven(&sale(&nested));
    assert!(began.elapsed().as_secs() < 5);
}

#[test]
fn amounts_follow_from_arguments_within_their_ranges() {
    let mut sale = sale("half_even(valor * taxa / 10000)");
    sale.conditions = vec!["valor >= 100".into(), "taxa <= down(valor / 2)".into()];
    let program = proven(&sale).unwrap();
    assert_eq!(program.amounts(&[1_000, 250]), Ok(vec![1_000, 25, 975]));
    assert_eq!(program.amounts(&[100, 50]), Ok(vec![100, 0, 100]));
    assert_eq!(program.amounts(&[99, 0]), Err(Inapplicable::Condition(0)));
    assert_eq!(program.amounts(&[100, 51]), Err(Inapplicable::Condition(1)));
    for arguments in [&[1_000][..], &[1_000, 1, 1], &[0, 0], &[1_000, 10_001], &[-1, 0]] {
        assert_eq!(program.amounts(arguments), Err(Inapplicable::Arguments));
    }
    let legs = [(Side::Debit, "valor"), (Side::Credit, "valor")];
    let nothing = proven(&template(&[("valor", 0, 9)], &legs)).unwrap();
    assert_eq!(nothing.amounts(&[0]), Err(Inapplicable::Nothing));
}

/// Returns texts of expressions over `a`, `b` and `c`.
fn expressions() -> impl Strategy<Value = String> {
    let names = prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(str::to_owned);
    let leaf = prop_oneof![3 => names, 1 => (0..12_i64).prop_map(|number| number.to_string())];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let two = || (inner.clone(), inner.clone());
        let rounding = prop_oneof![Just("down"), Just("up"), Just("half_even")];
        prop_oneof![
            two().prop_map(|(a, b)| format!("({a} + {b})")),
            two().prop_map(|(a, b)| format!("({a} - {b})")),
            two().prop_map(|(a, b)| format!("{a} * {b}")),
            two().prop_map(|(a, b)| format!("min({a}, {b})")),
            two().prop_map(|(a, b)| format!("max({a}, {b})")),
            (rounding, inner, 1..12_i64).prop_map(|(word, a, by)| format!("{word}({a} / {by})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Every argument within small ranges is tried: what was proven of all of them holds of each.
    #[test]
    fn no_template_that_is_proven_leaves_a_leg_below_zero_or_does_not_balance(
        legs in vec((any::<bool>(), expressions()), 1..4),
        credits in any::<bool>(),
        ranges in [(0..6_i64, 0..7_i64), (0..6, 0..7), (0..6, 0..7)],
    ) {
        let side = |credits| if credits { Side::Credit } else { Side::Debit };
        let mut sided: Vec<_> = legs.iter().map(|(credits, of)| (side(*credits), &**of)).collect();
        sided.push((side(credits), "rest"));
        let [(a, to_a), (b, to_b), (c, to_c)] = ranges;
        let amounts = [("a", a, a + to_a), ("b", b, b + to_b), ("c", c, c + to_c)];
        let Ok(program) = proven(&template(&amounts, &sided)) else { return Ok(()) };
        for a in a..=a + to_a {
            for b in b..=b + to_b {
                for c in c..=c + to_c {
                    let came = match program.amounts(&[a, b, c]) {
                        Err(Inapplicable::Nothing) => continue,
                        came => came.unwrap(),
                    };
                    let signed = came.iter().zip(&sided).map(|(cents, (side, _))| {
                        if *side == Side::Credit { *cents } else { -*cents }
                    });
                    prop_assert_eq!(signed.sum::<i64>(), 0);
                    prop_assert!(came.iter().all(|cents| *cents >= 0), "{:?}", came);
                }
            }
        }
    }
}
