//! The headers of the C library and of POSIX, written for this program and embedded in it. The host's headers are
//! never read, so that a C program means the same on every machine.

use std::io;
use std::path::Path;

use base::diagnostic::Diagnostic;

macro_rules! headers {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("include/c/", $name)))),*]
    };
}

/// The names, as programs include them, and the texts.
pub const HEADERS: &[(&str, &str)] = headers! {
    "__builtins.h" "__counters.h" "__errors.h" "__floats.h" "__fractions.h" "__numbers.h" "__options.h" "__overflow.h" "__pipes.h" "__status.h" "__system.h" "__texts.h" "alloca.h" "arpa/inet.h"
    "assert.h" "byteswap.h" "cpio.h" "ctype.h" "dirent.h" "dlfcn.h" "emmintrin.h" "endian.h" "err.h" "errno.h" "error.h" "execinfo.h"
    "fcntl.h" "features.h" "fenv.h" "float.h" "fnmatch.h" "ftw.h" "genmc.h" "getopt.h" "glob.h" "gnu/libc-version.h"
    "goblint.h" "grp.h" "iconv.h" "ifaddrs.h" "immintrin.h" "inttypes.h" "iso646.h" "langinfo.h" "libgen.h" "limits.h"
    "linux/futex.h" "locale.h" "malloc.h" "math.h" "memory.h" "mqueue.h" "net/if.h" "netdb.h" "netinet/in.h"
    "netinet/ip.h" "netinet/tcp.h" "netinet/udp.h" "poll.h" "pthread.h" "pthread_types.h" "pwd.h" "regex.h" "sched.h" "search.h"
    "semaphore.h" "setjmp.h" "signal.h" "smack.h" "spawn.h" "stdalign.h" "stdarg.h" "stdatomic.h" "stdbit.h" "stdbool.h" "stdckdint.h" "stddef.h"
    "stdint.h" "stdio.h" "stdlib.h" "stdnoreturn.h" "string.h" "strings.h" "stropts.h" "sys/cdefs.h" "sys/endian.h"
    "sys/epoll.h" "sys/errno.h" "sys/eventfd.h" "sys/fcntl.h" "sys/file.h" "sys/inotify.h" "sys/ioctl.h" "sys/ipc.h"
    "sys/mman.h" "sys/mount.h" "sys/param.h" "sys/poll.h" "sys/prctl.h" "sys/ptrace.h" "sys/queue.h" "sys/random.h"
    "sys/reboot.h" "sys/resource.h" "sys/select.h" "sys/sem.h" "sys/sendfile.h" "sys/shm.h" "sys/signal.h"
    "sys/signalfd.h" "sys/socket.h" "sys/stat.h" "sys/statvfs.h" "sys/syscall.h" "sys/sysinfo.h" "sys/sysmacros.h" "sys/termios.h"
    "sys/time.h" "sys/timerfd.h" "sys/times.h" "sys/types.h" "sys/uio.h" "sys/un.h" "sys/unistd.h" "sys/utsname.h"
    "sys/vfs.h" "sys/wait.h" "sys/xattr.h" "syscall.h" "syslog.h" "tar.h" "termios.h" "threads.h" "time.h" "uchar.h" "unistd.h" "utime.h"
    "wchar.h" "wctype.h" "x86intrin.h" "xmmintrin.h"
};

/// C code for what threads share (mutexes, semaphores). No program includes it; the head of the file says how it is read.
pub const SHARED: &str = include_str!("include/c/shared.c");

/// Writes all headers into a folder.
///
/// # Errors
/// When the system refuses to make a folder or a file.
pub fn unpack(folder: &Path) -> io::Result<()> {
    for (name, text) in HEADERS {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The header that declares a function.
#[must_use]
pub fn declaring(function: &str) -> Option<&'static str> {
    let named = |line: &str| {
        let head = line.split('(').next().unwrap_or_default();
        before_name(head, function).is_some_and(|before| !before.starts_with([' ', '#', '/']))
    };
    let found = HEADERS.iter().find(|(_, text)| text.lines().any(named));
    found.map(|(name, _)| *name)
}

/// Adds to a complaint about a name the header that declares the name.
#[must_use]
pub fn advise(complaint: Diagnostic, name: &str) -> Diagnostic {
    match naming(name) {
        Some(header) => complaint.note(format!("`#include <{header}>` declares it")),
        None => complaint,
    }
}

/// The header that programs include for a type, a macro or a function.
fn naming(name: &str) -> Option<&'static str> {
    let defining = |(_, text): &&(&str, &str)| text.lines().any(|line| defines(line, name));
    let found = HEADERS.iter().find(defining).map(|(header, _)| *header);
    let found = found.or_else(|| declaring(name))?;
    if !is_internal(found) {
        return Some(found);
    }
    // Several headers may share an internal one. The header that mentions the name most often counts.
    let public = HEADERS.iter().filter(|(header, _)| !is_internal(header));
    let spoken = public.map(|(header, text)| (standing(text, name).count(), *header));
    let most = spoken.max_by_key(|(times, _)| *times);
    most.filter(|(times, _)| *times > 0)
        .map(|(_, header)| header)
}

/// Whether no program includes this header.
fn is_internal(header: &str) -> bool {
    header.starts_with("__") || header == "pthread_types.h"
}

/// Where a name stands as a word.
fn standing<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // To prepare the search for a very long name takes long.
    let fits = name.len() <= text.len();
    let found = fits.then(|| text.match_indices(name));
    (found.into_iter().flatten())
        .map(|(at, _)| at)
        .filter(move |at| {
            !text[..*at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
        })
}

/// Whether a line defines a type or a macro of this name.
fn defines(line: &str, name: &str) -> bool {
    if let Some(macro_name) = line.strip_prefix("#define ") {
        return standing(macro_name, name).next() == Some(0);
    }
    line.starts_with("typedef ")
        && standing(line, name).any(|at| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let of_a_function = before.ends_with("(*") && after.starts_with(')');
            let outside = before.matches('(').count() == before.matches(')').count();
            of_a_function || outside && after.starts_with([';', ',', '['])
        })
}

/// The type in the head of a declaration of this name.
fn before_name<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let before = head.strip_suffix(name);
    before.filter(|before| before.ends_with([' ', '*']))
}

/// Whether a header declares a variable without a definition.
#[must_use]
pub fn has_variable(variable: &str) -> bool {
    let named = |line: &str| {
        let head = line.strip_prefix("extern ").unwrap_or_default();
        let head = head.split([';', '[']).next().unwrap_or_default();
        before_name(head, variable).is_some()
    };
    let mut texts = HEADERS.iter().map(|(_, text)| text);
    texts.any(|text| text.lines().any(named))
}

/// The text of a header.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    let found = HEADERS.iter().find(|(own, _)| *own == name);
    found.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_headers() {
        for (name, header) in [
            ("pthread_t", "pthread.h"),
            ("pthread_mutex_t", "pthread.h"),
            ("sem_t", "semaphore.h"),
            ("mtx_t", "threads.h"),
            ("uint32_t", "stdint.h"),
            ("size_t", "stddef.h"),
            ("NULL", "stddef.h"),
            ("INT_MAX", "limits.h"),
            ("bool", "stdbool.h"),
            ("EINVAL", "errno.h"),
            ("FILE", "stdio.h"),
            ("atomic_int", "stdatomic.h"),
            ("va_list", "stdarg.h"),
            ("PTHREAD_MUTEX_INITIALIZER", "pthread.h"),
            ("strlen", "string.h"),
        ] {
            assert_eq!(naming(name), Some(header), "{name}");
        }
        for none in ["x", "a", "foo_t", "T", "unsigned", "i"] {
            assert_eq!(naming(none), None, "{none}");
        }
    }
}
