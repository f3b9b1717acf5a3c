//! Connections that all ledgers of a database share.
//!
//! One is taken for one call and given back after it, so whoever waits for one waits for
//! work that is bounded, and nobody who holds one waits for another.
//! The locks of the ledgers that are written are held by one more, for as long as they are.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use sqlx::postgres::PgConnection;
use tokio::runtime::Builder;

use crate::journal::session::Session;

/// At most so many connections, for whoever needs one.
pub(crate) struct Pool {
    most: usize,
    state: Mutex<State>,
    given_back: Condvar,
    locks: Mutex<Locks>,
}

/// The session that holds locks, once there is one.
#[derive(Default)]
pub(super) struct Locks {
    pub(super) session: Option<Session<PgConnection>>,
    pub(super) held: BTreeSet<i64>,
    /// Tells whether the session was lost, and another has not taken the locks again.
    pub(super) lost: bool,
}

#[derive(Default)]
struct State {
    /// Those that nobody uses, the one that was used last at the end.
    free: Vec<Session<PgConnection>>,
    /// How many there are, in use or not.
    all: usize,
}

/// A session that is in use, and goes back however that ends.
pub(super) struct Lent<'a> {
    pool: &'a Pool,
    /// Nothing once it went back.
    pub(super) session: Option<Session<PgConnection>>,
}

impl Pool {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            state: Mutex::default(),
            given_back: Condvar::new(),
            locks: Mutex::default(),
        }
    }

    /// A session, the one that was used last if there is one; waits for one.
    pub(super) fn lend(&self) -> sqlx::Result<Lent<'_>> {
        let none_left = |state: &mut State| state.free.is_empty() && state.all >= self.most;
        let waited = self.given_back.wait_while(self.state(), none_left);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let session = match state.free.pop() {
            Some(session) => session,
            None => {
                let session = lazy_session()?;
                state.all += 1;
                session
            }
        };
        Ok(Lent { pool: self, session: Some(session) })
    }

    /// Gives up every connection that is not in use: what broke one of them has broken the others.
    pub(super) fn abandon(&self) {
        self.state().free.iter_mut().for_each(Session::abandon);
        let mut locks = self.locks();
        if let Some(session) = &mut locks.session {
            session.abandon();
            locks.lost = true;
        }
    }

    pub(super) fn locks(&self) -> MutexGuard<'_, Locks> {
        // Every change of it is whole, so a poisoned one is as well.
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of it is whole, so a poisoned one is as well.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.pool.state().free.extend(self.session.take());
        self.pool.given_back.notify_one();
    }
}

/// A session that connects when it is first used.
pub(super) fn lazy_session() -> sqlx::Result<Session<PgConnection>> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(sqlx::Error::Io)?;
    Ok(Session::lazy(runtime))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_sessions_are_lent_than_there_may_be_and_whoever_waits_gets_one() {
        let pool = Pool::new(2);
        let (out, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let lent = pool.lend().unwrap();
                        let now = out.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(now, Ordering::SeqCst);
                        std::thread::yield_now();
                        out.fetch_sub(1, Ordering::SeqCst);
                        drop(lent);
                    }
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= 2);
        let state = pool.state();
        assert_eq!(state.all, state.free.len());
    }

    #[test]
    fn a_session_goes_back_although_its_user_panics() {
        let pool = Pool::new(1);
        let panicked = std::thread::scope(|scope| {
            let user = scope.spawn(|| {
                let _lent = pool.lend().unwrap();
                panic!("in use");
            });
            user.join()
        });
        assert!(panicked.is_err());
        assert!(pool.lend().is_ok());
    }
}
