//! A program that was built without the feature `cluster` refuses what belongs to it.

use answer::Answer;
use ir::Program;
use options::ExploreOptions;

use super::cluster_args::ClusterArgs;

/// Why this process has no answer.
#[expect(dead_code, reason = "no other process answers")]
pub enum Without {
    Refused(String),
    Answer(u8),
}

/// There are no other processes to say farewell to.
pub enum Farewell {}

impl Farewell {
    pub fn say(self, _: u8) {
        match self {}
    }
}

impl ClusterArgs {
    /// Refuses.
    pub fn explore(
        &self,
        _: &Program,
        _: &ExploreOptions,
        _: &mut Option<Farewell>,
    ) -> Result<Answer, Without> {
        Err(Without::Refused(
            "--cluster, --checkpoint and --resume need the feature `cluster`, and this dbverify was built without it: `cargo build --release` has it".to_owned(),
        ))
    }

    /// Whether this process answers.
    pub fn is_first(&self) -> bool {
        true
    }
}
