//! Statements of what is held, signed by keys that the tests keep.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use custody_ledger::reserves::{Kind, Statement};
use k256::ecdsa::SigningKey;
use k256::ecdsa::signature::hazmat::PrehashSigner as _;
use ledger_proofs::document::Digits;
use ledger_store::signing::key::Signer;

/// The ledger that everything is stated for.
pub const ORIGIN: &str = "ledger.example.com/live/live";

/// The address of the key of 32 bytes of 9, of Ethereum's kind.
pub const ETHEREUM: &str = "0x58da990a8f4a3a6ca7cb6315d68a140105917352";

/// The address of the same key on Bitcoin.
pub const BITCOIN: &str = "bc1qvux25709r4uw6rzc8wyl7wwecjdhrx085hm5ty";

/// A bank's statement, as a file.
pub const EVIDENCE: &[u8] = b"saldo;5327785\n";

fn key() -> SigningKey {
    SigningKey::from_slice(&[9; 32]).unwrap()
}

/// The bank's signer.
pub fn bank() -> Signer {
    Signer::new("banco.example", [5; 32]).unwrap()
}

fn statement(kind: Kind, asset: &str, source: &str, clients: u128) -> Statement {
    Statement {
        kind,
        asset: asset.to_owned(),
        network: None,
        source: source.to_owned(),
        clients: Digits(clients),
        own: Digits(100),
        as_of: "2026-11-21T12:00:00Z".to_owned(),
        evidence: None,
        signer: None,
        signature: String::new(),
    }
}

/// A float at the bank, not signed yet.
pub fn unsigned_float() -> Statement {
    let mut float = statement(Kind::File, "BRL", "Banco Exemplo 0001 12345-6", 340_000);
    // SHA-256 of the evidence.
    float.evidence = Some(EVIDENCE_HASH.parse().unwrap());
    float
}

/// The hash of [`EVIDENCE`].
pub const EVIDENCE_HASH: &str = "05b3335ebf871b1b4ce7ac15767aff85c5be7368d8a19bcb0a35aa51617c913f";

/// A wallet of USDT, signed by EIP-191.
pub fn ethereum() -> Statement {
    let mut wallet = statement(Kind::Ethereum, "usdt", ETHEREUM, 39_859_693);
    wallet.network = Some("polygon".to_owned());
    signed(wallet)
}

/// A wallet of bitcoin, signed by BIP-322.
pub fn bitcoin() -> Statement {
    let mut wallet = statement(Kind::Bitcoin, "btc", BITCOIN, 7);
    wallet.network = Some("bitcoin".to_owned());
    signed(wallet)
}

/// A statement signed anew by whoever signs its kind.
pub fn signed(mut statement: Statement) -> Statement {
    let Some(digest) = statement.wallet_digest(ORIGIN) else {
        return statement.sign(ORIGIN, &bank());
    };
    statement.signature = if statement.kind == Kind::Ethereum {
        let (signature, recovery) = key().sign_prehash_recoverable(&digest);
        let bytes = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
        bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
    } else {
        let signature: k256::ecdsa::Signature = key().sign_prehash(&digest).unwrap();
        let der = [signature.to_der().as_bytes(), &[1]].concat();
        let public = key().verifying_key().to_sec1_point(true);
        let mut witness = vec![2, u8::try_from(der.len()).unwrap()];
        witness.extend(der);
        witness.push(33);
        witness.extend(public.as_bytes());
        BASE64_STANDARD.encode(witness)
    };
    statement
}
