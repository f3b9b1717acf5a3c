//! Answers about charges: a PIX collected.

use ledger_core::time::Instant;
use rust_decimal::Decimal;

use super::answer::{answer, open_words};
use super::status::{ChargeStatus, SettlementStatus};
use crate::value::{Amount, Cents, Metadata, OperationId};

answer! {
    /// What `POST /cashin/charge` is answered.
    Charge {
        id: OperationId as "cashin_id", "The id of the charge.";
        status: ChargeStatus, "How the charge stands.";
        amount: Amount as plain "amount_cents", "What the payer pays, or what is converted.";
        asset: String, "The asset that is delivered.";
        chain: String, "The network that it is delivered on.";
        address: Option<String> as "payout_address", "The wallet that it is delivered to.";
        qr_copypaste: Option<String>, "The Copia e Cola code to pay.";
        qr_image_url: Option<String>, "Where the code is shown as a picture.";
        expires_at: Option<Instant> as plain, "When the code can no longer be paid.";
        held: bool, "Whether the provider holds the PIX before it counts.";
        held_hours: Option<u64>, "How long the provider holds it.";
        delay_until: Option<Instant> as plain, "When the provider releases it.";
        available_at: Option<Instant> as plain "liberar_em", "When a hold of ours ends.";
        hold_hours: Option<u64>, "How long a hold of ours lasts.";
        external_id: Option<String>, "The account's own id of it.";
        created_at: Instant as plain, "When it was created.";
        metadata?: Metadata, "Pairs of the account's own; none once erased.";
    }

    /// What `GET /cashin/{cashin_id}/status` is answered.
    ChargeDetail {} .. {
        settlement_status: SettlementStatus, "How far settlement got.";
        depix_received: Option<Cents> as plain "depix_received_cents",
            "What was received, before fees.";
        usdt_amount: Option<Decimal> as plain, "What is delivered, in USDT.";
        settlement_tx_hash: Option<String>, "The transaction that delivered it.";
        settlement_tx_url: Option<String>, "Where that transaction is shown.";
        end_to_end_id: Option<String> as "e2e", "The end-to-end id of the PIX.";
        payer_name: Option<String>, "Who paid.";
        payer_document: Option<String> as "payer_tax_number", "The payer's CPF or CNPJ, masked.";
        destination: ChargeDestination as "destino", "What the PIX becomes.";
        customer: Option<String> as "customer_ref", "The subaccount; null is the house.";
        source: ChargeSource as "fonte", "What paid for it.";
        paid_at: Option<Instant> as plain, "When it was paid.";
        settled_at: Option<Instant> as plain, "When it was settled.";
        fee: Option<Cents> as plain "fee_cents", "The fees of a conversion.";
        debited: Option<Amount> as plain "debited_cents",
            "What a conversion took from the balance.";
        units?: Decimal as plain "amount", "What is delivered, in the asset.";
        returned?: Cents as plain "returned_cents", "What was given back.";
        paid_by_tax_number?: String, "The CPF or CNPJ of whoever paid, masked.";
        payer_differs?: bool, "Whether another paid than the charge names.";
    }
}

answer! {
    /// What `POST /cashin/preview` is answered.
    ChargePreview {
        asset: String, "The asset that would be delivered.";
        chain: String, "The network that it would be delivered on.";
        amount: Option<Decimal> as plain, "What would be delivered.";
        network_min: Decimal as plain, "The least that the network delivers.";
        withdraw_fee: Decimal as plain, "What the network takes.";
        min_brl: Option<Cents> as plain "min_brl_cents", "The least that such a charge is of.";
        eta: Option<String>, "How long delivery takes, in words.";
        admin_fee_bps: Option<u16>, "The whole fee, the partner's share included.";
        house_fee_bps: u16, "The service's share of the fee.";
        partner_fee_bps: u16, "The partner's share of the fee.";
        admin_fee_fixed: Cents as plain "admin_fee_fixed_cents", "The fixed part of the fee.";
        fee_total: Option<Cents> as plain "fee_total_cents", "All fees of this charge.";
        net: Cents as plain "net_cents", "What is left to buy the asset with.";
        brl_per_usdt: Option<Decimal> as plain, "The price of one USDT.";
        usdt_amount: Option<Decimal> as plain, "What would be delivered, in USDT.";
    }
}

open_words! {
    /// What `destination` of [`ChargeDetail`] may be.
    ChargeDestination { Balance = "saldo", Crypto = "cripto" }
}

open_words! {
    /// What `source` of [`ChargeDetail`] may be.
    ChargeSource { Pix = "pix", Balance = "saldo" }
}

answer! {
    /// What `GET /cashin/charges` is answered.
    Charges {
        charges: Vec<ChargeDetail>, "The charges of this external id.";
    }
}

answer! {
    /// Of [`ChargeCatalogue`]: pairs delivered by our own settlement.
    Listing {
        asset: String, "The asset.";
        chain: String, "The network.";
        min_buy_amount: Decimal as plain "minBuyAmount", "The least that is delivered.";
        withdraw_fee: Decimal as plain "withdrawFee", "What the network takes.";
        deliverable: bool as "entregavel", "Whether it is delivered at present.";
        memo_required: bool as "memoRequired", "Whether a wallet needs a memo.";
        eta: Option<String>, "How long delivery takes, in words.";
        eta_seconds: Option<u64> as "etaSeconds", "How long delivery takes.";
    }
}

answer! {
    /// Of [`ChargeCatalogue`]: pairs offered no longer.
    DroppedListing {
        asset: String, "The asset.";
        chain: String, "The network.";
    }
}

answer! {
    /// Of [`ChargeCatalogue`]: how many pairs of each there are.
    CatalogueTotals {
        instant: u64, "How many are delivered by our own settlement.";
        convert: u64, "How many are delivered through an exchange.";
        liquid: u64, "How many are delivered on Liquid.";
        dropped: u64, "How many are offered no longer.";
        deliverable: u64 as "entregaveis", "How many are delivered at present.";
    }
}

answer! {
    /// What `GET /cashin/catalog` is answered.
    ChargeCatalogue {
        updated_at: Instant as plain "updatedAt", "When the catalogue was last changed.";
        instant: Vec<Listing>, "Pairs delivered by our own settlement.";
        convert: Vec<Listing>, "Pairs delivered through an exchange.";
        liquid: Vec<Listing>, "Pairs delivered on Liquid.";
        dropped: Vec<DroppedListing>, "Pairs offered no longer.";
        totals: CatalogueTotals, "How many pairs of each there are.";
    }
}

open_words! {
    /// What `stage` of [`ChargeLimits`] may be.
    PayerStage {
        ProviderFirstQr = "provider_first_qr",
        FirstTransaction = "first_transaction",
        First24h = "first_24h",
        Mature = "mature",
    }
}

answer! {
    /// Of [`ChargeLimits`]: what may be paid held.
    HeldQr {
        max_amount: Cents as plain "max_amount_cents", "The most that a held charge is of.";
        used: Cents as plain "used_cents", "What of it is used.";
        available: Cents as plain "available_cents", "What of it is left.";
        hold_hours: u64, "How long the provider holds it.";
    }
}

answer! {
    /// Of [`ChargeLimits`]: the bands, as they are for everybody.
    PayerLadder {
        first_transaction: Cents as plain "first_transaction_cents",
            "At once, before the first payment.";
        first_24h: Cents as plain "first_24h_cents", "At once, within 24 hours of it.";
        mature_day: Cents as plain "mature_day_cents", "At once, a day, later on.";
        held_max: Cents as plain "held_max_cents", "The most in a day, held by the provider.";
        hold_hours: u64, "How long the provider holds it.";
    }
}

answer! {
    /// Of [`ChargeLimits`]: the next stage.
    NextStage {
        stage: PayerStage, "The next stage.";
        limit: Cents as plain "limit_cents", "What it lets through at once.";
        at: Option<Instant> as plain "quando", "When it begins.";
    }
}

answer! {
    /// What `GET /cashin/limits` is answered.
    ChargeLimits {
        stage: Option<PayerStage>, "Where the payer stands.";
        instant_available: Option<Cents> as plain "instant_available_cents",
            "What may be paid without being held.";
        max_amount: Option<Cents> as plain "max_amount_cents", "What may be paid at all.";
        held_qr: Option<HeldQr>, "What may be paid held.";
        ladder: Option<PayerLadder>, "The bands, as they are for everybody.";
        next_stage: Option<NextStage>, "The next stage.";
        explanation: String as "explicacao", "Where the payer stands, in Portuguese.";
    }
}
