//! The program: a server that makes a process for each execution, and the file that is shared with it.

use std::fs::{self, File};
use std::hash::Hasher as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use base::{child, work};

use super::Options;
use super::log::{ALARM, Ending, Record, THREADS, parse};

pub(super) const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.so"));

/// The header that gcc reads before each file of the program, and the one that compilers read in the place of libstdc++'s.
const SEEN: &[u8] = include_bytes!("../runtime/seen.h");
const CONFIG: &[u8] = include_bytes!("../runtime/config.h");

/// Where the parts of the shared file begin: `struct shared` in `runtime/runtime.h`, in bytes.
mod at {
    pub const MODE: u64 = 0;
    pub const FLAGS: u64 = 3 * 8;
    pub const MAIN_ENDS: u64 = 4;
    pub const STOP: u64 = 8;
    pub const FAIR: u64 = 16;
    pub const CALLS: u64 = 32;
    pub const SPURIOUS: u64 = 64;
    pub const LEAKS: u64 = 128;
    pub const KERNEL: u64 = 256;
    pub const HANDLERS: u64 = 512;
    pub const NAMES: u64 = 5 * 8;
    /// The runtime's report on an execution: eight words.
    pub const SAID: u64 = 6 * 8;
    pub const MAPS_LENGTH: u64 = 59 * 8;
    pub const HEAD: usize = 61 * 8;
    pub const VISIBLE_LEN: u64 = 16 * 8;
    pub const CHANGES: u64 = 17 * 8;
    pub const STOPPED: u64 = 33 * 8;
    pub const LONGEST: u64 = 34 * 8;
    pub const NAME: u64 = 256 * 8;
    pub const VISIBLE: u64 = NAME + super::THREADS as u64 * 8;
    pub const TEXT: u64 = VISIBLE + 4096 * 8;
    pub const MAPS: u64 = TEXT + 4096;
    pub const PREFIX: u64 = MAPS + (1 << 20);
    pub const GRANULES: u64 = PREFIX + (1 << 20);
    pub const LOG: u64 = GRANULES + (32 << 20);
    pub const END: u64 = LOG + (48 << 20);
}
/// Where the file of an assertion stands in the text: as in `runtime/runtime.h`.
const FILE_AT: usize = 3000;
/// The longest schedule that can be followed.
pub(super) const LONGEST: usize = 1 << 20;
const MOST_VISIBLE: usize = 4096;
/// How many seconds an execution may take at most.
const MOST_SECONDS: u64 = 20;

/// How an execution goes on behind its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    First,
    Next,
    Random,
    Priorities,
}

/// The question about one execution.
pub(super) struct Request<'a> {
    pub prefix: &'a [u8],
    pub mode: Mode,
    pub seed: u64,
    pub changes: &'a [u64],
}

impl<'a> Request<'a> {
    /// Follows a schedule to its end.
    pub(super) const fn follow(schedule: &'a [u8]) -> Self {
        Self {
            prefix: schedule,
            mode: Mode::First,
            seed: 0,
            changes: &[],
        }
    }
}

/// One execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Execution {
    pub log: Vec<Record>,
    pub ending: Ending,
    /// Something was found that concerns the executions before, too.
    pub found: bool,
    /// If several threads ran: the function that made something by which they may hear of each other.
    pub channel: Option<String>,
}

pub(super) struct Program {
    child: Child,
    socket: UnixStream,
    file: File,
    /// The files that some execution has mapped, as lines of /proc/PID/maps.
    pub maps: String,
    pub processes: u64,
    /// More than a word of memory was one step.
    pub whole: bool,
    visible: Vec<u64>,
    flags: u64,
    max_steps: usize,
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.socket.shutdown(std::net::Shutdown::Both));
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The runtime as a file: one for each version of it.
pub(crate) fn library() -> Result<PathBuf, String> {
    let mut hash = rustc_hash::FxHasher::default();
    hash.write(&[RUNTIME, SEEN, CONFIG].concat());
    let cache = (std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from))
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    let folder = cache.join(format!("dbverify/runtime-{:016x}", hash.finish()));
    let library = folder.join("libdbverify_run.so");
    let failed = |error| format!("cannot write {}: {error}", library.display());
    let is = |name: &str, bytes| fs::read(folder.join(name)).is_ok_and(|there| there == bytes);
    let files = [
        ("seen.h", SEEN),
        ("bits/c++config.h", CONFIG),
        ("libtsan.so", RUNTIME),
        ("libdbverify_run.so", RUNTIME),
    ];
    if files.iter().all(|(name, bytes)| is(name, *bytes)) {
        return Ok(library);
    }
    fs::create_dir_all(folder.join("bits")).map_err(failed)?;
    for (name, bytes) in files {
        let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        file.persist(folder.join(name))
            .map_err(|e| failed(e.error))?;
    }
    Ok(library)
}

/// Opens the program's standard input.
fn standard_input(path: Option<&Path>) -> Result<Stdio, String> {
    let Some(path) = path else {
        return Ok(Stdio::null());
    };
    let shown = path.display();
    if path.is_dir() {
        return Err(format!("{shown} is a folder: --input needs a file"));
    }
    let file = File::open(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    Ok(Stdio::from(file))
}

impl Program {
    /// Starts the program up to its `main`.
    pub(super) fn start(options: &Options) -> Result<Self, String> {
        let failed = |what: &'static str| move |error| format!("cannot {what}: {error}");
        let folder = (tempfile::Builder::new().prefix("dbverify-run").tempdir())
            .map_err(failed("make a folder for the run"))?;
        let file = (File::options().read(true).write(true).create_new(true))
            .open(folder.path().join("shared"))
            .map_err(failed("make the shared file"))?;
        file.set_len(at::END)
            .map_err(failed("make the shared file"))?;
        let listener = UnixListener::bind(folder.path().join("socket"));
        let listener = listener.map_err(failed("make a socket"))?;
        (listener.set_nonblocking(true)).map_err(failed("make a socket"))?;
        let name = &options.program[0];
        let input = standard_input(options.input.as_deref())?;
        let mut command = child::command(name);
        // In our process group, the program would get a terminal's Ctrl-C, and that would look like its own error.
        if work::listening() {
            command.process_group(0);
        }
        let mut child = command
            .args(&options.program[1..])
            .envs(options.env.iter().cloned())
            .env("LD_PRELOAD", library()?)
            // The loader changes the stack at a first call of a function. The runtime compares stacks of threads that poll.
            .env("LD_BIND_NOW", "1")
            .env("DBVERIFY_RUN", folder.path())
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot run {name}: {error}"))?;
        let mut socket = accept(&listener, &mut child, name)?;
        let mut ready = [0; 4];
        (socket.read_exact(&mut ready)).map_err(failed("hear from the program"))?;
        if ready != [0; 4] {
            return Err(format!(
                "{name} starts threads before its `main` begins, which is not controlled"
            ));
        }
        // Both sides have opened the files in it. A process that is killed leaves nothing behind.
        (folder.close()).map_err(failed("remove the folder of the run"))?;
        let mut program = Self {
            child,
            socket,
            file,
            maps: String::new(),
            processes: 0,
            whole: false,
            visible: Vec::new(),
            flags: u64::from(options.held_locks) << 1 | if options.fair { at::FAIR } else { 0 },
            max_steps: options.max_steps.min(LONGEST - 1),
        };
        program.read_maps()?;
        program.set_longest(options.timeout.as_secs().clamp(1, MOST_SECONDS))?;
        Ok(program)
    }

    /// Makes accesses to these words steps, in all later executions.
    pub(super) fn show(&mut self, places: &[u64]) -> Result<(), String> {
        for &place in places {
            // A cell of memory is its address, with a tag in the highest byte.
            let word = place & 0xff_ffff_ffff_fff8;
            if self.visible.contains(&word) {
                return Err(
                    "an access that is a step races all the same: this is a fault of dbverify"
                        .into(),
                );
            }
            self.visible.push(word);
        }
        if self.visible.len() > MOST_VISIBLE {
            return Err("more than 4,096 words of memory are raced for".into());
        }
        Ok(())
    }

    /// Returns the words of memory that are raced for.
    pub(super) fn visible(&self) -> &[u64] {
        &self.visible
    }

    /// The names of threads, by which a schedule is followed in another run.
    pub(super) fn names(&self) -> Result<Vec<u64>, String> {
        let count = self.read(at::NAMES, 1)?[0].min(THREADS as u64);
        self.read(at::NAME, count as usize)
    }

    /// Gives threads the names that they had in another run.
    pub(super) fn set_names(&mut self, names: &[u64]) -> Result<(), String> {
        self.write(at::NAMES, &[names.len() as u64])?;
        self.write(at::NAME, names)
    }

    /// Returns the runtime's own flags: what it has found out so far.
    pub(super) fn learned(&self) -> Result<u64, String> {
        Ok(self.read(at::FLAGS, 1)?[0] & (at::MAIN_ENDS | at::KERNEL | at::HANDLERS))
    }

    /// Lets the runtime know what it found out in another run.
    pub(super) fn set_learned(&self, flags: u64) -> Result<(), String> {
        self.write(at::FLAGS, &[flags])
    }

    fn read(&self, at: u64, count: usize) -> Result<Vec<u64>, String> {
        let mut bytes = vec![0; count * 8];
        (self.file.read_exact_at(&mut bytes, at))
            .map_err(|error| format!("cannot read the shared file: {error}"))?;
        let words = bytes.chunks_exact(8).map(|chunk| {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        Ok(words.collect())
    }

    fn write(&self, at: u64, words: &[u64]) -> Result<(), String> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        (self.file.write_all_at(&bytes, at))
            .map_err(|error| format!("cannot write the shared file: {error}"))
    }

    /// Runs one execution. The first three run twice: their logs have to be the same.
    pub(super) fn execute(&mut self, request: &Request<'_>) -> Result<Execution, String> {
        if self.processes > 3 {
            return self.once(request);
        }
        self.twice(request)
    }

    /// Runs one execution twice, and compares.
    pub(super) fn twice(&mut self, request: &Request<'_>) -> Result<Execution, String> {
        let first = self.once(request)?;
        if first.found {
            return Ok(first);
        }
        let second = self.once(request)?;
        if first.log != second.log && !second.found {
            let at = (first.log.iter().zip(&second.log)).take_while(|(a, b)| a == b);
            let at = at.count();
            let show =
                |e: &Execution| (e.log.get(at)).map_or_else(|| e.ending.words(), Record::words);
            return Err(format!(
                "the program is not deterministic: one schedule, run twice, differs after {at} records: {}, and {}",
                show(&first),
                show(&second)
            ));
        }
        Ok(second)
    }

    /// Adds the files that the runtime has reported as mapped since the last request.
    fn read_maps(&mut self) -> Result<(), String> {
        let mut text = vec![0; self.read(at::MAPS_LENGTH, 1)?[0] as usize];
        (self.file.read_exact_at(&mut text, at::MAPS))
            .map_err(|error| format!("cannot read the shared file: {error}"))?;
        for line in String::from_utf8_lossy(&text).lines() {
            if !self.maps.lines().any(|known| known == line) {
                self.maps += line;
                self.maps += "\n";
            }
        }
        Ok(())
    }

    /// Sets how many seconds an execution may take. The alarm that ends it then may be blocked or ignored.
    pub(super) fn set_longest(&self, seconds: u64) -> Result<(), String> {
        let wait = Duration::from_secs(seconds + 1);
        (self.socket.set_read_timeout(Some(wait))).map_err(|error| error.to_string())?;
        self.write(at::LONGEST, &[seconds])
    }

    /// Lowers the limit of steps: the log had no room for more than this many.
    fn shorten(&mut self, steps: usize) -> Result<(), String> {
        let fewer = steps - steps / 8;
        if fewer == 0 || fewer >= self.max_steps {
            return Err("a few steps access more memory than a log has room for".into());
        }
        self.max_steps = fewer;
        Ok(())
    }

    /// How many steps an execution may have: what was asked for, or what there is room for.
    pub(super) const fn max_steps(&self) -> usize {
        self.max_steps
    }

    fn set_flag(&mut self, flag: u64, on: bool) {
        self.flags = self.flags & !flag | if on { flag } else { 0 };
    }

    /// Lets each thread wake up once without a signal where it waits for a condition.
    pub(super) fn set_spurious(&mut self, on: bool) {
        self.set_flag(at::SPURIOUS, on);
    }

    /// Makes it an error if the program does not give memory back.
    pub(super) fn set_leaks(&mut self, on: bool) {
        self.set_flag(at::LEAKS, on);
    }

    /// Runs one execution, and logs what a program must count to follow the schedule by itself.
    pub(super) fn count(&mut self, request: &Request<'_>) -> Result<Execution, String> {
        let flags = self.flags;
        self.flags |= at::CALLS;
        let execution = self.twice(request);
        self.flags = flags;
        execution
    }

    /// Runs one execution up to the end of its schedule or to an error, and leaves it there. Returns the process and the
    /// thread that has stopped.
    pub(super) fn stop(&mut self, request: &Request<'_>) -> Result<(u32, u32), String> {
        self.ask(request, at::STOP)?;
        for _ in 0..20_000 {
            let stopped = self.read(at::STOPPED, 1)?[0];
            if stopped != 0 {
                return Ok((stopped as u32, (stopped >> 32) as u32));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Err("the program did not come to the end of the schedule within 20 seconds".into())
    }

    /// Lets the program run once.
    fn ask(&mut self, request: &Request<'_>, flags: u64) -> Result<(), String> {
        let flags = flags | self.flags | self.learned()?;
        let steps = self.max_steps as u64 + 1;
        let asked = request.prefix.len() as u64;
        self.write(
            at::MODE,
            &[request.mode as u64, request.seed, steps, flags, asked],
        )?;
        self.write(at::SAID, &[0; 8])?;
        self.write(at::MAPS_LENGTH, &[0])?;
        self.write(at::VISIBLE_LEN, &[self.visible.len() as u64])?;
        self.write(at::VISIBLE, &self.visible)?;
        let mut changes = [u64::MAX; 8];
        for (to, from) in changes.iter_mut().zip(request.changes) {
            *to = *from;
        }
        self.write(at::CHANGES, &changes)?;
        (self.file.write_all_at(request.prefix, at::PREFIX))
            .map_err(|error| format!("cannot write the schedule: {error}"))?;
        (self.file.write_all_at(&[0; 8], at::TEXT))
            .map_err(|error| format!("cannot write the shared file: {error}"))?;
        self.socket.write_all(b"x").map_err(gone)
    }

    fn once(&mut self, request: &Request<'_>) -> Result<Execution, String> {
        self.ask(request, 0)?;
        let mut status = [0; 4];
        match self.socket.read_exact(&mut status) {
            Err(late) if late.kind() == ErrorKind::WouldBlock => {
                drop(self.child.kill());
                status = ALARM.to_le_bytes();
            }
            heard => heard.map_err(gone)?,
        }
        self.processes += 1;
        self.read_maps()?;
        let head = self.read(0, at::HEAD / 8)?;
        let log = parse(&self.read(at::LOG, head[6] as usize)?);
        let mut text = vec![0; 4096];
        (self.file.read_exact_at(&mut text, at::TEXT))
            .map_err(|error| format!("cannot read the shared file: {error}"))?;
        self.whole = head[60] != 0;
        let waits = name(&head[43..51]);
        let said = (words(&text), words(&text[FILE_AT..]));
        let ending = Ending::read(&head, said, &waits, u32::from_le_bytes(status))?;
        let full = ending == Ending::TooLong && head[8] > 0;
        if full {
            self.shorten(head[8] as usize - 1)?;
        }
        Ok(Execution {
            log,
            ending,
            found: head[12] > 0 || full,
            channel: (head[13] > 0).then(|| name(&head[35..43])),
        })
    }
}

fn gone(error: std::io::Error) -> String {
    format!("the program has gone away: {error}")
}

/// The name of a function.
fn name(head: &[u64]) -> String {
    let bytes: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
    words(&bytes)
}

/// Text up to its zero.
fn words(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Says that the address space is limited, if it is: then programs may end for want of it.
fn limited() -> &'static str {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|l| l.starts_with("Max address space"));
    match line.and_then(|l| l.split_whitespace().nth(3)) {
        None | Some("unlimited") => "",
        Some(_) => "; its address space is limited: try without (ulimit -v unlimited)",
    }
}

/// Waits until the program has loaded the runtime.
fn accept(listener: &UnixListener, child: &mut Child, name: &str) -> Result<UnixStream, String> {
    let begin = Instant::now();
    loop {
        if let Ok((socket, _)) = listener.accept() {
            let set = socket.set_nonblocking(false);
            let set = set.and_then(|()| socket.set_read_timeout(Some(Duration::from_secs(60))));
            return set.map(|()| socket).map_err(|e| e.to_string());
        }
        if let Ok(Some(status)) = child.try_wait() {
            let why = limited();
            return Err(format!(
                "{name} ended before its `main` began ({status}){why}"
            ));
        }
        if begin.elapsed() > Duration::from_secs(20) {
            drop(child.kill());
            return Err(format!("{name} did not reach its `main` within 20 seconds"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
