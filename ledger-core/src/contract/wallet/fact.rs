//! Facts of deposits into wallets: seen, confirmed, doubted, judged.

use super::requests;
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, EVIDENCE, ID, REASON, account, decided_by, operation_if,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::{Bound, checked};
use crate::contract::schema::field::FieldType::{Decimal, Operation, Reference, Text, Whole, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{ASSET, NETWORK, TRANSACTION};
use crate::id::{AssetId, ChainId};
use crate::ledger::wallet::{DepositFinding, DepositRequest, Fact};
use crate::ledger::{self, FactKind, Refusal, State};
use crate::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};

const DEPOSIT: Field = required("deposit_id", Operation, "the deposit");

/// The hash of the transaction that brought or took crypto.
pub const HASH: Field = required("tx_hash", Reference(128), "the transaction");

const OUTPUT: Field =
    optional("output_index", Whole(0, 65_535), "the place of the output in it; absent: 0");
const SEND_TO: Field = required("address", Reference(128), "where to send");
const ARRIVED_AT: Field =
    optional("address", Reference(128), "where it arrived, which tells it otherwise");
const WHOSE: Field =
    optional("account", Text(80), "whose it is, when no request says it; with cleared");

checked!(enum Fact {
    Configured(settings),
    DepositAssigned { account: ACCOUNT, request: Assigned },
    DepositSeen { transfer, address: ARRIVED_AT },
    DepositConfirmed { transfer, mark },
    DepositDoubted { mark },
    DepositJudged { finding },
    Withdrawal { report },
    Payment { step },
    PaymentResolved { finding },
    WithdrawalEvidence { finding },
} else DepositReversed);

checked!(enum DepositFinding { Cleared { account: WHOSE } } else Rejected);
checked!(Transfer { mark });
checked!(Mark { hash: TRANSACTION });

/// A deposit request that an operator makes: nobody supplies its address beside it.
struct Assigned;

impl Bound<DepositRequest> for Assigned {
    fn holds(&self, request: &DepositRequest) -> Result<(), Refusal> {
        NETWORK.holds(&request.network)?;
        SEND_TO.holds(&request.address)
    }
}

const SUBJECT: Subject = Subject::Operation(&["deposit_id"]);

/// The facts of deposits into wallets.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::WalletDepositAssigned,
        name: "wallet.deposit.assigned",
        subject: Subject::Account,
        meaning: "An operator makes a deposit request for an account.",
        fields: &[
            ID,
            ACCOUNT,
            required("amount", Decimal(40), "USDT"),
            optional("network", Text(32), "the network; absent: polygon"),
            SEND_TO,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"wallet.deposit.assigned","body":{"id":"asg-1","account":"loja","amount":"250","address":"0x52908400098527886e0f7030069857d2e4169ee7","actor":"bia","reason":"asked for by phone"}}"#,
        read: |fields, _| {
            Ok(wallet_fact(Fact::DepositAssigned {
                account: account(fields)?,
                request: DepositRequest {
                    amount: requests::usdt(fields, "amount")?.ok_or_else(|| missing("amount"))?,
                    network: fields.text("network", 32)?.unwrap_or("polygon").into(),
                    address: Some(fields.required_text("address", 128)?.into()),
                },
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::WalletDepositSeen,
        name: "wallet.deposit.seen",
        subject: SUBJECT,
        meaning: "A transfer to the wallet was seen; what no request awaits exactly is under review.",
        fields: &[
            optional(
                "deposit_id",
                Operation,
                "the deposit, where the sender or the address tells it",
            ),
            ARRIVED_AT,
            HASH,
            OUTPUT,
            required("asset", Text(32), "the token"),
            NETWORK,
            required("amount", Decimal(40), "how much"),
        ],
        example: r#"{"at":"2026-11-20T12:10:00Z","fact":"wallet.deposit.seen","body":{"deposit_id":"$w1.deposit_id","tx_hash":"0xd1","asset":"USDT","network":"polygon","amount":"100.000117"}}"#,
        read: |fields, context| {
            Ok(wallet_fact(Fact::DepositSeen {
                deposit: operation_if(fields, "deposit_id")?,
                address: fields.text("address", 128)?.map(Into::into),
                transfer: transfer(fields, context.state)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::WalletDepositConfirmed,
        name: "wallet.deposit.confirmed",
        subject: SUBJECT,
        meaning: "The network confirmed a transfer; told with token, network and amount, it implies \
                  that it was seen.",
        fields: &[
            ID,
            DEPOSIT,
            HASH,
            OUTPUT,
            optional(
                "asset",
                Text(32),
                "the token, when the news of the transfer may not have come",
            ),
            optional("network", Text(32), "the network, with asset"),
            optional("amount", Decimal(40), "how much, with asset"),
        ],
        example: r#"{"at":"2026-11-20T12:12:00Z","fact":"wallet.deposit.confirmed","body":{"id":"conf-1","deposit_id":"$w1.deposit_id","tx_hash":"0xd1"}}"#,
        read: |fields, context| {
            Ok(wallet_fact(Fact::DepositConfirmed {
                deposit: fields.operation("deposit_id")?,
                mark: mark(fields)?,
                transfer: match ["asset", "network", "amount"].map(|name| fields.value(name)) {
                    [None, None, None] => None,
                    [..] => Some(transfer(fields, context.state)?),
                },
            }))
        },
    },
    FactShape {
        kind: FactKind::WalletDepositDoubted,
        name: "wallet.deposit.doubted",
        subject: SUBJECT,
        meaning: "A transfer that was seen is in doubt: it is under review until an operator decides.",
        fields: &[ID, DEPOSIT, HASH, OUTPUT, required("cause", Word(16), "reorg or compliance")],
        example: r#"{"at":"2026-11-20T12:11:00Z","fact":"wallet.deposit.doubted","body":{"id":"dbt-1","deposit_id":"$w1.deposit_id","tx_hash":"0xd1","cause":"reorg"}}"#,
        read: |fields, _| {
            Ok(wallet_fact(Fact::DepositDoubted {
                deposit: fields.operation("deposit_id")?,
                mark: mark(fields)?,
                doubt: match fields.required_text("cause", 16)? {
                    "reorg" => Doubt::Reorganisation,
                    "compliance" => Doubt::Compliance,
                    _ => return Err(wrong("cause", "must be reorg or compliance")),
                },
            }))
        },
    },
    FactShape {
        kind: FactKind::WalletDepositJudged,
        name: "wallet.deposit.judged",
        subject: SUBJECT,
        meaning: "An operator lets a deposit under review in, or keeps it out.",
        fields: &[
            ID,
            DEPOSIT,
            required(
                "outcome",
                Word(16),
                "cleared, returned (sent back once confirmed) or vanished (never confirmed)",
            ),
            WHOSE,
            optional(
                "credited",
                Decimal(40),
                "how much of it, the rest being sent back; absent: all; with cleared",
            ),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T14:00:00Z","fact":"wallet.deposit.judged","body":{"id":"jdg-1","deposit_id":"$w1.deposit_id","outcome":"cleared","actor":"bia","reason":"sent without the trailing decimals"}}"#,
        read: |fields, _| {
            Ok(wallet_fact(Fact::DepositJudged {
                deposit: fields.operation("deposit_id")?,
                finding: finding(fields)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::WalletDepositReversed,
        name: "wallet.deposit.reversed",
        subject: SUBJECT,
        meaning: "A deposit is undone after it was credited: a forced debit.",
        fields: &[ID, DEPOSIT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T16:00:00Z","fact":"wallet.deposit.reversed","body":{"id":"rev-2","deposit_id":"$w1.deposit_id","actor":"bia","reason":"the network reorganised"}}"#,
        read: |fields, _| {
            Ok(wallet_fact(Fact::DepositReversed {
                deposit: fields.operation("deposit_id")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
];

/// A fact of a wallet, as any other.
#[must_use]
pub fn wallet_fact(fact: Fact) -> ledger::Fact {
    ledger::Fact::Wallet(Box::new(fact))
}

fn finding(fields: &Fields<'_>) -> Result<DepositFinding, Problem> {
    let finding = match fields.required_text("outcome", 16)? {
        "cleared" => {
            return Ok(DepositFinding::Cleared {
                account: fields.text("account", 80)?.map(Into::into),
                credited: requests::usdt(fields, "credited")?,
            });
        }
        "returned" => DepositFinding::Rejected(Rejection::Returned),
        "vanished" => DepositFinding::Rejected(Rejection::Vanished),
        _ => return Err(wrong("outcome", "must be cleared, returned or vanished")),
    };
    match ["account", "credited"].into_iter().find(|name| fields.value(name).is_some()) {
        Some(name) => Err(wrong(name, "has no meaning unless the outcome is cleared")),
        None => Ok(finding),
    }
}

fn transfer(fields: &Fields<'_>, state: &State) -> Result<Transfer, Problem> {
    let (asset, scale) = asset(fields, state)?;
    let chain = chain(fields, state)?;
    let units = Units::parse(fields.required_text("amount", 40)?, scale).ok_or_else(|| {
        let most = scale.decimals();
        wrong("amount", &format!("must be a decimal string above zero, of at most {most} decimals"))
    })?;
    let usdt = state.wallet_settings().and_then(|settings| settings.at_par(asset));
    Ok(Transfer { asset, chain, units, mark: mark(fields)?, usdt })
}

/// An asset by its name in either case: the wallet's words are upper case, the catalogue's lower.
pub(in crate::contract) fn asset(
    fields: &Fields<'_>,
    state: &State,
) -> Result<(AssetId, Scale), Problem> {
    let name = fields.declared_text(&ASSET)?.ok_or_else(|| missing(ASSET.name))?;
    let known = state.catalogue.asset(&name.to_lowercase());
    known.ok_or_else(|| wrong(ASSET.name, "was never on the catalogue"))
}

/// A network that was once on the catalogue.
///
/// # Errors
///
/// A [`Problem`] when it never was.
pub fn chain(fields: &Fields<'_>, state: &State) -> Result<ChainId, Problem> {
    let known = state.catalogue.chain(fields.required_text("network", 32)?);
    known.ok_or_else(|| wrong("network", "was never on the catalogue"))
}

/// A transaction: the hexadecimal digits of a hash are one hash in either case.
///
/// # Errors
///
/// A [`Problem`] when it is missing or too long.
pub fn transaction(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let hash = fields.required_text("tx_hash", 128)?;
    Ok(if hash.starts_with("0x") { hash.to_ascii_lowercase().into() } else { hash.into() })
}

/// A transaction and the place in it.
fn mark(fields: &Fields<'_>) -> Result<Mark, Problem> {
    let hash = transaction(fields)?;
    let index = fields.whole_if("output_index", u16::MAX)?.unwrap_or(0);
    Ok(Mark { hash, index: index.into() })
}
