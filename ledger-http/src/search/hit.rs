//! Hits: where they lead, by what they were found, and how they stand.

use ledger_core::contract::Words;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::WaitingSum;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

/// Where a hit leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HitTarget {
    Operation(OpId),
    Record(u64),
    Account(String),
    Customer { account: String, customer: String },
}

/// By what it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    Id,
    Beginning,
    ExternalId,
    Account,
    Customer,
    Pix,
    Transaction,
    Fact,
    Record,
    Person,
    Amount,
    Text,
}

impl Matched {
    /// Its name in Portuguese and in English.
    pub(crate) const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Id => ("ID da operação", "operation id"),
            Self::Beginning => ("começo do ID", "beginning of the id"),
            Self::ExternalId => ("ID do cliente", "external id"),
            Self::Account => ("conta", "account"),
            Self::Customer => ("cliente", "customer"),
            Self::Pix => ("ID de PIX", "PIX id"),
            Self::Transaction => ("transação", "transaction"),
            Self::Fact => ("ID do fato", "fact's id"),
            Self::Record => ("registro", "record"),
            Self::Person => ("pessoa", "person"),
            Self::Amount => ("valor", "amount"),
            Self::Text => ("texto de um registro", "text of a record"),
        }
    }
}

pub(super) struct Hit {
    pub(super) place: HitTarget,
    pub(super) by: Matched,
}

/// A hit as it stands.
pub(crate) struct SearchResult {
    pub(crate) place: HitTarget,
    pub(crate) by: Matched,
    /// The operation's kind and id, where it is one.
    pub(crate) operation: Option<(Kind, String)>,
    pub(crate) account: String,
    pub(crate) cents: Option<i64>,
    pub(crate) status: String,
}

impl SearchResult {
    /// As JSON: what it is, whose, how much it is about, how it stands, by what it was found.
    pub(crate) fn json(&self) -> Value {
        let (kind, id) = match &self.operation {
            Some((kind, id)) => (kind.name(), Value::from(id.as_str())),
            None => match &self.place {
                HitTarget::Record(seq) => ("record", (*seq).into()),
                HitTarget::Customer { customer, .. } => ("customer", customer.as_str().into()),
                _ => ("account", self.account.as_str().into()),
            },
        };
        json!({
            "kind": kind,
            "id": id,
            "account": self.account,
            "amount_cents": self.cents,
            "status": self.status,
            "matched": self.by.name().1,
        })
    }
}

impl Hit {
    pub(super) fn to_result(&self, sequencer: &Sequencer) -> SearchResult {
        let (place, by) = (self.place.clone(), self.by);
        let account = match &place {
            HitTarget::Account(account) | HitTarget::Customer { account, .. } => account.clone(),
            _ => String::new(),
        };
        let mut found = SearchResult {
            place,
            by,
            operation: None,
            account,
            cents: None,
            status: String::new(),
        };
        let HitTarget::Operation(op) = self.place else { return found };
        let views = sequencer.views();
        found.operation = Some((op.kind(), op.text(&views.state.name)));
        if let Some(operation) = views.operation(op) {
            let owner = views.state.owner_of(&operation);
            let account = owner.and_then(|account| views.state.account(account));
            found.account = account.map(|known| known.name.to_string()).unwrap_or_default();
            found.status = Words::for_operation(&operation).status.unwrap_or_default();
            found.cents = amount_cents(sequencer, op);
        }
        found
    }
}

/// How many centavos an operation is about, as its client is answered; of what no client made, how
/// many wait.
pub(super) fn amount_cents(sequencer: &Sequencer, op: OpId) -> Option<i64> {
    let views = sequencer.views();
    let operation = views.operation(op)?;
    let answered = views.creation_response(op, &operation);
    let fields = ["amount_cents", "valor_cents", "net_brl_cents", "brl_amount_cents"];
    let mut fields = fields.into_iter().filter_map(|name| answered.get(name));
    let waits = || match operation.machine.waits(views.state.now)?.sum() {
        WaitingSum::Reais(cents) => Some(*cents),
        WaitingSum::Crypto { .. } => None,
    };
    fields.find_map(Value::as_i64).or_else(waits)
}
