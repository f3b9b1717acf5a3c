//! Instants from and to the types that services keep time in.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};

use super::{Instant, NoInstant};

/// Drops what is finer than a microsecond, and refuses years outside 1970 to 9999.
///
/// ```
/// use std::time::{Duration, SystemTime, UNIX_EPOCH};
///
/// # use ledger_core::time::Instant;
///
/// let at = Instant::try_from(UNIX_EPOCH + Duration::from_nanos(1_500))?;
/// assert_eq!(at.micros(), 1);
/// assert_eq!(SystemTime::from(at), UNIX_EPOCH + Duration::from_micros(1));
/// assert!(Instant::try_from(UNIX_EPOCH - Duration::from_secs(1)).is_err());
/// # Ok::<(), ledger_core::time::NoInstant>(())
/// ```
impl TryFrom<SystemTime> for Instant {
    type Error = NoInstant;

    fn try_from(time: SystemTime) -> Result<Self, NoInstant> {
        let elapsed = time.duration_since(UNIX_EPOCH).map_err(|_| NoInstant)?;
        let micros = i64::try_from(elapsed.as_micros()).map_err(|_| NoInstant)?;
        Self::from_micros(micros).ok_or(NoInstant)
    }
}

impl From<Instant> for SystemTime {
    fn from(at: Instant) -> Self {
        UNIX_EPOCH + Duration::from_micros(at.micros().unsigned_abs())
    }
}

/// Drops what is finer than a microsecond, and refuses years outside 1970 to 9999.
///
/// ```
/// use chrono::{DateTime, Utc};
/// # use ledger_core::time::Instant;
///
/// let time: DateTime<Utc> = "2026-11-20T12:00:00.1234567Z".parse().expect("it is RFC 3339");
/// let at = Instant::try_from(time)?;
/// assert_eq!(at.to_string(), "2026-11-20T12:00:00.123456Z");
/// assert_eq!(DateTime::<Utc>::from(at).to_rfc3339(), "2026-11-20T12:00:00.123456+00:00");
/// # Ok::<(), ledger_core::time::NoInstant>(())
/// ```
impl TryFrom<DateTime<Utc>> for Instant {
    type Error = NoInstant;

    fn try_from(time: DateTime<Utc>) -> Result<Self, NoInstant> {
        Self::from_micros(time.timestamp_micros()).ok_or(NoInstant)
    }
}

impl From<Instant> for DateTime<Utc> {
    fn from(at: Instant) -> Self {
        at.utc()
    }
}

/// Drops what is finer than a microsecond, and refuses years outside 1970 to 9999.
///
/// ```
/// # use ledger_core::time::Instant;
/// use time::OffsetDateTime;
///
/// let time = OffsetDateTime::from_unix_timestamp_nanos(1_500)?;
/// let at = Instant::try_from(time)?;
/// assert_eq!(at.micros(), 1);
/// assert_eq!(OffsetDateTime::from(at).nanosecond(), 1_000);
/// assert!(Instant::try_from(OffsetDateTime::from_unix_timestamp(-1)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "time")]
impl TryFrom<::time::OffsetDateTime> for Instant {
    type Error = NoInstant;

    fn try_from(time: ::time::OffsetDateTime) -> Result<Self, NoInstant> {
        let micros = time.unix_timestamp_nanos().div_euclid(1_000);
        let micros = i64::try_from(micros).map_err(|_| NoInstant)?;
        Self::from_micros(micros).ok_or(NoInstant)
    }
}

#[cfg(feature = "time")]
impl From<Instant> for ::time::OffsetDateTime {
    fn from(at: Instant) -> Self {
        Self::from_unix_timestamp_nanos(i128::from(at.micros()) * 1_000)
            .expect("its years are 1970 to 9999")
    }
}
