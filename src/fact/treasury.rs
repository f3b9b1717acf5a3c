//! Facts of own money and coins, and prices.

use crate::declared::list;
use crate::fact::fact;
use crate::value::{Amount, Decimal, FactId, Instant, Text};

list! { AnyFact: TreasuryMoved, RateQuoted }

fact! {
    /// Own money moved between own accounts.
    TreasuryMoved: "treasury.moved" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        from: Text<32>,
            "equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx; of crypto: \
             equity.funding, treas, exp.gas, exp.loss, recv.prov or fx";
        to: Text<32>, "another of them";
        amount?: Amount as "amount_cents", "centavos; required for reais";
        asset?: Text<32>, "the asset, for crypto";
        chain?: Text<32>, "the network of treas";
        units?: Decimal as "amount", "units of the asset; required for crypto";
    }
}

fact! {
    /// An asset has a price: the ask of an exchange, unmodified.
    RateQuoted: "rate.quoted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        asset: Text<32>, "the asset";
        brl_per_unit: Decimal, "reais for one whole";
        source?: Text<64>, "whose price it is";
        quoted_at?: Instant, "when it was told; absent: now";
    }
}
