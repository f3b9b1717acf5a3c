//! Double entry: the chart of accounts, balanced entries, the books they add up to, statement rows.

mod books;
mod chart;
mod chunks;
mod coins;
mod entry;
pub(crate) mod own_accounts;
mod product;
mod statement;

pub use books::{Books, Buckets, Commission, Fault, Touched};
pub use chart::{Account, Class, Control};
pub use chunks::Chunks;
pub use coins::{CoinAccount, CoinMove};
pub use entry::{Entry, Move, Nature, Posting, Side};
pub use product::{DeclaredAccount, ProductClass};
pub use statement::{Row, RowKind};
