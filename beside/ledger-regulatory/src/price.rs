//! Values in reais, by a price that the ledger knows or that a person declares; never by a guess.

use ledger_core::coin::{Scale, mul_div};
use ledger_core::terms::{Price, Quote};
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

/// Reais for one whole of an asset, with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetPrice {
    /// The price as it was reported: `5.40`.
    pub text: String,
    /// Who reported it.
    pub source: String,
    /// When it was reported; none of a price that a mapping declares.
    pub at: Option<Instant>,
    mantissa: u128,
    divisor: u128,
}

impl AssetPrice {
    /// Reads a price: a decimal with a dot, above zero, of 12 decimals at most.
    #[must_use]
    pub fn parse(text: &str, source: &str, at: Option<Instant>) -> Option<Self> {
        let text = Price::parse(text)?.text();
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
        let mantissa = format!("{whole}{decimals}").parse().ok()?;
        let divisor = 10_u128.checked_pow(u32::try_from(decimals.len()).ok()?)?;
        Some(Self { source: source.to_owned(), at, mantissa, divisor, text })
    }

    fn from_quote(quote: &Quote) -> Self {
        Self::parse(&quote.price.text(), &quote.source, Some(quote.at))
            .expect("a price that was recorded can be read")
    }

    /// Returns the latest price of an asset that was reported by the ledger's last record.
    #[must_use]
    pub fn latest(sequencer: &Sequencer, asset: &str) -> Option<Self> {
        sequencer.ledger().state.rate(asset).map(Self::from_quote)
    }

    /// Returns what so many smallest units are worth in centavos, rounded towards zero; none where
    /// that leaves 128 bits.
    ///
    /// ```
    /// use ledger_core::coin::Scale;
    /// use ledger_regulatory::AssetPrice;
    ///
    /// let price = AssetPrice::parse("5.40", "exchange", None).expect("it is above zero");
    /// assert_eq!(price.centavos(17_722_222, Scale::SIX), Some(9_569));
    /// assert_eq!(price.centavos(-17_722_222, Scale::SIX), Some(-9_569));
    /// ```
    #[must_use]
    pub fn centavos(&self, units: i128, scale: Scale) -> Option<i128> {
        let hundredfold = self.mantissa.checked_mul(100)?;
        let divisor = scale.one().checked_mul(self.divisor)?;
        let cents = mul_div(units.unsigned_abs(), hundredfold, divisor)?;
        let cents = i128::try_from(cents).ok()?;
        Some(if units < 0 { -cents } else { cents })
    }
}
