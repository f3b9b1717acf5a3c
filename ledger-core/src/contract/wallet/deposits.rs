//! Deposit requests as clients see them (WAL-08, WAL-11, WAL-14).

use serde_json::{Value, json};

use super::{TO_SEND, six, six_if};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::views::{Recall, Views};
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::{Archive, Operation};
use crate::machine::wallet::deposit::{Origin, State};
use crate::terms::Stablecoin;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The 100 latest deposit requests (WAL-25).
    #[must_use]
    pub fn wallet_deposits(&self, account: AccountId) -> Value {
        let ops = self.state.wallets().latest(account, Kind::WalletDeposit);
        let items = ops.filter_map(|op| Some(self.wallet_deposit(op, &self.operation(op)?).into()));
        json!({ "items": items.collect::<Vec<Value>>() })
    }

    /// A deposit request just made: what to show to whoever sends goes with it.
    #[must_use]
    pub fn wallet_deposit_made<'v>(&'v self, op: OpId, operation: &'v Operation) -> Json<'v> {
        let mut view = self.wallet_deposit(op, operation);
        if let Some(order) = operation.wallet_deposit().and_then(State::order) {
            let coins: Vec<&str> = order.accepted.iter().map(|(coin, _)| coin.name()).collect();
            view["instructions"] = format!(
                "Envie exatamente {} {} pela rede {} para o endereço {} até {}. Os últimos decimais \
                 identificam o seu depósito: outro valor, outra moeda ou outra rede fica em análise.",
                six(order.amount),
                coins.join(" ou "),
                order.title,
                order.address,
                order.expires_at,
            )
            .into();
        }
        view
    }
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// A deposit; of what was found without a request, the fields of a request are null.
    #[must_use]
    pub fn wallet_deposit<'v>(&'v self, op: OpId, operation: &'v Operation) -> Json<'v> {
        let Some(state) = operation.wallet_deposit() else { return Json::Null };
        let (order, arrival) = (state.order(), state.arrival());
        let arrived = arrival.map(|arrival| &arrival.transfer);
        let network = order.map(|order| order.network.to_string()).or_else(|| {
            let chain = arrived?.chain;
            self.state.catalogue.chain_of(chain).map(str::to_owned)
        });
        let asset = arrived
            .and_then(|arrived| self.state.catalogue.asset_of(arrived.asset))
            .map_or("USDT".to_owned(), |(name, _)| name.to_uppercase());
        let received = arrived.and_then(|arrived| {
            let (_, scale) = self.state.catalogue.asset_of(arrived.asset)?;
            Some(arrived.units.text(scale))
        });
        let accepted: Vec<&str> = order.map_or_else(Vec::new, |order| {
            order.accepted.iter().map(|(coin, _)| Stablecoin::name(*coin)).collect()
        });
        let credit = arrival.and_then(|arrival| arrival.credit);
        let created_at = order.map_or(operation.created_at, |order| order.created_at);
        let origin = order.map_or(Origin::Support, |order| order.origin);
        object! {
            "deposit_id": op.text(&self.state.name),
            "status": status(state),
            (TO_SEND): six_if(order.map(|order| order.amount)),
            "amount_received": received,
            "address": order.map(|order| &order.address),
            "network": network,
            "network_name": order.map(|order| &order.title),
            "asset": asset,
            "accepted_assets": accepted,
            "expires_at": order.map(|order| order.expires_at.to_string()),
            "created_at": created_at.to_string(),
            "credited_at": credit.map(|(_, _, at)| at.to_string()),
            "origin": match origin {
                Origin::Request => "request",
                Origin::Support => "assigned_by_support",
            },
            "sandbox": self.is_sandbox(),
        }
    }
}

/// The wire's word for how a deposit stands; none before it exists (WAL-14).
#[must_use]
const fn status(state: &State) -> Option<&'static str> {
    match state {
        State::Absent => None,
        State::Waiting(_) => Some("waiting"),
        State::Expired(_) => Some("expired"),
        State::Confirming(_) => Some("confirming"),
        State::UnderReview(_) => Some("under_review"),
        State::Available(_) => Some("available"),
        State::Reversed(_) => Some("reversed"),
    }
}

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        Facts { status: status(self), ..Facts::NONE }
    }

    shown_as!(|_, views, of| views.wallet_deposit(of.op, of.operation));
}
