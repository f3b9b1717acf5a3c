//! Goals of crashes: what is lost, found and taken over when a writer or its disk fails.

/// Puts this table behind those before it, and hands them all to the next.
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

pub(super) use crash_goals;
