//! Classes of rows, one for every pair of accounts.

use ledger_core::accounting::{Class, CoinAccount};

use super::Part;
use crate::account::{Commodity, LedgerAccount, Treatment};
use crate::person::Person;

macro_rules! row_classes {
    ($($(#[$doc:meta])* $class:ident = $name:literal, $portuguese:literal;)*) => {
        /// The class of a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RowClass {
            $($(#[$doc])* $class,)*
        }

        impl RowClass {
            /// Every class, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$class),*];

            /// Its name in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$class => $name,)*
                }
            }

            /// Its name for clients, in Portuguese.
            #[must_use]
            pub const fn portuguese(self) -> &'static str {
                match self {
                    $(Self::$class => $portuguese,)*
                }
            }
        }
    };
}

row_classes! {
    /// An asset bought for reais.
    Purchase = "purchase", "Compra";
    /// An asset sold for reais.
    Sale = "sale", "Venda";
    /// An asset exchanged for another.
    Swap = "swap", "Permuta";
    /// Money or an asset came in from outside.
    TransferIn = "transfer_in", "Entrada";
    /// Money or an asset left.
    TransferOut = "transfer_out", "Saída";
    /// It went from one client to another.
    TransferBetween = "transfer_between", "Transferência entre clientes";
    /// It came from a wallet or account of the person's own.
    FromOwnWallet = "from_own_wallet", "Entrada de carteira própria";
    /// It left for a wallet or account of the person's own.
    ToOwnWallet = "to_own_wallet", "Saída para carteira própria";
    /// A fee, of the institution, a partner, the provider or a network.
    Fee = "fee", "Tarifa";
    /// Money or an asset of nobody became somebody's, or the reverse.
    Attributed = "attributed", "Identificação";
    /// The institution gave it or took it: written off, rewarded, opened with.
    Correction = "correction", "Ajuste";
    /// It moved between balances of one person: held, blocked, on its way.
    Internal = "internal", "Movimento interno";
    /// It moved between accounts of the institution.
    Own = "own", "Movimento da instituição";
}

/// A class, and whether the move takes back an earlier one of it.
pub(super) type Classification = (RowClass, bool);

/// Returns the class of a move that is no part of an exchange of two commodities.
pub(super) fn single_class(part: &Part, fee: bool) -> Classification {
    use RowClass as C;
    use Treatment::{Clients, Creditors, Exchange, Held, Own};
    let (from, to) = (part.from.account, part.to.account);
    match (from.treatment(), to.treatment()) {
        (Clients, Clients) => client_pair_class(part, fee),
        (Clients, Held) if is_unseen(from, to) => (C::TransferIn, true),
        (Clients, Held) => (C::TransferOut, false),
        (Held, Clients) => (C::TransferIn, false),
        (Clients, Own) => (own_class(to), false),
        (Own, Clients) => (own_class(from), true),
        (Clients, Creditors) if part.to.person == Person::Cells => (C::TransferOut, false),
        (Creditors, Clients) if part.from.person == Person::Cells => (C::TransferIn, false),
        (Clients, Creditors) => (C::Fee, false),
        (Creditors, Clients) => (C::Fee, true),
        (Clients | Own, Exchange) | (Exchange, Clients | Own) if fee => (C::Fee, false),
        // A swap gave less than was ordered, and this is the difference.
        (Clients, Exchange) => (C::Swap, true),
        (Exchange, Clients) => (C::Swap, false),
        (Held, Exchange) if part.commodity != Commodity::Reais => (C::Purchase, false),
        (Exchange, Held) if part.commodity != Commodity::Reais => (C::Sale, false),
        (Held, Own) if to.chart() == "equity.funding" => (C::FromOwnWallet, false),
        (Own, Held) if from.chart() == "equity.funding" => (C::ToOwnWallet, false),
        (_, _) => (C::Own, false),
    }
}

fn client_pair_class(part: &Part, fee: bool) -> Classification {
    let (from, to) = (&part.from.person, &part.to.person);
    if fee {
        return (RowClass::Fee, part.from.account.chart() == "comm");
    }
    if from == to {
        (RowClass::Internal, false)
    } else if *from == Person::Unknown || *to == Person::Unknown {
        (RowClass::Attributed, *to == Person::Unknown)
    } else {
        (RowClass::TransferBetween, false)
    }
}

/// Tells whether coins that were seen, and never confirmed, vanish. A reserve is coins that stood.
fn is_unseen(from: LedgerAccount, to: LedgerAccount) -> bool {
    let reserve = matches!(from, LedgerAccount::Coins(_, CoinAccount::WalletReserved(_)));
    !reserve && matches!(to, LedgerAccount::Coins(_, CoinAccount::Transit(_)))
}

/// Income and what networks take are fees; anything else of the institution's own is an adjustment.
fn own_class(account: LedgerAccount) -> RowClass {
    let gas = matches!(account, LedgerAccount::Coins(_, CoinAccount::Gas));
    if account.class() == Class::Income || gas { RowClass::Fee } else { RowClass::Correction }
}

/// Returns the class of an exchange of two commodities, and whose it is.
pub(super) fn trade_class(main: &Part, against: &Part) -> (Classification, Person) {
    let clients = [main.actor(), against.actor()].map(|end| end.is_clients().then_some(end));
    let got = main.is_got();
    let of_reais = against.commodity == Commodity::Reais;
    let person = match clients {
        [Some(client), _] | [None, Some(client)] => client.person.clone(),
        [None, None] => {
            let by_direction = if got { RowClass::Purchase } else { RowClass::Sale };
            let class = if of_reais { by_direction } else { RowClass::Swap };
            return ((class, false), Person::Institution);
        }
    };
    let coins = main.actor().account;
    let classified = if of_reais {
        // Bought coins are on their way to somebody; sold ones stood for an order, or in a wallet.
        let bought = matches!(coins, LedgerAccount::Coins(_, CoinAccount::DeliveryInFlight(_)));
        if bought { (RowClass::Purchase, !got) } else { (RowClass::Sale, got) }
    } else if [main, against].iter().any(|part| is_withdrawn(part.actor().account)) {
        (RowClass::Swap, coins.chart() == "wal.avail")
    } else if clients[1].is_none() {
        // One stablecoin arrives and another is credited.
        (RowClass::TransferIn, !got)
    } else {
        (RowClass::Attributed, !got)
    };
    (classified, person)
}

fn is_withdrawn(account: LedgerAccount) -> bool {
    matches!(account, LedgerAccount::Coins(_, CoinAccount::WithdrawalInFlight(_)))
}
