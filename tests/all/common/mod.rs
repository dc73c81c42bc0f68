//! What several tests need.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod agree;
pub mod race_proofs;
pub mod sequential;
