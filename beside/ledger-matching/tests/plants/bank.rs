//! Differences in the provider's account.

use super::Plant;
use crate::world::BankLine;
use crate::world::time::DAY;

const MISSING: (&str, &str) = ("ours only", "missing");
const UNREPORTED: (&str, &str) = ("theirs only", "unreported");
const ARITHMETIC: (&str, &str) = ("provider brl", "arithmetic");

/// An id that nothing of the month has.
const STRANGE: &str = "E9040088820261110120099999999999";

fn strange(at: i64, kind: &'static str, cents: i64, id: &str) -> BankLine {
    BankLine { at, kind, cents, id: id.to_owned(), reference: String::new() }
}

pub const PLANTS: &[Plant] = &[
    Plant {
        name: "a PIX received is missing at the provider",
        change: |case| {
            let place = case.line_place("PIX", false);
            case.files.bank.remove(place);
        },
        findings: &[MISSING],
        balances: &[ARITHMETIC],
    },
    Plant {
        name: "a PIX sent is missing at the provider",
        change: |case| {
            let place = case.line_place("PIX", true);
            case.files.bank.remove(place);
        },
        findings: &[MISSING],
        balances: &[ARITHMETIC],
    },
    Plant {
        name: "a PIX received that nobody told of",
        change: |case| {
            let at = case.line("PIX", false).at;
            case.files.bank.push(strange(at, "PIX", 7_700, STRANGE));
            case.files.bank_ends.1 += 7_700;
        },
        findings: &[UNREPORTED],
        balances: &[],
    },
    Plant {
        name: "a PIX sent that nobody told of",
        change: |case| {
            let at = case.line("PIX", false).at;
            case.files.bank.push(strange(at, "PIX", -7_700, STRANGE));
            case.files.bank_ends.1 -= 7_700;
        },
        findings: &[UNREPORTED],
        balances: &[],
    },
    Plant {
        name: "a PIX twice",
        change: |case| {
            let line = case.line("PIX", false).clone();
            case.files.bank.push(line);
        },
        findings: &[("theirs only", "twice")],
        balances: &[],
    },
    Plant {
        name: "a PIX twice, with another amount the second time",
        change: |case| {
            let mut line = case.line("PIX", false).clone();
            line.cents += 100;
            case.files.bank_ends.1 += line.cents;
            case.files.bank.push(line);
        },
        findings: &[("theirs only", "twice")],
        balances: &[],
    },
    Plant {
        name: "a centavo more",
        change: |case| {
            case.line("PIX", false).cents += 1;
            case.files.bank_ends.1 += 1;
        },
        findings: &[("differs", "amount")],
        balances: &[],
    },
    Plant {
        name: "a tariff within the amount",
        change: |case| {
            case.line("PIX", true).cents -= 35;
            case.files.bank_ends.1 -= 35;
        },
        findings: &[("differs", "fee")],
        balances: &[],
    },
    Plant {
        name: "a decimal point two places on",
        change: |case| {
            let more = case.line("PIX", false).cents * 99;
            case.line("PIX", false).cents += more;
            case.files.bank_ends.1 += more;
        },
        findings: &[("differs", "scale")],
        balances: &[],
    },
    Plant {
        name: "the other direction",
        change: |case| {
            let cents = case.line("PIX", true).cents;
            case.line("PIX", true).cents = -cents;
            case.files.bank_ends.1 -= 2 * cents;
        },
        findings: &[("differs", "sign")],
        balances: &[],
    },
    Plant {
        name: "another day",
        change: |case| case.line("PIX", false).at += DAY,
        findings: &[("differs", "day")],
        balances: &[],
    },
    Plant {
        name: "a return is missing",
        change: |case| {
            let place = case.line_place("Devolução", true);
            case.files.bank.remove(place);
        },
        findings: &[MISSING],
        balances: &[ARITHMETIC],
    },
    Plant {
        name: "a return that nobody told of",
        change: |case| {
            let at = case.line("PIX", false).at;
            let id = STRANGE.replacen('E', "D", 1);
            case.files.bank.push(strange(at, "Devolução", -7_700, &id));
            case.files.bank_ends.1 -= 7_700;
        },
        findings: &[UNREPORTED],
        balances: &[],
    },
    Plant {
        name: "a return of another amount",
        change: |case| {
            case.line("Devolução", true).cents += 1;
            case.files.bank_ends.1 += 1;
        },
        findings: &[("differs", "amount")],
        balances: &[],
    },
    Plant {
        name: "a payment that is called a return",
        change: |case| case.line("PIX", false).kind = "Devolução",
        findings: &[("differs", "kind")],
        balances: &[],
    },
    Plant {
        name: "an id in another case",
        change: |case| {
            let line = case.line("PIX", false);
            line.id = line.id.to_lowercase();
            line.reference.clear();
        },
        findings: &[("differs", "spelling")],
        balances: &[],
    },
    Plant {
        name: "a tariff more than was booked",
        change: |case| {
            let line = case.line("Tarifa", true).clone();
            case.files.bank.push(line);
            case.files.bank_ends.1 -= 35;
        },
        findings: &[("differs", "fee")],
        balances: &[],
    },
    Plant {
        name: "a sum of PIX that is none of them",
        change: |case| {
            case.line("Lote", false).cents -= 500;
            case.files.bank_ends.1 -= 500;
        },
        findings: &[("differs", "netting")],
        balances: &[],
    },
    Plant {
        name: "two sums of one day",
        change: |case| {
            let line = case.line("Lote", false).clone();
            case.files.bank_ends.1 += line.cents;
            case.files.bank.push(line);
        },
        findings: &[("ambiguous", "ambiguous")],
        balances: &[],
    },
    Plant {
        name: "a PIX of the sandbox",
        change: |case| {
            let at = case.line("PIX", false).at;
            case.files.bank.push(strange(at, "PIX", 7_700, STRANGE));
            case.files.bank_ends.1 += 7_700;
            case.other.insert(STRANGE.into());
        },
        findings: &[("theirs only", "environment")],
        balances: &[],
    },
    Plant {
        name: "another opening balance",
        change: |case| {
            case.files.bank_ends.0 += 100;
            case.files.bank_ends.1 += 100;
        },
        findings: &[],
        balances: &[("provider brl", "opening")],
    },
    Plant {
        name: "another closing balance",
        change: |case| case.files.bank_ends.1 += 100,
        findings: &[],
        balances: &[ARITHMETIC],
    },
    Plant {
        name: "own money that did not arrive",
        change: |case| case.files.bank.retain(|line| line.kind != "Aporte"),
        findings: &[MISSING],
        balances: &[ARITHMETIC],
    },
    Plant {
        name: "own money of another amount",
        change: |case| {
            let aporte = case.files.bank.iter_mut().find(|line| line.kind == "Aporte");
            aporte.expect("it is there").cents += 1;
            case.files.bank_ends.1 += 1;
        },
        findings: &[MISSING, UNREPORTED],
        balances: &[],
    },
    Plant {
        name: "a line that cannot be read",
        change: |case| {
            let place = case.line_place("PIX", false);
            let line = case.files.bank.remove(place);
            let at = crate::world::time::at_the_bank(line.at);
            case.broken_line = Some(format!("{at};PIX;1O0,00;{};\n", line.id));
        },
        findings: &[MISSING],
        balances: &[ARITHMETIC],
    },
];
