//! Why a fact is set aside (rulings 54).

use minicbor::{Decode, Encode};

/// Why a fact is set aside. A closed set: its words are in GLOSSARY.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
#[non_exhaustive]
pub enum SetAsideReason {
    /// It names nothing that this ledger has, or nothing at all.
    #[n(0)]
    Unmatched,
    /// What it names has passed the point, or gone another way: it failed, ended, or never was due.
    #[n(1)]
    OutOfTurn,
    /// What it presupposes was not reported yet.
    #[n(2)]
    TooEarly,
    /// It is of another amount than was ordered.
    #[n(3)]
    AmountDiffers,
    /// It takes more than is left, owed or available.
    #[n(4)]
    AmountExceeds,
    /// It was paid after the deadline.
    #[n(5)]
    PaidLate,
    /// Another PIX paid already.
    #[n(6)]
    AlreadyPaid,
    /// The PIX, transaction or key it brings is another's; in older records, or the name.
    #[n(7)]
    IdTaken,
    /// An attempt is under way or its outcome unknown: evidence of that comes first.
    #[n(8)]
    OutcomeUnknown,
    /// Crypto was sent that was not due.
    #[n(9)]
    NotDue,
    /// Crypto arrived that nothing awaits in this form: token, network, address or time.
    #[n(10)]
    NotAwaited,
    /// Crypto that was confirmed, and booked, is not on its network any more.
    #[n(11)]
    Vanished,
    /// It changes an asset's decimals, drops what was never listed, or numbers it otherwise.
    #[n(12)]
    ListingDiffers,
    /// A wallet is missing, malformed, or other than the one confirmed.
    #[n(13)]
    WalletDiffers,
    /// The order pays for a payment from a wallet, and moves with that alone.
    #[n(14)]
    PartOfPayment,
    /// The account or agent that it opens has a name that an account bears already.
    #[n(15)]
    NameTaken,
    /// It was paid before the charge that it names existed.
    #[n(16)]
    PaidBefore,
    /// Its amounts leave the range or a condition of the template that it names.
    #[n(17)]
    OutsideTemplate,
    /// It brings an opening balance to an account that is closed for them.
    #[n(18)]
    OpeningClosed,
    /// It closes a day with other amounts than the books had.
    #[n(19)]
    ClosingDiffers,
    /// Its legs do not balance in each commodity, it moves reais to an account in another, or its
    /// unit has other decimals or the name of an asset.
    #[n(20)]
    UnitDiffers,
}
