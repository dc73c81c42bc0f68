//! The connections of one process to all others, as timely sees them: streams of bytes.
//!
//! Timely's bytes travel in frames, each with a tag and a length. In other frames processes say that they are there, why they
//! give up, and how the work went. This module records a lost connection and hides it from timely: a thread of timely's that
//! cannot go on rests until the process ends.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use super::{Broken, unreadable};

/// How often a process says that it is there.
const PULSE: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 5000 });
/// A process is gone if it is silent for this many seconds.
const SILENCE: u32 = if cfg!(test) { 2 } else { 60 };
const SECOND: Duration = Duration::from_secs(1);
/// How long this process waits for a better reason: another one may have noticed earlier why a connection ended.
const PATIENCE: Duration = Duration::from_millis(200);
/// How many bytes a reason to give up has at most.
const LONGEST: u32 = 1 << 16;

/// The tags of frames: bytes of timely's; the sender is there; it leaves, with an exit status; it gives up, and why.
const DATA: u8 = 1;
const ALIVE: u8 = 2;
const BYE: u8 = 3;
const TROUBLE: u8 = 4;

/// The connections of this process.
#[derive(Debug)]
pub(super) struct Peers {
    pub me: usize,
    /// The names of all processes, for messages.
    names: Vec<String>,
    outs: Vec<OnceLock<Mutex<TcpStream>>>,
    news: Mutex<News>,
    changed: Condvar,
}

/// What has been heard of other processes.
#[derive(Debug, Default)]
struct News {
    /// The processes that have left or are lost.
    gone: Vec<usize>,
    /// The first process that was lost, in words.
    lost: Option<Broken>,
    /// Why another process gives up.
    trouble: Option<Broken>,
    /// Why this process gives up.
    given_up: Option<Broken>,
    /// The exit status, as the first process says it.
    status: Option<u8>,
    /// To how many processes timely has sent everything.
    flushed: usize,
}

impl News {
    fn have_parted(&self) -> bool {
        self.given_up.is_some() || self.lost.is_some() || self.trouble.is_some()
    }
}

impl Peers {
    /// Makes the peers, without connections yet.
    pub fn new(me: usize, names: Vec<String>) -> Self {
        Self {
            me,
            outs: names.iter().map(|_| OnceLock::new()).collect(),
            names,
            news: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Whether there is a connection to a process.
    pub fn has(&self, peer: usize) -> bool {
        self.outs[peer].get().is_some()
    }

    /// A process, in words.
    pub fn name(&self, peer: usize) -> String {
        format!("process {peer} ({})", self.names[peer])
    }

    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut News)) {
        change(&mut self.news());
        self.changed.notify_all();
    }

    /// Takes a connection to a process, which has greeted.
    pub fn take(&self, peer: usize, stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SECOND))?;
        stream.set_write_timeout(Some(SECOND * SILENCE))?;
        // The caller has checked that there is no connection yet.
        drop(self.outs[peer].set(Mutex::new(stream)));
        Ok(())
    }

    /// Fails if a process that has greeted gives up or is gone. This is for the meeting, when timely does not read yet.
    pub fn look(self: &Arc<Self>) -> Result<(), Broken> {
        for peer in 0..self.size() {
            let Some(out) = self.outs[peer].get() else {
                continue;
            };
            let out = out.lock().unwrap_or_else(PoisonError::into_inner);
            let mut tag = [0];
            let come = out.set_nonblocking(true).and_then(|()| out.peek(&mut tag));
            let blocking = out.set_nonblocking(false);
            drop(out);
            match come {
                Ok(1) if tag != [TROUBLE] => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock && blocking.is_ok() => {}
                // Reads the reason, or that the connection is closed.
                _ => match self.wire(peer).and_then(|mut wire| wire.receive(&mut [0])) {
                    Ok(_) => {}
                    Err(error) => self.lose(peer, &error),
                },
            }
        }
        self.check()
    }

    /// The connections for timely: one for each other process.
    pub fn wires(self: &Arc<Self>) -> io::Result<Vec<Option<Wire>>> {
        let others = |peer: usize| (peer != self.me).then(|| self.wire(peer)).transpose();
        let wires: io::Result<Vec<_>> = (0..self.size()).map(others).collect();
        for peer in (0..self.size()).filter(|&peer| self.has(peer)) {
            let peers = Arc::downgrade(self);
            // Each process has its own thread here, so that a process that reads nothing does not hold up the others.
            thread::spawn(move || {
                loop {
                    thread::sleep(PULSE);
                    let Some(peers) = peers.upgrade() else { return };
                    if peers.say(peer, ALIVE, &[]).is_err() {
                        return;
                    }
                }
            });
        }
        wires
    }

    /// The connection to a process.
    pub fn stream(&self, peer: usize) -> io::Result<TcpStream> {
        let out = self.outs[peer].get().ok_or(ErrorKind::NotConnected)?;
        (out.lock().unwrap_or_else(PoisonError::into_inner)).try_clone()
    }

    fn wire(self: &Arc<Self>, peer: usize) -> io::Result<Wire> {
        Ok(Wire {
            peers: Arc::clone(self),
            peer,
            from: BufReader::new(self.stream(peer)?),
            left: 0,
            silent: 0,
        })
    }

    /// Writes a frame.
    fn say(&self, peer: usize, tag: u8, bytes: &[u8]) -> io::Result<()> {
        let out = self.outs[peer].get().ok_or(ErrorKind::NotConnected)?;
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut out, tag, bytes)
    }

    /// Records that the connection to a process has ended.
    fn lose(&self, peer: usize, error: &io::Error) {
        let why = match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                "the connection is closed".to_owned()
            }
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("it has read nothing for {SILENCE} s")
            }
            _ => error.to_string(),
        };
        self.tell(|news| {
            news.gone.push(peer);
            let lost = || Broken::Gone(format!("{} is gone: {why}", self.name(peer)));
            news.lost.get_or_insert_with(lost);
        });
    }

    /// Fails if a process gives up or is lost. A process that is lost may have left because of another one, so a reason that
    /// is told soon after counts more.
    pub fn check(&self) -> Result<(), Broken> {
        let news = self.news();
        if let Some(broken) = &news.given_up {
            return Err(broken.clone());
        }
        if news.lost.is_none() && news.trouble.is_none() {
            return Ok(());
        }
        let silent = |news: &mut News| news.trouble.is_none();
        let waited = self.changed.wait_timeout_while(news, PATIENCE, silent);
        let (news, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (news.trouble.clone().or_else(|| news.lost.clone())).map_or(Ok(()), Err)
    }

    /// Whether some process gives up or is lost.
    pub fn have_parted(&self) -> bool {
        self.news().have_parted()
    }

    /// Tells all others why this process gives up.
    pub fn give_up(&self, why: &Broken) {
        let mut news = self.news();
        if news.given_up.is_some() {
            return;
        }
        news.given_up = Some(why.clone());
        drop(news);
        let Ok(bytes) = postcard::to_stdvec(why) else {
            return;
        };
        for out in self.outs.iter().filter_map(OnceLock::get) {
            // Does not wait for a process that reads nothing.
            let begin = Instant::now();
            while begin.elapsed() < PATIENCE {
                if let Ok(mut out) = out.try_lock() {
                    let limited = out.set_write_timeout(Some(PATIENCE));
                    let _ = limited.and_then(|()| write(&mut out, TROUBLE, &bytes));
                    break;
                }
                thread::sleep(PATIENCE / 20);
            }
        }
    }

    /// Waits until timely has sent everything to all others, or until the processes part.
    pub fn flush(&self) {
        let others = self.outs.iter().filter(|out| out.get().is_some()).count();
        let waits = |news: &mut News| news.flushed < others && !news.have_parted();
        drop(self.changed.wait_while(self.news(), waits));
    }

    /// Tells all others that this process leaves, and how the work went.
    pub fn farewell(&self, status: u8) {
        if self.news().given_up.is_some() {
            return;
        }
        let others = (0..self.size()).filter(|&peer| self.has(peer));
        // A process that is gone needs to be told nothing.
        let told = others.filter(|&peer| self.say(peer, BYE, &[status]).is_ok());
        let told = told.count();
        if self.me == 0 {
            // If bytes came after this process has ended, the others might not be able to read what it said.
            let waits = |news: &mut News| news.gone.len() < told;
            drop((self.changed).wait_timeout_while(self.news(), SECOND, waits));
        }
    }

    /// Waits until the first process says how the work went.
    pub fn dismissed(&self) -> Result<u8, Broken> {
        let waits = |news: &mut News| {
            let apart = news.given_up.is_some() || news.trouble.is_some();
            !apart && news.status.is_none() && !news.gone.contains(&0)
        };
        let news = self.changed.wait_while(self.news(), waits);
        let news = news.unwrap_or_else(PoisonError::into_inner);
        if let (None, Some(status)) = (&news.given_up, news.status) {
            drop(news);
            self.farewell(status);
            return Ok(status);
        }
        let why = [&news.given_up, &news.trouble, &news.lost];
        let why = why.into_iter().flatten().next().cloned();
        Err(why.unwrap_or_else(|| unreadable(&self.name(0))))
    }
}

fn write(out: &mut TcpStream, tag: u8, bytes: &[u8]) -> io::Result<()> {
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&[&[tag][..], &len.to_le_bytes(), bytes].concat())
}

/// A connection, as timely uses it.
pub(super) struct Wire {
    peers: Arc<Peers>,
    peer: usize,
    from: BufReader<TcpStream>,
    /// How many of timely's bytes are left in the frame.
    left: usize,
    /// For how many seconds nothing has come.
    silent: u32,
}

impl Wire {
    /// Reads the next of timely's bytes and returns how many; 0 when the other process has left.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let mut head = [0; 5];
            self.fill(&mut head)?;
            let [tag, len @ ..] = head;
            let len = u32::from_le_bytes(len);
            match (tag, len) {
                (DATA, _) => self.left = len as usize,
                (ALIVE, 0) => {}
                (BYE, 1) => {
                    let mut status = [0];
                    self.fill(&mut status)?;
                    let peer = self.peer;
                    self.peers.tell(|news| {
                        news.gone.push(peer);
                        news.status = news.status.or((peer == 0).then_some(status[0]));
                    });
                    return Ok(0);
                }
                (TROUBLE, ..=LONGEST) => {
                    let mut bytes = vec![0; len as usize];
                    self.fill(&mut bytes)?;
                    let trouble = postcard::from_bytes(&bytes);
                    let trouble =
                        trouble.unwrap_or_else(|_| unreadable(&self.peers.name(self.peer)));
                    self.peers.tell(|news| {
                        news.trouble.get_or_insert(trouble);
                    });
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                _ => return Err(io::Error::other("what it says cannot be read")),
            }
        }
        let most = buffer.len().min(self.left);
        let come = self.some(&mut buffer[..most])?;
        self.left -= come;
        Ok(come)
    }

    fn fill(&mut self, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let come = self.some(buffer)?;
            buffer = &mut buffer[come..];
        }
        Ok(())
    }

    /// Reads at least one byte.
    fn some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.from.read(buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(come) => {
                    self.silent = 0;
                    return Ok(come);
                }
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                        self.silent += 1;
                        if self.silent >= SILENCE {
                            let why = format!("it has not been heard of for {SILENCE} s");
                            return Err(io::Error::other(why));
                        }
                    }
                    _ => return Err(error),
                },
            }
        }
    }

    /// Records that the connection has ended, and rests until this process ends.
    fn rest(&self, error: &io::Error) -> ! {
        self.peers.lose(self.peer, error);
        loop {
            thread::park();
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.receive(buffer)).or_else(|error| self.rest(&error))
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.peers.say(self.peer, DATA, bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => self.rest(&error),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        self.peers.wire(self.peer)
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    /// Timely has nothing more to send. The connection stays, for what processes say in the end.
    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.peers.tell(|news| news.flushed += 1);
        Ok(())
    }
}
