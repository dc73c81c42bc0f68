//! Stands in the place of `native` where programs cannot be run.

use std::path::PathBuf;

use super::{Answer, Beside, Format, Options, Reproduction};

const WHY: &str = "`run` is for Linux with the GNU C library on x86-64 or aarch64, and this dbverify was built elsewhere or without a C compiler";

pub(super) fn run(_: &Options) -> Result<Answer, String> {
    Err(WHY.into())
}

pub(super) fn check_determinism(_: &Options) -> Result<Answer, String> {
    Err(WHY.into())
}

pub(super) fn replay(
    _: &str,
    _: report::style::Look,
    _: Format,
    _: Beside,
) -> Result<Answer, String> {
    Err(WHY.into())
}

pub(super) fn debug(_: &str) -> Result<(), String> {
    Err(WHY.into())
}

pub(super) fn reproduce(_: &Reproduction<'_>) -> Result<String, String> {
    Err(WHY.into())
}

pub(super) fn library() -> Result<PathBuf, String> {
    Err(WHY.into())
}
