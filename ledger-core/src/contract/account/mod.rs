//! Accounts on the wire: keys, settings, terms, commission, and what an account sees of itself.

pub(super) mod balance_routes;
pub(super) mod balance_wire;
pub(super) mod body;
pub(super) mod commission;
pub(super) mod fact;
pub(super) mod key_lookup;
pub(super) mod lookup_routes;
pub(super) mod policy_fact;
pub(super) mod routes;
pub(super) mod terms_fact;
pub(super) mod view;
pub(super) mod wire;
