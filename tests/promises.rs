//! What the custody ledger promises to its clients, each kept or broken on the wire.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.
#![allow(clippy::needless_pass_by_value)] // A test hands over what it made for this line alone.

#[path = "promises/agent.rs"]
mod agent;
#[path = "promises/day.rs"]
mod day;
#[path = "promises/market.rs"]
mod market;
#[path = "promises/pages.rs"]
mod pages;
#[path = "promises/played.rs"]
mod played;
#[path = "promises/purse.rs"]
mod purse;
#[path = "promises/selling.rs"]
mod selling;
#[path = "../ledger-store/tests/stage/server.rs"]
mod server;
#[path = "../ledger-store/tests/stage/shell.rs"]
mod shell;
#[path = "promises/unposted_rows.rs"]
mod unposted_rows;

#[path = "promises/acts.rs"]
mod acts;
#[path = "promises/admitted_once.rs"]
mod admitted_once;
#[path = "promises/agents.rs"]
mod agents;
#[path = "promises/audited.rs"]
mod audited;
#[path = "promises/bad_lines.rs"]
mod bad_lines;
#[path = "promises/bad_market.rs"]
mod bad_market;
#[path = "promises/bindings.rs"]
mod bindings;
#[path = "promises/bounds.rs"]
mod bounds;
#[path = "promises/catalogue.rs"]
mod catalogue;
#[path = "promises/ceilings.rs"]
mod ceilings;
#[path = "promises/charges_shown.rs"]
mod charges_shown;
#[path = "promises/code_alone.rs"]
mod code_alone;
#[path = "promises/commission.rs"]
mod commission;
#[path = "promises/consumers.rs"]
mod consumers;
#[path = "promises/conversions.rs"]
mod conversions;
#[path = "promises/custody_day.rs"]
mod custody_day;
#[path = "promises/debug_texts.rs"]
mod debug_texts;
#[path = "promises/depix.rs"]
mod depix;
#[path = "promises/deposits_of_nobody.rs"]
mod deposits_of_nobody;
#[path = "promises/echoes.rs"]
mod echoes;
#[path = "promises/error_table.rs"]
mod error_table;
#[path = "promises/errors.rs"]
mod errors;
#[path = "promises/event_bodies.rs"]
mod event_bodies;
#[path = "promises/explained.rs"]
mod explained;
#[path = "promises/explained_ladder.rs"]
mod explained_ladder;
#[path = "promises/exports.rs"]
mod exports;
#[path = "promises/extremes.rs"]
mod extremes;
#[path = "promises/facts.rs"]
mod facts;
#[path = "promises/fees.rs"]
mod fees;
#[path = "promises/foreign_deliveries.rs"]
mod foreign_deliveries;
#[path = "promises/general.rs"]
mod general;
#[path = "promises/holds.rs"]
mod holds;
#[path = "promises/idempotency.rs"]
mod idempotency;
#[path = "promises/idempotency_crypto.rs"]
mod idempotency_crypto;
#[path = "promises/ignored_fields.rs"]
mod ignored_fields;
#[path = "promises/key_owners.rs"]
mod key_owners;
#[path = "promises/keys.rs"]
mod keys;
#[path = "promises/keys_unknown.rs"]
mod keys_unknown;
#[path = "promises/killed.rs"]
mod killed;
#[path = "promises/ladder.rs"]
mod ladder;
#[path = "promises/made_again.rs"]
mod made_again;
#[path = "promises/mandates.rs"]
mod mandates;
#[path = "promises/market_defaults.rs"]
mod market_defaults;
#[path = "promises/memo_networks.rs"]
mod memo_networks;
#[path = "promises/moved.rs"]
mod moved;
#[path = "promises/notices.rs"]
mod notifications;
#[path = "promises/orders_shown.rs"]
mod orders_shown;
#[path = "promises/origins.rs"]
mod origins;
#[path = "promises/own_crypto.rs"]
mod own_crypto;
#[path = "promises/precedence.rs"]
mod precedence;
#[path = "promises/precedence_crypto.rs"]
mod precedence_crypto;
#[path = "promises/projected.rs"]
mod projected;
#[path = "promises/properties.rs"]
mod properties;
#[path = "promises/properties_trade.rs"]
mod properties_trade;
#[path = "promises/published_terms.rs"]
mod published_terms;
#[path = "promises/purchases.rs"]
mod purchases;
#[path = "promises/purchases_returned.rs"]
mod purchases_returned;
#[path = "promises/raised.rs"]
mod raised;
#[path = "promises/ranges.rs"]
mod ranges;
#[path = "promises/reported_once.rs"]
mod reported_once;
#[path = "promises/reputation.rs"]
mod reputation;
#[path = "promises/resumed.rs"]
mod resumed;
#[path = "promises/returned_money.rs"]
mod returned_money;
#[path = "promises/review_reasons.rs"]
mod review_reasons;
#[path = "promises/rewards.rs"]
mod rewards;
#[path = "promises/sales.rs"]
mod sales;
#[path = "promises/sales_booked.rs"]
mod sales_booked;
#[path = "promises/sales_refunded.rs"]
mod sales_refunded;
#[path = "promises/sales_refused.rs"]
mod sales_refused;
#[path = "promises/sales_shown.rs"]
mod sales_shown;
#[path = "promises/sandbox.rs"]
mod sandbox;
#[path = "promises/sandbox_charges.rs"]
mod sandbox_charges;
#[path = "promises/sandbox_events.rs"]
mod sandbox_events;
#[path = "promises/sandbox_flows.rs"]
mod sandbox_flows;
#[path = "promises/sandbox_run.rs"]
mod sandbox_run;
#[path = "promises/secrets.rs"]
mod secrets;
#[path = "promises/sellers_list.rs"]
mod sellers_list;
#[path = "promises/set_aside.rs"]
mod set_aside;
#[path = "promises/settlement_day.rs"]
mod settlement_day;
#[path = "promises/settler_away.rs"]
mod settler_away;
#[path = "promises/shapes.rs"]
mod shapes;
#[path = "promises/simulated.rs"]
mod simulated;
#[path = "promises/snapshots.rs"]
mod snapshots;
#[path = "promises/statement.rs"]
mod statement;
#[path = "promises/status_labels.rs"]
mod status_labels;
#[path = "promises/supplied.rs"]
mod supplied;
#[path = "promises/supplied_texts.rs"]
mod supplied_texts;
#[path = "promises/support_ids.rs"]
mod support_ids;
#[path = "promises/surface.rs"]
mod surface;
#[path = "promises/terminal.rs"]
mod terminal;
#[path = "promises/three_stores.rs"]
mod three_stores;
#[path = "promises/verification.rs"]
mod verification;
#[path = "promises/wallet_codes.rs"]
mod wallet_codes;
#[path = "promises/wallet_deposits.rs"]
mod wallet_deposits;
#[path = "promises/wallet_events.rs"]
mod wallet_events;
#[path = "promises/wallet_lines.rs"]
mod wallet_lines;
#[path = "promises/wallet_payments.rs"]
mod wallet_payments;
#[path = "promises/wallet_payments_contradicted.rs"]
mod wallet_payments_contradicted;
#[path = "promises/wallet_payments_judged.rs"]
mod wallet_payments_judged;
#[path = "promises/wallet_withdrawals.rs"]
mod wallet_withdrawals;
#[path = "promises/webhooks.rs"]
mod webhooks;
#[path = "promises/whole_contract.rs"]
mod whole_contract;
#[path = "promises/whole_steps.rs"]
mod whole_steps;
#[path = "promises/wire.rs"]
mod wire;
#[path = "promises/worked_conversions.rs"]
mod worked_conversions;
#[path = "promises/worked_examples.rs"]
mod worked_examples;
#[path = "promises/worked_purchases.rs"]
mod worked_purchases;
#[path = "promises/worked_sales.rs"]
mod worked_sales;
