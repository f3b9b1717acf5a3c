//! The paths of ours about webhooks, as they are declared and documented.

/// One delivery, whole.
pub(crate) const DELIVERY: &str = "/webhooks/deliveries/{id}";
/// An event, once more.
pub(crate) const RESEND: &str = "/webhooks/deliveries/{id}/resend";
/// Whatever was not delivered, once more.
pub(crate) const RECOVER: &str = "/webhooks/deliveries/recover";
/// Which events are sent.
pub(crate) const FILTER: &str = "/webhooks/filter";
/// What listeners get.
pub(crate) const EVENTS: &str = "/webhooks/events";
