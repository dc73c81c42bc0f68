//! What several tests need.

pub mod random_program;
pub mod sequential;
