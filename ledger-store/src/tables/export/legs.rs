//! Entries as signed legs with names: debits positive, whatever the commodity.

use ledger_core::accounting::{Account, Class, CoinAccount, Control, Side};
use ledger_core::coin::{Scale, units_text};
use ledger_core::id::{OpId, ProductAccount, SubaccountId};
use ledger_core::ledger::{Archive, Event};

use crate::engines::sequencer::Sequencer;

/// The account of a leg: one of the chart, with the names of what it is kept for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChartAccount {
    /// What a balance there means.
    pub class: Class,
    /// Its name in the chart: `cust.avail`.
    pub chart: &'static str,
    /// What it is kept for: API account and customer, operation, network.
    pub kept_for: Vec<String>,
}

impl ChartAccount {
    /// All that it is kept for in one text, with `/` between: `loja/ana`.
    pub(crate) fn kept_for_text(&self) -> String {
        let parts: Vec<_> = self.kept_for.iter().map(|part| part.replace('/', "%2F")).collect();
        parts.join("/")
    }
}

/// One leg of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The account that it is on.
    pub place: ChartAccount,
    /// Of what: `BRL`, or an asset's name.
    pub commodity: String,
    /// How much in smallest units, debits positive.
    pub amount: i128,
    /// How many decimals the commodity has.
    pub scale: Scale,
}

impl Leg {
    /// The amount as a decimal string, `-91.35`.
    #[must_use]
    pub fn text(&self) -> String {
        decimal(self.amount, self.scale)
    }
}

/// A signed number of smallest units as a decimal string.
#[must_use]
pub fn decimal(amount: i128, scale: Scale) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}", units_text(amount.unsigned_abs(), scale))
}

/// The scale of reais.
#[must_use]
pub fn centavos() -> Scale {
    Scale::new(2).expect("two decimals are few enough")
}

/// The legs of an event's entry, in reais first.
#[must_use]
pub fn event_legs(sequencer: &Sequencer, event: &Event) -> Vec<Leg> {
    let entry = event.entry();
    let mut legs: Vec<Leg> = entry
        .postings()
        .into_iter()
        .map(|posting| {
            let cents = i128::from(posting.amount.cents());
            let amount = match posting.side {
                Side::Debit => cents,
                Side::Credit => -cents,
            };
            let place = place(sequencer, posting.account);
            Leg { place, commodity: "BRL".to_owned(), amount, scale: centavos() }
        })
        .collect();
    for m in entry.coin_moves() {
        let (name, scale) = asset(sequencer, m.asset);
        for (account, amount) in [(m.debit, m.units.to_i128()), (m.credit, -m.units.to_i128())] {
            let place = coin_place(sequencer, account);
            legs.push(Leg { place, commodity: name.clone(), amount, scale });
        }
    }
    legs
}

/// The accounts of the chart that are kept in parts: by subaccount, operation, partner or agent, or
/// as a product declared them.
pub(crate) const IN_PARTS: [Control; 14] = [
    Control::Available,
    Control::Held,
    Control::Frozen,
    Control::PixInFlight,
    Control::PayoutInFlight,
    Control::ConversionInFlight,
    Control::SaleInFlight,
    Control::Commission,
    Control::Reward,
    Control::ProductAsset,
    Control::ProductLiability,
    Control::ProductEquity,
    Control::ProductIncome,
    Control::ProductExpense,
];

/// Tells whether an account of the chart is of what is in flight, and kept for one operation each.
pub(crate) fn is_in_flight(chart: &str) -> bool {
    chart.starts_with("flight.") || matches!(chart, "dep" | "refund")
}

/// Every balance that is not zero, as one leg each: debits positive.
#[must_use]
pub fn balances(sequencer: &Sequencer) -> Vec<Leg> {
    let state = &sequencer.ledger().state;
    let mut legs = Vec::new();
    let mut reais = |place: ChartAccount, net_credit: i128| {
        if net_credit != 0 {
            let commodity = "BRL".to_owned();
            legs.push(Leg { place, commodity, amount: -net_credit, scale: centavos() });
        }
    };
    for (subaccount, buckets) in state.books.subaccounts() {
        let parts = [
            (Account::Available(subaccount), buckets.available),
            (Account::Held(subaccount), buckets.held),
            (Account::Frozen(subaccount), buckets.frozen),
        ];
        for (account, balance) in parts {
            reais(place(sequencer, account), balance.cents().into());
        }
    }
    for (account, balance) in state.books.flights() {
        reais(place(sequencer, account), balance.into());
    }
    for (partner, known) in state.books.commissions() {
        reais(place(sequencer, Account::Commission(partner)), known.balance.cents().into());
    }
    for control in Control::ALL.into_iter().filter(|control| !IN_PARTS.contains(control)) {
        let place =
            ChartAccount { class: control.class(), chart: control.name(), kept_for: Vec::new() };
        reais(place, state.books.net_credit(control));
    }
    for (id, account, net_credit) in state.books.coins() {
        let (commodity, scale) = asset(sequencer, id);
        legs.push(Leg {
            place: coin_place(sequencer, account),
            commodity,
            amount: -net_credit,
            scale,
        });
    }
    legs
}

/// Every balance that is kept for an operation and is not zero, with the operation.
#[must_use]
pub(crate) fn in_transit(sequencer: &Sequencer) -> Vec<(OpId, Leg)> {
    let books = &sequencer.ledger().state.books;
    let reais = books.flights().filter_map(|(account, net_credit)| {
        let (Account::PixInFlight(op)
        | Account::PayoutInFlight(op)
        | Account::ConversionInFlight(op)
        | Account::SaleInFlight(op)) = account
        else {
            return None;
        };
        let amount = -i128::from(net_credit);
        let commodity = "BRL".to_owned();
        Some((op, Leg { place: place(sequencer, account), commodity, amount, scale: centavos() }))
    });
    let coins = books.coins().filter_map(|(id, account, net_credit)| {
        let (commodity, scale) = asset(sequencer, id);
        let place = coin_place(sequencer, account);
        Some((account.op()?, Leg { place, commodity, amount: -net_credit, scale }))
    });
    reais.chain(coins).filter(|(_, leg)| leg.amount != 0).collect()
}

fn asset(sequencer: &Sequencer, id: ledger_core::id::AssetId) -> (String, Scale) {
    let known = sequencer.ledger().state.catalogue.asset_of(id);
    known.map_or_else(|| (format!("asset{}", id.0), Scale::SIX), |(name, s)| (name.to_owned(), s))
}

fn place(sequencer: &Sequencer, account: Account) -> ChartAccount {
    let control = account.control();
    let kept_for = match account {
        Account::Available(subaccount)
        | Account::Held(subaccount)
        | Account::Frozen(subaccount) => customer(sequencer, subaccount),
        Account::PixInFlight(op)
        | Account::PayoutInFlight(op)
        | Account::ConversionInFlight(op)
        | Account::SaleInFlight(op) => vec![op.text(&sequencer.ledger().state.name)],
        Account::Reward(agent) => vec![agent.0.to_string()],
        Account::Commission(partner) => {
            let known = sequencer.ledger().state.account(partner);
            vec![known.map_or_else(String::new, |known| known.name.to_string())]
        }
        _ => account.product().map(|of| product_names(sequencer, of)).unwrap_or_default(),
    };
    ChartAccount { class: control.class(), chart: control.name(), kept_for }
}

/// The name of an account that a product declared, then whose it is.
fn product_names(sequencer: &Sequencer, of: ProductAccount) -> Vec<String> {
    let declared = sequencer.ledger().state.product_account(of.number);
    let name = declared.map_or_else(|| of.number.to_string(), |known| known.name.to_string());
    let holder = of.holder.map(|holder| customer(sequencer, holder)).unwrap_or_default();
    [name].into_iter().chain(holder).collect()
}

pub(crate) fn coin_place(sequencer: &Sequencer, account: CoinAccount) -> ChartAccount {
    let state = &sequencer.ledger().state;
    let chain = account.chain().map(|chain| state.catalogue.chain_of(chain).map(str::to_owned));
    let wallet = account.wallet().map(|id| state.account(id).map(|known| known.name.to_string()));
    let named = chain.or(wallet).map(Option::unwrap_or_default);
    let kept_for = named.or_else(|| account.op().map(|op| op.text(&state.name)));
    let product = account.product().map(|of| product_names(sequencer, of)).unwrap_or_default();
    let kept_for = kept_for.into_iter().chain(product).collect();
    ChartAccount { class: account.class(), chart: account.name(), kept_for }
}

/// API account and customer; `casa` for a house balance, nothing for a subaccount that an event
/// which is not applied yet would name.
fn customer(sequencer: &Sequencer, subaccount: SubaccountId) -> Vec<String> {
    let ledger = sequencer.ledger();
    let Some(known) = ledger.state.subaccount(subaccount) else { return Vec::new() };
    let account = ledger.state.account(known.account);
    let account = account.map_or_else(String::new, |account| account.name.to_string());
    let customer = ledger.archive.customer(subaccount).unwrap_or("casa").to_owned();
    vec![account, customer]
}
