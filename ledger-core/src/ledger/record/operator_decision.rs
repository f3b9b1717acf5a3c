//! Who decided what a fact reports, why, and on what evidence.

use minicbor::{Decode, Encode};

use crate::id::Token;

/// Who decided, why, and on what evidence; all of it in the vault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OperatorDecision {
    /// Who decided, under a token of the vault.
    #[n(0)]
    pub actor: Token,
    /// The reason given, under a token of the vault.
    #[n(1)]
    pub reason: Token,
    /// On what evidence.
    #[n(2)]
    pub evidence: Option<Token>,
}
