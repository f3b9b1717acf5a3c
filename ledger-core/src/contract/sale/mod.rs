//! Sales of crypto for PIX on the wire (contract, 2.2).

pub(super) mod body;
pub(super) mod deposit_fact;
pub(super) mod fact;
pub(super) mod market;
pub(super) mod market_fact;
pub(super) mod routes;
pub(super) mod view;
pub(super) mod wire;
