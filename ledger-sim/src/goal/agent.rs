//! Goals of accounts and agents: accounts opened on request, keys, secrets, agents, mandates and
//! rewards.

/// Puts this table behind those before it, and hands them all to the next.
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

pub(super) use agent_goals;
