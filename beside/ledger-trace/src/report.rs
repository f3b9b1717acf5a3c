//! Traces as text and as JSON.

use std::fmt::Write as _;

use ledger_core::accounting::{Account, Class, CoinAccount};
use ledger_core::id::Seq;
use ledger_core::ledger::Event;
use ledger_store::codec;
use serde_json::{Value, json};

use crate::account::{LedgerAccount, Slot};
use crate::lots::{Origin, SourceId};
use crate::names::{Holders, Names};
use crate::query::Traced;
use crate::reader::Subject;
use crate::trail::{End, Stage, Sum};

impl Traced {
    /// Returns where the money went as JSON. Amounts are in centavos, or in the asset's smallest
    /// units as text; `went` plus `remains` is `amount`, in every commodity.
    #[must_use]
    pub fn forward(&self, holders: Holders) -> Value {
        let names = self.names(holders);
        let sums = self.trail.sums();
        let sums = sums.iter().map(|(commodity, sum)| {
            let (name, scale) = names.commodity(*commodity);
            let ends = sum.ends.iter().map(|end| self.end(&names, end));
            let remains: u128 =
                sum.ends.iter().filter(|end| remains(end)).map(|end| end.amount).sum();
            let amount = sum.began + sum.exchanged;
            json!({
                "commodity": name,
                "decimals": scale.decimals(),
                "began": number(sum.began),
                "exchanged": number(sum.exchanged),
                "amount": number(amount),
                "went": number(amount - remains),
                "remains": number(remains),
                "ends": ends.collect::<Vec<_>>(),
            })
        });
        let sums: Vec<_> = sums.collect();
        let steps = self.trail.stages().iter().map(|stage| self.stage(&names, stage));
        let blocks = self.trail.blocks().into_iter().map(|block| {
            json!({
                "subaccount": names.subaccount(block.subaccount),
                "amount": number(block.amount),
            })
        });
        let steps: Vec<_> = steps.collect();
        let blocks: Vec<_> = blocks.collect();
        let mut shown = self.about(&names);
        shown["sums"] = sums.into();
        shown["steps"] = steps.into();
        shown["returned"] = number(self.trail.returned_cents());
        shown["blocked"] = number(self.trail.blocked_cents());
        shown["blocks"] = blocks.into();
        shown
    }

    /// Returns where the money came from as JSON: what the operation took, by source.
    #[must_use]
    pub fn backward(&self, holders: Holders) -> Value {
        let names = self.names(holders);
        let sources: Vec<_> = self
            .trail
            .sources()
            .map(|(source, commodity, amount)| {
                let mut shown = self.source(&names, source);
                shown["commodity"] = names.commodity(commodity).0.into();
                shown["amount"] = number(amount);
                shown["text"] = names.amount(amount, commodity).into();
                shown
            })
            .collect();
        let mut shown = self.about(&names);
        shown["sources"] = sources.into();
        shown
    }

    pub(crate) fn names(&self, holders: Holders) -> Names<'_> {
        Names { sequencer: &self.sequencer, holders }
    }

    fn about(&self, names: &Names<'_>) -> Value {
        let head = self.sequencer.head();
        let operation = match self.trail.subject() {
            Subject::Operation(op) => Some(names.op(*op)),
            Subject::Pix(_) => None,
        };
        json!({
            "ledger": &*self.sequencer.ledger().state.name.to_string(),
            "subject": self.text,
            "operation": operation,
            "rule": self.rule.name(),
            "record": head.seq,
            "link": head.link.to_string(),
        })
    }

    fn end(&self, names: &Names<'_>, end: &End) -> Value {
        let mut shown = slot(names, end.slot);
        shown["class"] = class(end).into();
        shown["amount"] = number(end.amount);
        shown["text"] = names.amount(end.amount, end.slot.place.commodity()).into();
        if let Some(advance) = end.covers {
            shown["covers"] = self.source(names, advance);
        }
        shown
    }

    fn stage(&self, names: &Names<'_>, stage: &Stage) -> Value {
        json!({
            "record": stage.record.0,
            "operation": stage.op.map(|op| names.op(op)),
            "from": names.place(stage.from.place),
            "to": names.place(stage.to.place),
            "exchanged": stage.exchanged,
            "covers": stage.covers.map(|advance| self.trail.tracer().source(advance).record.0),
            "amount": number(stage.amount),
            "text": names.amount(stage.amount, stage.from.place.commodity()),
        })
    }

    fn source(&self, names: &Names<'_>, id: SourceId) -> Value {
        let source = self.trail.tracer().source(id);
        let origin = match source.origin {
            Origin::Came => "came",
            Origin::Advanced => "advanced",
        };
        let record = self.sequencer.evidence(source.record.0);
        let record = record.and_then(|found| codec::decode(Seq(found.seq), &found.bytes).ok());
        let known = record.as_ref().map(|record| {
            let ids = record.events.iter().flat_map(Event::outsides);
            let id = ids.map(|id| id.id.to_string()).next();
            (record.at.to_string(), id)
        });
        let (at, pix) = known.unzip();
        json!({
            "origin": origin,
            "account": names.place(source.place),
            "record": source.record.0,
            "at": at,
            "id": pix.flatten(),
            "operation": source.op.map(|op| names.op(op)),
        })
    }

    /// Returns as lines for people what [`Traced::forward`] or [`Traced::backward`] gave.
    #[must_use]
    pub fn text(shown: &Value) -> String {
        let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut text = String::new();
        let operation =
            shown["operation"].as_str().map(|op| format!(" ({op})")).unwrap_or_default();
        let subject = word(&shown["subject"]);
        let named = if operation.contains(&subject) { String::new() } else { operation };
        let (rule, record) = (word(&shown["rule"]), &shown["record"]);
        let ledger = word(&shown["ledger"]);
        let _ = writeln!(text, "{subject}{named}, {ledger}, {rule}, up to record {record}");
        let list = |name: &str| shown[name].as_array().cloned().unwrap_or_default();
        for source in list("sources") {
            let id = source["id"].as_str().or(source["operation"].as_str()).unwrap_or("-");
            let [amount, origin, account] = ["text", "origin", "account"].map(|n| word(&source[n]));
            let record = &source["record"];
            let _ = writeln!(text, "  {amount:>24}  {origin} by {account}, record {record}  {id}");
        }
        for step in list("steps") {
            let [amount, from, to] = ["text", "from", "to"].map(|name| word(&step[name]));
            let by = step["operation"].as_str().unwrap_or("-").to_owned();
            let note = match (&step["covers"], &step["exchanged"]) {
                (Value::Null, Value::Bool(true)) => ", exchanged",
                (Value::Null, _) => "",
                _ => ", made good",
            };
            let record = &step["record"];
            let _ = writeln!(text, "  record {record}  {amount}  {from} -> {to}{note}  {by}");
        }
        for sum in list("sums") {
            let _ = writeln!(text, "{} where it is:", word(&sum["commodity"]));
            for end in sum["ends"].as_array().into_iter().flatten() {
                let [amount, class, account] = ["text", "class", "account"].map(|n| word(&end[n]));
                let by = end["operation"].as_str().unwrap_or_default();
                let _ = writeln!(text, "  {amount:>24}  {class:<10} {account}  {by}");
            }
            let [went, remains, amount] = ["went", "remains", "amount"].map(|n| word(&sum[n]));
            let unit = if sum["commodity"] == "BRL" { "centavos" } else { "smallest units" };
            let _ = writeln!(text, "  {went} went, {remains} remains: {amount} {unit}");
        }
        for block in list("blocks") {
            let [whose, amount] = ["subaccount", "amount"].map(|name| word(&block[name]));
            let _ = writeln!(text, "a block may take {amount} centavos of {whose}");
        }
        text
    }
}

impl Sum {
    /// Tells whether what came equals what is at the ends, to the last unit.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        self.began + self.exchanged == self.ends.iter().map(|end| end.amount).sum()
    }
}

/// An amount as a number, or as text where it is beyond what every reader of JSON holds exactly.
fn number(amount: u128) -> Value {
    match u64::try_from(amount) {
        Ok(small) if small < 1 << 53 => small.into(),
        _ => amount.to_string().into(),
    }
}

/// Tells whether money at an end is still owed to somebody.
fn remains(end: &End) -> bool {
    end.covers.is_none() && end.slot.place.is_owed()
}

/// A part of an account, with the operation whose it is.
fn slot(names: &Names<'_>, slot: Slot) -> Value {
    let of = slot.of.map(|op| names.op(op));
    json!({ "account": names.place(slot.place), "operation": of })
}

/// The class of an end, in a word.
fn class(end: &End) -> &'static str {
    if end.covers.is_some() {
        return "covered";
    }
    match end.slot.place {
        LedgerAccount::Reais(account) => match account {
            Account::Available(_) => "available",
            Account::Held(_) => "held",
            Account::Frozen(_) => "blocked",
            Account::SuspensePix => "suspense",
            Account::ProviderPix => "returned",
            Account::ProviderPay => "paid",
            Account::Fx => "exchanged",
            Account::Cells => "carried",
            _ => class_of(end.slot.place),
        },
        LedgerAccount::Coins(_, account) => match account {
            CoinAccount::WalletAvailable(_) => "available",
            CoinAccount::Suspense => "suspense",
            CoinAccount::Treasury(_) => "delivered",
            CoinAccount::Transit(_) => "vanished",
            CoinAccount::Fx => "exchanged",
            _ => class_of(end.slot.place),
        },
    }
}

fn class_of(place: LedgerAccount) -> &'static str {
    match place.class() {
        Class::Liability if place.op().is_some() => "in flight",
        Class::Liability => "owed",
        Class::Income => "fee",
        Class::Asset | Class::Equity | Class::Expense | Class::Trading => "own",
    }
}
