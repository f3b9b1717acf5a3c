//! The facts on the wire: names, shapes and examples, as data.
//!
//! The names and shapes are ours; where the contract has a word for a field, it is the contract's.

mod deliveries;
mod keys;
mod mesh;
mod sales;

use super::payment_details::{
    INSTITUTION, RECEIPT_URL, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY,
};
use crate::contract::wallet;
use crate::ledger::FactKind;

/// One fact's name, meaning and shape.
#[derive(Clone, Copy, Debug)]
pub struct FactShape {
    /// Which fact.
    pub kind: FactKind,
    /// Its name on the wire.
    pub name: &'static str,
    /// What it reports.
    pub meaning: &'static str,
    /// Its fields: name, whether it must be given, and what it holds.
    pub fields: &'static [(&'static str, Need, &'static str)],
    /// One line as `run` reads it.
    pub example: &'static str,
}

use crate::contract::fact::need::Need::{self, Optional, Required};

pub(in crate::contract) const ID: (&str, Need, &str) =
    ("id", Required, "the fact's own id, unique over all facts, which makes it known for ever");
const CASHIN: (&str, Need, &str) = ("cashin_id", Required, "the charge");
const PAYOUT: (&str, Need, &str) = ("payout_id", Required, "the payout");
const AMOUNT: (&str, Need, &str) = ("amount_cents", Required, "centavos");
pub(in crate::contract) const ACCOUNT: (&str, Need, &str) =
    ("account", Required, "the API account's name");
const CUSTOMER: (&str, Need, &str) =
    ("customer_ref", Optional, "the subaccount; absent: the house");
pub(in crate::contract) const ACTOR: (&str, Need, &str) = ("actor", Required, "who decided");
pub(in crate::contract) const REASON: (&str, Need, &str) = ("reason", Required, "why");
pub(in crate::contract) const EVIDENCE: (&str, Need, &str) =
    ("evidence", Optional, "a reference to what was seen");

/// Every fact, in the order people meet them.
pub const FACTS: [FactShape; 92] = joined(SETTLED, keys::KEYS);

const SETTLED: [FactShape; 90] = joined(TRADE, wallet::shapes::WALLETS);

const TRADE: [FactShape; 70] = joined(
    joined::<39, 28, 67>(joined::<22, 17, 39>(CUSTODY, deliveries::DELIVERIES), sales::SALES),
    mesh::MESH,
);

const fn joined<const A: usize, const B: usize, const N: usize>(
    first: [FactShape; A],
    then: [FactShape; B],
) -> [FactShape; N] {
    let mut all = [first[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < A { first[index] } else { then[index - A] };
        index += 1;
    }
    all
}

const CUSTODY: [FactShape; 22] = [
    FactShape {
        kind: FactKind::AccountOpened,
        name: "account.opened",
        meaning: "An API account was opened; supplied.key brings its key, or supplied.entropy (64 \
                  hex digits) makes one, shown once.",
        fields: &[ID, ACCOUNT, ("terms", Optional, "terms that differ from the published ones")],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"acc-1","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#,
    },
    FactShape {
        kind: FactKind::PolicyAdopted,
        name: "policy.adopted",
        meaning: "The ledger's policy changed; what is not named stays.",
        fields: POLICY_FIELDS,
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"policy.adopted","environment":"live","body":{"id":"pol-1","shortfall_watch_days":90}}"#,
    },
    FactShape {
        kind: FactKind::TermsAdopted,
        name: "terms.adopted",
        meaning: "An account's terms change from an instant on; what is not named stays.",
        fields: TERMS_FIELDS,
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"terms.adopted","body":{"id":"terms-1","account":"loja","saque_fee_bps":180,"saque_taxa_provedor_tipo":"fixo","saque_taxa_estimada_cents":100}}"#,
    },
    FactShape {
        kind: FactKind::TreasuryMoved,
        name: "treasury.moved",
        meaning: "Own money moved between own accounts.",
        fields: &[
            ID,
            (
                "from",
                Required,
                "equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx; of crypto: \
                 equity.funding, treas, exp.gas, exp.loss, recv.prov or fx",
            ),
            ("to", Required, "another of them"),
            ("amount_cents", Optional, "centavos; required for reais"),
            ("asset", Optional, "the asset, for crypto"),
            ("chain", Optional, "the network of treas"),
            ("amount", Optional, "a decimal string; required for crypto"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{"id":"float-1","from":"equity.funding","to":"prov.pay","amount_cents":5000000}}"#,
    },
    FactShape {
        kind: FactKind::PixReceived,
        name: "pix.received",
        meaning: "A PIX arrived; what does not pay its charge exactly and in time goes to suspense.",
        fields: &[
            ("cashin_id", Optional, "the charge its QR belongs to"),
            ("e2e", Required, "the end-to-end id, which makes it known for ever"),
            AMOUNT,
            ("paid_at", Optional, "when the payer paid, by the provider's clock; absent: now"),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
        ],
        example: r#"{"at":"2026-11-20T12:03:00Z","fact":"pix.received","body":{"cashin_id":"$p1.cashin_id","e2e":"E9040088820261120120300123873170","amount_cents":10000}}"#,
    },
    FactShape {
        kind: FactKind::PixReturned,
        name: "pix.returned",
        meaning: "A PIX received went back to its payer, in part or whole: a forced debit once it \
                  was credited.",
        fields: &[CASHIN, ("return_id", Required, "the return id"), AMOUNT],
        example: r#"{"at":"2026-11-22T09:00:00Z","fact":"pix.returned","body":{"cashin_id":"$p1.cashin_id","return_id":"D9040088820261122090000123873171","amount_cents":10000}}"#,
    },
    FactShape {
        kind: FactKind::ProviderReleased,
        name: "provider.released",
        meaning: "The provider released a charge it held; naming the PIX implies that it was paid.",
        fields: &[
            ID,
            CASHIN,
            ("e2e", Optional, "the PIX, when the news of its payment may not have come"),
            ("amount_cents", Optional, "what was paid, with e2e"),
            ("paid_at", Optional, "when it was paid, with e2e"),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
        ],
        example: r#"{"at":"2026-11-21T12:03:00Z","fact":"provider.released","body":{"id":"rel-1","cashin_id":"$p1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::ProviderCancelled,
        name: "provider.cancelled",
        meaning: "The provider cancelled a charge, or failed, before payment.",
        fields: &[ID, CASHIN],
        example: r#"{"at":"2026-11-20T12:05:00Z","fact":"provider.cancelled","body":{"id":"can-1","cashin_id":"$p1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutSubmitted,
        name: "payout.submitted",
        meaning: "The provider took a payout.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:00Z","fact":"payout.submitted","body":{"id":"sub-1","payout_id":"$o1.payout_id"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutPaid,
        name: "payout.paid",
        meaning: "A payout was paid; if that contradicts the books, it is a claim on the provider.",
        fields: &[
            PAYOUT,
            ("e2e", Required, "the end-to-end id"),
            ("amount_cents", Optional, "what was paid, if the payout may not be known"),
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
        ],
        example: r#"{"at":"2026-11-22T10:00:05Z","fact":"payout.paid","body":{"payout_id":"$o1.payout_id","e2e":"E9040088820261122100000123873172"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutRefused,
        name: "payout.refused",
        meaning: "A payout was definitely not paid: everything goes back.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:05Z","fact":"payout.refused","body":{"id":"ref-1","payout_id":"$o1.payout_id"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutUnknown,
        name: "payout.unknown",
        meaning: "A payout's outcome is unknown: it waits for evidence, and nothing moves.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:30Z","fact":"payout.unknown","body":{"id":"unk-1","payout_id":"$o1.payout_id"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutReturned,
        name: "payout.returned",
        meaning: "A paid payout came back from the beneficiary's bank, in part or whole.",
        fields: &[PAYOUT, ("return_id", Required, "the return id"), AMOUNT],
        example: r#"{"at":"2026-11-23T10:00:00Z","fact":"payout.returned","body":{"payout_id":"$o1.payout_id","return_id":"D9040088820261123100000123873173","amount_cents":2500}}"#,
    },
    FactShape {
        kind: FactKind::PayoutEvidence,
        name: "payout.evidence",
        meaning: "An operator found out what became of a payout.",
        fields: &[
            ID,
            PAYOUT,
            ("outcome", Required, "paid or not_paid"),
            ("e2e", Optional, "the end-to-end id, required when paid"),
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T15:00:00Z","fact":"payout.evidence","body":{"id":"ev-1","payout_id":"$o1.payout_id","outcome":"not_paid","actor":"bia","reason":"provider's statement of the day","evidence":"stmt-2026-11-22"}}"#,
    },
    FactShape {
        kind: FactKind::HoldPlaced,
        name: "hold.placed",
        meaning: "An operator blocks money; for what is short the hold keeps watching.",
        fields: &[
            ID,
            ACCOUNT,
            ("customer_ref", Optional, "the subaccount; absent: that of the cause, or the house"),
            (
                "cashin_id",
                Optional,
                "the charge that is the cause; its own held part is taken first",
            ),
            ("kind", Required, "dispute, precautionary, judicial or administrative"),
            AMOUNT,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T11:00:00Z","fact":"hold.placed","body":{"id":"hold-1","account":"loja","customer_ref":"ana","cashin_id":"$p1.cashin_id","kind":"dispute","amount_cents":10000,"actor":"bia","reason":"payer contests"}}"#,
    },
    FactShape {
        kind: FactKind::HoldReleased,
        name: "hold.released",
        meaning: "An operator lets go: of so much, or of everything and for good.",
        fields: &[
            ID,
            ("hold_id", Required, "the hold"),
            ("amount_cents", Optional, "how much; absent: everything, and the watch ends"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-24T11:00:00Z","fact":"hold.released","body":{"id":"free-1","hold_id":"$h1.hold_id","actor":"bia","reason":"dispute withdrawn"}}"#,
    },
    FactShape {
        kind: FactKind::SuspenseAttached,
        name: "suspense.attached",
        meaning: "An operator gives a PIX in suspense to a charge, which it then pays.",
        fields: &[ID, ("suspense_id", Required, "what waits"), CASHIN, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"suspense.attached","body":{"id":"att-1","suspense_id":"$s1.suspense_id","cashin_id":"$p1.cashin_id","actor":"bia","reason":"payer added a centavo"}}"#,
    },
    FactShape {
        kind: FactKind::SuspenseReturned,
        name: "suspense.returned",
        meaning: "What stood in suspense went back: to the payer, or to us.",
        fields: &[ID, ("suspense_id", Required, "what waits"), ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"suspense.returned","body":{"id":"back-1","suspense_id":"$s1.suspense_id","actor":"bia","reason":"wrong amount"}}"#,
    },
    FactShape {
        kind: FactKind::FeeAdjusted,
        name: "fee.adjusted",
        meaning: "A fee is corrected without a principal.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            ("effect_cents", Required, "signed: positive in the customer's favour"),
            ("income", Optional, "deposit (default), payout, purchase or conversion"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"fee.adjusted","body":{"id":"fee-1","account":"loja","customer_ref":"ana","effect_cents":25,"actor":"bia","reason":"courtesy"}}"#,
    },
    FactShape {
        kind: FactKind::BalanceWrittenOff,
        name: "balance.written_off",
        meaning: "A negative balance is written off, at most what is owed.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            AMOUNT,
            ACTOR,
            REASON,
            ("evidence", Required, "a reference to what was seen"),
        ],
        example: r#"{"at":"2026-12-22T12:00:00Z","fact":"balance.written_off","body":{"id":"wo-1","account":"loja","customer_ref":"ana","amount_cents":4235,"actor":"bia","reason":"customer unreachable","evidence":"case-77"}}"#,
    },
    FactShape {
        kind: FactKind::CourtOrdered,
        name: "court.ordered",
        meaning: "A court takes money from a balance, which may become negative; it waits in suspense \
                  until suspense.returned says that it left.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            ("hold_id", Optional, "the block placed for this order; it gives first"),
            AMOUNT,
            ACTOR,
            REASON,
            ("evidence", Required, "a reference to the order"),
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"court.ordered","body":{"id":"court-1","account":"loja","customer_ref":"ana","amount_cents":5000,"actor":"bia","reason":"court order","evidence":"proc-0001"}}"#,
    },
    FactShape {
        kind: FactKind::TimePassed,
        name: "time.passed",
        meaning: "Nothing but time: the only line that may jump more than the policy's bound.",
        fields: &[],
        example: r#"{"at":"2026-11-23T12:00:00Z","fact":"time.passed"}"#,
    },
];

/// The fields of `policy.adopted`.
pub const POLICY_FIELDS: &[(&str, Need, &str)] = &[
    ("id", Required, "the fact's own id"),
    ("largest_jump_hours", Optional, "how far a request or fact may jump ahead; default 48"),
    ("min_net_cents", Optional, "the least a deposit leaves net; default 1"),
    ("shortfall_watch_days", Optional, "how long a block watches for what is short; default 90"),
    ("house_covers_negatives", Optional, "boolean; default true (rulings 25)"),
    ("payout_return_refunds_fee", Optional, "boolean; default false"),
    ("divergent_charge_is_refused", Optional, "boolean; default true"),
    ("cnpj_with_letters", Optional, "boolean; default true"),
    ("payer_ladder", Optional, "boolean: whether the payer ladder is in force; default true"),
    ("ladder_first_qr_cents", Optional, "the first QR of an unknown document; default 20,000"),
    ("ladder_first_transaction_cents", Optional, "at once before a first payment; default 20,000"),
    ("ladder_first_24h_cents", Optional, "at once within 24 h of it; default 20,000"),
    ("ladder_mature_day_cents", Optional, "at once on any later day; default 20,000"),
    ("ladder_held_max_cents", Optional, "in one window, held or not; default 600,000"),
    ("ladder_hold_hours", Optional, "how long the provider holds; default 24"),
    ("rate_max_age_seconds", Optional, "how old a price may be to be quoted; default 900"),
    ("precautionary_hours", Optional, "how long a precautionary block lasts; default 72"),
    ("commission_interval_hours", Optional, "between two commission withdrawals; default 24"),
    ("commission_interval_first", Optional, "boolean: check it before the id; default false"),
    ("cashin_paused", Optional, "boolean: no new charges; default false"),
    ("conversions_paused", Optional, "boolean: no new withdrawals in crypto; default false"),
    ("cashout_min_cents", Optional, "the least a sale pays; default 600"),
    ("cashout_max_cents", Optional, "the most; default 25,000,000"),
    ("depix_min_cents", Optional, "the least a sale of DePix pays; default 102"),
    ("depix_max_cents", Optional, "the most; default 600,000"),
    ("recipient_daily_max_cents", Optional, "to one recipient a day; default 10,000,000"),
    ("auto_refund_max_usdt", Optional, "the largest refund without an operator; default 5,000"),
    ("revival_hours", Optional, "how long an expired order takes a late deposit; default 168"),
    ("retry_every_seconds", Optional, "how often a failed send is tried again; default 300"),
    ("retry_for_seconds", Optional, "for how long; default 2,700"),
    ("cashouts_paused", Optional, "boolean: no new sales; default false"),
    ("br_codes_paused", Optional, "boolean: no new sales to a Copia e Cola; default false"),
    ("unknown_pix_answered", Optional, "boolean: an unknown PIX is 200, not 404; default false"),
    ("test_keys_per_ip", Optional, "test keys for one address a day; default 20"),
    ("panel_links_per_hour", Optional, "panel links by address and by e-mail; default 5"),
    ("key_lookups_per_minute", Optional, "PIX keys an account may look up; default 5"),
    ("unproven_keys_refused", Optional, "boolean: no payout to a key without a proven owner"),
];

/// The fields of `terms.adopted`; those after `effective_from` also stand in `terms` of
/// `account.opened`.
pub const TERMS_FIELDS: &[(&str, Need, &str)] = &[
    ("id", Required, "the fact's own id"),
    ("account", Required, "the API account's name"),
    ("effective_from", Optional, "the first instant they are in force; absent: at once"),
    ("custodia_ativa", Optional, "boolean"),
    ("payout_enabled", Optional, "boolean"),
    ("deposito_fee_bps", Optional, "0 to 10,000"),
    ("deposito_fee_fixed_cents", Optional, "centavos"),
    ("saque_fee_bps", Optional, "the house's part of a payout's fee"),
    ("partner_saque_fee_bps", Optional, "the partner's part, on top"),
    ("saque_taxa_provedor_tipo", Optional, "fixo, or desconhecido: then new payouts are refused"),
    ("saque_taxa_estimada_cents", Optional, "the provider's fixed tariff"),
    ("saque_cripto_fee_bps", Optional, "of a conversion, beside the conversion's own"),
    ("saque_cripto_conversao_fee_bps", Optional, "the house's percentage of a conversion"),
    ("saque_cripto_conversao_fee_fixed_cents", Optional, "and its fixed part"),
    ("admin_fee_bps", Optional, "the house's percentage of a purchase"),
    ("admin_fee_fixed_cents", Optional, "and its fixed part"),
    ("partner_fee_bps", Optional, "the partner's percentage of a purchase, on top"),
    ("liquid_provider_fee_cents", Optional, "what the provider takes of a purchase on Liquid"),
    ("cashout_fee_bps", Optional, "the house's percentage of a sale; absent: no sales"),
    ("cashout_fee_fixed_cents", Optional, "and its fixed part"),
    ("partner_cashout_fee_bps", Optional, "the partner's percentage of a sale, on top"),
    ("depix_fee_bps", Optional, "the house's percentage of a sale of DePix"),
    ("depix_fee_fixed_cents", Optional, "and its fixed part"),
    ("cashout_reserve_cents", Optional, "the operational reserve of a sale; default 100"),
    ("cashin_daily_max_cents", Optional, "a ceiling for charges a day; 0: none"),
    ("payout_daily_max_cents", Optional, "a ceiling for payouts a day; 0: none"),
    ("cashin_min_cents", Optional, "the smallest charge"),
    ("cashin_max_cents", Optional, "the largest charge"),
    ("payout_min_cents", Optional, "the smallest payout"),
    ("payout_max_cents", Optional, "the largest payout"),
    ("sem_retencao", Optional, "true: no deposit is held at the provider"),
    ("retencao_acima_cents", Optional, "deposits above this are held at the provider"),
    ("retencao_horas", Optional, "for so many hours"),
    ("liberacao", Optional, "imediata or proximo_dia: when other deposits become available"),
    ("carencia_horas", Optional, "how long a first deposit blocks withdrawals"),
    ("carteira_usdt", Optional, "boolean: whether the USDT wallet is granted"),
];

/// The shape of the fact of this name.
#[must_use]
pub fn shape(name: &str) -> Option<&'static FactShape> {
    FACTS.iter().find(|shape| shape.name == name)
}
