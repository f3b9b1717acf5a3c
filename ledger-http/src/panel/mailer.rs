//! Sends one mail by SMTP.

use std::time::Duration;

use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};

use super::letter::Letter;
use super::settings::{MailServer, Security, Sender};

/// How long is waited for a server.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends mail by one server, from one address.
pub(super) struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The server has taken the mail.
    Sent,
    /// It did not now: the server is away, or said so with 4xx.
    Later,
    /// It never will: the server said so with 5xx, or the address is none.
    Refused,
}

impl Outcome {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Later => "later",
            Self::Refused => "refused",
        }
    }
}

impl Mailer {
    pub(super) fn new(server: &MailServer, Sender(from): Sender) -> Result<Self, Error> {
        let host = server.host.clone();
        // TLS trusts the authorities of the system.
        let tls = match server.security {
            Security::Tls => Tls::Wrapper(TlsParameters::new(host.clone())?),
            Security::StartTls => Tls::Required(TlsParameters::new(host.clone())?),
            Security::Local => Tls::None,
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(PATIENCE));
        if let Some((user, password)) = server.login.clone() {
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Self { transport: builder.build(), from })
    }

    /// Sends a letter once; says what came of it, and the server's code if it gave one.
    pub(super) async fn send(&self, letter: &Letter) -> (Outcome, Option<u16>) {
        let Some(message) = self.message(letter) else { return (Outcome::Refused, None) };
        match self.transport.send(message).await {
            Ok(response) => (Outcome::Sent, Some(response.code().into())),
            Err(error) => {
                let outcome = if error.is_permanent() { Outcome::Refused } else { Outcome::Later };
                (outcome, error.status().map(u16::from))
            }
        }
    }

    /// The letter as it is sent; none to what is no address.
    fn message(&self, letter: &Letter) -> Option<Message> {
        let to: Address = letter.to.parse().ok()?;
        let builder = Message::builder().from(self.from.clone()).to(Mailbox::new(None, to));
        let body = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        builder.subject(&letter.subject).multipart(body).ok()
    }
}
