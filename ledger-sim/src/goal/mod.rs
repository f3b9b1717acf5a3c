//! The `sometimes` goals: what a set of runs must have reached to have proved anything.
//!
//! Each table is of a part of them: a name and what was reached, as a sentence. Every table is
//! handed those before it and hands them on with its own; the last hands all to the enum, so that
//! their order is that of the report.

mod custody;
mod purchase;
mod recovery;
mod sale;
mod wallet;

use self::custody::custody_goals;
use self::purchase::purchase_goals;
use self::recovery::recovery_goals;
use self::sale::sale_goals;
use self::wallet::wallet_goals;

/// Goals of crashes: what is lost, found and taken over when a writer or its disk fails.
macro_rules! crash_goals {
    ($next:ident $($later:ident)* { $($before:tt)* }) => {
        $next! { $($later)* { $($before)*
            LostAndRedone = "a request lost by a crash before its append was made again",
            AnswerLost = "a crash between append and answer was retried and found its original",
            CrashInside = "a crash between two appends kept the first and lost the second",
            KnownAfterCrash = "a fact redelivered after a crash was known",
            Fenced = "a writer that a crash left behind was fenced",

            AcknowledgementLost = "an acknowledgement was lost, and the head read back said that all had landed",
            DiskFull = "an append failed with nothing landed, and what it held was lost and said again",
            Torn = "a commit ended unknown, and the head read back said that nothing of it had landed",
            TakenOver = "a second writer took over while the first had a batch to write, and fenced it",
        } }
    };
}

/// Goals of accounts and agents: accounts opened on request, keys, secrets, mandates and rewards.
macro_rules! agent_goals {
    ($next:ident $($later:ident)* { $($before:tt)* }) => {
        $next! { $($later)* { $($before)*
            Enrolled = "an account was opened on request",
            KeyUsedBefore = "a key that was ever given was refused as a new one",
            TestKeysTooMany = "an address got no more keys for the day",
            TestKeysAtLast = "an address got no key at the last microsecond of its day",
            AgentKeysTooMany = "an address that had its day's keys got none by registering an agent",
            KeyRotated = "a key was rotated",
            KeyRevoked = "a key was revoked",
            KeyReplacedAfterRevocation = "an account whose key was revoked got another",
            DeadKeyOpensNothing = "a dead key opened no other account",
            FirstWebhook = "the first address for webhooks brought a secret",
            SecretRotated = "a webhook secret was rotated",
            MonitorRotated = "a private monitor's link was rotated",
            SecretMissing = "a rotation without a fresh secret was refused",
            SecretUsedBefore = "a rotation to the secret in force was refused",
            PartnerTooMuch = "a partner's share above the range was refused",
            PartnerLater = "a partner's share was set in terms agreed for a later date too",
            RegisteredBefore = "an agent that registered twice was one agent",
            DeadKeyRegistersNobody = "a dead key registered no agent",
            DeadKeyAdmitsNobody = "a dead key let no agent in from the sandbox",
            OwnIdAdmitsNobody = "an id that the ledger gives itself let no agent in",
            SandboxUsed = "an agent's first operation made it active",
            ProductionMissing = "production was refused with what is missing",
            ProductionGranted = "production was granted by policy",
            AgentStopped = "a stopped agent asked for something new and was refused",
            StoppedRepeats = "a stopped agent repeated what it had asked before",
            StoppedOutOfProduction = "a stopped agent was refused production",
            AgentReinstated = "a stopped agent was let go on",
            AgentReferred = "an agent came by another's referral",
            MandateExceeded = "a spend above the mandate's ceiling for one operation was refused",
            MandateByOne = "a spend one centavo above the mandate's ceiling was refused",
            MandateOfTheDay = "a spend above what the mandate left of the day was refused",
            MandateToTheLast = "a mandate's ceiling held to the last microsecond of its day",
            MandateExact = "a spend took exactly what the mandate left of the day",
            MandateFreed = "what came to nothing gave the mandate's day its share back",
            MandateLoosened = "a mandate was loosened for new operations",
            CounterpartyRefused = "a recipient that the mandate does not name was refused",
            RewardEarned = "settled volume earned its referrer a reward",
            RewardFraction = "volume too small for a centavo of reward was kept in mind",
            RewardOfFractions = "fractions kept in mind made a centavo of reward",
        } }
    };
}

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

custody_goals! { recovery_goals purchase_goals crash_goals sale_goals wallet_goals agent_goals goals {} }

impl Goal {
    /// The goal's place in [`Goal::ALL`].
    #[must_use]
    pub const fn place(self) -> usize {
        self as usize
    }
}
