//! Goals of recoveries: contested PIX that are claimed, blocked, decided and refunded.

/// Puts this table behind those before it, and hands them all to the next.
macro_rules! recovery_goals {
    ($next:ident $($later:ident)* { $($before:tt)* }) => {
        $next! { $($later)* { $($before)*
            RecoveryOpened = "a bank asked for a contested PIX",
            RecoveryBesideAnother = "a second recovery claimed what was left of a PIX",
            RecoveryOpenedAgain = "a recovery opened again was known",
            RecoveryNameTaken = "a recovery opened otherwise under a known name was set aside",
            RecoveryOfNothing = "a recovery of no charge was set aside",
            RecoveryTooEarly = "a recovery of a charge that is not paid was set aside",
            RecoveryOutOfTurn = "a recovery with a deadline out of reach, or of a purchase, was set aside",
            RecoveryWhileDelivered = "a recovery of a purchase was set aside while its delivery was under way",
            RecoveryAbove = "a recovery of more than may go back was set aside",
            RecoveryBlocked = "a subaccount was blocked for a recovery",
            RecoveryBlockedFurther = "a recovery blocked on a further subaccount what its first left",
            RecoveryBlockedAgain = "a subaccount that a recovery blocks already was known",
            RecoveryBlockOfNothing = "a block for no recovery, or on no subaccount that it may take, was set aside",
            RecoveryBlockOver = "a block for a recovery was set aside after its end or its deadline",
            RecoveryBlockFull = "a block for a recovery with nothing left to block was set aside",
            RecoveryTookNoMore = "a recovery took no more of what came than was left of its claim",
            RecoveryAccepted = "a recovery was accepted whole",
            RecoveryAcceptedInPart = "a recovery was accepted in part",
            RecoveryRejected = "a recovery was rejected",
            RulingKeptPart = "a decision freed a part of what a block had",
            RulingAgain = "a recovery decided again alike was known",
            RulingOfNothing = "a decision about no recovery was set aside",
            RulingTwice = "a recovery decided again otherwise was set aside",
            RulingAbove = "a decision for more than was claimed was set aside",
            RulingBelowWaiting = "a decision for less than went back too early was set aside",
            RefundFoundRuling = "a refund told before its decision was booked with it",
            RefundedInPart = "a part of what was accepted went back",
            RefundedAtLast = "the last of what was accepted went back and ended the blocks",
            RefundWithFee = "a refund gave the fee of its deposit back",
            RefundKnown = "a refund reported twice was known",
            RefundToldAsReturn = "a refund was known by the return that was told before",
            ReturnToldAsRefund = "a return was known by the refund that was told before",
            RefundOfNothing = "a refund of no recovery went to suspense",
            RefundTooEarly = "a refund before its decision went to suspense",
            RefundAbove = "a refund of more than is left or blocked went to suspense",
        } }
    };
}

pub(super) use recovery_goals;
