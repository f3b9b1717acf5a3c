//! Witnesses: the protocol's texts, a witness that is lied to, its memory, and tiles.

mod cosigned;
mod lies;
mod log;
mod policies;
mod refused;
mod served;
mod texts;
