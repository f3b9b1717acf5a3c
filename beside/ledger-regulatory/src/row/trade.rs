//! Exchanges: the two moves of an entry by which one commodity is given for another.

use super::Part;
use crate::account::{Commodity, Treatment};

/// One move of an entry, before it is classified.
#[derive(Clone, Debug)]
pub(super) struct EntryMove {
    pub(super) part: Part,
    /// Tells whether a statement calls it a fee.
    pub(super) fee: bool,
}

impl EntryMove {
    /// Tells whether it is one side of an exchange.
    fn is_leg(&self) -> bool {
        let [from, to] = [&self.part.from, &self.part.to]
            .map(|end| end.account.treatment() == Treatment::Exchange);
        !self.fee && from != to
    }

    fn is_against(&self, leg: &Self) -> bool {
        self.is_leg()
            && self.part.commodity != leg.part.commodity
            && self.part.is_into_exchange() != leg.part.is_into_exchange()
    }
}

/// Moves of an entry: exchanges of two commodities, and all others.
pub(super) struct PairedMoves {
    /// The asset first; of two assets a client's part, or else what was got.
    pub(super) trades: Vec<(Part, Part)>,
    pub(super) others: Vec<EntryMove>,
}

/// Pairs each move of an asset into or out of an exchange with the move of another commodity the
/// other way: of the same person, if there is one.
pub(super) fn paired_moves(moves: Vec<EntryMove>) -> PairedMoves {
    let mut left: Vec<Option<EntryMove>> = moves.into_iter().map(Some).collect();
    let mut trades = Vec::new();
    for place in 0..left.len() {
        let is_coin =
            |moved: &&EntryMove| moved.is_leg() && moved.part.commodity != Commodity::Reais;
        let Some(leg) = left[place].as_ref().filter(is_coin) else { continue };
        let person = &leg.part.actor().person;
        let fits = |other: &&Option<EntryMove>| other.as_ref().is_some_and(|it| it.is_against(leg));
        let same = |other: &&Option<EntryMove>| {
            let other = other.as_ref().filter(|it| it.is_against(leg));
            other.is_some_and(|it| it.part.actor().person == *person)
        };
        let found = left.iter().position(|other| same(&other));
        let found = found.or_else(|| left.iter().position(|other| fits(&other)));
        let Some(other) = found.and_then(|found| left[found].take()) else { continue };
        let leg = left[place].take().expect("it was there");
        trades.push(main_first(leg.part, other.part));
    }
    PairedMoves { trades, others: left.into_iter().flatten().collect() }
}

fn main_first(one: Part, other: Part) -> (Part, Part) {
    if other.commodity == Commodity::Reais {
        return (one, other);
    }
    let clients = [&one, &other].map(|part| part.actor().is_clients());
    let first = match clients {
        [true, false] => true,
        [false, true] => false,
        _ => one.is_got(),
    };
    if first { (one, other) } else { (other, one) }
}
