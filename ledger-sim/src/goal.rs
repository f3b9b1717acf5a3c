//! The `sometimes` goals: what a set of runs must have reached to have proved anything.

macro_rules! goals {
    ($($name:ident = $told:literal,)*) => {
        /// Something that a hostile enough run reaches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs)] // The sentence beside each name is its description.
        pub enum Goal { $($name,)* }

        impl Goal {
            /// Every goal, in the order of the report.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// What was reached, as a sentence.
            #[must_use]
            pub const fn told(self) -> &'static str {
                match self { $(Self::$name => $told,)* }
            }
        }
    };
}

goals! {
    SmallestCharge = "a charge of the smallest amount that passes was issued",
    BelowSmallest = "a charge one centavo below the smallest was refused",
    AboveLargest = "a charge one centavo above the largest was refused",
    AtRetention = "a charge exactly at the retention threshold was not held",
    AboveRetention = "a charge one centavo above the retention threshold was held",
    HoldNotAllowed = "a charge that would be held was refused to a client that allows no hold",
    SameBody = "a repeated request was answered with its original",
    ChangedBody = "a changed body was refused, naming the fields that differ",
    ChangedBodyTaken = "a changed charge was answered with the original, by the literal switch",
    RepeatWhileOff = "a repeat was answered although the feature is switched off since",
    LastMicrosecond = "a payout was refused at the last microsecond of the waiting period",
    WaitOver = "a payout passed at the very instant the waiting period ended",
    TransferWaits = "a transfer was refused during its source's waiting period",
    TransferToSelf = "a transfer from a subaccount to itself was refused",
    EmptiedByTransfer = "a transfer took a balance to exactly zero",
    EmptiedByPayout = "a payout and its fees took a balance to exactly zero",
    OneTooMuch = "a spend of one centavo too much was refused",
    SpendBelowZero = "a spend was refused because the balance is below zero",
    HouseCovers = "a house spend was refused because of a negative subaccount",
    TariffUnknown = "a payout was refused because its tariff is unknown",
    TermsCameDue = "terms adopted for a later date were in force for a new operation",
    LateNews = "a PIX paid in time revived an expired charge",
    PaidAtLast = "a PIX paid at the very instant of expiry counted",
    PaidTooLate = "a PIX paid one microsecond after expiry went to suspense",
    Mispaid = "a PIX of another amount than the charge went to suspense",
    SecondPix = "a second PIX for a paid charge went to suspense",
    KnownPix = "a PIX reported twice was known",
    ReleaseImplied = "a release that named its PIX implied that it was received",
    ReleaseOfOther = "a release named a PIX that pays nothing, and its money went to suspense",
    LeftAfterReturn = "a PIX returned in part before its credit was credited with what was left",
    FeeCappedByRest = "what was left of a returned PIX was less than the deposit fee",
    ReturnedUncredited = "a PIX was returned in whole before its credit",
    SpentThenReturned = "a PIX returned after it was spent took a balance below zero",
    ReturnedInParts = "returns in parts passed the net credited and reversed the fee",
    TookOwnBlock = "a return took from the block placed for its PIX",
    TookOtherPart = "a return took the held part of another deposit",
    ChoseLatestPart = "a return had to choose among held parts and took the latest release first",
    ReturnAbove = "a return above what was paid became a claim on the provider",
    Cured = "a later credit brought a negative balance back above zero",
    WrittenOff = "a negative balance was written off",
    FoundPaid = "evidence ended an unknown payout as paid",
    FoundNotPaid = "evidence ended an unknown payout as not paid",
    PaidAfterFailed = "a payout paid after it failed became a claim on the provider",
    SecondSend = "a second end-to-end id for a payout became a claim on the provider",
    CameBackWhole = "a payout came back in parts until all of it was back",
    CameBackEarly = "a payout that came back before its outcome was known went to suspense",
    FeeGivenBack = "a payout returned in whole gave its service fee back, by the switch",
    CommissionEarned = "a payout earned a partner's commission and owed a tariff",
    BlockedPart = "a block took the held part of its own deposit",
    BlockShort = "a block could not take all that it wanted",
    WatchTook = "a shortfall watch took a later deposit",
    WatchLapsed = "a shortfall watch ended at its deadline",
    GivenBackHeld = "a block gave back what it had taken of a held part",
    GivenBackMatured = "a block gave back to available what had matured since",
    Attached = "a PIX in suspense was attached to a charge",
    SuspenseReturned = "what stood in suspense went back",
    FeeCorrected = "a fee was corrected in the customer's favour",
    MaturedTogether = "several deposits matured at one midnight of Brasilia",
    DueDespiteRefusal = "a deadline stayed although the request that brought it was refused",
    TakenAsNow = "an instant earlier than the ledger's was taken as the ledger's",
    JumpRefused = "a jump further than the bound was refused",
    JumpAtBound = "a jump to the very bound passed",
    LeaptFar = "time passed further than any request may jump",
    LostAndRedone = "a request lost by a crash before its append was made again",
    AnswerLost = "a crash between append and answer was retried and found its original",
    CrashInside = "a crash between two appends kept the first and lost the second",
    KnownAfterCrash = "a fact redelivered after a crash was known",
    Fenced = "a writer that a crash left behind was fenced",
}

impl Goal {
    /// The goal's place in [`Goal::ALL`].
    #[must_use]
    pub const fn place(self) -> usize {
        self as usize
    }
}
