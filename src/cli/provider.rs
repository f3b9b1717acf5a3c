//! The provider, played: what only a provider can know, derived from the line itself (rulings 39).

use ledger_core::contract::{Environment, Line};
use ledger_store::provider::supply::{Background, Entropy, SecretFor};
use ledger_store::provider::{
    Answer, ChargeAnswer, ChargeToIssue, DepositAddress, DepositToTake, Provider, QrCode, supply,
};

/// Supplies what the line lacks: a QR code for a charge, an address for a deposit, entropy for a
/// key. An agent's production key is made of its id, so that whoever asks for it and whoever brings
/// it mean the same.
///
/// The same line always gets the same, so a run that is repeated or resumed writes the same
/// journal.
pub fn supply_line(
    line: &mut Line,
    targets: &[Environment],
    hash: impl FnOnce() -> u64,
    keyed: impl Fn(&str) -> u64,
) {
    if supply::need(&line.ask, &line.body, &line.supplied).is_none() {
        return;
    }
    let hash = hash();
    let derived = Derived { hash, fictional: targets == [Environment::Sandbox] };
    let Line { ask, body, supplied, .. } = line;
    supply(ask, body, supplied, &Background::default(), &derived, &Keyed { hash, keyed });
}

/// A provider that knows what it can derive of a line.
struct Derived {
    hash: u64,
    /// Tells whether nothing that could receive funds may be shown (COUT-13, WAL-13).
    fictional: bool,
}

impl Provider for Derived {
    fn qr_code(&self, _: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        let copypaste = format!("simulated-qr-code-{:016x}", self.hash);
        Answer::Known(ChargeAnswer::Issued(QrCode { copypaste, image_url: None }))
    }

    fn deposit_address(&self, deposit: &DepositToTake<'_>) -> Answer<DepositAddress> {
        let address = match (deposit.cashout_id, deposit.network) {
            (Some(_), _) => format!("simulated-address-{:016x}", self.hash),
            (None, network) => shared_address(network.unwrap_or("polygon")),
        };
        let prefix = if self.fictional { "sandbox-receives-nothing-" } else { "" };
        Answer::Known(DepositAddress { address: format!("{prefix}{address}"), tag: None })
    }
}

/// The one address of the simulated provider on a network: requests there differ by their amounts.
fn shared_address(network: &str) -> String {
    match network {
        "tron" => "TExiFtF2M1JqHdknDuAXcUyvTZtHBZY6c9".into(),
        "solana" => "2PrHPS3WqQkcBNMEt2o9BpJSj6ZEeaet6YnSmRjh6HYP".into(),
        "ton" => "EQA--42nKhR69HX6p0Yy2BXj6y9sFE43LC4euQcLYvRyMhET".into(),
        "algo" => "GZ5ZLGWJ3ECSXYRLMH2CRWLTYEJPY6VSVQ4HY2PUO3LLFNGVWLG37TWLKU".into(),
        "sui" | "aptos" => format!("0x{}", "5a".repeat(32)),
        "stark" => format!("0x{}", "05".repeat(32)),
        "polkadot" => "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5".into(),
        _ => format!("0x{}", "5a".repeat(20)),
    }
}

/// Keys made of a line's hash, and of what is hashed under the vault's key.
struct Keyed<F> {
    hash: u64,
    keyed: F,
}

impl<F: Fn(&str) -> u64> Entropy for Keyed<F> {
    fn hex(&self, of: SecretFor<'_>) -> Option<String> {
        let hash = match of {
            SecretFor::Call => self.hash,
            SecretFor::Production(id) => (self.keyed)(&format!("the production key of {id}")),
        };
        Some(format!("{hash:016x}").repeat(4))
    }
}
