//! How much memory the process holds, and how to hold less of it.

/// Adds a value to a vector. A full vector grows by a quarter, where `push` would double it.
pub fn push_slowly<T>(all: &mut Vec<T>, value: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 4 + 4);
    }
    all.push(value);
}

/// Reserves room for `more` values, if the system has it. The system gives memory only when it is used, so a generous guess costs
/// nothing. Growth in small steps would leave holes of all sizes behind.
pub fn expect<T>(all: &mut Vec<T>, more: usize) {
    // Without the room, the vector grows later, and fails then if it must.
    let _ = all.try_reserve_exact(more);
}

/// Returns how many bytes WebAssembly's memory has. It never gives memory back.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn resident() -> Option<u64> {
    const PAGE: u64 = 65536;
    Some(core::arch::wasm32::memory_size(0) as u64 * PAGE)
}

/// Returns how many bytes of memory the process holds, where the operating system says so.
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
