//! Facts of accounts that move from one ledger to another.

use super::carried::{LONGEST, PERSONS, ledger, read};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACCOUNT, CUSTOMER, ID, account as account_of};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Checked, Customer, checked, refuse_field};
use crate::contract::schema::field::FieldType::{
    Flag, Moment, Objects, SignedCentavos, Text, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::ledger::cell::{Fact as CellFact, Step};
use crate::ledger::{Carried, Fact, FactKind, Malformed, Refusal};
use crate::money::Balance;
use crate::terms::Switch;

const LEDGER: Field = required("ledger", Text(80), "the other ledger's name");

const EFFECT: Field = optional(
    "effect_cents",
    SignedCentavos,
    "signed: what the balance here grows by; absent: nothing, only the rest is carried",
);

checked!(enum CellFact {
    Moved { account: ACCOUNT, ledger: LEDGER },
    Arriving { account: ACCOUNT, ledger: LEDGER, carried },
    BalanceCarried { account: ACCOUNT, customer: Customer(CUSTOMER), effect: EFFECT },
});

/// An account can be made of it.
impl Checked for Carried {
    fn check_bounds(&self) -> Result<(), Refusal> {
        let whole = if self.is_whole() { Ok(()) } else { Err(Malformed::Missing) };
        refuse_field("carried", whole)
    }
}

/// Facts by which an account leaves one ledger and arrives in another; what is to be reported next,
/// and to which, [`Views::moving`](crate::contract::Views::moving) says.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::AccountMoved,
        name: "account.moved",
        subject: Subject::Account,
        meaning: "An account that moves between two ledgers takes a step: while it is leaving or \
                  arriving, it begins nothing new.",
        fields: &[
            ID,
            ACCOUNT,
            LEDGER,
            required(
                "step",
                Word(16),
                "leaving, staying (before any balance was carried), departed (once nothing is \
                 open or owed) or arrived",
            ),
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"account.moved","body":{"id":"mv-1-leaving","account":"loja","ledger":"live-2","step":"leaving"}}"#,
        read: |fields, _| read_move(fields),
    },
    FactShape {
        kind: FactKind::AccountArriving,
        name: "account.arriving",
        subject: Subject::Account,
        meaning: "An account is on its way here: its key, terms and settings, as the ledger that \
                  it leaves gave them. Both ledgers have one vault key.",
        fields: &[
            ID,
            ACCOUNT,
            LEDGER,
            required("carried", Text(LONGEST), "what a ledger gave, in hexadecimal digits"),
            required("vault_check", Text(16), "what shows that both have one vault key"),
            optional("persons", Objects(PERSONS), "the personal values that it names"),
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"account.arriving","body":{"id":"mv-1-arriving","account":"banca","ledger":"live-1","carried":"8a58201d99ed7a739da4692a65be2575aea4dd097fefba585ae6401f0888e2e9107b3e8182009301018200186418960082008100008219014a0018641a000927c0011a017d784019177018180118188219014a18640000f6f6f680f68200000000","vault_check":"45a7aac94ef6656b"}}"#,
        read: |fields, _| {
            Ok(Fact::Cell(CellFact::Arriving {
                account: account_of(fields)?,
                ledger: ledger(fields)?,
                carried: read(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::BalanceCarried,
        name: "balance.carried",
        subject: Subject::Account,
        meaning: "A balance of an account that moves left this ledger, the whole of what is \
                  available, or came here.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            optional("commission", Flag, "true: the account's commission"),
            EFFECT,
            optional("deposited", Flag, "whether a PIX deposit was ever credited to it"),
            optional("waiting_until", Moment, "when its waiting period ends"),
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"balance.carried","body":{"id":"mv-1-ana","account":"loja","customer_ref":"ana","effect_cents":-5000}}"#,
        read: |fields, _| read_carried(fields),
    },
];

fn read_move(fields: &Fields<'_>) -> Result<Fact, Problem> {
    let step = match fields.required_text("step", 16)? {
        "leaving" => Step::Leaving,
        "staying" => Step::Staying,
        "departed" => Step::Departed,
        "arrived" => Step::Arrived,
        _ => return Err(wrong("step", "must be leaving, staying, departed or arrived")),
    };
    let (account, ledger) = (account_of(fields)?, ledger(fields)?);
    Ok(Fact::Cell(CellFact::Moved { account, step, ledger }))
}

fn read_carried(fields: &Fields<'_>) -> Result<Fact, Problem> {
    let customer = fields.customer("customer_ref")?;
    let commission = fields.switch_if("commission")?.is_some_and(Switch::is_on);
    if commission && customer.is_some() {
        return Err(wrong("customer_ref", "has no commission of its own"));
    }
    let effect = match fields.value("effect_cents") {
        Some(_) => fields.signed_cents("effect_cents")?,
        None => 0,
    };
    Ok(Fact::Cell(CellFact::BalanceCarried {
        account: account_of(fields)?,
        customer,
        commission,
        effect: Balance::new(effect),
        deposited: fields.switch_if("deposited")?.is_some_and(Switch::is_on),
        waiting_until: fields.instant_if("waiting_until")?,
    }))
}
