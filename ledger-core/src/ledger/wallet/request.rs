//! What an API client may ask of its wallet.

use crate::coin::Units;
use crate::id::{Kind, OpId};
use crate::ledger::decision::named::Named;
use crate::ledger::decision::repetition::repeatable;
use crate::machine::cash_out::{AmountBasis, Payee};
use crate::machine::wallet::payment::Order;
use crate::money::Amount;
use crate::terms::Stablecoin;

/// What an API client may ask of its wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `POST /carteira-usdt/deposits`: an address of ours to deposit at.
    Deposit(DepositRequest),
    /// A quote of a withdrawal to an external wallet, which has no route.
    WithdrawalQuote(WithdrawalQuoteRequest),
    /// A withdrawal with such a quote, which has no route.
    Withdrawal(WithdrawalRequest),
    /// `POST /carteira-usdt/quote`: what a payment would cost.
    PaymentQuote(Box<PaymentRequest>),
    /// `POST /carteira-usdt/payments`: a PIX, paid with USDT.
    Payment(Box<PaymentRequest>),
}

repeatable! {
    /// A payment to be made, or quoted.
    PaymentRequest, as |asked, order: &Order| {
        /// A key and an amount, or a code.
        asked: AmountBasis, same { Code: asked.agrees(order) };
        /// What the recipient receives, in centavos; none where a code names no fixed amount.
        net?: Amount, same { BrlAmount: Some(order.net) == asked.net };
        /// Who is paid.
        payee: Payee, same { PixKey: order.payee.pix_key == asked.payee.pix_key };
        /// The quote it is made with; none inside where no quote has such an id.
        quote?: Option<OpId>, same {
            Quote: asked.quote.is_none_or(|quote| quote == order.quote),
        };
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

impl PaymentRequest {
    /// Tells whether it pays the code that the order pays, where either pays one.
    fn agrees(&self, order: &Order) -> bool {
        let codes = matches!(order.asked, AmountBasis::Code(_))
            || matches!(self.asked, AmountBasis::Code(_));
        order.asked == self.asked || !codes
    }
}

/// A withdrawal to be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalQuoteRequest {
    /// What is to be sent.
    pub coin: Stablecoin,
    /// The network's name.
    pub network: Box<str>,
    /// To which wallet.
    pub address: Box<str>,
    /// What the wallet pays, in millionths of USDT.
    pub amount: Units,
}

/// A withdrawal to be made; what is said besides the quote must agree with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalRequest {
    /// The quote; none where no quote has such an id.
    pub quote: Option<OpId>,
    /// What is sent.
    pub coin: Option<Stablecoin>,
    /// The network's name.
    pub network: Option<Box<str>>,
    /// To which wallet.
    pub address: Option<Box<str>>,
    /// What the wallet pays.
    pub amount: Option<Units>,
    /// The client's own id.
    pub external_id: Box<str>,
}

/// A deposit to be waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositRequest {
    /// In millionths of USDT.
    pub amount: Units,
    /// The network's name.
    pub network: Box<str>,
    /// Where to send, as the provider supplied it (rulings 39).
    pub address: Option<Box<str>>,
}

impl Request {
    /// The quote it names.
    #[must_use]
    pub const fn quote(&self) -> Option<OpId> {
        match self {
            Self::Deposit(_) | Self::WithdrawalQuote(_) | Self::PaymentQuote(_) => None,
            Self::Withdrawal(request) => request.quote,
            Self::Payment(request) => match request.quote {
                Some(quote) => quote,
                None => None,
            },
        }
    }

    /// Returns what it creates, under the client's own id, if it gives one.
    #[must_use]
    pub fn identity(&self) -> Option<(Kind, &str)> {
        match self {
            Self::Deposit(_) | Self::WithdrawalQuote(_) | Self::PaymentQuote(_) => None,
            Self::Withdrawal(request) => Some((Kind::CryptoWithdrawal, &request.external_id)),
            Self::Payment(request) => {
                request.external_id.as_deref().map(|id| (Kind::WalletPayment, id))
            }
        }
    }

    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        Named { identity: self.identity(), operation: self.quote(), ..Named::default() }
    }
}
