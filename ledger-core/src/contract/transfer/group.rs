//! Groups of transfers on the wire: what `POST /saldo/transferir` takes with `pernas`, an extension
//! of ours, and how it is answered (GRP-01 to GRP-06).

use serde_json::Value;

use crate::contract::error::{Code, Problem, malformed_field, wrong};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::object::Json;
use crate::contract::route::text::{RouteText, Variant, answers};
use crate::contract::schema::answer::AnswerType::Objects;
use crate::contract::schema::answer::{cents, field, moment, text, word};
use crate::contract::schema::bounds::{Bound, Checked, Customer};
use crate::contract::schema::field::FieldType::{self, BasisPoints, Centavos, Flag, Text, Whole};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::metadata::{self, METADATA};
use crate::contract::schema::record::record;
use crate::contract::schema::shared::{AMOUNT, EXTERNAL_ID};
use crate::id::OpId;
use crate::ledger::{GroupRequest, LegRequest, Malformed, Operation, Refusal};
use crate::machine::transfer::{Group, Leg};
use crate::money::Amount;
use crate::split::{Portion, SplitError};
use crate::terms::Switch;

use super::wire::{FROM, TO};

/// The body of `POST /saldo/transferir` with `pernas`.
const GROUP: &[Field] = &[
    AMOUNT,
    required("pernas", FieldType::Objects(LEG), "the moves, 1 to 100; they sum to amount_cents"),
    optional("descricao", Text(255), "a note"),
    EXTERNAL_ID,
    METADATA,
];

/// A leg, which says by exactly one field how much it moves.
const LEG: &[Field] = &[
    FROM,
    TO,
    optional("amount_cents", Centavos, "how much it moves"),
    optional("bps", BasisPoints, "its rate of the whole"),
    optional("partes", Whole(1, u16::MAX), "its shares of what amounts and rates leave"),
    optional("resto", Flag, "whether it moves the rest: one share of what is left"),
];

record! {
    /// The answer to a group.
    const DONE, fn group_record |views, op: OpId, operation: &Operation, group: &'v Group| {
        text("transfer_id", "the id of the transfer", "tr_000000000037d2d44936e824b3a1")
            => op.text(&views.state.name);
        word("status", "how it stands: it is done when it is answered", &["concluida"])
            => "concluida";
        cents("amount_cents", "how much was moved, all legs together", 10_000)
            => group.total().map(Amount::cents);
        field("pernas", Objects("MovedLeg", MOVED), "its legs, in the order asked for")
            => Json::List(group.legs.iter().map(|leg| leg_record(views, leg)).collect());
        text("external_id", "the account's own id of it", "venda-1").or_null()
            => group.external_id.as_ref();
        text("descricao", "the note", "mensalidade").or_null()
            => group.note.map(|note| views.value(note));
        moment("created_at", "when it was made") => operation.created_at.to_string();
        .. metadata::SHOWN;
    }
}

record! {
    /// A leg that was moved.
    const MOVED, fn leg_record |views, leg: &Leg| {
        text("from_customer_ref", "who paid; casa is the house", "ana") => views.party_name(leg.from);
        text("to_customer_ref", "who received; casa is the house", "bia") => views.party_name(leg.to);
        cents("amount_cents", "how much it moved", 9_750) => leg.amount.cents();
    }
}

/// `POST /saldo/transferir` with `pernas`.
pub const VARIANT: Variant = Variant {
    parameter: "pernas",
    text: RouteText {
        name: "CreateTransferGroup",
        tag: "Balance",
        summary: "Move among several subaccounts",
        description: "Up to 100 transfers under one `external_id`: all of them are made, or none. Each leg of `pernas` moves an amount, a rate of the whole, shares of what these leave, or the rest; together they move `amount_cents`. A refusal names the leg. What a leg brings pays for no other leg of the group. An extension of this service.",
    },
    body: GROUP,
    answer: answers("TransferGroup", DONE),
};

/// Reads a group; amounts are what each leg moves, whichever way the body says it.
///
/// # Errors
///
/// A [`Problem`] naming the leg and its field.
pub fn group(fields: &mut Fields<'_>) -> Result<GroupRequest, Problem> {
    for name in [FROM.name, TO.name] {
        if fields.value(name).is_some() {
            return Err(wrong(name, "stands in each of pernas, and not beside them"));
        }
    }
    let whole = fields.amount(AMOUNT.name)?;
    let Some(Value::Array(items)) = fields.value("pernas") else {
        return Err(malformed_field("pernas", Malformed::Legs));
    };
    if items.is_empty() || items.len() > Group::MOST {
        return Err(malformed_field("pernas", Malformed::Legs));
    }
    let mut parties = Vec::with_capacity(items.len());
    let mut portions = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let named = |problem: Problem| {
            let detail = format!("pernas[{place}].{}", problem.detail);
            Problem { detail, ..problem }
        };
        if !item.is_object() {
            return Err(wrong(&format!("pernas[{place}]"), "must be a JSON object"));
        }
        let leg = Fields::new(item, fields.tokens(), fields.ledger())?;
        leg.only(LEG).map_err(named)?;
        parties.push((leg.party(FROM.name).map_err(named)?, leg.party(TO.name).map_err(named)?));
        portions.push(portion(&leg).map_err(named)?);
    }
    let amounts = whole.split(&portions).map_err(|why| match why {
        SplitError::Nothing { portion } => {
            let detail = format!("pernas[{portion}].amount_cents comes to less than a centavo");
            Problem::new(Code::AmountInvalid, detail)
        }
        SplitError::Exceeded | SplitError::Unassigned { .. } => {
            Problem::new(Code::AmountInvalid, format!("pernas must sum to amount_cents: {why}"))
        }
    })?;
    let legs = parties.into_iter().zip(amounts);
    let legs = legs.map(|((from, to), amount)| LegRequest { from, to, amount }).collect();
    let note = fields.text("descricao", 255)?.map(|note| fields.tokens().text(note));
    Ok(GroupRequest {
        legs,
        note: note.map(|note| fields.keep(note)),
        external_id: fields.external_id()?,
    })
}

/// How much a leg moves.
fn portion(leg: &Fields<'_>) -> Result<Portion, Problem> {
    let shares = leg.whole_if("partes", u16::MAX)?;
    if shares == Some(0) {
        return Err(wrong("partes", "must be a whole number from 1"));
    }
    let rest = leg.switch_if("resto")?.filter(|rest| *rest == Switch::On);
    let mut said = [
        leg.amount_if("amount_cents")?.map(Portion::Exactly),
        leg.bps_if("bps")?.map(Portion::Rate),
        shares.map(Portion::Shares),
        rest.map(|_| Portion::Shares(1)),
    ]
    .into_iter()
    .flatten();
    match (said.next(), said.next()) {
        (Some(portion), None) => Ok(portion),
        (None, _) => Err(missing("amount_cents")),
        (Some(_), Some(_)) => {
            Err(wrong("amount_cents", "stands beside bps, partes or resto: one of them says it"))
        }
    }
}

impl Checked for GroupRequest {
    fn check_bounds(&self) -> Result<(), Refusal> {
        for (place, LegRequest { from, to, amount }) in self.legs.iter().enumerate() {
            let leg = Customer(FROM).holds(from).and_then(|()| Customer(TO).holds(to));
            let leg = leg.and_then(|()| AMOUNT.holds(amount));
            leg.map_err(|refusal| refusal.of_leg(place))?;
        }
        self.sums_up()?;
        EXTERNAL_ID.holds(&self.external_id)
    }
}

/// The refusal of a leg as a problem that names it.
pub fn of_leg(leg: usize, refusal: Refusal) -> Problem {
    let field = match refusal {
        Refusal::Malformed { .. } => ".",
        Refusal::FundsInsufficient { .. } => ".amount_cents: ",
        Refusal::Waiting { .. } => ".from_customer_ref: ",
        Refusal::SameParty => ".to_customer_ref: ",
        _ => ": ",
    };
    let problem = Problem::from(refusal);
    Problem { detail: format!("pernas[{leg}]{field}{}", problem.detail), ..problem }
}
