//! Sales of crypto for PIX on the wire: what is asked and what is offered (contract, 2.2); how an
//! order looks is [`super::view`].

use serde_json::{Value, json};

use crate::coin::{Scale, Units, units_text};
use crate::contract::error::{Code, Problem, malformed_field, wrong};
use crate::contract::input::fields::{Fields, letters};
use crate::contract::input::tokens::{Personal, Vault};
use crate::contract::payout::wire::key_owner;
use crate::contract::schema::bounds::{Supplied, SuppliedAddress, checked};
use crate::contract::schema::field::FieldType::{Decimal, Text};
use crate::contract::schema::field::{Field, concat, optional, required};
use crate::contract::schema::metadata::METADATA;
use crate::contract::schema::shared::{EXTERNAL_ID, PIX_KEY_TYPE};
use crate::contract::views::Views;
use crate::id::{AccountId, Token};
use crate::ledger::{Archive, CashOutRequest, Limits, Malformed, State};
use crate::machine::cash_out::{AmountBasis, CorrectedKey, DepositTo, Funding, KeyOwner, Payee};
use crate::money::Amount;
use crate::pix::{self, BrCode, Document, KeyError, KeyType, PixKey};
use crate::terms::{Market, Policy, Route};
use crate::time::Instant;

/// What is paid by a key or by a code; which of both, and how much, the readers say.
pub(in crate::contract) const BR_CODE: Field =
    optional("br_code", Text(512), "a Copia e Cola code, which says what is paid and to whom");
pub(in crate::contract) const PIX_KEY: Field =
    optional("pix_key", Text(128), "the key that is paid; required without a code");
pub(in crate::contract) const BRL_AMOUNT: Field =
    optional("brl_amount", Decimal(40), "what is to be paid, in reais").like("100.00");

/// The body of `POST /cash-outs`.
pub(in crate::contract) const ORDER: &[Field] =
    &concat::<Field, { SALE.len() + 1 }>(&[SALE, &[METADATA]]);

/// The body of the preview, which an order has too.
pub(in crate::contract) const SALE: &[Field] = &[
    SOLD,
    WHERE,
    optional("amount", Decimal(48), "how much of it; it, brl_amount or br_code"),
    BRL_AMOUNT,
    BR_CODE,
    PIX_KEY,
    PIX_KEY_TYPE,
    optional("payee_tax_number", Text(32), "the recipient's CPF or CNPJ, digits only")
        .like("52998224725"),
    REFUND_TO,
    EXTERNAL_ID,
];

const SOLD: Field = required("asset", Text(32), "what is sold");
const WHERE: Field = required("network", Text(32), "where it is deposited");
pub(in crate::contract) const REFUND_TO: Field =
    optional("refund_address", Text(128), "the return wallet");

checked!(body CashOutRequest {
    asset: SOLD,
    network: WHERE,
    asked,
    refund_address: REFUND_TO,
    external_id: EXTERNAL_ID,
});

checked!(enum AmountBasis { Net(net: BRL_AMOUNT) } else Units, Code);

checked!(DepositTo {
    address: SuppliedAddress("supplied.deposit_address", 128),
    tag: Supplied("supplied.deposit_tag", 128),
});

/// The body of `POST /cash-outs/{cashout_id}/refund-address`.
pub(in crate::contract) const REFUND_ADDRESS: &[Field] =
    &[required("refund_address", Text(128), "the return wallet, once and for all")];

/// The body of `POST /cash-outs` and of its preview (COUT-66).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn request(
    fields: &mut Fields<'_>,
    supplied: &Value,
    state: &State,
) -> Result<CashOutRequest, Problem> {
    let (asset, network) =
        (fields.required_text("asset", 32)?, fields.required_text("network", 32)?);
    let given = |name: &str| fields.value(name).is_some();
    let (key, code) = (given("pix_key") || given("pix_key_type"), given("br_code"));
    let amounts = (given("amount"), given("brl_amount"));
    if code && (key || amounts.0 || amounts.1) {
        let detail = "br_code says what is paid and to whom: send it without amount, brl_amount \
                      and pix_key";
        return Err(Problem::new(Code::FieldsConflict, detail));
    }
    if amounts == (true, true) {
        let detail = "send amount or brl_amount, not both";
        return Err(Problem::new(Code::FieldsConflict, detail));
    }
    if !code && amounts == (false, false) {
        let detail = "amount or brl_amount is required";
        return Err(Problem::new(Code::FieldsRequired, detail));
    }
    let tax_number = match fields.text("payee_tax_number", 32)? {
        None => None,
        Some(text) => Some(Document::parse(text, letters(&state.policy)).ok_or_else(|| {
            let detail = "payee_tax_number must be a CPF or CNPJ, digits only, with valid check \
                          digits";
            Problem::new(Code::DocumentInvalid, detail)
        })?),
    };
    let owner = key_owner(supplied, &state.policy)?;
    let named = (tax_number.as_ref(), owner.as_ref());
    let (asked, code_amount, payee) = if code {
        of_code(fields, named)?
    } else {
        let asked = match fields.text("brl_amount", 40)? {
            Some(text) => AmountBasis::Net(reais(text, Code::BrlAmountInvalid, "brl_amount")?),
            None => AmountBasis::Units(crypto(fields, asset, state)?),
        };
        let key = pix_key(fields, &state.policy)?;
        (asked, None, payee(fields, &key, named))
    };
    Ok(CashOutRequest {
        asset: asset.into(),
        network: network.into(),
        asked,
        code_amount,
        payee,
        refund_address: fields.text("refund_address", 128)?.map(Into::into),
        external_id: fields.external_id()?,
    })
}

/// Reais as a decimal string: `100.00`, at most two decimals (contract, core rule 2).
///
/// # Errors
///
/// A [`Problem`] of this code naming the field.
pub fn reais(text: &str, code: Code, name: &str) -> Result<Amount, Problem> {
    let cents = Scale::new(2).and_then(|scale| Units::parse(text, scale));
    let cents = cents.and_then(|cents| Amount::new(i64::try_from(cents.get()).ok()?));
    cents.filter(|amount| amount.cents() <= 100_000_000_000_000).ok_or_else(|| {
        let detail = format!("{name} must be reais above zero, a decimal string like 100.00");
        Problem::new(code, detail)
    })
}

fn crypto(fields: &Fields<'_>, asset: &str, state: &State) -> Result<Units, Problem> {
    // An asset nobody knows has no decimals; what it is refused for is that it is unknown.
    let known = state.catalogue.asset(asset).map(|(_, scale)| scale);
    let scale = known.or(Scale::new(18)).unwrap_or(Scale::SIX);
    let text = fields.text("amount", 48)?.unwrap_or_default();
    Units::parse(text, scale).ok_or_else(|| {
        let most = scale.decimals();
        let detail =
            format!("amount must be a decimal string above zero, of at most {most} decimals");
        Problem::new(Code::AmountInvalid, detail)
    })
}

/// The PIX key of a body, with its type declared or deduced (COUT-09 to COUT-11).
///
/// # Errors
///
/// A [`Problem`] naming what is missing, ambiguous or malformed.
pub fn pix_key(fields: &Fields<'_>, policy: &Policy) -> Result<PixKey, Problem> {
    let text = fields.declared_text(&PIX_KEY)?;
    let text = text.ok_or_else(|| Problem::new(Code::PixKeyRequired, "pix_key is required"))?;
    let declared = fields.declared_text(&PIX_KEY_TYPE)?.map(|name| {
        KeyType::parse(name)
            .ok_or_else(|| wrong("pix_key_type", "must be cpf, cnpj, phone, email or random"))
    });
    PixKey::parse(text, declared.transpose()?, letters(policy)).map_err(|error| match error {
        KeyError::Ambiguous => Problem::new(
            Code::KeyTypeAmbiguous,
            "pix_key is eleven bare digits, a CPF or a phone: send pix_key_type",
        ),
        KeyError::Invalid => Problem::new(Code::PixKeyInvalid, "pix_key is no valid PIX key"),
    })
}

/// The payee of a key, and those that the ceiling counts: the key, each document that it is, that a
/// lookup named as its `owner`'s or that the client claims (rulings 66).
pub fn payee(
    fields: &mut Fields<'_>,
    key: &PixKey,
    (claimed, owner): (Option<&Document>, Option<&Document>),
) -> Payee {
    let pix_key = fields.keep(fields.tokens().pix_key(key));
    let claimed = claimed.map(|known| fields.keep(fields.tokens().document(known)));
    let (counted_as, owner) = whose(fields, key, owner);
    let own = owner.document().filter(|own| *own == counted_as);
    Payee {
        pix_key: Some(pix_key),
        merchant: None,
        tax_number: claimed.or(own),
        counted_as,
        key_type: Some(key.kind()),
        owner: Some(owner),
    }
}

/// A key that an operator corrects an order with.
pub fn corrected_key(
    fields: &mut Fields<'_>,
    key: &PixKey,
    owner: Option<&Document>,
) -> CorrectedKey {
    let token = fields.keep(fields.tokens().pix_key(key));
    let (counted_as, owner) = whose(fields, key, owner);
    CorrectedKey { token, kind: Some(key.kind()), counted_as, owner }
}

/// The first whom a key counts, and whose it is. A key that is a document counts as that: no order
/// of the key is none of the document.
fn whose(fields: &mut Fields<'_>, key: &PixKey, owner: Option<&Document>) -> (Token, KeyOwner) {
    let own = key.document().and_then(|text| Document::parse(text, pix::Letters::Accepted));
    match own {
        Some(own) => {
            let own = fields.keep(fields.tokens().document(&own));
            (own, KeyOwner::Proven(own))
        }
        None => (fields.tokens().pix_key(key).token, proven(fields, owner)),
    }
}

fn proven(fields: &mut Fields<'_>, owner: Option<&Document>) -> KeyOwner {
    owner.map_or(KeyOwner::Unproven, |owner| {
        KeyOwner::Proven(fields.keep(fields.tokens().document(owner)))
    })
}

/// What a code asks to be paid, and to whom: a dynamic code's key is its address without the query.
/// Blanks and line breaks that were pasted around it are no part of it.
///
/// # Errors
///
/// `br_code_invalido` naming what is wrong with it.
pub fn of_code(
    fields: &mut Fields<'_>,
    (claimed, owner): (Option<&Document>, Option<&Document>),
) -> Result<(AmountBasis, Option<Amount>, Payee), Problem> {
    let text = fields.pasted_text("br_code", 512)?;
    let code = BrCode::parse(text)
        .map_err(|error| Problem::new(Code::CodeInvalid, format!("br_code: {error}")))?;
    let token = fields.keep(fields.tokens().text(code.as_str()));
    let merchant = fields.keep(fields.tokens().name(code.merchant()));
    let payee = match code.payee() {
        pix::Payee::Key(key) => payee(fields, key, (claimed, owner)),
        pix::Payee::Url(url) => {
            let tax_number = claimed.map(|known| fields.keep(fields.tokens().document(known)));
            Payee {
                pix_key: None,
                merchant: None,
                tax_number,
                counted_as: fields.tokens().text(&pix::location(url)).token,
                key_type: None,
                owner: Some(proven(fields, owner)),
            }
        }
    };
    let payee = Payee { merchant: Some(merchant), ..payee };
    Ok((AmountBasis::Code(token), code.amount(), payee))
}

/// `limits` of a refusal, in the order's asset (COUT-30).
#[must_use]
pub fn limits(limits: &Limits) -> Value {
    let text = |units: Option<Units>| units_text(units.map_or(0, Units::get), limits.scale);
    json!({
        "min_amount": text(limits.least),
        "max_amount": text(limits.most),
        "max_brl_cents": limits.most_now.cents(),
        "max_brl_cents_por_transacao": limits.most_ever.cents(),
    })
}

/// What a preview shows of personal data that the vault never had: masks, and of a code what it
/// says.
pub fn show(view: &mut Value, payee: &Payee, asked: AmountBasis, personal: &[Personal]) {
    let code = match asked {
        AmountBasis::Code(token) => Some(token),
        AmountBasis::Units(_) | AmountBasis::Net(_) => None,
    };
    let known = |token: Option<Token>| personal.iter().find(|known| Some(known.token) == token);
    for (field, token, whole) in [
        ("pix_key", payee.pix_key, false),
        ("payee_tax_number", payee.tax_number, false),
        ("merchant_name", payee.merchant, true),
        ("br_code", code, true),
    ] {
        if let Some(known) = known(token) {
            view[field] = if whole { known.value.as_ref() } else { known.mask.as_ref() }.into();
        }
    }
}

/// The return wallet of a body (P:RefundImmutable).
///
/// # Errors
///
/// A [`Problem`] when it is missing.
pub fn refund_address(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    Ok(fields.required_text("refund_address", 128)?.into())
}

/// Where to deposit, as the provider supplied it (rulings 39).
///
/// # Errors
///
/// A [`Problem`] when it is malformed.
pub fn deposit_address(supplied: &Value) -> Result<Option<DepositTo>, Problem> {
    let text = |name: &str, check: fn(&str, usize) -> Result<(), Malformed>| {
        let checked = match supplied.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => check(text, 128).map(|()| Some(Box::from(text.as_str()))),
            Some(_) => Err(Malformed::Supplied(128)),
        };
        checked.map_err(|why| malformed_field(&format!("supplied.{name}"), why))
    };
    let tag = text("deposit_tag", Malformed::provider_text)?;
    let address = text("deposit_address", Malformed::provider_address)?;
    Ok(address.map(|address| DepositTo { address, tag }))
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// `POST /cash-outs/preview`: an order that is not created (COUT-65).
    ///
    /// # Errors
    ///
    /// What creating it would be refused for.
    pub fn preview_sale(
        &self,
        account: AccountId,
        request: CashOutRequest,
        at: Instant,
    ) -> Result<Value, Problem> {
        let order = self.state.quote_sale(account, request, Funding::Seller, at)?;
        Ok(self.quoted_terms(&order).into())
    }

    /// `GET /catalog`: what sellers may deposit (COUT-64).
    ///
    /// # Errors
    ///
    /// `catalogo_indisponivel` while there is none.
    pub fn markets(&self) -> Result<Value, Problem> {
        let mut assets: Vec<(&str, Vec<Value>)> = Vec::new();
        for market in self.state.catalogue.markets() {
            let item = network(market);
            match assets.iter_mut().find(|(name, _)| *name == &*market.asset_name) {
                Some((_, networks)) => networks.push(item),
                None => assets.push((&market.asset_name, vec![item])),
            }
        }
        if assets.is_empty() {
            return Err(Problem::new(Code::CatalogueUnavailable, "there is no catalogue yet"));
        }
        let items = assets
            .into_iter()
            .map(|(asset, networks)| json!({ "asset": asset, "networks": networks }));
        Ok(json!({ "assets": items.collect::<Vec<_>>() }))
    }
}

fn network(market: &Market) -> Value {
    let units = |units: Option<Units>| units.map(|units| units.text(market.scale));
    json!({
        "network": market.chain_name,
        "path": path(market.route),
        "available": market.offered.is_on(),
        "min": units(market.least),
        "max": units(market.most),
        "decimals": market.scale.decimals(),
        "quote_valid_minutes": market.valid_minutes,
        "confirmations_required": market.confirmations,
        "eta_minutes": market.eta_minutes,
    })
}

/// The route on the wire: `path` (COUT-03).
#[must_use]
pub const fn path(route: Route) -> &'static str {
    match route {
        Route::Fast => "FAST",
        Route::Dex => "DEX",
        Route::Convert => "CONVERT",
        Route::Liquid => "depix_liquid",
    }
}
