//! The result as JSON: statements, sums, balances, and every movement with its evidence.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::difference::{Difference, How, OpenItem, Pair};
use crate::matching::{Inputs, MatchResult};
use crate::movement::{Class, OurMovement, TheirMovement};
use crate::quantity::Quantity;
use crate::statement::Statement;

/// One movement, or several that are one, with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<'a> {
    /// `differs`, `ours only`, `theirs only` or `ambiguous`.
    pub outcome: &'static str,
    /// In what it differs, or why it stands alone.
    pub reasons: Vec<Difference>,
    /// Movements of theirs.
    pub theirs: Vec<&'a TheirMovement>,
    /// Movements of ours.
    pub ours: Vec<&'a OurMovement>,
}

/// How many movements of one account and class there are, and their sums by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassSum {
    /// Movements of theirs.
    pub theirs: usize,
    /// Their sum, below zero where more left.
    pub their_sum: Quantity,
    /// Movements of ours in the period.
    pub ours: usize,
    /// The sum of ours, below zero where more left.
    pub our_sum: Quantity,
    /// Movements of theirs that are matched and agree.
    pub matched: usize,
    /// The sum of those of theirs, below zero where more left.
    pub matched_sum: Quantity,
}

/// A result together with what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The ledger's name.
    pub ledger: &'a str,
    /// Both sides, and the rules.
    pub inputs: Inputs<'a>,
    /// The result: pairs, and movements that stand alone.
    pub matched: &'a MatchResult,
}

impl<'a> Report<'a> {
    fn theirs(&self) -> Vec<&'a TheirMovement> {
        self.inputs.statements.iter().flat_map(|statement| &statement.movements).collect()
    }

    /// Everything that a person has to look at, but balances and lines that cannot be read.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding<'a>> {
        let (theirs, ours) = (self.theirs(), self.inputs.books.movements());
        let finding = |outcome, reasons, pair: (&[usize], &[usize])| Finding {
            outcome,
            reasons,
            theirs: pair.0.iter().map(|place| theirs[*place]).collect(),
            ours: pair.1.iter().map(|place| &ours[*place]).collect(),
        };
        let differing = self.matched.pairs.iter().filter(|pair| !pair.differences.is_empty());
        let differing = differing.map(|Pair { theirs, ours, differences, .. }| {
            finding("differs", differences.clone(), (theirs, ours))
        });
        let open = self.matched.open.iter().map(|OpenItem { theirs, ours, reason }| {
            let outcome = match (reason, theirs.is_empty(), ours.is_empty()) {
                (Difference::Ambiguous, ..) => "ambiguous",
                (_, true, _) => "ours only",
                (_, _, true) => "theirs only",
                _ => "differs",
            };
            finding(outcome, vec![*reason], (theirs, ours))
        });
        differing.chain(open).collect()
    }

    /// Sums by account and class.
    #[must_use]
    pub fn sums(&self) -> BTreeMap<(String, Class), ClassSum> {
        let (theirs, ours) = (self.theirs(), self.inputs.books.movements());
        let mut sums: BTreeMap<(String, Class), ClassSum> = BTreeMap::new();
        for movement in &theirs {
            let sum = sums.entry((movement.account.name(), movement.class)).or_default();
            sum.theirs += 1;
            sum.their_sum = sum.their_sum.plus(movement.signed_amount());
        }
        let period = self.inputs.period;
        for own in ours.iter().filter(|own| own.status == crate::movement::Status::Booked) {
            if own.day >= period.from && own.day <= period.to {
                let sum = sums.entry((own.account.name(), own.class)).or_default();
                sum.ours += 1;
                sum.our_sum = sum.our_sum.plus(own.signed_amount());
            }
        }
        for pair in self.matched.pairs.iter().filter(|pair| pair.differences.is_empty()) {
            for place in &pair.theirs {
                let movement = theirs[*place];
                let sum = sums.entry((movement.account.name(), movement.class)).or_default();
                sum.matched += 1;
                sum.matched_sum = sum.matched_sum.plus(movement.signed_amount());
            }
        }
        sums
    }

    /// How many things are open: movements, balances and lines that cannot be read.
    #[must_use]
    pub fn open_count(&self) -> usize {
        let unreadable = self.inputs.statements.iter().map(|it| it.unreadable.len());
        self.matched.open_count() + unreadable.sum::<usize>()
    }

    /// All of it as JSON; what matched as well, where `with_matched` says so.
    #[must_use]
    pub fn json(&self, with_matched: bool) -> Value {
        let Report { ledger, inputs, matched } = *self;
        let mut json = json!({
            "ledger": ledger,
            "from": inputs.period.from.to_string(),
            "to": inputs.period.to.to_string(),
            "records": inputs.books.records(),
            "agrees": self.open_count() == 0,
            "statements": inputs.statements.iter().map(statement_json).collect::<Vec<_>>(),
            "sums": self.sums().iter().map(sum_json).collect::<Vec<_>>(),
            "balances": self.balances_json(),
            "findings": self.findings().iter().map(|it| self.finding_json(it)).collect::<Vec<_>>(),
            "balance_findings": self.balance_findings_json(),
            "matched": matched.pairs.iter().filter(|it| it.differences.is_empty()).count(),
            "matched_before": matched.matched_before,
            "moves_nothing": matched.moves_nothing,
        });
        if with_matched {
            json["pairs"] = self.pairs_json();
        }
        json
    }

    fn pairs_json(&self) -> Value {
        let (theirs, ours) = (self.theirs(), self.inputs.books.movements());
        let agreeing = self.matched.pairs.iter().filter(|pair| pair.differences.is_empty());
        let pairs = agreeing.map(|pair| {
            let theirs = pair.theirs.iter().map(|place| self.their_json(theirs[*place]));
            let ours = pair.ours.iter().map(|place| self.our_json(&ours[*place]));
            json!({
                "by": self.rule_name(pair.how),
                "theirs": theirs.collect::<Vec<_>>(),
                "ours": ours.collect::<Vec<_>>(),
            })
        });
        Value::Array(pairs.collect())
    }

    /// By what a pair was made: an id, a name, or the rule of this name.
    #[must_use]
    pub fn rule_name(&self, how: How) -> &'a str {
        match how {
            How::Id => "id",
            How::Name => "name",
            How::Rule(number) => {
                self.inputs.rules.rules.get(number).map_or("rule", |rule| &rule.name)
            }
        }
    }

    fn finding_json(&self, finding: &Finding<'_>) -> Value {
        json!({
            "outcome": finding.outcome,
            "by": finding.reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>(),
            "theirs": finding.theirs.iter().map(|it| self.their_json(it)).collect::<Vec<_>>(),
            "ours": finding.ours.iter().map(|it| self.our_json(it)).collect::<Vec<_>>(),
        })
    }

    /// The file in which a movement of theirs stands.
    #[must_use]
    pub fn file_of(&self, movement: &TheirMovement) -> &'a str {
        let number = usize::try_from(movement.position.statement).unwrap_or(usize::MAX);
        self.inputs.statements.get(number).map_or("", |statement| &statement.file)
    }

    fn their_json(&self, movement: &TheirMovement) -> Value {
        json!({
            "file": self.file_of(movement),
            "line": movement.position.line,
            "column": movement.position.column,
            "account": movement.account.name(),
            "class": movement.class.name(),
            "direction": movement.direction.name(),
            "amount": movement.amount.to_string(),
            "fee": movement.fee.map(|fee| fee.to_string()),
            "id": movement.id,
            "names": movement.names,
            "address": movement.address,
            "day": movement.day.to_string(),
            "at": movement.at.to_string(),
        })
    }

    fn our_json(&self, own: &OurMovement) -> Value {
        json!({
            "record": own.record,
            "operation": own.operation.map(|op| self.inputs.books.operation_text(op)),
            "fact": own.fact,
            "account": own.account.control(),
            "class": own.class.name(),
            "direction": own.direction.name(),
            "amount": own.amount.to_string(),
            "id": own.id,
            "address": own.address,
            "day": own.day.to_string(),
            "at": own.at.to_string(),
        })
    }

    fn balances_json(&self) -> Vec<Value> {
        let held = self.matched.balances.iter().map(|held| {
            json!({
                "account": held.account.name(),
                "control": held.account.control(),
                "from": held.from.to_string(),
                "to": held.to.to_string(),
                "opening": held.opening.to_string(),
                "movements": held.movements.to_string(),
                "closing": held.closing.to_string(),
                "own_opening": held.own_opening.to_string(),
                "own_closing": held.own_closing.to_string(),
                "difference": held.difference().to_string(),
            })
        });
        held.collect()
    }

    fn balance_findings_json(&self) -> Vec<Value> {
        let findings = self.matched.balance_findings.iter().map(|finding| {
            let number = usize::try_from(finding.statement).unwrap_or(usize::MAX);
            json!({
                "by": finding.reason.name(),
                "account": finding.account.name(),
                "file": self.inputs.statements.get(number).map(|it| &it.file),
                "line": finding.line,
                "stated": finding.stated.to_string(),
                "expected": finding.expected.to_string(),
            })
        });
        findings.collect()
    }
}

fn statement_json(statement: &Statement) -> Value {
    let unreadable = statement
        .unreadable
        .iter()
        .map(|fault| json!({ "line": fault.line, "column": fault.column, "reason": fault.reason }));
    let block = statement.block.as_ref();
    json!({
        "source": statement.source.name(),
        "origin": statement.origin,
        "file": statement.file,
        "sha256": statement.sha256,
        "from": statement.from.map(|day| day.to_string()),
        "to": statement.to.map(|day| day.to_string()),
        "made": statement.made,
        "block": block.map(|(number, hash)| json!({ "number": number, "hash": hash })),
        "movements": statement.movements.len(),
        "internal": statement.internal,
        "ignored": statement.ignored,
        "unreadable": unreadable.collect::<Vec<_>>(),
    })
}

fn sum_json(((account, class), sum): (&(String, Class), &ClassSum)) -> Value {
    json!({
        "account": account,
        "class": class.name(),
        "theirs": sum.theirs,
        "their_sum": sum.their_sum.to_string(),
        "ours": sum.ours,
        "our_sum": sum.our_sum.to_string(),
        "matched": sum.matched,
        "matched_sum": sum.matched_sum.to_string(),
    })
}
