//! Bodies about keys and accounts: `POST /keys`, `POST /keys/sandbox`, `PATCH /keys/me`.

use serde_json::Value;

use crate::contract::call::Call;
use crate::contract::error::{Code, Problem, malformed_field, wrong};
use crate::contract::input::fields::{Fields, letters, missing};
use crate::contract::input::secret::{Purpose, Secret, brings_entropy};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Flag, Reference, Text, Whole};
use crate::contract::schema::field::{Field, FieldType, optional, required};
use crate::ledger::{AccountSettings, Enrolment, MOST_PARTNER_BPS, Malformed, Owner};
use crate::money::Bps;
use crate::pix::Document;
use crate::terms::{Policy, Switch};

/// The countries there are (ISO 3166-1 alpha-2).
const COUNTRIES: &str = "\
    ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCM\
    CNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGY\
    HKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMF\
    MGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARE\
    RORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZ\
    VAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/// The body of `PATCH /keys/me`, of which one field must be given.
pub const SETTINGS: &[Field] = &[
    optional("webhook_url", Text(2_048), "where webhooks go: an https:// address")
        .like("https://loja.example.com/hooks"),
    SETTLED_TO,
    optional("rotate_webhook_secret", Flag, "whether webhooks get another secret"),
    optional("rotate_monitor_token", Flag, "whether the monitor gets another address"),
    optional("partner_fee_bps", PARTNER, "the partner's percentage of a purchase"),
    optional("partner_cashout_fee_bps", PARTNER, "the partner's percentage of a sale"),
    optional("partner_saque_fee_bps", PARTNER, "the partner's percentage of a payout"),
];

const SETTLED_TO: Field =
    optional("settlement_address", Reference(128), "the wallet that is settled to");
const COUNTRY: Field =
    optional("documento_pais", Text(16), "that country, by its code of two letters").like("BR");

checked!(AccountSettings { settlement: SETTLED_TO });
checked!(Enrolment { owner });
checked!(Owner { country: COUNTRY });

/// A partner's share, in basis points (P:PartnerBpsRange).
const PARTNER: FieldType = Whole(0, MOST_PARTNER_BPS);

/// The body of `POST /keys`.
pub const PRODUCTION: &[Field] = &[
    required("name", Text(255), "whose account it is"),
    optional("email", Text(254), "an e-mail address"),
    optional("documento", Text(32), "a CPF or CNPJ, or what another country has")
        .like("52998224725"),
    COUNTRY,
    optional("responsavel_legal", Text(255), "who answers for it").like("Ana Souza"),
];

/// The body of `POST /keys/sandbox`.
pub const SANDBOX: &[Field] = &[
    required("email", Text(254), "an e-mail address"),
    optional("name", Text(255), "whose account it is"),
];

/// The body of `POST /keys/painel-link`.
pub const LINK: &[Field] = &[required("email", Text(254), "the e-mail address of an account")];

/// A request for an account, with the credentials that its answer shows once.
pub struct EnrolmentRequest {
    /// The enrolment to be decided, without the key itself.
    pub enrolment: Enrolment,
    /// The API key made for it, in clear; the journal holds its hash alone.
    pub key: Secret,
}

/// `POST /keys` (KEY-03): a name, and what else is given must be sound.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn production(
    fields: &mut Fields<'_>,
    call: &Call,
    policy: &Policy,
) -> Result<EnrolmentRequest, Problem> {
    let name = fields.required_text("name", 255)?;
    let email = fields.text("email", 254)?;
    if email.is_some_and(|email| !is_email(email)) {
        return Err(Problem::new(Code::EmailInvalid, "email is no e-mail address"));
    }
    let country = country(fields)?;
    let document = document(fields, country.as_deref(), policy)?;
    let responsible = fields.text("responsavel_legal", 255)?;
    let tokens = fields.tokens();
    let owner = Owner {
        name: Some(fields.keep(tokens.name(name))),
        email: email.map(|email| fields.keep(tokens.email(email))),
        responsible: responsible.map(|name| fields.keep(tokens.name(name))),
        document: document.map(|document| fields.keep(document)),
        country,
    };
    enrolment_request(fields, call, owner)
}

/// `POST /keys/sandbox` (KEY-01, KEY-02): an e-mail, and perhaps a name.
///
/// # Errors
///
/// `email_obrigatorio` without a valid e-mail; otherwise a [`Problem`] naming the field.
pub fn sandbox(fields: &mut Fields<'_>, call: &Call) -> Result<EnrolmentRequest, Problem> {
    let email = fields.value("email").and_then(Value::as_str).filter(|email| is_email(email));
    let email = email.ok_or_else(|| {
        Problem::new(Code::EmailRequired, "email is required, and must be an e-mail address")
    })?;
    let name = fields.text("name", 255)?;
    let tokens = fields.tokens();
    let owner = Owner {
        name: name.map(|name| fields.keep(tokens.name(name))),
        email: Some(fields.keep(tokens.email(email))),
        ..Owner::default()
    };
    enrolment_request(fields, call, owner)
}

fn enrolment_request(
    fields: &mut Fields<'_>,
    call: &Call,
    owner: Owner,
) -> Result<EnrolmentRequest, Problem> {
    let ip = call.ip.ok_or_else(|| {
        // An adapter that forgets it would lift the limit for everybody (KEY-16).
        let detail = "the call brings no ip: keys are counted by the address they are asked from";
        Problem::new(Code::RequestInvalid, detail)
    })?;
    let tokens = fields.tokens();
    let key = Secret::api_key(&call.supplied, fields.ledger().environment())?;
    let monitor = Secret::from_entropy(&call.supplied, Purpose::Monitor)?;
    let enrolment = Enrolment {
        owner,
        key: tokens.api_key(key.expose()),
        monitor: fields.keep(tokens.credential(&monitor)),
        address: tokens.address(ip),
    };
    Ok(EnrolmentRequest { enrolment, key })
}

fn country(fields: &Fields<'_>) -> Result<Option<Box<str>>, Problem> {
    let Some(text) = fields.text("documento_pais", 16)? else { return Ok(None) };
    let code = text.to_ascii_uppercase();
    let mut known = COUNTRIES.as_bytes().chunks_exact(2);
    if known.any(|known| known == code.as_bytes()) {
        Ok(Some(code.into()))
    } else {
        Err(wrong("documento_pais", "must be a country code of two letters, as BR"))
    }
}

/// A Brazilian document is a CPF or CNPJ; any other, letters and digits as that country writes
/// them.
fn document(
    fields: &Fields<'_>,
    country: Option<&str>,
    policy: &Policy,
) -> Result<Option<crate::contract::input::tokens::Personal>, Problem> {
    let invalid = |detail: &str| Problem::new(Code::DocumentInvalid, detail);
    let Some(value) = fields.value("documento") else { return Ok(None) };
    let text = value.as_str().ok_or_else(|| invalid("documento must be a string"))?;
    if country.is_none_or(|country| country == "BR") {
        let document = Document::parse(text, letters(policy))
            .ok_or_else(|| invalid("documento must be a CPF or CNPJ, digits only"))?;
        return Ok(Some(fields.tokens().document(&document)));
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'/' | b' ');
    let marked = text.bytes().filter(u8::is_ascii_alphanumeric).count();
    let sound = (4..=32).contains(&text.len()) && text.bytes().all(plain) && 4 <= marked;
    let wanted = "documento must be 4 to 32 letters and digits, with . - / between them";
    sound.then(|| Some(fields.tokens().text(text))).ok_or_else(|| invalid(wanted))
}

/// `PATCH /keys/me` (KEY-07, KEY-09): several fields are one decision.
///
/// # Errors
///
/// A [`Problem`] naming the field: unknown, malformed, or none given at all.
pub fn settings(fields: &mut Fields<'_>, supplied: &Value) -> Result<AccountSettings, Problem> {
    let names = || SETTINGS.iter().map(|field| field.name);
    if names().all(|name| fields.value(name).is_none()) {
        let names: Vec<_> = names().collect();
        return Err(missing(&format!("one of {}", names.join(", "))));
    }
    let tokens = fields.tokens();
    let webhook = match fields.value("webhook_url") {
        None => None,
        Some(value) => {
            let url = value.as_str().unwrap_or_default();
            Malformed::webhook(url).map_err(|why| malformed_field("webhook_url", why))?;
            Some(fields.keep(tokens.text(url)))
        }
    };
    let settlement = fields.text("settlement_address", 128)?.map(Into::into);
    let rotate_secret = fields.switch_if("rotate_webhook_secret")?.unwrap_or(Switch::Off);
    let rotate_monitor = fields.switch_if("rotate_monitor_token")?.unwrap_or(Switch::Off);
    let (mut secret, mut monitor) = (None, None);
    if rotate_secret.is_on() || (webhook.is_some() && brings_entropy(supplied)) {
        let made = Secret::from_entropy(supplied, Purpose::Webhook)?;
        secret = Some(fields.keep(tokens.credential(&made)));
    }
    if rotate_monitor.is_on() {
        let made = Secret::from_entropy(supplied, Purpose::Monitor)?;
        monitor = Some(fields.keep(tokens.credential(&made)));
    }
    Ok(AccountSettings {
        settlement,
        webhook,
        rotate_secret,
        secret,
        rotate_monitor,
        monitor,
        purchase_partner: partner(fields, "partner_fee_bps")?,
        sale_partner: partner(fields, "partner_cashout_fee_bps")?,
        payout_partner: partner(fields, "partner_saque_fee_bps")?,
    })
}

/// A partner's share, 0 to 1,000 (P:PartnerBpsRange).
fn partner(fields: &Fields<'_>, name: &str) -> Result<Option<Bps>, Problem> {
    let Some(value) = fields.value(name) else { return Ok(None) };
    let bps = value.as_u64().and_then(|bps| u16::try_from(bps).ok());
    let bps = bps.filter(|bps| *bps <= MOST_PARTNER_BPS).and_then(Bps::new);
    bps.map(Some).ok_or_else(|| {
        let detail = format!("{name} must be a whole number from 0 to {MOST_PARTNER_BPS}");
        Problem::new(Code::ValueInvalid, detail)
    })
}

/// Tells whether text is an e-mail address: one @, something before it, a domain with a dot after
/// it.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let in_name = |b: u8| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b);
    let dots = |part: &str| !part.starts_with('.') && !part.ends_with('.') && !part.contains("..");
    text.len() <= 254
        && (1..=64).contains(&name.len())
        && name.bytes().all(in_name)
        && dots(name)
        && domain.contains('.')
        && domain.split('.').all(Malformed::is_host_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_mails_have_a_name_and_a_domain() {
        for email in ["a@b.co", "ana.prado+loja@exemplo.com.br", "x_y-z@sub.exemplo.org"] {
            assert!(is_email(email), "{email}");
        }
        for text in [
            "",
            "a",
            "@b.co",
            "a@",
            "a@b",
            "a@@b.co",
            "a b@c.co",
            "a@b..co",
            ".a@b.co",
            "a.@b.co",
            "a..b@c.co",
            "a@-b.co",
            "a@b.co.",
            "ana@exemplo.com\n",
            "aná@b.co",
        ] {
            assert!(!is_email(text), "{text}");
        }
        assert!(!is_email(&format!("{}@b.co", "a".repeat(65))));
    }

    #[test]
    fn webhooks_go_to_https_alone() {
        for url in [
            "https://loja.exemplo.com/pix",
            "https://loja.exemplo.com",
            "https://loja:8443/x?y=1&z=%20",
        ] {
            assert_eq!(Malformed::webhook(url), Ok(()), "{url}");
        }
        for url in [
            "",
            "loja.exemplo.com",
            "http://loja.exemplo.com",
            "HTTP://x.co",
            "https://",
            "https:///x",
            "https://user:pass@loja.exemplo.com",
            "https://x.co/#a",
            "https://x .co",
            "https://x.co:0",
            "https://x.co:99999",
            "https://x.co:",
            "https://-x.co",
            "https://x..co",
            "ftp://x.co",
            "https://x.co/\n",
            "https://ção.com",
        ] {
            assert!(Malformed::webhook(url).is_err(), "{url}");
        }
        assert!(Malformed::webhook(&format!("https://x.co/{}", "a".repeat(2_048))).is_err());
    }

    #[test]
    fn there_are_249_countries() {
        assert_eq!(COUNTRIES.len(), 2 * 249);
        let mut codes: Vec<_> = COUNTRIES.as_bytes().chunks_exact(2).collect();
        assert!(codes.is_sorted());
        codes.dedup();
        assert_eq!(codes.len(), 249);
        assert!(codes.contains(&b"BR".as_slice()));
    }
}
