//! How much memory the process holds, and how to hold less of it.

/// Adds a value to many. There is room for a quarter more at a time, and not for twice as many.
pub fn push_slowly<T>(all: &mut Vec<T>, value: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 4 + 4);
    }
    all.push(value);
}

/// Makes room for so many more, if there is any. The system gives memory when it is used, so that a generous guess costs nothing,
/// where growth by and by leaves holes of all sizes behind.
pub fn expect<T>(all: &mut Vec<T>, more: usize) {
    // Without the room they grow, and fail then if they must.
    let _ = all.try_reserve_exact(more);
}

/// Bytes, where WebAssembly is the machine: it has given nothing back.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn resident() -> Option<u64> {
    const PAGE: u64 = 65536;
    Some(core::arch::wasm32::memory_size(0) as u64 * PAGE)
}

/// Bytes, where the operating system says so.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn resident() -> Option<u64> {
    use std::fs::File;
    use std::io::Read as _;

    const PAGE: u64 = 4096;
    // One line of seven numbers. It is read in one go: searches ask for it often.
    let mut line = [0; 160];
    let length = File::open("/proc/self/statm").ok()?.read(&mut line).ok()?;
    let pages = std::str::from_utf8(&line[..length]).ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
