//! What the custody ledger promises to its clients, each kept or broken on the wire.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.
#![allow(clippy::needless_pass_by_value)] // A test hands over what it made for this line alone.

#[path = "acceptance/agent.rs"]
mod agent;
#[path = "acceptance/audit_markup.rs"]
mod audit_markup;
#[path = "acceptance/day.rs"]
mod day;
#[path = "acceptance/market.rs"]
mod market;
#[path = "acceptance/pages.rs"]
mod pages;
#[path = "acceptance/played.rs"]
mod played;
#[path = "acceptance/products.rs"]
mod products;
#[path = "acceptance/program.rs"]
mod program;
#[path = "acceptance/recoveries.rs"]
mod recoveries;
#[path = "acceptance/reservations.rs"]
mod reservations;
#[path = "acceptance/runbook.rs"]
mod runbook;
#[path = "acceptance/running.rs"]
mod running;
#[path = "acceptance/selling.rs"]
mod selling;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
#[path = "../ledger-store/tests/setup/shell.rs"]
mod shell;
#[path = "acceptance/unposted_rows.rs"]
mod unposted_rows;
#[path = "acceptance/wallet_setup.rs"]
mod wallet_setup;
#[path = "acceptance/witness.rs"]
mod witness;

#[path = "acceptance/actions.rs"]
mod actions;
#[path = "acceptance/admitted_once.rs"]
mod admitted_once;
#[path = "acceptance/agents.rs"]
mod agents;
#[path = "acceptance/audit_followed.rs"]
mod audit_followed;
#[path = "acceptance/audit_in_pieces.rs"]
mod audit_in_pieces;
#[path = "acceptance/audit_page.rs"]
mod audit_page;
#[path = "acceptance/audited.rs"]
mod audited;
#[path = "acceptance/auditing.rs"]
mod auditing;
#[path = "acceptance/bad_lines.rs"]
mod bad_lines;
#[path = "acceptance/bad_market.rs"]
mod bad_market;
#[path = "acceptance/balance_at.rs"]
mod balance_at;
#[path = "acceptance/bindings.rs"]
mod bindings;
#[path = "acceptance/bounds.rs"]
mod bounds;
#[path = "acceptance/catalogue.rs"]
mod catalogue;
#[path = "acceptance/ceilings.rs"]
mod ceilings;
#[path = "acceptance/charges_shown.rs"]
mod charges_shown;
#[path = "acceptance/claimed_documents.rs"]
mod claimed_documents;
#[path = "acceptance/clear_answers.rs"]
mod clear_answers;
#[path = "acceptance/closing.rs"]
mod closing;
#[path = "acceptance/code_alone.rs"]
mod code_alone;
#[path = "acceptance/commission.rs"]
mod commission;
#[path = "acceptance/consumers.rs"]
mod consumers;
#[path = "acceptance/conversions.rs"]
mod conversions;
#[path = "acceptance/custody_day.rs"]
mod custody_day;
#[path = "acceptance/days.rs"]
mod days;
#[path = "acceptance/days_at_terminal.rs"]
mod days_at_terminal;
#[path = "acceptance/debug_texts.rs"]
mod debug_texts;
#[path = "acceptance/depix.rs"]
mod depix;
#[path = "acceptance/deposits_of_nobody.rs"]
mod deposits_of_nobody;
#[path = "acceptance/directory_shown.rs"]
mod directory_shown;
#[path = "acceptance/echoes.rs"]
mod echoes;
#[path = "acceptance/erased.rs"]
mod erased;
#[path = "acceptance/error_table.rs"]
mod error_table;
#[path = "acceptance/errors.rs"]
mod errors;
#[path = "acceptance/event_bodies.rs"]
mod event_bodies;
#[path = "acceptance/explained.rs"]
mod explained;
#[path = "acceptance/explained_ladder.rs"]
mod explained_ladder;
#[path = "acceptance/exports.rs"]
mod exports;
#[path = "acceptance/extremes.rs"]
mod extremes;
#[path = "acceptance/facts.rs"]
mod facts;
#[path = "acceptance/fees.rs"]
mod fees;
#[path = "acceptance/foreign_deliveries.rs"]
mod foreign_deliveries;
#[path = "acceptance/general.rs"]
mod general;
#[path = "acceptance/groups.rs"]
mod groups;
#[path = "acceptance/holds.rs"]
mod holds;
#[path = "acceptance/idempotency.rs"]
mod idempotency;
#[path = "acceptance/idempotency_crypto.rs"]
mod idempotency_crypto;
#[path = "acceptance/ignored_fields.rs"]
mod ignored_fields;
#[path = "acceptance/key_owners.rs"]
mod key_owners;
#[path = "acceptance/keys.rs"]
mod keys;
#[path = "acceptance/keys_unknown.rs"]
mod keys_unknown;
#[path = "acceptance/killed.rs"]
mod killed;
#[path = "acceptance/known_otherwise.rs"]
mod known_otherwise;
#[path = "acceptance/ladder.rs"]
mod ladder;
#[path = "acceptance/look_alikes.rs"]
mod look_alikes;
#[path = "acceptance/made_again.rs"]
mod made_again;
#[path = "acceptance/mandates.rs"]
mod mandates;
#[path = "acceptance/market_defaults.rs"]
mod market_defaults;
#[path = "acceptance/matching.rs"]
mod matching;
#[path = "acceptance/memo_networks.rs"]
mod memo_networks;
#[path = "acceptance/moments.rs"]
mod moments;
#[path = "acceptance/moments_at_terminal.rs"]
mod moments_at_terminal;
#[path = "acceptance/moved.rs"]
mod moved;
#[path = "acceptance/notices.rs"]
mod notifications;
#[path = "acceptance/one_invariant.rs"]
mod one_invariant;
#[path = "acceptance/one_transaction.rs"]
mod one_transaction;
#[path = "acceptance/opening.rs"]
mod opening;
#[path = "acceptance/opening_import.rs"]
mod opening_import;
#[path = "acceptance/orders_shown.rs"]
mod orders_shown;
#[path = "acceptance/origins.rs"]
mod origins;
#[path = "acceptance/own_crypto.rs"]
mod own_crypto;
#[path = "acceptance/packaged.rs"]
mod packaged;
#[path = "acceptance/paid_otherwise.rs"]
mod paid_otherwise;
#[path = "acceptance/paid_times.rs"]
mod paid_times;
#[path = "acceptance/payouts_misreported.rs"]
mod payouts_misreported;
#[path = "acceptance/precedence.rs"]
mod precedence;
#[path = "acceptance/projected.rs"]
mod projected;
#[path = "acceptance/projected_elsewhere.rs"]
mod projected_elsewhere;
#[path = "acceptance/proofs_in_bulk.rs"]
mod proofs_in_bulk;
#[path = "acceptance/properties.rs"]
mod properties;
#[path = "acceptance/properties_trade.rs"]
mod properties_trade;
#[path = "acceptance/proved.rs"]
mod proved;
#[path = "acceptance/published_terms.rs"]
mod published_terms;
#[path = "acceptance/purchases.rs"]
mod purchases;
#[path = "acceptance/purchases_returned.rs"]
mod purchases_returned;
#[path = "acceptance/raised.rs"]
mod raised;
#[path = "acceptance/ranges.rs"]
mod ranges;
#[path = "acceptance/reconciled.rs"]
mod reconciled;
#[path = "acceptance/reconciled_shapes.rs"]
mod reconciled_shapes;
#[path = "acceptance/repeated_facts.rs"]
mod repeated_facts;
#[path = "acceptance/repeated_otherwise.rs"]
mod repeated_otherwise;
#[path = "acceptance/reported_once.rs"]
mod reported_once;
#[path = "acceptance/reputation.rs"]
mod reputation;
#[path = "acceptance/resumed.rs"]
mod resumed;
#[path = "acceptance/returned_money.rs"]
mod returned_money;
#[path = "acceptance/review_reasons.rs"]
mod review_reasons;
#[path = "acceptance/rewards.rs"]
mod rewards;
#[path = "acceptance/routes.rs"]
mod routes;
#[path = "acceptance/sales.rs"]
mod sales;
#[path = "acceptance/sales_added_up.rs"]
mod sales_added_up;
#[path = "acceptance/sales_booked.rs"]
mod sales_booked;
#[path = "acceptance/sales_contradicted.rs"]
mod sales_contradicted;
#[path = "acceptance/sales_refunded.rs"]
mod sales_refunded;
#[path = "acceptance/sales_refused.rs"]
mod sales_refused;
#[path = "acceptance/sales_shown.rs"]
mod sales_shown;
#[path = "acceptance/sandbox.rs"]
mod sandbox;
#[path = "acceptance/sandbox_charges.rs"]
mod sandbox_charges;
#[path = "acceptance/sandbox_events.rs"]
mod sandbox_events;
#[path = "acceptance/sandbox_flows.rs"]
mod sandbox_flows;
#[path = "acceptance/sandbox_run.rs"]
mod sandbox_run;
#[path = "acceptance/secrets.rs"]
mod secrets;
#[path = "acceptance/sellers_list.rs"]
mod sellers_list;
#[path = "acceptance/set_aside.rs"]
mod set_aside;
#[path = "acceptance/settlement_day.rs"]
mod settlement_day;
#[path = "acceptance/settler_away.rs"]
mod settler_away;
#[path = "acceptance/shapes.rs"]
mod shapes;
#[path = "acceptance/shared_addresses.rs"]
mod shared_addresses;
#[path = "acceptance/simulated.rs"]
mod simulated;
#[path = "acceptance/snapshots.rs"]
mod snapshots;
#[path = "acceptance/spellings.rs"]
mod spellings;
#[path = "acceptance/statement.rs"]
mod statement;
#[path = "acceptance/statement_files.rs"]
mod statement_files;
#[path = "acceptance/status_labels.rs"]
mod status_labels;
#[path = "acceptance/supplied.rs"]
mod supplied;
#[path = "acceptance/supplied_texts.rs"]
mod supplied_texts;
#[path = "acceptance/support_ids.rs"]
mod support_ids;
#[path = "acceptance/surface.rs"]
mod surface;
#[path = "acceptance/templates.rs"]
mod templates;
#[path = "acceptance/terminal.rs"]
mod terminal;
#[path = "acceptance/three_stores.rs"]
mod three_stores;
#[path = "acceptance/traced.rs"]
mod traced;
#[path = "acceptance/verification.rs"]
mod verification;
#[path = "acceptance/wallet_codes.rs"]
mod wallet_codes;
#[path = "acceptance/wallet_deposits.rs"]
mod wallet_deposits;
#[path = "acceptance/wallet_events.rs"]
mod wallet_events;
#[path = "acceptance/wallet_lines.rs"]
mod wallet_lines;
#[path = "acceptance/wallet_payments.rs"]
mod wallet_payments;
#[path = "acceptance/wallet_payments_answered.rs"]
mod wallet_payments_answered;
#[path = "acceptance/wallet_payments_contradicted.rs"]
mod wallet_payments_contradicted;
#[path = "acceptance/wallet_payments_judged.rs"]
mod wallet_payments_judged;
#[path = "acceptance/wallet_withdrawals.rs"]
mod wallet_withdrawals;
#[path = "acceptance/wallets_checked.rs"]
mod wallets_checked;
#[path = "acceptance/webhooks.rs"]
mod webhooks;
#[path = "acceptance/whole_contract.rs"]
mod whole_contract;
#[path = "acceptance/whole_steps.rs"]
mod whole_steps;
#[path = "acceptance/wire.rs"]
mod wire;
#[path = "acceptance/witnessed.rs"]
mod witnessed;
#[path = "acceptance/worked_conversions.rs"]
mod worked_conversions;
#[path = "acceptance/worked_examples.rs"]
mod worked_examples;
#[path = "acceptance/worked_purchases.rs"]
mod worked_purchases;
#[path = "acceptance/worked_sales.rs"]
mod worked_sales;
