//! The first words on a connection: each side proves that it knows the secret, without telling it, and says what it was
//! asked. Before that, a side believes nothing and reads no more than a few bytes.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Broken;

/// The first bytes that each side sends. They must change whenever the messages behind them change.
const MAGIC: &[u8; 16] = b"dbverify-clust-2";

/// What one side was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The version of dbverify.
    pub version: String,
    /// A hash of the program.
    pub program: String,
    /// The options on which the answer depends, with their values.
    pub options: BTreeMap<String, String>,
}

impl Question {
    /// Makes the question about a program, given as engines read it, under some options.
    pub fn new(program: &str, options: BTreeMap<String, String>) -> Self {
        let hash = Sha256::digest(program);
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            options,
        }
    }

    /// Says how the question of `who` differs from this one; `None` if both are equal.
    pub fn difference(&self, who: &str, other: &Self) -> Option<String> {
        if self.version != other.version {
            let (here, there) = (&self.version, &other.version);
            return Some(format!("{who} is of dbverify {there}, this is {here}"));
        }
        if self.program != other.program {
            return Some(format!(
                "{who} is of another program, or of this one with another --preempt or --memory"
            ));
        }
        let differs = |(name, value): &(&String, &String)| other.options.get(*name) != Some(value);
        let differing = self
            .options
            .iter()
            .filter(differs)
            .map(|(name, _)| name.as_str());
        let differing: Vec<&str> = differing.collect();
        (self.options != other.options)
            .then(|| format!("{who} is of other options: {}", differing.join(", ")))
    }
}

/// Which side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The one that connects.
    Caller,
    /// The one that listens.
    Called,
}

/// The number of a process, and how many workers all processes have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub number: u32,
    pub of: u32,
}

/// What a side sends before its proof: its place, and a random number, which makes each proof different.
type Hello = [u8; 40];

const LONGEST: u32 = 1 << 16;

/// Greets the other side and returns its place. Fails if the other side does not prove that it knows the secret.
pub(super) fn greet(
    stream: &mut (impl Read + Write),
    side: Side,
    me: Place,
    secret: &str,
) -> io::Result<Place> {
    let mut mine: Hello = [0; 40];
    mine[..4].copy_from_slice(&me.number.to_le_bytes());
    mine[4..8].copy_from_slice(&me.of.to_le_bytes());
    getrandom::fill(&mut mine[8..]).map_err(|_| io::Error::other("there are no random numbers"))?;
    stream.write_all(MAGIC)?;
    stream.write_all(&mine)?;
    let (mut magic, mut theirs): ([u8; 16], Hello) = ([0; 16], [0; 40]);
    stream.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(io::Error::other("it is no dbverify"));
    }
    stream.read_exact(&mut theirs)?;
    let (caller, called) = match side {
        Side::Caller => (&mine, &theirs),
        Side::Called => (&theirs, &mine),
    };
    // Each side has a word of its own in its proof, so that no side can send back the proof that it was sent.
    let (say, hear) = match side {
        Side::Caller => (b"caller", b"called"),
        Side::Called => (b"called", b"caller"),
    };
    let proof = |word: &[u8]| -> io::Result<Hmac<Sha256>> {
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
        let mut mac = mac.map_err(|_| io::Error::other("the secret cannot be used"))?;
        [word, caller, called]
            .iter()
            .for_each(|part| mac.update(part));
        Ok(mac)
    };
    stream.write_all(&proof(say)?.finalize().into_bytes())?;
    let mut proved = [0; 32];
    stream.read_exact(&mut proved)?;
    let known = proof(hear)?.verify_slice(&proved);
    known
        .map_err(|_| io::Error::new(io::ErrorKind::PermissionDenied, "it knows another secret"))?;
    let word = |at: usize| {
        u32::from_le_bytes([theirs[at], theirs[at + 1], theirs[at + 2], theirs[at + 3]])
    };
    Ok(Place {
        number: word(0),
        of: word(4),
    })
}

/// Sends this side's question, and compares it with the question of `who`.
pub(super) fn compare(
    stream: &mut (impl Read + Write),
    mine: &Question,
    who: &str,
) -> Result<(), Broken> {
    let gone = |error: io::Error| Broken::Gone(format!("{who} is gone: {error}"));
    let unreadable = || Broken::Different(format!("{who} is of another version of dbverify"));
    let bytes = postcard::to_stdvec(mine).map_err(|_| unreadable())?;
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    stream.write_all(&len.to_le_bytes()).map_err(gone)?;
    stream.write_all(&bytes).map_err(gone)?;
    let mut len = [0; 4];
    stream.read_exact(&mut len).map_err(gone)?;
    let len = u32::from_le_bytes(len);
    if len > LONGEST {
        return Err(unreadable());
    }
    let mut bytes = vec![0; len as usize];
    stream.read_exact(&mut bytes).map_err(gone)?;
    let theirs: Question = postcard::from_bytes(&bytes).map_err(|_| unreadable())?;
    mine.difference(who, &theirs)
        .map_or(Ok(()), |difference| Err(Broken::Different(difference)))
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn question(version: &str, program: &str) -> Question {
        Question {
            version: version.to_owned(),
            ..Question::new(program, BTreeMap::new())
        }
    }

    /// Returns what the side that connects and the side that listens make of each other.
    fn meet(secrets: [&str; 2], questions: [Question; 2]) -> [Result<(), Broken>; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let [caller, called] = questions;
        let [first, second] = secrets.map(str::to_owned);
        let talk = |mut stream: TcpStream, side, number, secret: &str, question: &Question| {
            let me = Place { number, of: 2 };
            let other = greet(&mut stream, side, me, secret)
                .map_err(|error| Broken::Gone(error.to_string()))?;
            assert_eq!(other.number, 1 - number);
            compare(&mut stream, question, "the other")
        };
        std::thread::scope(|scope| {
            let one = scope.spawn(move || {
                let stream = TcpStream::connect(address).unwrap();
                talk(stream, Side::Caller, 1, &first, &caller)
            });
            let stream = listener.accept().unwrap().0;
            let other = talk(stream, Side::Called, 0, &second, &called);
            [one.join().unwrap(), other]
        })
    }

    #[test]
    fn who_knows_the_secret_and_was_asked_the_same_is_welcome() {
        let same = || question("1", "main");
        assert_eq!(meet(["a", "a"], [same(), same()]), [Ok(()), Ok(())]);
    }

    #[test]
    fn who_knows_another_secret_is_a_stranger() {
        let same = || question("1", "main");
        for side in meet(["a", "b"], [same(), same()]) {
            assert!(matches!(side, Err(Broken::Gone(_))), "{side:?}");
        }
    }

    #[test]
    fn another_version_and_another_program_are_told() {
        for (other, word) in [
            (question("2", "main"), "dbverify 2"),
            (question("1", "x"), "program"),
        ] {
            let [caller, called] = meet(["a", "a"], [other, question("1", "main")]);
            assert!(matches!(caller, Err(Broken::Different(_))), "{caller:?}");
            assert!(
                matches!(&called, Err(Broken::Different(why)) if why.contains(word)),
                "{called:?}"
            );
        }
    }

    #[test]
    fn noise_is_no_greeting() {
        struct Noise;
        impl Read for Noise {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'G');
                Ok(buffer.len())
            }
        }
        impl Write for Noise {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let me = Place { number: 0, of: 2 };
        assert!(greet(&mut Noise, Side::Called, me, "a").is_err());
    }
}
