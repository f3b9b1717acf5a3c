//! Bodies of requests to the wallet.

use serde_json::Value;

use crate::coin::{Scale, Units};
use crate::contract::error::{Code, Problem, malformed_field};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::payout::wire::key_owner;
use crate::contract::sale::body::{self, BR_CODE, BRL_AMOUNT, PIX_KEY};
use crate::contract::schema::bounds::{SuppliedAddress, checked};
use crate::contract::schema::field::FieldType::{Decimal, Operation, Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{EXTERNAL_ID, PIX_KEY_TYPE};
use crate::id::Token;
use crate::ledger::Malformed;
use crate::ledger::wallet::{
    DepositRequest, PaymentRequest, Request, WithdrawalQuoteRequest, WithdrawalRequest,
};
use crate::machine::cash_out::{AmountBasis, KeyOwner, Payee};
use crate::money::Amount;
use crate::terms::{Policy, Stablecoin};

/// Centavos as the decimals of a real.
const CENTAVOS: Scale = match Scale::new(2) {
    Some(scale) => scale,
    None => unreachable!(),
};

const SOURCE: Field =
    optional("funding_source", Word(16), "crypto_usdt, or absent").like("crypto_usdt");
const NETWORK: Field = optional("network", Text(32), "the network; absent: polygon");
const ADDRESS: &str = "the external wallet";

const TO: Field = required("address", Text(128), ADDRESS);
const TO_AS_QUOTED: Field = optional("address", Text(128), ADDRESS);
const NETWORK_AS_QUOTED: Field = optional("network", Text(32), "as quoted");
const ID: Field = required("external_id", Text(64), "the account's own id");

checked!(
    enum Request {
        Deposit(asked),
        WithdrawalQuote(asked),
        Withdrawal(asked),
        PaymentQuote(asked),
        Payment(asked),
    }
);
checked!(DepositRequest { network: NETWORK, address: SuppliedAddress("supplied.address", 128) });
checked!(WithdrawalQuoteRequest { network: NETWORK, address: TO });
checked!(WithdrawalRequest { network: NETWORK_AS_QUOTED, address: TO_AS_QUOTED, external_id: ID });
checked!(PaymentRequest { asked, external_id: EXTERNAL_ID });

/// The body of `POST /carteira-usdt/deposits`.
pub const DEPOSIT: &[Field] = &[required("amount", Decimal(40), "how much USDT"), NETWORK];

/// The body of `POST /carteira-usdt/quote`.
pub const QUOTE: &[Field] = &[SOURCE, BRL_AMOUNT, BR_CODE, PIX_KEY, PIX_KEY_TYPE];

/// The body of `POST /carteira-usdt/payments`.
pub const PAYMENT: &[Field] = &[
    SOURCE,
    BRL_AMOUNT,
    BR_CODE,
    PIX_KEY,
    PIX_KEY_TYPE,
    optional("quote_id", Operation, "the quote it was shown, with br_code"),
    EXTERNAL_ID,
];

/// The body of `wallet.withdrawal.quote`.
pub const WITHDRAWAL_QUOTE: &[Field] = &[
    SOURCE,
    optional("asset", Text(16), "USDT or USDC; absent: USDT"),
    NETWORK,
    TO,
    required("amount", Decimal(40), "how much USDT leaves"),
];

/// The body of `wallet.withdrawal.create`.
pub const WITHDRAWAL: &[Field] = &[
    SOURCE,
    required("quote_id", Operation, "the quote it was shown"),
    optional("asset", Text(16), "as quoted"),
    NETWORK_AS_QUOTED,
    TO_AS_QUOTED,
    optional("amount", Decimal(40), "as quoted"),
    ID,
];

/// The body of `wallet.withdrawal.get`.
pub const WITHDRAWAL_GET: &[Field] = &[required("withdrawal_id", Operation, "the withdrawal")];

/// `POST /carteira-usdt/deposits` (WAL-22).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn deposit(fields: &Fields<'_>, supplied: &Value) -> Result<DepositRequest, Problem> {
    Ok(DepositRequest {
        amount: usdt(fields, "amount")?.ok_or_else(|| missing("amount"))?,
        network: fields.text("network", 32)?.unwrap_or("polygon").into(),
        address: address(supplied)?,
    })
}

/// `POST /carteira-usdt/payments` (WAL-38, WAL-39): `br_code`, or `brl_amount` with `pix_key`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payment(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<PaymentRequest, Problem> {
    source(fields)?;
    let request = payable(fields, supplied, policy)?;
    let by_code = matches!(request.asked, AmountBasis::Code(_));
    let quote = match fields.value("quote_id") {
        None => None,
        Some(_) if !by_code => {
            let detail = "quote_id belongs to a payment of br_code";
            return Err(Problem::new(Code::FieldsConflict, detail));
        }
        Some(_) => Some(fields.operation("quote_id")?),
    };
    Ok(PaymentRequest { quote, external_id: fields.external_id()?, ..request })
}

/// `POST /carteira-usdt/quote` (WAL-44): an estimate needs no key.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payment_quote(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<PaymentRequest, Problem> {
    source(fields)?;
    if fields.value("br_code").is_some() || fields.value("pix_key").is_some() {
        return payable(fields, supplied, policy);
    }
    let net = brl(fields, "brl_amount")?.ok_or_else(|| missing("brl_amount"))?;
    // Nobody is paid by an estimate: whoever it is stands for no one's ceiling.
    let nobody = Token([0; 16]);
    let payee = Payee {
        pix_key: None,
        merchant: None,
        tax_number: None,
        counted_as: nobody,
        key_type: None,
        owner: Some(KeyOwner::Unproven),
    };
    Ok(PaymentRequest {
        asked: AmountBasis::Net(net),
        net: Some(net),
        payee,
        quote: None,
        external_id: None,
    })
}

/// Who is paid how much: by a code, or by a key and an amount, not both.
fn payable(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<PaymentRequest, Problem> {
    let given = |name: &str| fields.value(name).is_some();
    let (code, amount) = (given("br_code"), given("brl_amount"));
    let key = given("pix_key") || given("pix_key_type");
    if code && (amount || key) {
        let detail = "br_code says what is paid and to whom: send it without brl_amount and \
                      pix_key";
        return Err(Problem::new(Code::FieldsConflict, detail));
    }
    let owner = key_owner(supplied, policy)?;
    let (asked, net, payee) = if code {
        body::of_code(fields, (None, owner.as_ref()))?
    } else {
        let net = brl(fields, "brl_amount")?.ok_or_else(|| missing("brl_amount"))?;
        let key = body::pix_key(fields, policy)?;
        (AmountBasis::Net(net), Some(net), body::payee(fields, &key, (None, owner.as_ref())))
    };
    Ok(PaymentRequest { asked, net, payee, quote: None, external_id: None })
}

/// `wallet.withdrawal.quote`: a command, because the contract shows no route (WDR-14).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn withdrawal_quote(fields: &Fields<'_>) -> Result<WithdrawalQuoteRequest, Problem> {
    source(fields)?;
    Ok(WithdrawalQuoteRequest {
        coin: coin(fields)?.unwrap_or(Stablecoin::Usdt),
        network: fields.text("network", 32)?.unwrap_or("polygon").into(),
        address: fields.required_text("address", 128)?.into(),
        amount: usdt(fields, "amount")?.ok_or_else(|| missing("amount"))?,
    })
}

/// `wallet.withdrawal.create`: a command, because the contract shows no route (WDR-14).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn withdrawal(fields: &Fields<'_>) -> Result<WithdrawalRequest, Problem> {
    source(fields)?;
    Ok(WithdrawalRequest {
        quote: fields.operation("quote_id")?,
        coin: coin(fields)?,
        network: fields.text("network", 32)?.map(Into::into),
        address: fields.text("address", 128)?.map(Into::into),
        amount: usdt(fields, "amount")?,
        external_id: fields.external_id()?.ok_or_else(|| missing("external_id"))?,
    })
}

/// `funding_source`, which can be one thing only (WAL-40).
///
/// # Errors
///
/// `funding_source_invalido` for anything else.
pub fn source(fields: &Fields<'_>) -> Result<(), Problem> {
    match fields.value("funding_source") {
        None => Ok(()),
        Some(Value::String(source)) if source == "crypto_usdt" => Ok(()),
        Some(_) => {
            let detail = "funding_source must be crypto_usdt";
            Err(Problem::new(Code::FundingSourceInvalid, detail))
        }
    }
}

fn coin(fields: &Fields<'_>) -> Result<Option<Stablecoin>, Problem> {
    match fields.text("asset", 16)? {
        None => Ok(None),
        Some(name) => Stablecoin::parse(name).map(Some).ok_or_else(|| {
            Problem::new(Code::AssetInvalid, "asset must be USDT or USDC, in upper case")
        }),
    }
}

/// A decimal string of USDT, up to six decimals, if given.
///
/// # Errors
///
/// `valor_invalido` for anything else, zero among it.
pub fn usdt(fields: &Fields<'_>, name: &str) -> Result<Option<Units>, Problem> {
    let detail = "must be a decimal string above zero, of at most 6 decimals";
    decimal(fields, name, Scale::SIX, detail)
}

/// A decimal string of reais, up to two decimals, if given.
///
/// # Errors
///
/// `valor_invalido` for anything else, zero among it.
pub fn brl(fields: &Fields<'_>, name: &str) -> Result<Option<Amount>, Problem> {
    let detail = "must be a decimal string of reais above zero, of at most 2 decimals";
    let Some(units) = decimal(fields, name, CENTAVOS, detail)? else { return Ok(None) };
    let cents = i64::try_from(units.get()).ok().and_then(Amount::new);
    let most = crate::ledger::LARGEST_AMOUNT;
    let amount = cents.filter(|amount| amount.cents() <= most);
    amount.map(Some).ok_or_else(|| no_value(name, detail))
}

fn decimal(
    fields: &Fields<'_>,
    name: &str,
    scale: Scale,
    detail: &str,
) -> Result<Option<Units>, Problem> {
    match fields.value(name) {
        None => Ok(None),
        Some(Value::String(text)) if text.len() <= 40 => {
            Units::parse(text, scale).map(Some).ok_or_else(|| no_value(name, detail))
        }
        Some(_) => Err(no_value(name, detail)),
    }
}

fn no_value(name: &str, detail: &str) -> Problem {
    Problem::new(Code::ValueInvalid, format!("{name} {detail}"))
}

/// The address that only a provider can issue (rulings 39).
fn address(supplied: &Value) -> Result<Option<Box<str>>, Problem> {
    match supplied.get("address") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            let checked = Malformed::provider_address(text, 128);
            checked.map_err(|why| malformed_field("supplied.address", why))?;
            Ok(Some(text.as_str().into()))
        }
        Some(_) => Err(malformed_field("supplied.address", Malformed::Supplied(128))),
    }
}
