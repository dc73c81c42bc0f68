//! Processes of other programs, such as solvers and compilers: they end with this one, however this one ends.
//!
//! A dbverify that another one has started ends by a pipe instead, on every system: see [`super::work::PARENT`].

use std::ffi::OsStr;
use std::process::Command;

/// A command whose process is ended when the thread that starts it ends. Only Linux does that; elsewhere the process is
/// an ordinary one.
#[must_use]
pub fn command(program: impl AsRef<OsStr>) -> Command {
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
    let mut command = Command::new(program);
    #[cfg(target_os = "linux")]
    bind(&mut command);
    command
}

#[cfg(target_os = "linux")]
fn bind(command: &mut Command) {
    use std::io::Error;
    use std::os::unix::process::CommandExt;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = Some(getpid());
    let with_parent = move || {
        set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(|error| Error::from_raw_os_error(error.raw_os_error()))?;
        if getppid() == parent {
            Ok(())
        } else {
            // The parent ended before this process could ask for the signal.
            Err(Error::from_raw_os_error(
                rustix::io::Errno::SRCH.raw_os_error(),
            ))
        }
    };
    #[allow(
        unsafe_code,
        reason = "between fork and exec it asks the system twice, and takes no memory and no lock"
    )]
    unsafe {
        command.pre_exec(with_parent);
    }
}
