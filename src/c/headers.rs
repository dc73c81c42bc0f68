//! The headers of the C library and of POSIX, written for this program and carried in it: the host's are never read,
//! so that the same program means the same everywhere.

use std::io;
use std::path::Path;

macro_rules! headers {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../include/c/", $name)))),*]
    };
}

/// The names, as programs include them, and the texts.
pub const HEADERS: &[(&str, &str)] = headers! {
    "genmc.h" "goblint.h" "smack.h"
    "alloca.h" "assert.h" "ctype.h" "err.h" "errno.h" "fcntl.h" "float.h" "getopt.h" "inttypes.h" "limits.h"
    "malloc.h" "math.h" "memory.h" "pthread.h" "pthread_types.h" "sched.h" "semaphore.h" "setjmp.h" "signal.h"
    "__texts.h" "stdarg.h" "stdatomic.h" "stdbool.h" "stddef.h" "stdint.h" "stdio.h" "stdlib.h" "string.h" "strings.h"
    "sys/select.h" "sys/stat.h" "sys/time.h" "sys/types.h" "sys/wait.h" "threads.h" "time.h" "unistd.h"
};

/// Writes all headers into a folder.
///
/// # Errors
/// When the system does not let it.
pub fn unpack(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("sys"))?;
    for (name, text) in HEADERS {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// The text of a header.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    let found = HEADERS.iter().find(|(own, _)| *own == name);
    found.map(|(_, text)| *text)
}
