//! The task that mails links: takes the e-mails that were asked with, and tries until the server
//! has taken the mail, or will not.

use std::sync::PoisonError;
use std::time::Instant as Clock;

use tokio::sync::mpsc::Receiver;
use tokio::task::JoinSet;

use super::mailer::Outcome;
use super::{Panel, PanelError, letter};
use crate::operation::lines::MailAttempt;
use crate::server::{Background, Ended};
use crate::service::Service;

/// How many are written to at once.
const AT_ONCE: usize = 32;

/// Mails links until it is dropped; what still waits then is asked for again.
#[derive(Debug)]
pub struct PostTask {
    _mailing: Background,
}

impl PostTask {
    /// Begins to mail the links that a service is asked for; nothing where it has no dashboard, or
    /// its task runs already.
    ///
    /// # Errors
    ///
    /// [`PanelError`] when the system gives no thread.
    pub fn start(service: &Service) -> Result<Option<Self>, PanelError> {
        let Some(panel) = service.panel() else { return Ok(None) };
        let mut waiting = panel.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(waiting) = waiting.take() else { return Ok(None) };
        let post = Post { service: service.clone(), panel: panel.clone() };
        let mailing = |ended| post.run_until(waiting, ended);
        Ok(Some(Self { _mailing: Background::start("ledger-mail", 1, mailing)? }))
    }
}

#[derive(Clone)]
struct Post {
    service: Service,
    panel: Panel,
}

impl Post {
    /// Nobody waits for a mail, so the end waits for none that is under way.
    async fn run_until(self, waiting: Receiver<String>, mut ended: Ended) {
        tokio::select! {
            () = ended.wait() => {}
            () = self.run(waiting) => {}
        }
    }

    async fn run(self, mut waiting: Receiver<String>) {
        let mut under_way = JoinSet::new();
        while let Some(email) = waiting.recv().await {
            while under_way.try_join_next().is_some() {}
            if under_way.len() >= AT_ONCE {
                under_way.join_next().await;
            }
            under_way.spawn(self.clone().deliver(email));
        }
    }

    /// Writes to the owner of an e-mail, if it has one, as often as it takes.
    async fn deliver(self, email: String) {
        let mut waits = self.panel.0.waits.iter();
        for number in 1.. {
            match self.attempt(&email, number).await {
                Ok(None | Some(Outcome::Sent | Outcome::Refused)) => return,
                // A ledger or a database that is away now is asked again, as a server is.
                Ok(Some(Outcome::Later)) | Err(_) => {}
            }
            let Some(wait) = waits.next() else { return };
            tokio::time::sleep(*wait).await;
        }
    }

    /// One attempt, with a link of its own, so that it works for its whole time when it arrives;
    /// nothing where there is nobody to write to.
    async fn attempt(&self, email: &str, number: u32) -> Result<Option<Outcome>, PanelError> {
        let (service, panel) = (&self.service, &self.panel);
        let Some(config) = &service.parts().documents else { return Ok(None) };
        let base = &config.base_url;
        let Some(addressee) = letter::addressee(service, base, email).await? else {
            return Ok(None);
        };
        let link = panel.link(addressee.owner, service.now()).await?;
        let letter = letter::letter(base, link.expose(), &addressee)?;
        let began = Clock::now();
        let (outcome, code) = panel.0.mailer.send(&letter).await;
        let last = outcome == Outcome::Later && panel.0.waits.len() < number as usize;
        service.parts().access_log.note_mail(&MailAttempt {
            at: service.now(),
            number,
            outcome: if last { "given_up" } else { outcome.name() },
            code,
            took: began.elapsed(),
        });
        Ok(Some(outcome))
    }
}
