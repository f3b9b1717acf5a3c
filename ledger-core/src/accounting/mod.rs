//! Double entry: the chart of accounts, balanced entries, the books they add up to, statement rows.

mod books;
mod chart;
mod chunks;
mod coins;
mod day_close;
pub(crate) mod day_sums;
mod entry;
pub(crate) mod own_accounts;
mod product;
mod received_statement;
mod statement;

pub use books::{Books, Buckets, Commission, Fault, Touched};
pub use chart::{Account, Class, Control};
pub use chunks::Chunks;
pub use coins::{CoinAccount, CoinMove};
pub(crate) use day_close::hash_of_lines;
pub use day_close::{ChartLine, DayAccount, DayClose, OpenCount};
pub use entry::{Entry, Move, Nature, Posting, Side};
pub use product::{Commodity, DeclaredAccount, ProductClass, Unit};
pub use received_statement::{ReceivedStatement, StatementSource, StatementTotal};
pub use statement::{Row, RowKind};
