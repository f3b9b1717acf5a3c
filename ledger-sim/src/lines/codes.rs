//! Copia e Cola codes: text made up for whom a code pays, and how much.

use ledger_core::money::Amount;

/// Where a code says that its PIX goes.
pub(super) enum Goal<'a> {
    Key(&'a str),
    Url(&'a str),
}

/// A code that names a payee, a merchant, perhaps an amount, and a number of its own.
pub(super) fn code(goal: &Goal<'_>, merchant: &str, amount: Option<Amount>, number: u32) -> String {
    let payee = match goal {
        Goal::Key(key) => field(1, key),
        Goal::Url(url) => field(25, url),
    };
    let amount = amount.map(|amount| field(54, &super::sales::reais(amount)));
    let parts = [
        field(0, "01"),
        field(26, &(field(0, "br.gov.bcb.pix") + &payee)),
        field(52, "0000"),
        field(53, "986"),
        amount.unwrap_or_default(),
        field(58, "BR"),
        field(59, merchant),
        field(60, "SAO PAULO"),
        field(62, &field(5, &format!("N{number}"))),
        "6304".to_owned(),
    ];
    let text = parts.concat();
    let sum = checksum(text.as_bytes());
    format!("{text}{sum:04X}")
}

fn field(tag: u8, value: &str) -> String {
    format!("{tag:02}{:02}{value}", value.len())
}

/// Polynomial 1021, beginning with FFFF.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |sum, byte| {
        let first = sum ^ (u16::from(*byte) << 8);
        (0..8).fold(first, |sum: u16, _| {
            let shifted = sum << 1;
            if sum & 0x8000 == 0 { shifted } else { shifted ^ 0x1021 }
        })
    })
}
