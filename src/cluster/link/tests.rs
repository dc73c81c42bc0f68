//! Several peers within this one process, and what they hear of each other.

use std::net::{TcpListener, TcpStream};
use std::thread;

use super::*;

/// Returns peers that are connected with each other, all in this process.
fn met(size: usize) -> Vec<Arc<Peers>> {
    let names = || (0..size).map(|n| format!("host{n}")).collect();
    let all: Vec<_> = (0..size)
        .map(|me| Arc::new(Peers::new(me, names())))
        .collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    for a in 0..size {
        for b in a + 1..size {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            all[a].take(b, stream).unwrap();
            all[b].take(a, listener.accept().unwrap().0).unwrap();
        }
    }
    all
}

/// Plays one peer: sends random packets to the others, and checks that it hears theirs in order.
fn talk(me: usize, peers: Arc<Peers>) -> Result<(), Broken> {
    let size = peers.size();
    let mut crew = Crew::begin(1, peers).unwrap();
    let mut link = crew.seats().remove(0).link();
    let mut rng = fastrand::Rng::with_seed(me as u64);
    for round in 0..40u64 {
        let mut heard = vec![0u64; size];
        let mut hear = |from: usize, body: &Body| {
            let (by, when, number, _): (usize, u64, u64, Vec<u8>) =
                postcard::from_bytes(body.bytes()).unwrap();
            assert_eq!((by, when, number), (from, round, heard[from]));
            heard[from] += 1;
            Ok(())
        };
        let mut sent = vec![0u64; size];
        for _ in 0..rng.usize(0..30) {
            let to = rng.usize(0..size);
            if to != me {
                let noise = vec![7u8; rng.usize(0..3000)];
                let body = postcard::to_stdvec(&(me, round, sent[to], noise));
                link.send(to, Body::Made(body.unwrap()));
                sent[to] += 1;
            }
            // A faster peer may be in the next round already, but this one does not hear yet what it says there.
            link.poll(&mut hear)?;
        }
        let said = link.agree((round, sent), &mut hear)?;
        for (from, (when, sent)) in said.into_iter().enumerate() {
            assert_eq!(when, round);
            assert!(from == me || sent[me] == heard[from]);
        }
    }
    link.finish();
    crew.peers.flush();
    Ok(())
}

#[test]
fn all_that_is_sent_in_a_round_comes_in_that_round_and_in_its_order() {
    for size in 2..=4 {
        thread::scope(|scope| {
            let all = met(size).into_iter().enumerate();
            let talks = all.map(|(me, peers)| scope.spawn(move || talk(me, peers)));
            for talk in talks.collect::<Vec<_>>() {
                assert_eq!(talk.join().unwrap(), Ok(()));
            }
        });
    }
}

/// Returns the reasons for which the first two of three peers part after the third one did `third`.
fn parted(third: impl FnOnce(Arc<Peers>, [TcpStream; 2])) -> [String; 2] {
    let mut all = met(3);
    let last = all.pop().unwrap();
    let streams = [0, 1].map(|peer| last.stream(peer).unwrap());
    thread::scope(|scope| {
        let all = [0, 1].map(|me| (me, Arc::clone(&all[me])));
        let talks = all.map(|(me, peers)| scope.spawn(move || talk(me, peers)));
        third(last, streams);
        talks.map(|talk| talk.join().unwrap().unwrap_err().reason().to_owned())
    })
}

#[test]
fn one_that_is_lost_is_named() {
    let reasons = parted(|last, streams| drop((last, streams)));
    for reason in reasons {
        let expected = "process 2 (host2) is gone: the connection is closed";
        assert_eq!(reason, expected);
    }
}

#[test]
fn one_that_is_silent_is_named() {
    let reasons = parted(|last, streams| {
        // The connections stay open.
        forget((last, streams));
    });
    for reason in reasons {
        let expected = "process 2 (host2) is gone: it has not been heard of for 2 s";
        assert_eq!(reason, expected);
    }
}

#[test]
fn what_makes_no_sense_ends_it() {
    for bytes in [
        &[9, 0, 0, 0, 0][..],
        &[4, 255, 255, 255, 255],
        &[2, 1, 0, 0, 0],
    ] {
        let reasons = parted(|last, mut streams| {
            for stream in &mut streams {
                stream.write_all(bytes).unwrap();
            }
            forget((last, streams));
        });
        for reason in reasons {
            let expected = "process 2 (host2) is gone: what it says cannot be read";
            assert_eq!(reason, expected);
        }
    }
}

#[test]
fn the_reason_that_is_told_counts_more_than_a_closed_connection() {
    let why = Broken::Gone("process 7 is gone: it fell".to_owned());
    let reasons = parted(|last, streams| {
        last.give_up(&why);
        drop((last, streams));
    });
    assert_eq!(reasons, [0, 1].map(|_| why.reason().to_owned()));
}
