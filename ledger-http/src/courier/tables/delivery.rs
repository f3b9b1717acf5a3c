//! What is remembered of a webhook: how its delivery stands, each attempt, and how its endpoint has
//! answered.

use ledger_core::contract::signature::OVERLAP;
use ledger_core::time::Instant;

use crate::courier::schedule::{Next, Outcome};

/// How a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It was not attempted yet.
    Queued,
    /// It failed, and is attempted again.
    Retrying,
    /// The endpoint has taken it.
    Delivered,
    /// It was given up.
    Abandoned,
    /// Its account had no address when it came.
    Unaddressed,
    /// Its account had not chosen events of its name when it came.
    Filtered,
}

impl DeliveryState {
    const ALL: [Self; 6] = [
        Self::Queued,
        Self::Retrying,
        Self::Delivered,
        Self::Abandoned,
        Self::Unaddressed,
        Self::Filtered,
    ];

    /// The contract's word; of an event that nobody was to be sent, ours.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Retrying => "retrying",
            Self::Delivered => "delivered",
            Self::Abandoned => "abandoned",
            Self::Unaddressed => "unaddressed",
            Self::Filtered => "filtered",
        }
    }

    pub(in crate::courier) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Tells whether the outbox need not give it any more.
    #[must_use]
    pub const fn is_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Retrying)
    }
}

/// A webhook on its way, or at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The event's id, by which the outbox acknowledges it too.
    pub event: String,
    /// The name of the account that it goes to.
    pub account: String,
    /// The event's name.
    pub topic: String,
    /// How it stands.
    pub state: DeliveryState,
    /// How many scheduled attempts were made.
    pub tries: u32,
    /// How many attempts were made in all, single ones included.
    pub attempts: u32,
    /// The status of the last answer.
    pub http_status: Option<u16>,
    /// When it came from the outbox.
    pub created_at: Instant,
    /// When it last changed.
    pub updated_at: Instant,
    /// When it is attempted next.
    pub next_at: Option<Instant>,
    /// Its place among what listeners are given; resent, it gets the next one.
    pub announced: u64,
}

/// Why an attempt is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptKind {
    /// The schedule says so.
    Scheduled,
    /// The client asked for this event once more.
    Resend,
    /// The client asked for everything that was not delivered.
    Recover,
    /// The client tests the endpoint.
    Test,
}

impl AttemptKind {
    /// Returns what it is called in logs, metrics and the history of a delivery.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Resend => "resend",
            Self::Recover => "recover",
            Self::Test => "test",
        }
    }
}

/// An attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// Its number, from 1.
    pub number: u32,
    /// Why it was made.
    pub kind: String,
    /// When it was made.
    pub at: Instant,
    /// What came of it.
    pub outcome: String,
    /// The status of the answer, if there was one.
    pub http_status: Option<u16>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// The beginning of the answer.
    pub answer: String,
}

/// Why an endpoint is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffReason {
    /// It answered 410.
    Gone,
    /// It has only failed for 120 hours.
    Failing,
}

impl OffReason {
    /// Returns what it is called where the owner reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }

    pub(in crate::courier) fn from_name(name: &str) -> Option<Self> {
        [Self::Gone, Self::Failing].into_iter().find(|known| known.name() == name)
    }
}

/// What is remembered of an account's endpoint. Address and secrets stand in the vault; here stand
/// their tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointRecord {
    /// The address that the rest is about.
    pub url: String,
    /// The secret that was seen last.
    pub secret: String,
    /// The secret before it.
    pub previous: String,
    /// When it was seen to be replaced.
    pub replaced_at: Option<Instant>,
    /// Since when nothing was delivered.
    pub failing_since: Option<Instant>,
    /// Since when it is switched off, and why.
    pub off: Option<(Instant, OffReason)>,
}

impl EndpointRecord {
    /// The same as of what the account has set now: another address begins anew, and a secret that
    /// was replaced is remembered.
    #[must_use]
    pub fn with_settings(mut self, url: &str, secret: &str, now: Instant) -> Self {
        if self.url != url {
            url.clone_into(&mut self.url);
            self.failing_since = None;
            self.off = None;
        }
        if self.secret != secret {
            let previous = std::mem::replace(&mut self.secret, secret.to_owned());
            if !previous.is_empty() {
                self.previous = previous;
                self.replaced_at = Some(now);
            }
        }
        self
    }

    /// The secret that still signs beside the present one, if one does.
    #[must_use]
    pub fn overlapping(&self, now: Instant) -> Option<&str> {
        let replaced = self.replaced_at?;
        let within = now < replaced.after(OVERLAP);
        (within && !self.previous.is_empty()).then_some(&*self.previous)
    }

    /// The same after an attempt: a success switches it on, 410 off, and so do 120 hours of
    /// failures.
    #[must_use]
    pub fn after(mut self, outcome: Outcome, now: Instant) -> Self {
        if outcome.is_success() {
            self.failing_since = None;
            self.off = None;
            return self;
        }
        let since = *self.failing_since.get_or_insert(now);
        if outcome.is_gone() {
            self.off.get_or_insert((now, OffReason::Gone));
        } else if crate::courier::schedule::has_failed_for_too_long(since, now) {
            self.off.get_or_insert((now, OffReason::Failing));
        }
        self
    }
}

impl Delivery {
    /// A delivery that begins at `now`, and is due at once.
    #[must_use]
    pub fn new(event: &str, account: &str, topic: &str, now: Instant) -> Self {
        Self {
            event: event.to_owned(),
            account: account.to_owned(),
            topic: topic.to_owned(),
            state: DeliveryState::Queued,
            tries: 0,
            attempts: 0,
            http_status: None,
            created_at: now,
            updated_at: now,
            next_at: Some(now),
            announced: 0,
        }
    }

    /// The delivery after an attempt of its schedule.
    #[must_use]
    pub fn after_scheduled(mut self, outcome: Outcome, next: Next, now: Instant) -> Self {
        self.tries += 1;
        self.attempts += 1;
        self.http_status = outcome.status();
        self.updated_at = now;
        (self.state, self.next_at) = match next {
            Next::Delivered => (DeliveryState::Delivered, None),
            Next::Again(wait) => (DeliveryState::Retrying, Some(now.after(wait))),
            Next::Abandoned | Next::Gone => (DeliveryState::Abandoned, None),
        };
        self
    }

    /// The delivery after a single attempt: a success ends it, and a failure changes nothing of its
    /// schedule.
    #[must_use]
    pub fn after_single(mut self, outcome: Outcome, now: Instant) -> Self {
        self.attempts += 1;
        self.http_status = outcome.status();
        self.updated_at = now;
        if outcome.is_success() {
            self.state = DeliveryState::Delivered;
        }
        if self.state.is_ended() {
            self.next_at = None;
        }
        self
    }

    /// The delivery once it is given up without another attempt.
    #[must_use]
    pub fn abandon(mut self, now: Instant) -> Self {
        self.state = DeliveryState::Abandoned;
        self.next_at = None;
        self.updated_at = now;
        self
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::time::Span;

    use super::*;

    fn noon() -> Instant {
        Instant::parse("2026-11-20T12:00:00Z").unwrap()
    }

    const OK: Outcome = Outcome::Answered { status: 204, retry_after: None };

    #[test]
    fn the_secret_before_a_rotation_signs_for_24_hours_more() {
        let record = EndpointRecord::default().with_settings("u", "s1", noon());
        assert_eq!(record.overlapping(noon()), None, "the first one replaces none");
        let record = record.with_settings("u", "s2", noon());
        let overlapping = |after: Span| record.overlapping(noon().after(after)).map(str::to_owned);
        assert_eq!(overlapping(Span::default()).as_deref(), Some("s1"));
        assert_eq!(overlapping(Span::seconds(24 * 3_600 - 1)).as_deref(), Some("s1"));
        assert_eq!(overlapping(Span::hours(24)), None);
        assert_eq!(record.clone().with_settings("u", "s2", noon().after(Span::hours(1))), record);
    }

    #[test]
    fn an_endpoint_that_only_fails_for_120_hours_is_switched_off_until_it_answers() {
        let failed = Outcome::TimedOut;
        let record =
            EndpointRecord::default().with_settings("u", "s", noon()).after(failed, noon());
        assert_eq!((record.failing_since, record.off), (Some(noon()), None));
        let later = noon().after(Span::hours(120));
        let off = record.clone().after(failed, later);
        assert_eq!(off.off, Some((later, OffReason::Failing)));
        // One success between, and the time begins anew.
        let between = record.after(OK, noon().after(Span::hours(60))).after(failed, later);
        assert_eq!((between.failing_since, between.off), (Some(later), None));
        // A success, of a test, or another address switches it on.
        assert_eq!(off.clone().after(OK, later).off, None);
        assert_eq!(off.clone().with_settings("u2", "s", later).off, None);
        assert_eq!(off.clone().with_settings("u", "s2", later).off, off.off);
    }

    #[test]
    fn one_410_switches_an_endpoint_off() {
        let gone = Outcome::Answered { status: 410, retry_after: None };
        let record = EndpointRecord::default().after(gone, noon());
        assert_eq!(record.off, Some((noon(), OffReason::Gone)));
    }
}
