//! What a request needs to know of the provider: questions, and their answers.

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The provider knows.
    Known(T),
    /// The provider did not answer in time, or cannot know: the request goes on without it, and the
    /// contract says what that means for it.
    Unknown,
}

/// A charge that is asked for, as its body says it; nothing of it is checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChargeToIssue<'a> {
    /// The account that asks, by name.
    pub account: Option<&'a str>,
    /// Its id of the charge: a repeated request has the same.
    pub external_id: Option<&'a str>,
    /// What is to be paid, in centavos.
    pub amount_cents: Option<i64>,
    /// The CPF or CNPJ of who pays.
    pub payer_tax_number: Option<&'a str>,
    /// The name of who pays.
    pub payer_name: Option<&'a str>,
}

/// What a provider says to a charge that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChargeAnswer {
    /// The code by which it is paid.
    Issued(QrCode),
    /// It refuses the payer, by this reference of its own: `pagador_recusado_pelo_provedor`.
    PayerRefused(String),
}

/// The code by which a charge is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrCode {
    /// The BR Code, to be copied and pasted: 1 to 1,024 bytes.
    pub copypaste: String,
    /// The address of its picture: 1 to 1,024 bytes.
    pub image_url: Option<String>,
}

/// A PIX key whose holder is asked for, as the request says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixKeyToLookUp<'a> {
    /// The account that asks, by name.
    pub account: Option<&'a str>,
    /// The PIX key, as the request spells it.
    pub key: &'a str,
    /// `cpf`, `cnpj`, `phone`, `email` or `random`, where the request says it.
    pub kind: Option<&'a str>,
}

/// What the directory of PIX keys says of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyLookup {
    /// It is this holder's.
    Held(KeyHolder),
    /// There is no such key.
    NoSuchKey,
}

/// Who holds a PIX key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyHolder {
    /// The holder's name: 1 to 255 bytes.
    pub name: Option<String>,
    /// The holder's CPF or CNPJ. One that the directory masks proves no owner of a payout's key.
    pub document: Option<String>,
    /// The institution where the account is: 1 to 255 bytes.
    pub institution: Option<String>,
}

/// A deposit that is to be taken, and needs an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DepositToTake<'a> {
    /// The account that asks, by name.
    pub account: Option<&'a str>,
    /// The order that sells what is deposited, by its id; none for a wallet's deposit.
    pub cashout_id: Option<&'a str>,
    /// The asset, as the order names it; none for a wallet, which takes what the network has.
    pub asset: Option<&'a str>,
    /// The network it comes by.
    pub network: Option<&'a str>,
    /// How much is announced, as a decimal.
    pub amount: Option<&'a str>,
}

/// Where to deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositAddress {
    /// The address on the network: 1 to 128 bytes.
    pub address: String,
    /// The memo that must accompany a deposit for a sale: 1 to 128 bytes.
    pub tag: Option<String>,
}

/// What is known of a PIX beside the ledger's own records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PixDescription {
    /// The institution it went by: 1 to 255 bytes.
    pub institution: Option<String>,
    /// Who settled it: 1 to 255 bytes.
    pub settled_by: Option<String>,
    /// The `https://` address of its receipt.
    pub receipt_url: Option<String>,
    /// The name of who received it, of which the public sees the initials.
    pub recipient_name: Option<String>,
}
