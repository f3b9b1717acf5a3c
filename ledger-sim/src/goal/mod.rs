//! The `sometimes` goals: what a set of runs must have reached to have proved anything.
//!
//! Each file has a table of them: a name and what was reached, as a sentence. Every table is handed
//! those before it and hands them on with its own; the last hands all to the enum, so that their
//! order is that of the report.

mod agent;
mod crash;
mod custody;
mod purchase;
mod sale;
mod wallet;

use self::agent::agent_goals;
use self::crash::crash_goals;
use self::custody::custody_goals;
use self::purchase::purchase_goals;
use self::sale::sale_goals;
use self::wallet::wallet_goals;

macro_rules! goals {
    ({ $($name:ident = $sentence:literal,)* }) => {
        /// Something that a hostile enough run reaches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs)] // The sentence beside each name is its description.
        pub enum Goal { $($name,)* }

        impl Goal {
            /// Every goal, in the order of the report.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns what was reached, as a sentence.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)* }
            }
        }
    };
}

custody_goals! { purchase_goals crash_goals sale_goals wallet_goals agent_goals goals {} }

impl Goal {
    /// The goal's place in [`Goal::ALL`].
    #[must_use]
    pub const fn place(self) -> usize {
        self as usize
    }
}
