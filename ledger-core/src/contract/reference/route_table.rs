//! The descriptions of all routes, and the way from a route to its own.

use super::money_routes::MONEY;
use super::other_routes::OTHER;
use super::route::RouteText;
use crate::contract::route::shape::RouteShape;
use crate::contract::schema::answer::AnswerField;

/// The domains of routes, and what each is about.
pub const TAGS: [(&str, &str); 11] = [
    ("Charges", "A PIX collected, kept as reais or delivered as crypto."),
    ("Balance", "Custody of reais: balances, statements, transfers, conversions, commission."),
    ("Payouts", "PIX sent from the balance."),
    ("Cash-outs", "Crypto deposited and sold for a PIX."),
    ("Wallet", "USDT and USDC deposited, and PIX paid from them."),
    ("Account", "Keys, limits, fees and settings."),
    ("Webhooks", "The endpoint of events, and their deliveries."),
    ("Verification", "Public verification of a PIX."),
    ("Agents", "The mesh: agents, mandates, production, referrals."),
    ("Sandbox", "Test operations and their events."),
    ("Discovery", "Documents about this service."),
];

/// Every description of a route.
pub fn route_texts() -> impl Iterator<Item = &'static RouteText> {
    MONEY.iter().chain(OTHER)
}

impl RouteShape {
    /// What the documents say of this route.
    #[must_use]
    pub fn text(&self) -> &'static RouteText {
        let found = route_texts().find(|text| text.is_of(self.ask));
        found.expect("a test holds that every route is described")
    }

    /// The fields that its answer may have, described, in their order.
    #[must_use]
    pub fn answer_fields(&self) -> Vec<&'static AnswerField> {
        let fields = self.text().fields;
        let described = |name: &&str| fields.iter().find(|field| field.name == *name);
        self.answer.iter().filter_map(described).collect()
    }
}
