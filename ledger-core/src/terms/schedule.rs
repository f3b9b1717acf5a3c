//! The terms of an API account, as dated data (FEE-01, FEE-15, FEE-38).

use minicbor::{Decode, Encode};

use super::Switch;
use super::catalogue::Rail;
use super::fee::{Rate, Tariff};
use super::market::Route;
use super::sale::{FeeBase, SaleRates};
use super::service::ServiceRates;
use crate::money::{Amount, Bps, Cents};
use crate::time::Instant;

/// When a deposit below the retention threshold becomes available (CUS-19, CUS-27).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Release {
    /// At once: a key with immediate balance release.
    #[n(0)]
    Immediate,
    /// At the next midnight of Brasília.
    #[n(1)]
    NextDay,
}

/// Fees, ranges and waiting periods of one account.
///
/// ```
/// use ledger_core::money::{Amount, Cents};
/// use ledger_core::terms::Terms;
///
/// // The smallest charge is the one that still leaves something net of its fee.
/// let terms = Terms::latest();
/// let least_net = Cents::new(1).expect("it is not negative");
/// let smallest = terms.smallest_charge(least_net).expect("some charge passes");
/// assert!(terms.deposit.net(smallest) >= Some(least_net) && terms.charge_least <= smallest);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Terms {
    /// Tells whether custody is enabled: `custodia_ativa`.
    #[n(0)]
    pub custody: Switch,
    /// Tells whether payouts are enabled: `payout.enabled`.
    #[n(1)]
    pub payouts: Switch,
    /// The fee on a deposit into the balance.
    #[n(2)]
    pub deposit: Rate,
    /// The house's percentage of a payout: `saque_fee_bps`.
    #[n(3)]
    pub payout_house: Bps,
    /// The partner's percentage of a payout: `partner_saque_fee_bps`.
    #[n(4)]
    pub payout_partner: Bps,
    /// The provider's tariff on a payout.
    #[n(5)]
    pub payout_tariff: Tariff,
    /// What it adds to the fee on a conversion of custody: `saque_cripto_fee_bps`.
    #[n(6)]
    pub crypto_withdrawal: Bps,
    /// `saque_cripto_conversao_fee_bps` and `saque_cripto_conversao_fee_fixed_cents`.
    #[n(7)]
    pub conversion: Rate,
    /// The smallest charge, before what the fee demands.
    #[n(8)]
    pub charge_least: Amount,
    /// The largest charge.
    #[n(9)]
    pub charge_most: Amount,
    /// The smallest payout.
    #[n(10)]
    pub payout_least: Amount,
    /// The largest payout.
    #[n(11)]
    pub payout_most: Amount,
    /// Deposits above this are held at the provider: `retencao_acima_cents`. None: never.
    #[n(12)]
    pub retention_above: Option<Amount>,
    /// How long the provider holds them, in hours: `held_hours`.
    #[n(13)]
    pub retention_hours: u16,
    /// When the others become available.
    #[n(14)]
    pub release: Release,
    /// How long the first deposit of a subaccount blocks withdrawals: `carencia_horas`.
    #[n(15)]
    pub waiting_hours: u16,
    /// The house's fee on a purchase: `admin_fee_bps` and `admin_fee_fixed_cents`.
    #[n(16)]
    #[cbor(default)]
    pub purchase: Rate,
    /// The partner's percentage of a purchase: `partner_fee_bps`.
    #[n(17)]
    #[cbor(default)]
    pub purchase_partner: Bps,
    /// What the provider takes of a purchase on Liquid: `liquid_provider_fee_cents` (P:LiquidMin).
    #[n(18)]
    #[cbor(default)]
    pub liquid: Cents,
    /// What may be charged a day of Brasília. None: no ceiling (LIM-16).
    #[n(19)]
    pub charged_daily: Option<Amount>,
    /// What may be paid out a day of Brasília. None: no ceiling (LIM-16).
    #[n(20)]
    pub paid_out_daily: Option<Amount>,
    /// The house's fee on a sale: `cashout_fee_bps` and `cashout_fee_fixed_cents`. None: that of
    /// the standard integration (rulings 48).
    #[n(21)]
    pub sale: Option<Rate>,
    /// The partner's percentage of a sale: `partner_cashout_fee_bps`.
    #[n(22)]
    pub sale_partner: Option<Bps>,
    /// The house's fee on a sale of the Liquid stablecoin (FEE-22). None: as published.
    #[n(23)]
    pub liquid_sale: Option<Rate>,
    /// The operational reserve of a sale, in centavos. None: as published, R$ 1.00.
    #[n(24)]
    pub sale_reserve: Option<Cents>,
    /// Tells whether the USDT wallet is granted (P:WalletGrant). None: it is not.
    #[n(25)]
    pub wallet: Option<Switch>,
}

/// The terms of an account over time: each in force from its instant until the next.
///
/// ```
/// use ledger_core::terms::{Schedule, Terms};
/// use ledger_core::time::Instant;
///
/// let mut schedule = Schedule::starting_with(Terms::earlier());
/// schedule.adopt(Terms::EFFECTIVE, Terms::latest());
/// let eve = Instant::from_micros(Terms::EFFECTIVE.micros() - 1).expect("an instant of 2026");
/// assert_eq!(schedule.at(eve), &Terms::earlier());
/// assert_eq!(schedule.at(Terms::EFFECTIVE), &Terms::latest());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    dated: Vec<(Instant, Terms)>,
}

impl Terms {
    /// When the policy of the contract's section 1 takes effect: 2026-10-15, at midnight of
    /// Brasília (P:EffectiveZone).
    pub const EFFECTIVE: Instant =
        Instant::from_micros(1_792_033_200_000_000).expect("an instant of the year 2026");

    /// What a fresh account is charged at `at`: the policy published for that day (rulings 49).
    #[must_use]
    pub fn published_at(at: Instant) -> Self {
        if at < Self::EFFECTIVE { Self::earlier() } else { Self::latest() }
    }

    /// The policy before 2026-10-15: 2.5 % and R$ 1.00 on purchases, from R$ 1.02; payouts 1.8 %
    /// and the provider's R$ 1.00 (contract, sections 1 and 8; rulings 49).
    #[must_use]
    pub fn earlier() -> Self {
        let bps = |bps| Bps::new(bps).expect("below the whole");
        let as_cents = |cents| Cents::new(cents).expect("not negative");
        Self {
            payout_house: bps(180),
            payout_tariff: Tariff::Fixed(as_cents(100)),
            charge_least: Amount::new(102).expect("positive"),
            purchase: Rate { bps: bps(250), fixed: as_cents(100) },
            ..Self::latest()
        }
    }

    /// The policy published for 2026-10-15 (contract, section 1), with the holds of section 8.
    #[must_use]
    pub fn latest() -> Self {
        let bps = |bps| Bps::new(bps).expect("below the whole");
        let as_cents = |cents| Cents::new(cents).expect("not negative");
        let amount = |cents| Amount::new(cents).expect("positive");
        Self {
            custody: Switch::On,
            payouts: Switch::On,
            deposit: Rate { bps: bps(0), fixed: as_cents(100) },
            payout_house: bps(150),
            payout_partner: bps(0),
            payout_tariff: Tariff::Fixed(Cents::ZERO),
            crypto_withdrawal: bps(0),
            conversion: Rate { bps: bps(330), fixed: Cents::ZERO },
            charge_least: amount(100),
            charge_most: amount(600_000),
            payout_least: amount(1),
            payout_most: amount(25_000_000),
            retention_above: Some(amount(6_000)),
            retention_hours: 24,
            release: Release::NextDay,
            waiting_hours: 24,
            purchase: Rate { bps: bps(330), fixed: as_cents(100) },
            purchase_partner: bps(0),
            liquid: Cents::ZERO,
            charged_daily: None,
            paid_out_daily: None,
            sale: None,
            sale_partner: None,
            liquid_sale: None,
            sale_reserve: None,
            wallet: None,
        }
    }

    /// Returns what a purchase on this rail costs: no key fee on Liquid (FEE-24).
    #[must_use]
    pub fn purchase_rates(&self, rail: Rail) -> ServiceRates {
        match rail {
            Rail::Instant | Rail::Convert => {
                ServiceRates { house: self.purchase, partner: self.purchase_partner }
            }
            Rail::Liquid => ServiceRates {
                house: Rate { bps: Bps::default(), fixed: self.liquid },
                partner: Bps::default(),
            },
        }
    }

    /// Returns what a conversion of custody costs: both house percentages, and the partner's on
    /// exits (P:ConversionPartner); `None` when they pass the whole.
    #[must_use]
    pub fn conversion_rates(&self) -> Option<ServiceRates> {
        let bps = self.conversion.bps.plus(self.crypto_withdrawal)?;
        let house = Rate { bps, fixed: self.conversion.fixed };
        Some(ServiceRates { house, partner: self.payout_partner })
    }

    /// Returns what a sale by this route costs: 2 % and R$ 2.00, the standard integration, until
    /// other terms are adopted (rulings 48).
    ///
    /// A sale of the Liquid stablecoin carries no reserve (FEE-22), its fee is on what is sold
    /// (rulings 47), and the partner's part is added to both (FEE-07).
    #[must_use]
    pub fn sale_rates(&self, route: Route) -> SaleRates {
        let partner = self.sale_partner.unwrap_or_default();
        let published = |bps, cents| Rate {
            bps: Bps::new(bps).expect("below the whole"),
            fixed: Cents::new(cents).expect("not negative"),
        };
        match route {
            Route::Fast | Route::Dex | Route::Convert => SaleRates {
                house: self.sale.unwrap_or(published(200, 200)),
                partner,
                reserve: self.sale_reserve.unwrap_or(published(0, 100).fixed),
                base: None,
            },
            Route::Liquid => SaleRates {
                house: self.liquid_sale.unwrap_or(published(150, 100)),
                partner,
                reserve: Cents::ZERO,
                base: Some(FeeBase::Gross),
            },
        }
    }

    /// Tells whether the USDT wallet is granted to the account.
    #[must_use]
    pub fn has_wallet(&self) -> bool {
        self.wallet.is_some_and(Switch::is_on)
    }

    /// Tells whether a charge of `amount` leaves `least_net`: then every larger one does (INV-22).
    pub(crate) fn charge_passes(&self, least_net: Cents, amount: Amount) -> bool {
        self.deposit.leaves(least_net, amount)
    }

    /// The smallest charge that passes: at least the account's minimum, and leaving `least_net`.
    #[must_use]
    pub fn smallest_charge(&self, least_net: Cents) -> Option<Amount> {
        self.deposit.smallest_leaving(least_net, self.charge_least, self.charge_most)
    }
}

impl Schedule {
    /// A schedule that begins with `terms` and has always had them.
    #[must_use]
    pub fn starting_with(terms: Terms) -> Self {
        Self { dated: vec![(Instant::default(), terms)] }
    }

    /// Adds terms in force from `from` on; those adopted later win at the same instant.
    pub fn adopt(&mut self, from: Instant, terms: Terms) {
        let place = self.dated.partition_point(|(earlier, _)| *earlier <= from);
        self.dated.insert(place, (from, terms));
    }

    /// The terms that begin at just this instant, if some do.
    #[must_use]
    pub fn beginning(&self, from: Instant) -> Option<&Terms> {
        self.dated.iter().rev().find(|(begins, _)| *begins == from).map(|(_, terms)| terms)
    }

    /// The terms in force at `at`, its first instant included (P:EffectiveZone).
    #[must_use]
    pub fn at(&self, at: Instant) -> &Terms {
        let after = self.dated.partition_point(|(from, _)| *from <= at);
        &self.dated[after.max(1) - 1].1
    }

    /// A schedule of these dated terms, oldest first; none when there are none.
    pub(crate) fn from_dated(dated: Vec<(Instant, Terms)>) -> Option<Self> {
        (!dated.is_empty()).then_some(Self { dated })
    }

    /// All dated terms, oldest first.
    #[must_use]
    pub fn dated_terms(&self) -> &[(Instant, Terms)] {
        &self.dated
    }
}
