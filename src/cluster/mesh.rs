//! How the processes meet: each listens at its own line of the list of hosts, and calls the processes before it.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use base::work;

use super::greeting::{Place, Question, Side, compare, greet};
use super::link::Crew;
use super::stream::Peers;
use super::{Broken, note, own};

/// How long the other side may be silent during the greeting.
const GREETING: Duration = Duration::from_secs(10);
/// How long one call may take, and how soon it is made again.
const CALL: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(100);
/// How soon a process looks again whether others have come.
const LOOK: Duration = Duration::from_millis(20);

/// What a process knows before it meets the others.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub me: usize,
    /// Where each process listens.
    pub hosts: Vec<String>,
    /// How many workers each of them has.
    pub jobs: usize,
    /// All processes of this meeting know it, and no others do.
    pub secret: String,
    /// What this process was asked.
    pub question: Question,
    /// When this process stops waiting for others.
    pub latest: Option<Instant>,
}

/// A process that has called this one.
enum Caller {
    /// Another process of this meeting, with its number.
    One(usize, TcpStream),
    /// A process that was asked something else.
    Other(Broken),
}

impl Meeting {
    /// Listens at this process's host.
    ///
    /// # Errors
    /// When it cannot.
    pub fn listen(&self) -> Result<TcpListener, Broken> {
        let host = &self.hosts[self.me];
        TcpListener::bind(host.as_str()).map_err(|error| {
            let why = match error.kind() {
                ErrorKind::AddrNotAvailable => "that is no address of this machine".to_owned(),
                ErrorKind::AddrInUse => "another program listens there".to_owned(),
                _ => error.to_string(),
            };
            Broken::Different(format!(
                "process {} cannot listen at {host}: {why}",
                self.me
            ))
        })
    }

    /// Meets all others. `alive` fails when a process is known never to come.
    ///
    /// # Errors
    /// When a process was asked something else, or does not come in time.
    pub fn join(
        self,
        listener: &TcpListener,
        mut alive: impl FnMut() -> Result<(), Broken>,
    ) -> Result<Crew, Broken> {
        let jobs = self.jobs;
        let peers = Arc::new(Peers::new(self.me, self.hosts.clone()));
        let joined = self
            .gather(&peers, listener, &mut alive)
            .and_then(|()| Crew::begin(jobs, Arc::clone(&peers)));
        joined.inspect_err(|broken| peers.give_up(broken))
    }

    fn gather(
        self,
        peers: &Arc<Peers>,
        listener: &TcpListener,
        alive: &mut dyn FnMut() -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        listener.set_nonblocking(true).map_err(own)?;
        let meeting = Arc::new(self);
        let (come, callers) = mpsc::channel();
        loop {
            peers.look()?;
            alive()?;
            while let Ok((stream, from)) = listener.accept() {
                let (meeting, come) = (Arc::clone(&meeting), come.clone());
                thread::spawn(move || meeting.receive(stream, from, &come));
            }
            while let Ok(caller) = callers.try_recv() {
                match caller {
                    Caller::One(number, stream) if !peers.has(number) => {
                        peers.take(number, stream).map_err(own)?;
                    }
                    Caller::One(number, _) => {
                        let who = peers.name(number);
                        return Err(Broken::Different(format!("{who} was started twice")));
                    }
                    Caller::Other(broken) => return Err(broken),
                }
            }
            // Calls the processes before this one in their order, so that the first process hears of every difference.
            if let Some(next) = (0..meeting.me).find(|&peer| !peers.has(peer))
                && let Some(stream) = meeting.call(next, &peers.name(next))?
            {
                peers.take(next, stream).map_err(own)?;
                continue;
            }
            let missing = (0..peers.size()).find(|&peer| peer != meeting.me && !peers.has(peer));
            let Some(missing) = missing else {
                return Ok(());
            };
            if work::stopping() {
                return Err(Broken::Gone(work::INTERRUPTED.to_owned()));
            }
            if meeting
                .latest
                .is_some_and(|latest| Instant::now() >= latest)
            {
                let who = peers.name(missing);
                return Err(Broken::Gone(format!(
                    "{who} has not come before time ran out"
                )));
            }
            thread::sleep(LOOK);
        }
    }

    /// Calls a process. Returns `None` if it is not there yet.
    fn call(&self, peer: usize, who: &str) -> Result<Option<TcpStream>, Broken> {
        let mut stream = match connect(&self.hosts[peer]) {
            Ok(stream) => stream,
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                let host = &self.hosts[peer];
                return Err(Broken::Different(format!("{host} is no host and port")));
            }
            Err(_) => {
                thread::sleep(AGAIN);
                return Ok(None);
            }
        };
        let greeted = patient(&stream)
            .and_then(|()| greet(&mut stream, Side::Caller, self.place(), &self.secret));
        match greeted {
            Ok(place) => {
                self.expect(place, peer..=peer, who)?;
                compare(&mut stream, &self.question, who)?;
                Ok(Some(stream))
            }
            // The other side's proof is wrong, or it closed the connection because it did not accept this process.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::UnexpectedEof
                ) =>
            {
                Err(Broken::Different(format!(
                    "{who} knows another secret, or does not know {} as one of its hosts",
                    self.hosts[self.me]
                )))
            }
            Err(error) => {
                note(&format!("{who}: {error}"));
                thread::sleep(AGAIN);
                Ok(None)
            }
        }
    }

    fn receive(&self, mut stream: TcpStream, from: SocketAddr, come: &Sender<Caller>) {
        if !self.names(from.ip()) {
            note(&format!(
                "a call from {from} was refused: it is none of the hosts"
            ));
            return;
        }
        let greeted = stream
            .set_nonblocking(false)
            .and_then(|()| patient(&stream))
            .and_then(|()| greet(&mut stream, Side::Called, self.place(), &self.secret));
        let caller = match greeted {
            Err(error) => {
                note(&format!("a call from {from} was refused: {error}"));
                return;
            }
            Ok(place) => {
                let others = self.me + 1..=self.hosts.len() - 1;
                // A caller that has a line of the list is named as everywhere else.
                let number = place.number as usize;
                let named = others.contains(&number).then(|| &self.hosts[number]);
                let named = named.map_or_else(|| from.to_string(), Clone::clone);
                let who = format!("process {number} ({named})");
                let same = (self.expect(place, others, &who))
                    .and_then(|number| compare(&mut stream, &self.question, &who).map(|()| number));
                same.map_or_else(Caller::Other, |number| Caller::One(number, stream))
            }
        };
        // The receiver is gone if all have come.
        let _ = come.send(caller);
    }

    /// How many workers all processes have.
    fn workers(&self) -> usize {
        self.hosts.len() * self.jobs
    }

    fn place(&self) -> Place {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place {
            number: number(self.me),
            of: number(self.workers()),
        }
    }

    /// Checks that a process counts the same workers and has one of the expected numbers. Returns its number.
    fn expect(
        &self,
        place: Place,
        numbers: std::ops::RangeInclusive<usize>,
        who: &str,
    ) -> Result<usize, Broken> {
        let (number, of) = (place.number as usize, place.of as usize);
        if of != self.workers() {
            let here = self.workers();
            return Err(Broken::Different(format!(
                "{who} counts {of} workers, this one {here}: are the list and --jobs the same?"
            )));
        }
        if !numbers.contains(&number) {
            return Err(Broken::Different(format!(
                "{who} says that it is process {number}; is --process the same twice?"
            )));
        }
        Ok(number)
    }

    /// Whether an address is that of one of the hosts.
    fn names(&self, address: IpAddr) -> bool {
        let known = |host: &String| {
            let addresses = host.to_socket_addrs().ok().into_iter().flatten();
            addresses
                .map(|a| a.ip().to_canonical())
                .any(|ip| ip == address.to_canonical())
        };
        self.hosts.iter().any(known)
    }
}

fn connect(host: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CALL) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Limits how long the other side may be silent during the greeting.
fn patient(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(GREETING))?;
    stream.set_write_timeout(Some(GREETING))
}
