//! What several tests need.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod agree;
pub mod random_program;
pub mod sequential;
pub mod wild_globals;
