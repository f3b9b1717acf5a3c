//! Asking a witness for its cosignature, by C2SP tlog-witness.
//!
//! ```text
//! old = what it cosigned last for us -> POST add-checkpoint -> 200: the line is verified and kept
//!              ^                               |
//!              '---- 409: the size it knows ---'   anything else: refused, and why
//! ```

use std::time::Duration;

use ledger_proofs::Hash;
use ledger_store::tls::client_config;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, redirect};
use thiserror::Error;

use crate::key::PublicKey;
use crate::note::{SignatureLine, Signed, SignedNote, parse_lines};
use crate::request::{AddCheckpoint, RequestMalformed, TreeHead, parse_size};

/// How often a witness may name another size before it is given up.
const CONFLICTS: u32 = 3;

/// How much of an answer is read, in bytes.
const ANSWER_BYTES: usize = 65_536;

/// How long a connection and the whole of a request may take.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(15));

/// One checkpoint and one witness: which size to go on from, and what its answers mean.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    checkpoint: &'a SignedNote,
    head: TreeHead,
    witness: &'a PublicKey,
    /// The size that it cosigned last, as we know.
    cosigned: u64,
    old: u64,
    conflicts: u32,
}

/// An answer over HTTP.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// The body, as text.
    pub body: String,
}

/// The step after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The witness cosigned: its line, and the instant in seconds since 1970.
    Cosigned(SignatureLine, u64),
    /// It knows another size: ask again from there.
    Again,
}

/// Why a witness did not cosign.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotCosigned {
    /// It was not reached.
    #[error("the witness was not reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It has seen a larger tree of this log.
    #[error(
        "the witness has cosigned {known} records, and the checkpoint has {size}: an older one, or \
         a ledger that lost records"
    )]
    Ahead {
        /// The size that it names.
        known: u64,
        /// The size of the checkpoint's tree.
        size: u64,
    },
    /// It knows less than it cosigned.
    #[error(
        "the witness cosigned {cosigned} records, and knows {known} now: it lost its memory, and \
         its word is worth nothing until that is explained"
    )]
    Forgetful {
        /// The size that it names.
        known: u64,
        /// The size of our last cosignature from it.
        cosigned: u64,
    },
    /// It holds another root of this size, or our proof does not lead there.
    #[error("the witness refuses the checkpoint as a fork: {0}")]
    Inconsistent(String),
    /// It names one size after another.
    #[error("the witness names one size after another")]
    Restless,
    /// It refuses the checkpoint.
    #[error("the witness answers {status}: {body}")]
    Refused {
        /// The status of its answer.
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// Its answer has no line that its key signed.
    #[error("the witness answers without a cosignature by its key")]
    NoCosignature,
    /// The proof could not be made.
    #[error("no proof could be made for the witness")]
    Proof(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl<'a> Exchange<'a> {
    /// Begins to ask a witness for a checkpoint; `cosigned` is the size of its last cosignature
    /// that we have, 0 where there is none.
    ///
    /// # Errors
    ///
    /// [`RequestMalformed`] when the text is no checkpoint.
    pub fn new(
        checkpoint: &'a SignedNote,
        witness: &'a PublicKey,
        cosigned: u64,
    ) -> Result<Self, RequestMalformed> {
        let head = TreeHead::parse(checkpoint.text())?;
        let old = if cosigned > head.size { 0 } else { cosigned };
        Ok(Self { checkpoint, head, witness, cosigned, old, conflicts: 0 })
    }

    /// The size that the proof goes on from; from 0 it is empty.
    #[must_use]
    pub const fn old(&self) -> u64 {
        self.old
    }

    /// The request with this proof from [`Exchange::old`] to the checkpoint.
    #[must_use]
    pub fn request(&self, proof: Vec<Hash>) -> AddCheckpoint {
        AddCheckpoint { old: self.old, proof, checkpoint: self.checkpoint.clone() }
    }

    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// [`NotCosigned`] when it is final.
    pub fn read(&mut self, reply: &Reply) -> Result<Next, NotCosigned> {
        let said = || reply.body.trim().chars().take(200).collect::<String>();
        match reply.status {
            200 => self.read_lines(&reply.body),
            409 => self.read_conflict(
                parse_size(reply.body.trim_end())
                    .ok_or_else(|| NotCosigned::Refused { status: reply.status, body: said() })?,
            ),
            422 => Err(NotCosigned::Inconsistent(said())),
            status => Err(NotCosigned::Refused { status, body: said() }),
        }
    }

    /// Finds the cosignature of the witness's key; lines of other keys are passed over.
    fn read_lines(&self, body: &str) -> Result<Next, NotCosigned> {
        let lines = parse_lines(body).map_err(|_| NotCosigned::NoCosignature)?;
        for line in lines.into_iter().filter(|line| line.is_by(self.witness)) {
            let mut note = SignedNote::from_text(self.checkpoint.text());
            note.add(line.clone());
            if let Signed::Yes(Some(time)) = note.verify(self.witness) {
                return Ok(Next::Cosigned(line, time));
            }
        }
        Err(NotCosigned::NoCosignature)
    }

    fn read_conflict(&mut self, known: u64) -> Result<Next, NotCosigned> {
        let Self { cosigned, .. } = *self;
        let size = self.head.size;
        if known < cosigned {
            return Err(NotCosigned::Forgetful { known, cosigned });
        }
        if known > size {
            return Err(NotCosigned::Ahead { known, size });
        }
        // Version 1.0 of the protocol answers so where the roots of one size differ.
        if known == self.old {
            return Err(NotCosigned::Inconsistent(format!("it has another root of {known}")));
        }
        self.conflicts += 1;
        if self.conflicts > CONFLICTS {
            return Err(NotCosigned::Restless);
        }
        self.old = known;
        Ok(Next::Again)
    }
}

/// Posts requests to witnesses: no redirect is followed, and no proxy asked.
#[derive(Clone, Debug)]
pub struct WitnessClient(Client);

impl WitnessClient {
    /// A client that trusts the authorities of the system.
    ///
    /// # Errors
    ///
    /// When TLS or the client cannot be set up.
    pub fn new() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let client = Client::builder()
            .tls_backend_preconfigured(client_config()?)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .user_agent(concat!("custody-ledger-witness/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(PATIENCE.0)
            .timeout(PATIENCE.1);
        Ok(Self(client.build()?))
    }

    /// Asks the witness at this submission prefix until it cosigns or refuses. `prove` gives the
    /// proof from a size, at least 1, to the checkpoint.
    ///
    /// # Errors
    ///
    /// [`NotCosigned`].
    pub async fn ask<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        prefix: &str,
        mut exchange: Exchange<'_>,
        mut prove: impl FnMut(u64) -> Result<Vec<Hash>, E>,
    ) -> Result<(SignatureLine, u64), NotCosigned> {
        loop {
            let proof = match exchange.old() {
                0 => Ok(Vec::new()),
                old => prove(old).map_err(|error| NotCosigned::Proof(error.into())),
            };
            let reply = self.post(prefix, exchange.request(proof?).to_string()).await;
            let reply = reply.map_err(|error| NotCosigned::Unreachable(error.into()))?;
            if let Next::Cosigned(line, time) = exchange.read(&reply)? {
                return Ok((line, time));
            }
        }
    }

    async fn post(&self, prefix: &str, body: String) -> Result<Reply, reqwest::Error> {
        let url = format!("{}/add-checkpoint", prefix.trim_end_matches('/'));
        let request = self.0.post(url).header(CONTENT_TYPE, "text/plain; charset=utf-8");
        let response = request.body(body).send().await?;
        Ok(Reply { status: response.status().as_u16(), body: read_body(response).await? })
    }
}

/// The beginning of an answer; the rest is not waited for.
async fn read_body(mut response: Response) -> Result<String, reqwest::Error> {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES {
        let Some(part) = response.chunk().await? else { break };
        bytes.extend_from_slice(&part);
    }
    bytes.truncate(ANSWER_BYTES);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
