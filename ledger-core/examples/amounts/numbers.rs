//! The numbers of a line, read as what a function takes.

use std::error::Error;
use std::str::{FromStr, SplitWhitespace};

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId};
use ledger_core::money::{Amount, Balance, Bps, Cents};
use ledger_core::terms::{Listing, Price, Rail, Rate, ServiceFees, ServiceRates, Switch};

/// A value, or why the line is no call.
pub type Parsed<T> = Result<T, Box<dyn Error>>;

/// The numbers of a line, taken in order.
pub struct Numbers<'a>(SplitWhitespace<'a>);

impl<'a> Numbers<'a> {
    /// The words that follow the function's name.
    pub const fn new(words: SplitWhitespace<'a>) -> Self {
        Self(words)
    }

    fn word(&mut self) -> Parsed<&'a str> {
        Ok(self.0.next().ok_or("a number is missing")?)
    }

    pub fn next<T: FromStr<Err: Error + 'static>>(&mut self) -> Parsed<T> {
        Ok(self.word()?.parse()?)
    }

    pub fn next_if(&mut self) -> Parsed<Option<u8>> {
        Ok(self.0.next().map(str::parse).transpose()?)
    }

    pub fn flag(&mut self) -> Parsed<bool> {
        Ok(self.next::<u8>()? == 1)
    }

    pub fn amount(&mut self) -> Parsed<Amount> {
        Ok(Amount::new(self.next()?).ok_or("an amount is above zero")?)
    }

    pub fn cents(&mut self) -> Parsed<Cents> {
        Ok(Cents::new(self.next()?).ok_or("centavos are not negative")?)
    }

    /// A ceiling in centavos, if the line sets one.
    pub fn some_cents(&mut self) -> Parsed<Option<Cents>> {
        let (set, cents) = (self.flag()?, self.cents()?);
        Ok(set.then_some(cents))
    }

    pub fn balance(&mut self) -> Parsed<Balance> {
        Ok(Balance::new(self.next()?))
    }

    pub fn bps(&mut self) -> Parsed<Bps> {
        Ok(Bps::new(self.next()?).ok_or("a rate is at most the whole")?)
    }

    pub fn rate(&mut self) -> Parsed<Rate> {
        Ok(Rate { bps: self.bps()?, fixed: self.cents()? })
    }

    pub fn service_rates(&mut self) -> Parsed<ServiceRates> {
        Ok(ServiceRates { house: self.rate()?, partner: self.bps()? })
    }

    pub fn service_fees(&mut self) -> Parsed<ServiceFees> {
        Ok(ServiceFees { house: self.cents()?, partner: self.cents()? })
    }

    pub fn units(&mut self) -> Parsed<Units> {
        Ok(Units::new(self.next()?).ok_or("units are above zero and can be counted")?)
    }

    pub fn scale(&mut self) -> Parsed<Scale> {
        Ok(Scale::new(self.next()?).ok_or("a scale has 18 decimals at most")?)
    }

    pub fn price(&mut self) -> Parsed<Price> {
        let text = self.word()?;
        Ok(Price::parse(text).ok_or_else(|| format!("{text} is no price"))?)
    }

    /// A price, and a listing by its scale, its least and what the network takes.
    pub fn listing(&mut self) -> Parsed<(Price, Listing)> {
        let (price, scale, least) = (self.price()?, self.scale()?, self.units()?);
        let listing = Listing {
            asset: AssetId(1),
            chain: ChainId(1),
            asset_name: "usdt".into(),
            chain_name: "polygon".into(),
            scale,
            rail: Rail::Instant,
            least,
            network_fee: Units::new(self.next()?),
            deliverable: Switch::On,
            memo: Switch::Off,
            eta: "1 min".into(),
            eta_seconds: 60,
        };
        Ok((price, listing))
    }
}
