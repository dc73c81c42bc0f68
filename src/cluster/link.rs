//! The connections of one process to all others, and rounds in which each says something to all.
//!
//! Every process reads every connection all the time, so that nobody who writes waits for somebody who computes. What is
//! read is kept in order until it is wanted: since nobody ends a round before all have spoken, that is never more than what
//! two rounds give.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::frame::Frame;
use super::{Broken, unreadable};

/// How often a process says that it is there.
const PULSE: Duration = Duration::from_secs(5);
/// Who was not heard of for so long is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// A connection to another process.
struct Peer {
    out: Arc<Mutex<TcpStream>>,
}

/// What a connection brings: a frame, or its end.
type Brought = (usize, Result<Frame, String>);

/// The connections of this process.
pub struct Link {
    pub me: usize,
    /// The names of all processes, for messages.
    names: Vec<String>,
    peers: Vec<Option<Peer>>,
    inbox: Receiver<Brought>,
    brought: Sender<Brought>,
    /// What each process has sent and nobody has looked at.
    queues: Vec<VecDeque<Frame>>,
    /// Why connections ended. Who has heard everything may go before the others have: that is an error only for who still wants something.
    closed: Vec<Option<String>>,
    /// Dropped with the link: then nobody says any more that this process is there.
    pulse: Option<Sender<()>>,
    /// Why it is over, once it is.
    broken: Option<Broken>,
}

impl Link {
    /// No connections yet.
    pub fn new(me: usize, names: Vec<String>) -> Self {
        let (brought, inbox) = mpsc::channel();
        Self {
            me,
            peers: names.iter().map(|_| None).collect(),
            queues: names.iter().map(|_| VecDeque::new()).collect(),
            closed: names.iter().map(|_| None).collect(),
            names,
            inbox,
            brought,
            pulse: None,
            broken: None,
        }
    }

    /// The connections of a process that works alone: none.
    pub fn alone() -> Self {
        Self::new(0, vec!["this".to_owned()])
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Whether there is a connection to a process.
    pub fn has(&self, peer: usize) -> bool {
        self.peers[peer].is_some()
    }

    /// A process, in words.
    pub fn name(&self, peer: usize) -> String {
        format!("process {peer} ({})", self.names[peer])
    }

    /// Takes a connection to a process, which has greeted.
    pub fn take(&mut self, peer: usize, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let mut from = stream.try_clone()?;
        let brought = self.brought.clone();
        thread::spawn(move || {
            loop {
                let frame = Frame::read(&mut from).map_err(|error| words(&error));
                let over = frame.is_err();
                if !matches!(frame, Ok(Frame::Alive)) && brought.send((peer, frame)).is_err()
                    || over
                {
                    return;
                }
            }
        });
        let out = Arc::new(Mutex::new(stream));
        self.peers[peer] = Some(Peer { out });
        Ok(())
    }

    /// From now on says now and then that this process is there.
    pub fn begin(&mut self) {
        let outs: Vec<_> = (self.peers.iter().flatten())
            .map(|peer| Arc::clone(&peer.out))
            .collect();
        let (stop, stopped) = mpsc::channel();
        self.pulse = Some(stop);
        thread::spawn(move || {
            while stopped.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                for out in &outs {
                    // Who is gone is noticed by who reads.
                    let _ = write(out, &Frame::Alive);
                }
            }
        });
    }

    /// Sends states to a process.
    pub fn send(&mut self, peer: usize, rows: Vec<u8>) -> Result<(), Broken> {
        self.post(peer, &Frame::Rows(rows))
    }

    fn post(&mut self, peer: usize, frame: &Frame) -> Result<(), Broken> {
        let Some(to) = &self.peers[peer] else {
            return Ok(());
        };
        match write(&to.out, frame) {
            Ok(()) => Ok(()),
            // Why it is gone, or who else was before it, may have been said already.
            Err(error) => Err(self.reason(peer, &words(&error))),
        }
    }

    /// Looks at the states that have come, without waiting for any.
    pub fn poll(
        &mut self,
        mut rows: impl FnMut(usize, &[u8]) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.check()?;
        for (peer, queue) in self.queues.iter_mut().enumerate() {
            while let Some(Frame::Rows(bytes)) = queue.front() {
                rows(peer, bytes)?;
                queue.pop_front();
            }
        }
        Ok(())
    }

    /// A round: says something to all and hears what all say, in their order. States that come before are looked at.
    pub fn agree<T: Serialize + DeserializeOwned>(
        &mut self,
        said: T,
        mut rows: impl FnMut(usize, &[u8]) -> Result<(), Broken>,
    ) -> Result<Vec<T>, Broken> {
        if self.size() > 1 {
            let bytes = postcard::to_stdvec(&said).map_err(|_| unreadable("this process"))?;
            for peer in 0..self.size() {
                self.post(peer, &Frame::Said(bytes.clone()))?;
            }
        }
        let mut mine = Some(said);
        let mut all = Vec::with_capacity(self.size());
        for peer in 0..self.size() {
            if peer == self.me {
                all.extend(mine.take());
                continue;
            }
            let said = self.hear(peer, &mut rows)?;
            let said = postcard::from_bytes(&said);
            all.push(said.map_err(|_| unreadable(&self.name(peer)))?);
        }
        Ok(all)
    }

    /// What a process says in this round.
    fn hear(
        &mut self,
        peer: usize,
        rows: &mut impl FnMut(usize, &[u8]) -> Result<(), Broken>,
    ) -> Result<Vec<u8>, Broken> {
        loop {
            match self.queues[peer].pop_front() {
                Some(Frame::Said(bytes)) => return Ok(bytes),
                Some(Frame::Rows(bytes)) => rows(peer, &bytes)?,
                Some(Frame::Alive | Frame::Farewell(_) | Frame::Trouble(_)) => {
                    return Err(unreadable(&self.name(peer)));
                }
                None => {
                    self.still_has(peer)?;
                    self.wait()?;
                }
            }
        }
    }

    /// Whether a process can still say something.
    fn still_has(&mut self, peer: usize) -> Result<(), Broken> {
        match self.closed[peer].take() {
            Some(why) => Err(self.reason(peer, &why)),
            None => Ok(()),
        }
    }

    /// Waits for a frame, whoever sends it.
    fn wait(&mut self) -> Result<(), Broken> {
        match self.inbox.recv() {
            Ok(brought) => self.keep(brought),
            Err(_) => Err(Broken::Gone("all connections are closed".to_owned())),
        }
    }

    fn keep(&mut self, (peer, brought): Brought) -> Result<(), Broken> {
        match brought {
            Ok(Frame::Trouble(bytes)) => {
                let trouble = postcard::from_bytes(&bytes);
                let trouble = trouble.unwrap_or_else(|_| unreadable(&self.name(peer)));
                Err(self.broken.insert(trouble).clone())
            }
            Ok(frame) => {
                self.queues[peer].push_back(frame);
                Ok(())
            }
            Err(why) => {
                self.closed[peer] = Some(why);
                Ok(())
            }
        }
    }

    /// Why a process is gone: what has been said of it before its connection closed, or that it did close.
    fn reason(&mut self, peer: usize, why: &str) -> Broken {
        let mut reason = Broken::Gone(format!("{} is gone: {why}", self.name(peer)));
        while let Ok((_, brought)) = self.inbox.recv_timeout(Duration::from_millis(200)) {
            if let Ok(Frame::Trouble(bytes)) = brought
                && let Ok(trouble) = postcard::from_bytes(&bytes)
            {
                reason = trouble;
                break;
            }
        }
        self.broken.insert(reason).clone()
    }

    /// Whether somebody who is connected has given up or is gone, while there is still something to be done.
    pub fn check(&mut self) -> Result<(), Broken> {
        while let Ok(brought) = self.inbox.try_recv() {
            self.keep(brought)?;
        }
        (0..self.size()).try_for_each(|peer| self.still_has(peer))
    }

    /// Tells all others why this process gives up.
    pub fn give_up(&mut self, why: &Broken) {
        if let Ok(bytes) = postcard::to_stdvec(why) {
            for peer in self.peers.iter().flatten() {
                let _ = write(&peer.out, &Frame::Trouble(bytes.clone()));
            }
        }
    }

    /// The first process tells all others that the work is done, and how it went.
    pub fn farewell(mut self, status: u8) {
        for peer in 0..self.size() {
            let _ = self.post(peer, &Frame::Farewell(status));
        }
    }

    /// Waits until the first process says how the work went.
    pub fn dismissed(mut self) -> Result<u8, Broken> {
        loop {
            if let Some(broken) = self.broken.take() {
                return Err(broken);
            }
            match self.queues[0].pop_front() {
                Some(Frame::Farewell(status)) => return Ok(status),
                Some(_) => return Err(unreadable(&self.name(0))),
                None => {
                    self.still_has(0)?;
                    self.wait()?;
                }
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for peer in self.peers.iter().flatten() {
            let out = peer.out.lock().unwrap_or_else(PoisonError::into_inner);
            // What was written is still delivered.
            let _ = out.shutdown(Shutdown::Write);
        }
    }
}

fn write(out: &Mutex<TcpStream>, frame: &Frame) -> io::Result<()> {
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bytes = Vec::new();
    frame.write(&mut bytes)?;
    out.write_all(&bytes)
}

/// Why a connection ended.
fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe => "the connection is closed".to_owned(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("it has not been heard of for {} s", SILENCE.as_secs())
        }
        _ => error.to_string(),
    }
}
