//! Messages on the wire: a header with a length, then JSON.
//!
//! Reading goes on after a message that is no JSON or too large, so that such a message does not end the
//! session. A broken header does: then the reader does not know where the next message begins.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::Message;
use serde_json::{Value, json};

/// The most bytes of a message that is read.
const MOST_BYTES: u64 = 256 << 20;
/// The most bytes of a line in a header.
const HEADER: u64 = 4096;

#[derive(Debug)]
pub enum Incoming {
    Message(Message),
    /// Something else, with the error code and the reason in words.
    Wrong(i32, String),
}

/// Reads the next message. Returns `None` at the end of the input.
///
/// # Errors
/// When a header is wrong: no further message can be found.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    Ok(read_body(input)?.map(|body| match body {
        Ok(body) => parse(&body),
        Err(reason) => Incoming::Wrong(INVALID_REQUEST, reason),
    }))
}

/// Reads the message behind the next header, or says why not. Returns `None` at the end of the input.
///
/// # Errors
/// When a header is wrong: no further message can be found.
pub fn read_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let Some(length) = read_header(input)? else {
        return Ok(None);
    };
    if length > MOST_BYTES {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let reason = format!("the message is longer than {MOST_BYTES} bytes");
        return Ok(Some(Err(reason)));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    Ok((body.len() as u64 == length).then_some(Ok(body)))
}

/// A message with its header.
#[must_use]
pub fn framed(value: &Value) -> String {
    let body = value.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

const PARSE_ERROR: i32 = lsp_server::ErrorCode::ParseError as i32;
const INVALID_REQUEST: i32 = lsp_server::ErrorCode::InvalidRequest as i32;

fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return Incoming::Wrong(PARSE_ERROR, format!("no JSON: {error}")),
    };
    let has_id = value.get("id").is_some_and(|id| !id.is_null());
    match serde_json::from_value(value) {
        Ok(Message::Notification(_)) if has_id => Incoming::Wrong(
            INVALID_REQUEST,
            "the id of a request is a number of 32 bits or a text".to_owned(),
        ),
        Ok(message) => Incoming::Message(message),
        Err(_) => Incoming::Wrong(
            INVALID_REQUEST,
            "neither a request nor a notification nor a response".to_owned(),
        ),
    }
}

/// The length of the message behind a header.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.is_empty() {
            return match length {
                Some(length) => Ok(Some(length)),
                None => Err(wrong("a header without Content-Length".to_owned())),
            };
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| wrong(format!("no header: {line}")))?;
        if name.eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse::<u64>();
            length = Some(number.map_err(|_| wrong(format!("no length: {value}")))?);
        }
    }
}

/// An order for the writing thread.
enum Order {
    Write(Value),
    /// Answer when everything before has been written.
    Flush(Sender<()>),
}

/// Sends messages: a queue before a thread, so that the server does not wait for a slow reader.
#[derive(Clone)]
pub struct Outbox {
    orders: Sender<Order>,
}

impl Outbox {
    #[must_use]
    pub fn open(out: impl Write + Send + 'static) -> (Self, JoinHandle<()>) {
        let (orders, inbox) = mpsc::channel();
        let thread = thread::spawn(move || write_all(out, &inbox));
        (Self { orders }, thread)
    }

    pub fn send(&self, message: &Message) {
        if let Ok(Value::Object(mut object)) = serde_json::to_value(message) {
            object.insert("jsonrpc".to_owned(), "2.0".into());
            self.put(Value::Object(object));
        }
    }

    /// Sends an error about a message that has no id.
    pub fn refuse(&self, code: i32, message: &str) {
        let error = json!({ "code": code, "message": message });
        self.put(json!({ "jsonrpc": "2.0", "id": null, "error": error }));
    }

    fn put(&self, value: Value) {
        // A client that has gone needs no answer.
        drop(self.orders.send(Order::Write(value)));
    }

    /// Waits until everything is written, but not longer than this.
    pub fn flush(&self, wait: Duration) {
        let (done, written) = mpsc::channel();
        if self.orders.send(Order::Flush(done)).is_ok() {
            // A client that reads so slowly does not get the rest.
            let _: Result<(), RecvTimeoutError> = written.recv_timeout(wait);
        }
    }
}

fn write_all(mut out: impl Write, inbox: &Receiver<Order>) {
    for order in inbox {
        match order {
            Order::Write(value) => {
                let message = framed(&value);
                let written = out.write_all(message.as_bytes()).and_then(|()| out.flush());
                if written.is_err() {
                    return;
                }
            }
            Order::Flush(done) => drop(done.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<Incoming> {
        let mut input = input;
        let mut found = Vec::new();
        while let Ok(Some(message)) = read(&mut input) {
            found.push(message);
        }
        found
    }

    #[test]
    fn a_wrong_message_costs_only_itself() {
        let good = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let with = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let input = [
            with("{"),
            with("[1, 2]"),
            with("\u{fffd}"),
            format!("content-type: x\r\n{}", with(good)),
            with(r#"{"id":[],"method":3}"#),
            with(r#"{"id":7.5,"method":"x"}"#),
            with(good),
        ];
        let found = all(input.concat().as_bytes());
        let wrong: Vec<bool> = found
            .iter()
            .map(|i| matches!(i, Incoming::Wrong(..)))
            .collect();
        assert_eq!(wrong, [true, true, true, false, true, true, false]);
    }

    #[test]
    fn what_has_no_end_has_one() {
        let mut endless = io::repeat(b'x');
        assert!(read(&mut io::BufReader::new(&mut endless)).is_err());
        assert!(matches!(
            read(&mut &b"Content-Length: 99999999999999999\r\n\r\nx"[..]),
            Ok(Some(Incoming::Wrong(..))) | Ok(None)
        ));
        assert!(matches!(
            read(&mut &b"Content-Length: 9\r\n\r\nx"[..]),
            Ok(None)
        ));
        assert!(read(&mut &b"Content-Length: -9\r\n\r\nx"[..]).is_err());
        assert!(read(&mut &b"\r\n\r\nx"[..]).is_err());
    }
}
