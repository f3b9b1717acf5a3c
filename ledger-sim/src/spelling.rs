//! Transactions and wallets as the simulated world names them: every way in which its people and
//! watchers write one, and the one form that the oracle compares (rulings 64). Both were made apart
//! from the ledger's own spelling, which they therefore test.

use std::fmt::Write as _;

use ledger_core::id::ChainId;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::wallet::{
    Fact as WalletFact, PaymentFinding, Request as WalletRequest, Step, WithdrawalReport,
};
use ledger_core::ledger::{Fact, Intent, Reported, Request, SaleReport};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::machine::refund::RefundReport;
use ledger_core::machine::wallet::payment::Finding as PaymentFound;
use ledger_core::machine::wallet::withdrawal::Finding as WithdrawalFound;

use crate::domains::wallet_of;
use crate::rng::Rng;
use crate::wallets::in_some_spelling as in_some_way;

/// How many hexadecimal digits a transaction has.
const DIGITS: usize = 64;
/// The first byte of a transaction whose network its operation says.
const UNSAID: u8 = 0xff;
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A transaction of its own for each number, as the oracle compares it. Its first byte is the
/// number of the network that it is on, where whoever made it knew.
pub(crate) fn transaction(chain: Option<u16>, number: u64) -> Box<str> {
    let chain = chain.and_then(|chain| u8::try_from(chain).ok()).unwrap_or(UNSAID);
    let mut mixed = Rng::new(number);
    let mut text = format!("{chain:02x}{number:016x}");
    while text.len() < DIGITS {
        let _ = write!(text, "{:02x}", mixed.below(256));
    }
    text.into()
}

/// A name that looks like another and is not it: names are compared byte for byte. A `shown` one is
/// a name that people give; of all others the case alone differs.
pub(crate) fn look_alike(name: &str, shown: bool, rng: &mut Rng) -> Box<str> {
    let letter = name.find(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    let (head, tail) = name.split_at(letter + usize::from(letter < name.len()));
    let like = match rng.below(if shown { 9 } else { 1 }) {
        1 => format!("{name} "),
        2 => format!(" {name}"),
        3 => format!("{head}\u{200b}{tail}"),
        4 => format!("\u{202e}{name}"),
        5 => format!("{name}\u{e1}"),
        6 => format!("{name}a\u{301}"),
        7 => name.replacen('-', "\u{2010}", 1),
        8 => format!("{head}\u{feff}{tail}"),
        _ => format!("{}{tail}", swap_case(head)),
    };
    like.into()
}

/// Tells whether somebody would take a name for another: it begins or ends with a blank, or holds
/// what nobody sees.
pub(crate) fn passes_for_another(name: &str) -> bool {
    name.trim() != name || name.contains(['\u{200b}', '\u{202e}', '\u{feff}'])
}

/// A transaction that differs from another in one digit, or where case matters in one letter's; on
/// the network that `own` says.
pub(crate) fn another_like(transaction: &str, own: &str, rng: &mut Rng) -> Box<str> {
    if transaction.len() == DIGITS {
        let place = rng.index(DIGITS - 8) + 8;
        let digit = if transaction[place..].starts_with('0') { "1" } else { "0" };
        let (head, tail) = (&transaction[2..place], &transaction[place + 1..]);
        return format!("{}{head}{digit}{tail}", &own[..2]).into();
    }
    let letter = transaction.rfind(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    let (head, tail) = transaction.split_at(letter);
    let (letter, tail) = tail.split_at(usize::from(!tail.is_empty()));
    format!("{head}{}{tail}", swap_case(letter)).into()
}

/// A transaction of a network whose letters have two cases, for each number.
pub(crate) fn in_base58(number: u64) -> Box<str> {
    const LETTERS: &[u8; 48] = b"ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23";
    let mut mixed = Rng::new(number);
    let letter = |_| char::from(*mixed.pick(LETTERS).unwrap_or(&b'A'));
    let text: String = (0..86).map(letter).collect();
    format!("{number}x{text}").into()
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    text.chars().map(swap).collect()
}

/// The one form of a transaction and its output: 32 bytes in lower-case hexadecimal without a
/// prefix, and no number for the first output; any other text is compared as it is.
pub(crate) fn canonical(text: &str) -> Box<str> {
    let (hash, output) = text.rsplit_once('#').map_or((text, None), |(hash, n)| (hash, Some(n)));
    let digits = hash.strip_prefix("0x").or(hash.strip_prefix("0X")).unwrap_or(hash);
    let hexadecimal = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let hash = if hexadecimal { Some(digits.to_ascii_lowercase()) } else { of_base64(hash) }
        .unwrap_or_else(|| hash.into());
    match output.filter(|output| *output != "0") {
        Some(output) => format!("{hash}#{output}").into(),
        None => hash.into(),
    }
}

/// Brings every transaction of a fact to the one form; tells whether that changed anything.
pub(crate) fn bring_to_one_form(fact: &mut Fact) -> bool {
    let mut changed = false;
    transactions(fact, &mut |_, hash| {
        let known = canonical(hash);
        changed |= known != *hash;
        *hash = known;
    });
    changed
}

/// Writes every transaction of a fact in some way that its network allows: the one it says, or else
/// the one of what it names, each by its number; tells whether it is another than before.
pub(crate) fn respell<'a>(
    fact: &mut Fact,
    named: Option<u16>,
    network: impl Fn(u16) -> Option<&'a str>,
    rng: &mut Rng,
) -> bool {
    let mut changed = false;
    transactions(fact, &mut |chain, hash| {
        let (text, output) =
            hash.rsplit_once('#').map_or((&**hash, None), |(hash, output)| (hash, Some(output)));
        let digits = canonical(text);
        let Some(said) = digits.get(..2).filter(|_| digits.len() == DIGITS) else { return };
        let said = u8::from_str_radix(said, 16).ok().filter(|said| *said != UNSAID);
        let chain = chain.map(|chain| chain.0).or(said.map(u16::from)).or(named);
        let Some(network) = chain.and_then(&network) else { return };
        let spelled = in_some_spelling(network, &digits, rng);
        changed |= spelled != text;
        *hash = match output {
            Some(output) => format!("{spelled}#{output}").into(),
            None => spelled.into(),
        };
    });
    changed
}

/// Writes every wallet that a request or a fact names in some way that its network allows; tells
/// whether any is another than before.
pub(crate) fn respell_wallets(what: &mut Intent, rng: &mut Rng) -> bool {
    let mut changed = false;
    wallets(what, &mut |text| {
        if let Some(spelled) = in_some_way(text, rng) {
            (*text, changed) = (spelled, true);
        }
    });
    changed
}

/// Goes through every wallet that a request or a fact names.
fn wallets(what: &mut Intent, each: &mut dyn FnMut(&mut Box<str>)) {
    let named = match what {
        Intent::Request(_, request) => match request {
            Request::Settings(asked) => &mut asked.settlement,
            Request::RefundAddress { address, .. } => return each(address),
            Request::Wallet(WalletRequest::Deposit(request)) => &mut request.address,
            Request::Wallet(WalletRequest::WithdrawalQuote(request)) => {
                return each(&mut request.address);
            }
            Request::Wallet(WalletRequest::Withdrawal(request)) => &mut request.address,
            request => return wallet_of(request).into_iter().for_each(each),
        },
        Intent::Fact(Reported {
            fact: Fact::Sale { report: SaleReport::RefundDecided { to, .. }, .. },
            ..
        }) => to,
        Intent::Fact(Reported { fact: Fact::Wallet(fact), .. }) => match &mut **fact {
            WalletFact::DepositSeen { address, .. } => address,
            WalletFact::DepositAssigned { request, .. } => &mut request.address,
            _ => return,
        },
        _ => return,
    };
    if let Some(address) = named {
        each(address);
    }
}

fn in_some_spelling(network: &str, digits: &str, rng: &mut Rng) -> String {
    let prefixes: &[&str] = match network {
        "ton" if rng.percent(40) => return in_base64(digits, rng),
        "polygon" | "eth" | "arbitrum" | "tron" | "ton" => &["", "0x", "0x", "0X"],
        "liquid" => &[""],
        _ => return digits.into(),
    };
    let (prefix, case) = (*rng.pick(prefixes).unwrap_or(&""), rng.below(3));
    let cased = digits.chars().map(|digit| match case {
        0 => digit,
        1 => digit.to_ascii_uppercase(),
        _ if rng.percent(50) => digit.to_ascii_uppercase(),
        _ => digit,
    });
    format!("{prefix}{}", cased.collect::<String>())
}

/// 32 bytes in base64, by either alphabet, padded or not.
fn in_base64(digits: &str, rng: &mut Rng) -> String {
    let bits = digits.bytes().flat_map(|digit| {
        let value = char::from(digit).to_digit(16).unwrap_or(0);
        (0..4).rev().map(move |place| value >> place & 1)
    });
    let bits: Vec<u32> = bits.collect();
    let sextets = bits.chunks(6).map(|six| {
        let value = six.iter().fold(0, |value, bit| value << 1 | bit) << (6 - six.len());
        char::from(BASE64[value as usize])
    });
    let text: String = sextets.collect();
    let text = if rng.percent(50) { text.replace('-', "+").replace('_', "/") } else { text };
    if rng.percent(50) { text + "=" } else { text }
}

/// The hexadecimal digits of 32 bytes in base64.
fn of_base64(text: &str) -> Option<String> {
    let text = text.strip_suffix('=').unwrap_or(text).replace('+', "-").replace('/', "_");
    if text.len() != 43 {
        return None;
    }
    let mut bits = Vec::with_capacity(258);
    for letter in text.bytes() {
        let value = BASE64.iter().position(|known| *known == letter)?;
        bits.extend((0..6).rev().map(|place| value >> place & 1));
    }
    let (bytes, rest) = bits.split_at(256);
    let digit = |four: &[usize]| four.iter().fold(0, |value, bit| value << 1 | bit);
    let digits = bytes.chunks(4).map(|four| format!("{:x}", digit(four)));
    rest.iter().all(|bit| *bit == 0).then(|| digits.collect())
}

/// Goes through every transaction that a fact names, with its network where the fact says it.
fn transactions(fact: &mut Fact, each: &mut dyn FnMut(Option<ChainId>, &mut Box<str>)) {
    match fact {
        Fact::Described { fact, .. } => transactions(fact, each),
        Fact::Sale { report, .. } => match report {
            SaleReport::Seen(deposit) => each(Some(deposit.coins.chain), &mut deposit.hash),
            SaleReport::Confirmed { hash, deposit: Some(deposit) } => {
                // It is one transaction, told once.
                each(Some(deposit.coins.chain), &mut deposit.hash);
                hash.clone_from(&deposit.hash);
            }
            SaleReport::Confirmed { hash, deposit: None }
            | SaleReport::Vanished(hash)
            | SaleReport::Refund(RefundReport::Sent(hash)) => each(None, hash),
            _ => {}
        },
        Fact::Purchase(PurchaseFact::Delivery { command, .. }) => {
            if let DeliveryReport::Confirm(hash) = &mut command.report {
                each(None, hash);
            }
        }
        Fact::Purchase(PurchaseFact::DeliveryEvidence { sent: Some(hash), .. }) => each(None, hash),
        Fact::Wallet(fact) => match &mut **fact {
            WalletFact::DepositSeen { transfer, .. } => {
                each(Some(transfer.chain), &mut transfer.mark.hash);
            }
            WalletFact::DepositConfirmed { mark, transfer: Some(transfer), .. } => {
                each(Some(transfer.chain), &mut transfer.mark.hash);
                mark.clone_from(&transfer.mark);
            }
            WalletFact::DepositConfirmed { mark, transfer: None, .. }
            | WalletFact::DepositDoubted { mark, .. } => each(None, &mut mark.hash),
            WalletFact::Payment { step: Step::Send(hash, _), .. }
            | WalletFact::PaymentResolved {
                finding: PaymentFinding::Found(PaymentFound::Sent(hash)),
                ..
            } => each(None, hash),
            WalletFact::Withdrawal { report: WithdrawalReport::Send(sent), .. }
            | WalletFact::WithdrawalEvidence {
                finding: WithdrawalFound::Completed(sent), ..
            } => {
                each(None, &mut sent.hash);
            }
            _ => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_transaction_has_one_form_and_no_other_transaction_has_it() {
        let (mut rng, mut forms) = (Rng::new(7), std::collections::BTreeSet::new());
        for number in 0..400 {
            let one = transaction(Some(3), number);
            assert!(forms.insert(one.clone()), "{one}");
            for network in ["polygon", "tron", "ton", "liquid", "near"] {
                let spelled = in_some_spelling(network, &one, &mut rng);
                assert_eq!(canonical(&spelled), one, "{network} {spelled}");
                assert_eq!(*canonical(&format!("{spelled}#0")), *one);
                assert_eq!(*canonical(&format!("{spelled}#2")), *format!("{one}#2"));
            }
        }
        assert_eq!(&*canonical("0xD-1"), "0xD-1");
    }
}
